"""Law 12: a chain is the composition of its steps, under every sampler, for every kind and every option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model, toy_model

import outlines_cont as oc
from outlines_cont.generate.steps import Composition

beams = oc.samplers.beam_search
PROMPTS = ["xy", ["x", "ab"], ["xy"] * 3]
TEXTS = ["", "-", "xy", "ab-", "1", "a"]  # the last two are healed
ROW_BY_ROW = [
    oc.samplers.greedy(),
    oc.samplers.multinomial(),
    oc.samplers.multinomial(samples=3),
    oc.samplers.multinomial(temperature=2.0, top_k=5),
    oc.samplers.multinomial(samples=3, filters=[oc.filters.repetition_penalty(1.3)]),
]
SEARCHES = [
    *(beams(k, distinct=distinct) for k in (1, 2, 3, 5) for distinct in ("text", "tokens")),
    beams(3, length_penalty=1.0),
    beams(3, length_penalty=-0.5, distinct="tokens"),
]
PARTICLES = [
    oc.samplers.smc(4, threshold, every=every)
    for threshold, every in ((1.0, "span"), (0.7, rb"[ac]"), (1.0, 1), (1.0, None))
]


KINDS: dict[str, Callable[[oc.Model, Any], Any]] = {
    "choice": lambda model, sampler: oc.generate.choice(model, ["a", "ab", "ca", "12", "cab"], sampler),
    "sequence": lambda model, sampler: oc.generate.choice(model, ["a", "ab", "12"], sampler, by="sequence"),
    "regex": lambda model, sampler: oc.generate.regex(model, "[abc]{1,3}|12", sampler),
    "forced": lambda model, sampler: oc.generate.regex(model, "(abc|1[12])z?", sampler, forced="canonical"),
    "eos": lambda model, sampler: oc.generate.regex(model, "a[bc]{0,4}", sampler, stop="eos"),
    "text": lambda model, sampler: oc.generate.text(model, sampler),
    "where": lambda model, sampler: oc.generate.regex(
        model, "[abc]{1,3}", sampler, where=lambda text, done: text[:1] != "b"
    ),
}


def same(chain: oc.SequenceState, steps: oc.SequenceState) -> None:
    """Equal rows, captures, endings, weights and log-probabilities."""
    assert chain == steps and chain.finished == steps.finished
    assert {**chain.captures} == {**steps.captures}
    for name in ("weights", "logprobs", "proposal_logprobs", "scores", "particles.log_importance"):
        torch.testing.assert_close(*map(attrgetter(name), (chain, steps)), atol=1e-4, rtol=0, equal_nan=True)
    for ours, theirs in zip(chain.rows, steps.rows, strict=True):
        assert [_annotations(row) for row in ours] == [_annotations(row) for row in theirs]


def _annotations(row: Any) -> Any:
    """What `identical` compares of a row besides its tokens, but for numbers that are rounded."""
    spans = [
        (p.kind, p.lo, p.hi, p.origin.name, p.generator, p.finished, p.origin.healed, p.origin.given_up)
        for p in row.pieces
    ]
    return row.dead, row.lineage, spans, [(each.position, each.ancestor) for each in row.resamplings]


def one_by_one(parts: Sequence[Any], prompts: Any, model: oc.Model, **options: Any) -> oc.SequenceState:
    """What the law says: the steps, each called with the options and the seed of the chain, and texts put between."""
    state = prompts if isinstance(prompts, oc.SequenceState) else model.state(prompts)
    for part in parts:
        state = state + part if isinstance(part, str) else part(state, **options)
    return state


def chained(parts: Sequence[Any]) -> Any:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole >> part
    return whole


@st.composite
def chains(draw: st.DrawFn, samplers: Sequence[Any] | None = None, kinds: Sequence[str] = tuple(KINDS)) -> Any:
    """A model, and the parts of a chain on it: two to four steps of one sampler family, and texts."""
    model = small_model(draw(st.integers(0, 3)))
    family = samplers or draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    changes = draw(st.booleans())
    sampler = draw(st.sampled_from(family))
    parts: list[Any] = [draw(st.sampled_from(TEXTS))]
    for i in range(draw(st.integers(2, 4))):
        if changes and i:
            enough = [each for each in family if each.samples in (1, sampler.samples)]
            if family is SEARCHES:
                enough = [each for each in family if each.samples >= sampler.samples]
            sampler = draw(st.sampled_from(enough))
        fitting = [kind for kind in kinds if kind != "sequence" or not sampler.logit_filters]
        kind = draw(st.sampled_from(fitting))
        options: dict[str, Any] = {"seam": draw(st.sampled_from(["keep", "heal"]))}
        if kind == "text":
            options |= {"max_tokens": draw(st.integers(1, 4)), "stop_at": draw(st.sampled_from([None, "c", "12"]))}
        generator = KINDS[kind](model, sampler)
        parts += [oc.continuous(generator, name=draw(st.sampled_from("ab")), **options), draw(st.sampled_from(TEXTS))]
    return model, parts


@settings(max_examples=150)
@given(data=st.data())
def test_law_12_a_chain_is_the_composition_of_its_steps(data: st.DataObject) -> None:
    model, parts = data.draw(chains())
    seed, prompts = data.draw(st.integers(0, 5)), data.draw(st.sampled_from(PROMPTS))
    chain = chained(parts)
    try:
        steps = one_by_one(parts, prompts, model, seed=seed)
    except oc.errors.SampleMismatch:
        with pytest.raises(oc.errors.SampleMismatch):
            chain(prompts, seed=seed)
        return
    whole = chain(prompts, seed=seed)
    same(whole, steps)
    *_, last = chain.stream(prompts, seed=seed)
    same(last, steps)


@settings(max_examples=100)
@given(data=st.data())
def test_law_12_where_samplers_change_along_the_chain(data: st.DataObject) -> None:
    """Also of prompts that were joined, whose copies might get each other's lineages."""
    model, parts = data.draw(chains([*ROW_BY_ROW, *SEARCHES, *PARTICLES]))
    one_prompt = data.draw(st.booleans())
    prompts = oc.cat([model.state(text) for text in (["xy"] if one_prompt else ["xy", "ab", "xy"])], 0)
    seed = data.draw(st.integers(0, 5))
    try:
        steps = one_by_one(parts, prompts, model, seed=seed)
    except (oc.errors.SampleMismatch, ValueError) as error:
        with pytest.raises((type(error), ValueError)):
            chained(parts)(prompts, seed=seed)
        return
    same(chained(parts)(prompts, seed=seed), steps)


