// What is to be seen of a board: one problem as SVG, with a walk on it.
//
// It is a handful of paths, each made anew from what is to be seen; so a board of ten thousand
// squares is as cheap as a small one.  The unit of length is one square; a1 is bottom left.

import { along, beyond, leap, line, middle, num, sides, start, strokes } from "./moves.js";
import { nameOf, placeOf, within } from "./squares.js";

const SVG = "http://www.w3.org/2000/svg";
const NUMBERED = 40; // longest side of a board whose squares can carry numbers
const STRETCHES = 24; // colours of a walk, from its start to its end
const LAYERS = {
  rim: "path", light: "path", dark: "path", labels: "g", holes: "path", joined: "path",
  arrows: "path", marks: "g", require: "path", loops: "g", lines: "path", walk: "g", counted: "g", back: "path", forbid: "path", ends: "g", texts: "g", piece: "g",
}; // from below to above
const KNIGHT =
  "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01" +
  "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42" +
  "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z";

/** An element of SVG. */
export const shape = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

export class Drawing {
  constructor() {
    this.view = {};
    this.texts = new Map();
    this.layers = {};
    this.svg = shape("svg", { class: "kt-svg" });
    const seen = shape("g", { "aria-hidden": "true" });
    for (const [name, tag] of Object.entries(LAYERS)) {
      seen.append((this.layers[name] = shape(tag, { class: `kt-${name}` })));
    }
    this.svg.append(seen);
  }

  /**
   * Draw it with something changed: `problem`; `walk`, names in order, of which the first `at`
   * are to be seen (a fraction is a piece between two squares), `closed` back to the first; `runs`,
   * whether the piece is there; `back`, the square that was just taken back; `numbers`, whether
   * steps are written into the squares; `texts`, {name: [text, class]}; `marks`, {class: [names]};
   * `loops`, lists of names, each a cycle of its own colour; `paths`, the same but open; `lines`,
   * moves that somebody points at; `counted`, what a measure counts: `squares`, `moves`, and
   * `points` as [x, y].
   */
  draw(change) {
    const before = this.view;
    const view = (this.view = { ...before, ...change });
    const { problem } = view;
    if (problem !== before.problem) this.#ground(problem);
    if (["problem", "walk", "closed"].some((key) => view[key] !== before[key])) this.#plan();
    if (change.problem || change.marks) this.#marks();
    if (change.problem || change.loops || change.paths) this.#loops();
    if (change.problem || change.counted) this.#counted();
    if (change.lines) this.layers.lines.setAttribute("d", strokes(problem, change.lines));
    this.#walk();
    this.#texts();
  }

