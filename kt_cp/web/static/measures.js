// The measures of the tour on a board, and marks of what one of them counts.

import { button, make } from "./make.js";

/** Buttons with the measures of the tour that a player shows; the chosen one is marked on its board. */
export class Measures {
  constructor(element, page, board, player) {
    this.page = page;
    this.board = board;
    this.measure = null; // the chosen one; it stays chosen for the next tour
    this.requests = 0;
    this.element = make("div", { class: "measures", role: "group", "aria-label": "Measures of the tour", hidden: true });
    element.append(this.element);
    player.changed = (film) => this.#show(film);
  }

  /** Choose a measure, or none with null. */
  choose(measure) {
    this.measure = measure;
    this.#request();
  }

  #show({ walk, moves, states }) {
    const { rows, columns, missing, surface } = this.board.view.problem;
    const whole = walk.length === rows * columns - missing.length && surface === "plane";
    this.walk = whole && !moves && !states ? walk : null;
    this.#request();
  }

  async #request() {
    const number = (this.requests += 1);
    const { walk, measure, board } = this;
    this.element.hidden = !walk;
    if (board.view.counted) board.show({ counted: {} });
    if (!walk) return;
    try {
      const body = { problem: board.view.problem, tour: walk, measure };
      const { measures, counted } = await this.page.post("/api/measures", body);
      if (number !== this.requests) return; // another tour is shown
      this.#list(measures);
      board.show({ counted });
    } catch (error) {
      if (number === this.requests) this.element.replaceChildren(error.message);
    }
  }

  /** The buttons; they stay the same, so that the keyboard stays where it is. */
  #list(measures) {
    const names = Object.keys(measures);
    if (this.element.childElementCount !== names.length) {
      const choose = (name) => () => this.choose(this.measure === name ? null : name);
      this.element.replaceChildren(...names.map((name) => button("", choose(name), { "data-measure": name })));
    }
    for (const each of this.element.children) {
      const name = each.dataset.measure;
      each.setAttribute("aria-pressed", name === this.measure);
      each.replaceChildren(name.replaceAll("-", " "), " ", make("b", {}, measures[name].toLocaleString("en")));
    }
  }
}
