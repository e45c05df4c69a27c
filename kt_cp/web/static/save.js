// Save: the board, or the tour on it, as a picture or as data, made by the package itself.

import { button, make } from "./make.js";

const FORMATS = ["svg", "png", "pdf", "json", "text", "npy"];

/** A row of buttons, one a format. */
export function saving(page, problem, tour = null) {
  const buttons = FORMATS.map((format) => button(format === "npy" ? ".npy" : format === "text" ? "text" : format.toUpperCase(), async () => {
    try {
      const numbers = page.stage.player.numbers;
      const blob = await page.post("/api/picture", { problem, tour, format, numbers }, "blob");
      const ending = format === "text" ? "txt" : format;
      page.keep(blob, `${tour ? "tour" : "board"}-${problem.rows}x${problem.columns}.${ending}`);
    } catch (error) {
      page.say(error.message, true);
    }
  }, { class: "quiet", "data-format": format }));
  return make("div", { class: "saving", role: "group", "aria-label": "Save" }, make("span", { class: "label" }, "Save as"), buttons);
}
