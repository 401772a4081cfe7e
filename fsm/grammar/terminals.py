"""What the rules of a grammar consist of, and the language of a terminal: the texts that `re.match` takes whole.

Lazy quantifiers stop where they first can, and alternatives are tried in their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, TypeVar

from outlines_cont.errors import ConstraintError

from ..language.graph import graph
from ..language.intersection import intersection
from ..language.nodes import (
    VOID,
    Class,
    Node,
    Ranges,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    nonempty,
    opt,
    repeat,
    symbol,
    union,
)
from ..language.terms import Deferred, Terms, substitute
from ..patterns.characters import ANY, MULTILINE, SURROGATES
from ..patterns.parser import PatternReader, parse
from ..patterns.standard_parser import (
    ANYTHING,
    TEXT,
    Assertion,
    SyntaxTree,
    begins,
    flags_inside,
    resolved,
    sre,
    syntax_tree,
    with_marks,
    without_marks,
)

# --- what the rules of a grammar consist of, and values that rules have by what they consist of

MOST_TIMES = 2**31  # that anything is repeated
COUNTS: dict[str, tuple[str, str | None]] = {"?": ("0", "1"), "*": ("0", None), "+": ("1", None)}  # see `times`

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RuleUse:
    """A rule, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class TerminalUse:
    """A terminal, by name, and what is ignored after it."""

    name: str


@dataclass(frozen=True, slots=True)
class Concatenation:
    """One after the other."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of them."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """From `low` to `high` (None: any number) times `body`."""

    body: Expression
    low: int
    high: int | None


Expression = RuleUse | TerminalUse | Concatenation | Choice | Times

Parts = Mapping[str, Node]  # languages of bytes, by the names that a grammar has for them
NO_PARTS: Parts = {}


class GivenPart(Deferred):
    """A part as a terminal: whatever it is made of, perhaps rules of another grammar, is none of this one's rules."""

    __slots__ = ()

    def substituted(self, leaf: SpellClass, spell_word: SpellWord) -> Node:
        node = substitute(self.node, leaf, spell_word)
        return node if node is VOID else GivenPart(lambda: node)


def part_use(name: str, terminals: dict[str, Node], parts: Parts) -> Expression:
    """The use of a part, which is entered among the terminals: these are not nullable."""
    node = nonempty(parts[name])
    terminals.setdefault(name, node if node is VOID else GivenPart(lambda: node))
    return Times(TerminalUse(name), 0, 1) if parts[name].nullable else TerminalUse(name)


def check_parts(parts: Parts, defined: Collection[str], used: Collection[str], right: str) -> None:
    """ConstraintError for a part that the grammar defines itself, or does not use. right: how it would use one."""
    for name in parts:
        if name in defined:
            raise ConstraintError(f"parts={{{name!r}: …}}: the grammar defines {name} itself")
        if name not in used:
            raise ConstraintError(f"parts={{{name!r}: …}}: the grammar does not use {name}: {right}")


def times(body: Expression, low: str, high: str | None) -> Times:
    """`body`, repeated as often as these numbers say.

    Raises:
        ConstraintError: they are in the wrong order, negative, or more than `MOST_TIMES`.
    """
    least, most = float(low), float(low if high is None else high)  # of any length, which int() is not
    if max(least, most) > MOST_TIMES:
        raise ConstraintError(f"the grammar repeats something more than {MOST_TIMES} times")
    if not 0 <= least <= most:
        raise ConstraintError(f"the grammar repeats something {low} to {high} times")
    return Times(body, int(least), None if high is None else int(most))


def concatenation(items: Iterable[Expression]) -> Concatenation:
    """One after the other, with repeats of the same beside each other as one: a thousand `"a"?` are one counter."""
    joined: list[Expression] = []
    for item in items:
        before = joined[-1] if joined else None
        if isinstance(before, Times) and isinstance(item, Times) and before.body == item.body:
            high = None if before.high is None or item.high is None else before.high + item.high
            if max(low := before.low + item.low, high or 0) <= MOST_TIMES:
                joined[-1] = Times(before.body, low, high)
                continue
        joined.append(item)
    return Concatenation(tuple(joined))


def no_start(start: str, rules: Iterable[str]) -> ConstraintError:
    """There is no such rule among these."""
    return ConstraintError(f"the grammar has no rule {start!r} to start with; its rules: {', '.join(rules) or 'none'}")


