"""Systems and environments that the tests do not have: without what only POSIX has, and without torch.

Nothing was tried on Windows. These tests keep what is known to stand in the way from coming back.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import masks_alone
import pytest

ROOT = Path(__file__).parent.parent
SOURCES = [path for folder in ("outlines_cont", "fsm", "kernels", "tools") for path in (ROOT / folder).rglob("*.py")]
MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline", "syslog", "curses", "posix", "crypt"}
NAMES = {
    "os": "chown fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid getsid getuid killpg lchown "
    "mkfifo nice posix_fadvise posix_fallocate posix_spawn pread preadv pwrite pwritev register_at_fork "
    "sched_getaffinity setsid setuid statvfs sync sysconf sysconf_names uname wait wait3 wait4",
    "signal": "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 alarm pause pthread_kill "
    "pthread_sigmask setitimer sigpending sigwait",
    "mmap": "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED PROT_READ PROT_WRITE",
    "time": "clock_gettime pthread_getcpuclockid tzset",
}
#: What is asked for before a name is used, where that is not the name itself.
ASKED = {"geteuid": "OWNED", "sysconf": "sysconf_names", "MAP_ANONYMOUS": "MAP_PRIVATE"}


def wanting(tree: ast.AST) -> Iterator[str]:
    """What reads or writes text in the encoding of the system."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        of_path = isinstance(call.func, ast.Attribute) and name in ("read_text", "write_text")
        at = (name in ("write_text", "open")) + (name == "open")  # the place of the encoding, or of the mode before it
        mode = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "mode")]
        text = name == "open" and isinstance(call.func, ast.Name) and "b" not in "".join(map(ast.unparse, mode))
        if (of_path or text) and len(call.args) <= at and not any(each.arg == "encoding" for each in call.keywords):
            yield f"{call.lineno}: {ast.unparse(call)[:60]}"


def unguarded(tree: ast.AST) -> Iterator[str]:
    """Modules that are imported, and names that are used, without asking first whether they are there."""
    tried = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        for each in node.body
        for inner in ast.walk(each)
    }
    asked = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    asked |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in tried:
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            yield from (f"{node.lineno}: import {each}" for each in modules if each.partition(".")[0] in MODULES)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.attr
            if name in NAMES.get(node.value.id, "").split() and not {name, ASKED.get(name, name)} & asked:
                yield f"{node.lineno}: {node.value.id}.{name}"


def test_texts_are_read_and_written_in_an_encoding_that_is_named() -> None:
    assert {path: found for path in SOURCES if (found := [*wanting(ast.parse(path.read_text("utf-8")))])} == {}


def test_what_only_posix_has_is_asked_for_first() -> None:
    assert {path: found for path in SOURCES if (found := [*unguarded(ast.parse(path.read_text("utf-8")))])} == {}


@pytest.mark.parametrize(
    "code", ["open(p)", "open(p, 'w')", "p.read_text(errors=e)", "p.write_text('')", "open(p, mode='r')"]
)
def test_a_text_without_an_encoding_is_seen(code: str) -> None:
    assert [*wanting(ast.parse(code))] and not [*wanting(ast.parse(code.replace(")", ", encoding='utf-8')")))]


@pytest.mark.parametrize(
    "code", ["import fcntl", "from resource import getrusage", "import os; os.fork()", "signal.SIGKILL"]
)
def test_what_only_posix_has_is_seen(code: str) -> None:
    assert [*unguarded(ast.parse(code))]


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_states_are_made_and_kept_without_what_only_posix_has(tmp_path: Path) -> None:
    code = f"""
import builtins, mmap, os, signal, time, types
real, modules, lean = builtins.__import__, {MODULES!r}, {{}}
for module, each in {NAMES!r}.items():
    lean[module] = types.ModuleType(module)
    vars(lean[module]).update({{name: x for name, x in vars(vars()[module]).items() if name not in each.split()}})
def hidden(name, globals=None, locals=None, fromlist=(), level=0):
    if (globals or {{}}).get("__name__", "").startswith("outlines_cont"):
        if name in modules:
            raise ImportError(name)
        if name in lean:
            return lean[name]
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = hidden
import outlines_cont as oc
from outlines_cont import files
assert files.fcntl is None and not files.OWNED
model = oc.load()
step = oc.continuous(oc.generate.json(model, {{"properties": {{"age": {{"type": "integer"}}}}, "type": "object"}}))
state = step("Mira is 34 years old. As JSON: ", max_tokens=60, seed=0)
state.save({str(tmp_path / "ü.state")!r})
state.save({str(tmp_path / "ü.state")!r})  # in place of the one before
assert oc.load_state({str(tmp_path / "ü.state")!r}, model) == state
try:
    oc.store.KVStore({str(tmp_path / "store")!r})
    oc.load(store=oc.store.KVStore({str(tmp_path / "store")!r}))
except ValueError as error:
    print(error)
"""
    assert "does not say who may write a file" in run(code, OUTLINES_CONT_CACHE="")


def test_masks_need_no_torch() -> None:
    """What docs/integrations.md says to install suffices: nothing else can be imported."""
    code = f"""
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if path is None and name not in {{*sys.stdlib_module_names, *{masks_alone.PACKAGES!r}}} and name[0] != "_":
            raise ModuleNotFoundError(name)
sys.path.insert(0, {str(ROOT / "tests")!r})
import masks_alone
sys.meta_path.insert(0, Nothing())
masks_alone.main()
"""
    assert "masks" in run(code, OUTLINES_CONT_CACHE="")
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    assert masks_alone.LINE in page
