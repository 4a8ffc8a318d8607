"""Explain one molecule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..explainers.registry import explainer as by_name
from .basics import network, one_thread, subject

if TYPE_CHECKING:
    from rdkit.Chem import Mol

    from ..explainers.protocol import Explainer
    from ..explanation import Explanation
    from ..molecules.molecule import Molecule
    from ..whitebox.build import Network


def explain(
    which: str | Molecule | Mol, model: Network, explainer: str | Explainer = "integrated-gradients", **settings: Any
) -> Explanation:
    """One explainer's attributions on a molecule, beside the ground truth and scored against it.

    Args:
        which: SMILES, name, CAS number, InChI, a ``Molecule`` or an RDKit molecule.
        model: a whitebox, see :func:`wombat_core.load`; a pattern or its id means its r1 network.
        explainer: a name (see :func:`wombat_core.explainer_names`), or an explainer of your own.
        settings: of the named explainer; Captum's names ``n_steps``, ``n_samples``, ``baselines`` mean ``steps``,
            ``samples``, ``baseline``.

    Raises:
        InputError: there is no such molecule, explainer or setting; or the explainer refuses the molecule.

    >>> import wombat_core as wombat
    >>> model = wombat.load("5", readout="r2")
    >>> e = wombat.explain("NC(=O)NN=C1CCCC(C(=O)O)C1", model, "integrated-gradients", steps=100)
    >>> e
    <Explanation by integrated-gradients of NC(=O)NN=C1CCCC(C(=O)O)C1, Pattern 5, r2 = 1: AUROC 0.923>
    >>> int(e.truth.sum()), e.atom_scores.shape
    (13, (14,))
    """
    from .. import explanation

    model = network(model)
    under = subject(which, model)
    method = chosen(explainer, settings)
    with one_thread():
        return explanation.explain([under], model, method)[0]


def chosen(explainer: str | Explainer, settings: dict[str, Any] | None = None) -> Explainer:
    """An explainer by name with settings, or one that is given with its own.

    Raises:
        InputError: no such name or setting, or settings beside an explainer that has its own.
    """
    if isinstance(explainer, str):
        return by_name(explainer, **(settings or {}))
    if isinstance(explainer, type):
        raise InputError(f"{explainer.__name__} is a class; give an explainer, {explainer.__name__}().")
    if not callable(getattr(explainer, "attribute", None)) or not isinstance(getattr(explainer, "name", None), str):
        raise InputError(
            f"{type(explainer).__name__} is no explainer: it needs a name and a method 'attribute(self, model, batch)'."
        )
    if settings:
        raise InputError(f"Settings go with an explainer's name; {type(explainer).__name__} has its own.")
    return explainer
