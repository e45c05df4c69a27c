// The Board tab: a board and a question about it, by mouse, touch or keys.

import { findMisfits, readProblem, unreadable, writeProblem } from "./address.js";
import { Board } from "./board.js";
import { button, checkBox, hasModifier, icon, listenForUndo, make, notify, quietButton, radios, saveRow } from "./elements.js";
import { Measures } from "./measures.js";
import { Player, stillness } from "./player.js";
import { Question, TOOLS, addStep, canMove, findContradiction, isStep, sizeOf, toggleMove } from "./question.js";
import { questionForm } from "./question_form.js";
import { savePicture } from "./server.js";
import { imagesOf } from "./shapes.js";
import { searchForm } from "./search_form.js";
import { EMPTY, movesFrom } from "./squares.js";

const CUT_HINT = matchMedia("(pointer: coarse)").matches
  ? "Tap squares to cut or restore."
  : "Click or drag to cut squares out, or to put them back.";
const MODES = { // name and key of each tool, and what a click does with it
  cut: ["Cut out", "x", CUT_HINT],
  start: ["Start", "s", "Click the square where the tour starts."],
  end: ["End", "e", "Click the square where an open tour ends."],
  number: ["Number", "n", "Click a square to give it this number, or type one on it."],
  require: ["Require", "r", "Click two squares: the tour makes this move."],
  forbid: ["Forbid", "f", "Click two squares: the tour does not make this move."],
  hand: ["Draw", "d", "Click the squares of a tour in order."],
};
const FIRST_TOUR = // is shown when the page opens
  "a1c2d4f5h4g2f4h5f6h7f8d7b8a6b4d5e3d1b2d3e1f3h2f1g3h1f2g4h6g8e7g6" +
  "h8f7e5c4a5b7c5a4c3a2c1e2g1h3g5e4d6e8g7e6d8c6a7c8b6a8c7b5a3b1d2b3";
const EXAMPLES = {
  "5×5 closed: why not?": { rows: 5, columns: 5, closed: true },
  "A knight on a torus": { rows: 5, columns: 5, closed: true, surface: "torus" },
};
const NOTE_MS = 250; // from a change to the address
const FORMATS = { svg: "SVG", png: "PNG", pdf: "PDF", json: "JSON", text: "text", npy: ".npy", gif: "GIF", mp4: "MP4" };

