"""The order of the data: which pieces, in which rows. A pure function of seed, shards and how far it has come.

Each pass over a folder shuffles its pieces and each document's blocks. A few dozen pieces wait in a pool,
from which rows are filled best fit first, so that little padding is left. `state()` is small and exact.
"""

from collections.abc import Sequence

import numpy as np

from .packing import Batch, Piece, cut, fill
from .shards import Document, Split

POOL = 64


class Source:
    """Passes over one folder's split; every `world`-th piece belongs to this rank."""

    def __init__(self, split: Split, number: int, context: int, seed: int, rank: int = 0, world: int = 1, shuffle: bool = True):
        self.split, self.number, self.context, self.seed, self.shuffle = split, number, context, seed, shuffle
        self.rank, self.world = rank, world
        self.epoch, self.cursor, self.dropped = 0, 0, 0
        self.plan_pass()

    def pieces(self, epoch: int, document: int) -> tuple[list[Piece], int]:
        """A document's pieces in a pass; the same whenever asked."""
        lengths = self.split.lengths(document)
        order = np.arange(1, len(lengths))
        if self.shuffle:
            np.random.default_rng((self.seed, self.number, epoch, document)).shuffle(order)
        parts, dropped = cut(lengths, self.context, order.tolist())
        return [Piece(self.number, document, blocks, size) for blocks, size in parts], dropped

    def plan_pass(self) -> None:
        found, self.dropped = [], 0
        for document in range(len(self.split)):
            parts, dropped = self.pieces(self.epoch, document)
            self.dropped += dropped
            found.extend((document, index) for index in range(len(parts)))
        order = np.array(found, dtype=np.int64).reshape(-1, 2)
        if self.shuffle:
            np.random.default_rng((self.seed, self.number, self.epoch)).shuffle(order)
        self.plan = order[self.rank :: self.world]

    def next(self) -> tuple[int, int, int] | None:
        """(epoch, document, index of the piece); passes without end when shuffling, else None at the end."""
        if self.cursor >= len(self.plan):
            if not self.shuffle or len(self.plan) == 0:
                return None
            self.epoch, self.cursor = self.epoch + 1, 0
            self.plan_pass()
        self.cursor += 1
        return (self.epoch, *map(int, self.plan[self.cursor - 1]))


class Loader:
    """Rows from several sources; each is drawn from in proportion to its pieces times its weight."""

    def __init__(self, sources: Sequence[Source], weights: Sequence[float], width: int, seed: int, rank: int = 0):
        """`width`: tokens of a row, at least the sources' context (the longest piece)."""
        self.sources, self.width = sources, width
        shares = np.array([len(s.plan) * w for s, w in zip(sources, weights, strict=True)], dtype=float)
        self.share = shares / max(shares.sum(), 1e-9)
        self.rng = np.random.default_rng((seed, 7, rank))
        # (source, epoch, document, index of the piece) -> the piece; insertion order is age.
        self.pool: dict[tuple[int, int, int, int], Piece] = {}

    def refill(self) -> None:
        while len(self.pool) < POOL:
            number = int(self.rng.choice(len(self.sources), p=self.share)) if len(self.sources) > 1 else 0
            got = self.sources[number].next()
            if got is None:
                return
            self.add((number, *got))

    def add(self, entry: tuple[int, int, int, int], taken: int = 0) -> None:
        """A piece into the pool, without the blocks already taken from it."""
        number, epoch, document, index = entry
        source = self.sources[number]
        self.pool[entry] = self.without(source.pieces(epoch, document)[0][index], taken)

    def without(self, piece: Piece, taken: int) -> Piece:
        if taken == 0:
            return piece
        lengths = self.sources[piece.source].split.lengths(piece.document)
        blocks = piece.blocks[taken:]
        return Piece(piece.source, piece.document, blocks, int(lengths[0] + lengths[list(blocks)].sum()), piece.taken + taken)

    def rows(self, count: int) -> Batch | None:
        """The next `count` rows, the last of a finite pass filled up with padding; None when there is no more."""
        rows = [self.row() for _ in range(count)]
        return fill(rows, self.width) if any(rows) else None

    def row(self) -> list[tuple[Document, Piece]]:
        self.refill()
        row, left = [], self.width
        while self.pool:
            # The oldest first, so that none waits for ever; then whatever fits best.
            entry = next(iter(self.pool))
            if row:
                entry = max(self.pool, key=lambda e: self.pool[e].size if self.pool[e].size <= left else -1)
            piece = self.pool[entry]
            if piece.size > left:
                part = self.split_off(left)
                if part:
                    row.append(part)
                break
            del self.pool[entry]
            row.append((self.sources[piece.source].split[piece.document], piece))
            left -= piece.size
        return row

    def split_off(self, left: int) -> tuple[Document, Piece] | None:
        """As many blocks as fit of the first piece of which any do; the rest of it stays."""
        for entry, piece in self.pool.items():
            split = self.sources[piece.source].split
            lengths = split.lengths(piece.document)
            if len(piece.blocks) < 2:
                continue
            sizes = lengths[0] + np.cumsum(lengths[list(piece.blocks[:-1])])
            take = int(np.searchsorted(sizes, left, side="right"))
            if take > 0:
                self.pool[entry] = self.without(piece, take)
                part = Piece(piece.source, piece.document, piece.blocks[:take], int(sizes[take - 1]))
                return split[piece.document], part
        return None

    def state(self) -> dict:
        return {
            "sources": [(s.epoch, s.cursor) for s in self.sources],
            "pool": [(entry, piece.taken) for entry, piece in self.pool.items()],
            "rng": self.rng.bit_generator.state,
        }

    def restore(self, state: dict) -> None:
        for source, (epoch, cursor) in zip(self.sources, state["sources"], strict=True):
            source.epoch, source.cursor = epoch, cursor
            source.plan_pass()
        self.pool = {}
        for entry, taken in state["pool"]:
            self.add(tuple(entry), taken)
        self.rng.bit_generator.state = state["rng"]
