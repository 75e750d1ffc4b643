# SPDX-License-Identifier: Apache-2.0
"""HCCL_ENTRY_LOG_ENABLE: a line for each operator call and each item of a batch, and none without it."""

import os
import re
import subprocess
import tempfile
import unittest

from launcher import DEADLINE_S
from settings_test import environment

WORKER = os.environ["TANDEM_ENTRY_WORKER"]
LAYOUT = re.compile(r"\[INFO\] TANDEM\(\d+,entry_worker\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} "
                    r"\[capi/entry_log\.cc:\d+\] Entry-(.+)")


class EntryLogTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def work(self, **settings):
        """Runs the worker; returns its ranks as (stream, buffer, name), its standard output and error."""
        run = subprocess.run([WORKER], env=environment(settings), capture_output=True, timeout=DEADLINE_S,
                             check=False)
        out = run.stdout.decode()
        err = run.stderr.decode()
        self.assertEqual(run.returncode, 0, out + err)
        ranks = re.findall(r"^rank \d stream (\d+) buffer (\S+) name (\S+)$", out, re.MULTILINE)
        self.assertEqual(len(ranks), 2, out)
        return ranks, out, err

    def entries(self, text):
        """What the lines of the run log say, in their order."""
        found = []
        for line in text.splitlines():
            if "Entry-" not in line:
                continue
            match = LAYOUT.fullmatch(line)
            self.assertTrue(match, line)
            found.append(match.group(1))
        return found

    def expected(self, ranks):
        (stream0, buffer0, name), (stream1, buffer1, _) = ranks
        at0 = f"localRank 0, streamId {stream0}, deviceLogicId 3"
        at1 = f"localRank 1, streamId {stream1}, deviceLogicId 5"

        def pair(count, kind):
            tag = f"tag worldCommSendRecv_0_1_{name}"
            return [f"HcclSend: {tag}, sendBuf {buffer0}, count {count}, dataType {kind}, destRank 1, {at0}",
                    f"HcclRecv: {tag}, recvBuf {buffer1}, count {count}, dataType {kind}, srcRank 0, {at1}"]

        def batch(rank, buffer, place):
            begin = f"HcclBatchSendRecv: tag worldBatchSendRecv_{name}, "
            other = hex(int(buffer, 16) + 64)
            end = f"remoteRank {1 - rank}, localRank {rank}"
            return [f"{begin}itemNum 3, {place}",
                    f"{begin}item 0 of 3: send, buf {buffer}, count 8, dataType int8, {end}",
                    f"{begin}item 1 of 3: receive, buf {other}, count 8, dataType int8, {end}",
                    f"{begin}item 2 of 3: send, buf (nil), count 0, dataType int8, {end}"]

        return [*pair(7, "fp32"), *pair(7, "fp32"), *batch(0, buffer0, at0), *batch(1, buffer1, at1),
                f"HcclBarrier: communicator {name}, {at0}", f"HcclBarrier: communicator {name}, {at1}",
                *pair(9, "int16")]

    def test_every_call_and_item_has_its_line(self):
        ranks, _, err = self.work(HCCL_ENTRY_LOG_ENABLE="1")
        self.assertEqual(self.entries(err), self.expected(ranks))

    def test_nothing_without_it(self):
        for settings in ({}, {"HCCL_ENTRY_LOG_ENABLE": "0"}):
            with self.subTest(settings):
                _, out, err = self.work(**settings, ASCEND_GLOBAL_LOG_LEVEL="0")
                self.assertNotIn("Entry-", out + err)

    def test_the_level_of_the_log_does_not_hide_it(self):
        ranks, _, err = self.work(HCCL_ENTRY_LOG_ENABLE="1", ASCEND_GLOBAL_LOG_LEVEL="4")
        self.assertEqual(self.entries(err), self.expected(ranks))

    def test_standard_output_on_request(self):
        ranks, out, err = self.work(HCCL_ENTRY_LOG_ENABLE="1", ASCEND_SLOG_PRINT_TO_STDOUT="1",
                                    ASCEND_PROCESS_LOG_PATH=self.folder)
        self.assertEqual(self.entries(out), self.expected(ranks))
        self.assertNotIn("Entry-", err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_folder_gets_a_file_of_the_run_log(self):
        ranks, out, err = self.work(HCCL_ENTRY_LOG_ENABLE="1", ASCEND_PROCESS_LOG_PATH=self.folder)
        self.assertNotIn("Entry-", out + err)
        folder = os.path.join(self.folder, "run", "plog")
        name, = os.listdir(folder)
        self.assertRegex(name, r"^plog-\d+_\d{14}\.log$")
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            self.assertEqual(self.entries(file.read()), self.expected(ranks))


if __name__ == "__main__":
    unittest.main()
