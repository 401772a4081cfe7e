"""`oc.search`: searches over steps of text, whose trees are values. docs/tree_search.md shows how to use it.

>>> digit = oc.continuous(oc.generate.regex(model, "[0-9]"))
>>> tree = oc.search.best_of(digit, "Mira is 3", lambda rows: [int(text[-1]) for text in rows], n=8, seed=0)
>>> tree, str(tree.best())
(SearchTree(best_of, [8] nodes), 'Mira is 39')
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from math import exp, log, sqrt
from numbers import Real
from pathlib import Path
from typing import Any, Literal, NamedTuple

from outlines_cont.arguments import flag, is_number, plain, positive, shown, takes_one, word
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import CorruptStateError, SampleMismatch
from outlines_cont.files import in_place_of
from outlines_cont.generate.starts import started
from outlines_cont.generate.steps import Composition
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.row import DEAD
from outlines_cont.state.state import SequenceState, cat
from outlines_cont.storage import from_bytes, to_bytes

__all__ = ["SearchNode", "SearchTree", "best_of", "load_tree", "mcts", "step_beam"]

Value = Callable[[SequenceState], Any]
Done = Callable[[SequenceState], bool] | None
FORMAT = b"outlines_cont search 1\n"
MOST = sys.float_info.max


class SearchNode(NamedTuple):
    """A row of a search, and what the search knows of it.

    Attributes:
        state: the row, a state of one row.
        parent: the place in `tree.nodes[b]` of the node that it was drawn after; None: it is the prompt.
        depth: how many steps it has.
        value: what the value function says of it; None of the prompt.
        visits, total: how many values of it and of nodes below it `mcts` has counted, and their sum.
        drawn: how many children were drawn after it, equal ones too.
        over: whether nothing can be drawn after it.
        children: their places.
    """

    state: SequenceState
    parent: int | None
    depth: int
    value: float | None
    visits: int = 0
    total: float = 0.0
    drawn: int = 0
    over: bool = False
    children: tuple[int, ...] = ()


@dataclass(frozen=True, repr=False)
class SearchTree:
    """The tree of a search, one for each prompt. Given in the place of the prompts, it is gone on with.

    Attributes:
        kind: the name of the function that made it.
        seed: which it goes on with.
        nodes: for each prompt its `SearchNode`s in the order in which they were drawn, the prompt first.
        ends: for each prompt the places of the rows that the search has come to, best first.

    >>> digit, value = oc.continuous(oc.generate.regex(model, "[0-9]")), lambda rows: rows.weights
    >>> tree = oc.search.step_beam(digit, "", value, width=2, depth=1, seed=1)
    >>> further = oc.search.step_beam(digit, tree, value, width=2, depth=2)
    >>> further.ends == oc.search.step_beam(digit, "", value, width=2, depth=2, seed=1).ends
    True
    """

    kind: str
    seed: int
    nodes: tuple[tuple[SearchNode, ...], ...]
    ends: tuple[tuple[int, ...], ...]

    def best(self, k: int = 1) -> SequenceState:
        """The k best rows for each prompt that the search has come to, best first; dead rows fill missing places.

        >>> step = oc.continuous(oc.generate.choice(model, ["a", "b"]))
        >>> oc.search.best_of(step, "x", lambda rows: [text == "xb" for text in rows], n=9, seed=0).best(2).tolist()
        [['xb', 'xa']]
        """
        k, grids = positive(k, "k"), zip(self.nodes, self.ends, strict=True)
        rows = [[nodes[i].state.rows[0][0] for i in ends[:k]] for nodes, ends in grids]
        return SequenceState(self.nodes[0][0].state.model, [[*row, *[DEAD] * (k - len(row))] for row in rows], k)

    def save(self, path: str | Path) -> None:
        """Write the tree to a file, whole or not at all, without keys and values; `load_tree` shows it."""
        states = [to_bytes(cat([node.state for node in nodes], 0)) for nodes in self.nodes]
        numbers = [[node[1:-1] for node in nodes] for nodes in self.nodes]
        header = json.dumps([self.kind, self.seed, self.ends, numbers, [*map(len, states)]])
        content = b"\n".join([header.encode(), b"".join(states)])
        with in_place_of(Path(path)) as file:
            file.write(FORMAT + blake2b(content, digest_size=16).digest() + content)

    def __repr__(self) -> str:
        return f"SearchTree({self.kind}, {[*map(len, self.nodes)]} nodes)"


def load_tree(path: str | Path, model: LanguageModel) -> SearchTree:
    """Read a tree that `tree.save` has written. CorruptStateError for a file that holds none, or a damaged one;
    ValueError for a model with another vocabulary.

    >>> from tempfile import TemporaryDirectory
    >>> step = oc.continuous(oc.generate.choice(model, ["a", "b"]))
    >>> tree = oc.search.best_of(step, "x", lambda rows: rows.weights, n=9, seed=0)
    >>> with TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/tree")
    ...     oc.search.load_tree(f"{folder}/tree", model) == tree
    True
    """
    data, trees = Path(path).read_bytes(), list[tuple[SearchNode, ...]]()
    content = data[len(FORMAT) + 16 :]
    if data != FORMAT + blake2b(content, digest_size=16).digest() + content:
        raise CorruptStateError(f"{path} holds no tree of a search, as this version writes them, that is whole")
    header, _, states = content.partition(b"\n")
    kind, seed, ends, numbers, sizes = json.loads(header)
    for lines, size, end in zip(numbers, sizes, accumulate(sizes), strict=True):
        grid, nodes = from_bytes(states[end - size : end], model), list[SearchNode]()
        for i, (parent, *line) in enumerate(lines):
            if parent not in (range(i) if i else (None,)):
                raise CorruptStateError(f"{path}: node {i} of a tree was drawn after node {parent}")
            nodes.append(SearchNode(grid[i, 0, :], parent, *line))
            if parent is not None:
                nodes[parent] = nodes[parent]._replace(children=(*nodes[parent].children, i))
        trees.append(tuple(nodes))
    return SearchTree(kind, seed, tuple(trees), tuple(map(tuple, ends)))


class _Search:
    """A search at work: its nodes so far, and how they get children."""

    def __init__(self, kind: str, step: Any, start: Any, value: Any, done: Any, seed: Any):
        self.kind, self.step, self.value, self.done = kind, step, value, done
        if not isinstance(step, Composition):
            raise TypeError(f"{kind}() takes a step or a chain first, oc.continuous(generator), not {shown(step)}")
        for name, function in (("value", value), *[("done", done)] * (done is not None)):
            if not callable(function) or not takes_one(function):
                raise TypeError(f"{kind}({name}={shown(function)}): it takes a function of a state")
        if several := [each for each in step.steps if each.generator.sampler.samples != 1]:
            right = "its samplers draw one sample, oc.samplers.multinomial(), and the search says how many children"
            raise SampleMismatch(f"{kind}() of {several[0]!r}: {right} are drawn")
        self._begin(start, seed)

    def _begin(self, start: Any, seed: Any) -> None:
        kind = self.kind
        if isinstance(start, SearchTree):
            if start.kind != kind or seed not in (None, start.seed):
                right = f"a tree is gone on with by its function, {start.kind}(), and its seed, {start.seed}, or None"
                raise ValueError(f"{kind}(seed={seed}): {right}")
            self.seed, self.trees, self.ends = start.seed, [[*nodes] for nodes in start.nodes], start.ends
        else:
            self.seed, state = seeded(seed), started(self.step.model, start)
            if not state.shape[0] or state.shape[1] != 1:
                raise SampleMismatch(f"{kind}() begins with one sample of each prompt, not with {state.shape[:2]} rows")
            self.trees = [[SearchNode(state[b, :, :], None, 0, None)] for b in range(state.shape[0])]
            for b, [root] in enumerate(self.trees):
                if root.state.finished == [["dead"]] or self._is_over(root.state):
                    why = state.errors[b][0] or "it is dead, or over: nothing can be drawn after it"
                    raise ValueError(f"{kind}(): row ({b}, 0): {why}")
            self.ends = ((0,),) * len(self.trees)

    def _is_over(self, state: SequenceState) -> bool:
        """Whether a row was ended by eos, is a constrained value that was cut, or fills the context."""
        eos, room, [[finished]] = state.model.vocabulary.eos, state.model.context_length, state.finished
        if finished == "stop" and eos and all(row.mask[-1] for [row] in state.completions(stop=eos[0]) if row):
            return True
        cut = finished in ("length", "interrupted") and state.spans[0][0][-1].generator != "text"
        return cut or (room is not None and state.shape[2] >= room)

    def _facts(self, state: SequenceState) -> Any:
        """What children of a node differ in: tokens, whether they are over, and spans."""
        spans = ((span.kind, span.name, span.start, span.end, span.finished) for span in state.spans[0][0])
        return state, self._is_over(state), *spans

    def grow(self, wanted: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], list[int]]:
        """Draw so many more children of nodes, named by their tree and place, in one pass: the new nodes of each.

        The n-th child of a node has the random key of the n-th copy of its row, in whichever pass it is drawn. Dead
        ones are no nodes, nor are those that an earlier one equals.
        """
        copies, owners, new = list[SequenceState](), list[tuple[int, int]](), {place: list[int]() for place in wanted}
        for (b, i), count in wanted.items():
            node = self.trees[b][i]
            forks = node.state.fork(max(2, node.drawn + count))  # one copy alone would keep the key of the row
            copies += [forks[0, copy, :] for copy in range(node.drawn, node.drawn + count)]
            owners += [(b, i)] * count
            self.trees[b][i] = node._replace(drawn=node.drawn + count)
        drawn = self.step(cat(copies, 0), seed=self.seed)
        if drawn.shape[1] != 1:
            right = "it writes one for each row, and no controller may fork them"
            raise SampleMismatch(f"{self.kind}() of {self.step!r}: {drawn.shape[1]} samples were written; {right}")
        before = ((b, i, self.trees[b][child].state) for b, i in wanted for child in self.trees[b][i].children)
        seen = {(b, i, self._facts(state)) for b, i, state in before}
        fresh = list[tuple[int, int, SequenceState]]()
        for place, (b, i) in enumerate(owners):
            child = drawn[place, :, :]
            if child.finished != [["dead"]] and (facts := (b, i, self._facts(child))) not in seen:
                seen.add(facts)
                fresh.append((b, i, child))
        for (b, i, child), value in zip(fresh, self._values([child for _, _, child in fresh]), strict=True):
            nodes, parent, at = self.trees[b], self.trees[b][i], len(self.trees[b])
            over = child == parent.state or self._is_over(child)
            if self.done is not None:
                over |= flag(self.done(child), f"what {self.kind}(done=…) says of {str(child)!r}")
            nodes[i] = parent._replace(children=(*parent.children, at))
            nodes.append(SearchNode(child, i, parent.depth + 1, value, over=over))
            new[b, i].append(at)
        return new

    def count(self, b: int, places: Sequence[int]) -> None:
        """Count the values of nodes as visits of them and of all above."""
        for place, up in ((place, place) for place in places):
            while up is not None:
                node = self.trees[b][up]
                total = node.total + (self.trees[b][place].value or 0.0)
                self.trees[b][up], up = node._replace(visits=node.visits + 1, total=total), node.parent

    def _values(self, rows: list[SequenceState]) -> list[float]:
        given = plain(self.value(cat(rows, 0))) if rows else []
        lines = given if isinstance(given, (list, tuple)) else [given]
        values = [value for line in lines for value in (line if isinstance(line, (list, tuple)) else [line])]
        if len(values) != len(rows):
            raise ValueError(f"{self.kind}(): the value function gives {len(values)} numbers for {len(rows)} rows")
        for row, value in zip(rows, values, strict=True):
            if not isinstance(value, Real) or value < -MOST or not value <= MOST:  # or NaN
                raise ValueError(f"{self.kind}(): the value of {str(row)!r} is {shown(value)}, and no finite number")
        return [*map(float, values)]

    def tree(self, ends: Sequence[Sequence[int]]) -> SearchTree:
        """The tree so far. ends: the places that come to its own, best first."""
        best = [tuple(sorted(each, key=lambda i: -(self.trees[b][i].value or 0.0))) for b, each in enumerate(ends)]
        return SearchTree(self.kind, self.seed, tuple(map(tuple, self.trees)), tuple(best))


def best_of(
    step: Composition, start: Prompts | SequenceState | SearchTree, value: Value, n: int, *, seed: int | None = None
) -> SearchTree:
    """n samples of a step after each prompt; `tree.best()` is the one with the largest value.

    Args:
        step: a step or a chain, whose samplers draw one sample.
        start: prompts, or a state with one sample each; or a tree of this function, which gets n samples in all.
        value: a function from a state `(N, 1, T)`, rows of all prompts, to N numbers: a list, a tensor, an array.
        n: how many samples are drawn of each prompt; equal ones are one node.
        seed: an int; None: one from torch's global generator. A tree keeps its seed.

    Raises:
        TypeError: no step; a value that is no function.
        ValueError: a number that is too small; a row that is dead, or over; a tree of another search, or another seed;
            a wrong number of values, or one that is not finite.
        SampleMismatch: a sampler of several samples; a state of several.

    >>> sums = oc.continuous(oc.generate.regex(model, "[0-9] [+] [0-9]"))
    >>> tree = oc.search.best_of(sums, "", lambda rows: [-abs(9 - eval(text)) for text in rows], n=32, seed=0)
    >>> eval(str(tree.best()))
    9
    """
    n, search = positive(n, "n"), _Search("best_of", step, start, value, None, seed)
    if wanted := {(b, 0): n - root.drawn for b, (root, *_) in enumerate(search.trees) if n > root.drawn}:
        search.grow(wanted)
    return search.tree([root.children for root, *_ in search.trees])


def step_beam(
    step: Composition,
    start: Prompts | SequenceState | SearchTree,
    value: Value,
    width: int,
    depth: int,
    children: int = 4,
    *,
    done: Done = None,
    seed: int | None = None,
) -> SearchTree:
    """A beam search over steps: after each step the `width` rows of each prompt with the largest values go on.

    A row that is over keeps its place while its value is large enough. Rows are over that eos has ended, that fill the
    context, to which a step adds nothing, or that end in a constrained value that was cut; and where `done` says so.

    Args:
        step: as in `best_of`, and so are value, seed and the errors.
        start: prompts, or a state with one sample each; or a tree of this function, which goes on to `depth`.
        width: how many rows of each prompt go on.
        depth: how many steps a row has at most.
        children: how many rows are drawn after each; equal ones are one node.
        done: a function from a state of one row to whether it is over.

    >>> digit = oc.continuous(oc.generate.regex(model, "[0-9]"))
    >>> tree = oc.search.step_beam(digit, "", lambda rows: [sum(map(int, text)) for text in rows], 2, 3, 32, seed=0)
    >>> tree.best(2).tolist()
    [['999', '998']]
    """
    width, depth, children = positive(width, "width"), positive(depth, "depth"), positive(children, "children")
    search = _Search("step_beam", step, start, value, done, seed)

    def goes_on(b: int, i: int) -> bool:
        return not search.trees[b][i].over and search.trees[b][i].depth < depth

    while wanted := {(b, i): children for b, beam in enumerate(search.ends) for i in beam if goes_on(b, i)}:
        beams = [[i for i in beam if (b, i) not in wanted] for b, beam in enumerate(search.ends)]
        for (b, _), new in search.grow(wanted).items():
            beams[b] += new
        search.ends = tuple(best[:width] for best in search.tree(beams).ends)
    return search.tree(search.ends)


@dataclass(frozen=True)
class _TreeChoice:
    """How `mcts` chooses among the nodes of a tree; see there."""

    visits: int
    leaves: int
    depth: int | None
    by_share: bool
    exploration: float

    def at_end(self, node: SearchNode) -> bool:
        return node.over or node.depth == self.depth

    def grows(self, node: SearchNode) -> bool:
        return not self.at_end(node) and node.drawn < sqrt(max(node.visits, 1))

    def score(self, nodes: Sequence[SearchNode], i: int, passed: Counter[int]) -> float:
        """passed: how often this round has come by each node."""
        node, up = nodes[i], nodes[i].parent or 0
        count, counts = node.visits + passed[i], nodes[up].visits + passed[up]
        bonus = sqrt(log(counts) / count)
        if self.by_share:
            weights = {each: nodes[each].state.rows[0][0].weight for each in nodes[up].children}
            bonus = sqrt(counts) / (1 + count) / sum(exp(min(weights[each] - weights[i], 700)) for each in weights)
        return node.total / node.visits + self.exploration * bonus

    def chosen(self, nodes: Sequence[SearchNode]) -> list[int]:
        """The nodes of a tree that grow now, or are counted once more."""
        tips, passed, alive = list[int](), Counter[int](), nodes[0].children or not nodes[0].drawn
        for _ in range(self.leaves if alive and nodes[0].visits < self.visits else 0):
            path = [0]
            while (node := nodes[path[-1]]).children and not self.at_end(node) and not self.grows(node):
                path.append(max(node.children, key=lambda i: self.score(nodes, i, passed)))
            if path[-1] in tips:
                break
            tips.append(path[-1])
            passed.update(path)
        return tips

    def ends(self, nodes: Sequence[SearchNode]) -> list[int]:
        places = range(1, len(nodes))
        return [i for i in places if self.at_end(nodes[i])] or [i for i in places if not nodes[i].children]


def mcts(
    step: Composition,
    start: Prompts | SequenceState | SearchTree,
    value: Value,
    visits: int,
    children: int = 4,
    *,
    depth: int | None = None,
    rule: Literal["uct", "puct"] = "uct",
    exploration: float = 1.4,
    leaves: int = 1,
    done: Done = None,
    seed: int | None = None,
) -> SearchTree:
    """Monte Carlo tree search: again and again, children are drawn after the node that looks best.

    From the prompt on, the child with the largest score is taken, down to a node that grows: one of which fewer than
    √visits children were drawn. Each value of a new child is a visit of it and of all nodes above. At a row that is
    over, or of which no child is alive, its own value is one.

    A score is the mean of the values of the node and those below, plus exploration · √(log(visits of the parent) /
    visits) by "uct", or exploration · share · √(visits of the parent) / (1 + visits) by "puct". The share is that of
    the node in the probabilities of its parent's children, as the model has them.

    Args:
        step: as in `best_of`, and so are value, seed and the errors; values lie best between 0 and 1.
        start: prompts, or a state with one sample each; or a tree of this function, which goes on to so many visits.
        visits: the search of a prompt ends when it has as many.
        children: how many rows are drawn at once after a node; equal ones are one node.
        depth: how many steps a row has at most; None: any number.
        rule: "uct" or "puct". ValueError for "puct" where log-probabilities are unknown (`state.to(model)`).
        exploration: a number ≥ 0: how much is tried that looks worse.
        leaves: how many nodes of each prompt grow in one pass, each chosen as if those before were visited.
        done: as in `step_beam`.

    >>> digit = oc.continuous(oc.generate.regex(model, "[0-9]"))
    >>> tree = oc.search.mcts(digit, "", lambda rows: [sum(map(int, t)) / 27 for t in rows], 999, depth=3, seed=0)
    >>> str(tree.best()), tree.nodes[0][0].visits
    ('999', 999)
    """
    visits, children, leaves = positive(visits, "visits"), positive(children, "children"), positive(leaves, "leaves")
    most, by_share = None if depth is None else positive(depth, "depth"), word(rule, "rule", ["uct", "puct"]) == "puct"
    if not is_number(exploration) or exploration < 0:
        raise ValueError(f"exploration={shown(exploration)}: it must be a finite number ≥ 0")
    search = _Search("mcts", step, start, value, done, seed)
    if by_share and any(root.state.weights.isnan() for root, *_ in search.trees):
        raise ValueError("mcts(rule='puct'): log-probabilities of its rows are NaN; state.rescore() computes them")
    choice = _TreeChoice(visits, leaves, most, by_share, exploration)
    while tips := [(b, i) for b, nodes in enumerate(search.trees) for i in choice.chosen(nodes)]:
        wanted = {(b, i): children for b, i in tips if choice.grows(search.trees[b][i])}
        grown = search.grow(wanted) if wanted else {}
        for b, i in tips:
            search.count(b, grown.get((b, i), [i]))
    return search.tree([*map(choice.ends, search.trees)])