def test_a_prompt_is_widened_where_all_have_come_to_the_border_of_its_next_link() -> None:
    """One that waits there is not miscounted because another waits at an earlier border, or has gone on."""
    model, prompts = small_model(0), ["xy", "ab", "1", "c", "ba", "-x"]
    for first, second, third in (
        (beams(1), beams(1), oc.samplers.smc(3)),
        (beams(1), beams(1), oc.samplers.multinomial(samples=3)),
        (oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(samples=3)),
    ):
        parts = [
            oc.continuous(oc.generate.regex(model, "a|bcabc|c", first)),
            oc.continuous(oc.generate.regex(model, "a|bcabc|c" if first is second else "[abc]{1,6}", second)),
            oc.continuous(oc.generate.choice(model, ["a", "12", "x"], third), name="c"),
        ]
        for seed in range(3):
            whole = chained(parts)(prompts, seed=seed)
            assert [len(group) for group in whole.captures["c"]] == [3] * len(prompts)
            same(whole, one_by_one(parts, prompts, model, seed=seed))


def watched(seen: list[Any]) -> list[Any]:
    return [oc.steer.Watch(lambda draw: seen.append((draw.token, draw.row.text)))]


def declining(draw: oc.steer.Draw) -> Any:
    return oc.steer.Resample() if draw.bytes.startswith(b"b") and not draw.attempt else None


def going_back(draw: oc.steer.Draw) -> Any:
    return oc.steer.Backtrack(1) if draw.bytes == b"c" and draw.attempt < 2 and draw.row.ids else None


