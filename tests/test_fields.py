"""Fields of JSON: texts, tokens and sums against plain models, and posteriors against brute force."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from engines import Shaken
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import random_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.fsm.partial_json import NOTHING, partial
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.scores.fields import json_places

draw = oc.samplers.multinomial
scalars = (
    st.none() | st.booleans() | st.integers(-99, 999) | st.floats(-9, 9) | st.text('ab"\\/~\né🦙:,{}[]', max_size=4)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a/~é"', max_size=2), inner, max_size=3),
)


def paths(value: Any, path: str = "") -> dict[str, Any]:
    """Every value inside a value, outer ones first, by its JSON pointer."""
    inside = list(enumerate(value)) if isinstance(value, list) else []
    inside = list(value.items()) if isinstance(value, dict) else inside
    steps = ((str(key).replace("~", "~0").replace("/", "~1"), each) for key, each in inside)
    return {path: value} | {at: v for step, each in steps for at, v in paths(each, f"{path}/{step}").items()}


@settings(max_examples=300, deadline=None)
@given(values, st.sampled_from([None, 1]), st.booleans(), st.booleans(), st.data())
def test_each_value_has_its_place(value: Any, indent: int | None, ascii_only: bool, spaces: bool, data: Any) -> None:
    """Of whole texts and of every beginning: a value is there as soon as `partial` knows it."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    whole = (f" {text}\n" if spaces else text).encode()
    places = json_places(whole)
    assert list(places) == list(paths(value)) and all(place.whole for place in places.values())
    read = {path: json.loads(whole[place.begin : place.end]) for path, place in places.items()}
    assert repr(read) == repr(paths(value))
    assert all(whole[p.begin : p.end].strip() == whole[p.begin : p.end] for p in places.values())
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    begun, expected = json_places(cut, ended=False), partial(cut)
    if expected is NOTHING:
        assert begun == {}
        return
    assert list(begun) == list(paths(expected))
    for path, place in begun.items():
        assert place.end == min(place.end, len(cut)) and places[path].begin == place.begin
        assert repr(partial(cut[place.begin : place.end])) == repr(paths(expected)[path])
        ends = places[path].end + isinstance(paths(value)[path], (int, float)) - (paths(value)[path] in (True, False))
        if not isinstance(paths(value)[path], (bool, int, float)):
            assert place.whole == (places[path].end <= len(cut)), (cut, path)
        elif place.whole:
            assert ends <= len(cut) + 1 and (place.begin, place.end) == places[path][:2]


def test_of_equal_names_the_last_counts_and_what_is_no_json_is_refused() -> None:
    assert list(json_places(b'{"a":{"b":1},"ab":2,"a":[3]}')) == ["", "/ab", "/a", "/a/0"]
    assert list(json_places(b"[" * 400)) == ["/0" * n for n in range(400)]
    for text in (b"Paris", b"[1}", b'{"a" 1}', b"1 2"):
        with pytest.raises(ValueError, match="not JSON at byte"):
            json_places(text)


# --- fields of states

leaves = st.sampled_from(
    [
        {"enum": ["red", "rose", "blue"]},
        {"type": "boolean"},
        {"type": "integer", "minimum": 0, "maximum": 120},
        {"type": "string", "maxLength": 6},
        {"type": ["null", "number"]},
        {"type": "string", "format": "date"},
        {"type": "array", "items": {"enum": [1, 12, "1"]}, "maxItems": 3},
        {"const": "a,b"},
    ]
)
objects = st.lists(leaves, min_size=1, max_size=4).map(
    lambda each: {
        "properties": {f"f{i}": s for i, s in enumerate(each)},
        "required": [f"f{i}" for i in range(len(each))],
    }
)
schemas = st.one_of(leaves, objects, st.lists(objects, min_size=1, max_size=1).map(lambda each: {
    "properties": {"in": each[0], "n": {"type": "boolean"}}, "required": ["in", "n"]}))  # fmt: skip