export async function mount(section, page) {
  const isLinked = location.hash.includes("board=");
  if (isLinked) await page.ready;
  let tool = "cut";
  let timer = null; // until the address has the question
  let from = null; // first square of a move
  let isCutting = true; // else a drag puts squares back
  let typed = null; // digits that are typed on a square, and the given steps before them
  let showFields = (_problem) => {}; // of the form, once it is there
  const question = new Question(readAddress() ?? EMPTY, changed);
  page.question = question;

  const modes = Object.entries(MODES).map(([kind, [text, key]]) =>
    [kind, [make("i", { class: `sign ${kind}`, "aria-hidden": "true" }), text], `${text} (key ${key} on the board)`]);
  const tools = radios("tool", modes, choose, { class: "tools", "aria-label": "What a click does" });
  const next = make("input", { type: "number", min: 1, value: 1, class: "short", "aria-label": "Next number" });
  const undoButton = icon("Undo (Ctrl+Z)", "↶", () => question.undo());
  const redoButton = icon("Redo (Ctrl+Y)", "↷", () => question.redo());
  const hint = make("p", { class: "hint push" });
  const brush = checkBox("paint", false, (isOn) => board.paint(isOn));
  brush.classList.add("paint");
  const complete = quietButton("Can this be completed?", completePath, { class: "quiet complete" });
  const zoom = (label, sign, factor) => icon(label, sign, () => board.magnify(factor), { class: "quiet icon zoom" });
  const stage = make("div", { class: "stage" }, tools,
    make("div", { class: "below" }, next, hint, brush, complete,
      make("div", { class: "icons" }, undoButton, redoButton, zoom("Smaller", "−", 0.8), zoom("Larger", "+", 1.25))));
  const drop = (name) => from && move(name);
  const sweep = (name) => tool === "cut" && cut(name);
  const board = new Board(stage, { label: "Board to draw on", pick, drop, sweep, key });
  const player = new Player(stage, board);
  page.stage = { board, player, element: stage, measures: new Measures(stage, board, player) };
  const side = make("div", { class: "side" });
  const ask = (problem) => async () => {
    await page.ready;
    question.change({ ...EMPTY, ...problem });
    document.getElementById("ask").click();
  };
  section.append(make("div", { class: "work drawn" },
    make("div", { class: "examples", role: "group", "aria-label": "Examples" },
      Object.entries(EXAMPLES).map(([words, problem]) => quietButton(words, ask(problem))),
      quietButton("Solve a puzzle", () => page.open("puzzle"))),
    stage, side));
  listenForUndo(section, () => question.undo(), () => question.redo());
  window.addEventListener("hashchange", () => {
    const problem = readAddress();
    if (problem) question.change(problem);
  });
  choose("cut");
  changed(question.problem);
  if (!isLinked) {
    player.load(FIRST_TOUR.match(/../g));
    if (!stillness.matches) player.play();
  }
  await page.ready;
  const formats = ["svg", "png", "pdf", "json", "text", "npy", ...page.choices.films];
  stage.append(saveRow("Save as", ...formats.map((format) =>
    quietButton(FORMATS[format], () => save(format), { "data-format": format }))));
  showFields = questionForm(side, page);
  searchForm(side, page);
  showFields(question.problem);
  page.changed(question.problem);

  /** Return the question of the address, with messages about what cannot be read. */
  function readAddress() {
    if (!page.choices) return null;
    const { squares } = page.choices.limits;
    const problem = readProblem(location.hash, squares);
    if (!problem && location.hash.includes("board=")) notify(unreadable(squares), "wrong");
    const misfits = findMisfits(location.hash, squares);
    if (misfits.length) notify(`The link has what does not fit on its board: ${misfits.join(", ")}`, "wrong");
    return problem;
  }

  function choose(kind) {
    tool = kind;
    from = typed = null;
    tools.querySelector(`[value=${kind}]`).checked = true;
    board.paint(kind === "cut" && brush.firstChild.checked);
    showTool();
  }

  /** Describe the tool, and show where a move or a path by hand may go on. */
  function showTool() {
    const path = tool === "hand" ? pathOf(question.problem) : [from].filter(Boolean);
    const [placed, left] = [path.length, sizeOf(question.problem) - path.length];
    const reach = reachOf(question.problem, path);
    const advice = left && !reach.length ? " No move is left: take one back." : "";
    const drawn = `${placed} placed, ${left} left.${advice}`;
    hint.textContent = tool === "hand" && placed ? drawn : MODES[tool][2];
    complete.disabled = !placed;
    const marks = { chosen: [from].filter(Boolean), reach };
    if (tool === "hand" && placed) player.clear({ marks, walk: path, at: placed, runs: true });
    else board.show({ marks });
  }

  /** Search for a tour that begins with the drawn squares. */
  async function completePath() {
    await page.ready;
    page.complete();
    showTool();
  }

  /** Add a square to the drawn path; go back to an earlier one; or take the last one back. */
  function extendPath(name) {
    const { problem } = question;
    const path = pathOf(problem);
    const place = path.indexOf(name);
    if (place >= 0) {
      const dropped = path.slice(Math.min(place + 1, path.length - 1));
      question.change({ given: problem.given.filter(([square]) => !dropped.includes(square)) });
    } else if (path.length && !reachOf(problem, path).includes(name)) {
      notify(`${path.at(-1)} to ${name} is no move of the piece`, "wrong");
    } else {
      question.change({ given: addStep(problem.given, name, path.length + 1) });
      if (path.length + 1 === sizeOf(problem)) completePath();
    }
  }

  function pick(name) {
    const { problem } = question;
    const isHole = problem.missing.includes(name);
    typed = null;
    if (tool === "cut") {
      isCutting = !isHole;
      cut(name);
    } else if (isHole) {
      notify(`${name} is cut out`, "wrong");
    } else if (tool === "hand") {
      extendPath(name);
    } else if (tool === "number") {
      const given = problem.given.filter(([square]) => square !== name);
      const isNew = given.length === problem.given.length;
      if (!isNew) question.change({ given });
      else if (setStep(given, name, Number(next.value))) next.value = Number(next.value) + 1;
    } else if (tool in TOOLS) {
      question.change(TOOLS[tool](problem, name));
    } else if (from) {
      move(name);
    } else {
      from = name;
      showTool();
    }
  }

  function move(name) {
    const start = from;
    from = null;
    if (canMove(question.problem, start, name)) question.change(toggleMove(question.problem, tool, start, name));
    else if (start !== name) notify(`${start} to ${name} is no move of the piece`, "wrong");
    showTool();
  }

  /** Cut a square and its images under the chosen symmetry out, or put them back. */
  function cut(name) {
    const { problem } = question;
    const names = imagesOf(problem, name, page.holes);
    const rest = problem.missing.filter((each) => !names.includes(each));
    question.change({ missing: isCutting ? [...rest, ...names] : rest });
  }

  /** Give a square a step; return whether a tour has such a step. */
  function setStep(given, name, step) {
    const isRight = isStep(question.problem, step);
    if (isRight) question.change({ given: addStep(given, name, step) });
    else notify(`expected a number from 1 to ${sizeOf(question.problem)}`, "wrong");
    return isRight;
  }

  function key(name, event) {
    if (hasModifier(event)) return false;
    const [kind] = Object.entries(MODES).find(([, [, letter]]) => letter === event.key.toLowerCase()) ?? [];
    const given = question.problem.given.filter(([square]) => square !== name);
    if (kind === "end" && question.problem.closed) {
      notify("a closed tour has no end", "wrong");
    } else if (kind) {
      if (kind !== tool) choose(kind);
      if (kind !== "number") pick(name);
    } else if (/^\d$/.test(event.key)) {
      if (tool !== "number") choose("number");
      if (typed?.name !== name) typed = { name, digits: "", given };
      typed.digits += event.key;
      if (!setStep(typed.given, name, Number(typed.digits))) typed = null;
    } else if (event.key === "Backspace" && tool === "hand") {
      pathOf(question.problem).slice(-1).forEach(extendPath); // takes the last square back
    } else if (event.key === "Backspace" || event.key === "Delete") {
      typed = null;
      question.change({ given });
    } else if (event.key === "Escape" && from) {
      from = null;
      showTool();
    } else return false;
    return true;
  }

  function changed(problem) {
    if (from && problem.missing.includes(from)) from = null;
    player.clear({ problem });
    showTool();
    undoButton.disabled = !question.past.length;
    redoButton.disabled = !question.future.length;
    tools.querySelector("[value=end]").disabled = problem.closed;
    if (problem.closed && tool === "end") choose("start");
    showFields(problem);
    page.changed?.(problem);
    const contradiction = findContradiction(problem);
    if (contradiction) notify(contradiction, "wrong");
    clearTimeout(timer);
    timer = setTimeout(() => page.writeAddress(writeProblem(problem)), NOTE_MS);
  }

  function save(format) {
    const { rows, columns } = question.problem;
    const { film, numbers } = player;
    const tour = film.walk.length ? film.walk : null;
    if (page.choices?.films.includes(format)) notify(`making the ${FORMATS[format]}…`);
    const name = `${tour ? "tour" : "board"}-${rows}x${columns}.${format === "text" ? "txt" : format}`;
    return savePicture({ problem: question.problem, tour, format, numbers }, name);
  }
}

/** Return the free squares to which a path may go on. */
function reachOf(problem, path) {
  const moves = path.length ? movesFrom(problem, path.at(-1)) : [];
  return moves.map(({ name }) => name).filter((name) => !path.includes(name));
}

/**
 * Return the path that is drawn by hand: the squares with the numbers 1, 2, 3 and so on, as far as
 * each is a move from the one before.
 */
function pathOf(problem) {
  const places = new Map(problem.given.map(([name, step]) => [step, name]));
  const path = [];
  for (let name; (name = places.get(path.length + 1)); path.push(name)) {
    if (path.length && !canMove(problem, path.at(-1), name)) break;
  }
  return path;
}
