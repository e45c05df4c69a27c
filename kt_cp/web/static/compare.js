// Compare: boards × engines, a cell for every run, and a plot of them; both grow as runs end.

import { again, time } from "./answer.js";
import { button, field, make, menu } from "./make.js";
import { RunPlot } from "./run_plot.js";

const USUAL = ["backtrack", "warnsdorff", "cpsat", "sat:lazy"]; // what is ticked at first
const EXAMPLE = { boards: ["5x6", "6x6", "8x8"], engines: ["warnsdorff", "sat:lazy"], kinds: "c", time_limit: 5, seed: 0 };
const POINT = "Point at a run of the plot, or go from run to run with the arrow keys.";
const SIGNS = {
  FOUND: ["✓", "a tour", "found"], IMPOSSIBLE: ["∅", "no tour", "none"], UNKNOWN: ["?", "gave up", "limit"],
  TIMEOUT: [">", "time limit", "limit"], MEMORY: [">", "memory limit", "limit"], REFUSED: ["–", "not taken", "limit"],
};

export function mount(section, page) {
  let job = null;
  let cells = new Map(); // by board, kind and engine
  let fastest = new Map();
  let lines = []; // of the table: their element, and the seconds of each engine
  let plot = null;

  const boards = make("input", { type: "text", value: "5x5 6x6 8x8", spellcheck: "false", autocomplete: "off" });
  const kinds = menu([["oc", "open and closed"], ["o", "open"], ["c", "closed"]], "oc");
  const seconds = make("input", { type: "number", min: 0.1, max: page.choices.limits.most_seconds, step: "any", value: 5, class: "short" });
  const names = [...new Set([...USUAL, ...page.choices.engines.map(({ name }) => name)])];
  const chips = names.map((name) => {
    const known = page.choices.engines.find((each) => each.name === name);
    const box = make("input", { type: "checkbox", value: name, checked: USUAL.includes(name) });
    return make("label", { class: "chip", title: known?.summary }, box, make("span", {}, name));
  });
  const go = button("Compare", start, { class: "main" });
  const stop = button("Stop", () => job?.stop(), { class: "stop", hidden: true });
  const state = make("p", { class: "state", role: "status" });
  const shown = make("div", { class: "stage" });
  section.append(make("div", { class: "work" },
    shown,
    make("div", { class: "side" }, make("form", { class: "card", onsubmit: (event) => event.preventDefault() },
      make("h2", {}, "Boards and engines"),
      field("Boards, with spaces between", boards),
      make("div", { class: "row" }, field("Tours", kinds), field("Most seconds a run", seconds)),
      make("fieldset", {}, make("legend", {}, "Engines"), make("div", { class: "chips" }, chips)),
      make("div", { class: "row buttons" }, go, stop), state))));
  const rule = make("p", { class: "rule" }, "Every run has a process of its own, and every answer is checked before it is shown.");
  run(EXAMPLE, " (an example)");

  function start() {
    const asked = {
      boards: [...new Set(boards.value.split(/[\s,;]+/).filter(Boolean))],
      engines: chips.map((chip) => chip.firstChild).filter((box) => box.checked).map((box) => box.value),
      kinds: kinds.value, time_limit: Number(seconds.value) || 5, seed: 0,
    };
    if (!asked.boards.length || !asked.engines.length) return say("Choose at least one board and one engine.", "wrong");
    return run(asked);
  }

  /** Run a comparison, and show it; `after` is put after what is said of it. */
  function run(asked, after = "") {
    job?.stop();
    const readout = make("p", { class: "hint readout" }, POINT);
    const sizes = asked.boards.map((board) => board.split("x").map(Number)).map(([rows, columns]) => rows * columns).filter(Boolean);
    const show = (each) => {
      readout.textContent = each?.words ?? POINT;
      for (const cell of cells.values()) cell.classList.toggle("shown", cell === each?.cell);
    };
    plot = sizes.length ? new RunPlot({ engines: asked.engines, squares: sizes, seconds: asked.time_limit, show }) : null;
    shown.replaceChildren(rule, table(asked), ...(plot ? [plot.element, readout] : []));
    say(`running…${after}`, "busy");
    stop.hidden = false;
    const mine = page.ask("compare", asked, {
      row: ({ row, done, of }) => {
        fill(row);
        say(`${done} of ${of}${after}`, "busy");
      },
      outcome: (event) => {
        fastest.clear(); // every run comes again, now with what backs a "no"
        event.comparison.runs.forEach(fill);
        say(`${event.comparison.runs.length} runs in ${time(event.seconds)}${after}`, "found");
        finish(event);
      },
      error: ({ text }) => say(text, "wrong"),
      end: ({ stopped }) => {
        if (job !== mine) return;
        stop.hidden = true;
        for (const cell of cells.values()) if (cell.textContent === "…") cell.textContent = "";
        if (stopped) say("stopped", "unknown");
      },
    });
    job = mine;
  }

  function say(text, kind) {
    state.className = `state ${kind}`;
    state.textContent = text;
  }

  /** The table of what was asked, whose cells wait. */
  function table({ boards: asked, engines, kinds: both, time_limit: most }) {
    cells = new Map();
    fastest = new Map();
    const rows = asked.flatMap((board) => [...both].map((kind) => [board, kind === "c"]));
    lines = rows.map(([board, closed], place) => ({ key: `${board} ${closed}`, spent: { Board: place }, element: make("tr", {},
      make("th", { scope: "row" }, `${board} ${closed ? "closed" : "open"}`),
      engines.map((engine) => {
        const cell = make("td", { "data-engine": engine }, "…");
        cells.set(`${board} ${closed} ${engine}`, cell);
        return cell;
      })) }));
    const body = make("tbody", {}, lines.map(({ element }) => element));
    const heads = ["Board", ...engines].map((name) =>
      make("th", { scope: "col", "aria-sort": name === "Board" ? "ascending" : "none" }, button(name, ({ target }) => sort(target.parentElement, name, body), { class: "quiet" })));
    return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" }, make("table", { class: "results" },
      make("caption", {}, `Seconds to an answer, ${most} at most; the fastest of a row in bold`),
      make("thead", {}, make("tr", {}, heads)), body));
  }

  /** Sort the lines by a column; again in the other direction.  Runs without an answer come last. */
  function sort(head, name, body) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of head.parentElement.children) each.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const by = ({ spent }) => (name in spent ? (down ? -1 : 1) * spent[name] : Infinity);
    body.append(...lines.toSorted((a, b) => (by(a) === by(b) ? 0 : by(a) - by(b))).map(({ element }) => element));
  }

  function fill(row) {
    const { board, closed, engine, verdict, reason, backed } = row;
    const cell = cells.get(`${board} ${closed} ${engine}`);
    if (!cell) return;
    const [sign, words, kind] = SIGNS[verdict] ?? ["✗", verdict.toLowerCase(), "bad"];
    const spent = (row.build_seconds ?? 0) + (row.solve_seconds ?? 0);
    const answered = kind === "found" || kind === "none";
    cell.className = kind;
    cell.title = reason ?? (row.verified ? "judged and replayed" : words);
    cell.replaceChildren(make("span", { "aria-hidden": "true" }, `${sign} `), answered ? time(spent) : words,
      make("small", {}, answered ? (backed ? `${words}, ${backed}` : words) : ""));
    const line = `${board} ${closed}`;
    const [rows, columns] = board.split("x").map(Number);
    const name = `${engine}, ${board} ${closed ? "closed" : "open"}`;
    const known = `${name}: ${words}${answered ? `, ${time(spent)}` : ""}`;
    if (rows && columns) plot?.add(name, { engine, squares: rows * columns, spent, isAnswer: answered, closed, cell, words: known });
    if (!answered) return;
    lines.find(({ key }) => key === line).spent[engine] = spent;
    const best = fastest.get(line);
    if (best && best.spent <= spent) return;
    best?.cell.classList.remove("best");
    cell.classList.add("best");
    fastest.set(line, { cell, spent });
  }

  function finish(event) {
    const file = (text, type, name) => page.keep(new Blob([text], { type }), name);
    shown.append(
      make("div", { class: "saving", role: "group", "aria-label": "Save" }, make("span", { class: "label" }, "Save"),
        button("plot as SVG", () => file(event.svg, "image/svg+xml", "comparison.svg"), { class: "quiet" }),
        button("rows as JSON", () => file(JSON.stringify(event.comparison, null, 2), "application/json", "comparison.json"), { class: "quiet" })),
      again(page, event));
  }
}
