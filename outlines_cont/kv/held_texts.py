"""What the tokens were that followed some others in the rows that a KV tree holds."""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

from outlines_cont.kv.radix_tree import Tree, TreeNode

MOST_PLACES = 1 << 16  # noted at a time; then the notes are begun anew
_OF_TREES: WeakKeyDictionary[Tree, dict[int, HeldTexts]] = WeakKeyDictionary()


def held_texts(tree: Tree, n: int) -> HeldTexts:
    """The notes of a tree, which all generations share: what one of them has looked at, no other looks at again."""
    return _OF_TREES.setdefault(tree, {}).setdefault(n, HeldTexts(n))


class HeldTexts:
    """Where each gram of n tokens stands in a tree. It holds no keys and values: what the tree frees is gone here."""

    def __init__(self, n: int):
        self.n = n
        self._sizes: WeakKeyDictionary[TreeNode, int] = WeakKeyDictionary()  # how much of each run was looked at
        self._places: dict[tuple[int, ...], tuple[ref[TreeNode], int]] = {}  # after so many tokens of a node's run

    def look(self, tree: Tree) -> None:
        """Note what the tree holds that was not there before."""
        with tree.lock:
            for node in tree.live_nodes():
                size = min(self._sizes.get(node, 0), len(node.ids))
                if size < len(node.ids):
                    self._note(node, size)
                    self._sizes[node] = len(node.ids)

    def _note(self, node: TreeNode, size: int) -> None:
        """Note the grams of a node that end after more than `size` tokens of its run."""
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        n, here, head = self.n, ref(node), _before(node, self.n - 1)
        ids, before = [*head, *node.ids], len(head)
        for end in range(max(size + 1, n - before), len(node.ids) + 1):
            self._places[tuple(ids[end + before - n : end + before])] = here, end

    def after(self, gram: tuple[int, ...], count: int) -> tuple[int, ...]:
        """The tokens that follow a gram of n tokens in a run of the tree, so many at most; empty if it holds none."""
        place = self._places.get(gram)
        if place is None:
            return ()
        node, end = place[0](), place[1]
        size = min(end, self.n)
        if node is None or tuple(node.ids[end - size : end]) != gram[-size:]:  # freed, or written anew
            self._places.pop(gram, None)
            return ()
        return tuple(node.ids[end : end + count])


def _before(node: TreeNode, count: int) -> list[int]:
    """The last tokens before a node's run, so many at most."""
    ids: list[int] = []
    while node.base is not None and len(ids) < count:
        node, size = node.base.point
        ids = [*node.ids[max(0, size - count + len(ids)) : size], *ids]
    return ids
