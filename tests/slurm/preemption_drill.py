#!/usr/bin/env python3
"""A drill, by hand: every 30 s for ten minutes half of the array's tasks are struck, in turn
by SIGKILL of the worker and by a requeue, which is what a pre-emption does. Prints the counts and
fails if a game is lost.

  preemption_drill.py SOURCE BINARIES [--minutes 10] [--every 30] [--tasks 4] [--cores 1] [--nodes 300]
"""
import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from joseki_on_slurm import JosekiOnSlurm
from small_slurm import SmallSlurm, missing


def strike(slurm, joseki, task, how):
    """Whether there was anything to strike."""
    if how == "killed":
        return joseki.kill(joseki.task(task), "joseki-worker") > 0
    if "RUNNING" not in slurm.states(joseki.task(task)).values():
        return False
    slurm.run("scontrol", "requeue", joseki.task(task), check=False)
    return True


def drill(slurm, joseki, options):
    chance = random.Random(options.seed)
    joseki.make_book()
    begin = time.monotonic()
    joseki.submit_coordinator()
    joseki.submit_workers()
    joseki.create_run(games=10_000_000, nodes=options.nodes)
    slurm.await_that("a game", joseki.games_done)
    print(f"first accepted game {time.monotonic() - begin:.1f} s after sbatch", flush=True)
    begin = time.monotonic()
    struck = {}
    ways = ["killed", "requeued"]
    for turn in range(int(options.minutes * 60 / options.every)):
        time.sleep(max(0, begin + (turn + 1) * options.every - time.monotonic()))
        how = ways[turn % len(ways)]
        # Half of the tasks at once.
        tasks = chance.sample(range(options.tasks), max(1, options.tasks // 2))
        hit = sum(strike(slurm, joseki, task, how) for task in tasks)
        struck[how] = struck.get(how, 0) + hit
        print(f"{time.monotonic() - begin:6.1f} s  {hit} {how:8}  {joseki.games_done():7d} games",
              flush=True)
    slurm.await_that("tasks that are back", lambda: joseki.games_done() > 0)
    slurm.run("scancel", joseki.workers)
    slurm.await_that("workers that have drained", lambda: not slurm.states(joseki.workers))
    status = joseki.run_status()
    slurm.run("scancel", joseki.coordinator)
    slurm.await_that("a closed book", lambda: not slurm.states(joseki.coordinator)
                     and (joseki.shared / "closed.sqlite").exists())
    counts = joseki.count(joseki.shared / "closed.sqlite")
    counts["lives"] = joseki.log_of_workers().count("event=started worker=")
    counts["faults"] = status.get("faults", -1)
    counts["poisoned"] = status.get("poisoned_lines", -1)
    print(" ".join(f"{how.replace(' ', '_')}={number}" for how, number in struck.items()),
          " ".join(f"{name}={number}" for name, number in counts.items()))
    good = (counts["lost"] == counts["twice"] == counts["refused"] == counts["mismatches"] == 0
            and counts["acknowledged"] > 0 and sum(struck.values()) > 0)
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("binaries")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=30)
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    folder = Path(tempfile.mkdtemp(prefix="joseki-drill-"))
    (folder / "slurm").mkdir()
    try:
        slurm = SmallSlurm(folder / "slurm")
        try:
            joseki = JosekiOnSlurm(slurm, options.source, options.binaries, folder,
                                   tasks=options.tasks, cores=options.cores,
                                   JOSEKI_BACKUP_SECONDS="60")
            return drill(slurm, joseki, options)
        finally:
            slurm.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
