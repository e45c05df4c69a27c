// The board: one problem drawn as SVG, with a walk on it, that is clicked, typed at and played.
//
// The drawing is a handful of paths, each made anew from what is to be seen; so a board of ten
// thousand squares is as cheap as a small one.  Above them lies a grid of clear cells, one a
// square, for keyboards and screen readers.  The unit of
// length is one square; a1 is bottom left.

import { EMPTY, JOINS, movesFrom, nameOf, placeOf, within } from "./squares.js";

const SVG = "http://www.w3.org/2000/svg";
const CELLS = 2_500; // most squares that have a cell of their own; above, one cell goes about
const NUMBERED = 40; // longest side of a board whose squares carry numbers
const STRETCHES = 24; // colours of a walk that has no numbers, from its start to its end
const OVER = 0.2; // how far a move is drawn beyond a joined edge
const KNIGHT =
  "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01" +
  "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42" +
  "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z";

const draw = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const num = (value) => String(Math.round(value * 1000) / 1000);

/**
 * A board in an element.
 *
 * Options: `label`, what screen readers call it; `pick(name, event)`, a square was clicked, tapped
 * or chosen by Enter or Space; `drop(name, from)`, the mouse was let go on another square than it
 * was pressed on; `sweep(name, from)`, it goes over another square while it is pressed;
 * `key(name, event)`, any other key on a square, true where it was of use; `tell(name)`, words on a
 * square for screen readers; `most`, largest side of a square in pixels; `high`, the part of the
 * window's height that the board may take (else it leaves room for a player below); `still`, whether it is a picture and nothing more.
 */
