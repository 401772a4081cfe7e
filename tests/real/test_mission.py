"""The mission in one test, on a real model: what one can do with a state, and which law says what must come of it.

It is written to be read from the top to the bottom; docs/algebra.md has the laws. `pytest --real ENGINE` runs it on
Gemma 3 270M: float32 in transformers, and Q4_K_M in llama.cpp (docs/testing.md).

**What is compared.** In float32 a row that is computed in two ways has the same tokens, and log-probabilities equal to
1e-3. llama.cpp computes with Q4 weights, and rounds by the number of tokens that it reads at once: a logit of one row
moves by up to 1.1 with what stands beside it. There, two greedy rows are compared up to the first token at which they
differ, and at that token the model must find both equally likely up to twice that rounding (`alike`). What was drawn by
dice is not compared there between two computations. Tokens are counted exactly on both engines.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
import real_engine
import torch
from pydantic import BaseModel, Field
from real_model import ROOT

import outlines_cont as oc

greedy, multinomial, beam_search = oc.samplers.greedy, oc.samplers.multinomial, oc.samplers.beam_search
STORY = "Mira is a painter from Lisbon. She was born in 1987, and she is 37 years old.\n"
PROMPTS = [STORY + "Her name is", STORY + "Her town is"]


class Card(BaseModel):
    age: int = Field(ge=10, le=99)
    job: Literal["painter", "baker"]


def links(model: oc.Model, sampler: Any) -> oc.Chain:
    """Text, choice, regex and JSON. Each step gives its values a name."""
    note = oc.continuous(oc.generate.text(model, sampler), name="note", max_tokens=3)
    city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Rome", "Porto"], sampler), name="city")
    year = oc.continuous(oc.generate.regex(model, "19[0-9]{2}", sampler), name="year")
    card = oc.continuous(oc.generate.json(model, Card, sampler), name="card")
    return note >> ".\nTown: " >> city >> "\nBorn: " >> year >> "\nAs JSON: " >> card


def test_the_mission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = real_engine.another_model()
    with monkeypatch.context() as patched:
        mission(model, Work(model, patched), tmp_path)
    gc.collect()
    assert model.stats.kv_bytes == 0, "when no state is left, nothing is held (law 11)"


def mission(model: oc.Model, work: Work, folder: Path) -> None:
    chain, start = links(model, greedy()), model.state(PROMPTS)

    # Compose. The chain writes what its parts write one after the other (law 12), and each row what it writes alone
    # (law 9).
    whole = work(lambda: chain(start), start)
    assert work.asked == prefixes(whole), "each prefix of the rows is read, but not what follows their last token"
    for b, (note, city, year, card) in enumerate(zip(*(whole.captures[name] for name in NAMES), strict=True)):
        assert str(whole[b, 0, :]).startswith(PROMPTS[b] + note[0][0])
        assert city[0][0] in ("Lisbon", "Rome", "Porto") and year[0][0].startswith("19") and len(year[0][0]) == 4
        assert isinstance(card[0][0], Card), "the JSON is an object of the class"
    alike(whole, work(lambda: one_by_one(chain, start), start))
    for b in range(2):
        alike(whole[b, :, :], work(lambda b=b: chain(start[b, :, :]), start))

    # Slice in the middle of the JSON. Nothing is lost and nothing read: a slice from token 0 keeps its keys (law 3);
    # slices compose (4), the two parts make the whole again (5), and their weights add up to its weight (6).
    model.stats.reset()
    inside = [spans[-1].start + 3 for (spans,) in whole.spans]
    cut, tails = whole.crop([[n] for n in inside]), [whole[b, :, n:] for b, n in enumerate(inside)]
    assert cut.kv.lengths.tolist() == cut.lengths.tolist() == [[n] for n in inside]
    assert whole[..., :-2][..., 4:-3] == whole[..., 4:-5] and whole[1, :, :][..., 5:] == whole[..., 5:][1, :, :]
    rests = oc.cat(tails, 0)
    assert (cut + rests).identical(whole), "the parts make the whole"
    assert torch.allclose(cut.weights + rests.weights, whole.weights)
    assert model.stats.tokens == 0, "nothing is read"
    assert cut.finished == [[None], [None]] and not cut.captures["card"][0][0], "half a value is none"

    # Go on from the cut: as if the later tokens had never been drawn (law 7), with or without keys and values (law 2).
    alike(whole, work(lambda: chain.resume(cut), cut))
    assert cut == cut.kv.drop()
    alike(whole, work(lambda: chain.resume(cut.kv.drop()), cut))

    # Extend: text that fits joins the value, and what does not fit is refused by name.
    at_age = whole.up_to('"age":', include=True, span="card")
    forty = work(lambda: chain.resume(at_age + "4"), at_age + "4")
    assert all(40 <= cards[0][0].age <= 49 for cards in forty.captures["card"])
    assert all(str(long).startswith(str(short) + "4") for short, long in zip(at_age, forty, strict=True))
    with pytest.raises(oc.errors.ConstraintError, match="it fits as far as"):
        chain.resume(at_age + "x")

    # Fork, and draw each copy's own age. Copies cost nothing; the prefix that they share is read once (law 8).
    drawn = links(model, multinomial())
    copies = at_age.fork(3)
    ages = work(lambda: drawn.resume(copies, seed=1), copies)
    assert ages.shape[:2] == (2, 3) and all(len(cards) == 1 for row in ages.captures["card"] for cards in row)
    lineages = [row.lineage for rows in ages.rows for row in rows]
    assert len(set(lineages)) == 6, "each row has random numbers of its own"
    if real_engine.same_numbers():
        assert drawn.resume(copies[:, 2:, :], seed=1) == ages[:, 2:, :], "whatever is drawn beside it (law 9)"
    assert ages[..., : at_age.lengths.min()] == copies[..., : at_age.lengths.min()]

    # Search with beams over the whole chain: three different texts, best first, whose weights are the model's (law 6).
    search = links(model, beam_search(3))
    beams = work(lambda: search(start[0, :, :]), start)
    assert beams.shape[:2] == (1, 3) and len({*beams}) == 3
    assert beams.weights[0].tolist() == sorted(beams.weights[0].tolist(), reverse=True)
    assert all(len(beams.captures[name][0][s]) == 1 for name in NAMES for s in range(3))
    again = beams.kv.drop().rescore()
    bound = 1e-3 if real_engine.same_numbers() else 2 * real_engine.ROUNDING * beams.shape[2]
    assert again == beams and (again.weights - beams.weights).abs().max() < bound
    if real_engine.same_numbers():
        steps = work(lambda: one_by_one(search, start[0, :, :]), start)
        assert steps == beams and torch.allclose(steps.weights, beams.weights, atol=1e-3), "also under beams (law 12)"

    # Join with another state: lists are added, and weights. The left operand keeps its keys and values (law 3); the
    # log-probabilities of the right one belong to another context, until they are taken anew (law 6).
    end = model.state("\nThe end: ")
    left, right = beams.best(1), ages[1, :1, :]
    joined = left + end + right
    assert joined.identical(left + (end + right)) and (joined + "").identical(joined), "a monoid (law 5)"
    assert joined.weights.item() == pytest.approx(left.weights.item() + right.weights.item())
    assert (joined.kv.lengths >= left.kv.lengths).all() and left.kv.lengths.min() > 0
    anew = work(lambda: joined.rescore(), joined)
    assert anew == joined and abs(anew.weights - joined.weights).item() > 1
    assert len(joined.captures["card"][0][0]) == 2, "it has the values of both"

    # A list of strings, and nothing that was done has changed any of the states (law 1).
    texts = list(ages)
    assert texts == [text for row in ages.tolist() for text in row] and len(texts) == 6
    assert texts == model.tokenizer.batch_decode(ids_of(ages), skip_special_tokens=True)
    assert all(text.startswith(PROMPTS[b]) for b in range(2) for text in texts[3 * b : 3 * b + 3])
    assert work.unchanged()

    # Save, load in another process, and go on there. What is loaded is what was saved; replayed through the constraint,
    # it goes on from the middle of the JSON as it would here (laws 2 and 7).
    cut.save(folder / "cut")
    assert oc.load_state(folder / "cut", model).identical(cut)
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    subprocess.run([sys.executable, __file__, engine(), str(folder)], env=paths, check=True)
    elsewhere = oc.load_state(folder / "resumed", model)
    alike(whole, elsewhere)
    assert all(Card(**card) for [[card]] in elsewhere.captures["card"]), "without the class, an object is a dict"


def in_another_process(folder: Path) -> None:
    """Its half of the last part but one."""
    model = real_engine.another_model()
    links(model, greedy()).resume(oc.load_state(folder / "cut", model)).save(folder / "resumed")


# --- what the test says in one word

NAMES = ("note", "city", "year", "card")


def engine() -> str:
    assert real_engine.chosen
    return real_engine.chosen


def one_by_one(chain: oc.Chain, state: oc.SequenceState) -> oc.SequenceState:
    """What a chain is, said with `+` and calls."""
    for part in chain.parts:
        state = state + part if isinstance(part, str) else part(state)  # type: ignore[operator]
    return state


def alike(one: oc.SequenceState, two: oc.SequenceState) -> None:
    """Equal rows; or, where logits are rounded, rows that part at a token that is as likely as the other's."""
    assert one.shape[:2] == two.shape[:2]
    if real_engine.same_numbers():
        assert one == two and one.finished == two.finished and plain(one.captures) == plain(two.captures)
        assert torch.allclose(one.weights, two.weights, atol=1e-3)
        return
    for ours, theirs in zip(ids_of(one), ids_of(two), strict=True):
        at = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
        if at is None:
            assert len(ours) == len(theirs)
        else:
            [logits] = one.model.logits([oc.stepping.Need(ours[:at], (at - 1,))])
            margin = (logits[ours[at]] - logits[theirs[at]]).abs()
            assert margin < 2 * real_engine.ROUNDING, f"they part at token {at} by {margin}: {one}, {two}"


