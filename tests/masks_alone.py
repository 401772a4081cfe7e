"""Masks where torch is not installed, as a server makes them: `python tests/masks_alone.py [--install FOLDER]`.

With `--install` it makes an environment in the folder, installs the packages of `PACKAGES` there and a wheel of this
checkout without its dependencies (`LINE`), and runs itself in it. `.ci/nightly masks` does that; `test_elsewhere.py`
runs it where no other package can be imported.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What masks need, as they are imported. (`regex` knows the properties of Unicode in patterns of schemas.)
PACKAGES = ("outlines_cont", "numpy", "llvmlite", "lark", "interegular", "regex")
LINE = f"pip install --no-deps outlines_cont && pip install {' '.join(PACKAGES[1:])}"


def main() -> None:
    import interegular

    from outlines_cont.fsm import guide
    from outlines_cont.fsm.vocabulary import Vocabulary

    v = Vocabulary([bytes([byte]) for byte in range(256)] + [b"<eos>"], eos=[256])
    person = {"type": "object", "properties": {"name": {"type": "string", "pattern": r"^\p{Lu}"}}, "required": ["name"]}
    texts = {
        "42": guide.regex("[0-9]+", v),
        "red": guide.choice(["red", "blue"], v),
        '{"name":"Äa"}': guide.json_schema(person, v),
        "((x))": guide.grammar('start: "(" start ")" | "x"', v),
        "ab": guide.fsm(interegular.parse_pattern("[ab]+").to_fsm(), v),
    }
    for text, g in texts.items():
        state = g.initial
        for byte in text.encode():
            assert g.mask(state)[byte // 32] >> byte % 32 & 1, (text, byte)
            assert not g.mask(state)[0] & 1, text  # a byte that none of them has
            state = g.advance(state, byte)
        assert g.accepting(state) and g.mask(state)[8] & 1, text
    assert not {"torch", "transformers"} & sys.modules.keys()
    print(f"{len(texts)} guides made masks, without torch")


def install(folder: Path) -> None:
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    for wanted in (["--no-deps", str(ROOT)], list(PACKAGES[1:])):
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
    subprocess.run([python, Path(__file__).resolve()], cwd=folder, check=True)


if __name__ == "__main__":
    install(Path(sys.argv[2])) if sys.argv[1:2] == ["--install"] else main()
