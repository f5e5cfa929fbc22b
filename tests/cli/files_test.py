#!/usr/bin/env python3
"""What comes from files, pipes and the command line, whatever it is: one error that names it, or the whole
of it; nothing left behind.

  files_test.py BINARIES
"""
import gzip
import json
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[1]).resolve()
GAME = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\n"
MANY = 100_000  # games of more than 4 MiB: pieces of it are read by several threads


def run(program, *arguments, standard_input=subprocess.DEVNULL, out=subprocess.PIPE, before=None):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("JOSEKI_") and not name.lower().endswith("_proxy")}
    return subprocess.run([str(BINARIES / program), *map(str, arguments)], text=True, stdout=out,
                          stderr=subprocess.PIPE, stdin=standard_input, check=False, env={**environment, "LC_ALL": "C.UTF-8"},
                          preexec_fn=before)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-files-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def book(self):
        path = self.folder / "book.sqlite"
        run("joseki", "import", "--book", path, self.write("game.csa", GAME))
        return path

    def refused(self, told, status, *words):
        self.assertEqual(told.returncode, status, told)
        self.assertEqual(len(told.stderr.strip().splitlines()), 1, told.stderr)
        for word in words:
            self.assertIn(word, told.stderr)


class Pipes(Folder):
    def imported(self, *arguments, **options):
        book = self.folder / "piped.sqlite"
        told = run("joseki", "import", "--book", book, "--json", *arguments, **options)
        self.assertEqual(told.returncode, 0, told)
        for file in self.folder.glob("piped.sqlite*"):
            file.unlink()
        answer = json.loads(told.stdout)
        return {key: answer[key] for key in ("games", "rejected", "positions", "moves")}

    def test_a_pipe_is_read_whole(self):
        games = self.folder / "games.csa"
        games.write_text(GAME * MANY)
        packed = self.folder / "games.csa.gz"
        with gzip.open(packed, "wt", compresslevel=1) as file:
            file.write(GAME * MANY)
        whole = self.imported(games)
        self.assertEqual(whole["games"], MANY)
        for name in ("-", "/dev/stdin"):
            with subprocess.Popen(["cat", str(games)], stdout=subprocess.PIPE) as cat:
                self.assertEqual(self.imported(name, standard_input=cat.stdout), whole, name)
            with games.open() as file:
                self.assertEqual(self.imported(name, standard_input=file), whole, name)
        told = subprocess.run(
            ["bash", "-c", f"'{BINARIES}/joseki' import --json --book '{self.folder}/sub.sqlite' "
             f"<(zcat '{packed}')"], text=True, capture_output=True, check=False)
        self.assertEqual(told.returncode, 0, told)
        self.assertEqual(json.loads(told.stdout)["games"], MANY)
        self.assertEqual([file.name for file in self.folder.glob("joseki-import*")], [])

    def test_the_same_games_from_a_pipe_are_known(self):
        book = self.book()
        with subprocess.Popen(["printf", GAME.replace("%", "%%")], stdout=subprocess.PIPE) as printf:
            self.refused(run("joseki", "import", "--book", book, "-", standard_input=printf.stdout),
                         1, "already_imported")


