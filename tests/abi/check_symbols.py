#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a shared library exports exactly what the public headers declare and the version script lists.

Usage: check_symbols.py LIBRARY INCLUDE_DIR VERSION_SCRIPT [--nm NM]

Three sets must be equal: defined dynamic symbols of LIBRARY, names in the global part of VERSION_SCRIPT, functions
declared below INCLUDE_DIR. Every difference is printed with the name and where it is missing. Exits 1 if there is one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

FUNCTION = re.compile(r"^(?P<result>[A-Za-z_][\w\s*]*?[\s*])(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>.*)\)$", re.S)


def strip_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def without_preprocessor(text):
    text = text.replace("\\\n", " ")
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))


def statements(text):
    """Splits C text at top level; the contents of braces are dropped, a function's body ends its statement."""
    text = re.sub(r'extern\s+"C"\s*\{', " ", text)
    result, current, depth = [], "", 0
    for char in text:
        if char == "{":
            if depth == 0:
                current += "{}"
            depth += 1
        elif char == "}":
            depth = max(depth - 1, 0)  # one without a partner closes an extern "C"
            if depth == 0 and re.search(r"\)\s*\{\}$", current):
                result.append(current)
                current = ""
        elif depth == 0 and char == ";":
            result.append(current)
            current = ""
        elif depth == 0:
            current += char
    return [" ".join(statement.split()) for statement in result]


def declared_functions(text):
    """Functions with external linkage that `text`, a header, declares: name -> (result, parameters)."""
    functions = {}
    for statement in statements(without_preprocessor(strip_comments(text))):
        statement = re.sub(r'\b(ACL_DEPRECATED_MESSAGE\("[^"]*"\)|ACL_DEPRECATED\b|HCOMM_WEAK_SYMBOL\b'
                           r"|ACL_FUNC_VISIBILITY\b)", " ", statement).strip()
        if re.match(r"(typedef|static|template|inline|enum|struct|union)\b", statement) or "=" in statement:
            continue
        match = FUNCTION.match(statement)
        if match:
            functions[match["name"]] = (match["result"].strip(), match["parameters"].strip())
    return functions


def header_functions(include_dir):
    functions = {}
    for header in sorted(pathlib.Path(include_dir).rglob("*.h")):
        functions.update(declared_functions(header.read_text(encoding="utf-8")))
    return functions


def script_symbols(path):
    """Names in the global part; refuses wildcards, because a name that matches by accident would go unseen."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    text = strip_comments(re.sub(r"#[^\n]*", "", text))
    match = re.search(r"\{\s*global:(?P<names>.*?)local:\s*\*;\s*\};", text, re.S)
    if not match:
        sys.exit(f"{path}: expected one node of the form {{ global: ...; local: *; }};")
    names = [name.strip() for name in match["names"].split(";") if name.strip()]
    bad = [name for name in names if not re.fullmatch(r"[A-Za-z_]\w*", name)]
    if bad:
        sys.exit(f"{path}: not a full C name: {', '.join(bad)}")
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        sys.exit(f"{path}: listed twice: {', '.join(double)}")
    return set(names)


def exported_symbols(library, nm):
    output = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines() if line.strip()}


def differences(sets):
    """Lines that name each symbol which is not in all of the named sets."""
    lines = []
    for name in sorted(set().union(*sets.values())):
        missing = [where for where, names in sets.items() if name not in names]
        if missing:
            present = [where for where in sets if where not in missing]
            lines.append(f"{name}: in {' and '.join(present)}, not in {' or '.join(missing)}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("include_dir")
    parser.add_argument("version_script")
    parser.add_argument("--nm", default="nm")
    arguments = parser.parse_args()
    sets = {
        "the library": exported_symbols(arguments.library, arguments.nm),
        "the version script": script_symbols(arguments.version_script),
        "the headers": set(header_functions(arguments.include_dir)),
    }
    lines = differences(sets)
    for line in lines:
        print(line)
    print(", ".join(f"{len(names)} in {where}" for where, names in sets.items()) + f", {len(lines)} differences")
    return 1 if lines or not sets["the headers"] else 0


if __name__ == "__main__":
    sys.exit(main())
