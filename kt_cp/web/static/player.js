// The player below a board: the piece runs along a tour, or a search is watched step by step.
//
// A film is a walk, with one more square at each step, or the frames of a search.  A frame has loops
// and paths, or the walk of the search as a linked list from its last square back; so each frame of
// a long search takes constant memory and is found at once.

import { checkBox, format, icon, make, menu } from "./elements.js";

const MOST_FRAMES = 200_000; // later ones are only counted
/** @type {[number, string][]} */
const SPEEDS = [1, 3, 8, 25, 100, 1000].map((speed) => [speed, `${speed} / s`]);
const LEGIBLE = 20; // longest side of a board that shows numbers unless the visitor chooses
const LONGEST_SECONDS = 15; // of a film at its first speed
const NO_TOUR = {
  walk: [], at: 0, closed: false, back: null, runs: false, loops: [], paths: [], lines: [], texts: {}, marks: {},
};

export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export class Player {
  constructor(element, board) {
    this.board = board;
    this.changed = null; // called with each film
    this.chosenNumbers = null; // the visitor's choice
    const toggle = () => (this.timer ? this.seek(Math.floor(this.at)) : this.play());
    this.playing = icon("Play", "▶", toggle, { class: "quiet icon play" });
    this.bar = make("input", {
      type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this.seek(Number(this.bar.value)),
    });
    this.speed = menu(SPEEDS, 8, { "aria-label": "Speed" });
    this.position = make("output", { class: "kt-where" });
    this.numbersBox = checkBox("numbers", true, (isOn) => {
      this.chosenNumbers = isOn;
      this.seek(this.at, Boolean(this.timer));
    });
    this.element = make("div", { class: "kt-player", role: "group", "aria-label": "Watch" },
      this.playing, icon("One step back", "‹", () => this.seek(Math.ceil(this.at) - 1)),
      icon("One step on", "›", () => this.seek(Math.floor(this.at) + 1)),
      this.bar, this.position, this.speed, this.numbersBox);
    element.append(this.element);
    this.clear();
  }

  get numbers() {
    const { rows, columns } = this.board.view.problem;
    return this.chosenNumbers ?? Math.max(rows, columns) <= LEGIBLE;
  }

  get length() {
    const { walk, closed, frames } = this.film;
    return frames?.length ?? walk.length + (closed && walk.length > 1 ? 1 : 0);
  }

  /** Remove the film, and draw the board without it, with a changed view. */
  clear(change = {}) {
    this.#setFilm({ walk: [], closed: false, frames: null });
    this.board.show({ ...NO_TOUR, ...change });
    this.#showPosition();
  }

  load(walk, closed = false) {
    this.#setFilm({ walk, closed, frames: null });
    this.seek(this.length);
  }

  replay(film) {
    this.#setFilm(film);
    this.play();
  }

  #setFilm(film) {
    this.#stop();
    this.film = film;
    this.at = 0;
    const [speed] = SPEEDS.find(([each]) => each >= this.length / LONGEST_SECONDS) ?? SPEEDS.at(-1);
    if (this.length) this.speed.value = speed;
    this.element.hidden = !this.length;
    this.changed?.(film);
  }

  addFrame(frame) {
    this.#extend(({ frames }) => frames.push(frame));
  }

  /** Add moves of a search: [["+", "c3"], ["-"], ...], after a whole walk if some were left out. */
  addMoves(moves, walk) {
    this.#extend((film) => {
      const add = (end, back) => {
        film.end = end;
        film.frames.push({ end, back });
      };
      if (walk) add(walk.reduce((before, name) => ({ name, before }), null), null);
      for (const [sign, name] of moves) {
        film.total += 1;
        if (film.frames.length >= MOST_FRAMES) continue;
        if (sign === "+") add({ name, before: film.end }, null);
        else add(film.end?.before ?? null, film.end?.name);
      }
    });
  }

  /** Extend the film of a search, or begin one; who watches its end follows it. */
  #extend(add) {
    if (!this.film.frames) this.#setFilm({ walk: [], closed: false, frames: [], end: null, total: 0 });
    const follows = this.at >= this.length && !this.timer;
    if (this.film.frames.length < MOST_FRAMES) add(this.film);
    this.element.hidden = false;
    if (follows) this.seek(this.length);
    else this.#showPosition();
  }

  play() {
    if (this.at >= this.length) this.at = this.film.frames ? 0 : 1;
    let before = performance.now();
    const run = (now) => {
      const next = this.at + ((now - before) / 1000) * Number(this.speed.value);
      before = now;
      this.seek(next, true);
      if (this.at >= this.length) this.seek(this.at);
      else this.timer = requestAnimationFrame(run);
    };
    this.timer = requestAnimationFrame(run);
    this.#showState();
  }

  #stop() {
    if (!this.timer) return;
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.#showState();
  }

  #showState() {
    const label = this.timer ? "Pause" : "Play";
    const textContent = this.timer ? "❚❚" : "▶";
    Object.assign(this.playing, { textContent, ariaLabel: label, title: label });
  }

  /** Show a step, and stop there unless the piece is running; a fraction is a part of a move. */
  seek(at, isRunning = false) {
    if (!isRunning) this.#stop();
    const { board, film, numbers } = this;
    this.at = Math.max(0, Math.min(this.length, at));
    if (film.frames) {
      const { end, back = null, loops = [], paths = [] } = film.frames[Math.floor(this.at) - 1] ?? {};
      const walk = walkTo(end);
      board.show({ walk, at: walk.length, closed: false, back, loops, paths, numbers, runs: true });
    } else {
      const step = stillness.matches ? Math.floor(this.at) : this.at;
      const runs = isRunning || (step > 0 && step < this.length);
      const isNew = board.view.walk !== film.walk || board.view.closed !== film.closed;
      const change = isNew ? { walk: film.walk, closed: film.closed, loops: [], paths: [] } : {};
      board.show({ ...change, at: step, back: null, numbers, runs });
    }
    this.#showPosition();
  }

  #showPosition() {
    this.numbersBox.firstChild.checked = this.numbers;
    const { walk, frames, total } = this.film;
    const [at, length] = [Math.floor(this.at), this.length];
    const frame = frames?.[at - 1] ?? {};
    const name = frames ? frame.words ?? (frame.back ? "back" : frame.end?.name) : walk[(at - 1) % (walk.length || 1)];
    const more = total > length ? ` (of ${format(total)})` : "";
    this.bar.max = length;
    this.bar.value = at;
    this.position.textContent = length ? `${format(at)} / ${format(length)}${more} ${name ?? ""}` : "";
    this.bar.setAttribute("aria-valuetext", `step ${at} of ${length} ${name ?? ""}`);
  }
}

/** Return the names of a linked list from its first one. */
function walkTo(end) {
  const names = [];
  for (let each = end; each; each = each.before) names.push(each.name);
  return names.reverse();
}
