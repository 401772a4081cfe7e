"""`oc.search`: searches are those of plain Python over rows that are drawn one by one, and their trees are values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import exp, log, nan, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_train import small_model

import outlines_cont as oc
from outlines_cont.search import SearchTree

PROMPTS = ["Mira", "The sky is", "x"]
seeds = st.integers(0, 2**40)


def step_of(options: tuple[str, ...], temperature: float = 30.0) -> Any:
    """A step that writes one of these. At this temperature the small model draws each of them now and then."""
    return oc.continuous(
        oc.generate.choice(small_model(), [*options], oc.samplers.multinomial(temperature=temperature))
    )


def worth(text: str, seed: int = 0) -> float:
    """Some number from 0 to 1 for a text."""
    return Random(f"{seed} {text}").random()


def valued(seed: int = 0, asked: list[int] | None = None) -> Callable[[oc.SequenceState], list[float]]:
    """That of each row. asked: gets the number of rows of each call."""

    def value(rows: oc.SequenceState) -> list[float]:
        assert rows.shape[1] == 1 and rows.finished != [["dead"]]
        if asked is not None:
            asked.append(len(rows))
        return [worth(text, seed) for text in rows]

    return value


def child_of(step: Any, state: oc.SequenceState, index: int, seed: int) -> oc.SequenceState:
    """The child of this index, drawn alone."""
    return step(state.fork(index + 2)[0, index, :], seed=seed)


def facts(tree: SearchTree) -> Any:
    """All of a tree but what is rounded."""
    return [
        [
            (str(n.state), n.parent, n.depth, n.value, n.visits, round(n.total, 9), n.drawn, n.over, n.children)
            for n in nodes
        ]
        for nodes in tree.nodes
    ], tree.ends


options = st.sets(st.sampled_from(["a", "b", "ab", "c", "ca"]), min_size=1).map(lambda each: tuple(sorted(each)))


# --- the searches, by plain Python


@given(st.data(), options, seeds)
def test_best_of_is_the_maximum_over_samples_that_are_drawn_one_by_one(
    data: st.DataObject, each: tuple[str, ...], seed: int
) -> None:
    step, prompts = step_of(each), data.draw(st.lists(st.sampled_from(PROMPTS), min_size=1, max_size=3, unique=True))
    counts = sorted(data.draw(st.sets(st.integers(1, 9), min_size=1, max_size=3)))
    tree: Any = prompts
    for n in counts:
        tree = oc.search.best_of(step, tree, valued(), n, seed=seed)
    start = small_model().state(prompts)
    for b in range(len(prompts)):
        drawn = [child_of(step, start[b, :, :], i, seed) for i in range(counts[-1])]
        ranked = sorted(dict.fromkeys(drawn), key=lambda row: -worth(str(row)))
        assert [tree.nodes[b][i].state for i in tree.ends[b]] == ranked
        assert str(tree.best()[b, :, :]) == max(map(str, drawn), key=worth)
        assert tree.nodes[b][0].drawn == counts[-1]


@given(st.data(), options, seeds, st.integers(1, 3), st.integers(1, 4), st.integers(1, 5))
def test_a_beam_is_that_of_plain_python(
    data: st.DataObject, each: tuple[str, ...], seed: int, width: int, depth: int, children: int
) -> None:
    step, ending = step_of(each), data.draw(st.sampled_from(["c", "ab", "-"]))
    tree = oc.search.step_beam(
        step, PROMPTS[:2], valued(seed), width, depth, children, seed=seed, done=lambda row: str(row).endswith(ending)
    )
    start = small_model().state(PROMPTS[:2])
    for b in range(2):
        beam = [(start[b, :, :], False)]
        for _ in range(depth):
            after = [pair for pair in beam if pair[1]]
            for state, over in beam:
                drawn = [] if over else [child_of(step, state, i, seed) for i in range(children)]
                after += [(child, str(child).endswith(ending)) for child in {row: None for row in drawn}]
            beam = sorted(after, key=lambda pair: -worth(str(pair[0]), seed))[:width]
        assert tree.best(width)[b, : len(beam), :].tolist() == [[str(state) for state, _ in beam]]


@given(st.sampled_from([("a", "c"), ("a", "b"), ("a", "b", "c")]), st.integers(1, 3), seeds)
@settings(max_examples=8)
def test_a_beam_that_is_wide_enough_finds_every_text_of_a_closed_language(
    each: tuple[str, ...], depth: int, seed: int
) -> None:
    """In which texts end in "c", or have `depth` parts."""
    tree = oc.search.step_beam(
        step_of(each, 1000.0), "x", valued(), 999, depth, 40, seed=seed, done=lambda row: str(row).endswith("c")
    )
    parts = (parts for n in range(1, depth + 1) for parts in product(each, repeat=n))
    whole = [p for p in parts if not any(q.endswith("c") for q in p[:-1]) and (p[-1][-1] == "c" or len(p) == depth)]
    texts = sorted(("x" + "".join(parts) for parts in whole), key=worth, reverse=True)
    assert [str(tree.nodes[0][i].state) for i in tree.ends[0]] == texts


class PlainNode:
    def __init__(self, state: oc.SequenceState, up: PlainNode | None, value: float, over: bool):
        self.state, self.up, self.value, self.over = state, up, value, over
        self.visits, self.total, self.drawn, self.below = 0, 0.0, 0, list[PlainNode]()
        self.depth: int = up.depth + 1 if up else 0


def plain_mcts(step: Any, root: oc.SequenceState, seed: int, options: dict[str, Any]) -> list[PlainNode]:
    """One tree. Its nodes, in their order."""
    nodes, leaves = [PlainNode(root, None, 0.0, False)], options["leaves"]

    def ends(node: PlainNode) -> bool:
        return node.over or node.depth == options["depth"]

    def score(node: PlainNode, passing: list[PlainNode]) -> float:
        assert node.up is not None
        n, above = node.visits + passing.count(node), node.up.visits + passing.count(node.up)
        if options["rule"] == "uct":
            return node.total / node.visits + options["exploration"] * sqrt(log(above) / n)
        weights = torch.tensor([each.state.weights.item() for each in node.up.below], dtype=torch.float64)
        share = weights.softmax(0)[node.up.below.index(node)].item()
        return node.total / node.visits + options["exploration"] * share * sqrt(above) / (1 + n)

    while nodes[0].visits < options["visits"]:
        passing, tips = list[PlainNode](), list[PlainNode]()
        while len(tips) < leaves:
            path = [nodes[0]]
            while not ends(path[-1]) and path[-1].drawn >= sqrt(max(1, path[-1].visits)) and path[-1].below:
                path.append(max(path[-1].below, key=lambda node: score(node, passing)))
            if path[-1] in tips:
                break
            tips.append(path[-1])
            passing += path
        counted = list[list[PlainNode]]()
        for tip in tips:
            if ends(tip) or tip.drawn >= sqrt(max(1, tip.visits)):
                counted.append([tip])
                continue
            new = list[PlainNode]()
            for i in range(tip.drawn, tip.drawn + options["children"]):
                child = child_of(step, tip.state, i, seed)
                if child not in [node.state for node in tip.below]:
                    new.append(PlainNode(child, tip, worth(str(child)), str(child).endswith("c")))
                    tip.below.append(new[-1])
            tip.drawn += options["children"]
            counted.append(new)
            nodes += new
        for node in (node for new in counted for node in new):
            at: PlainNode | None = node
            while at:
                at.visits, at.total, at = at.visits + 1, at.total + node.value, at.up
    return nodes


mcts_options = st.fixed_dictionaries(
    {
        "visits": st.integers(1, 40),
        "children": st.integers(1, 4),
        "depth": st.sampled_from([None, 1, 2, 3]),
        "rule": st.sampled_from(["uct", "puct"]),
        "exploration": st.sampled_from([0.0, 0.3, 1.4, 20.0]),
        "leaves": st.integers(1, 3),
    }
)


@given(options, seeds, mcts_options)
@settings(max_examples=25)
def test_visits_and_means_are_those_of_plain_python_on_the_same_draws(
    each: tuple[str, ...], seed: int, options: dict[str, Any]
) -> None:
    step, asked = step_of(each), list[int]()
    tree = oc.search.mcts(
        step, PROMPTS[:2], valued(asked=asked), **options, seed=seed, done=lambda row: str(row).endswith("c")
    )
    start = small_model().state(PROMPTS[:2])
    for b, nodes in enumerate(tree.nodes):
        plain = plain_mcts(step, start[b, :, :], seed, options)
        assert [str(node.state) for node in nodes] == [str(node.state) for node in plain]
        for node, other in zip(nodes, plain, strict=True):
            assert (node.visits, node.drawn, node.over, node.depth) == (
                *(other.visits, other.drawn, other.over, other.depth),
            )
            assert node.total == pytest.approx(other.total)
    assert sum(asked) == sum(len(nodes) - 1 for nodes in tree.nodes)  # no row is valued twice


@given(options, st.integers(1, 3), st.sampled_from(["uct", "puct"]), seeds)
@settings(max_examples=15)
def test_mcts_finds_the_best_text_of_a_closed_language(each: tuple[str, ...], depth: int, rule: Any, seed: int) -> None:
    step = step_of(each, 1000.0)
    tree = oc.search.mcts(step, "x", valued(seed), 3000, depth=depth, rule=rule, exploration=3.0, seed=seed)
    assert str(tree.best()) == max(
        ("x" + "".join(parts) for parts in product(each, repeat=depth)), key=lambda text: worth(text, seed)
    )
    [nodes] = tree.nodes
    for node in nodes:  # a visit is of the node itself, or of one below it
        assert node.visits >= sum(nodes[i].visits for i in node.children) and node.drawn >= len(node.children)


# --- trees are values


def searches(step: Any, seed: int | None) -> list[tuple[str, Callable[[Any, int], SearchTree]]]:
    """Each with its budget as the only argument beside the start."""
    value = valued()
    return [
        ("best_of", lambda start, n: oc.search.best_of(step, start, value, n, seed=seed)),
        ("step_beam", lambda start, n: oc.search.step_beam(step, start, value, 3, n, 3, seed=seed)),
        ("mcts", lambda start, n: oc.search.mcts(step, start, value, 6 * n, 2, depth=3, leaves=2, seed=seed)),
    ]


@given(st.data(), options, seeds, st.sampled_from([0, 1, 2]))
def test_a_search_that_was_saved_and_goes_on_is_the_one_without_an_interruption(
    data: st.DataObject, each: tuple[str, ...], seed: int, which: int
) -> None:
    budgets = sorted(data.draw(st.sets(st.integers(1, 6), min_size=2, max_size=3)))
    (_, search), (_, goes_on) = (searches(step_of(each), seed)[which] for seed in (seed, None))
    tree = search(PROMPTS[:2], budgets[0])
    before = facts(tree)
    with TemporaryDirectory() as folder:
        for budget in budgets[1:]:
            tree.save(f"{folder}/tree")
            again = oc.search.load_tree(f"{folder}/tree", small_model())
            assert facts(again) == facts(tree) and again == tree
            further = goes_on(again, budget)
            assert facts(goes_on(tree, budget)) == facts(further)
            tree = further
    whole = search(PROMPTS[:2], budgets[-1])
    assert facts(tree) == facts(whole) and tree == whole
    assert facts(search(PROMPTS[:2], budgets[0])) == before


@given(options, seeds, st.sampled_from([0, 1, 2]), st.integers(1, 5))
def test_the_tree_of_a_prompt_does_not_depend_on_those_beside_it(
    each: tuple[str, ...], seed: int, which: int, budget: int
) -> None:
    """Law 9."""
    [_, search] = searches(step_of(each), seed)[which]
    start = small_model().state(PROMPTS)
    together = facts(search(start, budget))
    for b in range(3):
        alone = facts(search(start[b, :, :], budget))
        assert (together[0][b], together[1][b]) == (alone[0][0], alone[1][0])


def test_children_of_many_nodes_are_one_pass_and_prefixes_are_read_once() -> None:
    model, asked = oc.Model(small_model().hf, small_model().tokenizer), list[int]()
    step = oc.continuous(oc.generate.regex(model, "[a-z]", oc.samplers.multinomial(temperature=30.0), forced="never"))
    start = model.state(["The sky is", "Mira is a painter"])
    model.stats.reset()
    tree = oc.search.step_beam(step, start, valued(asked=asked), width=4, depth=3, children=4, seed=0)
    assert len(asked) == model.stats.passes == 3  # each step is one token
    prefixes = {node.state.rows[0][0].ids[:n] for nodes in tree.nodes for node in nodes if node.children
                for n in range(1, len(node.state.rows[0][0]) + 1)}  # fmt: skip
    assert model.stats.tokens <= len(prefixes)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    tree = oc.search.best_of(step_of(("a", "b")), "x", valued(), 4, seed=0)
    tree.save(tmp_path / "tree")
    data, random = (tmp_path / "tree").read_bytes(), Random(0)
    for _ in range(200):
        at = random.randrange(len(data))
        (tmp_path / "tree").write_bytes(data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :])
        with pytest.raises(oc.errors.CorruptStateError, match="holds no tree"):
            oc.search.load_tree(tmp_path / "tree", small_model())
    for cut in (data[: len(data) // 2], b"", data[10:]):
        (tmp_path / "tree").write_bytes(cut)
        with pytest.raises(oc.errors.CorruptStateError, match="holds no tree"):
            oc.search.load_tree(tmp_path / "tree", small_model())
    with pytest.raises(FileNotFoundError):
        oc.search.load_tree(tmp_path / "none", small_model())


# --- rows that end, and rows that are dead


def texts_of(tokens: list[str], **options: Any) -> Any:
    """A step of free text of these tokens alone; "" is eos."""
    model = small_model()
    ids = [model.vocabulary.tokens.index(token.encode()) if token else -1 for token in tokens]

    def only(row: Any, logits: torch.Tensor) -> torch.Tensor:
        kept = torch.full_like(logits, -torch.inf)
        kept[..., ids] = logits[..., ids] / 30
        return kept

    return oc.continuous(
        oc.generate.text(
            model, oc.samplers.multinomial(filters=[only]), include_stop=options.pop("include_stop", True)
        ),
        **options,
    )


@pytest.mark.parametrize("include_stop", [True, False])
def test_rows_that_eos_ended_are_over_and_lines_go_on(include_stop: bool) -> None:
    step = texts_of(["a", "\n", ""], stop_at="\n", max_tokens=3, include_stop=include_stop)
    tree = oc.search.step_beam(step, "x", valued(), width=99, depth=3, children=30, seed=1)
    [nodes] = tree.nodes
    for node in nodes[1:]:
        [[row]] = node.state.completions()
        ended = row is not None and row.finished == "stop" and row.mask[-1]
        assert node.over == ended or str(node.state) == str(nodes[node.parent or 0].state)
        assert node.over or node.depth == 3 or node.drawn == 30
    siblings = [(str(nodes[i].state), nodes[i].over) for i in nodes[0].children]
    assert len({*siblings}) > len({text for text, _ in siblings}) or include_stop  # equal texts, one of which goes on
    assert any(node.over for node in nodes) and any(node.depth == 3 for node in nodes)


def test_a_constrained_value_that_was_cut_is_over() -> None:
    step = oc.continuous(oc.generate.regex(small_model(), "a(bc)*d", oc.samplers.multinomial(temperature=30.0)))
    cut = oc.continuous(step.generator, max_tokens=2)
    tree = oc.search.step_beam(cut, "x", valued(), width=9, depth=2, children=9, seed=0)
    for node in tree.nodes[0][1:]:
        assert node.over == (node.state.finished == [["length"]])


def test_dead_children_are_no_nodes_and_a_row_without_others_is_a_dead_end() -> None:
    model, draws = small_model(), oc.samplers.multinomial(temperature=30.0)
    nothing = oc.continuous(oc.generate.regex(model, "[xy]", draws, where=lambda text, done: False))
    letter = oc.continuous(oc.generate.regex(model, "[ab]", draws), name="letter")
    more = oc.continuous(oc.generate.regex(model, "[xy]", draws))
    step = letter >> (lambda row: more if str(row).endswith("a") else nothing)
    for rule in ("uct", "puct"):
        tree = oc.search.mcts(step, "x", valued(), 60, depth=2, rule=rule, seed=0)
        assert {str(node.state)[1] for node in tree.nodes[0][1:]} == {"a"}
    for tree in (
        oc.search.mcts(nothing, ["x", "y"], valued(), 60, seed=0),
        oc.search.step_beam(nothing, ["x", "y"], valued(), 2, 2, seed=0),
        oc.search.best_of(nothing, ["x", "y"], valued(), 3, seed=0),
    ):
        assert [*map(len, tree.nodes)] == [1, 1] and tree.best(2).finished == [["dead"] * 2] * 2


def test_a_step_that_forks_its_rows_is_named() -> None:
    def two(writing: Any) -> list[oc.steer.Branch]:
        return [oc.steer.Branch(forced=text) for text in (b"a", b"b")] if len(writing) < 4 else []

    step = oc.continuous(oc.generate.control(small_model(), two))
    for search in (oc.search.best_of, oc.search.mcts):
        with pytest.raises(oc.errors.SampleMismatch, match=r"\d+ samples were written; .* no controller may fork"):
            search(step, "x", valued(), 4, seed=0)


# --- bad input


def value(rows: oc.SequenceState) -> list[float]:
    return [1.0] * len(rows)


def bad_calls() -> list[Any]:
    step, search = step_of(("a", "b")), oc.search
    model = small_model()
    several = oc.continuous(oc.generate.choice(model, ["a"], oc.samplers.multinomial(samples=2)))
    ended = texts_of([""])("x", seed=0)
    cut = oc.continuous(oc.generate.regex(model, "a[bc]{9}d"))("x", max_tokens=2, seed=0)
    dead = model.state(["x", "y"]).pick([[True], [False]])
    unscored = oc.continuous(oc.generate.text(shipped_model()))("The sky is", max_tokens=1, seed=0).to(model)
    tree = search.best_of(step, "x", value, 1, seed=3)
    return [
        (lambda: search.best_of(step.generator, "x", value, 2), TypeError, "takes a step or a chain first"),
        (lambda: search.best_of(step, "x", 3, 2), TypeError, "value=3"),
        (lambda: search.best_of(step, "x", lambda: 1, 2), TypeError, "takes a function of a state"),
        (lambda: search.mcts(step, "x", value, 2, done=True), TypeError, "done=True"),
        (lambda: search.best_of(step, "x", value, 0), ValueError, "n=0: it must be an int ≥ 1"),
        (lambda: search.best_of(step, "x", value, 1.5), TypeError, "n=1.5"),
        (lambda: search.step_beam(step, "x", value, 0, 1), ValueError, "width=0"),
        (lambda: search.step_beam(step, "x", value, 1, 0), ValueError, "depth=0"),
        (lambda: search.step_beam(step, "x", value, 1, 1, 0), ValueError, "children=0"),
        (lambda: search.mcts(step, "x", value, 0), ValueError, "visits=0"),
        (lambda: search.mcts(step, "x", value, 1, leaves=0), ValueError, "leaves=0"),
        (lambda: search.mcts(step, "x", value, 1, depth=0), ValueError, "depth=0"),
        (lambda: search.mcts(step, "x", value, 1, rule="best"), ValueError, "rule='best'"),
        (lambda: search.mcts(step, "x", value, 1, exploration=nan), ValueError, "exploration=nan"),
        (lambda: search.mcts(step, "x", value, 1, exploration=-1), ValueError, "exploration=-1"),
        (lambda: search.best_of(step, "x", value, 2, seed="a"), TypeError, "seed='a'"),
        (lambda: search.best_of(several, "x", value, 2), oc.errors.SampleMismatch, "draw one sample"),
        (lambda: search.best_of(step, model.state("x").fork(2), value, 2), oc.errors.SampleMismatch, "one sample"),
        (
            lambda: search.best_of(step, model.state("x")[[], :, :], value, 2),
            oc.errors.SampleMismatch,
            "0, 1. rows",
        ),
        (lambda: search.best_of(step, [], value, 2), ValueError, "no prompts"),
        (lambda: search.best_of(step, ended, value, 2), ValueError, r"row \(0, 0\): it is dead, or over"),
        (lambda: search.best_of(step, cut, value, 2), ValueError, r"row \(0, 0\): it is dead, or over"),
        (lambda: search.best_of(step, dead, value, 2), ValueError, r"row \(1, 0\): it is dead, or over"),
        (lambda: search.best_of(step, shipped_model().state("x"), value, 2), ValueError, "was given to a generator of"),
        (lambda: search.mcts(step, tree, value, 2), ValueError, r"gone on with by its function, best_of\(\)"),
        (lambda: search.best_of(step, tree, value, 2, seed=4), ValueError, "its seed, 3"),
        (lambda: tree.best(0), ValueError, "k=0"),
        (
            lambda: search.mcts(step, unscored, value, 2, rule="puct"),
            ValueError,
            "NaN",
        ),
    ]


def test_bad_input_is_named_before_the_first_pass() -> None:
    calls, stats = bad_calls(), small_model().stats
    before = stats.tokens
    for call, kind, message in calls:
        with pytest.raises(kind, match=message):
            call()
    assert stats.tokens == before


@pytest.mark.parametrize(
    ("given_back", "message"),
    [
        (lambda rows: [nan] * len(rows), "the value of 'x[ab]' is nan, and no finite number"),
        (lambda rows: torch.full((len(rows),), torch.inf), "is inf, and no finite number"),
        (lambda rows: ["good"] * len(rows), "is 'good', and no finite number"),
        (lambda rows: [None] * len(rows), "is None, and no finite number"),
        (lambda rows: [-(10**400)] * len(rows), "is -1000.*, and no finite number"),
        (lambda rows: [1.0], "gives 1 numbers for 2 rows"),
        (lambda rows: 1.0, "gives 1 numbers for 2 rows"),
        (lambda rows: torch.zeros(len(rows), 2), "gives 4 numbers for 2 rows"),
    ],
)
def test_what_a_value_function_gives_is_checked(given_back: Any, message: str) -> None:
    step = step_of(("a", "b"))
    for search in (
        lambda: oc.search.best_of(step, "x", given_back, 20, seed=0),
        lambda: oc.search.step_beam(step, "x", given_back, 2, 2, 20, seed=0),
        lambda: oc.search.mcts(step, "x", given_back, 20, 20, seed=0),
    ):
        with pytest.raises(ValueError, match=message):
            search()


@pytest.mark.parametrize("shape", [lambda n: torch.zeros(n, 1), lambda n: torch.zeros(n).numpy(), lambda n: [[0]] * n])
def test_values_come_in_every_form(shape: Any) -> None:
    tree = oc.search.best_of(step_of(("a", "b")), ["x", "y"], lambda rows: shape(len(rows)), 20, seed=0)
    assert [len(nodes) for nodes in tree.nodes] == [3, 3] and exp(tree.nodes[0][1].value or 0) == 1
