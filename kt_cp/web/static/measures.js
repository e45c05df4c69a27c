// The measures of the tour on a board, and marks of what one of them counts.

import { button, format, make } from "./elements.js";
import { post } from "./server.js";

/** Buttons with the measures of the tour in a player; the chosen one is marked on its board. */
export class Measures {
  constructor(element, board, player) {
    this.board = board;
    this.chosen = null; // a measure, which stays chosen for the next tour
    const label = "Measures of the tour";
    this.element = make("div", { class: "measures", role: "group", "aria-label": label, hidden: true });
    element.append(this.element);
    player.changed = ({ walk, frames }) => {
      const { rows, columns, missing, surface } = board.view.problem;
      const isTour = !frames && walk.length === rows * columns - missing.length && surface === "plane";
      this.tour = isTour ? walk : null;
      for (const each of this.element.children) each.lastChild.textContent = "…"; // was of another tour
      this.#update();
    };
  }

  async #update() {
    const { board, element, tour, chosen: measure } = this;
    const isCurrent = () => this.tour === tour && this.chosen === measure;
    element.hidden = !tour;
    if (board.view.counted) board.show({ counted: {} });
    if (!tour) return;
    try {
      const { measures, counted } = await post("/api/measures", { problem: board.view.problem, tour, measure });
      if (!isCurrent()) return;
      this.#list(measures);
      board.show({ counted });
    } catch (error) {
      if (isCurrent()) element.replaceChildren(error.message);
    }
  }

  #list(measures) {
    const names = Object.keys(measures);
    const choose = (name) => {
      this.chosen = this.chosen === name ? null : name;
      this.#update();
    };
    if (this.element.childElementCount !== names.length) {
      this.element.replaceChildren(...names.map((name) => button("", () => choose(name), { "data-measure": name })));
    }
    for (const each of this.element.children) {
      const name = each.dataset.measure;
      each.setAttribute("aria-pressed", name === this.chosen);
      each.replaceChildren(name.replaceAll("-", " "), " ", make("b", {}, format(measures[name])));
    }
  }
}
