"""What every sampler must do: `check_sampler(sampler)`, for anybody's own. `Sampler` has the members, one by one.

    from samplers import check_sampler  # in a test of this folder, or with this folder on the path

    check_sampler(MySampler())

It generates with the sampler under several constraints, and looks at every step; whatever does not hold is an
AssertionError that says it. It reads the rows of states, and hypotheses, as samplers themselves do.
"""

from __future__ import annotations

from typing import Any

from test_generation import small_model

import outlines_cont as oc
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.errors import SampleMismatch

PROMPTS = ["x-", "ab", "12"]
OPTIONS = ["a", "ab", "bc1", "12"]


def members() -> dict[str, Any]:
    """The members of the protocol, by their names."""
    return {name: member for name, member in vars(Sampler).items() if not name.startswith("_")}


def check_sampler(sampler: Sampler, seed: int = 0) -> None:
    """Check the members of a sampler, and what it makes of laws, batches, hooks and whole options."""
    _check_members(sampler)
    model = small_model(0)
    constrained = oc.continuous(oc.generate.regex(model, "[abc]{1,4}|12", sampler), name="x")
    text = oc.continuous(oc.generate.text(model, sampler), name="x", max_tokens=5)
    for step in (constrained, text):
        _check_steps(step, seed)
        _check_batches(step, seed)
    _check_hooks(constrained, seed)
    _check_samples(constrained)
    _check_options(oc.generate.choice(model, OPTIONS, sampler, by="sequence"), seed)


def _check_members(sampler: Sampler) -> None:
    missing = [name for name in members() if not hasattr(sampler, name)]
    assert not missing, f"the sampler has all members of the protocol: it lacks {missing}"
    assert isinstance(sampler.samples, int) and sampler.samples >= 1, "samples is an int ≥ 1"
    assert isinstance(sampler.length_penalty, float), "length_penalty is a float"
    for name in ("joint", "ranks_by_logprobs", "weighs_draws", "draws_texts"):
        assert isinstance(getattr(sampler, name), bool), f"{name} is a bool"
    assert sampler.forced in ("canonical", "never"), "forced is 'canonical' or 'never'"


def _check_steps(step: oc.Step, seed: int) -> None:
    """A step is a pure function of the frontier and the logits, and gives each batch row its hypotheses."""
    frontier, model = step.begin(PROMPTS, seed=seed), step.generator.model
    for _ in range(100):
        if frontier.done:
            break
        groups, logits = frontier.groups, model.logits(frontier.pending)
        after, again = frontier.step(logits), frontier.step(logits.clone())
        assert frontier.groups is groups, "a step leaves its frontier as it is"
        assert _spans(after) == _spans(again), "equal logits, equal steps"
        assert len(after.groups) == len(PROMPTS) and all(after.groups), "every batch row keeps a hypothesis"
        frontier = after
    assert frontier.done, "generations end"
    assert frontier.state.shape[1] <= max(step.generator.sampler.samples, 1), "no more samples than it says"


def _spans(frontier: oc.stepping.Frontier) -> list[Any]:
    return [[(row.ids, row.lineage, row.finished) for row in rows] for rows in frontier.state.rows]


def _check_batches(step: oc.Step, seed: int) -> None:
    """A generation follows from the seed, and batch rows have nothing to do with each other."""
    together = step(PROMPTS, seed=seed)
    assert _texts(together) == _texts(step(PROMPTS, seed=seed)), "equal seeds, equal generations"
    for count in range(1, len(PROMPTS)):
        first = _texts(step(PROMPTS[:count], seed=seed))
        assert first == _texts(together)[:count], "a batch row does not depend on the others"
    for rows in together.rows:
        alive = [row for row in rows if not row.dead]
        assert alive, "every batch row has a sample"
        assert len({row.lineage for row in alive}) == len(alive), "samples have lineages of their own"
        for row in alive:
            assert row.finished in ("stop", "length"), f"every row ends: {row.finished}"
    weights = together.rescore().weights
    assert weights.allclose(together.weights, atol=1e-3, equal_nan=True), "log-probabilities are the model's own"


def _texts(state: oc.SequenceState) -> list[list[Any]]:
    return [[row.ids for row in rows if not row.dead] for rows in state.rows]


def _check_hooks(step: oc.Step, seed: int) -> None:
    """Hooks see every draw, change nothing by looking, and what they decline is not taken."""
    seen: list[oc.steer.Draw] = []
    watched = step(PROMPTS, seed=seed, hooks=[oc.steer.Watch(seen.append)])
    assert _texts(watched) == _texts(step(PROMPTS, seed=seed)), "a hook that accepts changes nothing"
    assert seen, "hooks are asked"
    hooks: list[Any] = [lambda draw: oc.steer.Resample() if draw.bytes == b"1" else None]
    if step.generator.sampler.weighs_draws:
        seen.clear()
        try:
            step(PROMPTS, seed=seed, hooks=[oc.steer.Watch(seen.append), *hooks])
        except ValueError as error:
            assert not seen and "weighs each draw" in str(error), (
                f"answers are refused before anything is drawn: {error}"
            )
            return
        raise AssertionError("a sampler that weighs draws refuses hooks that may answer")
    declined = step(PROMPTS, seed=seed, hooks=hooks)
    tokens = step.generator.model.vocabulary.tokens
    for rows in declined.rows:
        for row in rows:
            spans = [] if row.dead else [row.ids[len(row) - row.pieces[-1].hi :]]
            assert all(tokens[token] != b"1" for ids in spans for token in ids), "declined draws are not taken"


def _check_samples(step: oc.Step) -> None:
    """A state of several samples goes on, or is refused by a SampleMismatch."""
    state = step.generator.model.state("x-")
    for count in (1, 2, 3, 5):
        try:
            widened = step.generator.sampler.widen(state.fork(count).rows[0])
        except SampleMismatch:
            continue
        assert widened and all(0 <= place < count for place, _ in widened), "widen says where each row comes from"
        assert len({row.lineage for _, row in widened}) == len(widened), "widened rows have lineages of their own"


def _check_options(generator: oc.Generator, seed: int) -> None:
    """Whole options are chosen, or refused by a TypeError."""
    try:
        values = generator(PROMPTS, seed=seed)
    except TypeError as error:
        assert "whole options" in str(error), f"a sampler that takes no whole options says so, not {error}"
        return
    texts = [text for group in values for text in (group if isinstance(group, list) else [group])]
    assert texts and set(texts) <= set(OPTIONS), f"one of the options is written: {texts}"
