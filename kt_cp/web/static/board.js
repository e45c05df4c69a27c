// The board: a drawing with mouse, touch and keys.
//
// Above the drawing lies a grid of clear cells, one per square, for keyboards and screen readers.  A
// large board has a single cell, which follows the keyboard.

import { Drawing, num } from "./drawing.js";
import { hasModifier, make, shape } from "./elements.js";
import { EMPTY, nameOf, placeOf, within } from "./squares.js";

const MOST_CELLS = 2_500;
const MOST_ZOOM = 16;

/**
 * A board in an element.
 *
 * Options: `label`, for screen readers; `pick(name)`, a square was clicked, tapped or chosen by
 * Enter or Space; `drop(name)`, the mouse button was released on another square; `sweep(name)`, the
 * pressed mouse enters another square; `key(name, event)`, another key was pressed on a square, true
 * if it was used; `most`, largest side of a square in pixels; `height`, the part of the window that
 * the board may take (else it leaves room for a player below).
 */
export class Board extends Drawing {
  constructor(element, options = {}) {
    super();
    this.options = options;
    this.zoom = 1;
    this.cells = new Map();
    this.grid = shape("g", { role: "grid", class: "kt-cells" });
    this.svg.append(this.grid);
    this.element = make("div", { class: "kt-board" }, make("div", { class: "kt-sheet" }, this.svg));
    element.append(this.element);
    this.#listen();
    this.show({ problem: EMPTY });
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  show(change) {
    const { problem } = this.view;
    super.show(change);
    if (this.view.problem !== problem) {
      this.fit();
      this.#makeCells();
    }
    if (["problem", "walk", "texts", "marks", "counted"].some((key) => key in change)) this.#labelCells();
  }

  /** Make the squares as large as the window allows, times `zoom`. */
  fit(zoom = this.zoom) {
    const growth = zoom / this.zoom;
    this.zoom = zoom;
    const [, , columns, rows] = this.box;
    const { element, options } = this;
    const width = element.offsetWidth - 20 || 320;
    const above = element.getBoundingClientRect().top + window.scrollY;
    const rest = Math.max(0.55 * innerHeight, innerHeight - above - 84);
    const height = options.height ? options.height * innerHeight : rest;
    const fitted = Math.min(width / columns, height / rows, options.most ?? Math.max(68, innerHeight / 13));
    const least = Math.min(24, 240 / Math.min(this.view.problem.rows, this.view.problem.columns));
    const side = Math.max(fitted, least) * zoom;
    this.svg.style.width = `${num(side * columns)}px`;
    element.style.maxHeight = `${Math.ceil(height) + 24}px`;
    // A swipe across a board that does not scroll sideways would leave the page.
    this.svg.classList.toggle("wide", element.scrollWidth > element.clientWidth);
    if (growth === 1) return;
    element.scrollLeft = (element.scrollLeft + width / 2) * growth - width / 2;
    element.scrollTop = (element.scrollTop + height / 2) * growth - height / 2;
  }

  magnify(factor) {
    this.fit(Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor)));
  }

  /** Choose whether a finger sweeps squares, as a mouse does, or scrolls. */
  paint(isOn) {
    this.paints = isOn;
    this.svg.classList.toggle("paints", isOn);
  }

  focus(name) {
    this.#activate(name).focus();
  }

  #makeCells() {
    const { rows, columns } = this.view.problem;
    const size = `${rows}x${columns}`;
    if (this.size === size) return;
    this.size = size;
    this.cells.clear();
    this.grid.replaceChildren();
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", columns);
    for (let row = rows - 1; row >= 0 && rows * columns <= MOST_CELLS; row -= 1) {
      this.grid.append(this.#makeRow(row, Array.from({ length: columns }, (_, column) => column)));
    }
    this.#activate(this.active && within(this.view.problem, this.active) ? this.active : "a1");
  }

  #makeRow(row, columns) {
    const y = this.view.problem.rows - 1 - row;
    return shape("g", { role: "row", "aria-rowindex": y + 1 }, ...columns.map((x) => {
      const name = nameOf(row, x);
      const attributes = { role: "gridcell", "aria-colindex": x + 1, "data-square": name, tabindex: -1 };
      const cell = shape("rect", { ...attributes, x, y, width: 1, height: 1 });
      this.cells.set(name, cell);
      return cell;
    }));
  }

  /** Return the cell of a square, and have Tab lead to it. */
  #activate(name) {
    if (!this.cells.has(name)) {
      const [row, column] = placeOf(name);
      this.cells.clear();
      this.grid.replaceChildren(this.#makeRow(row, [column]));
      this.#labelCells();
    }
    this.cells.get(this.active)?.setAttribute("tabindex", -1);
    this.active = name;
    const cell = this.cells.get(name);
    cell.setAttribute("tabindex", 0);
    return cell;
  }

  /** Label the cells for screen readers. */
  #labelCells() {
    const { problem, walk, texts = {}, marks = {}, counted = {} } = this.view;
    this.grid.setAttribute("aria-label", `${this.options.label}, ${problem.rows} ranks, ${problem.columns} files`);
    const [missing, dotted] = [new Set(problem.missing), new Set(counted.squares)];
    const steps = new Map(walk.map((name, place) => [name, place + 1]));
    const given = new Map(problem.given);
    const marked = new Map(Object.entries(marks).flatMap(([kind, names]) => {
      const words = kind.replace(/ c(\d)$/, (_, number) => ` ${Number(number) + 1}`);
      return names.map((name) => [name, words]);
    }));
    for (const [name, cell] of this.cells) {
      const [text, kind] = texts[name] ?? (steps.has(name) ? ["step", steps.get(name)] : []);
      const label = [
        name,
        missing.has(name) && "cut out",
        name === problem.start && "start",
        name === problem.end && "end",
        given.has(name) && `given ${given.get(name)}`,
        text && `${text} ${kind}`,
        kind !== "part" && marked.get(name),
        dotted.has(name) && "counted",
      ].filter(Boolean).join(", ");
      if (cell.label !== label) cell.setAttribute("aria-label", (cell.label = label));
    }
  }

  #squareAt({ clientX, clientY }) {
    const toSquares = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toSquares);
    const { rows, columns } = this.view.problem;
    const isInside = x >= 0 && x < columns && y >= 0 && y < rows;
    return isInside ? nameOf(rows - 1 - Math.floor(y), Math.floor(x)) : null;
  }

  #listen() {
    const { pick, sweep, drop } = this.options;
    let from = null;
    let last = null;
    // A finger without a brush may scroll: its click picks the square.
    const isBrush = ({ pointerType }) => pointerType === "mouse" || this.paints;
    this.svg.addEventListener("pointerdown", (event) => {
      const name = this.#squareAt(event);
      if (!name || event.button) return;
      this.#activate(name);
      if (!isBrush(event)) return;
      from = last = name;
      pick?.(name);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const name = this.#squareAt(event);
      this.element.title = this.zoom > 1 && name ? name : ""; // ranks and files may be out of sight
      if (!from || !name || name === last) return;
      squaresBetween(last, name).forEach((each) => sweep?.(each)); // a quick hand skips squares
      last = name;
    });
    window.addEventListener("pointerup", () => {
      if (from && last !== from) drop?.(last);
      from = null;
    });
    this.svg.addEventListener("click", (event) => {
      const name = this.#squareAt(event);
      if (!name) return;
      if (!isBrush(event)) pick?.(name);
      this.focus(name);
    });
    this.grid.addEventListener("keydown", (event) => this.#press(event));
    // Not at the grid itself: an SVG element that listens for focus is a stop of the Tab key.
    this.element.addEventListener("focusin", ({ target }) => {
      const { square } = /** @type {HTMLElement} */ (target).dataset;
      if (square) this.#activate(square);
    });
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // a pinch on a touch pad has it, too
      event.preventDefault();
      this.magnify(Math.exp(-event.deltaY / 200));
    }, { passive: false });
    let distance = 0;
    const pinch = (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault(); // else the browser magnifies the page
      const [one, other] = event.touches;
      const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (event.type === "touchmove") this.magnify(now / distance);
      distance = now;
    };
    for (const kind of ["touchstart", "touchmove"]) this.element.addEventListener(kind, pinch, { passive: false });
  }

  #press(event) {
    const { rows, columns } = this.view.problem;
    const [row, column] = placeOf(this.active);
    const target = hasModifier(event) ? null : {
      ArrowUp: [row + 1, column], ArrowDown: [row - 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, columns],
      PageUp: [rows, column], PageDown: [0, column],
    }[event.key];
    const nearest = (place, side) => Math.max(0, Math.min(side - 1, place));
    if (target) this.focus(nameOf(nearest(target[0], rows), nearest(target[1], columns)));
    else if (event.key === "Enter" || event.key === " ") this.options.pick?.(this.active);
    else if (!this.options.key?.(this.active, event)) return;
    event.preventDefault();
  }
}

/** Return the squares on the way from one to another, without the first. */
function squaresBetween(one, other) {
  const [from, to] = [placeOf(one), placeOf(other)];
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  const at = (step, axis) => Math.round(from[axis] + ((to[axis] - from[axis]) * step) / steps);
  return Array.from({ length: steps }, (_, step) => nameOf(at(step + 1, 0), at(step + 1, 1)));
}
