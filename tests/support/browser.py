"""A page in a real browser without a window, and the actions of a visitor."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.support.command_line import PATIENCE, wait_until
from tests.support.foreign_solvers import program

ALONE = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-component-extensions-with-background-pages",
    "--disable-default-apps", "--disable-features=SpareRendererForSitePerProcess,Translate",
    "--hide-scrollbars", "--window-size=1280,900", "--in-process-gpu",
)  # fmt: skip
"""Options for a browser without a window, background requests and spare pages."""

VISITS = count(1)

DESK, TELEPHONE = (1280, 900), (360, 740)


class Steady(WebElement):
    """An element that is clicked once it lies still: a page that gets narrower is laid out anew."""

    def click(self) -> None:
        wait_until(self._clicked)

    def _clicked(self) -> bool:
        try:
            super().click()
        except ElementClickInterceptedException:
            return False
        return True


class Browser(webdriver.Chrome):
    """Chromium with :class:`Steady` elements."""

    _web_element_cls = Steady


def start(folder: Path) -> webdriver.Chrome:
    """Start a browser that saves its downloads in a folder of its own."""
    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium")
    for each in (*ALONE, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(each)
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(program("chromedriver", package="chromium-driver"))
    driver = Browser(options=options, service=service)
    driver.set_script_timeout(PATIENCE)
    return driver


class Page:
    """A page as a user sees and operates it; every look-up of an element waits for the element."""

    def __init__(self, driver: webdriver.Chrome, address: str, folder: Path) -> None:
        self.driver, self.address, self.folder = driver, address, folder
        self.part = "draw"

    # Navigation

    def open(self, more: str = "", part: str = "draw") -> None:
        """Open the page as a visitor does who has never seen it."""
        # A change of the hash alone loads nothing.
        self.driver.get(f"{self.address}&visit={next(VISITS)}{more}")
        self.run("localStorage.removeItem('puzzle')")
        self.see("#draw .question")
        self.part = "draw"
        if part != "draw":
            self.go(part)

    def turn(self, more: str, part: str = "draw") -> None:
        """Show another question on the open page, with ``auto`` as the only engine."""
        if not self.driver.current_url.startswith(self.address.partition("?")[0]):
            self.open(more)
        self.go("draw")
        script = """
        const [hash, done] = arguments;
        for (const box of document.querySelectorAll("#draw .chip input"))
          if (box.checked !== (box.value === "auto")) box.click();
        if (location.hash === hash) done();
        addEventListener("hashchange", () => setTimeout(done), { once: true });
        location.hash = hash;
        """
        self.driver.execute_async_script(script, more)
        if part != "draw":
            self.go(part)

    def go(self, part: str) -> None:
        """Select a part by its tab."""
        self.driver.find_element(By.ID, f"tab-{part}").click()
        self.part = part
        self.see(f"#{part} .work")

    def look(
        self,
        size: tuple[int, int] = DESK,
        *,
        dark: bool = False,
        calm: bool = False,
        forced: bool = False,
        media: str = "",
    ) -> None:
        """Emulate a screen or paper, a dark scheme, reduced motion or forced colours."""
        features = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if calm else "no-preference",
            "forced-colors": "active" if forced else "none",
        }
        parameters = {
            "media": media,
            "features": [{"name": n, "value": v} for n, v in features.items()],
        }
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", parameters)
        small = size[0] < 500
        parameters = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": small}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", parameters)

    # Content

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, f"#{self.part} :is({css})")

    def see(self, css, text=None, where=None):
        """Wait for the first visible element that contains some text, and return it."""
        found = self._found(
            css if where is None else f"{where} {css}",
            "each.textContent.includes(words ?? '')", text,
        )  # fmt: skip
        if found is None:
            page_text = self.driver.find_element(By.TAG_NAME, "main").text
            raise AssertionError(f"{css} with {text!r} is not to be seen in:\n{page_text}")
        return found

    def _found(self, css, test, words):
        """Return the first visible element that passes a test; the page itself polls."""
        script = f"""
        const [css, words, most, done] = arguments;
        const until = performance.now() + most;
        const look = () => {{
          const found = [...document.querySelectorAll(css)].find(
            (each) => each.checkVisibility() && {test});
          if (found || performance.now() > until) done(found ?? null);
          else setTimeout(look, 30);
        }};
        look();
        """
        return self.driver.execute_async_script(script, css, words, 500 * PATIENCE)

    def part_sees(self, css, text=None):
        return self.see(css, text, f"#{self.part}")

    def part_has(self, css) -> bool:
        """Return whether an element is visible now."""
        return any(each.is_displayed() for each in self.all(css))

    def text(self, css) -> str:
        return self.part_sees(css).text

    def cells(self) -> dict[str, list[str]]:
        """Return the label of every square for screen readers, word by word."""
        script = """
        return [...document.querySelectorAll(`#${arguments[0]} [role=gridcell]`)].map(
          (each) => [each.dataset.square, each.ariaLabel.split(", ").slice(1)]);
        """
        return dict(self.run(script, self.part))

    def marks(self, kind: str) -> set[str]:
        """Return the squares with a word in their label."""
        return {name for name, words in self.cells().items() if kind in words}

    def numbers(self) -> dict[str, int]:
        """Return the numbers in the squares."""
        found = re.compile("[0-9]+")
        matches = {name: found.search(" ".join(words)) for name, words in self.cells().items()}
        return {name: int(digits[0]) for name, digits in matches.items() if digits}

    def put(self, name: str, *keys: str) -> None:
        """Press keys on a square."""
        self.run("arguments[0].focus()", self.square(name))
        self.keys(*keys)

    # Actions

    def square(self, name):
        return self.part_sees(f"[data-square={name}]")

    def click(self, words, css="button"):
        """Click an element with this text or label."""
        test = "!each.disabled && [each.textContent.trim(), each.ariaLabel].includes(words)"
        found = self._found(f":is(#{self.part}, dialog[open]) {css}", test, words)
        assert found is not None, f"there is no {css} {words!r} to click"
        try:
            found.click()
        except StaleElementReferenceException:  # an answer that came just then replaced it
            return self.click(words, css)
        return found

    def label(self, words):
        """Return the field of a label."""
        script = """
        const label = [...document.querySelectorAll(`#${arguments[0]} label`)].find(
          (each) => each.checkVisibility() && each.textContent.trim() === arguments[1]);
        return label && (label.control ?? label.querySelector("input"));
        """
        found = self.run(script, self.part, words)
        return found or self.part_sees(f'[aria-label="{words}"]')

    def fill(self, words, value):
        """Type into a field, or choose from a menu."""
        control = self.label(words)
        if control.tag_name == "select":
            control.find_element(By.CSS_SELECTOR, f'option[value="{value}"]').click()
        else:
            control.send_keys(Keys.CONTROL, "a")
            control.send_keys(str(value), Keys.TAB)
        return control

    def keys(self, *keys: str) -> None:
        """Press keys at the focus: characters, or names such as ``ARROW_LEFT``."""
        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def chord(self, letter: str) -> None:
        """Press Ctrl and a letter."""
        chain = ActionChains(self.driver).key_down(Keys.CONTROL)
        chain.send_keys(letter).key_up(Keys.CONTROL).perform()

    def drag(self, element, right, down):
        chain = ActionChains(self.driver).click_and_hold(element)
        chain.move_by_offset(right, down).release().perform()

    def tap(self, name):
        """Tap a square with a finger."""
        box = self.square(name).rect
        scroll = self.run("return [scrollX, scrollY]")
        x, y = box["x"] + box["width"] / 2 - scroll[0], box["y"] + box["height"] / 2 - scroll[1]
        touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)
        touch = {"type": "touchEnd", "touchPoints": []}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)

    def saved(self, ending: str) -> bytes:
        """Wait for a download, remove its file, and return its content."""

        def is_complete():  # an empty file with its name appears before
            found = [*self.folder.glob(f"*{ending}")]
            return found and not [*self.folder.glob("*.crdownload")] and found[0].stat().st_size

        wait_until(is_complete)
        (path,) = self.folder.glob(f"*{ending}")
        data = path.read_bytes()
        path.unlink()
        return data

    # Faults

    def complaints(self) -> list[str]:
        """Return the warnings and errors in the browser's console."""
        return [
            each["message"] for each in self.driver.get_log("browser")
            if each["level"] in ("SEVERE", "WARNING")
        ]  # fmt: skip

    def violations(self, *only: str) -> list[str]:
        """Return what axe-core finds wrong with the page, by some of its rules or by all."""
        from axe_core_python.selenium import Axe

        options = {"runOnly": {"type": "rule", "values": [*only]}} if only else {}
        found = Axe().run(self.driver, options=options)["violations"]
        return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]

    def wide(self) -> int:
        """Return by how many pixels the page is wider than the screen."""
        return self.run("return document.documentElement.scrollWidth - innerWidth")
