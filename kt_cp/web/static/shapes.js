// A board as a whole: flipped, rotated, shifted, cut to a shape, or with symmetric holes.

import { button, field, icon, make, menu } from "./make.js";
import { nameOf, placeOf } from "./squares.js";

/** Where each motion takes a square [row, column] of a board. */
const MOTIONS = {
  "left-right": ([row, column], { columns }) => [row, columns - 1 - column],
  "top-bottom": ([row, column], { rows }) => [rows - 1 - row, column],
  "half-turn": ([row, column], { rows, columns }) => [rows - 1 - row, columns - 1 - column],
  rotate: ([row, column], { columns }) => [columns - 1 - column, row], // clockwise
  up: ([row, column], { rows }) => [(row + 1) % rows, column],
  down: ([row, column], { rows }) => [(row + rows - 1) % rows, column],
  left: ([row, column], { columns }) => [row, (column + columns - 1) % columns],
  right: ([row, column], { columns }) => [row, (column + 1) % columns],
};
const TURNED = { cylinder: "a cylinder", moebius: "a Möbius strip", klein: "a Klein bottle" }; // that cannot be rotated
const SIGNS = [["left-right", "↔", "Flip left and right"], ["top-bottom", "↕", "Flip top and bottom"],
  ["rotate", "⟳", "Rotate"], ["left", "←", "Shift left"], ["right", "→", "Shift right"],
  ["up", "↑", "Shift up"], ["down", "↓", "Shift down"]];

/** Whether a shape has a square; x and y go from -1 to 1 across the board. */
const SHAPES = {
  rectangle: () => true,
  ring: (x, y) => Math.abs(x) > 0.4 || Math.abs(y) > 0.4,
  cross: (x, y) => Math.abs(x) < 0.5 || Math.abs(y) < 0.5,
  diamond: (x, y) => Math.abs(x) + Math.abs(y) < 1.1,
  disc: (x, y) => x * x + y * y < 1.05,
  "cut corners": (x, y) => Math.abs(x) < 0.99 || Math.abs(y) < 0.99,
};
const SYMMETRIES = [["", "none"], "left-right", "top-bottom", "half-turn", ["both", "both mirrors"]];

/** The problem after a motion; its squares go round the board's edges. */
export function transformed(problem, motion) {
  const { rows, columns, missing, start, end, require, forbid, given } = problem;
  const to = (name) => name && nameOf(...MOTIONS[motion](placeOf(name), problem));
  const moves = (list) => list.map((move) => move.map(to));
  const sides = motion === "rotate" ? { rows: columns, columns: rows } : {};
  return {
    ...problem, ...sides, missing: missing.map(to), start: to(start), end: to(end),
    require: moves(require), forbid: moves(forbid), given: given.map(([name, step]) => [to(name), step]),
  };
}

/** The squares that a symmetry takes a square to, and itself. */
export function images(problem, name, symmetry) {
  const motions = symmetry === "both" ? ["left-right", "top-bottom", "half-turn"] : symmetry ? [symmetry] : [];
  return [...new Set([name, ...motions.map((motion) => nameOf(...MOTIONS[motion](placeOf(name), problem)))])];
}

/** The squares to remove so that a board has a shape. */
export function holesOf({ rows, columns }, shape) {
  const missing = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [(2 * column + 1) / columns - 1, (2 * row + 1) / rows - 1];
      const scale = (side) => (side > 1 ? side / (side - 1) : 1); // from the middle of a corner square
      if (!SHAPES[shape](x * scale(columns), y * scale(rows))) missing.push(nameOf(row, column));
    }
  }
  return missing;
}

/** The controls that change a board as a whole. */
export function shaping(page) {
  const move = (motion) => {
    const { problem } = page.question;
    const turned = TURNED[problem.surface];
    if (motion === "rotate" && turned) return page.say(`${turned} cannot be rotated: its joined sides are left and right`, true);
    return page.question.change(transformed(problem, motion));
  };
  const cut = () => page.question.change({ missing: holesOf(page.question.problem, shape.value) });
  const shape = menu(Object.keys(SHAPES), "rectangle", {});
  const symmetry = menu(SYMMETRIES, "", { onchange: () => (page.holes = symmetry.value) });
  return make("details", { class: "shaping" }, make("summary", {}, "Shape, flip, rotate, shift"),
    make("div", { class: "row buttons" }, SIGNS.map(([motion, sign, label]) => icon(label, sign, () => move(motion)))),
    make("div", { class: "row" }, field("Shape", shape), button("Cut to shape", cut, { class: "quiet" }),
      field("Symmetric holes", symmetry)));
}