def followers(rules: dict[str, Expression]) -> dict[str, set[str]]:
    """The terminals that may come right after each terminal."""
    after: dict[str, set[str]] = {}
    ends: dict[str, tuple[bool, frozenset[str], frozenset[str]]] = dict.fromkeys(
        rules, (False, frozenset(), frozenset())
    )

    def joined(lasts: frozenset[str], firsts: frozenset[str]) -> None:
        for name in lasts:
            after.setdefault(name, set()).update(firsts)

    def of(x: Expression) -> tuple[bool, frozenset[str], frozenset[str]]:
        """Whether it may be empty; the terminals that it begins and ends with."""
        if isinstance(x, TerminalUse):
            return False, frozenset([x.name]), frozenset([x.name])
        if isinstance(x, RuleUse):
            return ends[x.name]
        if isinstance(x, Times):
            empty, firsts, lasts = of(x.body)
            joined(lasts if x.high != 1 else frozenset(), firsts)
            return empty or x.low == 0, firsts, lasts
        parts = [of(part) for part in (x.items if isinstance(x, Concatenation) else x.options)]
        empty, firsts, lasts = isinstance(x, Concatenation), frozenset[str](), frozenset[str]()
        for nullable, first, last in parts:
            if isinstance(x, Choice):
                empty, firsts, lasts = empty or nullable, firsts | first, lasts | last
            else:
                joined(lasts, first)
                firsts, lasts = firsts | first if empty else firsts, lasts | last if nullable else last
                empty = empty and nullable
        return empty, firsts, lasts

    least_solution(rules, ends, of)
    return after


def names_in(expression: Expression) -> Iterator[str]:
    """The rules that an expression uses."""
    todo = [expression]
    while todo:
        x = todo.pop()
        if isinstance(x, RuleUse):
            yield x.name
        elif isinstance(x, Times):
            todo.append(x.body)
        elif not isinstance(x, TerminalUse):
            todo += x.items if isinstance(x, Concatenation) else x.options


def least_solution(
    rules: dict[str, Expression], values: dict[str, Value], value: Callable[[Expression], Value]
) -> dict[str, Value]:
    """The least solution of values[name] == value(rules[name]); `values` come in as the least values, and change."""
    users: dict[str, list[str]] = {name: [] for name in rules}
    for name, expression in rules.items():
        for used in dict.fromkeys(names_in(expression)):
            users[used].append(name)
    todo = dict.fromkeys(reversed(rules))  # what a rule uses stands below it, mostly
    while todo:
        name = next(iter(todo))
        del todo[name]
        new = value(rules[name])
        if new != values[name]:
            values[name] = new
            todo |= dict.fromkeys(users[name])
    return values


# --- terminals

INSTRUCTIONS, STATES = 5000, 2000  # at most, of the program of one terminal


# Lark's own idea of an escaped string, by a lookbehind, and what it means: pairs of a backslash and what it escapes.
_ESCAPED, _PAIRS = r'".*?(?<!\\)(\\\\)*?"', r'"(?:[^\\\n]|\\.)*?"'


def preferred(source: str) -> Node:
    """The texts s, as code points, of which `re.match(source, s)` takes all; `fullmatch` might take more.

    Nothing in a pattern looks ahead, so that which of two matches `re` prefers does not depend on what follows them.
    The characters that may come next are followed in the order in which `re` would try them; once the pattern has
    matched, what comes later in this order has lost. (Pike's machine; RE2's leftmost-first automaton.) Where a pattern
    does look around, `re` takes all it can: `refuse_context` makes sure of that.

    Raises:
        ConstraintError: it is no regular expression, uses something that is not supported, or is too large.
    """
    source = source.replace(_ESCAPED, _PAIRS)
    node = parse(source)
    tree = syntax_tree(source)
    sketch = _Program(source, tree, sketch=True)
    if node is VOID or sketch.looks or sketch.longest():
        return node
    return _Program(source, tree, sketch=False).language()


_START, _END, _LATER = (symbol(SURROGATES[0][1] - i) for i in range(3))  # marks of where a terminal begins and ends
_LOOKS = re.compile(r"\(\?<?[=!]|\\[bBAZ]|[$^]")  # what may be an anchor or a lookaround


def _some(nodes: Sequence[Node], excluded: Sequence[Node] = ()) -> Node:
    """The marked texts that all of `nodes` have and none of `excluded`."""
    return VOID if VOID in nodes else intersection([*nodes, ANYTHING], [x for x in excluded if x is not VOID])


