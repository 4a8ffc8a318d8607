"""A network whose every ReLU is an ``nn.ReLU`` module, for methods that hook on modules."""

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

RELU_CALLS = (torch.relu, torch.Tensor.relu, nn.functional.relu)


class WithReluModules(nn.Module):
    """Computes what ``model`` computes; the k-th ReLU called in a forward pass is the module ``relus[k]``.

    The networks here call ReLU as a function, and Captum changes gradients of modules only. Each call has a module
    of its own, since a hook on a module that is used twice would mix the two.

    Args:
        model: any network.
        example: arguments of one forward pass; counts the calls.
    """

    def __init__(self, model: nn.Module, example: tuple[Tensor, ...]):
        super().__init__()
        self.model = model
        self.relus = nn.ModuleList()
        counter = _Redirect(lambda _place: self.relus.append(nn.ReLU())[-1])
        with counter, torch.no_grad():
            model(*example)

    def forward(self, x: Tensor, edge_attr: Tensor, edge_index: Tensor, batch: Tensor) -> Tensor:
        with _Redirect(self.relus.__getitem__):
            return self.model(x, edge_index, edge_attr, batch)


class _Redirect(TorchFunctionMode):
    """Sends every ReLU call to the module that ``module_at(number of the call)`` gives."""

    def __init__(self, module_at):
        super().__init__()
        self.module_at, self.calls = module_at, 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in RELU_CALLS:
            self.calls += 1
            return self.module_at(self.calls - 1)(args[0] if args else (kwargs or {})["input"])
        return func(*args, **(kwargs or {}))
