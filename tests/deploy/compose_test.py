#!/usr/bin/env python3
"""The cluster of docker-compose.yml: what the file says, and what its two scripts do.

  compose_test.py SOURCE BINARIES

The scripts run with the programs in the folder BINARIES, a coordinator and workers on loopback, in
the place of containers.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])
BINARIES = Path(sys.argv[2])
PATIENCE = 120  # seconds


class ComposeFile(unittest.TestCase):
    def setUp(self):
        self.text = (SOURCE / "docker-compose.yml").read_text()

    def test_nobody_speaks_in_clear(self):
        self.assertNotIn("insecure", self.text)
        self.assertIn('--tls, /certs]', self.text)
        self.assertIn("127.0.0.1:7460:7460", self.text)
        self.assertNotIn('ports: ["7460', self.text)

    def test_workers_do_not_see_the_authority(self):
        worker = self.text.split("\n  worker:\n")[1].split("\nnetworks:")[0]
        self.assertNotIn("certs:/certs", worker)
        self.assertIn("joins:/joins", worker)

    @unittest.skipUnless(shutil.which("docker-compose"), "docker-compose is not installed")
    def test_docker_compose_takes_it(self):
        config = subprocess.run(["docker-compose", "config", "--services"], cwd=SOURCE,
                                capture_output=True, text=True, check=False)
        self.assertEqual(config.returncode, 0, config.stderr)
        self.assertEqual(sorted(config.stdout.split()), ["certs", "coordinator", "worker"])


class Cluster(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-compose-"))
        self.children = []
        for name in ("certs", "joins"):
            (self.folder / name).mkdir(mode=0o700)

    def tearDown(self):
        for child in self.children:
            if child.poll() is None:
                child.send_signal(signal.SIGKILL)
            child.wait()
        shutil.rmtree(self.folder)

    def environment(self, **more):
        return {**os.environ, "PATH": f"{BINARIES}:{os.environ['PATH']}",
                "CERTS": str(self.folder / "certs"), "JOINS": str(self.folder / "joins"),
                "TOKENS": "4", **more}

    def make_certs(self):
        done = subprocess.run([SOURCE / "deploy/compose/make-certs"], env=self.environment(),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def tokens(self):
        return sorted(path.name for path in (self.folder / "joins").glob("*.token"))

    def start(self, *command, **more):
        log = open(self.folder / f"log{len(self.children)}", "w")
        child = subprocess.Popen(command, env=self.environment(**more), stdout=log, stderr=log)
        log.close()
        self.children.append(child)
        return child

    def log_of(self, child):
        return (self.folder / f"log{self.children.index(child)}").read_text()

    def await_that(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what + "".join(map(self.log_of, self.children)))
            time.sleep(0.05)

    def start_worker(self, address, name):
        (self.folder / name).mkdir(exist_ok=True)
        return self.start(SOURCE / "deploy/compose/run-worker", "--coordinator", address,
                          "--name", name, "--slots", "1", "--drain-seconds", "0",
                          DATA=str(self.folder / name))

    def workers(self, address):
        told = subprocess.run(
            ["joseki", "workers", "--json", "--coordinator", address,
             "--tls", str(self.folder / "certs/operators/operator-1")],
            env=self.environment(), capture_output=True, text=True, check=False)
        if told.returncode != 0:
            return {}
        return {worker["worker"]: worker["state"] for worker in json.loads(told.stdout)["workers"]}

    def test_workers_enrol_each_with_a_token_of_its_own(self):
        self.make_certs()
        self.assertEqual(len(self.tokens()), 4)
        address_file = self.folder / "address"
        self.start("joseki-coordinator", "--db", str(self.folder / "book.sqlite"), "--listen",
                   "127.0.0.1:0", "--address-file", str(address_file), "--tls",
                   str(self.folder / "certs"))
        self.await_that("a coordinator that listens", address_file.exists)
        address = address_file.read_text().strip()

        names = ["one", "two", "three"]
        workers = [self.start_worker(address, name) for name in names]
        self.await_that("three workers", lambda: self.workers(address) ==
                        {name: "active" for name in names})
        self.assertEqual(len(self.tokens()), 1)

        # A restart needs no token; a second `up` makes those that are gone and nothing else.
        authority = (self.folder / "certs/ca.pem").read_text()
        self.make_certs()
        self.assertEqual((self.folder / "certs/ca.pem").read_text(), authority)
        self.assertEqual(len(self.tokens()), 4)
        workers[0].terminate()
        workers[0].wait()
        again = self.start_worker(address, "one")
        self.await_that("the first one again", lambda: "event=joined" in self.log_of(again))
        self.assertEqual(len(self.tokens()), 4)

    def test_used_tokens_that_stayed_are_replaced(self):
        """As in Kubernetes: workers read the tokens of a secret and cannot take one away."""
        self.make_certs()
        old = self.tokens()
        address_file = self.folder / "address"
        self.start("joseki-coordinator", "--db", str(self.folder / "book.sqlite"), "--listen",
                   "127.0.0.1:0", "--address-file", str(address_file), "--tls",
                   str(self.folder / "certs"))
        self.await_that("a coordinator that listens", address_file.exists)

        def enrol(name, token):
            return subprocess.run(
                ["joseki-worker", "--coordinator", address_file.read_text().strip(), "--name", name,
                 "--tls", self.folder / name, "--token-file", self.folder / "joins" / token,
                 "--enrol-only"], env=self.environment(), capture_output=True, text=True, check=False)

        for name, token in zip("abc", old):
            done = enrol(name, token)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.tokens(), old)
        self.make_certs()
        self.assertEqual(len(self.tokens()), 4)
        self.assertEqual(set(self.tokens()) & set(old), {old[3]})
        for name, token in zip("defg", self.tokens()):
            done = enrol(name, token)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_worker_without_a_token_says_so(self):
        late = self.start_worker("127.0.0.1:1", "late")
        self.assertEqual(late.wait(), 1)
        self.assertIn("no_token", self.log_of(late))

    def test_tokens_that_have_ended_are_replaced(self):
        self.make_certs()
        old = self.tokens()
        for name in old[:2]:
            os.utime(self.folder / "joins" / name, (0, 0))
        self.make_certs()
        self.assertEqual(len(self.tokens()), 4)
        self.assertEqual(len(set(self.tokens()) & set(old)), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
