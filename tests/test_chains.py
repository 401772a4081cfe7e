"""Chains: one search, or one walk, through all their links; and what is left of them when they are cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import pytest
import torch
from cases import pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import LANGUAGES, enumerate_law_after, small_model, toy_model
from test_stepping import Server

import outlines_cont as oc

GREEDY = oc.samplers.greedy()
draw = oc.samplers.multinomial
beams = partial(oc.samplers.beam_search, distinct="tokens")  # what is enumerated here are token sequences
TWO = draw(samples=2)


def link(
    model: oc.Model,
    options: Sequence[str],
    sampler: Any,
    name: str,
    forced: str | None = "never",
    seam: str = "keep",
    **more: Any,
) -> oc.Step:
    return oc.continuous(oc.generate.choice(model, options, sampler, forced=forced, **more), name, seam)


def derivations(
    model: oc.Model, ids: tuple[int, ...], languages: Sequence[Sequence[str]], texts: Sequence[str]
) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Brute force: every row that a chain can make, with the log-probability of each of its spans."""
    if not languages:
        yield ids, ()
        return
    for span, own, _ in enumerate_law_after(model, ids, languages[0]):
        text = tuple(model.encoder.append(texts[0]))
        for row, rest in derivations(model, ids + span + text, languages[1:], texts[1:]):
            yield row, (own, *rest)


def weights(row: Any) -> tuple[float, ...]:
    return tuple(span.weight for span in row.spans if span.kind == "generated")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("texts", [("-", ""), ("", "!"), ("", "")], ids=repr)
def test_the_best_beams_of_a_chain_are_the_best_of_all_that_it_can_write(seed: int, texts: tuple[str, str]) -> None:
    model, languages = toy_model(seed), [["a", "ab", "ca"], ["1", "12", "b"]]
    start = model.state("xy").rows[0][0].ids
    every = sorted(derivations(model, start, languages, texts), key=lambda found: -sum(found[1]))
    k = len(every)
    chain = link(model, languages[0], beams(k), "a") >> texts[0] >> link(model, languages[1], beams(k), "b") >> texts[1]
    state = chain("xy")
    assert len(state) == k
    assert state.weights[0].tolist() == pytest.approx([sum(own) for _, own in every], abs=1e-4)
    assert {(row.ids, tuple(round(w, 3) for w in weights(row))) for row in state.rows[0]} == {
        (ids, tuple(round(w, 3) for w in own)) for ids, own in every
    }, "and so are the weights of each link"
    few = link(model, languages[0], beams(4), "a") >> texts[0] >> link(model, languages[1], beams(4), "b") >> texts[1]
    assert few("xy").weights[0, 0].item() <= sum(every[0][1]) + 1e-4


def test_one_text_divided_otherwise_is_another_hypothesis() -> None:
    """The same tokens with their spans' ends at other places: in a chain, and where another step begins from them."""
    model, languages = toy_model(1), [["a", "ab"], ["b", "", "bb"], ["x"]]
    start = model.state("xy").rows[0][0].ids
    every = list(derivations(model, start, languages, ["", "", ""]))
    assert len({ids for ids, _ in every}) < len(every)
    a, b, c = (link(model, language, beams(20), name) for language, name in zip(languages, "abc", strict=True))
    for state in ((a >> b >> c)("xy"), c(b(a("xy")))):
        assert state.weights[0].tolist() == pytest.approx(sorted((sum(o) for _, o in every), reverse=True), abs=1e-4)


def test_an_engine_reads_each_token_of_a_chain_once() -> None:
    model = toy_model(1)
    chain = link(model, ["abcabc", "c1"], GREEDY, "a") >> "-xy" >> link(model, ["1212", "21"], GREEDY, "b")
    frontier, server = chain.begin("xyxyxy", seed=1), Server(model.hf)
    while not frontier.done:
        frontier = frontier.step(server.serve({0: frontier.pending})[0])
    assert server.tokens == frontier.state.lengths.item() - 1


