"""Our metrics beside those that PyG and Captum have of the same name or meaning."""

import numpy as np
import pytest
import torch
from captum.metrics import infidelity
from torch_geometric.explain import Explainer, Explanation
from torch_geometric.explain.algorithm import DummyExplainer
from torch_geometric.explain.metric import unfaithfulness
from torch_geometric.nn import GCNConv

from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.metrics.faithfulness import gef
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.whitebox.build import build


class Nodes(torch.nn.Module):
    """A node classifier with three classes."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = GCNConv(4, 3)

    def forward(self, x, edge_index):
        return self.layer(x, edge_index)


def test_gef_in_the_reversed_direction_is_pygs_unfaithfulness():
    """PyG takes KL(masked || original), the mean over nodes before the exponential, as GraphXAI's code does."""
    model, random = Nodes().eval(), torch.Generator().manual_seed(1)
    x, edge_index = torch.rand(5, 4, generator=random), torch.tensor([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]])
    config = {"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"}
    own = Explainer(model, DummyExplainer(), explanation_type="model", model_config=config, node_mask_type="object")
    mask = torch.tensor([[1.0], [0.0], [1.0], [0.0], [1.0]])
    with torch.no_grad():
        whole, masked = (model(features, edge_index).softmax(-1).numpy() for features in (x, x * mask))
    for node in range(5):
        given = Explanation(x=x, edge_index=edge_index, node_mask=mask, index=torch.tensor([node]), _model_args=[])
        theirs = unfaithfulness(own, given)
        assert gef(whole[node], masked[node], "reversed") == pytest.approx(theirs, abs=1e-6)
        assert theirs > 1e-4 and gef(whole[node], masked[node]) != pytest.approx(theirs, rel=1e-3)


@pytest.mark.parametrize("steps", [5, 50])
def test_the_completeness_gap_is_captums_infidelity_when_all_of_the_input_is_taken_away(steps):
    smiles, model = "NC(=O)NN=C1CCCC(C(=O)O)C1", build(5, "r2")
    data = encode(from_smiles(smiles))
    (found,) = explain([from_smiles(smiles)], model, explainer("integrated-gradients", steps=steps))

    def forward(x, edge_attr):
        return torch.stack([model(*one) for one in [(x[0], data.edge_index, edge_attr[0])]]).view(-1)

    def everything(*inputs):
        x, edge_attr = inputs[0] if isinstance(inputs[0], tuple) else inputs
        return (x, edge_attr), (torch.zeros_like(x), torch.zeros_like(edge_attr))

    attributions = tuple(
        torch.from_numpy(np.ascontiguousarray(part)).float()[None]
        for part in (found.attribution.node_feat_mask, found.attribution.edge_feat_mask)
    )
    theirs = infidelity(forward, everything, (data.x[None], data.edge_attr[None]), attributions, n_perturb_samples=1)
    assert abs(found.gap) > 1e-3
    assert found.gap**2 == pytest.approx(theirs.item(), rel=1e-3)
