// The drawing of a board: one problem as SVG, with a walk on it.
//
// It is a handful of paths, each made anew when its part of the view changes; so a board of ten
// thousand squares is as cheap as a small one.  The unit of length is one square; a1 is bottom left.

import { shape } from "./elements.js";
import { JOINS, movesFrom, nameOf, placeOf, within } from "./squares.js";

const NUMBERED = 40; // longest side of a board with numbers in its squares
const STRETCHES = 24; // colours of a walk, from its start to its end
const OVERHANG = 0.2; // squares, of a move that crosses a joined edge
const GROUPS = ["labels", "marks", "loops", "walk", "counted", "ends", "texts", "piece"];
const LAYERS = // from bottom to top: these groups, and paths
  "rim light dark labels holes joined arrows marks require loops lines walk counted back forbid ends texts piece";
const KNIGHT =
  "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01" +
  "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42" +
  "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z";

export const num = (value) => String(Math.round(value * 1000) / 1000);

const at = (point) => point.map(num).join(" ");

function middle(problem, name) {
  const [row, column] = placeOf(name);
  return [column + 0.5, problem.rows - 0.5 - row];
}

/** Return a move as segments [from, to]: two segments if it crosses a joined edge. */
function segmentsOf(problem, one, other) {
  const [from, to] = [middle(problem, one), middle(problem, other)];
  if (problem.surface === "plane") return [[from, to]];
  const find = (a, b) => movesFrom(problem, a).find(({ name }) => name === b);
  const there = find(one, other);
  if (!there || there.straight) return [[from, to]];
  const cut = (/** @type {number[]} */ [x, y], { row, column }) => {
    const [dx, dy] = [column + 0.5 - x, problem.rows - 0.5 - row - y];
    const part = (d, start, side) => (d > 0 ? (side + OVERHANG - start) / d : d < 0 ? (-OVERHANG - start) / d : 1);
    const most = Math.min(1, part(dx, x, problem.columns), part(dy, y, problem.rows));
    return [x + most * dx, y + most * dy];
  };
  return [[from, cut(from, there)], [cut(to, find(other, one) ?? there), to]];
}

/** Return the path of a move from the place where the pen is. */
const line = (segments) => segments.map(([from, to], place) => `${place ? `M${at(from)}` : ""}L${at(to)}`).join("");

const strokes = (problem, moves) =>
  moves.map((move) => segmentsOf(problem, ...move)).map((each) => `M${at(each[0][0])}${line(each)}`).join("");

/** Return the segments of the first part of a move. */
function cutSegments(segments, part) {
  const whole = Math.min(Math.floor(part * segments.length), segments.length - 1);
  const [from, to] = segments[whole];
  const end = [0, 1].map((axis) => from[axis] + (part * segments.length - whole) * (to[axis] - from[axis]));
  return [...segments.slice(0, whole), [from, end]];
}

/** Return paths of the sides: free ones, joined ones, and arrows that show which ends are joined. */
function sidesOf({ rows, columns, surface }) {
  const [files, ranks] = JOINS[surface];
  const upright = `M0 0v${rows}M${columns} 0v${rows}`;
  const level = `M0 0h${columns}M0 ${rows}h${columns}`;
  const [up, down, right] = ["m0 -.2l.15 .34h-.3z", "m0 .2l.15 -.34h-.3z", "m.2 0l-.34 .15v-.3z"];
  const double = (y) => [-0.17, 0.17].map((by) => `M${columns / 2 + by} ${y}${right}`).join("");
  const single = `M0 ${rows / 2}${up}M${columns} ${rows / 2}${files === "reversed" ? down : up}`;
  return {
    rim: (files ? "" : upright) + (ranks ? "" : level),
    joined: (files ? upright : "") + (ranks ? level : ""),
    arrows: (files ? single : "") + (ranks ? double(0) + double(rows) : ""),
  };
}

export class Drawing {
  constructor() {
    /** @type {Record<string, any>} */
    this.view = { walk: [], at: 0, numbers: true };
    this.texts = new Map(); // by square: an element, and a key of what it shows
    this.layers = {};
    this.svg = shape("svg", { class: "kt-svg" });
    const group = shape("g", { "aria-hidden": "true" });
    for (const name of LAYERS.split(" ")) {
      this.layers[name] = shape(GROUPS.includes(name) ? "g" : "path", { class: `kt-${name}` });
      group.append(this.layers[name]);
    }
    this.svg.append(group);
  }

