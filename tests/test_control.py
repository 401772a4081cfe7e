"""Controllers: random programs of branches against a plain interpreter, and what they share with other generators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import numpy as np
import pytest
import torch
from guides import check_guide
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import enumerate_law, toy_model

import outlines_cont as oc
from outlines_cont.decode.branch_guides import Given, OneToken, WithRuns
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import pack

GREEDY = oc.samplers.greedy()
EXACT = oc.samplers.beam_search(4, distinct="tokens")  # its law does not depend on what a guide tells ahead
OPTIONS = [("ab", "abc", "b"), ("12", "1", "c"), ("é", "ca"), ("x",)]


@dataclass(frozen=True)
class Program:
    """A pseudo-random controller: what it says is a function of the span's tokens and of its memory, which counts."""

    seed: int
    forks: bool
    length: int = 7

    def said(self, ids: tuple[int, ...], memory: tuple[int, ...], labels: dict[str, int]) -> list[dict[str, Any]]:
        """Branches as dicts: `forced` ids, `choice` (a number of OPTIONS), `guided` (that, and the length of runs),
        `ids`, `runs`, or nothing; with the rest. The memory says what branch it was that led there.
        """
        count = memory[0]
        random = Random(f"{self.seed} {ids} {count}")
        if count >= self.length:
            return []
        said = []
        for i in range(random.choice([1, 1, 1, 2]) if self.forks and count < 3 else 1):
            branch: dict[str, Any] = {"backtrack": 0, "label": None}
            if ids and random.random() < 0.4:
                branch["backtrack"] = random.randint(1, len(ids))
            elif labels and random.random() < 0.4:
                branch["backtrack"] = random.choice(sorted(labels))
            back = branch["backtrack"]
            place = labels[back] if isinstance(back, str) else len(ids) - back
            branch["memory"] = (count + 1, i, len(ids) - place, place)
            if random.random() < 0.4:
                branch["label"] = random.choice("pq")
            kind = random.choice(["forced", "choice", "choice", "guided", "ids", "runs", "free"])
            some = [random.randrange(60, 90) for _ in range(3)]
            number = random.randrange(4)
            branch[kind] = {
                "forced": some[: random.randint(1, 3)],
                "choice": number,
                "guided": (number, random.randint(1, 3)),
                "ids": some,
            }.get(kind)
            if kind == "runs":
                branch[kind] = {token: [token, *some[:2]] for token in some[1:]}
            said.append(branch)
        return said

    def controller(self, model: oc.Model, looks: bool = True) -> Any:
        """looks: whether it looks at the scores of its row."""
        vocabulary = model.vocabulary

        def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
            ids = row.ids[row.start :]
            assert row.text == vocabulary.decode(ids).decode("utf-8", "replace")
            assert len(row) == len(row.ids)
            assert not looks or (row.weight <= 0 and all(v is not None for v in row.logprobs[row.start :]))
            _, index, back, place = row.memory or (0, None, 0, 0)
            assert (row.branch, row.last_backtrack, row.last_append) == (index, back, ids[place:])
            branches = []
            for said in self.said(ids, row.memory or (0,), {k: v - row.start for k, v in row.labels.items()}):
                more: dict[str, Any] = {}
                if said.get("forced"):
                    more = {"forced": said["forced"]}
                elif "choice" in said:
                    more = {"allowed": guides.choice(OPTIONS[said["choice"]], vocabulary)}
                elif "ids" in said:
                    mask = np.zeros(len(vocabulary), bool)
                    mask[said["ids"]] = True
                    forms = [
                        said["ids"],
                        pack(mask),
                        mask,
                        mask.tolist(),
                        torch.tensor(mask),
                        torch.tensor(said["ids"]),
                    ]
                    more = {"allowed": forms[len(ids) % 6]}
                elif "runs" in said:
                    more = {"forced": list(said["runs"].values()) if len(ids) % 2 else said["runs"]}
                elif "guided" in said:
                    options, runs = guided(vocabulary.tokens, *said["guided"])
                    more = {"allowed": guides.choice(options, vocabulary), "forced": runs}
                branches.append(oc.steer.Branch(said["backtrack"], memory=said["memory"], label=said["label"], **more))
            return branches

        return controller


