// The Puzzle tab: play a puzzle with a single solution, with pencil marks and hints, share and print it.

import { readPuzzle, writePuzzle } from "./address.js";
import { checkList, checkMark, equivalentCode, evidence, picture } from "./answer.js";
import { Board } from "./board.js";
import { button, buttonRow, checkBox, hasModifier, icon, listenForUndo, make, notify, plural, quietButton, saveRow } from "./elements.js";
import { Measures } from "./measures.js";
import { NewPuzzle } from "./new_puzzle.js";
import { Play } from "./play.js";
import { Player } from "./player.js";
import { copyAddress, remember, saveFile, saveJson, savePicture, startJob } from "./server.js";

const STORED = "puzzle"; // name in the browser's storage
const STORE_SECONDS = 5; // from one storing of the clock to the next
const RULE = "A puzzle has some numbers of a tour, and exactly one tour has them all.";
const HELP =
  "Click a square to enter the next number, a number to go on from it or take it back. " +
  "Or go there with the arrow keys and type.";
const ARGUMENTS = { // by kind of hint
  mistake: "A number is wrong.",
  counting: "Count the moves between numbers: some number has a single free square in reach.",
  way: "Follow the ways through free squares: for some number, all lead over the same square.",
  narrowing: "Exclude squares: for some number a single square remains.",
  ahead: "Suppose that a number stands on a square, and look for a contradiction.",
  search: "No short argument helps: only a search does.",
};
const HINTS = ["Hint", "Which squares?", "Which number?"]; // each tells more

