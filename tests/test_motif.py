"""The small picture of a motif."""

import pytest

from wombat_core.drawing.motif import motif_svg
from wombat_core.whitebox.catalogue import patterns


@pytest.mark.parametrize("id", list(patterns()))
def test_every_motif_has_a_picture_of_all_its_bonds(id):
    from rdkit import Chem

    smarts = patterns()[id].krfp
    svg = motif_svg(smarts, 248, 66)
    assert svg.startswith("<svg ") and 'viewBox="0 0 248 66"' in svg
    bonds = Chem.MolFromSmarts(smarts).GetNumBonds()
    assert all(f"bond-{i} " in svg for i in range(bonds))


def test_the_size_of_the_picture_does_not_follow_the_motif():
    assert 'width="100"' in motif_svg("[CH3]" + "[CH2]" * 30, 100, 50)


def test_text_that_is_no_smarts_is_refused():
    with pytest.raises(ValueError, match="not a SMARTS"):
        motif_svg("C1CC(")