def guided(tokens: Sequence[bytes], number: int, size: int) -> tuple[tuple[str, ...], dict[int, list[int]]]:
    """Options, and runs by their first token: the first bytes of some of these."""
    options = OPTIONS[number]
    runs = ([tokens.index(bytes([byte])) for byte in option.encode()[:size]] for option in options)
    return options, {run[0]: run for run in runs}


@cache
def logprobs_after(ids: tuple[int, ...], size: int) -> torch.Tensor:
    """A made-up model: its log-probabilities `[size]` are a function of the row's tokens."""
    generator = torch.Generator().manual_seed(hash(ids) % 2**31)
    logits = torch.randn(size, generator=generator, dtype=torch.float32) * 3
    logits[0] = 4.0  # eos has a chance
    return torch.log_softmax(logits.double(), -1)


class Interpreter:
    """What a program writes under greedy draws: rows (tokens of the span, weight), in the order of their forks."""

    def __init__(self, model: oc.Model, program: Program, start: tuple[int, ...]):
        self.program, self.start = program, start
        self.tokens, self.special, self.size = model.vocabulary.tokens, model.vocabulary.special, len(model.vocabulary)

    def rows(self, row: Any = ((), (), {}, ()), memory: Any = (0,)) -> list[tuple[tuple[int, ...], float]]:
        """`row`: tokens, (end, stop) of parts, labels, and for each token the parts and labels when it was added."""
        said = self.program.said(row[0], memory, row[2])
        if not said:
            return [(row[0], self.weight(*row[:2]))]
        return [found for branch in said for found in self.branch(*row, branch)]

    def branch(self, ids: Any, parts: Any, labels: Any, history: Any, said: dict[str, Any]) -> list[Any]:
        back = said["backtrack"]
        count = labels[back] if isinstance(back, str) else len(ids) - back
        if count < len(ids):
            (parts, labels), ids, history = history[count], ids[:count], history[:count]
        if said["label"]:
            labels = {**labels, said["label"]: count}
        before, stop = len(ids), None
        if said.get("forced"):
            ids = (*ids, *said["forced"])
        elif "choice" in said:
            ids, stop = self.choice(ids, OPTIONS[said["choice"]])
        elif "guided" in said:
            options, runs = guided(self.tokens, *said["guided"])
            ids, stop = self.choice(ids, options, runs)
        elif "ids" in said:
            ids = (*ids, self.best(ids, said["ids"]))
        elif "runs" in said:
            ids = (*ids, *said["runs"][self.best(ids, list(said["runs"]))])
        else:
            going = [t for t in range(self.size) if t not in self.special and self.tokens[t]]
            law = logprobs_after(self.start + ids, self.size)
            stop = law[[t for t in range(self.size) if t not in set(going)]].logsumexp(-1).item()
            token = self.best(ids, going)
            if stop > law[token].item():
                return [(ids, self.weight(ids, (*parts, (len(ids), stop))))]
            ids, stop = (*ids, token), None
        history = (*history, *[(parts, labels)] * (len(ids) - before))
        parts = parts if stop is None else (*parts, (len(ids), stop))
        return self.rows((ids, parts, labels, history), said["memory"])

    def best(self, ids: Any, among: list[int]) -> int:
        law = logprobs_after(self.start + ids, self.size)
        return min(among, key=lambda t: (-law[t].item(), t))

    def choice(self, ids: Any, options: Any, runs: Any = ()) -> tuple[Any, float]:
        goals, text, stop = [option.encode() for option in options], b"", 0.0
        while True:
            tokens = self.tokens
            going = [
                t
                for t in range(self.size)
                if t not in self.special and tokens[t] and any(goal.startswith(text + tokens[t]) for goal in goals)
            ]
            if not going:
                return ids, 0.0
            law = logprobs_after(self.start + ids, self.size)
            others = sorted(set(range(self.size)) - set(going))
            stop = law[others].logsumexp(-1).item() if text in goals else -math.inf
            token = self.best(ids, going)
            if stop > law[token].item():
                return ids, stop
            run = runs[token] if token in runs and not text else [token]
            ids, text = (*ids, *run), text + b"".join(tokens[t] for t in run)

    def weight(self, ids: Any, parts: Any) -> float:
        drawn = (logprobs_after(self.start + ids[:at], self.size)[token].item() for at, token in enumerate(ids))
        return math.fsum([*drawn, *(stop for _, stop in parts)])


