"""3D scenes, and the install step that brings the viewer."""

import io
import re
import tarfile

import numpy as np
import pytest

from wombat_core.drawing import colours, fetch_viewer, viewer_script
from wombat_core.drawing.conformer import MAX_ATOMS, conformer
from wombat_core.drawing.scene3d import is_address, scene_html
from wombat_core.errors import InputError
from wombat_core.molecules.molecule import from_smiles

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
VIEWER = "/*! 3Dmol */ var $3Dmol = {};"


def test_conformer_keeps_the_atom_order_and_is_the_same_every_time():
    molecule = from_smiles(FIGURE_5)
    mol = conformer(molecule)
    symbols = [atom.GetSymbol() for atom in molecule.mol.GetAtoms()]
    assert [atom.GetSymbol() for atom in mol.GetAtoms()][:14] == symbols
    assert mol.GetNumAtoms() == 14 + 13
    coordinates = mol.GetConformer().GetPositions()
    assert np.ptp(coordinates, axis=0).min() > 0.5
    assert conformer(molecule) is mol
    assert np.array_equal(coordinates, conformer(from_smiles(FIGURE_5)).GetConformer().GetPositions())


def test_fragments_stand_apart():
    molecule = from_smiles("[Na+].OC(=O)c1ccccc1.[Cl-].CCO")
    coordinates = conformer(molecule).GetConformer().GetPositions()[: molecule.num_atoms]
    fragment = np.array([0] + [1] * 9 + [2] + [3] * 3)
    apart = np.linalg.norm(coordinates[:, None] - coordinates[None], axis=2)
    assert apart[fragment[:, None] != fragment[None]].min() > 2


@pytest.mark.parametrize("smiles", ["C" * (MAX_ATOMS + 1), "C1#CC1", "C[C@@]12CC[C@](C)(C1)C2"])
def test_failures_are_one_sentence(smiles):
    with pytest.raises(InputError, match=r"^There are no 3D coordinates .*\.$") as error:
        scene_html(from_smiles(smiles), script=VIEWER)
    assert "\n" not in str(error.value)


def test_scene_shows_attributions_ground_truth_and_selection():
    molecule = from_smiles(FIGURE_5)
    scores = [None] + [0.0] * 12 + [2.0]
    truth = np.arange(14) != 7
    page = scene_html(molecule, scores, ground_truth=truth, selected=7, script=VIEWER)
    styles = dict(re.findall(r'addStyle\(\{"index": (\d+)\},\{"sphere": \{[^}]*"color": "(#[0-9a-f]{6})"', page))
    assert sorted(map(int, styles)) == list(range(1, 14))
    assert styles["13"] == colours.SEQUENTIAL[-1] and styles["1"] == "#ffffff"
    assert page.count("addSphere(") == 13
    assert page.count("addBox(") == 1 and '"C7"' in page
    assert page.count("addCylinder(") == 13
    plain = scene_html(molecule, script=VIEWER)
    assert "addSphere(" not in plain and "addStyle(" not in plain and "addBox(" not in plain


def test_the_same_scene_is_the_same_page():
    molecule = from_smiles("CCO")
    assert scene_html(molecule, [1, 2, 3], script=VIEWER) == scene_html(molecule, [1, 2, 3], script=VIEWER)


def test_inlined_script_cannot_end_its_element():
    script = "/* 3Dmol */ var a = '</script><script>', b = '</SCRIPT >', c = '<!--';"
    page = scene_html(from_smiles("CC", name="</script>"), script=script)
    inlined = page[page.index("/* 3Dmol */") : page.index("c = ")]
    assert "</script>" not in inlined.lower() and "<script" not in inlined.lower()
    assert "<!--" not in page
    assert page.lower().count("<script") == page.lower().count("</script>") == 4


def test_address_is_loaded_and_its_failure_noticed():
    page = scene_html(from_smiles("CC"), script=viewer_script.CDN_URL)
    assert f'tag.src = "{viewer_script.CDN_URL}"' in page and "tag.onerror" in page
    assert is_address("./static/3Dmol-min.js") and is_address("/app/static/3Dmol-min.js")
    assert not is_address("/*! licence */") and not is_address("//comment") and not is_address("var a")


def test_cdn_is_the_one_py3dmol_uses():
    import inspect

    import py3Dmol

    assert inspect.signature(py3Dmol.view).parameters["js"].default == viewer_script.CDN_URL


def test_bad_arguments():
    with pytest.raises(InputError, match="needs 2 scores"):
        scene_html(from_smiles("CC"), [1], script=VIEWER)
    with pytest.raises(ValueError, match="CSS length"):
        scene_html(from_smiles("CC"), script=VIEWER, width='1px" onload="x')


@pytest.mark.parametrize("smiles", ["[*+]C", "C[*+2]", "C[*-]"])
def test_charged_dummies_have_a_scene_or_a_sentence(smiles):
    try:
        assert "addModel" in scene_html(from_smiles(smiles), script=VIEWER)
    except InputError as error:
        assert "3D coordinates" in str(error)


def test_salt_without_bonds_has_a_scene():
    assert "addModel(" in scene_html(from_smiles("[Na+].[Cl-]"), [1, -1], signed=True, script=VIEWER)


@pytest.fixture
def vendor(tmp_path, monkeypatch):
    folder = tmp_path / "vendor"
    monkeypatch.setattr(viewer_script, "VENDOR", folder)
    monkeypatch.setattr(viewer_script, "SCRIPT", folder / "3Dmol-min.js")
    monkeypatch.setattr(viewer_script, "LICENSE", folder / "3Dmol-LICENSE")
    return folder


def package(path, members: dict[str, bytes], link: str | None = None):
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        if link:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info)
    return path


def test_unpack_takes_the_viewer_and_its_licence_only(vendor, tmp_path):
    members = {
        "package/build/3Dmol-min.js": b"var $3Dmol;",
        "package/LICENSE": b"BSD",
        "../../evil": b"x",
        "package/build/3Dmol.js": b"x",
    }
    fetch_viewer.unpack(package(tmp_path / "a.tgz", members))
    assert sorted(path.name for path in vendor.iterdir()) == ["3Dmol-LICENSE", "3Dmol-min.js"]
    assert viewer_script.local_viewer() == "var $3Dmol;"
    assert "already" in fetch_viewer.fetch_viewer()


def test_unpack_refuses_other_contents(vendor, tmp_path):
    licence = {"package/LICENSE": b"BSD"}
    with pytest.raises(ValueError, match="missing"):
        fetch_viewer.unpack(package(tmp_path / "a.tgz", licence))
    with pytest.raises(ValueError, match="not a file"):
        fetch_viewer.unpack(package(tmp_path / "b.tgz", licence, link="package/build/3Dmol-min.js"))
    with pytest.raises(ValueError, match=r"not 3Dmol\.js"):
        fetch_viewer.unpack(package(tmp_path / "c.tgz", {**licence, "package/build/3Dmol-min.js": b"<html>"}))
    assert not vendor.exists()
    assert viewer_script.local_viewer() is None


def test_without_npm_the_step_says_so_and_goes_on(vendor, monkeypatch):
    monkeypatch.setattr(fetch_viewer.shutil, "which", lambda name: None)
    assert re.fullmatch(r"3Dmol\.js was not installed because npm is missing; .*\.", fetch_viewer.fetch_viewer())
    monkeypatch.setattr(fetch_viewer.shutil, "which", lambda name: "/bin/false")
    assert "npm could not fetch it" in fetch_viewer.fetch_viewer()
    assert not vendor.exists()
