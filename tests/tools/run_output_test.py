# SPDX-License-Identifier: Apache-2.0
"""`tandem run`: what the ranks write arrives whole, labelled, and unchanged."""

import fcntl
import os
import pty
import subprocess
import termios
import unittest
from unittest import mock

from launcher import PYTHON, LauncherTestCase

ALL_BYTES = bytes(range(256))


def lines_of(rank, output):
    label = f"[{rank}] ".encode()
    return [line[len(label):] for line in output.split(b"\n") if line.startswith(label)]


class LabelTest(LauncherTestCase):
    def test_every_line_of_both_outputs_carries_its_rank(self):
        code, out, err = self.run_cli("run", "-n", "3", "sh", "-c", "echo a$RANK; echo b; echo e$RANK >&2")
        self.assertEqual(code, 0)
        self.assertEqual(sorted(out.splitlines()), sorted(b"[%d] %s" % (r, t) for r in range(3) for t in (b"a%d" % r, b"b")))
        self.assertEqual(sorted(err.splitlines()), [b"[0] e0", b"[1] e1", b"[2] e2"])

    def test_lines_of_one_rank_keep_their_order(self):
        _, out, _ = self.run_cli("run", "-n", "4", "sh", "-c", "i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); done")
        for rank in range(4):
            self.assertEqual(lines_of(rank, out), [b"%d" % i for i in range(300)])

    def test_last_line_without_newline_is_shown_and_ended(self):
        code, out, _ = self.run_cli("run", "-n", "2", "sh", "-c", "echo one; printf end$RANK")
        self.assertEqual(code, 0)
        self.assertEqual(sorted(out.split(b"\n")), [b"", b"[0] end0", b"[0] one", b"[1] end1", b"[1] one"])

    def test_empty_lines_are_lines(self):
        _, out, _ = self.run_cli("run", "-n", "1", "sh", "-c", "echo; echo")
        self.assertEqual(out, b"[0] \n[0] \n")

    def test_lines_written_in_pieces_are_not_mixed(self):
        program = ("import os\nfor i in range(200):\n  for piece in ('line-', str(i), '-of-', os.environ['RANK'], '\\n'):\n"
                   "    os.write(1 + i % 2, piece.encode())")
        code, out, _ = self.run_cli("run", "-n", "6", *PYTHON, program, stderr=subprocess.STDOUT)
        self.assertEqual(code, 0)
        for rank in range(6):
            self.assertEqual(sorted(lines_of(rank, out)), sorted(b"line-%d-of-%d" % (i, rank) for i in range(200)))

    def test_no_colour_unless_on_a_terminal(self):
        _, out, _ = self.run_cli("run", "-n", "1", "echo", "x")
        self.assertEqual(out, b"[0] x\n")


class BytesTest(LauncherTestCase):
    def test_binary_output_passes_unchanged_without_labels(self):
        program = "import os\nos.write(1, bytes(range(256)) * 3)\nos.write(2, bytes(range(256)))"
        code, out, err = self.run_cli("run", "-n", "1", "--no-label", *PYTHON, program)
        self.assertEqual((code, out, err), (0, ALL_BYTES * 3, ALL_BYTES))

    def test_binary_lines_pass_unchanged_behind_labels(self):
        program = "import os\nos.write(1, bytes(range(256)) * 2 + b'\\n')"
        _, out, _ = self.run_cli("run", "-n", "2", *PYTHON, program)
        expected = (ALL_BYTES * 2).split(b"\n")
        for rank in range(2):
            self.assertEqual(lines_of(rank, out), expected)

    def test_very_long_lines_of_several_ranks_come_in_one_piece(self):
        program = ("import os\nletter = b'abc'[int(os.environ['RANK'])].to_bytes(1, 'little')\n"
                   "data = memoryview(letter * (3 << 20) + b'\\nshort\\n')\n"
                   # All ranks write at the same time, so that their lines can meet.
                   "folder = os.environ['TANDEM_RUN_DIR']\n"
                   "open(folder + '/' + os.environ['RANK'], 'w').close()\n"
                   "while len(os.listdir(folder)) < 3: pass\n"
                   "while data: data = data[os.write(1, data):]")
        code, out, _ = self.run_cli("run", "-n", "3", *PYTHON, program)
        self.assertEqual(code, 0)
        self.assertEqual(len(out), 3 * ((3 << 20) + len("[0] \n[0] short\n")))
        for rank in range(3):
            self.assertTrue(lines_of(rank, out) == [b"abc"[rank:rank + 1] * (3 << 20), b"short"], f"rank {rank}")

    def test_a_long_line_that_stalls_does_not_silence_the_others(self):
        program = ("import os, time\nscratch = os.environ['SCRATCH']\n"
                   "if os.environ['RANK'] == '0':\n"
                   "  data = memoryview(b'x' * 200000)\n"
                   "  while data: data = data[os.write(1, data):]\n"
                   "  while not os.path.exists(scratch + '/go'): time.sleep(0.01)\n"
                   "  os.write(1, b'END\\n')\n"
                   "else:\n"
                   "  os.write(1, b'hello\\n')\n")
        launcher = self.start("run", "-n", "2", *PYTHON, program)
        launcher.read_until(b"[1] hello\n")
        launcher.touch("go")
        code, out, _ = launcher.finish()
        self.assertEqual(code, 0)
        self.assertEqual(out.count(b"x"), 200000)
        self.assertTrue(out.rstrip(b"\n").endswith(b"END"), out[-100:])
        self.assert_nothing_left(launcher)


