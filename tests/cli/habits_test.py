#!/usr/bin/env python3
"""What people are used to: completion, settings of environment and file, joseki doctor.

  habits_test.py SOURCE BINARIES
"""
import json
import os
import re
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
                          capture_output=True, check=False, env={**environment, "LC_ALL": "C.UTF-8", **variables})


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-habits-"))
        self.addCleanup(shutil.rmtree, self.folder)


def commands_of(help_text):
    """The commands that a help text lists, under whichever headings of commands."""
    return [line.split()[0] for line in below_commands(help_text)]


def below_commands(help_text):
    listed = False
    for line in help_text.splitlines():
        if line.endswith(":") or re.match(r"(Other c|C)ommands\b", line):
            listed = re.match(r"(Other c|C)ommands\b", line) is not None
        elif not line:
            listed = False
        elif listed and re.match(r"  [A-Za-z]", line):
            yield line


def every_command(*path):
    """The words of each command that does something, from what --help lists."""
    inner = commands_of(run("joseki", *path, "--help").stdout)
    for name in inner:
        yield from every_command(*path, name)
    if path and not inner:
        yield path


class Completion(Folder):
    def complete(self, *words):
        (self.folder / "script").write_text(run("joseki", "completion", "bash").stdout)
        line = " ".join(f"'{word}'" for word in words)
        told = subprocess.run(
            ["bash", "-c", f". {self.folder}/script; COMP_WORDS=({line}); "
             f'COMP_CWORD={len(words) - 1}; _joseki; echo "${{COMPREPLY[*]}}"'],
            text=True, capture_output=True, check=True,
            env={**os.environ, "PATH": f"{BINARIES}:{os.environ['PATH']}"})
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_commands_and_options_of_each(self):
        self.assertEqual(self.complete("joseki", "sta"), ["status"])
        self.assertEqual(set(self.complete("joseki", "run", "p")), {"pause", "priority"})
        self.assertIn("--games", self.complete("joseki", "run", "create", "--"))
        self.assertEqual(self.complete("joseki", "status", "--wat"), ["--watch"])
        self.assertIn("--json", self.complete("joseki", "status", "--"))
        self.assertNotIn("--watch", self.complete("joseki", "import", "--"))
        self.assertEqual(self.complete("joseki", "help", "book", "sh"), ["show"])
        # Neither: bash takes files.
        self.assertEqual(self.complete("joseki", "import", "--book", "x"), [])

    def test_values(self):
        self.assertEqual(set(self.complete("joseki", "tune", "--policy", "ucb")), {"ucb1", "ucb1-tuned"})
        self.assertEqual(self.complete("joseki", "tune", "--policy", "=", "kl"), ["kl-ucb"])
        self.assertIn("yaneuraou-db", self.complete("joseki", "export", "--book", "b", "--format", ""))
        self.assertEqual(set(self.complete("joseki", "tune", "--goal", "")), {"default", "exploit", "robust"})
        self.assertEqual(self.complete("joseki", "export", "--profile", "yo-s"), ["yo-single"])
        self.assertEqual(self.complete("joseki", "completion", "f"), ["fish"])

    def test_every_command_is_there(self):
        commands = set(commands_of(run("joseki", "--help").stdout))
        self.assertIn("tune", commands)
        self.assertEqual(set(self.complete("joseki", "")), commands)

    def test_other_shells(self):
        self.assertEqual(run("joseki", "completion", "csh").returncode, 2)
        for shell in ("zsh", "fish"):
            self.assertIn("joseki completion words --", run("joseki", "completion", shell).stdout)
            if shutil.which(shell):
                script = self.folder / shell
                script.write_text(run("joseki", "completion", shell).stdout)
                subprocess.run([shell, "-n", str(script)], check=True)


