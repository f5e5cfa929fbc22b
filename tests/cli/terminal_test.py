#!/usr/bin/env python3
"""What the terminal reads and shows: moves as people write them, English and Japanese, records, and a
watch that outlives its coordinator.

  terminal_test.py BINARIES
"""
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[1]).resolve()
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith("JOSEKI_")},
               "LC_ALL": "C.UTF-8"}

# Names of programs, options and quantities, which are the same in Japanese, and what is typed.
NAMES = re.compile(
    r"joseki [a-z][^\n`]*|--[a-z-]+|[\w/.-]+\.(?:sqlite|db|bin|html)\b|[\w/+]+ [bw] [\w-]+ \d+|"
    r"\b(?:Book|Flipped|Ignore|Consider|Best_|Min_)\w+|\b(?:true|false|BOOK_OPTIONS)\b|"
    r"\b(?:Apery|dlshogi|joseki-engine|joseki|ShogiGUI|ShogiHome|YaneuraOu)\b|\bV2\b|"
    r"\b(?:Elo|LLR|SHA-256|UTC|embedded|response|explore|tau|json)\b|\bworker-\d+|\b[0-9a-f]{16,}\b")


def latin(text):
    """What of a text is English in Japanese."""
    return re.findall(r"[A-Za-z]{2,}", NAMES.sub(" ", text))


def page_text(page):
    """What a page says, labels of its pictures too; commands and the specification left out."""
    page = re.sub(r"<style>.*?</style>|<pre>.*?</pre>", " ", page, flags=re.S)
    labels = re.findall(r'aria-label="([^"]*)"', page)
    return html.unescape(" ".join([re.sub(r"<[^>]*>", " ", page), *labels]))


