"""What browser tests have in common: Debian's chromium, a Streamlit server, and pages that are offline.

The fixtures `browser` and `server` (the app) are in `conftest.py`:

def test_something(server, browser):
    with visit(browser, server.url) as tab:
        tab.page.get_by_text("...").click()
        tab.settle()
        assert tab.outside == [] and tab.errors == []
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 90_000
"""How long anything may take on a busy machine, in milliseconds."""

expect.set_options(timeout=TIMEOUT)

LOCAL = {"localhost", "127.0.0.1", "[::1]", "::1"}


def chromium_path() -> str:
    """Path of the browser. Skips the test where there is none, but fails it where the variable CI is set."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path:
        return path
    reason = "no chromium on PATH (on Debian: apt-get install chromium)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser."""
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--headless", "--disable-background-networking"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Server:
    """A running Streamlit server: its address and the file it logs to."""

    url: str
    log_file: Path

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")


@contextmanager
def streamlit_server(script: str | Path, timeout: float = TIMEOUT / 1000) -> Iterator[Server]:
    """Serve a Streamlit script on a free port; ready when its health check answers.

    Raises:
        RuntimeError: the server ended or stayed silent for `timeout` seconds; the message holds its log.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://localhost:{port}"
    options = {
        "server.port": port,
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(url, Path(folder) / "streamlit.log")
        with server.log_file.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), *flags],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_for_health(process, server, timeout)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for_health(process: subprocess.Popen, server: Server, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"Streamlit did not start:\n{server.log()}")


@dataclass
class Tab:
    """A browser page, what it asked for, the outside addresses among that (all refused), and the errors it logged."""

    page: Page
    requests: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def settle(self, timeout: float = TIMEOUT) -> None:
        """Wait until the script has run and the page has painted."""
        # A click reaches the server in the next turn of the browser's event loop.
        self.page.wait_for_timeout(100)
        self.page.locator("[data-test-script-state=notRunning]").wait_for(state="attached", timeout=timeout)
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=timeout)
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def expect_address(self, *parts: str, without: str = "") -> None:
        """Wait until the address has every part and, if given, not ``without``."""
        for part in parts:
            expect(self.page).to_have_url(re.compile(re.escape(part)))
        if without:
            expect(self.page).not_to_have_url(re.compile(re.escape(without)))


@contextmanager
def visit(browser: Browser, url: str, *, width: int = 1280, height: int = 800, **options) -> Iterator[Tab]:
    """Open an address in a fresh profile that reaches nothing but this machine.

    `options` go to Playwright's `Browser.new_context` (has_touch, color_scheme, ...).
    """
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    try:
        context.set_default_timeout(TIMEOUT)
        tab = Tab(context.new_page())

        def guard(route: Route) -> None:
            if is_local(route.request.url):
                route.continue_()
            else:
                tab.outside.append(route.request.url)
                route.abort()

        context.route("**/*", guard)
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.on("websocket", lambda socket: tab.requests.append(socket.url))
        tab.page.on("websocket", lambda socket: is_local(socket.url) or tab.outside.append(socket.url))
        tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
        tab.page.on("console", lambda line: line.type == "error" and tab.errors.append(line.text))
        tab.page.goto(url)
        tab.settle()
        yield tab
    finally:
        context.close()


def is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"data", "blob", "about"} or parts.hostname in LOCAL
