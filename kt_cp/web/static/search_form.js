// The form that starts searches: by one method or several, for a proof, or for the best tour.  Below
// are the answers, standings of a race, and a table of all answers of the visit.

import { Answer, VERDICTS } from "./answer.js";
import { button, buttonRow, chip, chipGroup, field, form, format, formatTime, make, quietButton, secondsField, seedField } from "./elements.js";
import { Optimization, objectiveMenu } from "./optimize.js";
import { describeBoard } from "./question.js";
import { post } from "./server.js";

const MOST_KEPT = 30; // answers
const COMPARED = ["turns", "crossings"]; // measures of the answers of the visit
const CONDITIONS = {
  start: "a start", end: "an end", require: "required moves", forbid: "forbidden moves",
  given: "given steps", symmetry: "a symmetry",
};
const METHODS = { // plugins describe their engines themselves
  auto: "tries several; the first answer counts",
  construct: "puts ready tiles together, at once",
  warnsdorff: "goes where the fewest ways lead on",
  backtrack: "tries every way, back from dead ends",
  windows: "tries the steps of each square: puzzles",
  cpsat: "the constraint solver OR-Tools",
  sat: "a formula for a SAT solver",
  propagator: "a SAT solver that rules out cycles",
  reference: "the plain recursion; small boards",
};

export function searchForm(element, page) {
  const { engines, sources, limits } = page.choices;
  const running = new Set();
  const searches = new Map(); // by check box
  const answers = make("div", { class: "answers", "aria-label": "Answers", role: "region" });
  const kept = keptAnswers(showAgain);
  const seed = seedField({ value: 0 });
  const limit = secondsField(limits.most_seconds, limits.seconds);
  const searchChip = (search, value, words) => {
    const label = chip(search.name, { value, checked: value === "auto", onchange: showMethod }, words);
    searches.set(label.firstChild, search);
    return label;
  };
  const describe = ({ name, summary, complete }) =>
    `${METHODS[name] ?? summary}${complete ? "" : "; cannot prove that there is none"}`;
  const byEngine = (engine) => ({ name: engine, kind: "solve", body: { engine } });
  const engineChips = engines.map((engine) => searchChip(byEngine(engine.name), engine.name, describe(engine)));
  const sourceChips = sources.map(({ number, name, summary }) =>
    searchChip({ name, kind: "source", body: { source: number } }, number, summary));
  const others = make("input", { type: "text", placeholder: "sat:position:cadical153", onchange: showMethod });
  const chosen = () => [
    ...[...searches].filter(([box]) => box.checked).map(([, search]) => search),
    ...others.value.split(/[\s,]+/).filter(Boolean).map(byEngine),
  ];
  const summary = make("summary", {});
  const go = button("Find a tour", () => start(chosen()), { class: "main", id: "ask" });
  const stop = button("Stop", finish, { class: "stop", hidden: true, id: "stop" });
  const prove = quietButton("Prove there is none", () => start([{ name: "prove", kind: "prove" }]));
  const objective = objectiveMenu(page);
  const optimize = button("Optimize", () => {
    const { value, selectedOptions: [option] } = objective;
    start([{ name: option.textContent, kind: "optimize", body: { objective: value }, Card: Optimization }]);
  });
  element.append(form("asking",
    buttonRow(go, stop, prove),
    make("details", { class: "engines" }, summary,
      make("p", { class: "hint" }, "Choose one, or several for a race."),
      chipGroup("Engines", engineChips), chipGroup("Source programs, move by move", sourceChips),
      field("Others by name", others), field("Seed", seed)),
    make("div", { class: "row objective" },
      field("Objective", objective), field("Most seconds", limit), optimize)), answers);
  element.closest("section").append(kept.element);
  showMethod();

  page.complete = () => start([{ ...byEngine("auto"), name: "Can this be completed?" }]);
  const halt = () => running.forEach((answer) => answer.stop());
  page.changed = (problem) => {
    for (const answer of answers.children) answer.classList.add("past"); // of an earlier question
    objective.fit(problem);
    const asked = Object.keys(CONDITIONS).filter((key) => problem[key]?.length);
    engines.forEach((engine, place) => {
      const refused = asked.filter((key) => !engine.takes.includes(key)).map((key) => CONDITIONS[key]);
      const words = refused.length ? `does not take ${refused.join(", ")}` : describe(engine);
      engineChips[place].classList.toggle("unfit", refused.length > 0);
      engineChips[place].lastChild.textContent = words;
    });
  };

  function showMethod() {
    const names = chosen().map(({ name }) => name);
    summary.replaceChildren(make("span", { class: "label" }, "Method"),
      make("b", {}, names.join(", ") || "none: choose one"),
      make("small", {}, names.length > 1 ? "a race" : METHODS[names[0]] ?? ""));
    go.disabled = !names.length;
  }

  function start(requested) {
    halt();
    page.stage.player.clear();
    const { problem } = page.question;
    const body = { problem, seed: Number(seed.value), time_limit: Number(limit.value) || limits.seconds };
    const isAlone = requested.length === 1;
    const ranked = []; // answers of a race, the quickest first
    const standings = make("ol", {});
    const card = make("section", { class: "card standings", "aria-label": "Standings" },
      make("h2", {}, "Standings"), standings);
    showAnswers(isAlone, isAlone ? [] : [card]);
    stop.hidden = false;
    stop.textContent = "Stop";
    go.hidden = true;
    stop.focus({ preventScroll: true });
    if (!isAlone) setTimeout(() => answers.scrollIntoView({ block: "nearest" }));
    for (const { name, kind, body: more, Card = Answer } of requested) {
      const answer = new Card(page, { ...more, problem, name, isAlone });
      answers.append(answer.element);
      running.add(answer);
      answer.start(kind, { ...body, ...more }, {
        outcome: (event) => {
          kept.add(answer, event);
          if (isAlone || event.outcome.verdict === "UNKNOWN") return;
          ranked.push({ answer, seconds: event.seconds });
          ranked.sort((one, other) => one.seconds - other.seconds);
          standings.replaceChildren(...ranked.map(({ answer: { name: engine, line } }) =>
            make("li", {}, make("b", {}, engine), ` ${line.textContent}`)));
          ranked.forEach(({ answer: { element: each } }, place) => each.classList.toggle("winner", !place));
        },
        end: () => end(answer),
      });
    }
  }

  function showAnswers(isAlone, cards) {
    answers.replaceChildren(...cards);
    answers.classList.toggle("several", !isAlone);
    if (isAlone) element.append(answers);
    else kept.element.before(answers);
  }

  function end(answer) {
    running.delete(answer);
    if (running.size) return;
    if (document.activeElement === stop) setTimeout(() => go.focus({ preventScroll: true }));
    stop.hidden = true;
    go.hidden = false;
  }

  /** Stop; a search for the best tour ends with its best one, unless Stop is pressed again. */
  function finish() {
    for (const answer of running) {
      if (answer.isFinishing || !(answer instanceof Optimization)) answer.stop();
      else answer.job.finish();
      answer.isFinishing = true;
    }
    if (running.size) stop.textContent = "Stop at once";
  }

  function showAgain(answer) {
    halt();
    page.question.change(answer.problem);
    showAnswers(answer.isAlone, [answer.element]);
    answer.element.classList.remove("past");
    answer.showOnBoard?.();
    answer.element.querySelector("[aria-current=step]")?.click();
  }
}

