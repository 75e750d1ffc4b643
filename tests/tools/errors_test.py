# SPDX-License-Identifier: Apache-2.0
"""`tandem errors`: every code of the headers is there and is explained; mistakes get help."""

import json
import os
import re
import unittest

from launcher import LauncherTestCase

HEADERS = os.environ["TANDEM_HEADERS"]


def header_codes(name, pattern):
    with open(os.path.join(HEADERS, name), encoding="utf-8") as file:
        return {code: int(value) for code, value in re.findall(pattern, file.read(), re.MULTILINE)}


class ErrorsTest(LauncherTestCase):
    def explain(self, *names):
        code, out, err = self.run_cli("errors", "--json", *names)
        self.assertEqual((code, err), (0, b""))
        return json.loads(out)["errors"]

    def text(self, *names):
        code, out, err = self.run_cli("errors", *names)
        self.assertEqual((code, err), (0, b""))
        return out.decode()

    def values(self, kind):
        return {row["name"]: row["value"] for row in self.explain() if row["kind"] == kind}

    def test_every_result_of_hccl_is_there_with_its_value(self):
        expected = header_codes("hccl/hccl_types.h", r"^  (HCCL_(?:E_\w+|SUCCESS)) = (\d+)")
        self.assertEqual(self.values("HcclResult"), expected)

    def test_every_error_of_acl_is_there_with_its_value(self):
        expected = header_codes("acl/acl_base_rt.h", r"^static const int (ACL_ERROR_\w+) = (-?\d+);")
        expected.update(header_codes("acl/error_codes/rt_error_codes.h", r"^#define (ACL_ERROR_\w+) (\d+)"))
        self.assertGreater(len(expected), 200)
        self.assertEqual(self.values("aclError"), expected)

    def test_the_twenty_ids_have_all_their_parts(self):
        rows = {row["name"]: row for row in self.explain() if row["kind"] == "message id"}
        for number in range(1, 21):
            row = rows[f"EI{number:04}"]
            for part in ("title", "placeholders", "cause", "remedy", "result"):
                self.assertTrue(row[part], row)

    def test_every_code_has_a_meaning_and_what_is_returned_has_help(self):
        names = [row["name"] for row in self.explain()]
        self.assertEqual(len(set(names)), len(names))
        for row in self.explain():
            if row["kind"] == "message id":
                continue
            self.assertGreater(len(row["meaning"]), 5, row)
            self.assertEqual(row["returned"], bool(row["causes"]))
            self.assertEqual(bool(row["causes"]), bool(row["remedy"]), row)

    def test_ids_names_short_names_and_numbers(self):
        for word, name in (("EI0005", "EI0005"), ("ei0005", "EI0005"), ("HCCL_E_PARA", "HCCL_E_PARA"),
                           ("hccl_e_para", "HCCL_E_PARA"), ("PARA", "HCCL_E_PARA"), ("1", "HCCL_E_PARA"),
                           ("107003", "ACL_ERROR_RT_STREAM_CONTEXT"), ("stream_context", "ACL_ERROR_RT_STREAM_CONTEXT"),
                           ("RT_STREAM_CONTEXT", "ACL_ERROR_RT_STREAM_CONTEXT"), ("ACL_SUCCESS", "ACL_ERROR_NONE"),
                           ("100000", "ACL_ERROR_INVALID_PARAM"), ("1041", "HCCL_E_IN_STATUS")):
            with self.subTest(word):
                self.assertEqual([row["name"] for row in self.explain(word)], [name])

    def test_a_number_or_short_name_of_both_kinds_gives_both(self):
        self.assertEqual([row["name"] for row in self.explain("0")], ["HCCL_SUCCESS", "ACL_ERROR_NONE"])
        self.assertEqual([row["name"] for row in self.explain("TIMEOUT")], ["HCCL_E_TIMEOUT", "ACL_ERROR_RT_TIMEOUT"])

    def test_the_text_has_meaning_causes_and_what_to_do(self):
        text = self.text("EI0005", "HCCL_E_PARA", "107003", "507014")
        self.assertRegex(text, r"(?m)^EI0005 Invalid_Argument$")
        self.assertRegex(text, r"(?m)^HCCL_E_PARA \(HcclResult 1\)$")
        self.assertRegex(text, r"(?m)^ACL_ERROR_RT_STREAM_CONTEXT \(aclError 107003\)$")
        self.assertEqual(len(re.findall(r"(?m)^  what to do +\S", text)), 3, text)
        self.assertRegex(text, r"(?m)^  message ids +EI0001, EI0003")
        self.assertIn("Tandem never returns it", text.split("ACL_ERROR_RT_AICORE_TIMEOUT")[1])

    def test_the_list_names_everything_on_one_line_each(self):
        lines = self.text().splitlines()
        for row in self.explain():
            self.assertEqual(sum(row["name"] in line.split() for line in lines), 1, row["name"])

    def test_unknown_names_get_similar_ones(self):
        for word, similar in (("HCCL_E_PRA", "HCCL_E_PARA"), ("EI005", "EI0005"), ("107073", "107003"),
                              ("STREAM_CONTXT", "ACL_ERROR_RT_STREAM_CONTEXT"), ("mem", "HCCL_E_MEMORY")):
            with self.subTest(word):
                code, out, err = self.run_cli("errors", "EI0001", word)
                self.assertEqual((code, out), (2, b""))
                self.assertIn(f"`{word}`", err.decode())
                self.assertIn(similar, err.decode())

    def test_what_looks_like_nothing_gets_the_list_as_advice(self):
        for word in ("qqqqqqqqqq", "99999999999999999999", "", "x" * 10000, "\udcff"):
            code, out, err = self.run_cli("errors", word)
            self.assertEqual((code, out), (2, b""), word[:20])
            self.assertIn(b"there is no error", err)
            self.assertIn(b"`tandem errors` lists all", err)

    def test_unknown_options(self):
        code, out, _ = self.run_cli("errors", "--frobnicate")
        self.assertEqual((code, out), (2, b""))


if __name__ == "__main__":
    unittest.main()
