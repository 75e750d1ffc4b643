#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks docs/conformance.tsv and the page made from it.

  - every exported function has a row, and every row of a function names an exported one;
  - a call that works names a test; one that only says "not supported" names none, its test is known;
  - every named test is in the named file;
  - docs/conformance.md is what scripts/conformance.py writes.
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import conformance  # noqa: E402  the path above is where it is


def has_gtest(text, name):
    suite, _, test = name.partition(".")
    return re.search(rf"^TEST(_F|_P)?\(\s*{re.escape(suite)}\s*,\s*{re.escape(test)}\s*\)", text, re.M) is not None


def has_python_test(text, name):
    group, _, test = name.partition(".")
    after = re.split(rf"^class {re.escape(group)}\(", text, maxsplit=1, flags=re.M)
    return len(after) == 2 and re.search(rf"^    def {re.escape(test)}\(",
                                         re.split(r"^class ", after[1], maxsplit=1, flags=re.M)[0], re.M) is not None


def has_ctest(text, name):
    """Registered under its name, by a helper that takes it, or in a loop or function: `pages.${page}.threads`."""
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    if re.search(rf"(NAME|tandem_register_test\(|_test\()\s*{re.escape(name)}\b(?![.\w])", text):
        return True
    for pattern in re.findall(r"NAME\s+([\w.]*\$\{\w+\}[\w.]*)", text):
        expression = re.sub(r"\\\$\\\{\w+\\\}", r"(\\w+)", re.escape(pattern))
        match = re.fullmatch(expression, name)
        if match and all(re.search(rf"\(\s*{value}\b|ITEMS[^)]*\b{value}\b", text) for value in match.groups()):
            return True
    return False


def test_problem(root, test):
    """What is wrong with "FILE NAME"; None when the test is there."""
    file, _, name = test.partition(" ")
    path = root / file
    if not file.startswith("tests/") or not path.is_file():
        return f"no test file {file}"
    text = path.read_text(encoding="utf-8")
    if path.name == "CMakeLists.txt":
        found = has_ctest(text, name)
    elif path.suffix == ".py":
        found = has_python_test(text, name)
    else:
        found = has_gtest(text, name)
    return None if found else f"{file} has no test {name or 'name'}"


def function_problems(rows, names, stubs):
    """Rows against the functions there are."""
    for name in sorted(set(names) - set(rows)):
        yield f"{conformance.SOURCE}: no row for {name}"
    for name, row in rows.items():
        where = f"{conformance.SOURCE}:{row.number}: {name}"
        if name not in names:
            yield f"{where} is not an exported function"
        elif name in stubs and (row.tests or row.ours != "-"):
            yield f"{where} only says that it is not supported ({stubs[name]}): expected '-' in the last two fields"
        elif name not in stubs and not row.tests:
            yield f"{where} has an implementation: say what it does, and name the test that proves it"


def problems(root):
    pages, functions = conformance.read_rows(root / conformance.SOURCE)
    stubs = conformance.stubs(root)
    names = {name for group in conformance.exported_functions(root).values() for name in group}
    if not names:
        yield "src/capi/tandem.map: no functions found"
    yield from function_problems(functions, names, stubs)
    rows = [row for section in pages.values() for row in section] + list(functions.values())
    for row in rows:
        where = f"{conformance.SOURCE}:{row.number}: {row.name}"
        if row.required != "-" and not row.tests:
            yield f"{where} names no test"
        for test in row.tests:
            problem = test_problem(root, test)
            if problem:
                yield f"{where}: {problem}"
    if stubs:
        problem = test_problem(root, conformance.STUB_TEST)
        if problem:
            yield f"scripts/conformance.py: {problem}"
    comments = conformance.header_comments(root)
    for name in sorted(names):
        if not comments.get(name):
            yield f"include: {name} has no comment that says what it does"


def findings(root):
    """All problems, or the first that keeps the rest from being read."""
    try:
        found = list(problems(root))
        page = root / conformance.PAGE
        if not found and (not page.exists() or page.read_text(encoding="utf-8") != conformance.make_page(root)):
            found.append(f"{conformance.PAGE} is old: run scripts/conformance.py")
        return found
    except (conformance.Problem, OSError) as problem:
        return [str(problem)]


def main():
    parser = argparse.ArgumentParser(description="Check that docs/conformance.tsv agrees with code and tests.")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    found = findings(parser.parse_args().root.resolve())
    for finding in found:
        print(finding)
    print(f"{len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
