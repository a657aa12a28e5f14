"""Attention over packed rows, in two forms that compute the same.

`dense`: one boolean mask [rows, 1, context, context] for PyTorch's own kernel (any device).
`tiles`: queries in tiles of 64 neighbours; each tile gathers only the keys that it can see, which are two
ranges: its document's prefix and what lies between its first segment's start and its own end. On two CPU
cores this takes a third of the dense mask's time (`docs/log.md`), as most pairs are masked.

The plan of a batch is set from outside (`use`) rather than passed through the model, so that a compiled
model is not compiled again for each plan.
"""

from dataclasses import dataclass

import numpy as np
import torch
from transformers import AttentionInterface

from .packing import Batch

TILE = 64
NAME = "npdb_tiles"


@dataclass(frozen=True)
class Group:
    """Tiles with equally many keys: `tiles` [n] tile numbers, `keys` [n * count] token numbers, `bias` [n, TILE, count]."""

    tiles: torch.Tensor
    keys: torch.Tensor
    bias: torch.Tensor
    count: int


class Current:
    groups: tuple[Group, ...] = ()


def use(groups: tuple[Group, ...]) -> None:
    """Sets the plan for the model's next forward pass."""
    Current.groups = groups


def plan(batch: Batch, dtype: torch.dtype, device: torch.device | str = "cpu") -> tuple[Group, ...]:
    """Groups the tiles of a batch, all rows as one line of tokens."""
    rows, context = batch.ids.shape
    base = (np.arange(rows) * context)[:, None]
    piece = np.where(batch.piece < 0, -1, batch.piece + base).reshape(-1)
    segment = batch.segment.reshape(-1)
    start = (batch.start + base).reshape(-1)
    segment_start = (batch.segment_start + base).reshape(-1)
    first = np.arange(len(piece) // TILE) * TILE
    near, far = segment_start[first], start[first]
    ahead = np.minimum(batch.prefix.reshape(-1)[first], near - far)
    need = ahead + first + TILE - near
    count = -(-need // TILE) * TILE
    return tuple(group(np.nonzero(count == c)[0], int(c), first, near, far, ahead, need, piece, segment, dtype, device) for c in np.unique(count))


def group(tiles, count, first, near, far, ahead, need, piece, segment, dtype, device) -> Group:
    j = np.arange(count)[None]
    near, far, ahead, need = (x[tiles][:, None] for x in (near, far, ahead, need))
    keys = np.where(j < ahead, far + j, near + j - ahead)
    valid = j < need
    keys = np.where(valid, keys, 0)
    queries = first[tiles][:, None] + np.arange(TILE)
    q, k = queries[:, :, None], keys[:, None, :]
    same = (piece[k] == piece[q]) & (piece[q] >= 0) & ((segment[k] == 0) | (segment[k] == segment[q]))
    seen = valid[:, None, :] & (((k <= q) & same) | (k == q))
    bias = torch.zeros(seen.shape, dtype=dtype).masked_fill_(torch.from_numpy(~seen), float("-inf"))
    as_tensor = lambda x: torch.from_numpy(np.ascontiguousarray(x)).to(device)  # noqa: E731
    return Group(as_tensor(tiles), as_tensor(keys.reshape(-1)), bias.to(device), count)


class TileAttention(torch.autograd.Function):
    """q (already scaled), k, v: [heads, tokens, width] contiguous, tokens a multiple of TILE."""

    @staticmethod
    def forward(ctx, q, k, v, groups):
        heads, tokens, width = q.shape
        line = (torch.arange(heads, device=q.device) * tokens)[:, None]
        k, v, q = k.view(-1, width), v.view(-1, width), q.view(heads, -1, TILE, width)
        out = torch.empty_like(q)
        saved = []
        for g in groups:
            index = (line + g.keys).view(-1)
            shape = (heads * len(g.tiles), -1, width)
            kg, vg = k.index_select(0, index).view(shape), v.index_select(0, index).view(shape)
            qg = q.index_select(1, g.tiles).view(shape)
            scores = torch.bmm(qg, kg.transpose(1, 2))
            scores.view(heads, *g.bias.shape).add_(g.bias)
            p = torch.softmax(scores, -1)
            out.index_copy_(1, g.tiles, torch.bmm(p, vg).view(heads, -1, TILE, width))
            saved.append((index, qg, kg, vg, p))
        ctx.saved, ctx.groups = saved, groups
        return out.view(heads, tokens, width)

    @staticmethod
    def backward(ctx, d_out):
        heads, tokens, width = d_out.shape
        d_out = d_out.contiguous().view(heads, -1, TILE, width)
        d_q = torch.empty_like(d_out)
        d_k = torch.zeros(heads * tokens, width, dtype=d_out.dtype, device=d_out.device)
        d_v = torch.zeros_like(d_k)
        for g, (index, qg, kg, vg, p) in zip(ctx.groups, ctx.saved, strict=True):
            dg = d_out.index_select(1, g.tiles).view(qg.shape)
            d_v.index_add_(0, index, torch.bmm(p.transpose(1, 2), dg).view(-1, width))
            d_p = torch.bmm(dg, vg.transpose(1, 2))
            d_s = torch.ops.aten._softmax_backward_data(d_p, p, -1, p.dtype)
            d_q.index_copy_(1, g.tiles, torch.bmm(d_s, kg).view(heads, -1, TILE, width))
            d_k.index_add_(0, index, torch.bmm(d_s.transpose(1, 2), qg).view(-1, width))
        ctx.saved = None
        shape = (heads, tokens, width)
        return d_q.view(shape), d_k.view(shape), d_v.view(shape), None


@torch.compiler.disable
def tile_attention(module, query, key, value, attention_mask, scaling=None, **_):
    """transformers' attention interface: [rows, heads, context, width] in, [rows, context, heads, width] out."""
    rows, heads, context, width = query.shape
    dtype = Current.groups[0].bias.dtype
    q, k, v = (x.to(dtype).transpose(0, 1).reshape(heads, -1, width).contiguous() for x in (query * scaling, key, value))
    out = TileAttention.apply(q, k, v, Current.groups)
    return out.view(heads, rows, context, width).permute(1, 2, 0, 3).contiguous(), None


AttentionInterface.register(NAME, tile_attention)
