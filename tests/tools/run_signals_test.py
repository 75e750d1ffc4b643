# SPDX-License-Identifier: Apache-2.0
"""`tandem run`: Ctrl-C and its relatives."""

import signal
import unittest

from launcher import LauncherTestCase

WAIT_FOR_EVER = "while :; do sleep 0.05; done"


class InterruptTest(LauncherTestCase):
    def ready(self, ranks, program, *options):
        launcher = self.start("run", "-n", str(ranks), *options, "sh", "-c", program)
        for rank in range(ranks):
            launcher.wait_for_file(f"ready{rank}")
        return launcher

    def test_ctrl_c_reaches_every_rank_and_ends_the_run(self):
        launcher = self.ready(4, f"trap 'echo got; exit 0' INT; touch $SCRATCH/ready$RANK; {WAIT_FOR_EVER}",
                              "--grace", "100")
        launcher.signal(signal.SIGINT)
        code, out, err = launcher.finish()
        self.assertEqual(code, 130)
        self.assertEqual(sorted(out.splitlines()), [b"[%d] got" % rank for rank in range(4)])
        self.assertIn(b"SIGINT received", err)
        self.assert_nothing_left(launcher)

    def test_sigterm_is_forwarded_as_sigterm(self):
        launcher = self.ready(2, f"trap 'echo got; exit 0' TERM; touch $SCRATCH/ready$RANK; {WAIT_FOR_EVER}",
                              "--grace", "100")
        launcher.signal(signal.SIGTERM)
        code, out, _ = launcher.finish()
        self.assertEqual((code, sorted(out.splitlines())), (143, [b"[0] got", b"[1] got"]))
        self.assert_nothing_left(launcher)

    def test_second_ctrl_c_kills_what_ignores_the_first(self):
        launcher = self.ready(2, f"trap 'echo got' INT; trap '' TERM; touch $SCRATCH/ready$RANK; {WAIT_FOR_EVER}",
                              "--grace", "1000")
        launcher.signal(signal.SIGINT)
        launcher.read_until(b"[0] got\n")
        launcher.signal(signal.SIGINT)
        code, _, err = launcher.finish()
        self.assertEqual(code, 130)
        self.assertIn(b"killing all ranks", err)
        self.assert_nothing_left(launcher)

    def test_ranks_that_ignore_ctrl_c_are_killed_after_the_grace_time(self):
        launcher = self.ready(2, f"trap '' INT TERM; touch $SCRATCH/ready$RANK; {WAIT_FOR_EVER}", "--grace", "0.3")
        launcher.signal(signal.SIGINT)
        code, _, err = launcher.finish()
        self.assertEqual(code, 130)
        self.assertIn(b"rank 0, 1\n", err)
        self.assert_nothing_left(launcher)

    def test_ctrl_c_while_ranks_are_being_started_leaves_nothing(self):
        # Ranks that only wait: 200 of them in a loop would take the processor from those that are to be started.
        launcher = self.start("run", "-n", "200", "sh", "-c", "touch $SCRATCH/ready$RANK; exec sleep 100000")
        launcher.wait_for_file("ready0")
        launcher.signal(signal.SIGINT)
        self.assertEqual(launcher.finish()[0], 130)
        self.assert_nothing_left(launcher)

    def test_an_ignored_signal_stays_ignored(self):
        # As under nohup.
        launcher = self.start("run", "-n", "1", "sh", "-c", "touch $SCRATCH/ready; while [ ! -e $SCRATCH/go ]; do sleep 0.01; done",
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        launcher.wait_for_file("ready")
        launcher.signal(signal.SIGHUP)
        launcher.touch("go")
        self.assertEqual(launcher.finish()[0], 0)

    def test_user_signals_are_passed_on_and_stop_nothing(self):
        launcher = self.ready(2, "trap 'echo got; exit 0' USR1; touch $SCRATCH/ready$RANK; " + WAIT_FOR_EVER)
        launcher.signal(signal.SIGUSR1)
        code, out, err = launcher.finish()
        self.assertEqual((code, sorted(out.splitlines())), (0, [b"[0] got", b"[1] got"]))
        self.assertNotIn(b"tandem run", err)
        self.assert_nothing_left(launcher)

    def test_ranks_start_with_default_signal_settings(self):
        code, out, _ = self.run_cli("run", "-n", "1", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
                                    preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        self.assertEqual((code, out), (0, b"[0] SigBlk:\t0000000000000000\n[0] SigIgn:\t0000000000000000\n"))


if __name__ == "__main__":
    unittest.main()
