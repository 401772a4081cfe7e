"""How many bytes a state of an automaton needs at least to come to an end: what leads the search for endings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from . import layout
from .automaton import Automaton

FAR = 1 << 30  # instead of a number: no end is known, or it is too far away


class LeastBytes:
    """For each state, the sum over the nodes on its stack of what they say of their lengths. It may be too little."""

    def __init__(self, automaton: Automaton):
        self._automaton = automaton
        self._of_nodes: dict[int, int] = {layout.END: 0}
        self._of_terms: dict[int, int] = {layout.END: 0}
        self._of_states: dict[int, int] = {}

    def of(self, state: int) -> int:
        bound = self._of_states.get(state)
        if bound is None:
            afters = self._automaton._afters(state)
            ends = not afters or self._automaton.accepting(state)
            bound = self._of_states[state] = 0 if ends else 1 + min(map(self._of_term, afters))
        return bound

    def _of_term(self, term: int) -> int:
        return self._automaton.folded(term, self._of_terms, lambda node, least: min(FAR, least + self._of_node(node)))

    def _of_node(self, number: int) -> int:
        todo = [number]
        while todo:
            node = todo[-1]
            if node in self._of_nodes:
                todo.pop()
                continue
            parts, bound = self._read(node)
            lacking = [part for part in parts if part not in self._of_nodes]
            if lacking:
                todo += lacking
            else:
                self._of_nodes[node] = min(FAR, bound([self._of_nodes[part] for part in parts]))
        return self._of_nodes[number]

    def _read(self, number: int) -> tuple[list[int], Callable[[Sequence[int]], int]]:
        """The nodes that a node is made of, and what gives its bound from theirs."""
        automaton = self._automaton
        kind, a, b, c, d, nullable, _, _ = automaton._table(layout.NODES)[number].tolist()
        if kind == layout.CAT:
            return [a, b], sum
        if kind == layout.ALT:
            return automaton._table(layout.HEAP)[a : a + b].tolist(), min
        if kind == layout.REPEAT:
            return [a], lambda bounds: b * bounds[0]
        if kind == layout.WORDS:
            shortest = int(np.diff(automaton._table(layout.HEAP)[a + b : a + c + 1]).min()) - d
            return [], lambda _: shortest
        node = automaton.branches(number) if kind == layout.BRANCHES else automaton.lazy_node(number)
        try:
            least = 0 if nullable else 1 if node is None else max(1, node.lengths()[0])
        except RecursionError:  # what is nested so deeply takes at least a byte
            least = 1
        return [], lambda _: least