def expected_fields(state: oc.SequenceState, b: int, s: int) -> dict[str, dict[str, Any]]:
    """The fields of the last span of a row, byte by byte: each byte knows its token."""
    row, vocabulary = state.rows[b][s], state.model.vocabulary
    *_, (start, end, piece) = row.placed
    letters = [
        (at, letter)
        for at in range(start, end)
        if at - start not in piece.unfed
        for letter in vocabulary.tokens[row.ids[at]]
    ]
    healed, letters = letters[: len(piece.origin.healed)], letters[len(piece.origin.healed) :]
    text = bytes(letter for _, letter in letters)
    answer = {}
    for path, place in json_places(text, piece.finished == "stop").items():
        tokens = sorted({at for at, _ in letters[place.begin : place.end]})
        outside = {at for at, _ in healed + letters[: place.begin] + letters[place.end :]}
        answer[path] = {
            "bytes": text[place.begin : place.end],
            "whole": place.whole,
            "positions": tuple(tokens),
            "straddling": tuple(at for at in tokens if at in outside),
            "given": tuple(at for at in tokens if row.logprobs[at] is None),
            "logprob": pytest.approx(sum(row.logprobs[at] or 0 for at in tokens), abs=1e-9),
            "proposal_logprob": pytest.approx(sum(row.proposals[at] or 0 for at in tokens), abs=1e-9),
        }
    return answer


def check(state: oc.SequenceState) -> list[dict[str, Any]]:
    """The fields of every row are what they should be, and their sums with those of the punctuation are the span's."""
    fields, checked = state.captures.fields(), []
    for b, samples in enumerate(fields):
        for s, spans in enumerate(samples):
            row = state.rows[b][s]
            if not spans:
                continue
            [span] = spans
            for path, expected in expected_fields(state, b, s).items():
                assert {name: getattr(span[path], name) for name in expected} == expected, path
            assert list(span) == list(expected_fields(state, b, s))
            *_, (start, end, _) = row.placed
            leaves = [field for field in span.values() if field.leaf]
            written = {at for field in leaves for at in field.positions}
            counted_twice = sum(sum(at in field.positions for field in leaves) - 1 for at in written)
            assert counted_twice >= 0
            punctuation = sum(row.logprobs[at] or 0 for at in range(start, end) if at not in written)
            shared = sum((sum(at in f.positions for f in leaves) - 1) * (row.logprobs[at] or 0) for at in written)
            whole = math.fsum(field.logprob for field in leaves) - shared + punctuation
            assert whole == pytest.approx(sum(value or 0 for value in row.logprobs[start:end]), abs=1e-9)
            checked.append(span)
    return checked


@settings(max_examples=40, deadline=None)
@given(schemas, st.integers(0, 99), st.sampled_from(["Mira is 34.\nJSON: ", "JSON:", "12 {"]), st.data())
def test_fields_are_those_of_the_text_wherever_a_state_comes_from(
    schema: Any, seed: int, prompt: str, data: Any
) -> None:
    """Whole and cut, sliced, joined, resumed, loaded, and beside other samples; healed prompts included."""
    model = shipped_model()
    step = oc.continuous(oc.generate.json(model, schema, draw(samples=2)), name="record")
    state = step(prompt, max_tokens=40, seed=seed)
    spans = check(state)
    for s, span in enumerate(spans):
        if state.finished[0][s] == "stop":
            assert repr({path: field.value for path, field in span.items()}) == repr(
                paths(state.captures["record"][0][s][0])
            )
            assert all(field.whole and not field.given for field in span.values())
    assert state.captures.fields("record")[0] == state.captures.fields()[0]
    reloaded = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    assert reloaded.captures.fields("record")[0] == state.captures.fields("record")[0]
    one = state[0, data.draw(st.integers(0, 1)), :]
    [[span]] = one.spans
    cut = one[..., : data.draw(st.integers(span[-1].start + 1, span[-1].end))]
    check(cut)
    check(cut[..., :2] + cut[..., 2:])
    check(step.resume(cut, max_tokens=40, seed=seed))
    longer = one + " and more"
    [[[kept]]] = longer.captures.fields("record")
    assert {path: field.positions for path, field in kept.items()} == {
        path: field.positions for path, field in one.captures.fields().one.items()
    }


def test_tokens_beside_the_constraint_write_nothing() -> None:
    """Inserted tokens stand between those of a field, and belong to none."""
    model = shipped_model()
    mark = model.vocabulary.tokens.index(b" is")

    def insert(drawn: oc.steer.Draw) -> Any:
        return oc.steer.Insert(mark) if drawn.row.text.endswith(("3", "{")) and drawn.row.ids[-1] != mark else None

    step = oc.continuous(
        oc.generate.json(model, {"properties": {"n": {"enum": [3456]}}, "required": ["n"]}, draw(), forced="never"),
        name="record",
    )
    state = step("JSON: ", max_tokens=60, seed=1, hooks=[insert])
    [[[span]]] = state.captures.fields("record")
    assert state.spans[0][0][-1].unfed and span["/n"].value == 3456
    assert not {*state.spans[0][0][-1].unfed} & {at for field in span.values() for at in field.positions}
    check(state)


