"""The package as others install it: a wheel, in a folder with spaces, far from this project."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.browser import ROOT

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
CATALOGUES = ("motifs.yaml", "certified.jsonl", "klekota_roth.smarts")
FACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def done(*command, **options) -> str:
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=280, **options)
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout


def name_of(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement)[0].lower()


def limits(requirement: str) -> set[str]:
    return set(re.split(r"[A-Za-z0-9_-]+", requirement, maxsplit=1)[1].replace(" ", "").split(","))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, so that nothing is left in the project's folder."""
    source = tmp_path_factory.mktemp("source of the wheel")
    files = done("git", "ls-files", "-z", "wombat_core", "pyproject.toml", "README.md", "LICENSE", cwd=ROOT).split("\0")
    for name in filter(None, files):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    done(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", source / "dist", source)
    [found] = (source / "dist").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of programs of an environment that has the wheel and this environment's libraries, but no project."""
    folder = tmp_path_factory.mktemp("an environment with spaces") / "of its own"
    venv.create(folder, with_pip=False, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    done(sys.executable, "-m", "pip", "--python", folder / "bin/python", "install", "--no-deps", "--no-index", wheel)
    return folder / "bin"


@pytest.fixture
def elsewhere(tmp_path) -> dict:
    """How a program is run far from the project."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {"cwd": tmp_path, "env": kept | {"WOMBAT_CACHE": str(tmp_path / "cache")}}


def test_the_wheel_holds_all_files_of_the_package_and_nothing_else(wheel):
    tracked = set(done("git", "ls-files", "-z", "wombat_core", cwd=ROOT).split("\0")) - {""}
    tracked = {name for name in tracked if (ROOT / name).exists()}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == tracked
    assert {"wombat_core/py.typed", "wombat_core/__init__.pyi", "wombat_core/data/positives.csv"} <= packed
    assert {f"wombat_core/data/catalogues/{name}" for name in CATALOGUES} <= packed


def test_the_command_predicts_from_anywhere(installed, elsewhere):
    out = done(installed / "wombat", "predict", "--pattern", "5", "--json", FIGURE_5, **elsewhere)
    assert json.loads(out)["prediction"] == 16
    where = done(installed / "python", "-c", "import wombat_core; print(wombat_core.__file__)", **elsewhere)
    assert str(ROOT) not in where and "site-packages" in where


def test_a_dask_worker_that_only_has_the_wheel(installed, elsewhere):
    program = """
from distributed import LocalCluster
import wombat_core as wombat

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        result = wombat.benchmark(["5"], ["r1"], ["saliency"], limit=2, dask=address)
        print(len(result.rows), result.rows[0].problem)
"""
    (elsewhere["cwd"] / "run.py").write_text(program)
    assert done(installed / "python", "run.py", **elsewhere).split() == ["2", "None"]


def test_the_viewer_s_file_is_not_needed(installed, elsewhere):
    code = (
        "import wombat_core as w; from wombat_core.drawing.scene3d import scene_html; "
        "from wombat_core.drawing.viewer_script import CDN_URL, local_viewer; assert local_viewer() is None; "
        "assert CDN_URL in scene_html(w.molecule('CCO'), script=CDN_URL)"
    )
    done(installed / "python", "-c", code, **elsewhere)


def test_requirements_and_dependencies_agree():
    """requirements.txt pins what the project's dependencies allow; it lists the core's and the app's."""
    pinned = {name_of(line): line for line in (ROOT / "requirements.txt").read_text().split()}
    wanted = FACTS["dependencies"] + FACTS["optional-dependencies"]["app"]
    assert {name_of(each) for each in wanted} == set(pinned)
    dev = {name_of(line): line for line in (ROOT / "requirements-dev.txt").read_text().split()}
    assert {name_of(each) for extra in ("dask", "dev") for each in FACTS["optional-dependencies"][extra]} <= set(dev)
    for requirement in [*wanted, *FACTS["optional-dependencies"]["dask"], *FACTS["optional-dependencies"]["dev"]]:
        pin = (pinned | dev)[name_of(requirement)]
        for limit in limits(requirement):
            lowest = re.search(r"[=>]=([\d.]+)", pin)[1]
            wanted_version = re.search(r"[\d.]+", limit)[0]
            if limit.startswith(">="):
                assert numbers(lowest) >= numbers(wanted_version), requirement
            else:
                assert limit in limits(pin), requirement


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_the_version_is_the_package_s(wheel):
    import wombat_core

    assert "version" in FACTS["dynamic"] and f"-{wombat_core.__version__}-" in wheel.name
