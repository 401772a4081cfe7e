"""What everything that computes logits must do: `check_engine(model, reference)`, for anybody's own.

A model is an `oc.Model` of an engine with slots, or any object with the members of `oc.stepping.LanguageModel`. It is
compared with one of equal weights that is trusted. The same programs give the same tokens wherever no draw lies within
the measured error of the logits, log-probabilities that are equal up to that error, and the same counts of work where
both keep a KV tree. When all states are gone, nothing is held any more.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

import outlines_cont as oc
from outlines_cont.engines.protocol import keeps, missing_members

GREEDY = oc.samplers.greedy()
Program = Callable[[Any], oc.SequenceState]


def chain_of(model: Any, sampler: Any) -> oc.Chain:
    """Choice, text, regex, JSON: a chain with every kind of end."""
    city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris", "Lima"], sampler), name="city", max_tokens=16)
    year = oc.continuous(oc.generate.regex(model, "[0-9]{1,4}", sampler), name="year", max_tokens=16)
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    data = oc.continuous(oc.generate.json(model, schema, sampler), name="data", max_tokens=16)
    return city >> " in " >> year >> ": " >> data


def greedy_text(model: Any) -> oc.Step:
    return oc.continuous(oc.generate.text(model, GREEDY))


def forked(model: Any) -> oc.SequenceState:
    text = oc.continuous(oc.generate.text(model))
    state = text("Mira is a", max_tokens=4, seed=3).fork(3)
    return text(state[..., :-2] + " and", max_tokens=4, seed=4).best(2)


def resumed(model: Any) -> oc.SequenceState:
    chain = chain_of(model, GREEDY)
    return chain.resume(chain("The capital of Italy is ")[..., :-3])


def dropped(model: Any) -> oc.SequenceState:
    return greedy_text(model)(greedy_text(model)("The sky is", max_tokens=3).kv.drop(), max_tokens=2)


PROGRAMS: dict[str, Program] = {
    "greedy": lambda model: chain_of(model, GREEDY)(["The capital of France is ", "I live in "]),
    "drawn": lambda model: chain_of(model, oc.samplers.multinomial(samples=3))("I live in ", seed=1),
    "beams over links": lambda model: chain_of(model, oc.samplers.beam_search(3))("The capital of Peru is "),
    "forked and cut": forked,
    "resumed": resumed,
    "prefilled": lambda model: greedy_text(model)(
        greedy_text(model)("The sky is", max_tokens=2).kv.prefill(), max_tokens=2
    ),
    "scored anew": lambda model: greedy_text(model)("The sky is", max_tokens=3).rescore(),
    "dropped": dropped,
}


def check_engine(
    model: Any, reference: Any, *, exact_counts: bool = True, atol: float = 1e-3, rounding: float = 0.0
) -> None:
    """AssertionError, which says what differs, if a model does not give what the reference gives.

    exact_counts: also compare how many tokens were computed, reused and read again, where both keep a KV tree; atol:
    how far logits may be from those of the reference; rounding: how far a logit may move with the tokens that are read
    at once, of an engine whose logits depend on them.
    """
    assert model is not reference, "the reference is the model itself: give two models, check_engine(model, reference)"
    assert missing_members(model) == [], "it lacks members of LanguageModel"
    assert model.vocabulary == reference.vocabulary, "another vocabulary"
    gc.collect()
    before = slots_used(model)
    error = check_reading(model, reference, atol)
    check_identity(model, reference)
    counted = exact_counts and slots_used(model) is not None and slots_used(reference) is not None
    counted = counted and keeps(model) and keeps(reference)
    for name, program in PROGRAMS.items():
        check_program(name, program, model, reference, error, counted)
    check_scores(model, reference, error)
    check_moves(model, reference, error)
    check_threads(model, reference, error)
    if before is not None:
        check_memory(model, reference, max(error, rounding))  # here they read the same rows in other ways
        if keeps(model) and keeps(reference) and slots_used(reference) is not None:
            check_grafts(model, reference, error)
        gc.collect()
        assert slots_used(model) <= before, f"{slots_used(model)} slots are taken when all states are gone"
        assert before or model.stats.kv_bytes == 0


def slots_used(model: Any) -> Any:
    """How many slots its tree holds; None if it keeps no tree here."""
    return model.tree.pool.used if hasattr(model, "tree") and model.stats.kv_bytes is not None else None


def check_program(name: str, program: Program, model: Any, reference: Any, error: float, counted: bool) -> None:
    """Equal tokens, spans, log-probabilities and counts, and a saved state that is the same."""
    if counted:
        for each in (model, reference):
            each.tree.evict()
            each.tree.forget_logits()
            each.stats.reset()
    state, expected = program(model), program(reference)
    if counted and assert_alike(name, state, expected, program, reference, error):
        counts = [(each.stats.tokens, each.stats.reused, each.stats.reread) for each in (model, reference)]
        assert counts[0] == counts[1], f"{name}: tokens, reused and reread are {counts[0]}, not {counts[1]}"
    elif not assert_alike(name, state, expected, program, reference, error):
        return
    assert (state.kv.lengths <= state.lengths).all(), f"{name}: more is kept than there is"
    with TemporaryDirectory() as folder:
        state.save(f"{folder}/state")
        assert oc.load_state(f"{folder}/state", model).identical(state), f"{name}: saved and loaded"
        assert oc.load_state(f"{folder}/state", reference) == state, f"{name}: loaded by the reference"


def assert_alike(
    name: str, state: oc.SequenceState, expected: oc.SequenceState, program: Program, reference: Any, error: float
) -> bool:
    """Whether a program wrote the same tokens; then its log-probabilities are equal up to the error of logits. It may
    write others only where the reference does, too, if its own logits are off by as much."""
    if state.token_ids.tolist() != expected.token_ids.tolist():
        shaken = [program(Shaken(reference, 2 * error, seed)) for seed in range(4)]
        near = any(other.token_ids.tolist() != expected.token_ids.tolist() for other in shaken)
        assert near, f"{name}: {state.text()} is not {expected.text()}, though no draw lies near a boundary"
        return False
    assert state.finished == expected.finished and state.captures.keys() == expected.captures.keys(), name
    allowed = max(1e-3, 4 * error * state.token_ids.shape[-1])
    for values in ("logprobs", "proposal_logprobs", "weights"):
        ours, theirs = getattr(state, values).cpu(), getattr(expected, values).cpu()
        assert torch.allclose(ours, theirs, atol=allowed, equal_nan=True), f"{name}: other {values}"
    return True


def check_reading(model: Any, reference: Any, atol: float) -> float:
    """One line for each wanted position, in order, and none for needs that want nothing or that wait. The largest
    error of a logit."""
    ids = tuple(model.encoder.start("Mira is a painter")[0])
    last, error = len(ids) - 1, 0.0
    silent = [
        oc.stepping.Need(ids),
        oc.stepping.Need(ids[:2]),
        oc.stepping.Need(ids, keep=len(ids)),
        oc.stepping.Need(()),
    ]
    one = [
        oc.stepping.Need(ids, (0, last)),
        *silent,
        oc.stepping.Need(ids[-1:], (last,), head=ids[:-1]),
        oc.stepping.Need(ids),
    ]
    many = [oc.stepping.Need((*ids, *ids[::step]), (last, last + 1)) for step in (1, 2, 3)]
    for needs in [silent, one, many, one]:
        (logits, claims), (expected, _) = model.read(needs), reference.read(needs)
        lines = sum(len(need.wanted) for need in needs)
        assert logits.shape == (lines, len(model.vocabulary)), f"{lines} logits are wanted, not {len(logits)}"
        assert len(claims) == len(needs), "a claim or None for each need, also where nothing is wanted"
        if lines:
            error = max(error, float((logits.float().cpu() - expected.float().cpu()).abs().max()))
    assert error <= atol, f"logits that are off by {error:.2g}, where {atol:.2g} is allowed"
    return error


def check_identity(model: Any, reference: Any) -> None:
    """A digest that stays; equal for equal parameters, where both are engines of one kind. (Another kind may digest
    other files.)"""
    assert isinstance(model.identity, str) and model.identity == model.identity
    if type(getattr(model, "engine", model)) is type(getattr(reference, "engine", reference)):
        assert model.identity == reference.identity, "equal parameters have equal identities"


def check_scores(model: Any, reference: Any, error: float) -> None:
    start = greedy_text(reference)("Mira is a", max_tokens=1)
    texts = [" painter", " sailor", ""]
    scores, expected = oc.score(start.to(model), texts), oc.score(start, texts)
    assert torch.allclose(scores.cpu(), expected.cpu(), atol=max(1e-3, 8 * error)), "score() differs"


def check_moves(model: Any, reference: Any, error: float) -> None:
    """A state that began on one goes on on the other."""

    def moved(first: Any, second: Any) -> oc.SequenceState:
        begun = chain_of(first, GREEDY)("The capital of France is ")[..., :-4]
        return chain_of(second, GREEDY).resume(begun.to(second))

    program: Program = lambda each: moved(each, each)  # noqa: E731
    expected = program(reference).token_ids.tolist()
    for state in (moved(model, reference), moved(reference, model)):
        if state.token_ids.tolist() != expected:
            assert_alike("moved", state, program(reference), program, reference, error)


def check_threads(model: Any, reference: Any, error: float) -> None:
    """Four threads at once give what each gives alone."""
    seeds = range(4)

    def drawn(each: Any, seed: int) -> oc.SequenceState:
        return oc.continuous(oc.generate.text(each))("Mira is a", max_tokens=6, seed=seed)

    with ThreadPoolExecutor(4) as pool:
        states = list(pool.map(lambda seed: drawn(model, seed), seeds))
    for seed, state in zip(seeds, states, strict=True):
        expected = drawn(reference, seed)
        program: Program = lambda each, seed=seed: drawn(each, seed)  # noqa: E731
        assert_alike(f"in threads, seed {seed}", state, expected, program, reference, error)


def check_memory(model: Any, reference: Any, error: float) -> None:
    """With no budget at all, and within `fresh()`, the tokens are the same."""
    program, name = PROGRAMS["forked and cut"], "forked and cut"
    expected, budget = program(reference), model.kv_budget
    try:
        model.kv_budget = 0
        assert_alike(f"{name}, without a budget", program(model), expected, program, reference, error)
    finally:
        model.kv_budget = budget
    used = slots_used(model)
    with model.fresh():
        state = program(model)
        assert_alike(f"{name}, fresh", state, expected, program, reference, error)
        assert not state.kv.lengths.any() and slots_used(model) == used, "fresh() keeps nothing"


def check_grafts(model: Any, reference: Any, error: float) -> None:
    """Rows with two beginnings share the slots of what they go on with, and read the same there."""
    answers = []
    for each in (model, reference):
        left = each.state([[5, 6, 7, 8]]).kv.prefill()
        right = each.state([[9, 10, 11, 12, *range(20, 30)]]).kv.prefill()
        used = slots_used(each)
        state = oc.grafts.graft(left, right, 0, skip=4)
        assert slots_used(each) == used and state.kv.exact.sum() == 4, "it has its slots from another row"
        [row] = (state + each.state([[40, 41]])).rows[0]
        answers.append(
            each.read([oc.stepping.Need(row.ids, (14, 15), row.claim), oc.stepping.Need(row.ids, (14, 15))])[0]
            .cpu()
            .float()
        )
    assert torch.allclose(*answers, atol=max(1e-3, 4 * error)), "a graft in place reads other keys and values"
    assert (answers[1][:2] - answers[1][2:]).abs().max() > 1e-2, "the graft and the exact row are told apart"


class PlainModel:
    """A third party's model: nothing is kept, every row is read whole, and no class of the library is inherited."""

    keeps = False

    def __init__(self, model: oc.Model):
        self.vocabulary, self.encoder, self.context_length = model.vocabulary, model.encoder, model.context_length
        self.device, self.dtype, self.identity = model.device, model.dtype, model.identity
        self.stats = SimpleNamespace(tokens=0, reused=0)
        self._hf = model.hf

    @torch.no_grad()
    def read(self, needs: Sequence[Any]) -> tuple[Tensor, list[None]]:
        lines = [torch.empty(0, len(self.vocabulary))]
        for need in (need for need in needs if need.wanted):
            lines.append(self._hf(torch.tensor([need.tokens])).logits[0, list(need.wanted)])
            self.stats.tokens += len(need.tokens)
        return torch.cat(lines), [None] * len(needs)

    def claimed(self, row: Any) -> Any:
        return row

    def kv_lengths(self, rows: Iterable[Any]) -> list[int]:
        return [0 for _ in rows]


class Shaken(PlainModel):
    """A model whose logits are off by up to `error`, in its own way for each seed."""

    def __init__(self, model: Any, error: float, seed: int):
        self.vocabulary, self.encoder, self.context_length = model.vocabulary, model.encoder, model.context_length
        self.device, self.dtype, self.identity = model.device, model.dtype, f"shaken {model.identity}"
        self.stats = SimpleNamespace(tokens=0, reused=0)
        self._model, self._error, self._draws = model, error, torch.Generator().manual_seed(seed)

    def read(self, needs: Sequence[Any]) -> tuple[Tensor, list[None]]:
        logits = self._model.read([oc.stepping.Need(need.tokens, need.wanted) for need in needs])[0]
        noise = torch.rand(logits.shape, generator=self._draws) * 2 - 1
        return logits + self._error * noise.to(logits), [None] * len(needs)
