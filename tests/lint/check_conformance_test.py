#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_conformance.py must find each way in which the table can be wrong, and accept a right one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_conformance
from check_conformance import conformance

CHECKER = pathlib.Path(check_conformance.__file__)

MAP = """{
  global:
    # acl/acl_rt.h: streams
    aclrtCreateStream;
    aclrtLater;
  local: *;
};
"""
HEADER = """/**
 * Create a stream.
 *
 * Returns   0.
 */
aclError aclrtCreateStream(aclrtStream* stream);
/** Something else. Returns 0. */
ACL_DEPRECATED_MESSAGE("use the other")
aclError aclrtLater(int32_t a);
"""
PAGE_ROW = "P01\tIt works.\t=\ttests/pages/CMakeLists.txt pages.ring.threads\n"
WORKS = "aclrtCreateStream\t-\t=\ttests/api/stream_test.cc RuntimeTest.Creates\n"
LATER = "aclrtLater\t-\t-\t-\n"


class CheckConformanceTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("src/capi/tandem.map", MAP)
        self.write("src/capi/acl_later.cc", "NOT_SUPPORTED(aclrtLater, int32_t)\n")
        self.write("include/acl/acl_rt.h", HEADER)
        self.write("tests/api/stream_test.cc", "TEST_F(RuntimeTest, Creates) {\n")
        self.write("tests/api/unsupported_test.cc", "TEST(UnsupportedTest, EveryCallSaysSoAndLeavesItsName) {\n")
        self.write("tests/tools/run_test.py", "class RunTest(Case):\n    def test_runs(self):\n")
        self.write("tests/pages/CMakeLists.txt",
                   "function(page page)\nadd_test(NAME pages.${page}.threads COMMAND x)\npage(ring)\n"
                   "tandem_register_test(property_test ARGS 1)\n# add_test(NAME pages.old COMMAND x)\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, *rows):
        self.write("docs/conformance.tsv", "# The page\n" + "".join(rows))
        try:
            self.write("docs/conformance.md", conformance.make_page(self.root))
        except conformance.Problem:
            pass  # the checker must say it too
        return check_conformance.findings(self.root)

    def accepts(self, *rows):
        self.assertEqual(self.check(*rows), [])

    def refuses(self, expected, *rows):
        self.assertIn(expected, "\n".join(self.check(*rows)))

    def test_a_complete_table_is_accepted(self):
        self.accepts(PAGE_ROW, WORKS, LATER)
        page = (self.root / "docs/conformance.md").read_text(encoding="utf-8")
        self.assertIn("| `aclrtCreateStream` | Create a stream. | As required. |", page)
        self.assertIn("| `aclrtLater` | Something else. | Not in this version.", page)

    def test_a_function_without_row_is_found(self):
        self.refuses("no row for aclrtLater", PAGE_ROW, WORKS)

    def test_a_row_of_something_else_is_found(self):
        self.refuses("aclrtGone is not an exported function", WORKS, LATER, "aclrtGone\t-\t=\t-\n")

    def test_a_function_may_have_one_row_only(self):
        self.refuses("has a row already", WORKS, WORKS, LATER)

    def test_a_test_that_does_not_exist_is_found(self):
        self.refuses("has no test RuntimeTest.Create", WORKS.replace("Creates", "Create"), LATER)
        self.refuses("has no test OtherTest.Creates", WORKS.replace("RuntimeTest", "OtherTest"), LATER)
        self.refuses("no test file tests/api/none.cc", WORKS.replace("stream_test.cc", "none.cc"), LATER)

    def test_tests_in_python_are_found_by_class_and_name(self):
        row = WORKS.replace("api/stream_test.cc RuntimeTest.Creates", "tools/run_test.py RunTest.test_runs")
        self.accepts(row, LATER)
        self.refuses("has no test RunTest.test_run", row.replace("test_runs", "test_run"), LATER)

    def test_names_of_ctest_are_found(self):
        for good in ("pages.ring.threads", "property_test"):
            self.accepts(PAGE_ROW.replace("pages.ring.threads", good), WORKS, LATER)
        for bad in ("pages.chapter.threads", "pages.ring.processes", "pages.old", "property"):
            self.refuses(f"has no test {bad}", PAGE_ROW.replace("pages.ring.threads", bad), WORKS, LATER)

    def test_an_implemented_function_must_name_a_test(self):
        self.write("src/capi/acl_later.cc", "")
        self.refuses("aclrtLater has an implementation", WORKS, LATER)

    def test_a_function_that_says_no_must_not_claim_more(self):
        self.refuses("only says that it is not supported", WORKS, LATER.replace("-\t-\n", "=\t-\n"))

    def test_a_row_of_a_page_must_name_a_test(self):
        self.refuses("P01 names no test", PAGE_ROW.split("tests/")[0] + "-\n", WORKS, LATER)

    def test_a_broken_line_is_found(self):
        self.refuses("expected four fields", "P01\tIt works.\t=\n", WORKS, LATER)

    def test_a_function_without_comment_is_found(self):
        self.write("include/acl/acl_rt.h", HEADER.replace("/** Something else. Returns 0. */\n", ""))
        self.refuses("aclrtLater has no comment", WORKS, LATER)

    def test_an_old_page_is_found(self):
        self.accepts(WORKS, LATER)
        self.write("docs/conformance.md", "something\n")
        self.assertIn("is old", "\n".join(check_conformance.findings(self.root)))

    def test_a_missing_table_is_an_error(self):
        self.assertNotEqual(check_conformance.findings(self.root), [])

    def test_the_exit_code_says_whether_there_are_findings(self):
        self.accepts(WORKS, LATER)
        for expected in (0, 1):
            run = subprocess.run([sys.executable, "-B", CHECKER, self.root], capture_output=True, check=False)
            self.assertEqual(run.returncode, expected)
            self.write("docs/conformance.md", "something\n")


if __name__ == "__main__":
    unittest.main()
