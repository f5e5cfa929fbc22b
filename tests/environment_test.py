#!/usr/bin/env python3
"""What ctest's own environment leaves to the tests.

  environment_test.py CTEST TESTS

Starts CTEST in a user's environment over a test that prints what it has, and looks whether each folder
below the build's folder TESTS has these rules.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CTEST = sys.argv[1]
TESTS = Path(sys.argv[2])
RULES = Path(__file__).with_name("environment.cmake")


class Environment(unittest.TestCase):
    def test_a_test_sees_no_setting_of_its_user(self):
        with tempfile.TemporaryDirectory(prefix="joseki-environment-") as folder:
            (Path(folder) / "CTestTestfile.cmake").write_text(
                f'include("{RULES}")\nadd_test(shown "/usr/bin/env")\n')
            told = subprocess.run(
                [CTEST, "-V"], cwd=folder, text=True, capture_output=True, check=True,
                env={**os.environ, "LC_ALL": "ja_JP.UTF-8", "JOSEKI_COORDINATOR": "cluster:7460",
                     "JOSEKI_SETTINGS": "/etc/joseki/tool.toml", "JOSEKI_LANG": "ja; en",
                     "JOSEKI_WORKER_TLS": "/tls", "JOSEKI_TLS": "", "JOSEKI_ISA": "x86-64-v2",
                     "JOSEKI_SHARED_DATA": "/data"}).stdout
        shown = [line.removeprefix("1: ") for line in told.splitlines()]
        self.assertEqual(sorted(line for line in shown if line.startswith("JOSEKI_")),
                         ["JOSEKI_ISA=x86-64-v2", "JOSEKI_SHARED_DATA=/data"])
        self.assertEqual([line for line in shown if line.startswith("LC_ALL=")], ["LC_ALL=C.UTF-8"])

    def test_every_folder_of_tests_has_the_rules(self):
        folders = [file for file in TESTS.rglob("CTestTestfile.cmake") if "add_test(" in file.read_text()
                   or "_include.cmake" in file.read_text()]
        self.assertGreater(len(folders), 5)
        for file in folders:
            self.assertIn(f'include("{RULES}")', file.read_text(), file)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
