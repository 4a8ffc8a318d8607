"""The Molecules view of the Benchmark page, on a library of eight molecules."""

import json
import time

import pytest
from streamlit.testing.v1 import AppTest

from pages.addresses.benchmark import BENCHMARK
from pages.parts.benchmark.library import KEY
from pages.shared.jobs import known_job
from tests.app import opened
from wombat_core.molecules.library import LIBRARY_FILE, library_size
from wombat_core.progress import report
from wombat_core.screening import library_pass as screening
from wombat_core.screening import overview as overviews
from wombat_core.screening.overview import kept_overview, overview, similarity_groups

SMILES = ("CC=O", "CC(C)C=O", "CC(C)=O", "c1ccccc1", "CCCl", "[Na+]", "C1CC", "CCO")
"""Two aldehydes (Pattern 12), a ketone, three more; one without bonds and one that cannot be read."""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """The package ``chemicals`` with a small library, and a cache folder of its own."""
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path / "cache"))
    for module in (overviews, screening):
        monkeypatch.setattr(module, "_kept", {})
    file = tmp_path / "site" / "chemicals" / "Identifiers" / LIBRARY_FILE
    file.parent.mkdir(parents=True)
    (file.parents[1] / "__init__.py").touch()
    rows = (
        "\t".join([str(place), "", "", "", smiles, "", "", "", f"molecule {place}", ""])
        for place, smiles in enumerate(SMILES)
    )
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    library_size.cache_clear()
    yield file
    library_size.cache_clear()


def page(**params: str) -> AppTest:
    return opened("benchmark", board="molecules", **params)


def table(app: AppTest) -> dict:
    [component] = [element for element in app.main if element.type == "bidi_component"]
    return json.loads(component.proto.json)


def values(app: AppTest, pattern: str) -> list[str | None]:
    content = table(app)
    place = [row[0] for row in content["rows"]].index(pattern)
    return [cell and cell[0] for cell in content["cells"][place]]


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.main.caption).replace("\\", "")


def ended(app: AppTest) -> AppTest:
    """The page once its pass over the library has ended."""
    deadline = time.monotonic() + 60
    while known_job("library", KEY).is_active:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return app.run()


def test_nothing_is_computed_until_asked_for_and_all_is_kept_afterwards(library, monkeypatch):
    app = page(pattern="12")
    assert app.button(key="bench-library-start").label == "Compute, about 15 s"
    assert not [element for element in app.main if element.type == "bidi_component"] and kept_overview() is None
    app.button(key="bench-library-start").click().run()
    app = ended(app)
    assert not app.exception and not app.main.error
    # Pattern 12 is the aldehyde, Table S9 gives 10 of 34 for Pattern 5.
    assert values(app, "12")[0] == "2" and values(app, "12")[3] == "0 of 2"
    assert values(app, "5")[0] == "0" and values(app, "5")[3] == "–" and values(app, "5")[5] == "10 of 34"
    assert values(app, "flucarb")[3:] == [None, None, None]
    assert all(sum(int(cell) for cell in values(app, row[0])[:3]) == 6 for row in table(app)["rows"])
    assert table(app)["selected"] == [11, 0]
    assert "8 PubChem identifiers" in captions(app) and "6 usable" in captions(app)
    assert "Pattern 12, library: 0 of 2 (0.00 %)" in captions(app)
    monkeypatch.setattr(screening, "_screen_library", None)  # calling it would fail
    assert values(page(), "12") == values(app, "12"), "other sessions have it at once"


def test_pattern_and_measure_stand_in_the_address(library):
    overview()
    app = page(pattern="12-leaf", measure="tanimoto")
    assert table(app)["selected"] == [11, 0], "a variant has its pattern's motif"
    assert "Tanimoto is shared bits" in captions(app) and "no line marks them" in captions(app)
    app.selectbox(key="state-pattern").set_value("flucarb").run()
    assert app.query_params["pattern"] == "flucarb"
    assert "has no original SMARTS" in captions(app) and "no published positives" in captions(app)
    app.button_group(key="state-benchmark.measure").set_value("tversky").run()
    assert "Tversky (α = 1, β = 0)" in captions(app) and not app.main.error
    assert BENCHMARK.name_of("measure") not in app.query_params


def test_groups_hold_every_usable_molecule_once(library):
    overview()
    for measure in ("tversky", "tanimoto"):
        groups = similarity_groups("12", measure)
        assert list(groups) == ["published positives", "library, with the motif", "hard negatives", "other negatives"]
        sizes = [len(group) for group in groups.values()]
        assert sizes[0] == 6 and sizes[1] == 2 and sum(sizes[1:]) == 6
    tversky = similarity_groups("12")
    assert (tversky["hard negatives"] >= 0.5).all() and (tversky["other negatives"] < 0.5).all()


def test_the_pass_can_be_stopped_and_begun_again(library, monkeypatch):
    def slow(jobs):
        for step in range(3000):
            report(step / 3000)
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(screening, "_screen_library", slow)
        app = page()
        app.button(key="bench-library-start").click().run()
        assert not [button for button in app.button if button.key == "bench-library-start"]
        app.button(key="stop-library").click().run()
        app = ended(app)
        assert "Stopped; nothing of the pass was kept" in captions(app) and kept_overview() is None
    app.button(key="bench-library-start").click().run()
    assert values(ended(app), "12")[0] == "2"


def test_failures_are_one_sentence(library, monkeypatch, caplog):
    def fail(jobs):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(screening, "_screen_library", fail)
    app = page()
    app.button(key="bench-library-start").click().run()
    app = ended(app)
    [error] = app.main.error
    assert error.value.replace("\\", "").startswith("The pass over the library failed") and "secret" not in error.value
    assert "secret detail" in caplog.text and app.button(key="bench-library-start")
    library.unlink()
    [error] = page().main.error
    assert "library of molecules is missing" in error.value
