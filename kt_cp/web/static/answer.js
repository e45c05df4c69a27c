// The card of one answer: what its search does, its result, how that was checked, and the argument
// if there is no tour.

import { button, buttonRow, format, formatTime, icon, make, notify, plural, quietButton, sentence } from "./elements.js";
import { Drawing } from "./drawing.js";
import { Player } from "./player.js";
import { SearchStatus } from "./search_status.js";
import { copyText, saveFile, saveJson, startJob } from "./server.js";

const CHECKS = { // the words for a check that was made or not, and what it does
  verified: ["judged", "not judged", "The judge, which shares no code with the search, looks at every move."],
  replayed: ["replayed", "not replayed", "The reference program walks along the tour without one step back."],
  agrees: ["agrees", "not compared", "The reference program solves the question itself, on small boards."],
};
export const ACCEPTED = "certificate accepted by the checker, which shares no code with the search";
export const VERDICTS = { FOUND: "A tour", IMPOSSIBLE: "There is no tour", UNKNOWN: "Not known" };

/** A card: alone it draws on the large board, beside others on a board of its own. */
export class Answer extends SearchStatus {
  constructor(page, { problem, name, isAlone }) {
    super();
    this.page = page;
    this.problem = problem;
    this.name = name;
    this.isAlone = isAlone;
    this.line.removeAttribute("role"); // it has a clock
    this.stopButton = icon(`Stop ${name}`, "◼", () => this.stop());
    this.body = make("div", {});
    this.element = make("article", { class: "card answer", "data-engine": name },
      make("h2", {}, name, !isAlone && this.stopButton), this.line);
    if (isAlone) {
      ({ board: this.board, player: this.player } = page.stage);
    } else {
      this.board = new Drawing();
      this.board.show({ problem });
      this.element.append(this.board.svg);
      this.player = new Player(this.element, this.board);
      this.player.chosenNumbers = false;
    }
    this.element.append(this.body);
  }

  /** Whether the board still shows the question of this answer. */
  get isCurrent() {
    return !this.isAlone || this.page.question.problem === this.problem;
  }

  restoreQuestion() {
    if (!this.isCurrent) this.page.question.change(this.problem);
  }

  get seconds() {
    return (performance.now() - this.began) / 1000;
  }

  start(kind, body, handlers) {
    this.began = performance.now();
    this.clock = setInterval(() => this.tick(), 200);
    super.start(kind, body, {
      begun: () => (this.began = performance.now()),
      moves: (event) => this.showMoves(event),
      cycles: ({ round, cycles: loops }) =>
        this.showState({ loops, words: `round ${round}: ${plural(loops.length, "cycle")}` }),
      paths: ({ paths }) => this.showState({ paths, words: plural(paths.length, "path") }),
      outcome: (event) => {
        this.showOutcome(event);
        handlers.outcome(event);
      },
      end: handlers.end,
    });
  }

  /** Show what the search does, and for how long; or how it ended. */
  show(text, kind = "busy") {
    this.activity = text;
    if (kind !== "busy") clearInterval(this.clock);
    super.show(kind === "busy" ? `${text} · ${this.seconds.toFixed(1)} s` : text, kind);
  }

  tick() {
    this.show(this.activity);
  }

  showMoves({ moves, walk, placed, taken_back: back, tours }) {
    this.show(`${format(placed)} placed, ${format(back)} taken back${tours ? `, ${format(tours)} tours` : ""}`);
    this.watch(() => this.player.addMoves(moves, walk));
  }

  /** Show loops or paths of the search, with words about them. */
  showState(frame) {
    this.show(frame.words);
    this.watch(() => this.player.addFrame(frame));
  }

  watch(extendFilm) {
    if (!this.isCurrent) return;
    extendFilm();
    this.film = this.player.film;
  }

  showOutcome(event) {
    const { outcome, seconds } = event;
    const { verdict, engine, reason, tour } = outcome;
    const { tours } = outcome.statistics ?? {}; // of a program that enumerates them
    const many = tours > 1 ? `, one of ${format(tours)}` : "";
    this.show(`${VERDICTS[verdict]}${many} · ${formatTime(seconds)}`, verdict.toLowerCase());
    if (engine && engine !== this.name) this.element.querySelector("h2").append(make("small", {}, ` by ${engine}`));
    notify([this.name, VERDICTS[verdict], reason].filter(Boolean).join(": ").replace("?:", "?"), "announced");
    if (this.isCurrent && !tour) this.board.show({ loops: [], paths: [] });
    if (tour) this.showTour(tour);
    else if (reason) this.body.append(make("p", { class: "reason" }, sentence(reason)));
    this.body.append(listChecks(outcome, event));
    if (verdict === "IMPOSSIBLE") this.body.append(this.explain(event));
    if (event.command) this.body.append(equivalentCode(event));
  }

