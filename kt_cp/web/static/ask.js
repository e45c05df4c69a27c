// Ask: one engine or several, side by side; what they do while they search, and what they answer.

import { Answer, VERDICTS, time } from "./answer.js";
import { Kept } from "./kept.js";
import { button, field, make } from "./make.js";
import { Optimization, objectives } from "./optimize.js";

const SEED = 2 ** 31 - 1; // the largest
const CONDITIONS = {
  start: "a start", end: "an end", require: "required moves", forbid: "forbidden moves",
  given: "given steps", symmetry: "a symmetry",
};

const METHODS = {
  auto: "tries several; the first answer counts",
  construct: "puts ready tiles together, at once",
  warnsdorff: "goes where the fewest ways lead on",
  backtrack: "tries every way, back from dead ends",
  windows: "tries the steps of each square: puzzles",
  cpsat: "the constraint solver OR-Tools",
  sat: "a formula for a SAT solver",
  propagator: "a SAT solver that rules out cycles",
  reference: "the plain recursion; small boards",
}; // plugins describe their engines themselves

/** What is asked of whom: {name, kind, body}, by a key that says which it is. */
class Chosen extends Map {
  engine(name, on) {
    this.#set(`engine ${name}`, on, { name, kind: "solve", body: { engine: name } });
  }

  source({ number, name }, on) {
    this.#set(`source ${number}`, on, { name, kind: "source", body: { source: number } });
  }

  others(names) {
    for (const key of [...this.keys()]) if (key.startsWith("other ")) this.delete(key);
    for (const name of names) this.#set(`other ${name}`, true, { name, kind: "solve", body: { engine: name } });
  }

  #set(key, on, asked) {
    if (on) this.set(key, asked);
    else this.delete(key);
  }
}

/** The engines that answered, the quickest first. */
class Race {
  constructor() {
    this.times = [];
    this.list = make("ol", {});
    this.element = make("section", { class: "card standings", "aria-label": "Standings" }, make("h2", {}, "Standings"), this.list);
    this.element.hidden = true;
  }

  /** Add an answer; a search that ended without one has no rank. */
  arrive(card, { outcome, seconds }) {
    if (outcome.verdict === "UNKNOWN") return;
    this.times.push([seconds, card, VERDICTS[outcome.verdict]]);
    this.times.sort(([one], [other]) => one - other);
    this.element.hidden = false;
    this.list.replaceChildren(...this.times.map(([took, { name }, words], place) =>
      make("li", { class: place ? "" : "winner" }, make("b", {}, name), ` ${words} · ${time(took)}`)));
    for (const [, { element }] of this.times) element.classList.toggle("winner", element === this.times[0][1].element);
  }
}

