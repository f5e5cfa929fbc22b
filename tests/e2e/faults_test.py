#!/usr/bin/env python3
"""What goes wrong when a cluster is started: each says one thing and leaves nothing half-done.

  faults_test.py SOURCE BINARIES
"""
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BINARIES = Path(sys.argv[2])


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-faults-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.children = []
        self.addCleanup(self.stop)
        self.book = self.folder / "book.sqlite"

    def stop(self):
        for child in self.children:
            child.kill()
            child.communicate()

    def run_program(self, program, *arguments):
        return subprocess.run([str(BINARIES / program), *map(str, arguments)], text=True,
                              capture_output=True, check=False, cwd=self.folder)

    def joseki(self, *arguments):
        done = self.run_program("joseki", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, program, code, *arguments):
        """The program ends with 1, and says this one thing."""
        done = self.run_program(program, *arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        # Beside our log.
        told = [line for line in done.stderr.splitlines() if line and not line.startswith("ts=")]
        self.assertEqual(len(told), 1, done.stderr)
        self.assertIn(f" {code}: found ", told[0])
        self.assertIn("expected ", told[0])
        return told[0]

    def coordinator(self, *arguments, **variables):
        child = subprocess.Popen([str(BINARIES / "joseki-coordinator"), "--db", str(self.book),
                                  *map(str, arguments)], stderr=subprocess.PIPE, text=True,
                                 cwd=self.folder, env={**os.environ, **variables})
        self.children.append(child)
        for line in child.stderr:
            if "event=listening" in line:
                return line.split("address=")[1].split()[0]
        self.fail("the coordinator does not listen")

    def test_a_port_in_use(self):
        there_before = self.folder / "there.sqlite"
        games = self.folder / "games.usi"
        games.write_text("startpos moves 7g7f 3c3d\n", encoding="utf-8")
        self.joseki("import", "--book", there_before, games)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for option in ("--listen", "--page", "--metrics"):
                rest = () if option == "--listen" else ("--listen", "127.0.0.1:0")
                told = self.refused("joseki-coordinator", "cannot_listen", "--db", self.book,
                                    option, address, *rest)
                self.assertIn(f"{option}: cannot_listen: found {address}: Address already in use", told)
                # Nor is one of the others announced on a book that is there.
                there = self.run_program("joseki-coordinator", "--db", there_before, option, address, *rest)
                self.assertEqual(there.stderr.splitlines()[-1], told)
                self.assertNotIn("event=listening", there.stderr)

    def test_addresses_that_cannot_be_dialled(self):
        for address in ("", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:0", ":7460"):
            self.refused("joseki", "bad_address", "status", "--coordinator", address)
        worker = self.run_program("joseki-worker", "--coordinator", "127.0.0.1:99999")
        self.assertEqual(worker.returncode, 2)
        self.assertIn("bad_address", worker.stderr)
        self.assertEqual(len(worker.stderr.splitlines()), 1)

    def test_a_certificate_of_another_cluster(self):
        for cluster in ("ours", "theirs"):
            self.joseki("certs", "init", self.folder / cluster)
        address = self.coordinator("--listen", "127.0.0.1:0", "--tls", self.folder / "ours")
        self.refused("joseki", "coordinator_not_trusted", "status", "--coordinator", address,
                     "--tls", self.folder / "theirs/operators/operator-1")

    def test_what_a_worker_says_is_text(self):
        worker = subprocess.Popen([str(BINARIES / "joseki-worker"), "--coordinator",
                                   "127.0.0.1:1", "--spool", str(self.folder / "spool")],
                                  stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.children.append(worker)
        told = next(line for line in worker.stderr if "join_failed" in line)
        self.assertIn("unreachable", told)
        self.assertNotIn("joseki/problem", told)
        self.assertTrue(told.rstrip("\n").isprintable(), told)

    def test_a_worker_in_clear_before_a_coordinator_with_tls(self):
        self.joseki("certs", "init", self.folder / "certs")
        address = self.coordinator("--listen", "127.0.0.1:0", "--tls", self.folder / "certs")
        worker = subprocess.Popen([str(BINARIES / "joseki-worker"), "--coordinator", address,
                                   "--spool", str(self.folder / "spool")],
                                  stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.children.append(worker)
        told = next(line for line in worker.stderr if "join_failed" in line)
        self.assertIn("one with TLS is reached with --tls", told)

    def test_missing_certificates(self):
        (self.folder / "empty").mkdir()
        told = self.refused("joseki-coordinator", "file_error", "--db", self.book, "--listen",
                            "127.0.0.1:0", "--tls", self.folder / "empty")
        self.assertIn(str(self.folder / "empty"), told)
        self.refused("joseki-coordinator", "insecure_network", "--db", self.book, "--listen",
                     "0.0.0.0:0")

    def test_a_clock_that_jumps_uses_up_no_time(self):
        shift = BINARIES / "tests/clock_shift.so"
        if not shift.exists():
            self.skipTest("under a sanitizer nothing can be loaded before it")
        (self.folder / "games.usi").write_text("startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n")
        self.joseki("import", "--book", self.book, self.folder / "games.usi")
        ahead = self.folder / "ahead"
        ahead.write_text("0")
        address = self.coordinator("--listen", "127.0.0.1:0", LD_PRELOAD=str(shift),
                                   CLOCK_SHIFT=str(ahead))
        client = ("--coordinator", address)
        # Three minutes: less than what one look at a clock that was set counts for at most.
        self.joseki("run", "create", *client, "--hours", "0.05", "--nodes", 30)
        ahead.write_text(str(9 * 3600))
        time.sleep(2)
        run = json.loads(self.joseki("status", *client, "--json"))["runs"][0]
        self.assertEqual(run["state"], "running", run)
        # It did see the clock that was set.
        self.joseki("run", "create", *client, "--hours", "1", "--nodes", 30)
        with sqlite3.connect(self.book) as database:
            first, second = database.execute("SELECT created_ms FROM runs ORDER BY run").fetchall()
        self.assertGreater(second[0] - first[0], 8 * 3600 * 1000)

    def test_of_two_coordinators_of_a_book_one_goes_on(self):
        self.coordinator("--listen", "127.0.0.1:0")
        first = self.children[0]
        lock = self.folder / "book.sqlite.lock"
        # The first would make it anew within a second.
        first.send_signal(signal.SIGSTOP)
        try:
            lock.unlink()
            second = subprocess.Popen([str(BINARIES / "joseki-coordinator"), "--db",
                                       str(self.book), "--listen", "127.0.0.1:0"],
                                      stderr=subprocess.PIPE, text=True, cwd=self.folder)
            self.children.append(second)
            told = next((line for line in second.stderr
                         if "event=listening" in line or "coordinator_running" in line), "")
        finally:
            first.send_signal(signal.SIGCONT)
        self.assertIn("event=listening", told)
        self.assertEqual(first.wait(timeout=120), 1)
        self.assertIn(" lock_lost: found ", first.stderr.read())
        self.assertIsNone(second.poll())

    def test_a_node_enrols_first_and_plays_later(self):
        (self.folder / "games.usi").write_text(
            "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 7g7f 8c8d\n")
        self.joseki("import", "--book", self.book, self.folder / "games.usi")
        self.joseki("certs", "init", self.folder / "certs")
        self.joseki("certs", "token", "--dir", self.folder / "certs")
        token = next((self.folder / "certs/joins").glob("*.token"))
        address = self.coordinator("--listen", "127.0.0.1:0", "--tls", self.folder / "certs")
        node = ("--coordinator", address, "--tls", self.folder / "tls", "--name", "node")
        enrolled = self.run_program("joseki-worker", *node, "--token-file", token, "--enrol-only")
        self.assertEqual(enrolled.returncode, 0, enrolled.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "tls").glob("*.pem")),
                         ["ca.pem", "cert.pem", "key.pem"])
        certificate = (self.folder / "tls/cert.pem").read_bytes()
        # Again is no harm; another node does not get in with the same token.
        again = self.run_program("joseki-worker", *node, "--token-file", token, "--enrol-only")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "tls/cert.pem").read_bytes(), certificate)
        other = self.run_program("joseki-worker", "--coordinator", address, "--tls",
                                 self.folder / "other", "--name", "other", "--token-file", token,
                                 "--enrol-only")
        self.assertEqual(other.returncode, 1)
        self.assertIn("bad_token", other.stderr)
        client = ("--coordinator", address, "--tls", self.folder / "certs/operators/operator-1")
        self.joseki("run", "create", *client, "--games", 3, "--nodes", 30, "--no-search")
        played = self.run_program("joseki-worker", *node, "--slots", 1, "--exit-when-idle", 10)
        self.assertEqual(played.returncode, 0, played.stderr)
        status = json.loads(self.joseki("status", *client, "--json"))
        self.assertEqual(status["runs"][0]["games_done"], 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
