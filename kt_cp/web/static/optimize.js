// The best tour for an objective, with a plot of value and bound while the search runs.

import { ACCEPTED, Answer, VERDICTS, checkList, checkMark, equivalentCode, evidence } from "./answer.js";
import { num } from "./drawing.js";
import { buttonRow, format, make, menu, notify, quietButton, sentence, shape } from "./elements.js";
import { post } from "./server.js";

const DELAY_MS = 300; // from a change of the question to the request for its objectives
const USUAL = "fewest-turns";
const LIMITS = {
  time: "The time limit was reached.", interrupted: "Stopped: this is the best so far.",
  memory: "A sweep of this board needs too much memory.",
};
const BOUNDS = {
  sweeps: "bound by two sweeps, from both ends of the board, which agree",
  windows: "bound by windows of the board, without a certificate",
  cpsat: "bound claimed by CP-SAT, without a certificate",
};

/** Return the menu of objectives; `fit(problem)` leaves those that a problem can have. */
export function objectiveMenu(page) {
  const choices = page.choices.objectives.map(({ name, label }) => [name, label]);
  const choose = () => {
    page.chooseObjective(element.value);
    page.writeAddress(location.hash.slice(1));
  };
  const element = menu(choices, USUAL, { onchange: choose });
  page.chooseObjective = (name) => {
    page.objective = choices.some(([each]) => each === name) ? name : "";
    element.value = page.objective || USUAL;
  };
  page.chooseObjective(page.objective);
  let timer = null;
  element.fit = (problem) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const { refused } = await post("/api/objectives", { problem }).catch(() => ({ refused: {} }));
      for (const option of element.options) option.hidden = option.disabled = option.value in refused;
    }, DELAY_MS);
  };
  return element;
}

export class Optimization extends Answer {
  constructor(page, options) {
    super(page, options);
    this.objective = options.objective;
    this.plot = new Plot();
    this.line.after(this.plot.element);
    setTimeout(() => this.#reveal());
  }

  #reveal() {
    this.element.scrollIntoView({ block: "nearest" });
  }

  tick() {
    super.tick();
    this.plot.draw(this.seconds);
  }

  showProgress({ text, fraction, value, bound }) {
    super.showProgress({ text: text.startsWith("cases") ? `proving the bound, ${text}` : text, fraction });
    if (value == null) return;
    const isFirst = !this.plot.points.length;
    this.plot.add(this.seconds, value, bound);
    if (isFirst) setTimeout(() => this.#reveal()); // the player has appeared, too
  }

  showState(frame) {
    super.showState({ ...frame, words: this.plot.text });
  }

  showOutcome(event) {
    const { optimum, summary, svg } = event;
    const { value, bound, limit, reason, certificate, problem, verdict, tour, paths } = optimum;
    const isFound = value !== null;
    const isBest = isFound && value === bound;
    if (isFound) this.plot.add(this.seconds, value, bound); // a quick search may have no other point
    const kind = isBest ? "found" : isFound ? "unknown" : verdict.toLowerCase();
    this.show(isFound ? summary : VERDICTS[verdict], kind);
    notify(`${this.name}: ${this.line.textContent}`, "announced");
    if (this.isCurrent && !tour) this.board.show({ loops: [], paths: paths ?? [] });
    const words = [!isBest && LIMITS[limit], !isFound && reason && sentence(reason)].filter(Boolean).join(" ");
    if (words) this.body.append(make("p", { class: "reason" }, words));
    if (isFound) this.body.append(listChecks(optimum));
    if (tour) this.showTour(tour);
    else if (paths) this.body.append(buttonRow(quietButton("Show the paths", () => this.#showPaths(paths))));
    if (isFound) this.body.append(...evidence({ problem, certificate, svg, name: this.objective }));
    else if (verdict === "IMPOSSIBLE") this.body.append(this.explain({ ...event, certificate, outcome: optimum }));
    this.body.append(equivalentCode(event));
  }

  load(player, tour) {
    const [, measure = null] = /^(?:fewest|most)-(.+)$/.exec(this.objective) ?? [];
    this.page.stage.measures.chosen = measure; // is marked with the tour
    super.load(player, tour);
  }

  #showPaths(paths) {
    this.restoreQuestion();
    this.player.clear();
    this.board.show({ paths });
  }
}

function listChecks({ value, bound, certificate, bound_by: source }) {
  const isBounded = bound !== null;
  return checkList(
    checkMark(true, "judged", "every move was checked, without the code of the search"),
    certificate ? checkMark(true, ACCEPTED) : checkMark(isBounded && value === bound,
      isBounded ? (BOUNDS[source] ?? "bound without a certificate") : "no bound is known"));
}

const [WIDTH, HEIGHT] = [320, 120];
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 240, 12, 98]; // of the curves

/** A plot of value and bound over seconds; it is hidden until it has a point. */
class Plot {
  constructor() {
    this.points = [];
    this.svg = shape("svg", { role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
    this.element = make("figure", { class: "progress-plot" }, this.svg);
  }

  add(seconds, value, bound = null) {
    const last = this.points.at(-1);
    if (last?.value !== value || last.bound !== bound) this.points.push({ seconds, value, bound });
    this.draw(seconds);
  }

  get text() {
    const { value, bound } = this.points.at(-1) ?? {};
    if (value === undefined) return "";
    return `value ${format(value)}${bound === null ? "" : `, bound ${format(bound)}`}`;
  }

  draw(now) {
    if (!this.points.length) return;
    const last = this.points.at(-1);
    const values = this.points.flatMap(({ value, bound }) => [value, bound ?? value]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const x = (seconds) => num(LEFT + ((RIGHT - LEFT) * seconds) / Math.max(now, 0.1));
    const unit = (BOTTOM - TOP) / (most - least);
    const y = (value) => (most === least ? (TOP + BOTTOM) / 2 : BOTTOM - unit * (value - least));
    const label = (kind, place, text) => shape("text", { class: kind, ...place }, text);
    const seconds = `${now < 10 ? now.toFixed(1) : format(Math.round(now))} s`;
    const curve = (key) => {
      const steps = this.points.filter((point) => point[key] !== null).map((point, place) =>
        `${place ? "H" : "M"}${x(point.seconds)}${place ? "V" : " "}${num(y(point[key]))}`);
      const isAbove = (key === "value") === (last.value >= last.bound);
      const place = { x: RIGHT + 6, y: num(y(last[key]) + (isAbove ? -3 : 11)) }; // beside its curve
      const path = shape("path", { class: key, d: `${steps.join("")}H${x(now)}` });
      return [path, label(key, place, `${key} ${format(last[key])}`)];
    };
    this.svg.replaceChildren(
      shape("path", { class: "axes", d: `M${LEFT} ${TOP - 6}V${BOTTOM + 4}H${RIGHT}` }),
      label("axis", { x: LEFT, y: HEIGHT - 5 }, "0"),
      label("axis", { x: RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, seconds),
      ...[...new Set([least, most])].map((each) =>
        label("axis", { x: LEFT - 5, y: y(each) + 4, "text-anchor": "end" }, format(each))),
      ...["value", "bound"].filter((key) => last[key] !== null).flatMap(curve));
    this.svg.setAttribute("aria-label", `${this.text}, after ${seconds}`);
  }
}
