// A new puzzle: by grade and seed, of the day, or of a link.
//
// Easy and medium puzzles come from the first seed.  On some boards, few seeds make a hard or expert
// one.  Then the server suggests a likely grade, and the search continues in the background.

import { button, buttonRow, field, form, make, menu, notify, seedField } from "./elements.js";
import { SearchStatus, SmallQuestion } from "./search_status.js";
import { startJob } from "./server.js";
import { EMPTY } from "./squares.js";

const SEARCH_SECONDS = 600; // for a grade
const LINK_SECONDS = 10; // for a puzzle with known clues
const DAILY = { ...EMPTY, rows: 6, columns: 6, closed: true };

const one = (grade) => `${/^e/.test(grade) ? "an" : "a"} ${grade}`;

/**
 * The card.  `begin(event, kind)` puts a puzzle on the board, `certify(event)` adds its certificate,
 * and `isPlayed()` returns whether the visitor has touched the puzzle on the board.
 */
export class NewPuzzle {
  constructor(page, { change, begin, certify, isPlayed }) {
    this.begin = begin;
    this.certify = certify;
    this.isPlayed = isPlayed;
    this.question = new SmallQuestion(page, change);
    this.status = new SearchStatus();
    this.bar = make("progress", { "aria-label": "Time of the search", max: 1, hidden: true });
    this.offer = make("div", { class: "offer", role: "status" });
    const grade = menu([["", "any"], ...page.choices.grades], "easy");
    const symmetry = menu([["", "anywhere"], ...page.choices.symmetries], "");
    const seed = seedField({ optional: true, placeholder: "new" });
    const start = () => {
      const number = seed.value === "" ? Math.floor(Math.random() * 1e6) : Number(seed.value);
      this.#search({
        problem: { ...this.question.problem, symmetry: null }, seed: number,
        grade: grade.value || null, time_limit: grade.value ? SEARCH_SECONDS : null,
        clues_symmetry: symmetry.value || null,
      }, "made");
    };
    this.makeButton = button("Make a puzzle", start, { class: "main" });
    this.element = form("making", make("h2", {}, "New puzzle"), this.question.element,
      make("div", { class: "row" }, field("Grade", grade), field("Places of clues", symmetry), field("Seed", seed)),
      buttonRow(this.makeButton, button("Puzzle of the day", () => this.makeDaily()), this.status.stopButton),
      this.status.line, this.bar, this.offer);
  }

  makeDaily() {
    const seed = Number(new Date().toLocaleDateString("sv").replaceAll("-", "")); // 20261231
    this.#search({ problem: DAILY, seed, grade: "easy" }, "daily");
  }

  /** Make the puzzle of a link again. */
  open({ problem, seed, grade }) {
    this.#search({ problem, seed, time_limit: LINK_SECONDS }, "link", `opening ${one(grade || "new")} puzzle…`);
  }

  #search(body, kind, text = "making…") {
    let made = null; // the puzzle before it is certified
    const fail = (message) => {
      this.status.show(made ? "" : message, "wrong");
      if (made) this.certify({ ...made, event: "outcome" });
    };
    this.offer.replaceChildren();
    this.isRare = this.hasOther = false;
    this.status.start("puzzle", body, {
      progress: ({ text: progress, fraction }) => {
        this.status.show(progress);
        this.bar.hidden = !this.isRare || fraction == null;
        this.bar.value = fraction ?? 0;
      },
      estimate: (event) => this.#suggest(event, body),
      puzzle: (event) => this.#show((made = event), kind),
      outcome: (event) => {
        this.status.show(event.puzzle ? "" : `There is no tour: ${event.outcome.reason}`, "wrong");
        if (event.puzzle) this.certify((this.latest = event));
      },
      error: (event) => fail(event.text),
      end: ({ stopped }) => {
        this.bar.hidden = true;
        if (stopped) fail("stopped");
      },
    }, text);
  }

  #offer(hint, text, act) {
    this.offer.replaceChildren(make("p", { class: "hint" }, hint), button(text, act));
  }

  /** Offer a puzzle of the likely grade, while the search for a rare one continues. */
  #suggest({ grade, seed }, body) {
    this.isRare = true;
    const hint = `Few seeds of this board make ${one(body.grade)} puzzle; most make ${one(grade)} one.`;
    this.#offer(`${hint} The search continues in the background.`, `Play ${one(grade)} puzzle meanwhile`, () => {
      this.hasOther = true;
      startJob("puzzle", { ...body, grade, seed }, {
        puzzle: (event) => this.begin(event, "made"),
        outcome: (event) => this.certify(event),
        error: ({ text }) => notify(text, "wrong"),
      });
    });
  }

  /** Begin a puzzle; offer a rare one to a visitor who chose or plays another one meanwhile. */
  #show(event, kind) {
    this.latest = event;
    this.offer.replaceChildren();
    if (!this.isRare || !(this.hasOther || this.isPlayed())) return this.begin(event, kind);
    const { grade } = event.puzzle;
    this.#offer(`The ${grade} puzzle is ready.`, `Play the ${grade} puzzle`, () => {
      this.offer.replaceChildren();
      this.begin(this.latest, kind);
    });
    return notify(`The ${grade} puzzle is ready.`);
  }
}
