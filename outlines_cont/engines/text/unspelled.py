"""Why a tokenizer cannot spell a text: which characters of it, as they are normalized, and what is missing."""

from __future__ import annotations

from outlines_cont.engines.text.tokenizer_copies import TokenizerCopies
from outlines_cont.fsm.tokenizer_parts import encoded
from outlines_cont.fsm.vocabulary import Vocabulary


def unspelled(text: str, part: str, copies: TokenizerCopies, vocabulary: Vocabulary) -> str:
    """What cannot be spelled of a text, and why. `part`: where in it that is."""

    def spells(piece: str) -> bool:
        encoding = encoded(copies.exact, piece)
        return encoding is not None and vocabulary.decode(encoding.ids) == piece.encode()

    written = copies.rules.written(part)
    characters = "".join(character for character in dict.fromkeys(written) if not spells(character))
    words = " ".join(word for word in written.split() if not spells(word))  # each of its characters may be there
    normalized = "" if copies.rules.keeps(part) else f" (normalized: {written!r})"
    missing = sorted({byte for byte in characters.encode() if byte not in vocabulary.single_bytes})
    lacking = "no bytes to fall back on"
    if missing and max(vocabulary.single_bytes, default=0) >= 0x80:
        lacking = f"none for {', '.join(f'byte 0x{byte:02X}' for byte in missing)}"
    return (
        f"cannot spell {characters or words or written!r} in {text!r}{normalized}: its vocabulary has no token for it "
        f"and {lacking}"
    )
