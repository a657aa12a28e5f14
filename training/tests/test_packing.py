"""The packing law: every token sees its program and its own block, nothing else; and little is lost."""

import numpy as np
import pytest
import torch

from ..engine import make_engine, targets
from ..loader import Loader, Source
from ..model import SIZES, make_config, make_model
from ..packing import Piece, allowed, cut, fill
from ..shards import Document, open_shards

CONTEXT = 128


def document(lengths: list[int], seed: int = 0) -> Document:
    n = sum(lengths)
    tokens = np.random.default_rng(seed).integers(0, 90, n).astype(np.uint16)
    return Document(np.array(lengths), tokens, np.ones(n, np.uint8))


def row(*documents: Document):
    return [(d, Piece(0, i, tuple(range(1, len(d.lengths))), int(d.lengths.sum()))) for i, d in enumerate(documents)]


def engine(tiles: bool, context: int = CONTEXT):
    torch.manual_seed(0)
    model = make_model(make_config(SIZES["tiny"], 96, context), "tiles" if tiles else "dense")
    with torch.no_grad():
        for p in model.parameters():
            p.add_(torch.randn_like(p) * 0.1)
    return make_engine(model, torch.device("cpu"), torch.float32, False, tiles)


def all_logits(e, batch):
    return e.logits(batch, torch.arange(batch.ids.size)).detach()


BATCH = fill([row(document([20, 9, 13, 1], 1), document([0, 7, 12], 2), document([5, 30], 3)), row(document([70, 58], 4))], CONTEXT)


def test_a_block_looks_back_into_its_prefix():
    d = document([20, 9, 13, 1], 1)
    assert BATCH.previous[0, 0].tolist() == [1, 1, 1]
    assert BATCH.previous[0, 2].tolist() == [d.tokens[1], d.tokens[0], 1]
    # The second block's first token comes after the prefix, not after the first block.
    assert BATCH.previous[0, 29].tolist() == d.tokens[[19, 18, 17]].tolist()
    assert BATCH.previous[0, 30].tolist() == d.tokens[[29, 19, 18]].tolist()
    # No prefix: nothing before.
    assert BATCH.previous[0, 43].tolist() == [1, 1, 1]


def test_positions_restart_after_the_prefix():
    assert BATCH.position[0, :43].tolist() == [*range(20), *range(20, 29), *range(20, 33), 20]
    assert BATCH.position[0, 43:62].tolist() == [*range(7), *range(12)]


def test_copied_tokens_are_learnt_but_not_judged():
    one = document([4, 6], 1)
    one.loss[:] = [0, 0, 0, 0, 0, 2, 2, 0, 1, 1]
    batch = fill([row(one)], CONTEXT)
    assert (targets(batch)[0] + 1).tolist() == [5, 6, 8, 9]
    assert (targets(batch, answers=True)[0] + 1).tolist() == [8, 9]


def test_the_mask_is_the_law():
    """Written out token by token, as the format's page has it."""
    mask = allowed(BATCH)
    for r in range(2):
        for q in range(CONTEXT):
            for k in range(CONTEXT):
                same_piece = BATCH.piece[r, q] == BATCH.piece[r, k] != -1
                block_or_prefix = BATCH.segment[r, k] == 0 or BATCH.segment[r, k] == BATCH.segment[r, q]
                # An empty prefix: its document's blocks are numbered from 1 all the same.
                assert mask[r, q, k] == ((same_piece and k <= q and block_or_prefix) or k == q)


def test_tiles_and_dense_give_the_same_logits_and_gradients():
    dense, tiles = engine(False), engine(True)
    index = torch.from_numpy(targets(BATCH)[0])
    out = []
    for e in (dense, tiles):
        logits = e.logits(BATCH, index)
        logits.square().mean().backward()
        out.append((logits.detach(), [p.grad for p in e.model.parameters()]))
    assert torch.allclose(out[0][0], out[1][0], atol=2e-5)
    for a, b in zip(out[0][1], out[1][1], strict=True):
        assert torch.allclose(a, b, atol=2e-6)


