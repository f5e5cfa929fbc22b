"""Joseki on a Slurm (small_slurm.py) by the scripts of deploy/slurm, and what became of its games."""
import json
import os
import re
import signal
import sqlite3
import subprocess
from pathlib import Path

# Line of a worker's log: the coordinator has taken a game.
ANSWERED = re.compile(r"event=game_answered run=\d+ lease=(\d+) slot=(\d+) "
                      r"verdict=(?:accepted|duplicate|stale_accepted)")
BAD = re.compile(r"verdict=(?:conflict|rejected)|event=game_refused")


class JosekiOnSlurm:
    def __init__(self, slurm, source, binaries, folder, tasks, cores, **variables):
        self.slurm = slurm
        self.source = Path(source)
        self.folder = Path(folder)
        self.shared = self.folder / "shared"
        self.certs = self.shared / "certs"
        self.binaries = Path(binaries)
        self.tasks = tasks
        self.cores = cores
        self.variables = {
            "PATH": f"{binaries}:{self.source}/deploy/compose:{os.environ['PATH']}:/usr/sbin",
            "JOSEKI_SHARED": str(self.shared), "JOSEKI_SCRATCH": str(self.folder / "disk"),
            "JOSEKI_TICK_SECONDS": "1", "JOSEKI_BACKUP_SECONDS": "15",
            "JOSEKI_WORKER_OPTIONS": "--log-level debug",
            "JOSEKI_COORDINATOR_OPTIONS": "--lease-seconds 5 --beat-seconds 1", **variables}
        self.coordinator = self.workers = None

    def joseki(self, *arguments, role="reader", check=True):
        remote = arguments[0] in ("status", "run", "workers")
        if remote:
            try:
                address = (self.shared / "address").read_text().strip()
            except FileNotFoundError:
                return {}
            arguments += ("--coordinator", address, "--tls", f"{self.certs}/{role}s/{role}-1")
        done = subprocess.run([self.binaries / "joseki", *map(str, arguments), "--json"], text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            if check:
                raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
            return {}
        return json.loads(done.stdout)

    def make_book(self):
        (self.shared / "backups").mkdir(parents=True)
        book = self.folder / "start.sqlite"
        self.joseki("import", "--book", book, self.source / "deploy/samples")
        self.joseki("backup", "--book", book, "--out", self.shared / "backups/start.sqlite")

    def submit_coordinator(self):
        self.coordinator = self.slurm.submit(
            "--mem=500M", f"--output={self.folder}/coordinator.log",
            str(self.source / "deploy/slurm/coordinator.sbatch"), **self.variables)

    def submit_workers(self):
        self.workers = self.slurm.submit(
            f"--array=0-{self.tasks - 1}", f"--cpus-per-task={self.cores}", "--mem-per-cpu=100M",
            f"--output={self.folder}/worker-%a.log",
            str(self.source / "deploy/slurm/workers.sbatch"), **self.variables)

    def create_run(self, games, nodes):
        def created():
            return self.joseki("run", "create", "--no-search", "--games", games, "--nodes", nodes,
                               role="operator", check=False)
        self.slurm.await_that("a coordinator that takes a run", created)

    def run_status(self):
        """Of the one run; empty while there is no coordinator."""
        runs = self.joseki("status", check=False).get("runs", [])
        return runs[0] if runs else {}

    def games_done(self):
        return self.run_status().get("games_done", 0)

    def task(self, number):
        return f"{self.workers}_{number}"

    def kill(self, job, program):
        """SIGKILL to the program of a job; how many processes that were."""
        killed = 0
        for process in self.slurm.processes(job, program):
            try:
                os.kill(process, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        return killed

    def log_of_workers(self):
        return "".join(path.read_text(errors="replace")
                       for path in sorted(self.folder.glob("worker-*.log")))

    def count(self, book):
        """What the workers' logs and a closed book say."""
        log = self.log_of_workers()
        answered = {(int(lease), int(slot)) for lease, slot in ANSWERED.findall(log)}
        with sqlite3.connect(f"file:{book}?mode=ro", uri=True) as database:
            keys = database.execute("SELECT lease, slot FROM games").fetchall()
            checks = database.execute("SELECT lease, slot FROM checks WHERE state <> 0").fetchall()
        audit = self.joseki("audit", "--book", book)
        return {"acknowledged": len(answered), "stored": len(keys), "stored_checks": len(checks),
                "lost": len(answered - set(keys) - set(checks)),
                "twice": len(keys) - len(set(keys)), "refused": len(BAD.findall(log)),
                "audited": audit["games"], "mismatches": audit["mismatches"]}

    def logs(self):
        return "".join(f"--- {path.name}\n" + "".join(
            line + "\n" for line in path.read_text(errors="replace").splitlines()
            if "level=debug" not in line)[-4000:] for path in sorted(self.folder.glob("*.log")))
