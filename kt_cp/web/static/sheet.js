// A puzzle to take away: its certificate, on paper, and as files.

import { checkList, checkMark, equivalentCode, evidence, picture } from "./answer.js";
import { button, checkBox, make, plural, quietButton, saveRow } from "./elements.js";
import { saveFile, saveJson, savePicture } from "./server.js";

/** A card about a puzzle, and `paper`, which is only shown in print. */
export class Sheet {
  constructor() {
    this.element = make("div", { class: "card about", hidden: true });
    this.paper = make("div", { class: "paper" });
  }

  /** Show an event of the server; the first one has no certificate yet. */
  show({ event, puzzle, rule, certificate, svg, solution_svg: solution, command, python }) {
    const { problem, grade, seed, tour } = puzzle;
    const name = `puzzle-${problem.rows}x${problem.columns}-${seed}`;
    const wait = event === "puzzle" ? "a certificate is being made" : "no certificate was found";
    const solved = make("div", { class: "page", hidden: true }, picture(solution, "The solution"));
    this.paper.replaceChildren(make("div", { class: "page" }, make("p", {}, rule), picture(svg, "The puzzle")), solved);
    const savePdf = () =>
      savePicture({ problem, tour, grade, seed, both: !solved.hidden, format: "pdf" }, `${name}.pdf`);
    this.element.hidden = false;
    this.element.replaceChildren(
      make("h2", {}, `${grade} puzzle `, make("small", {}, `seed ${seed}, ${plural(problem.given.length, "clue")}`)),
      checkList(certificate
        ? checkMark(true, "The only solution: a certificate says that no other tour has these numbers.")
        : checkMark(false, `It has one solution; ${wait}.`)),
      ...(certificate ? evidence({ problem, certificate, name }) : []),
      saveRow("Print or save",
        button("Print", () => window.print()),
        checkBox("with the solution", false, (isOn) => (solved.hidden = !isOn)),
        quietButton("SVG", () => saveFile(svg, `${name}.svg`)),
        quietButton("PDF", savePdf),
        quietButton("JSON", () => saveJson(puzzle, `${name}.json`))),
      equivalentCode({ command, python }));
  }
}
