#!/usr/bin/env python3
"""What being watched costs a coordinator, by hand: joseki loadgen gives it a million book moves, a
thousand workers and 500 games a second; in turn nobody looks, Prometheus' page is read, and `joseki
status --watch` looks, each for half a minute. Prints the processor time of a look, by medians.

  scrape_cost.py BINARIES FOLDER [--rounds 6] [--seconds 30] [--per-second 5] [LOADGEN OPTION...]
"""
import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


def used(pid):
    """Seconds of processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--per-second", type=float, default=5)
    options, more = parser.parse_known_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.rmtree(options.folder, ignore_errors=True)
    load = {"--lines": "48000", "--variants": "1", "--workers": "1000", "--slots": "1000",
            "--rate": "500"}
    loadgen = subprocess.Popen(
        [str(options.binaries / "joseki"), "loadgen", "--folder", str(options.folder), "--no-check",
         "--seconds", "7200", "--program-argument=--metrics",
         f"--program-argument=127.0.0.1:{port}",
         *(word for pair in load.items() if pair[0] not in more for word in pair), *more],
        stdout=subprocess.DEVNULL)
    page = f"http://127.0.0.1:{port}/metrics"

    def gauge(name):
        with urllib.request.urlopen(page) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name):
                    return float(line.split()[-1])
        return 0.0

    def until(end, look):
        looks = 0
        begin = time.monotonic()
        while time.monotonic() < end:
            look()
            looks += 1
            time.sleep(max(0, begin + looks / options.per_second - time.monotonic()))
        return looks

    def nobody(end):
        time.sleep(max(0, end - time.monotonic()))
        return 0

    def metrics(end):
        return until(end, lambda: urllib.request.urlopen(page).read())

    def status(end):
        reader = next(options.folder.glob("trust/operators/*"))
        watch = subprocess.Popen(
            [str(options.binaries / "joseki"), "status", "--coordinator",
             (options.folder / "address").read_text().strip(), "--tls", str(reader), "--watch",
             "--json", "--interval", str(max(0.2, 1 / options.per_second))], stdout=subprocess.PIPE, text=True)
        looks = 0
        try:
            while time.monotonic() < end and watch.stdout.readline():
                looks += 1
        finally:
            watch.kill()
            watch.wait()
        return looks

    try:
        while True:
            assert loadgen.poll() is None, "joseki loadgen has ended"
            try:
                if gauge("joseki_slots_busy") >= 900:
                    break
            except OSError:
                pass
            time.sleep(1)
        time.sleep(10)
        pid = int(subprocess.run(["pgrep", "-P", str(loadgen.pid)], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout)
        shares = {watcher: [] for watcher in (nobody, metrics, status)}
        costs = {watcher: [] for watcher in (metrics, status)}
        for _ in range(options.rounds):
            for watcher, share in shares.items():
                begin, before = time.monotonic(), used(pid)
                looks = watcher(begin + options.seconds)
                seconds = time.monotonic() - begin
                share.append((used(pid) - before) / seconds)
                if looks:
                    costs[watcher].append((share[-1] - shares[nobody][-1]) * seconds / looks)
        print(f"games a second {gauge('joseki_run_games_per_second'):.0f}, "
              f"slots held {gauge('joseki_slots_busy'):.0f}")
        for watcher, share in shares.items():
            told = f"{watcher.__name__:8} {100 * statistics.median(share):6.2f} % of a core"
            if watcher is not nobody:
                cost = statistics.median(costs[watcher])
                told += (f", {1000 * cost:.2f} ms a look ({100 * cost:.2f} % of a core once a "
                         f"second); each round " +
                         " ".join(f"{1000 * one:.2f}" for one in costs[watcher]))
            print(told)
    finally:
        loadgen.terminate()
        loadgen.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