def test_given_tokens_count_nothing_and_are_told() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.json(model, {"type": "integer"}, oc.samplers.greedy()), name="age")
    state = step("Mira is")
    cut = state[..., : state.captures.fields("age").one[""].positions[0] + 1] + "77"
    field = step.resume(cut, max_tokens=1).captures.fields("age").one[""]
    assert len(field.given) >= 1 and {*field.given} < {*field.positions}
    check(step.resume(cut, max_tokens=1))


def test_names_are_those_of_captures_and_errors_say_what_is_there() -> None:
    model = shipped_model()
    age = oc.continuous(oc.generate.json(model, {"type": "integer", "maximum": 99}, oc.samplers.greedy()), name="age")
    city = oc.continuous(oc.generate.choice(model, ["Rome", "Oslo"], oc.samplers.greedy()), name="city")
    twice = age("Mira is ") + " and Tom is "
    twice = age(twice)
    fields = twice.captures.fields("age")
    assert [[len(spans) for spans in samples] for samples in fields] == [[2]]
    assert [span[""].value for span in fields[0][0]] == twice.captures["age"][0][0]
    assert twice.captures.fields().one == fields[0][0][-1]
    with pytest.raises(ValueError, match=r"are those of 2 spans, not of one"):
        _ = fields.one
    with pytest.raises(TypeError, match=r"write fields.one\['/a'\], or fields\[b\]\[s\]\[n\]"):
        _ = fields["/a"]
    with pytest.raises(KeyError, match=r"no span is named 'ages' .did you mean 'age'.*the names here are 'age'"):
        twice.captures.fields("ages")
    with pytest.raises(
        ValueError, match=r"captures.fields\('city'\): a span of row \(0, 0\) is no JSON: not JSON at byte 0"
    ):
        city("Mira lives in ").captures.fields("city")
    with pytest.raises(AttributeError, match=r"write state\.captures\.fields\(name\)"):
        _ = twice.fields  # type: ignore[attr-defined]
    assert list(model.state("x").captures.fields()) == [[[]]]
    for wrong in ({"width": 2}, {"width": -1}, {"positions": 0}):
        with pytest.raises(ValueError, match=r"it (is a share|must be an int)"):
            fields.posteriors(**wrong)
    badly_typed: list[dict[str, Any]] = [{"width": "a"}, {"positions": 1.5}, {"width": math.nan}]
    for wrong in badly_typed:
        with pytest.raises(TypeError):
            fields.posteriors(**wrong)


# --- posteriors


def brute_force(model: oc.Model, row: Any, field: Any) -> dict[str, float]:
    """The values that may stand in a field, each with the probability of all its spellings, by a fresh forward for each
    prefix of them."""
    *_, (start, end, piece) = row.placed
    first, tokens = field.positions[0], model.vocabulary.tokens
    guide, begin = list(piece.contexts(row.ids[start:end]))[first - start]
    size = len(piece.origin.healed) + field.begin - len(b"".join(tokens[token] for token in row.ids[start:first]))
    before = tokens[row.ids[first]][: max(size, 0)].decode("latin-1")
    ended = re.compile(re.escape(before) + r'("[^"]*"|true|false|null|[0-9]+(?=[^0-9])|[\[{])')
    masses: dict[str, float] = defaultdict(float)

    def walk(ids: tuple[int, ...], at: Any, mass: float, text: str) -> None:
        if match := ended.match(text):
            masses[match[1]] += mass
            return
        allowed = unpack(guide.mask(at), len(model.vocabulary))
        allowed[list(model.vocabulary.eos)] = False
        with torch.no_grad():
            law = torch.softmax(model.hf(torch.tensor([ids])).logits[0, -1].double(), -1).numpy()
        for token in np.flatnonzero(allowed).tolist():
            longer = text + tokens[token].decode("latin-1")
            begins = longer.startswith(before) and not longer[len(before) : len(before) + 1].isspace()
            if begins or before.startswith(longer):
                walk((*ids, token), guide.advance(at, token), mass * float(law[token]), longer)

    walk(row.ids[:first], begin, 1.0, "")
    total = sum(masses.values())
    return {text: mass / total for text, mass in masses.items()}