@settings(max_examples=60)
@given(data=st.data())
def test_law_12_with_what_a_call_says(data: st.DataObject) -> None:
    """Hooks, contexts beside the rows, drafts, notes of candidates; the same for the chain and for every step."""
    family = data.draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    model, parts = data.draw(chains(family, ["choice", "regex", "forced", "eos"]))
    options: dict[str, Any] = {}
    what = data.draw(st.sampled_from(["hooks", "beside", "draft", "candidates", "alternatives"]))
    weighing = family is PARTICLES
    if what == "hooks":
        hooks = [watched([])] if weighing else [watched([]), [declining]] + [[going_back]] * (family is ROW_BY_ROW)
        options["hooks"] = data.draw(st.sampled_from(hooks))
    elif what == "beside":
        parts = [part if isinstance(part, str) else oc.continuous(part.generator, part.name) for part in parts]
        beside = [("ab", data.draw(st.sampled_from([0.5, -0.5, 1.0])))]
    elif what == "draft":
        options["draft"] = oc.drafts.lookup()
    else:
        options["keep"] = oc.Keep(**{what: 2})
    seed, prompts = data.draw(st.integers(0, 5)), data.draw(st.sampled_from(PROMPTS))
    if what == "beside":
        first = next(i for i, part in enumerate(parts) if not isinstance(part, str))
        step: Any = parts[first]
        state = step(model.state(prompts) + (parts[0] if first else ""), seed=seed, beside=beside)
        steps = one_by_one(parts[first + 1 :], state, model, seed=seed)
        whole = chained(parts[first:])(model.state(prompts) + (parts[0] if first else ""), seed=seed, beside=beside)
    else:
        steps = one_by_one(parts, prompts, model, seed=seed, **options)
        whole = chained(parts)(prompts, seed=seed, **options)
    same(whole, steps)
    for name in ("candidates", "alternatives"):
        if what == name:
            assert str(getattr(whole.kept, name)).split(".")[0] == str(getattr(steps.kept, name)).split(".")[0]


def joined(partials: Any, rows: int, samples: int) -> list[list[str]]:
    said = [[""] * samples for _ in range(rows)]
    for partial_state in partials:
        delta: Any = partial_state.delta
        if isinstance(delta, str):
            delta = [[delta]]
        for b, group in enumerate(delta):
            for s in range(samples):
                said[b][s] += group[s if s < len(group) else 0]
    return said


@settings(max_examples=40)
@given(data=st.data())
def test_law_12_of_streams(data: st.DataObject) -> None:
    """Joined, the deltas of a chain are those of its steps, and the texts between."""
    sampler = data.draw(st.sampled_from([*ROW_BY_ROW, *SEARCHES, *PARTICLES]))
    model, parts = data.draw(chains([sampler]))
    state: Any = model.state(["xy", "ab"]) + parts[0]
    whole = chained(parts[1:])(state, seed=1)
    said = joined(chained(parts[1:]).stream(state, seed=1), 2, whole.shape[1])
    before = [[len(model.vocabulary.decode(row.ids)) for row in rows] for rows in state.rows]
    for b, rows in enumerate(whole.rows):
        for s, row in enumerate(rows):
            if not row.dead and (whole.shape[1] == 1 or sampler.joint):
                text = model.vocabulary.decode(row.ids)[before[b][0] :].decode()
                assert said[b][s] == text


