"""Speed, as ratios measured side by side in one run: ``make bench``.

Absolute times on a shared machine say little; each line pairs the product with a plain reference.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch
from captum.attr import InputXGradient, IntegratedGradients, Saliency
from rdkit import Chem, rdBase

from wombat_core.benchmark.rows import rows_of
from wombat_core.compiler.catalogues import motifs
from wombat_core.compiler.certify import certify
from wombat_core.compiler.compile import compile_smarts
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.ground_truth import contains_motif, ground_truth
from wombat_core.metrics.scores import score
from wombat_core.molecules import Molecule, from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.positives import positives
from wombat_core.molecules.usability import exclusion_key
from wombat_core.screening.validation import validate, validate_library
from wombat_core.whitebox.catalogue import fourteen, pattern
from wombat_core.whitebox.model import Whitebox

LIBRARY_SAMPLE = 200
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    torch.set_num_threads(1)
    sample = library_sample(LIBRARY_SAMPLE)
    for id, molecules, what in (
        ("5", sample, "library"),
        ("10", sample, "library"),
        ("5", [from_smiles(smiles) for smiles in positives()[5]], "positives"),
        ("4", [from_smiles(smiles) for smiles in positives()[4]], "positives"),
    ):
        integrated_gradients(id, molecules, what)
    benchmark_rows("5", 2000)
    exact_integral(sample)
    subgraphx()
    exact_shapley()
    long_path()
    planted_graph()
    validation()
    certificates()
    compiled_networks()
    first_page()
    gallery()


def library_sample(size: int) -> list[Molecule]:
    """Usable library molecules, evenly spread over the file."""
    rows = list(library_rows())
    found = []
    for row in rows[:: len(rows) // (size + size // 10)]:
        molecule = from_smiles(row.smiles)
        if exclusion_key(molecule) is None:
            found.append(molecule)
    return found[:size]


def integrated_gradients(id: str, molecules: list[Molecule], what: str) -> None:
    """All steps of all molecules together, against Captum on the PyG model, one molecule and step at a time."""
    model = Whitebox(id, "r2")
    start = time.perf_counter()
    plain = [one_step_at_a_time(model, molecule) for molecule in molecules]
    slow = time.perf_counter() - start
    method, times = explainer("integrated-gradients"), []
    for _ in range(5):
        start = time.perf_counter()
        fast = method.attribute(model, encode_batch(molecules))
        times.append(time.perf_counter() - start)
    gap = max(float(np.abs(a.atoms - b).max(initial=0)) for a, b in zip(fast, plain, strict=True))
    quick = statistics.median(times)
    print(
        f"integrated gradients, pattern {id}, {len(molecules)} {what} molecules: plain"
        f" {1e3 * slow / len(molecules):.1f} ms, here {1e3 * quick / len(molecules):.3f} ms"
        f" a molecule: {slow / quick:.0f} times faster,"
        f" largest difference {gap:.1e}"
    )


def one_step_at_a_time(model: Whitebox, molecule: Molecule) -> np.ndarray:
    data = encode(molecule)

    def forward(x, edge_attr):
        return model(x[0], data.edge_index, edge_attr[0])

    atoms, _ = IntegratedGradients(forward).attribute((data.x[None], data.edge_attr[None]), internal_batch_size=1)
    return atoms[0].detach().numpy()


def benchmark_rows(id: str, size: int, sample: int = 60) -> None:
    """Scored rows of the gradient explainers, against a loop over molecules and steps on the PyG model.

    The plain loop is measured on the positives and other molecules in their proportion, and scaled to all of them.
    """
    with_motif = [from_smiles(smiles) for smiles in positives()[int(id)]]
    molecules = [*with_motif, *library_sample(size - len(with_motif))]
    model = Whitebox(id, "r2")
    chosen = molecules[:: len(molecules) // sample]
    start = time.perf_counter()
    for molecule in chosen:
        one_molecule_at_a_time(model, molecule)
    plain = (time.perf_counter() - start) / len(chosen)
    placed = list(enumerate(molecules))
    methods = [explainer(name) for name in ("integrated-gradients", "saliency", "input-x-gradient")]
    quick = timed(lambda: [rows_of(placed, model, method) for method in methods]) / len(molecules)
    print(
        f"benchmark rows of three gradient explainers, pattern {id}, {len(molecules)} molecules, {len(with_motif)} of"
        f" them with the motif: plain loop {1e3 * plain:.1f} ms a molecule (measured on {len(chosen)} of them), here"
        f" {1e3 * quick:.3f} ms: {plain / quick:.0f} times faster"
    )


def one_molecule_at_a_time(model: Whitebox, molecule: Molecule) -> None:
    """Explain and score as the published code does it: a forward pass a step."""
    data, truth = encode(molecule), ground_truth(molecule, model.pattern)

    def forward(x, edge_attr):
        return model(x[0], data.edge_index, edge_attr[0])

    inputs = data.x[None].requires_grad_(), data.edge_attr[None].requires_grad_()
    score(np.abs(one_step_at_a_time(model, molecule)).sum(axis=1), truth)
    for method in (Saliency, InputXGradient):
        atoms, _ = method(forward).attribute(inputs)
        score(np.abs(atoms[0].detach().numpy()).sum(axis=1), truth)


def exact_integral(molecules: list[Molecule]) -> None:
    """The exact integral against 50 steps."""
    batch, model = encode_batch(molecules), Whitebox("10", "r2")
    fifty, exact = (
        timed(lambda name=name: explainer(name).attribute(model, batch))
        for name in ("integrated-gradients", "integrated-gradients-exact")
    )
    print(f"exact integrated gradients, pattern 10, {len(molecules)} molecules: {exact / fifty:.1f} times 50 steps")


def subgraphx() -> None:
    """SubgraphX against one forward pass for every coalition it looked at."""
    from wombat_core.explainers.coalitions import Coalitions

    molecule, model = from_smiles(positives()[4][0]), Whitebox("4", "r2")
    looked, values = 0, Coalitions.values

    def counted(self, present):
        nonlocal looked
        looked += len(present)
        return values(self, present)

    data, method = encode(molecule), explainer("subgraphx")
    with patch.object(Coalitions, "values", counted):
        method.attribute(model, encode_batch([molecule]))
    fast = timed(lambda: method.attribute(model, encode_batch([molecule])))
    with torch.no_grad():
        one = timed(lambda: [model(data.x, data.edge_index, data.edge_attr) for _ in range(50)]) / 50
    print(
        f"SubgraphX, pattern 4, {molecule.num_atoms} atoms: {fast:.2f} s for {looked} coalitions,"
        f" {looked * one / fast:.0f} times faster than one forward pass a coalition"
    )


def exact_shapley() -> None:
    """Exact Shapley values on twelve atoms."""
    molecule = from_smiles("CCC(=O)OCCN(CC)CC")
    seconds = timed(lambda: explainer("shapley-exact").attribute(Whitebox("4", "r1"), encode_batch([molecule])))
    print(f"exact Shapley values, {molecule.num_atoms} atoms: {seconds:.2f} s")


def long_path() -> None:
    """250 atoms at 1,000 points along the path."""
    from wombat_core.paths.path import interpolate

    data = encode(from_smiles("CC(C)C(=O)N" * 41 + "CCCC"))
    alphas = np.linspace(0, 1, 1000)
    seconds = timed(lambda: interpolate(Whitebox("10", "r2"), data, alphas))
    print(f"path of {data.num_nodes} atoms, {len(alphas)} points: {seconds:.2f} s")


def planted_graph() -> None:
    """SG-Base at the paper's size with the ground truth of all nodes, against PyG's k_hop_subgraph for every node."""
    from torch_geometric.utils import k_hop_subgraph

    from wombat_core.shapeggen import PRESETS, generate

    start = time.perf_counter()
    graph = generate(PRESETS["SG-Base"])
    made = time.perf_counter() - start
    start = time.perf_counter()
    for _ in graph.truths(range(graph.num_nodes)):
        pass
    fast = time.perf_counter() - start
    sample = range(0, graph.num_nodes, 50)
    start = time.perf_counter()
    for node in sample:
        k_hop_subgraph(node, 3, graph.data.edge_index, relabel_nodes=True)
    plain = (time.perf_counter() - start) / len(sample) * graph.num_nodes
    print(
        f"SG-Base, {graph.num_nodes:,} nodes: generated in {made:.1f} s, all masks in {fast:.1f} s,"
        f" {plain / fast:.1f} times faster than k_hop_subgraph for every node"
    )


def timed(work, repeats: int = 3) -> float:
    """Median seconds, after a warm-up."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def validation() -> None:
    """``validate --pattern all`` on the whole library, against parsing it and removing hydrogens with RDKit."""
    rows = list(library_rows())
    start = time.perf_counter()
    with rdBase.BlockLogs():
        for row in rows:
            mol = Chem.MolFromSmiles(row.smiles)
            if mol is not None:
                try:
                    Chem.RemoveAllHs(mol)
                except ValueError:
                    continue
    parse = time.perf_counter() - start
    for jobs in (1, 2):
        start = time.perf_counter()
        tally = validate(((number, row.smiles) for number, row in enumerate(rows, start=1)), fourteen(), jobs)
        seconds = time.perf_counter() - start
        print(
            f"validate all patterns, {tally.molecules} molecules, {jobs} process{'es' * (jobs > 1)}: {seconds:.1f} s,"
            f" {seconds / parse:.2f} times the parsing ({parse:.1f} s)"
        )
    own, workers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"  peak memory of this process {own / 1e6:.2f} GB, of the largest worker {workers / 1e6:.2f} GB")


