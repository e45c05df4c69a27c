// The keys of the page, in a dialog.

import { button, make } from "./make.js";

const KEYS = [
  ["Arrows, Home, End, Page Up, Page Down", "move between squares"],
  ["Enter or Space", "use the chosen tool on the square"],
  ["x, s, e", "cut the square out, start there, end there"],
  ["r, f", "begin or end a required or forbidden move"],
  ["d", "draw a tour by hand: go to the square"],
  ["digits, Backspace", "give the square a step, or delete it; take back a drawn square"],
  ["Escape", "give up a move that has begun"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["digits, Enter, +, −, h", "in a puzzle: enter a number, enter the next one, choose which is next, hint"],
  ["?", "show this list"],
];

let dialog = null;

/** Show the list. */
export function showKeys() {
  dialog ??= document.body.appendChild(make("dialog", { class: "keys", "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, KEYS.map(([keys, effect]) => [make("dt", {}, keys), make("dd", {}, effect)]).flat()),
    make("div", { class: "row buttons" }, button("Close", () => dialog.close(), { class: "main" }))));
  dialog.showModal();
}