export class Board {
  constructor(element, options = {}) {
    this.options = options;
    this.zoom = 1;
    this.view = {};
    this.texts = new Map();
    this.cells = new Map();
    this.layers = {};
    this.svg = draw("svg", { class: "kt-svg" });
    const seen = draw("g", { "aria-hidden": "true" });
    const names = ["rim", "light", "dark", "labels", "holes", "marks", "require", "loops", "lines", "walk",
      "back", "forbid", "ends", "texts", "piece"];
    for (const name of names) {
      const tag = ["labels", "marks", "loops", "walk", "ends", "texts", "piece"].includes(name) ? "g" : "path";
      seen.append((this.layers[name] = draw(tag, { class: `kt-${name}` })));
    }
    this.grid = draw("g", { role: "grid", class: "kt-cells" });
    this.svg.append(seen);
    if (options.still) this.svg.setAttribute("role", "img");
    else this.svg.append(this.grid);
    this.element = document.createElement("div");
    this.element.className = "kt-board";
    this.sheet = document.createElement("div");
    this.sheet.className = "kt-sheet";
    this.sheet.append(this.svg);
    this.element.append(this.sheet);
    element.append(this.element);
    if (!options.still) this.#listen();
    this.show({ problem: EMPTY, walk: [], at: 0, numbers: true });
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /**
   * Draw it with something changed: `problem`; `walk`, names in order, of which the first `at`
   * are to be seen (a fraction is a piece between two squares), `closed` back to the first;
   * `back`, the square that was just taken back; `numbers`, whether steps are written into the
   * squares; `texts`, {name: [text, class]}; `marks`, {class: [names]}; `loops`, lists of names,
   * each a cycle of its own colour; `paths`, the same but open; `lines`, moves that somebody points at.
   */
  show(change) {
    const before = this.view;
    const view = (this.view = { ...before, ...change });
    if (view.problem !== before.problem) this.#ground(view.problem);
    if (view.walk !== before.walk || view.closed !== before.closed || view.problem !== before.problem) this.#plan();
    if (change.problem || change.marks) this.#marks();
    if (change.problem || change.loops || change.paths) this.#loops();
    if ("lines" in change) this.layers.lines.setAttribute("d", this.#strokes(view.lines));
    this.#walk();
    this.#texts();
    if ("problem" in change || "walk" in change || "texts" in change || "marks" in change) this.#tell();
  }

  /** Make the squares as large as the room lets them be, times `zoom`. */
  fit(zoom = this.zoom) {
    const grown = zoom / this.zoom;
    this.zoom = zoom;
    const [, , wide, high] = this.box;
    const { element } = this;
    const room = element.offsetWidth - 20 || 320;
    const above = element.getBoundingClientRect().top + window.scrollY;
    const seen = window.innerHeight;
    const tall = this.options.high ? this.options.high * seen : Math.max(0.55 * seen, seen - above - 84);
    const fitted = Math.min(room / wide, tall / high, this.options.most ?? 68);
    const least = Math.min(24, 240 / Math.min(this.view.problem.rows, this.view.problem.columns));
    const side = Math.max(fitted, least) * zoom;
    this.svg.style.width = `${num(side * wide)}px`;
    this.svg.style.height = `${num(side * high)}px`;
    element.style.maxHeight = `${Math.ceil(tall) + 24}px`;
    if (grown === 1) return;
    element.scrollLeft = (element.scrollLeft + room / 2) * grown - room / 2;
    element.scrollTop = (element.scrollTop + tall / 2) * grown - tall / 2;
  }

  /** Put the keyboard on a square. */
  focus(name) {
    this.#current(name).focus();
  }

  #ground(problem) {
    const { rows, columns, missing } = problem;
    this.missing = new Set(missing);
    const size = Math.max(0.26, 0.022 * Math.max(rows, columns));
    const [files, ranks] = JOINS[problem.surface].map((join) => (join ? OVER : 0));
    const left = 0.35 * size + 0.62 * size * String(rows).length + files;
    const below = 1.35 * size + ranks;
    this.box = [-left, -Math.max(0.1, ranks), left + columns + Math.max(0.1, files), rows + below + Math.max(0.1, ranks)];
    this.svg.setAttribute("viewBox", this.box.map(num).join(" "));
    this.fit();
    const squares = { light: "", dark: "", holes: "" };
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const at = `M${column} ${rows - 1 - row}h1v1h-1z`;
        const hole = missing.length && this.missing.has(nameOf(row, column));
        squares[hole ? "holes" : (row + column) % 2 ? "light" : "dark"] += at;
      }
    }
    for (const [name, path] of Object.entries(squares)) this.layers[name].setAttribute("d", path);
    this.layers.rim.setAttribute("d", `M0 0h${columns}v${rows}h${-columns}z`);
    const every = (letters) => Math.max(1, Math.ceil(0.62 * size * (letters + 1)));
    const across = every(nameOf(0, columns - 1).length - 1);
    const label = (x, y, text) => draw("text", { x: num(x), y: num(y), "font-size": num(size) }, text);
    const told = [];
    for (let row = 0; row < rows; row += every(1)) {
      told.push(label(-files - 0.16 * size - 0.31 * size * String(rows).length, rows - row - 0.5 + 0.36 * size, row + 1));
    }
    for (let column = 0; column < columns; column += across) {
      told.push(label(column + 0.5, rows + ranks + 1.05 * size, nameOf(0, column).slice(0, -1)));
    }
    this.layers.labels.replaceChildren(...told);
    this.#cells(rows, columns);
  }

  /** The clear cells: made anew only where the sides change. */
  #cells(rows, columns) {
    const sides = `${rows}x${columns}`;
    if (this.sides === sides || this.options.still) return;
    this.sides = sides;
    this.cells.clear();
    this.grid.replaceChildren();
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", columns);
    if (rows * columns <= CELLS) {
      for (let row = rows - 1; row >= 0; row -= 1) {
        const line = draw("g", { role: "row", "aria-rowindex": rows - row });
        for (let column = 0; column < columns; column += 1) line.append(this.#cell(row, column));
        this.grid.append(line);
      }
    }
    const stays = this.at && within({ rows, columns }, this.at) ? this.at : "a1";
    this.#current(stays);
  }

  #cell(row, column) {
    const name = nameOf(row, column);
    const cell = draw("rect", {
      role: "gridcell", "aria-colindex": column + 1, "data-square": name, tabindex: -1,
      x: column, y: this.view.problem.rows - 1 - row, width: 1, height: 1,
    });
    this.cells.set(name, cell);
    return cell;
  }

  /** The cell of a square, which becomes the one that Tab leads to. */
  #current(name) {
    if (!this.cells.has(name)) {
      const [row, column] = placeOf(name);
      this.cells.clear();
      const index = this.view.problem.rows - row;
      this.grid.replaceChildren(draw("g", { role: "row", "aria-rowindex": index }, this.#cell(row, column)));
      this.#tell();
    }
    this.cells.get(this.at)?.setAttribute("tabindex", -1);
    this.at = name;
    const cell = this.cells.get(name);
    cell.setAttribute("tabindex", 0);
    return cell;
  }

  #middle(name) {
    const [row, column] = placeOf(name);
    return [column + 0.5, this.view.problem.rows - 0.5 - row];
  }

  /** A move as [from, out, in, to]: out and in are the same place but over a joined edge. */
  #leap(one, other) {
    const { problem } = this.view;
    const from = this.#middle(one);
    const to = this.#middle(other);
    const way = (a, b) => movesFrom(problem, a).find((move) => move.name === b);
    const there = problem.surface === "plane" ? null : way(one, other);
    if (!there || there.straight) return [from, null, null, to];
    const back = way(other, one) ?? there;
    const cut = ([x, y], step) => {
      const dx = step.column + 0.5 - x;
      const dy = problem.rows - 0.5 - step.row - y;
      const part = (d, at, side) => (d > 0 ? (side + OVER - at) / d : d < 0 ? (-OVER - at) / d : 1);
      const most = Math.min(1, part(dx, x, problem.columns), part(dy, y, problem.rows));
      return [x + most * dx, y + most * dy];
    };
    return [from, cut(from, there), cut(to, back), to];
  }

  #line([, out, into, to], first = false, from = null) {
    const start = first ? `M${from.map(num).join(" ")}` : "";
    const over = out ? `L${out.map(num).join(" ")}M${into.map(num).join(" ")}` : "";
    return `${start}${over}L${to.map(num).join(" ")}`;
  }

  /** Path of a list of moves, each on its own. */
  #strokes(moves) {
    return moves.map(([a, b]) => this.#leap(a, b)).map((leap) => this.#line(leap, true, leap[0])).join("");
  }

  #plan() {
    this.known = new Map(); // stretches of the walk that are whole
    const { walk, closed } = this.view;
    const names = closed && walk.length > 1 ? [...walk, walk[0]] : walk;
    this.leaps = names.slice(1).map((name, place) => this.#leap(names[place], name));
    this.lines = names.length ? [`M${this.#middle(names[0]).map(num).join(" ")}`] : [];
    for (const leap of this.leaps) this.lines.push(this.#line(leap));
  }

  #walk() {
    const { walk, problem, back } = this.view;
    const at = Math.min(this.view.at, this.lines.length);
    const whole = Math.floor(at);
    const fine = Math.max(problem.rows, problem.columns) > NUMBERED;
    const paths = this.#stretches(whole, fine ? Math.ceil(this.lines.length / STRETCHES) : this.lines.length);
    let place = whole ? this.leaps[whole - 2]?.[3] ?? this.#middle(walk[0]) : null;
    const leap = this.leaps[whole - 1];
    if (whole && at > whole && leap) {
      const [from, out, into, to] = leap;
      const part = out ? ((at - whole) * 2) % 1 : at - whole;
      const ends = !out ? [from, to] : at - whole < 0.5 ? [from, out] : [into, to];
      place = [0, 1].map((axis) => ends[0][axis] + part * (ends[1][axis] - ends[0][axis]));
      paths[paths.length - 1] += `${out && ends[0] === into ? `L${out.map(num).join(" ")}M${into.map(num).join(" ")}` : ""}L${place.map(num).join(" ")}`;
    }
    this.svg.classList.toggle("fine", fine);
    const drawn = this.layers.walk;
    while (drawn.childElementCount < paths.length) drawn.append(draw("path", { class: "kt-line" }));
    [...drawn.children].forEach((line, place) => {
      if (line.drawn !== paths[place]) line.setAttribute("d", (line.drawn = paths[place] ?? ""));
      const part = (200 * place) / STRETCHES; // from one end to the middle colour, then to the other
      const ends = part < 100 ? ["accent", "start"] : ["end", "accent"];
      line.style.stroke = fine ? `color-mix(in oklab, var(--kt-${ends[0]}) ${part % 100}%, var(--kt-${ends[1]}))` : "";
    });
    this.layers.back.setAttribute("d", back && place ? this.#strokes([[back, walk[whole - 1]]]) : "");
    const runs = place && this.view.runs;
    this.layers.piece.replaceChildren(...(runs ? this.#figure(place) : []));
    this.#ends(walk.slice(0, 1), at >= walk.length && !runs ? walk.slice(-1) : []);
  }

  /** The first lines of the walk as paths, each of so many squares. */
  #stretches(whole, most) {
    const paths = [""];
    for (let from = 0; from < whole; from += most) {
      const joint = from ? `M${(this.leaps[from - 2]?.[3] ?? this.#middle(this.view.walk[0])).map(num).join(" ")}` : "";
      const key = `${from} ${Math.min(whole, from + most)}`;
      paths[from / most] = this.known.get(key) ?? joint + this.lines.slice(from, Math.min(whole, from + most)).join("");
      if (from + most <= whole) this.known.set(key, paths[from / most]);
    }
    return paths;
  }

  #figure([x, y]) {
    const { piece } = this.view.problem;
    const large = Math.max(1, 0.03 * Math.max(this.view.problem.rows, this.view.problem.columns));
    const disc = draw("circle", { r: 0.42 });
    const knight = piece.length === 1 && String(piece[0]) === "1,2";
    const inside = knight
      ? draw("path", { d: KNIGHT, transform: "translate(.03 .01) scale(.78)" })
      : draw("text", { y: 0.18, "font-size": 0.5 }, piece.length === 1 ? piece[0].join(",") : "K");
    return [draw("g", { transform: `translate(${num(x)} ${num(y)}) scale(${num(large)})` }, disc, inside)];
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
      const [cx, cy] = this.#middle(start);
      made.push(draw("circle", { class: "kt-start", cx, cy, r: 0.4 }));
    }
    if (end && end !== start && within(problem, end)) {
      const [x, y] = this.#middle(end);
      made.push(draw("rect", { class: "kt-end", x: x - 0.38, y: y - 0.38, width: 0.76, height: 0.76 }));
    }
    this.layers.ends.replaceChildren(...made);
  }

  #marks() {
    const { problem, marks = {} } = this.view;
    this.layers.require.setAttribute("d", this.#strokes(problem.require));
    this.layers.forbid.setAttribute("d", this.#strokes(problem.forbid));
    const made = Object.entries(marks).filter(([, names]) => names.length).map(([kind, names]) => {
      const shape = (name) => {
        const [x, y] = this.#middle(name);
        if (kind === "reach") return `M${num(x - 0.14)} ${num(y)}a.14 .14 0 1 0 .28 0a.14 .14 0 1 0 -.28 0z`;
        const cross = kind === "wrong" ? "M-.3 -.3l.6 .6m0 -.6l-.6 .6".replace("-.3 -.3", `${num(x - 0.3)} ${num(y - 0.3)}`) : "";
        return `M${num(x - 0.46)} ${num(y - 0.46)}h.92v.92h-.92z${cross}`;
      };
      return draw("path", { class: `kt-mark ${kind}`, d: names.filter((name) => within(problem, name)).map(shape).join("") });
    });
    this.layers.marks.replaceChildren(...made);
  }

  #loops() {
    const { loops = [], paths = [] } = this.view;
    const made = [...loops, ...paths].map((names, place) => {
      const moves = names.map((name, at) => [name, names[(at + 1) % names.length]]);
      if (place >= loops.length) moves.pop();
      return draw("path", { class: `kt-loop c${place % 7}`, d: this.#strokes(moves) });
    });
    this.layers.loops.replaceChildren(...made);
  }

  /** What stands in the squares: given steps, steps of the walk, texts of whoever uses it. */
  #texts() {
    const { problem, walk, numbers, texts = {} } = this.view;
    const wanted = new Map();
    if (Math.max(problem.rows, problem.columns) <= NUMBERED) {
      const shown = numbers ? Math.min(walk.length, Math.floor(this.view.at)) : 0;
      for (let step = 0; step < shown; step += 1) wanted.set(walk[step], [step + 1, "step"]);
      for (const [name, step] of problem.given) wanted.set(name, [step, "given"]);
      for (const [name, text] of Object.entries(texts)) wanted.set(name, text);
    }
    for (const [name, { text }] of this.texts) {
      if (!wanted.has(name)) text.remove(), this.texts.delete(name);
    }
    for (const [name, [words, kind]] of wanted) {
      const key = `${words} ${kind} ${problem.rows}`;
      const before = this.texts.get(name);
      if (before?.key === key) continue;
      before?.text.remove();
      const [x, y] = this.#middle(name);
      const text = draw("text", { class: kind, x, y: y + 0.11, "font-size": String(words).length > 3 ? 0.26 : 0.31 }, String(words));
      this.layers.texts.append(text);
      this.texts.set(name, { text, key });
    }
  }

  /** Words on every square for screen readers; only what changed is written. */
  #tell() {
    const { problem, walk, texts = {}, marks = {} } = this.view;
    const { label = "Board" } = this.options;
    const named = this.options.still ? this.svg : this.grid;
    named.setAttribute("aria-label", `${label}, ${problem.rows} ranks, ${problem.columns} files`);
    const steps = new Map(walk.map((name, place) => [name, place + 1]));
    const given = new Map(problem.given);
    const marked = new Map();
    for (const [kind, names] of Object.entries(marks)) for (const name of names) marked.set(name, kind);
    for (const [name, cell] of this.cells) {
      const words = [name];
      if (this.missing.has(name)) words.push("cut out");
      if (name === problem.start) words.push("start");
      if (name === problem.end) words.push("end");
      if (given.has(name)) words.push(`given ${given.get(name)}`);
      if (texts[name]) words.push(`${texts[name][0]} ${texts[name][1]}`);
      else if (steps.has(name)) words.push(`step ${steps.get(name)}`);
      if (marked.has(name)) words.push(marked.get(name));
      const more = this.options.tell?.(name);
      if (more) words.push(more);
      const told = words.join(", ");
      if (cell.told !== told) cell.setAttribute("aria-label", (cell.told = told));
    }
  }

  /** The square under a pointer, or null. */
  square({ clientX, clientY }) {
    const { left, top, width, height } = this.svg.getBoundingClientRect();
    const [x, y, wide, high] = this.box;
    const column = Math.floor(x + ((clientX - left) / width) * wide);
    const down = Math.floor(y + ((clientY - top) / height) * high);
    const { rows, columns } = this.view.problem;
    const inside = column >= 0 && column < columns && down >= 0 && down < rows;
    return inside ? nameOf(rows - 1 - down, column) : null;
  }

  #listen() {
    const { pick, sweep, drop } = this.options;
    let from = null;
    let last = null;
    this.svg.addEventListener("pointerdown", (event) => {
      const name = this.square(event);
      if (!name || event.button) return;
      this.#current(name);
      if (event.pointerType !== "mouse") return; // a finger may want to scroll: wait for its click
      from = last = name;
      pick?.(name, event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const name = from && this.square(event);
      if (!name || name === last) return;
      const between = this.#between(last, name); // a quick hand leaves squares out
      last = name;
      for (const each of between) sweep?.(each, from);
    });
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // a pinch on a pad comes as this, too
      event.preventDefault();
      this.fit(Math.max(1, Math.min(16, this.zoom * Math.exp(-event.deltaY / 200))));
    }, { passive: false });
    window.addEventListener("pointerup", () => {
      if (from && last !== from) drop?.(last, from);
      from = null;
    });
    this.svg.addEventListener("click", (event) => {
      const name = this.square(event);
      if (name && event.pointerType !== "mouse") pick?.(name, event);
      if (name) this.focus(name);
    });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => this.#current(event.target.dataset.square));
  }

  /** The squares on the way from one to another, without the first. */
  #between(one, other) {
    const [from, to] = [placeOf(one), placeOf(other)];
    const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
    const at = (step, axis) => Math.round(from[axis] + ((to[axis] - from[axis]) * step) / steps);
    return Array.from({ length: steps }, (_, step) => nameOf(at(step + 1, 0), at(step + 1, 1)));
  }

  #key(event) {
    const { rows, columns } = this.view.problem;
    const [row, column] = placeOf(this.at);
    const by = {
      ArrowUp: [row + 1, column], ArrowDown: [row - 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, columns - 1],
      PageUp: [rows - 1, column], PageDown: [0, column],
    }[event.key];
    if (by && !event.altKey && !event.ctrlKey && !event.metaKey) {
      if (by[0] >= 0 && by[0] < rows && by[1] >= 0 && by[1] < columns) this.focus(nameOf(...by));
    } else if (event.key === "Enter" || event.key === " ") {
      this.options.pick?.(this.at, event);
    } else if (!this.options.key?.(this.at, event)) return;
    event.preventDefault();
  }
}