class Numbers(Folder):
    def test_nan_is_in_no_range(self):
        for program, arguments in (
                ("joseki", "match --a embedded --b embedded --pairs 1 --nodes 5 --sprt 0,5 --alpha nan"),
                ("joseki", "match --a embedded --b embedded --pairs 1 --nodes 5 --deviation nan"),
                ("joseki", "match --a embedded --b embedded --pairs 1 --nodes 5 --range nan"),
                ("joseki", "tune --book none.sqlite --games 2 --proof nan"),
                ("joseki", "tune --book none.sqlite --hours nan"),
                ("joseki-coordinator", f"--db {self.folder}/no.sqlite --artefact-rate nan"),
                ("joseki-coordinator", f"--db {self.folder}/no.sqlite --quarantine-outliers nan"),
                ("joseki-worker", "--coordinator 127.0.0.1:1 --drain-seconds nan"),
                ("joseki-worker", "--coordinator 127.0.0.1:1 --exit-when-idle nan"),
                ("joseki-engine", "mate --time nan startpos")):
            self.refused(run(program, *arguments.split()), 2, "nan")

    def test_a_run_has_a_number(self):
        book = self.book()
        for number in ("0", "-1"):
            for command in ("book show", "book explain", "export --format json --out x.json"):
                self.refused(run("joseki", *command.split(), "--book", book, "--run", number), 2,
                             "--run")

    def test_days_are_of_the_calendar(self):
        for day in ("2019-13-45", "2019-02-30", "2019-", "2019/05/01"):
            self.refused(run("joseki", "import", "--book", self.folder / "b.sqlite", "--since", day,
                             self.write("g.csa", GAME)), 2, day, "bad_date")

    def test_what_is_no_position_is_said(self):
        book = self.book()
        for position in ("startpos junk", "", "sfen"):
            told = run("joseki", "book", "show", "--book", book, position)
            self.refused(told, 1, "position: ")
            self.assertNotIn("tartpos'", told.stderr)

    def test_a_table_that_is_too_large_names_its_option(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        if run("joseki-engine", "--help", before=little).returncode != 0:
            self.skipTest("the program needs more addresses than it has memory")
        suite = self.write("suite.tsv", "sfen\tmoves\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
                           "\t7g7f\n")
        for arguments in (("mate", "--hash", "32768", "startpos"), ("suite", "--hash", "32768", suite)):
            told = run("joseki-engine", *arguments, before=little)
            self.assertEqual(told.returncode, 1, told)
            self.assertIn("--hash: no_memory", told.stderr)
        self.refused(run("joseki", "tune", "--book", self.book(), "--games", "2", "--option", "hash_mb=32768",
                         before=little), 1, "hash_mb: no_memory")
        games = self.folder / "match.jsonl"
        self.refused(run("joseki", "match", "--a", "embedded", "--b", "embedded", "--pairs", "1", "--nodes",
                         "5", "--set", "A", "hash_mb=32768", "--out", games, before=little), 1, "hash_mb: no_memory")
        self.assertFalse(games.exists())


class Deep(Folder):
    def test_nested_json_is_refused(self):
        deep = '{"a":' * 50_000 + "1" + "}" * 50_000
        with gzip.open(self.folder / "d.jkf.gz", "wt") as file:
            file.write('{"header":{},"moves":[' + deep + "]}")
        told = run("joseki", "import", "--book", self.folder / "b.sqlite", self.folder / "d.jkf.gz")
        self.assertEqual(told.returncode, 1, told)
        self.assertIn("d.jkf", told.stderr)
        engines = self.write("engines.json", '{"engines":' + deep + "}")
        self.refused(run("joseki", "match", "--a", "embedded", "--b", "embedded", "--pairs", "1",
                         "--engines", engines), 2, "engines.json")
        self.refused(run("joseki-worker", "--check-engines", "--engines", engines), 1, "engines.json")

    def test_a_damaged_book_names_its_row(self):
        book = self.folder / "book.sqlite"
        run("joseki", "import", "--book", book, self.write("games.csa", GAME + GAME.replace("-3334FU", "-8384FU")))
        told = run("joseki", "tune", "--book", book, "--games", "2", "--nodes", "20", "--workers", "1", "--no-search",
                   "--proof", "0")
        self.assertEqual(told.returncode, 0, told)
        with sqlite3.connect(book) as database:
            database.execute("UPDATE games SET moves = x'010203' WHERE commit_seq = 2")
        self.refused(run("joseki", "audit", "--book", book), 1,
                     "book.sqlite: games, commit_seq 2: bad_moves")
        with sqlite3.connect(book) as database:
            database.execute("UPDATE runs SET spec = ?", ('{"name":' + "[" * 200_000 + "]" * 200_000 + "}",))
        for command in ("audit", "report"):
            self.refused(run("joseki", command, "--book", book), 1, "book.sqlite: runs 1", "bad_run_spec")


class Places(Folder):
    def test_a_path_may_begin_with_two_slashes(self):
        book = self.book()
        self.assertEqual(run("joseki", "book", "stats", "--book", f"/{book}").returncode, 0)

    def test_output_that_finds_no_room_is_a_failure(self):
        book = self.book()
        for arguments in (("book", "show", "--book", book), ("book", "stats", "--book", book, "--json")):
            with open("/dev/full", "w") as full:
                self.refused(run("joseki", *arguments, out=full), 1, "standard output")

    def test_a_start_that_fails_leaves_nothing(self):
        book = self.folder / "new.sqlite"
        free = ("--listen", "127.0.0.1:0")
        for status, *arguments in ((2, "--listen", "nonsense"), (1, "--listen", "127.0.0.1:0", "--tls", "/nonexistent"),
                                   (2, "--listen", "127.0.0.1:0", "--metrics", "nonsense"),
                                   (2, "--listen", "127.0.0.1:0", "--page", "nonsense")):
            self.refused(run("joseki-coordinator", "--db", book, *arguments), status)
            self.assertEqual(list(self.folder.iterdir()), [])
        self.refused(run("joseki-coordinator", "--db", self.folder / "none/new.sqlite", *free), 1,
                     "none/new.sqlite: file_error: found No such file or directory")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            used = f"127.0.0.1:{taken.getsockname()[1]}"
            open_to_all = self.write("password", "a long enough password\n")
            open_to_all.chmod(0o644)
            for code, *arguments in (("insecure_network", "--listen", "0.0.0.0:0"), ("cannot_listen", "--listen", used),
                                     ("insecure_network", *free, "--page", "0.0.0.0:0"),
                                     ("cannot_listen", *free, "--page", used),
                                     ("cannot_listen", *free, "--metrics", used),
                                     ("bad_password", *free, "--page", "127.0.0.1:0", "--page-password", open_to_all),
                                     ("file_error", *free, "--address-file", self.folder / "none/address")):
                self.refused(run("joseki-coordinator", "--db", book, *arguments), 1, f" {code}: found ")
                self.assertEqual(list(self.folder.iterdir()), [open_to_all])
            open_to_all.unlink()
        self.refused(run("joseki", "restore", "--from", self.write("text", "no backup"), "--book", book), 1)
        self.refused(run("joseki", "restore", "--from", self.folder / "none", "--book", book), 1)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["text"])

    def test_an_import_that_finds_no_room_leaves_nothing(self):
        def room_for(size):
            def full():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return full
        # Pawns that step, in any order: more than all the empty tables take.
        chance = random.Random(1)
        def steps():
            return zip(chance.sample(range(1, 10), 9), chance.sample(range(1, 10), 9))
        lines = "".join("startpos moves" + "".join(f" {a}g{a}f {b}c{b}d" for a, b in steps()) + "\n"
                        for _ in range(3000))
        games = self.write("g.usi", lines)
        whole = self.folder / "whole.sqlite"
        self.assertEqual(run("joseki", "import", "--book", whole, games).returncode, 0)
        size = whole.stat().st_size
        for file in self.folder.glob("whole.sqlite*"):
            file.unlink()
        # Before there is a table, between the tables and the games, and nearly at the end.
        failed = 0
        for room in (0, *range(16 << 10, size, size // 24)):
            told = run("joseki", "import", "--book", self.folder / "b.sqlite", games, before=room_for(room))
            if told.returncode == 0:
                break
            failed += 1
            self.assertEqual(told.returncode, 1, told)
            self.assertEqual([file.name for file in self.folder.iterdir()], ["g.usi"], room)
        self.assertGreater(failed, 2)

    def test_settings_that_are_none_are_refused_by_line(self):
        for text, line in (('[joseki]\ntls = "certs\n', 2), ("[joseki" + ".a" * 5_000 + "]\n", 1)):
            path = self.write("joseki.toml", text)
            self.refused(run("joseki", "status", "--settings", path), 2, f"joseki.toml:{line}: bad_settings")
        self.refused(run("joseki", "status", "--settings", "/dev/zero"), 2, "settings_file")
        path = self.write("joseki.toml", '[joseki.run.create]\ngames = "abc"\n')
        self.refused(run("joseki", "run", "create", "--settings", path), 2, "joseki.toml:2: usage: ", "abc")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
