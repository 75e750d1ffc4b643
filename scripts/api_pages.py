#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the API pages: docs/api/*.md, one for each public header, from the comments in include/ as Doxygen reads them.

Usage: api_pages.py [ROOT] [--check] [--html]

--html makes Doxygen write build/docs/html too. --check writes nothing and says which pages are old. Exit codes: 1
Doxygen has warnings, a function has no comment or a page is old; 77 there is no Doxygen.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import conformance

PAGES = "docs/api"
NO_DOXYGEN = 77
BOILERPLATE = re.compile(r"#|extern \"C\" \{|\}|/\* __cplusplus|/\* SPDX")
CONSTANT_MACRO = re.compile(r"#define \w+ +\S|#define \w+\(")


def run_doxygen(root, output, html):
    """Doxygen's warnings; the XML is in OUTPUT/xml. The configuration is changed only in where and what to write."""
    config = (root / "docs/Doxyfile").read_text(encoding="utf-8")
    config += f'\nOUTPUT_DIRECTORY = "{output}"\nGENERATE_HTML = {"YES" if html else "NO"}\n'
    run = subprocess.run(["doxygen", "-"], cwd=root, input=config, capture_output=True, text=True, check=False)
    # Settings that another version of Doxygen knows no more are not about our comments.
    warnings = [line for line in run.stderr.splitlines() if re.search(r"(warning|error): (?!Tag )", line)]
    if run.returncode != 0 and not warnings:
        warnings = [f"doxygen ended with {run.returncode}: {run.stderr.strip()}"]
    return "\n".join(warnings)


def cut(text):
    return re.sub(r"\s+", " ", text or "")


class Names:
    """Functions that have a description, to make links of their names."""

    def __init__(self):
        self.links = {}

    def linked(self, text):
        """Escaped text in which functions are links and codes stand out."""
        def word(match):
            name = match[0]
            if name in self.links:
                return f"[`{name}`]({self.links[name]})"
            return f"`{name}`" if re.match(r"(ACL|HCCL|TANDEM|ASCEND)_", name) else escape(name)

        parts = re.split(r"((?<!\w)[A-Za-z]\w+)", cut(text))
        return "".join(re.sub(r"^\w+$", word, part) if number % 2 else escape(part) for number, part in enumerate(parts))

    def text(self, element):
        """Markdown of the inline content of an element."""
        parts = [self.linked(element.text)]
        for child in element:
            inner = "".join(child.itertext())
            parts += [f"`{inner}`" if child.tag == "computeroutput" else self.linked(inner), self.linked(child.tail)]
        return "".join(parts)


def escape(text):
    """Only what Markdown would take for something: underscores inside of words are safe."""
    return re.sub(r"([*<>`|\[\]\\]|\b_|_\b)", r"\\\1", text)


BLOCKS = {"itemizedlist", "simplesect"}


def paragraphs(para, names):
    """Markdown paragraphs of a <para>, which may hold lists and labelled parts between its text."""
    out, inline = [], ElementTree.Element("para")
    inline.text = para.text

    def flush():
        text = names.text(inline).strip()
        if text:
            out.append(text)
        inline.clear()

    for child in para:
        if child.tag not in BLOCKS:
            inline.append(child)
            continue
        flush()
        inline.text = child.tail
        if child.tag == "itemizedlist":
            out.append("\n".join("- " + " ".join(names.text(p).strip() for p in item.findall("para"))
                                 for item in child.findall("listitem")))
        else:
            title = cut("".join(child.find("title").itertext())) if child.find("title") is not None else ""
            inner = [text for part in child.findall("para") for text in paragraphs(part, names)]
            if title and inner and not inner[0].startswith("- "):
                inner[0] = f"**{title}** {inner[0]}"
            elif title:
                inner.insert(0, f"**{title}**")
            out += inner
    flush()
    return out


def description(member, names):
    out = []
    for tag in ("briefdescription", "detaileddescription"):
        for para in member.findall(f"{tag}/para"):
            out += paragraphs(para, names)
    return out


def prototype(member):
    """One line, or one with the parameters folded below the name."""
    def words(element):
        return re.sub(r"\s*([*&]+)", r"\1", cut("".join(element.itertext())).strip()) if element is not None else ""

    parameters = []
    for param in member.findall("param"):
        name = words(param.find("declname"))
        text = f"{words(param.find('type'))} {name}".strip() + words(param.find("array"))
        default = words(param.find("defval"))
        parameters.append(text + (f" = {default}" if default else ""))
    template = ", ".join(words(p.find("type")) for p in member.findall("templateparamlist/param"))
    result = re.sub(r"^((static|inline)\s+)+", "", words(member.find("type")))
    lines = [f"{result} {words(member.find('name'))}("]
    indent = " " * len(lines[0]) if len(lines[0]) < 60 else " " * 4
    for number, parameter in enumerate(parameters or ["void"]):
        text = parameter + (", " if number + 1 < len(parameters) else ")")
        if len(lines[-1]) + len(text.rstrip()) > 105 and lines[-1].strip() != "":
            lines.append(indent)
        lines[-1] += text
    return (f"template <{template}>\n" if template else "") + "\n".join(line.rstrip() for line in lines)


def chunks(text):
    """Top-level pieces of a header: what stands between blank lines outside of braces and comments."""
    current, depth, in_comment = [], 0, False
    for line in text.split("\n"):
        if not line.strip() and depth <= 0 and not in_comment:
            if current:
                yield "\n".join(current)
            current = []
            continue
        current.append(line)
        in_comment = (in_comment or "/*" in line) and "*/" not in line[line.rfind("/*") if "/*" in line else 0:]
        code = re.sub(r"/\*.*?\*/|/\*.*|.*\*/", "", line) if not in_comment else ""
        if 'extern "C"' not in code and code.strip() != "}":
            depth += code.count("{") - code.count("}")
        elif code.strip() == "}" and depth > 0:
            depth -= 1
    if current:
        yield "\n".join(current)


