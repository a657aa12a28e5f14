"""Documents into rows: pieces of documents, packed without padding, and what each token may attend to.

A piece is a document's shared prefix with some of its blocks, at most one row long; a document longer than
a row becomes several pieces, each with the prefix again. Blocks are never split: one that does not fit a
row even alone with its prefix is dropped and counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .shards import Document

LOOKBACK = 3
"""Tokens before each that its embedding holds as well."""
BEFORE = 1
"""The token that stands before a sequence's first ones."""


@dataclass(frozen=True)
class Piece:
    """Source (which shards folder), document and the segments of it after the prefix, in the order they are packed.
    `taken`: how many blocks of the whole piece went into an earlier row."""

    source: int
    document: int
    blocks: tuple[int, ...]
    size: int
    taken: int = 0


@dataclass(frozen=True)
class Batch:
    """Packed rows, all [rows, width] int64. Padding has `piece` -1 and attends to itself alone.

    `start`, `prefix`, `segment_start` place each token's piece, its prefix's length and its segment's first
    token, as indices into the row; `segment` is 0 in the prefix; `target` marks tokens to be predicted from
    the token before them. `previous` [rows, width, LOOKBACK]: the tokens before each, nearest first; a block goes on
    from its prefix's end, as its positions do.
    """

    ids: np.ndarray
    previous: np.ndarray
    position: np.ndarray
    piece: np.ndarray
    segment: np.ndarray
    start: np.ndarray
    prefix: np.ndarray
    segment_start: np.ndarray
    target: np.ndarray

    @property
    def tokens(self) -> int:
        return int((self.piece >= 0).sum())


def cut(lengths: np.ndarray, context: int, order: Sequence[int]) -> tuple[list[tuple[tuple[int, ...], int]], int]:
    """(blocks, size) of each piece of a document, and how many blocks were dropped; `order` permutes segments 1.."""
    prefix = int(lengths[0])
    pieces, blocks, size, dropped = [], [], prefix, 0
    for block in order:
        length = int(lengths[block])
        if length == 0:
            continue
        if prefix + length > context:
            dropped += 1
            continue
        if size + length > context:
            pieces.append((tuple(blocks), size))
            blocks, size = [], prefix
        blocks.append(block)
        size += length
    if blocks or (len(lengths) == 1 and 0 < prefix <= context):
        pieces.append((tuple(blocks), size))
    elif len(lengths) == 1 and prefix > context:
        dropped += 1
    return pieces, dropped


def fill(rows: Sequence[Sequence[tuple[Document, Piece]]], width: int) -> Batch:
    """Lays pieces out in rows of `width` tokens."""
    shape = (len(rows), width)
    names = ("ids", "position", "piece", "segment", "start", "prefix", "segment_start", "target")
    out = {name: np.zeros(shape, np.int64) for name in names}
    out["piece"][:] = -1
    out["previous"] = np.full((*shape, LOOKBACK), BEFORE, np.int64)
    padding = np.broadcast_to(np.arange(width), shape)
    out["start"][:] = padding
    out["segment_start"][:] = padding
    for r, row in enumerate(rows):
        at = 0
        for number, (document, piece) in enumerate(row):
            first, edge = at, np.concatenate(([0], np.cumsum(document.lengths)))
            prefix = int(document.lengths[0])
            for slot, segment in enumerate((0, *piece.blocks)):
                length = int(document.lengths[segment])
                if length == 0:
                    continue
                here, there = slice(at, at + length), slice(int(edge[segment]), int(edge[segment]) + length)
                out["ids"][r, here] = document.tokens[there]
                before = document.tokens[max(0, prefix - LOOKBACK) : prefix] if slot > 0 else document.tokens[:0]
                run = np.concatenate((np.full(LOOKBACK - len(before), BEFORE), before, document.tokens[there]))
                for k in range(LOOKBACK):
                    out["previous"][r, here, k] = run[LOOKBACK - 1 - k : LOOKBACK - 1 - k + length]
                out["position"][r, here] = np.arange(length) + (0 if slot == 0 else prefix)
                out["segment"][r, here] = slot
                out["segment_start"][r, here] = at
                out["target"][r, here] = document.loss[there]
                # The first token of a segment has nothing in its own segment to be predicted from.
                out["target"][r, at] = 0
                at += length
            out["piece"][r, first:at] = number
            out["start"][r, first:at] = first
            out["prefix"][r, first:at] = prefix
    return Batch(**out)


def allowed(batch: Batch) -> np.ndarray:
    """The law as a dense mask, [rows, width, width] bool: query attends to key."""
    index = np.arange(batch.ids.shape[1])
    piece, segment = batch.piece, batch.segment
    same = (piece[:, :, None] == piece[:, None, :]) & (piece[:, :, None] >= 0)
    near = (segment[:, None, :] == 0) | (segment[:, None, :] == segment[:, :, None])
    causal = index[:, None] >= index[None, :]
    return (same & near & causal) | (index[:, None] == index[None, :])
