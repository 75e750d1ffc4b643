# SPDX-License-Identifier: Apache-2.0
"""Starts the real `tandem` for a test, and checks that nothing is left of it."""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

CLI = os.environ["TANDEM_CLI"]
DEADLINE_S = 120  # of every wait; reached only when something is broken
MARK = "TANDEM_TEST_MARK"
PYTHON = [sys.executable, "-S", "-E", "-c"]


def processes_with_mark(mark):
    """Every living process whose environment at its start held the mark: {pid: command line}."""
    found = {}
    needle = f"{MARK}={mark}".encode()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if needle not in file.read().split(b"\0"):
                    continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                found[int(name)] = file.read()
        except OSError:
            continue  # it ended meanwhile, or is not ours to look at
    return found


def wait_until(condition, what):
    """Looks again and again, up to the deadline."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"did not happen in {DEADLINE_S} s: {what}")
        select.select([], [], [], 0.005)


class Launcher:
    """One running `tandem`, with a private TMPDIR and a mark that all its descendants inherit."""

    def __init__(self, arguments, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                 stderr=subprocess.PIPE, preexec_fn=None):
        self.mark = uuid.uuid4().hex
        self.folder = tempfile.mkdtemp(prefix="tandem-test-")
        self.temp = os.path.join(self.folder, "tmp")
        self.scratch = os.path.join(self.folder, "scratch")  # for the test's own files
        os.mkdir(self.temp)
        os.mkdir(self.scratch)
        environment = dict(os.environ)
        for name in ("TANDEM_DEVICES", "RANK", "WORLD_SIZE"):
            environment.pop(name, None)
        environment.update(TMPDIR=self.temp, SCRATCH=self.scratch)
        environment[MARK] = self.mark
        environment.update(env or {})
        self.process = subprocess.Popen(
            [CLI, *arguments], env=environment, stdin=stdin, stdout=stdout, stderr=stderr,
            start_new_session=True, preexec_fn=preexec_fn)
        self.seen = b""

    def path(self, name):
        return os.path.join(self.scratch, name)

    def touch(self, name):
        with open(self.path(name), "wb"):
            pass

    def wait_for_file(self, name):
        wait_until(lambda: os.path.exists(self.path(name)), f"file {name}")

    def read_until(self, text, fd=None):
        """Reads the standard output (or `fd`) until `text` has appeared; returns all that was read so far."""
        fd = self.process.stdout.fileno() if fd is None else fd
        end = time.monotonic() + DEADLINE_S
        while text not in self.seen:
            ready, _, _ = select.select([fd], [], [], max(0, end - time.monotonic()))
            chunk = os.read(fd, 65536) if ready else b""
            if not chunk:
                raise AssertionError(f"{text!r} did not appear; got {self.seen[-2000:]!r}")
            self.seen += chunk
        return self.seen

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self):
        """Waits for the end; returns (exit code, standard output, standard error)."""
        out, err = self.process.communicate(timeout=DEADLINE_S)
        return self.process.returncode, self.seen + (out or b""), err or b""

    def clean_up(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr, self.process.stdin):
            if stream:
                stream.close()
        for pid in processes_with_mark(self.mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


class LauncherTestCase(unittest.TestCase):
    maxDiff = None

    def start(self, *arguments, **options):
        launcher = Launcher(arguments, **options)
        self.addCleanup(launcher.clean_up)
        return launcher

    def run_cli(self, *arguments, **options):
        """Starts, waits, checks the aftermath; returns (exit code, standard output, standard error)."""
        launcher = self.start(*arguments, **options)
        result = launcher.finish()
        self.assert_nothing_left(launcher)
        return result

    def assert_nothing_left(self, launcher):
        self.assertEqual(processes_with_mark(launcher.mark), {}, "processes were left behind")
        self.assertEqual(os.listdir(launcher.temp), [], "files were left behind")
