// The question that is drawn: a problem that never changes but is replaced, with what was before.

import { EMPTY, JOINS, movesFrom, within } from "./squares.js";

const MOST = 500; // questions that undo goes back to
const LONGEST = 10_000; // step of a piece

/** The problem without what makes no sense on it: squares that are gone, moves that are none. */
export function tidied(problem) {
  const missing = [...new Set(problem.missing)].filter((name) => within(problem, name));
  const gone = new Set(missing);
  const there = (name) => within(problem, name) && !gone.has(name);
  const kept = { ...problem, missing };
  const isMove = ([a, b]) => there(a) && there(b) && movesFrom(kept, a).some(({ name }) => name === b);
  return {
    ...kept,
    start: problem.start && there(problem.start) ? problem.start : null,
    end: problem.end && there(problem.end) && !problem.closed ? problem.end : null,
    require: problem.require.filter(isMove),
    forbid: problem.forbid.filter(isMove),
    given: problem.given.filter(([name, step]) => there(name) && canBe(kept, step)),
  };
}

/** The first contradiction between the conditions of a problem, in words, or "". */
export function contradiction(problem) {
  const { start, end, given, require, forbid, closed } = problem;
  const ends = [[start, "start", 1], ...(closed ? [] : [[end, "end", sizeOf(problem)]])];
  for (const [where, word, step] of ends) {
    const there = given.find(([name]) => name === where);
    const elsewhere = given.find(([name, number]) => number === step && name !== where);
    if (where && there && there[1] !== step) return `${where} is the ${word}, and has the number ${there[1]}`;
    if (where && elsewhere) return `${where} is the ${word}, and ${elsewhere[0]} has the number ${step}`;
  }
  const key = (move) => [...move].sort().join("-");
  const never = new Set(forbid.map(key));
  const both = require.map(key).find((move) => never.has(move));
  return both ? `${both} is required and forbidden` : "";
}

/** How many squares a tour visits. */
export const sizeOf = ({ rows, columns, missing }) => rows * columns - missing.length;

/** Whether a tour has this step. */
export const canBe = (problem, step) => Number.isInteger(step) && step >= 1 && step <= sizeOf(problem);

const MOVES = ["require", "forbid"];

/** A problem as the address of a page holds it: "board=8x8&missing=c3,d4&closed=1". */
export function written(problem) {
  const told = [["board", `${problem.rows}x${problem.columns}`]];
  const { missing, piece, surface, closed, start, end, given, symmetry } = problem;
  if (missing.length) told.push(["missing", missing.join(",")]);
  if (String(piece) !== String(EMPTY.piece)) told.push(["piece", piece.map(String).join("+")]);
  if (surface !== "plane") told.push(["surface", surface]);
  if (closed) told.push(["closed", "1"]);
  if (start) told.push(["start", start]);
  if (end) told.push(["end", end]);
  for (const key of MOVES) {
    if (problem[key].length) told.push([key, problem[key].map((move) => move.join("-")).join(",")]);
  }
  if (given.length) told.push(["given", given.map((each) => each.join("=")).join(",")]);
  if (symmetry) told.push(["symmetry", symmetry]);
  return told.map(([key, value]) => `${key}=${value}`).join("&");
}

