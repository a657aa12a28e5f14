"""Optimizers and the schedule. Matrices are trained by Muon (momentum made orthogonal, after Keller Jordan's
published description), embeddings and gains by AdamW; `adamw` trains everything by AdamW.
"""

import torch
from torch import nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Quintic Newton-Schulz: drives singular values to about 1 in five rounds, stable in bfloat16."""


def orthogonal(g: torch.Tensor, rounds: int = 5) -> torch.Tensor:
    """Nearest semi-orthogonal matrices to g [n, rows, columns], roughly, in bfloat16."""
    a, b, c = COEFFICIENTS
    x = g.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        y = x @ x.mT
        x = a * x + (b * y + c * y @ y) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """For 2D weights inside the network. Equal shapes are worked on as one batch: many small products are slow."""

    def __init__(self, parameters, lr: float, momentum: float = 0.95, weight_decay: float = 0.1):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            shapes: dict[tuple[int, ...], list[torch.Tensor]] = {}
            for p in group["params"]:
                if p.grad is not None:
                    shapes.setdefault(tuple(p.shape), []).append(p)
            for (rows, columns), ps in shapes.items():
                updates = []
                for p in ps:
                    if "momentum" not in self.state[p]:
                        self.state[p]["momentum"] = torch.zeros_like(p)
                    buffer = self.state[p]["momentum"]
                    buffer.lerp_(p.grad, 1 - group["momentum"])
                    updates.append(p.grad.lerp(buffer, group["momentum"]))
                scale = group["lr"] * max(1.0, rows / columns) ** 0.5
                for p, update in zip(ps, orthogonal(torch.stack(updates)), strict=True):
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    p.add_(update.to(p.dtype), alpha=-scale)


def make_optimizers(model: nn.Module, kind: str, lr: float, adam_lr: float, weight_decay: float) -> list[torch.optim.Optimizer]:
    """`kind` muon or adamw. Tied embeddings are one parameter, trained by AdamW without decay."""
    matrices, rest = [], []
    for name, p in model.named_parameters():
        (matrices if p.ndim == 2 and "embed" not in name and "lm_head" not in name else rest).append(p)
    common = {"betas": (0.9, 0.95), "eps": 1e-10, "foreach": True}
    if kind == "muon":
        made = [Muon(matrices, lr, weight_decay=weight_decay), torch.optim.AdamW(rest, lr=adam_lr, weight_decay=0.0, **common)]
    else:
        groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]
        made = [torch.optim.AdamW(groups, lr=adam_lr, **common)]
    for optimizer in made:
        for group in optimizer.param_groups:
            group["peak"] = group["lr"]
    return made


def factor(done: float, step: int, warmup: int, decay: float) -> float:
    """Share of the peak learning rate when `done` (0..1) of the run is over: warm-up by steps, flat, then a
    straight line to zero over the last `decay` of the run."""
    rise = min(1.0, (step + 1) / max(1, warmup))
    return rise * max(0.0, min(1.0, (1.0 - done) / decay))
