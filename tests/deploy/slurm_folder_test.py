#!/usr/bin/env python3
"""The scripts of deploy/slurm use no folder of the node's disk that somebody else could have made, and serve
no book that is none."""

import hashlib
import os
import pathlib
import pwd
import subprocess
import tempfile
import unittest

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
SCRIPTS = ("coordinator.sbatch", "workers.sbatch")


class SlurmFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.own = self.root / "disk" / f"joseki-{pwd.getpwuid(os.geteuid()).pw_name}"
        self.own.parent.mkdir()

    def start(self, script):
        """Starts a script where none of the programs is that it would call next."""
        environment = {"PATH": "/usr/bin:/bin", "JOSEKI_SHARED": str(self.root / "shared"),
                       "JOSEKI_SCRATCH": str(self.root / "disk"), "SLURMD_NODENAME": "node-1",
                       "SLURM_JOB_ID": "7", "JOSEKI_IDLE_SECONDS": "1"}
        (self.root / "shared" / "joins").mkdir(parents=True, exist_ok=True)
        (self.root / "shared" / "joins" / "a.token").touch()
        return subprocess.run(["bash", DEPLOY / "slurm" / script], env=environment, text=True,
                              capture_output=True, timeout=60, check=False)

    def test_a_link_is_refused(self):
        (self.root / "elsewhere").mkdir()
        self.own.symlink_to(self.root / "elsewhere")
        for script in SCRIPTS:
            told = self.start(script)
            self.assertEqual(told.returncode, 1, told)
            self.assertIn("event=folder_not_ours", told.stdout)
        self.assertEqual(list((self.root / "elsewhere").iterdir()), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root gives a folder to another user")
    def test_another_users_folder_is_refused(self):
        self.own.mkdir()
        os.chown(self.own, 65534, 65534)
        for script in SCRIPTS:
            told = self.start(script)
            self.assertEqual(told.returncode, 1, told)
            self.assertIn("event=folder_not_ours", told.stdout)

    def test_no_script_names_a_file_of_tmp(self):
        # Somebody else may have made it, or a link of that name.
        scripts = [DEPLOY.parent / "tests" / "run",
                   *(path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".yaml")]
        self.assertGreater(len(scripts), 5)
        for script in scripts:
            with self.subTest(script.name):
                self.assertNotRegex(script.read_bytes(), rb"[^\w./}-]/tmp/")

    def test_its_own_is_private(self):
        self.own.mkdir(mode=0o755)
        for script in SCRIPTS:
            self.assertNotIn("folder_not_ours", self.start(script).stdout)
            self.assertEqual(self.own.stat().st_mode & 0o777, 0o700)
            self.own.chmod(0o755)


class SlurmBook(unittest.TestCase):
    """Which book the coordinator's job serves, and how it leaves it. Its programs are scripts here."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.shared = self.root / "shared"
        (self.shared / "backups").mkdir(parents=True)
        (self.root / "bin").mkdir()
        user = pwd.getpwuid(os.geteuid()).pw_name
        self.book = self.root / "disk" / f"joseki-{user}" / "node-1" / "book.sqlite"
        self.book.parent.mkdir(parents=True)
        self.log = self.root / "log"
        self.program("make-certs", "exit 0")
        self.program("scontrol", "exit 0")
        # A run of it adds a word to the book, so that the closed one is another than the one it began with.
        self.program("joseki-coordinator", f'echo "serves $(cat {self.book})" >>{self.log}; echo played >>{self.book}')
        self.program("joseki", f'echo "joseki $1 $3" >>{self.log}; cp "$3" "$5"')
        self.program("sync", f'[ -e {self.book} ] || echo "sync $1" >>{self.log}; exec /bin/sync "$@"')

    def program(self, name, text):
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def start(self):
        done = subprocess.run(
            ["bash", DEPLOY / "slurm" / "coordinator.sbatch"], text=True, capture_output=True, timeout=60,
            check=False, env={"PATH": f"{self.root}/bin:/usr/bin:/bin", "JOSEKI_SHARED": str(self.shared),
                              "JOSEKI_SCRATCH": str(self.root / "disk"), "SLURMD_NODENAME": "node-1",
                              "SLURM_JOB_ID": "7"})
        self.assertEqual(done.returncode, 0, done)
        return self.log.read_text().splitlines()

    def test_a_closed_book_is_on_the_disk_before_it_has_its_name(self):
        closed = self.shared / "closed.sqlite"
        closed.write_text("closed")
        (self.shared / "closed.sqlite.sum").write_text(hashlib.sha256(b"closed").hexdigest() + "  -\n")
        self.assertEqual(self.start(), [f"sync {self.book}.tmp", "serves closed"])

    def test_a_book_of_no_bytes_is_not_served(self):
        # As a power loss leaves it where the name was on the disk and the bytes were not.
        self.book.touch()
        (self.shared / "home").write_text(f"node-1:{self.book}\n")
        backup = self.shared / "backups" / "start.sqlite"
        backup.write_text("backup")
        self.assertEqual(self.start(), [f"joseki restore {backup}", "serves backup"])

    def test_the_sum_of_a_closed_book_is_that_of_the_book(self):
        self.book.write_text("own ")
        (self.shared / "home").write_text(f"node-1:{self.book}\n")
        self.assertEqual(self.start(), ["serves own "])
        closed = (self.shared / "closed.sqlite").read_bytes()
        self.assertEqual(closed, self.book.read_bytes())
        self.assertEqual((self.shared / "closed.sqlite.sum").read_text().split()[0],
                         hashlib.sha256(closed).hexdigest())
        self.assertFalse((self.shared / "home").exists())


if __name__ == "__main__":
    unittest.main()
