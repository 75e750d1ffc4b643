# SPDX-License-Identifier: Apache-2.0
"""Where log lines go, and that they never make a program fail."""

import os
import re
import subprocess
import tempfile
import unittest

from launcher import DEADLINE_S
from settings_test import WORKER, environment

LAYOUT = re.compile(r"\[(DEBUG|INFO|WARNING|ERROR)\] TANDEM\(\d+,settings_worker\):"
                    r"\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} \[\w+/\w+\.cc:\d+\] .+")
FAILS = {"HCCL_RDMA_SL": "9"}  # so that there is something to log


class LogTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def work(self, **settings):
        """Runs the worker; returns (standard output, standard error) of its end, which must be good."""
        run = subprocess.run([WORKER], env=environment(settings), capture_output=True, timeout=DEADLINE_S,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        out = run.stdout.decode()
        self.assertTrue(out.endswith("end\n"), out)
        return out, run.stderr.decode()

    def files(self, *below):
        folder = os.path.join(self.folder, *below, "debug", "plog")
        texts = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts[name] = file.read()
        return texts

    def test_lines_go_to_the_standard_error_and_have_one_layout(self):
        out, err = self.work(**FAILS, ASCEND_GLOBAL_LOG_LEVEL="0")
        self.assertNotIn("[ERROR]", out)
        self.assertIn("[ERROR]", err)
        for line in err.splitlines():
            self.assertRegex(line, LAYOUT)

    def test_standard_output_on_request(self):
        out, err = self.work(**FAILS, ASCEND_SLOG_PRINT_TO_STDOUT="1", ASCEND_PROCESS_LOG_PATH=self.folder)
        self.assertIn("[ERROR]", out)
        self.assertEqual(err, "")
        self.assertEqual(os.listdir(self.folder), [], "then there is no file")

    def test_a_folder_gets_the_lines_in_one_file(self):
        path = os.path.join(self.folder, "new", "er")
        _, err = self.work(**FAILS, ASCEND_PROCESS_LOG_PATH=path, ASCEND_WORK_PATH="/nowhere")
        self.assertEqual(err, "")
        (name, text), = self.files("new", "er").items()
        self.assertRegex(name, r"^plog-\d+_\d{14}\.log$")
        self.assertIn("[ERROR]", text)
        for line in text.splitlines():
            self.assertRegex(line, LAYOUT)

    def test_the_work_path_has_a_folder_log(self):
        self.work(**FAILS, ASCEND_WORK_PATH=self.folder)
        self.assertEqual(len(self.files("log")), 1)

    def test_nothing_to_say_leaves_no_file(self):
        self.work(ASCEND_PROCESS_LOG_PATH=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_folder_that_cannot_be_written(self):
        blocked = os.path.join(self.folder, "file")
        with open(blocked, "wb"):
            pass
        _, err = self.work(**FAILS, ASCEND_PROCESS_LOG_PATH=blocked)
        self.assertEqual(err.count("cannot be written: Not a directory"), 1, err)
        self.assertIn("[ERROR]", err)

    def test_a_full_disk(self):
        mount = 'mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero > "$0/fill"'
        private = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
        if subprocess.run([*private, mount, self.folder], capture_output=True, check=False).returncode != 0:
            self.skipTest("this container allows no mount")
        run = subprocess.run([*private, mount + ' && exec "$1"', self.folder, WORKER], capture_output=True,
                             env=environment({**FAILS, "ASCEND_PROCESS_LOG_PATH": self.folder}),
                             timeout=DEADLINE_S, check=False)
        err = run.stderr.decode()
        self.assertEqual(run.returncode, 0, err)
        self.assertTrue(run.stdout.endswith(b"end\n"))
        self.assertEqual(err.count("cannot be written: No space left on device"), 1, err)
        self.assertIn("[ERROR]", err)

    def test_a_full_standard_error(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([WORKER], env=environment(FAILS), stdout=subprocess.PIPE, stderr=full,
                                 timeout=DEADLINE_S, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertTrue(run.stdout.endswith(b"end\n"))

    def test_levels(self):
        for level, info, errors in (("0", 1, 1), ("1", 1, 1), ("2", 0, 1), ("3", 0, 1), ("4", 0, 0)):
            with self.subTest(level):
                _, err = self.work(ASCEND_GLOBAL_LOG_LEVEL=level, HCCL_RDMA_TC="4")
                self.assertEqual("[INFO]" in err, bool(info), err)
                self.assertEqual("[ERROR]" in self.work(ASCEND_GLOBAL_LOG_LEVEL=level, **FAILS)[1], bool(errors))

    def test_an_invalid_level_is_told_and_the_default_used(self):
        _, err = self.work(**FAILS, ASCEND_GLOBAL_LOG_LEVEL="9")
        self.assertEqual(err.count('ASCEND_GLOBAL_LOG_LEVEL="9" is not valid'), 1, err)
        self.assertIn("the default is used", err)
        self.assertIn("[ERROR]", err)


if __name__ == "__main__":
    unittest.main()
