// Requests to the server, and its jobs: their events arrive over one stream of the page.

import { make, notify } from "./elements.js";

const ownToken = document.querySelector("meta[name=token]").getAttribute("content"); // "" unless the address has it
const pageId = crypto.getRandomValues(new Uint32Array(4)).join("");
const IDLE_MS = 3000; // after the last job the stream is closed
const STREAMS = 4; // of all pages: a browser has six connections, and each stream keeps one
const WAITING = `waiting, for ${STREAMS} other pages are searching`;
const DISCONNECTED = "the connection to the program was lost";
const RESTARTED = "kt-cp web was started again: open the address that it printed";

/** Return what the browser stores under a name; store a value first if there is one. */
export function remember(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null; // the browser stores nothing
  }
}

const storedToken = remember("token", ownToken);

/** Whether this page has a token.  Once it is stored, it leaves the address, which others may see. */
export const isTrusted = Boolean(storedToken || ownToken);
if (storedToken) {
  const address = new URL(location.href);
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

/**
 * Return a response of the server, or throw its error.
 * @param {string} path
 * @param {RequestInit} options
 */
async function request(path, { headers, ...options } = {}) {
  const token = remember("token") || ownToken; // another tab may have stored a newer one
  const response = await fetch(path, { ...options, headers: { ...headers, "X-Token": token } }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("the program behind this page does not answer: is kt-cp web still running?");
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  if (response.status === 403 && error?.includes("token")) throw new Error(RESTARTED);
  throw new Error(error ?? `the server answered ${response.status}`);
}

export const fetchChoices = async () => (await request("/api/choices")).json();

/** Post JSON; return the response as JSON, or in another type, such as "blob". */
export async function post(path, body, type = "json") {
  const headers = { "Content-Type": "application/json" };
  const response = await request(path, { method: "POST", headers, body: JSON.stringify(body) });
  return response[type]();
}

const jobs = new Map(); // by number: a function for the events of each job that has not ended
let lastJob = 0;
let stream = null; // a promise of the stream
let controller = null; // aborts the stream
let releaseLock = null;
let idle = null;

/**
 * Start a job.  `handlers` has functions by the names of events (progress, moves, cycles, row,
 * outcome, error, end).  After `stop()` only `end` follows; `finish()` has the search end with its
 * best answer so far.
 */
export function startJob(kind, body, handlers = {}) {
  const job = (lastJob += 1);
  let isKnown = false; // to the server
  const dispatch = (event) => {
    if (!jobs.has(job)) return;
    if (event.event === "end") jobs.delete(job);
    handlers[event.event]?.(event);
    if (!jobs.size) idle = setTimeout(disconnect, IDLE_MS);
  };
  const cancel = (options) => post("/api/stop", { page: pageId, job, ...options }).catch(() => {});
  const stop = () => {
    if (isKnown && jobs.has(job)) cancel();
    dispatch({ event: "end", stopped: true });
  };
  const finish = () => (isKnown ? cancel({ keep: true }) : stop());
  const begin = async () => {
    await (stream ??= connect());
    if (!jobs.has(job)) return;
    await post("/api/ask", { page: pageId, kind, job, ...body });
    isKnown = true;
    if (!jobs.has(job)) cancel(); // it may have been stopped meanwhile
  };
  clearTimeout(idle);
  jobs.set(job, dispatch);
  begin().catch(({ message }) => fail(message, [dispatch]));
  return { stop, finish };
}

function fail(text, failed) {
  for (const dispatch of failed) {
    dispatch({ event: "error", text });
    dispatch({ event: "end" });
  }
}

/** Open the stream.  An EventSource would need the token in its address. */
async function connect() {
  try {
    if (!(await acquireLock())) return disconnect();
    const current = (controller = new AbortController());
    const { body } = await request(`/api/events?page=${pageId}`, { signal: current.signal });
    readEvents(body).catch(() => {}).finally(() => {
      if (controller !== current) return; // this page closed it
      disconnect();
      fail(DISCONNECTED, [...jobs.values()]);
    });
  } catch (error) {
    disconnect();
    throw error;
  }
  return undefined;
}

/** Close the stream, so that other pages can have one. */
function disconnect() {
  controller?.abort();
  releaseLock?.();
  stream = controller = releaseLock = null;
}

/** Pass the events of a stream on; an error of a handler does not end it. */
async function readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part; !(part = await reader.read()).done; ) {
    const events = (text + part.value).split("\n\n");
    text = events.pop();
    for (const line of events.filter((each) => each.startsWith("data: "))) {
      const event = JSON.parse(line.slice(6));
      jobs.get(event.job)?.(event);
    }
  }
}

/** Wait for one of the streams of this browser's pages; return false if all jobs end meanwhile. */
async function acquireLock() {
  if (!navigator.locks) return true; // as in a page from another machine
  for (; jobs.size; await new Promise((resolve) => setTimeout(resolve, 200))) {
    for (let number = 0; number < STREAMS; number += 1) {
      const isFree = await new Promise((resolve) =>
        navigator.locks.request(`stream ${number}`, { ifAvailable: true }, (lock) => {
          resolve(Boolean(lock));
          return lock && new Promise((release) => (releaseLock = release));
        }));
      if (isFree) return true;
    }
    for (const dispatch of jobs.values()) dispatch({ event: "progress", text: WAITING, fraction: null });
  }
  return false;
}

/** Copy a text and show a message; show the text itself where copying is not allowed. */
export async function copyText(text, message) {
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  notify(copied ? message : text);
}

/** Copy the address of the page, without the token that it may have. */
export const copyAddress = (message) => copyText(`${location.origin}/${location.hash}`, message);

export function saveFile(content, name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const saveJson = (value, name) => saveFile(`${JSON.stringify(value, null, 2)}\n`, name);

/** Save a picture that the server draws; its format and name are in `body` and `name`. */
export async function savePicture(body, name) {
  try {
    saveFile(await post("/api/picture", body, "blob"), name);
  } catch (error) {
    notify(error.message, "wrong");
  }
}