def refuse_context(source: str, texts: Node, before: Node, after: Node) -> None:
    """Refuse a terminal that is other texts than `preferred` says, when it stands between others.

    Lark matches it within the whole text, and takes the match, and of what it matches in each beginning of the match.

    Args:
        texts: what `preferred` says.
        before, after: what may stand on both sides.
    """
    if not _LOOKS.search(source):
        return
    reader = PatternReader(source.replace(_ESCAPED, _PAIRS), False)
    tree = syntax_tree(reader.pattern)
    inside = reader.sequence(tree.items, tree.flags)
    marks = reader.marks_in(inside)
    if not marks:
        return
    terms = Terms()
    short, long = (resolved(cat(TEXT, _START, inside, end, TEXT), marks) for end in (_END, _LATER))
    longer = without_marks(_some([with_marks(long), cat(TEXT, _START, TEXT, _END, ANY, TEXT, _LATER, TEXT)]), [_LATER])
    alone = cat(TEXT, _START, texts, _END, TEXT)
    begun = opt(alt(*(cat(first, TEXT) for first, _ in terms.open(terms.push(after, terms.end)))))
    more = _some([short, cat(before, _START, TEXT, _END, begun)], [alone, longer])
    fewer = _some([alone, cat(before, _START, TEXT, _END, opt(cat(after, TEXT)))], [short])
    if not _Program(reader.pattern, tree, sketch=True).longest() and _some([short, longer]) is not VOID:
        raise reader.refuse("has an anchor or a lookaround, and does not always take all it can")
    if more is not VOID or fewer is not VOID:
        raise reader.refuse("looks at what may stand beside the terminal, which is not supported")


LINES = opt(cat(TEXT, symbol(10)))  # what stands before a line
LINE_START = Assertion(0, lambda mark: begins(mark, ((10, 10),)))


def begins_lines(source: str) -> bool:
    """Whether all matches of a pattern begin where lines do, as those of `(?m:^#.*)`."""
    tree = syntax_tree(source)
    items, flags = tree.items, tree.flags
    while len(items) == 1 and items[0][0] is sre.SUBPATTERN:
        _, added, removed, inside = items[0][1]
        items, flags = list(inside), flags_inside(flags, added, removed)
    return bool(items and items[0] == (sre.AT, sre.AT_BEGINNING) and flags & MULTILINE)