export function mount(section, page) {
  let play = null; // the puzzle on the board
  let current = null; // the event of the server about it, and how it was chosen
  let hint = null; // the last hint, how much of it is shown, and the numbers that it is about
  let hints = 0;
  let isGivenUp = false; // the visitor asked for the solution
  let typed = { name: "", digits: "" };
  let seconds = 0;
  let linked = null; // the puzzle of the address
  let isPencil = false; // a number is entered as a mark

  const next = make("input", {
    type: "number", min: 1, class: "short", "aria-label": "Number to enter",
    onchange: () => play?.go(Number(next.value) || 1),
  });
  const clock = make("span", { class: "clock", role: "timer", "aria-label": "Time" });
  const undoButton = icon("Undo (Ctrl+Z)", "↶", () => play.undo());
  const redoButton = icon("Redo (Ctrl+Y)", "↷", () => play.redo());
  const choice = make("div", { class: "bar" },
    make("span", { class: "label", "aria-hidden": "true" }, "Next"),
    icon("The number before", "−", () => play.go(play.next - 1, -1)), next,
    icon("The number after", "+", () => play.go(play.next + 1)));
  const pencil = button("Pencil", togglePencil, { "aria-pressed": false, title: "Pencil marks (p)" });
  const bar = make("div", { class: "bar", hidden: true },
    choice, pencil, make("span", { class: "push" }), clock, undoButton, redoButton);
  const rule = make("p", { class: "rule" }, RULE);
  const stage = make("div", { class: "stage" }, rule, bar);
  const board = new Board(stage, { label: "Puzzle", most: 84, pick, key });
  board.element.classList.add("played");
  const player = new Player(stage, board);
  new Measures(stage, board, player);

  const hintButton = button(HINTS[0], askHint);
  const use = quietButton("Enter it", () => play.enter(hint.square, hint.step), { hidden: true });
  const reason = make("p", { class: "why", role: "status" });
  const state = make("p", { class: "state", role: "status" });
  const share = () => copyAddress("The link holds the puzzle, your numbers and the clock.");
  const reachBox = checkBox("show where it may go", true, show);
  const mistakesBox = checkBox("show mistakes", true, show);
  const refuseBox = checkBox("refuse impossible numbers", false, show);
  const playing = make("div", { class: "card playing", hidden: true },
    make("h2", {}, "Play"), state, make("p", { class: "hint" }, HELP),
    make("div", { class: "row" }, reachBox, mistakesBox, refuseBox),
    buttonRow(hintButton, use, quietButton("Start again", () => play.clear()), quietButton("Solution", giveUp),
      quietButton("Copy link", share)), reason);
  const making = new NewPuzzle(page, {
    change: (problem) => play || board.show({ problem }), begin, certify, isPlayed: () => Boolean(play) && isTouched(),
  });
  const sheet = new Sheet();
  const side = make("div", { class: "side" }, making.element, playing, sheet.element);
  section.append(make("div", { class: "work" }, stage, side), sheet.paper);
  board.show({ problem: making.question.problem });
  showTime(0);
  if (!restore()) making.makeDaily();
  window.addEventListener("hashchange", () => readPuzzle(location.hash, page.choices.limits.squares) && restore());
  listenForUndo(section, () => play?.undo(), () => play?.redo());
  setInterval(() => {
    if (!play || section.hidden) return;
    if (!location.hash.includes("play=")) store(); // another board was drawn
    if (!isTouched() || play.isSolved || document.hidden) return;
    showTime(seconds + 1);
    if (seconds % STORE_SECONDS === 0) store();
  }, 1000);

  /** Return whether the visitor has entered a number or had a hint; the clock runs from then on. */
  function isTouched() {
    return play.past.length > 0 || hints > 0 || seconds > 0;
  }

  function showTime(now) {
    seconds = now;
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /**
   * Put a puzzle on the board, with the progress of an earlier visit.  Its kind is "daily", "link",
   * "stored" or "made".
   */
  function begin(event, kind, earlier = kind === "link" ? linked : {}) {
    const { puzzle } = event;
    if (kind === "link" && linked.problem.given.length !== puzzle.problem.given.length) {
      notify("The link's puzzle has more than one solution.", "wrong");
      return making.makeDaily();
    }
    current = { ...event, kind };
    ({ hints = 0, isGivenUp = false } = earlier);
    showTime(earlier.seconds ?? 0);
    playing.hidden = bar.hidden = false;
    play = null;
    player.clear({ problem: puzzle.problem });
    rule.textContent = event.rule;
    play = new Play(puzzle, show);
    next.max = play.size;
    sheet.show(event);
    play.restore(earlier.entered ?? [], earlier.pencil);
    const name = kind === "daily" ? "The puzzle of the day" : "The puzzle";
    notify(`${name} is ready.`, kind === "made" ? "" : "announced");
    if (kind !== "made") return undefined;
    const isFree = [document.body, making.makeButton].includes(document.activeElement);
    if (isFree) board.focus(play.places.get(play.next - 1) ?? "a1");
    return stage.scrollIntoView({ block: "nearest" });
  }

  /** Show the certificate of the puzzle, if it is still on the board. */
  function certify(event) {
    if (JSON.stringify(event.puzzle.problem) !== JSON.stringify(current?.puzzle.problem)) return;
    current = { ...event, kind: current.kind };
    sheet.certify(event);
    store();
  }

  /** Keep the puzzle and its progress in the address, and for another visit. */
  function store() {
    const entered = [...play.entered];
    const progress = { entered, seconds, hints };
    const others = location.hash.slice(1).split("&").filter((part) => !part.startsWith("play="));
    if (!section.hidden) page.writeAddress([...others, `play=${writePuzzle(current.puzzle, progress)}`].join("&"));
    if (current.kind !== "made" && !isTouched()) return;
    remember(STORED, JSON.stringify({ event: current, pencil: [...play.pencil], isGivenUp, ...progress }));
  }

  /** Go on with the puzzle of the address, or of the last visit; return whether there is one. */
  function restore() {
    linked = readPuzzle(location.hash, page.choices.limits.squares);
    try {
      const stored = JSON.parse(remember(STORED) ?? "null");
      const given = stored && JSON.stringify(stored.event.puzzle.problem.given);
      if (stored && (!linked || given === JSON.stringify(linked.problem.given))) {
        begin(stored.event, "stored", { ...stored, ...linked });
        if (linked || !play.isSolved) return true;
      }
    } catch (error) {
      console.warn("the stored puzzle cannot be read", error);
    }
    if (linked) making.open(linked);
    return Boolean(linked);
  }

  function togglePencil() {
    isPencil = !isPencil;
    pencil.setAttribute("aria-pressed", isPencil);
    notify(isPencil ? "pencil marks" : "numbers", "announced");
  }

  function pick(name) {
    typed = { name: "", digits: "" };
    if (!play || play.isSolved) return;
    if (play.all.has(name) || play.places.has(play.next)) play.pick(name);
    else put(name, play.next);
  }

  function put(name, step, isFinal = true) {
    const refusal = refuseBox.control.checked && !isPencil ? play.refusal(name, step) : "";
    if (refusal && isFinal) notify(refusal, "wrong");
    if (refusal) return false;
    if (isPencil) play.mark(name, step);
    else play.enter(name, step);
    return true;
  }

  function key(name, event) {
    if (!play || play.isSolved || hasModifier(event)) return false;
    const direction = { "+": 1, "-": -1 }[event.key];
    if (/^\d$/.test(event.key)) type(name, event.key);
    else if (event.key === "Backspace" || event.key === "Delete") {
      typed = { name: "", digits: "" };
      play.erase(name);
    } else if (event.key === "h") askHint();
    else if (event.key === "p") togglePencil();
    else if (direction) play.go(play.next + direction, direction);
    else return false;
    return true;
  }

  /** Add a digit to the number that is typed on a square. */
  function type(name, digit) {
    const before = typed.name === name && typed.changes === play.past.length ? typed.digits : "";
    if (before && typed.isPut) play.undo(); // the number without this digit
    const step = Number(before + digit);
    const isWhole = 10 * step > play.size; // it can have no more digits
    const place = play.places.get(step);
    const changes = play.past.length;
    let isPut = false;
    if (play.given.has(name)) notify(`${name} is a clue`, "wrong");
    else if (step >= 1 && step <= play.size && !play.given.has(place)) {
      isPut = put(name, step, isWhole) && play.past.length > changes;
    } else if (isWhole) {
      const isClue = play.given.has(place);
      notify(isClue ? `${step} is a clue, on ${place}` : `expected a number from 1 to ${play.size}`, "wrong");
    }
    typed = { name, digits: isWhole ? "" : before + digit, isPut, changes: play.past.length };
  }

  function show() {
    if (!play) return;
    if (hint && hint.entered !== play.entered) forgetHint();
    const { mistakes, isSolved, problem } = play;
    const wrong = mistakesBox.control.checked ? mistakes : [];
    const ends = [...play.given].filter(([name]) => [problem.start, problem.end].includes(name));
    const pencilled = [...play.pencil].filter(([, steps]) => steps.length);
    const texts = Object.fromEntries([
      ...[...play.entered].map(([name, step]) => [name, [step, wrong.includes(name) ? "wrong" : "entered"]]),
      ...pencilled.map(([name, steps]) => [name, [steps.join(" "), "pencil"]]),
      ...ends.map(([name, step]) => [name, [step, "given"]]),
    ]);
    const reach = reachBox.control.checked && !isSolved ? play.reach.filter((name) => !texts[name]) : [];
    board.show({ texts, marks: { reach, wrong, ...hint?.marks }, lines: isSolved ? [] : play.moves });
    next.value = play.next;
    choice.hidden = play.all.size === play.size;
    undoButton.disabled = !play.past.length || isSolved;
    redoButton.disabled = !play.future.length || isSolved;
    hintButton.disabled = isSolved;
    const left = play.size - play.all.size;
    const count = wrong.length ? `, ${wrong.length} wrong` : "";
    state.textContent = left ? `${left} to go${count}` : `All entered${count || ", and something is wrong"}`;
    state.className = `state ${wrong.length ? "wrong" : ""}`;
    if (isSolved) celebrate();
    store();
  }

  function celebrate() {
    const { tour, problem } = current.puzzle;
    const help = hints ? `, with ${plural(hints, "hint")}` : "";
    state.className = "state found";
    state.textContent = isGivenUp ? "The solution." : `Solved in ${clock.textContent}${help}.`;
    notify(state.textContent);
    forgetHint();
    player.load(tour, problem.closed);
    player.play();
  }

  function forgetHint() {
    hint = null;
    use.hidden = true;
    reason.textContent = "";
    hintButton.textContent = HINTS[0];
  }

  /** Show the kind of argument, then its squares, then the number. */
  function askHint() {
    if (hint) return showHint();
    const { entered } = play;
    hintButton.disabled = true;
    reason.textContent = "thinking…";
    const receive = (event) => {
      reason.textContent = "";
      if (entered !== play.entered) return; // the hint is about other numbers
      const isDone = event.hint.kind === "done";
      hints += isDone ? 0 : 1;
      hint = { ...event.hint, entered, level: event.hint.square && !isDone ? -1 : 1 };
      showHint();
    };
    return startJob("hint", { problem: current.puzzle.problem, entered: Object.fromEntries(entered) }, {
      outcome: receive,
      error: ({ text }) => (reason.textContent = text),
      end: () => (hintButton.disabled = play.isSolved),
    });
  }

  function showHint() {
    const { kind, square, text, marked = [], struck = [] } = hint; // a mistake has no marks
    const level = (hint.level = Math.min(2, hint.level + 1));
    const isLast = level === 2;
    const isMistake = kind === "mistake";
    const names = isMistake ? [square] : [...marked, ...struck, square];
    reason.textContent = isLast ? text : ARGUMENTS[kind] + (level ? ` It is about ${names.join(", ")}.` : "");
    use.hidden = !isLast || isMistake || !square;
    hintButton.textContent = HINTS[(level + 1) % 3];
    const found = [square].filter(Boolean);
    const marks = isLast ? { hint: found, struck } : { hint: [], struck: [...struck, ...found] };
    if (level) hint.marks = { reach: [], ...(isMistake ? { wrong: found } : { chosen: marked, ...marks }) };
    show();
  }

  function giveUp() {
    isGivenUp = true;
    play.solve();
  }
}

/** A puzzle to take away: a card with its certificate and files, and `paper`, which is printed. */
class Sheet {
  constructor() {
    this.element = make("div", { class: "card about" });
    this.paper = make("div", { class: "paper" });
    this.proof = make("div", { class: "proof" });
  }

  /** Show a puzzle; its certificate may follow. */
  show(event) {
    const { puzzle, rule, svg, solution_svg: solution, command, python } = event;
    const { problem, grade, seed, tour } = puzzle;
    const name = `puzzle-${problem.rows}x${problem.columns}-${seed}`;
    const solved = make("div", { class: "page", hidden: true }, picture(solution, "The solution"));
    this.paper.replaceChildren(make("div", { class: "page" }, make("p", {}, rule), picture(svg, "The puzzle")), solved);
    const pdf = () => savePicture({ problem, tour, grade, seed, both: !solved.hidden, format: "pdf" }, `${name}.pdf`);
    this.element.replaceChildren(
      make("h2", {}, `${grade} puzzle `, make("small", {}, `seed ${seed}, ${plural(problem.given.length, "clue")}`)),
      this.proof,
      saveRow("Print or save",
        button("Print", () => window.print()),
        checkBox("with the solution", false, (isOn) => (solved.hidden = !isOn)),
        quietButton("SVG", () => saveFile(svg, `${name}.svg`)),
        quietButton("PDF", pdf),
        quietButton("JSON", () => saveJson(puzzle, `${name}.json`))),
      equivalentCode({ command, python }));
    this.certify(event);
  }

  /** Show the certificate of the puzzle, or that it is still being made. */
  certify({ event, puzzle: { problem }, certificate }) {
    const wait = event === "puzzle" ? "a certificate is being made" : "no certificate was found";
    this.proof.replaceChildren(...(certificate
      ? [checkList(checkMark(true, "The only solution: a certificate says that no other tour has these numbers.")),
        ...evidence({ problem, certificate, name: "puzzle" })]
      : [checkList(checkMark(false, `It has one solution; ${wait}.`))]));
  }
}
