// The Compare tab: boards × engines, a cell for each run, and a plot; both grow as runs finish.

import { equivalentCode } from "./answer.js";
import { num } from "./drawing.js";
import { button, buttonRow, chip, chipGroup, field, form, format, formatTime, make, menu, moveFocus, quietButton, saveRow, secondsField, shape } from "./elements.js";
import { SearchStatus } from "./search_status.js";
import { saveFile, saveJson } from "./server.js";

const USUAL = ["warnsdorff", "sat:lazy"]; // engines of the example, with which the page opens
const HINT = "Point at a run of the plot, or go from run to run with the arrow keys.";
const RULE = "Every run has a process of its own, and every answer is checked before it is shown.";
const SIGNS = { // of a verdict: a sign, words, and a class
  FOUND: ["✓", "a tour", "found"], IMPOSSIBLE: ["∅", "no tour", "none"], UNKNOWN: ["?", "gave up", "limit"],
  TIMEOUT: [">", "time limit", "limit"], MEMORY: [">", "memory limit", "limit"], REFUSED: ["–", "not taken", "limit"],
};

/** Return the number of squares of a board such as "5x6", or NaN. */
const squaresOf = (board) => board.split("x").map(Number).reduce((rows, columns) => rows * columns);

export function mount(section, page) {
  const { engines, limits } = page.choices;
  const boards = make("input", { type: "text", value: "5x6 6x6 8x8", spellcheck: "false", autocomplete: "off" });
  const kinds = menu([["oc", "open and closed"], ["o", "open"], ["c", "closed"]], "c");
  const seconds = secondsField(limits.most_seconds, 5);
  const names = [...new Set([...USUAL, ...engines.map(({ name }) => name)])];
  const summaryOf = (name) => engines.find((engine) => engine.name === name)?.summary;
  const chips = names.map((name) => chip(name, { value: name, checked: USUAL.includes(name) }, "", summaryOf(name)));
  const status = new SearchStatus();
  const stage = make("div", { class: "stage" });
  section.append(make("div", { class: "work" }, stage, make("div", { class: "side" }, form("",
    make("h2", {}, "Boards and engines"),
    field("Boards, with spaces between", boards),
    make("div", { class: "row" }, field("Tours", kinds), field("Most seconds a run", seconds)),
    chipGroup("Engines", chips),
    buttonRow(button("Compare", start, { class: "main" }), status.stopButton), status.line))));
  start();

  function start() {
    const request = {
      boards: [...new Set(boards.value.split(/[\s,;]+/).filter(Boolean))],
      engines: chips.map((chip) => chip.firstChild).filter((box) => box.checked).map((box) => box.value),
      kinds: kinds.value, time_limit: Number(seconds.value) || 5, seed: 0,
    };
    if (!request.boards.length || !request.engines.length) {
      return status.refuse("Choose at least one board and one engine.");
    }
    const readout = make("p", { class: "hint readout" }, HINT);
    const squares = request.boards.map(squaresOf).filter(Boolean);
    const plot = squares.length ? new RunPlot(request, squares, point) : null;
    const table = new ResultTable(request, plot);
    stage.replaceChildren(make("p", { class: "rule" }, RULE), table.element, ...(plot ? [plot.element, readout] : []));
    return status.start("compare", request, {
      row: ({ row, done, of }) => {
        table.add(row);
        status.show(`${done} of ${of}`);
      },
      outcome: (event) => {
        const { comparison, svg } = event;
        comparison.runs.forEach((each) => table.add(each)); // again, with what backs a "no"
        status.show(`${comparison.runs.length} runs in ${formatTime(event.seconds)}`, "found");
        stage.append(saveRow("Save",
          quietButton("plot as SVG", () => saveFile(svg, "comparison.svg")),
          quietButton("rows as JSON", () => saveJson(comparison, "comparison.json"))), equivalentCode(event));
      },
    }, "running…");

    function point(run) {
      readout.textContent = run?.words ?? HINT;
      stage.querySelector(".shown")?.classList.remove("shown");
      run?.cell.classList.add("shown");
    }
  }
}