def check_posterior(model: oc.Model, row: Any, field: Any) -> None:
    truth, posterior = brute_force(model, row, field), field.posterior
    shares = list(posterior.alternatives.values())
    assert shares == sorted(shares, key=lambda each: -each[0])
    for text, share in truth.items():
        low, high = posterior.alternatives.get(text, (0.0, posterior.open))
        assert low - 1e-4 * share <= share <= high + 1e-4 * share, (text, low, share, high)
    assert {*posterior.alternatives} <= {*truth}
    assert math.fsum(low for low, _ in shares) + posterior.open == pytest.approx(1, abs=1e-9)
    assert field.probability == posterior.alternatives.get(field.text, (0.0, posterior.open))


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["red", "rose", "blue", "re"]},
        {"type": "boolean"},
        {"type": "integer", "minimum": 0, "maximum": 13},
        {"enum": [1, 12, 123, None]},
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_posteriors_hold_what_brute_force_gives(schema: Any, seed: int) -> None:
    """All spellings of all values, the byte that ends a number included."""
    model = shipped_model()
    whole = {
        "properties": {"a": {"type": "boolean"}, "b": schema, "c": {"type": "boolean"}},
        "required": ["a", "b", "c"],
    }
    step = oc.continuous(oc.generate.json(model, whole, draw()), name="record")
    state = step("Mira is 12.\nJSON with a, b, c: ", seed=seed)
    fields = state.captures.fields("record")
    for positions in (1, 3, 10_000):
        field: Any = fields.posteriors(width=0.0, positions=positions).one["/b"]
        assert field.posterior.positions <= positions
        check_posterior(model, state.rows[0][0], field)
    assert field.posterior.open == 0 and {*field.posterior.alternatives} == {
        *brute_force(model, state.rows[0][0], field)
    }


@cache
def crossing_model(seed: int) -> oc.Model:
    """A random model whose tokens cross the borders of fields in every way: `","`, `1,2`, `:"a`, `],`."""
    letters = [*'{}[]",:12abtruefalsn']
    pairs = [
        '" ,',
        '", "',
        ': "',
        ':" a',
        "1 ,",
        "1, 2",
        "1,2 ]",
        ": [",
        ":[ 1",
        "] ,",
        "2 ,",
        '" :',
        '": t',
        '" }',
        'a "',
    ]
    vocabulary = {
        each: i for i, each in enumerate(dict.fromkeys(["<eos>", *letters, *(p.replace(" ", "") for p in pairs)]))
    }
    backend = Tokenizer(
        models.BPE(vocab=vocabulary, merges=[(a, b) for a, _, b in (pair.partition(" ") for pair in pairs)])
    )
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    return random_model(PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<eos>"), seed, positions=128)


ones = st.sampled_from(
    [{"enum": ["a", "b", "ab", ""]}, {"type": "boolean"}, {"enum": [1, 2, 12, 21]}, {"enum": ["a", 1, True]}]
)
crossing = st.one_of(ones, ones.map(lambda each: {"type": "array", "items": each, "minItems": 1, "maxItems": 3}))


@settings(max_examples=60, deadline=None)
@given(st.lists(crossing, min_size=1, max_size=3), st.integers(0, 3), st.integers(0, 99), st.integers(1, 12))
def test_tokens_cross_the_borders_of_fields_in_every_way(
    each: list[Any], model_seed: int, seed: int, positions: int
) -> None:
    model, names = crossing_model(model_seed), "abt"[: len(each)]
    schema = {"properties": dict(zip(names, each, strict=True)), "required": [*names]}
    step = oc.continuous(oc.generate.json(model, schema, draw(), forced="never"), name="record")
    state = step("ab", seed=seed, max_tokens=60)
    check(state)
    fields = state.captures.fields("record").posteriors(width=0.0, positions=positions)
    closed: list[Any] = [field for field in fields.one.values() if field.posterior]
    assert [field.path for field in closed] == [f.path for f in fields.one.values() if f.leaf and f.whole]
    for field in closed:
        check_posterior(model, state.rows[0][0], field)


def test_only_closed_fields_that_are_whole_have_posteriors() -> None:
    model = shipped_model()
    schema = {
        "properties": {
            "free": {"type": "string", "maxLength": 8},
            "day": {"type": "string", "format": "date"},
            "any": {"type": "integer"},
            "few": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2},
            "or": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"const": 1}, "minItems": 1, "maxItems": 1}]},
            "one": {"const": "x"},
        },
        "required": ["free", "day", "any", "few", "or", "one"],
    }
    step = oc.continuous(oc.generate.json(model, schema, draw()), name="record")
    state = step("JSON with free, day, any, few, or, one: ", seed=3)
    one: Any = state.captures.fields("record").posteriors(positions=20).one
    assert {path for path, field in one.items() if field.posterior} == {
        path
        for path, field in one.items()
        if path in ("/day", "/one") or (path.startswith(("/few/", "/or")) and field.leaf)
    }
    assert (
        one["/one"].posterior.alternatives == {'"x"': pytest.approx((1, 1))} and one["/day"].posterior.positions <= 20
    )
    if one["/or"].leaf:
        assert {*one["/or"].posterior.alternatives} == {"null", "["}
    cut = state[..., : max(one["/day"].positions)]
    assert cut.captures.fields().posteriors(positions=5).one["/day"].posterior is None
    loaded: Any = (
        oc.storage.from_bytes(oc.storage.to_bytes(state), model).captures.fields("record").posteriors(positions=20)
    )
    assert loaded.one["/one"].posterior == one["/one"].posterior._replace(drift=loaded.one["/one"].posterior.drift)


