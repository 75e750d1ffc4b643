# SPDX-License-Identifier: Apache-2.0
"""Every setting: good values, bad values, and what the calls say; docs/settings.md says what the tool says."""

import json
import os
import subprocess
import unittest

from launcher import DEADLINE_S, LauncherTestCase

WORKER = os.environ["TANDEM_SETTINGS_WORKER"]
DOCUMENT = os.environ["TANDEM_SETTINGS_DOCUMENT"]

SWITCH = (("0", "1"), ("2", "true", "-1", "01", " 1"))
TRUE_FALSE = (("TRUE", "FALSE", "true", "False"), ("1", "yes", "TRUE ", "T"))
PORTS = (("auto", "7", "1-65535", "60000-60031", "8,9,10-20"),
         ("0", "65536", "5-4", "1-2-3", "7,", ",7", "7-8,8", "AUTO", "7 ", "a-b", "-7"))
SECONDS_BAD = ("soon", "-1", "1e3", " 5", "5 ", "5s", "+5", ".5", "5.")
ADDRESS_BAD = ("localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", ":::", "127.0.0.1 ", "127.0.0.1:80")


def whole(low, high):
    below = (str(low - 1),) if low > 0 else ()
    return ((str(low), str(high), "0" + str(low)),
            (*below, str(high + 1), "-1", "+1", "x", "1.5", "0x1", str(low) + " ", " " + str(low), "00000000001"))


