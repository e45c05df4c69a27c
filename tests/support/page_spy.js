// A spy in the page: it records what the server answers and which boards are drawn, and reports
// what can be seen.  It is run before the scripts of the page; see random_walk.py.

window.print = () => {};
window.heard = [];   // {path, body, events}: requests and answers of the server
window.drawings = new Map(); // of an <svg>, the object that draws on it
const jobs = new Map(); // a job's events; they may come before its number
const eventsOf = (job) => (jobs.has(job) ? jobs : jobs.set(job, [])).get(job);

import("/static/drawing.js").then(({ Drawing }) => {
  const show = Drawing.prototype.show;
  Drawing.prototype.show = function (change) {
    drawings.set(this.svg, this);
    return show.call(this, change);
  };
}).catch(() => {});

async function record(path, options, answer) {
  if (path.startsWith("/api/events")) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part; !(part = await reader.read()).done; ) {
      const parts = (text + part.value).split("\n\n");
      text = parts.pop();
      for (const each of parts) if (each.startsWith("data: ")) {
        const event = JSON.parse(each.slice(6));
        eventsOf(event.job).push(event);
      }
    }
  } else if (options?.body) {
    const isJson = answer.headers.get("content-type") === "application/json";
    const data = isJson ? await answer.json() : {};
    const body = JSON.parse(options.body);
    heard.push({ path, body, events: path === "/api/ask" ? eventsOf(data.job) : [data] });
  }
}

const known = window.fetch;
window.fetch = async (path, options) => {
  const answer = await known(path, options);
  if (answer.ok) record(path, options, answer.clone()).catch(() => {});
  return answer;
};

/** All numbers of an answer: those of JSON, the lengths of lists, and those within sentences. */
const SENTENCES = new Set(["text", "reason", "summary", "rule", "words", "remarks", "backed"]);
function numbersIn(value, found, key = "") {
  if (typeof value === "number") {
    found.add(String(Math.abs(value)));
    if (!/seconds/.test(key)) return;
    found.add(`${value.toFixed(1)} s`);
    for (const digits of [0, 1]) found.add(`${(1000 * value).toFixed(digits)} ms`);
  } else if (typeof value === "string") {
    if (/^\d+$/.test(value)) found.add(value);
    else if (SENTENCES.has(key)) for (const [digits] of value.matchAll(/[\d,.]*\d/g)) found.add(digits.replaceAll(",", ""));
  } else if (Array.isArray(value)) {
    found.add(String(value.length));
    for (const each of value) numbersIn(each, found, key);
  } else if (value) {
    const { build_seconds: built = 0, solve_seconds: solved = 0 } = value;
    if (built || solved) numbersIn(built + solved, found, "seconds");
    for (const [name, each] of Object.entries(value)) numbersIn(each, found, name);
  }
}

window.snapshot = () => {
  const section = document.querySelector("main > section:not([hidden])");
  const seen = (each) => each.checkVisibility();
  const boards = [...section.querySelectorAll(".kt-svg")].filter(seen).map((svg) => {
    const view = drawings.get(svg)?.view;
    if (!view) return null;
    const { problem, walk = [], at = 0, closed = false, loops = [], paths = [], texts = {} } = view;
    const line = [...svg.querySelectorAll(".kt-walk path")].map((each) => each.getAttribute("d")).join("");
    const holes = svg.querySelector(".kt-holes").getAttribute("d");
    return { problem, walk, at, closed, loops, paths, texts, line, holes };
  });
  const words = (css) => [...section.querySelectorAll(css)].filter(seen).map((each) => each.innerText);
  const answers = heard.map(({ path, body, events }) => {
    const numbers = new Set();
    for (const event of events) numbersIn(event, numbers);
    const measures = path === "/api/measures" ? events[0].measures : null;
    const puzzle = events.find((event) => event.puzzle)?.puzzle ?? null;
    return { kind: body.kind ?? path, problem: body.problem ?? null, tour: body.tour ?? null, numbers: [...numbers], measures, puzzle };
  });
  return {
    part: section.id, boards, answers, hash: location.hash, text: document.body.innerText,
    results: words(".answer:not(.past) .state:not(.busy, .wrong), .title, .gallery small, #compare .results td"),
    kept: words(".kept td"),
    found: words(".answer:not(.past) .state.found"),
    plays: Boolean(section.querySelector(".kt-player")?.checkVisibility({ visibilityProperty: true })),
    measures: Object.fromEntries([...section.querySelectorAll(".measures [data-measure]")].filter(seen).map(
      (each) => [each.dataset.measure, Number(each.querySelector("b").textContent.replaceAll(",", ""))])),
    chosen: section.querySelector(".stage .kt-svg") ? boards[0] : null,
  };
};

const section = () => document.querySelector("dialog[open]") ?? document.querySelector("main > section:not([hidden])");
const isBusy = () => [...document.querySelectorAll(".state.busy")].some((each) => each.checkVisibility());

/** The enabled elements that can be seen, each with its name. */
window.controls = (css, skip) => [...section().querySelectorAll(css)]
  .filter((each) => each.checkVisibility() && !each.matches(":disabled") && !each.closest(skip))
  .map((each) => [each, each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent.trim().slice(0, 40)]);

/** Write into a field as somebody does who leaves it afterwards. */
window.write = (element, value) => {
  element.focus();
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  element.blur();
};

window.type = (element, key, ctrlKey) => {
  element.focus();
  element.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
};

/** Wait until nothing is searched, for a while. */
window.settle = (most, done) => {
  const until = performance.now() + most;
  const look = () => (isBusy() && performance.now() < until ? setTimeout(look, 20) : done());
  setTimeout(look, 20);
};

window.travel = (way, done) => {
  addEventListener("popstate", () => setTimeout(done), { once: true });
  history[way]();
};
