"""The part of a language that the tokens of a vocabulary can spell."""

from __future__ import annotations

from outlines_cont.errors import ConstraintError

from .engine.trie import Trie
from .language.lengths import AtMost
from .language.nodes import VOID, Node, inside_out
from .language.substitution import restrict
from .language.terms import alphabet


def spellable_part(language: Node, trie: Trie, name: str) -> tuple[Node, bool]:
    """The strings of a language that have no byte which no token has; and whether from each state of their automaton
    tokens can surely spell a way to an end.

    Raises:
        ConstraintError: there is no such string.
    """
    if len(trie.singles) == 256:
        return language, True
    spellable, symbols = language, alphabet(language)
    if not symbols <= trie.symbols:
        spellable = restrict(language, set(trie.symbols))
        if spellable is VOID:
            raise _unspellable(name, language, trie.symbols)
        symbols = alphabet(spellable)
    # `restrict` leaves no dead ends, except in languages whose lengths are bounded.
    trimmed = spellable is language or not any(isinstance(node, AtMost) for node in inside_out(spellable))
    return spellable, trimmed and symbols <= trie.singles


def _unspellable(name: str, language: Node, spelled: frozenset[int]) -> ConstraintError:
    """Name bytes that no token has and that the language needs: all of them, or else one of them."""
    everything = set(range(256))
    missing = sorted(alphabet(language) - spelled)
    needed = [byte for byte in missing if restrict(language, everything - {byte}) is VOID]
    if not needed:
        needed = missing
        for byte in reversed(missing):
            if restrict(language, everything - ({*needed} - {byte})) is VOID:
                needed.remove(byte)
    shown = [repr(chr(byte)) if 32 <= byte < 127 else f"byte 0x{byte:02X}" for byte in needed]
    listed = ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")
    return ConstraintError(f"{name} cannot be spelled with this vocabulary: no token has {listed}")