  #ground(problem) {
    const { rows, columns, missing } = problem;
    const gone = new Set(missing);
    const size = Math.max(0.26, 0.022 * Math.max(rows, columns));
    const [files, ranks] = beyond(problem);
    const left = 0.35 * size + 0.62 * size * String(rows).length + files;
    const below = 1.35 * size + ranks;
    const [aside, above] = [files, ranks].map((over) => Math.max(0.1, over));
    this.box = [-left, -above, left + columns + aside, above + rows + below];
    this.svg.setAttribute("viewBox", this.box.map(num).join(" "));
    const squares = { light: "", dark: "", holes: "" };
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const at = `M${column} ${rows - 1 - row}h1v1h-1z`;
        const hole = missing.length && gone.has(nameOf(row, column));
        squares[hole ? "holes" : (row + column) % 2 ? "light" : "dark"] += at;
      }
    }
    for (const [name, path] of Object.entries(squares)) this.layers[name].setAttribute("d", path);
    for (const [name, path] of Object.entries(sides(problem))) this.layers[name].setAttribute("d", path);
    const every = (letters) => Math.max(1, Math.ceil(0.62 * size * (letters + 1)));
    const across = every(nameOf(0, columns - 1).length - 1);
    const label = (x, y, text) => shape("text", { x: num(x), y: num(y), "font-size": num(size) }, text);
    const before = -files - (0.16 + 0.31 * String(rows).length) * size;
    const told = [];
    for (let row = 0; row < rows; row += every(1)) {
      told.push(label(before, rows - row - 0.5 + 0.36 * size, row + 1));
    }
    for (let column = 0; column < columns && (!column || column + across / 2 <= columns); column += across) {
      told.push(label(column + 0.5, rows + ranks + 1.05 * size, nameOf(0, column).slice(0, -1)));
    }
    this.layers.labels.replaceChildren(...told);
  }

  #plan() {
    this.known = new Map(); // stretches of the walk that are whole
    const { problem, walk, closed } = this.view;
    const names = closed && walk.length > 1 ? [...walk, walk[0]] : walk;
    this.leaps = names.slice(1).map((name, place) => leap(problem, names[place], name));
    this.lines = [...names.slice(0, 1).map((name) => start(middle(problem, name))), ...this.leaps.map(line)];
  }

  #walk() {
    const { walk, problem, back } = this.view;
    const at = Math.min(this.view.at, this.lines.length);
    const whole = Math.floor(at);
    const fine = Math.max(problem.rows, problem.columns) > NUMBERED;
    const size = problem.rows * problem.columns - problem.missing.length;
    const most = Math.ceil(Math.max(size, this.lines.length, 1) / STRETCHES);
    const last = Math.max(1, Math.ceil(size / most) - 1);
    const paths = this.#stretches(whole, most);
    let place = whole ? this.#joint(whole) : null;
    if (whole && at > whole) {
      const [here, path] = along(this.leaps[whole - 1], at - whole);
      place = here;
      paths[paths.length - 1] += path;
    }
    this.svg.classList.toggle("fine", fine);
    const drawn = this.layers.walk;
    while (drawn.childElementCount < paths.length) drawn.append(shape("path", { class: "kt-line" }));
    [...drawn.children].forEach((line, place) => {
      if (line.drawn !== paths[place]) line.setAttribute("d", (line.drawn = paths[place] ?? ""));
      const part = Math.min(200, (200 * place) / last); // two colours in turn: start to middle, middle to end
      const [from, to, more] = part < 100 ? ["start", "accent", part] : ["accent", "end", part - 100];
      line.style.stroke = `color-mix(in oklab, var(--kt-${to}) ${more}%, var(--kt-${from}))`;
    });
    this.layers.back.setAttribute("d", back && place ? strokes(problem, [[back, walk[whole - 1]]]) : "");
    const runs = place && this.view.runs;
    this.layers.piece.replaceChildren(...(runs ? this.#figure(place) : []));
    this.#ends(walk.slice(0, 1), at >= walk.length && !runs ? walk.slice(-1) : []);
  }

  /** The first lines of the walk as paths, each of so many squares. */
  #stretches(whole, most) {
    const paths = [""];
    for (let from = 0; from < whole; from += most) {
      const to = Math.min(whole, from + most);
      const made = () => (from ? start(this.#joint(from)) : "") + this.lines.slice(from, to).join("");
      const path = this.known.get(`${from} ${to}`) ?? made();
      if (to === from + most) this.known.set(`${from} ${to}`, path);
      paths[from / most] = path;
    }
    return paths;
  }

  /** Where the walk is after so many squares. */
  #joint(whole) {
    return this.leaps[whole - 2]?.[3] ?? middle(this.view.problem, this.view.walk[0]);
  }

  #figure([x, y]) {
    const { piece } = this.view.problem;
    const large = Math.max(1, 0.03 * Math.max(this.view.problem.rows, this.view.problem.columns));
    const disc = shape("circle", { r: 0.42 });
    const knight = piece.length === 1 && String(piece[0]) === "1,2";
    const inside = knight
      ? shape("path", { d: KNIGHT, transform: "translate(.03 .01) scale(.78)" })
      : shape("text", { y: 0.18, "font-size": 0.5 }, piece.length === 1 ? piece[0].join(",") : "K");
    return [shape("g", { transform: `translate(${num(x)} ${num(y)}) scale(${num(large)})` }, disc, inside)];
  }

  /** Start and end: a ring and a frame, told apart by shape as well as colour. */
  #ends([first], [last]) {
    const { problem } = this.view;
    const key = [first, last, problem.start, problem.end, problem.rows, problem.closed].join();
    if (this.ended === key) return;
    this.ended = key;
    const start = problem.start ?? first;
    const end = problem.end ?? (problem.closed ? null : last);
    const made = [];
    if (start && within(problem, start)) {
      const [cx, cy] = middle(problem, start);
      made.push(shape("circle", { class: "kt-start", cx, cy, r: 0.4 }));
    }
    if (end && end !== start && within(problem, end)) {
      const [x, y] = middle(problem, end);
      made.push(shape("rect", { class: "kt-end", x: x - 0.38, y: y - 0.38, width: 0.76, height: 0.76 }));
    }
    this.layers.ends.replaceChildren(...made);
  }

  #marks() {
    const { problem, marks = {} } = this.view;
    this.layers.require.setAttribute("d", strokes(problem, problem.require));
    this.layers.forbid.setAttribute("d", strokes(problem, problem.forbid));
    const made = Object.entries(marks).filter(([, names]) => names.length).map(([kind, names]) => {
      const outline = (name) => {
        const [x, y] = middle(problem, name);
        if (kind === "reach") return `M${num(x - 0.14)} ${num(y)}a.14 .14 0 1 0 .28 0a.14 .14 0 1 0 -.28 0z`;
        const cross = kind === "wrong" ? `M${num(x - 0.3)} ${num(y - 0.3)}l.6 .6m0 -.6l-.6 .6` : "";
        return `M${num(x - 0.46)} ${num(y - 0.46)}h.92v.92h-.92z${cross}`;
      };
      const path = names.filter((name) => within(problem, name)).map(outline).join("");
      return shape("path", { class: `kt-mark ${kind}`, d: path });
    });
    this.layers.marks.replaceChildren(...made);
  }

  #counted() {
    const { problem, counted: { squares = [], moves = [], points = [] } = {} } = this.view;
    const circle = (radius) => ([cx, cy]) => shape("circle", { cx: num(cx), cy: num(cy), r: radius });
    const dots = squares.map((name) => middle(problem, name)).map(circle(0.3));
    const rings = points.map(circle(0.11));
    const made = [["dots", dots], ["rings", rings]].map(([kind, children]) => shape("g", { class: `kt-${kind}` }, ...children));
    this.layers.counted.replaceChildren(shape("path", { class: "kt-thick", d: strokes(problem, moves) }), ...made);
  }

  #loops() {
    const { problem, loops = [], paths = [] } = this.view;
    const made = [...loops, ...paths].map((names, place) => {
      const moves = names.map((name, at) => [name, names[(at + 1) % names.length]]);
      if (place >= loops.length) moves.pop();
      return shape("path", { class: `kt-loop c${place % 7}`, d: strokes(problem, moves) });
    });
    this.layers.loops.replaceChildren(...made);
  }

  /** What stands in the squares: given steps, steps of the walk, texts of whoever uses it. */
  #texts() {
    const { problem, walk, numbers, texts = {} } = this.view;
    const wanted = new Map();
    const small = Math.max(problem.rows, problem.columns) <= NUMBERED;
    const shown = numbers && small ? Math.min(walk.length, Math.floor(this.view.at)) : 0;
    for (let step = 0; step < shown; step += 1) wanted.set(walk[step], [step + 1, "step"]);
    for (const [name, step] of problem.given) wanted.set(name, [step, "given"]);
    if (small) for (const [name, text] of Object.entries(texts)) wanted.set(name, text);
    for (const [name, { text }] of this.texts) {
      if (!wanted.has(name)) text.remove(), this.texts.delete(name);
    }
    for (const [name, [words, kind]] of wanted) {
      const key = `${words} ${kind} ${problem.rows}`;
      const before = this.texts.get(name);
      if (before?.key === key) continue;
      before?.text.remove();
      const [x, y] = middle(problem, name);
      const size = String(words).length > 3 ? 0.26 : 0.31;
      const [row, column] = placeOf(name);
      const ground = (row + column) % 2 ? "on-light" : "on-dark"; // colour of the outline
      const place = { x, y: y + 0.11, "font-size": size };
      const text = shape("text", { class: `${kind} ${ground}`, ...place }, String(words));
      this.layers.texts.append(text);
      this.texts.set(name, { text, key });
    }
  }
}
