// Parts of a form with one search at a time: what it does, a Stop button, and a small question.

import { readProblem } from "./address.js";
import { button, field, make, menu, sizeField, wholeNumber } from "./elements.js";
import { startJob } from "./server.js";
import { EMPTY } from "./squares.js";

const LONGEST = 200; // side of a board in a small question

/** A line about the search and its Stop button; a new search stops the one before. */
export class SearchStatus {
  constructor() {
    this.line = make("p", { class: "state", role: "status" });
    this.stopButton = button("Stop", () => this.stop(), { class: "stop", hidden: true });
  }

  show(text, kind = "busy") {
    this.line.className = `state ${kind}`;
    this.line.textContent = text;
  }

  stop() {
    this.job?.stop();
  }

  /** Start a search; `handlers` as in startJob. */
  start(kind, body, handlers, text = "searching…") {
    this.stop();
    this.show(text);
    this.stopButton.hidden = false;
    this.job = startJob(kind, body, {
      queued: () => this.show("in line"),
      begun: () => this.show(text),
      progress: (event) => this.show(event.text),
      error: (event) => this.show(event.text, "wrong"),
      ...handlers,
      end: (event) => {
        this.stopButton.hidden = true;
        if (event.stopped) this.show("stopped", "unknown");
        handlers.end?.(event);
      },
    });
  }
}

/** Fields of a small question, or of the drawn board; `change(problem)` is called after each change. */
export class SmallQuestion {
  constructor(page, change) {
    const update = () => {
      this.fields.disabled = this.ownBox.checked;
      change(this.problem);
    };
    const side = (label) => wholeNumber(label, { max: LONGEST, value: 6, "aria-label": label, change: update });
    this.page = page;
    this.rows = side("Ranks");
    this.columns = side("Files");
    this.piece = menu(Object.keys(page.choices.pieces), "knight", { onchange: update });
    this.kind = menu(["closed", "open"], "closed", { onchange: update });
    this.fields = make("fieldset", { class: "row" },
      sizeField(this.rows, this.columns), field("Piece", this.piece), field("Tour", this.kind));
    this.ownBox = make("input", { type: "checkbox", onchange: update });
    this.element = make("div", { class: "sides" }, this.fields,
      make("label", { class: "tick" }, this.ownBox, "the board that is drawn, with all that is asked of it"));
  }

  chooseDrawn() {
    this.ownBox.checked = this.fields.disabled = true;
  }

  get problem() {
    const { question, choices } = this.page;
    if (this.ownBox.checked) return question?.problem ?? readProblem(location.hash, choices.limits.squares) ?? EMPTY;
    return {
      ...EMPTY, rows: Number(this.rows.value), columns: Number(this.columns.value),
      piece: choices.pieces[this.piece.value], closed: this.kind.value === "closed",
    };
  }
}
