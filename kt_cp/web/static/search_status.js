// Parts of a form with one search at a time: what it does, a Stop button, and a small question.

import { readProblem } from "./address.js";
import { button, checkBox, field, make, menu, sizeField, wholeNumber } from "./elements.js";
import { startJob } from "./server.js";
import { EMPTY } from "./squares.js";

const LONGEST = 200; // side of a board in a small question

/** A line about the search and its Stop button; a new search stops the one before. */
export class SearchStatus {
  constructor() {
    this.line = make("p", { class: "state", role: "status" });
    this.stopButton = button("Stop", () => this.stop(), { class: "stop" });
  }

  show(text, kind = "busy") {
    this.line.className = `state ${kind}`;
    this.line.textContent = text;
  }

  stop() {
    this.job?.stop();
  }

  /** Stop, and show why no new search starts; a late answer does not replace this message. */
  refuse(text) {
    this.stop();
    this.show(text, "wrong");
  }

  /** Start a search; `handlers` as in startJob. */
  start(kind, body, handlers, text = "searching…") {
    this.stop();
    this.show(text);
    this.job = startJob(kind, body, {
      queued: () => this.show("in line"),
      begun: () => this.show(text),
      progress: (event) => this.showProgress(event),
      stopped: () => this.show("stopped", "unknown"),
      error: (event) => this.show(event.text, "wrong"),
      ...handlers,
      end: (event) => {
        const isBusy = this.line.classList.contains("busy");
        if (isBusy) this.show(event.stopped ? "stopped" : "ended without an answer", "unknown");
        handlers.end?.(event);
      },
    });
  }

  showProgress({ text, fraction }) {
    this.show(fraction == null ? text : `${text} (${Math.round(100 * fraction)} %)`);
  }
}

/** Fields of a small question, or of the drawn board; `change(problem)` is called after each change. */
export class SmallQuestion {
  constructor(page, change) {
    const update = () => {
      this.fields.disabled = this.drawnBox.checked;
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
    const label = checkBox("the drawn board with its conditions", false, update);
    this.drawnBox = label.control;
    this.element = make("div", { class: "sides" }, this.fields, label);
  }

  get problem() {
    const { question, choices } = this.page;
    if (this.drawnBox.checked) return question?.problem ?? readProblem(location.hash, choices.limits.squares) ?? EMPTY;
    return {
      ...EMPTY, rows: Number(this.rows.value), columns: Number(this.columns.value),
      piece: choices.pieces[this.piece.value], closed: this.kind.value === "closed",
    };
  }
}
