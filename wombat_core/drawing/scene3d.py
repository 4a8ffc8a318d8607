"""A molecule in space: a web page with 3Dmol.js, written by py3Dmol."""

import html
import json
import re
from typing import Any

import numpy as np
import py3Dmol
from rdkit import Chem

from ..errors import InputError
from ..molecules.molecule import Molecule
from . import colours
from .conformer import conformer

SPHERE, RING = 0.4, 0.54  # radii in angstrom
BOX = 1.3  # angstrom
STICK, HYDROGEN_STICK = 0.11, 0.035

_URL = re.compile(r"(https?://|\.{0,2}/(?![/*]))\S{1,2000}")


def scene_html(
    molecule: Molecule,
    scores=None,
    limit: float | None = None,
    signed: bool = False,
    ground_truth=None,
    selected: int | None = None,
    *,
    script: str,
    width: int | str = "100%",
    height: int | str = "100vh",
    background: str = "white",
) -> str:
    """A full HTML page that shows the molecule, the same text for the same arguments.

    Atoms are spheres in the colours of their attributions (as in the depictions), sticks have the
    elements' colours, hydrogens are thin; ground-truth atoms stand in a blue wire frame, the selected one
    in a dark box with its symbol and number. Hovering an atom shows its symbol and number.

    Args:
        molecule, scores, limit, signed, ground_truth, selected: as for :func:`.depiction.depict`.
        script: the text of 3Dmol.js, inlined so that the page needs no network, or its address.
        width, height: of the view, pixels or CSS lengths.
        background: CSS colour name or ``#rrggbb``.

    Raises:
        InputError: there are no 3D coordinates, or an argument has the wrong length.
    """
    n = molecule.num_atoms
    scores = colours.as_scores(scores)
    for name, values in (("scores", scores), ("ground_truth", ground_truth)):
        if values is not None and len(values) != n:
            raise InputError(f"The drawing needs {n} {name}, one each, and got {len(values)}.")
    if selected is not None and not 0 <= selected < n:
        raise InputError(f"The molecule has no atom {selected}; its atoms are 0 to {n - 1}.")
    mol = conformer(molecule)
    # py3Dmol has no types; the checker takes a width to be a number, as its default is.
    size: dict[str, Any] = {"width": _length(width), "height": _length(height)}
    view = py3Dmol.view(**size, js="")
    view.setBackgroundColor(background)
    view.addModel(_mol_block(mol), "sdf")
    view.setStyle({}, {"stick": {"radius": STICK}})
    view.setStyle({"elem": "H"}, {})
    if scores is not None:
        shades = colours.hex_of(scores, limit, signed)
        for i in np.flatnonzero(np.isfinite(scores)).tolist():
            view.addStyle({"index": i}, {"sphere": {"radius": SPHERE, "color": shades[i]}})
    places = [dict(zip("xyz", map(float, row), strict=True)) for row in mol.GetConformer().GetPositions().round(4)]
    # 3Dmol.js draws a bond as thick as its first atom's, but hydrogens are to be thin.
    for bond in mol.GetBonds():
        begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        if max(begin, end) >= n:
            stick = {"start": places[begin], "end": places[end], "radius": HYDROGEN_STICK, "color": "#9ca3af"}
            view.addCylinder(stick)
    for i in [] if ground_truth is None else np.flatnonzero(ground_truth).tolist():
        # A wire frame, since a translucent sphere would tint the attribution's colour.
        frame = {"center": places[i], "radius": RING, "color": colours.GROUND_TRUTH}
        view.addSphere({**frame, "wireframe": True, "quality": 1})
    if selected is not None:
        x, y, z = (places[selected][axis] - BOX / 2 for axis in "xyz")
        box = {"corner": {"x": x, "y": y, "z": z}, "dimensions": dict.fromkeys("whd", BOX)}
        view.addBox({**box, "color": colours.SELECTED, "wireframe": True})
        label = {"position": places[selected], "fontSize": 14, "backgroundColor": colours.SELECTED}
        label["alignment"] = "bottomLeft"
        label["screenOffset"] = {"x": 14, "y": 14}
        view.addLabel(f"{mol.GetAtomWithIdx(selected).GetSymbol()}{selected}", label)
    view.setHoverable({"not": {"elem": "H"}}, True, _SHOW_LABEL, _HIDE_LABEL)
    view.zoomTo()
    content: Any = view.write_html()
    content = content.replace(view.uniqueid, "scene")  # py3Dmol takes the time of day
    # py3Dmol loads the script itself unless this promise exists; it would not notice a failure.
    return _PAGE.format(background=html.escape(background, quote=True), loader=_loader(script), content=content)