/** A table of boards and engines. */
class ResultTable {
  constructor({ boards, engines, kinds, time_limit: limit }, plot) {
    this.plot = plot;
    this.rows = new Map(); // element, cells by engine, and values of the columns for sorting
    const names = [...kinds].map((kind) => (kind === "c" ? "closed" : "open"));
    for (const name of boards.flatMap((board) => names.map((kind) => `${board} ${kind}`))) {
      const cells = engines.map((engine) => [engine, make("td", { "data-engine": engine })]);
      const head = make("th", { scope: "row" }, name);
      const element = make("tr", {}, head, cells.map(([, cell]) => cell));
      this.rows.set(name, { element, cells: new Map(cells), values: { Board: this.rows.size } });
    }
    this.body = make("tbody", {}, [...this.rows.values()].map(({ element }) => element));
    this.heads = ["Board", ...engines].map((name) => {
      const sort = quietButton(name, () => this.#sort(name));
      return make("th", { scope: "col", "aria-sort": name === "Board" ? "ascending" : "none" }, sort);
    });
    this.element = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" },
      make("table", { class: "results" },
        make("caption", {}, `Seconds to an answer, ${limit} at most; the fastest of a row in bold`),
        make("thead", {}, make("tr", {}, this.heads)), this.body));
  }

  /** Sort by a column, or reverse its order.  Runs without an answer come last. */
  #sort(name) {
    const head = this.heads.find((each) => each.textContent === name);
    const isReversed = head.getAttribute("aria-sort") === "ascending";
    for (const each of this.heads) each.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", isReversed ? "descending" : "ascending");
    const key = ({ values }) => (name in values ? (isReversed ? -1 : 1) * values[name] : Number.MAX_VALUE);
    const sorted = [...this.rows.values()].sort((one, other) => key(one) - key(other));
    this.body.append(...sorted.map(({ element }) => element));
  }

  add({ board, closed, engine, verdict, reason, backed, verified, build_seconds: built, solve_seconds: solved }) {
    const row = `${board} ${closed ? "closed" : "open"}`;
    const { cells, values } = this.rows.get(row) ?? {};
    const cell = cells?.get(engine);
    if (!cell) return; // the server names the board in another way
    const [sign, words, kind] = SIGNS[verdict] ?? ["✗", verdict.toLowerCase(), "bad"];
    const seconds = (built ?? 0) + (solved ?? 0);
    const isAnswer = kind === "found" || kind === "none";
    cell.className = kind;
    cell.title = reason ?? (verified ? "judged and replayed" : words);
    cell.replaceChildren(make("span", { "aria-hidden": "true" }, `${sign} `), isAnswer ? formatTime(seconds) : words,
      make("small", {}, isAnswer ? [words, backed].filter(Boolean).join(", ") : ""));
    const name = `${engine}, ${row}`;
    const text = `${name}: ${words}${isAnswer ? `, ${formatTime(seconds)}` : ""}`;
    const squares = squaresOf(board);
    if (squares) this.plot?.add(name, { engine, squares, seconds, isAnswer, closed, cell, words: text });
    if (!isAnswer) return;
    values[engine] = seconds;
    const { Board: _, ...times } = values;
    const least = Math.min(...Object.values(times));
    for (const [other, each] of cells) each.classList.toggle("best", times[other] === least);
  }
}

const [WIDTH, HEIGHT] = [560, 250];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 545, 14, 215]; // of the curves
const LEAST = 0.001; // seconds; quicker runs lie on the same line
const COLOURS = 7; // classes c0 to c6