/** The objective of an address, or "". */
export const objectiveIn = (address) => /[#&]objective=([\w-]+)/.exec(address)?.[1] ?? "";

/** Whether two numbers are a step of a piece, of no more than `LONGEST` squares. */
export const isLeap = (leap) =>
  leap.length === 2 && leap.some(Boolean) && leap.every((by) => Number.isInteger(by) && Math.abs(by) <= LONGEST);

/** The problem of an address, or null where it holds none of so many squares that can be read. */
export function read(address, most) {
  const problem = readAll(address, most);
  return problem && tidied(problem);
}

/** The conditions of an address that do not fit its board, in words. */
export function leftOut(address, most) {
  const problem = readAll(address, most);
  if (!problem) return [];
  const kept = tidied(problem);
  const lost = (key) => problem[key].map(String).filter((each) => !kept[key].map(String).includes(each));
  const words = (key, sign) => lost(key).map((each) => each.replace(",", sign));
  const ends = ["start", "end"].filter((key) => problem[key] !== kept[key]).map((key) => problem[key]);
  const asked = /[#&]piece=([^&]*)/.exec(plain(address))?.[1] ?? "";
  const isPiece = !asked || asked === problem.piece.map(String).join("+");
  return [...(isPiece ? [] : [`piece=${asked}`]), ...lost("missing"), ...ends, ...words("require", "-"), ...words("forbid", "-"), ...words("given", "=")];
}

function readAll(address, most) {
  const told = new Map(plain(address.replace(/^.*#/s, "")).split("&").map((part) => part.split(/=(.*)/s)));
  const sides = /^(\d{1,5})x(\d{1,5})$/.exec(told.get("board") ?? "");
  if (!sides || !Number(sides[1]) || !Number(sides[2]) || Number(sides[1]) * Number(sides[2]) > most) return null;
  const list = (key) => (told.get(key) ? told.get(key).split(",") : []);
  const leaps = (told.get("piece") ?? "1,2").split("+").map((leap) => leap.split(",").map(Number));
  const piece = leaps.every(isLeap) ? leaps : EMPTY.piece;
  const problem = {
    ...EMPTY, piece, rows: Number(sides[1]), columns: Number(sides[2]), missing: list("missing"),
    surface: Object.hasOwn(JOINS, told.get("surface") ?? "") ? told.get("surface") : "plane", closed: told.get("closed") === "1",
    start: told.get("start") ?? null, end: told.get("end") ?? null, symmetry: told.get("symmetry") ?? null,
    require: list("require").map((move) => move.split("-")),
    forbid: list("forbid").map((move) => move.split("-")),
    given: list("given").map((each) => each.split("=")).map(([name, step]) => [name, Number(step)]),
  };
  const pairs = [...problem.require, ...problem.forbid].every((move) => move.length === 2);
  return pairs && problem.given.every(([, step]) => step > 0) ? problem : null;
}

/** A text as it was before an address took it; itself where it is no such thing. */
function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is said of an address that holds no problem. */
export const unread = (most) => `expected the link of a board of at most ${most.toLocaleString("en")} squares`;

/** The question of a page, with undo and redo; `changed(problem)` is told of every change. */
export class Question {
  constructor(problem, changed) {
    this.problem = problem;
    this.changed = changed;
    this.past = [];
    this.future = [];
  }

  /** Replace some of it. */
  change(patch) {
    const next = tidied({ ...this.problem, ...patch });
    if (JSON.stringify(next) === JSON.stringify(this.problem)) return;
    this.past.push(this.problem);
    this.past.splice(0, this.past.length - MOST);
    this.future = [];
    this.#become(next);
  }

  undo() {
    this.#swap(this.past, this.future);
  }

  redo() {
    this.#swap(this.future, this.past);
  }

  #swap(from, to) {
    if (!from.length) return;
    to.push(this.problem);
    this.#become(from.pop());
  }

  #become(problem) {
    this.problem = problem;
    this.changed(problem);
  }
}

/** What a tool does to a problem at a square: the change, or null where it cannot. */
export const TOOLS = {
  cut: (problem, name) => ({ missing: toggled(problem.missing, name) }),
  start: (problem, name) => ({ start: problem.start === name ? null : name }),
  end: (problem, name) => ({ end: problem.end === name ? null : name }),
};

/** A list with an entry, or without it if it was there. */
export function toggled(list, entry) {
  const key = String(entry);
  const rest = list.filter((each) => String(each) !== key);
  return rest.length < list.length ? rest : [...list, entry];
}

/** The problem with a move required (or forbidden), or free again if it was. */
export function moved(problem, key, one, other) {
  const move = [one, other].sort();
  const same = (each) => String([...each].sort()) === String(move);
  const was = problem[key].some(same);
  const without = Object.fromEntries(MOVES.map((each) => [each, problem[each].filter((m) => !same(m))]));
  return was ? without : { ...without, [key]: [...without[key], move] };
}

/** The problem with a step given at a square, or with none there. */
export function numbered(problem, name, step) {
  const rest = problem.given.filter(([where, when]) => where !== name && when !== step);
  const was = problem.given.some(([where, when]) => where === name && when === step);
  return { given: was || !step ? rest : [...rest, [name, step]] };
}
