// A puzzle in play: numbers are entered and taken back, mistakes and impossible numbers are found.
//
// There is always a number that a click enters: the next missing one.  A click on a number goes on
// from it; on an entered number it takes it back.  Pencil marks are numbers that may be on a square.

import { History, canMove } from "./question.js";
import { movesFrom } from "./squares.js";

const LONGEST_WAY = 64; // moves between two numbers, in a search for a way
const NOTHING = { entered: new Map(), pencil: new Map() }; // numbers, and lists of marks, by square

/** Entered numbers and pencil marks, with undo. */
export class Play extends History {
  constructor({ problem, tour }, changed) {
    super(NOTHING, changed);
    this.problem = problem;
    this.size = tour.length;
    this.given = new Map(problem.given);
    if (problem.start) this.given.set(problem.start, 1);
    if (problem.end) this.given.set(problem.end, tour.length);
    this.solutions = solutionsOf(tour, problem.closed, this.given);
    this.next = Math.min(...this.given.values()) + 1;
    this.update();
  }

  update() {
    this.entered = this.state.entered;
    this.pencil = this.state.pencil;
    this.go(this.next);
  }

  /** The number of each square. */
  get all() {
    return new Map([...this.given, ...this.entered]);
  }

  /** The square of each number. */
  get places() {
    return new Map([...this.all].map(([name, step]) => [step, name]));
  }

  get isSolved() {
    return this.all.size === this.size && !this.mistakes.length;
  }

  get mistakes() {
    const entered = [...this.entered];
    const wrong = this.solutions.map((steps) => entered.filter(([name, step]) => steps.get(name) !== step));
    const [fewest] = wrong.sort((one, other) => one.length - other.length);
    return fewest.map(([name]) => name);
  }

  /** Choose the number to enter: this one, or the next missing one in a direction. */
  go(step, direction = 1) {
    const { places, size } = this;
    this.next = this.#wrap(step);
    while (places.has(this.next) && places.size < size) this.next = this.#wrap(this.next + direction);
    this.changed();
  }

  /** Return a number from 1 to the size: 1 comes after the last one. */
  #wrap(step) {
    return ((((step - 1) % this.size) + this.size) % this.size) + 1;
  }

  /** Enter a number on a square, and remove it from another one; 0 removes the number of the square. */
  enter(name, step) {
    if (this.given.has(name) || (this.entered.get(name) ?? 0) === step) return;
    const entered = new Map([...this.entered].filter(([square, each]) => square !== name && each !== step));
    const pencil = new Map(this.pencil);
    for (const [square, marks] of pencil) pencil.set(square, marks.filter((each) => each !== step));
    if (step) {
      entered.set(name, step);
      pencil.delete(name);
      this.next = this.#wrap(step + 1);
    }
    this.replace({ entered, pencil });
  }

  mark(name, step) {
    if (this.all.has(name)) return;
    const marks = this.pencil.get(name) ?? [];
    const others = marks.filter((each) => each !== step);
    const changed = others.length < marks.length ? others : [...marks, step].sort((a, b) => a - b);
    this.replace({ entered: this.entered, pencil: new Map(this.pencil).set(name, changed) });
  }

  erase(name) {
    if (this.entered.has(name)) return this.enter(name, 0);
    const pencil = new Map(this.pencil);
    return pencil.delete(name) && this.replace({ entered: this.entered, pencil });
  }

  /** Return why a number cannot be on a square, or "": a number before or after it is out of reach. */
  refusal(name, step) {
    const { places, problem, size } = this;
    const wrap = (each) => (problem.closed ? this.#wrap(each) : each);
    for (const direction of [-1, 1]) {
      const distances = Array.from({ length: size - 1 }, (_, place) => place + 1);
      const moves = distances.find((each) => (places.get(wrap(step + direction * each)) ?? name) !== name);
      if (!moves || this.#isReachable(name, moves, step, wrap(step + direction * moves))) continue;
      const number = wrap(step + direction * moves);
      const way = moves === 1 ? "one move" : `${moves} moves through free squares`;
      const lead = `from there never lead${moves === 1 ? "s" : ""} to ${number} on ${places.get(number)}`;
      return `${step} cannot stand on ${name}: ${way} ${lead}`;
    }
    return "";
  }

  /** Return whether so many moves over free squares lead from a square to a number, or are too many to search. */
  #isReachable(name, moves, step, number) {
    if (moves > LONGEST_WAY) return true;
    const { all: taken, places } = this;
    taken.delete(places.get(step));
    let reached = [name];
    for (let left = moves; left > 0; left -= 1) {
      const next = reached.flatMap((from) => movesFrom(this.problem, from).map((move) => move.name));
      const isNext = (each) => (left === 1 ? each === places.get(number) : !taken.has(each) && each !== name);
      reached = [...new Set(next)].filter(isNext);
    }
    return reached.length > 0;
  }

  solve() {
    this.next = 1;
    const entered = new Map([...this.solutions[0]].filter(([name]) => !this.given.has(name)));
    this.replace({ entered, pencil: new Map() });
  }

  /** Restore the entries of an earlier visit that still fit. */
  restore(entered, pencil = []) {
    const known = new Set(this.given.values());
    const isFree = (name) => this.solutions[0].has(name) && !this.given.has(name);
    const fits = ([name, step]) => isFree(name) && !known.has(step) && known.add(step);
    this.state = { entered: new Map(entered.filter(fits)), pencil: new Map(pencil) };
    this.update();
  }

  pick(name) {
    const known = this.entered.get(name);
    if (this.given.has(name)) this.go(this.given.get(name) + 1);
    else if (known) {
      this.enter(name, 0);
      this.go(known);
    } else if (!this.places.has(this.next)) this.enter(name, this.next);
  }

  clear() {
    this.next = 1;
    if (this.entered.size || this.pencil.size) this.replace(NOTHING);
    else this.update();
  }

  /** Free squares for the next number, next to its neighbours. */
  get reach() {
    const { all, next, places, problem } = this;
    const numbers = [next - 1, next + 1].map((step) => (problem.closed ? this.#wrap(step) : step));
    const known = numbers.map((step) => places.get(step)).filter(Boolean);
    if (!known.length || places.has(next)) return [];
    const candidates = movesFrom(problem, known[0]).map((move) => move.name);
    return candidates.filter((name) => !all.has(name) && known.every((each) => canMove(problem, each, name)));
  }

  /** Moves between numbers in a row. */
  get moves() {
    const { places, problem } = this;
    const follow = (step) => places.get(problem.closed ? this.#wrap(step + 1) : step + 1);
    return [...places].map(([step, name]) => [name, follow(step)])
      .filter(([one, other]) => other && canMove(problem, one, other));
  }
}

/** Return the solutions as steps by square: a closed tour in both directions, if both have the clues. */
function solutionsOf(tour, closed, given) {
  const [, first] = [...given][0];
  const reverse = tour.map((_, place) => tour[(tour.length + 2 * first - 2 - place) % tour.length]);
  const number = (names) => new Map(names.map((name, place) => [name, place + 1]));
  return (closed ? [tour, reverse] : [tour]).map(number).filter((steps) => [...given].every(([name, step]) => steps.get(name) === step));
}
