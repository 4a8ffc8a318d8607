"""On molecules without rings network and RDKit agree: a difference is an error of the compiler.

The SMARTS are ones that random search found errors with while the compiler was
written.
"""

import pytest

from tests.acyclic import differences
from wombat_core.compiler import compile_smarts
from wombat_core.compiler.styles import STYLES

SMARTS = (
    *("[$(CO)][CX4][CX4]", "*~[$(CO)]", "[CX3](S)*-C", "[CD2]([C,N]=[#6])~[NX3]", "[CX3,CX2]-,=[v4][C;H1,H2]"),
    *("[CH0]~[CH0][CH0](=[CH0])[v4]", "CCCC", "CCCCC", "[#6](!-[C,N]!-[C,N])=[C,N][C,N]", "CCC(CC)(C=O)C=O"),
    *("[!#1]C(=O)[CH2][CH2][CH2][CH2]C(=O)[OH]", "[NX3;H2,H1;!$(NC=O)]", "[!O](!-[!O])[!O]", "[CH2][CH2][CH2][CH2]"),
    *("[CH0](-,=[CH2])=[CX4,CX3]", "[CH2,NH]=[#6]~[CH2]", "[CX3]-[CH2,NH]", "[#6]~[CD2]-[D2][CH2][CH2]"),
    *("*([CH]-,=[NX3;H2,H1])(-[D3])~C", "S-[CH0][D2]"),
)


@pytest.mark.parametrize("smarts", SMARTS)
def test_no_difference_without_rings(smarts):
    assert differences(compile_smarts(smarts)) == []


@pytest.mark.parametrize("style", STYLES)
def test_no_style_differs(style):
    for smarts in SMARTS[:12]:
        assert differences(compile_smarts(smarts, style=style)) == [], smarts