def is_address(script: str) -> bool:
    """Whether ``script`` is an address (absolute, or starting with / or ./) and not JavaScript."""
    return _URL.fullmatch(script) is not None


def _loader(script: str) -> str:
    if is_address(script):
        address = json.dumps(script).replace("<", "\\u003c")
        return f"<script>{_LOAD.replace('ADDRESS', address)}</script>"
    return f"<script>{_inline(script)}</script><script>{_LOADED}</script>"


def _inline(script: str) -> str:
    """JavaScript that cannot end or confuse the ``<script>`` element around it (HTML, 4.12.1.3)."""
    script = re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE)
    script = re.sub(r"<(script)", r"\\x3C\1", script, flags=re.IGNORECASE)
    return script.replace("<!--", "\\x3C!--")


def _length(length: int | str) -> int | str:
    if isinstance(length, str) and not re.fullmatch(r"\d+(\.\d+)?(px|%|vh|vw|em|rem)", length):
        raise ValueError(f"{length!r} is not a CSS length")
    return length


def _mol_block(mol: Chem.Mol) -> str:
    mol = Chem.Mol(mol)
    mol.SetProp("_Name", "")
    for atom in mol.GetAtoms():
        if not atom.GetAtomicNum():
            atom.SetFormalCharge(0)  # a MOL block cannot hold a charged dummy, and the picture does not show charges
    try:
        return Chem.MolToMolBlock(mol)
    except (ValueError, RuntimeError):
        return Chem.MolToMolBlock(mol, kekulize=False)


_SHOW_LABEL = (
    "function(atom, viewer) { if (!atom.hoverLabel) atom.hoverLabel = "
    "viewer.addLabel(atom.elem + atom.index, {position: atom, fontSize: 13, backgroundColor: '#374151'}); }"
)
_HIDE_LABEL = (
    "function(atom, viewer) { if (atom.hoverLabel) { viewer.removeLabel(atom.hoverLabel); delete atom.hoverLabel; } }"
)
_LOADED = (
    "var $3Dmolpromise = window.$3Dmol ? Promise.resolve() : "
    "Promise.reject(new Error('the local 3Dmol.js did not start.'));"
)
_LOAD = """
var $3Dmolpromise = new Promise(function(resolve, reject) {
  var missing = new Error('3Dmol.js is not installed here and could not be loaded from the internet.');
  var tag = document.createElement('script');
  tag.src = ADDRESS;
  tag.onload = function() { window.$3Dmol ? resolve() : reject(missing); };
  tag.onerror = function() { reject(missing); };
  setTimeout(function() { reject(missing); }, 20000);
  document.head.appendChild(tag);
});"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>3D view</title>
<style>
html, body {{ margin: 0; overflow: hidden; background: {background}; font: 15px system-ui, sans-serif; }}
#failure {{ display: none; padding: 1rem; color: #7f1d1d; }}
</style>
<script>
window.addEventListener('unhandledrejection', function(event) {{
  var reason = String(event.reason && event.reason.message);
  if (!/3Dmol\\.js/.test(reason)) reason = 'this browser offers no WebGL (' + reason + ').';
  var box = document.getElementById('failure');
  box.textContent = 'The 3D view cannot be shown: ' + reason;
  box.style.display = 'block';
}});
</script>
{loader}
</head>
<body>
<p id="failure" role="alert"></p>
{content}
</body>
</html>
"""
