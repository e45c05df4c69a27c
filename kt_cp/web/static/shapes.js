// A board as a whole: flip, rotate and shift it, cut it to a shape, or keep its holes symmetric.

import { buttonRow, field, icon, make, menu, notify, quietButton } from "./elements.js";
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
const BUTTONS = {
  "left-right": ["↔", "Flip left and right"], "top-bottom": ["↕", "Flip top and bottom"], rotate: ["⟳", "Rotate"],
  left: ["←", "Shift left"], right: ["→", "Shift right"], up: ["↑", "Shift up"], down: ["↓", "Shift down"],
};
const UNROTATABLE = { cylinder: "a cylinder", moebius: "a Möbius strip", klein: "a Klein bottle" };
const SYMMETRIES = [["", "none"], "left-right", "top-bottom", "half-turn", ["both", "both mirrors"]];

/** Whether a shape has a square; x and y go from -1 to 1 across the board. */
const SHAPES = {
  rectangle: () => true,
  ring: (x, y) => Math.abs(x) > 0.4 || Math.abs(y) > 0.4,
  cross: (x, y) => Math.abs(x) < 0.5 || Math.abs(y) < 0.5,
  diamond: (x, y) => Math.abs(x) + Math.abs(y) < 1.1,
  disc: (x, y) => x * x + y * y < 1.05,
  "cut corners": (x, y) => Math.abs(x) < 0.99 || Math.abs(y) < 0.99,
};

const moveSquare = (problem, name, motion) => nameOf(...MOTIONS[motion](placeOf(name), problem));

/** Return a problem after a motion; squares that leave the board enter at its other side. */
function transform(problem, motion) {
  const { rows, columns, missing, start, end, require, forbid, given } = problem;
  const to = (name) => name && moveSquare(problem, name, motion);
  return {
    ...problem, ...(motion === "rotate" ? { rows: columns, columns: rows } : {}),
    missing: missing.map(to), start: to(start), end: to(end),
    require: require.map((move) => move.map(to)), forbid: forbid.map((move) => move.map(to)),
    given: given.map(([name, step]) => [to(name), step]),
  };
}

/** Return a square and the squares to which a symmetry takes it. */
export function imagesOf(problem, name, symmetry) {
  const motions = symmetry === "both" ? ["left-right", "top-bottom", "half-turn"] : symmetry ? [symmetry] : [];
  return [...new Set([name, ...motions.map((motion) => moveSquare(problem, name, motion))])];
}

function holesOf({ rows, columns }, shape) {
  const scale = (place, side) => (side > 1 ? (2 * place + 1 - side) / (side - 1) : 0); // -1 and 1 at the corners
  const places = Array.from({ length: rows * columns }, (_, place) => [Math.floor(place / columns), place % columns]);
  return places.filter(([row, column]) => !SHAPES[shape](scale(column, columns), scale(row, rows)))
    .map(([row, column]) => nameOf(row, column));
}

/** Return the controls that change a board as a whole. */
export function shapeControls(page) {
  const { question } = page;
  const move = (motion) => {
    const surface = motion === "rotate" && UNROTATABLE[question.problem.surface];
    if (surface) notify(`${surface} cannot be rotated: its joined sides are left and right`, "wrong");
    else question.change(transform(question.problem, motion));
  };
  const shape = menu(Object.keys(SHAPES), "rectangle");
  const symmetry = menu(SYMMETRIES, "", { onchange: () => (page.holes = symmetry.value) });
  const cut = () => question.change({ missing: holesOf(question.problem, shape.value) });
  return make("details", { class: "shaping" }, make("summary", {}, "Shape, flip, rotate, shift"),
    buttonRow(Object.entries(BUTTONS).map(([motion, [sign, label]]) => icon(label, sign, () => move(motion)))),
    make("div", { class: "row" }, field("Shape", shape), quietButton("Cut to shape", cut),
      field("Symmetric holes", symmetry)));
}
