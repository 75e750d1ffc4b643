#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The API pages: what the filter makes of comments, and that check_api_pages.py finds old pages and missing comments."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().with_name("check_api_pages.py")
ROOT = CHECKER.parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import doxygen_filter  # noqa: E402  the path above is where it is

HEADER = """/* SPDX-License-Identifier: Apache-2.0 */
/* Streams. */
#ifndef ACL_X_H_
#define ACL_X_H_

/* Handles. */
typedef void* aclrtStream;

/* First part. */

/**
 * Create a stream with `flag`.
 *
 * Args      flag below 3, in units of 1 <= x.
 * Returns   HCCL_SUCCESS  it is there
 *           HCCL_E_PARA   flag is too large, which
 *                         is told
 *           Then nothing is left.
 */
ACL_DEPRECATED_MESSAGE("use another")
int aclrtCreate(aclrtStream* stream, int flag);
/** Undo aclrtCreate. Returns 0; 100000 null. */
int aclrtDestroy(aclrtStream stream);

#endif
"""


class FilterTest(unittest.TestCase):
    def filtered(self):
        return doxygen_filter.convert(HEADER, "acl/x.h")

    def test_labels_become_paragraphs_with_titles(self):
        self.assertIn(" * @par Args\n * flag below 3, in units of 1 \\<= x.\n", self.filtered())

    def test_a_table_of_codes_becomes_a_list_and_ends(self):
        self.assertIn(" * @par Returns\n *  - <tt>HCCL_SUCCESS</tt> it is there\n"
                      " *  - <tt>HCCL_E_PARA</tt> flag is too large, which\n *    is told\n"
                      " * \n * @par\n * Then nothing is left.\n", self.filtered())

    def test_results_in_the_first_paragraph_are_taken_out(self):
        self.assertIn(" * @brief Undo aclrtCreate.\n * \n * @par Returns\n * 0; 100000 null.\n", self.filtered())

    def test_the_first_comment_is_that_of_the_file(self):
        self.assertIn(" * @brief Streams.\n * \n * @file acl/x.h\n */\n#ifndef", self.filtered())

    def test_deprecation_is_told(self):
        self.assertIn(" * @par Deprecated\n * use another.\n */\nACL_DEPRECATED_MESSAGE", self.filtered())

    def test_code_stays_as_it_is(self):
        code = [line for line in HEADER.split("\n") if line.startswith(("int ", "typedef", "#"))]
        self.assertEqual([line for line in self.filtered().split("\n") if line.startswith(("int ", "typedef", "#"))], code)


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in ("docs", "scripts", "src/capi", "include/acl"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "docs/Doxyfile", self.root / "docs")
        shutil.copy(ROOT / "scripts/doxygen_filter.py", self.root / "scripts")
        self.write(HEADER)

    def write(self, header):
        (self.root / "include/acl/x.h").write_text(header, encoding="utf-8")

    def run_script(self, *command, **environment):
        run = subprocess.run([sys.executable, "-B", *command], capture_output=True, text=True, check=False,
                             env={**os.environ, **environment})
        return run.returncode, run.stdout + run.stderr

    def make(self):
        return self.run_script(ROOT / "scripts/api_pages.py", self.root)

    def check(self):
        return self.run_script(CHECKER, self.root)

    def test_without_doxygen_it_is_skipped_with_the_reason(self):
        code, output = self.run_script(CHECKER, self.root, PATH=str(self.root))
        self.assertEqual(code, 77, output)
        self.assertIn("doxygen is not installed", output)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_pages_are_complete_and_old_ones_are_found(self):
        code, output = self.make()
        self.assertEqual(code, 0, output)
        page = (self.root / "docs/api/acl_x.md").read_text(encoding="utf-8")
        for part in ("# acl/x.h\n", "## First part\n", "### aclrtCreate\n", "typedef void* aclrtStream;",
                     "int aclrtCreate(aclrtStream* stream, int flag);", "- `HCCL_E_PARA` flag is too large, which is told",
                     "Undo [`aclrtCreate`](acl_x.md#aclrtcreate).", "**Deprecated** use another."):
            self.assertIn(part, page)
        self.assertEqual(self.check()[0], 0)
        self.write(HEADER.replace("flag is too large", "flag is much too large"))
        code, output = self.check()
        self.assertEqual(code, 1, output)
        self.assertIn("docs/api/acl_x.md is not what", output)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_a_function_without_comment_is_found(self):
        self.write(HEADER.replace("/** Undo aclrtCreate. Returns 0; 100000 null. */\n", ""))
        code, output = self.make()
        self.assertEqual(code, 1, output)
        self.assertIn("aclrtDestroy has no comment", output)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_a_warning_of_doxygen_is_found(self):
        self.write(HEADER.replace("int aclrtDestroy(aclrtStream stream);",
                                  "int aclrtDestroy(aclrtStream stream);\n/** \\unknowncommand */\nint aclrtMore(void);"))
        (self.root / "scripts/doxygen_filter.py").write_text(
            "import sys\nsys.stdout.write(open(sys.argv[1]).read())\n", encoding="utf-8")
        code, output = self.make()
        self.assertEqual(code, 1, output)
        self.assertIn("unknowncommand", output)


if __name__ == "__main__":
    unittest.main()
