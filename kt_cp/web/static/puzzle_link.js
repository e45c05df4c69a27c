// A puzzle in the address, as in "play=board=6x6;given=a1=3,c4=17;seed=7;entered=b3=4;clock=95".

import { read, written } from "./question.js";

/** The text of a puzzle and of what its player has entered. */
export function linkOf({ problem, seed, grade }, { entered, seconds, hints }) {
  const parts = [written(problem), `seed=${seed}`, `grade=${grade}`];
  if (entered.length) parts.push(`entered=${entered.map((each) => each.join("=")).join(",")}`);
  if (seconds) parts.push(`clock=${seconds}`);
  if (hints) parts.push(`hints=${hints}`);
  return parts.join("&").replaceAll("&", ";");
}

/** The puzzle of an address, or null if it has none of at most so many squares. */
export function puzzleIn(address, most) {
  const text = /[#&]play=([^&]*)/.exec(address)?.[1].replaceAll(";", "&") ?? "";
  const problem = read(text, most);
  if (!problem?.given.length) return null;
  const values = new Map(text.split("&").map((part) => /** @type {[string, string]} */ (part.split(/=(.*)/s))));
  const number = (key) => Number(/^\d{1,9}$/.exec(values.get(key) ?? "")?.[0] ?? 0);
  const size = problem.rows * problem.columns - problem.missing.length;
  const pairs = (values.get("entered") ?? "").split(",").map((pair) => pair.split("="));
  const entered = pairs.map(([name, step]) => /** @type {[string, number]} */ ([name, Number(step)]))
    .filter(([name, step]) => /^[a-z]+\d+$/.test(name) && Number.isInteger(step) && step >= 1 && step <= size);
  const grade = /^\w+$/.exec(values.get("grade") ?? "")?.[0] ?? "";
  return { problem, seed: number("seed"), grade, entered, seconds: number("clock"), hints: number("hints") };
}

/** Keep a puzzle in the address, beside the drawn board. */
export function noteLink(text) {
  const others = location.hash.slice(1).split("&").filter((part) => part && !part.startsWith("play="));
  history.replaceState(null, "", `#${[...others, `play=${text}`].join("&")}`);
}
