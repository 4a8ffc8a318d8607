"""Errors that processes hand to each other."""

import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys

import pytest

import wombat_core
from wombat_core.errors import InputError
from wombat_core.molecules.files import read_molecules
from wombat_core.molecules.own_arrays import file_arrays, file_problems

VALUES = {"line": 3, "suggestions": ("ethanol",), "columns": ("a", "b"), "atom": 2, "bond": (0, 1), "span": (4, 9)}


def _classes() -> list[type[InputError]]:
    for module in pkgutil.walk_packages(wombat_core.__path__, "wombat_core."):
        if any(part in module.name for part in ("lessons", "molecules", "compiler")):
            importlib.import_module(module.name)
    found, queue = [], [InputError]
    while queue:
        found.append(own := queue.pop())
        queue += own.__subclasses__()
    return [own for own in found if own.__module__.startswith("wombat_core.")]


def _made(own: type[InputError]) -> InputError:
    takes = [] if own.__init__ is ValueError.__init__ else list(inspect.signature(own.__init__).parameters.values())[1:]
    kinds = inspect.Parameter
    values = {each.name: VALUES.get(each.name, f"the {each.name}") for each in takes}
    plain = [values[each.name] for each in takes if each.kind is kinds.POSITIONAL_OR_KEYWORD]
    named = {each.name: values[each.name] for each in takes if each.kind is kinds.KEYWORD_ONLY}
    return own(*(plain or ["a sentence"]), **named)


def test_every_input_error_comes_back_from_a_pickle_as_it_was():
    classes = _classes()
    assert {"InputError", "SmartsError", "RecordError", "UnknownNameError", "ColumnError", "LessonError"} <= {
        own.__name__ for own in classes
    }
    for own in classes:
        error = _made(own)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is own and str(again) == str(error) and vars(again) == vars(error), own


def test_a_file_with_a_bad_line_is_read_over_processes(tmp_path):
    path = tmp_path / "f.smi"
    path.write_text("CC=O\nzz\nCCC\n")
    arrays = file_arrays(path, jobs=2)
    assert arrays.readable.tolist() == [True, False, True]
    assert file_problems(path, arrays) == [str(list(read_molecules(path))[1][1])]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_file_without_a_molecule_says_so(tmp_path, text):
    path = tmp_path / "none.smi"
    path.write_text(text)
    if not text:
        with pytest.raises(InputError, match="is empty"):
            file_arrays(path)
    else:
        assert file_problems(path, file_arrays(path)) == ["none.smi contains no molecule."]


def test_a_bad_smarts_is_refused_before_torch_is_loaded():
    script = (
        "import sys; from wombat_core.cli import main; code = main(['predict', '--smarts', 'C(', 'CCO']);"
        "assert 'torch' not in sys.modules; sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    sentence = "wombat_core predict: The SMARTS 'C(' cannot be read: the bracket ( at position 2 is not closed."
    assert (ended.returncode, ended.stderr.strip()) == (2, sentence)
