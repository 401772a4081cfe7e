"""The words that options take, as types for editors. What each one means stands where it is an option."""

from __future__ import annotations

from typing import Literal

from outlines_cont.decode.canonical import Seam as Seam

Stop = Literal["elsewhere", "eos"]
Forced = Literal["canonical", "never"]
By = Literal["token", "sequence"]
Order = Literal["schema", "any"]
Extra = Literal["forbid", "schema"]
FormatCheck = Literal["assert", "annotate"]
Numbers = Literal["python", "json"]
Syntax = Literal["lark", "gbnf"]
Pace = Literal["branch", "token"]
#: Or a pattern of JSON whitespace.
Whitespace = Literal["compact", "flexible"] | str
