"""A page in a real browser, without a window, and what a visitor does with it."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
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
"""It has no window, asks nobody for anything, and starts nothing that is not looked at."""

VISITS = count(1)

DESK, TELEPHONE = (1280, 900), (360, 740)


class Steady(WebElement):
    """What is clicked once it lies still: a page that was narrowed is laid out anew."""

    def click(self) -> None:
        wait_until(self._clicked)

    def _clicked(self) -> bool:
        try:
            super().click()
        except ElementClickInterceptedException:
            return False
        return True


class Browser(webdriver.Chrome):
    """Chromium whose elements are :class:`Steady`."""

    _web_element_cls = Steady


def start(folder: Path) -> webdriver.Chrome:
    """A browser with a folder of its own, into which it saves what is downloaded."""
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
    """A page as a user sees and operates it; every look-up of an element waits for it."""

    def __init__(self, driver: webdriver.Chrome, address: str, folder: Path) -> None:
        self.driver, self.address, self.folder = driver, address, folder
        self.part = "draw"

    # Where

    def open(self, more: str = "", part: str = "draw") -> None:
        """Come anew, as to a page that was never seen."""
        # Another hash alone loads nothing.
        self.driver.get(f"{self.address}&visit={next(VISITS)}{more}")
        self.run("localStorage.removeItem('puzzle')")
        self.see("#draw .question")
        self.part = "draw"
        if part != "draw":
            self.go(part)

    def turn(self, more: str, part: str = "draw") -> None:
        """Have another question drawn on the page that is there, and asked of auto."""
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
        """Take one of the parts, by its tab."""
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
        """See it on another screen or on paper, in the dark, without motion, in few colours."""
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

    # What is seen

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, f"#{self.part} :is({css})")

    def see(self, css, text=None, where=None):
        """The first that is visible, once it is, and has some text in it."""
        found = self._found(
            css if where is None else f"{where} {css}",
            "each.textContent.includes(words ?? '')", text,
        )  # fmt: skip
        if found is None:
            page_text = self.driver.find_element(By.TAG_NAME, "main").text
            raise AssertionError(f"{css} with {text!r} is not to be seen in:\n{page_text}")
        return found

    def _found(self, css, test, words):
        """The first visible one for which a test holds; the page itself looks again and again."""
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
        """Whether one is visible now."""
        return any(each.is_displayed() for each in self.all(css))

    def text(self, css) -> str:
        return self.part_sees(css).text

    def cells(self) -> dict[str, list[str]]:
        """The label of every square for screen readers, word by word."""
        script = """
        return [...document.querySelectorAll(`#${arguments[0]} [role=gridcell]`)].map(
          (each) => [each.dataset.square, each.ariaLabel.split(", ").slice(1)]);
        """
        return dict(self.run(script, self.part))

    def marks(self, kind: str) -> set[str]:
        """Squares with a word in their label."""
        return {name for name, words in self.cells().items() if kind in words}

    def numbers(self) -> dict[str, int]:
        """The numbers in the squares."""
        found = re.compile("[0-9]+")
        matches = {name: found.search(" ".join(words)) for name, words in self.cells().items()}
        return {name: int(digits[0]) for name, digits in matches.items() if digits}

    def put(self, name: str, *keys: str) -> None:
        """Press keys on a square."""
        self.run("arguments[0].focus()", self.square(name))
        self.keys(*keys)

    # What is done

    def square(self, name):
        return self.part_sees(f"[data-square={name}]")

    def click(self, words, css="button"):
        """Click what has these words, or is called so."""
        test = "!each.disabled && [each.textContent.trim(), each.ariaLabel].includes(words)"
        found = self._found(f":is(#{self.part}, dialog[open]) {css}", test, words)
        assert found is not None, f"there is no {css} {words!r} to click"
        found.click()
        return found

    def label(self, words):
        """The field of a label."""
        script = """
        const label = [...document.querySelectorAll(`#${arguments[0]} label`)].find(
          (each) => each.checkVisibility() && each.textContent.trim() === arguments[1]);
        return label && (label.control ?? label.querySelector("input"));
        """
        found = self.run(script, self.part, words)
        return found or self.part_sees(f'[aria-label="{words}"]')

    def fill(self, words, value):
        """Write into a field, or choose from a menu, as keys do."""
        control = self.label(words)
        if control.tag_name == "select":
            control.find_element(By.CSS_SELECTOR, f'option[value="{value}"]').click()
        else:
            control.send_keys(Keys.CONTROL, "a")
            control.send_keys(str(value), Keys.TAB)
        return control

    def keys(self, *keys: str) -> None:
        """Press keys where the keyboard is: characters, or names such as ``ARROW_LEFT``."""
        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def chord(self, letter: str) -> None:
        """Press Ctrl and a letter."""
        chain = ActionChains(self.driver).key_down(Keys.CONTROL)
        chain.send_keys(letter).key_up(Keys.CONTROL).perform()

    def drag(self, element, right, down):
        chain = ActionChains(self.driver).click_and_hold(element)
        chain.move_by_offset(right, down).release().perform()

    def tap(self, name):
        """A finger on a square."""
        box = self.square(name).rect
        scroll = self.run("return [scrollX, scrollY]")
        x, y = box["x"] + box["width"] / 2 - scroll[0], box["y"] + box["height"] / 2 - scroll[1]
        touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)
        touch = {"type": "touchEnd", "touchPoints": []}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)

    def saved(self, ending: str) -> bytes:
        """What was downloaded last, once it is whole; it is taken away."""

        def is_complete():  # its name is there, empty, before it is
            found = [*self.folder.glob(f"*{ending}")]
            return found and not [*self.folder.glob("*.crdownload")] and found[0].stat().st_size

        wait_until(is_complete)
        (path,) = self.folder.glob(f"*{ending}")
        data = path.read_bytes()
        path.unlink()
        return data

    # What must not be

    def complaints(self) -> list[str]:
        """What the browser's console says is wrong."""
        return [
            each["message"] for each in self.driver.get_log("browser")
            if each["level"] in ("SEVERE", "WARNING")
        ]  # fmt: skip

    def violations(self, *only: str) -> list[str]:
        """What axe-core has against the page as it stands; by some of its rules, or by all."""
        from axe_core_python.selenium import Axe

        options = {"runOnly": {"type": "rule", "values": [*only]}} if only else {}
        found = Axe().run(self.driver, options=options)["violations"]
        return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]

    def wide(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return self.run("return document.documentElement.scrollWidth - innerWidth")
