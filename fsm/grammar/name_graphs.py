"""Walks along names that lead to names: the rules of a grammar and what they call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


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
