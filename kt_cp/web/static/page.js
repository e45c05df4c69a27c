// The page as a whole: its tabs, its light, its one stream of events, and what every part may ask
// of it.  A part is a module with `mount(section, page)`; a part that is missing or broken says so
// in its own section, and the others go on.

import { Board } from "./board.js";
import { make } from "./make.js";

const token = document.querySelector("meta[name=token]").content;
const page = { id: crypto.getRandomValues(new Uint32Array(4)).join(""), choices: null };
const waiting = new Map(); // of each job what is told of it; a list until somebody listens

/** Say a thing once: to those who see and those who listen, or, if `how` is "heard", the latter. */
page.say = (text, how = "") => {
  const said = document.getElementById("said");
  const wrong = how === true || how === "wrong";
  said.textContent = text;
  said.className = wrong ? "wrong" : how;
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

/** Answer of the server to a question, as JSON or as what `as` names; its error as an Error. */
page.post = async (path, body, as = "json") => {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error("the program behind this page does not answer: is kt-cp web still running?");
  }
  if (answer.ok) return answer[as]();
  const told = await answer.json().catch(() => ({}));
  throw new Error(told.error ?? `the server answered ${answer.status}`);
};

/**
 * Ask for a search.  `handlers` has functions by the names of events (progress, moves, cycles, row,
 * outcome, error, end); `any` gets every event.  After `stop()` nothing more is told but `end`.
 */
page.ask = (kind, body, handlers = {}) => {
  let job = null;
  let ended = false;
  const tell = (event) => {
    if (ended) return;
    handlers.any?.(event);
    handlers[event.event]?.(event);
    if (event.event === "end") {
      ended = true;
      waiting.set(job, () => {}); // what is still under way is heard by nobody
    }
  };
  const stop = () => {
    if (job !== null && !ended) page.post("/api/stop", { page: page.id, job }).catch(() => {});
    tell({ event: "end", stopped: true });
  };
  stream()
    .then(() => page.post("/api/ask", { page: page.id, kind, ...body }))
    .then((answer) => {
      job = answer.job;
      if (ended) return page.post("/api/stop", { page: page.id, job }).catch(() => {});
      const before = waiting.get(job) ?? [];
      waiting.set(job, tell);
      before.forEach(tell);
    })
    .catch((error) => {
      tell({ event: "error", text: error.message });
      tell({ event: "end" });
    });
  return { stop };
};

/** The stream of events, opened by the first question and again if it was lost. */
function stream() {
  page.stream ??= new Promise((resolve) => {
    const query = new URLSearchParams({ page: page.id, token });
    const source = new EventSource(`/api/events?${query}`);
    source.onopen = resolve;
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      const known = waiting.get(event.job);
      if (typeof known === "function") known(event);
      else if (known) known.push(event);
      else waiting.set(event.job, [event]);
    };
    source.onerror = () => {
      source.close();
      page.stream = null;
      resolve();
      for (const tell of [...waiting.values()].filter((each) => typeof each === "function")) {
        tell({ event: "error", text: "the connection to the program was lost" });
        tell({ event: "end" });
      }
      waiting.clear();
    };
  });
  return page.stream;
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

/** Give a file to whoever looks at the page. */
page.keep = (blob, name) => {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const PARTS = { draw: "draw.js", puzzle: "puzzle.js", compare: "compare.js", explore: "explore.js" };
const tabs = [...document.querySelectorAll("[role=tab]")];

/** Show one of the parts; its module is loaded and mounted when it is first shown. */
page.open = async (name) => {
  for (const tab of tabs) {
    const chosen = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  const told = location.hash.slice(1).split("&").filter((part) => part && !part.startsWith("tab="));
  if (name !== "draw") told.push(`tab=${name}`);
  history.replaceState(null, "", `#${told.join("&")}`);
  const section = document.getElementById(name);
  if (section.dataset.mounted) return;
  section.dataset.mounted = "yes";
  try {
    const part = await import(`./${PARTS[name]}`);
    await part.mount(section, page);
  } catch (error) {
    console.error(error);
    const words = `This part of the page could not start: ${error.message}`;
    section.append(make("p", { class: "wrong" }, words));
  }
};

function light() {
  const root = document.documentElement;
  root.dataset.theme = remembered() ?? "";
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remembered(root.dataset.theme);
  });
}

/** The theme that was chosen, or is now; a browser that keeps nothing forgets it. */
function remembered(theme) {
  try {
    if (theme) localStorage.setItem("theme", theme);
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
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

light();
tabbing();
if (token) {
  page.choices = await (await fetch("/api/choices")).json();
  const named = /(?:^#|&)tab=(\w+)/.exec(location.hash)?.[1];
  await page.open(named in PARTS ? named : "draw");
} else {
  document.getElementById("draw").append(
    make("p", { class: "wrong" }, "This address has no token: take the one that kt-cp web printed."),
  );
}
