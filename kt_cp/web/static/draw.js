// Draw: a board and a question about it, by mouse, finger or keys.

import { mount as mountAsk } from "./ask.js";
import { controls } from "./controls.js";
import { Hand } from "./hand.js";
import { button, icon, isTyping, make, tick } from "./make.js";
import { Measures } from "./measures.js";
import { Question, TOOLS, canBe, contradiction, leftOut, moved, numbered, read, sizeOf, unread, written } from "./question.js";
import { saving } from "./save.js";
import { images } from "./shapes.js";
import { EMPTY, movesFrom } from "./squares.js";
import { Player, still } from "./watch.js";

const BY_HAND = 40; // longest side that the corner can be dragged to
const KINDS = [
  ["cut", "Cut out", "x"], ["start", "Start", "s"], ["end", "End", "e"],
  ["number", "Number", "n"], ["require", "Require", "r"], ["forbid", "Forbid", "f"], ["hand", "Draw", "d"],
];
const FIRST = // the tour that runs when the page opens
  "a1c2d4f5h4g2f4h5f6h7f8d7b8a6b4d5e3d1b2d3e1f3h2f1g3h1f2g4h6g8e7g6" +
  "h8f7e5c4a5b7c5a4c3a2c1e2g1h3g5e4d6e8g7e6d8c6a7c8b6a8c7b5a3b1d2b3";
const ZOOM = { class: "quiet icon zoom" };
const EXAMPLES = [
  ["5×5 closed: why not?", { rows: 5, columns: 5, closed: true }],
  ["A knight on a torus", { rows: 5, columns: 5, closed: true, surface: "torus" }],
];
const HINTS = {
  cut: matchMedia("(pointer: coarse)").matches
    ? "Tap squares to cut or restore."
    : "Click or drag to cut squares out, or to put them back.",
  start: "Click the square where the tour starts.",
  end: "Click the square where an open tour ends.",
  number: "Click a square to give it this number, or type one on it.",
  require: "Click two squares: the tour makes this move.",
  forbid: "Click two squares: the tour does not make this move.",
};

