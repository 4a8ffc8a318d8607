"""What all tests share: one thread a process, and the published reference scores."""

import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pandas as pd
import pytest

from tests.browser import ROOT, chromium, streamlit_server

DATA = Path(__file__).parent / "data"


LONG = ("explore_browser", "layers_browser", "catalogues", "mask_explainers", "install", "benchmark_run", "sets")
"""Files that take minutes come first, so that no worker is left alone with one in the end."""


def pytest_collection_modifyitems(items):
    places = {f"test_{name}": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONG)))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """What tests train and run stays out of the user's folders; workers share one cache: the library is read once."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WOMBAT_CACHE", str(cache))
        patch.setenv("WOMBAT_RUNS", str(tmp_path_factory.mktemp("runs")))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def reference_scores() -> pd.DataFrame:
    """Per-molecule AUROCs of the published run (gmum/wombat); an empty cell is an undefined score."""
    return pd.read_csv(DATA / "reference_scores.csv")


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium; the test is skipped with a reason where it is missing."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def server():
    """The app, whose log must hold neither a traceback nor a deprecation in the end."""
    with streamlit_server(ROOT / "app.py") as server:
        yield server
        log = server.log()
        assert "Traceback" not in log
        assert "deprecat" not in log.lower()