def certificates() -> None:
    """The fourteen validated and a motif certified on the library's arrays, against parsing it with RDKit.

    Cold in a fresh process with an empty cache folder, so that the arrays are made; warm once they are kept.
    """
    rows = list(library_rows())
    start = time.perf_counter()
    with rdBase.BlockLogs():
        for row in rows:
            Chem.MolFromSmiles(row.smiles)
    parse = time.perf_counter() - start
    program = (
        "import time; from wombat_core.screening.validation import validate_library;"
        " from wombat_core.whitebox.catalogue import fourteen; start = time.perf_counter();"
        " validate_library(fourteen(), 2); print(time.perf_counter() - start)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"WOMBAT_CACHE": folder}
        ran = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT, env=environment
        )
    cold = float(ran.stdout)
    warm = timed(lambda: validate_library(fourteen(), 2), 1)
    entry = compile_smarts("[CX3](=O)[OX2H1]")
    one = timed(lambda: certify(entry), 1)
    print(
        f"the fourteen on the library: parsing {parse:.1f} s, validated cold {cold / parse:.2f} times, warm"
        f" {warm / parse:.2f} times; a carboxylic acid certified warm in {one:.1f} s, {one / parse:.2f} times"
    )


def compiled_networks() -> None:
    """Compile times of every thirtieth Klekota-Roth key; a compiled network's forward pass against a hand-made one."""
    times = []
    for found in motifs(which="klekota-roth")[::30]:
        start = time.perf_counter()
        try:
            compile_smarts(found.smarts)
        except InputError:
            continue
        times.append(time.perf_counter() - start)
    batch = encode_batch(library_sample(LIBRARY_SAMPLE))
    hand, compiled = Whitebox("4"), Whitebox(compile_smarts(pattern("4").smarts))
    with torch.no_grad():
        plain, own = (
            timed(lambda model=model: model(batch.x, batch.edge_index, batch.edge_attr, batch.batch), 15)
            for model in (hand, compiled)
        )
    print(
        f"compiling {len(times)} Klekota-Roth keys: median {statistics.median(times):.3f} s, most {max(times):.2f} s;"
        f" forward of Pattern 4 compiled ({compiled.pattern.num_layers} layers, {compiled.pattern.num_channels}"
        f" channels) {own / plain:.2f} times the hand-made ({hand.pattern.num_layers}, {hand.pattern.num_channels})"
    )


