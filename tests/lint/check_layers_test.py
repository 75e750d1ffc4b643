#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py must find each kind of wrong include, and must not find right ones."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_layers.py")


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for file in ("base/status.h", "diag/layout.h", "stream/stream.h", "comm/link.h",
                     "transport/transport.h", "transport/shm/slots.h", "transport/ucx/worker.h"):
            self.write("src/" + file, "#include <cstdint>\n")
        self.write("include/hccl/hccl.h", "#include <stdint.h>\n")
        self.write("tests/support/job.h", "#include <vector>\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self):
        run = subprocess.run([sys.executable, CHECKER, self.root], capture_output=True, text=True,
                             check=False)
        return run.returncode, run.stdout

    def refuses(self, name, text, expected):
        self.write(name, text)
        code, output = self.check()
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)
        self.assertIn(name + ":", output)

    def accepts(self, name, text):
        self.write(name, text)
        code, output = self.check()
        self.assertEqual(code, 0, output)

    def test_arrows_down_are_accepted(self):
        self.accepts("src/comm/a.cc", '#include "stream/stream.h"\n#include "base/status.h"\n')

    def test_arrow_up_is_refused(self):
        self.refuses("src/stream/a.cc", '#include "comm/link.h"\n', "points up")

    def test_arrow_up_to_a_missing_file_is_refused(self):
        self.refuses("src/base/a.cc", '#include "capi/enter.h"\n', "points up")

    def test_arrow_up_by_relative_path_is_refused(self):
        self.refuses("src/stream/a.cc", '#include "../comm/link.h"\n', "points up")

    def test_line_number_is_given(self):
        self.refuses("src/base/a.cc", '// a\n\n#include "comm/link.h"\n', "src/base/a.cc:3:")

    def test_include_in_a_comment_does_not_count(self):
        self.accepts("src/stream/a.cc", '/*\n#include "comm/link.h"\n*/\n// #include "comm/link.h"\n')

    def test_public_header_with_internal_include_is_refused(self):
        self.refuses("include/acl/acl.h", '#include "base/status.h"\n', "without anything of src")

    def test_ucx_header_outside_its_folder_is_refused(self):
        self.refuses("src/comm/a.cc", "#include <ucp/api/ucp.h>\n", "UCX")

    def test_ucx_header_in_its_folder_is_accepted(self):
        self.accepts("src/transport/ucx/a.cc", "#include <ucp/api/ucp.h>\n")

    def test_transports_do_not_know_each_other(self):
        self.refuses("src/transport/shm/a.cc", '#include "transport/ucx/worker.h"\n', "must not know")

    def test_example_with_internal_include_is_refused(self):
        self.refuses("examples/01/a.cc", '#include "base/status.h"\n', "include/ only")

    def test_tool_may_read_diag_but_not_comm(self):
        self.accepts("tools/a.cc", '#include "diag/layout.h"\n#include "hccl/hccl.h"\n')
        self.refuses("tools/b.cc", '#include "comm/link.h"\n', "not comm/")

    def test_source_with_test_include_is_refused(self):
        self.refuses("src/comm/a.cc", '#include "support/job.h"\n', "nothing includes tests")

    def test_tests_may_include_any_layer(self):
        self.accepts("tests/unit/a.cc", '#include "comm/link.h"\n#include "support/job.h"\n')

    def test_tree_without_includes_is_an_error(self):
        run = subprocess.run([sys.executable, CHECKER, self.root / "nothing"], capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