def test_a_chain_finds_what_greedy_links_do_not() -> None:
    """The first link's best option is not part of the best whole; beams that cross the link find it."""
    found = 0
    for seed in range(12):
        model, languages = toy_model(seed), [["ab", "c", "12"], ["1", "ab", "b"]]
        start = model.state("xy").rows[0][0].ids
        best = max(derivations(model, start, languages, ["-", ""]), key=lambda one: sum(one[1]))
        greedy = (link(model, languages[0], GREEDY, "a") >> "-" >> link(model, languages[1], GREEDY, "b"))("xy")
        joint = (link(model, languages[0], beams(12), "a") >> "-" >> link(model, languages[1], beams(12), "b"))("xy")
        assert joint.rows[0][0].ids == best[0]
        assert joint.weights[0, 0].item() == pytest.approx(sum(best[1]), abs=1e-4)
        assert greedy.weights[0, 0].item() <= joint.weights[0, 0].item() + 1e-4
        found += greedy.rows[0][0].ids != best[0]
    assert found >= 2


@pytest.mark.parametrize("sampler", [beams(2), oc.samplers.smc(2)], ids=repr)
def test_rows_that_are_compared_stand_in_one_link_and_each_prompt_crosses_by_itself(sampler: Any) -> None:
    model = toy_model()
    long = oc.continuous(oc.generate.regex(model, "(a|ab|[12]{6})", sampler))
    frontier = (long >> "-" >> long).begin(["xy", "1", "ab", "z", "c2", "a-"], seed=1)
    apart = False
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
        links = [{h.settings.chain.link for h in group if not h.status.inactive} for group in frontier.groups]
        assert all(len(group) == 1 for group in links)
        apart |= len(set.union(*links)) == 2
    assert apart


FEW = [["a"], ["12121", "1212", "x"], ["a", "ab", "abc"], ["", "a"], ["2", "1-", "yz", "1"]]
SAMPLERS = [GREEDY, draw(), draw(samples=3), draw(temperature=2.0), oc.samplers.smc(3, 0.0)]


@settings(max_examples=60)
@given(data=st.data())
def test_a_chain_is_its_links_one_after_the_other(data: st.DataObject) -> None:
    """For rows that have nothing to do with each other, with any samplers; and so with what the links share."""
    few, seed, count = data.draw(st.booleans()), data.draw(st.integers(0, 3)), data.draw(st.integers(1, 3))
    model, known = (small_model(seed), FEW) if few else (toy_model(seed), LANGUAGES)
    samplers = data.draw(st.sampled_from([*([own] * 3 for own in SAMPLERS), [GREEDY, draw(), draw(temperature=0.5)]]))[
        :count
    ]
    languages, by = st.sampled_from(known), st.sampled_from(["token", "sequence"])
    forced, seam, stop = (st.sampled_from(p) for p in (("never", "canonical"), ("keep", "heal"), ("elsewhere", "eos")))
    steps = [
        link(
            model,
            data.draw(languages),
            own,
            f"s{i}",
            *map(data.draw, (forced, seam)),
            by=data.draw(by),
            stop=data.draw(stop),
        )
        for i, own in enumerate(samplers)
    ]
    texts = [data.draw(st.sampled_from(["", "-", "xy"])) for _ in range(count + 1)]
    prompts = data.draw(st.sampled_from(["xy", ["x", "ab"]]))
    chain: Any = texts[0] >> steps[0] >> texts[1]
    for step, text in zip(steps[1:], texts[2:], strict=True):
        chain = chain >> step >> text
    whole = chain(prompts, seed=7)
    state = model.state(prompts) + texts[0]
    for step, text in zip(steps, texts[1:], strict=True):
        state = step(state, seed=7) + text
    assert whole == state
    torch.testing.assert_close(whole.weights, state.weights, atol=1e-4, rtol=0)
    torch.testing.assert_close(whole.particles.log_importance, state.particles.log_importance, atol=1e-4, rtol=0)
    assert {**whole.captures} == {**state.captures}
    assert [[[s.kind for s in row] for row in rows] for rows in whole.spans] == [
        [[s.kind for s in row] for row in rows] for rows in state.spans
    ]


