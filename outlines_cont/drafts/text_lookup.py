"""Drafts that copy what followed the same tokens elsewhere: in given texts, in the row, in the KV tree."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.radix_tree import Tree, TreeNode

if TYPE_CHECKING:
    from outlines_cont.drafts.protocol import DraftRow

Ids = tuple[int, ...]
WIDTH = array("i").itemsize
AGREEING = 3  # tokens that have to agree with what the KV tree holds
LOOKED = 8  # passes after which it is looked at again


@dataclass(frozen=True)
class Lookup:
    """Proposes what followed the last tokens of a row; see `lookup`."""

    texts: tuple[str | Ids, ...]
    k: int
    n: int
    _indices: WeakKeyDictionary[Vocabulary, list[bytes]] = field(
        init=False, repr=False, compare=False, default_factory=WeakKeyDictionary
    )

    def begin(self, model: LanguageModel) -> LookupDraft:
        """The draft of one generation of a model. ValueError: token ids that the model does not have."""
        texts = self._indices.get(model.vocabulary)
        if texts is None:
            ids = [tuple(model.encoder.append(text)) if isinstance(text, str) else text for text in self.texts]
            _check(ids, model.vocabulary)
            texts = self._indices[model.vocabulary] = [packed(each) for each in ids]
        return LookupDraft(texts, self.k, self.n, model)

    def __reduce__(self) -> Any:
        return Lookup, (self.texts, self.k, self.n)


def _check(texts: Sequence[Ids], vocabulary: Vocabulary) -> None:
    outside = sorted({token for ids in texts for token in ids if not 0 <= token < len(vocabulary)})
    if outside:
        raise ValueError(
            f"lookup(texts): the token ids {outside[:5]} lie outside the model's vocabulary of {len(vocabulary)} tokens"
        )


class LookupDraft:
    """What `Lookup` proposes in one generation. Other rows are found in the KV tree, by one search for all of them."""

    def __init__(self, texts: list[bytes], k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._texts, self._model, self._agreeing = texts, model, min(n, AGREEING)
        self._held: HeldTexts | None = None
        self._passes = 0

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        tree = getattr(self._model, "tree", None)
        if tree is not None and self._passes % LOOKED == 0 and getattr(self._model, "keeps", True):
            self._held = held_texts(tree, self._agreeing)
            self._held.look(tree)
        self._passes += 1
        return [[ids] if (ids := self.after(row.ids)) else [] for row in rows]

    def after(self, ids: Ids) -> Ids:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too; more of it, the more
        tokens agree."""
        row = packed(ids)
        for size in range(min(self.n, len(ids)), 0, -1):
            gram, count = row[-size * WIDTH :], min(self.k, size * (size + 1))
            for text in self._texts:
                if place := last_end(text, gram, len(text) // WIDTH - 1):
                    return tuple(array("i", text[place * WIDTH : (place + count) * WIDTH]))
            if place := last_end(row, gram, len(ids) - 1):
                return copied_on(ids, place, count)
            if self._held and size == self._agreeing and (held := self._held.after(ids[-size:], count)):
                return held
        return ()


def packed(ids: Sequence[int]) -> bytes:
    """Token ids as bytes, which are searched faster."""
    return array("i", ids).tobytes()


def last_end(text: bytes, gram: bytes, most: int) -> int:
    """After how many tokens of a text, `most` at most, a gram ends for the last time; 0: it does not.

    >>> from outlines_cont.drafts.text_lookup import last_end, packed
    >>> last_end(packed([5, 6, 7, 5, 6, 8]), packed([5, 6]), 6), last_end(packed([5, 6, 7, 5]), packed([5]), 3)
    (5, 1)
    """
    place = text.rfind(gram, 0, most * WIDTH)
    while place % WIDTH and place > 0:
        place = text.rfind(gram, 0, place + len(gram) - 1)
    return 0 if place < 0 or place % WIDTH else (place + len(gram)) // WIDTH


def copied_on(ids: Ids, end: int, count: int) -> Ids:
    """The next `count` tokens of a row that copies itself from a depth on: it may go on into what it has just copied.

    >>> from outlines_cont.drafts.text_lookup import copied_on
    >>> copied_on((7, 5, 6), 1, 5)
    (5, 6, 5, 6, 5)
    """
    period = ids[end : end + count]
    return (period * (count // len(period) + 1))[:count]


# --- what the tokens were that followed some others in the rows that a KV tree holds

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
