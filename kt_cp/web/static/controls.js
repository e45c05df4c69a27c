// The fields beside the board: size, piece, surface, kind of tour, symmetry; paste, link, clear.

import { button, field, make, menu } from "./make.js";
import { read, written } from "./question.js";
import { EMPTY } from "./squares.js";

/** Make them; the answer shows a problem in them. */
export function controls(element, page) {
  const { pieces, surfaces, symmetries } = page.choices;
  const change = (patch) => page.question.change(patch);
  const number = (label, key) => {
    const set = () => input.value && change({ [key]: allowed(key, Number(input.value)) });
    const again = () => show(page.question.problem); // also where nothing changed
    const input = make("input", { type: "number", min: 1, "aria-label": label, class: "short", onchange: set, onblur: again });
    return input;
  };
  const allowed = (key, side) => {
    const { rows, columns } = page.question.problem;
    const most = Math.floor(page.choices.limits.squares / (key === "rows" ? columns : rows));
    if (side > most) page.say(`A board here has at most ${page.choices.limits.squares.toLocaleString("en")} squares.`, true);
    return Math.max(1, Math.min(most, Math.floor(side) || 1));
  };
  const rows = number("Ranks (rows)", "rows");
  const columns = number("Files (columns)", "columns");
  const piece = menu([...Object.keys(pieces), ["other", "other steps…"]], "knight", { onchange: () => leap(piece.value) });
  const steps = make("input", { type: "text", placeholder: "1,4 or 0,1+1,1", onchange: () => leap(steps.value) });
  const other = field("Steps", steps);
  const surface = menu(surfaces.map(({ name, words }) => [name, words]), "plane", { onchange: () => change({ surface: surface.value }) });
  const symmetry = menu([["", "none"], ...symmetries], "", { onchange: () => change({ symmetry: symmetry.value || null }) });
  const kinds = ["open", "closed"].map((kind) => {
    const input = make("input", { type: "radio", name: "kind", value: kind, onchange: () => change({ closed: kind === "closed" }) });
    return make("label", {}, input, make("span", {}, kind));
  });

  function leap(told) {
    if (told === "other") {
      other.hidden = false;
      steps.focus();
      return;
    }
    const leaps = pieces[told] ?? told.split("+").map((pair) => pair.split(",").map(Number));
    const whole = leaps.every((pair) => pair.length === 2 && pair.every((part) => Number.isInteger(part) && part >= 0) && (pair[0] || pair[1]));
    if (whole) change({ piece: leaps.map((pair) => [...pair].sort((a, b) => a - b)) });
    else page.say(`Expected steps such as 1,4 or 0,1+1,1; got ${told}`, true);
  }

  const clear = button("Clear", () => {
    const { rows: high, columns: wide } = page.question.problem;
    change({ ...EMPTY, rows: high, columns: wide });
  }, { class: "quiet" });
  const link = button("Copy link", async () => {
    const address = `${location.origin}/#${written(page.question.problem)}`;
    await navigator.clipboard.writeText(address).then(() => page.say("The link holds the whole question."), () => page.say(address));
  }, { class: "quiet" });

  element.append(make("form", { class: "card question", onsubmit: (event) => event.preventDefault() },
    make("div", { class: "row" },
      make("div", { class: "field" }, make("span", { class: "label", id: "size-label" }, "Size"),
        make("div", { class: "size", role: "group", "aria-labelledby": "size-label" }, rows, make("span", { "aria-hidden": "true" }, "×"), columns)),
      make("div", { class: "field" }, make("span", { class: "label", id: "kind-label" }, "Tour"),
        make("div", { class: "either", role: "radiogroup", "aria-labelledby": "kind-label" }, kinds))),
    make("div", { class: "fields" }, field("Piece", piece), other, field("Surface", surface), field("Symmetry", symmetry)),
    make("div", { class: "row buttons" }, button("Paste…", () => paste.showModal(), { class: "quiet" }), link, clear)));
  const paste = pasting(page);
  element.append(paste);

  function show(problem) {
    rows.value = problem.rows;
    columns.value = problem.columns;
    surface.value = problem.surface;
    symmetry.value = problem.symmetry ?? "";
    const known = Object.entries(pieces).find(([, leaps]) => String(leaps) === String(problem.piece))?.[0];
    piece.value = known ?? "other";
    other.hidden = Boolean(known);
    steps.value = problem.piece.map(String).join("+");
    kinds[problem.closed ? 1 : 0].firstChild.checked = true;
  }
  return show;
}

/** A board as text, or the link of a question. */
function pasting(page) {
  const text = make("textarea", { rows: 10, cols: 40, spellcheck: "false", "aria-label": "Board as text", placeholder: ". . . .\n. # . .\n. . . ." });
  const wrong = make("p", { class: "wrong", role: "alert" });
  const take = async () => {
    wrong.textContent = "";
    const linked = /#.*board=/.test(text.value) ? read(text.value.trim()) : null;
    try {
      const { problem, tour } = linked ? { problem: linked } : await page.post("/api/text", { text: text.value });
      page.question.change(problem);
      if (tour) page.stage.player.load(tour, problem.closed);
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  const dialog = make("dialog", { "aria-label": "Paste a board" },
    make("h2", {}, "Paste a board"),
    make("p", { class: "hint" }, "A drawn board (. is a square, # a hole), a grid of step numbers, names of squares, or a link."),
    text, wrong,
    make("div", { class: "row buttons" }, button("Use it", take, { class: "main" }), button("Cancel", () => dialog.close(), { class: "quiet" })));
  return dialog;
}