class FlowTest(LauncherTestCase):
    def test_a_slow_reader_slows_the_rank_instead_of_filling_memory(self):
        # The rank writes until its pipe stays full, and tells how much that was.
        program = ("import os, select\nscratch = os.environ['SCRATCH']\nos.set_blocking(1, False)\n"
                   "line, total = b'y' * 1023 + b'\\n', 0\n"
                   "while total < 64 << 20 and select.select([], [1], [], 1.0)[1]:\n"
                   "  try: total += os.write(1, line)\n"
                   "  except BlockingIOError: pass\n"
                   "with open(scratch + '/part', 'w') as f: f.write(str(total))\n"
                   "os.rename(scratch + '/part', scratch + '/total')\n")
        launcher = self.start("run", "-n", "1", *PYTHON, program)
        launcher.wait_for_file("total")
        with open(launcher.path("total")) as file:
            total = int(file.read())
        self.assertLess(total, 8 << 20)
        code, out, _ = launcher.finish()
        self.assertEqual(code, 0)
        self.assertEqual(out.count(b"y"), total - total // 1024)
        self.assert_nothing_left(launcher)

    def test_when_nobody_reads_any_more_the_ranks_are_stopped(self):
        launcher = self.start("run", "-n", "2", "sh", "-c", "while :; do echo yes; done")
        launcher.read_until(b"yes")
        launcher.process.stdout.close()
        self.assertEqual(launcher.process.wait(timeout=60), 128 + 13)
        self.assert_nothing_left(launcher)

    def test_a_rank_may_close_its_outputs_and_live_on(self):
        program = "exec >&- 2>&-; echo alive > $SCRATCH/alive; while [ ! -e $SCRATCH/go ]; do sleep 0.01; done; exit 7"
        launcher = self.start("run", "-n", "1", "sh", "-c", program)
        launcher.wait_for_file("alive")
        self.assertIsNone(launcher.process.poll())
        launcher.touch("go")
        code, out, _ = launcher.finish()
        self.assertEqual((code, out), (7, b""))
        self.assert_nothing_left(launcher)

    def test_works_with_closed_standard_descriptors(self):
        def close_all():
            for fd in (0, 1, 2):
                os.close(fd)
        code, _, _ = self.run_cli("run", "-n", "2", "sh", "-c", "echo hi; echo hi >&2; exit 0", preexec_fn=close_all)
        self.assertEqual(code, 0)


class TerminalTest(LauncherTestCase):
    def on_terminal(self, *arguments, env=None):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        launcher = self.start(*arguments, stdin=slave, stdout=slave, stderr=slave, env=env, preexec_fn=take_terminal)
        os.close(slave)
        return launcher, master

    def test_labels_are_coloured_on_a_terminal_only_if_wanted(self):
        for env, expected in (({}, rb"\033\[\d+m\[0\] \033\[0mword"), ({"NO_COLOR": "1"}, rb"^\[0\] word")):
            with mock.patch.dict(os.environ):
                os.environ.pop("NO_COLOR", None)
                launcher, master = self.on_terminal("run", "-n", "1", "echo", "word", env=env)
            self.assertEqual(launcher.process.wait(timeout=60), 0)
            self.assertRegex(os.read(master, 4096), expected)

    def test_a_prompt_is_shown_and_the_answer_reaches_rank_0(self):
        program = "if [ $RANK = 0 ]; then printf 'name? '; read x; echo hello $x; fi"
        launcher, master = self.on_terminal("run", "-n", "2", "sh", "-c", program)
        launcher.read_until(b"name? ", master)
        os.write(master, b"bob\n")
        launcher.read_until(b"hello bob", master)
        self.assertEqual(launcher.process.wait(timeout=60), 0)
        self.assert_nothing_left(launcher)

    def test_ctrl_c_on_the_terminal_ends_the_run(self):
        launcher, master = self.on_terminal("run", "-n", "2", "sh", "-c", "echo ready; while :; do sleep 0.05; done")
        launcher.read_until(b"ready", master)
        os.write(master, b"\x03")
        self.assertEqual(launcher.process.wait(timeout=60), 130)
        self.assert_nothing_left(launcher)


if __name__ == "__main__":
    unittest.main()