/** Return a table of the answers of the visit, and a function that adds one; `show(answer)` shows it again. */
function keptAnswers(show) {
  let count = 0;
  const rows = make("tbody", {});
  const names = ["Name", "Board", "By", "Answer", "Time", ...COMPARED, ""];
  const head = make("thead", {}, make("tr", {}, names.map((name) => make(name ? "th" : "td", {}, name))));
  const element = make("section", { class: "card kept", "aria-label": "Answers of this visit" },
    make("h2", {}, "Answers of this visit"),
    make("div", { class: "scroll" }, make("table", { class: "results" }, head, rows)));

  function add(answer, { outcome, optimum, summary, seconds }) {
    const { engine, verdict, tour } = outcome ?? optimum;
    const { problem, name } = answer;
    count += 1;
    const title = make("input", {
      type: "text", value: `Answer ${count}`, "aria-label": `Name of answer ${count}`, maxlength: 40,
    });
    const texts = [describeBoard(problem, answer.page.choices.surfaces), engine || name, summary ?? VERDICTS[verdict], formatTime(seconds)];
    const measured = COMPARED.map(() => make("td", {}, "–"));
    const cells = [title, ...texts].map((each) => make("td", {}, each));
    rows.prepend(make("tr", {}, cells, measured, make("td", {}, quietButton("Show", () => show(answer)))));
    if (rows.childElementCount > MOST_KEPT) rows.lastChild.remove();
    if (!tour || problem.surface !== "plane") return;
    post("/api/measures", { problem, tour }).then(
      ({ measures }) => COMPARED.forEach((each, place) => (measured[place].textContent = format(measures[each]))),
      ({ message }) => (measured[0].title = message));
  }

  return { element, add };
}
