"""Training PGExplainer (PyG) for one network, and keeping what it learnt."""

from __future__ import annotations

import copy
import hashlib
import json
import threading
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache, partial

import numpy as np
import torch
import torch_geometric
from torch import Tensor, nn
from torch.nn.utils import skip_init
from torch_geometric.explain import Explainer as PygExplainer
from torch_geometric.explain import PGExplainer as PygPGExplainer
from torch_geometric.utils import get_embeddings

from ..cache import load_arrays, save_arrays
from ..ground_truth import contains_motif
from ..molecules import from_smiles
from ..molecules.encoding import encode
from ..molecules.graphs import Graph
from ..molecules.library import library_rows
from ..molecules.positives import positives
from ..molecules.usability import exclusion_key
from ..progress import report
from ..whitebox.catalogue import Pattern
from .explained import centre_of, embedding_scale, fit_loss
from .gnn_masks import MODEL_CONFIG
from .pg_settings import TrainingSettings
from .seeding import Stream, graph_seed

CACHE_KIND = "pg-explainer"
FORMAT = 2
"""Counted up whenever the training changes, so that networks trained before are not used."""
LARGEST_MOLECULE = 40


class Trained(PygPGExplainer):
    """PyG's ``PGExplainer`` with coefficients of its own and each molecule's embeddings computed once."""

    def __init__(self, model: nn.Module, settings: TrainingSettings):
        super().__init__(settings.epochs, settings.lr)
        self.loss_of, self.centre = partial(fit_loss, model), centre_of(model)
        # PyG keeps the coefficients on the class, where they would be everybody's.
        self.coeffs = dict(self.coeffs, edge_size=settings.edge_size, edge_ent=settings.edge_ent)
        self.embeddings: dict[int, Tensor] = {}

    def _get_embeddings(self, model, x: Tensor, edge_index: Tensor, **kwargs) -> Tensor:
        if id(x) not in self.embeddings:
            self.embeddings[id(x)] = last_embeddings(model, x, edge_index, **kwargs)
        return self.embeddings[id(x)]

    def _get_inputs(self, embedding: Tensor, edge_index: Tensor, index: int | None = None) -> Tensor:
        return ends(embedding, edge_index, None if self.centre is None else torch.tensor([self.centre]))

    def _calculate_base_loss(self, y_hat: Tensor, y: Tensor) -> Tensor:
        return self.loss_of(y_hat, y)


def last_embeddings(model: nn.Module, x: Tensor, edge_index: Tensor, **kwargs) -> Tensor:
    """All that PGExplainer sees of an atom: its activations in the last convolution, [num_atoms, channels]."""
    return get_embeddings(model, x, edge_index, **kwargs)[-1] / embedding_scale(model)


def ends(embeddings: Tensor, edge_index: Tensor, centres: Tensor | None = None) -> Tensor:
    """What PGExplainer's network reads of a bond: the embeddings of its two ends, [num_edges, 2 * channels].

    Args:
        centres: where the class of a node is explained, that node of every edge [num_edges] or of all [1]; its
            embedding comes third.
    """
    parts = [embeddings[edge_index[0]], embeddings[edge_index[1]]]
    if centres is not None:
        parts.append(embeddings[centres].expand(edge_index.size(1), -1))
    return torch.cat(parts, dim=-1)


def logits(mlp: nn.Module, embeddings: Tensor, edge_index: Tensor, centres: Tensor | None = None) -> Tensor:
    """PGExplainer's score of every bond entry, [num_edges], before the sigmoid; arguments as those of :func:`ends`."""
    with torch.no_grad():
        return mlp(ends(embeddings, edge_index, centres)).view(-1)


@lru_cache(maxsize=64)
def training_set(pattern: Pattern, num_positives: int, num_negatives: int) -> tuple[tuple[str, float], ...]:
    """SMILES and labels (1 with the motif, 0 without), positives first.

    Positives are the pattern's published ones (``data/positives.csv``), for a variant those of its pattern, repeated
    in turn where they are fewer; for a pattern with none there, the library's first. Negatives are the library's
    first usable molecules of at most 40 heavy atoms that lack the motif.

    Raises:
        InputError: the library is not installed.
    """
    number = str(getattr(pattern, "variant_of", None) or pattern.id)
    known = positives().get(int(number), []) if number.isdigit() else []
    with_motif, without = list(known), []
    for row in library_rows():
        lacks_positives = not known and len(with_motif) < num_positives
        if len(without) >= num_negatives and not lacks_positives:
            break
        try:
            molecule = from_smiles(row.smiles)
        except ValueError:
            continue
        if exclusion_key(molecule) or molecule.num_atoms > LARGEST_MOLECULE:
            continue
        if contains_motif(molecule, pattern):
            if lacks_positives:
                with_motif.append(row.smiles)
        elif len(without) < num_negatives:
            without.append(row.smiles)
    repeated = [with_motif[place % len(with_motif)] for place in range(num_positives if with_motif else 0)]
    return tuple((smiles, 1.0) for smiles in repeated) + tuple((smiles, 0.0) for smiles in without)


