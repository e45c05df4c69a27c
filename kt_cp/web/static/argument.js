// No: why there is no tour, step by step on the board, and the certificate for whoever doubts it.

import { button, icon, make, sentence } from "./make.js";

/** The argument of an answer: an element. */
export function argument(answer, { outcome, argument: told, certificate, svg }) {
  const { page } = answer;
  const steps = told ?? [];
  const made = make("div", { class: "argument" });
  if (steps.length) made.append(walkthrough(answer, steps));
  const buttons = [];
  if (certificate) {
    const text = `${JSON.stringify(certificate, null, 2)}\n`;
    const name = `${outcome.problem.rows}x${outcome.problem.columns}-certificate.json`;
    buttons.push(button("Certificate", () => page.keep(new Blob([text], { type: "application/json" }), name), { class: "quiet" }));
    buttons.push(button("Check it again", () => check(page, certificate, said), { class: "quiet" }));
  }
  if (svg) {
    const picture = new Blob([svg], { type: "image/svg+xml" });
    buttons.push(button("Picture", () => page.keep(picture, "argument.svg"), { class: "quiet" }));
    const image = make("img", { src: URL.createObjectURL(picture), alt: outcome.reason ?? "the argument" });
    made.append(make("details", { open: !steps.length }, make("summary", {}, "The argument as a picture"), image));
  }
  const said = make("p", { class: "checked", role: "status" });
  made.append(make("div", { class: "row buttons" }, buttons), said);
  return made;
}

function check(page, certificate, said) {
  said.textContent = "checking…";
  page.ask("check", { certificate }, {
    checked: ({ text }) => (said.textContent = `Checked by kt-cp check: ${text}`),
    error: ({ text }) => (said.textContent = text),
  });
}

/** The steps, one at a time, each drawn on the board. */
function walkthrough(answer, steps) {
  const { page, board } = answer;
  let at = 0;
  const list = make("ol", { class: "steps" }, steps.map((step, place) =>
    make("li", {}, button(sentence(step.text), () => show(place), { class: "step" }))));
  const show = (place) => {
    at = Math.max(0, Math.min(steps.length - 1, place));
    const told = steps.slice(0, at + 1); // what was pointed at before stays
    const [squares, moves] = ["squares", "moves"].map((key) => told.flatMap((step) => step[key] ?? []));
    const parts = told.findLast((step) => step.parts?.length)?.parts ?? [];
    [...list.children].forEach((item, here) => item.firstChild.setAttribute("aria-current", here === at ? "step" : "false"));
    if (!answer.current) page.put(answer.problem);
    const marks = { argued: squares };
    parts.forEach((names, number) => (marks[`part c${number % 7}`] = [...(marks[`part c${number % 7}`] ?? []), ...names]));
    board.show({ marks, lines: moves });
  };
  if (answer.current) queueMicrotask(() => show(0));
  if (steps.length < 2) return list;
  return make("div", {}, list, make("div", { class: "row buttons" },
    icon("Step before", "‹", () => show(at - 1)), icon("Next step", "›", () => show(at + 1)),
    make("span", { class: "hint" }, `${steps.length} steps`)));
}
