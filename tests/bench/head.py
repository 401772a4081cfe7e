"""The example at the head of README, here and by transformers' `generate()` with prompts put together by hand.

`python tests/bench/head.py`, with the package installed: some seconds. It runs the code of README up to its example of
states, as it stands there, then makes the same texts with `generate()` under the same constraints: the JSON; its text,
cut and edited, as three new prompts; and the question behind each JSON that comes back, as new prompts again. All
prompts of one link are one batch, so that transformers makes as few passes as it can. Two ways from link to link are
counted:

- *all nine*: each of the three beams of the three prompts is asked the question, as one search over both links does;
- *best three*: the three best of the nine are. This is less than what the library does: it searches link by link.

Both sides must give the same texts in the same order, and the library must send no token twice; otherwise no counts are
printed. The counts are exact and do not depend on the machine. A token position is one token of one row in one forward;
positions of padding are not counted. Each call of `generate()` reads its prompts from their beginning.

`--pictures docs` writes the pictures at the head of README instead: a wide one, and one for narrow windows.
"""

from __future__ import annotations

import argparse
import doctest
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers

import outlines_cont as oc
from outlines_cont.integrations.transformers import LogitsProcessor
from outlines_cont.pictures.picture import as_svg

README = Path(__file__).parent.parent.parent / "README.md"
BEAMS = 3
NARROW = 400  # pixels
WRONG = "Helsinki"  # where the example cuts


@dataclass
class Counts:
    """The work of a model: token positions that were read, and passes."""

    positions: int = 0
    passes: int = 0


def example() -> dict[str, Any]:
    """The names that README's example of states leaves, after the outputs up to it were checked."""
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n.*?^```", text, flags=re.M | re.S)
    before, block, _ = text.partition(next(block for block in blocks if WRONG in block))
    test = doctest.DocTestParser().get_doctest(before + block, {}, "README.md", str(README), 0)
    runner = doctest.DocTestRunner()
    runner.run(test, clear_globs=False)
    assert runner.failures == 0, "README does not print what stands there"
    return test.globs


@contextmanager
def counted(hf: torch.nn.Module) -> Iterator[Counts]:
    """What the forwards of a transformers model read, inside the block."""
    counts = Counts()

    def count(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        ids, mask = kwargs["input_ids"], kwargs.get("attention_mask")
        counts.positions += ids.numel() if mask is None else int(mask[:, -ids.shape[1] :].sum())
        counts.passes += 1

    hook = hf.register_forward_pre_hook(count, with_kwargs=True)
    try:
        yield counts
    finally:
        hook.remove()


class FreeEnds(transformers.LogitsProcessor):
    """Where nothing but eos may come, it costs nothing, as the end of a value that cannot go on costs nothing here."""

    def __init__(self, eos: int):
        self.eos = eos

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`scores`, float [rows, V], with 0 for eos in the rows where all others are −inf."""
        only_eos = (scores.isfinite().sum(1) == 1) & scores[:, self.eos].isfinite()
        return scores.index_fill(1, torch.tensor([self.eos]), 0.0).where(only_eos[:, None] & scores.isfinite(), scores)


@dataclass(frozen=True)
class Row:
    """Ids that `generate()` has written behind a prompt, and the sum of their log-probabilities, eos left out."""

    ids: tuple[int, ...]
    weight: float = 0.0


def continued(model: oc.Model, rows: Sequence[Row], output_type: Any, begun: int = 0) -> list[list[Row]]:
    """For each row its beams, as `generate()` makes them of one batch; the value begins with the last `begun` ids."""
    width = max(len(row.ids) for row in rows)
    assert begun == 0 or all(len(row.ids) == width for row in rows)
    pad, ends = model.hf.config.eos_token_id, model.vocabulary.special
    ids = torch.tensor([[pad] * (width - len(row.ids)) + list(row.ids) for row in rows])
    mask = torch.tensor([[0] * (width - len(row.ids)) + [1] * len(row.ids) for row in rows])
    hf: Any = model.hf
    made = hf.generate(
        ids,
        attention_mask=mask,
        logits_processor=[LogitsProcessor(output_type, model, prompt_length=width - begun), FreeEnds(pad)],
        num_beams=BEAMS,
        num_return_sequences=BEAMS,
        do_sample=False,
        length_penalty=0.0,
        early_stopping=False,
        max_new_tokens=40,
        pad_token_id=pad,
        return_dict_in_generate=True,
        output_scores=True,
    )
    scores = hf.compute_transition_scores(made.sequences, made.scores, made.beam_indices)
    beams = []
    for place, (sequence, logprobs) in enumerate(zip(made.sequences[:, width:].tolist(), scores.tolist(), strict=True)):
        row = rows[place // BEAMS]
        kept = [(token, logprob) for token, logprob in zip(sequence, logprobs, strict=True) if token not in ends]
        beams.append(Row(row.ids + tuple(token for token, _ in kept), row.weight + sum(score for _, score in kept)))
    return [beams[place : place + BEAMS] for place in range(0, len(beams), BEAMS)]


def by_hand(names: dict[str, Any], all_nine: bool) -> list[str]:
    """The three best texts, by `generate()` and prompts put together by hand."""
    model: oc.Model = names["model"]

    def ids(text: str) -> tuple[int, ...]:
        return tuple(model.tokenizer(text, add_special_tokens=False).input_ids)

    person, city = names["Resident"], [f" {name}" for name in names["cities"]]
    prompt = Row(tuple(model.tokenizer(str(names["whole"][..., : names["prompt_tokens"]])).input_ids))
    [first] = continued(model, [prompt], person)
    text = model.tokenizer.decode(first[0].ids[len(prompt.ids) :])
    kept = ids(text[: text.index(WRONG)])
    edited = [Row(prompt.ids + kept + ids(name)) for name in names["cities"]]
    records = [row for beams in continued(model, edited, person, len(kept) + 1) for row in beams]
    records.sort(key=lambda row: -row.weight)
    asked = [Row(row.ids + ids(names["question"]), row.weight) for row in records[: None if all_nine else BEAMS]]
    answers = [row for beams in continued(model, asked, city) for row in beams]
    answers.sort(key=lambda row: -row.weight)
    texts = [model.tokenizer.decode(row.ids, skip_special_tokens=True) for row in answers]
    return list(dict.fromkeys(texts))[:BEAMS]  # a text comes back in several spellings


def pictures(names: dict[str, Any]) -> dict[str, str]:
    """The first JSON and the answers as one tree; for narrow windows the answers row by row: SVGs by their names."""
    everything = oc.cat([names["whole"], names["answers"]], dim=1)
    return {"state.svg": as_svg(everything.tree()), "state_narrow.svg": as_svg(names["answers"].html(), NARROW)}


def main() -> None:
    parser = argparse.ArgumentParser(description="README's example of states, counted")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write its pictures, and count nothing")
    options = parser.parse_args()
    names = example()
    if options.pictures is not None:
        for name, svg in pictures(names).items():
            (options.pictures / name).write_text(svg + "\n", encoding="utf-8")
        return
    stats = names["model"].stats
    assert stats.reread == 0
    print(f"here: {stats.tokens} token positions in {stats.passes} passes")
    names["prompt_tokens"] = names["whole"].spans[0][0][0].end
    for title, all_nine in (("all nine", True), ("best three", False)):
        with counted(names["model"].hf) as counts:
            texts = by_hand(names, all_nine)
        assert texts == list(names["answers"]), (texts, list(names["answers"]))
        work = f"{counts.positions} token positions in {counts.passes} passes"
        print(f"transformers {transformers.__version__}, {title}: {work}")


if __name__ == "__main__":
    main()
