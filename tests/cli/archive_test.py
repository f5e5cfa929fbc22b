#!/usr/bin/env python3
"""A season of games in archives: made, dropped, audited, put back, and imported by another book; and
the report of a run whose games are in archives alone.

  archive_test.py SOURCE BINARIES
"""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[2])


class Archives(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-archive-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "games.usi").write_text("".join(
            f"startpos moves {moves}\n" for moves in (
                "7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e")))
        self.book = self.folder / "my book.sqlite"
        self.joseki("import", "--book", self.book, self.folder / "games.usi")
        self.joseki("tune", "--book", self.book, "--games", 12, "--no-search", "--workers", 1, "--nodes", 30,
                    "--proof", 0)

    def joseki(self, *arguments, status=0):
        done = subprocess.run([str(BINARIES / "joseki"), *map(str, arguments), "--json"], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_a_list_without_an_archive(self):
        told = subprocess.run([str(BINARIES / "joseki"), "archive", "list", "--book", str(self.book)], text=True,
                              capture_output=True, check=False)
        self.assertEqual((told.returncode, told.stdout), (0, "no archives\n"))
        self.assertEqual(self.joseki("archive", "list", "--book", self.book, "--run", 9,
                                     status=1)["error"]["code"], "unknown_run")

    def test_a_season(self):
        before = self.joseki("report", "--book", self.book, "--proof", 0)
        made = self.joseki("archive", "make", "--book", self.book, "--games-per-file", 5)
        self.assertEqual((made["archives"], made["games"]), (3, 12))
        dropped = self.joseki("archive", "drop", "--book", self.book, "--shrink")
        self.assertEqual(dropped["games"], 12)
        listed = self.joseki("archive", "list", "--book", self.book)
        folder = Path(listed["folder"])
        self.assertEqual(sum(archive["games"] for archive in listed["archives"]), 12)
        self.assertTrue(all(archive["dropped"] for archive in listed["archives"]))
        audit = self.joseki("audit", "--book", self.book)
        self.assertEqual((audit["games"], audit["mismatches"]), (12, 0))

        # The report is the same, as a page too.
        page = self.folder / "report.html"
        after = self.joseki("report", "--book", self.book, "--proof", 0, "--html", page)
        self.assertEqual(after, before)
        html = page.read_text()
        for part in ("What was asked", "What was played", "What moved", "What is proven",
                     "What went wrong", "How to reproduce it", "<svg", 'lang="en"', "viewport"):
            self.assertIn(part, html)
        # Its commands are typed to a shell.
        self.assertIn(f"joseki audit --book &#39;{self.book}&#39;\n", html)
        for outside in ("http://", "https://", "<script", "src="):
            self.assertNotIn(outside, html)

        # Archived games are ordinary records: any book takes them.
        other = self.folder / "other.sqlite"
        imported = self.joseki("import", "--book", other, *sorted(folder.glob("*.csa.zst")))
        self.assertEqual((imported["games"], imported["rejected"]), (12, 0))

        # Damage is named, and put right by a copy.
        victim = sorted(folder.glob("*.jsonl.zst"))[1]
        good = victim.read_bytes()
        victim.write_bytes(good[:-1])
        error = self.joseki("audit", "--book", self.book, status=1)["error"]
        self.assertEqual((error["code"], error["file"]), ("bad_archive", str(victim)))
        victim.write_bytes(good)
        self.assertEqual(self.joseki("archive", "put-back", "--book", self.book)["games"], 12)
        self.assertEqual(self.joseki("audit", "--book", self.book)["mismatches"], 0)
        self.assertEqual(self.joseki("report", "--book", self.book, "--proof", 0), before)

    def test_a_running_coordinator_keeps_its_games(self):
        self.joseki("archive", "make", "--book", self.book)
        coordinator = subprocess.Popen(
            [str(BINARIES / "joseki-coordinator"), "--db", str(self.book), "--listen",
             "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        try:
            while "event=listening" not in coordinator.stderr.readline():
                self.assertIsNone(coordinator.poll())
            error = self.joseki("archive", "drop", "--book", self.book, status=1)["error"]
            self.assertEqual(error["code"], "coordinator_running")
        finally:
            coordinator.terminate()
            coordinator.communicate()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
