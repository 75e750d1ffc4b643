#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which file includes which: the arrows of docs/architecture.md, as a test.

    capi -> comm -> stream -> transport -> diag -> base      (may include anything further down)

and beside the layers:
  include/          only itself and the C library
  tools/            include/ and src/diag (which it reads from outside); from src/base what diag shows
  examples/ bench/  include/ only
  src/transport/X/  nothing of src/transport/Y/, and only src/transport/ucx/ includes UCX headers
  src/, tools/      nothing of tests/

Exit code 0 and a count when all is well; 1 and one line per finding otherwise.
"""
import argparse
import pathlib
import re
import sys

LAYERS = ["base", "diag", "transport", "stream", "comm", "capi"]
PUBLIC = ("acl", "hccl", "hcomm", "tandem")
SOURCE_SUFFIXES = {".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".in"}
CODE_FOLDERS = ["src", "include", "tools", "examples", "bench", "tests"]
LONG_FILE = 500

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
UCX_HEADER = re.compile(r"^uc[pst]/")


def without_comments(text):
    """Blanks /* */ and // comments so that an include inside one does not count."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    def blank(match):
        token = match.group(0)
        return token if token.startswith('"') else re.sub(r"[^\n]", " ", token)
    return re.sub(pattern, blank, text, flags=re.DOTALL)


def layer_of(path):
    """The layer that an include path or a file below src/ belongs to, or None."""
    first = path.split("/")[0]
    return first if "/" in path and first in LAYERS else None


def resolve(root, file, name):
    """The repository path an #include "name" means, or None when it is not one of our files."""
    for base in (file.parent, root / "src", root / "include", root / "tests", root):
        candidate = (base / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    return None


def check_include(source, name, target):
    """Why the file `source` may not include `name` (found at `target`), or None when it may.

    A layer that the name spells out counts even when the file does not exist (yet).
    """
    # The peers that benchmarks compare with are programs of their own.
    if UCX_HEADER.match(name) and not source.startswith(("src/transport/ucx/", "bench/peers/")):
        return "only src/transport/ucx/ may include UCX headers"
    if target is None and layer_of(name):
        target = "src/" + name
    top = source.split("/")[0]
    if target is None or top == "tests":
        return None
    to_top = target.split("/")[0]
    to_layer = layer_of(target[len("src/"):]) if to_top == "src" else None
    if to_top == "tests":
        return "nothing includes tests/"
    if top == "include":
        return None if to_top == "include" else "include/ must compile without anything of src/"
    if top in ("examples", "bench"):
        return f"{top}/ sees what a user sees: include/ only" if to_top == "src" else None
    if top == "tools":
        if to_layer and to_layer not in ("diag", "base"):
            return f"tools/ may include include/, diag/ and base/, not {to_layer}/"
        return None
    if top != "src":
        return None
    own_layer = layer_of(source[len("src/"):])
    if own_layer and to_layer and LAYERS.index(to_layer) > LAYERS.index(own_layer):
        return f"{own_layer}/ is below {to_layer}/; the arrow points up"
    return check_transports(source, target)


def check_transports(source, target):
    """One transport knows nothing of another one."""
    mine, theirs = source.split("/"), target.split("/")
    if mine[:2] == ["src", "transport"] == theirs[:2] and len(mine) > 3 and len(theirs) > 3:
        if mine[2] != theirs[2]:
            return f"transport {mine[2]} must not know transport {theirs[2]}"
    return None


def source_files(root):
    for folder in CODE_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.is_file() and file.suffix in SOURCE_SUFFIXES:
                yield file


def check_tree(root):
    """Findings and long files of the tree at `root`, and how many includes were looked at."""
    root = root.resolve()
    findings, long_files, includes = [], [], 0
    for file in source_files(root):
        source = file.relative_to(root).as_posix()
        text = file.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > LONG_FILE:
            long_files.append(f"{source}: {lines} lines")
        code = without_comments(text)
        for match in INCLUDE.finditer(code):
            includes += 1
            name = match.group(2)
            target = resolve(root, file, name)
            problem = check_include(source, name, target)
            if problem:
                line = code.count("\n", 0, match.start()) + 1
                findings.append(f'{source}:{line}: includes "{name}": {problem}')
    return findings, long_files, includes


def main():
    parser = argparse.ArgumentParser(description="Check the include arrows between the layers.")
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()
    findings, long_files, includes = check_tree(arguments.root)
    for file in long_files:
        print(f"note: {file}; past {LONG_FILE}, say in the review why it is still one thing")
    for finding in findings:
        print(finding)
    if includes == 0:
        print(f"{arguments.root}: no #include found; is this the repository?")
        return 1
    print(f"{includes} includes, {len(findings)} against the arrows")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
