# SPDX-License-Identifier: Apache-2.0
"""`tandem info`: what it says agrees with what the machine says."""

import json
import os
import platform
import unittest

from launcher import LauncherTestCase


class InfoTest(LauncherTestCase):
    def info(self, expected_code=0, **env):
        code, out, err = self.run_cli("info", "--json", env=env)
        self.assertEqual(code, expected_code, err)
        return json.loads(out)

    def setting(self, name, expected_code=0, **env):
        found = [row for row in self.info(expected_code, **env)["settings"] if row["name"] == name]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def test_the_library_is_a_file_that_holds_the_api(self):
        document = self.info()
        self.assertRegex(document["version"], r"^\d+\.\d+\.\d+$")
        with open(document["library"], "rb") as file:
            self.assertIn(b"aclrtGetDeviceCount", file.read())

    def test_every_setting_has_value_source_and_meaning(self):
        settings = self.info()["settings"]
        self.assertEqual(len({row["name"] for row in settings}), len(settings))
        for row in settings:
            self.assertIn(row["source"], ("default", "environment"))
            self.assertGreater(len(row["meaning"]), 10, row)

    def test_the_source_of_a_setting_is_where_it_comes_from(self):
        self.assertEqual(self.setting("TANDEM_DEVICES")["source"], "default")
        row = self.setting("TANDEM_DEVICES", TANDEM_DEVICES="3")
        self.assertEqual((row["value"], row["source"]), ("3", "environment"))

    def test_a_refused_value_is_a_problem_and_the_exit_code_says_so(self):
        row = self.setting("HCCL_CONNECT_TIMEOUT", expected_code=1, HCCL_CONNECT_TIMEOUT="soon")
        self.assertIn("soon", row["problem"])

    def test_devices_are_those_that_the_settings_ask_for(self):
        devices = self.info(TANDEM_DEVICES="3", TANDEM_DEVICE_MEMORY="256M")["devices"]
        self.assertEqual([device["id"] for device in devices["list"]], [0, 1, 2])
        self.assertEqual(devices["count"], 3)
        self.assertTrue(devices["soc_name"].startswith("Ascend"))
        for device in devices["list"]:
            self.assertEqual(device["total_bytes"], 256 << 20)
            self.assertLessEqual(device["free_bytes"], device["total_bytes"])
            self.assertNotIn("problem", device)

    def test_host_facts_agree_with_the_machine(self):
        host = self.info()["host"]
        self.assertEqual(host["name"], platform.node())
        self.assertIn(platform.release(), host["kernel"])
        self.assertEqual(host["allowed_cores"], sorted(os.sched_getaffinity(0)))
        self.assertEqual(host["memory_bytes"], os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        self.assertGreater(host["memory_bytes"], host["memory_available_bytes"])

    def test_cores_follow_the_affinity_of_the_process(self):
        core = min(os.sched_getaffinity(0))
        code, out, _ = self.run_cli("info", "--json", preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["host"]["allowed_cores"], [core])

    def test_every_transport_is_listed_with_its_state(self):
        transports = {row["name"]: row for row in self.info()["transports"]}
        self.assertTrue(transports["same process"]["available"])
        self.assertTrue(transports["same host"]["available"])
        self.assertRegex(transports["same host"]["detail"], "by the kernel|through a buffer")
        for row in transports.values():
            self.assertTrue(row["detail"])

    def test_text_shows_what_json_shows(self):
        document = self.info()
        code, out, _ = self.run_cli("info")
        text = out.decode()
        self.assertEqual(code, 0)
        self.assertIn(f"tandem {document['version']}\n", text)
        self.assertIn(document["library"], text)
        for row in document["settings"] + document["transports"]:
            self.assertIn(row["name"], text)
        self.assertIn(f"devices: {document['devices']['count']}, {document['devices']['soc_name']}", text)


if __name__ == "__main__":
    unittest.main()