def finished(frontier: oc.stepping.Frontier) -> oc.SequenceState:
    """The end of a generation under the made-up model."""
    size = len(frontier.model.vocabulary)
    while not frontier.done:
        lines = [logprobs_after(need.tokens[: at + 1], size) for need in frontier.pending for at in need.wanted]
        frontier = frontier.step(torch.stack(lines))
    return frontier.state


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), forks=st.booleans())
def test_random_programs_do_what_an_interpreter_does(seed: int, forks: bool) -> None:
    model = toy_model()
    program = Program(seed, forks)
    generator = oc.generate.control(model, program.controller(model), GREEDY, forced="never")
    state = finished(generator.begin("xy", max_tokens=60, hooks=oc.steer.Hooks(retries=50)))
    start = model.state("xy").rows[0][0].ids
    expected = Interpreter(model, program, start).rows()
    assert [row.ids[len(start) :] for row in state.rows[0]] == [ids for ids, _ in expected]
    assert state.weights[0].tolist() == pytest.approx([weight for _, weight in expected], abs=1e-4)
    assert {end for group in state.finished for end in group} == {"stop"}
    assert len({row.lineage for row in state.rows[0]}) == len(expected)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), cut=st.integers(1, 6))
def test_cut_programs_go_on(seed: int, cut: int) -> None:
    """Law 7, for a program that looks at nothing but its tokens, through a file, too."""
    model = toy_model()

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        random = Random(f"{seed} {len(row) - row.start}")
        if len(row) - row.start >= 6:
            return []
        kinds = [
            oc.steer.Branch(forced=b"1"),
            oc.steer.Branch(allowed=guides.choice(["ab", "abc", "b"], model.vocabulary)),
            oc.steer.Branch(allowed=[70, 71, 72]),
        ]
        return [random.choice(kinds)] if len(row) - row.start else random.sample(kinds, 2)

    step = oc.continuous(oc.generate.control(model, controller, oc.samplers.multinomial()), name="c")
    state = step("xy", seed=seed)
    start = model.state("xy").shape[2]
    part = state[..., : max(start + 1, state.shape[2] - cut)]
    with TemporaryDirectory() as folder:
        part.save(f"{folder}/part")
        loaded = oc.load_state(f"{folder}/part", model)
    assert loaded.identical(part)
    for again in (step.resume(part, seed=seed), step.resume(loaded, seed=seed)):
        assert again == state and again.finished == state.finished
        torch.testing.assert_close(again.weights, state.weights, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    "sampler",
    [GREEDY, oc.samplers.multinomial(samples=3), EXACT, oc.samplers.multinomial(top_k=3)],
    ids=repr,
)
@pytest.mark.parametrize("forced", ["never", "canonical"])
def test_a_constraint_is_a_controller_of_one_branch(sampler: Any, forced: str) -> None:
    """Tokens, weights, and beams: a controller that gives a guide once is that guide's generator."""
    model = shipped_model()
    pattern = " (born|lives) in [A-Z][a-z]{2,7}| [0-9]+"
    plain = oc.continuous(oc.generate.regex(model, pattern, sampler, forced=forced))
    inner = oc.generate.regex(model, pattern)
    once = oc.generate.control(
        model, lambda row: [] if row.memory else [oc.steer.Branch(allowed=inner, memory=True)], sampler, forced=forced
    )
    expected, state = plain(["Mira was", "Max is"], seed=4), oc.continuous(once)(["Mira was", "Max is"], seed=4)
    assert state == expected and state.finished == expected.finished
    torch.testing.assert_close(state.weights, expected.weights)


def test_a_controller_that_always_gives_one_token_is_text() -> None:
    model = shipped_model()
    free = oc.continuous(oc.generate.control(model, lambda row: [oc.steer.Branch()]))
    text = oc.continuous(oc.generate.text(model))
    state, expected = free("Mira", seed=2, max_tokens=60), text("Mira", seed=2, max_tokens=60)
    assert state == expected and state.finished == expected.finished
    torch.testing.assert_close(state.weights, expected.weights)
    torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-4, rtol=1e-4)


