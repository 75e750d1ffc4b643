#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of check_symbols.py: what counts as a declaration, and that each kind of difference is named."""

import pathlib
import tempfile
import unittest

import check_symbols

HEADER = """
/* aclInComment(void); */
#define MACRO(x) aclInMacro(x); \\
  aclInContinuedMacro(x);
typedef void (*aclCallbackType)(void* data);
typedef struct item { int a; void (*field)(int); } item;
static const int ACL_CONSTANT = 1;
#ifdef __cplusplus
extern "C" {
#endif
static inline void aclInline(int a) { if (a) { return; } }
aclError aclFirst(const int32_t a, int32_t* const b);
ACL_DEPRECATED_MESSAGE("use aclFirst")
const char* aclSecond(void);
HCOMM_WEAK_SYMBOL HcclResult HcclThird(HcclComm comm,
                                       uint32_t* rank);
#ifdef __cplusplus
}
#endif
"""


class DeclaredFunctions(unittest.TestCase):
    def test_finds_functions_and_nothing_else(self):
        self.assertEqual(set(check_symbols.declared_functions(HEADER)), {"aclFirst", "aclSecond", "HcclThird"})

    def test_keeps_result_and_parameters(self):
        functions = check_symbols.declared_functions(HEADER)
        self.assertEqual(functions["aclSecond"], ("const char*", "void"))
        self.assertEqual(functions["HcclThird"], ("HcclResult", "HcclComm comm, uint32_t* rank"))


class VersionScript(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "test.map"
            path.write_text(text, encoding="utf-8")
            return check_symbols.script_symbols(path)

    def test_reads_names_between_comments(self):
        self.assertEqual(self.read("# a\n{\n global:\n  # b; c\n  one;\n  two;\n local:\n  *;\n};\n"), {"one", "two"})

    def test_refuses_wildcards(self):
        with self.assertRaises(SystemExit):
            self.read("{ global: acl*; local: *; };")

    def test_refuses_names_listed_twice(self):
        with self.assertRaises(SystemExit):
            self.read("{ global: one; one; local: *; };")

    def test_refuses_scripts_that_leave_the_rest_visible(self):
        with self.assertRaises(SystemExit):
            self.read("{ global: one; };")


class Differences(unittest.TestCase):
    def test_names_what_is_missing_and_where(self):
        lines = check_symbols.differences({"A": {"one", "two"}, "B": {"one"}, "C": {"one", "two"}})
        self.assertEqual(lines, ["two: in A and C, not in B"])

    def test_is_empty_for_equal_sets(self):
        self.assertEqual(check_symbols.differences({"A": {"one"}, "B": {"one"}}), [])


if __name__ == "__main__":
    unittest.main()