# Per variable: values that are accepted and values that are not. None: every text is accepted.
COMMUNICATOR = {
    "HCCL_CONNECT_TIMEOUT": whole(120, 7200),
    "HCCL_EXEC_TIMEOUT": (("0", "1", "2147483647", "1.5", "0.01", "600"),
                          (*SECONDS_BAD, "2147483648", "2147483647.5", "1.555")),
    "CM_WORKER_IP": (("127.0.0.1",), ADDRESS_BAD),
    "HCCL_IF_IP": (("127.0.0.1",), ADDRESS_BAD),
    "HCCL_SOCKET_IFNAME": (("lo", "=lo", "^abc", "^=abc", "abc,lo", "=abc,lo"),
                           ("lo,", ",lo", "a,,lo", "^", "=", "^=", "=^lo", "^lo,", "lo eth")),
    "HCCL_SOCKET_FAMILY": (("AF_INET", "AF_INET6"), ("af_inet", "INET", "4", "AF_INET ")),
    "HCCL_IF_BASE_PORT": whole(1024, 65520),
    "HCCL_HOST_SOCKET_PORT_RANGE": (("auto", "20000-65535", "20000-30000,40000-50000"), PORTS[1]),
    "HCCL_NPU_SOCKET_PORT_RANGE": PORTS,
    "HCCL_WHITELIST_DISABLE": (("1",), SWITCH[1]),
    "HCCL_WHITELIST_FILE": (("/nowhere",), ("x" * 4097,)),
    "HCCL_LOGIC_SUPERPOD_ID": (("pod", "x" * 127), ("x" * 128,)),
    "HCCL_INTER_HCCS_DISABLE": TRUE_FALSE,
    "HCCL_INTRA_PCIE_ENABLE": (("1",), SWITCH[1]),
    "HCCL_INTRA_ROCE_ENABLE": (("1",), SWITCH[1]),
    "HCCL_BUFFSIZE": (("1", "200", "9999999999"), ("0", "-1", "200M", "1.5", "10000000000", "x")),
    "HCCL_DETERMINISTIC": (("false", "true", "strict", "TRUE", "Strict"), ("0", "1", "maybe", "true ")),
    "HCCL_OP_EXPANSION_MODE": (("AI_CPU", "AICPU_CacheDisable", "AIV", "HOST", "HOST_TS", "AICPU_TS", "CCU_MS",
                                "CCU_SCHED"), ("CPU", "host", "AIV,HOST", "AI_CPU ")),
    "HCCL_OP_RETRY_ENABLE": (("L1:0,L2:0", "L1:1", "L1:1, L2:1", "L2:0,L1:1", "L0:0,L1:1,L2:1"),
                             ("L1:2", "L3:1", "L1", "L1:", "L1:1,L1:0", "L1:1;L2:1", "L1:1,", " L1:1", "1")),
    "HCCL_OP_RETRY_PARAMS": (("MaxCnt:1,HoldTime:0,IntervalTime:0", "MaxCnt:10,HoldTime:60000,IntervalTime:60000",
                              "MaxCnt:5, HoldTime:5000, IntervalTime:5000"),
                             ("MaxCnt:0", "MaxCnt:11", "HoldTime:60001", "IntervalTime:-1", "Max:1", "MaxCnt:1,")),
    "HCCL_ALGO": (("level0:NA;level1:H-D_R", "anything"), None),
    "HCCL_RDMA_TC": (("0", "4", "132", "252"), ("1", "133", "256", "255", "-4", "x")),
    "HCCL_RDMA_SL": whole(0, 7),
    "HCCL_RDMA_TIMEOUT": whole(0, 31),
    "HCCL_RDMA_RETRY_CNT": whole(1, 7),
    "HCCL_RDMA_QPS_PER_CONNECTION": whole(1, 32),
    "HCCL_MULTI_QP_THRESHOLD": whole(1, 8192),
    "HCCL_RDMA_QP_PORT_CONFIG_PATH": (("/tmp", "x" * 4096), ("x" * 4097,)),
    "HCCL_RDMA_PCIE_DIRECT_POST_NOSTRICT": TRUE_FALSE,
    "HCCL_UB_TIMEOUT": whole(0, 31),
    "HCCL_UBOE_TIMEOUT": whole(0, 31),
    "HCCL_ENTRY_LOG_ENABLE": SWITCH,
    "HCCL_DIAGNOSE_ENABLE": SWITCH,
    "HCCL_DEBUG_CONFIG": (("ALG", "alg,task,resource", "^task", "^TASK,alg", "AIV_OPS_EXC"),
                          ("ALG, TASK", "ALG,", "^", "NET", "ALG^TASK", "ALG,^TASK", "^^ALG")),
    "HCCL_DFS_CONFIG": (("connection_fault_detection_time:0", "connection_fault_detection_time:20",
                         "connection_fault_detction_time:7200,cluster_heartbeat:on,stuck_detection:off",
                         "inconsistent_check:first,task_exception:off,task_monitor_interval:7200000"),
                        ("connection_fault_detection_time:19", "connection_fault_detection_time:7201",
                         "cluster_heartbeat:yes", "stuck_detection", "task_exception:first",
                         "task_monitor_interval:7200001", "unknown:on", "cluster_heartbeat:on,cluster_heartbeat:on")),
    "CM_CHIEF_IP": (("10.0.0.1", "::1"), ADDRESS_BAD),
    "CM_CHIEF_PORT": whole(0, 65520),
    "CM_CHIEF_DEVICE": (("0", "7"), ("-1", "x")),
    "CM_WORKER_SIZE": whole(0, 32768),
    "TANDEM_CONNECT_TIMEOUT": (("5", "0.25", "100000000"), (*SECONDS_BAD, "0", "0.0", "1.0000000001", "100000001")),
    "TANDEM_EXEC_TIMEOUT": (("0", "5", "0.001"), (*SECONDS_BAD, "1.0000000001", "2147483648")),
    "TANDEM_NOTE_AFTER_MS": whole(0, 86400000),
    "TANDEM_BATCH_DUPLICATES": (("reject", "list", "sorted"), ("Reject", "none", "list ")),
    "TANDEM_BATCH_SCHEDULE": (("free",), ("FREE", "none")),
    "TANDEM_SPIN_US": whole(0, 1000000),
    "TANDEM_RUN_DIR": (("/tmp/x", "any"), ("x" * 4097,)),
    "TANDEM_HCCN_CONF": (("/nonexistent",), ("x" * 4097,)),
}
RUNTIME = {  # refused by the first call that needs a device
    "TANDEM_DEVICES": whole(1, 65536),
    "TANDEM_DEVICE_MEMORY": (("1G", "16777216", "64M"), ("0", "G", "1g", "1.5G", "-1", "1GB", "99999999999999T")),
    "ASCEND_RT_VISIBLE_DEVICES": (("0", "0,1", "2,3"), ("99", "1,0", "x", "0,0")),
}
LOG = {  # the default is used instead
    "ASCEND_GLOBAL_LOG_LEVEL": whole(0, 4),
    "ASCEND_SLOG_PRINT_TO_STDOUT": SWITCH,
    "ASCEND_PROCESS_LOG_PATH": (("",), ("x" * 4097,)),
    "ASCEND_WORK_PATH": (("",), ("x" * 4097,)),
    "ASCEND_HOST_LOG_FILE_NUM": whole(1, 1000),
    "ASCEND_MODULE_LOG_LEVEL": (("HCCL=0:RUNTIME=1",), None),
    "ASCEND_GLOBAL_EVENT_ENABLE": SWITCH,
    "ASCEND_LOG_DEVICE_FLUSH_TIMEOUT": whole(0, 180000),
}
# Settings that need another one to be accepted here, where nothing but loopback is sure to exist.
BESIDE = {"HCCL_SOCKET_IFNAME": {"HCCL_IF_IP": ""}, "CM_WORKER_IP": {"HCCL_IF_IP": "203.0.113.7"},
          "HCCL_INTRA_ROCE_ENABLE": {}, "TANDEM_CONNECT_TIMEOUT": {}}


