# SPDX-License-Identifier: Apache-2.0
"""`tandem run`: a failing rank is named, the others are stopped, and the exit code tells."""

import os
import re
import signal
import unittest

from launcher import PYTHON, LauncherTestCase, processes_with_mark, wait_until

# Starts as the name says and then waits for ever, without help from the launcher.
WAIT_FOR_EVER = "while :; do sleep 0.05; done"


class ExitCodeTest(LauncherTestCase):
    def test_all_ranks_succeed(self):
        self.assertEqual(self.run_cli("run", "-n", "5", "true"), (0, b"", b""))

    def test_exit_code_of_the_failing_rank_is_passed_on_and_the_rank_named(self):
        code, _, err = self.run_cli("run", "-n", "4", "sh", "-c", f"[ $RANK = 2 ] && exit 41; {WAIT_FOR_EVER}")
        self.assertEqual(code, 41)
        self.assertRegex(err, rb"(?m)^tandem run: rank 2 \(pid \d+\) exited with code 41$")
        self.assertRegex(err, rb"(?m)^tandem run: stopping the other ranks: 0, 1, 3$")

    def test_a_killed_rank_is_reported_with_pid_and_signal(self):
        launcher = self.start("run", "-n", "3", "sh", "-c", f"echo $$ > $SCRATCH/part$RANK; "
                              f"mv $SCRATCH/part$RANK $SCRATCH/pid$RANK; {WAIT_FOR_EVER}")
        launcher.wait_for_file("pid1")
        with open(launcher.path("pid1")) as file:
            pid = int(file.read())
        os.kill(pid, signal.SIGKILL)
        code, _, err = launcher.finish()
        self.assertEqual(code, 128 + 9)
        self.assertIn(b"tandem run: rank 1 (pid %d) was killed by signal 9 (SIGKILL)\n" % pid, err)
        self.assert_nothing_left(launcher)

    def test_abort_is_reported_by_name(self):
        code, _, err = self.run_cli("run", "-n", "1", "sh", "-c", "ulimit -c 0; kill -ABRT $$")
        self.assertEqual(code, 128 + 6)
        self.assertRegex(err, rb"was killed by signal 6 \(SIGABRT\)")

    def test_only_the_first_failure_counts(self):
        # The other rank fails too, but only because it was asked to stop.
        program = ("if [ $RANK = 0 ]; then trap 'exit 9' TERM; touch $SCRATCH/ready; " + WAIT_FOR_EVER + "; fi; "
                   "while [ ! -e $SCRATCH/ready ]; do sleep 0.01; done; exit 3")
        code, _, err = self.run_cli("run", "-n", "2", "sh", "-c", program)
        self.assertEqual(code, 3)
        self.assertIn(b"rank 1 (pid", err)
        self.assertNotIn(b"rank 0 (pid", err)

    def test_last_words_come_before_the_report(self):
        _, _, err = self.run_cli("run", "-n", "2", "sh", "-c", f"[ $RANK = 1 ] && echo broken >&2 && exit 1; {WAIT_FOR_EVER}")
        self.assertLess(err.index(b"[1] broken"), err.index(b"exited with code 1"))


class StopTest(LauncherTestCase):
    def test_a_rank_that_ignores_sigterm_is_killed_after_the_grace_time(self):
        program = ("if [ $RANK = 0 ]; then trap '' TERM; touch $SCRATCH/ready; " + WAIT_FOR_EVER + "; fi; "
                   "while [ ! -e $SCRATCH/ready ]; do sleep 0.01; done; exit 5")
        code, _, err = self.run_cli("run", "-n", "2", "--grace", "0.3", "sh", "-c", program)
        self.assertEqual(code, 5)
        self.assertIn(b"killing what still runs 0.3 s after it was asked to stop: rank 0\n", err)

    def test_ranks_get_sigterm_and_may_clean_up(self):
        program = ("if [ $RANK = 0 ]; then trap 'echo cleaned; exit 0' TERM; touch $SCRATCH/ready; " + WAIT_FOR_EVER +
                   "; fi; while [ ! -e $SCRATCH/ready ]; do sleep 0.01; done; exit 5")
        code, out, _ = self.run_cli("run", "-n", "2", "--grace", "100", "sh", "-c", program)
        self.assertEqual((code, out), (5, b"[0] cleaned\n"))

    def test_a_stopped_rank_is_stopped_too(self):
        program = ("if [ $RANK = 0 ]; then touch $SCRATCH/ready; kill -STOP $$; " + WAIT_FOR_EVER + "; fi; "
                   "while [ ! -e $SCRATCH/ready ]; do sleep 0.01; done; exit 5")
        code, _, _ = self.run_cli("run", "-n", "2", "--grace", "100", "sh", "-c", program)
        self.assertEqual(code, 5)

    def test_grandchildren_are_stopped(self):
        program = f"({WAIT_FOR_EVER}) & ({WAIT_FOR_EVER}) & touch $SCRATCH/ready$RANK; wait"
        launcher = self.start("run", "-n", "2", "sh", "-c", program)
        for rank in range(2):
            launcher.wait_for_file(f"ready{rank}")
        self.assertGreaterEqual(len(processes_with_mark(launcher.mark)), 7)
        launcher.signal(signal.SIGTERM)
        self.assertEqual(launcher.finish()[0], 128 + 15)
        self.assert_nothing_left(launcher)

    def test_timeout_stops_the_ranks_and_says_which_still_ran(self):
        code, _, err = self.run_cli("run", "-n", "4", "--timeout", "1.5", "sh", "-c",
                                    f"[ $RANK = 1 ] && exit 0; {WAIT_FOR_EVER}")
        self.assertEqual(code, 124)
        self.assertIn(b"tandem run: the time of 1.5 s is over; still running: 0, 2, 3\n", err)


