// Optimize: the best tour for an objective, with a plot of value and bound while the search runs.

import { ACCEPTED, Answer, VERDICTS, again, check } from "./answer.js";
import { argument, evidence } from "./argument.js";
import { button, make, menu, sentence } from "./make.js";
import { Plot } from "./plot.js";
import { objectiveIn, written } from "./question.js";

const narrow = matchMedia("(max-width: 60rem)"); // as in style.css
const SOON_MS = 300; // after a change of the question, before its objectives are looked up
const LIMITS = {
  time: "The time limit was reached.", interrupted: "Stopped: this is the best so far.",
  memory: "A sweep of this board needs too much memory.",
};
const BOUNDS = {
  sweeps: "bound by two sweeps, from both ends of the board, which agree",
  windows: "bound by windows of the board, without a certificate",
  cpsat: "bound claimed by CP-SAT, without a certificate",
};

const USUAL = "fewest-turns";

/** The menu of objectives; `fit(problem)` leaves those that make sense for a problem. */
export function objectives(page) {
  const choices = page.choices.objectives.map(({ name, label }) => [name, label]);
  const element = menu(choices, USUAL, { onchange: () => note(element.value) });
  const note = (name) => {
    page.objective = name;
    page.note(written(page.question.problem));
  };
  page.chooseObjective = (name) => {
    const isKnown = choices.some(([known]) => known === name);
    element.value = isKnown ? name : USUAL;
    note(isKnown ? name : "");
  };
  const addressed = () => {
    if (location.hash.includes("board=")) page.chooseObjective(objectiveIn(location.hash));
  };
  window.addEventListener("hashchange", addressed);
  addressed();
  let soon = null;
  element.fit = (problem) => {
    clearTimeout(soon);
    soon = setTimeout(async () => {
      const { refused } = await page.post("/api/objectives", { problem }).catch(() => ({ refused: {} }));
      for (const option of element.options) {
        option.hidden = option.disabled = option.value in refused;
      }
    }, SOON_MS);
  };
  return element;
}

/** The card of the search for a best tour. */
export class Optimization extends Answer {
  constructor(page, options) {
    super(page, options);
    this.objective = options.objective;
    this.plot = new Plot();
    this.state.after(this.plot.element);
    setTimeout(() => this.#reveal());
  }

  /** Scroll to the plot; on a narrow screen to Stop, which is above it. */
  #reveal() {
    const form = document.getElementById("optimize").closest("form");
    if (narrow.matches) form.scrollIntoView();
    else this.element.scrollIntoView({ block: "nearest" });
  }

  get seconds() {
    return (performance.now() - this.began) / 1000;
  }

  tick() {
    super.tick();
    this.plot.draw(this.seconds);
  }

  _progress(event) {
    super._progress(event);
    if (event.text.startsWith("cases")) this.doing = `proving the bound, ${event.text}`;
    if (event.value == null) return;
    const first = !this.plot.points.length;
    this.plot.add(this.seconds, event.value, event.bound);
    if (first) setTimeout(() => this.#reveal()); // the controls of the film have appeared, too
  }

  _cycles({ cycles }) {
    this.frame({ loops: cycles }, this.plot.text);
  }

  _paths({ paths }) {
    this.frame({ paths }, this.plot.text);
  }

  _outcome(event) {
    const { optimum, summary, svg } = event;
    const { value, bound, limit, reason, certificate, problem } = optimum;
    const found = value !== null;
    const best = found && value === bound;
    if (found) this.plot.add(this.seconds, value, bound); // a quick search may have no other point
    this.done(best ? "found" : found ? "unknown" : optimum.verdict.toLowerCase(), found ? summary : VERDICTS[optimum.verdict]);
    this.page.say(`${this.name}: ${this.state.textContent}`, "heard");
    if (this.current && !optimum.tour) this.board.show({ loops: [], paths: optimum.paths ?? [] });
    const words = [!best && LIMITS[limit], !found && reason && sentence(reason)].filter(Boolean).join(" ");
    if (words) this.body.append(make("p", { class: "reason" }, words));
    if (found) this.body.append(checks(optimum));
    if (optimum.tour) this.tour(optimum.tour);
    else if (optimum.paths) {
      const show = button("Show the paths", () => this.#paths(optimum.paths), { class: "quiet" });
      this.body.append(make("div", { class: "row buttons" }, show));
    }
    if (found) this.body.append(...evidence(this.page, { problem, certificate, svg, name: this.objective }));
    else if (optimum.verdict === "IMPOSSIBLE") this.body.append(argument(this, { ...event, certificate, outcome: optimum }));
    this.body.append(again(this.page, event));
  }

  load(player, tour) {
    this.page.stage.measures.measure = this.measure; // marked with the tour
    super.load(player, tour);
  }

  /** The measure that the objective is about, or null. */
  get measure() {
    const [, measure] = /^(?:fewest|most)-(.+)$/.exec(this.objective) ?? [];
    return measure ?? null;
  }

  #paths(paths) {
    if (!this.current) this.page.put(this.problem);
    this.player.clear();
    this.board.show({ paths });
  }
}

/** The check marks of a best tour. */
function checks({ value, bound, certificate, bound_by: by }) {
  const made = [check(true, "judged", "every move was checked, without the code of the search")];
  if (certificate) made.push(check(true, ACCEPTED));
  else if (bound !== null) made.push(check(value === bound || null, BOUNDS[by] ?? "bound without a certificate"));
  else made.push(check(null, "no bound is known"));
  return make("ul", { class: "checks", "aria-label": "Checks" }, made);
}
