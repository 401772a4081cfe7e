r"""Context-free grammars in lark's syntax, as languages: lark reads the grammar, our machine runs it.

What a grammar means, in characters (lark's `parser="earley", lexer="dynamic_complete"`):

    L(rule)      the concatenations that its expansions say, every way to split the text into terminals counting
    L(terminal)  the texts s with re.match(terminal, s).end() == len(s): lazy quantifiers stop where they first can,
                 alternatives are tried in order; so a `/"(.*?)"/` never runs on past its closing quote
    %ignore      any number of the ignored terminals, before, between and after all others

So priorities, aliases, `?rule`, `_rule`, `!rule` choose and shape parse trees, and change nothing here.

A rule is a node that unfolds when it is reached, so that the stack of calls is the machine's term: of any depth, and
shared by all states that have it in common. Following empty moves has to end, so a rule must not unfold to what begins
with itself; and two ways to read the same beginning should be one stack and not two, or nesting them would double the
stacks level by level. Both come of unfolding rules by their left corners. Each rule i is

    i = N[i] | k L[k, i] | …        N[i] begins with a terminal; k L[k, i]: what begins with the rule k, without it

and so what a rule A matches is some N[k] and then a path of L's from k to A: a regular language over the L's, whose
states are the rules that A may begin with. (One rule that begins with itself only is N L*.) What the L's call is called
when the text of k has been read, once, whatever it turns out to be the beginning of.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from lark.exceptions import LarkError
from lark.load_grammar import Grammar as LarkGrammar
from lark.load_grammar import PrepareLiterals, load_grammar, stdlib_loader

from outlines_cont.errors import ConstraintError

from ..language.graph import graph
from ..language.measures import alphabet, shortest
from ..language.nodes import (
    EMPTY,
    VOID,
    Alt,
    Bounds,
    Cat,
    Class,
    KeepWord,
    Lazy,
    Node,
    Repeat,
    SpellClass,
    alt,
    cat,
    chars,
    inside_out,
    repeat,
    spine,
    star,
)
from ..language.ranges import Ranges, union
from ..language.substitution import restrict, substitute
from ..language.words import literal
from ..patterns.parser import PatternReader, parse
from ..patterns.standard_parser import SyntaxTree, sre, syntax_tree
from ..patterns.utf8 import utf8

INSTANCES = 1000  # of templates
PROGRAM, STATES = 5000, 2000  # instructions and states of one terminal, where it takes a program to say what it means


def language(text: str, start: str = "start") -> Node:
    """The texts of a grammar in lark's syntax, as bytes; VOID if there are none.

    Raises:
        TypeError: `text` or `start` is not a `str`.
        ConstraintError: it is no grammar, or uses what is not supported: named, with its line.
    """
    for argument, name in ((text, "a grammar"), (start, "the name of the start rule")):
        if not isinstance(argument, str):
            raise TypeError(f"{name} is a str, not {type(argument).__name__}")
    try:
        return _Reader(text).language(start)
    except RecursionError:
        raise ConstraintError("the grammar is nested too deeply") from None


def check_vocabulary(node: Node, spelled: frozenset[int], singles: frozenset[int], name: str) -> None:
    """Refuse a vocabulary for which nobody could say which states are dead ends.

    Where a byte that the language needs is in some token, but no token by itself, states have to be followed until one
    accepts; of a grammar that nests without bound there may be infinitely many.

    Raises:
        ConstraintError: this is such a grammar, and such a vocabulary.
    """
    if len(singles) == 256:
        return
    known = restrict(node, set(spelled))
    lacking = sorted(alphabet(known) - singles)
    if lacking and not all(x.grammar.bounded for x in inside_out(known) if isinstance(x, Rule)):
        shown = ", ".join(repr(chr(byte)) if 32 <= byte < 127 else f"byte 0x{byte:02X}" for byte in lacking[:8])
        raise ConstraintError(
            f"{name} nests without bound, and this vocabulary has no token of one byte for {shown}: whether its tokens "
            "can finish a text cannot be decided"
        )


# ------------------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Call:
    """A rule, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Take:
    """A terminal, by name, and what is ignored after it."""

    name: str


