#!/usr/bin/env python3
"""What goes wrong when a cluster is started: each says one thing and leaves nothing half-done.

  faults_test.py SOURCE BINARIES
"""
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
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
        # Beside our log and gRPC's own.
        told = [line for line in done.stderr.splitlines()
                if line and not re.match(r"ts=|[EWI]\d{4} ", line)]
        self.assertEqual(len(told), 1, done.stderr)
        self.assertIn(f" {code}: found ", told[0])
        self.assertIn("expected ", told[0])
        return told[0]

    def coordinator(self, *arguments):
        child = subprocess.Popen([str(BINARIES / "joseki-coordinator"), "--db", str(self.book),
                                  *map(str, arguments)], stderr=subprocess.PIPE, text=True,
                                 cwd=self.folder)
        self.children.append(child)
        for line in child.stderr:
            if "event=listening" in line:
                return line.split("address=")[1].split()[0]
        self.fail("the coordinator does not listen")

    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for option in ("--listen", "--page", "--metrics"):
                rest = () if option == "--listen" else ("--listen", "127.0.0.1:0")
                told = self.refused("joseki-coordinator", "cannot_listen", "--db", self.book,
                                    option, address, *rest)
                self.assertIn(address, told)

    def test_missing_certificates(self):
        (self.folder / "empty").mkdir()
        told = self.refused("joseki-coordinator", "file_error", "--db", self.book, "--listen",
                            "127.0.0.1:0", "--tls", self.folder / "empty")
        self.assertIn(str(self.folder / "empty"), told)
        self.refused("joseki-coordinator", "insecure_network", "--db", self.book, "--listen",
                     "0.0.0.0:0")

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
        self.joseki("run", "create", *client, "--games", 3, "--nodes", 30)
        played = self.run_program("joseki-worker", *node, "--slots", 1, "--exit-when-idle", 1)
        self.assertEqual(played.returncode, 0, played.stderr)
        status = json.loads(self.joseki("status", *client, "--json"))
        self.assertEqual(status["runs"][0]["games_done"], 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
