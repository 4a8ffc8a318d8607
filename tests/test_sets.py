"""Sets of molecules, and what one pass over the library tells: motifs, negatives, similarities, the two SMARTS.

Everything that needs the pass stands in this file, so that it is made once.
"""

import numpy as np
import pytest
from rdkit import DataStructs
from rdkit.Chem import rdFingerprintGenerator

from tests.test_validation import LIBRARY_POSITIVES
from wombat_core.errors import InputError
from wombat_core.ground_truth import contains_motif, query
from wombat_core.molecules import from_smiles
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.sets import Entry, entries, entries_of_file
from wombat_core.molecules.usability import exclusion_key
from wombat_core.progress import listening
from wombat_core.published import table
from wombat_core.screening import library_pass as screening
from wombat_core.screening import overview as overviews
from wombat_core.screening.fingerprints import motif_molecule
from wombat_core.screening.membership import membership
from wombat_core.screening.negatives import HARD_FROM, candidates, negatives
from wombat_core.screening.overview import Overview, kept_overview, overview
from wombat_core.screening.relaxed import compare_library, compare_smarts, read
from wombat_core.screening.similarity import distributions, similarity
from wombat_core.whitebox.catalogue import fourteen, pattern, patterns


@pytest.fixture(scope="module")
def shares() -> list[float]:
    return []


@pytest.fixture(scope="module")
def library(shares):
    with listening(shares.append):
        return membership()


@pytest.fixture(scope="module")
def sample():
    """Every 400th row that can be read: (place, molecule)."""
    rows = [(place, row) for place, row in enumerate(library_rows()) if place % 400 == 0]
    return [(place, from_smiles(row.smiles)) for place, row in rows]


def test_the_library_has_the_expected_positives(library, shares):
    assert len(library) == 71347 and library.usable.sum() == 70140
    assert library.left_out() == {"no_bonds": 1077, "valence": 111, "unreadable": 19}
    assert [len(library.places(entry)) for entry in fourteen()] == LIBRARY_POSITIVES
    assert all(len(library.places(id)) + len(library.places(id, contains=False)) == 70140 for id in patterns())
    assert np.diff(shares).min() > -1e-9 and shares[-1] == 1 and len(shares) > 50, "its progress is reported"


def test_membership_is_that_of_a_plain_search(library, sample):
    for place, molecule in sample:
        assert library.usable[place] == (exclusion_key(molecule) is None)
        assert library.num_atoms[place] == molecule.num_atoms
        assert library.charged[place] == any(atom.GetFormalCharge() for atom in molecule.mol.GetAtoms())
        for entry in patterns().values():
            assert library.contains(entry)[place] == contains_motif(molecule, entry), (entry.id, molecule.smiles)
        for entry in fourteen():
            found = molecule.mol.HasSubstructMatch(query(entry.krfp))
            assert library.contains(entry, "original")[place] == found, (entry.id, molecule.smiles)
    for symbol in ("C", "N", "Cl", "Se"):
        found = library.has_element(symbol)[[place for place, _ in sample]]
        assert list(found) == [symbol in {atom.GetSymbol() for atom in mol.mol.GetAtoms()} for _, mol in sample]


def test_places_include_what_the_benchmark_leaves_out_only_when_asked(library):
    usable, all_of_them = library.places(10), library.places(10, usable=False)
    assert set(usable) < set(all_of_them) and not library.usable[np.setdiff1d(all_of_them, usable)].any()
    assert len(all_of_them) + len(library.places(10, contains=False, usable=False)) == 71347 - 19


def test_the_kept_library_is_read_and_not_screened_again(library, monkeypatch):
    monkeypatch.setattr(screening, "_kept", {})
    monkeypatch.setattr(screening, "_screen_library", None)  # calling it would fail
    again = membership()
    assert again.arrays is not library.arrays
    assert all(np.array_equal(again.arrays[name], array) for name, array in library.arrays.items())
    with pytest.raises(ValueError, match="read-only"):
        again.arrays["relaxed"][0, 0] = True


def test_similarities_are_rdkits(library, sample):
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    own = similarity()
    prints = [generator.GetFingerprint(molecule.mol) for _, molecule in sample]
    places = [place for place, _ in sample]
    for entry in patterns().values():
        motif = generator.GetFingerprint(motif_molecule(entry))
        # In RDKit alpha belongs to the first fingerprint, here the motif's.
        expected = [DataStructs.TverskySimilarity(motif, other, 1, 0) for other in prints]
        assert own.to(entry)[places] == pytest.approx(expected)
        expected = [DataStructs.TanimotoSimilarity(motif, other) for other in prints]
        assert own.to(entry, "tanimoto")[places] == pytest.approx(expected)


@pytest.mark.parametrize("id", ["5", "12", "flucarb"])
def test_negatives_are_usable_and_without_the_motif(library, id):
    drawn = [entry for kind in ("random", "hard") for entry in negatives(id, kind, limit=50)]
    for entry in drawn:
        molecule = from_smiles(entry.smiles)
        assert exclusion_key(molecule) is None and not contains_motif(molecule, pattern(id))
    rows = {entry.place: entry for entry in entries("library", places=[entry.place for entry in drawn])}
    assert all(entry == rows[entry.place] for entry in drawn)