@dataclass(frozen=True, slots=True)
class Chain:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Either:
    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Times:
    body: Expression
    low: int
    high: int | None


Expression = Call | Take | Chain | Either | Times
_COUNTS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


# ------------------------------------------------------------------------------------------------------------- rules


class Rule(Lazy):
    """The strings of a rule of a grammar, or the non-empty ones."""

    __slots__ = ("grammar", "name")

    def __init__(self, grammar: Grammar, name: str, nullable: bool):
        self.nullable, self.grammar, self.name = nullable, grammar, name

    def unfold(self) -> Iterable[tuple[Node, Node]]:
        grammar, name = self.grammar, self.name
        return [(grammar.proper[name], EMPTY)] if self.nullable else grammar.edges(name)

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Node:
        new = self.grammar.substituted(leaf, keep)
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

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Node:
        return self.grammar.substituted(leaf, keep).corner(self.at, self.goal)

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

    Attributes:
        whole, proper: each rule's strings, and the non-empty ones: VOID, EMPTY or a `Rule`.
        body: what each rule that is not VOID matches, as it was written.
    """

    def __init__(self, rules: dict[str, Expression], terminals: dict[str, Node], ignored: Node):
        self.rules, self.terminals, self.ignored = rules, terminals, ignored
        self.whole: dict[str, Node] = {}
        self.proper: dict[str, Node] = {}
        for name, (nullable, proper) in self._kinds().items():
            self.proper[name] = Rule(self, name, False) if proper else VOID
            self.whole[name] = EMPTY if nullable else VOID
            if proper:
                self.whole[name] = Rule(self, name, True) if nullable else self.proper[name]
        self._taken = {name: cat(node, ignored) for name, node in terminals.items()}
        self.body = {name: self._node(rules[name]) for name, node in self.whole.items() if node is not VOID}
        self._left: dict[Node, frozenset[str]] = {}
        self.firsts: dict[str, Node] = {}
        self.above: dict[str, dict[str, Node]] = {name: {} for name in self.body}
        for name, body in self.body.items():
            self.firsts[name], lefts = self._split(body, True)
            for k, node in lefts.items():
                self.above[k][name] = node
        self._below: dict[str, frozenset[str]] = {}
        self._corners: dict[tuple[str, str], Node] = {}
        self._symbols: dict[str, set[int]] = {}
        self._shortest: dict[str, int] = {}
        self._last: tuple[SpellClass, KeepWord, Grammar] | None = None

    def edges(self, name: str) -> Sequence[tuple[Node, Node]]:
        """(what to match, what remains): the non-empty strings of a rule; each label begins with a terminal."""
        below = self.below(name)
        if below == {name} and name in self.above[name]:
            return [(cat(self.firsts[name], star(self.above[name][name])), EMPTY)]
        return _factored((self.firsts[k], self.corner(k, name)) for k in sorted(below))

    def below(self, name: str) -> frozenset[str]:
        """The rules that a rule may begin with, itself included."""
        if name not in self._below:
            self._below[name] = frozenset(_reached(name, lambda k: self._begins(self.body[k])))
        return self._below[name]

    def corner(self, at: str, goal: str) -> Node:
        """What follows a string of the rule `at` in those of `goal` that begin with it; the same node each time."""
        if (at, goal) not in self._corners:
            node: Node = VOID
            if self.whole.get(goal, VOID) is not VOID and at in self.below(goal):
                node = Corner(self, at, goal, goal in self._unit(at, goal)) if self._labels(at, goal) else EMPTY
            self._corners[at, goal] = node
        return self._corners[at, goal]

    def steps(self, at: str, goal: str) -> list[tuple[Node, Node]]:
        """(what to match, what remains), of the non-empty strings of a corner."""
        return [(label, self.corner(other, goal)) for label, other in self._labels(at, goal)]

    def _labels(self, at: str, goal: str) -> list[tuple[Node, str]]:
        below = self.below(goal)
        found = [
            (self._split(label, False)[0], other)
            for k in sorted(self._unit(at, goal))
            for other, label in self.above[k].items()
            if other in below
        ]
        return [(label, other) for label, other in dict.fromkeys(found) if label is not VOID]

    def _unit(self, at: str, goal: str) -> set[str]:
        """The rules that a string of `at` may already be the whole of."""
        below = self.below(goal)
        return _reached(at, lambda k: [i for i, label in self.above[k].items() if label.nullable and i in below])

    @property
    def bounded(self) -> bool:
        """Whether the stack stays small: no rule calls itself but at its very end."""
        calls = {name: set(self._calls(name)) for name in self.body}
        families = _components({name: sorted({called for called, _ in out}) for name, out in calls.items()})
        return not any(
            not last and called in family for family in families for name in family for called, last in calls[name]
        )

    def symbols(self, name: str) -> set[int]:
        """Every byte that may occur."""
        if name not in self._symbols:
            found: set[int] = set()
            todo, seen = [name], {name}
            while todo:
                for x in inside_out(self.body[todo.pop()]):
                    if not isinstance(x, Rule):
                        found |= alphabet(x) if not isinstance(x, (Cat, Alt, Repeat)) else set()
                    elif x.name not in seen:
                        seen.add(x.name)
                        todo.append(x.name)
            self._symbols[name] = found
        return self._symbols[name]

    def shortest(self, name: str) -> int:
        """The length of the shortest non-empty string."""
        if not self._shortest:
            self._shortest = self._shortest_strings()
        return self._shortest[name]

    def substituted(self, leaf: SpellClass, keep: KeepWord) -> Grammar:
        """See `language.substitute`. The last one is remembered: every rule asks for it."""
        if self._last is None or self._last[:2] != (leaf, keep):
            terminals = {name: substitute(node, leaf, keep) for name, node in self.terminals.items()}
            self._last = (leaf, keep, Grammar(self.rules, terminals, substitute(self.ignored, leaf, keep)))
        return self._last[2]

    def _kinds(self) -> dict[str, tuple[bool, bool]]:
        """Of each rule, whether it matches the empty string, and whether it matches others."""
        kinds = dict.fromkeys(self.rules, (False, False))

        def kind(x: Expression) -> tuple[bool, bool]:
            if isinstance(x, Take):
                return False, self.terminals[x.name] is not VOID
            if isinstance(x, Call):
                return kinds[x.name]
            if isinstance(x, Times):
                nullable, proper = kind(x.body)
                return (nullable or x.low == 0), (proper and x.high != 0)
            parts = [kind(part) for part in (x.items if isinstance(x, Chain) else x.options)]
            if isinstance(x, Either):
                return any(n for n, _ in parts), any(p for _, p in parts)
            return all(n for n, _ in parts), all(n or p for n, p in parts) and any(p for _, p in parts)

        return _settled(self.rules, kinds, kind)

    def _shortest_strings(self) -> dict[str, int]:
        never = 1 << 62  # a rule that is not known yet; never more, so that numbers stay small
        sizes = dict.fromkeys(self.rules, never)  # of the shortest non-empty string
        takes = {name: shortest(node) if node is not VOID else never for name, node in self.terminals.items()}

        def size(x: Expression) -> tuple[int, int]:
            """The shortest string, the shortest that is not empty."""
            if isinstance(x, Take):
                return takes[x.name], takes[x.name]
            if isinstance(x, Call):
                return (0 if self.whole[x.name].nullable else sizes[x.name]), sizes[x.name]
            if isinstance(x, Times):
                least, proper = size(x.body)
                most = never if x.high == 0 else min(never, least * max(x.low - 1, 0) + proper)
                return min(never, least * x.low), most
            parts = [size(part) for part in (x.items if isinstance(x, Chain) else x.options)]
            if isinstance(x, Either):
                return min((a for a, _ in parts), default=never), min((b for _, b in parts), default=never)
            total = sum(a for a, _ in parts)
            return min(never, total), min((min(never, total - a + b) for a, b in parts), default=never)

        return _settled(self.rules, sizes, lambda x: size(x)[1])

    def _node(self, x: Expression) -> Node:
        if isinstance(x, Call):
            return self.whole[x.name]
        if isinstance(x, Take):
            return self._taken[x.name]
        if isinstance(x, Times):
            return repeat(self._node(x.body), x.low, x.high)
        if isinstance(x, Chain):
            return cat(*map(self._node, x.items))
        return alt(*map(self._node, x.options))

    # --------------------------------------------------------------------------------------------- left corners

    def _begins(self, node: Node) -> frozenset[str]:
        """The rules that a string of `node` may begin with, at once."""
        found = self._left.get(node)
        if found is None:
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
            found = self._left[node] = frozenset(names)
        return found

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

    def _calls(self, goal: str) -> Iterator[tuple[str, bool]]:
        """The rules that are called in a rule, but for those that it begins with; whether at its very end."""
        below = self.below(goal)
        todo = [(self.firsts[i], self.corner(i, goal) is EMPTY) for i in below]
        for k in below:
            todo += [(node, self.corner(i, goal) is EMPTY) for i, node in self.above[k].items() if i in below]
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


def _factored(pairs: Iterable[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
    """(what to match, what remains): the same strings, with what begins alike taken together."""
    tails: dict[Node, list[tuple[Node, Node]]] = {}
    for label, tail in pairs:
        for option in label.options if isinstance(label, Alt) else (label,):
            if option is not VOID:
                first, rest = (option.first, option.rest) if isinstance(option, Cat) else (option, EMPTY)
                tails.setdefault(first, []).append((rest, tail))
    return [(first, _joined(rests)) for first, rests in tails.items()]


def _joined(pairs: list[tuple[Node, Node]]) -> Node:
    """Any of the labels, each with its tail."""
    if len(pairs) == 1:
        return cat(*pairs[0])
    whole = [tail for label, tail in pairs if label is EMPTY]
    return alt(*whole, *(cat(*pair) for pair in _factored(pair for pair in pairs if pair[0] is not EMPTY)))


def _settled(
    rules: dict[str, Expression], values: dict[str, Any], value: Callable[[Expression], Any]
) -> dict[str, Any]:
    """The least solution of name = value(rule), from `values` on."""
    changed = True
    while changed:
        changed = False
        for name, x in rules.items():
            new = value(x)
            if new != values[name]:
                values[name], changed = new, True
    return values


def _either(parts: Iterable[tuple[Node, dict[str, Node]]]) -> tuple[Node, dict[str, Node]]:
    firsts: list[Node] = []
    lefts: dict[str, list[Node]] = {}
    for first, left in parts:
        firsts.append(first)
        for k, node in left.items():
            lefts.setdefault(k, []).append(node)
    return alt(*firsts), {k: alt(*found) for k, found in lefts.items()}


def _then(split: tuple[Node, dict[str, Node]], rest: Node) -> tuple[Node, dict[str, Node]]:
    return cat(split[0], rest), {k: cat(node, rest) for k, node in split[1].items()}


def _reached(start: str, edges: Callable[[str], Iterable[str]]) -> set[str]:
    met, todo = {start}, [start]
    while todo:
        for other in edges(todo.pop()):
            if other not in met:
                met.add(other)
                todo.append(other)
    return met


def _components(edges: dict[str, list[str]]) -> list[frozenset[str]]:
    """The sets of names that lead to one another (the strongly connected components that have an edge inside)."""
    order: list[str] = []  # by the end of the visit
    seen: set[str] = set()
    for root in edges:
        todo: list[tuple[str, Iterator[str]]] = [(root, iter(edges[root]))] if root not in seen else []
        seen.add(root)
        while todo:
            name, others = todo[-1]
            other = next((x for x in others if x not in seen), None)
            if other is None:
                order.append(todo.pop()[0])
            else:
                seen.add(other)
                todo.append((other, iter(edges[other])))
    back: dict[str, list[str]] = {name: [] for name in edges}
    for name, others in edges.items():
        for other in others:
            back[other].append(name)
    found: list[frozenset[str]] = []
    placed: set[str] = set()
    for root in reversed(order):
        if root in placed:
            continue
        members, stack = {root}, [root]
        placed.add(root)
        while stack:
            for other in back[stack.pop()]:
                if other not in placed:
                    placed.add(other)
                    members.add(other)
                    stack.append(other)
        if len(members) > 1 or root in edges[root]:
            found.append(frozenset(members))
    return found


# ----------------------------------------------------------------------------------------------------------- reading


class _Reader:
    """What lark makes of a grammar, as expressions."""

    def __init__(self, text: str):
        self.text = text
        try:
            loaded, _ = load_grammar(text, "<string>", [_packaged], False)
            self.ignored = list(dict.fromkeys(loaded.ignore))
            declared = [("terminal", name) for name, (tree, _) in loaded.term_defs if tree is None]
            declared += [("rule", name) for name, _, tree, _ in loaded.rule_defs if tree is None]
            for kind, name in declared:
                raise ConstraintError(f"the {kind} {name} is declared only ({self.line(name)}): it says no text")
            terminals, _, _ = LarkGrammar([], loaded.term_defs, loaded.ignore).compile([], "*")
            literals = PrepareLiterals()
            self.definitions = {name: (p, literals.transform(tree)) for name, p, tree, _ in loaded.rule_defs}
        except ConstraintError:
            raise
        except LarkError as error:
            raise ConstraintError(f"the grammar is refused by lark: {str(error).strip()}") from None
        except (AssertionError, KeyError, TypeError, ValueError) as error:  # what lark does not look after
            raise ConstraintError(f"the grammar cannot be read by lark: {type(error).__name__} {error}") from None
        self.patterns = {terminal.name: terminal.pattern for terminal in terminals}
        self.terminals: dict[str, Node] = {}
        self.rules: dict[str, Expression] = {}
        self.instances: dict[tuple[str, tuple[Expression, ...]], str] = {}
        self.todo: list[tuple[str, Any, dict[str, Expression]]] = []

    def language(self, start: str) -> Node:
        if start not in self.definitions or self.definitions[start][0]:
            raise ConstraintError(f"the grammar has no rule {start!r} to start with; its rules: {self._names()}")
        self.call(start, ())
        while self.todo:
            name, tree, arguments = self.todo.pop()
            self.rules[name] = self.expression(tree, arguments)
        ignored = star(alt(*(self.terminal(name, self.patterns[name]) for name in self.ignored)))
        return cat(ignored, Grammar(self.rules, self.terminals, ignored).whole[start])

    def call(self, name: str, arguments: tuple[Expression, ...]) -> Call:
        """A rule, or a template with its arguments, which is then a rule."""
        parameters, tree = self.definitions[name]
        if len(parameters) != len(arguments):
            raise ConstraintError(f"{name} takes {len(parameters)} arguments, and is given {len(arguments)}")
        instance = self.instances.get((name, arguments))
        if instance is None:
            instance = f"{name}{{{len(self.instances)}}}" if arguments else name
            if arguments and len(self.instances) > INSTANCES:
                raise ConstraintError(f"the template {name} ({self.line(name)}) is used with ever new arguments")
            self.instances[name, arguments] = instance
            self.todo.append((instance, tree, dict(zip(parameters, arguments, strict=True))))
        return Call(instance)

    def expression(self, tree: Any, arguments: dict[str, Expression]) -> Expression:
        if not hasattr(tree, "data"):  # a symbol
            if tree.name in arguments:
                return arguments[tree.name]
            return self.take(tree.name, self.patterns.get(tree.name)) if tree.is_term else self.call(tree.name, ())
        kind, children = str(tree.data), tree.children
        if kind == "pattern":
            return self.take(children[0].raw or children[0].value, children[0])
        if kind == "template_usage":
            passed = arguments.get(children[0].name)
            name = passed.name if isinstance(passed, Call) else children[0].name
            return self.call(name, tuple(self.argument(child, arguments) for child in children[1:]))
        if kind == "expr":
            body, sign = self.expression(children[0], arguments), str(children[1])
            low, high = _COUNTS[sign] if sign != "~" else (int(children[2]), int(children[-1]))
            if low < 0 or (high is not None and high < low):
                raise ConstraintError(f"the grammar repeats something {low} to {high} times")
            return Times(body, low, high)
        if kind == "maybe":
            return Times(self.expression(children[0], arguments), 0, 1)
        if kind == "expansion":
            return Chain(tuple(self.expression(child, arguments) for child in children))
        if kind == "expansions":
            return Either(tuple(self.expression(child, arguments) for child in children))
        assert kind in ("alias", "value"), kind
        return self.expression(children[0], arguments)

    def argument(self, tree: Any, arguments: dict[str, Expression]) -> Expression:
        """The same, of what is given to a template, which may be the name of another."""
        name = getattr(tree.children[0], "name", None)
        if name is not None and name not in arguments and self.definitions.get(name, ((), None))[0]:
            return Call(str(name))
        return self.expression(tree, arguments)

    def take(self, name: str, pattern: Any) -> Take:
        self.terminal(name, pattern)
        return Take(name)

    def terminal(self, name: str, pattern: Any) -> Node:
        """A terminal's language, as bytes."""
        if name not in self.terminals:
            try:
                if pattern.type == "str" and not pattern.flags:
                    self.terminals[name] = literal(pattern.value.encode())
                else:
                    self.terminals[name] = utf8(preferred(pattern.to_regexp()))
            except UnicodeEncodeError:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}) has a lone surrogate") from None
            except ConstraintError as error:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}): {error}") from None
            if self.terminals[name].nullable:
                raise ConstraintError(f"the terminal {name} ({self.line(name)}) matches the empty string")
        return self.terminals[name]

    def line(self, name: str) -> str:
        """Where a name is defined, or imported, or a literal first stands."""
        words = rf"(?<!\w){re.escape(name)}(?!\w)"
        for place in (rf"^[ \t]*(?:%(?:override|extend)[ \t]+)?[?!]*{words}[^:\n]*:", rf"^.*%\w.*{words}", words):
            found = re.search(place, self.text, re.M)
            if found:
                return f"line {1 + self.text.count(chr(10), 0, found.start())}"
        if name.startswith("__IGNORE_"):
            number = int(name.removeprefix("__IGNORE_"))
            found = [m.start() for m in re.finditer(r"%ignore\b", self.text)][number:]
            return f"line {1 + self.text.count(chr(10), 0, *found[:1])}" if found else "imported"
        return "imported"

    def _names(self) -> str:
        return ", ".join(name for name, (parameters, _) in self.definitions.items() if not parameters) or "none"