@pytest.mark.parametrize("tiles", [False, True])
def test_nothing_attends_across_blocks_or_documents(tiles):
    e = engine(tiles)
    before = all_logits(e, BATCH)
    start, end = 29, 42  # the second block of the first document
    changed = fill([row(document([20, 9, 13, 1], 1), document([0, 7, 12], 2), document([5, 30], 3)), row(document([70, 58], 4))], CONTEXT)
    changed.ids[0, start:end] = (changed.ids[0, start:end] + 1) % 90
    after = all_logits(e, changed)
    moved = (before - after).abs().amax(-1) > 1e-6
    assert moved[start:end].all()
    assert not moved[:start].any() and not moved[end:].any()


@pytest.mark.parametrize("tiles", [False, True])
def test_a_block_depends_on_its_program(tiles):
    e = engine(tiles)
    before = all_logits(e, BATCH)
    changed = fill([row(document([20, 9, 13, 1], 1), document([0, 7, 12], 2), document([5, 30], 3)), row(document([70, 58], 4))], CONTEXT)
    changed.ids[0, 3] = (changed.ids[0, 3] + 1) % 90
    moved = (before - all_logits(e, changed)).abs().amax(-1) > 1e-6
    assert moved[3:43].all() and not moved[:3].any() and not moved[43:].any()


@pytest.mark.parametrize("tiles", [False, True])
def test_a_packed_block_is_the_plain_sequence(tiles):
    """Program and block alone, as the debugger runs them, give the logits of the packed row."""
    e = engine(tiles)
    packed = all_logits(e, BATCH)
    d = document([20, 9, 13, 1], 1)
    plain = np.concatenate([d.tokens[:20], d.tokens[29:42]]).astype(np.int64)
    with torch.no_grad():
        e.model.config._attn_implementation = "sdpa"
        alone = e.model(torch.from_numpy(plain)[None]).logits[0]
    assert torch.allclose(packed[29:42], alone[20:], atol=2e-5)


def test_targets_are_the_flagged_tokens_but_never_a_segments_first():
    index, wanted = targets(BATCH)
    flat = np.zeros(BATCH.ids.size, bool)
    flat[index + 1] = True
    flat = flat.reshape(BATCH.ids.shape)
    firsts = [0, 20, 29, 42, 43, 50, 62, 67]
    inside = BATCH.piece[0] >= 0
    assert not flat[0, firsts].any()
    assert flat[0].sum() == inside.sum() - len(firsts)
    assert (wanted == BATCH.ids.reshape(-1)[index + 1]).all()


def test_a_long_document_is_cut_between_blocks_with_its_prefix_again():
    pieces, dropped = cut(np.array([30, 50, 40, 60, 99, 10]), 100, [1, 2, 3, 4, 5])
    assert dropped == 1
    assert pieces == [((1,), 80), ((2,), 70), ((3, 5), 100)]


def test_cut_of_documents_without_blocks_or_prefix():
    assert cut(np.array([30]), 100, []) == ([((), 30)], 0)
    assert cut(np.array([0, 60, 60]), 100, [1, 2]) == ([((1,), 60), ((2,), 60)], 0)
    assert cut(np.array([130]), 100, []) == ([], 1)


def test_one_pass_shows_every_block_once_and_wastes_little(shards):
    split = open_shards(shards).splits["train"]
    loader = Loader([Source(split, 0, CONTEXT, seed=1, shuffle=False)], [1.0], 4 * CONTEXT, seed=1)
    seen, flagged, size = 0, 0, 0
    while (batch := loader.rows(1)) is not None:
        seen += batch.tokens
        size += batch.ids.size
        flagged += int(batch.target.sum())
    assert flagged == sum(int(split[i].loss.sum()) for i in range(len(split)))
    assert seen / size > 0.9


def test_the_order_depends_on_the_seed_only_and_ranks_share_a_pass(shards):
    split = open_shards(shards).splits["train"]
    make = lambda seed, rank=0, world=1: Source(split, 0, CONTEXT, seed, rank, world)  # noqa: E731
    one, same, other = (s.plan.tolist() for s in (make(1), make(1), make(2)))
    assert one == same and one != other and sorted(one) != one
    ranks = [make(1, r, 3).plan.tolist() for r in range(3)]
    assert sorted(x for r in ranks for x in r) == sorted(one)
