#!/usr/bin/env python3
"""The page of a book without a coordinator, as a user starts it: `joseki page`, and `joseki tune --page`.

  page_test.py BINARIES
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

BINARIES = Path(sys.argv[1]).resolve()
GAMES = """\
startpos moves 7g7f 3c3d 2g2f
startpos moves 7g7f 8c8d 2g2f
startpos moves 2g2f 8c8d 2f2e
"""
# A foreign book: YANEURAOU-DB2016, one position with two moves.
FOREIGN = """\
#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 35 18 7
2g2f 8c8d 21 18 3
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-page-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "games.usi").write_text(GAMES)
        (self.folder / "foreign.db").write_text(FOREIGN)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.joseki("import", "--book", "book.sqlite", "games.usi")

    def call(self, *arguments):
        return subprocess.run([str(BINARIES / "joseki"), *map(str, arguments)], text=True, timeout=120,
                              capture_output=True, check=False, cwd=self.folder)

    def joseki(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def start(self, *arguments, prefix=()):
        """The process, its output on one pipe; killed at the end of the test, or after two minutes."""
        child = subprocess.Popen([*prefix, str(BINARIES / "joseki"), *map(str, arguments)], text=True, cwd=self.folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 env={**os.environ, "TMPDIR": str(self.temporary)})
        alarm = threading.Timer(120, child.kill)
        alarm.start()
        self.addCleanup(lambda: (alarm.cancel(), child.kill(), child.wait(), child.stdout.close()))
        return child

    def page(self, *arguments, prefix=()):
        """A page and its address, once it says it."""
        child = self.start("page", *arguments, "--listen", "127.0.0.1:0", prefix=prefix)
        said = ""
        for line in child.stdout:
            said += line
            if "http://" in line:
                return child, "http://" + line.split("http://")[1].split("/")[0]
        self.fail(said)

    def get(self, address, path):
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=60) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)

    def end(self, child, status=0):
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(60), status)

    def test_a_book_without_runs(self):
        child, address = self.page("--book", "book.sqlite")
        self.assertEqual(self.get(address, "/api/status")["runs"], [])
        book = self.get(address, "/api/book")
        self.assertEqual((book["games"], len(book["sources"])), (3, 1))
        moves = {move["move"]: move for move in self.get(address, "/api/position?run=0")["moves"]}
        self.assertEqual(set(moves), {"7g7f", "2g2f"})
        self.assertTrue(moves["7g7f"]["answer"])
        named = self.get(address, "/api/line?run=0&moves=2g2f%208c8d%202f2e%208d8e")
        self.assertEqual(named["opening"]["name"], "相掛かり")
        self.assertEqual(self.get(address, "/api/position?run=1")["error"]["code"], "unknown_run")
        # Nobody else gets the book meanwhile, and is told where it is seen.
        refused = self.call("tune", "--book", "book.sqlite", "--games", 10, "--nodes", 50)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("book_in_use", refused.stderr)
        self.end(child)

    def test_a_book_in_a_folder_that_cannot_be_written(self):
        # Root can write everywhere, so the page is nobody's.
        nobody = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups") if os.geteuid() == 0 else ()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        if subprocess.run([*nobody, str(BINARIES / "joseki"), "--version"], capture_output=True, check=False).returncode:
            self.skipTest("nobody may not run the program here")
        before = sorted(self.folder.iterdir())
        child, address = self.page("--book", "book.sqlite", prefix=nobody)
        self.assertEqual(self.get(address, "/api/book")["games"], 3)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.end(child)
        # A book that its owner has is his.
        self.folder.chmod(0o755)
        child, _ = self.page("--book", "book.sqlite")
        self.folder.chmod(0o555)
        refused = subprocess.run([*nobody, str(BINARIES / "joseki"), "page", "--book", "book.sqlite"], text=True,
                                 capture_output=True, check=False, cwd=self.folder)
        self.assertIn("book_in_use", refused.stderr)
        self.end(child)

    def test_a_book_of_another_program(self):
        before = (self.folder / "foreign.db").read_bytes()
        child, address = self.page("--book", "foreign.db")
        moves = {move["move"]: move for move in self.get(address, "/api/position?run=0")["moves"]}
        self.assertEqual((moves["7g7f"]["value"], moves["7g7f"]["depth"], moves["7g7f"]["count"]), (35, 18, 7))
        self.assertEqual(len(list(self.temporary.iterdir())), 1)
        self.end(child)
        self.assertEqual(list(self.temporary.iterdir()), [], "the temporary database goes")
        self.assertEqual((self.folder / "foreign.db").read_bytes(), before)

    def test_game_records(self):
        child, address = self.page("--book", self.xiangqi())
        self.assertEqual(self.get(address, "/api/status")["game"], "xiangqi")
        moves = self.get(address, "/api/position?run=0")["moves"]
        self.assertEqual([(move["move"], move["games"]) for move in moves], [("h2e2", 1)])
        self.end(child)
        child, address = self.page("--book", "games.usi")
        self.assertEqual(self.get(address, "/api/status")["game"], "shogi")
        self.end(child)
        # An archive is of the game that is named.
        with zipfile.ZipFile(self.folder / "games.zip", "w") as archive:
            archive.write(self.xiangqi(), "games.ucci")
        refused = self.call("page", "--book", "games.zip")
        self.assertIn("other_game", refused.stderr)
        self.assertIn("--game", refused.stderr)
        child, address = self.page("--game", "xiangqi", "--book", "games.zip")
        self.assertEqual(self.get(address, "/api/book")["games"], 1)
        self.end(child)

    def test_two_files(self):
        child, address = self.page("--book", "book.sqlite", "--with", "foreign.db")
        self.assertEqual(self.get(address, "/api/status")["with"], "foreign.db")
        files = self.get(address, "/api/files")["files"]
        self.assertEqual([(file["name"], file["runs"]) for file in files], [("book.sqlite", []), ("foreign.db", [])])
        diff = self.get(address, "/api/diff?before=0&after=with:0")
        self.assertEqual((diff["same"], diff["only_after"]), (0, 0))
        self.assertGreater(diff["only_before"], 0)
        self.end(child)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.joseki("import", "--game", "xiangqi", "--book", "xiangqi.sqlite", self.xiangqi())
        refused = self.call("--json", "page", "--book", "book.sqlite", "--with", "xiangqi.sqlite")
        self.assertEqual(json.loads(refused.stdout)["error"]["code"], "other_game")

    def xiangqi(self):
        games = self.folder / "games.ucci"
        games.write_text("startpos moves h2e2 h9g7 h0g2\n")
        return games

    def test_what_is_refused(self):
        (self.folder / "nonsense.db").write_text("nonsense\n")
        for code, arguments in [("nothing_imported", ("--book", "nonsense.db")),
                                ("file_error", ("--book", "none.sqlite")),
                                ("insecure_network", ("--book", "book.sqlite", "--listen", "0.0.0.0:0"))]:
            done = self.call("--json", "page", *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertEqual(json.loads(done.stdout)["error"]["code"], code, arguments)
        self.assertEqual(self.call("tune", "--book", "book.sqlite", "--games", 1, "--page", "127.0.0.1:0").returncode, 2)

    def test_a_tune_with_its_page(self):
        port = free_port()
        tune = self.start("tune", "--book", "book.sqlite", "--games", 100000, "--nodes", 50, "--workers", 1,
                          "--page", f"127.0.0.1:{port}")
        address = ""
        for line in tune.stdout:
            if line.startswith("page: "):
                address = line.split()[1].rstrip("/")
                break
        self.assertEqual(address, f"http://127.0.0.1:{port}")
        self.assertEqual(self.get(address, "/api/status")["game"], "shogi")
        # Another one is told where to look.
        refused = self.call("page", "--book", "book.sqlite")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("book_in_use", refused.stderr)
        self.assertIn(f"http://127.0.0.1:{port}/", refused.stderr)
        rest = threading.Thread(target=tune.stdout.read)  # so that it is never held up
        rest.start()
        self.end(tune, 130)  # as an interrupted tune does
        rest.join()

    def test_a_tuned_book(self):
        port = free_port()
        # The page ends with the command if there is no terminal.
        self.joseki("tune", "--book", "book.sqlite", "--games", 60, "--nodes", 50, "--workers", 1, "--no-search",
                    "--page", f"127.0.0.1:{port}")
        # A second run, with searches.
        self.joseki("tune", "--book", "book.sqlite", "--games", 60, "--nodes", 50, "--workers", 1, "--proof", 0)
        rows = (self.folder / "book.sqlite").read_bytes()
        child, address = self.page("--book", "book.sqlite")
        report = self.get(address, "/api/run?run=1")
        self.assertEqual(report["games"], self.get(address, "/api/status")["runs"][0]["games_done"])
        self.assertEqual(report["steps"][-1]["games"], report["games"])
        self.assertGreater(report["nodes"], 0)
        searched = self.get(address, "/api/run?run=2")
        steps = searched["steps"]
        self.assertGreaterEqual(steps[0]["until_ms"], searched["created_ms"])
        self.assertGreater(steps[-1]["searches"], steps[0]["searches"])
        self.assertEqual(self.get(address, "/api/diff?before=1&after=1")["changed"], 0)
        self.end(child)
        self.assertEqual((self.folder / "book.sqlite").read_bytes(), rows, "who only looks writes nothing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