  showTour(tour) {
    const { film } = this;
    this.showOnBoard = () => {
      this.page.question.change(this.problem);
      this.load(this.page.stage.player, tour);
      this.page.stage.element.scrollIntoView({ block: "nearest" });
    };
    if (this.isCurrent) this.load(this.player, tour);
    const replay = () => {
      this.restoreQuestion();
      this.player.replay(film);
    };
    this.body.append(buttonRow(
      quietButton(this.isAlone ? "Show the tour" : "Show on the large board", this.showOnBoard),
      film && quietButton("Watch the search", replay)));
  }

  load(player, tour) {
    player.load(tour, this.problem.closed);
  }

  /** Return an element with the reason why there is no tour, and its evidence. */
  explain({ outcome, argument, certificate, svg }) {
    const steps = argument ?? [];
    return make("div", { class: "argument" }, steps.length > 0 && this.#listSteps(steps),
      svg && make("details", { open: !steps.length }, make("summary", {}, "The argument as a picture"),
        picture(svg, outcome.reason ?? "the argument")),
      evidence({ problem: outcome.problem, certificate, svg, name: "argument" }));
  }

  /** Return the steps of an argument: each is drawn on the board, with those before it. */
  #listSteps(steps) {
    const show = (chosen) => {
      buttons.forEach((each, place) => each.setAttribute("aria-current", place === chosen ? "step" : "false"));
      this.restoreQuestion();
      const shown = steps.slice(0, chosen + 1);
      const all = (key) => shown.flatMap((step) => step[key] ?? []);
      const marks = { argued: all("squares") };
      const texts = {}; // two parts differ by colour, more are numbered as well
      const parts = shown.findLast((step) => step.parts?.length)?.parts ?? [];
      parts.forEach((names, number) => {
        const kind = `part c${number % 7}`;
        marks[kind] = [...(marks[kind] ?? []), ...names];
        if (parts.length > 2) for (const name of names) texts[name] = [number + 1, "part"];
      });
      this.board.show({ marks, texts, lines: all("moves") });
    };
    const buttons = steps.map(({ text }, place) => button(sentence(text), () => show(place), { class: "step" }));
    if (this.isCurrent) queueMicrotask(() => show(0));
    return make("ol", { class: "steps" }, buttons.map((each) => make("li", {}, each)));
  }
}

/** Return buttons for a certificate and a picture, and the place of the checker's message. */
export function evidence({ problem, certificate, svg = "", name }) {
  const result = make("p", { class: "checked", role: "status" });
  const show = (text) => (result.textContent = text);
  const check = () => {
    show("checking…");
    startJob("check", { certificate }, {
      checked: ({ text }) => show(`Checked by kt-cp check: ${text}`),
      error: ({ text }) => show(text),
    });
  };
  const file = `${problem.rows}x${problem.columns}-certificate.json`;
  return [
    buttonRow(
      certificate && quietButton("Certificate", () => saveJson(certificate, file)),
      certificate && quietButton("Check it again", check),
      svg && quietButton("Picture", () => saveFile(svg, `${name}.svg`))),
    result,
  ];
}

function listChecks({ verdict, remarks = {}, evidence: found, ...outcome }, { backed, certificate }) {
  const marks = [];
  const backing = certificate ? ACCEPTED : (backed ?? found?.text ?? "");
  if (verdict === "IMPOSSIBLE") marks.push(checkMark(Boolean(certificate), backing));
  for (const [key, [yes, no, meaning]] of Object.entries(CHECKS)) {
    const isMade = outcome[key];
    if (isMade == null && verdict === "IMPOSSIBLE") continue;
    const reason = remarks[key] && isMade == null ? ` Not done: ${remarks[key]}.` : "";
    marks.push(checkMark(isMade, isMade ? yes : no, meaning + reason));
  }
  return checkList(...marks);
}

export const checkList = (...marks) => make("ul", { class: "checks", "aria-label": "Checks" }, marks);

/** Return an image of SVG, which needs its address only until it is loaded. */
export function picture(svg, alt) {
  const src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return make("img", { src, alt, onload: () => URL.revokeObjectURL(src) });
}

export function checkMark(isMade, words, meaning = "") {
  return make("li", { class: `check ${isMade ? "yes" : "not"}` },
    make("span", { "aria-hidden": "true" }, isMade ? "✓" : "–"), words, meaning && make("small", {}, meaning));
}

export function equivalentCode({ command, python }) {
  const line = (title, code) => make("div", { class: "code" }, make("span", { class: "label" }, title),
    make("code", { tabindex: 0 }, code),
    quietButton("Copy", () => copyText(code, "Copied."), { "aria-label": `Copy the ${title.toLowerCase()}` }));
  return make("details", {}, make("summary", {}, "The same elsewhere"),
    line("Command line", command), python && line("Python", python));
}
