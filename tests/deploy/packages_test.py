#!/usr/bin/env python3
"""The packages for Debian and the static programs: what is in them, and that they work.

  packages_test.py SOURCE BINARIES
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])
BINARIES = Path(sys.argv[2])
NAMES = ["joseki", "joseki-coordinator", "joseki-engine", "joseki-worker"]


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True,
                          check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def usi(engine):
    """What an engine says to a board that asks for a move."""
    with subprocess.Popen([str(engine)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as child:
        child.stdin.write("usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 500\n")
        child.stdin.flush()
        told = ""
        for line in child.stdout:
            told += line
            if line.startswith("bestmove"):
                child.stdin.write("quit\n")
                child.stdin.flush()
        return told


def games(path):
    path.write_text("".join(f"startpos moves {moves}\n" for moves in (
        "7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e")))
    return path


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="joseki-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("cpack", "-G", "DEB", "-B", cls.folder / "made", "--config",
            BINARIES / "CPackConfig.cmake", cwd=BINARIES)
        cls.files = {}
        for file in (cls.folder / "made").glob("*.deb"):
            cls.files[run("dpkg-deb", "-f", file, "Package").strip()] = file
        cls.root = cls.folder / "root"
        for file in cls.files.values():
            run("dpkg-deb", "-x", file, cls.root)

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.files[package], name).strip()

    def test_there_is_one_for_each_program(self):
        self.assertEqual(sorted(self.files), NAMES)
        for package, file in self.files.items():
            self.assertEqual(self.field(package, "Architecture"), "amd64")
            self.assertRegex(file.name, rf"^{package}_[0-9.]+(-1)?_amd64\.deb$")

    def test_what_they_need(self):
        needs = {name: self.field(name, "Depends") for name in NAMES}
        self.assertIn("libgrpc++1.51", needs["joseki-coordinator"])
        self.assertIn("adduser", needs["joseki-coordinator"])
        self.assertIn("adduser", needs["joseki-worker"])
        self.assertIn("libsqlite3-0", needs["joseki"])
        # An engine for a board brings no cluster with it.
        self.assertNotIn("grpc", needs["joseki-engine"])
        self.assertIn("joseki-worker", self.field("joseki", "Recommends"))

    def test_what_is_in_them(self):
        expected = {
            "joseki": ["./usr/bin/joseki", "./usr/share/man/man1/joseki.1.gz",
                       "./usr/share/bash-completion/completions/joseki",
                       "./usr/share/joseki/samples/tacos.csa",
                       "./usr/share/joseki/slurm/workers.sbatch", "./usr/share/joseki/slurm/run-worker"],
            "joseki-coordinator": ["./usr/bin/joseki-coordinator", "./etc/joseki/coordinator.toml",
                                   "./usr/lib/systemd/system/joseki-coordinator.service"],
            "joseki-worker": ["./usr/bin/joseki-worker", "./etc/joseki/worker.toml",
                              "./usr/lib/systemd/system/joseki-worker.service"],
            "joseki-engine": ["./usr/games/joseki-engine", "./usr/share/man/man6/joseki-engine.6.gz",
                              "./usr/share/games/plugins/usi/joseki-engine.eng"],
        }
        seen = {}
        for package, file in self.files.items():
            entries = [line.split(None, 5) for line in run("dpkg-deb", "-c", file).splitlines()]
            paths = [entry[5] for entry in entries]
            for path in expected[package] + [f"./usr/share/doc/{package}/copyright",
                                             f"./usr/share/doc/{package}/changelog.gz"]:
                self.assertIn(path, paths, package)
            for mode, owner, _, _, _, path in entries:
                self.assertEqual(owner, "root/root", path)
                self.assertNotEqual(mode[8], "w", path)
                if mode[0] != "d":
                    self.assertNotIn(path, seen, f"{package} and {seen.get(path)}")
                    seen[path] = package

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_error(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error",
                               *map(str, self.files.values())], text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_scripts_make_the_user_and_may_run_again(self):
        for name in ("coordinator", "worker"):
            scripts = self.folder / f"scripts-{name}"
            run("dpkg-deb", "-e", self.files[f"joseki-{name}"], scripts)
            tools = self.folder / f"tools-{name}"
            tools.mkdir()
            log = self.folder / f"log-{name}"
            for tool in ("adduser", "systemctl", "install"):
                (tools / tool).write_text(f'#!/bin/sh\necho {tool} "$@" >>{log}\n')
                (tools / tool).chmod(0o755)
            environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
            for call in (("postinst", "configure"), ("postinst", "configure", "0.0.9"),
                         ("prerm", "remove"), ("postrm", "remove"), ("postrm", "purge")):
                run("sh", "-eu", scripts / call[0], *call[1:], "", env=environment)
            told = log.read_text()
            self.assertEqual(told.count("adduser --system --group"), 2, told)
            state = {"coordinator": "joseki", "worker": "joseki-worker"}[name]
            self.assertEqual(
                told.count(f"install -d -o joseki -g joseki -m 700 /var/lib/{state}\n"), 2, told)
            unit = (self.root / f"usr/lib/systemd/system/joseki-{name}.service").read_text()
            self.assertIn(f"StateDirectory={state}\n", unit)
            self.assertNotIn("rm ", (scripts / "postrm").read_text())

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_services_are_sound_and_hardened(self):
        units = self.folder / "units"
        units.mkdir()
        for name, most in (("coordinator", 2.0), ("worker", 3.0)):
            text = (self.root / f"usr/lib/systemd/system/joseki-{name}.service").read_text()
            self.assertIn("User=joseki\n", text)
            self.assertIn("NoNewPrivileges=yes", text)
            # Verified where its program is.
            unit = units / f"joseki-{name}.service"
            unit.write_text(text.replace("ExecStart=/usr", f"ExecStart={self.root}/usr")
                            .replace("Documentation=man:", "Documentation=https://man/"))
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], text=True,
                                  capture_output=True, check=False)
            complaints = [line for line in (done.stdout + done.stderr).splitlines()
                          if f"joseki-{name}" in line]
            self.assertEqual(complaints, [])
            told = run("systemd-analyze", "security", "--offline=true",
                       f"--threshold={int(most * 10)}", unit)
            exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", told).group(1))
            self.assertLessEqual(exposure, most, told)

    def test_the_programs_run_where_they_were_put(self):
        binaries = self.root / "usr/bin"
        for name in ("joseki", "joseki-coordinator", "joseki-worker"):
            self.assertRegex(run(binaries / name, "--version"), rf"^{name} \d")
        engine = self.root / "usr/games/joseki-engine"
        self.assertRegex(usi(engine), r"(?s)id name.*usiok.*readyok.*bestmove \S+")
        # A board finds it by this file: the command is its second line.
        plugin = (self.root / "usr/share/games/plugins/usi/joseki-engine.eng").read_text().split("\n")
        self.assertEqual(plugin[:3], ["plugin spec 0.0", "/usr/games/joseki-engine", "shogi"])
        # The settings are those that the programs know.
        for name, program in (("coordinator", "joseki-coordinator"), ("worker", "joseki-worker")):
            done = subprocess.run([str(binaries / program), "--settings",
                                   str(self.root / f"etc/joseki/{name}.toml"), "--version"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        book = self.folder / "book.sqlite"
        run(binaries / "joseki", "import", "--book", book, games(self.folder / "games.usi"))
        told = run(binaries / "joseki", "tune", "--book", book, "--games", 4, "--no-search", "--workers", 1,
                   "--nodes", 30, "--proof", 0, "--json")
        self.assertEqual(json.loads(told)["games"], 4)

    def test_manuals_have_every_command(self):
        page = run("gzip", "-dc", self.root / "usr/share/man/man1/joseki.1.gz")
        self.assertTrue(page.startswith(".TH JOSEKI 1"))
        for command in ("JOSEKI IMPORT", "JOSEKI TUNE", "JOSEKI ARCHIVE", "JOSEKI DOCTOR"):
            self.assertIn(f"\n.SH {command}\n", page)
        self.assertIn("\n.SS joseki run create\n", page)


@unittest.skipUnless((BINARIES / "static/joseki-worker").exists(), "no static programs in this build")
class Static(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-static-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.children = []
        self.addCleanup(self.stop)

    def stop(self):
        for child in self.children:
            child.kill()
            child.wait()

    def test_they_need_nothing(self):
        for name in ("joseki-worker", "joseki-engine"):
            told = subprocess.run(["ldd", str(BINARIES / "static" / name)], text=True,
                                  capture_output=True, check=False)
            self.assertIn("not a dynamic executable", told.stdout + told.stderr)
        self.assertRegex(usi(BINARIES / "static/joseki-engine"), r"bestmove \S+")
        # One engine, however it was linked.
        signatures = {json.loads(run(folder / "joseki-engine", "bench", "--json"))["signature"]
                      for folder in (BINARIES, BINARIES / "static")}
        self.assertEqual(len(signatures), 1)

    def play(self, host, listen):
        """A static worker in an empty root plays a run of a coordinator that it knows as `host`."""
        book = self.folder / "book.sqlite"
        run(BINARIES / "joseki", "import", "--book", book, games(self.folder / "games.usi"))
        address = self.folder / "address"
        log = open(self.folder / "coordinator.log", "w+")
        self.children.append(subprocess.Popen(
            [str(BINARIES / "joseki-coordinator"), "--db", str(book), "--listen", listen,
             "--address-file", str(address)], stderr=log))
        while not address.exists():
            self.assertIsNone(self.children[-1].poll(), (self.folder / "coordinator.log").read_text())
            os.sched_yield()
        port = address.read_text().strip().rpartition(":")[2]
        run(BINARIES / "joseki", "run", "create", "--coordinator", f"127.0.0.1:{port}", "--games", 3, "--no-search",
            "--nodes", 30)
        command = ["/joseki-worker", "--coordinator", f"{host}:{port}", "--slots", "1", "--spool",
                   "/spool", "--name", "bare", "--exit-when-idle", "10"]
        root = self.folder / "bare"
        (root / "etc").mkdir(parents=True)
        shutil.copy(BINARIES / "static/joseki-worker", root)
        (root / "etc/hosts").write_text("127.0.0.1 localhost the-coordinator\n")
        (root / "etc/resolv.conf").write_text("nameserver 127.0.0.1\n")
        run("chroot", root, *command)
        status = json.loads(run(BINARIES / "joseki", "status", "--coordinator",
                                f"127.0.0.1:{port}", "--json"))
        self.assertEqual(status["runs"][0]["games_done"], 3)

    @unittest.skipUnless(os.geteuid() == 0, "only root may change the root folder")
    def test_plays_for_an_address(self):
        self.play("127.0.0.1", "127.0.0.1:0")

    @unittest.skipUnless(os.geteuid() == 0, "only root may change the root folder")
    def test_plays_for_a_name(self):
        self.play("the-coordinator", "127.0.0.1:0")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
