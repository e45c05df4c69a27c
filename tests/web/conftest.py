"""One server and one browser for all tests of the page."""

from __future__ import annotations

import signal
import subprocess

import pytest

from tests.support.command_line import PATIENCE, command_line, environment


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of ``kt-cp web``, served for as long as there are tests."""
    complaints = tmp_path_factory.mktemp("server") / "stderr"
    with complaints.open("w") as stderr, subprocess.Popen(
        command_line("web", "--no-browser"), env=environment(), start_new_session=True,
        stdout=subprocess.PIPE, stderr=stderr, text=True,
    ) as running:  # fmt: skip
        address = running.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), complaints.read_text()
        yield address
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 130


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Chromium and the folder into which it saves."""
    pytest.importorskip("selenium", reason="selenium is not installed: pip install 'kt_cp[test]'")
    from tests.support.browser import start

    folder = tmp_path_factory.mktemp("browser")
    driver = start(folder)
    yield driver, folder
    driver.quit()


@pytest.fixture
def page(site, browser, request):
    """The page, to be opened; afterwards nothing may be wrong in the console."""
    from tests.support.browser import Page
    from tests.support.scheduling import group_of

    assert group_of(request.node.nodeid) == "browser"  # or each worker starts one

    driver, folder = browser
    browser_page = Page(driver, site, folder)
    browser_page.look()
    browser_page.complaints()  # those of before
    for path in folder.glob("*.*"):
        path.unlink()
    yield browser_page
    browser_page.look()
    assert not browser_page.complaints()
