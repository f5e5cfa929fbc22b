#!/usr/bin/env python3
"""What people are used to: completion, settings of environment and file, joseki doctor.

  habits_test.py SOURCE BINARIES
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])
BINARIES = Path(sys.argv[2])


def run(program, *arguments, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("JOSEKI_") and not name.lower().endswith("_proxy")}
    return subprocess.run([str(BINARIES / program), *map(str, arguments)], text=True,
                          capture_output=True, check=False, env={**environment, **variables})


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-habits-"))
        self.addCleanup(shutil.rmtree, self.folder)


class Completion(Folder):
    def complete(self, *words):
        (self.folder / "script").write_text(run("joseki", "completion", "bash").stdout)
        line = " ".join(f"'{word}'" for word in words)
        told = subprocess.run(
            ["bash", "-c", f". {self.folder}/script; COMP_WORDS=({line}); "
             f'COMP_CWORD={len(words) - 1}; _joseki; echo "${{COMPREPLY[*]}}"'],
            text=True, capture_output=True, check=True)
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_commands_and_options_of_each(self):
        self.assertEqual(self.complete("joseki", "sta"), ["status"])
        self.assertEqual(set(self.complete("joseki", "run", "p")), {"pause", "priority"})
        self.assertIn("--games", self.complete("joseki", "run", "create", "--"))
        self.assertEqual(self.complete("joseki", "status", "--wat"), ["--watch"])
        self.assertNotIn("--watch", self.complete("joseki", "import", "--"))
        # Neither: bash takes files.
        self.assertEqual(self.complete("joseki", "import", "--book", "x"), [])

    def test_every_command_is_there(self):
        told = run("joseki", "--help").stdout.split("Subcommands:")[1]
        commands = {line.split()[0] for line in told.splitlines() if line.startswith("  ") and line[2] != " "}
        self.assertEqual(set(self.complete("joseki", "")), commands)

    def test_another_shell_is_refused(self):
        self.assertEqual(run("joseki", "completion", "csh").returncode, 2)
        self.assertIn("bashcompinit", run("joseki", "completion", "zsh").stdout)


class Settings(Folder):
    def settings(self, text):
        path = self.folder / "joseki.toml"
        path.write_text(text)
        return path

    def test_the_tool_takes_its_coordinator_from_anywhere(self):
        file = self.settings('[joseki]\ncoordinator = "127.0.0.1:1"\n[joseki-worker]\nslots = 3\n')
        for variables in ({"JOSEKI_SETTINGS": str(file)}, {"JOSEKI_COORDINATOR": "127.0.0.1:1"}):
            told = run("joseki", "status", **variables)
            self.assertEqual(told.returncode, 1)
            self.assertIn("127.0.0.1:1: unreachable", told.stderr)
        told = run("joseki", "status", "--coordinator", "127.0.0.1:2", JOSEKI_SETTINGS=str(file))
        self.assertIn("127.0.0.1:2: unreachable", told.stderr)

    def test_a_wrong_setting_is_one_clear_error(self):
        file = self.settings("[joseki-worker]\nslotz = 3\n")
        told = run("joseki-worker", "--settings", file)
        self.assertEqual(told.returncode, 2)
        self.assertIn("joseki.toml:2: unknown_setting: found slotz", told.stderr)
        file = self.settings("[joseki-coordinator]\nlease-seconds = 1\n")
        told = run("joseki-coordinator", "--settings", file)
        self.assertEqual(told.returncode, 2)
        self.assertIn("joseki.toml:2: usage: found --lease-seconds", told.stderr)
        told = run("joseki", "status", "--settings", self.folder / "none.toml", "--json")
        self.assertEqual(told.returncode, 2)
        self.assertEqual(json.loads(told.stdout)["error"]["code"], "settings_file")

    def test_environment_of_the_servers(self):
        told = run("joseki-coordinator", JOSEKI_COORDINATOR_DB="/no/such/folder/book.sqlite")
        self.assertEqual(told.returncode, 1)
        self.assertIn("/no/such/folder", told.stderr)
        told = run("joseki-worker", JOSEKI_WORKER_SLOTS="none", JOSEKI_WORKER_COORDINATOR="a:1")
        self.assertEqual(told.returncode, 2)
        self.assertIn("JOSEKI_WORKER_SLOTS: usage: found ", told.stderr)
        self.assertIn("--slots", told.stderr)


class Doctor(Folder):
    def doctor(self, *arguments, **variables):
        told = run("joseki", "doctor", "--json", *arguments, **variables)
        found = json.loads(told.stdout)
        checks = {check["check"]: check for check in found["checks"]}
        self.assertEqual(told.returncode, 1 if found["bad"] else 0)
        for check in checks.values():
            self.assertEqual(check["state"] == "good", check["advice"] == "", check)
        return checks

    def test_a_machine_and_a_book(self):
        checks = self.doctor("--book", self.folder / "book.sqlite", "--listen", "127.0.0.1:0")
        for name in ("version", "processor", "cores", "memory", "proxy", "port"):
            self.assertEqual(checks[name]["state"], "good", checks[name])
        self.assertIn("open files", checks)
        self.assertIn("clock", checks)
        self.assertIn("ms", checks["sync"]["found"])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_is_wrong(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            checks = self.doctor("--listen", f"127.0.0.1:{port}", "--coordinator", "127.0.0.1:1",
                                 "--book", "/no/such/folder/book.sqlite",
                                 http_proxy="http://proxy:1")
            self.assertEqual(checks["port"]["state"], "bad")
            self.assertIn("in use", checks["port"]["found"])
        self.assertIn("unreachable", checks["coordinator"]["found"])
        self.assertEqual(checks["sync"]["state"], "bad")
        self.assertIn("http_proxy: not used", checks["proxy"]["found"])

    def test_certificates(self):
        run("joseki", "certs", "init", self.folder / "certs")
        good = self.doctor("--tls", self.folder / "certs/operators/operator-1")["certificate"]
        self.assertEqual(good["state"], "good", good)
        self.assertIn("operator operator-1, good for 39", good["found"])
        self.assertIn("of the coordinator", self.doctor("--tls", self.folder / "certs")["certificate"]["found"])
        other = self.folder / "certs/workers/worker-1"
        shutil.copy(self.folder / "certs/key.pem", other / "key.pem")
        self.assertIn("key_mismatch", self.doctor("--tls", other)["certificate"]["found"])
        self.assertEqual(self.doctor("--tls", self.folder)["certificate"]["state"], "bad")

    def test_engines(self):
        (self.folder / "engines.json").write_text(json.dumps(
            {"engines": [{"id": "none", "command": ["/no/such/engine"]}]}))
        self.assertEqual(self.doctor("--engines", self.folder / "engines.json")["engines"]["state"], "bad")

    def test_words_for_people(self):
        told = run("joseki", "doctor", "--listen", "nonsense")
        self.assertEqual(told.returncode, 1)
        self.assertRegex(told.stdout, r"bad +port")
        self.assertIn("-> HOST:PORT", told.stdout)
        self.assertRegex(told.stdout.splitlines()[-1], r"\d+ good, \d+ warnings, 1 bad")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
