"""A coordinator with TLS and page, and honest workers, as real processes in a folder of their own."""
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import attacks

HERE = Path(__file__).parent
SOURCE = HERE.parent.parent


class Log(threading.Thread):
    """Reads what a child says, so that it never waits for us."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.lines, self.changed = stream, [], threading.Condition()
        self.start()

    def run(self):
        for line in self.stream:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def wait(self, pattern, seconds):
        """The match of the first line that has it; None."""
        end, at = time.monotonic() + seconds, 0
        with self.changed:
            while True:
                for line in self.lines[at:]:
                    if match := re.search(pattern, line):
                        return match
                at = len(self.lines)
                if not self.changed.wait(end - time.monotonic()) and time.monotonic() >= end:
                    return None


class Cluster:
    def __init__(self, binaries, descriptors=4096, games=(), workers=2, nodes=300, tls=True):
        self.binaries = Path(binaries).resolve()
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-hostile-"))
        self.children, self.newcomers = [], 0
        self.certs = self.folder / "certs"
        self.client, self.secured = [], []
        try:
            self.begin(descriptors, games or [SOURCE / "deploy/samples"], workers, nodes, tls)
        except BaseException:
            self.close()
            raise

    def begin(self, descriptors, games, workers, nodes, tls):
        book = self.folder / "book.sqlite"
        self.joseki("import", "--book", book, *games)
        if tls:
            self.joseki("certs", "init", self.certs)
            self.secured = ["--tls", str(self.certs)]
        child = self.spawn(
            "joseki-coordinator", "--db", book, "--listen", "127.0.0.1:0", "--page", "127.0.0.1:0",
            "--metrics", "127.0.0.1:0", *self.secured,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE,
                                                  (min(1024, descriptors), descriptors)))
        self.coordinator, self.log = child, Log(child.stderr)
        told = self.log.wait(r"event=listening address=(\S+) .*metrics=(\S+)", 60)
        page = self.log.wait(r"event=page address=http://([^/]+)/", 60)
        if not told or not page:
            raise RuntimeError("the coordinator does not listen: " + "".join(self.log.lines))
        self.address, self.metrics_at, self.page = told[1], told[2], page[1]
        self.client = ["--coordinator", self.address]
        self.joseki("run", "create", *self.client, *self.identity("operator"), "--no-search", "--games", 10_000_000,
                    "--nodes", nodes)
        self.target = attacks.Target(
            grpc=attacks.address(self.address), page=attacks.address(self.page),
            tls=str(self.certs) if tls else "",
            reader=str(self.certs / "readers/reader-1") if tls else "",
            worker=str(self.certs / "workers/worker-1") if tls else "")
        for _ in range(workers):
            if not self.join(60):
                raise RuntimeError("a worker does not join")

    def identity(self, role):
        return ["--tls", str(self.certs / f"{role}s/{role}-1")] if self.secured else []

    def spawn(self, program, *arguments, **options):
        child = subprocess.Popen([str(self.binaries / program), *map(str, arguments)],
                                 stderr=subprocess.PIPE, text=True, cwd=self.folder, **options)
        self.children.append(child)
        return child

    def joseki(self, *arguments, check=True):
        return subprocess.run([str(self.binaries / "joseki"), *map(str, arguments)], text=True,
                              capture_output=True, check=check, cwd=self.folder)

    def start_worker(self):
        self.newcomers += 1
        name = f"w{self.newcomers}"
        identity = []
        if self.secured:
            self.joseki("certs", "worker", name, "--dir", self.certs)
            identity = ["--tls", self.certs / "workers" / name]
        child = self.spawn("joseki-worker", *self.client, *identity, "--name", name, "--slots", 1)
        return child, Log(child.stderr)

    def join(self, patience):
        """Starts a worker, which stays; the seconds until it has joined, None."""
        began = time.monotonic()
        _, log = self.start_worker()
        return time.monotonic() - began if log.wait(r"\bjoined session=", patience) else None

    def joins(self, patience):
        """The seconds until a new worker has joined, None; it is ended again."""
        began = time.monotonic()
        child, log = self.start_worker()
        joined = log.wait(r"\bjoined session=", patience)
        seconds = time.monotonic() - began
        self.end(child)
        return seconds if joined else None

    def metrics(self):
        with urllib.request.urlopen(f"http://{self.metrics_at}/metrics", timeout=10) as answer:
            return dict(re.findall(r"^([^#\s]\S*) (\S+)$", answer.read().decode(), re.MULTILINE))

    def games(self):
        return float(self.metrics()['joseki_run_games{run="1"}'])

    def resident_mb(self):
        status = Path(f"/proc/{self.coordinator.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def page_seconds(self, patience=10):
        """How long the page takes to tell the status; None."""
        began = time.monotonic()
        try:
            with urllib.request.urlopen(f"http://{self.page}/api/status", timeout=patience) as told:
                json.load(told)
        except OSError:
            return None
        return time.monotonic() - began

    def healthy(self, patience=5):
        arguments = ["--health-check", self.address]
        if self.secured:
            arguments += ["--tls-ca", self.certs / "ca.pem"]
        done = subprocess.run([str(self.binaries / "joseki-coordinator"), *map(str, arguments)],
                              capture_output=True, check=False, timeout=patience + 30)
        return done.returncode == 0

    def attack(self, name):
        """A process that does it until it is ended. It has a twentieth of the processor at most where the
        others want all of it: how far an attacker gets on his own machine is not measured by taking ours."""
        target = self.target
        arguments = ["--grpc", self.address, "--page", self.page]
        for option, value in (("--tls", target.tls), ("--reader", target.reader),
                              ("--worker", target.worker)):
            if value:
                arguments += [option, value]
        child = subprocess.Popen(["nice", "-n", "10", sys.executable, "-B", str(HERE / "attacks.py"),
                                  name, *arguments], stderr=subprocess.PIPE, text=True)
        self.children.append(child)
        return child

    @staticmethod
    def end(child):
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        return child.returncode

    def close(self):
        for child in reversed(self.children):
            child.kill()
            child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