class Terminal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="joseki-terminal-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "games.usi").write_text("".join(
            f"startpos moves {moves}\n" for moves in
            ("7g7f 3c3d 2g2f 8c8d", "7g7f 8c8d 2g2f 3c3d", "2g2f 3c3d 7g7f 8c8d", "2g2f 8c8d 2f2e 8d8e",
             "7g7f 3c3d 8h2b+ 3a2b")))
        cls.done("import", "--book", "book.sqlite", "games.usi")
        cls.done("tune", "--book", "book.sqlite", "--games", "6", "--nodes", "20", "--workers", "1",
                 "--proof", "0", "--no-search")

    @classmethod
    def call(cls, *arguments, **variables):
        return subprocess.run([str(BINARIES / "joseki"), *arguments], cwd=cls.folder, text=True,
                              capture_output=True, check=False, env={**ENVIRONMENT, **variables})

    @classmethod
    def done(cls, *arguments, **variables):
        told = cls.call(*arguments, **variables)
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout

    def show(self, *arguments, **variables):
        return self.done("book", "show", "--book", "book.sqlite", *arguments, **variables)

    def test_moves_are_read_as_people_write_them(self):
        wanted = json.loads(self.show("--json", "startpos", "moves", "7g7f", "3c3d", "8h2b+"))["position"]
        for moves in (("7g7f", "3c3d", "8h2b+"), ("▲７六歩", "△３四歩", "▲２二角成"),
                      ("☗７六歩", "☖３四歩", "２二角成"), ("P-7f", "P-3d", "Bx2b+"), ("７六歩 P-3d 8h2b+",)):
            self.assertEqual(json.loads(self.show("--json", *moves))["position"], wanted, moves)
        told = self.call("book", "show", "--book", "book.sqlite", "△７六歩")
        self.assertEqual(told.returncode, 1)
        self.assertIn("position: illegal_move", told.stderr)

    def test_moves_are_written_as_they_are_asked_for(self):
        self.assertRegex(self.show(), r"(?m)^\* (7g7f|2g2f) ")
        self.assertRegex(self.show("--moves", "en"), r"(?m)^\* P-[72]f ")
        self.assertRegex(self.show("--moves", "ja"), r"(?m)^\* [７２]六歩 ")
        self.assertRegex(self.show(JOSEKI_MOVES="en"), r"(?m)^\* P-[72]f ")
        explained = self.done("book", "explain", "--book", "book.sqlite", "--run", "1", "--moves", "ja")
        self.assertIn("７六歩", explained)

    def test_japanese_by_option_and_locale(self):
        japanese = self.show("--lang", "ja")
        self.assertIn("指し手", japanese.splitlines()[0])
        self.assertIn("７六歩", japanese)
        self.assertEqual(self.show(LC_ALL="ja_JP.UTF-8"), japanese)
        self.assertEqual(self.show(LC_ALL="", LANG="ja_JP.UTF-8"), japanese)
        self.assertEqual(self.show(JOSEKI_LANG="ja"), japanese)
        self.assertEqual(self.show("--lang", "en", LC_ALL="ja_JP.UTF-8"), self.show())
        report = self.done("report", "--book", "book.sqlite", "--proof", "0", "--lang", "ja")
        self.assertIn("ラン 1: 完了、6 局", report)
        self.assertIn("対局の行き先", report)
        diff = self.done("book", "diff", "book.sqlite#0", "book.sqlite#1", "--lang", "ja")
        self.assertIn("前: book.sqlite#0 (定跡そのもの)", diff)

    def test_nothing_stays_english_in_japanese(self):
        self.assertEqual(latin("run 1: done"), ["run", "done"])
        _, address = self.coordinator("--listen", "127.0.0.1:0")
        there = ("--coordinator", address)
        run = ("--book", "book.sqlite", "--run", "1")
        told = [self.done("report", *run, "--proof", "0", "--lang", "ja", "--html", "ja.html"),
                self.done("report", *run, "--lang", "ja"),
                self.done("run", "show", "1", *there, "--lang", "ja"),
                self.done("run", "list", *there, "--lang", "ja"),
                self.done("status", *there, "--lang", "ja"),
                self.done("book", "show", *run, "--lang", "ja")]
        for form in ("yaneuraou-db", "apery-bin", "sbk", "ybb"):
            told.append(self.done("book", "explain", *run, "--format", form, "--lang", "ja"))
            told.append(self.done("export", *run, "--format", form, "--out", "ja.db", "--lang", "ja"))
        for style in ("yo-single", "yo-count", "yo-mix", "peta", "dlshogi", "sbk"):
            told.append(self.done("book", "explain", *run, "--profile", style, "--lang", "ja"))
            told.append(self.done("export", *run, "--profile", style, "--out", "ja.bin", "--lang", "ja"))
        page = (self.folder / "ja.html").read_text()
        self.assertIn('<html lang="ja">', page)
        told.append(page_text(page))
        for text in told:
            self.assertEqual(latin(text), [], text)
        self.assertIn("予定の対局を終えた", told[2])

    def test_a_position_that_a_run_has_not_answered(self):
        shutil.copy(self.folder / "book.sqlite", self.folder / "partly.sqlite")
        self.done("tune", "--book", "partly.sqlite", "--games", "4", "--nodes", "20", "--workers", "1", "--proof", "0",
                  "--start", "7g7f 3c3d", "--new")
        ask = ("book", "explain", "--book", "partly.sqlite", "--run", "2")
        told = self.call(*ask, "2g2f", "8c8d", "2f2e")
        self.assertEqual(told.returncode, 1, told.stdout)
        self.assertIn("not_exported: found 2g2f 8c8d 2f2e, which the book has and the export has not", told.stderr)
        self.assertIn(": not_in_book: ", self.call(*ask, "9g9f").stderr)

    def test_tuning_speaks_japanese(self):
        shutil.copy(self.folder / "book.sqlite", self.folder / "tuned.sqlite")
        told = self.call("tune", "--book", "tuned.sqlite", "--games", "6", "--nodes", "20", "--workers", "1",
                         "--no-search", "--lang", "ja", "--start", "▲７六歩 △３四歩", "--new")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("▲７六歩 △３四歩 までの手", told.stdout)
        self.assertEqual(latin(told.stderr + told.stdout.replace("--out FILE", "")), [], told.stderr + told.stdout)

    def test_an_export_says_where_books_are(self):
        told = self.call("export", "--run", "1", "--format", "json", "--out", "x.json",
                         "--coordinator", "127.0.0.1:1")
        self.assertEqual(told.returncode, 1)
        self.assertIn("nobody who listens there", told.stderr)
        self.assertIn("--book FILE", told.stderr)
        self.assertNotIn("ipv4", told.stderr)
        # Without an address it is the usual one's, as of every command; a book here needs none.
        usual = self.call("export", "--run", "1", "--profile", "peta", "--out", "x.db")
        self.assertEqual(usual.returncode, 2)
        self.assertIn("--book", usual.stderr)
        self.done("export", "--run", "1", "--book", "book.sqlite", "--format", "json", "--out", "x.json",
                  JOSEKI_COORDINATOR="127.0.0.1:1")
        _, address = self.coordinator("--listen", "127.0.0.1:0")
        told = json.loads(self.done("export", "--run", "1", "--format", "json", "--out", "y.json", "--json",
                                    JOSEKI_COORDINATOR=address))
        self.assertEqual(told["format"], "json")
        self.assertEqual((self.folder / "x.json").read_bytes(), (self.folder / "y.json").read_bytes())

    def test_openings_are_named(self):
        (self.folder / "xiangqi.txt").write_text("startpos moves g0e2 g9e7 h0g2\n")
        self.done("import", "--game", "xiangqi", "--book", "x.sqlite", "xiangqi.txt")
        show = ("book", "show", "--book", "x.sqlite", "--json")
        wanted = self.done(*show, "g0e2", "g9e7")
        self.assertEqual(self.done(*show, "A11"), wanted)
        self.assertEqual(self.done(*show, "顺相局"), wanted)

    def test_json_is_the_same_in_every_language(self):
        for command in (("book", "show", "--book", "book.sqlite", "--run", "1"),
                        ("book", "explain", "--book", "book.sqlite", "--run", "1"),
                        ("book", "diff", "book.sqlite#0", "book.sqlite#1"),
                        ("report", "--book", "book.sqlite", "--proof", "0")):
            self.assertEqual(self.done(*command, "--json", "--lang", "ja", "--moves", "ja"),
                             self.done(*command, "--json"), command)

    def test_the_table_comes_first_and_sources_where_they_are_asked_for(self):
        told = self.show()
        self.assertTrue(told.startswith("  move "), told)
        self.assertNotIn("sources:", told)
        self.assertIn("sources:", self.show("--sources"))

    def test_a_comparison_says_where_positions_are(self):
        told = self.done("book", "diff", "book.sqlite#0", "book.sqlite#1")
        self.assertNotIn("lnsgkgsnl", told)
        self.assertRegex(told, r"(?m)^(at the start|after [27]g[27]f)")
        self.assertNotIn("・", told)
        self.assertIn("・", self.done("book", "diff", "--boards", "book.sqlite#0", "book.sqlite#1"))

    def test_a_match_leaves_records(self):
        self.done("match", "--a", "book.sqlite#1@embedded", "--b", "embedded", "--pairs", "2", "--nodes", "20",
                  "--seed", "3", "--out", "m.jsonl", "--format", "kif", "--records", "kif/",
                  "--event", "11th Computer Olympiad")
        records = sorted((self.folder / "kif").glob("*.kif"))
        self.assertEqual(len(records), 4)
        for record in records:
            self.assertRegex(record.read_text(encoding="utf-8"),
                             r"(?m)^棋戦：11th Computer Olympiad, pair [01]$")
        imported = self.done("import", "--book", "again.sqlite", "--json", *map(str, records))
        self.assertEqual(json.loads(imported)["games"], 4)
        told = self.call("match", "--a", "embedded", "--b", "embedded", "--pairs", "1", "--nodes", "20",
                         "--records", "x.pgn", "--format", "pgn")
        self.assertEqual(told.returncode, 2)
        self.assertIn("csa or kif or usi", told.stderr)
        told = self.call("match", "--a", "embedded", "--b", "embedded", "--pairs", "1", "--nodes", "20",
                         "--records", "x.kif", "--event", "two\nlines")
        self.assertEqual(told.returncode, 2)
        self.assertIn("one line is expected", told.stderr)

    def coordinator(self, *arguments, book="book.sqlite"):
        address = self.folder / "address"
        address.unlink(missing_ok=True)
        started = subprocess.Popen(
            [str(BINARIES / "joseki-coordinator"), "--db", book, "--address-file", str(address),
             "--log-level", "error", *arguments], cwd=self.folder, env=ENVIRONMENT)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        while not address.exists():
            assert started.poll() is None, "the coordinator has ended"
            os.sched_yield()
        return started, address.read_text().strip()

    def test_games_as_records(self):
        _, address = self.coordinator("--listen", "127.0.0.1:0")
        common = ("games", "--run", "1", "--coordinator", address)
        for form in ("csa", "kif", "usi"):
            self.done(*common, "--format", form, "--out", f"all.{form}")
            told = json.loads(self.done("import", "--book", f"{form}.sqlite", "--json", f"all.{form}"))
            self.assertEqual((told["games"], told["rejected"]), (6, 0), form)
        self.done(*common, "--format", "kif", "--out", "each/")
        self.assertEqual(len(list((self.folder / "each").iterdir())), 6)
        self.assertIn("手数----指手", self.done(*common, "--format", "kif", "--limit", "1"))
        # A part of the games is told from all of them.
        self.assertRegex(self.call(*common, "--limit", "2").stderr, "these are 2 games.*--after 2 has")
        self.assertEqual(self.call(*common).stderr, "")
        self.assertEqual(self.call(*common, "--out", "x").returncode, 2)
        self.assertIn("ラン 1: 完了", self.done("status", "--coordinator", address, "--lang", "ja"))
        spending = self.done("run", "spending", "1", "--coordinator", address)
        self.assertIn("at the start", spending)

    def test_an_export_says_the_same_over_the_network(self):
        _, address = self.coordinator("--listen", "127.0.0.1:0")

        def told(*whose):
            said = json.loads(self.done("export", *whose, "--run", "1", "--format", "yaneuraou-db", "--out",
                                        "told.db", "--json"))
            return said["bytes"], said["warnings"], said["notes"]

        here = told("--book", "book.sqlite")
        self.assertTrue(here[2], "a file without a note shows nothing")
        self.assertEqual(told("--coordinator", address), here)

    def test_a_watch_outlives_its_coordinator(self):
        coordinator, address = self.coordinator("--listen", "127.0.0.1:0")
        watch = subprocess.Popen(
            [str(BINARIES / "joseki"), "status", "--watch", "--interval", "0.2", "--coordinator", address],
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.stderr.close)
        self.addCleanup(watch.kill)
        self.assertIn("coordinator up", watch.stdout.readline())
        coordinator.kill()
        coordinator.wait()
        self.assertRegex(watch.stderr.readline(), r"^the coordinator does not answer \(.+\); asking again\n$")
        self.coordinator("--listen", address)
        self.assertEqual(watch.stderr.readline(), "the coordinator answers again\n")
        self.assertIsNone(watch.poll())

    def test_an_interrupted_expansion_keeps_what_it_found(self):
        shutil.copy(self.folder / "book.sqlite", self.folder / "grown.sqlite")
        expansion = subprocess.Popen(
            [str(BINARIES / "joseki"), "book", "expand", "--book", "grown.sqlite", "--method", "principal", "--leaves",
             "1000000", "--nodes", "1000", "--json"],
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.addCleanup(expansion.wait)
        self.addCleanup(expansion.kill)
        while not (self.folder / "grown.sqlite-shm").exists():  # it listens to signals before
            self.assertIsNone(expansion.poll())
        expansion.send_signal(signal.SIGINT)
        out, err = expansion.communicate()
        said = json.loads(out)
        self.assertTrue(said["interrupted"], err)
        self.assertGreater(said["expanded"], 0)
        self.assertGreater(said["moves"], 0)
        self.assertEqual(expansion.returncode, 130)

    def test_a_match_outlives_its_coordinator(self):
        shutil.copy(self.folder / "book.sqlite", self.folder / "gone.sqlite")
        coordinator, address = self.coordinator("--listen", "127.0.0.1:0", book="gone.sqlite")
        match = subprocess.Popen(
            [str(BINARIES / "joseki"), "match", "--a", "embedded", "--b", "embedded", "--pairs", "1", "--nodes",
             "20", "--out", "gone.jsonl", "--json", "--coordinator", address],
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.addCleanup(match.wait)
        self.addCleanup(match.stdout.close)
        self.addCleanup(match.stderr.close)
        self.addCleanup(match.kill)
        while len(json.loads(self.done("run", "list", "--json", "--coordinator", address))["runs"]) < 2:
            self.assertIsNone(match.poll())
        coordinator.kill()
        coordinator.wait()
        said = iter(match.stderr.readline, "")  # progress, too
        self.assertTrue(any(line.startswith("the coordinator does not answer (") for line in said))
        self.coordinator("--listen", address, book="gone.sqlite")
        for command in (("status",), ("run", "list")):  # it has no worker
            self.assertIn("    no worker can serve it: see `joseki run show 2`\n",
                          self.done(*command, "--coordinator", address))
        self.assertTrue(any(line == "the coordinator answers again\n" for line in said))
        match.send_signal(signal.SIGINT)
        self.assertTrue(json.loads(match.stdout.read())["interrupted"])
        self.assertEqual(match.wait(), 130)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
