// The page as a whole: tabs, theme, address, and what its parts share.  A part is a module with
// `mount(section, page)`, which is loaded when it is first shown; a broken one leaves the others.

import { objectiveIn } from "./address.js";
import { isTyping, make, moveFocus } from "./elements.js";
import { fetchChoices, isTrusted, remember } from "./server.js";

const PARTS = ["draw", "puzzle", "compare", "explore"];
const page = { choices: null };
let part = "draw"; // that is shown
/** @type {HTMLElement[]} */
const tabs = Array.from(document.querySelectorAll("[role=tab]"));
const partOf = (tab) => tab.getAttribute("aria-controls");

/** Write a question into the address, with the chosen objective and the shown part. */
page.writeAddress = (question) => {
  const parts = question.split("&").filter((each) => each && !each.startsWith("tab="));
  const chosen = `objective=${page.objective}`;
  if (page.objective && !parts.includes(chosen)) parts.push(chosen);
  if (part !== "draw") parts.push(`tab=${part}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
};

page.open = async (name) => {
  part = name;
  for (const tab of tabs) {
    const isChosen = partOf(tab) === name;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(partOf(tab)).hidden = !isChosen;
  }
  page.writeAddress(location.hash.slice(1));
  const section = document.getElementById(name);
  if (section.dataset.mounted) return;
  section.dataset.mounted = "yes";
  try {
    if (name !== "draw") await page.ready; // the Board tab draws before the server answers
    const { mount } = await import(`./${name}.js`);
    await mount(section, page);
  } catch (error) {
    console.error(error);
    section.append(make("p", { class: "wrong" }, `This part of the page could not start: ${error.message}`));
  }
};

function openAddress() {
  const name = /(?:^#|&)tab=(\w+)/.exec(location.hash)?.[1];
  return page.open(PARTS.includes(name) ? name : "draw");
}

const root = document.documentElement;
root.dataset.theme = remember("theme") ?? "";
document.getElementById("theme").addEventListener("click", () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  remember("theme", root.dataset.theme);
});
for (const tab of tabs) {
  tab.addEventListener("click", () => page.open(partOf(tab)));
  tab.addEventListener("keydown", (event) => moveFocus(event, tabs)?.click());
}
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // its target would replace the question in the address
  const main = document.getElementById("main");
  main.focus();
  main.scrollIntoView();
});
document.addEventListener("keydown", (event) => {
  const keys = /** @type {HTMLDialogElement} */ (document.getElementById("key-list"));
  if (event.key === "?" && !isTyping(event)) keys.showModal();
});
if (isTrusted) {
  page.ready = fetchChoices().then((choices) => (page.choices = choices));
  window.addEventListener("hashchange", () => {
    if (location.hash.includes("board=")) page.objective = objectiveIn(location.hash); // before it is written again
    openAddress();
  });
  await openAddress();
} else {
  const advice = "take the one that kt-cp web printed, and paste this link there.";
  document.getElementById("draw").append(make("p", { class: "wrong" }, `This address has no token: ${advice}`));
}
