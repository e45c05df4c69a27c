// Save: the board, or the tour that is shown on it, as a picture, an animation or data, made by the package.

import { button, make } from "./make.js";

const FORMATS = { svg: "SVG", png: "PNG", pdf: "PDF", json: "JSON", text: "text", npy: ".npy" };
const FILMS = { gif: "GIF", mp4: "MP4" };

/** A row of buttons, one a format. */
export function saving(page) {
  const save = async (format) => {
    const { problem } = page.question;
    const { film, numbers } = page.stage.player;
    const tour = film.walk.length ? film.walk : null;
    if (format in FILMS) page.say(`making the ${FILMS[format]}…`);
    try {
      const blob = await page.post("/api/picture", { problem, tour, format, numbers }, "blob");
      const ending = format === "text" ? "txt" : format;
      page.keep(blob, `${tour ? "tour" : "board"}-${problem.rows}x${problem.columns}.${ending}`);
    } catch (error) {
      page.say(error.message, true);
    }
  };
  const offer = ([format, words]) => button(words, () => save(format), { class: "quiet", "data-format": format });
  const label = make("span", { class: "label" }, "Save as");
  const row = make("div", { class: "saving", role: "group", "aria-label": "Save" }, label, Object.entries(FORMATS).map(offer));
  const known = ({ films }) => row.append(...films.map((format) => offer([format, FILMS[format]])));
  page.ready.then(known, () => {}); // the board is there before the server has answered
  return row;
}
