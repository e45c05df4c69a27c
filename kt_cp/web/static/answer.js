// One answer: what its search does, then what was found, how it was checked, and how to ask again.

import { argument } from "./argument.js";
import { button, icon, make, sentence } from "./make.js";
import { Player } from "./watch.js";

const CHECKS = [
  ["verified", "judged", "The judge, which shares no code with the search, looked at every move."],
  ["replayed", "replayed", "The reference program walked the tour without one step back."],
  ["agrees", "agrees", "The reference program solved the question itself, with the same answer."],
];
const UNDONE = { // by the same keys: the label of a check that was not made, and its purpose
  verified: ["not judged", "The judge looks at every move."],
  replayed: ["not replayed", "The reference program walks along the tour."],
  agrees: ["not compared", "The reference program solves the question itself, on small boards."],
};
export const ACCEPTED = "certificate accepted by the checker, which shares no code with the search";
export const VERDICTS = { FOUND: "A tour", IMPOSSIBLE: "There is no tour", UNKNOWN: "Not known" };

/** The card of one engine's answer: it draws on the stage if it is alone, else on its own board. */
export class Answer {
  constructor(page, { problem, name, alone }) {
    this.page = page;
    this.problem = problem;
    this.name = name;
    this.state = make("p", { class: "state busy" }, "searching…");
    this.body = make("div", {});
    this.element = make("article", { class: "card answer", "data-engine": name }, make("h2", {}, name), this.state);
    if (alone) {
      this.board = page.stage.board;
      this.player = page.stage.player;
    } else {
      this.board = page.board(this.element, { label: `Board of ${name}`, most: 40, high: 0.45, still: true });
      this.board.show({ problem });
      this.player = new Player(this.element, this.board);
      this.player.numbers = false;
    }
    this.alone = alone;
    this.element.append(this.body);
    this.began = performance.now();
    this.clock = setInterval(() => this.tick(), 200);
  }

  /** Whether what the stage shows still is what was asked. */
  get current() {
    return !this.alone || this.page.question.problem === this.problem;
  }

  /** Offer to stop this search alone. */
  offerStop(stop) {
    this.stopping = icon(`Stop ${this.name}`, "◼", stop);
    this.element.firstChild.append(this.stopping);
  }

  /** Show how long the search has taken. */
  tick() {
    const seconds = ((performance.now() - this.began) / 1000).toFixed(1);
    this.state.textContent = this.queued ? "in line" : `${this.doing ?? "searching"}… ${seconds} s`;
  }

  /** Take an event of the search. */
  hear(event) {
    this[`_${event.event}`]?.(event);
  }

  _queued() {
    this.queued = true;
    this.tick();
  }

  _begun() {
    this.queued = false;
    this.began = performance.now();
  }

  _progress({ text, fraction }) {
    this.doing = fraction == null ? text : `${text} (${Math.round(100 * fraction)} %)`;
  }

  _moves({ moves, walk, placed, taken_back: back, tours }) {
    const many = (number, words) => `${number.toLocaleString("en")} ${words}`;
    this.doing = [many(placed, "placed"), many(back, "taken back"), ...(tours ? [many(tours, "tours")] : [])].join(", ");
    if (!this.current) return;
    if (!this.player.film.moves) this.player.search();
    this.player.feed(moves, walk);
    this.searched = this.player.film;
  }

  _cycles({ round, cycles }) {
    const words = `round ${round}: ${cycles.length} cycle${cycles.length === 1 ? "" : "s"}`;
    this.frame({ loops: cycles }, words);
  }

  _paths({ paths }) {
    this.frame({ paths }, `${paths.length} path${paths.length === 1 ? "" : "s"}`);
  }

  /** A state of the search, with words on it. */
  frame(shown, words) {
    this.doing = words;
    if (!this.current) return;
    this.player.state(shown, words);
    this.searched = this.player.film;
  }

  _stopped() {
    this.done("unknown", "stopped");
  }

  _error({ text }) {
    this.done("wrong", text);
  }

  _end({ stopped }) {
    if (!this.state.classList.contains("busy")) return;
    this.done("unknown", stopped ? "stopped" : "ended without an answer");
  }