  /**
   * Draw with a changed view: `problem`; `walk`, names in order, of which the first `at` are drawn
   * (a fraction is a part of a move), `closed` back to the first; `runs`, to draw the piece; `back`,
   * the square that was just left again; `numbers`, to write steps into squares; `texts`, {name:
   * [text, class]}; `marks`, {class: [names]}; `loops`, cycles in different colours; `paths`, the
   * same but open; `lines`, moves of an argument; `counted`, the `squares`, `moves` and `points`
   * that a measure counts.
   */
  show(change) {
    const before = this.view;
    const view = (this.view = { ...before, ...change });
    const { problem } = view;
    if (problem !== before.problem) this.#drawBoard();
    if (["problem", "walk", "closed"].some((key) => view[key] !== before[key])) this.#planWalk();
    if (change.problem || change.marks) this.#drawMarks();
    if (change.problem || change.loops || change.paths) this.#drawLoops();
    if (change.problem || change.counted) this.#drawCounted();
    if (change.lines) this.#setPaths({ lines: strokes(problem, change.lines) });
    this.#drawWalk();
    this.#drawTexts();
  }

  #setPaths(paths) {
    for (const [name, path] of Object.entries(paths)) this.layers[name].setAttribute("d", path);
  }

  #drawBoard() {
    const { problem } = this.view;
    const { rows, columns, missing } = problem;
    const size = Math.max(0.26, 0.022 * Math.max(rows, columns)); // of the labels
    const [files, ranks] = JOINS[problem.surface].map((join) => (join ? OVERHANG : 0));
    const left = 0.35 * size + 0.62 * size * String(rows).length + files;
    const [right, above] = [files, ranks].map((over) => Math.max(0.1, over));
    this.box = [-left, -above, left + columns + right, above + rows + 1.35 * size + ranks];
    this.svg.setAttribute("viewBox", at(this.box));
    const holes = new Set(missing);
    const squares = { light: "", dark: "", holes: "" };
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const isHole = missing.length && holes.has(nameOf(row, column));
        squares[isHole ? "holes" : (row + column) % 2 ? "light" : "dark"] += `M${column} ${rows - 1 - row}h1v1h-1z`;
      }
    }
    this.#setPaths({ ...squares, ...sidesOf(problem) });
    const distance = (letters) => Math.max(1, Math.ceil(0.62 * size * (letters + 1))); // of labels
    const across = distance(nameOf(0, columns - 1).length - 1);
    const label = (x, y, text) => shape("text", { x: num(x), y: num(y), "font-size": num(size) }, text);
    const x = -files - (0.16 + 0.31 * String(rows).length) * size;
    const labels = [];
    for (let row = 0; row < rows; row += distance(1)) {
      labels.push(label(x, rows - row - 0.5 + 0.36 * size, row + 1));
    }
    for (let column = 0; column < columns && (!column || column + across / 2 <= columns); column += across) {
      labels.push(label(column + 0.5, rows + ranks + 1.05 * size, nameOf(0, column).slice(0, -1)));
    }
    this.layers.labels.replaceChildren(...labels);
  }

  #planWalk() {
    const { problem, walk, closed } = this.view;
    const names = closed && walk.length > 1 ? [...walk, walk[0]] : walk;
    this.moves = names.slice(1).map((name, place) => segmentsOf(problem, names[place], name));
    this.steps = [...names.slice(0, 1).map((name) => `M${at(middle(problem, name))}`), ...this.moves.map(line)];
  }

  #drawWalk() {
    const { walk, problem, back, runs } = this.view;
    const length = Math.min(this.view.at, this.steps.length);
    const whole = Math.floor(length);
    const size = problem.rows * problem.columns - problem.missing.length;
    const most = Math.ceil(Math.max(size, this.steps.length, 1) / STRETCHES);
    const last = Math.max(1, Math.ceil(size / most) - 1);
    // Stretches of this many squares: each path begins at the end of the one before.
    const paths = Array.from({ length: Math.max(1, Math.ceil(whole / most)) }, (_, place) => {
      const from = place * most;
      return (from ? `M${at(this.#end(from))}` : "") + this.steps.slice(from, Math.min(whole, from + most)).join("");
    });
    let here = whole ? this.#end(whole) : null;
    if (here && length > whole) {
      const part = cutSegments(this.moves[whole - 1], length - whole);
      here = part.at(-1)[1];
      paths[paths.length - 1] += line(part);
    }
    this.svg.classList.toggle("fine", Math.max(problem.rows, problem.columns) > NUMBERED);
    const layer = this.layers.walk;
    while (layer.childElementCount < paths.length) layer.append(shape("path", { class: "kt-line" }));
    [...layer.children].forEach((stretch, place) => {
      if (stretch.drawn !== paths[place]) stretch.setAttribute("d", (stretch.drawn = paths[place] ?? ""));
      const part = Math.min(200, (200 * place) / last); // two colour scales: start to middle, middle to end
      const [from, to, more] = part < 100 ? ["start", "accent", part] : ["accent", "end", part - 100];
      stretch.style.stroke = `color-mix(in oklab, var(--kt-${to}) ${more}%, var(--kt-${from}))`;
    });
    this.#setPaths({ back: back && here ? strokes(problem, [[back, walk[whole - 1]]]) : "" });
    this.layers.piece.replaceChildren(...(here && runs ? [this.#piece(here)] : []));
    this.#drawEnds(walk[0], length >= walk.length && !(here && runs) ? walk.at(-1) : undefined);
  }

  /** Return the place after this many squares of the walk. */
  #end(squares) {
    return this.moves[squares - 2]?.at(-1)[1] ?? middle(this.view.problem, this.view.walk[0]);
  }

  #piece([x, y]) {
    const { piece, rows, columns } = this.view.problem;
    const scale = Math.max(1, 0.03 * Math.max(rows, columns));
    const sign = String(piece) === "1,2"
      ? shape("path", { d: KNIGHT, transform: "translate(.03 .01) scale(.78)" })
      : shape("text", { y: 0.18, "font-size": 0.5 }, piece.length === 1 ? piece[0].join(",") : "K");
    const transform = `translate(${at([x, y])}) scale(${num(scale)})`;
    return shape("g", { transform }, shape("circle", { r: 0.42 }), sign);
  }

  /** Start and end: a ring and a frame, which differ in shape as well as in colour. */
  #drawEnds(first, last) {
    const { problem } = this.view;
    const start = problem.start ?? first;
    const end = problem.end ?? (problem.closed ? undefined : last);
    const ends = [];
    if (start && within(problem, start)) {
      const [cx, cy] = middle(problem, start);
      ends.push(shape("circle", { class: "kt-start", cx, cy, r: 0.4 }));
    }
    if (end && end !== start && within(problem, end)) {
      const [x, y] = middle(problem, end);
      ends.push(shape("rect", { class: "kt-end", x: x - 0.38, y: y - 0.38, width: 0.76, height: 0.76 }));
    }
    this.layers.ends.replaceChildren(...ends);
  }

  #drawMarks() {
    const { problem, marks = {} } = this.view;
    this.#setPaths({ require: strokes(problem, problem.require), forbid: strokes(problem, problem.forbid) });
    const outline = (kind) => (name) => {
      const [x, y] = middle(problem, name);
      if (kind === "reach") return `M${at([x - 0.14, y])}a.14 .14 0 1 0 .28 0a.14 .14 0 1 0 -.28 0z`;
      const cross = kind === "wrong" ? `M${at([x - 0.3, y - 0.3])}l.6 .6m0 -.6l-.6 .6` : "";
      return `M${at([x - 0.46, y - 0.46])}h.92v.92h-.92z${cross}`;
    };
    const drawn = Object.entries(marks).filter(([, names]) => names.length).map(([kind, names]) => {
      const path = names.filter((name) => within(problem, name)).map(outline(kind)).join("");
      return shape("path", { class: `kt-mark ${kind}`, d: path });
    });
    this.layers.marks.replaceChildren(...drawn);
  }

  #drawCounted() {
    const { problem, counted: { squares = [], moves = [], points = [] } = {} } = this.view;
    const circles = (kind, centres, radius) => shape("g", { class: `kt-${kind}` }, ...centres.map(
      ([cx, cy]) => shape("circle", { cx: num(cx), cy: num(cy), r: radius })));
    const dots = circles("dots", squares.map((name) => middle(problem, name)), 0.3);
    const thick = shape("path", { class: "kt-thick", d: strokes(problem, moves) });
    this.layers.counted.replaceChildren(thick, dots, circles("rings", points, 0.11));
  }

  #drawLoops() {
    const { problem, loops = [], paths = [] } = this.view;
    const drawn = [...loops, ...paths].map((names, place) => {
      const moves = names.map((name, step) => [name, names[(step + 1) % names.length]]);
      if (place >= loops.length) moves.pop();
      return shape("path", { class: `kt-loop c${place % 7}`, d: strokes(problem, moves) });
    });
    this.layers.loops.replaceChildren(...drawn);
  }

  /** Write steps, given steps and other texts into the squares; elements of the same text stay. */
  #drawTexts() {
    const { problem, walk, numbers, texts = {} } = this.view;
    const isSmall = Math.max(problem.rows, problem.columns) <= NUMBERED;
    const steps = numbers && isSmall ? walk.slice(0, Math.floor(this.view.at)) : [];
    const wanted = new Map([
      ...steps.map((name, place) => [name, [place + 1, "step"]]),
      ...problem.given.map(([name, step]) => [name, [step, "given"]]),
      ...(isSmall ? Object.entries(texts) : []),
    ]);
    for (const [name, { text }] of this.texts) {
      if (!wanted.has(name)) text.remove(), this.texts.delete(name);
    }
    for (const [name, [words, kind]] of wanted) {
      const key = `${words} ${kind} ${problem.rows}`;
      const before = this.texts.get(name);
      if (before?.key === key) continue;
      before?.text.remove();
      const [x, y] = middle(problem, name);
      const outline = (x + problem.rows - y) % 2 ? "on-dark" : "on-light"; // colour of the square
      const size = String(words).length > 3 ? 0.26 : 0.31;
      const text = shape("text", { class: `${kind} ${outline}`, x, y: y + 0.11, "font-size": size }, String(words));
      this.layers.texts.append(text);
      this.texts.set(name, { text, key });
    }
  }
}
