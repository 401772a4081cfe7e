"""An engine with slots in plain torch: the Llama architecture, without transformers' forward."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, scaled_dot_product_attention, silu

from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree


class TorchEngine:
    """Computes one run after the other: its attention is over the slots above it and its own."""

    def __init__(self, weights: dict[str, Tensor], config: Any):
        self.weights, self.config = weights, config
        self.n_vocab, self.context_length = config.vocab_size, config.max_position_embeddings
        self.eos = [config.eos_token_id]
        table = weights["model.embed_tokens.weight"]
        self.device, self.dtype = table.device, table.dtype

    def pool(self) -> Pool:
        return Pool()  # tensors that grow: one pair for each layer

    def version(self) -> int:
        return sum(weight._version for weight in self.weights.values())

    def identity(self) -> str:
        digest = blake2b(digest_size=16)
        for name in sorted(self.weights):
            digest.update(name.encode() + self.weights[name].cpu().contiguous().view(torch.uint8).numpy().tobytes())
        return digest.hexdigest()

    def forward(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        lines = [self.after(tree, run)[run.wanted_tokens()] for run in runs]  # parents first
        return torch.cat(lines), 1

    def after(self, tree: Tree, run: TokenRun) -> Tensor:
        """The logits after each token of a run: `[tokens, V]`."""
        above, own = torch.from_numpy(run.slots_above(tree)), torch.from_numpy(run.slots)
        positions = torch.arange(run.depth, run.depth + len(run.ids))
        mask = positions[:, None] >= torch.arange(run.depth + len(run.ids))
        x = embedding(torch.tensor(run.ids), self.weights["model.embed_tokens.weight"])
        for layer in range(self.config.num_hidden_layers):
            q, k, v = (self.heads(x, layer, name) for name in "qkv")
            q, k = self.turned(q, positions), self.turned(k, positions)
            if run.stored:  # otherwise they are there already
                tree.pool.write(layer, own, k, v)
            keys, values = tree.pool.read(layer, torch.cat([above, own]))
            out = scaled_dot_product_attention(q, keys, values, mask, enable_gqa=True)
            x = x + self.times(out.transpose(0, 1).flatten(1), layer, "self_attn.o_proj")
            y = self.normed(x, f"model.layers.{layer}.post_attention_layernorm.weight")
            gate = silu(self.times(y, layer, "mlp.gate_proj")) * self.times(y, layer, "mlp.up_proj")
            x = x + self.times(gate, layer, "mlp.down_proj")
        head = "model.embed_tokens.weight" if self.config.tie_word_embeddings else "lm_head.weight"
        return linear(self.normed(x, "model.norm.weight"), self.weights[head])

    def times(self, x: Tensor, layer: int, name: str) -> Tensor:
        return linear(x, self.weights[f"model.layers.{layer}.{name}.weight"])

    def heads(self, x: Tensor, layer: int, name: str) -> Tensor:
        """Queries, keys or values: `[heads, tokens, head size]`."""
        y = self.normed(x, f"model.layers.{layer}.input_layernorm.weight")
        return self.times(y, layer, f"self_attn.{name}_proj").unflatten(-1, (-1, self.config.head_dim)).transpose(0, 1)

    def normed(self, x: Tensor, name: str) -> Tensor:
        return x * (x.pow(2).mean(-1, keepdim=True) + self.config.rms_norm_eps).rsqrt() * self.weights[name]

    def turned(self, x: Tensor, positions: Tensor) -> Tensor:
        """Rotary positions."""
        half = self.config.head_dim // 2
        speeds = self.config.rope_parameters["rope_theta"] ** -(torch.arange(half) / half)
        angles = positions[:, None] * speeds
        a, b = x.split(half, -1)
        return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)
