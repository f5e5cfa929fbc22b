#!/usr/bin/env python3
"""A xiangqi book from move lists to a tuned book, with real processes, and what is refused to it.
Nobody says --game but where the book is made: everything else is of the book's game, or the coordinator's.

  xiangqi_test.py BINARIES
"""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[1]).resolve()
# Openings with the central cannon, the elephant and the pawn.
GAMES = """\
startpos moves h2e2 h9g7 h0g2 i9h9 b0c2 b9c7 i0h0 h7i7 1-0
startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 b9c7 1/2-1/2
startpos moves h2e2 b9c7 h0g2 h9g7 i0h0 i9h9 h0h6 b7b6 1-0
startpos moves h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 b0c2 i8d8 0-1
startpos moves c3c4 h9g7 h0g2 i9h9 b0c2 b9c7 0-1
startpos moves c3c4 b7c7 h2e2 c9e7 h0g2 b9a7 1-0
startpos moves g0e2 h7e7 h0g2 h9g7 i0h0 i9h9 1/2-1/2
"""
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


class Xiangqi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="joseki-xiangqi-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "games.ucci").write_text(GAMES)
        (cls.folder / "games.usi").write_text("startpos moves 7g7f 3c3d\n")
        (cls.folder / "engines.json").write_text(json.dumps({"engines": {
            "other": {"command": str(BINARIES / "joseki-engine"), "profile": "joseki"}}}))
        cls.call("import", "--game", "xiangqi", "--book", "book.sqlite", "games.ucci")

    @classmethod
    def call(cls, *arguments):
        return subprocess.run([str(BINARIES / "joseki"), *map(str, arguments)], text=True,
                              capture_output=True, check=False, cwd=cls.folder)

    def joseki(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.joseki(*arguments, "--json"))

    def refused(self, code, *arguments):
        """The command does nothing, and says why."""
        done = self.call(*arguments)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertIn(code, done.stderr, arguments)

    def start(self, program, *arguments):
        child = subprocess.Popen([str(BINARIES / program), *map(str, arguments)], text=True,
                                 stderr=subprocess.PIPE, cwd=self.folder)
        self.addCleanup(lambda: (child.kill(), child.wait(), child.stderr.close()))
        return child

    def coordinator(self, book):
        child = self.start("joseki-coordinator", "--db", book, "--listen", "127.0.0.1:0",
                           "--address-file", f"{book}.address")
        for line in child.stderr:
            if "event=listening" in line:
                return child, line.split("address=")[1].split()[0]
        self.fail("the coordinator does not listen")

    def test_from_games_to_a_tuned_book(self):
        book = "tuned.sqlite"
        shutil.copy(self.folder / "book.sqlite", self.folder / book)
        self.assertGreater(self.json("book", "expand", "--book", book, "--leaves", 2, "--nodes", 60)["moves"], 0)
        coordinator, address = self.coordinator(book)
        there = ("--coordinator", address)
        created = self.json("run", "create", *there, "--games", 24, "--nodes", 60, "--max-plies", 80)
        self.assertGreater(created["moves"], 20)
        workers = [self.start("joseki-worker", *there, "--slots", 1, "--name", name, "--spool", name)
                   for name in ("w1", "w2")]
        self.joseki("status", *there, "--run", 1, "--watch", "--interval", 0.2)
        # The workers submit their last games before anything is counted.
        for worker in workers:
            worker.terminate()
            worker.communicate()
            self.assertEqual(worker.returncode, 0)
        status = self.json("status", *there)
        self.assertEqual((status["game"], status["runs"][0]["state"]), ("xiangqi", "done"))
        self.assertEqual(status["runs"][0]["faults"], 0)
        games = self.json("games", *there, "--run", 1)["games"]
        self.assertTrue(all(len(move) == 4 for move in games[0]["moves"].split()), games[0])
        self.assertEqual(self.json("run", "show", 1, *there)["spec"]["play"]["game"], "xiangqi")
        self.assertRegex(self.joseki("run", "spending", 1, *there), r" after [A-I][0-9]-[A-I][0-9]")
        self.joseki("export", *there, "--run", 1, "--format", "json", "--out", "there.json")
        coordinator.terminate()
        self.assertEqual(coordinator.wait(), 0)

        # One command does the same on this machine; its answers are in the book's JSON form.
        tuned = self.json("tune", "--book", book, "--games", 12, "--nodes", 60, "--workers", 1,
                          "--proof", 0, "--no-search", "--new")
        self.assertEqual(tuned["games"], 12)
        match = self.json("match", "--a", f"{book}#2", "--b", book, "--pairs", 2, "--nodes", 60,
                          "--max-plies", 80, "--out", "match.jsonl")
        # Books so alike may play a pair twice: the repeat is set aside and reported.
        self.assertEqual((match["games"] + 2 * match["repeats"], match["faults"]), (4, 0))
        self.assertGreater(match["games"], 0)
        self.joseki("export", "--book", book, "--run", 1, "--format", "json", "--out", "here.json")
        here = (self.folder / "here.json").read_text()
        self.assertEqual(here, (self.folder / "there.json").read_text())
        self.assertEqual(json.loads(here)["game"], "xiangqi")
        audit = self.json("audit", "--book", book)
        self.assertGreaterEqual(audit["games"], 12 + len(games))
        self.assertEqual(audit["mismatches"], 0)

        # Output uses the words of the game.
        report = self.joseki("report", "--book", book, "--run", 1, "--proof", 0, "--html", "r.html")
        self.assertIn("Won by red ", report)
        self.assertIn("won by red, drawn, won by black", (self.folder / "r.html").read_text())
        self.assertIn("\nRed to move\n", self.joseki("book", "show", "--book", book, START))
        self.assertIn("by ElephantEye", self.joseki("book", "explain", "--book", book, "startpos"))
        self.refused("other_game", "book", "explain", "--book", book, "--profile", "yo-single")
        alike = self.json("book", "similar", "--book", book, "startpos", "moves", "a3a4", "a6a5")
        self.assertIn("h2e2", [move["move"] for move in alike["moves"]])
        self.assertFalse(alike["in_book"])
        self.json("book", "diff", "book.sqlite", book)
        self.json("book", "merge", "--book", "merged.sqlite", "--tuned", f"{book}#1")
        self.assertEqual(self.json("book", "verify", "--book", "merged.sqlite")["problems"], 0)

    def test_sides_have_the_words_of_the_game(self):
        self.joseki("export", "--book", "book.sqlite", "--format", "json", "--side", "red",
                    "--out", "red.json")
        red = (self.folder / "red.json").read_text()
        self.assertIn(" w - - ", red)
        self.assertNotIn(" b - - ", red)
        self.refused("expected red or black", "export", "--book", "book.sqlite",
                     "--format", "json", "--side", "white", "--out", "x.json")
        won = self.json("import", "--game", "xiangqi", "--book", "won.sqlite", "--result", "black", "games.ucci")
        self.assertEqual((won["games"], won["filtered"]), (2, 5))
        colours = self.json("book", "show", "--book", "book.sqlite", "--fold", "startpos")["by_colour"]
        self.assertEqual(colours[0]["black"]["n"], 0)
        # The start is its own mirror image: each game counts for its first move and for the mirrored one.
        self.assertEqual(sum(row["red"]["n"] for row in colours), 2 * 7)

    def test_another_game_is_refused(self):
        before = (self.folder / "book.sqlite").read_bytes()
        for command in (("book", "stats", "--book", "book.sqlite"),
                        ("import", "--book", "book.sqlite", "games.usi")):
            self.refused("other_game", "--game", "shogi", *command)
        self.refused("other_game", "import", "--book", "book.sqlite", "games.usi")
        self.refused("other_game", "import", "--book", "new.sqlite", "games.ucci")
        self.refused("other_game", "book", "extend", "--out", "x.bin", "games.ucci")
        self.assertFalse((self.folder / "new.sqlite").exists())
        self.joseki("import", "--book", "shogi.sqlite", "games.usi")
        self.refused("other_game", "book", "merge", "--book", "both.sqlite", "--tuned", "book.sqlite",
                     "--master", "shogi.sqlite")
        self.assertFalse((self.folder / "both.sqlite").exists())
        self.refused("other_game", "book", "diff", "book.sqlite", "shogi.sqlite")
        self.refused("other_game", "match", "--a", "book.sqlite", "--b", "shogi.sqlite", "--pairs", 1)
        self.refused("expected a format of xiangqi", "export", "--book", "book.sqlite", "--format", "yaneuraou-db", "--out", "x.db")
        self.assertEqual((self.folder / "book.sqlite").read_bytes(), before)
        _, address = self.coordinator("book.sqlite")
        there = ("--coordinator", address)
        self.refused("other_game", "--game", "shogi", "run", "create", *there, "--games", 1)
        self.refused("other_game", "run", "create", *there, "--games", 1, "--engine", "other",
                     "--engines", "engines.json")
        self.assertEqual(self.json("run", "list", *there)["runs"], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