export async function mount(section, page) {
  const linked = location.hash.includes("board=");
  if (linked) await page.ready;
  let tool = "cut";
  let noting = null; // the timer until the address has the question
  let from = null; // the first square of a move
  let cutting = true; // whether dragging cuts out or puts back
  let typed = null; // a number that is being typed: where, its digits, and what was given before
  let forms = (_problem) => {}; // the fields beside the board show a problem, once they are there
  const question = new Question(addressed() ?? EMPTY, changed);
  page.question = question;
  page.put = (problem) => question.change(problem);
  const hand = new Hand(page, question);

  const tools = make("div", { class: "tools", role: "radiogroup", "aria-label": "What a click does" });
  const next = make("input", { type: "number", min: 1, value: 1, class: "short", "aria-label": "Next number" });
  const undo = icon("Undo (Ctrl+Z)", "↶", () => goBack());
  const redo = icon("Redo (Ctrl+Y)", "↷", () => question.redo());
  const hint = make("p", { class: "hint push" });
  const paint = tick("paint", false, (on) => board.paint(on));
  paint.classList.add("paint");
  const complete = button("Can this be completed?", completeHand, { class: "quiet complete" });
  const left = make("div", { class: "stage" });
  left.append(tools, make("div", { class: "below" }, next, hint, paint, complete, make("div", { class: "icons" }, undo, redo,
    icon("Smaller", "−", () => board.magnify(0.8), ZOOM), icon("Larger", "+", () => board.magnify(1.25), ZOOM))));
  const board = page.board(left, { label: "Board to draw on", pick, drop, sweep, key });
  const corner = icon("Drag to change the size", "⤡", () => {}, { class: "corner" });
  board.sheet.append(corner);
  const player = new Player(left, board);
  page.stage = { board, player, element: left, measures: new Measures(left, page, board, player) };
  left.append(saving(page));
  const side = make("div", { class: "side" });
  const example = (problem) => async () => {
    await page.ready;
    page.put({ ...EMPTY, ...problem });
    document.getElementById("ask").click();
  };
  const examples = make("div", { class: "examples", role: "group", "aria-label": "Examples" },
    EXAMPLES.map(([words, problem]) => button(words, example(problem), { class: "quiet" })),
    button("Solve a puzzle", () => page.open("puzzle"), { class: "quiet" }));
  section.append(make("div", { class: "work drawn" }, examples, left, side));

  for (const [kind, text, letter] of KINDS) {
    tools.append(make("button", {
      type: "button", role: "radio", "data-tool": kind, title: `${text} (key ${letter} on the board)`,
      onclick: () => choose(kind), onkeydown: across,
    }, make("i", { class: `sign ${kind}`, "aria-hidden": "true" }), text));
  }
  dragging();
  document.addEventListener("keydown", (event) => {
    const redoes = event.key === "y" || (event.key === "Z" && event.shiftKey);
    if (!(event.ctrlKey || event.metaKey) || section.hidden || isTyping(event)) return;
    if (event.key === "z") goBack();
    else if (redoes) question.redo();
    else return;
    event.preventDefault();
  });
  window.addEventListener("hashchange", () => {
    const told = addressed();
    if (told) question.change(told);
  });
  hand.changed = describe;
  choose("cut");
  changed(question.problem);
  if (!linked) {
    player.load(FIRST.match(/../g));
    if (!still.matches) player.play();
  }
  await page.ready;
  forms = controls(side, page);
  mountAsk(side, page);
  forms(question.problem);
  page.changed(question.problem);

  /** The question in the address; where one is there that cannot be read, that is said. */
  function addressed() {
    if (!page.choices) return null;
    const { squares } = page.choices.limits;
    const told = read(location.hash, squares);
    if (!told && location.hash.includes("board=")) page.say(unread(squares), true);
    const lost = leftOut(location.hash, squares);
    if (lost.length) page.say(`The link has what does not fit on its board: ${lost.join(", ")}`, true);
    return told;
  }

  function choose(kind) {
    tool = kind;
    from = null;
    typed = null;
    for (const each of tools.children) {
      const chosen = each.dataset.tool === kind;
      each.setAttribute("aria-checked", chosen);
      each.tabIndex = chosen ? 0 : -1;
    }
    next.hidden = kind !== "number";
    paint.hidden = kind !== "cut";
    complete.hidden = kind !== "hand";
    board.paint(kind === "cut" && paint.firstChild.checked);
    if (kind === "hand" && hand.path.length) hand.show();
    else marks();
    describe();
  }

  /** Say what a click does. */
  function describe() {
    hint.textContent = HINTS[tool] ?? hand.words;
    undo.disabled = !question.past.length && !(tool === "hand" && hand.path.length);
    complete.disabled = !hand.path.length;
  }

  /** Ask whether a tour goes on from the squares that are drawn. */
  async function completeHand() {
    await page.ready;
    page.complete(hand.problem);
    hand.show();
  }

  /** Undo: a move that is drawn by hand, or a change of the question. */
  function goBack() {
    if (tool !== "hand" || !hand.back()) question.undo();
  }

  /** Arrow keys go through the tools. */
  function across(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...tools.children].filter((each) => !each.disabled);
    const to = all[(all.indexOf(event.target) + by + all.length) % all.length];
    to.focus();
    to.click();
  }

  function marked() {
    return from ? { chosen: [from], reach: movesFrom(question.problem, from).map(({ name }) => name) } : {};
  }

  function marks() {
    board.show({ marks: marked() });
  }

  function pick(name) {
    const { problem } = question;
    const gone = problem.missing.includes(name);
    typed = null;
    if (tool === "cut") {
      cutting = !gone;
      cut(name);
    } else if (gone) {
      page.say(`${name} is cut out`, true);
    } else if (tool === "hand") {
      hand.pick(name);
      if (!hand.left) completeHand();
    } else if (tool in TOOLS) {
      question.change(TOOLS[tool](problem, name));
    } else if (tool === "number") {
      const step = Number(next.value);
      const was = problem.given.some(([where]) => where === name);
      if (!was && !fits(step)) return;
      const rest = problem.given.filter(([where]) => where !== name);
      question.change(was ? { given: rest } : numbered(problem, name, step));
      if (!was) next.value = step + 1;
    } else if (!from) {
      from = name;
      marks();
    } else move(name);
  }

  function move(name) {
    const { problem } = question;
    const one = from;
    from = null;
    const leads = movesFrom(problem, one).some((each) => each.name === name);
    if (leads) question.change(moved(problem, tool, one, name));
    else if (one !== name) page.say(`${one} to ${name} is no move of the piece`, true);
    marks();
  }

  function drop(name) {
    if (from) move(name);
  }

  function sweep(name) {
    if (tool === "cut") cut(name);
  }

  /** Cut a square out or put it back, and those that the chosen symmetry takes it to. */
  function cut(name) {
    const { problem } = question;
    const names = images(problem, name, page.holes);
    const rest = problem.missing.filter((each) => !names.includes(each));
    question.change({ missing: cutting ? [...rest, ...names] : rest });
  }

  /** Whether a tour of this board has such a step; said where it has not. */
  function fits(step) {
    const fine = canBe(question.problem, step);
    if (!fine) page.say(`expected a number from 1 to ${sizeOf(question.problem)}`, true);
    return fine;
  }

  function key(name, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const kind = KINDS.find(([, , letter]) => letter === event.key.toLowerCase())?.[0];
    if (kind) {
      if (kind === "end" && question.problem.closed) return page.say("a closed tour has no end", true), true;
      if (kind !== tool) choose(kind);
      if (kind !== "number") pick(name);
    } else if (/^\d$/.test(event.key)) {
      if (tool !== "number") choose("number");
      const given = question.problem.given.filter(([where]) => where !== name);
      if (typed?.name !== name) typed = { name, digits: "", given };
      typed.digits += event.key;
      if (!fits(Number(typed.digits))) return (typed = null), true;
      question.change(numbered({ given: typed.given }, name, Number(typed.digits)));
    } else if (event.key === "Backspace" && tool === "hand") {
      hand.back();
    } else if (event.key === "Backspace" || event.key === "Delete") {
      typed = null;
      question.change({ given: question.problem.given.filter(([where]) => where !== name) });
    } else if (event.key === "Escape" && from) {
      from = null;
      marks();
    } else return false;
    return true;
  }

  function changed(problem) {
    if (from && problem.missing.includes(from)) from = null;
    hand.path = [];
    player.forget();
    board.show({
      problem, walk: [], at: 0, closed: false, back: null, runs: false,
      loops: [], paths: [], lines: [], texts: {}, marks: marked(),
    });
    describe();
    redo.disabled = !question.future.length;
    tools.children[2].disabled = problem.closed;
    if (problem.closed && tool === "end") choose("start");
    forms(problem);
    page.changed?.(problem);
    const wrong = contradiction(problem);
    if (wrong) page.say(wrong, true);
    clearTimeout(noting);
    noting = setTimeout(() => page.note(written(problem)), 250);
  }

  /** Rows and columns by the corner: by mouse, finger, or arrow keys on it. */
  function dragging() {
    let began = null;
    const held = (side) => Math.max(1, Math.min(BY_HAND, side));
    corner.addEventListener("pointerdown", (event) => {
      const { rows, columns } = question.problem;
      const square = board.svg.getBoundingClientRect().width / board.box[2];
      began = { x: event.clientX, y: event.clientY, rows, columns, square };
      corner.setPointerCapture(event.pointerId);
    });
    corner.addEventListener("pointermove", (event) => {
      if (!began) return;
      const by = (now, then) => Math.round((now - then) / began.square);
      const rows = held(began.rows + by(event.clientY, began.y));
      const columns = held(began.columns + by(event.clientX, began.x));
      began.to = { rows, columns };
      page.say(`${rows} × ${columns}`);
    });
    corner.addEventListener("pointerup", () => {
      if (began?.to) question.change(began.to);
      began = null;
    });
    corner.addEventListener("keydown", ({ key: pressed }) => {
      const { rows, columns } = question.problem;
      const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[pressed];
      if (by) question.change({ rows: held(rows + by[0]), columns: held(columns + by[1]) });
    });
  }
}
