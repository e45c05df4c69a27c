// A puzzle being played: numbers are entered and taken back, mistakes found, hints shown.
//
// There is always a number that a click enters: the next that is missing.  A click on a number that
// stands there goes on from it; on one that was entered it takes it back.  From the keyboard digits
// are typed onto a square.  Pencil marks are numbers that may stand on a square.

import { movesFrom } from "./squares.js";

const LONGEST_WAY = 64; // moves between two numbers for which a way is looked for

/** What is entered, and what was before; `changed()` is called whenever anything is. */
export class Play {
  constructor(puzzle, changed) {
    const { problem, tour } = puzzle;
    this.problem = problem;
    this.given = new Map(problem.given);
    if (problem.start) this.given.set(problem.start, 1);
    if (problem.end) this.given.set(problem.end, tour.length);
    this.size = tour.length;
    this.solutions = written(tour, problem.closed, this.given);
    this.changed = changed;
    this.past = [];
    this.future = [];
    this.entered = new Map();
    this.pencil = new Map(); // lists of numbers by squares
    this.go(Math.min(...this.given.values()) + 1);
  }

  /** Every number that stands there, by its square. */
  get all() {
    return new Map([...this.given, ...this.entered]);
  }

  /** Squares by their numbers. */
  get places() {
    return new Map([...this.all].map(([name, step]) => [step, name]));
  }

  get solved() {
    return this.all.size === this.size && !this.mistakes.length;
  }

  /** Squares with a number that the solution does not have there. */
  get mistakes() {
    const wrong = this.solutions.map((steps) => [...this.entered.keys()].filter((name) => steps.get(name) !== this.entered.get(name)));
    return wrong.reduce((fewest, each) => (each.length < fewest.length ? each : fewest));
  }

  /** Choose the number to enter: this one, or the next that is missing; none where none is. */
  go(step, by = 1) {
    const { places, size } = this;
    this.next = this.#round(step);
    while (places.has(this.next) && places.size < size) this.next = this.#round(this.next + by);
    this.changed();
  }

  /** A number from 1 to the size: after the last comes the first. */
  #round(step) {
    return ((((step - 1) % this.size) + this.size) % this.size) + 1;
  }

  /** Enter a number on a square, from where it may stand elsewhere; 0 takes what is there. */
  enter(name, step) {
    if (this.given.has(name) || (this.entered.get(name) ?? 0) === step) return;
    const left = [...this.entered].filter(([where, known]) => where !== name && known !== step);
    const marks = [...this.pencil].filter(([where]) => !step || where !== name)
      .map(([where, steps]) => [where, steps.filter((each) => each !== step)]);
    this.#put(step ? [...left, [name, step]] : left, marks);
    this.go(step ? step + 1 : this.next);
  }

  /** Write a pencil mark on a free square, or erase it. */
  mark(name, step) {
    if (this.all.has(name)) return;
    const marks = this.pencil.get(name) ?? [];
    const changed = marks.includes(step) ? marks.filter((each) => each !== step) : [...marks, step].sort((a, b) => a - b);
    this.#put(this.entered, new Map(this.pencil).set(name, changed));
    this.changed();
  }

  /** Erase the pencil marks of a square. */
  erase(name) {
    if (!this.pencil.has(name)) return;
    this.#put(this.entered, [...this.pencil].filter(([where]) => where !== name));
    this.changed();
  }

  /** Why a number cannot stand on a square: a number before or after it is out of reach; or "". */
  refusal(name, step) {
    const { places, problem, size } = this;
    for (const by of [-1, 1]) {
      let moves = 1;
      const there = () => (problem.closed ? this.#round(step + by * moves) : step + by * moves);
      while (moves < size && there() >= 1 && there() <= size && (!places.has(there()) || places.get(there()) === name)) moves += 1;
      const to = moves < size && places.get(there());
      if (to && !this.#leads(name, to, moves, places.get(step))) {
        const way = moves === 1 ? "one move" : `${moves} moves through free squares`;
        return `${step} cannot stand on ${name}: ${way} from there never lead${moves === 1 ? "s" : ""} to ${there()} on ${to}`;
      }
    }
    return "";
  }

  /** Whether so many moves over free squares lead from one square to another; true if there are too many. */
  #leads(name, to, moves, freed) {
    if (moves > LONGEST_WAY) return true;
    const taken = this.all;
    taken.delete(freed);
    let reached = [name];
    for (let left = moves; left > 0; left -= 1) {
      const ways = reached.flatMap((from) => movesFrom(this.problem, from).map((move) => move.name));
      reached = [...new Set(ways)].filter((each) => (left === 1 ? each === to : !taken.has(each) && each !== name));
    }
    return reached.length > 0;
  }

  /** Enter the whole solution. */
  finish() {
    this.#put([...this.solutions[0]].filter(([name]) => !this.given.has(name)));
    this.go(1);
  }

  /** Enter what was entered on a visit before, as far as it fits. */
  restore(entered, pencil = []) {
    const known = new Set(this.given.values());
    for (const [name, step] of entered) {
      if (!this.solutions[0].has(name) || this.given.has(name) || known.has(step)) continue;
      known.add(step);
      this.entered.set(name, step);
    }
    this.pencil = new Map(pencil);
    this.go(this.next);
  }

  /** @param {Iterable<any>} pencil */
  #put(entered, pencil = []) {
    this.past.push([this.entered, this.pencil]);
    this.future = [];
    this.entered = new Map(entered);
    this.pencil = new Map(pencil);
  }

  /** What a click on a square does. */
  pick(name) {
    const known = this.entered.get(name);
    if (this.given.has(name)) this.go(this.given.get(name) + 1);
    else if (known) {
      this.enter(name, 0);
      this.go(known);
    } else if (!this.places.has(this.next)) this.enter(name, this.next);
  }

  /** Go back one change, or with `back` false on again. */
  undo(back = true) {
    const [from, to] = back ? [this.past, this.future] : [this.future, this.past];
    if (!from.length) return;
    to.push([this.entered, this.pencil]);
    [this.entered, this.pencil] = from.pop();
    this.go(this.next);
  }

  /** Take everything back. */
  clear() {
    if (this.entered.size || this.pencil.size) this.#put([]);
    this.go(1);
  }

  /** Free squares where the next number may go as far as its neighbours tell. */
  get reach() {
    const { all, next, places, problem } = this;
    const known = [next - 1, next + 1].map((step) => places.get(problem.closed ? this.#round(step) : step)).filter(Boolean);
    if (!known.length || places.has(next)) return [];
    const from = known.map((name) => new Set(movesFrom(problem, name).map((move) => move.name)));
    return [...from[0]].filter((name) => !all.has(name) && from.every((each) => each.has(name)));
  }

  /** Moves between numbers that follow each other. */
  get moves() {
    const { places } = this;
    const found = [...places].filter(([step]) => places.has(step + 1)).map(([step, name]) => [name, places.get(step + 1)]);
    if (this.problem.closed && places.has(1) && places.has(this.size)) found.push([places.get(this.size), places.get(1)]);
    return found.filter(([one, other]) => movesFrom(this.problem, one).some(({ name }) => name === other));
  }
}

/** The solution as steps by squares: a closed tour the other way round too, if that has the clues. */
function written(tour, closed, given) {
  const [, first] = [...given][0];
  const turned = tour.map((_, place) => tour[(tour.length + 2 * first - 2 - place) % tour.length]);
  const ways = (closed ? [tour, turned] : [tour]).map((way) => new Map(way.map((name, place) => [name, place + 1])));
  return ways.filter((way) => [...given].every(([name, step]) => way.get(name) === step));
}
