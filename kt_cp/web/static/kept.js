// The answers of a visit: a table in which each has a name, and can be shown again.

import { VERDICTS, time } from "./answer.js";
import { button, make } from "./make.js";

const MOST = 30; // answers that are kept
const MEASURED = ["turns", "crossings"]; // that are compared

/** A board in a few words: "8×8 torus, closed". */
export function boardWords({ rows, columns, missing, surface, closed }) {
  const lies = surface === "plane" ? "" : ` ${surface}`;
  const holes = missing.length ? `, ${missing.length} cut out` : "";
  return `${rows}×${columns}${lies}, ${closed ? "closed" : "open"}${holes}`;
}

export class Kept {
  constructor(page, show) {
    this.page = page;
    this.show = show;
    this.number = 0;
    this.rows = make("tbody", {});
    const heads = ["Name", "Board", "By", "Answer", "Time", ...MEASURED, ""];
    this.element = make("section", { class: "card kept", hidden: true, "aria-label": "Answers of this visit" },
      make("h2", {}, "Answers of this visit"),
      make("div", { class: "scroll" }, make("table", { class: "results" },
        make("thead", {}, make("tr", {}, heads.map((head) => make(head ? "th" : "td", {}, head)))), this.rows)));
  }

  /** Keep a card whose search has ended with an outcome. */
  add(card, { outcome, optimum, summary, seconds }) {
    const { engine, verdict, tour } = outcome ?? optimum;
    this.number += 1;
    const label = `Name of answer ${this.number}`;
    const { problem, name } = card;
    const cell = (...children) => make("td", {}, ...children);
    const measured = MEASURED.map(() => cell("–"));
    const row = make("tr", {},
      cell(make("input", { type: "text", value: `Answer ${this.number}`, "aria-label": label, maxlength: 40 })),
      cell(boardWords(problem)), cell(engine || name), cell(summary ?? VERDICTS[verdict]), cell(time(seconds)),
      ...measured, cell(button("Show", () => this.show(card), { class: "quiet" })));
    this.rows.prepend(row);
    if (this.rows.childElementCount > MOST) this.rows.lastChild.remove();
    this.element.hidden = false;
    if (tour && problem.surface === "plane") this.#measure(problem, tour, measured);
  }

  async #measure(problem, tour, cells) {
    try {
      const { measures } = await this.page.post("/api/measures", { problem, tour });
      MEASURED.forEach((name, place) => (cells[place].textContent = measures[name].toLocaleString("en")));
    } catch (error) {
      cells[0].title = error.message;
    }
  }
}
