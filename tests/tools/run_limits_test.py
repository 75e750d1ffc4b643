# SPDX-License-Identifier: Apache-2.0
"""`tandem run`: many ranks with few descriptors."""

import os
import resource
import shutil
import tempfile
import unittest

from launcher import LauncherTestCase


def limit_files(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class FileLimitTest(LauncherTestCase):
    def check_many(self, ranks, soft, hard):
        # Every rank waits for the last, so that all of them live at the same time. They wait in a read, not in a loop:
        # hundreds of ranks that look again and again keep the machine from starting the rest. Each takes one line.
        folder = tempfile.mkdtemp(prefix="tandem-test-")
        self.addCleanup(shutil.rmtree, folder)
        gate = os.path.join(folder, "gate")
        os.mkfifo(gate)
        held = os.open(gate, os.O_RDWR | os.O_CLOEXEC)  # so that no reader meets a fifo without a writer
        self.addCleanup(os.close, held)
        program = (f"if [ $RANK = {ranks - 1} ]; then yes '' | head -n {ranks - 1} >$GATE; else read -r line <$GATE; fi; "
                   "echo out $RANK; echo err $RANK >&2")
        code, out, err = self.run_cli("run", "-n", str(ranks), "sh", "-c", program, env={"GATE": gate},
                                      preexec_fn=limit_files(soft, hard))
        self.assertEqual(code, 0, err[-2000:])
        self.assertEqual(sorted(out.splitlines()), sorted(b"[%d] out %d" % (r, r) for r in range(ranks)))
        self.assertEqual(sorted(err.splitlines()), sorted(b"[%d] err %d" % (r, r) for r in range(ranks)))

    def test_64_ranks_with_1024_descriptors(self):
        self.check_many(64, 1024, 1024)

    def test_256_ranks_with_1024_descriptors(self):
        self.check_many(256, 1024, 1024)

    def test_the_launcher_raises_its_own_limit(self):
        self.check_many(64, 32, 1024)

    def test_ranks_get_the_limit_of_the_user(self):
        code, out, _ = self.run_cli("run", "-n", "1", "sh", "-c", "ulimit -Sn; ulimit -Hn", preexec_fn=limit_files(100, 1000))
        self.assertEqual((code, out), (0, b"[0] 100\n[0] 1000\n"))

    def test_too_few_descriptors_are_explained_and_nothing_stays(self):
        code, _, err = self.run_cli("run", "-n", "64", "sleep", "100000", preexec_fn=limit_files(40, 40))
        self.assertEqual(code, 125)
        self.assertRegex(err, rb"tandem run: .*Too many open files.*ulimit -n")


if __name__ == "__main__":
    unittest.main()
