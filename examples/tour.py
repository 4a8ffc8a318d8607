# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Explainers beside a known ground truth
#
# The networks of WOMBAT were set by hand, so we know which atoms each has to look at. When a heatmap shows other atoms,
# the explainer is wrong, not the network. Open this file as a notebook with jupytext, or run it as a program.

# %%
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import wombat_core as wombat

# %% [markdown]
# ## Load a network and explain a molecule
#
# Pattern 5 under the saturating readout, and the molecule of the paper's Figure 5.

# %%
model = wombat.load("5", readout="r2")
smiles = "NC(=O)NN=C1CCCC(C(=O)O)C1"
e = wombat.explain(smiles, model, "integrated-gradients", steps=100)
e.plot()

# %% [markdown]
# ## Score it
#
# AUROC against the ground truth, and a row an atom.

# %%
print(e)
print(f"AUROC {e.auroc:.3f}, average precision {e.average_precision:.3f}")
e.to_frame().sort_values("score", ascending=False).head()

# %% [markdown]
# How far the steps are from the integral: the attributions should sum to F(x) - F(baseline).

# %%
for steps in (50, 100, 1000):
    answer = wombat.explain(smiles, model, "integrated-gradients", steps=steps)
    print(steps, round(answer.attribution.total, 3), round(answer.auroc, 3))

# %% [markdown]
# ## An explainer of your own
#
# A frozen dataclass whose fields are its settings. Registered, it is known by its name everywhere.


# %%
@wombat.register
@dataclass(frozen=True)
class FarFromCarbon:
    """Every atom that is no carbon, as important as it is far from carbon in the periodic table."""

    power: float = 1.0

    name: ClassVar[str] = "far-from-carbon"
    title: ClassVar[str] = "Far from carbon"
    summary: ClassVar[str] = "Looks at elements only."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        answers = []
        for graph in batch.to_data_list():
            numbers = graph.x[:, :100].argmax(dim=1).numpy()
            answers.append(wombat.Attribution.of_atoms(np.abs(numbers - 6.0) ** self.power, graph))
        return answers


# %% [markdown]
# ## Compare

# %%
comparison = wombat.compare(smiles, model, ["saliency", "integrated-gradients", FarFromCarbon()])
comparison.plot()

# %%
comparison.to_frame()

# %% [markdown]
# ## A benchmark of your own
#
# Means over real molecules that contain the motif.

# %%
result = wombat.benchmark(["4-5"], ["r2"], ["saliency", FarFromCarbon(power=2.0)], molecules="positives", limit=5)
print(result)
result.summary()[["pattern", "explainer", "auroc", "auroc_se", "null_rate"]]

# %%
result.to_frame()[["pattern", "explainer", "name", "auroc"]].head()

# %% [markdown]
# ## For PyG
#
# The same as PyG's own `Explanation`, for its metrics.

# %%
e.to_pyg()
