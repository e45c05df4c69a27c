// The form of the question: size, piece, surface, kind of tour, symmetry; paste, link, clear.

import { objectiveIn, readProblem, unreadable, writeProblem } from "./address.js";
import { buttonRow, field, form, make, menu, notify, quietButton, radios, sizeField, wholeNumber } from "./elements.js";
import { isLeap } from "./question.js";
import { copyAddress, post } from "./server.js";
import { shapeControls } from "./shapes.js";
import { EMPTY } from "./squares.js";

const LEAPS = "1,4 or 0,1+1,1"; // examples

/** Append the form to an element; return a function that shows a problem in it. */
export function questionForm(element, page) {
  const { pieces, surfaces, symmetries, limits } = page.choices;
  const change = (patch) => page.question.change(patch);
  const side = (label, key) =>
    wholeNumber(label, { "aria-label": label, change: (number) => change({ [key]: number }) });
  const rows = side("Ranks (rows)", "rows");
  const columns = side("Files (columns)", "columns");
  const closed = ["open", "closed"].map((kind) => [kind, make("span", {}, kind)]);
  const setKind = (kind) => change({ closed: kind === "closed" });
  const kinds = radios("kind", closed, setKind, { class: "either", "aria-label": "Tour" });
  const piece = menu([...Object.keys(pieces), ["other", "other steps…"]], "knight", { onchange: () => choosePiece() });
  const leaps = make("input", { type: "text", placeholder: LEAPS, onchange: () => changePiece(leaps.value) });
  const choosePiece = () =>
    piece.value === "other" ? leaps.focus() : change({ piece: pieces[piece.value] });
  const changePiece = (text) => {
    const read = text.split("+").map((leap) => leap.split(",").map(Number));
    if (!read.every(isLeap)) notify(`Expected steps such as ${LEAPS}; got ${text}`, "wrong");
    else change({ piece: read.map((leap) => leap.map(Math.abs).sort((a, b) => a - b)) });
  };
  const names = surfaces.map(({ name, words }) => [name, words]);
  const surface = menu(names, "plane", { onchange: () => change({ surface: surface.value }) });
  const setSymmetry = () => change({ symmetry: symmetry.value || null });
  const symmetry = menu([["", "none"], ...symmetries], "", { onchange: setSymmetry });
  const clear = () => change({ ...EMPTY, rows: page.question.problem.rows, columns: page.question.problem.columns });
  const copyLink = () => {
    page.writeAddress(writeProblem(page.question.problem));
    copyAddress("The link holds the whole question.");
  };
  const paste = pasteDialog(page);
  const kindField = make("div", { class: "field" }, make("span", { class: "label" }, "Tour"), kinds);
  element.append(form("question",
    make("div", { class: "row" }, sizeField(rows, columns), kindField),
    make("div", { class: "fields" }, field("Piece", piece), field("Steps", leaps),
      field("Surface", surface), field("Symmetry", symmetry)),
    buttonRow(quietButton("Paste…", () => paste.showModal()), quietButton("Copy link", copyLink),
      quietButton("Clear", clear)),
    shapeControls(page)));

  return (problem) => {
    for (const [input, key, other] of [[rows, "rows", "columns"], [columns, "columns", "rows"]]) {
      input.max = Math.floor(limits.squares / problem[other]);
      input.value = input.defaultValue = problem[key];
    }
    surface.value = problem.surface;
    symmetry.value = problem.symmetry ?? "";
    piece.value = Object.keys(pieces).find((name) => String(pieces[name]) === String(problem.piece)) ?? "other";
    leaps.value = problem.piece.join("+");
    kinds.querySelector(`[value=${problem.closed ? "closed" : "open"}]`).checked = true;
  };
}

/** Return the dialog in which a board is pasted as text or as a link, once it reads them. */
function pasteDialog(page) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("paste"));
  const text = dialog.querySelector("textarea");
  const error = dialog.querySelector("[role=alert]");
  const read = async () => {
    if (!/#.*board=/.test(text.value)) return post("/api/text", { text: text.value });
    const { squares } = page.choices.limits;
    const problem = readProblem(text.value.trim(), squares);
    if (!problem) throw new Error(unreadable(squares));
    return { problem, objective: objectiveIn(text.value) };
  };
  const use = async () => {
    error.textContent = "";
    try {
      const { problem, tour, objective } = await read();
      page.question.change(problem);
      if (objective !== undefined) page.chooseObjective(objective);
      if (tour) page.stage.player.load(tour, page.question.problem.closed);
      dialog.close();
    } catch ({ message }) {
      error.textContent = message;
    }
  };
  dialog.querySelector(".main").addEventListener("click", use);
  return dialog;
}
