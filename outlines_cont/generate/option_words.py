"""The words that options take, as types for editors. What each one means stands where it is an option."""

from __future__ import annotations

from typing import Literal

Stop = Literal["elsewhere", "eos"]
Forced = Literal["canonical", "never"]
Seam = Literal["keep", "heal"]
By = Literal["token", "sequence"]
Order = Literal["schema", "any"]
Extra = Literal["forbid", "schema"]
FormatCheck = Literal["assert", "annotate"]
Numbers = Literal["python", "json"]
Syntax = Literal["lark", "gbnf"]
Pace = Literal["branch", "token"]
#: Or a pattern of JSON whitespace.
Whitespace = Literal["compact", "flexible"] | str
