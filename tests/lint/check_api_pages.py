#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/api is what `./dev docs` writes, and that Doxygen has no warnings about include/.

Usage: check_api_pages.py [ROOT]

Exits with 77, which CTest counts as skipped, where Doxygen is not installed: the pages cannot be made there.
"""
import pathlib
import subprocess
import sys

WRITER = pathlib.Path(__file__).resolve().parents[2] / "scripts/api_pages.py"


def main():
    return subprocess.run([sys.executable, "-B", WRITER, *sys.argv[1:], "--check"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
