# SPDX-License-Identifier: Apache-2.0
"""The command line of `tandem`: help, and mistakes."""

import unittest

from launcher import LauncherTestCase


class CommandLineTest(LauncherTestCase):
    def refused(self, *arguments):
        code, out, err = self.run_cli(*arguments)
        self.assertEqual((code, out), (2, b""), err)
        return err.decode()

    def test_help_of_the_program_lists_the_verbs(self):
        for word in ("--help", "-h", "help"):
            code, out, err = self.run_cli(word)
            self.assertEqual((code, err), (0, b""))
            self.assertRegex(out, rb"(?m)^  run +\S")
            self.assertRegex(out, rb"(?m)^  info +\S")
            self.assertRegex(out, rb"(?m)^  errors +\S")

    def test_every_verb_has_help_with_examples(self):
        for verb in ("run", "info", "errors"):
            code, out, err = self.run_cli(verb, "--help")
            self.assertEqual((code, err), (0, b""))
            self.assertIn(b"examples:\n  ", out)

    def test_version(self):
        code, out, _ = self.run_cli("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, rb"^tandem \d+\.\d+\.\d+\n$")

    def test_an_unknown_verb_gets_the_list(self):
        text = self.refused("fly")
        self.assertIn("there is no verb `fly`", text)
        self.assertRegex(text, r"(?m)^  run ")
        self.assertRegex(text, r"(?m)^  info ")

    def test_no_verb_gets_the_list(self):
        self.assertRegex(self.refused(), r"(?m)^  run ")

    def test_bad_numbers_of_ranks(self):
        for text in ("0", "-3", "4097", "99999999999999999999", "x", "2x", "1.5", ""):
            with self.subTest(text):
                self.assertIn("-n", self.refused("run", "-n", text, "true"))

    def test_missing_parts(self):
        self.assertIn("-n is missing", self.refused("run", "true"))
        self.assertIn("no program given", self.refused("run", "-n", "2"))
        self.refused("run", "-n")

    def test_bad_options(self):
        self.assertIn("--frobnicate", self.refused("run", "-n", "2", "--frobnicate", "true"))
        self.assertIn("expected KEY=VALUE", self.refused("run", "-n", "2", "--env", "novalue", "true"))
        self.assertIn("expected KEY=VALUE", self.refused("run", "-n", "2", "--env", "=x", "true"))
        self.assertIn("core or none", self.refused("run", "-n", "2", "--bind", "socket", "true"))
        self.assertIn("1 to 65535", self.refused("run", "-n", "2", "--master-port", "70000", "true"))
        for value in ("-1", "nan", "soon"):
            self.assertIn("--timeout", self.refused("run", "-n", "2", "--timeout", value, "true"))
        self.refused("info", "--frobnicate")
        self.refused("info", "word")

    def test_arguments_after_the_program_belong_to_it(self):
        for dashes in ((), ("--",)):
            code, out, _ = self.run_cli("run", "-n", "1", *dashes, "echo", "--help", "-n", "5", "info", "--", "run")
            self.assertEqual((code, out), (0, b"[0] --help -n 5 info -- run\n"))

    def test_a_program_may_be_called_like_a_verb(self):
        code, _, err = self.run_cli("run", "-n", "1", "--env", "PATH=/nowhere", "info")
        self.assertEqual(code, 127, err)


if __name__ == "__main__":
    unittest.main()
