#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules for the text of every tracked file: licence line, no leftovers, no stray whitespace.

  - code, scripts and build files name their licence in the first five lines;
  - no note about unfinished work: an issue is the place for that;
  - no path of somebody's machine;
  - no tab in C++ or Python, no space at a line's end, a newline at the end of the file.
"""
import argparse
import pathlib
import re
import subprocess
import sys

LICENCE = "SPDX-License-Identifier: Apache-2.0"
LICENSED = {".h", ".hh", ".c", ".cc", ".cpp", ".py", ".sh", ".cmake", ".map", ".in", ".pml", ".S"}
LICENSED_NAMES = {"CMakeLists.txt", "dev", "run", ".clang-format", ".clang-tidy", ".gitignore"}
NO_TABS = {".h", ".hh", ".c", ".cc", ".cpp", ".py"}
BINARY = {".png", ".jpg", ".gif", ".bin", ".gz", ".zst"}

# Inputs of the fuzz targets, often not text at all.
SEEDS = "tests/fuzz/seeds/"

# Published sample code whose lines are kept as they are.
VERBATIM = "tests/pages/"

# Written in pieces so that this file passes its own rules.
FORBIDDEN = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b"), "unfinished work belongs in an issue"),
    (re.compile(r"(?<![\w./])/(wo" r"rk|ho" r"me/[a-z]+|ro" r"ot)/"), "a path of one machine"),
]


def tracked_files(root):
    """Files git knows or would add; in an unpacked archive, all files."""
    run = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                         capture_output=True, check=False)
    if run.returncode == 0:
        names = [name for name in run.stdout.decode().split("\0") if name]
    else:
        names = [file.relative_to(root).as_posix() for file in root.rglob("*")
                 if file.is_file() and file.relative_to(root).parts[0] not in (".git", "build")]
    return sorted(name for name in names if (root / name).is_file())


def check_text(name, text):
    """Findings in one file."""
    path = pathlib.PurePosixPath(name)
    lines = text.split("\n")
    if (path.suffix in LICENSED or path.name in LICENSED_NAMES) and LICENCE not in "\n".join(lines[:5]):
        yield f"{name}:1: the first lines do not say {LICENCE}"
    if text and not text.endswith("\n"):
        yield f"{name}:{len(lines)}: no newline at the end of the file"
    for number, line in enumerate(lines, 1):
        for pattern, reason in FORBIDDEN:
            match = pattern.search(line)
            if match:
                yield f"{name}:{number}: '{match.group(0)}': {reason}"
        if name.startswith(VERBATIM):
            continue
        if line != line.rstrip() and path.suffix != ".md":
            yield f"{name}:{number}: space at the end of the line"
        if "\t" in line and path.suffix in NO_TABS:
            yield f"{name}:{number}: tab"


def main():
    parser = argparse.ArgumentParser(description="Check licence lines, leftovers and whitespace.")
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    root = parser.parse_args().root.resolve()
    findings, files = [], 0
    for name in tracked_files(root):
        if pathlib.PurePosixPath(name).suffix in BINARY or name == "LICENSE" or name.startswith(SEEDS):
            continue
        files += 1
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            findings.append(f"{name}:1: not UTF-8")
            continue
        findings.extend(check_text(name, text))
    for finding in findings:
        print(finding)
    print(f"{files} files, {len(findings)} findings")
    return 1 if findings or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
