// No: why there is no tour, step by step on the board, and the certificate for whoever doubts it.

import { button, icon, make, sentence } from "./make.js";

/** The argument of an answer: an element. */
export function argument(answer, { outcome, argument: told, certificate, svg }) {
  const { page } = answer;
  const steps = told ?? [];
  const made = make("div", { class: "argument" });
  if (steps.length) made.append(walkthrough(answer, steps));
  if (svg) {
    const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    made.append(make("details", { open: !steps.length }, make("summary", {}, "The argument as a picture"),
      make("img", { src: source, alt: outcome.reason ?? "the argument" })));
  }
  made.append(...evidence(page, { problem: outcome.problem, certificate, svg, name: "argument" }));
  return made;
}

/** Buttons that save a certificate, check it again, and save a picture; and the result of the check. */
export function evidence(page, { problem, certificate, svg, name }) {
  const buttons = [];
  const offer = (words, act) => buttons.push(button(words, act, { class: "quiet" }));
  const save = (text, type, file) => page.keep(new Blob([text], { type }), file);
  const said = make("p", { class: "checked", role: "status" });
  if (certificate) {
    const text = `${JSON.stringify(certificate, null, 2)}\n`;
    const file = `${problem.rows}x${problem.columns}-certificate.json`;
    offer("Certificate", () => save(text, "application/json", file));
    offer("Check it again", () => check(page, certificate, said));
  }
  if (svg) offer("Picture", () => save(svg, "image/svg+xml", `${name}.svg`));
  return [make("div", { class: "row buttons" }, buttons), said];
}

function check(page, certificate, said) {
  said.textContent = "checking…";
  page.ask("check", { certificate }, {
    checked: ({ text }) => (said.textContent = `Checked by kt-cp check: ${text}`),
    error: ({ text }) => (said.textContent = text),
  });
}

/** The steps, one at a time, each drawn on the board with what was pointed at before. */
function walkthrough(answer, steps) {
  const { page, board } = answer;
  let at = 0;
  const list = make("ol", { class: "steps" }, steps.map((step, place) =>
    make("li", {}, button(sentence(step.text), () => show(place), { class: "step" }))));
  const show = (place) => {
    at = Math.max(0, Math.min(steps.length - 1, place));
    [...list.children].forEach((item, here) =>
      item.firstChild.setAttribute("aria-current", here === at ? "step" : "false"));
    if (!answer.current) page.put(answer.problem);
    const told = steps.slice(0, at + 1);
    const all = (key) => told.flatMap((step) => step[key] ?? []);
    const marks = { argued: all("squares") };
    const parts = told.findLast((step) => step.parts?.length)?.parts ?? [];
    const texts = {}; // two colours are told apart, more are numbered as well
    parts.forEach((names, number) => {
      const kind = `part c${number % 7}`;
      marks[kind] = [...(marks[kind] ?? []), ...names];
      if (parts.length > 2) for (const name of names) texts[name] = [number + 1, "part"];
    });
    board.show({ marks, texts, lines: all("moves") });
  };
  if (answer.current) queueMicrotask(() => show(0));
  if (steps.length < 2) return list;
  return make("div", {}, list, make("div", { class: "row buttons" },
    icon("Step before", "‹", () => show(at - 1)), icon("Next step", "›", () => show(at + 1)),
    make("span", { class: "hint" }, `${steps.length} steps`)));
}
