"""The compiled engine, in the processor's own language.

`engine.ll` is the engine in LLVM's language, made from `program/` by `tools/engine/build.py`. It is for no processor in
particular. llvmlite makes machine code of it when the first constraint comes, in 0.3 s. The code is kept on disk, for
this processor and this llvmlite (`disk_cache.py`), so that other processes only load it. Each entry is a builtin
function of Python, which takes 0.05 µs to call.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from outlines_cont import disk_cache
from outlines_cont.processes import whole_at_fork
from outlines_cont.waiting import told

SHIPPED = Path(__file__).with_name("engine.ll")
VARIABLE = "OUTLINES_CONT_ENGINE"  # the path of another engine, such as one that checks every index
_FASTCALL = 0x0080  # METH_FASTCALL: called with an array of its arguments, and their number


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class CompiledEngine:
    """An engine in LLVM's language, as functions. All take ints, or buffers; all give ints.

    Args:
        path: of its text.

    Attributes:
        serve: (address of a memory, request, x, y) → answer: see `program/entry.py`.
        advance: (address of a memory, state, token, sure) → state: see there, too.
        set_bits, keep_allowed, mark_around, weigh, characters: see `program/bits.py`.

    Raises:
        ImportError: llvmlite is missing, or cannot be loaded.
        RuntimeError: the machine is not one that the engine is made for.
    """

    def __init__(self, path: Path = SHIPPED):
        if struct.calcsize("P") != 8 or sys.byteorder != "little":
            raise RuntimeError("constraints need a processor of 64 bits, little-endian")
        try:
            import llvmlite
            import llvmlite.binding as llvm
        except (ImportError, OSError) as error:
            raise ImportError(f"constraints are compiled by llvmlite, which cannot be loaded: {error}") from error
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # (found by name where the executable shows its symbols; said here, it is so everywhere)
        for name in (
            *("PyLong_AsLongLong", "PyLong_FromLongLong", "PyErr_Occurred", "PyErr_BadArgument", "PyErr_SetString"),
            *("PyObject_GetBuffer", "PyBuffer_Release", "PyExc_IndexError"),
        ):
            llvm.add_symbol(name, _address_of(name))
        target, features = llvm.Target.from_default_triple(), llvm.get_host_cpu_features().flatten()
        cpu, versions = llvm.get_host_cpu_name(), (llvmlite.__version__, llvm.llvm_version_info)
        machine = target.create_target_machine(cpu=cpu, features=features, opt=3, jit=True)

        def compiled() -> dict[str, np.ndarray]:
            module = llvm.parse_assembly(path.read_text(encoding="utf-8"))
            return {"object": np.frombuffer(machine.emit_object(module), np.uint8)}

        key = repr((target.triple, cpu, features, versions))
        code = disk_cache.kept("engine", key, compiled, [path, __file__])["object"].tobytes()
        self._code = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._code.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._code.finalize_object()
        self.serve: Callable[[int, int, int, int], int] = self._function("serve")
        self.advance: Callable[[int, int, int, int], int] = self._function("advance")
        self.set_bits: Callable[..., int] = self._function("set_bits")
        self.keep_allowed: Callable[..., int] = self._function("keep_allowed")
        self.mark_around: Callable[..., int] = self._function("mark_around")
        self.weigh: Callable[..., int] = self._function("weigh")
        self.characters: Callable[..., int] = self._function("characters")

    def _function(self, name: str) -> Any:
        definition = _MethodDef(name.encode(), self._code.get_function_address(f"python.{name}"), _FASTCALL, None)
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        # The second, the function's `self`, is what must live as long as the function does.
        return make(ctypes.addressof(definition), (self._code, definition), None)


def _address_of(name: str) -> int:
    if name.startswith("PyExc_"):
        return ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.pythonapi, name))
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


_making = whole_at_fork(threading.Lock())
_engine: list[CompiledEngine] = []


def engine() -> CompiledEngine:
    """The engine of this process, made when it is first asked for."""
    if not _engine:
        with _making:
            if not _engine:
                with told("compiling the machine of constraints"):
                    _engine.append(CompiledEngine(Path(os.environ.get(VARIABLE) or SHIPPED)))
    return _engine[0]
