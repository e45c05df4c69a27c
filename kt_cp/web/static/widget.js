// The board in a notebook.
//
// The model has `problem` (as in JSON), `tour` (names in order, or null), `argued` (squares of an
// argument), `words` (about the answer) and `busy`.  A change of the problem is written to Python;
// the button sends {"ask": "solve"}, and Python answers by setting the others.

import { Board } from "./board.js";
import { button, icon, make } from "./elements.js";
import { Player } from "./player.js";
import { Question, TOOLS } from "./question.js";

const KINDS = { cut: "Cut out", start: "Start", end: "End" };

function render({ model, el }) {
  let tool = "cut";
  let tour = null; // that is shown
  const question = new Question(model.get("problem"), (problem) => {
    model.set("problem", problem);
    model.set("tour", null);
    model.save_changes();
  });
  const pick = (name) => {
    const isHole = question.problem.missing.includes(name);
    if (tool === "cut" || !isHole) question.change(TOOLS[tool](question.problem, name));
  };
  const choose = (kind) => {
    tool = kind;
    for (const each of tools) each.setAttribute("aria-pressed", each.dataset.tool === kind);
  };
  const tools = Object.entries(KINDS).map(([kind, text]) => button(text, () => choose(kind), { "data-tool": kind }));
  const ask = button("Find a tour", () => model.send({ ask: "solve" }), { class: "kt-ask" });
  const words = make("p", { class: "kt-words", role: "status" });
  const frame = make("div", { class: "kt-widget" }, make("div", { class: "kt-bar" }, tools,
    icon("Undo", "↶", () => question.undo()), icon("Redo", "↷", () => question.redo()), ask));
  const board = new Board(frame, { label: "Board", pick, most: 52, height: 0.7 });
  const player = new Player(frame, board);
  frame.append(words);
  el.append(frame);

  const showProblem = () => {
    const problem = model.get("problem");
    if (JSON.stringify(problem) !== JSON.stringify(question.problem)) question.state = problem;
    player.clear({ problem: question.problem });
    tour = null;
    showAnswer();
  };
  const showAnswer = () => {
    const next = model.get("tour");
    if (next !== tour) player.load(next ?? [], model.get("problem").closed);
    tour = next;
    board.show({ marks: { argued: model.get("argued") ?? [] } });
    words.textContent = model.get("words") ?? "";
    ask.disabled = Boolean(model.get("busy"));
  };
  const listeners = { problem: showProblem, tour: showAnswer, argued: showAnswer, words: showAnswer, busy: showAnswer };
  for (const [name, listen] of Object.entries(listeners)) model.on(`change:${name}`, listen);
  choose("cut");
  showProblem();
  return () => Object.entries(listeners).forEach(([name, listen]) => model.off(`change:${name}`, listen));
}

export default { render };