@settings(max_examples=80)
@given(data=st.data())
def test_law_12_of_cuts(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A chain goes on from any cut, of its own rows and of those that its steps have written; loaded from disk, too."""
    family = data.draw(st.sampled_from([ROW_BY_ROW, SEARCHES]))
    model, parts = data.draw(chains([data.draw(st.sampled_from(family))], ["choice", "sequence", "regex", "eos"]))
    chain, prompts = chained(parts), ["xy", "ab"]
    whole, steps = chain(prompts, seed=3), one_by_one(parts, prompts, model, seed=3)
    begin = min(
        next(s.start for s in row.spans if s.kind == "generated") for rows in whole.rows for row in rows if row.spans
    )
    n = data.draw(st.integers(begin + 1, whole.shape[2]))
    cuts = [whole[..., :n], steps[..., :n]]
    if data.draw(st.booleans()):
        path = tmp_path_factory.mktemp("cut") / "state"
        cuts[1].save(path)
        cuts[1] = oc.load_state(path, model)
    try:
        one = chain.resume(cuts[0], seed=3)
    except (oc.errors.SampleMismatch, ValueError) as error:
        with pytest.raises(type(error)):
            chain.resume(cuts[1], seed=3)
        return
    same(chain.resume(cuts[1], seed=3), one)
    if family is ROW_BY_ROW:
        same(one, whole)
        assert chain.resume(whole, seed=3).identical(whole)


@settings(max_examples=80)
@given(data=st.data())
def test_law_12_of_interruptions(data: st.DataObject) -> None:
    """From every state on the way a chain goes on to the same end, whichever rows were answered first."""
    family = data.draw(st.sampled_from([ROW_BY_ROW, SEARCHES, PARTICLES]))
    model, parts = data.draw(chains(family, [kind for kind in KINDS if kind != "text"]))
    seed, prompts = data.draw(st.integers(0, 5)), data.draw(st.sampled_from(PROMPTS))
    chain, random = chained(parts), data.draw(st.randoms(use_true_random=False))
    whole, frontier = chain(prompts, seed=seed), chain.begin(prompts, seed=seed)
    while not frontier.done:
        state = frontier.state
        if all(any(span.kind == "generated" for span in spans) for group in state.spans for spans in group if spans):
            same(chain.resume(state, seed=seed), whole)
        blocks = random.sample(frontier.blocks, random.randint(1, len(frontier.blocks)))
        rows = [row for block in blocks for row in block]
        logits, claims = model.read([frontier.pending[row] for row in rows])
        frontier = frontier.step(logits, claims, rows=rows)
    same(frontier.state, whole)


def test_steps_are_chains_of_one_link() -> None:
    model = small_model(1)
    for sampler in [*ROW_BY_ROW, *SEARCHES, *PARTICLES]:
        for kind in ("choice", "regex", "text"):
            step = oc.continuous(KINDS[kind](model, sampler), name="a", max_tokens=4)
            chain = step >> ""
            assert isinstance(chain, oc.Chain) and isinstance(step, Composition)
            one, other = step(["xy", "ab"], seed=2), chain(["xy", "ab"], seed=2)
            same(other, one)
            if not sampler.joint and kind != "text":
                for n in range(3, one.shape[2]):
                    same(chain.resume(other[..., :n], seed=2), step.resume(one[..., :n], seed=2))


def test_a_constrained_value_that_is_cut_ends_the_row_of_a_chain_and_takes_no_beam() -> None:
    """The exception of the law: a step begins a new value after it."""
    model = small_model(1)
    a = oc.continuous(oc.generate.regex(model, "a|b|(ca|12){9}", beams(4)), name="a", max_tokens=3)
    b = oc.continuous(oc.generate.choice(model, ["1", "12", "a", "ab", "bc"], beams(4)), name="b")
    first, whole = a("xy"), (a >> "-" >> b)("xy")
    assert {*first.finished[0]} == {"stop", "length"}
    assert whole.finished == [["stop"] * 4], "those that go on fill all beams"
    few = oc.continuous(oc.generate.choice(model, ["1"], beams(4)), name="b")
    last = (a >> "-" >> few)("xy")
    assert [*map(str, last.finished[0])] == sorted(map(str, last.finished[0]), reverse=True), "what was cut comes last"
    assert "length" in last.finished[0]


# --- functions


def of_length(row: oc.SequenceState) -> str:
    """A text that depends on what was written."""
    return "-x"[len(str(row)) % 2] * (1 + len(row.captures["a"][0][0]))


@settings(max_examples=60)
@given(data=st.data())
def test_a_function_gives_each_row_its_text(data: st.DataObject) -> None:
    """`(a >> f >> b)(s) == b(a(s) + f(row))`, row by row; it is called once for each."""
    sampler = data.draw(st.sampled_from([*ROW_BY_ROW, *SEARCHES, *PARTICLES]))
    model, parts = data.draw(chains([sampler], ["choice", "regex", "eos", "text"]))
    a, b = [part for part in parts if not isinstance(part, str)][:2]
    a = oc.continuous(a.generator, name="a", max_tokens=4 if a.generator.constraint.kind == "text" else None)
    t1, t2 = data.draw(st.sampled_from(TEXTS)), data.draw(st.sampled_from(TEXTS))
    called: list[str] = []

    def f(row: oc.SequenceState) -> str:
        assert row.shape[:2] == (1, 1)
        called.append(str(row))
        return of_length(row)

    prompts = data.draw(st.sampled_from(PROMPTS))
    state = a(prompts, seed=4) + t1
    live = [(i, j) for i, rows in enumerate(state.rows) for j, row in enumerate(rows) if not row.dead]
    texts = [["" for _ in rows] for rows in state.rows]
    for i, j in live:
        texts[i][j] = of_length(state[i : i + 1, j : j + 1, :])
    steps = b(state + [text for group in texts for text in group], seed=4) + t2
    same((a >> t1 >> f >> b >> t2)(prompts, seed=4), steps)
    assert sorted(called) == sorted(str(state[i : i + 1, j : j + 1, :]) for i, j in live)
    if not sampler.joint and "text" not in (a.generator.constraint.kind, b.generator.constraint.kind):
        whole = (a >> t1 >> f >> b >> t2)(prompts, seed=4)
        begin = len(model.state("xy").rows[0][0]) + 1
        for n in range(begin + 1, whole.shape[2] + 1):
            same((a >> t1 >> f >> b >> t2).resume(whole[..., :n], seed=4), whole)
            same((a >> t1 >> f >> b >> t2).resume(steps[..., :n], seed=4), whole)


@settings(max_examples=40)
@given(data=st.data())
def test_a_function_routes_rows_that_are_drawn_one_by_one(data: st.DataObject) -> None:
    """To steps with samplers of their own, to chains, to texts, or to the end."""
    model, seed = small_model(data.draw(st.integers(0, 3))), data.draw(st.integers(0, 3))
    sampler = data.draw(
        st.sampled_from([oc.samplers.greedy(), oc.samplers.multinomial(), oc.samplers.multinomial(samples=3)])
    )
    a = oc.continuous(oc.generate.choice(model, ["a", "ab", "12", "ca", "c"], sampler), name="a")
    b = oc.continuous(oc.generate.choice(model, ["1", "12", "x"], sampler), name="b")
    draws = oc.samplers.multinomial(temperature=1.5)
    ways: dict[str, Any] = {
        "a": oc.continuous(oc.generate.regex(model, "[abc]{1,2}", draws), name="way"),
        "ab": "z" >> oc.continuous(oc.generate.regex(model, "[12]", sampler), name="way") >> "-" >> b >> "z",
        "12": "text",
        "ca": None,
        "c": lambda row: "x",
    }

    def f(row: oc.SequenceState) -> Any:
        way = ways[row.captures["a"][0][0][-1]]
        return "x" if callable(way) and not isinstance(way, Composition) else "zz" if way == "text" else way

    prompts = ["xy", "ab", "x", "y1"]
    chain: Any = a >> "-" >> f >> "y" >> b
    whole, state = chain(prompts, seed=seed), a(prompts, seed=seed) + "-"
    for i, rows in enumerate(state.rows):
        for j in range(len(rows)):
            row = state[i : i + 1, j : j + 1, :]
            way = f(row)
            alone = [
                oc.continuous(p.generator._of(model, p.generator.constraint, one(p), p.generator.forced), p.name)
                if isinstance(p, oc.Step)
                else p
                for p in (way.parts if isinstance(way, Composition) else [way])
            ]
            if way is not None:
                row = one_by_one(
                    [*alone, "y", oc.continuous(oc.generate.choice(model, ["1", "12", "x"], one(b)), name="b")],
                    row,
                    model,
                    seed=seed,
                )
            same(whole[i : i + 1, j : j + 1, :], row)
    for n in range(whole.shape[2], 3, -1):
        cut = whole[..., :n]
        if min(len(r.spans) for rows in cut.rows for r in rows) > 1:
            same(chain.resume(cut, seed=seed), whole)


def one(step: oc.Step) -> Any:
    """The sampler of a step, for one row."""
    sampler = step.generator.sampler
    return oc.samplers.multinomial() if sampler.samples > 1 else sampler


def test_beams_go_their_own_ways_and_compete_as_before() -> None:
    """With as many beams as there are ways, they are all of them, best first."""
    model = small_model(2)
    a = oc.continuous(oc.generate.choice(model, ["a", "12", "cab"], beams(40, distinct="tokens")), name="a")
    long, short = (
        oc.continuous(oc.generate.choice(model, options, beams(40, distinct="tokens")), name="way")
        for options in (["1", "12"], ["x", "y", "xy"])
    )
    b = oc.continuous(oc.generate.choice(model, ["z", "zz"], beams(40, distinct="tokens")), name="b")

    def f(row: oc.SequenceState) -> Any:
        return {"a": long >> "-" >> short, "12": short, "cab": "x"}[row.captures["a"][0][0][0]]

    whole = (a >> f >> b)("xy")
    every = []
    for s in range(len(a("xy"))):
        row = a("xy")[0, s, :]
        way = f(row)
        state = row + way if isinstance(way, str) else way(row)
        every += [(w, r.ids) for w, r in zip(b(state).weights[0].tolist(), b(state).rows[0], strict=True) if not r.dead]
    every.sort(reverse=True)
    assert whole.weights[0].tolist() == pytest.approx([w for w, _ in every[:40]], abs=1e-4)
    few = oc.continuous(oc.generate.choice(model, ["1"], oc.samplers.greedy()))
    with pytest.raises(ValueError, match="compared with each other"):
        (a >> (lambda row: few if str(row).endswith("a") else short))("xy")


def test_an_error_in_a_function_ends_its_row_alone() -> None:
    model = small_model(2)
    for sampler in (oc.samplers.multinomial(samples=3), beams(3), oc.samplers.smc(3)):
        a = oc.continuous(oc.generate.choice(model, ["a", "12", "cab", "b"], sampler), name="a")
        b = oc.continuous(oc.generate.choice(model, ["x", "y"], sampler), name="b")
        called: list[str] = []

        def f(row: oc.SequenceState, called: list[str] = called) -> str:
            called.append(str(row))
            if len(called) == 2:
                raise KeyError(str(row))
            return "-"

        chain: Any = a >> f >> b
        state = chain("xy", seed=1, errors="return")
        [errors] = state.errors
        assert sum(isinstance(error, KeyError) for error in errors) == 1 and len(called) == 3
        assert len(state) >= 2 and all(str(text).endswith(("x", "y")) for text in state)
        called.clear()
        with pytest.raises(KeyError) as caught:
            chain("xy", seed=1)
        assert caught.value.state.shape[0] == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (3, "gave 3: a function in a chain gives a text"),
        (oc.samplers.greedy(), "gives a text, a step"),
        (["a"], "gives a text"),
    ],
    ids=repr,
)
def test_answers_that_are_none(answer: Any, message: str) -> None:
    model = small_model(2)
    a = oc.continuous(oc.generate.choice(model, ["a", "12"], oc.samplers.greedy()), name="a")
    with pytest.raises(TypeError, match=message):
        (a >> (lambda row: answer) >> a)("xy")
    with pytest.raises(TypeError, match="continuous"):
        (a >> (lambda row: a.generator) >> a)("xy")  # type: ignore[operator]
    with pytest.raises(TypeError, match="no function of one argument"):
        a >> (lambda: "x")  # type: ignore[operator]


def test_a_function_may_begin_a_chain_and_end_it() -> None:
    model = small_model(2)
    for sampler in (oc.samplers.greedy(), oc.samplers.multinomial(samples=2), beams(2), oc.samplers.smc(2)):
        a = oc.continuous(oc.generate.choice(model, ["a", "12"], sampler), name="a")
        start = model.state(["xy", "ab"])
        first: Callable[[oc.SequenceState], str] = lambda row: str(row)[:1]  # noqa: E731
        whole = ("-" >> (first >> a) >> first)(start, seed=1)
        state = a(start + "-" + ["x", "a"], seed=1)
        same(whole, state + [str(state[b, s, :])[:1] for b in range(2) for s in range(state.shape[1])])
        if not sampler.joint:
            for n in range(whole.shape[2] + 1):
                cut = whole[..., :n]
                if all(any(s.kind == "generated" for s in r.spans) for rows in cut.rows for r in rows):
                    same(("-" >> (first >> a) >> first).resume(cut, seed=1), whole)
    routed = partial(lambda step, row: step, a) >> ("!" >> a)  # type: ignore[operator]
    assert routed.parts[1:] == ("!", a)


def test_a_step_that_a_function_gives_keeps_its_own_options() -> None:
    """As every link: what it says for itself goes before what the call says."""
    model = small_model(1)
    a = oc.continuous(oc.generate.choice(model, ["a", "12"], oc.samplers.greedy()), name="a")
    b = oc.continuous(oc.generate.regex(model, "[abc]{9}", oc.samplers.greedy()), name="b", max_tokens=2)
    for chain in (a >> b, a >> (lambda row: b), a >> (lambda row: "" >> b)):
        assert [span.end - span.start for span in chain("xy", max_tokens=5).spans[0][0]][-1] == 2
    with pytest.raises(TypeError, match="not Model"):
        _ = a >> model


def test_a_function_at_the_beginning_is_asked_about_rows_as_they_were_there() -> None:
    """`resume` looks for the place where it was asked. That it fails on other parts of the row is nobody's error."""
    model = small_model(1)
    a = oc.continuous(oc.generate.choice(model, ["a", "12"], oc.samplers.greedy()), name="a")
    b = oc.continuous(oc.generate.choice(model, ["a", "12"], oc.samplers.greedy()), name="b")

    def first(row: oc.SequenceState) -> Any:
        return {"xy": "-" >> a, "xy-": b}[str(row)]

    chain: Any = first >> b
    whole = chain("xy")
    assert [span.name for span in whole.spans[0][0]][-2:] == ["a", "b"]
    for n in range(len("xy-") + 1, whole.shape[2] + 1):
        same(chain.resume(whole[..., :n]), whole)
    with pytest.raises(ValueError, match=r"this chain has \[<function .*first.*'b'"):
        chain.resume(oc.continuous(oc.generate.text(model))("xy-", seed=0, max_tokens=3))


@settings(max_examples=60)
@given(data=st.data())
def test_a_chain_goes_on_from_texts_that_are_spelled_otherwise(data: st.DataObject) -> None:
    """After a cut at a character, the rest of a text is spelled anew; later links are found behind it all the same."""
    model = toy_model(0)
    a, b, c = (
        oc.continuous(oc.generate.choice(model, options, oc.samplers.greedy()), name=name)
        for name, options in (("a", ["a", "12"]), ("b", ["xy", "zz"]), ("c", ["11", "22"]))
    )

    def f(row: oc.SequenceState) -> str:
        return "abc" if len(row.captures["a"][0][0]) == 1 else "é"

    chain: Any = a >> data.draw(st.sampled_from(["", "abcé"])) >> f >> b >> "bc" >> f >> c >> "abc"
    state = chain("ab")
    for _ in range(3):
        cut = state.chars[0, 0, : data.draw(st.integers(len("ab1"), len(str(state))))]
        state = chain.resume(cut)
        assert str(state).startswith(str(cut)) and str(state).endswith("abc")
        assert [len(state.captures[name][0][0]) for name in "abc"] == [1, 1, 1]


def test_a_chain_goes_on_from_rows_that_another_chain_has_written() -> None:
    """`identical` does not tell who wrote a span, and neither does what `resume` makes of it."""
    model = small_model(1)
    a, b, c = (
        oc.continuous(oc.generate.choice(model, options, oc.samplers.greedy()), name=name)
        for name, options in (("a", ["a", "12"]), ("b", ["abc", "ca1"]), ("c", ["1", "2"]))
    )
    written, one_by_one = (a >> "-" >> b)("xy"), b(a("xy") + "-")
    assert written.identical(one_by_one)
    for n in range(written.shape[2] - 1, written.shape[2] + 1):
        same((b >> "x" >> c).resume(written[..., :n]), (b >> "x" >> c).resume(one_by_one[..., :n]))


@pytest.mark.parametrize("text", ["1", "xy1", "-ab"])
def test_a_chain_goes_on_from_rows_whose_seams_were_healed(text: str) -> None:
    """A link that took a part of the text before it back is found behind that text."""
    model = small_model(1)
    a, b = (
        oc.continuous(oc.generate.choice(model, options, oc.samplers.greedy()), name=name, seam="heal")
        for name, options in (("a", ["a", "12"]), ("b", ["2a", "2b", "c", "ca"]))
    )
    for chain in (a >> text >> b, a >> (lambda row: text) >> b, ((lambda row: text) >> b) >> "-" >> a):
        function_first = callable(chain.parts[0]) and not isinstance(chain.parts[0], oc.Step)
        whole = chain("xy")
        steps = a(b(model.state("xy") + text) + "-") if function_first else b(a("xy") + text)
        same(whole, steps)
        assert any(piece.origin.healed for piece in whole.rows[0][0].pieces)
        begin = next(span.start for span in whole.spans[0][0] if span.kind == "generated") + 1
        for n in range(begin, whole.shape[2] + 1):
            same(chain.resume(whole[..., :n]), whole)
            same(chain.resume(steps[..., :n]), whole)


@pytest.mark.filterwarnings("ignore:resume.* on a search that max_tokens had ended")
def test_rows_that_end_for_want_of_room_come_back_as_they_are() -> None:
    """Also where the text of a function had no room."""
    for positions in range(4, 14):
        model = small_model(1, positions)
        for sampler in (oc.samplers.greedy(), oc.samplers.multinomial(samples=2), beams(2), oc.samplers.smc(2)):
            a = oc.continuous(oc.generate.choice(model, ["a", "12"], sampler), name="a")
            for chain in (
                a >> "-" >> (lambda row: "xyz") >> a >> "b",
                partial(lambda a, row: "xy" >> a, a) >> ("-" >> a),
            ):
                whole = chain(["xy", "1"], seed=1)
                assert all(len(row) <= positions + 1 for rows in whole.rows for row in rows)
                same(chain.resume(whole, seed=1), whole)


def test_rows_that_wait_ahead_go_on_when_those_behind_them_have_ended() -> None:
    """Whether these end because nothing comes after their spans, or because they were cut short."""
    model = small_model(1)
    for sampler in (beams(2), beams(2, distinct="tokens"), oc.samplers.smc(2)):
        a = oc.continuous(oc.generate.choice(model, ["a", "12"], sampler), name="a")
        b = oc.continuous(oc.generate.choice(model, ["1x", "y2"], sampler), name="b")

        def way(row: oc.SequenceState, a: Any = a, b: Any = b) -> Any:
            return a if str(row).endswith("a") else "-" >> b

        routed = (a >> way)("xy", seed=1)
        assert {*routed.finished[0]} == {"stop"}
        assert all(str(text)[2:].startswith("12-") or str(text)[2:] in ("aa", "a12") for text in routed)
        assert all(str(text).endswith(("x", "y2")) for text in routed if "12-" in str(text))
        long = oc.continuous(oc.generate.regex(model, "[abc]{3}-", sampler), name="a")
        whole = (long >> "x" >> b)("xy", seed=1)
        behind, ahead = (whole[0, s, : whole.spans[0][s][span].start + 1] for s, span in ((0, 1), (1, 3)))
        resumed = (long >> "x" >> b).resume(oc.cat([behind, ahead], 1), max_tokens=1, seed=1)
        assert sorted(map(str, resumed.finished[0])) == ["length", "stop"]
        assert sorted(map(len, resumed.captures["b"][0])) == [0, 1]


def test_law_9_of_functions() -> None:
    """How many samples a prompt has does not depend on the ways of the others."""
    model, three = small_model(1), oc.samplers.multinomial(samples=3)
    a = oc.continuous(oc.generate.choice(model, ["a", "12"], oc.samplers.greedy()), name="a")
    b = oc.continuous(oc.generate.choice(model, ["1x", "y2"], three), name="b")
    for last in (three, oc.samplers.smc(3), beams(3)):
        c = oc.continuous(oc.generate.choice(model, ["a", "c", "12"], last), name="c")
        chain: Any = a >> (lambda row: b if str(row).startswith("x") else "-") >> c
        whole = chain(["xy", "ab", "x", "c"], seed=0)
        assert [len(group) for group in whole.captures["c"]] == [3] * 4
        for i, prompt in enumerate(["xy", "ab", "x", "c"]):
            alone = chain(prompt, seed=0, keys=[i])
            assert alone == whole[i : i + 1, :, :]