Example = tuple[str | Graph, float]
"""A molecule's SMILES, or a graph that the network brought itself, and its label."""


def _examples(model: nn.Module, settings: TrainingSettings) -> Sequence[Example]:
    """The training set: the network's own examples where it brings some, else molecules for its pattern."""
    own = getattr(model, "examples", None)
    if own is not None:
        return own(settings.positives, settings.negatives)
    return training_set(model.pattern, settings.positives, settings.negatives)


def _fact(example: Example) -> list:
    """An example for the digest."""
    what, label = example
    return [what if isinstance(what, str) else graph_seed(0, what), label]


def trained_mlp(model: nn.Module, settings: TrainingSettings) -> nn.Module:
    """PGExplainer's network for ``model``, from the cache or trained now (seconds).

    Raises:
        Stopped: the listener wants no more; nothing is kept of what was learnt so far.
        InputError: the library of molecules is not installed.
    """
    molecules = _examples(model, settings)
    key = _key(model, settings, molecules)
    mlp = _kept(key)
    if mlp is not None:
        return mlp
    # One training at a time: who asks for the same network meanwhile waits for it, and can still be stopped.
    while not _training.acquire(timeout=0.2):
        report(0)
    try:
        if (mlp := _kept(key)) is None:
            arrays = {name: value.numpy() for name, value in _train(model, settings, molecules).state_dict().items()}
            save_arrays(CACHE_KIND, key, arrays)
            _remembered[key] = arrays
            mlp = _from_arrays(arrays)
    finally:
        _training.release()
    if mlp is None:
        raise AssertionError("arrays that a training has just given fit")
    return mlp


def is_trained(model: nn.Module, settings: TrainingSettings) -> bool:
    """Whether :func:`trained_mlp` would find the network ready.

    Raises:
        InputError: the library of molecules is not installed.
    """
    return _kept(_key(model, settings, _examples(model, settings))) is not None


_training = threading.Lock()
_remembered: dict[str, dict[str, np.ndarray]] = {}


def _kept(key: str) -> nn.Module | None:
    arrays = _remembered.get(key) or load_arrays(CACHE_KIND, key)
    mlp = _from_arrays(arrays) if arrays else None
    if arrays and mlp is not None:
        _remembered[key] = arrays
    return mlp


def _key(model: nn.Module, settings: TrainingSettings, examples: Sequence[Example]) -> str:
    """A digest of all that the outcome depends on."""
    digest = hashlib.sha256()
    facts = (
        FORMAT,
        torch.__version__,
        torch_geometric.__version__,
        type(model).__name__,
        model.readout,
        asdict(settings),
        [_fact(example) for example in examples],
    )
    if embedding_scale(model) != 1:
        facts += (embedding_scale(model),)
    digest.update(json.dumps(facts).encode())
    for name, value in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(value.shape)}".encode() + value.detach().numpy().tobytes())
    return digest.hexdigest()[:32]


def _from_arrays(arrays: dict[str, np.ndarray]) -> nn.Module | None:
    """The network with these weights; None where they are not such a network's."""
    try:
        hidden, width = arrays["0.weight"].shape
        # Its weights are loaded, so none are drawn: that would advance torch's own random numbers.
        linear = partial(skip_init, nn.Linear)
        mlp = nn.Sequential(linear(width, hidden), nn.ReLU(), linear(hidden, 1))
        mlp.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})
    except (KeyError, ValueError, RuntimeError, TypeError):
        return None
    return mlp.requires_grad_(False)


def _train(model: nn.Module, settings: TrainingSettings, examples: Sequence[Example]) -> nn.Module:
    model = copy.deepcopy(model)
    encoded: dict[str, Graph] = {}
    for what, _ in examples:
        if isinstance(what, str) and what not in encoded:
            encoded[what] = encode(from_smiles(what))
    graphs = [(encoded[what] if isinstance(what, str) else what, label) for what, label in examples]
    random = Stream(settings.seed)
    with warnings.catch_warnings():
        # PyG turns the loss into a float while it still carries a gradient, of which torch warns.
        warnings.filterwarnings("ignore", "Converting a tensor with requires_grad", UserWarning)
        with random.step():
            algorithm = Trained(model, settings)
        PygExplainer(
            model, algorithm, explanation_type="phenomenon", model_config=MODEL_CONFIG, edge_mask_type="object"
        )
        order = np.random.default_rng(settings.seed)
        for epoch in range(settings.epochs):
            for place, index in enumerate(order.permutation(len(graphs))):
                graph, label = graphs[index]
                report((epoch + place / len(graphs)) / settings.epochs)
                with random.step():
                    algorithm.train(
                        epoch,
                        model,
                        graph.x,
                        graph.edge_index,
                        target=torch.tensor([label]),
                        edge_attr=graph.edge_attr,
                    )
    return algorithm.mlp
