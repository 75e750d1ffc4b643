# SPDX-License-Identifier: Apache-2.0
"""`tandem run`: what each rank finds in its environment and on its standard input."""

import json
import os
import stat
import subprocess
import unittest

from launcher import PYTHON, LauncherTestCase

DUMP = "import json, os; print(json.dumps(dict(os.environ)))"


class EnvironmentTest(LauncherTestCase):
    def environments(self, ranks, *options, **more):
        code, out, err = self.run_cli("run", "-n", str(ranks), *options, *PYTHON, DUMP, **more)
        self.assertEqual(code, 0, err)
        result = {}
        for line in out.decode().splitlines():
            label, _, text = line.partition(" ")
            result[int(label.strip("[]"))] = json.loads(text)
        self.assertEqual(sorted(result), list(range(ranks)))
        return result

    def test_rank_and_size_under_all_their_names(self):
        for rank, env in self.environments(3).items():
            for name in ("RANK", "LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "RANK_ID",
                         "DEVICE_ID", "ASCEND_DEVICE_ID"):
                self.assertEqual(env[name], str(rank), name)
            for name in ("WORLD_SIZE", "LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
                         "RANK_SIZE"):
                self.assertEqual(env[name], "3", name)
            self.assertEqual((env["GROUP_RANK"], env["NODE_RANK"], env["MASTER_ADDR"]), ("0", "0", "127.0.0.1"))

    def test_nothing_claims_that_a_process_manager_answers(self):
        for env in self.environments(2).values():
            self.assertFalse([name for name in env if name.startswith(("PMI_", "PMIX_"))])

    def test_all_ranks_get_one_free_port(self):
        ports = {env["MASTER_PORT"] for env in self.environments(3).values()}
        self.assertEqual(len(ports), 1)
        self.assertIn(int(ports.pop()), range(1024, 65536))

    def test_the_port_can_be_chosen(self):
        self.assertEqual(self.environments(1, "--master-port", "4321")[0]["MASTER_PORT"], "4321")

    def test_env_sets_variables_and_wins(self):
        env = self.environments(1, "--env", "A=b=c", "--env", "EMPTY=", "--env", "RANK=7", "--env", "LIST=x,y z")[0]
        self.assertEqual((env["A"], env["EMPTY"], env["RANK"], env["LIST"]), ("b=c", "", "7", "x,y z"))

    def test_inherited_variables_reach_the_ranks(self):
        self.assertEqual(self.environments(1, env={"INHERITED": "yes"})[0]["INHERITED"], "yes")

    def test_devices_are_raised_only_when_needed_and_not_set(self):
        self.assertNotIn("TANDEM_DEVICES", self.environments(8)[0])
        self.assertEqual(self.environments(9)[8]["TANDEM_DEVICES"], "9")
        self.assertEqual(self.environments(9, "--env", "TANDEM_DEVICES=32")[0]["TANDEM_DEVICES"], "32")
        self.assertEqual(self.environments(9, env={"TANDEM_DEVICES": "16"})[0]["TANDEM_DEVICES"], "16")

    def test_too_few_devices_are_remarked(self):
        code, _, err = self.run_cli("run", "-n", "3", "true", env={"TANDEM_DEVICES": "2"})
        self.assertEqual(code, 0)
        self.assertIn(b"TANDEM_DEVICES=2 is below -n 3", err)

    def test_the_directory_is_private_shared_by_the_ranks_and_empty(self):
        program = ("import os, stat\npath = os.environ['TANDEM_RUN_DIR']\n"
                   "print(path, oct(stat.S_IMODE(os.stat(path).st_mode)), os.listdir(path))")
        code, out, _ = self.run_cli("run", "-n", "2", *PYTHON, program)
        self.assertEqual(code, 0)
        seen = {line.split(b" ", 1)[1] for line in out.splitlines()}
        self.assertEqual(len(seen), 1)
        self.assertTrue(seen.pop().endswith(b" 0o700 []"))

    def test_the_path_of_env_is_searched(self):
        launcher = self.start("run", "-n", "1", "true")
        launcher.finish()
        tool = launcher.path("only-here")
        with open(tool, "w") as file:
            file.write("#!/bin/sh\necho found\n")
        os.chmod(tool, stat.S_IRWXU)
        code, out, _ = self.run_cli("run", "-n", "1", "--env", f"PATH={launcher.scratch}:/bin", "only-here")
        self.assertEqual((code, out), (0, b"[0] found\n"))

    def test_bind_gives_each_rank_one_core_round_and_round(self):
        allowed = sorted(os.sched_getaffinity(0))
        program = "import os; print(sorted(os.sched_getaffinity(0)))"
        ranks = len(allowed) + 1
        code, out, _ = self.run_cli("run", "-n", str(ranks), "--bind", "core", *PYTHON, program)
        self.assertEqual(code, 0)
        self.assertEqual(sorted(out.decode().splitlines()),
                         sorted(f"[{rank}] [{allowed[rank % len(allowed)]}]" for rank in range(ranks)))


class InputTest(LauncherTestCase):
    PROGRAM = "import os, sys; data = sys.stdin.buffer.read(); print(len(data), hash(data) == hash(bytes(range(256)) * 4000))"

    def test_rank_0_reads_the_standard_input_and_the_others_nothing(self):
        launcher = self.start("run", "-n", "3", *PYTHON, self.PROGRAM, stdin=subprocess.PIPE)
        out, _ = launcher.process.communicate(bytes(range(256)) * 4000, timeout=60)
        self.assertEqual(launcher.process.returncode, 0)
        self.assertEqual(sorted(out.splitlines()), [b"[0] 1024000 True", b"[1] 0 False", b"[2] 0 False"])
        self.assert_nothing_left(launcher)

    def test_a_file_is_read_by_rank_0_itself(self):
        with open(os.path.abspath(__file__), "rb") as file:
            code, out, _ = self.run_cli("run", "-n", "2", "sh", "-c", "wc -c", stdin=file)
        self.assertEqual(code, 0)
        self.assertEqual(sorted(out.splitlines()), [b"[0] %d" % os.path.getsize(__file__), b"[1] 0"])

    def test_ranks_inherit_no_descriptor_of_the_launcher(self):
        code, out, _ = self.run_cli("run", "-n", "3", *PYTHON, "import os; print(sorted(os.listdir('/proc/self/fd'))[:4])")
        self.assertEqual(code, 0)
        # 3 is the listing itself.
        self.assertEqual(sorted(out.decode().splitlines()), [f"[{rank}] ['0', '1', '2', '3']" for rank in range(3)])


if __name__ == "__main__":
    unittest.main()