class Help(unittest.TestCase):
    LEAST_EXAMPLES = 2

    def test_every_command_has_examples_with_options_that_it_has(self):
        everywhere = run("joseki", "--help").stdout
        for path in every_command():
            with self.subTest(path):
                told = run("joseki", *path, "--help").stdout
                self.assertNotRegex(told, r"INT in|FLOAT in", "the parser's own words for a number")
                examples = [line.strip() for line in told.partition("Examples:")[2].splitlines() if line.strip()]
                self.assertGreaterEqual(len(examples), self.LEAST_EXAMPLES)
                for example in examples:
                    self.assertIn(" ".join(("joseki", *path)), example)
                    for option in re.findall(r"--[a-z-]+", example):
                        self.assertRegex(told + everywhere, rf"(?m)^  (-\w,)?{option}\b", example)

    def test_commands_and_options_stand_in_groups(self):
        told = run("joseki", "--help").stdout
        self.assertLess(told.index("Commands for a cluster:"), told.index("Other commands:"))
        told = run("joseki", "tune", "--help").stdout
        self.assertLess(told.index("How a move is limited:"), told.index("Proof:"))
        for line in told.splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_help_is_a_command(self):
        self.assertEqual(run("joseki", "help", "book", "show").stdout,
                         run("joseki", "book", "show", "--help").stdout)
        self.assertEqual(run("joseki", "help").stdout, run("joseki", "--help").stdout)
        self.assertEqual(run("joseki", "-V").stdout, run("joseki", "--version").stdout)

    def said(self, *arguments):
        told = run("joseki", *arguments)
        self.assertEqual((told.returncode, told.stdout), (2, ""))
        return told.stderr

    def test_usage_errors_are_sentences_that_name_the_right_help(self):
        self.assertEqual(self.said(), "joseki: usage: joseki needs a command (see joseki --help)\n")
        self.assertEqual(self.said("tune", "--games", "5"),
                         "joseki: usage: --book is required (see joseki tune --help)\n")
        self.assertEqual(self.said("status", "--book", "b"),
                         "joseki: usage: joseki status has no option '--book' (see joseki status --help)\n")
        self.assertIn("see joseki book show --help", self.said("book", "show"))
        self.assertEqual(self.said("tune", "--book", "b", "--nodes"),
                         "joseki: usage: --nodes needs a value (see joseki tune --help)\n")

    def test_what_was_meant(self):
        for arguments, meant in {
                ("staus",): "status",
                ("book", "shwo"): "show",
                ("shwo",): "book show",
                ("help", "impotr"): "import",
                ("status", "--wacth"): "--watch",
                ("tune", "--bok", "b", "--games", "1"): "--book",
                ("tune", "--policy", "ucb"): "ucb1",
                ("tune", "--goal", "robuts"): "robust",
                ("export", "--format", "db"): "yaneuraou-db",
                ("export", "--format", "apery_bin"): "apery-bin",
                ("export", "--profile", "yo-singel"): "yo-single",
        }.items():
            self.assertIn(f"did you mean {meant}?", self.said(*arguments))
        self.assertNotIn("did you mean", self.said("qqqqqq"))


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
        self.assertIn("joseki.toml:2: usage: --lease-seconds", told.stderr)
        told = run("joseki-coordinator", "--db", "x.sqlite", "--lease-seconds", "20", "--beat-seconds", "6")
        self.assertEqual(told.returncode, 2)
        self.assertIn("usage: --beat-seconds: 6, expected at most 5, a quarter of --lease-seconds 20", told.stderr)
        told = run("joseki", "status", "--settings", self.folder / "none.toml", "--json")
        self.assertEqual(told.returncode, 2)
        self.assertEqual(json.loads(told.stdout)["error"]["code"], "settings_file")

    def test_environment_of_the_servers(self):
        told = run("joseki-coordinator", JOSEKI_COORDINATOR_DB="/no/such/folder/book.sqlite")
        self.assertEqual(told.returncode, 1)
        self.assertIn("/no/such/folder", told.stderr)
        told = run("joseki-worker", JOSEKI_WORKER_SLOTS="none", JOSEKI_WORKER_COORDINATOR="a:1")
        self.assertEqual(told.returncode, 2)
        self.assertIn("JOSEKI_WORKER_SLOTS: usage: ", told.stderr)
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

    def test_a_file_that_is_no_book(self):
        (self.folder / "other.db").write_text("#YANEURAOU-DB2016 1.00\n")
        found = self.doctor("--book", self.folder / "other.db")["book"]
        self.assertEqual(found["state"], "bad")
        self.assertIn("other.db is no book", found["found"])

    def test_addresses_as_a_coordinator_reads_them(self):
        for address in ("127.0.0.1:99999", "127.0.0.1:", "127.0.0.1:http", ":7460"):
            self.assertEqual(self.doctor("--listen", address)["port"]["state"], "bad", address)
        try:
            with socket.socket(socket.AF_INET6) as loopback:
                loopback.bind(("::1", 0))
        except OSError:
            self.skipTest("no IPv6 here")
        self.assertEqual(self.doctor("--listen", "[::1]:0")["port"]["state"], "good")

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
