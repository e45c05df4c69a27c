// A puzzle to take away: that it has one solution, on paper, and as files.

import { again } from "./answer.js";
import { button, make, tick } from "./make.js";

const SVG = "image/svg+xml";

/** A card about a puzzle, and `paper`, which is seen in print alone. */
export class Sheet {
  constructor(page) {
    this.page = page;
    this.element = make("div", { class: "card about", hidden: true });
    this.paper = make("div", { class: "paper" });
  }

  /** Show what the server told of a puzzle; at first that is without its certificate. */
  show({ event, puzzle, rule, certificate, svg, solution_svg: solution, command, python }) {
    const { problem, grade, seed } = puzzle;
    const name = `puzzle-${problem.rows}x${problem.columns}-${seed}`;
    const waits = event === "puzzle" ? "a certificate is being made" : "no certificate was found";
    // Revoked once it is loaded, not before: the certificate may come while the pictures still load.
    const drawn = (text, words) => {
      const src = URL.createObjectURL(new Blob([text], { type: SVG }));
      return make("img", { src, alt: words, onload: () => URL.revokeObjectURL(src) });
    };
    const solved = make("div", { class: "page", hidden: true }, drawn(solution, "The solution"));
    this.paper.replaceChildren(make("div", { class: "page" }, make("p", {}, rule), drawn(svg, "The puzzle")), solved);
    this.element.hidden = false;
    this.element.replaceChildren(
      make("h2", {}, `${grade} puzzle `, make("small", {}, `seed ${seed}, ${problem.given.length} clue${problem.given.length === 1 ? "" : "s"}`)),
      ...(certificate ? this.#proof(certificate, name) : [make("p", { class: "hint" }, `It has one solution; ${waits}.`)]),
      make("div", { class: "saving", role: "group", "aria-label": "Print or save" },
        button("Print", () => window.print()),
        tick("with the solution", false, (on) => (solved.hidden = !on)),
        button("SVG", () => this.#keep(svg, SVG, `${name}.svg`), { class: "quiet" }),
        button("PDF", () => this.#painted(puzzle, !solved.hidden, `${name}.pdf`), { class: "quiet" }),
        button("JSON", () => this.#keep(JSON.stringify(puzzle, null, 2), "application/json", `${name}.json`), { class: "quiet" })),
      again(this.page, { command, python }));
  }

  #proof(certificate, name) {
    const checked = make("p", { class: "checked", role: "status" });
    const check = () => this.page.ask("check", { certificate }, {
      checked: ({ accepted, text }) => {
        checked.textContent = text;
        checked.classList.toggle("wrong", !accepted);
      },
      error: ({ text }) => (checked.textContent = text),
    });
    const save = () => this.#keep(JSON.stringify(certificate), "application/json", `${name}.certificate.json`);
    return [
      make("p", { class: "check yes" }, make("span", { "aria-hidden": "true" }, "✓"), "The only solution: a certificate says that no other tour has these numbers."),
      make("div", { class: "row buttons" }, button("Check it", check, { class: "quiet" }), button("Save the certificate", save, { class: "quiet" })),
      checked];
  }

  #keep(text, type, name) {
    this.page.keep(new Blob([text], { type }), name);
  }

  async #painted({ problem, tour, grade, seed }, both, name) {
    const asked = { problem, tour, grade, seed, both, format: "pdf" };
    await this.page.post("/api/picture", asked, "blob")
      .then((blob) => this.page.keep(blob, name), (error) => this.page.say(error.message, true));
  }
}
