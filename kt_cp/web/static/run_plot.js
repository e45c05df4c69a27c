// A plot of runs: seconds on a logarithmic scale against squares, which grows while runs finish.

import { shape } from "./drawing.js";
import { make } from "./make.js";
import { num } from "./moves.js";

const [WIDE, HIGH] = [560, 250];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 545, 14, 215]; // of the curves
const LEAST = 0.001; // seconds; quicker runs lie on the same line
const COLOURS = 7; // classes c0 to c6

/** The plot; `show(run)` is called with the run that is pointed at or focused, and with null. */
export class RunPlot {
  constructor({ engines, squares, seconds, show }) {
    this.engines = engines;
    this.show = show;
    this.points = new Map(); // marks and runs by their names
    this.curves = new Map();
    const [least, most] = [Math.min(...squares), Math.max(...squares)];
    this.x = (value) => (most === least ? (LEFT + RIGHT) / 2 : LEFT + 18 + ((RIGHT - LEFT - 36) * (value - least)) / (most - least));
    const scale = (BOTTOM - TOP) / Math.log(Math.max(seconds, 2 * LEAST) / LEAST);
    this.y = (value) => BOTTOM - scale * Math.log(Math.min(Math.max(value, LEAST), seconds) / LEAST);
    this.limit = seconds;
    this.layers = { curves: shape("g"), marks: shape("g") };
    this.svg = shape("svg", { role: "group", viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-label": "Seconds against squares, a curve for each engine" });
    this.svg.append(...this.#axes([...new Set(squares)]), this.layers.curves, this.layers.marks);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    const legend = engines.map((engine, place) => make("li", { class: `c${place % COLOURS}` }, engine));
    this.element = make("figure", { class: "card plot" }, this.svg, make("ul", { class: "legend" }, legend,
      make("li", { class: "signs" }, "○ open, □ closed; hollow: no answer")));
  }

  /** Add a run, or replace what is known of it: its engine, squares, seconds, and words on it. */
  add(name, run) {
    const known = this.points.get(name);
    if (known) {
      known.run = run;
      known.mark.setAttribute("aria-label", run.words);
      return;
    }
    const { engine, squares, spent, isAnswer, closed } = run;
    const kind = `c${this.engines.indexOf(engine) % COLOURS}${isAnswer ? "" : " hollow"}`;
    const [x, y] = [this.x(squares), this.y(isAnswer ? spent : this.limit)];
    const mark = shape("g", { class: kind, role: "img", "aria-label": run.words, tabindex: this.points.size ? -1 : 0 },
      closed ? shape("rect", { x: num(x - 5), y: num(y - 5), width: 10, height: 10 }) : shape("circle", { cx: num(x), cy: num(y), r: 5.5 }));
    const show = () => this.show(this.points.get(name).run);
    for (const event of ["pointerenter", "focus"]) mark.addEventListener(event, show);
    for (const event of ["pointerleave", "blur"]) mark.addEventListener(event, () => this.show(null));
    this.layers.marks.append(mark);
    this.points.set(name, { mark, run });
    if (isAnswer) this.#curve(engine, closed);
  }

  #curve(engine, closed) {
    const own = [...this.points.values()].map(({ run }) => run)
      .filter((run) => run.engine === engine && run.closed === closed && run.isAnswer).sort((a, b) => a.squares - b.squares);
    const key = `${engine} ${closed}`;
    if (!this.curves.has(key)) {
      const curve = shape("path", { class: `c${this.engines.indexOf(engine) % COLOURS}${closed ? " closed" : ""}` });
      this.layers.curves.append(curve);
      this.curves.set(key, curve);
    }
    this.curves.get(key).setAttribute("d", own.map((run, place) => `${place ? "L" : "M"}${num(this.x(run.squares))} ${num(this.y(run.spent))}`).join(""));
  }

  #axes(squares) {
    const label = (x, y, text, anchor) => shape("text", { x: num(x), y: num(y), "text-anchor": anchor }, text);
    const drawn = [];
    for (let value = LEAST; value <= this.limit * 1.0001; value *= 10) {
      drawn.push(shape("path", { class: "axes", d: `M${LEFT} ${num(this.y(value))}H${RIGHT}` }));
      drawn.push(label(LEFT - 6, this.y(value) + 4, value < 0.9 ? `${Math.round(1000 * value)} ms` : `${Math.round(value)} s`, "end"));
    }
    for (const each of squares) drawn.push(label(this.x(each), BOTTOM + 17, each.toLocaleString("en"), "middle"));
    drawn.push(label((LEFT + RIGHT) / 2, HIGH - 3, "squares", "middle"));
    return drawn;
  }

  /** The arrow keys go from run to run. */
  #key(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const marks = [...this.layers.marks.children];
    const at = marks.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    marks[at].setAttribute("tabindex", -1);
    const next = marks[(at + by + marks.length) % marks.length];
    next.setAttribute("tabindex", 0);
    next.focus();
  }
}
