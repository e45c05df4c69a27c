// New puzzle: one by grade and seed, the one of the day, or that of a link.
//
// Easy and medium puzzles come from the first seed.  Few seeds make a hard or an expert one on some
// boards.  Then the server says which grade is likely, and the search goes on in the background.

import { button, field, make, menu, wholeNumber } from "./make.js";
import { Sides } from "./sides.js";
import { EMPTY } from "./squares.js";

const METHODS = {
  easy: "single forced moves", medium: "narrowing alone", hard: "looking ahead: one guess each", expert: "search: guesses on guesses",
};
const MOST_SEED = 2 ** 31 - 1;
const SEARCH_SECONDS = 600; // for a grade
const LINK_SECONDS = 10; // for a puzzle with known clues
const DAILY = { ...EMPTY, rows: 6, columns: 6, closed: true };

/** A grade with its article. */
const one = (grade) => `${/^e/.test(grade) ? "an" : "a"} ${grade}`;

/**
 * The card.  `begin(event, kind)` puts a puzzle on the board, `certify(event)` adds the certificate to
 * the one that is there, and `isPlayed()` is whether it has been touched.
 */
export class NewPuzzle {
  constructor(page, { change, begin, certify, isPlayed }) {
    this.page = page;
    this.begin = begin;
    this.certify = certify;
    this.isPlayed = isPlayed;
    this.sides = new Sides(page, { change });
    this.grade = menu([["", "any"], ...page.choices.grades.map((name) => [name, `${name} (${METHODS[name]})`])], "easy");
    this.symmetry = menu([["", "anywhere"], ...page.choices.symmetries], "");
    this.seed = wholeNumber(page, "Seed", { min: 0, max: MOST_SEED, free: true, placeholder: "new" });
    this.state = make("p", { class: "state busy", role: "status", hidden: true });
    this.bar = make("progress", { "aria-label": "Time of the search", max: 1, hidden: true });
    this.offer = make("div", { class: "offer", role: "status" });
    this.go = button("Make a puzzle", () => this.#make(), { class: "main" });
    this.stop = button("Stop", () => this.job?.stop(), { class: "stop", hidden: true });
    this.element = make("form", { class: "card making", onsubmit: (event) => event.preventDefault() },
      make("h2", {}, "New puzzle"), this.sides.element,
      make("div", { class: "row" }, field("Grade", this.grade), field("Places of clues", this.symmetry), field("Seed", this.seed)),
      make("div", { class: "row buttons" }, this.go, button("Puzzle of the day", () => this.daily()), this.stop),
      this.state, this.bar, this.offer);
  }

  get problem() {
    return this.sides.problem;
  }

  /** Make the puzzle of today. */
  daily() {
    const now = new Date();
    const seed = 10_000 * now.getFullYear() + 100 * (now.getMonth() + 1) + now.getDate();
    this.#search({ problem: DAILY, seed, grade: "easy" }, "daily");
  }

  /** Make the puzzle with these clues again. */
  again({ problem, seed, grade }) {
    this.#search({ problem, seed, time_limit: LINK_SECONDS }, "link");
    this.#say(`opening ${one(grade || "new")} puzzle…`);
  }

  #make() {
    const seed = this.seed.value === "" ? Math.floor(Math.random() * 1e6) : Number(this.seed.value);
    const grade = this.grade.value || null;
    const body = { problem: { ...this.problem, symmetry: null }, seed, grade, clues_symmetry: this.symmetry.value || null };
    this.#search(grade ? { ...body, time_limit: SEARCH_SECONDS } : body, "made");
  }

  #search(body, kind) {
    let made = null; // the puzzle before it is certified
    this.job?.stop();
    this.rare = false;
    this.offer.replaceChildren();
    this.#say("making…");
    const failed = (text) => {
      this.#say(made ? "" : text, "wrong");
      if (made) this.certify({ ...made, event: "outcome" });
    };
    this.job = this.page.ask("puzzle", body, {
      queued: () => this.#say("in line"),
      begun: () => this.#say("making…"),
      progress: ({ text, fraction }) => this.#say(text, "busy", this.rare ? fraction : null),
      estimate: (event) => this.#suggest(event, body),
      puzzle: (event) => this.#ready((made = event), kind),
      outcome: (event) => {
        this.#say(event.puzzle ? "" : `There is no tour: ${event.outcome.reason}`, "wrong");
        if (event.puzzle) this.certify((this.latest = event));
      },
      error: ({ text }) => failed(text),
      end: ({ stopped }) => stopped && failed("stopped"),
    });
  }

  /** Offer a puzzle of the grade that is likely, while the search for a rare one goes on. */
  #suggest({ grade, seed }, body) {
    const take = () => {
      this.page.ask("puzzle", { ...body, grade, seed }, {
        puzzle: (event) => this.begin(event, "made"),
        outcome: (event) => this.certify(event),
        error: ({ text }) => this.page.say(text, true),
      });
    };
    this.rare = true;
    this.offer.replaceChildren(
      make("p", { class: "hint" }, `Few seeds of this board make ${one(body.grade)} puzzle; most make ${one(grade)} one. The search goes on in the background.`),
      button(`Play ${one(grade)} puzzle meanwhile`, take));
  }

  /** Begin a puzzle; ask first if another one is played since the search went to the background. */
  #ready(event, kind) {
    this.offer.replaceChildren();
    if (!this.rare || !this.isPlayed()) return this.begin(event, kind);
    this.latest = event;
    const words = `The ${event.puzzle.grade} puzzle is ready.`;
    const play = () => {
      this.offer.replaceChildren();
      this.begin(this.latest, kind);
    };
    this.offer.replaceChildren(make("p", { class: "hint" }, words), button(`Play the ${event.puzzle.grade} puzzle`, play));
    return this.page.say(words);
  }

  /** Say what the search does, or why it failed; nothing for "". */
  #say(text, kind = "busy", fraction = null) {
    const busy = Boolean(text) && kind === "busy";
    this.state.hidden = !text;
    this.state.className = `state ${kind}`;
    this.state.textContent = text;
    this.stop.hidden = !busy;
    this.bar.hidden = !busy || fraction === null;
    this.bar.value = fraction ?? 0;
  }
}