def _packaged(base: Any, path: str) -> tuple[Any, str]:
    """The text of a grammar that comes with lark. No others are imported: a constraint is its own text.

    Raises:
        ConstraintError: it is another.
    """
    if isinstance(base, str):
        raise ConstraintError(f"the grammar imports {path!r}: only grammars that come with lark can be imported")
    try:
        return stdlib_loader(base, path)
    except OSError:
        raise ConstraintError(f"the grammar imports {path!r}: no such grammar comes with lark") from None


# --------------------------------------------------------------------------------------------------------- terminals

# Lark's own idea of an escaped string, by a lookbehind, and what it means: pairs of a backslash and what it escapes.
_ESCAPED, _PAIRS = r'".*?(?<!\\)(\\\\)*?"', r'"(?:[^\\\n]|\\.)*?"'


def preferred(source: str) -> Node:
    """The texts s, as code points, of which `re.match(source, s)` takes all; `fullmatch` might take more.

    Nothing in a pattern looks ahead, so that which of two matches `re` prefers does not depend on what follows them.
    The characters that may come next are followed in the order in which `re` would try them; once the pattern has
    matched, what comes later in this order has lost. (Pike's machine; RE2's leftmost-first automaton.)

    Raises:
        ConstraintError: it is no regular expression, uses something that is not supported, or is too large.
    """
    source = source.replace(_ESCAPED, _PAIRS)
    node = parse(source)
    tree = syntax_tree(source)
    if node is VOID or _Program(source, tree, sketch=True).longest():
        return node
    return _Program(source, tree, sketch=False).language()


