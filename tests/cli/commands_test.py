#!/usr/bin/env python3
"""Every command of joseki by its exit status, its JSON and its one line of error: one row of a table
each, and a command without a row fails.

  commands_test.py BINARIES
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[1]).resolve()
NOBODY = "127.0.0.1:1"  # where nobody listens
NOTHING = "none/such"   # a file or folder that is not there

# Arguments by command: of a call that succeeds, and of one that fails with exit status 1, with the
# code of its problem. {b} is a book with a finished run, {c} the address of a coordinator with an
# active run, {n} an address where nobody listens. The table is run from top to bottom. None: the
# reason is given below.
TABLE = {
    "import": ("--book new.sqlite games.usi", f"--book other.sqlite {NOTHING}", "file_error"),
    "export": ("--book {b} --format yaneuraou-db --out out.db", f"--book {NOTHING} --format json --out x", "file_error"),
    "book stats": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "book show": ("--book {b} startpos", f"--book {NOTHING} startpos", "file_error"),
    "book explain": ("--book {b} startpos", f"--book {NOTHING} startpos", "file_error"),
    "book minimax": ("--book new.sqlite", f"--book {NOTHING}", "file_error"),
    "book weigh": ("--book new.sqlite --type type1", f"--book {NOTHING} --type type1", "file_error"),
    "book verify": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "book expand": ("--book new.sqlite --leaves 1 --nodes 50", f"--book {NOTHING}", "file_error"),
    "book edit": ("--book new.sqlite --move 7g7f --mark bad", f"--book {NOTHING} --move 7g7f --mark bad", "file_error"),
    "book learn": ("--book {b} --run 1", f"--book {NOTHING} --run 1", "file_error"),
    "book similar": ("--book {b} startpos", f"--book {NOTHING} startpos", "file_error"),
    "book merge": ("--book merged.sqlite --tuned {b}#1", f"--book merged2.sqlite --tuned {NOTHING}#1", "file_error"),
    "book diff": ("{b} {b}", "{b} " + NOTHING, "file_error"),
    "book convert": ("out.db --format usi --out out.usi", f"{NOTHING} --format usi --out y.usi", "file_error"),
    "book prune": ("--book new.sqlite --min-games 1", f"--book {NOTHING} --min-games 1", "file_error"),
    "book extend": ("games.usi --out extended.bin", f"{NOTHING} --out y.bin", "file_error"),
    "audit": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "archive make": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "archive list": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "archive drop": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "archive put-back": ("--book {b}", f"--book {NOTHING}", "file_error"),
    "certs init": ("certs", "/proc/no-folder", "file_error"),
    "certs worker": ("w --dir certs", f"w --dir {NOTHING}", "no_authority"),
    "certs operator": ("o --dir certs", f"o --dir {NOTHING}", "no_authority"),
    "certs reader": ("r --dir certs", f"r --dir {NOTHING}", "no_authority"),
    "certs server": ("--dir certs", f"--dir {NOTHING}", "no_authority"),
    "certs token": ("--dir certs", f"--dir {NOTHING}", "no_authority"),
    "certs revoke": ("w --dir certs", f"w --dir {NOTHING}", "no_authority"),
    "certs list": ("--dir certs", f"--dir {NOTHING}", "no_authority"),
    "backup": ("--book {b} --out backup.sqlite", f"--book {NOTHING} --out z.sqlite", "file_error"),
    "restore": ("--from backup.sqlite --book restored.sqlite", f"--from {NOTHING} --book z.sqlite", "file_error"),
    "tune": ("--book {b} --games 2 --nodes 20 --workers 1 --proof 0", f"--book {NOTHING} --games 2", "file_error"),
    # It ends when it is told to: tests/e2e/page_test.py.
    "page": (None, f"--book {NOTHING}", "file_error"),
    "run create": ("--coordinator {c} --games 1000 --nodes 20", "--coordinator {n} --games 5", "unreachable"),
    "run list": ("--coordinator {c}", "--coordinator {n}", "unreachable"),
    "run show": ("2 --coordinator {c}", "2 --coordinator {n}", "unreachable"),
    "run spending": ("2 --coordinator {c}", "2 --coordinator {n}", "unreachable"),
    "run priority": ("2 4 --coordinator {c}", "2 4 --coordinator {n}", "unreachable"),
    "run extend": ("1 --games 3 --coordinator {c}", "9 --games 1 --coordinator {c}", "unknown_run"),
    "run free": ("2 --coordinator {c}", "9 --coordinator {c}", "unknown_run"),
    "run pause": ("2 --coordinator {c}", "2 --coordinator {n}", "unreachable"),
    "run resume": ("2 --coordinator {c}", "9 --coordinator {c}", "unknown_run"),
    "run stop": ("2 --coordinator {c}", "2 --coordinator {n}", "unreachable"),
    "status": ("--coordinator {c}", "--coordinator {n}", "unreachable"),
    "workers": ("--coordinator {c}", "--coordinator {n}", "unreachable"),
    "workers drain": ("--all --coordinator {c}", "--all --coordinator {n}", "unreachable"),
    "workers undrain": ("--all --coordinator {c}", "--all --coordinator {n}", "unreachable"),
    "workers block": ("liar --unseen --coordinator {c}", "liar --coordinator {n}", "unreachable"),
    "workers unblock": ("liar --coordinator {c}", "liar --coordinator {n}", "unreachable"),
    "games": ("--run 1 --coordinator {c}", "--run 1 --coordinator {n}", "unreachable"),
    "loadgen": ("--workers 2 --lines 5 --seconds 0.3 --warm-up 0 --clear --folder load",
                "--coordinator {n} --workers 1 --lines 5 --seconds 3 --warm-up 0", "unreachable"),
    "simulate": ("--books 1 --games 10", None, "it needs nothing but its arguments"),
    "simulate-lines": ("--books 1 --games 1", "--set nothing=1", "bad_setting"),
    "match": ("--a embedded --b embedded --pairs 1 --nodes 20", f"--a {NOTHING}@embedded --b embedded --pairs 1", "not_found"),
    "report": ("--book {b} --proof 0", f"--book {NOTHING}", "file_error"),
    # They play for hours.
    **{f"experiment E{i}": (None, "--folder /proc/no-folder" + (
        " --engines none.json --opponent none" if i == 7 else ""), "file_error")
       for i in range(1, 8)},
    "experiment field": (None, "--folder /proc/no-folder --method default", "file_error"),
    "experiment curve": (None, "--folder /proc/no-folder --method default --budgets 2", "file_error"),
    "doctor": (None, None, "its own form, in habits_test.py"),
    "completion": ("bash", None, "it needs nothing but its arguments"),
    "help": ("book show", None, "it needs nothing but its arguments"),
}


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="joseki-commands-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "games.usi").write_text("".join(
            f"startpos moves {moves}\n" for moves in
            ("7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e")))
        for book in ("book.sqlite", "served.sqlite"):
            cls.call("import", "--book", book, "games.usi")
            cls.call("tune", "--book", book, "--games", "4", "--nodes", "20", "--workers", "1",
                     "--proof", "0", "--no-search")
        address = cls.folder / "address"
        cls.coordinator = subprocess.Popen(
            [str(BINARIES / "joseki-coordinator"), "--db", "served.sqlite", "--listen",
             "127.0.0.1:0", "--address-file", str(address), "--log-level", "error"],
            cwd=cls.folder)
        cls.addClassCleanup(cls.stop)
        while not address.exists():
            assert cls.coordinator.poll() is None, "the coordinator has ended"
            os.sched_yield()
        cls.place = {"b": "book.sqlite", "c": address.read_text().strip(), "n": NOBODY}

    @classmethod
    def stop(cls):
        cls.coordinator.kill()
        cls.coordinator.wait()

    @classmethod
    def call(cls, *arguments):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("JOSEKI_")}
        return subprocess.run([str(BINARIES / "joseki"), *arguments], cwd=cls.folder, text=True,
                              capture_output=True, check=False, env={**environment, "LC_ALL": "C.UTF-8"})

    def words(self, command, arguments):
        return command.split() + arguments.format(**self.place).split()

    def commands(self, *path):
        """Every command, as --help tells; each --help is a page of its own."""
        told = self.call(*path, "--help")
        self.assertEqual((told.returncode, told.stderr), (0, ""), path)
        self.assertIn("Usage:", told.stdout, path)
        below = re.findall(r"(?ms)^(?:Other c|C)ommands.*?:$(.*?)(?:^$|\Z)", told.stdout)
        for line in "".join(below).splitlines():
            if line.startswith("  ") and line[2] != " ":
                yield from self.commands(*path, line.split()[0])
        if path and not below:
            yield " ".join(path)

    def problem(self, done, status, code, what):
        """A failure under --json: one object that names the problem, and nothing else."""
        self.assertEqual(done.returncode, status, f"{what}: {done.stdout}{done.stderr}")
        error = json.loads(done.stdout)
        self.assertEqual(error["schema"], 1, what)
        self.assertEqual(error["error"]["code"], code, f"{what}: {done.stdout}")
        for field in ("found", "expected", "message"):
            self.assertTrue(error["error"][field], f"{what}: {done.stdout}")

    def line(self, done, status, code, what):
        """The same in words: one line on stderr, nothing on stdout."""
        self.assertEqual((done.returncode, done.stdout), (status, ""), what)
        lines = [line for line in done.stderr.splitlines() if line.startswith("joseki: ")]
        self.assertEqual(len(lines), 1, f"{what}: {done.stderr}")
        self.assertEqual(lines[0], done.stderr.splitlines()[-1], what)
        self.assertIn(code, lines[0], what)

    def test_each_has_a_row(self):
        # `workers` lists them where none of its own commands is named.
        self.assertEqual(sorted(set(self.commands()) | {"workers"}), sorted(TABLE))

    def test_a_wrong_option_is_bad_usage(self):
        for command in TABLE:
            words = [*command.split(), "--no-such-option"]
            with self.subTest(command):
                self.problem(self.call(*words, "--json"), 2, "usage", command)
                self.line(self.call(*words), 2, "usage", command)

    def test_what_fails_fails_with_one_line(self):
        for command, (_, fails, code) in TABLE.items():
            if fails is None:
                continue
            words = self.words(command, fails)
            with self.subTest(command):
                self.problem(self.call(*words, "--json"), 1, code, command)
                self.line(self.call(*words), 1, code, command)

    def test_what_succeeds_gives_one_object(self):
        for command, (succeeds, _, _) in TABLE.items():
            if succeeds is None:
                continue
            with self.subTest(command):
                done = self.call(*self.words(command, succeeds), "--json")
                self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
                found = json.loads(done.stdout)
                self.assertEqual(found["schema"], 1, command)
                self.assertNotIn("error", found, command)
                self.assertGreater(len(found), 1, command)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
