// Compare: boards × engines, a cell for every run, filled as they end, and their plot.

import { again, time } from "./answer.js";
import { button, field, make, menu } from "./make.js";

const USUAL = ["backtrack", "warnsdorff", "cpsat", "sat:lazy"]; // what is ticked at first
const SIGNS = {
  FOUND: ["✓", "a tour", "found"], IMPOSSIBLE: ["∅", "no tour", "none"], UNKNOWN: ["?", "gave up", "limit"],
  TIMEOUT: [">", "time limit", "limit"], MEMORY: [">", "memory limit", "limit"], REFUSED: ["–", "not taken", "limit"],
};

export function mount(section, page) {
  let job = null;
  let cells = new Map();
  let fastest = new Map();

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
  shown.append(make("p", { class: "rule" }, "Every run has a process of its own, and every answer is checked before it is shown."));

  function start() {
    const asked = {
      boards: [...new Set(boards.value.split(/[\s,;]+/).filter(Boolean))],
      engines: chips.map((chip) => chip.firstChild).filter((box) => box.checked).map((box) => box.value),
      kinds: kinds.value, time_limit: Number(seconds.value) || 5, seed: 0,
    };
    if (!asked.boards.length || !asked.engines.length) return say("Choose at least one board and one engine.", "wrong");
    shown.replaceChildren(table(asked));
    say("running…", "busy");
    stop.hidden = !(go.disabled = true);
    job = page.ask("compare", asked, {
      row: ({ row, done, of }) => {
        fill(row);
        say(`${done} of ${of}`, "busy");
      },
      outcome: (event) => {
        fastest.clear(); // every run comes again, now with what backs a "no"
        event.comparison.runs.forEach(fill);
        say(`${event.comparison.runs.length} runs in ${time(event.seconds)}`, "found");
        finish(event);
      },
      error: ({ text }) => say(text, "wrong"),
      end: ({ stopped }) => {
        stop.hidden = !(go.disabled = false);
        for (const cell of cells.values()) if (cell.textContent === "…") cell.textContent = "";
        if (stopped) say("stopped", "unknown");
      },
    });
    return undefined;
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
    const body = rows.map(([board, closed]) => make("tr", {},
      make("th", { scope: "row" }, `${board} ${closed ? "closed" : "open"}`),
      engines.map((engine) => {
        const cell = make("td", { "data-engine": engine }, "…");
        cells.set(`${board} ${closed} ${engine}`, cell);
        return cell;
      })));
    return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" }, make("table", { class: "results" },
      make("caption", {}, `Seconds to an answer, ${most} at most; the fastest of a row in bold`),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Board"), engines.map((each) => make("th", { scope: "col" }, each)))),
      make("tbody", {}, body)));
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
    if (!answered) return;
    const line = `${board} ${closed}`;
    const best = fastest.get(line);
    if (best && best.spent <= spent) return;
    best?.cell.classList.remove("best");
    cell.classList.add("best");
    fastest.set(line, { cell, spent });
  }

  function finish(event) {
    const file = (text, type, name) => page.keep(new Blob([text], { type }), name);
    const plot = new Blob([event.svg], { type: "image/svg+xml" });
    shown.append(
      make("figure", { class: "card plot" }, make("img", { src: URL.createObjectURL(plot), alt: "Seconds against squares, a curve for each engine" })),
      make("div", { class: "saving", role: "group", "aria-label": "Save" }, make("span", { class: "label" }, "Save"),
        button("plot as SVG", () => page.keep(plot, "comparison.svg"), { class: "quiet" }),
        button("rows as JSON", () => file(JSON.stringify(event.comparison, null, 2), "application/json", "comparison.json"), { class: "quiet" })),
      again(page, event));
  }
}
