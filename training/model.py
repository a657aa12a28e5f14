"""The model: Hugging Face's Llama, sized by one dial, with one thing more: a token's embedding holds its three predecessors
as well, each through a matrix of its own (`lookback`). Copying a string means to find where its last few characters stood
before; a small model needs several layers to know its last few characters, this one none. Forward gives logits at the loss
positions only.
"""

from dataclasses import dataclass

import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from .attention import NAME as TILES
from .errors import TrainingError
from .packing import BEFORE, LOOKBACK


@dataclass(frozen=True)
class Size:
    """`batch`: tokens a step. `lr`: Muon's peak for matrices; `adam_lr`: AdamW's for embeddings and gains."""

    hidden: int
    layers: int
    heads: int
    ffn: int
    batch: int
    lr: float = 0.02
    adam_lr: float = 3e-3


SIZES = {
    "tiny": Size(hidden=32, layers=2, heads=2, ffn=64, batch=1024),
    "xs": Size(hidden=128, layers=5, heads=2, ffn=352, batch=8192),
    "s": Size(hidden=192, layers=6, heads=3, ffn=512, batch=8192),
    "m": Size(hidden=256, layers=8, heads=4, ffn=704, batch=8192),
    "l": Size(hidden=384, layers=10, heads=6, ffn=1024, batch=16384),
    "xl": Size(hidden=768, layers=12, heads=12, ffn=2048, batch=131072, adam_lr=1e-3),
    "1.8b": Size(hidden=2048, layers=28, heads=16, ffn=6144, batch=1048576, lr=0.01, adam_lr=1e-3),
}


def size_of(name: str) -> Size:
    if name not in SIZES:
        raise TrainingError("E_SIZE", f"There is no size {name!r}.", f"Sizes: {', '.join(SIZES)}.", 2)
    return SIZES[name]


def make_config(size: Size, vocabulary: int, context: int) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=size.hidden,
        intermediate_size=size.ffn,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        max_position_embeddings=context,
        rope_theta=10000.0,
        tie_word_embeddings=True,
        use_cache=False,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
        npdb_lookback=LOOKBACK,
    )


class Model(LlamaForCausalLM):
    """`lookback.k.weight` [hidden, hidden]: for the token k + 1 places before."""

    def __init__(self, config: LlamaConfig):
        super().__init__(config)
        width = config.hidden_size
        self.lookback = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(getattr(config, "npdb_lookback", 0)))

    def embedded(self, ids: torch.Tensor, previous: torch.Tensor) -> torch.Tensor:
        """ids [rows, width], previous [rows, width, LOOKBACK] (nearest first): [rows, width, hidden]."""
        tokens = self.model.embed_tokens
        x = tokens(ids)
        for k, matrix in enumerate(self.lookback):
            x = x + matrix(tokens(previous[..., k]))
        return x

    def forward(self, input_ids=None, inputs_embeds=None, **more):
        """Whole sequences, each row one, without a cache."""
        if inputs_embeds is None:
            inputs_embeds = self.embedded(input_ids, previous_tokens(input_ids))
        return super().forward(inputs_embeds=inputs_embeds, **more)


def previous_tokens(ids: torch.Tensor) -> torch.Tensor:
    """[rows, width, LOOKBACK] of plain sequences, each row one: for use without packing."""
    padded = nn.functional.pad(ids, (LOOKBACK, 0), value=BEFORE)
    return torch.stack([padded[:, LOOKBACK - k : padded.shape[1] - k] for k in range(1, LOOKBACK + 1)], -1)


def make_model(config: LlamaConfig, attention: str = "dense") -> Model:
    """A model with fresh weights from the global RNG. Matrices that write to the residual stream start at zero:
    every layer begins as the identity, as is usual with Muon (not measured here against other starts), and so does looking back."""
    config._attn_implementation = TILES if attention == "tiles" else "sdpa"
    model = Model(config)
    for name, parameter in model.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight")) or name.startswith("lookback"):
            nn.init.zeros_(parameter)
        elif parameter.ndim == 2 and "embed" not in name:
            nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5 * 0.7)
    return model


def hidden_states(model: Model, ids, previous, position, mask):
    """[rows, width] ids and positions, previous [rows, width, LOOKBACK], mask [rows, 1, width, width] or None with tiles:
    [rows, width, hidden]."""
    x = model.embedded(ids, previous)
    return model.model(inputs_embeds=x, position_ids=position, attention_mask=mask, use_cache=False).last_hidden_state


def logits_at(model: Model, hidden: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Logits [len(index), vocabulary] of the flat token positions `index`."""
    return model.lm_head(hidden.reshape(-1, hidden.shape[-1])[index])