def environment(settings):
    base = {key: value for key, value in os.environ.items()
            if not key.startswith(("HCCL_", "CM_", "ASCEND_", "TANDEM_DEV", "TANDEM_BATCH", "TANDEM_SPIN"))}
    for name in ("TANDEM_CONNECT_TIMEOUT", "TANDEM_EXEC_TIMEOUT"):
        base.pop(name, None)
    return {**base, "HCCL_IF_IP": "127.0.0.1", **settings}


class SettingsTest(LauncherTestCase):
    def calls(self, **settings):
        """What each call returned in a fresh process, the whole output, and the standard error."""
        run = subprocess.run([WORKER], env=environment(settings), capture_output=True, timeout=DEADLINE_S,
                             check=False)
        out = run.stdout.decode(errors="replace")
        self.assertEqual(run.returncode, 0, f"{settings}: {out} {run.stderr}")
        self.assertTrue(out.endswith("end\n"), out)
        codes = {}
        for line in out.splitlines():
            words = line.split(" ")
            if len(words) == 2 and words[0].startswith(("acl", "Hccl")):
                codes[words[0]] = int(words[1])
        return codes, out, run.stderr.decode(errors="replace")

    def succeeds(self, **settings):
        codes, out, _ = self.calls(**settings)
        self.assertEqual(set(codes.values()), {0}, f"{settings}: {out}")

    def rows(self):
        code, out, err = self.run_cli("info", "--settings", "--json", env=environment({}))
        self.assertEqual(code, 0, err)
        return json.loads(out)["settings"]

    def test_every_setting_is_tried_here(self):
        self.assertEqual({row["name"] for row in self.rows()}, set(COMMUNICATOR) | set(RUNTIME) | set(LOG))

    def test_good_values_of_communicators(self):
        for name, (good, _) in COMMUNICATOR.items():
            for value in good:
                with self.subTest(name=name, value=value):
                    self.succeeds(**{**BESIDE.get(name, {}), name: value})

    def test_bad_values_are_ei0001_with_value_variable_and_range(self):
        ranges = {row["name"]: row["range"] for row in self.rows()}
        for name, (_, bad) in COMMUNICATOR.items():
            for value in bad or ():
                with self.subTest(name=name, value=value):
                    codes, out, _ = self.calls(**{name: value})
                    for call in ("HcclGetRootInfo", "HcclCommInitRootInfo", "HcclCommInitAll"):
                        self.assertEqual(codes[call], 1, out)
                    self.assertEqual(codes["aclrtSetDevice"], 0)
                    text = f'{name}="{value}" is not valid; expected {ranges[name]}'
                    self.assertEqual(out.count(text), 3, out)
                    self.assertEqual(out.count("EI0001: "), 3, out)
                    self.assertEqual(out.count("HCCL_E_PARA (1)"), 3, out)

    def test_an_empty_value_counts_as_unset(self):
        self.succeeds(**{name: "" for name in {**COMMUNICATOR, **RUNTIME, **LOG} if name != "HCCL_IF_IP"})

    def test_values_of_the_runtime(self):
        for name, (good, bad) in RUNTIME.items():
            for value in good:
                with self.subTest(name=name, value=value):
                    self.succeeds(**{name: value})
            for value in bad:
                with self.subTest(name=name, value=value):
                    codes, out, _ = self.calls(**{name: value})
                    self.assertNotEqual(codes["aclrtMalloc"], 0, out)
                    self.assertIn(value, out)
                    self.assertIn(name, out)

    def test_values_of_the_log_never_fail_a_call(self):
        for name, (good, bad) in LOG.items():
            for value in (*good, *(bad or ())):
                with self.subTest(name=name, value=value):
                    self.succeeds(**{name: value})

    def test_the_first_invalid_one_in_the_order_of_the_table_is_told(self):
        _, out, _ = self.calls(HCCL_RDMA_SL="9", HCCL_SOCKET_FAMILY="9")
        self.assertIn('HCCL_SOCKET_FAMILY="9" is not valid', out)
        self.assertNotIn("HCCL_RDMA_SL", out)

    def test_link_types_inside_a_server(self):
        for pcie, roce, valid in ((None, None, True), ("0", "0", True), ("1", "0", True), ("0", "1", True),
                                  ("1", None, True), (None, "1", True), ("1", "1", False), ("0", None, False),
                                  (None, "0", False)):
            settings = {name: value for name, value in
                        (("HCCL_INTRA_PCIE_ENABLE", pcie), ("HCCL_INTRA_ROCE_ENABLE", roce)) if value is not None}
            with self.subTest(settings):
                if valid:
                    self.succeeds(**settings)
                    continue
                codes, out, _ = self.calls(**settings)
                self.assertEqual((codes["HcclGetRootInfo"], codes["HcclCommInitRootInfo"]), (1, 1), out)
                self.assertIn("EI0001", out)
                self.assertIn("HCCL_INTRA_PCIE_ENABLE=", out)
                self.assertIn("HCCL_INTRA_ROCE_ENABLE=", out)

    def test_an_interface_that_does_not_exist_is_not_found(self):
        for settings in ({"HCCL_IF_IP": "203.0.113.7"}, {"CM_WORKER_IP": "203.0.113.7"},
                         {"HCCL_SOCKET_IFNAME": "=nosuch", "HCCL_IF_IP": ""}):
            with self.subTest(settings):
                codes, out, _ = self.calls(**settings)
                self.assertEqual(codes["HcclGetRootInfo"], 6, out)
                self.assertIn("EI0001", out)
                self.assertIn(next(iter(settings)) + "=", out)
                self.assertIn("127.0.0.1", out, "what exists is listed")

    def whitelist(self, text):
        launcher = self.start("--version")
        launcher.finish()
        with open(launcher.path("list"), "w", encoding="utf-8") as file:
            file.write(text)
        return {"HCCL_WHITELIST_DISABLE": "0", "HCCL_WHITELIST_FILE": launcher.path("list")}

    def test_a_whitelist_that_lists_this_host_lets_it_in(self):
        self.succeeds(**self.whitelist('{"host_ip": ["10.0.0.1", "127.0.0.1"], "device_ip": []}'))

    def test_a_whitelist_must_be_usable_when_it_is_on(self):
        for text in ("", "{", "[]", "{}", '{"host_ip": []}', '{"host_ip": "127.0.0.1"}', '{"host_ip": [7]}',
                     '{"host_ip": ["localhost"]}', '{"host_ip": ["127.0.0.1",]}'):
            with self.subTest(text):
                codes, out, _ = self.calls(**self.whitelist(text))
                self.assertEqual(codes["HcclGetRootInfo"], 1, out)
                self.assertIn("EI0001", out)
                self.assertIn("HCCL_WHITELIST_FILE=", out)
        for settings in ({}, {"HCCL_WHITELIST_FILE": "/nowhere"}, {"HCCL_WHITELIST_FILE": "/"}):
            with self.subTest(settings):
                codes, out, _ = self.calls(HCCL_WHITELIST_DISABLE="0", **settings)
                self.assertEqual(codes["HcclGetRootInfo"], 1, out)
                self.assertIn("HCCL_WHITELIST_FILE=", out)

    def test_what_has_no_effect_is_told_once(self):
        _, _, err = self.calls(ASCEND_GLOBAL_LOG_LEVEL="1", HCCL_RDMA_TC="4", HCCL_EXEC_TIMEOUT="9")
        idle = [line for line in err.splitlines() if "without effect" in line]
        self.assertEqual(len(idle), 1, err)
        self.assertIn("HCCL_RDMA_TC", idle[0])
        self.assertNotIn("HCCL_EXEC_TIMEOUT", idle[0])
        self.assertEqual(err.count("[HCCL_ENV]"), 1, err)
        self.assertIn("HCCL_EXEC_TIMEOUT=9", err)

    def test_the_document_is_what_the_tool_prints(self):
        code, out, err = self.run_cli("info", "--settings", "--markdown", env=environment({"HCCL_RDMA_SL": "9"}))
        self.assertEqual(code, 0, err)
        with open(DOCUMENT, "rb") as file:
            self.assertEqual(file.read(), out, "run: tandem info --settings --markdown > docs/settings.md")

    def test_the_list_shows_value_source_range_and_problem(self):
        code, out, _ = self.run_cli("info", "--settings", env=environment({"HCCL_RDMA_SL": "9"}))
        text = out.decode()
        self.assertEqual(code, 1)
        block = text[text.index("HCCL_RDMA_SL\n"):].split("\n")[:7]
        self.assertEqual([line.split()[0] for line in block[1:]],
                         ["value", "problem", "default", "accepted", "effect", "meaning"])
        self.assertIn("9 (environment)", block[1])

    def test_options_that_do_not_go_together(self):
        for options in (("--markdown",), ("--settings", "--markdown", "--json")):
            code, out, _ = self.run_cli("info", *options)
            self.assertEqual((code, out), (2, b""))


if __name__ == "__main__":
    unittest.main()
