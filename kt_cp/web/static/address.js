// Questions and puzzles in an address: "board=8x8&missing=c3,d4&closed=1" names a board with two
// holes, and "play=board=6x6;given=a1=3,c4=17;seed=7;entered=b3=4;clock=95" a puzzle in play.

import { format } from "./elements.js";
import { isLeap, isStep, tidy } from "./question.js";
import { EMPTY, JOINS } from "./squares.js";

const name = { write: (value) => value ?? "", read: (text) => text || null };
const list = (write, read) => ({
  write: (values) => values.map(write).join(","),
  read: (text) => (text ? text.split(",").map(read) : []),
});
const steps = list((step) => step.join("="), (text) => [text.split("=")[0], Number(text.split("=")[1])]);
const moves = list((move) => move.join("-"), (text) => text.split("-"));
const piece = {
  write: (leaps) => leaps.join("+"),
  read: (text) => {
    const leaps = text.split("+").map((leap) => leap.split(",").map(Number));
    return leaps.every(isLeap) ? leaps : EMPTY.piece;
  },
};
const surface = { write: String, read: (text) => (Object.hasOwn(JOINS, text) ? text : "plane") };
const closed = { write: (isClosed) => (isClosed ? "1" : "0"), read: (text) => text === "1" };

/** How each part of a problem is written into an address, and read. */
const PARTS = {
  missing: list(String, String), piece, surface, closed, start: name, end: name, require: moves, forbid: moves,
  given: steps, symmetry: name,
};

/** Return a problem as text. */
export function writeProblem(problem) {
  const parts = [`board=${problem.rows}x${problem.columns}`];
  for (const [key, { write }] of Object.entries(PARTS)) {
    const text = write(problem[key]);
    if (text !== write(EMPTY[key])) parts.push(`${key}=${text}`);
  }
  return parts.join("&");
}

/** Return the problem of an address, or null if it has none of at most `most` squares. */
export function readProblem(address, most) {
  const parts = partsOf(address);
  const [, rows, columns] = /^(\d{1,5})x(\d{1,5})$/.exec(parts.get("board") ?? "")?.map(Number) ?? [];
  if (!(rows * columns > 0 && rows * columns <= most)) return null;
  const problem = { ...EMPTY, rows, columns };
  for (const [key, { read }] of Object.entries(PARTS)) if (parts.has(key)) problem[key] = read(parts.get(key));
  const arePairs = [...problem.require, ...problem.forbid].every((move) => move.length === 2);
  return arePairs && problem.given.every(([, step]) => step > 0) ? tidy(problem) : null;
}

/** Return the parts of an address that do not fit its board. */
export function findMisfits(address, most) {
  const problem = readProblem(address, most);
  if (!problem) return [];
  const items = (key, text) => (key === "piece" ? [`piece=${text}`] : text.split(",").filter(Boolean));
  return [...partsOf(address)].filter(([key]) => Object.hasOwn(PARTS, key)).flatMap(([key, text]) => {
    const kept = items(key, PARTS[key].write(problem[key]));
    return items(key, text).filter((each) => !kept.includes(each));
  });
}

/** The message about an address that has no problem. */
export const unreadable = (most) => `expected the link of a board of at most ${format(most)} squares`;

/** Return the objective of an address, or "". */
export const objectiveIn = (address) => partsOf(address).get("objective") ?? "";

/** Return the parts of an address by their names; a plus sign stands for itself. */
export const partsOf = (address) =>
  new URLSearchParams(address.replace(/^.*#/s, "").replaceAll("+", "%2B"));

/** Return a puzzle and the progress of its player as text. */
export function writePuzzle({ problem, seed, grade }, { entered, seconds, hints }) {
  const parts = { seed, grade, entered: steps.write(entered), clock: seconds, hints };
  const texts = Object.entries(parts).filter(([, value]) => value).map(([key, value]) => `${key}=${value}`);
  return [writeProblem(problem), ...texts].join("&").replaceAll("&", ";");
}

/** Return the puzzle of an address, or null if it has none of at most `most` squares. */
export function readPuzzle(address, most) {
  const text = partsOf(address).get("play")?.replaceAll(";", "&") ?? "";
  const problem = readProblem(text, most);
  if (!problem?.given.length) return null;
  const parts = partsOf(text);
  const number = (key) => Number(/^\d{1,9}$/.exec(parts.get(key) ?? "")?.[0] ?? 0);
  const isEntry = ([square, step]) => /^[a-z]+\d+$/.test(square) && isStep(problem, step);
  const entered = steps.read(parts.get("entered")).filter(isEntry);
  const grade = /^\w+$/.exec(parts.get("grade") ?? "")?.[0] ?? "";
  return { problem, seed: number("seed"), grade, entered, seconds: number("clock"), hints: number("hints") };
}
