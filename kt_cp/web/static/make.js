// Elements of a page in one call.  Text comes in as text, never as HTML.

/**
 * An element with attributes, listeners and children: make("button", {onclick: f}, "Ask").
 * A key that begins with "on" is a listener; true stands for an empty attribute, and false, null
 * and undefined for none.  Children are elements, texts, or lists of them.
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child != null && child !== false));
  return made;
}

let fields = 0;

/** A control under its label: field("Engine", select) is a <div class="field">. */
export function field(text, control, attributes = {}) {
  control.id ||= `field-${++fields}`;
  return make("div", { class: "field", ...attributes }, make("label", { for: control.id }, text), control);
}

/** A menu of choices, each a text or [value, text]. */
export function menu(choices, chosen, attributes = {}) {
  const options = choices.map((each) => {
    const [value, text] = Array.isArray(each) ? each : [each, each];
    return make("option", { value, selected: value === chosen }, text);
  });
  return make("select", attributes, options);
}

/** Whether a key is pressed in a field that takes text. */
export const isTyping = ({ target }) => target.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea");

/**
 * A field for a whole number.  It refuses other input with a message and restores the previous
 * number; `change(number)` is called with each valid one.  With `free`, the field may be empty.
 * @param {any} page
 * @param {string} label
 * @param {Record<string, any>} options
 */
export function wholeNumber(page, label, { min = 1, max, value = "", free = false, change = () => {}, ...more }) {
  let before = String(value);
  const input = make("input", { type: "number", min, max, step: 1, value, class: "short", ...more, onchange: () => {
    const number = Number(input.value);
    const empty = input.value === "";
    if (empty ? free && !input.validity.badInput : Number.isInteger(number) && number >= min && number <= max) {
      before = input.value;
      return change(number);
    }
    const range = `from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
    page.say(`${label}: expected a whole number ${range}, got ${input.value || "none"}`, true);
    input.value = before;
    return undefined;
  } });
  return input;
}

/** A box to tick, with its words beside it. */
export function tick(text, checked, change) {
  const box = make("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return make("label", { class: "tick" }, box, text);
}

/** A button that is a sign: its label is read out, and shown when the mouse rests on it. */
export function icon(label, sign, act, attributes = {}) {
  const known = { class: "quiet icon", type: "button", "aria-label": label, title: label, onclick: act };
  return make("button", { ...known, ...attributes }, sign);
}

/** A button with words. */
export function button(words, act, attributes = {}) {
  return make("button", { type: "button", onclick: act, ...attributes }, words);
}

/** A reason as a sentence; the name of a square stays as it is. */
export function sentence(text) {
  const whole = /^[a-z]+\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