class _Program:
    """The instructions of a pattern: take a character and go on at `after`; or go on at any of `after`, best first.

    In a sketch, whatever may be repeated twice or more is repeated without bound.
    """

    def __init__(self, source: str, tree: SyntaxTree, sketch: bool):
        self.reader, self.sketch, self.looks = PatternReader(source, False), sketch, False
        self.classes: list[Ranges | None] = []
        self.after: list[tuple[int, ...]] = []
        self.numbers = count()
        self.loops: dict[int, tuple[int, int]] = {}  # for an instruction that begins a round: which loop, and its exit
        self.end = self.add(None, ())
        self.start = self.sequence(tree.items, tree.flags, self.end)

    def add(self, ranges: Ranges | None, after: tuple[int, ...]) -> int:
        if len(self.after) >= INSTRUCTIONS:
            raise self.reader.refuse("is too large to say which of its matches `re` prefers")
        self.classes.append(ranges)
        self.after.append(after)
        return len(self.after) - 1

    def sequence(self, items: Any, flags: int, after: int) -> int:
        for op, value in reversed(items):
            after = self.item(op, value, flags, after)
        return after

    def item(self, op: Any, value: Any, flags: int, after: int) -> int:
        if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            self.looks = True
            return after
        if op is sre.BRANCH:
            return self.add(None, tuple(self.sequence(branch, flags, after) for branch in value[1]))
        if op is sre.SUBPATTERN:
            _, added, removed, inside = value
            return self.sequence(inside, flags_inside(flags, added, removed), after)
        if op is sre.MAX_REPEAT or op is sre.MIN_REPEAT:
            return self.repeated(value, flags, after, op is sre.MIN_REPEAT)
        node = self.reader.item(op, value, flags)  # one character
        return self.add(node.ranges, (after,)) if isinstance(node, Class) else self.add((), ())  # VOID

    def repeated(self, value: Any, flags: int, after: int, lazy: bool) -> int:
        low, high, inside = value
        if self.sketch and high > 1:
            low, high = min(low, 1), sre.MAXREPEAT
        entry, loop = after, next(self.numbers)
        if high is sre.MAXREPEAT:
            entry = self.add(None, ())
            body = self.sequence(inside, flags, entry)
            self.after[entry], self.loops[entry] = ((after, body) if lazy else (body, after)), (loop, after)
        else:
            for _ in range(high - low):
                body = self.sequence(inside, flags, entry)
                entry = self.add(None, (after, body) if lazy else (body, after))
                self.loops[entry] = (loop, after)
        for _ in range(low):
            entry = self.sequence(inside, flags, entry)
        return entry

    def reach(self, starts: Iterable[int]) -> list[int]:
        """The characters that may come next, and the end, in the order in which `re` tries them."""
        reached: dict[int, None] = {}
        none: frozenset[int] = frozenset()
        todo = [(i, none) for i in starts][::-1]  # and the loops that were entered since the last character
        seen: set[tuple[int, frozenset[int]]] = set()
        while todo:
            i, inside = step = todo.pop()
            if step in seen:
                continue
            seen.add(step)
            if self.classes[i] is not None or i == self.end:
                reached.setdefault(i)
            elif i not in self.loops:
                todo += [(j, inside) for j in reversed(self.after[i])]
            else:
                loop, leave = self.loops[i]
                after = (leave,) if loop in inside else self.after[i]  # `re` leaves after a round that took nothing
                todo += [(j, inside - {loop} if j == leave else inside | {loop}) for j in reversed(after)]
        return list(reached)

    def longest(self) -> bool:
        """Whether there is always one way to go on only, and it is preferred to the end: then `re` takes all it can."""
        for starts in [
            (self.start,),
            *(after for ranges, after in zip(self.classes, self.after, strict=True) if ranges),
        ]:
            reached = self.reach(starts)
            if self.end in reached[:-1]:
                return False
            top = -1
            for low, high in sorted(r for i in reached for r in self.classes[i] or ()):
                if low <= top:
                    return False
                top = high
        return True

    def language(self) -> Node:
        blocks = self.blocks()
        states: dict[tuple[int, ...], int] = {}
        order: list[tuple[int, ...]] = []

        def number(starts: Iterable[int]) -> int:
            reached = self.reach(starts)
            state = tuple(reached[: reached.index(self.end) + 1] if self.end in reached else reached)
            if state not in states:
                if len(states) >= STATES:
                    raise self.reader.refuse("is too large to say which of its matches `re` prefers")
                states[state] = len(order)
                order.append(state)
            return states[state]

        number((self.start,))
        edges: list[list[tuple[Node, int]]] = []
        loops: list[Node] = []
        for i, state in enumerate(order):  # grows while it is read
            out: dict[int, list[Ranges]] = {}
            for ranges, takers in blocks:
                after = [self.after[k][0] for k in state if k in takers]
                if after:
                    out.setdefault(number(after), []).append(ranges)
            loops.append(chars(union(*out.pop(i, ()))))
            edges.append([(chars(union(*parts)), j) for j, parts in out.items()])
        ends = [self.end in state for state in order]
        for i, loop in enumerate(loops):
            if loop is not VOID:  # a loop is a `repeat`, for which masks are quick
                edges.append(edges[i])
                ends.append(ends[i])
                edges[i] = [(repeat(loop, 1, None), len(edges) - 1), *edges[i]]
        return graph(edges, ends)

    def blocks(self) -> list[tuple[Ranges, set[int]]]:
        """The characters, in sets of those that nothing here tells apart, and who takes them."""
        takers: dict[Ranges, set[int]] = {}
        for i, ranges in enumerate(self.classes):
            if ranges:
                takers.setdefault(ranges, set()).add(i)
        turns: dict[int, int] = {}  # where classes begin or end: which
        for bit, ranges in enumerate(takers):
            for low, high in ranges:
                turns[low] = turns.get(low, 0) ^ 1 << bit
                turns[high + 1] = turns.get(high + 1, 0) ^ 1 << bit
        parts_of: dict[int, list[tuple[int, int]]] = {}
        points, inside = sorted(turns), 0
        for low, stop in pairwise(points):
            inside ^= turns[low]
            if inside:
                parts_of.setdefault(inside, []).append((low, stop - 1))
        sets = list(takers.values())
        return [
            (union(parts), set().union(*(s for bit, s in enumerate(sets) if mask >> bit & 1)))
            for mask, parts in parts_of.items()
        ]
