#!/usr/bin/env python3
"""deploy/slurm on a Slurm of two nodes: from sbatch to the first accepted game; then a worker is
killed, another requeued, the coordinator killed, and moved to the other node. No game may be lost.

  slurm_test.py SOURCE BINARIES        exit status 77 with the reason where there can be no Slurm
"""
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from joseki_on_slurm import JosekiOnSlurm
from small_slurm import SmallSlurm, missing


def check(what, condition):
    if not condition:
        raise AssertionError(what)


def scenario(slurm, joseki):
    def moment(event):
        joseki.slurm.await_that(event, lambda: joseki.games_done() > moment.games + 10)
        moment.games = joseki.games_done()
        print(f"{time.monotonic() - begin:5.1f} s  {moment.games:5d} games  {event}", flush=True)
    moment.games = 0

    joseki.make_book()
    begin = time.monotonic()
    joseki.submit_coordinator()
    joseki.submit_workers()
    joseki.create_run(games=100_000, nodes=100)
    slurm.await_that("a game", joseki.games_done)
    print(f"first accepted game {time.monotonic() - begin:.1f} s after sbatch", flush=True)
    moment("both go on")

    check("a worker to kill", joseki.kill(joseki.task(0), "joseki-worker") == 1)
    slurm.run("scontrol", "requeue", joseki.task(1))
    slurm.await_that("both again", lambda: all(
        joseki.slurm.processes(joseki.task(task), "joseki-worker") for task in range(2)))
    moment("one worker was killed, one requeued")

    check("a coordinator to kill", joseki.kill(joseki.coordinator, "joseki-coordinat") == 1)
    moment("the coordinator was killed")

    # A worker must go while the coordinator does not answer; its games wait for its next life.
    silent = slurm.processes(joseki.coordinator, "joseki-coordinat")[0]
    os.kill(silent, signal.SIGSTOP)
    slurm.run("scontrol", "requeue", joseki.task(0))
    slurm.await_that("a spool in the shared folder", lambda: "unsent=/" in joseki.log_of_workers())
    os.kill(silent, signal.SIGCONT)
    slurm.await_that("both again", lambda: all(
        slurm.processes(joseki.task(task), "joseki-worker") for task in range(2)))
    moment("a worker went while the coordinator was silent")
    check("its games were sent", re.search(r"event=started .* spooled=[1-9]", joseki.log_of_workers()))

    # Signals as before a time limit, while the node is taken away.
    node = (joseki.shared / "home").read_text().split(":")[0]
    slurm.run("scontrol", "update", f"NodeName={node}", "State=DRAIN", "Reason=test")
    slurm.run("scancel", "--signal=USR1", "--batch", joseki.coordinator)
    slurm.await_that("it elsewhere", lambda: (joseki.shared / "home").exists()
                     and (joseki.shared / "home").read_text().split(":")[0] != node)
    check("the book as it was closed", "event=taken_over" in (joseki.folder / "coordinator.log").read_text())
    slurm.run("scontrol", "update", f"NodeName={node}", "State=RESUME")
    moment("the coordinator went to the other node")

    slurm.run("scancel", joseki.workers)
    slurm.await_that("workers that have drained", lambda: not slurm.states(joseki.workers))
    slurm.run("scancel", joseki.coordinator)
    slurm.await_that("a closed book", lambda: not slurm.states(joseki.coordinator)
                     and (joseki.shared / "closed.sqlite").exists())
    check("backups were made", list((joseki.shared / "backups").glob("book-*.sqlite")))
    counts = joseki.count(joseki.shared / "closed.sqlite")
    print(" ".join(f"{name}={number}" for name, number in counts.items()))
    check("games to speak of", counts["acknowledged"] > 50)
    check("what was acknowledged is stored, once",
          counts["lost"] == counts["twice"] == counts["refused"] == counts["mismatches"] == 0)
    check("the audit has seen all", counts["audited"] >= counts["stored"])


def main():
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    folder = Path(tempfile.mkdtemp(prefix="joseki-slurm-"))
    (folder / "slurm").mkdir()
    try:
        slurm = SmallSlurm(folder / "slurm")
        try:
            joseki = JosekiOnSlurm(slurm, sys.argv[1], sys.argv[2], folder, tasks=2, cores=3,
                                   JOSEKI_DRAIN_SECONDS="2")
            try:
                scenario(slurm, joseki)
            except BaseException:
                print(joseki.logs(), slurm.logs(), slurm.run("squeue", check=False))
                raise
        finally:
            slurm.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
