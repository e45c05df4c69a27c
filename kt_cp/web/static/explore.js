// The Explore tab: how many tours there are, the tour of a number and the number of a tour, a
// uniform sample, and one tour of each symmetry class.

import { equivalentCode } from "./answer.js";
import { Board } from "./board.js";
import { Drawing } from "./drawing.js";
import { button, buttonRow, field, form, format, formatTime, icon, make, plural, quietButton, seedField, sentence, wholeNumber } from "./elements.js";
import { Measures } from "./measures.js";
import { Player } from "./player.js";
import { describeBoard } from "./question.js";
import { SearchStatus, SmallQuestion } from "./search_status.js";

const MOST_SHOWN = 60; // tours of a gallery
const EXAMPLE_CLASSES = 6;

export function mount(section, page) {
  let problem = null; // of all tours on the page
  let total = null; // how many tours have a number, once it is known

  const title = make("h2", { class: "title" });
  const stage = make("div", { class: "stage" }, title);
  const board = new Board(stage, { label: "Tour", height: 0.6 });
  const player = new Player(stage, board);
  new Measures(stage, board, player);
  const gallery = make("ul", { class: "gallery" });
  const details = make("div", { class: "details" });
  stage.append(details, gallery);
  const question = new SmallQuestion(page, changed);
  const status = new SearchStatus();
  const number = make("input", {
    type: "text", inputmode: "numeric", pattern: "[0-9,]*", value: "0", class: "number", onchange: () => go(0n),
  });
  const many = wholeNumber("Tours", { max: MOST_SHOWN, value: 12 });
  const seed = seedField({ value: 1 });
  const card = (heading, ...children) => form("", make("h2", {}, heading), ...children);
  const tours = (digits) => plural(BigInt(digits), `${problem.closed ? "closed" : "open"} tour`);
  const classHint =
    `One tour of each class up to rotation and reflection, the first ${MOST_SHOWN}; small boards have few.`;
  section.append(make("div", { class: "work" }, stage, make("div", { class: "side" },
    card("Tours of", question.element,
      buttonRow(button("How many?", count, { class: "main" }), status.stopButton), status.line),
    card("By number", field("Number, from 0", number), buttonRow(
      icon("First tour", "⇤", () => showNumber(0n)), icon("Tour before", "‹", () => go(-1n)),
      button("Show", () => go(0n)),
      icon("Tour after", "›", () => go(1n)), icon("Last tour", "⇥", showLast),
      quietButton("Number of the tour on the drawn board", rank))),
    card("A uniform sample", make("div", { class: "row" }, field("Tours", many), field("Seed", seed)),
      buttonRow(button("Draw at random", sample))),
    card("Symmetry classes", make("p", { class: "hint" }, classHint),
      buttonRow(button("Gallery", () => listClasses()))))));
  changed(question.problem);
  listClasses(EXAMPLE_CLASSES, " (an example)");

  /** Clear the results, which belong to another question. */
  function changed(next) {
    status.stop();
    status.show("", "");
    problem = next;
    total = null;
    gallery.replaceChildren();
    details.replaceChildren();
    showTour([], describeBoard(problem, page.choices.surfaces));
  }

  /** Search for something about the question as it is now. */
  function search(kind, body, show) {
    if (JSON.stringify(question.problem) !== JSON.stringify(problem)) changed(question.problem); // the drawn board, too
    let frontier = null; // squares in the order of a frontier search
    status.start(kind, { problem, ...body }, {
      sweep: ({ order }) => (frontier = order),
      progress: ({ text, fraction }) => {
        status.show(text);
        if (frontier) board.show({ marks: { chosen: frontier.slice(0, fraction * frontier.length).filter(Boolean) } });
      },
      outcome: (event) => {
        status.show("", "");
        if (event.numbered) total = BigInt(event.tours);
        details.replaceChildren(equivalentCode(event));
        const found = event.classes ?? event.numbered;
        if (found && !found.length) status.show(`There is no tour${event.reason ? `: ${event.reason}` : ""}.`, "none");
        else show(event);
      },
      end: () => frontier && board.show({ marks: {} }),
    });
  }

  function count() {
    search("count", {}, ({ tours: found, counted, method, seconds, reason }) => {
      status.show(`${tours(found)}, by ${method}, ${formatTime(seconds)}`, "found");
      details.prepend(make("p", { class: "hint" }, [counted, reason].filter(Boolean).map(sentence).join(" ")));
    });
  }

  /** Show the tour of the number in the field, or of a number after it. */
  function go(step) {
    const text = number.value.trim();
    if (/^[\d,]+$/.test(text)) showNumber(BigInt(text.replaceAll(",", "")) + step);
    else status.refuse(`expected the number of a tour, 0 or more, got ${text || "none"}`);
  }

  function showNumber(wanted) {
    const most = total && wanted >= total ? total - 1n : wanted;
    search("unrank", { number: String(most < 0n ? 0n : most) }, showNumbered);
  }

  function showLast() {
    if (total) showNumber(total - 1n);
    else search("unrank", { number: "0" }, showLast); // the answer has the total
  }

  function rank() {
    const tour = page.stage?.player.film.walk ?? [];
    if (!tour.length) return status.refuse("There is no tour on the drawn board yet: ask for one there.");
    if (!question.drawnBox.checked) question.drawnBox.click();
    return search("rank", { tour }, showNumbered);
  }

  function showNumbered({ numbered: [{ number: found, tour }], tours: all }) {
    number.value = found;
    showTour(tour, `Number ${format(BigInt(found))} of ${tours(all)}`);
  }

  function sample() {
    search("sample", { many: Number(many.value), seed: Number(seed.value) }, ({ numbered, tours: all }) => {
      status.show(`${numbered.length} drawn from ${tours(all)}, each as likely as any other`, "found");
      showGallery(numbered.map(({ number: found, tour }) => [tour, `Number ${format(BigInt(found))}`]));
    });
  }

  function listClasses(most = MOST_SHOWN, after = "") {
    search("classes", { many: most }, ({ classes, complete }) => {
      const { length } = classes;
      const words = complete
        ? `${plural(length, "class", "classes")}, and no others`
        : `The first ${length} classes; there are more`;
      status.show(`${words}${after}`, "found");
      showGallery(classes.map(({ tour, size }, place) => [tour, `Class ${place + 1}: ${plural(size, "tour")}`]));
    });
  }

  function showTour(tour, words) {
    title.textContent = words;
    player.clear({ problem: { ...problem, given: [] } });
    if (tour.length) player.load(tour, problem.closed);
  }

  /** Show small pictures of tours; a chosen one is played on the board. */
  function showGallery(found) {
    const buttons = found.map(([tour, words]) => {
      const picture = new Drawing();
      const { closed } = problem;
      picture.show({ problem: { ...problem, given: [] }, walk: tour, closed, at: tour.length + 1, numbers: false });
      const choose = ({ currentTarget }) => {
        for (const each of buttons) each.setAttribute("aria-pressed", String(each === currentTarget));
        showTour(tour, words);
        player.play();
      };
      return button([picture.svg, make("small", {}, words)], choose, { "aria-label": words, "aria-pressed": false });
    });
    gallery.replaceChildren(...buttons.map((each) => make("li", {}, each)));
    showTour(...found[0]);
  }
}
