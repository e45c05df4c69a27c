// The page as a whole: tabs, theme, address, and what its parts share.  A part is a module with
// `mount(section, page)`, which is loaded when it is first shown; a broken one leaves the others.

import { objectiveIn, partsOf } from "./address.js";
import { isTyping, make, moveFocus } from "./elements.js";
import { fetchChoices, isTrusted, remember } from "./server.js";

const PARTS = ["draw", "puzzle", "compare", "explore"];
const page = { choices: null };
let part = "draw"; // that is shown
/** @type {HTMLElement[]} */
const tabs = Array.from(document.querySelectorAll("[role=tab]"));
const sectionOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

/** Write a question into the address, with the chosen objective and the shown part. */
page.writeAddress = (question) => {
  const parts = question.split("&").filter((each) => each && !/^(objective|tab)=/.test(each));
  if (page.objective) parts.push(`objective=${page.objective}`);
  if (part !== "draw") parts.push(`tab=${part}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
};

/** Choose an objective by its name; "" chooses none.  The menu of objectives takes this over. */
page.chooseObjective = (name) => (page.objective = name);

page.open = async (name) => {
  part = name;
  const section = document.getElementById(name);
  for (const tab of tabs) {
    const isChosen = sectionOf(tab) === section;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    sectionOf(tab).hidden = !isChosen;
  }
  page.writeAddress(location.hash.slice(1));
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

/** Choose the objective of an address that has a board, and open the part of the address. */
function readAddress() {
  if (location.hash.includes("board=")) page.chooseObjective(objectiveIn(location.hash));
  const name = partsOf(location.hash).get("tab");
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
  tab.addEventListener("click", () => page.open(sectionOf(tab).id));
  tab.addEventListener("keydown", (event) => moveFocus(event, tabs)?.click());
}
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // its target would replace the question in the address
  document.getElementById("main").focus();
});
document.addEventListener("keydown", (event) => {
  const keys = /** @type {HTMLDialogElement} */ (document.getElementById("key-list"));
  if (event.key === "?" && !isTyping(event)) keys.showModal();
});
if (isTrusted) {
  page.ready = fetchChoices().then((choices) => (page.choices = choices));
  window.addEventListener("hashchange", readAddress);
  await readAddress();
} else {
  const advice = "take the one that kt-cp web printed, and paste this link there.";
  document.getElementById("draw").append(make("p", { class: "wrong" }, `This address has no token: ${advice}`));
}