export function mount(element, page) {
  const { engines, sources, limits } = page.choices;
  const chosen = new Chosen();
  const running = new Set();
  const answers = make("div", { class: "answers", "aria-label": "Answers", role: "region" });
  const number = (more) => make("input", { type: "number", class: "short", step: "any", ...more });
  const seed = number({ min: 0, max: SEED, step: 1, value: 0 });
  const limit = number({ min: 0.1, max: limits.most_seconds, value: limits.seconds });

  const chip = (kind, value, name, words, choose) => {
    const box = make("input", {
      type: "checkbox", name: kind, value, onchange: () => (choose(box.checked), which()),
    });
    return make("label", { class: "chip" }, box, make("span", {}, name), make("small", {}, words));
  };
  const about = ({ name, summary, complete }) =>
    `${METHODS[name] ?? summary}${complete ? "" : "; cannot prove that there is none"}`;
  const chips = new Map(engines.map((each) => [
    each, chip("engine", each.name, each.name, about(each), (on) => chosen.engine(each.name, on)),
  ]));
  const programs = sources.map((each) =>
    chip("source", each.number, each.name, each.summary, (on) => chosen.source(each, on)));
  const kept = new Kept(page, again);
  const other = make("input", {
    type: "text", placeholder: "sat:position:cadical153",
    onchange: () => (chosen.others(other.value.split(/[\s,]+/).filter(Boolean)), which()),
  });

  const summary = make("summary", {});
  const go = button("Find a tour", () => start([...chosen.values()]), { class: "main", id: "ask" });
  const prove = button("Prove there is none", () => start([{ name: "prove", kind: "prove" }]), { class: "quiet" });
  const stop = button("Stop", finish, { class: "stop", hidden: true, id: "stop" });
  const wanted = objectives(page);
  const optimize = () => {
    const { value, selectedOptions: [option] } = wanted;
    start([{ name: option.textContent, kind: "optimize", body: { objective: value }, Card: Optimization }]);
  };
  const group = (words, members) =>
    make("fieldset", {}, make("legend", {}, words), make("div", { class: "chips" }, members));
  element.append(make("form", { class: "card asking", onsubmit: (event) => event.preventDefault() },
    make("div", { class: "row buttons" }, go, stop, prove),
    make("details", { class: "engines" }, summary,
      make("p", { class: "hint" }, "Choose one, or several for a race."),
      group("Engines", [...chips.values()]),
      group("Source programs, move by move", programs),
      field("Others by name", other), field("Seed", seed)),
    make("div", { class: "row objective" }, field("Objective", wanted), field("Most seconds", limit),
      button("Optimize", optimize, { id: "optimize" }))), answers);
  element.closest("section").append(kept.element);
  [...chips.values()][0].firstChild.click(); // auto stands first

  page.outdate = () => [...answers.children].forEach((answer) => answer.classList.add("past"));
  page.halt = halt;
  page.changed = (problem) => {
    page.outdate();
    wanted.fit(problem);
    for (const [engine, label] of chips) {
      const asked = (key) => (Array.isArray(problem[key]) ? problem[key].length > 0 : problem[key]);
      const not = Object.keys(CONDITIONS).filter((key) => asked(key) && !engine.takes.includes(key));
      label.classList.toggle("unfit", not.length > 0);
      label.lastChild.textContent = not.length ? `does not take ${not.map((key) => CONDITIONS[key]).join(", ")}` : about(engine);
    }
  };

  function which() {
    const names = [...chosen.values()].map(({ name }) => name);
    summary.replaceChildren(make("span", { class: "label" }, "Method"), make("b", {}, names.join(", ") || "none: choose one"),
      make("small", {}, names.length === 1 ? (METHODS[names[0]] ?? "") : names.length ? "a race" : ""));
    go.disabled = !names.length;
  }

  page.complete = (problem) => start([{ name: "Can this be completed?", kind: "solve", body: { problem, engine: "auto" } }]);

  /** Show an earlier card again, with its question. */
  function again(card) {
    halt();
    page.put(card.problem);
    answers.replaceChildren(card.element);
    element.append(answers);
    answers.classList.toggle("several", !card.alone);
    card.element.classList.remove("past");
    card.show?.();
    card.element.querySelector("[aria-current=step]")?.click();
  }

  function start(asked) {
    halt();
    page.stage.player.clear();
    page.stage.board.show({ marks: {}, texts: {}, lines: [] });
    const { problem } = page.question;
    const alone = asked.length === 1;
    const body = { problem, seed: Number(seed.value) || 0, time_limit: Number(limit.value) || limits.seconds };
    const race = alone ? null : new Race();
    answers.replaceChildren(...(race ? [race.element] : []));
    answers.classList.toggle("several", !alone);
    if (alone) element.append(answers);
    else kept.element.before(answers);
    stop.hidden = false;
    stop.textContent = "Stop";
    go.hidden = true;
    stop.focus({ preventScroll: true });
    if (!alone) setTimeout(() => answers.scrollIntoView({ block: "nearest" }));
    for (const { name, kind, body: more, Card = Answer } of asked) {
      const answer = new Card(page, { ...more, problem, name, alone });
      answers.append(answer.element);
      const job = page.ask(kind, { ...body, ...more }, {
        any: (event) => answer.hear(event),
        outcome: (event) => {
          race?.arrive(answer, event);
          kept.add(answer, event);
        },
        end: () => ended(job),
      });
      job.keeps = kind === "optimize";
      running.add(job);
      if (race) answer.offerStop(job.stop);
    }
  }

  function ended(job) {
    running.delete(job);
    if (running.size) return;
    if (document.activeElement === stop) setTimeout(() => go.focus({ preventScroll: true }));
    stop.hidden = true;
    go.hidden = false;
  }

  /** Stop; a search for the best tour ends with the best so far, unless Stop is pressed again. */
  function finish() {
    for (const job of [...running]) {
      if (job.finishing || !job.keeps) job.stop();
      else job.finish();
      job.finishing = true;
    }
    if (running.size) stop.textContent = "Stop at once";
  }

  function halt() {
    for (const job of [...running]) job.stop();
  }
}
