"""The app asks nobody outside this machine, neither its server nor the browser."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from tests.browser import LOCAL, ROOT, chromium_path, is_local
from tests.offline import PAGES

ALONE = ["unshare", "--map-root-user", "--net"]


def may_unshare() -> bool:
    try:
        return subprocess.run([*ALONE, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


def test_by_default_only_this_machine_reaches_the_app():
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        assert tomllib.load(file)["server"]["address"] == "localhost"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not may_unshare(), reason="this machine does not permit a network of its own (unshare --net)")
def test_all_pages_without_a_network():
    chromium_path()
    ended = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.offline"],
        cwd=ROOT,
        env={**os.environ, "OWN_NETWORK": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    found = json.loads(ended.stdout.splitlines()[-1])
    assert len(found["requests"]) > 10 * len(PAGES)
    assert [url for url in found["requests"] if not is_local(url)] == []
    hosts = {address[0] if isinstance(address, list) else address for address in found["server"]}
    assert hosts <= LOCAL | {None}, hosts
