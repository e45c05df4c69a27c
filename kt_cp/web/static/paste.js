// Paste: a board as text, drawn or as numbers, or the link of a question.

import { button, make } from "./make.js";
import { objectiveIn, read, unread } from "./question.js";

const HINT = "A drawn board (. is a square, # a hole), a grid of step numbers, names of squares, saved JSON, or a link.";

/** The dialog for it. */
export function pasting(page) {
  const text = make("textarea", {
    rows: 10, spellcheck: "false", "aria-label": "Board as text", placeholder: ". . . .\n. # . .\n. . . .",
  });
  const wrong = make("p", { class: "wrong", role: "alert" });
  const take = async () => {
    wrong.textContent = "";
    const { squares } = page.choices.limits;
    const linked = /#.*board=/.test(text.value);
    const told = linked && read(text.value.trim(), squares);
    if (linked && !told) return void (wrong.textContent = unread(squares));
    try {
      const { problem, tour } = linked ? { problem: told } : await page.post("/api/text", { text: text.value });
      page.question.change(problem);
      if (linked) page.chooseObjective(objectiveIn(text.value));
      if (tour) page.stage.player.load(tour, page.question.problem.closed);
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  const dialog = make("dialog", { "aria-label": "Paste a board" },
    make("h2", {}, "Paste a board"), make("p", { class: "hint" }, HINT), text, wrong,
    make("div", { class: "row buttons" }, button("Use it", take, { class: "main" }),
      button("Cancel", () => dialog.close(), { class: "quiet" })));
  return dialog;
}