def plain(values: Any) -> Any:
    """Captures with objects as dicts, as a state has them that was loaded."""
    if isinstance(values, Mapping):
        return {name: plain(value) for name, value in values.items()}
    if isinstance(values, list):
        return [plain(value) for value in values]
    return values.model_dump() if isinstance(values, Card) else values


def ids_of(state: oc.SequenceState) -> list[tuple[int, ...]]:
    return [row.ids for rows in state.rows for row in rows]


def prefixes(state: oc.SequenceState) -> set[tuple[int, ...]]:
    """What must be read to write these rows: each of their prefixes once, and nothing after their last token."""
    return {ids[:n] for ids in ids_of(state) for n in range(1, len(ids))}


def held(states: Iterable[oc.SequenceState]) -> set[tuple[int, ...]]:
    """The prefixes that have their keys and values in the tree, because one of these states can reach them."""
    rows = [(ids, n) for s in states for ids, n in zip(ids_of(s), s.kv.lengths.flatten().tolist(), strict=True)]
    return {ids[:n] for ids, length in rows for n in range(1, length + 1)}


class Work:
    """Law 8, at every step: the tokens that the model reads are the distinct prefixes that are asked for and that no
    state holds. Where a row goes on from the middle of what is held, its logits may not have been kept: then its last
    token is read again, and counted apart."""

    def __init__(self, model: oc.Model, monkeypatch: pytest.MonkeyPatch):
        self.model, self.states, self.frozen = model, [], []
        self.asked: set[tuple[int, ...]] = set()  # the prefixes that were to be read
        self.wanted: set[tuple[int, ...]] = set()  # those after which logits were wanted
        read = model.language_model.read

        def noting(needs: Any) -> Any:
            for need in needs:
                self.asked |= {need.tokens[: n + 1] for n in range(max(need.wanted, default=-1) + 1)}
                self.wanted |= {need.tokens[: n + 1] for n in need.wanted}
            return read(needs)

        monkeypatch.setattr(model.language_model, "read", noting)

    def __call__(self, act: Callable[[], oc.SequenceState], given: oc.SequenceState) -> Any:
        """What the act gives, once it has been looked at what it read. given: what it begins with."""
        before, stats = held([*self.states, given]), self.model.stats
        self.asked, self.wanted = set(), set()
        stats.reset()
        state = act()
        least = self.asked - before
        assert stats.tokens == len(least), f"{stats.tokens} tokens were read, and {len(least)} had to be"
        assert stats.reread <= len(self.wanted & before), "only where a row goes on from the middle of what is held"
        assert prefixes(state) <= self.asked | before | held([given])
        self.states += [given, state]
        self.frozen += [shown(given), shown(state)]
        stats.reset()
        return state

    def unchanged(self) -> bool:
        return [shown(state) for state in self.states] == self.frozen


def shown(state: oc.SequenceState) -> Any:
    return state.tolist(), state.token_ids.tolist(), state.logprobs.tolist(), state.finished, repr(state.captures)


if __name__ == "__main__":
    real_engine.chosen = sys.argv[1]
    in_another_process(Path(sys.argv[2]))
