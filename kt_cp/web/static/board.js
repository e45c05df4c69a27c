// The board: a drawing that is clicked and typed at.
//
// Above the drawing lies a grid of clear cells, one a square, for keyboards and screen readers.  A
// large board has one cell alone, which goes where the keyboard is.

import { Drawing, shape } from "./drawing.js";
import { num } from "./moves.js";
import { EMPTY, nameOf, placeOf, within } from "./squares.js";

const CELLS = 2_500; // most squares that have a cell of their own

/**
 * A board in an element.
 *
 * Options: `label`, what screen readers call it; `pick(name, event)`, a square was clicked, tapped
 * or chosen by Enter or Space; `drop(name, from)`, the mouse was let go on another square than it
 * was pressed on; `sweep(name, from)`, it goes over another square while it is pressed;
 * `key(name, event)`, any other key on a square, true where it was of use; `tell(name)`, words on a
 * square for screen readers; `most`, largest side of a square in pixels; `high`, the part of the
 * window's height that the board may take (else it leaves room for a player below); `still`,
 * whether it is a picture and nothing more.
 */
export class Board extends Drawing {
  constructor(element, options = {}) {
    super();
    this.options = options;
    this.zoom = 1;
    this.cells = new Map();
    this.grid = shape("g", { role: "grid", class: "kt-cells" });
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

  /** Draw it with something changed: see Drawing.draw. */
  show(change) {
    const { problem } = this.view;
    this.draw(change);
    if (this.view.problem !== problem) {
      this.fit();
      this.#cells(this.view.problem);
    }
    if (["problem", "walk", "texts", "marks", "counted"].some((key) => key in change)) this.#tell();
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
    const fitted = Math.min(room / wide, tall / high, this.options.most ?? Math.max(68, seen / 13));
    const { rows, columns } = this.view.problem;
    const least = this.options.still ? 0 : Math.min(24, 240 / Math.min(rows, columns));
    const side = Math.max(fitted, least) * zoom;
    this.svg.style.width = `${num(side * wide)}px`;
    this.svg.style.height = `${num(side * high)}px`;
    element.style.maxHeight = `${Math.ceil(tall) + 24}px`;
    // A swipe across a board that does not scroll sideways would leave the page.
    this.svg.classList.toggle("wide", element.scrollWidth > element.clientWidth);
    if (grown === 1) return;
    element.scrollLeft = (element.scrollLeft + room / 2) * grown - room / 2;
    element.scrollTop = (element.scrollTop + tall / 2) * grown - tall / 2;
  }

  /** Make the squares larger by a factor, up to 16 times. */
  magnify(factor) {
    this.fit(Math.max(1, Math.min(16, this.zoom * factor)));
  }

  /** Whether a finger that moves over squares sweeps them, as a mouse does; otherwise it scrolls. */
  paint(on) {
    this.paints = on;
    this.svg.classList.toggle("paints", on);
  }

  /** Put the keyboard on a square. */
  focus(name) {
    this.#current(name).focus();
  }

  /** The clear cells: made anew only where the sides change. */
  #cells({ rows, columns }) {
    const sides = `${rows}x${columns}`;
    if (this.sides === sides || this.options.still) return;
    this.sides = sides;
    this.cells.clear();
    this.grid.replaceChildren();
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", columns);
    if (rows * columns <= CELLS) {
      for (let row = rows - 1; row >= 0; row -= 1) {
        const line = shape("g", { role: "row", "aria-rowindex": rows - row });
        for (let column = 0; column < columns; column += 1) line.append(this.#cell(row, column));
        this.grid.append(line);
      }
    }
    const stays = this.at && within({ rows, columns }, this.at) ? this.at : "a1";
    this.#current(stays);
  }

  #cell(row, column) {
    const name = nameOf(row, column);
    const cell = shape("rect", {
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
      this.grid.replaceChildren(shape("g", { role: "row", "aria-rowindex": index }, this.#cell(row, column)));
      this.#tell();
    }
    this.cells.get(this.at)?.setAttribute("tabindex", -1);
    this.at = name;
    const cell = this.cells.get(name);
    cell.setAttribute("tabindex", 0);
    return cell;
  }

  /** Words on every square for screen readers; only what changed is written. */
  #tell() {
    const { problem, walk, texts = {}, marks = {}, counted = {} } = this.view;
    const { label = "Board" } = this.options;
    const missing = new Set(problem.missing);
    const named = this.options.still ? this.svg : this.grid;
    named.setAttribute("aria-label", `${label}, ${problem.rows} ranks, ${problem.columns} files`);
    const steps = new Map(walk.map((name, place) => [name, place + 1]));
    const given = new Map(problem.given);
    const marked = new Map();
    for (const [kind, names] of Object.entries(marks)) {
      const words = kind.replace(/ c(\d)$/, (_, number) => ` ${Number(number) + 1}`);
      for (const name of names) marked.set(name, words);
    }
    const dotted = new Set(counted.squares);
    for (const [name, cell] of this.cells) {
      const words = [name];
      if (missing.has(name)) words.push("cut out");
      if (name === problem.start) words.push("start");
      if (name === problem.end) words.push("end");
      if (given.has(name)) words.push(`given ${given.get(name)}`);
      if (texts[name]) words.push(`${texts[name][0]} ${texts[name][1]}`);
      else if (steps.has(name)) words.push(`step ${steps.get(name)}`);
      if (marked.has(name) && texts[name]?.[1] !== "part") words.push(marked.get(name));
      if (dotted.has(name)) words.push("counted");
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
      if (event.pointerType !== "mouse" && !this.paints) return; // a finger may scroll: wait for its click
      from = last = name;
      pick?.(name, event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const here = this.square(event);
      this.element.title = this.zoom > 1 && here ? here : ""; // ranks and files may be out of sight
      const name = from && here;
      if (!name || name === last) return;
      const between = this.#between(last, name); // a quick hand leaves squares out
      last = name;
      for (const each of between) sweep?.(each, from);
    });
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // a pinch on a pad comes as this, too
      event.preventDefault();
      this.magnify(Math.exp(-event.deltaY / 200));
    }, { passive: false });
    this.#pinch();
    window.addEventListener("pointerup", () => {
      if (from && last !== from) drop?.(last, from);
      from = null;
    });
    this.svg.addEventListener("click", (event) => {
      const name = this.square(event);
      if (name && event.pointerType !== "mouse" && !this.paints) pick?.(name, event);
      if (name) this.focus(name);
    });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    // Not at the grid itself: an SVG element that listens for focus is a stop of the Tab key.
    this.element.addEventListener("focusin", ({ target }) => {
      const { square } = /** @type {HTMLElement} */ (target).dataset;
      if (square) this.#current(square);
    });
  }

  /** Two fingers magnify the board; one scrolls it, as the browser does by itself. */
  #pinch() {
    let apart = 0;
    const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const follow = (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault(); // else the browser magnifies the page
      const now = distance(event.touches);
      if (event.type === "touchmove") this.magnify(now / apart);
      apart = now;
    };
    for (const kind of ["touchstart", "touchmove"]) this.element.addEventListener(kind, follow, { passive: false });
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