def first_page() -> None:
    """The first page in a fresh process, then a warm change of molecule with three gradient explainers."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import streamlit, pages.explore"], check=True, capture_output=True, cwd=ROOT)
    print(f"importing Streamlit and the first page in a fresh process: {time.perf_counter() - start:.2f} s")

    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    app.query_params["explainers"] = "integrated-gradients,saliency,input-x-gradient"
    app.run()
    times = []
    for molecule in library_sample(12):
        app.query_params["molecule"] = molecule.smiles
        start = time.perf_counter()
        app.run()
        times.append(time.perf_counter() - start)
        assert not app.exception
    print(f"a warm change of molecule: median {statistics.median(times[2:]):.3f} s, most {max(times[2:]):.3f} s")


def gallery() -> None:
    """The pictures of one sheet of the Failures page, sixty molecules with heat and rings; then the same again."""
    from pages.parts.failures.cards import HEIGHT, picture

    molecules = [molecule for molecule in library_sample(1000) if contains_motif(molecule, pattern("10"))][:60]
    explained = explain(molecules, Whitebox("10", "r1"), explainer("integrated-gradients"))
    times = []
    for _ in range(2):
        start = time.perf_counter()
        for number, (molecule, found) in enumerate(zip(molecules, explained, strict=True)):
            picture(("bench", number), molecule.smiles, HEIGHT, found.attribution.atom_scores, found.truth)
        times.append(time.perf_counter() - start)
    print(f"gallery, {len(molecules)} pictures: {times[0]:.2f} s at first, {times[1]:.3f} s again")


if __name__ == "__main__":
    main()
