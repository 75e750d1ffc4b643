#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md from docs/conformance.tsv, the public headers and the lists in src/capi.

Usage: conformance.py [ROOT] [--check]

Lines of docs/conformance.tsv, fields separated by one tab:

  # TITLE                              begins a section with rows of its own
  ID  requirement  what we do  tests   a row of such a section
  FUNCTION    -    what we do  tests   an exported function

The requirement of a function is the first paragraph of its comment in the header. What we do: "=" stands for "as
required"; calls that the *_unsupported.cc and *_later.cc files define get their words from here, and "-" in the last
two fields. Tests are "FILE NAME", several separated by "; ". With --check nothing is written; exit code 1 when the page
is not up to date or the lines cannot be read.
"""
import argparse
import pathlib
import re
import sys

SOURCE = "docs/conformance.tsv"
PAGE = "docs/conformance.md"
STUB = re.compile(r"^(?:NOT_SUPPORTED|NO_NUMBER)\((\w+),|^NO_OBJECT\([^,]+, (\w+),", re.M)
STUB_TEST = "tests/api/unsupported_test.cc UnsupportedTest.EveryCallSaysSoAndLeavesItsName"
OUTSIDE = {
    "acl_unsupported.cc": "Outside the scope: needs an NPU, its compiler or its models. It links, answers "
                          "`ACL_ERROR_RT_FEATURE_NOT_SUPPORT` (207000), or null for a handle.",
    "hccl_unsupported.cc": "Outside the scope: not point-to-point. It links and answers `HCCL_E_NOT_SUPPORT` (5).",
}
LATER = {
    "acl_later.cc": "Not in this version. It links, answers `ACL_ERROR_RT_FEATURE_NOT_SUPPORT` (207000), or null for "
                    "a handle.",
    "hccl_later.cc": "Not in this version. It links and answers `HCCL_E_NOT_SUPPORT` (5).",
}
HEAD = """# Conformance

What is required, what Tandem does, and the test that proves it: first the two published pages that Tandem implements,
sentence by sentence in our own words, then every function of the public headers.