def section(comment):
    """A heading, or a remark, from a comment that stands alone; after a colon, what is said with codes is text."""
    lines = [re.sub(r"^\s*(/\*+|\*/|\*)?\s?", "", line).replace("*/", "").strip() for line in comment.split("\n")]
    text = " ".join(line for line in lines if line)
    head, colon, rest = text.partition(": ")
    if colon and len(head) < 60 and "." not in head and re.search(r"[A-Z]{3}|\. ", rest):
        return f"## {escape(head)}\n\n{escape(rest[:1].upper() + rest[1:])}"
    return f"## {escape(text.rstrip('.'))}" if len(text) < 90 and ". " not in text else escape(text)


def page(header, text, compound, names, outside):
    """Markdown of one header. `outside`: calls that are not supported, and what they answer."""
    members = {}
    for member in compound.findall("sectiondef/memberdef[@kind='function']"):
        members.setdefault(member.findtext("name"), []).append(member)
    problems, out = [], [f"# {header}", *description(compound, names)]
    for chunk in chunks(text):
        code = re.sub(r"/\*.*?\*/", "", chunk, flags=re.S)
        plain = re.sub(r'ACL_DEPRECATED_MESSAGE\("[^"]*"\)', "", code)
        functions = [name for name in re.findall(r"(\w+)\s*\(", plain) if members.get(name)]
        lines = [line for line in code.split("\n") if line.strip()]
        if not lines and chunk.startswith("/*") and "SPDX" not in chunk:
            out.append(section(chunk))
        elif functions and "typedef" not in code and "#define" not in code:
            for name in (functions[:1] if "{" in code else functions):
                member = members[name].pop(0)
                words = description(member, names)
                if not words:
                    problems.append(f"include/{header}: {name} has no comment")
                out += [f"### {name}", f"```c\n{prototype(member)};\n```", *words]
                if name in outside:
                    out.append(f"**Tandem** {outside[name]}")
        elif any(not BOILERPLATE.match(line) or (CONSTANT_MACRO.match(line) and "ifndef" not in code)
                 for line in lines):
            if out[-1].startswith("```c\n") and not out[-2].startswith("### "):
                out[-1] = f"{out[-1][:-4]}\n\n{chunk}\n```"
            else:
                out.append(f"```c\n{chunk}\n```")
    problems += [f"include/{header}: {name} was not placed" for name, left in members.items() if left]
    return "\n\n".join(out) + "\n", problems


def index(headers):
    lines = ["# API reference", "",
             "One page for each public header, written by `./dev docs` from the comments in `include/`. Behaviour across "
             "calls is in [semantics.md](../semantics.md), what is implemented and tested in "
             "[conformance.md](../conformance.md).", "", "| Header | Functions |", "|---|---|"]
    return "\n".join([*lines, *(f"| [{header}]({name}) | {count} |" for header, name, count in headers)]) + "\n"


def make_pages(root, xml):
    """File name -> text, and what is wrong with the comments."""
    compounds = {}
    for path in sorted(xml.glob("*_8h.xml")):
        compound = ElementTree.parse(path).getroot().find("compounddef")
        compounds[compound.find("location").get("file").removeprefix("include/")] = compound
    outside = {name: conformance.OUTSIDE[file] for name, file in conformance.stubs(root).items()
               if file in conformance.OUTSIDE}
    names, files = Names(), {header: header.replace("/", "_")[:-2] + ".md" for header in compounds}
    for header, compound in compounds.items():
        for member in compound.findall("sectiondef/memberdef[@kind='function']"):
            name = member.findtext("name")
            if header != "acl/acl_rt_api.h":  # overloads: the C functions have the descriptions
                names.links[name] = f"{files[header]}#{name.lower()}"
    pages, problems, rows = {}, [], []
    for header in sorted(compounds):
        text = (root / "include" / header).read_text(encoding="utf-8")
        pages[files[header]], found = page(header, text, compounds[header], names, outside)
        problems += found
        count = len(compounds[header].findall("sectiondef/memberdef[@kind='function']"))
        rows.append((header, files[header], count or ""))
    pages["README.md"] = index(rows)
    return pages, problems


def differences(folder, pages):
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in {*there, *pages} if there.get(name) != pages.get(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--html", action="store_true")
    arguments = parser.parse_args()
    root, folder = arguments.root.resolve(), arguments.root.resolve() / PAGES
    if shutil.which("doxygen") is None:
        print("doxygen is not installed: the API pages cannot be made or compared")
        return NO_DOXYGEN
    with tempfile.TemporaryDirectory() as temporary:
        output = root / "build/docs" if arguments.html else pathlib.Path(temporary)
        output.mkdir(parents=True, exist_ok=True)
        warnings = run_doxygen(root, output, arguments.html)
        if warnings:
            print(warnings)
            return 1
        pages, problems = make_pages(root, output / "xml")
    old = differences(folder, pages)
    if arguments.check:
        problems += [f"{PAGES}/{name} is not what `./dev docs` writes" for name in old]
    else:
        folder.mkdir(exist_ok=True)
        for name in old:
            if name in pages:
                (folder / name).write_text(pages[name], encoding="utf-8")
            else:
                (folder / name).unlink()
        print(f"{len(pages)} pages in {PAGES}, {len(old)} changed")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
