// A plot of value and bound over seconds, which grows while a search runs.

import { shape } from "./drawing.js";
import { make } from "./make.js";
import { num } from "./moves.js";

const [WIDE, HIGH] = [320, 120];
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 240, 12, 98]; // of the lines
const APART = 13; // least distance of two labels

/** The plot; `element` is hidden until there is a point. */
export class Plot {
  constructor() {
    this.points = [];
    this.svg = shape("svg", { role: "img", viewBox: `0 0 ${WIDE} ${HIGH}` });
    this.element = make("figure", { class: "progress-plot", hidden: true }, this.svg);
  }

  /** Add a point; a bound may be null. */
  add(seconds, value, bound = null) {
    const last = this.points.at(-1);
    if (last?.value !== value || last.bound !== bound) this.points.push({ seconds, value, bound });
    this.draw(seconds);
  }

  /** The last point in words. */
  get text() {
    const { value, bound } = this.points.at(-1) ?? {};
    if (value === undefined) return "";
    return `value ${value.toLocaleString("en")}${bound === null ? "" : `, bound ${bound.toLocaleString("en")}`}`;
  }

  /** Draw all points up to now. */
  draw(now) {
    if (!this.points.length) return;
    const known = this.points.flatMap(({ value, bound }) => [value, bound]).filter((each) => each !== null);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const span = Math.max(now, 0.1);
    const x = (seconds) => LEFT + ((RIGHT - LEFT) * seconds) / span;
    const y = (value) => (most === least ? (TOP + BOTTOM) / 2 : BOTTOM - ((BOTTOM - TOP) * (value - least)) / (most - least));
    const steps = (key) => {
      const known = this.points.filter((point) => point[key] !== null);
      const path = known.map((point, place) => `${place ? "H" : "M"}${num(x(point.seconds))}${place ? "V" : " "}${num(y(point[key]))}`);
      return known.length ? `${path.join("")}H${num(x(now))}` : "";
    };
    const label = (kind, place, words) => shape("text", { class: kind, ...place }, words);
    const seconds = `${now < 10 ? now.toFixed(1) : Math.round(now).toLocaleString("en")} s`;
    const drawn = [
      shape("path", { class: "axes", d: `M${LEFT} ${TOP - 6}V${BOTTOM + 4}H${RIGHT}` }),
      label("axis", { x: LEFT - 5, y: y(most) + 4, "text-anchor": "end" }, most.toLocaleString("en")),
      label("axis", { x: LEFT, y: HIGH - 5 }, "0"),
      label("axis", { x: RIGHT, y: HIGH - 5, "text-anchor": "end" }, seconds),
      shape("path", { class: "bound", d: steps("bound") }),
      shape("path", { class: "value", d: steps("value") }),
    ];
    if (least < most) drawn.push(label("axis", { x: LEFT - 5, y: BOTTOM + 4, "text-anchor": "end" }, least.toLocaleString("en")));
    const ends = ["value", "bound"].map((key) => ({ key, at: this.points.at(-1)[key] })).filter(({ at }) => at !== null);
    const places = ends.map(({ at }) => y(at) + 4);
    if (ends.length === 2 && Math.abs(places[0] - places[1]) < APART) {
      const middle = (places[0] + places[1]) / 2;
      const below = places[0] > places[1] ? 1 : -1; // whether the value lies below the bound
      [places[0], places[1]] = [middle + (below * APART) / 2, middle - (below * APART) / 2];
    }
    ends.forEach(({ key, at }, place) => drawn.push(
      label(key, { x: RIGHT + 6, y: num(places[place]) }, `${key} ${at.toLocaleString("en")}`)));
    this.svg.replaceChildren(...drawn);
    this.svg.setAttribute("aria-label", `${this.text}, after ${seconds}`);
    this.element.hidden = false;
  }
}
