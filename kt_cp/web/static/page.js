// The page as a whole: its tabs, its light, its one stream of events, and what every part may ask
// of it.  A part is a module with `mount(section, page)`; a part that is missing or broken says so
// in its own section, and the others go on.

import { Board } from "./board.js";
import { isTyping, make } from "./make.js";
import { objectiveIn } from "./question.js";

const own = document.querySelector("meta[name=token]").getAttribute("content"); // "" unless the address has the token
const IDLE_MS = 3000; // after its last answer a page lets go of the stream
const STREAMS = 4; // of all pages: a browser has six connections for them, and every stream keeps one
const WAITING = `waiting, for ${STREAMS} other pages are searching`;
const LOST = "the connection to the program was lost";
const RESTARTED = "kt-cp web was started again: open the address that it printed";
const page = { id: crypto.getRandomValues(new Uint32Array(4)).join(""), choices: null, asked: 0 };
const queued = new Set(); // who is told what while there is no stream yet
const waiting = new Map(); // of each job what is told of it; a list until somebody listens

/**
 * Say a thing once: to those who see and those who listen, or, if `how` is "heard", the latter.
 * @param {string} text
 * @param {string | boolean} how
 */
page.say = (text, how = "") => {
  const said = document.getElementById("said");
  const wrong = how === true || how === "wrong";
  said.textContent = text;
  said.className = wrong ? "wrong" : String(how || "");
  clearTimeout(page.silence);
  page.silence = setTimeout(() => (said.textContent = ""), wrong ? 9000 : 5000);
};

/** A board in an element; `options` as in board.js. */
page.board = (element, options) => new Board(element, options);

/** A still picture of a walk on a board, for galleries; `options` as in board.js. */
page.thumbnail = (problem, walk = [], { closed = problem.closed, ...options } = {}) => {
  const frame = make("div", { class: "thumbnail" });
  const board = new Board(frame, { still: true, label: "Tour", ...options });
  board.show({ problem, walk, closed, at: walk.length + 1, numbers: false });
  return frame;
};

/** The token: the newest that a page of this server has stored, or that of this page's address. */
const token = () => remembered("token") || own;

/**
 * Response of the server; its error as an Error.
 * @param {string} path
 * @param {RequestInit} options
 */
async function request(path, { headers, ...options } = {}) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...headers, "X-Token": token() } });
  } catch {
    throw new Error("the program behind this page does not answer: is kt-cp web still running?");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  if (answer.status === 403 && told.error?.includes("token")) throw new Error(RESTARTED);
  throw new Error(told.error ?? `the server answered ${answer.status}`);
}

/** Answer of the server to a question, as JSON or as what `as` names. */
page.post = async (path, body, as = "json") => {
  const headers = { "Content-Type": "application/json" };
  const answer = await request(path, { method: "POST", headers, body: JSON.stringify(body) });
  return answer[as]();
};

/**
 * Ask for a search.  `handlers` has functions by the names of events (progress, moves, cycles, row,
 * outcome, error, end); `any` gets every event.  After `stop()` nothing more is told but `end`.
 * After `finish()` the search ends with what it has.
 */
page.ask = (kind, body, handlers = {}) => {
  let job = null;
  let ended = false;
  clearTimeout(page.idle);
  page.asked += 1;
  const tell = (event) => {
    if (ended) return;
    handlers.any?.(event);
    handlers[event.event]?.(event);
    if (event.event === "end") {
      ended = true;
      page.asked -= 1;
      if (!page.asked) page.idle = setTimeout(hang, IDLE_MS);
      waiting.set(job, () => {}); // what is still under way is heard by nobody
    }
  };
  const stop = () => {
    if (job !== null && !ended) page.post("/api/stop", { page: page.id, job }).catch(() => {});
    tell({ event: "end", stopped: true });
  };
  const finish = () => {
    if (job === null) stop();
    else if (!ended) page.post("/api/stop", { page: page.id, job, keep: true }).catch(() => {});
  };
  const begin = async () => {
    queued.add(tell);
    const source = await stream().finally(() => queued.delete(tell));
    if (ended) return;
    ({ job } = await page.post("/api/ask", { page: page.id, kind, ...body }));
    if (ended) return void page.post("/api/stop", { page: page.id, job }).catch(() => {});
    if (page.source !== source) throw new Error(LOST);
    const before = waiting.get(job) ?? [];
    waiting.set(job, tell);
    before.forEach(tell);
  };
  begin().catch((error) => {
    tell({ event: "error", text: error.message });
    tell({ event: "end" });
  });
  return { stop, finish };
};

/** End the stream of a page that waits for nothing: others may want its place. */
function hang() {
  page.source?.abort();
  page.leave?.();
  page.source = page.stream = null;
  waiting.clear();
}

/** The stream of events, opened by the first question and again if it was lost. */
function stream() {
  page.stream ??= place().then((found) => found && open());
  return page.stream;
}

