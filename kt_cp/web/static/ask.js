// Ask: one engine or several, side by side; what they do while they search, and what they answer.

import { Answer } from "./answer.js";
import { button, field, make, menu } from "./make.js";

const SEED = 2 ** 31 - 1; // the largest
const WORDS = { start: "a start", end: "an end", require: "required moves", forbid: "forbidden moves", given: "given steps", symmetry: "a symmetry" };

export function mount(element, page) {
  const { engines, sources, limits } = page.choices;
  const chosen = new Set(["auto"]);
  const answers = make("div", { class: "answers", "aria-label": "Answers", role: "region" });
  const running = new Set();
  const seed = make("input", { type: "number", min: 0, max: SEED, value: 0, class: "short" });
  const time = make("input", { type: "number", min: 0.1, max: limits.most_seconds, step: "any", value: limits.seconds, class: "short" });

  const choice = (kind, name, told, title) => {
    const key = `${kind} ${name}`;
    const box = make("input", {
      type: "checkbox", checked: name === "auto", value: name, name: kind,
      onchange: () => {
        if (box.checked) chosen.add(name === "auto" ? name : key);
        else chosen.delete(name === "auto" ? name : key);
        which();
      },
    });
    return make("label", { class: "chip", title, "data-title": title }, box, make("span", {}, told));
  };
  const list = engines.filter(({ name }) => name !== "auto");
  const auto = engines.find(({ name }) => name === "auto");
  const other = make("input", { type: "text", placeholder: "sat:position:cadical153", onchange: () => {
    for (const key of [...chosen]) if (key.startsWith("other ")) chosen.delete(key);
    for (const name of other.value.split(/[\s,]+/).filter(Boolean)) chosen.add(`other ${name}`);
    which();
  } });
  const chips = [
    choice("engine", "auto", "auto", auto?.summary),
    ...list.map(({ name, summary, complete }) => choice("engine", name, name, `${summary}${complete ? "" : " (cannot say no)"}`)),
  ];
  const programs = sources.map(({ number, name, summary }) => choice("source", number, name, summary));
  const summary = make("summary", {});
  const go = button("Find a tour", () => start("solve"), { class: "main", id: "ask" });
  const prove = button("Prove there is none", () => start("prove"), { class: "quiet" });
  const stop = button("Stop", halt, { class: "stop", hidden: true, id: "stop" });

  element.append(make("form", { class: "card asking", onsubmit: (event) => event.preventDefault() },
    make("div", { class: "row buttons" }, go, stop, prove),
    make("details", { class: "engines" }, summary,
      make("fieldset", {}, make("legend", {}, "Engines"), make("div", { class: "chips" }, chips)),
      programs.length ? make("fieldset", {}, make("legend", {}, "Source programs, move by move"), make("div", { class: "chips" }, programs)) : null,
      field("Others by name", other),
      make("div", { class: "row" }, field("Most seconds", time), field("Seed", seed)))), answers);
  which();

  page.changed = (problem) => {
    for (const answer of answers.children) answer.classList.add("past");
    list.forEach(({ takes }, place) => {
      const label = chips[place + 1];
      const not = Object.keys(WORDS).filter((key) => (Array.isArray(problem[key]) ? problem[key].length : problem[key]) && !takes.includes(key));
      label.classList.toggle("unfit", Boolean(not.length));
      label.title = not.length ? `does not take ${not.map((key) => WORDS[key]).join(", ")}` : label.dataset.title;
    });
  };

  function which() {
    const names = [...chosen].map((key) => key.replace(/^(engine|other) /, "").replace(/^source /, "program "));
    summary.textContent = names.length ? `By ${names.join(", ")}` : "By no engine: choose one";
    go.disabled = !chosen.size;
  }

  function start(kind) {
    halt();
    page.stage.player.clear();
    const asked = kind === "prove" ? ["prove"] : [...chosen];
    const { problem } = page.question;
    const alone = asked.length === 1;
    const body = { problem, seed: Number(seed.value) || 0, time_limit: Number(time.value) || limits.seconds };
    answers.replaceChildren();
    answers.classList.toggle("several", !alone);
    (alone ? element : element.closest("section")).append(answers);
    stop.hidden = false;
    go.hidden = true;
    stop.focus();
    for (const each of asked) {
      const [what, name] = each.includes(" ") ? each.split(/ (.*)/s) : [kind === "prove" ? "prove" : "engine", each];
      const answer = new Answer(page, { problem, name: what === "source" ? programName(name) : name, alone });
      answers.append(answer.element);
      const more = what === "engine" || what === "other" ? { engine: name } : what === "source" ? { source: named(name) } : {};
      const job = page.ask({ engine: "solve", other: "solve", source: "source", prove: "prove" }[what], { ...body, ...more }, {
        any: (event) => answer.hear(event),
        end: () => {
          running.delete(job);
          if (running.size) return;
          if (document.activeElement === stop) setTimeout(() => go.focus());
          stop.hidden = true;
          go.hidden = false;
        },
      });
      running.add(job);
    }
  }

  function named(text) {
    return sources.find(({ number }) => String(number) === text)?.number ?? text;
  }

  function programName(text) {
    return sources.find(({ number }) => String(number) === text)?.name ?? text;
  }

  function halt() {
    for (const job of [...running]) job.stop();
  }
}
