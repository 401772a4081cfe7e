"""Compile the engine of constraints: `fsm/engine/program/` → `fsm/engine/engine.ll`, in LLVM's language.

    python tools/engine/build.py                    after every change of the program or the layout
    python tools/engine/build.py --checked FILE     an engine that checks every index: an error instead of a wrong read

numba turns each part into LLVM's language as it stands; then all parts are optimised together, once. (numba by itself
optimises each part with all that it calls, and again in whatever calls it: three times the work, for code that walks
1.7 times slower.) What comes out is for no processor in particular: `native.py` makes machine code of it, for the one
that is there. At run time numba is not needed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "fsm" / "engine"
SHIPPED = ENGINE / "engine.ll"
PACKAGE = "outlines_cont.fsm.engine.program"
#: The entries, with the kinds of their arguments: n, a number; b, a buffer, of which the part gets the address.
ENTRIES = {
    "entry.serve": "nnnn",
    "entry.advance": "nnnn",
    "bits.set_bits": "bnbn",
    "bits.keep_allowed": "nnnnnnnn",
    "bits.mark_around": "bnbnbb",
    "bits.weigh": "bbnbb",
    "bits.characters": "bnbbn",
}
BUFFER = 80  # bytes of a Py_buffer; it begins with the address


def source_hash() -> str:
    """Of all that the engine is made from."""
    files = [ENGINE / "layout.py", *sorted((ENGINE / "program").glob("*.py")), Path(__file__)]
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:32]


def built(checked: bool = False) -> str:
    """The engine, in LLVM's language. checked: every index is compared with the room of its table."""
    # numba is to write its code down as it is; it reads these when it is imported.
    os.environ |= {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    os.environ["NUMBA_BOUNDSCHECK"] = "1" if checked else "0"
    import llvmlite.binding as llvm
    import numba

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    whole: Any = None
    inside: dict[str, str] = {}
    for name, kinds in ENTRIES.items():
        module, function = name.split(".")
        entry = getattr(__import__(f"{PACKAGE}.{module}", fromlist=[function]), function)
        entry.compile((numba.types.int64,) * len(kinds))
        (overload,) = entry.overloads.values()
        inside[name] = overload.fndesc.llvm_func_name
        part = llvm.parse_assembly(str(overload.library._final_module))
        whole = part if whole is None else whole
        if part is not whole:
            whole.link_in(part)
    text = _without_numba(str(whole), inside) + "".join(_for_python(name, kinds) for name, kinds in ENTRIES.items())
    text += _PYTHON
    text = _optimised(text)
    if left := sorted(set(re.findall(r"^declare[^@]*@((?!llvm\.|Py)[\w.$]+)", text, re.M))):
        raise SystemExit(f"the engine needs what only numba has: {', '.join(left)}")
    head = f"; source {source_hash()}{' checked' if checked else ''}\n"
    return f"{head}; Made by tools/engine/build.py with numba {numba.__version__}. Do not edit.\n{text}"


def _without_numba(text: str, inside: dict[str, str]) -> str:
    """Short names for the parts, and nothing but them seen from outside the module is kept."""
    seen: dict[str, str] = {}
    counts: dict[str, int] = {}
    prefix = "_ZN" + "".join(f"{len(name)}{name}" for name in PACKAGE.split("."))

    def short(match: re.Match[str]) -> str:
        mangled = match.group(0)
        if mangled not in seen:
            module, function = _words(mangled[len(prefix) :])
            base = f"{module}.{function}"
            counts[base] = counts.get(base, 0) + 1
            seen[mangled] = base if counts[base] == 1 else f"{base}.{counts[base]}"
        return seen[mangled]

    for mangled in inside.values():  # first of their names
        short(re.match(r".*", mangled))  # type: ignore[arg-type]
    return re.sub(re.escape(prefix) + r"\w+", short, text)


def _words(mangled: str) -> list[str]:
    """Names with their lengths before them, two of them."""
    words = []
    for _ in range(2):
        length = re.match(r"\d+", mangled)
        assert length is not None
        end = length.end() + int(length.group())
        words.append(mangled[length.end() : end])
        mangled = mangled[end:]
    return words


def _for_python(name: str, kinds: str) -> str:
    """An entry as CPython calls it: `PyObject *(self, PyObject *const *args, Py_ssize_t n)`, METH_FASTCALL."""
    short, lines = name.split(".")[1], []
    count = len(kinds)
    lines.append(f"define ptr @python.{short}(ptr %self, ptr %args, i64 %n) {{")
    lines += ["  %result = alloca i64", "  %raised = alloca ptr"]
    for i, kind in enumerate(kinds):
        if kind == "b":
            lines += [f"  %view{i} = alloca [{BUFFER} x i8], align 8"]
            lines += [f"  call void @llvm.memset.p0.i64(ptr %view{i}, i8 0, i64 {BUFFER}, i1 false)"]
    lines += [f"  %enough = icmp eq i64 %n, {count}", "  br i1 %enough, label %take0, label %count"]
    for i, kind in enumerate(kinds):
        after = f"take{i + 1}" if i + 1 < count else "run"
        lines += [f"take{i}:", f"  %place{i} = getelementptr ptr, ptr %args, i64 {i}"]
        lines += [f"  %object{i} = load ptr, ptr %place{i}"]
        if kind == "n":
            lines += [f"  %x{i} = call i64 @PyLong_AsLongLong(ptr %object{i})"]
            lines += [f"  %odd{i} = icmp eq i64 %x{i}, -1", f"  br i1 %odd{i}, label %ask{i}, label %{after}"]
            lines += [
                f"ask{i}:",
                f"  %error{i} = call ptr @PyErr_Occurred()",
                f"  %fine{i} = icmp eq ptr %error{i}, null",
            ]
            lines += [f"  br i1 %fine{i}, label %{after}, label %fail"]
        else:
            lines += [f"  %got{i} = call i32 @PyObject_GetBuffer(ptr %object{i}, ptr %view{i}, i32 0)"]
            lines += [f"  %fine{i} = icmp eq i32 %got{i}, 0", f"  br i1 %fine{i}, label %seen{i}, label %fail"]
            lines += [f"seen{i}:", f"  %x{i} = load i64, ptr %view{i}", f"  br label %{after}"]
    release = [f"  call void @PyBuffer_Release(ptr %view{i})" for i, kind in enumerate(kinds) if kind == "b"]
    given = "".join(f", i64 %x{i}" for i in range(count))
    lines += ["run:", f"  %status = call i32 @{name}(ptr %result, ptr %raised{given})", *release]
    lines += ["  %done = icmp eq i32 %status, 0", "  br i1 %done, label %give, label %outside"]
    lines += ["give:", "  %number = load i64, ptr %result", "  %object = call ptr @PyLong_FromLongLong(i64 %number)"]
    lines += ["  ret ptr %object"]
    lines += ["outside:", "  %kind = load ptr, ptr @PyExc_IndexError"]
    lines += ["  call void @PyErr_SetString(ptr %kind, ptr @python.outside)", "  ret ptr null"]
    lines += ["count:", "  %bad = call i32 @PyErr_BadArgument()", "  ret ptr null"]
    lines += ["fail:", *release, "  ret ptr null", "}", ""]
    return "\n".join(lines)


_OUTSIDE = "an index of the engine lies outside its table"
_PYTHON = f"""
@python.outside = private constant [{len(_OUTSIDE) + 1} x i8] c"{_OUTSIDE}\\00"
@PyExc_IndexError = external global ptr
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyErr_Occurred()
declare i32 @PyErr_BadArgument()
declare void @PyErr_SetString(ptr, ptr)
declare i32 @PyObject_GetBuffer(ptr, ptr, i32)
declare void @PyBuffer_Release(ptr)
"""


def _optimised(text: str) -> str:
    """All parts optimised together; then what says for which machine that was is taken away."""
    import llvmlite.binding as llvm

    if "@llvm.memset.p0.i64" not in re.sub(r"call[^\n]*", "", text):
        text += "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    module = llvm.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration and not function.name.startswith("python."):
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    # With vectors of 32 bytes. A processor that has none takes them in two halves; one that has would not join halves.
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu="x86-64", opt=3)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return _plain(str(module))


