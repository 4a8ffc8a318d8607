"""The examples in docstrings say what happens."""

import doctest
import importlib

import pytest

from tests.browser import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def modules() -> list[str]:
    files = (path for path in (ROOT / "wombat_core").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files)


def test_there_are_examples_of_the_public_functions():
    assert {"wombat_core.public.basics", "wombat_core.public.explaining", "wombat_core.benchmark.results"} <= {
        *modules()
    }


@pytest.mark.parametrize("name", modules())
def test_examples(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.attempted and not result.failed
