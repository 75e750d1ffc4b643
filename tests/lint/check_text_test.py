#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_text.py must find each kind of leftover, and nothing in a clean file."""
import unittest

from check_text import LICENCE, check_text

HEADER = f"// {LICENCE}\n"


def findings(name, text):
    return list(check_text(name, text))


class CheckTextTest(unittest.TestCase):
    def test_clean_file_has_no_finding(self):
        self.assertEqual(findings("src/base/a.cc", HEADER + "int a = 1;\n"), [])

    def test_missing_licence_is_found(self):
        self.assertIn("do not say", findings("src/base/a.cc", "int a = 1;\n")[0])

    def test_page_needs_no_licence_line(self):
        self.assertEqual(findings("docs/a.md", "Text.\n"), [])

    def test_unfinished_work_is_found(self):
        self.assertIn("issue", findings("docs/a.md", "TO" "DO later\n")[0])

    def test_machine_path_is_found(self):
        self.assertIn("machine", findings("docs/a.md", "see /wo" "rk/x\n")[0])

    def test_path_inside_a_longer_path_is_not_a_machine_path(self):
        self.assertEqual(findings("docs/a.md", "see build/work/x\n"), [])

    def test_whitespace_is_found(self):
        self.assertIn("space", findings("a.cc", HEADER + "int a; \n")[0])
        self.assertIn("tab", findings("a.cc", HEADER + "\tint a;\n")[0])
        self.assertIn("newline", findings("a.cc", HEADER + "int a;")[0])

    def test_line_number_is_given(self):
        self.assertTrue(findings("a.cc", HEADER + "\n\tint a;\n")[0].startswith("a.cc:3:"))


if __name__ == "__main__":
    unittest.main()