def test_branches_of_a_beam_are_searched_together() -> None:
    """A fork into several choices, under enough beams: the best of all of them, by the model's own score."""
    model = toy_model(2)
    words = [["ab", "c"], ["12", "abc"]]
    sampler = oc.samplers.beam_search(12, distinct="tokens")

    def fork(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return (
            [] if row.memory else [oc.steer.Branch(allowed=guides.choice(w, model.vocabulary), memory=1) for w in words]
        )

    state = oc.continuous(oc.generate.control(model, fork, sampler))("xy")
    ranked = sorted((p for some in words for _, p, _ in enumerate_law(model, "xy", some)), reverse=True)
    assert state.weights[0].tolist() == pytest.approx(ranked[:12], abs=1e-4)


@pytest.mark.parametrize("sampler", [oc.samplers.multinomial(samples=2), oc.samplers.beam_search(3)], ids=repr)
def test_controllers_in_a_chain(sampler: Any) -> None:
    """Before and after other steps: captures, weights, and cuts through the chain."""
    model = shipped_model()
    year = oc.generate.regex(model, "19[0-9]{2}|20[0-2][0-9]")

    def born(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [
            [oc.steer.Branch(forced=" was born in ", memory=1)],
            [oc.steer.Branch(allowed=year, memory=2)],
            [oc.steer.Branch(forced=".", memory=3)],
            [],
        ][row.memory or 0]

    first = oc.continuous(oc.generate.control(model, born, sampler), name="born")
    job = oc.continuous(oc.generate.choice(model, ["painter", "sailor"], sampler), name="job")
    half = job(first(["Mira", "Max"], seed=1) + " A ", seed=1)
    state = first(half + ", who", seed=1)
    torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-4, rtol=1e-4)
    for group in state.captures["born"]:
        for values in group:
            assert len(values) == 2 and all(v.startswith(" was born in ") and v.endswith(".") for v in values)
    assert {job for group in state.captures["job"] for [job] in group} <= {"painter", "sailor"}
    if sampler.samples == 2:
        assert first.resume(state[..., :-3], seed=1) == state


@pytest.mark.parametrize("sampler", [GREEDY, oc.samplers.multinomial()], ids=repr)
def test_branches_with_a_law_of_their_own(sampler: Any) -> None:
    """Drawn at random by that law, under a greedy sampler, too; its proposals are recorded, and weigh in."""
    model, draws = toy_model(), 1000
    choice = oc.generate.choice(model, ["ax", "bx", "cx", "dx"])
    ways = [oc.steer.Branch(allowed=choice, temperature=3.0, top_k=3)]
    step = oc.continuous(oc.generate.control(model, lambda row: [] if row.text else ways, sampler, forced="never"))
    state = step(model.state("xy").fork(draws), seed=3)
    tokens = [model.vocabulary.tokens.index(letter) for letter in (b"a", b"b", b"c", b"d")]
    logits = model.logits([oc.stepping.Need(model.state("xy").rows[0][0].ids, (1,))])[0][tokens]
    law = torch.softmax(torch.where(logits >= logits.topk(3).values[-1], logits, -math.inf) / 3, -1)
    counts = torch.zeros(4)
    for row in state.rows[0]:
        place = tokens.index(row.ids[2])
        counts[place] += 1
        assert math.exp(row.proposals[2] or 0.0) == pytest.approx(law[place].item(), rel=1e-3)
        weighed = [(p or 0.0) - (q or 0.0) for p, q in zip(row.logprobs, row.proposals, strict=True)]
        assert row.log_importance == pytest.approx(math.fsum(weighed), abs=1e-4)
    expected, drawn = law * len(state), law > 0
    assert ((counts - expected) ** 2 / expected)[drawn].sum() < 20 and not counts[~drawn].any()
    with pytest.raises(ValueError, match=r"temperature=3.0.* under BeamSearch"):
        oc.generate.control(model, lambda row: ways, oc.samplers.beam_search(2))("xy")
    with pytest.raises(ValueError, match="a run that is given is not drawn"):
        oc.steer.Branch(forced="a", temperature=2.0)


def test_samples_of_a_fork_are_dead_where_there_are_fewer() -> None:
    model = toy_model()

    def fork(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        if row.text:
            return []
        return [oc.steer.Branch(forced="a")] * (3 if row.before.endswith("x") else 1)

    step = oc.continuous(oc.generate.control(model, fork), name="f")
    state = step(["x", "y"])
    assert state.shape == (2, 3, 2) and state.finished[1] == ["stop", "dead", "dead"]
    assert state.captures["f"] == [[["a"]] * 3, [["a"], [], []]]
    ended = oc.continuous(oc.generate.control(model, lambda row: []), name="none")("x")
    assert ended.finished == [["stop"]] and ended.captures["none"] == [[[""]]]


@pytest.mark.parametrize(
    ("branch", "error", "message"),
    [
        (oc.steer.Branch(backtrack=3), ValueError, r"the span has only 0 so far; .* state\[..., :-3\]"),
        (oc.steer.Branch(allowed=np.zeros(3, bool)), ValueError, r"a boolean mask \[3\]\): .* one entry a token"),
        (oc.steer.Branch(allowed=torch.ones(2, 3, dtype=torch.bool)), ValueError, "one entry a token"),
        (oc.steer.Branch(allowed=[True, False]), ValueError, "one entry a token"),
        (oc.steer.Branch(allowed=[True, 5]), TypeError, "True is no token id"),
        (oc.steer.Branch(allowed=[50], forced={51: [51, 52]}), ValueError, "`allowed` leaves out 51"),
        (oc.steer.Branch(forced=[[], [50]]), ValueError, "without tokens"),
        (oc.steer.Branch(allowed=oc.steer.KEEP), ValueError, "on no branch that could go on"),
        (oc.steer.Branch(allowed=oc.steer.KEEP, forced="a"), TypeError, "goes on, or appends"),
        (oc.steer.Branch(backtrack="mark"), ValueError, "has the labels"),
        (oc.steer.Branch(backtrack=-1), ValueError, "an int ≥ 0"),
        (oc.steer.Branch(allowed="ab"), TypeError, "it takes a guide, a generator"),
        (oc.steer.Branch(allowed=[]), ValueError, "allows no token"),
        (oc.steer.Branch(allowed=[9999]), ValueError, "not in a vocabulary"),
        (oc.steer.Branch(allowed=[1.5]), TypeError, "no token id"),
        (oc.steer.Branch(forced=[0]), ValueError, "special token"),
        (oc.steer.Branch(forced={5: "zzz"}), ValueError, "does not begin with its token"),
        (oc.steer.Branch(forced=3), TypeError, "takes bytes, a str"),
        (oc.steer.Branch(allowed=[5], forced="a"), TypeError, "draws, or appends"),
        ("ab", TypeError, "gives a list of Branches"),
    ],
    ids=repr,
)
def test_bad_branches(branch: Any, error: type[Exception], message: str) -> None:
    model = toy_model()
    with pytest.raises(error, match=message):
        oc.generate.control(model, lambda row: [branch] if isinstance(branch, oc.steer.Branch) else branch)("x")


RUN_IDS = st.lists(st.lists(st.sampled_from([68, 69, 70]), min_size=1, max_size=4), min_size=1, max_size=6)
RUN_TEXTS = st.lists(st.text("abc1", min_size=1, max_size=4), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(runs=RUN_IDS | RUN_TEXTS, seed=st.integers(0, 9))
def test_of_runs_with_one_first_token_the_first_is_taken(runs: list[Any], seed: int) -> None:
    """As in AICI: the list means what the dict of its runs by their first tokens means."""
    model = toy_model()

    def state(forced: Any) -> oc.SequenceState:
        step = oc.continuous(
            oc.generate.control(model, lambda row: [] if row.text else [oc.steer.Branch(forced=forced)])
        )
        return step("xy", seed=seed)

    by_first: dict[int, Any] = {}
    for run in runs:
        by_first.setdefault((model.encoder.append(run) if isinstance(run, str) else run)[0], run)
    assert state(runs) == state(by_first)
    assert state(runs + runs[::-1]) == state(by_first), "what stands behind an equal beginning changes nothing"


def word_of(model: oc.Model, pattern: str = "[abc]{2,5}") -> oc.generate.Generator:
    return oc.generate.regex(model, pattern)


def test_what_a_controller_put_in_place_by_going_back_goes_on() -> None:
    """A cut in memory goes on from where the row stood, though nothing in its tokens tells that it had gone back."""
    model = toy_model()

    def fallback(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        if row.memory is None:
            return [oc.steer.Branch(allowed=word_of(model), label="word", memory=row.weight)]
        return (
            [oc.steer.Branch(backtrack="word", forced="unknown", memory="settled")] if row.memory != "settled" else []
        )

    step = oc.continuous(oc.generate.control(model, fallback), name="word")
    earlier = oc.continuous(oc.generate.regex(model, "[0-9]{3}"))("xy", seed=1)
    state = step(earlier, seed=1)
    assert state.captures["word"] == [[["unknown"]]]
    for n in range(1, 7):
        assert step.resume(state[..., :-n], seed=1) == state
    assert step.resume(state.reopen()) == state


def test_weights_that_a_controller_looks_at_are_those_of_the_row_when_it_is_asked_again() -> None:
    model, seen = toy_model(), list[list[float]]()

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        seen[-1].append(row.weight)
        return [oc.steer.Branch(allowed=word_of(model, "[xyz]{4}"), memory=1)] if not row.memory else []

    step = oc.continuous(oc.generate.control(model, controller), name="c")
    earlier = oc.continuous(oc.generate.regex(model, "[0-9]{3}"))("xy", seed=1)
    seen.append([])
    state = step(earlier, seed=1)
    state[..., :-1].save(path := f"{mkdtemp()}/cut")
    seen.append([])
    assert step.resume(oc.load_state(path, model), seed=1) == state
    assert seen[0] == pytest.approx(seen[1], abs=1e-4) and seen[0][0] == pytest.approx(earlier.weights.item())


def test_a_label_without_tokens_in_between_drops_its_stops() -> None:
    """Parts of no tokens that are given up leave nothing in the weight."""
    model = toy_model()

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        tries = row.memory or 0
        if tries == 5:
            return [oc.steer.Branch(backtrack="here", forced="abc", memory=6)]
        empty = oc.steer.Branch(allowed=guides.choice(["", "q"], model.vocabulary), label="here", memory=tries + 1)
        return [] if tries == 6 else [empty if not tries else oc.steer.Branch("here", empty.allowed, memory=tries + 1)]

    state = oc.continuous(oc.generate.control(model, controller, GREEDY))("x")
    drawn = [v for v in state.rows[0][0].logprobs if v is not None]
    assert state.weights.item() == pytest.approx(math.fsum(drawn)) and str(state) == "xabc"


def test_forks_draw_like_no_other_row() -> None:
    """Law 9: a fork has a lineage that no sample has, so no two rows draw by the same numbers."""
    model = toy_model()
    start = oc.cat([model.state("ab"), model.state("ab").fork(2)], 1)

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        more = oc.steer.Branch(allowed=word_of(model, "[a-z]{8}"), memory=1)
        return [] if row.memory else [more] * (2 if len(row.lineage) == 1 else 1)

    rows = list(oc.continuous(oc.generate.control(model, controller))(start, seed=0))
    assert len(set(rows)) == len(rows) == 4


def test_hooks_free_a_controlled_span() -> None:
    """Given up twice, cut, resumed and scored anew."""
    model = toy_model()
    x = model.vocabulary.tokens.index(b"x")

    def hook(draw: oc.steer.Draw) -> Any:
        here = len(draw.row) - draw.row.start
        may_stop = any(token is None for token, _, _ in draw.candidates(99))
        return (
            oc.steer.Replace(x, unconstrained=True)
            if here in (3, 5)
            else oc.steer.Replace(None)
            if here == 2 and may_stop
            else None
        )

    once = [oc.steer.Branch(allowed=guides.regex("[a-z]+", model.vocabulary))]
    for generator in (
        oc.generate.regex(model, "([abc]|x){9}"),
        oc.generate.control(model, lambda row: once),
    ):
        step = oc.continuous(generator, name="f")
        hooks = [hook] if generator.constraint.controller else [lambda draw: hook(draw) if len(draw.row) > 4 else None]
        state = step("xy", seed=3, hooks=hooks, max_tokens=8)
        torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-4, rtol=1e-4)
        assert state.captures["f"] == [[[]]]
        for n in range(1, 7):  # at the third from the end it is free still
            resumed = step.resume(state[..., :-n], max_tokens=n, seed=3)
            assert resumed.shape == state.shape if n < 4 else resumed.shape[2] > state.shape[2] - n


def test_a_hook_may_step_the_frontier_that_it_belongs_to() -> None:
    model = toy_model()
    size = len(model.vocabulary)
    frontiers = list[oc.stepping.Frontier]()

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        if draw.attempt or len(frontiers) != 1:
            return None
        inner = frontiers.pop()
        inner.step(torch.randn(1, size))
        frontiers.append(inner)
        return oc.steer.Resample()

    generator = oc.generate.regex(model, "[abc]{5}", GREEDY)
    found = []
    for again in (True, False):
        hooks = [hook] if again else [lambda draw: None if draw.attempt else oc.steer.Resample()]
        frontier = generator.begin("xy", hooks=hooks, seed=0)
        while not frontier.done:
            frontiers[:] = [frontier] if again else []
            frontier = frontier.step(model.logits(frontier.pending))
        found.append(frontier.state)
    assert found[0] == found[1] and found[0].weights.item() == pytest.approx(found[1].weights.item())


def test_after_a_stop_of_a_guide_that_was_declined_once_the_law_is_known_again() -> None:
    model = toy_model()
    guide = guides.regex("[ab]{1,3}", model.vocabulary)
    generator = oc.generate.control(model, lambda row: [] if len(row) > 8 else [oc.steer.Branch(allowed=guide)])
    again: set[int] = set()  # positions of tokens that were drawn after a stop was declined there
    stops = 0

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        nonlocal stops
        if draw.token is None and not draw.attempt:
            return oc.steer.Resample(ban=())
        if draw.attempt == 1 and draw.token is not None:
            again.add(len(draw.row))
        stops += draw.token is None
        return None

    for seed in range(5):
        again.clear()
        state = generator.run("xy", seed=seed, hooks=[hook])
        proposals = state.rows[0][0].proposals
        unknown = {at for at, proposal in enumerate(proposals) if proposal is not None and math.isnan(proposal)}
        assert unknown == again
    assert stops > 5


def test_endless_controllers_are_stopped() -> None:
    """`HookLimit`, with the state: for one that goes back for ever, and for one that appends nothing for ever."""
    model = toy_model()
    back = oc.generate.control(model, lambda row: [oc.steer.Branch(backtrack=1 if row.text else 0, forced="ab")])
    nothing = oc.generate.control(model, lambda row: [oc.steer.Branch(forced="a" if not row.text else "")])
    for generator in (back, nothing):
        with pytest.raises(oc.errors.HookLimit, match=r"20 times \(retries\)") as caught:
            generator("x", hooks=oc.steer.Hooks(retries=20))
        assert str(caught.value.state).startswith("x")
    with pytest.raises(TypeError, match="takes a function"):
        oc.generate.control(model, [])  # type: ignore[arg-type]


def test_guides_of_branches_are_guides() -> None:
    vocabulary = toy_model().vocabulary
    a, b = vocabulary.tokens.index(b"a"), vocabulary.tokens.index(b"b")
    words = guides.choice(["ab", "abb", "b", "bab"], vocabulary)
    check_guide(WithRuns(words, {a: (b,), b: ()}), ["ab", "abb", "b", "bab"])
    check_guide(WithRuns(words, {b: (a, b)}), ["ab", "abb", "bab"])
    allowed = np.zeros(len(vocabulary), bool)
    allowed[[a, b]] = True
    for ids in ((), (a,), (a, b, a)):
        check_guide(Given(vocabulary, ids), [ids])
    for may_stop in (False, True):
        check_guide(OneToken(vocabulary, pack(allowed), may_stop), ["a", "b", *[""][:may_stop]])
    check_guide(OneToken(vocabulary, pack(np.zeros_like(allowed)), may_stop=True), [""])


def test_a_guide_of_a_third_party_is_followed() -> None:
    """With the required members only."""

    class Letters:
        def __init__(self, guide: Any):
            self.vocabulary, self.initial = guide.vocabulary, guide.initial
            self.mask, self.advance, self.accepting = guide.mask, guide.advance, guide.accepting

    model = toy_model()
    letters = guides.regex("[abc]{2,4}", model.vocabulary)

    def values(guide: Any) -> list[Any]:
        def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
            return [] if row.text else [oc.steer.Branch(allowed=guide)]

        return [oc.generate.control(model, controller)("x", seed=seed) for seed in range(10)]

    assert values(Letters(letters)) == values(letters)
