// Puzzle: make one that has a single solution, play it, be told why, print it.

import { button, field, icon, make, menu, tick, wholeNumber } from "./make.js";
import { Measures } from "./measures.js";
import { Play } from "./play.js";
import { Sheet } from "./sheet.js";
import { Sides } from "./sides.js";
import { Player } from "./watch.js";

const METHODS = {
  easy: "single forced moves", medium: "narrowing alone", hard: "looking ahead: one guess each", expert: "search: guesses on guesses",
};

const STORED = "puzzle"; // name in the browser's storage

export function mount(section, page) {
  let play = null; // the puzzle on the board
  let told = null; // what came with it
  let job = null;
  let hinted = null;
  let hints = 0;
  let gave = false; // whether the solution was asked for
  let typed = { name: "", digits: "" };
  let seconds = 0;
  const wish = { mistakes: true, reach: true };

  const stage = make("div", { class: "stage" });
  const side = make("div", { class: "side" });
  section.append(make("div", { class: "work" }, stage, side));

  // Play

  const next = make("input", {
    type: "number", min: 1, class: "short", "aria-label": "Number to enter", onchange: () => play?.go(Number(next.value) || 1),
  });
  const clock = make("span", { class: "clock", role: "timer", "aria-label": "Time" }, "0:00");
  const undo = icon("Undo (Ctrl+Z)", "↶", () => play.undo());
  const redo = icon("Redo (Ctrl+Y)", "↷", () => play.undo(false));
  const turns = make("div", { class: "bar" },
    make("span", { class: "label", "aria-hidden": "true" }, "Next"),
    icon("The number before", "−", () => play.go(play.next - 1, -1)), next,
    icon("The number after", "+", () => play.go(play.next + 1)));
  const bar = make("div", { class: "bar" },
    turns, make("span", { class: "push" }), clock, undo, redo);
  const rule = make("p", { class: "rule" }, "A puzzle has some numbers of a tour, and exactly one tour has them all.");
  stage.append(rule, bar);
  const board = page.board(stage, { label: "Puzzle", most: 84, pick, key, tell: (name) => (play?.given.has(name) ? "clue" : "") });
  board.element.classList.add("played");
  const player = new Player(stage, board);
  new Measures(stage, page, board, player);

  const hint = button("Hint", ask);
  const use = button("Enter it", () => play.enter(hinted.square, hinted.step), { class: "quiet", hidden: true });
  const why = make("p", { class: "why", role: "status" });
  const state = make("p", { class: "state", role: "status" });
  const playing = make("div", { class: "card playing", hidden: true },
    make("h2", {}, "Play"), state,
    make("p", { class: "hint" }, "Click a square to enter the next number, a number to go on from it or take it back. Or go there with the arrow keys and type."),
    make("div", { class: "row" },
      tick("show where it may go", true, (on) => ((wish.reach = on), show())),
      tick("show mistakes", true, (on) => ((wish.mistakes = on), show()))),
    make("div", { class: "row buttons" }, hint, use, button("Start again", () => play.clear(), { class: "quiet" }),
      button("Solution", solve, { class: "quiet" })), why);

  // Make

  const sides = new Sides(page, { change: (problem) => !play && board.show({ problem }) });
  const grade = menu([["", "any"], ...page.choices.grades.map((name) => [name, `${name} (${METHODS[name]})`])], "easy");
  const symmetry = menu([["", "anywhere"], ...page.choices.symmetries], "");
  const seed = wholeNumber(page, "Seed", { min: 0, max: 2 ** 31 - 1, free: true, placeholder: "new" });
  const doing = make("p", { class: "state busy", role: "status", hidden: true });
  const go = button("Make a puzzle", start, { class: "main" });
  const stop = button("Stop", () => job?.stop(), { class: "stop", hidden: true });
  side.append(make("form", { class: "card making", onsubmit: (event) => event.preventDefault() },
    make("h2", {}, "New puzzle"), sides.element,
    make("div", { class: "row" }, field("Grade", grade), field("Places of clues", symmetry), field("Seed", seed)),
    make("div", { class: "row buttons" }, go, stop), doing), playing);
  const about = new Sheet(page);
  side.append(about.element);
  section.append(about.paper);
  bar.hidden = true;
  board.show({ problem: sides.problem });
  restore();

  setInterval(() => {
    if (!play || play.solved || section.hidden || document.hidden) return;
    seconds += 1;
    clock.textContent = time();
    if (seconds % 5 === 0) store();
  }, 1000);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || section.hidden || !play || event.target.matches("input")) return;
    const back = event.key === "z" && !event.shiftKey;
    if (!back && event.key !== "y" && event.key !== "Z") return;
    play.undo(back);
    event.preventDefault();
  });

  function time() {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function busy(words) {
    doing.hidden = !words;
    doing.className = "state busy";
    doing.textContent = words;
    stop.hidden = !words;
    go.disabled = Boolean(words);
  }

  function wrong(words) {
    busy("");
    doing.hidden = false;
    doing.className = "state wrong";
    doing.textContent = words;
  }

  function start() {
    const number = seed.value === "" ? Math.floor(Math.random() * 1e6) : Number(seed.value);
    let made = null; // the puzzle before it is certified
    const failed = (words) => {
      if (!made) return wrong(words);
      busy("");
      return about.show({ ...made, event: "outcome" });
    };
    busy("making…");
    stop.focus({ preventScroll: true });
    const asked = { problem: { ...sides.problem, symmetry: null }, seed: number, grade: grade.value || null, clues_symmetry: symmetry.value || null };
    job = page.ask("puzzle", asked, {
      queued: () => busy("in line"),
      begun: () => busy("making…"),
      progress: ({ text }) => busy(text),
      puzzle: (event) => begin((made = event)),
      outcome: (event) => {
        busy("");
        if (event.puzzle) about.show((told = event));
        else wrong(`There is no tour: ${event.outcome.reason}`);
      },
      error: ({ text }) => failed(text),
      end: ({ stopped }) => stopped && failed("stopped"),
    });
  }

  function begin(event) {
    busy("");
    told = event;
    seconds = hints = 0;
    gave = false;
    clock.textContent = time();
    playing.hidden = bar.hidden = false;
    player.clear();
    play = null;
    board.show({ problem: event.puzzle.problem, texts: {}, walk: [], at: 0 });
    rule.textContent = event.rule;
    const made = new Play(event.puzzle, show);
    play = made;
    next.max = play.size;
    about.show(event);
    show();
    page.say("The puzzle is ready.");
    if (document.activeElement === document.body) board.focus(made.places.get(play.next - 1) ?? "a1");
    stage.scrollIntoView({ block: "nearest" });
  }

  /** Keep the puzzle, what is entered, and the clock, until another visit. */
  function store() {
    page.remember(STORED, JSON.stringify({ told, entered: [...play.entered], seconds, hints, gave }));
  }

  /** Go on with the puzzle of the visit before. */
  function restore() {
    const stored = page.remember(STORED);
    if (!stored) return;
    try {
      const { told: event, entered, ...rest } = JSON.parse(stored);
      begin(event);
      ({ seconds, hints, gave } = rest);
      clock.textContent = time();
      play.restore(entered);
    } catch (error) {
      console.warn("the stored puzzle cannot be read", error);
    }
  }

  function pick(name) {
    typed = { name: "", digits: "" };
    if (play && !play.solved) play.pick(name);
  }

  function key(name, event) {
    if (!play || play.solved || event.ctrlKey || event.metaKey || event.altKey) return false;
    const on = { "+": 1, "-": -1 }[event.key];
    if (/^\d$/.test(event.key)) type(name, event.key);
    else if (event.key === "Backspace" || event.key === "Delete") {
      typed = { name: "", digits: "" };
      play.enter(name, 0);
    } else if (event.key === "h") ask();
    else if (on) play.go(play.next + on, on);
    else return false;
    return true;
  }

  /** A digit on a square: with those typed there before it, a number. */
  function type(name, digit) {
    const more = typed.name === name && typed.entered === play.entered ? typed.digits : "";
    const step = Number(more + digit);
    if (more && typed.put) play.undo(); // what stood there before the first digit
    const where = play.places.get(step);
    const put = step >= 1 && step <= play.size && !play.given.has(name) && !play.given.has(where);
    if (put) play.enter(name, step);
    else if (play.given.has(name)) page.say(`${name} is a clue`, true);
    else if (10 * step > play.size) page.say(play.given.has(where) ? `${step} is a clue, on ${where}` : `expected a number from 1 to ${play.size}`, true);
    typed = { name, digits: 10 * step > play.size ? "" : more + digit, put, entered: play.entered };
  }

  /** Draw what stands on the board. */
  function show() {
    if (!play) return;
    if (hinted && hinted.entered !== play.entered) forget();
    const { mistakes, solved } = play;
    const bad = new Set(wish.mistakes ? mistakes : []);
    const texts = Object.fromEntries([...play.entered].map(([name, step]) => [name, [step, bad.has(name) ? "wrong" : "entered"]]));
    const ends = [...play.given].filter(([name]) => [play.problem.start, play.problem.end].includes(name));
    for (const [name, step] of ends) texts[name] = [step, "given"];
    const marks = { reach: wish.reach && !solved ? play.reach : [], wrong: [...bad], ...hinted?.marks };
    board.show({ texts, marks, lines: solved ? [] : play.moves });
    next.value = play.next;
    turns.hidden = play.all.size === play.size;
    undo.disabled = !play.past.length || solved;
    redo.disabled = !play.future.length || solved;
    hint.disabled = solved;
    const left = play.size - play.all.size;
    const count = bad.size ? `, ${bad.size} wrong` : "";
    state.textContent = left ? `${left} to go${count}` : solved ? "" : `All entered${count || ", and something is wrong"}`;
    state.className = `state ${bad.size ? "wrong" : ""}`;
    if (solved) won();
    store();
  }

  function won() {
    const { tour, problem } = told.puzzle;
    const helped = hints ? `, with ${hints} hint${hints > 1 ? "s" : ""}` : "";
    state.className = "state found";
    state.textContent = gave ? "The solution." : `Solved in ${time()}${helped}.`;
    page.say(state.textContent);
    forget();
    player.load(tour, problem.closed);
    player.play();
  }

  function forget() {
    hinted = null;
    use.hidden = true;
    why.textContent = "";
  }

  function ask() {
    const { problem } = told.puzzle;
    hint.disabled = true;
    why.textContent = "thinking…";
    page.ask("hint", { problem, entered: Object.fromEntries(play.entered) }, {
      any: (event) => event.hint && reason(event.hint),
      error: ({ text }) => (why.textContent = text),
      end: () => (hint.disabled = play.solved),
    });
  }

  function reason({ kind, square, step, text, marked, struck }) {
    hints += kind === "done" ? 0 : 1;
    const marks = kind === "mistake" ? { wrong: square ? [square] : [] } : { hint: square ? [square] : [], chosen: marked, struck };
    hinted = { square, step, entered: play.entered, marks: { reach: [], ...marks } };
    why.textContent = text;
    use.hidden = kind === "mistake" || !square;
    show();
  }

  function solve() {
    gave = true;
    play.finish();
  }
}
