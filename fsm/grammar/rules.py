"""The rules of a grammar as languages, unfolded by their left corners: `grammar.py` says why, and what N and L are."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..language.nodes import (
    EMPTY,
    VOID,
    Alt,
    Bounds,
    Cat,
    Lazy,
    Node,
    Repeat,
    SpellClass,
    SpellWord,
    alt,
    cat,
    inside_out,
    repeat,
    spine,
    star,
)
from ..language.terms import alphabet, shortest, substitute
from .terminals import Choice, Concatenation, Expression, RuleUse, TerminalUse, Times, least_solution

# --- walks along names that lead to names: the rules of a grammar and what they call


def reached(starts: Iterable[str], edges: Callable[[str], Iterable[str]]) -> set[str]:
    """The names that some names lead to, themselves included."""
    met = set(starts)
    todo = list(met)
    while todo:
        for other in edges(todo.pop()):
            if other not in met:
                met.add(other)
                todo.append(other)
    return met


def components(edges: dict[str, list[str]]) -> list[frozenset[str]]:
    """The sets of names that lead to one another (the strongly connected components that have an edge inside)."""
    back: dict[str, list[str]] = {name: [] for name in edges}
    for name, others in edges.items():
        for other in others:
            back[other].append(name)
    families: list[frozenset[str]] = []
    placed: set[str] = set()
    for root in reversed(by_end_of_visit(edges)):  # Kosaraju's algorithm
        if root not in placed:
            members = reached([root], lambda name: set(back[name]) - placed)
            placed.update(members)
            if len(members) > 1 or root in edges[root]:
                families.append(frozenset(members))
    return families


def by_end_of_visit(edges: dict[str, list[str]]) -> list[str]:
    """The names in the order in which a depth-first search leaves them."""
    order: list[str] = []
    seen: set[str] = set()
    for root in edges:
        todo: list[tuple[str, Iterator[str]]] = [(root, iter(edges[root]))] if root not in seen else []
        seen.add(root)
        while todo:
            _, others = todo[-1]
            other = next((x for x in others if x not in seen), None)
            if other is None:
                order.append(todo.pop()[0])
            else:
                seen.add(other)
                todo.append((other, iter(edges[other])))
    return order


# --- rules


class Rule(Lazy):
    """The strings of a rule of a grammar, or the non-empty ones."""

    __slots__ = ("grammar", "name")

    def __init__(self, grammar: Grammar, name: str, nullable: bool):
        self.nullable, self.grammar, self.name = nullable, grammar, name

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        grammar, name = self.grammar, self.name
        return [(grammar.proper[name], EMPTY)] if self.nullable else grammar.edges(name)

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        new = self.grammar.substituted(leaf, spell_word)
        return new.whole[self.name] if self.nullable else new.proper[self.name]

    def symbols(self) -> set[int]:
        return self.grammar.symbols(self.name)

    def lengths(self) -> Bounds:
        return (0 if self.nullable else self.grammar.shortest(self.name)), None


class Corner(Lazy):
    """What may follow the strings of one rule, in those of another that begin with them."""

    __slots__ = ("at", "goal", "grammar")

    def __init__(self, grammar: Grammar, at: str, goal: str, nullable: bool):
        self.nullable, self.grammar, self.at, self.goal = nullable, grammar, at, goal

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        return _factored(self.grammar.steps(self.at, self.goal))

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        return self.grammar.substituted(leaf, spell_word).corner(self.at, self.goal)

    def symbols(self) -> set[int]:
        return self.grammar.symbols(self.goal)

    def lengths(self) -> Bounds:
        queue, closed = [(0, self.at)], set()  # Dijkstra, to the goal
        while True:
            length, at = heapq.heappop(queue)
            if at == self.goal:
                return length, None
            if at not in closed:
                closed.add(at)
                for other, label in self.grammar.above[at].items():
                    if other in self.grammar.below(self.goal):
                        heapq.heappush(queue, (length + shortest(label), other))


class Grammar:
    """Rules over terminals, without those that match nothing.

    Args:
        taken: each terminal, with what may be ignored after it.

    Attributes:
        whole, proper: each rule's strings, and the non-empty ones: VOID, EMPTY or a `Rule`.
        body: what each rule that is not VOID matches, as it was written.
    """

    def __init__(self, rules: dict[str, Expression], terminals: dict[str, Node], taken: dict[str, Node]):
        self.rules, self.terminals, self._taken = rules, terminals, taken
        self.whole: dict[str, Node] = {}
        self.proper: dict[str, Node] = {}
        for name, (nullable, proper) in self._kinds().items():
            self.proper[name] = Rule(self, name, False) if proper else VOID
            self.whole[name] = EMPTY if nullable else VOID
            if proper:
                self.whole[name] = Rule(self, name, True) if nullable else self.proper[name]
        self.body = {name: self._node(rules[name]) for name, node in self.whole.items() if node is not VOID}
        self._left: dict[Node, frozenset[str]] = {}
        self.firsts: dict[str, Node] = {}
        self.above: dict[str, dict[str, Node]] = {name: {} for name in self.body}
        self._lefts: dict[str, dict[str, Node]] = {}  # the same, by the other rule
        for name, body in self.body.items():
            self.firsts[name], self._lefts[name] = self._split(body, True)
            for k, node in self._lefts[name].items():
                self.above[k][name] = _once(node) if k == name else node
        self._onward = {name: self._not_empty(labels) for name, labels in self.above.items()}
        self._below: dict[str, frozenset[str]] = {}
        self._corners: dict[tuple[str, str], Node] = {}
        self._common: dict[str, set[str]] = {}
        self._ways_on: dict[str, tuple[set[str], set[str]]] = {}
        self._symbols: dict[str, set[int]] = {}
        self._shortest: dict[str, int] = {}
        self._last: tuple[SpellClass, SpellWord, Grammar] | None = None

    def edges(self, name: str) -> Sequence[tuple[Node, Node]]:
        """(what to match, what remains): the non-empty strings of a rule; each label begins with a terminal."""
        below, onward = self.below(name), self.above[name].get(name)
        if below == {name} and onward and not (self._ends_in(self.firsts[name], name) or self._ends_in(onward, name)):
            return [(cat(self.firsts[name], star(onward)), EMPTY)]
        begins = [k for k in sorted(below) if self.firsts[k] is not VOID]
        return _factored(pair for k in begins for pair in self._followed(self.firsts[k], k, name))

    def below(self, name: str) -> frozenset[str]:
        """The rules that a rule may begin with, itself included."""
        if name not in self._below:
            self._below[name] = frozenset(reached([name], lambda k: self._begins(self.body[k])))
        return self._below[name]

    def corner(self, at: str, goal: str) -> Node:
        """What follows a string of the rule `at` in those of `goal` that begin with it; the same node each time."""
        if (at, goal) not in self._corners:
            node: Node = VOID
            if self.whole.get(goal, VOID) is not VOID and at in self.below(goal):
                ending, going_on = self._ending_and_going_on(goal)
                node = Corner(self, at, goal, at in ending) if at in going_on else EMPTY
            self._corners[at, goal] = node
        return self._corners[at, goal]

    def _ending_and_going_on(self, goal: str) -> tuple[set[str], set[str]]:
        """The rules a string of which may already be the whole of `goal`; and those after which more may come in it."""
        if goal not in self._ways_on:
            below = self.below(goal)
            self._ways_on[goal] = self._units_down([goal]), self._units_down(self._followed_in(goal, below))
        return self._ways_on[goal]

    def _units_down(self, starts: Iterable[str]) -> set[str]:
        """The rules a string of which may already be the whole of one of some rules."""
        return reached(starts, lambda i: [k for k, label in self._lefts[i].items() if label.nullable])

    def steps(self, at: str, goal: str) -> list[tuple[Node, Node]]:
        """(what to match, what remains), of the non-empty strings of a corner."""
        return [pair for label, other in self._labels(at, goal) for pair in self._followed(label, other, goal)]

    def _followed(self, node: Node, at: str, goal: str) -> list[tuple[Node, Node]]:
        """(what to match, what remains), of `node` and then the corner from `at` to `goal`.

        What ends with the rule `goal` is not followed by a corner that its strings may have at their own ends. So
        `e: e "+" e | "x"` is one loop, and not as many, one in the other, as there are e's.
        """
        corner = self.corner(at, goal)
        if corner is EMPTY or not self._ends_in(node, goal) or not self._absorbs(goal, at):
            return [(node, corner)]
        return list(self._absorbing(node, goal, corner))

    def _absorbs(self, goal: str, at: str) -> bool:
        """Whether g D = g, for the rule g = `goal` and D = corner(at, goal).

        g is in g D, since D may be empty. A string of g has a last piece, an N or an L that is not empty, with which it
        came to a rule o that g may be. Either what goes on from `at` goes on from o as well: then so does D. Or the
        piece ends with a string of g, which is shorter: by induction, with D behind it, it is one of g. (The unfolded
        rules have one solution, as labels are not empty and begin with terminals: so equals may be put for equals.)
        """
        ending = self._ending_and_going_on(goal)[0]
        if goal not in self._common and at != goal:
            goals = {self.proper[goal], VOID}
            ends = {o for piece, o in self._pieces(goal) if o in ending and not goals.issuperset(_endings(piece))}
            ways = (self._followed_in(goal, self._unit(o, goal)) for o in ends)
            self._common[goal] = set(self.below(goal)).intersection(*ways)
        return at == goal or (at in ending and self._followed_in(goal, self._unit(at, goal)) <= self._common[goal])

    def _followed_in(self, goal: str, names: Iterable[str]) -> set[str]:
        """Which of some rules lead on: after a string of theirs, more may come in one of `goal`."""
        below = self.below(goal)
        return {k for k in names if any(i in below for _, i in self._onward[k])}

    def _absorbing(self, node: Node, goal: str, corner: Node) -> Iterator[tuple[Node, Node]]:
        """(what to match, what remains), of `node`, not nullable, and then a corner that the rule `goal` absorbs."""
        *others, end = spine(node)
        if not self._ends_in(end, goal):
            yield node, corner
        elif isinstance(end, Alt):
            for option in end.options:
                yield from self._absorbing(cat(*others, option), goal, corner)
        else:
            if end.nullable:
                yield cat(*others), corner
            if isinstance(end, Repeat):
                yield from self._absorbing(cat(*others, end.less, end.body), goal, corner)
            else:
                yield cat(*others, self.proper[goal]), EMPTY

    def _ends_in(self, node: Node, goal: str) -> bool:
        return not {self.whole[goal], self.proper[goal]}.isdisjoint(_endings(node))

    def _pieces(self, goal: str) -> list[tuple[Node, str]]:
        """What the strings of a rule begin with, and go on with, each with the rule of which it is the end."""
        below = self.below(goal)
        onward = [piece for k in below for piece in self._onward[k] if piece[1] in below]
        return [*((self.firsts[k], k) for k in below), *onward]

    def _labels(self, at: str, goal: str) -> list[tuple[Node, str]]:
        below, units = self.below(goal), sorted(self._unit(at, goal))
        return list(dict.fromkeys(piece for k in units for piece in self._onward[k] if piece[1] in below))

    def _unit(self, at: str, goal: str) -> set[str]:
        """The rules that a string of `at` may already be the whole of."""
        below = self.below(goal)
        return reached([at], lambda k: [i for i, label in self.above[k].items() if label.nullable and i in below])

    @property
    def bounded(self) -> bool:
        """Whether the stack stays small: no rule calls itself but at its very end."""
        calls = {name: set(self._calls(name)) for name in self.body}
        families = components({name: sorted({called for called, _ in out}) for name, out in calls.items()})
        return not any(
            not last and called in family for family in families for name in family for called, last in calls[name]
        )

    def symbols(self, name: str) -> set[int]:
        """Every byte that may occur."""
        if name not in self._symbols:
            symbols: set[int] = set()
            todo, seen = [name], {name}
            while todo:
                for x in inside_out(self.body[todo.pop()]):
                    if not isinstance(x, Rule):
                        symbols |= alphabet(x) if not isinstance(x, (Cat, Alt, Repeat)) else set()
                    elif x.name not in seen:
                        seen.add(x.name)
                        todo.append(x.name)
            self._symbols[name] = symbols
        return self._symbols[name]

    def shortest(self, name: str) -> int:
        """The length of the shortest non-empty string."""
        if not self._shortest:
            self._shortest = self._shortest_strings()
        return self._shortest[name]

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Grammar:
        """See `language.substitute`. The last one is remembered: every rule asks for it."""
        if self._last is None or self._last[:2] != (leaf, spell_word):
            both = [
                {name: substitute(node, leaf, spell_word) for name, node in nodes.items()}
                for nodes in (self.terminals, self._taken)
            ]
            self._last = (leaf, spell_word, Grammar(self.rules, *both))
        return self._last[2]

    def _kinds(self) -> dict[str, tuple[bool, bool]]:
        """Of each rule, whether it matches the empty string, and whether it matches others."""
        kinds: dict[str, tuple[bool, bool]] = dict.fromkeys(self.rules, (False, False))

        def kind(x: Expression) -> tuple[bool, bool]:
            if isinstance(x, TerminalUse):
                return False, self.terminals[x.name] is not VOID
            if isinstance(x, RuleUse):
                return kinds[x.name]
            if isinstance(x, Times):
                nullable, proper = kind(x.body)
                return (nullable or x.low == 0), (proper and x.high != 0)
            parts = [kind(part) for part in (x.items if isinstance(x, Concatenation) else x.options)]
            if isinstance(x, Choice):
                return any(n for n, _ in parts), any(p for _, p in parts)
            return all(n for n, _ in parts), all(n or p for n, p in parts) and any(p for _, p in parts)

        return least_solution(self.rules, kinds, kind)

    def _shortest_strings(self) -> dict[str, int]:
        never = 1 << 62  # a rule that is not known yet; never more, so that numbers stay small
        sizes = dict.fromkeys(self.rules, never)  # of the shortest non-empty string
        takes = {name: shortest(node) if node is not VOID else never for name, node in self.terminals.items()}

        def size(x: Expression) -> tuple[int, int]:
            """The shortest string, the shortest that is not empty."""
            if isinstance(x, TerminalUse):
                return takes[x.name], takes[x.name]
            if isinstance(x, RuleUse):
                return (0 if self.whole[x.name].nullable else sizes[x.name]), sizes[x.name]
            if isinstance(x, Times):
                least, proper = size(x.body)
                most = never if x.high == 0 else min(never, least * max(x.low - 1, 0) + proper)
                return min(never, least * x.low), most
            parts = [size(part) for part in (x.items if isinstance(x, Concatenation) else x.options)]
            if isinstance(x, Choice):
                return min((a for a, _ in parts), default=never), min((b for _, b in parts), default=never)
            total = sum(a for a, _ in parts)
            return min(never, total), min((min(never, total - a + b) for a, b in parts), default=never)

        return least_solution(self.rules, sizes, lambda x: size(x)[1])

    def _node(self, x: Expression) -> Node:
        if isinstance(x, RuleUse):
            return self.whole[x.name]
        if isinstance(x, TerminalUse):
            return self._taken[x.name]
        if isinstance(x, Times):
            return repeat(self._node(x.body), x.low, x.high)
        if isinstance(x, Concatenation):
            return cat(*map(self._node, x.items))
        return alt(*map(self._node, x.options))

    # --------------------------------------------------------------------------------------------- left corners

    def _begins(self, node: Node) -> frozenset[str]:
        """The rules that a string of `node` may begin with, at once."""
        begins = self._left.get(node)
        if begins is None:
            names: set[str] = set()
            if isinstance(node, Rule):
                names.add(node.name)
            elif isinstance(node, Alt):
                names.update(*map(self._begins, node.options))
            elif isinstance(node, Repeat):
                names.update(self._begins(node.body))
            elif isinstance(node, Cat):
                for item in spine(node):
                    names |= self._begins(item)
                    if not item.nullable:
                        break
            begins = self._left[node] = frozenset(names)
        return begins

    def _split(self, node: Node, corners: bool) -> tuple[Node, dict[str, Node]]:
        """(N, L): `node` without the empty string is N, which begins with no rule, or k L[k]; not `corners`: all N."""
        left = corners and bool(self._begins(node))
        if not left and not node.nullable:
            return node, {}
        if isinstance(node, Rule):
            return (VOID, {node.name: EMPTY}) if left else (self.proper[node.name], {})
        if isinstance(node, Alt):
            return _either(self._split(option, corners) for option in node.options)
        if isinstance(node, Repeat):
            if not left:
                return repeat(node.body, 1, node.high), {}
            return _then(self._split(node.body, corners), node.less)
        if isinstance(node, Cat):
            items, parts = list(spine(node)), []
            for i, item in enumerate(items):
                parts.append(_then(self._split(item, corners), cat(*items[i + 1 :])))
                if not item.nullable:
                    break
            return _either(parts)
        return VOID, {}  # the empty string: terminals match more than that

    def _not_empty(self, labels: dict[str, Node]) -> list[tuple[Node, str]]:
        split = [(self._split(label, False)[0], name) for name, label in labels.items()]
        return [(label, name) for label, name in split if label is not VOID]

    def _calls(self, goal: str) -> Iterator[tuple[str, bool]]:
        """The rules that are called in a rule, but for those that it begins with; whether at its very end."""
        pairs = [pair for piece, i in self._pieces(goal) for pair in self._followed(piece, i, goal)]
        todo = [(node, tail is EMPTY) for node, tail in pairs]
        while todo:
            node, last = todo.pop()
            if isinstance(node, Rule):
                yield node.name, last
            elif isinstance(node, Alt):
                todo += [(option, last) for option in node.options]
            elif isinstance(node, Repeat):
                todo.append((node.body, last and node.high == 1))
            elif isinstance(node, Cat):
                *others, end = spine(node)
                todo += [(item, False) for item in others] + [(end, last)]


def _endings(node: Node) -> Iterator[Node]:
    """What the strings of a node end with, as it is written; EMPTY, where the last of it may be left out."""
    *_, end = spine(node)
    if isinstance(end, Alt):
        for option in end.options:
            yield from _endings(option)
    elif isinstance(end, Repeat):
        yield from _endings(end.body)
        yield from () if end.low else (EMPTY,)
    else:
        yield end


def _once(node: Node) -> Node:
    """What says as much, once or repeated, where it may come any number of times."""
    if isinstance(node, Alt):
        return alt(*map(_once, node.options))
    return _once(node.body) if isinstance(node, Repeat) and node.low <= 1 else node


def _factored(pairs: Iterable[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
    """(what to match, what remains): the same strings, with what begins alike taken together."""
    tails: dict[Node, list[tuple[Node, Node]]] = {}
    for label, tail in pairs:
        for option in label.options if isinstance(label, Alt) else (label,):
            if option is not VOID:
                first, remaining = (option.first, option.rest) if isinstance(option, Cat) else (option, EMPTY)
                tails.setdefault(first, []).append((remaining, tail))
    return [(first, _joined(rests)) for first, rests in tails.items()]


def _joined(pairs: list[tuple[Node, Node]]) -> Node:
    """Any of the labels, each with its tail."""
    if len(pairs) == 1:
        return cat(*pairs[0])
    whole = [tail for label, tail in pairs if label is EMPTY]
    return alt(*whole, *(cat(*pair) for pair in _factored(pair for pair in pairs if pair[0] is not EMPTY)))


def _either(parts: Iterable[tuple[Node, dict[str, Node]]]) -> tuple[Node, dict[str, Node]]:
    firsts: list[Node] = []
    lefts: dict[str, list[Node]] = {}
    for first, left in parts:
        firsts.append(first)
        for k, node in left.items():
            lefts.setdefault(k, []).append(node)
    return alt(*firsts), {k: alt(*nodes) for k, nodes in lefts.items()}


def _then(split: tuple[Node, dict[str, Node]], remaining: Node) -> tuple[Node, dict[str, Node]]:
    return cat(split[0], remaining), {k: cat(node, remaining) for k, node in split[1].items()}