This page is written by `scripts/conformance.py`; edit `docs/conformance.tsv` or the comments in `include/`.
`tests/lint/check_conformance.py` fails when a function has no row, a test does not exist, or this page is old. Rules of
our own are explained in [semantics.md](semantics.md), arguments and codes in the [API pages](api/README.md).
"""


class Problem(Exception):
    """Something in the input that cannot be understood; the text says where."""


class Row:
    def __init__(self, number, fields):
        self.number = number
        self.name, self.required, self.ours, tests = fields
        self.tests = [] if tests == "-" else tests.split("; ")


def read_rows(path):
    """Sections of the pages (title -> rows), and the rows of functions (name -> row)."""
    pages, functions, section = {}, {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("# "):
            section = pages.setdefault(line[2:], [])
        elif line and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != 4 or not all(field.strip() for field in fields):
                raise Problem(f"{SOURCE}:{number}: expected four fields separated by tabs, none empty")
            row = Row(number, fields)
            if row.required != "-":
                if section is None:
                    raise Problem(f"{SOURCE}:{number}: a row with a requirement, and no section before it")
                section.append(row)
            elif row.name in functions:
                raise Problem(f"{SOURCE}:{number}: {row.name} has a row already, in line {functions[row.name].number}")
            else:
                functions[row.name] = row
    return pages, functions


def exported_functions(root):
    """Sections of the version script in its order: title -> names."""
    sections, current = {}, []
    for line in (root / "src/capi/tandem.map").read_text(encoding="utf-8").split("\n"):
        line = line.strip()
        if re.match(r"# \w+/\w+\.h: ", line):
            current = sections.setdefault(line[2:], [])
        elif re.fullmatch(r"[A-Za-z]\w*;", line):
            current.append(line[:-1])
        elif line.startswith("local:"):
            break
    return sections


def stubs(root):
    """Calls that only say what they do not do: name -> file."""
    found = {}
    for name in (*OUTSIDE, *LATER):
        path = root / "src/capi" / name
        if path.exists():
            for first, second in STUB.findall(path.read_text(encoding="utf-8")):
                found[first or second] = name
    return found


def first_paragraph(comment):
    lines = []
    for line in comment.split("\n"):
        line = re.sub(r"^\s*\*( |$)", "", line).strip()
        if (not line and lines) or re.match(r"[A-Z]\w+ {2,}", line):
            break
        if line:
            lines.append(line)
    text = re.split(r"\s*\bReturns ", " ".join(lines), maxsplit=1)[0].strip()
    return text if text.endswith(".") or not text else text + "."


def header_comments(root):
    """First paragraph of the comment before each declaration: name -> text."""
    pattern = re.compile(r"/\*\*(?P<comment>(?:(?!\*/).)*)\*/\s*(?P<declaration>[^;{}/]*?)\(", re.S)
    found = {}
    for path in sorted((root / "include").rglob("*.h")):
        for match in pattern.finditer(path.read_text(encoding="utf-8")):
            declaration = re.sub(r'ACL_DEPRECATED_MESSAGE\b|HCOMM_WEAK_SYMBOL', " ", match["declaration"])
            words = re.findall(r"[A-Za-z_]\w*", declaration)
            rest = match.string[match.end():]
            if not words:  # the parenthesis was that of ACL_DEPRECATED_MESSAGE
                deprecated = re.match(r'"[^"]*"\)\s*([\w\s*]*?)(\w+)\(', rest)
                words = [deprecated.group(2)] if deprecated else ["?"]
            found.setdefault(words[-1], first_paragraph(match["comment"]))
    return found


def cell(text):
    return text.replace("|", "\\|")


def test_cell(tests):
    lines = []
    for test in tests:
        file, _, name = test.partition(" ")
        lines.append(f"[{name}](../{file})" if name else f"[{file}](../{file})")
    return "<br>".join(lines)


def function_row(name, row, stub, comment):
    if stub is None:
        ours, tests = ("As required." if row.ours == "=" else row.ours), row.tests
    else:
        ours, tests = (OUTSIDE.get(stub) or LATER[stub]), [STUB_TEST]
    return f"| `{name}` | {cell(comment)} | {cell(ours)} | {test_cell(tests)} |"


def make_page(root):
    pages, rows = read_rows(root / SOURCE)
    kinds, comments, sections = stubs(root), header_comments(root), exported_functions(root)
    names = [name for group in sections.values() for name in group]
    missing = [name for name in names if name not in rows]
    if missing:
        raise Problem(f"{SOURCE}: no row for {', '.join(missing)}")
    later = sum(kinds.get(name) in LATER for name in names)
    outside = sum(kinds.get(name) in OUTSIDE for name in names)
    out = [HEAD, f"{len(names)} exported functions: {len(names) - later - outside} work, {later} are in scope and not "
                 f"in this version, {outside} are outside the scope.\n"]
    for title, section in pages.items():
        out.append(f"## {title}\n\n| | What is required | What we do | Proof |\n|---|---|---|---|")
        for row in section:
            ours = "As required." if row.ours == "=" else row.ours
            out.append(f"| {row.name} | {cell(row.required)} | {cell(ours)} | {test_cell(row.tests)} |")
        out.append("")
    for title, group in sections.items():
        header, _, topic = title.partition(": ")
        out.append(f"## {header}: {topic}\n\n| Function | What is required | What we do | Proof |\n|---|---|---|---|")
        out += [function_row(name, rows[name], kinds.get(name), comments.get(name, "")) for name in group]
        out.append("")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    page = arguments.root / PAGE
    try:
        text = make_page(arguments.root)
    except Problem as problem:
        print(problem)
        return 1
    if not arguments.check:
        page.write_text(text, encoding="utf-8")
        print(f"wrote {PAGE}, {len(text.splitlines())} lines")
    elif not page.exists() or page.read_text(encoding="utf-8") != text:
        print(f"{PAGE} is not what scripts/conformance.py writes; run it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
