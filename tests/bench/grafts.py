"""Retrieval of four passages in any order: positions computed, and the error of grafts, beside the exact rows.

`python tests/bench/grafts.py`, with the package installed: under a minute. `--orders n` takes so many orders.

The passages are read once, each alone. Then rows are made of a beginning, the passages in some order, and a question:
exactly, by `+`, and by `oc.grafts.graft` with several shares of tokens computed anew. For each share the table gives
the positions that were computed of the passages (all orders together, without the beginning and the question), how many
were taken over, the mean and the largest total variation between the laws of the next token, on the graft and exactly,
and the largest difference of a log-probability; and in how many orders the likeliest next token is the exact one.

Then one continuation, read once, is grafted behind several different beginnings (the case of llama.cpp's issue 10295):
the slots for keys and values that this takes, and the error.

Last, one continuation stands at the same positions behind four beginnings of one length, and keeps them: on the shipped
model in transformers and, where `xllamacpp` and `gguf` are installed, in llama.cpp, whose cells are counted.

Correctness first: where everything is computed anew the error must be one of rounding, else the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from itertools import islice, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers as hf

import outlines_cont as oc

PASSAGES = [
    " Mira is a pilot. She lives in Lisbon and is 34 years old. Her friend Tom came to town in 1987.\n",
    " Tom is a cook. He lives in Rome and is 51 years old. In the morning the sky over Rome is blue.\n",
    " Zora is a painter from Paris. She is 28 years old. She says that the sun is yellow and the sky is blue.\n",
    " Leo is a baker. He came to Lima in 1990 and is 47 years old. The capital of Peru is Lima.\n",
]
QUESTION = "Q: How old is Tom?\nA: "
BEGINNING = "Read what these four say.\n"
PREFIXES = [
    "Read this.\n",
    "Look now.\n",
    "Here are some notes about people who live in towns.\n",
    "Q: Who is a pilot?\n",
]
SHARES = [0, 0.05, 0.15, 0.3, 1]
ROUNDING = 1e-3  # nats
SMALL: dict[str, Any] = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 6,
    "num_attention_heads": 4,
    "max_position_embeddings": 2048,
}
CONFIGS = {
    "random Llama": lambda **more: hf.LlamaConfig(**SMALL, num_key_value_heads=2, **more),
    "random GPT-NeoX": lambda **more: hf.GPTNeoXConfig(**SMALL, **more),
    "random Cohere": lambda **more: hf.CohereConfig(**SMALL, num_key_value_heads=2, logit_scale=1.0, **more),
}


def random_model(name: str, tokenizer: Any) -> oc.Model:
    """A model of this architecture with random weights, large enough for attention to matter."""
    torch.manual_seed(0)
    model = hf.AutoModelForCausalLM.from_config(
        CONFIGS[name](vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=1, pad_token_id=None)
    )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(3)
    return oc.Model(model.eval(), tokenizer)


def likeliest(model: oc.Model, state: oc.SequenceState) -> int:
    """The token that the model likes best after the one row of a state."""
    [row] = state.rows[0]
    return int(model.logits([oc.stepping.Need(row.ids, (len(row) - 1,), row.claim)]).argmax())


def retrieve(name: str, model: oc.Model, orders: int) -> bool:
    """The table of one model; whether the exact share is exact."""
    passages = [model.state(text).kv.prefill() for text in PASSAGES]
    beginning = model.state(BEGINNING).kv.prefill()
    chosen = list(islice(permutations(passages), 0, 24, max(24 // orders, 1)))
    exact_tokens = []
    for order in chosen:
        exact = beginning
        for passage in order:
            exact = exact + passage
        exact_tokens.append(likeliest(model, exact + QUESTION))
    print(f"\n{name}: {len(chosen)} orders of {sum(p.shape[2] - 1 for p in passages)} tokens")
    columns = ("recompute", " computed", "taken over", "  mean TV", "   max TV", "max |Δ log p|", "same token")
    print(*columns)
    fine = True
    for share in SHARES:
        variations, gaps, equal, computed, taken = [], [], 0, 0, 0
        for order, token in zip(chosen, exact_tokens, strict=True):
            model.stats.reset()
            state = beginning
            for passage in order:
                state = oc.grafts.graft(state, passage, share)
            computed, taken = computed + model.stats.tokens, taken + model.stats.grafted
            asked = state + QUESTION
            error = oc.grafts.graft_error(asked)
            if share == 1:  # everything is exact: measured against a plain forward
                error = against_plain_forward(model, asked)
            variations.append(float(error.total_variation))
            gaps.append(float(error.logprob))
            equal += likeliest(model, asked) == token
        mean = sum(variations) / len(variations)
        numbers = f"{mean:9.2g} {max(variations):9.2g} {max(gaps):13.2g} {f'{equal} of {len(chosen)}':>10}"
        print(f"{share:>9} {computed:>9} {taken:>10} {numbers}", flush=True)
        fine = share != 1 or max(gaps) < ROUNDING
    return fine


def against_plain_forward(model: oc.Model, state: oc.SequenceState) -> oc.grafts.GraftDifference:
    """The error of an exact row beside a forward of transformers that knows nothing of us."""
    [row] = state.rows[0]
    ours = model.logits([oc.stepping.Need(row.ids, (len(row) - 1,), row.claim)])[0].double().log_softmax(-1)
    with torch.no_grad():
        plain = model.hf(input_ids=torch.tensor([row.ids]), use_cache=False).logits[0, -1].double().log_softmax(-1)
    return oc.grafts.GraftDifference((ours.exp() - plain.exp()).abs().sum() / 2, (ours - plain).abs().max())


def one_continuation(model: oc.Model) -> None:
    """One continuation under several beginnings."""
    text = model.state(PASSAGES[1] + QUESTION).kv.prefill()
    prefixes = [model.state(prefix).kv.prefill() for prefix in PREFIXES]
    size, slot = text.shape[2] - 1, model.tree.pool.slot_bytes
    sizes = [prefix.shape[2] for prefix in prefixes]
    print(f"\none continuation of {size} tokens behind {len(prefixes)} beginnings of {sizes} tokens")
    for share in (0, 0.15):
        grafts: list[oc.SequenceState] = []  # those of the share before are gone
        model.stats.reset()
        before = model.stats.kv_bytes
        grafts = [oc.grafts.graft(prefix, text, share) for prefix in prefixes]
        slots, tokens = (model.stats.kv_bytes - before) // slot, model.stats.tokens
        errors = [float(oc.grafts.graft_error(state).total_variation) for state in grafts]
        print(
            f"recompute={share}: {tokens} tokens computed, {slots} slots (exactly: {size * len(prefixes)} of both); "
            f"total variation {', '.join(f'{error:.2g}' for error in errors)}"
        )


def in_place(name: str, model: oc.Model) -> None:
    """One continuation at the same positions behind several beginnings."""
    starts = [model.state(prefix)[..., :6].kv.prefill() for prefix in PREFIXES]
    first = (starts[0] + (PASSAGES[1] + QUESTION)).kv.prefill()
    size = first.shape[2] - 6
    print(
        f"\n{name}: one continuation of {size} tokens that keep their positions, behind {len(starts)} beginnings of 6"
    )
    for share in (0, 0.15):
        grafts: list[oc.SequenceState] = []  # those of the share before are gone
        model.stats.reset()
        before = model.tree.pool.used
        grafts = [oc.grafts.graft(start, first, share, skip=6) for start in starts]
        slots, tokens = model.tree.pool.used - before, model.stats.tokens
        errors = [float(oc.grafts.graft_error(state).total_variation) for state in grafts]
        print(
            f"recompute={share}: {tokens} tokens computed, {slots} more slots (exactly: {size * (len(starts) - 1)}); "
            f"total variation {', '.join(f'{error:.2g}' for error in errors)}"
        )


def llama_cpp(model: oc.Model) -> oc.Model | None:
    """The shipped model in llama.cpp, if it is installed."""
    if find_spec("xllamacpp") is None or find_spec("gguf") is None:
        return None
    sys.path[:0] = [str(Path(__file__).parent.parent)]
    from gguf_files import shipped

    with TemporaryDirectory() as folder:
        return oc.load(shipped(Path(folder)), tokenizer=model.tokenizer, n_threads=1)


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--orders", type=int, default=6, help="how many orders of the passages, 1 to 24")
    orders = min(max(arguments.parse_args().orders, 1), 24)
    torch.set_num_threads(1)
    shipped = oc.load()
    fine = retrieve("shipped model", shipped, orders)
    one_continuation(shipped)
    in_place("shipped model", shipped)
    if (other := llama_cpp(shipped)) is not None:
        in_place("shipped model, llama.cpp", other)
    for name in CONFIGS:
        fine &= retrieve(name, random_model(name, shipped.tokenizer), orders)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