@settings(max_examples=40)
@given(data=st.data())
def test_a_cut_chain_goes_on_wherever_it_was_cut(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Law 7 for chains: with the same seed, what comes is what was there; loaded from disk, too."""
    model = toy_model(data.draw(st.integers(0, 3)))
    first, later = data.draw(st.sampled_from([(GREEDY, GREEDY), (draw(), draw()), (GREEDY, draw()), (TWO, TWO)]))
    chain = (
        oc.continuous(oc.generate.regex(model, "[abc]{2,4}", first, forced="never"), name="a")
        >> "-x"
        >> link(model, ["1", "12", "121"], later, "b")
        >> link(model, ["a", "cab"], later, "c")
        >> "yz"
    )
    whole = chain(["xy", "ab"], seed=3)
    begin = whole.rows[0][0].spans[0].end
    for b in range(2):
        part = whole[b : b + 1, :, :]
        cut = part[..., : data.draw(st.integers(begin, part.shape[2]))]
        if data.draw(st.booleans()):
            path = tmp_path_factory.mktemp("cut") / "state"
            cut.save(path)
            cut = oc.load_state(path, model)
        again = chain.resume(cut, seed=3)
        assert again == part and {**again.captures} == {**part.captures}
        torch.testing.assert_close(again.weights, part.weights, atol=1e-4, rtol=0)


def test_a_search_on_the_way_goes_on_as_if_it_had_not_been_interrupted() -> None:
    model = toy_model(2)
    a = oc.continuous(oc.generate.regex(model, "(a|[abc]{4})", beams(4)), name="a")
    chain = a >> "-" >> link(model, ["1", "12", "ab"], beams(4), "b")
    frontier, whole = chain.begin("xy"), chain("xy")
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
        assert chain.resume(frontier.state) == whole
    assert chain.resume(whole) == whole


def test_resume_takes_beams_that_stand_in_different_links() -> None:
    """Those that were cut less wait, and hold their beams, until the others have come as far."""
    model = toy_model(2)
    a = oc.continuous(oc.generate.regex(model, "[abc]{1,4}", beams(4)), name="a")
    chain = a >> "-" >> link(model, ["1", "12", "ab"], beams(4), "b")
    whole = chain("xy")
    for n in range(3, whole.shape[2] + 1):
        cut = whole[..., :n]
        different = len({(row.ids, len(row.pieces)) for row in cut.rows[0] if not row.dead})
        again = chain.resume(cut)
        assert len(again) == min(4, max(different, len(again))) and all(
            f == "stop" for [*fs] in again.finished for f in fs
        )
        assert again.weights[0, 0].item() <= whole.weights[0, 0].item() + 1e-4


STREAMED = [GREEDY, draw(), draw(samples=3), beams(3), oc.samplers.beam_search(3), oc.samplers.smc(3, 1.0)]


@pairs(("first", "last"), STREAMED, STREAMED, strength=1, ids=repr)
def test_streams_of_chains_say_all_that_was_written(first: Any, last: Any) -> None:
    """Of every sample that is its own from the beginning; also of rows that end early, before the sampler changes."""
    model = small_model(1)
    text = oc.continuous(oc.generate.text(model, first), max_tokens=4, stop_at="1", name="a")
    digits = oc.continuous(oc.generate.regex(model, "(12|[12]{9})", first, forced="never"), max_tokens=3, name="d")
    for a in (text, digits):
        chain = "x" >> a >> "-" >> link(model, ["1", "12", "ab"], last, "b", by="sequence") >> "yz"
        if first.samples > 1 and isinstance(first, oc.samplers.BeamSearch) and last.weighs_draws:
            with pytest.raises(ValueError, match=r"before Particles.* no random draws"):
                chain(["xy", "ab"], seed=5)
            continue
        try:
            whole = chain(["xy", "ab"], seed=5)
        except oc.errors.SampleMismatch:
            return
        parts = list(chain.stream(["xy", "ab"], seed=5))
        assert parts[-1] == whole
        for b in range(2):
            begin = len(model.state(["xy", "ab"]).rows[b][0]) + 1
            for s, row in enumerate(whole.rows[b]):
                if first.joint or first.samples == len(whole.rows[b]) or len(whole.rows[b]) == 1:
                    said = "".join(_of(part.delta, b, s) for part in parts)
                    text_of = model.vocabulary.decode(row.ids[begin:]).decode("utf-8", "replace")
                    assert said == text_of or row.dead


def _of(delta: Any, b: int, s: int) -> str:
    return delta[b][s if s < len(delta[b]) else 0]


def test_beams_of_different_steps_are_joined_and_searched_on() -> None:
    """`cat(dim=1)`, `best` and slices of beams: scores follow the rows, and the next step begins from all of them."""
    model = toy_model(2)
    one = link(model, ["a", "ab", "ca"], beams(4), "one")("xy")
    two = (link(model, ["1"], beams(4), "first") >> link(model, ["2", "12"], beams(4), "second"))("xy")
    both = oc.cat([one, two], dim=1)
    weights = one.weights[0].tolist() + two.weights[0].tolist()
    assert both.weights[0].tolist() == weights and both.shape[1] == one.shape[1] + two.shape[1]
    best = both.best(4)
    assert best.weights[0].tolist() == sorted(weights, reverse=True)[:4]
    last = link(model, ["b", "bc"], beams(4), "last")
    joint = []
    for row in best.rows[0]:
        ids = row.ids + tuple(model.encoder.append("-"))
        joint += [(row.weight + own, ids + span) for span, own, _ in enumerate_law_after(model, ids, ["b", "bc"])]
    found = last(best + "-")
    assert found.weights[0].tolist() == pytest.approx(sorted((w for w, _ in joint), reverse=True)[:4], abs=1e-4)
    assert found.rows[0][0].ids == max(joint)[1]
    for n in range(found.shape[2] + 1):
        assert (found[..., :n] + found[..., n:]).identical(found)
        cut = found[..., :n]
        for row, weight in zip(cut.rows[0], cut.weights[0].tolist(), strict=True):
            assert weight == pytest.approx(sum(span.weight for span in row.spans), abs=1e-9)
    again = last.resume(found.reopen())
    assert again.weights[0, 0].item() == pytest.approx(found.weights[0, 0].item(), abs=1e-4)


def paths(model: oc.Model, start: tuple[int, ...], strings: Sequence[str]) -> dict[tuple[int, ...], float]:
    """Brute force in bulk: every way to spell one of the strings and stop, all of one length in one plain forward."""
    special, tokens = model.vocabulary.special, model.vocabulary.tokens
    goals = {string.encode() for string in strings}
    begins = {goal[:n] for goal in goals for n in range(len(goal) + 1)}
    level, found = [((), b"", 0.0)], {}
    while level:
        ids = torch.tensor([start + path for path, _, _ in level])
        with torch.no_grad():
            logprobs = torch.log_softmax(model.hf(input_ids=ids, use_cache=False).logits[:, -1].double(), -1)
        further = []
        for (path, text, own), line in zip(level, logprobs, strict=True):
            going = [t for t in range(len(tokens)) if t not in special and tokens[t] and text + tokens[t] in begins]
            if text in goals:
                rest = line.clone()
                rest[going] = -torch.inf
                found[path] = own + (rest.logsumexp(0).item() if going else 0.0)
            further += [((*path, t), text + tokens[t], own + line[t].item()) for t in going]
        level = further
    return found


@settings(max_examples=25)
@given(
    seed=st.integers(0, 5),
    strings=st.lists(st.text("abc12é", max_size=5), min_size=1, max_size=40, unique=True),
    penalty=st.sampled_from([0.0, 0.0, 1.0, -0.5]),
)
def test_beams_are_exact_on_random_languages(seed: int, strings: list[str], penalty: float) -> None:
    """With as many beams as there are spellings, in order, score by score; with a length penalty, too."""
    model = toy_model(seed)
    every = paths(model, model.state("xy").rows[0][0].ids, strings)
    scores = {ids: own / max(len(ids), 1) ** penalty for ids, own in every.items()}
    state = link(model, strings, beams(len(every), length_penalty=penalty), "x")("xy")
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    assert state.scores[0].tolist() == pytest.approx([value for _, value in ranked], abs=1e-3)
    begin = state.rows[0][0].spans[-1].start
    assert {row.ids[begin:] for row in state.rows[0]} == {*scores}
    for k in (1, 3):
        few = link(model, strings, beams(k, length_penalty=penalty), "x")("xy")
        for row, score in zip(few.rows[0], few.scores[0].tolist(), strict=True):
            assert row.dead or score == pytest.approx(scores[row.ids[begin:]], abs=1e-3)


def test_beams_are_exact_on_thousands_of_strings() -> None:
    model, alphabet = toy_model(3), "abc"
    strings = ["".join(letters) for n in range(1, 7) for letters in product(alphabet, repeat=n)]
    assert len(strings) == 1092
    every = sorted(paths(model, model.state("xy").rows[0][0].ids, strings).values(), reverse=True)
    step = oc.continuous(oc.generate.regex(model, "[abc]{1,6}", beams(400)))
    found = step("xy").weights[0].tolist()
    assert found[:50] == pytest.approx(every[:50], abs=1e-3) and len(every) > 3000


def test_ties_fall_the_same_way() -> None:
    """Where all candidates are equally likely: to the earlier hypothesis, then to the smaller token."""
    model = toy_model()
    frontier = oc.generate.regex(model, "[a-d]{3}", beams(3)).begin(["xy", "z"])
    while not frontier.done:
        frontier = frontier.step(torch.zeros(sum(len(n.wanted) for n in frontier.pending), len(model.vocabulary)))
    first, second = ([row.ids[row.spans[-1].start :] for row in rows] for rows in frontier.state.rows)
    assert first == second and first == sorted(first)


@pytest.mark.parametrize("seed", range(3))
def test_beams_weigh_all_options_of_a_choice_by_sequence(seed: int) -> None:
    """With fewer beams than options; after forced runs, and beside hypotheses that still draw."""
    model, options = small_model(seed), ["1", "2", "ab", "ca", "12", "a"]
    first = oc.continuous(oc.generate.regex(model, "(a|ba|ccccb)", beams(3), forced="canonical"), name="a")
    chain = (
        first >> "-" >> link(model, options, beams(3), "b", by="sequence") >> link(model, ["x", "xy"], beams(3), "c")
    )
    spelled = {tuple(model.encoder.append(option)) for option in options}
    last = {span for text in ("x", "xy") for span in paths(model, (1,), [text])}
    joint = []
    dash = tuple(model.encoder.append("-"))
    for a, own in paths(model, model.state("xy").rows[0][0].ids, ["a", "ba", "ccccb"]).items():
        middle = model.state("xy").rows[0][0].ids + a + dash
        for b, second in paths(model, middle, options).items():
            if b in spelled:
                third = paths(model, middle + b, ["x", "xy"])
                joint += [(own + second + value, middle + b + c) for c, value in third.items() if c in last]
    state = chain(["xy", "ab"])
    assert state.weights[0, 0].item() <= max(joint)[0] + 1e-4
    with model.fresh():
        again = state.rescore()
    torch.testing.assert_close(again.weights, state.weights, atol=1e-4, rtol=0)
    wide = oc.continuous(oc.generate.regex(model, "(a|ba|ccccb)", beams(60)), name="a")
    rest = link(model, options, beams(60), "b", by="sequence") >> link(model, ["x", "xy"], beams(60), "c")
    whole = (wide >> "-" >> rest)("xy")
    assert whole.weights[0, :20].tolist() == pytest.approx(sorted((w for w, _ in joint), reverse=True)[:20], abs=1e-3)
    pair = link(model, ["a", "ba"], beams(2), "a")
    two = (pair >> link(model, options, beams(2), "b", by="sequence"))("xy")
    every = [
        own + second
        for a, own in paths(model, model.state("xy").rows[0][0].ids, ["a", "ba"]).items()
        for b, second in paths(model, model.state("xy").rows[0][0].ids + a, options).items()
        if b in spelled and a in {row.ids[2:] for row in pair("xy").rows[0]}
    ]
    assert two.weights[0].tolist() == pytest.approx(sorted(every, reverse=True)[:2], abs=1e-4)


def test_a_length_penalty_looks_ahead_to_later_links() -> None:
    """A live hypothesis is not given up while later links can still make it long enough to win."""
    model = toy_model()
    ids = {text: model.vocabulary.tokens.index(text.encode()) for text in "ab12"}

    def law(text: str) -> torch.Tensor:
        logits = torch.full((len(model.vocabulary),), -40.0)
        likely = {"xy": {"a": -0.2, "b": -1.7}, "xya": {"1": -0.69, "2": -0.69}}.get(text, {"b": -0.001})
        for letter, value in likely.items():
            logits[ids[letter]] = value
        return logits

    sampler = beams(2, length_penalty=1.0)
    short = oc.continuous(oc.generate.regex(model, "(a|b{3})", sampler), max_tokens=3)
    frontier = (short >> oc.continuous(oc.generate.regex(model, "(1|2|b{10})", sampler), max_tokens=10)).begin("xy")
    while not frontier.done:
        wanted = [(need, position) for need in frontier.pending for position in need.wanted]
        texts = [model.vocabulary.decode(need.tokens[: position + 1]).decode() for need, position in wanted]
        frontier = frontier.step(torch.stack([law(text) for text in texts]))
    assert list(frontier.state)[0] == "xy" + "b" * 13


def test_a_state_that_has_all_of_a_chain_comes_back_unchanged() -> None:
    model = small_model(1)
    for samplers in (
        (TWO, beams(3)),
        (beams(1), draw(samples=3)),
        (beams(2), TWO),
        (beams(2), beams(4)),
        (GREEDY, TWO),
    ):
        a, b = (link(model, ["a", "ab", "12"], sampler, name) for sampler, name in zip(samplers, "ab", strict=True))
        chain = a >> "-" >> b >> "z"
        for seed in range(4):
            whole = chain(["xy", "a"], seed=seed)
            assert chain.resume(whole, seed=9).identical(whole)
            assert chain.resume(whole[..., :-1], seed=9) == whole, "what is left is the text at its end"
    step = link(model, ["1x", "1yz", "abx"], beams(2), "b", by="sequence")
    both = step(["xy", "a"])
    cut = oc.cat([both[0:1, :, :], both[1:2, :, :][..., :2]], 0)
    assert step.resume(cut)[0:1, :, :] == both[0:1, :, :]


def test_chains_end_where_the_context_ends() -> None:
    """Before a text that does not fit; what has ended stays captured, and goes on where there is room."""
    small, large = small_model(1, positions=16), oc.Model(small_model(1).hf, small_model(1).tokenizer)

    def chain(model: oc.Model, by: str) -> oc.Chain:
        last = link(model, ["1212", "2121"], GREEDY, "b", by=by)
        return link(model, ["ab", "12"], GREEDY, "a") >> "-x-" >> last >> "yz"

    for by, length in product(("token", "sequence"), range(9, 15)):
        prompts = ["x" * length, "xy"]
        state = chain(small, by)(prompts, seed=1)
        row = state.rows[0][0]
        assert state.finished[1] == [None] and len(state.captures["a"][0][0]) == 1
        assert len(row) <= 16 if state.finished[0] == ["length"] else str(state[0, 0, :]).endswith("yz")
        assert chain(small, by).resume(state).tolist() == state.tolist()
        if len(row) <= 16:
            assert chain(large, by).resume(state.to(large)) == chain(large, by)(prompts)


def test_what_is_cut_short() -> None:
    """A constrained value that is cut ends its row; a text goes on; and beams prefer rows that are whole."""
    model = toy_model()
    digits = oc.continuous(oc.generate.regex(model, "[0-9]{4}", GREEDY), name="n")
    text = oc.continuous(oc.generate.text(model, GREEDY), name="t", max_tokens=2)
    cut = (digits >> "-" >> text)("xy", max_tokens=2)
    assert cut.finished == [["length"]] and len(cut.spans[0][0]) == 2
    gone = (text >> "-" >> digits)("xy")
    assert gone.finished == [["stop"]] and [span.finished for span in gone.spans[0][0]] == [
        None,
        "length",
        None,
        "stop",
    ]
    assert gone.rows[0][0].spans[1].end - gone.rows[0][0].spans[1].start == 2
    again = (digits >> "-" >> text).resume(cut)
    assert again.spans[0][0][1].finished == "stop" and again == (digits >> "-" >> text)("xy")
    wide = oc.continuous(oc.generate.regex(model, "(ab|1[0-9]{9})", beams(2)), name="w")
    state = (wide >> "-" >> link(model, ["ab", "ba"], beams(2), "v"))("xy", max_tokens=3)
    assert state.finished == [["stop", "stop"]]


def test_names_and_nesting() -> None:
    model = toy_model()
    pair = link(model, ["a", "ca"], GREEDY, "x") >> "-" >> link(model, ["1", "2"], GREEDY, "y")
    story = oc.continuous(pair, name="hero") >> " b " >> oc.continuous(pair, name="foe") >> "."
    state = story("xy")
    assert list(state.captures) == ["hero.x", "hero.y", "foe.x", "foe.y"]
    assert state == ((pair >> " b ") >> (pair >> "."))("xy")
    twice = (pair >> ";" >> pair)("xy")
    assert [len(values) for values in (*twice.captures["x"][0], *twice.captures["y"][0])] == [2, 2]
    assert "'-'" in repr(pair) and "'hero.x'" in repr(story)


def test_chains_of_batches_are_independent_of_each_other() -> None:
    """Law 9."""
    model = toy_model(3)
    for sampler in (draw(samples=2), beams(3), oc.samplers.smc(4, 0.9)):
        chain = link(model, ["a", "ab", "abc"], sampler, "a") >> "-" >> link(model, ["1", "12"], sampler, "b")
        start = model.state(["xy", "ab", "1"])
        whole = chain(start, seed=4)
        for b in range(3):
            assert chain(start[b : b + 1, :, :], seed=4) == whole[b : b + 1, :, :]


def test_wrong_chains() -> None:
    model, other = toy_model(), toy_model(1)
    step = link(model, ["a", "b"], GREEDY, "a")
    with pytest.raises(TypeError, match=r"continuous\(Generator\(choice"):
        step >> step.generator  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"continuous\(Generator\(choice"):
        step.generator >> " text"  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"continuous\(Generator\(choice"):
        " text" >> step.generator  # type: ignore[operator]
    with pytest.raises(TypeError, match="steps, texts and functions, not int"):
        step >> 3  # type: ignore[operator]
    with pytest.raises(ValueError, match="one model"):
        step >> link(other, ["a"], GREEDY, "b")
    with pytest.raises(ValueError, match="belong to the steps"):
        oc.continuous(step >> "x", "name", "heal")  # type: ignore[call-overload]
    chain = step >> "-" >> link(model, ["1", "2"], GREEDY, "b")
    with pytest.raises(ValueError, match="no span of it"):
        chain.resume(model.state("xy"))
    with pytest.raises(ValueError, match="'!' follows link 0, where the chain has '-'"):
        chain.resume(step("xy") + "!")
    with pytest.raises(ValueError, match="this chain has"):
        chain.resume(link(model, ["a"], GREEDY, "c")("xy"))
    with pytest.raises(oc.errors.SampleMismatch):
        (link(model, ["a", "b"], draw(samples=2), "a") >> link(model, ["a"], draw(samples=3), "b"))("x")


def test_a_chain_computes_each_position_once() -> None:
    """Law 8: what a chain sends through the model are the distinct prefixes that its needs name."""
    model = oc.Model(toy_model(1).hf, toy_model(1).tokenizer)
    chain = (
        oc.continuous(oc.generate.regex(model, "[abc]{1,3}", beams(5)), name="a")
        >> "-xyxy"
        >> link(model, ["1", "12", "ab"], beams(5), "b")
        >> "z"
        >> link(model, ["a", "abc"], beams(5), "c", by="sequence")
    )
    start = model.state("xyab").kv.drop()
    needed: set[tuple[int, ...]] = set()
    frontier = chain.begin(start)
    while not frontier.done:
        for need in frontier.pending:
            row = need.head + need.ids
            needed |= {row[: end + 1] for end in range(need.wanted[-1] + 1)}
        with model.fresh():
            frontier = frontier.step(model.logits(frontier.pending))
    del frontier, need
    assert model.stats.kv_bytes == 0
    model.stats.reset()
    chain(start)
    assert model.stats.tokens == len(needed) and model.stats.reread == 0