  _outcome(event) {
    const { outcome, seconds } = event;
    const { tours } = outcome.statistics ?? {}; // of a program that looks for all of them
    const many = tours > 1 ? `, one of ${tours.toLocaleString("en")}` : "";
    this.done(outcome.verdict.toLowerCase(), `${VERDICTS[outcome.verdict]}${many} · ${time(seconds)}`);
    const by = outcome.engine && outcome.engine !== this.name ? ` by ${outcome.engine}` : "";
    if (by) this.element.querySelector("h2").append(make("small", {}, by));
    const heard = [this.name, VERDICTS[outcome.verdict], outcome.reason].filter(Boolean).join(": ");
    this.page.say(heard.replace("?:", "?"), "heard");
    if (this.current && !outcome.tour) this.board.show({ loops: [], paths: [] });
    if (outcome.tour) this.tour(outcome.tour);
    else if (outcome.reason) this.body.append(make("p", { class: "reason" }, sentence(outcome.reason)));
    this.body.append(checks(outcome, event));
    if (outcome.verdict === "IMPOSSIBLE") this.body.append(argument(this, event));
    if (event.command) this.body.append(again(this.page, event));
  }

  /** Show a tour, and offer to show it again. */
  tour(tour) {
    const show = () => {
      if (!this.alone || !this.current) this.page.put(this.problem);
      this.load(this.page.stage.player, tour);
      this.page.stage.element.scrollIntoView({ block: "nearest" });
    };
    this.show = show;
    if (this.current) this.load(this.player, tour);
    const film = this.searched;
    const buttons = [button(this.alone ? "Show the tour" : "Show on the large board", show, { class: "quiet" })];
    if (film) {
      buttons.push(button("Watch the search", () => {
        if (!this.current) this.page.put(this.problem);
        this.player.again(film);
      }, { class: "quiet" }));
    }
    this.body.append(make("div", { class: "row buttons" }, buttons));
  }

  load(player, tour) {
    player.load(tour, this.problem.closed);
  }

  done(kind, text) {
    clearInterval(this.clock);
    this.stopping?.remove();
    this.state.className = `state ${kind}`;
    this.state.textContent = text;
  }
}

/** The check marks: what was done with the answer, and why something was not. */
function checks({ verdict, remarks = {}, evidence, ...outcome }, { backed, certificate }) {
  const made = [];
  if (verdict === "IMPOSSIBLE") {
    const words = certificate ? ACCEPTED : (backed ?? evidence?.text ?? "");
    made.push(check(certificate ? true : null, words));
  }
  for (const [key, word, why] of CHECKS) {
    const value = outcome[key];
    if (value == null && verdict === "IMPOSSIBLE") continue;
    const [not, what] = UNDONE[key];
    const reason = remarks[key] ? ` Not done: ${remarks[key]}.` : "";
    made.push(value == null ? check(null, not, what + reason) : check(value, value ? word : `not ${word}`, why));
  }
  return make("ul", { class: "checks", "aria-label": "Checks" }, made);
}

/** A check mark: passed, failed, or not made (null); `meaning` stands below it. */
export function check(value, words, meaning) {
  const [kind, sign] = value ? ["yes", "✓"] : value === false ? ["no", "✗"] : ["not", "–"];
  return make("li", { class: `check ${kind}` }, make("span", { "aria-hidden": "true" }, sign), words,
    meaning && make("small", {}, meaning));
}

/** The command line and the Python that do the same. */
export function again(page, { command, python }) {
  const line = (words, text) => {
    const told = { class: "quiet", "aria-label": `Copy the ${words.toLowerCase()}` };
    return make("div", { class: "code" }, make("span", { class: "label" }, words),
      make("code", { tabindex: 0 }, text), button("Copy", () => page.copy(text, "Copied."), told));
  };
  return make("details", {}, make("summary", {}, "The same elsewhere"),
    line("Command line", command), python ? line("Python", python) : null);
}

/** Seconds for people. */
export function time(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(1)} s`;
  return `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}
