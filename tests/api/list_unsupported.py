#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the calls that say "not supported", for unsupported_test.cc: one line CALL(name) for each.

Usage: list_unsupported.py OUTPUT SOURCE...

The SOURCEs are the files of src/capi that define such calls, one macro each, so a call that gets an implementation
leaves the list by leaving its file.
"""
import pathlib
import re
import sys

DEFINITION = re.compile(r"^(?:NOT_SUPPORTED|NO_NUMBER)\((\w+),|^NO_OBJECT\([^,]+, (\w+),", re.M)


def calls(text):
    return [first or second for first, second in DEFINITION.findall(text)]


def main():
    output, *sources = sys.argv[1:]
    lines = []
    for source in sources:
        text = pathlib.Path(source).read_text(encoding="utf-8")
        lines += [f"CALL({name})" for name in calls(text)]
    pathlib.Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