class LeftBehindTest(LauncherTestCase):
    def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_run(self):
        code, out, _ = self.run_cli("run", "-n", "2", "sh", "-c", "sleep 100000 & echo done")
        self.assertEqual((code, sorted(out.splitlines())), (0, [b"[0] done", b"[1] done"]))

    def test_a_grandchild_in_its_own_session_is_stopped_too(self):
        code, _, _ = self.run_cli("run", "-n", "2", "setsid", "--fork", "sleep", "100000")
        self.assertEqual(code, 0)

    def test_a_grandchild_that_ignores_sigterm_is_killed(self):
        program = ("import os, signal, time\nif os.fork() == 0:\n  signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                   "  os.setsid()\n  open(os.environ['SCRATCH'] + '/ready', 'w').close()\n  time.sleep(100000)\n"
                   "while not os.path.exists(os.environ['SCRATCH'] + '/ready'): time.sleep(0.01)")
        code, _, _ = self.run_cli("run", "-n", "1", "--grace", "0.2", *PYTHON, program)
        self.assertEqual(code, 0)

    def test_the_last_output_of_a_grandchild_is_shown(self):
        # As `prog > >(tee log)` in a shell: the reader of the pipe ends after the rank.
        program = "(while [ -e /proc/$$/exe ]; do sleep 0.01; done; echo late) & exit 0"
        code, out, _ = self.run_cli("run", "-n", "1", "sh", "-c", program)
        self.assertEqual((code, out), (0, b"[0] late\n"))

    def test_the_directory_of_the_run_goes_with_its_contents(self):
        program = "mkdir -p $TANDEM_RUN_DIR/a/b; echo x > $TANDEM_RUN_DIR/a/b/c; ln -s $SCRATCH $TANDEM_RUN_DIR/link; kill -9 $$"
        launcher = self.start("run", "-n", "1", "sh", "-c", program)
        launcher.touch("precious")
        self.assertEqual(launcher.finish()[0], 128 + 9)
        self.assertTrue(os.path.exists(launcher.path("precious")))
        self.assert_nothing_left(launcher)

    def test_ranks_die_with_a_killed_launcher(self):
        launcher = self.start("run", "-n", "3", *PYTHON, "import os, time\n"
                              "open(os.environ['SCRATCH'] + '/ready' + os.environ['RANK'], 'w').close()\ntime.sleep(100000)")
        for rank in range(3):
            launcher.wait_for_file(f"ready{rank}")
        launcher.signal(signal.SIGKILL)
        launcher.process.wait()
        wait_until(lambda: not processes_with_mark(launcher.mark), "ranks die with their launcher")


class CannotStartTest(LauncherTestCase):
    def check(self, program, expected_code, expected_text, **options):
        code, out, err = self.run_cli("run", "-n", "3", program, **options)
        self.assertEqual((code, out), (expected_code, b""))
        self.assertRegex(err, expected_text)
        self.assertEqual(err.count(b"\n"), 1, err)

    def test_no_such_program_in_path(self):
        self.check("no-such-program-at-all", 127, rb"no-such-program-at-all: no such program in PATH")

    def test_no_such_file(self):
        self.check("./no-such-file", 127, rb"\./no-such-file: no such file")

    def test_a_directory(self):
        self.check("/tmp", 126, rb"/tmp is a directory")

    def test_not_executable(self):
        self.check(os.path.abspath(__file__), 126, re.escape(os.path.abspath(__file__)).encode() + rb".*ermission denied")

    def test_missing_interpreter(self):
        launcher = self.start("run", "-n", "1", "true")  # for its folder
        launcher.finish()
        script = launcher.path("script")
        with open(script, "w") as file:
            file.write("#!/no/such/interpreter\n")
        os.chmod(script, 0o755)
        self.check(script, 127, rb"the interpreter it names .* does not")


if __name__ == "__main__":
    unittest.main()
