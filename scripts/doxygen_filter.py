#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a public header with its comments in the form that Doxygen understands.

Usage: doxygen_filter.py HEADER

The comments of the headers are made to be read as text: a first paragraph that says what a call does, then paragraphs
with a label in front ("Args", "Returns", ...), some of them tables of codes. Here labels become @par, tables become
lists, "Returns ..." in the first paragraph becomes a paragraph of its own, and comments of files, types and fields are
marked as such.
"""
import pathlib
import re
import sys

LABEL = re.compile(r"([A-Z][a-z]*) {2,}(\S.*)")
CODE = re.compile(r"(HCCL_[A-Z_]+) {2,}(\S.*)")
# Two columns: "100000 ACL_ERROR_INVALID_PARAM      107000 ACL_ERROR_RT_PARAM_INVALID".
NAMED_CODES = re.compile(r"(\d{6} [A-Z_]{5,})(?: {2,}(\S.*))?")
RETURNS = re.compile(r"(?:^|(?<=[.;:)\"])\s+)(Not supported: always|Not yet implemented \(Tandem\):|Returns)\s+(?=\S)")
DEPRECATED = re.compile(r'\s*ACL_DEPRECATED_MESSAGE\("([^"]*)"\)')


def escape(text):
    text = re.sub(r"[\\@&$#<>%]", lambda match: "\\" + match[0], text)
    return re.sub(r"`([^`]*)`", r"<tt>\1</tt>", text)


def comment_lines(comment):
    """The lines without stars; those of a comment with labels keep what they are indented by."""
    text = re.sub(r"^/\*\*?", "", comment)[:-2]
    return [re.sub(r"^\s*\* ?", "", line).rstrip() if number else line.strip()
            for number, line in enumerate(text.split("\n"))]


def table_entries(text):
    """The entries of a line of a table of codes; empty when it is no such line."""
    code = CODE.fullmatch(text)
    if code:
        return [f"<tt>{code[1]}</tt> {escape(code[2])}"]
    named = NAMED_CODES.fullmatch(text)
    return [escape(part) for part in named.groups() if part] if named else []


def first_paragraph(lines):
    """The lines up to a blank one or a label, and how many they are."""
    count = 0
    while count < len(lines) and lines[count].strip() and not LABEL.fullmatch(lines[count].strip()):
        count += 1
    return " ".join(line.strip() for line in lines[:count]), count


def describe_rest(lines):
    """What follows the first paragraph. A table ends where a line is indented no more than its label's text."""
    out, column, in_table = [], 0, False
    for line in lines:
        text, indent = line.strip(), len(line) - len(line.lstrip())
        label = LABEL.fullmatch(text)
        if label:
            column = indent + label.start(2)
            text = label[2]
            in_table = False
            out += ["", f"@par {label[1]}"]
        entries = table_entries(text)
        if entries:
            in_table = True
            out += [" - " + entry for entry in entries]
        elif in_table and text and indent <= column:
            in_table = False
            out += ["", "@par", escape(text)]
        else:
            out.append(("   " if in_table else "") + escape(text))
    return out


def describe(lines):
    """Doxygen's form of a comment, as lines."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    brief, used = first_paragraph(lines)
    parts = RETURNS.split(brief, maxsplit=1)
    out = ["@brief " + escape(parts[0])] if parts[0] else []
    if len(parts) == 3:
        note = "" if parts[1] == "Returns" else parts[1] + " "
        out += ["", "@par Returns", escape(note + parts[2])]
    return out + describe_rest(lines[used:])


def document(lines, extra=()):
    return "/**\n" + "\n".join(" * " + line for line in [*describe(lines), *extra]) + "\n */"


def convert(text, name):
    """The whole header."""
    out, position, files = [], 0, 0
    for match in re.finditer(r"/\*.*?\*/", text, re.S):
        before, comment, after = text[position:match.start()], match[0], text[match.end():]
        position = match.end()
        out.append(before)
        line_start = before.rpartition("\n")[2]
        if comment.startswith("/**"):
            deprecated = DEPRECATED.match(after)
            extra = ["", "@par Deprecated", escape(deprecated[1]) + "."] if deprecated else []
            comment = document(comment_lines(comment), extra)
        elif "SPDX" not in comment and files == 0:
            files = 1
            comment = document(comment_lines(comment), ["", "@file " + name])
        elif re.match(r"\n(typedef|struct|union|enum)\b", after):
            comment = document(comment_lines(comment))
        elif line_start.strip() and after.startswith("\n") and re.search(r"[;,\w)]\s*$", line_start):
            comment = "/**< " + escape(" ".join(line.strip() for line in comment_lines(comment)).strip()) + " */"
        out.append(comment)
    return "".join([*out, text[position:]])


def main():
    path = pathlib.Path(sys.argv[1])
    name = "/".join(path.parts[-2:]) if path.parent.name != "include" else path.name
    sys.stdout.write(convert(path.read_text(encoding="utf-8"), name))


if __name__ == "__main__":
    main()
