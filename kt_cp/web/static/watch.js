// Watch: the piece runs along a tour, or a search goes forth and back, played like a film.
//
// A film is a walk (one square more at every frame), the states of a search (what lies on the board
// in each), or its moves: a name where a square is placed, null where the last one is taken back, a
// whole walk where moves were left out.  What a frame of moves shows is found by playing them again
// from the nearest mark before it, so that any frame is quickly there.

import { icon, make, menu, tick } from "./make.js";

const KEPT = 200_000; // moves of a search that are kept; what comes later is only counted
const STATES = 10_000; // states that are kept
const MARK = 2_000; // moves between two walks that are remembered
/** @type {[number, string][]} */
const SPEEDS = [1, 3, 8, 25, 100, 1000].map((speed) => [speed, `${speed} / s`]);
const LEGIBLE = 20; // longest side of a board that shows the numbers of its steps by itself

/** Whether the reader wants no motion. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Controls under a board, and what they play. */
export class Player {
  constructor(element, board) {
    this.board = board;
    this.changed = null; // called with each film that is played
    this.speed = 8;
    this.numbered = null; // the reader's choice whether steps are shown as numbers
    this.playing = icon("Play", "▶", () => (this.timer ? this.pause() : this.play()));
    this.playing.classList.add("play");
    this.bar = make("input", {
      type: "range", min: 0, max: 0, value: 0, "aria-label": "Step",
      oninput: () => (this.pause(), this.seek(Number(this.bar.value))),
    });
    this.pace = menu(SPEEDS, 8, { "aria-label": "Speed", onchange: () => (this.speed = Number(this.pace.value)) });
    this.words = make("output", { class: "kt-where" });
    this.element = make("div", { class: "kt-player", role: "group", "aria-label": "Watch" },
      this.playing,
      icon("One step back", "‹", () => (this.pause(), this.seek(Math.ceil(this.at) - 1))),
      icon("One step on", "›", () => (this.pause(), this.seek(Math.floor(this.at) + 1))),
      this.bar, this.words, this.pace,
      (this.ticked = tick("numbers", true, (on) => ((this.numbers = on), this.seek(this.at)))));
    element.append(this.element);
    this.clear();
  }

  /** Whether steps are shown as numbers: as was chosen, else on boards of up to 20×20. */
  get numbers() {
    const { rows, columns } = this.board.view.problem;
    return this.numbered ?? Math.max(rows, columns) <= LEGIBLE;
  }

  set numbers(on) {
    this.numbered = on;
  }

  /** What is played; `changed(film)` is called when it is another. */
  get film() {
    return this.kept;
  }

  set film(film) {
    this.kept = film;
    this.changed?.(film);
  }

  /** Play nothing: the board alone. */
  clear() {
    this.forget();
    this.seek(0);
  }

  /** Play nothing, and leave the board as it is. */
  forget() {
    this.#halt();
    this.film = { walk: [], closed: false, moves: null };
    this.length = this.at = 0;
    this.element.hidden = true;
  }

  /** A walk to play; it is shown whole at first. */
  load(walk, closed = false) {
    this.pause();
    this.film = { walk, closed, moves: null };
    this.length = walk.length + (closed && walk.length > 1 ? 1 : 0);
    this.#pace();
    this.element.hidden = !walk.length;
    this.seek(this.length);
  }

  /** A search to play, which may go on while it is watched: see `feed`. */
  search(before = []) {
    this.pause();
    this.film = { walk: [], closed: false, moves: [], marks: [[...before]], last: [...before], told: 0 };
    this.length = 0;
    this.element.hidden = false;
    this.seek(0);
  }

  /** A state of a search: what of board.show it draws (loops, paths), and words on it. */
  state(shown, words) {
    if (!this.film.states) {
      this.forget();
      this.film = { walk: [], closed: false, moves: null, states: [] };
      this.element.hidden = false;
    }
    const follows = this.at >= this.length && !this.timer;
    const { states } = this.film;
    if (states.length >= STATES) states.pop();
    states.push({ loops: [], paths: [], ...shown, words });
    this.length = states.length;
    if (follows) this.seek(this.length);
    else this.#place();
  }

  /** A search that was kept, from its beginning. */
  again(film) {
    this.pause();
    this.film = film;
    this.length = (film.moves ?? film.states).length;
    this.#pace();
    this.element.hidden = false;
    this.seek(0);
    this.play();
  }

