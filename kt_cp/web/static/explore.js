// Explore: how many tours there are, the tour of a number and the number of a tour, a sample in
// which each is as likely as any other, and one tour of each symmetry class.

import { again, time } from "./answer.js";
import { button, field, icon, make, sentence, wholeNumber } from "./make.js";
import { Measures } from "./measures.js";
import { Sides } from "./sides.js";
import { Player } from "./watch.js";

const SHOWN = 60; // classes in the gallery, and tours of a sample
const SAMPLE = 6; // classes of the example
const SEEDS = 2 ** 31 - 1;

export function mount(section, page) {
  let job = null;
  let problem = null; // what the tours on the page are of
  let tours = null; // how many there are, once it is known

  const stage = make("div", { class: "stage" });
  const board = page.board(stage, { label: "Tour", high: 0.6 });
  const player = new Player(stage, board);
  new Measures(stage, page, board, player);
  const title = make("h2", { class: "title" });
  const gallery = make("ul", { class: "gallery" });
  const told = make("div", { class: "told" });
  stage.prepend(title);
  stage.append(told, gallery);

  const sides = new Sides(page, { change: changed });
  const state = make("p", { class: "state", role: "status" });
  const stop = button("Stop", () => job?.stop(), { class: "stop", hidden: true });
  const number = make("input", { type: "text", inputmode: "numeric", pattern: "[0-9,]*", value: "0", class: "number", onchange: () => go(0n) });
  const many = wholeNumber(page, "Tours", { max: SHOWN, value: 12 });
  const seed = wholeNumber(page, "Seed", { min: 0, max: SEEDS, value: 1 });
  const form = (heading, ...parts) => make("form", { class: "card", onsubmit: (event) => event.preventDefault() }, make("h2", {}, heading), parts);
  section.append(make("div", { class: "work" }, stage, make("div", { class: "side" },
    form("Tours of", sides.element,
      make("div", { class: "row buttons" }, button("How many?", count, { class: "main" }), stop), state),
    form("By number", field("Number, from 0", number),
      make("div", { class: "row buttons" },
        icon("First tour", "⇤", () => show(0n)), icon("Tour before", "‹", () => go(-1n)),
        button("Show", () => go(0n)),
        icon("Tour after", "›", () => go(1n)), icon("Last tour", "⇥", last),
        button("Number of the tour on the drawn board", rank, { class: "quiet" }))),
    form("A uniform sample", make("div", { class: "row" }, field("Tours", many), field("Seed", seed)),
      make("div", { class: "row buttons" }, button("Draw at random", sample))),
    form("Symmetry classes", make("p", { class: "hint" }, `One tour of each class up to rotation and reflection, the first ${SHOWN}; small boards have few.`),
      make("div", { class: "row buttons" }, button("Gallery", () => classes()))))));
  changed(sides.problem);
  classes(SAMPLE, " (an example)");

  /** Switch to another question, and clear the results of the previous one. */
  function changed(asked) {
    job?.stop();
    problem = asked;
    tours = null;
    gallery.replaceChildren();
    told.replaceChildren();
    say("", "");
    const { surface } = asked;
    const lies = surface === "plane" ? "" : `, ${page.choices.surfaces.find(({ name }) => name === surface).words}`;
    place([], `${asked.rows}×${asked.columns}${lies}, ${asked.closed ? "closed" : "open"}`);
  }

  /** Show the tour of the number in the field, or one so many places after it. */
  function go(by) {
    const text = number.value.trim();
    if (!/^[\d,]+$/.test(text)) return say(`expected the number of a tour, 0 or more, got ${text || "none"}`, "wrong");
    return show(BigInt(text.replaceAll(",", "")) + by);
  }

  function say(text, kind) {
    state.className = `state ${kind}`;
    state.textContent = text;
  }

  /** Ask, and hand the answer over; what is shown is of the problem as it now stands. */
  function ask(kind, body, done) {
    job?.stop();
    const now = sides.problem;
    if (JSON.stringify(now) !== JSON.stringify(problem)) changed(now); // the drawn board, too
    say("searching…", "busy");
    stop.hidden = false;
    let sweep = null; // squares in the order in which a frontier sweeps over them
    const mine = page.ask(kind, { problem, ...body }, {
      queued: () => say("in line", "busy"),
      begun: () => say("searching…", "busy"),
      sweep: ({ order }) => (sweep = order),
      progress: ({ text, fraction }) => {
        say(text, "busy");
        if (sweep) board.show({ marks: { chosen: sweep.slice(0, fraction * sweep.length).filter(Boolean) } });
      },
      outcome: (event) => {
        if (job !== mine) return;
        say("", "");
        if (event.numbered) tours = BigInt(event.tours);
        told.replaceChildren(again(page, event));
        done(event);
      },
      error: ({ text }) => say(text, "wrong"),
      end: ({ stopped }) => {
        if (job === mine) stop.hidden = true;
        if (sweep) board.show({ marks: {} });
        if (stopped) say("stopped", "unknown");
      },
    });
    job = mine;
  }

  const kind = () => (problem.closed ? "closed tour" : "open tour");
  const plural = (digits) => `${BigInt(digits).toLocaleString("en")} ${kind()}${digits === "1" ? "" : "s"}`;

  function count() {
    ask("count", {}, ({ tours: found, counted, method, seconds, reason }) => {
      say(`${plural(found)}, by ${method}, ${time(seconds)}`, "found");
      const words = [counted, reason].filter(Boolean).map(sentence).join(" ");
      told.prepend(make("p", { class: "hint" }, words));
    });
  }

  function last() {
    if (tours) show(tours - 1n);
    else ask("unrank", { number: "0" }, last); // which tells how many have numbers
  }

  /** Show a tour large. */
  function place(tour, words) {
    title.textContent = words;
    board.show({ problem: { ...problem, given: [] } });
    if (tour.length) player.load(tour, problem.closed);
    else player.clear();
  }

  function one({ numbered, tours: found, reason }) {
    if (!numbered.length) return say(`There is no tour${reason ? `: ${reason}` : ""}.`, "none");
    const [{ number: at, tour }] = numbered;
    number.value = at;
    place(tour, `Number ${BigInt(at).toLocaleString("en")} of ${plural(found)}`);
    return undefined;
  }

  function show(at) {
    const most = tours ? tours - 1n : at;
    const kept = at > most ? most : at;
    ask("unrank", { number: String(kept < 0n ? 0n : kept) }, one);
  }

  function rank() {
    const film = page.stage?.player.film;
    if (!film?.walk.length) return say("There is no tour on the drawn board yet: ask for one there.", "wrong");
    sides.take();
    ask("rank", { tour: film.walk }, one);
    return undefined;
  }

  function sample() {
    ask("sample", { many: Number(many.value), seed: Number(seed.value) }, ({ numbered, tours: found, reason }) => {
      if (!numbered.length) return say(`There is no tour${reason ? `: ${reason}` : ""}.`, "none");
      say(`${numbered.length} drawn from ${plural(found)}, each as likely as any other`, "found");
      return fill(numbered.map(({ number: at, tour }) => [tour, `Number ${BigInt(at).toLocaleString("en")}`]));
    });
  }

  function classes(many = SHOWN, after = "") {
    ask("classes", { many }, ({ classes: found, complete, reason }) => {
      if (!found.length) return say(`There is no tour${reason ? `: ${reason}` : ""}.`, "none");
      const words = complete ? `${found.length} class${found.length === 1 ? "" : "es"}, and no others` : `The first ${found.length} classes; there are more`;
      say(`${words}${after}`, "found");
      return fill(found.map(({ tour, size }, at) => [tour, `Class ${at + 1}: ${size} tour${size === 1 ? "" : "s"}`]));
    });
  }

  /** The gallery; a tour of it is shown large when it is chosen. */
  function fill(found) {
    const of = problem;
    const choose = (tour, words, chosen) => {
      problem = of;
      for (const each of gallery.querySelectorAll("button")) each.setAttribute("aria-pressed", each === chosen);
      place(tour, words);
      player.play();
    };
    gallery.replaceChildren(...found.map(([tour, words]) => {
      const picture = page.thumbnail({ ...of, given: [] }, tour, { label: words });
      const chosen = button("", () => choose(tour, words, chosen), { "aria-label": words, "aria-pressed": false });
      chosen.replaceChildren(picture, make("small", {}, words));
      return make("li", {}, chosen);
    }));
    place(found[0][0], found[0][1]);
  }
}