def test_hard_negatives_resemble_the_motif(library):
    values = similarity().to(6)
    hard = negatives(6, "hard", limit=300)
    assert len(hard) == 300 and min(values[entry.place] for entry in hard) >= HARD_FROM
    assert min(values[entry.place] for entry in negatives(6, limit=300)) < HARD_FROM
    assert len(negatives(5, "hard", limit=100)) == len(candidates(library, similarity(), 5, "hard")) < 100


def test_a_draw_depends_on_its_seed_alone(library):
    drawn = negatives(10, limit=40)
    assert negatives(10, limit=40) == drawn and negatives(10, limit=15) == drawn[:15]
    assert len({entry.place for entry in drawn}) == 40
    assert negatives(10, limit=40, seed=1) != drawn
    assert negatives("12-smoothing", limit=9) == negatives(12, limit=9), "variants are compared on the same molecules"


def test_patterns_have_hard_negatives_in_the_order_of_table_s10(library):
    # Table S10, column "Tversky", patterns 1 to 5 (of a larger set).
    printed = table("S10")
    published = [cells[1].value for cells in printed.cells]
    assert list(printed.rows) == ["1", "2", "3", "4", "5"] and published[0] == 491_447
    ours = [len(candidates(library, similarity(), number, "hard")) for number in range(1, 6)]
    assert np.array_equal(np.argsort(ours), np.argsort(published))


def test_molecules_with_the_motif_are_more_similar_to_it(library):
    for number in (4, 7, 13):
        groups = distributions(number)
        assert list(groups) == ["published positives", "library, with the motif", "library, without the motif"]
        positive, negative = groups["library, with the motif"], groups["library, without the motif"]
        assert len(positive) == LIBRARY_POSITIVES[number - 1] and len(negative) == 70140 - len(positive)
        assert positive.mean() > negative.mean() + 0.2
    assert [len(group) for group in distributions(3, "tanimoto").values()] == [18, 0, 70140]


def test_what_matches_the_original_matches_the_relaxed_smarts(library):
    for entry in fourteen():
        assert np.isin(library.places(entry, smarts="original"), library.places(entry)).all()


@pytest.mark.parametrize("number", [2, 8, 9])
def test_the_library_is_compared_like_any_set(library, number):
    counts = compare_library(number)
    plain = compare_smarts(read(list(entries("library", places=library.places(number)))), pattern(number))
    assert counts.molecules == 70140 and plain.molecules == counts.total == LIBRARY_POSITIVES[number - 1]
    assert (counts.original, counts.relaxed, counts.label_disagreements, counts.atom_set_disagreements) == (
        plain.original,
        plain.relaxed,
        plain.label_disagreements,
        plain.atom_set_disagreements,
    )
    assert counts.disagreements > 0


def test_the_overview_counts_every_molecule_once_and_is_kept(library, monkeypatch):
    whole = overview()
    assert isinstance(whole, Overview) and (whole.molecules, whole.usable) == (71347, 70140)
    assert [row.positives for row in whole.rows[:14]] == LIBRARY_POSITIVES
    assert {row.positives + row.hard + row.other for row in whole.rows} == {70140}
    assert [row.library.total for row in whole.rows[:14]] == LIBRARY_POSITIVES
    sixth = whole.rows[5]
    assert (sixth.paper.disagreements, sixth.paper.total) == (591, 10_000), "Table S9"
    assert sixth.library == compare_library(6)
    monkeypatch.setattr(overviews, "_kept", {})
    monkeypatch.setattr(overviews, "compare_library", None)  # calling it would fail
    assert kept_overview() == whole, "the numbers are read from the cache folder"


def test_sets_in_their_order():
    rows = entries("library")
    assert next(rows) == Entry(0, "CCN1C=NC2=C1N=CN=C2N", "9-ethyladenine")
    assert sum(1 for _ in rows) == 71346
    assert [entry.place for entry in entries("library", places=[70, 3, 70])] == [3, 70]
    assert [entry.place for entry in entries("positives", 5)] == list(range(28))
    assert list(entries("positives", "12-leaf")) == list(entries("positives", 12))
    assert list(entries("library", places=[])) == []


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("zinc",), "no set of molecules 'zinc'"),
        (("positives",), "needs a pattern"),
        (("positives", "flucarb"), "no published positives of pattern 'flucarb'"),
        (("positives", 15), "no published positives of pattern '15'"),
        (("positives", 5, [28]), "no place 28; its 28 places begin at 0"),
        (("library", None, [71347]), "no place 71347; its 71,347"),
    ],
)
def test_sets_that_are_not_there_are_refused_at_once(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        entries(*arguments)


def test_a_file_gives_its_molecules_and_its_errors(tmp_path):
    path = tmp_path / "mine.smi"
    path.write_text("CC=O acetaldehyde\nC1CC\n\nCCO\n")
    bad = []
    found = list(entries_of_file(path, on_error=lambda place, error: bad.append((place, str(error)))))
    assert found == [Entry(1, "CC=O", "acetaldehyde"), Entry(4, "CCO")]
    assert [place for place, _ in bad] == [2] and "mine.smi, line 2" in bad[0][1]
    with pytest.raises(InputError, match="line 2"):
        list(entries_of_file(path))
    with pytest.raises(InputError, match="does not exist"):
        entries_of_file(tmp_path / "missing.smi")
