// Elements of a page: makers, small controls, messages, and helpers for keys and numbers.

/**
 * Return an element with attributes, listeners and children: make("button", {onclick: f}, "Ask").
 * A key that begins with "on" is a listener.  True is an empty attribute; false, null and undefined
 * leave it out.  Children are elements, texts (never HTML), or lists of them.
 */
export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Return an element of SVG, in the same way. */
export const shape = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

let fields = 0;

export function field(text, control) {
  control.id ||= `field-${++fields}`;
  return make("div", { class: "field" }, make("label", { for: control.id }, text), control);
}

/** A menu of choices, each a text or [value, text]. */
export function menu(choices, chosen, attributes = {}) {
  const options = choices.map((each) => {
    const [value, text] = Array.isArray(each) ? each : [each, each];
    return make("option", { value, selected: value === chosen }, text);
  });
  return make("select", attributes, options);
}

/** Radio buttons, one for each [value, content, title]; `change(value)` is called with the choice. */
export function radios(name, choices, change, attributes = {}) {
  return make("div", { role: "radiogroup", ...attributes }, choices.map(([value, content, title]) =>
    make("label", { title }, make("input", { type: "radio", name, value, onchange: () => change(value) }), content)));
}

/**
 * A field for a whole number.  It refuses other input with a message and restores the previous
 * number; `change(number)` is called with each valid one.  With `optional`, it may be empty.
 * @param {string} label
 * @param {Record<string, any>} options
 */
export function wholeNumber(label, { min = 1, optional = false, change = () => {}, ...attributes }) {
  const validate = () => {
    if (input.validity.valid) {
      input.defaultValue = input.value;
      change(Number(input.value));
    } else {
      const range = `from ${format(min)} to ${format(Number(input.max))}`;
      notify(`${label}: expected a whole number ${range}, got ${input.value || "none"}`, "wrong");
      input.value = input.defaultValue;
    }
  };
  const input = make("input", {
    type: "number", min, required: !optional, class: "short", ...attributes, onchange: validate,
  });
  return input;
}

export function checkBox(text, checked, change) {
  const box = make("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return make("label", { class: "tick" }, box, text);
}

/** A field for the seed of a search. */
export const seedField = (options) => wholeNumber("Seed", { min: 0, max: 2 ** 31 - 1, ...options });

/** A field for a limit in seconds, which need not be whole. */
export const secondsField = (most, value) =>
  make("input", { type: "number", min: 0.1, max: most, step: "any", value, class: "short" });

/** The fields of rows and columns. */
export function sizeField(rows, columns) {
  const times = make("span", { "aria-hidden": "true" }, "×");
  const size = make("div", { class: "size", role: "group", "aria-label": "Size" }, rows, times, columns);
  return make("div", { class: "field" }, make("span", { class: "label" }, "Size"), size);
}

/** A check box that looks like a chip; `words` stand beside it. */
export function chip(name, attributes, words = "", title = null) {
  const box = make("input", { type: "checkbox", ...attributes });
  return make("label", { class: "chip", title }, box, make("span", {}, name), words && make("small", {}, words));
}

export const chipGroup = (legend, chips) =>
  make("fieldset", {}, make("legend", {}, legend), make("div", { class: "chips" }, chips));

export const button = (text, act, attributes = {}) =>
  make("button", { type: "button", onclick: act, ...attributes }, text);

/** A button of less weight. */
export const quietButton = (text, act, attributes = {}) =>
  button(text, act, { class: "quiet", ...attributes });

/** A button with a sign; its label is its tooltip, too. */
export const icon = (label, sign, act, attributes = {}) =>
  button(sign, act, { class: "quiet icon", "aria-label": label, title: label, ...attributes });

export const buttonRow = (...buttons) => make("div", { class: "row buttons" }, ...buttons);

/** A labelled row of buttons that save something. */
export function saveRow(text, ...buttons) {
  const label = make("span", { class: "label" }, text);
  return make("div", { class: "saving", role: "group", "aria-label": text }, label, ...buttons);
}

/** A form that is never submitted. */
export const form = (kind, ...children) =>
  make("form", { class: `card ${kind}`, onsubmit: (event) => event.preventDefault() }, ...children);

let timer;

/** Show a message for some seconds.  Its kind is "", "wrong", or "announced", for screen readers. */
export function notify(text, kind = "") {
  const message = document.getElementById("message");
  if (kind === "announced" && message.matches(".wrong:not(:empty)")) return; // an error stays
  message.textContent = text;
  message.className = kind;
  clearTimeout(timer);
  timer = setTimeout(() => (message.textContent = ""), kind === "wrong" ? 9000 : 5000);
}

/** Return whether a key is pressed in a field that takes text. */
export const isTyping = ({ target }) =>
  target.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea");

export const hasModifier = ({ ctrlKey, altKey, metaKey }) => ctrlKey || altKey || metaKey;

/** Call `undo` on Ctrl+Z and `redo` on Ctrl+Y or Ctrl+Shift+Z while a section is shown. */
export function listenForUndo(section, undo, redo) {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const act = key === "z" && !shiftKey ? undo : key === "y" || key === "Z" ? redo : null;
    if (!act || !(ctrlKey || metaKey) || section.hidden || isTyping(event)) return;
    event.preventDefault();
    act();
  });
}

/** Move the focus through items by the arrow keys; return the new item, if there is one. */
export function moveFocus(event, items) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const at = items.indexOf(event.target);
  if (!step || at < 0) return undefined;
  event.preventDefault();
  const next = items[(at + step + items.length) % items.length];
  items[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return next;
}

/** Return a number with separators of thousands. */
export const format = (number) => number.toLocaleString("en");

/** Return a number and a noun: "1 clue", "2 clues". */
export const plural = (number, one, several = `${one}s`) =>
  `${format(number)} ${String(number) === "1" ? one : several}`;

/** Return a reason as a sentence; the name of a square stays as it is. */
export function sentence(text) {
  const whole = /^[a-z]+\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** Return seconds as "1.5 s" or "20 ms". */
export function formatTime(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(1)} s`;
  return `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}
