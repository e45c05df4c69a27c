// Moves as lines of SVG: straight ones, and those that go out over a joined edge and come in again.

import { JOINS, movesFrom, placeOf } from "./squares.js";

const OVER = 0.2; // how far a move is drawn beyond a joined edge

/** A number as SVG has it. */
export const num = (value) => String(Math.round(value * 1000) / 1000);

const place = (point) => point.map(num).join(" ");

/** How far lines go beyond the board beside its files and its ranks. */
export function beyond(problem) {
  return JOINS[problem.surface].map((join) => (join ? OVER : 0));
}

/** Middle of a square. */
export function middle(problem, name) {
  const [row, column] = placeOf(name);
  return [column + 0.5, problem.rows - 0.5 - row];
}

/** A move as [from, out, in, to]: out and in are where it leaves and enters, null if it does not. */
export function leap(problem, one, other) {
  const from = middle(problem, one);
  const to = middle(problem, other);
  const way = (a, b) => movesFrom(problem, a).find((move) => move.name === b);
  const there = problem.surface === "plane" ? null : way(one, other);
  if (!there || there.straight) return [from, null, null, to];
  const back = way(other, one) ?? there;
  const cut = (/** @type {number[]} */ [x, y], step) => {
    const dx = step.column + 0.5 - x;
    const dy = problem.rows - 0.5 - step.row - y;
    const part = (d, at, side) => (d > 0 ? (side + OVER - at) / d : d < 0 ? (-OVER - at) / d : 1);
    const most = Math.min(1, part(dx, x, problem.columns), part(dy, y, problem.rows));
    return [x + most * dx, y + most * dy];
  };
  return [from, cut(from, there), cut(to, back), to];
}

/** The path of a leap, from where the pen is. */
export function line([, out, into, to]) {
  return `${out ? `L${place(out)}M${place(into)}` : ""}L${place(to)}`;
}

/** The path of a point where something begins. */
export function start(point) {
  return `M${place(point)}`;
}

/** The path of some moves, each on its own. */
export function strokes(problem, moves) {
  return moves.map(([a, b]) => leap(problem, a, b)).map((each) => start(each[0]) + line(each)).join("");
}

/** Where a piece is that has done a part of a leap, and the path that it has gone. */
export function along([from, out, into, to], part) {
  const inside = out && part >= 0.5;
  const [a, b, done] = !out ? [from, to, part] : inside ? [into, to, 2 * part - 1] : [from, out, 2 * part];
  const here = [0, 1].map((axis) => a[axis] + done * (b[axis] - a[axis]));
  return [here, `${inside ? `L${place(out)}M${place(into)}` : ""}L${place(here)}`];
}

/**
 * The sides of a board as paths: those that are not joined, those that are, and arrows on these.
 * Arrows of one kind fall together, as topologists draw it.
 */
export function sides(problem) {
  const { rows, columns } = problem;
  const [files, ranks] = JOINS[problem.surface];
  const upright = `M0 0v${rows}M${columns} 0v${rows}`;
  const level = `M0 0h${columns}M0 ${rows}h${columns}`;
  const [up, down, right] = ["m0 -.2l.15 .34h-.3z", "m0 .2l.15 -.34h-.3z", "m.2 0l-.34 .15v-.3z"];
  const arrows = [];
  if (files) arrows.push(`M0 ${rows / 2}${up}M${columns} ${rows / 2}${files === "reversed" ? down : up}`);
  const two = (y) => [-0.17, 0.17].map((by) => `M${columns / 2 + by} ${y}${right}`).join("");
  if (ranks) arrows.push(two(0), two(rows));
  return {
    rim: (files ? "" : upright) + (ranks ? "" : level),
    joined: (files ? upright : "") + (ranks ? level : ""),
    arrows: arrows.join(""),
  };
}
