// A tour drawn by hand: squares in order, each one legal move after the one before.

import { sizeOf } from "./question.js";
import { movesFrom } from "./squares.js";

export class Hand {
  constructor(page, question) {
    this.page = page;
    this.question = question;
    this.path = [];
    this.changed = null; // called after each change
  }

  get left() {
    return sizeOf(this.question.problem) - this.path.length;
  }

  /** Free squares that the next move may go to. */
  get reach() {
    const used = new Set(this.path);
    const moves = this.path.length ? movesFrom(this.question.problem, this.path.at(-1)) : [];
    return moves.map(({ name }) => name).filter((name) => !used.has(name));
  }

  /** How far the tour has come, in words. */
  get words() {
    const { path, left, reach } = this;
    if (!path.length) return "Click the squares of a tour in order.";
    const stuck = left && !reach.length ? " No move is left: take one back." : "";
    return `${path.length} placed, ${left} left.${stuck}`;
  }

  /** Add a square; or go back to one that is there, and from the last one take back the last move. */
  pick(name) {
    const place = this.path.indexOf(name);
    if (place >= 0) this.path.length = place < this.path.length - 1 ? place + 1 : place;
    else if (!this.path.length || this.reach.includes(name)) this.path.push(name);
    else return this.page.say(`${this.path.at(-1)} to ${name} is no move of the piece`, true);
    return this.#moved();
  }

  /** Take the last square back; false if there is none. */
  back() {
    if (!this.path.pop()) return false;
    this.#moved();
    return true;
  }

  /** Show the squares, and mark an answer to other squares as an earlier one. */
  #moved() {
    this.page.halt?.();
    this.page.outdate?.();
    this.show();
  }

  show() {
    const { board, player } = this.page.stage;
    player.forget();
    const walk = [...this.path];
    const drawn = { walk, at: walk.length, closed: false, runs: walk.length > 0, numbers: player.numbers };
    board.show({ ...drawn, back: null, loops: [], paths: [], lines: [], texts: {}, marks: { reach: this.reach } });
    this.changed?.();
  }

  /** The question with the squares so far as given steps. */
  get problem() {
    const { problem } = this.question;
    const steps = this.path.map((name, place) => [name, place + 1]);
    const known = new Set(steps.map(String));
    return { ...problem, given: [...steps, ...problem.given.filter((each) => !known.has(String(each)))] };
  }
}
