// Puzzle: play one that has a single solution, with pencil marks and hints, share it, print it.

import { button, icon, isTyping, make, tick } from "./make.js";
import { Measures } from "./measures.js";
import { NewPuzzle } from "./new_puzzle.js";
import { Play } from "./play.js";
import { linkOf, noteLink, puzzleIn } from "./puzzle_link.js";
import { Sheet } from "./sheet.js";
import { Player } from "./watch.js";

const STORED = "puzzle"; // name in the browser's storage
const ARGUMENTS = {
  mistake: "A number is wrong.",
  counting: "Count the moves between numbers: some number has a single free square in reach.",
  way: "Follow the ways through free squares: for some number, all lead over the same square.",
  narrowing: "Exclude squares: for some number a single square remains.",
  ahead: "Suppose that a number stands on a square, and look for a contradiction.",
  search: "No short argument helps: only a search does.",
}; // by kind of hint
const RUNGS = ["Hint", "Which squares?", "Which number?"]; // of the ladder of hints

export function mount(section, page) {
  let play = null; // the puzzle on the board
  let told = null; // what came with it
  let hinted = null; // the hint, how much of it is shown, and the numbers that it is about
  let hints = 0;
  let gave = false; // whether the solution was asked for
  let typed = { name: "", digits: "" };
  let seconds = 0;
  let linked = null; // the puzzle of the address
  const wish = { mistakes: true, reach: true, possible: false, pencil: false };

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
  const pencil = button("Pencil", () => draw(!wish.pencil), { "aria-pressed": false, title: "Pencil marks (p)" });
  const bar = make("div", { class: "bar" },
    turns, pencil, make("span", { class: "push" }), clock, undo, redo);
  const rule = make("p", { class: "rule" }, "A puzzle has some numbers of a tour, and exactly one tour has them all.");
  stage.append(rule, bar);
  const board = page.board(stage, { label: "Puzzle", most: 84, pick, key, tell: (name) => (play?.given.has(name) ? "clue" : "") });
  board.element.classList.add("played");
  const player = new Player(stage, board);
  new Measures(stage, page, board, player);

  const hint = button(RUNGS[0], ask);
  const use = button("Enter it", () => play.enter(hinted.square, hinted.step), { class: "quiet", hidden: true });
  const why = make("p", { class: "why", role: "status" });
  const state = make("p", { class: "state", role: "status" });
  const share = () => page.copy(`${location.origin}/${location.hash}`, "The link holds the puzzle, your numbers and the clock.");
  const playing = make("div", { class: "card playing", hidden: true },
    make("h2", {}, "Play"), state,
    make("p", { class: "hint" }, "Click a square to enter the next number, a number to go on from it or take it back. Or go there with the arrow keys and type."),
    make("div", { class: "row" },
      tick("show where it may go", true, (on) => ((wish.reach = on), show())),
      tick("show mistakes", true, (on) => ((wish.mistakes = on), show())),
      tick("refuse impossible numbers", false, (on) => (wish.possible = on))),
    make("div", { class: "row buttons" }, hint, use, button("Start again", () => play.clear(), { class: "quiet" }),
      button("Solution", solve, { class: "quiet" }), button("Copy link", share, { class: "quiet" })), why);
  const making = new NewPuzzle(page, {
    change: (problem) => !play && board.show({ problem }), begin, certify, isPlayed: () => Boolean(play) && isTouched(),
  });
  side.append(making.element, playing);
  const about = new Sheet(page);
  side.append(about.element);
  section.append(about.paper);
  bar.hidden = true;
  board.show({ problem: making.problem });
  if (!restore()) making.daily();
  window.addEventListener("hashchange", () => puzzleIn(location.hash, page.choices.limits.squares) && restore());

  setInterval(() => {
    if (!play || section.hidden) return;
    if (!location.hash.includes("play=")) store(); // another board was drawn
    if (!isTouched() || play.solved || document.hidden) return;
    seconds += 1;
    clock.textContent = time();
    if (seconds % 5 === 0) store();
  }, 1000);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || section.hidden || !play || isTyping(event)) return;
    const back = event.key === "z" && !event.shiftKey;
    if (!back && event.key !== "y" && event.key !== "Z") return;
    play.undo(back);
    event.preventDefault();
  });

  /** Whether the player has entered a number or got a hint; the clock runs from then on. */
  function isTouched() {
    return play.past.length > 0 || hints > 0 || seconds > 0;
  }

  function time() {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /** Put a puzzle on the board: of the day, of a link, of an earlier visit, or a new one. */
  function begin(event, kind) {
    const { puzzle, rule: text } = event;
    const link = kind === "link" ? linked : null;
    if (link && link.problem.given.length !== puzzle.problem.given.length) {
      page.say("The link's puzzle has more than one solution.", true);
      return making.daily();
    }
    told = { ...event, kind };
    seconds = link?.seconds ?? 0;
    hints = link?.hints ?? 0;
    gave = false;
    clock.textContent = time();
    playing.hidden = bar.hidden = false;
    player.clear();
    play = null;
    board.show({ problem: puzzle.problem, texts: {}, walk: [], at: 0 });
    rule.textContent = text;
    const made = new Play(puzzle, show);
    play = made;
    next.max = play.size;
    about.show(event);
    play.restore(link?.entered ?? []);
    page.say(kind === "daily" ? "The puzzle of the day is ready." : "The puzzle is ready.", kind === "made" ? "" : "heard");
    if (kind !== "made") return undefined;
    if ([document.body, making.go].includes(document.activeElement)) board.focus(made.places.get(play.next - 1) ?? "a1");
    return stage.scrollIntoView({ block: "nearest" });
  }

  /** Show the certificate of the puzzle, if it still is on the board. */
  function certify(event) {
    if (JSON.stringify(event.puzzle.problem) !== JSON.stringify(told?.puzzle.problem)) return;
    told = { ...event, kind: told.kind };
    about.show(event);
    store();
  }

  /** Keep the puzzle, what is entered, and the clock, in the address and until another visit. */
  function store() {
    const entered = [...play.entered];
    if (!section.hidden) noteLink(linkOf(told.puzzle, { entered, seconds, hints }));
    if (told.kind === "made" || isTouched()) page.remember(STORED, JSON.stringify({ told, entered, pencil: [...play.pencil], seconds, hints, gave }));
  }

  /** Go on with the puzzle of the address, or of the visit before; return whether there is one. */
  function restore() {
    linked = puzzleIn(location.hash, page.choices.limits.squares);
    try {
      const stored = JSON.parse(page.remember(STORED) ?? "null");
      const isSame = stored && (!linked || JSON.stringify(stored.told.puzzle.problem.given) === JSON.stringify(linked.problem.given));
      if (isSame) {
        const { told: event, entered, pencil: marks, ...rest } = { ...stored, ...linked };
        begin(event, "stored");
        ({ seconds, hints, gave } = rest);
        clock.textContent = time();
        play.restore(entered, marks);
        if (linked || !play.solved) return true;
      }
    } catch (error) {
      console.warn("the stored puzzle cannot be read", error);
    }
    if (linked) making.again(linked);
    return Boolean(linked);
  }

  /** Switch between numbers and pencil marks. */
  function draw(on) {
    wish.pencil = on;
    pencil.setAttribute("aria-pressed", on);
    page.say(on ? "pencil marks" : "numbers", "heard");
  }

  function pick(name) {
    typed = { name: "", digits: "" };
    if (!play || play.solved) return;
    if (play.all.has(name) || play.places.has(play.next)) play.pick(name);
    else put(name, play.next);
  }

  /** Enter a number, or mark it; return whether it was put there. */
  function put(name, step, aloud = true) {
    const refusal = wish.possible && !wish.pencil ? play.refusal(name, step) : "";
    if (refusal && aloud) page.say(refusal, true);
    if (refusal) return false;
    if (wish.pencil) play.mark(name, step);
    else play.enter(name, step);
    return true;
  }

  function key(name, event) {
    if (!play || play.solved || event.ctrlKey || event.metaKey || event.altKey) return false;
    const on = { "+": 1, "-": -1 }[event.key];
    if (/^\d$/.test(event.key)) type(name, event.key);
    else if (event.key === "Backspace" || event.key === "Delete") {
      typed = { name: "", digits: "" };
      if (play.entered.has(name)) play.enter(name, 0);
      else play.erase(name);
    } else if (event.key === "h") ask();
    else if (event.key === "p") draw(!wish.pencil);
    else if (on) play.go(play.next + on, on);
    else return false;
    return true;
  }

  /** A digit on a square: with those typed there before it, a number. */
  function type(name, digit) {
    const more = typed.name === name && typed.changes === play.past.length ? typed.digits : "";
    const step = Number(more + digit);
    if (more && typed.isPut) play.undo(); // what stood there before the first digit
    const where = play.places.get(step);
    const whole = 10 * step > play.size;
    const fits = step >= 1 && step <= play.size && !play.given.has(name) && !play.given.has(where);
    const before = play.past.length;
    const isPut = fits && put(name, step, whole) && play.past.length > before;
    if (!fits && play.given.has(name)) page.say(`${name} is a clue`, true);
    else if (!fits && whole) page.say(play.given.has(where) ? `${step} is a clue, on ${where}` : `expected a number from 1 to ${play.size}`, true);
    typed = { name, digits: whole ? "" : more + digit, isPut, changes: play.past.length };
  }

  /** Draw what stands on the board. */
  function show() {
    if (!play) return;
    if (hinted && hinted.entered !== play.entered) forget();
    const { mistakes, solved } = play;
    const bad = new Set(wish.mistakes ? mistakes : []);
    const texts = Object.fromEntries([...play.entered].map(([name, step]) => [name, [step, bad.has(name) ? "wrong" : "entered"]]));
    for (const [name, steps] of play.pencil) if (steps.length) texts[name] = [steps.join(" "), "pencil"];
    const ends = [...play.given].filter(([name]) => [play.problem.start, play.problem.end].includes(name));
    for (const [name, step] of ends) texts[name] = [step, "given"];
    const marks = { reach: wish.reach && !solved ? play.reach.filter((name) => !texts[name]) : [], wrong: [...bad], ...hinted?.marks };
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
    hint.textContent = RUNGS[0];
  }

  /** Climb the ladder of hints: the kind of argument, the squares that it is about, the number. */
  function ask() {
    if (hinted) return climb();
    const { problem } = told.puzzle;
    const { entered } = play;
    hint.disabled = true;
    why.textContent = "thinking…";
    return page.ask("hint", { problem, entered: Object.fromEntries(entered) }, {
      any: (event) => {
        if (!event.hint) return;
        if (entered !== play.entered) return void (why.textContent = ""); // the hint is about other numbers
        const { kind, square } = event.hint;
        hints += kind === "done" ? 0 : 1;
        hinted = { ...event.hint, entered, rung: square && kind !== "done" ? -1 : 1 };
        climb();
      },
      error: ({ text }) => (why.textContent = text),
      end: () => (hint.disabled = play.solved),
    });
  }

  function climb() {
    const { kind, square, text, marked, struck } = hinted;
    const rung = (hinted.rung = Math.min(2, hinted.rung + 1));
    const isLast = rung === 2;
    const isMistake = kind === "mistake";
    const names = isMistake ? [square] : [...marked, ...struck, square];
    why.textContent = isLast ? text : ARGUMENTS[kind] + (rung ? ` It is about ${names.join(", ")}.` : "");
    use.hidden = !isLast || isMistake || !square;
    hint.textContent = RUNGS[(rung + 1) % 3];
    if (rung && isMistake) hinted.marks = { reach: [], wrong: [square].filter(Boolean) };
    else if (rung) hinted.marks = { reach: [], hint: isLast && square ? [square] : [], chosen: marked, struck: isLast ? struck : [...struck, square] };
    show();
  }

  function solve() {
    gave = true;
    play.finish();
  }
}