/** Open the stream; the answer ends it.  An EventSource would need the token in its address. */
async function open() {
  const source = (page.source = new AbortController());
  const path = `/api/events?page=${page.id}`;
  const opened = request(path, { signal: source.signal });
  opened.then(({ body }) => listen(body)).catch(() => {}).finally(() => lost(source));
  await opened;
  return source;
}

/** Pass events on for as long as the stream has some. */
async function listen(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part; !(part = await reader.read()).done; ) {
    const events = (text + part.value).split("\n\n");
    text = events.pop();
    for (const event of events) if (event.startsWith("data: ")) deliver(JSON.parse(event.slice(6)));
  }
}

/** Tell an event to whoever waits for it; a fault there does not end the stream. */
function deliver(event) {
  const known = waiting.get(event.job);
  try {
    if (typeof known === "function") known(event);
    else if (known) known.push(event);
    else waiting.set(event.job, [event]);
  } catch (error) {
    reportError(error);
  }
}

/** Tell all who wait that the stream is lost, unless this page has closed it. */
function lost(source) {
  if (page.source !== source) return;
  const listening = [...waiting.values()].filter((each) => typeof each === "function");
  hang();
  for (const tell of listening) {
    tell({ event: "error", text: LOST });
    tell({ event: "end" });
  }
}

/** Wait for a place among the streams of this browser's pages; false where nobody waits any more. */
async function place() {
  if (!navigator.locks) return true; // as in a page from another machine
  for (; page.asked; await new Promise((done) => setTimeout(done, 200))) {
    for (let number = 0; number < STREAMS; number += 1) {
      const found = await new Promise((done) => navigator.locks.request(`stream ${number}`, { ifAvailable: true }, (lock) => {
        done(lock);
        return lock && new Promise((leave) => (page.leave = leave));
      }));
      if (found) return true;
    }
    for (const tell of queued) tell({ event: "progress", text: WAITING, fraction: null });
  }
  page.stream = null;
  return false;
}

/** Put a text where it can be pasted from, and say so; where that is not allowed, show it. */
page.copy = async (text, done) => {
  try {
    await navigator.clipboard.writeText(text);
    page.say(done);
  } catch {
    page.say(text);
  }
};

/** What the browser's storage has under a name, or has from now on. */
page.remember = remembered;

/** Give a file to whoever looks at the page. */
page.keep = (blob, name) => {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const PARTS = { draw: "draw.js", puzzle: "puzzle.js", compare: "compare.js", explore: "explore.js" };
let part = "draw"; // that is shown
/** @type {HTMLElement[]} */
const tabs = Array.from(document.querySelectorAll("[role=tab]"));

/** Have the address hold this question, the chosen objective, and the part that is shown. */
page.note = (told) => {
  const parts = told.split("&").filter((each) => each && !each.startsWith("tab="));
  const chosen = `objective=${page.objective}`;
  if (page.objective && !parts.includes(chosen)) parts.push(chosen);
  if (part !== "draw") parts.push(`tab=${part}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
};

/** Show one of the parts; its module is loaded and mounted when it is first shown. */
page.open = async (name) => {
  for (const tab of tabs) {
    const chosen = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  part = name;
  page.note(location.hash.slice(1));
  const section = document.getElementById(name);
  if (section.dataset.mounted) return;
  section.dataset.mounted = "yes";
  try {
    if (name !== "draw") await page.ready; // the Board tab draws before the server answers
    const { mount } = await import(`./${PARTS[name]}`);
    await mount(section, page);
  } catch (error) {
    console.error(error);
    const words = `This part of the page could not start: ${error.message}`;
    section.append(make("p", { class: "wrong" }, words));
  }
};

/** The part that the address names. */
function addressed() {
  const named = /(?:^#|&)tab=(\w+)/.exec(location.hash)?.[1] ?? "";
  return Object.hasOwn(PARTS, named) ? named : "draw";
}

function light() {
  const root = document.documentElement;
  root.dataset.theme = remembered("theme") ?? "";
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remembered("theme", root.dataset.theme);
  });
}

/** What was kept under a name, or is now; a browser that keeps nothing forgets it. */
function remembered(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Take the token out of the address: it is stored, and not for those who see or copy an address. */
function hideToken() {
  const address = new URL(location.href);
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

function tabbing() {
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => page.open(tab.getAttribute("aria-controls")));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = tabs[(place + by + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  });
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // its target would replace the question in the address
  const main = document.getElementById("main");
  main.focus();
  main.scrollIntoView();
});
const showKeys = async () => (await import("./keys.js")).showKeys();
document.getElementById("keys").addEventListener("click", showKeys);
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !isTyping(event)) showKeys();
});
light();
tabbing();
remembered("token", own);
if (token()) {
  if (remembered("token")) hideToken();
  page.ready = request("/api/choices").then((answer) => answer.json()).then((choices) => (page.choices = choices));
  window.addEventListener("hashchange", () => {
    if (location.hash.includes("board=")) page.objective = objectiveIn(location.hash); // before it is noted again
    page.open(addressed());
  });
  await page.open(addressed());
} else {
  document.getElementById("draw").append(
    make("p", { class: "wrong" }, "This address has no token: take the one that kt-cp web printed, and paste this link there."),
  );
}
