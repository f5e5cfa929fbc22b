#!/usr/bin/env python3
"""The scripts of deploy/slurm use no folder of the node's disk that somebody else could have made."""

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


if __name__ == "__main__":
    unittest.main()
