// The board in a notebook: what Python holds is drawn, and what is drawn goes back to Python.
//
// The model has `problem` (as JSON has it), `tour` (names in order, or null), `argued` (squares that
// an argument points at), `words` (what is known of it) and `busy`.  A change of the problem is
// written back; the button sends {"ask": "solve"}, and Python answers by setting the others.

import { Board } from "./board.js";
import { button, icon, make } from "./make.js";
import { Question, TOOLS } from "./question.js";
import { Player } from "./watch.js";

const KINDS = { cut: "Cut out", start: "Start", end: "End" };

function render({ model, el }) {
  const frame = make("div", { class: "kt-widget" });
  let tool = "cut";
  let drawn = null; // the tour that is shown
  const question = new Question(model.get("problem"), (problem) => {
    model.set("problem", problem);
    model.set("tour", null);
    model.save_changes();
  });
  const pick = (name) => {
    const gone = question.problem.missing.includes(name);
    if (tool === "cut" || !gone) question.change(TOOLS[tool](question.problem, name));
  };
  const choose = (kind) => {
    tool = kind;
    for (const each of tools) each.setAttribute("aria-pressed", each.dataset.tool === kind);
  };
  const tools = Object.entries(KINDS).map(([kind, text]) => button(text, () => choose(kind), { "data-tool": kind }));
  const ask = button("Find a tour", () => model.send({ ask: "solve" }), { class: "kt-ask" });
  const words = make("p", { class: "kt-words", role: "status" });
  const bar = make("div", { class: "kt-bar" }, tools, icon("Undo", "↶", () => question.undo()),
    icon("Redo", "↷", () => question.redo()), ask);
  frame.append(bar);
  const board = new Board(frame, { label: "Board", pick, most: 52, high: 0.7 });
  const player = new Player(frame, board);
  frame.append(words);
  el.append(frame);

  const asked = () => {
    const problem = model.get("problem");
    if (JSON.stringify(problem) !== JSON.stringify(question.problem)) question.problem = problem;
    player.forget();
    drawn = null;
    board.show({ problem: question.problem, walk: [], at: 0, closed: false, runs: false, back: null });
    answered();
  };
  const answered = () => {
    const tour = model.get("tour");
    if (tour === drawn) return told();
    drawn = tour;
    if (tour) player.load(tour, model.get("problem").closed);
    else player.clear();
    told();
  };
  const told = () => {
    board.show({ marks: { argued: model.get("argued") ?? [] } });
    words.textContent = model.get("words") ?? "";
    ask.disabled = Boolean(model.get("busy"));
  };
  const heard = [["change:problem", asked], ["change:tour", answered], ["change:argued", answered],
    ["change:words", answered], ["change:busy", answered]];
  for (const [event, act] of heard) model.on(event, act);
  choose("cut");
  asked();
  return () => heard.forEach(([event, act]) => model.off(event, act));
}

export default { render };