class _Program:
    """The instructions of a pattern: take a character and go on at `after`; or go on at any of `after`, best first.

    In a sketch, what is repeated twice or more is repeated without bound.
    """

    def __init__(self, source: str, tree: SyntaxTree, sketch: bool):
        self.reader, self.sketch = PatternReader(source, False), sketch
        self.classes: list[Ranges | None] = []
        self.after: list[tuple[int, ...]] = []
        self.numbers = count()
        self.loops: dict[int, tuple[int, int]] = {}  # for an instruction that begins a round: which loop, and its exit
        self.end = self.add(None, ())
        self.start = self.sequence(tree.items, tree.flags, self.end)

    def add(self, ranges: Ranges | None, after: tuple[int, ...]) -> int:
        if len(self.after) >= PROGRAM:
            raise self.reader.refuse("is too large to say which of its matches `re` prefers")
        self.classes.append(ranges)
        self.after.append(after)
        return len(self.after) - 1

    def sequence(self, items: Any, flags: int, after: int) -> int:
        for op, value in reversed(items):
            after = self.item(op, value, flags, after)
        return after

    def item(self, op: Any, value: Any, flags: int, after: int) -> int:
        if op is sre.AT:
            raise self.reader.refuse("has an anchor: a terminal may begin and end anywhere")
        if op is sre.BRANCH:
            return self.add(None, tuple(self.sequence(branch, flags, after) for branch in value[1]))
        if op is sre.SUBPATTERN:
            _, added, removed, inside = value
            return self.sequence(inside, (flags | added) & ~removed, after)
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
        found: dict[int, None] = {}
        none: frozenset[int] = frozenset()
        todo = [(i, none) for i in starts][::-1]  # and the loops that were entered since the last character
        seen: set[tuple[int, frozenset[int]]] = set()
        while todo:
            i, inside = step = todo.pop()
            if step in seen:
                continue
            seen.add(step)
            if self.classes[i] is not None or i == self.end:
                found.setdefault(i)
            elif i not in self.loops:
                todo += [(j, inside) for j in reversed(self.after[i])]
            else:
                loop, leave = self.loops[i]
                after = (leave,) if loop in inside else self.after[i]  # `re` leaves after a round that took nothing
                todo += [(j, inside - {loop} if j == leave else inside | {loop}) for j in reversed(after)]
        return list(found)

    def longest(self) -> bool:
        """Whether there is always one way to go on only, and it is preferred to the end: then `re` takes all it can."""
        for starts in [
            (self.start,),
            *(after for ranges, after in zip(self.classes, self.after, strict=True) if ranges),
        ]:
            found = self.reach(starts)
            if self.end in found[:-1]:
                return False
            top = -1
            for low, high in sorted(r for i in found for r in self.classes[i] or ()):
                if low <= top:
                    return False
                top = high
        return True

    def language(self) -> Node:
        blocks = self.blocks()
        states: dict[tuple[int, ...], int] = {}
        order: list[tuple[int, ...]] = []

        def number(starts: Iterable[int]) -> int:
            found = self.reach(starts)
            state = tuple(found[: found.index(self.end) + 1] if self.end in found else found)
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
        found: dict[int, list[tuple[int, int]]] = {}
        points, inside = sorted(turns), 0
        for low, stop in pairwise(points):
            inside ^= turns[low]
            if inside:
                found.setdefault(inside, []).append((low, stop - 1))
        sets = list(takers.values())
        return [
            (union(tuple(parts)), set().union(*(s for bit, s in enumerate(sets) if mask >> bit & 1)))
            for mask, parts in found.items()
        ]
