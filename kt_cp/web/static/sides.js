// A small question in a few fields: size, piece, open or closed; or the board that was drawn.

import { field, make, menu, wholeNumber } from "./make.js";
import { read } from "./question.js";
import { EMPTY } from "./squares.js";

const LONGEST = 200; // side of a board that is asked about in a few fields

/** Fields of a question; `problem` is what they say, and `change(problem)` is called when it does. */
export class Sides {
  constructor(page, { rows = 6, columns = 6, closed = true, change = (_problem) => {} } = {}) {
    const changed = () => change(this.problem);
    const side = (label, value) => wholeNumber(page, label, { max: LONGEST, value, "aria-label": label, change: changed });
    this.page = page;
    this.rows = side("Ranks", rows);
    this.columns = side("Files", columns);
    this.piece = menu(Object.keys(page.choices.pieces), "knight", { onchange: changed });
    this.kind = menu(["closed", "open"], closed ? "closed" : "open", { onchange: changed });
    this.fields = make("fieldset", { class: "row" },
      make("div", { class: "field" }, make("span", { class: "label" }, "Size"),
        make("div", { class: "size" }, this.rows, make("span", { "aria-hidden": "true" }, "×"), this.columns)),
      field("Piece", this.piece), field("Tour", this.kind));
    this.own = make("input", { type: "checkbox", onchange: () => (this.#fit(), changed()) });
    this.element = make("div", { class: "sides" }, this.fields,
      make("label", { class: "tick" }, this.own, "the board that is drawn, with all that is asked of it"));
  }

  #fit() {
    this.fields.disabled = this.own.checked;
  }

  /** Ask about the board that is drawn. */
  take() {
    this.own.checked = true;
    this.#fit();
  }

  /** What is asked, as the package's JSON has it. */
  get problem() {
    if (this.own.checked) return this.page.question?.problem ?? read(location.hash, this.page.choices.limits.squares) ?? EMPTY;
    return {
      ...EMPTY, rows: Number(this.rows.value), columns: Number(this.columns.value),
      piece: this.page.choices.pieces[this.piece.value], closed: this.kind.value === "closed",
    };
  }
}
