// The drawn question: a problem that is replaced, never changed, with undo and redo.

import { movesFrom, within } from "./squares.js";

const MOST_UNDO = 500; // steps
const LONGEST_LEAP = 10_000; // squares

/** Return a problem without what cannot be on its board: squares outside, moves of other pieces. */
export function tidy(problem) {
  const missing = [...new Set(problem.missing)].filter((name) => within(problem, name));
  const holes = new Set(missing);
  const exists = (name) => Boolean(name) && within(problem, name) && !holes.has(name);
  const board = { ...problem, missing };
  const isMove = ([a, b]) => exists(a) && exists(b) && canMove(board, a, b);
  return {
    ...board,
    start: exists(problem.start) ? problem.start : null,
    end: exists(problem.end) && !problem.closed ? problem.end : null,
    require: problem.require.filter(isMove),
    forbid: problem.forbid.filter(isMove),
    given: problem.given.filter(([name, step]) => exists(name) && isStep(board, step)),
  };
}

/** Return the first contradiction between the conditions of a problem, or "". */
export function findContradiction(problem) {
  const { start, end, given, require, forbid } = problem;
  for (const [name, word, step] of [[start, "start", 1], [end, "end", sizeOf(problem)]]) {
    if (!name) continue;
    const number = given.find(([square]) => square === name)?.[1] ?? step;
    if (number !== step) return `${name} is the ${word}, and has the number ${number}`;
    const other = given.find(([square, each]) => each === step && square !== name);
    if (other) return `${name} is the ${word}, and ${other[0]} has the number ${step}`;
  }
  const key = (move) => [...move].sort().join("-");
  const forbidden = new Set(forbid.map(key));
  const both = require.map(key).find((move) => forbidden.has(move));
  return both ? `${both} is required and forbidden` : "";
}

/** Describe a board: "8×8, torus, closed". */
export function describeBoard({ rows, columns, missing, surface, closed }, surfaces) {
  const words = [`${rows}×${columns}`, closed ? "closed" : "open"];
  if (surface !== "plane") words.splice(1, 0, surfaces.find(({ name }) => name === surface).words);
  if (missing.length) words.push(`${missing.length} cut out`);
  return words.join(", ");
}

export const sizeOf = ({ rows, columns, missing }) => rows * columns - missing.length;

/** Return whether a tour has a step of this number. */
export const isStep = (problem, step) => Number.isInteger(step) && step >= 1 && step <= sizeOf(problem);

/** Return whether the piece moves from one square to another. */
export const canMove = (problem, one, other) => movesFrom(problem, one).some(({ name }) => name === other);

export const isLeap = (leap) =>
  leap.length === 2 && leap.some(Boolean) && leap.every((by) => Number.isInteger(by) && Math.abs(by) <= LONGEST_LEAP);

/** A state with undo and redo; `changed(state)` is called after each change. */
export class History {
  constructor(state, changed) {
    this.state = state;
    this.changed = changed;
    this.past = [];
    this.future = [];
  }

  update() {
    this.changed(this.state);
  }

  replace(state) {
    this.past.push(this.state);
    this.past.splice(0, this.past.length - MOST_UNDO);
    this.future = [];
    this.state = state;
    this.update();
  }

  undo(from = this.past, to = this.future) {
    if (!from.length) return;
    to.push(this.state);
    this.state = from.pop();
    this.update();
  }

  redo() {
    this.undo(this.future, this.past);
  }
}

/** The question of a page. */
export class Question extends History {
  get problem() {
    return this.state;
  }

  /** Replace some of the problem. */
  change(patch) {
    const next = tidy({ ...this.problem, ...patch });
    if (JSON.stringify(next) !== JSON.stringify(this.problem)) this.replace(next);
  }
}

/** The change of a problem when a tool is used on a square. */
export const TOOLS = {
  cut: ({ missing }, name) => {
    const rest = missing.filter((each) => each !== name);
    return { missing: rest.length < missing.length ? rest : [...missing, name] };
  },
  start: ({ start }, name) => ({ start: start === name ? null : name }),
  end: ({ end }, name) => ({ end: end === name ? null : name }),
};

/** The change of a problem when a move is marked "require" or "forbid", or marked so again. */
export function toggleMove(problem, mark, one, other) {
  const isOther = (move) => !move.includes(one) || !move.includes(other);
  const change = { require: problem.require.filter(isOther), forbid: problem.forbid.filter(isOther) };
  if (problem[mark].every(isOther)) change[mark].push([one, other].sort());
  return change;
}

/** Return the given steps with one more; a square has one step, and a step has one square. */
export const addStep = (given, name, step) =>
  [...given.filter(([square, each]) => square !== name && each !== step), [name, step]];