/** A plot of seconds, on a logarithmic scale, against squares, with a curve for each engine and kind. */
class RunPlot {
  /** `point(run)` is called with the run under the pointer or the focus, or with null. */
  constructor({ engines, time_limit: limit }, squares, point) {
    this.engines = engines;
    this.limit = limit;
    this.point = point;
    this.runs = new Map(); // by name, each with its mark
    const [least, most] = [Math.min(...squares), Math.max(...squares)];
    const unit = (RIGHT - LEFT - 36) / (most - least);
    this.x = (value) => (most === least ? (LEFT + RIGHT) / 2 : LEFT + 18 + unit * (value - least));
    const scale = (BOTTOM - TOP) / Math.log(Math.max(limit, 2 * LEAST) / LEAST);
    this.y = (value) => BOTTOM - scale * Math.log(Math.min(Math.max(value, LEAST), limit) / LEAST);
    this.curves = shape("g");
    this.marks = shape("g", { onkeydown: (event) => moveFocus(event, [...this.marks.children]) });
    const label = "Seconds against squares, a curve for each engine";
    const svg = shape("svg", { role: "group", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-label": label },
      this.#axes(new Set(squares)), this.curves, this.marks);
    const legend = engines.map((engine) => make("li", { class: this.#colour(engine) }, engine));
    this.element = make("figure", { class: "card plot" }, svg, make("ul", { class: "legend" }, legend,
      make("li", { class: "signs" }, "○ open, □ closed; hollow: no answer")));
  }

  #colour(engine) {
    return `c${this.engines.indexOf(engine) % COLOURS}`;
  }

  /** Add a run, or replace what is known of it. */
  add(name, run) {
    const mark = this.runs.get(name)?.mark ?? this.#makeMark(name, run);
    mark.setAttribute("aria-label", run.words);
    this.runs.set(name, { ...run, mark });
    this.#drawCurves();
  }

  #makeMark(name, { engine, squares, seconds, isAnswer, closed }) {
    const [x, y] = [this.x(squares), this.y(isAnswer ? seconds : this.limit)];
    const show = () => this.point(this.runs.get(name));
    const hide = () => this.point(null);
    const mark = shape("g", {
      class: `${this.#colour(engine)}${isAnswer ? "" : " hollow"}`, role: "img", tabindex: this.runs.size ? -1 : 0,
      onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide,
    }, closed
      ? shape("rect", { x: num(x - 5), y: num(y - 5), width: 10, height: 10 })
      : shape("circle", { cx: num(x), cy: num(y), r: 5.5 }));
    this.marks.append(mark);
    return mark;
  }

  #drawCurves() {
    const answers = [...this.runs.values()].filter(({ isAnswer }) => isAnswer).sort((a, b) => a.squares - b.squares);
    const kindOf = (/** @type {any} */ { engine, closed }) => `${this.#colour(engine)}${closed ? " closed" : ""} ${engine}`;
    const groups = Object.groupBy(answers, kindOf);
    this.curves.replaceChildren(...Object.entries(groups).map(([kind, runs]) => {
      const points = runs.map(({ squares, seconds }) => `${num(this.x(squares))} ${num(this.y(seconds))}`);
      return shape("path", { class: kind, d: `M${points.join("L")}` });
    }));
  }

  #axes(squares) {
    const label = (x, y, text, anchor) => shape("text", { x: num(x), y: num(y), "text-anchor": anchor }, text);
    const lines = [];
    for (let value = LEAST; value <= this.limit * 1.0001; value *= 10) {
      const time = value < 0.9 ? `${Math.round(1000 * value)} ms` : `${Math.round(value)} s`;
      const line = shape("path", { class: "axes", d: `M${LEFT} ${num(this.y(value))}H${RIGHT}` });
      lines.push(line, label(LEFT - 6, this.y(value) + 4, time, "end"));
    }
    const ticks = [...squares].map((each) => label(this.x(each), BOTTOM + 17, format(each), "middle"));
    return [...lines, ...ticks, label((LEFT + RIGHT) / 2, HEIGHT - 3, "squares", "middle")];
  }
}