  /**
   * Moves of the search, as the stream has them: [["+", "c3"], ["-"], ...]; and the whole walk
   * before them where some were left out.
   */
  feed(moves, walk) {
    const { film } = this;
    if (!film.moves) return;
    const follows = this.at >= this.length && !this.timer;
    if (walk && film.moves.length < KEPT) {
      film.moves.push([...walk]);
      film.last = [...walk];
    }
    for (const [way, name] of moves) {
      film.told += 1;
      if (film.moves.length >= KEPT) continue;
      film.moves.push(name ?? null);
      if (way === "+") film.last.push(name);
      else film.last.pop();
      if (film.moves.length % MARK === 0) film.marks.push([...film.last]);
    }
    this.length = film.moves.length;
    if (follows) this.seek(this.length);
    else this.#place();
  }

  play() {
    const searched = this.film.moves ?? this.film.states;
    if (this.at >= this.length) this.at = searched ? 0 : 1;
    let before = performance.now();
    const run = (now) => {
      const next = this.at + ((now - before) / 1000) * this.speed;
      before = now;
      this.seek(next, true);
      if (this.at >= this.length) this.pause();
      else this.timer = requestAnimationFrame(run);
    };
    this.timer = requestAnimationFrame(run);
    this.#face();
  }

  pause() {
    if (this.#halt()) this.seek(Math.floor(this.at));
  }

  /** Stand still; whether it ran. */
  #halt() {
    const ran = this.timer;
    cancelAnimationFrame(ran);
    this.timer = null;
    this.#face();
    return Boolean(ran);
  }

  /** As quick as shows the whole in a quarter of a minute. */
  #pace() {
    const wanted = this.length / 15;
    [this.speed] = SPEEDS.find(([speed]) => speed >= wanted) ?? SPEEDS.at(-1);
    this.pace.value = this.speed;
  }

  #face() {
    const label = this.timer ? "Pause" : "Play";
    this.playing.textContent = this.timer ? "❚❚" : "▶";
    this.playing.setAttribute("aria-label", label);
    this.playing.title = label;
  }

  /** Show a frame; a fraction is between two. */
  seek(at, running = false) {
    const { film, board } = this;
    this.at = Math.max(0, Math.min(this.length, at));
    if (film.states) {
      const { loops = [], paths = [] } = film.states[Math.floor(this.at) - 1] ?? {};
      board.show({ loops, paths, walk: [], at: 0, back: null, runs: false });
    } else if (film.moves) {
      const { walk, back } = this.#frame(Math.floor(this.at));
      board.show({ walk, at: walk.length, closed: false, back, numbers: this.numbers, runs: true });
    } else {
      const shown = still.matches ? Math.floor(this.at) : this.at;
      const between = shown > 0 && shown < this.length;
      const change = { at: shown, back: null, numbers: this.numbers, runs: running || between };
      if (board.view.loops?.length || board.view.paths?.length) Object.assign(change, { loops: [], paths: [] });
      if (board.view.walk !== film.walk || board.view.closed !== film.closed) {
        Object.assign(change, { walk: film.walk, closed: film.closed });
      }
      board.show(change);
    }
    this.#place();
  }

  #frame(at) {
    const { marks, moves } = this.film;
    const mark = Math.floor(at / MARK);
    const walk = [...marks[mark]];
    let back = null;
    for (let place = mark * MARK; place < at; place += 1) {
      back = null;
      if (Array.isArray(moves[place])) walk.splice(0, walk.length, ...moves[place]);
      else if (moves[place]) walk.push(moves[place]);
      else back = walk.pop();
    }
    return { walk, back };
  }

  #place() {
    this.ticked.firstChild.checked = this.numbers;
    const at = Math.floor(this.at);
    const { walk, moves, states, told } = this.film;
    this.bar.max = this.length;
    this.bar.value = at;
    const here = moves ? String(moves[at - 1] ?? "").replace(/.*,/, "") : walk[(at - 1) % (walk.length || 1)] ?? "";
    const which = states ? (states[at - 1]?.words ?? "") : moves && at && !moves[at - 1] ? "back" : here;
    const more = moves && told > this.length ? ` (of ${told.toLocaleString("en")})` : "";
    const [step, last] = [at, this.length].map((each) => each.toLocaleString("en"));
    this.words.textContent = this.length ? `${step} / ${last}${more} ${which}` : "";
    this.bar.setAttribute("aria-valuetext", `step ${at} of ${this.length} ${which}`);
  }
}
