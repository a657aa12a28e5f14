"""Training: from token shards to weights. Reads `docs/shards.md`, knows no traces and no faces.

    python -m training.pretrain --shards data/compact --out checkpoints/run --size s --minutes 60
    python -m training.export --checkpoint checkpoints/run --out models/x
"""