@pytest.mark.parametrize(("error", "moves"), [(0.0, False), (0.5, True)])
def test_posteriors_say_by_how_much_logits_moved(error: float, moves: bool) -> None:
    model = oc.Model(Shaken(shipped_model(), error, 0))  # type: ignore[arg-type]
    job = {"properties": {"job": {"enum": ["painter", "baker"]}}, "required": ["job"]}
    step = oc.continuous(oc.generate.json(model, job, oc.samplers.greedy()), name="record")
    fields = step("Mira is a painter.\nJSON with job: ", max_tokens=40).captures.fields("record")
    assert fields.posteriors().one["/job"].posterior.drift > 0  # type: ignore[union-attr]
    assert (fields.posteriors().one["/job"].posterior.drift > 0.01) == moves  # type: ignore[union-attr]


def test_a_number_alone_ends_where_the_text_may_end() -> None:
    model = shipped_model()
    step = oc.continuous(oc.generate.json(model, {"enum": [1, 12, 34]}, oc.samplers.greedy()), name="n")
    state = step("Mira is 34 years old.\nQ: How old is Mira?\nA: ")
    field: Any = state.captures.fields("n").posteriors(width=0).one[""]
    assert {*field.posterior.alternatives} == {"1", "12", "34"} and field.posterior.open == 0
    generator = oc.generate.json(model, {"enum": [1, 12, 34]}, draw(samples=400), forced="never")
    [sampled] = generator.run("Mira is 34 years old.\nQ: How old is Mira?\nA: ", seed=0).particles.posterior()
    for text, share in sampled.items():
        assert share == pytest.approx(field.posterior.alternatives[text][0], abs=0.05)


def test_tables_and_pictures_have_every_field(tmp_path: Any) -> None:
    pytest.importorskip("pandas")
    model = shipped_model()
    schema = {
        "properties": {"a": {"enum": ["<b>", '"q"']}, "b": {"type": "array", "items": {"type": "boolean"}}},
        "required": ["a", "b"],
    }
    step = oc.continuous(oc.generate.json(model, schema, draw(samples=2)), name="record")
    fields = step(["JSON: ", "Tom is a baker. JSON: "], seed=1, max_tokens=60).captures.fields("record")
    for each in (fields, fields.posteriors(positions=5)):
        frame = each.to_pandas()
        listed = [field for samples in each for spans in samples for span in spans for field in span.values()]
        assert frame["text"].tolist() == [field.text for field in listed]
        assert frame[["batch", "sample"]].drop_duplicates().values.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
        assert frame["lower"].notna().tolist() == [field.posterior is not None for field in listed]
        picture = each.html(rows=3)
        assert picture.count('class="d" style') - 3 == sum(
            f.leaf for s in list(each)[:1] for p in s for v in p for f in v.values()
        ) + sum(f.leaf for f in each[1][0][0].values())
        assert "… and 1 more: fields.html(rows=4)" in picture and "&lt;b&gt;" in picture and "doubt" in picture
        picture.save(tmp_path / "fields.svg")
        assert (tmp_path / "fields.svg").read_text().count("drawn") > 4
    assert re.search(r"[2-9] tokens\b", picture) and not re.search(r"[2-9] token\b", picture)
    assert "all others: at most" in picture and "Fields(2 × 2 rows, 4 spans" in repr(fields)
    with pytest.raises(ValueError, match="rows=0"):
        fields.html(rows=0)


def test_spaces_before_a_value_are_given() -> None:
    """However many the constraint would allow: a field is closed all the same, and its value begins where it begins."""
    model = shipped_model()
    schema = {"properties": {"a": {"type": "boolean"}, "n": {"enum": [1, 12]}}, "required": ["a", "n"]}
    step = oc.continuous(oc.generate.json(model, schema, draw(), whitespace=" *"), name="record")
    for seed in range(2):
        state = step("JSON: ", max_tokens=40, seed=seed)
        fields: Any = state.captures.fields("record").posteriors(width=0.0)
        for field in fields.one.values():
            if field.leaf and field.whole:
                check_posterior(model, state.rows[0][0], field)
                assert field.posterior.open == 0 and len(field.posterior.alternatives) == 2
