// The fields beside the board: size, piece, surface, kind of tour, symmetry; paste, link, clear.

import { button, field, make, menu } from "./make.js";
import { pasting } from "./paste.js";
import { isLeap, written } from "./question.js";
import { shaping } from "./shapes.js";
import { EMPTY } from "./squares.js";

const QUIET = { class: "quiet" };

/** Make them; the answer shows a problem in them. */
export function controls(element, page) {
  const { pieces, surfaces, symmetries, limits } = page.choices;
  const change = (patch) => page.question.change(patch);

  const side = (label, key) => {
    const set = () => input.value && change({ [key]: allowed(key, Number(input.value)) });
    const again = () => show(page.question.problem); // also where nothing changed
    const told = { type: "number", min: 1, "aria-label": label, class: "short" };
    const input = make("input", { ...told, onchange: set, onblur: again });
    return input;
  };
  const allowed = (key, long) => {
    const { rows, columns } = page.question.problem;
    const most = Math.floor(limits.squares / (key === "rows" ? columns : rows));
    const squares = limits.squares.toLocaleString("en");
    if (long > most) page.say(`A board here has at most ${squares} squares.`, true);
    return Math.max(1, Math.min(most, Math.floor(long) || 1));
  };
  const rows = side("Ranks (rows)", "rows");
  const columns = side("Files (columns)", "columns");

  const kinds = ["open", "closed"].map((kind) => {
    const set = () => change({ closed: kind === "closed" });
    const input = make("input", { type: "radio", name: "kind", value: kind, onchange: set });
    return make("label", {}, input, make("span", {}, kind));
  });

  const names = [...Object.keys(pieces), ["other", "other steps…"]];
  const piece = menu(names, "knight", { onchange: () => leap(piece.value) });
  const placeholder = "1,4 or 0,1+1,1";
  const steps = make("input", { type: "text", placeholder, onchange: () => leap(steps.value) });
  const other = field("Steps", steps);
  const leap = (told) => {
    if (told === "other") {
      other.hidden = false;
      steps.focus();
      return;
    }
    const leaps = pieces[told] ?? told.split("+").map((pair) => pair.split(",").map(Number));
    if (!leaps.every(isLeap)) return page.say(`Expected steps such as ${placeholder}; got ${told}`, true);
    change({ piece: leaps.map((pair) => pair.map(Math.abs).sort((a, b) => a - b)) });
  };

  const lies = surfaces.map(({ name, words }) => [name, words]);
  const surface = menu(lies, "plane", { onchange: () => change({ surface: surface.value }) });
  const motions = [["", "none"], ...symmetries];
  const symmetry = menu(motions, "", { onchange: () => change({ symmetry: symmetry.value || null }) });

  const clear = () => {
    const { rows: high, columns: wide } = page.question.problem;
    change({ ...EMPTY, rows: high, columns: wide });
  };
  const link = () => {
    const objective = page.objective ? `&objective=${page.objective}` : "";
    page.copy(`${location.origin}/#${written(page.question.problem)}${objective}`, "The link holds the whole question.");
  };

  const group = (words, id, members, kind) => make("div", { class: "field" },
    make("span", { class: "label", id }, words), make("div", { ...kind, "aria-labelledby": id }, members));
  const times = make("span", { "aria-hidden": "true" }, "×");
  const paste = pasting(page);
  element.append(make("form", { class: "card question", onsubmit: (event) => event.preventDefault() },
    make("div", { class: "row" },
      group("Size", "size-label", [rows, times, columns], { class: "size", role: "group" }),
      group("Tour", "kind-label", kinds, { class: "either", role: "radiogroup" })),
    make("div", { class: "fields" }, field("Piece", piece), other, field("Surface", surface),
      field("Symmetry", symmetry)),
    make("div", { class: "row buttons" }, button("Paste…", () => paste.showModal(), QUIET),
      button("Copy link", link, QUIET), button("Clear", clear, QUIET)), shaping(page)), paste);

  function show(problem) {
    rows.value = problem.rows;
    columns.value = problem.columns;
    surface.value = problem.surface;
    symmetry.value = problem.symmetry ?? "";
    const same = ([, leaps]) => String(leaps) === String(problem.piece);
    const known = Object.entries(pieces).find(same)?.[0];
    piece.value = known ?? "other";
    other.hidden = Boolean(known);
    steps.value = problem.piece.map(String).join("+");
    kinds[problem.closed ? 1 : 0].firstChild.checked = true;
  }
  return show;
}