def _plain(text: str) -> str:
    """Without what only later versions of LLVM can read: attributes and flags, which helped to optimise."""
    text = re.sub(r"^(target |; |source_filename|attributes #).*\n", "", text, flags=re.M)
    text = re.sub(r"^.*@llvm\.lifetime\..*\n", "", text, flags=re.M)
    text = re.sub(
        r" (captures\([^)]*\)|range\(i\d+ -?\d+, -?\d+\)|dead_on_return|initializes\([^)]*\)+|#\d+)(?=[ ,){\n])",
        "",
        text,
    )
    text = re.sub(r"\b(icmp) samesign\b", r"\1", text)
    text = re.sub(r"\b(trunc|getelementptr)((?: inbounds)?)(?: nusw)?(?: nuw)?(?: nsw)?\b", r"\1\2", text)
    text = re.sub(r"\b(or) disjoint\b", r"\1", text)
    text = re.sub(r"\b(zext|uitofp) nneg\b", r"\1", text)
    return "\n".join(map(_spelled_out, text.split("\n")))


def _spelled_out(line: str) -> str:
    """With vectors whose elements are all the same written element by element."""
    while match := re.search(r"\bsplat \((\w+) (-?\w+)\)", line):
        kind, value = match.groups()
        counts = re.findall(rf"<(\d+) x {kind}>", line[: match.start()])
        elements = ", ".join([f"{kind} {value}"] * int(counts[-1]))
        line = f"{line[: match.start()]}<{elements}>{line[match.end() :]}"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--checked", metavar="FILE", help="write an engine that checks every index to this file")
    options = parser.parse_args()
    path = Path(options.checked) if options.checked else SHIPPED
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(built(bool(options.checked)), encoding="utf-8")
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
