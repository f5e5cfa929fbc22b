#!/usr/bin/env python3
"""Reads the shipped sources for what compilers do not warn of: clang-tidy, clang's analyzer, and
using-declarations that nothing uses. Exit status 1, and each finding, if there is one.

  lint.py BUILD   a build folder of the lint preset whose generated sources are there

Sources are read as they are compiled, several at once: a header is read once for all of them, in a
third of the time. clang-tidy analyzes no path in an included source, so the analyzer runs by itself.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ["base", "engine", "book", "proto", "coordinator", "worker", "cli"]
# The analyzer gives up on a function after so many nodes.
ANALYZER = ["--analyze", "--analyzer-output", "text", "-Xclang", "-analyzer-config", "-Xclang",
            "max-nodes=50000", "-Xclang", "-analyzer-checker=core,cplusplus"]


def shipped(build):
    """Each shipped source's compile command once, though two programs may share it."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(build):
            ours = "Unity" in path.parts and path.relative_to(build).parts[0] in ROOMS
        else:
            ours = path.relative_to(ROOT).parts[0] in ROOMS
        if ours:
            commands[entry["file"]] = entry
    return list(commands.values())


def tidy(build, commands, jobs):
    folder = build / "once"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    done = subprocess.run(["run-clang-tidy", "-quiet", "-j", str(jobs), "-p", folder],
                          capture_output=True, text=True, check=False)
    told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    (build / "tidy.log").write_text(told)
    lines = told.splitlines()
    found = ["\n".join(lines[i:i + 4]) for i, line in enumerate(lines)
             if re.search(r": (error|warning): ", line)]
    if done.returncode != 0 and not found:
        found = [told[-4000:] + done.stderr[-4000:]]
    return found


def analyze(entry):
    words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
    at = words.index("-o")
    words[at:at + 2] = ANALYZER
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
    told = done.stdout + done.stderr
    return [told] if done.returncode != 0 or ": warning: " in told else []


def unused():
    """Using-declarations at the top of a source, which clang-tidy sees in its main file alone."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.cc")):
            text = path.read_text()
            for declared in re.finditer(r"^using (?:::)?[\w:]+::(\w+);", text, re.MULTILINE):
                if len(re.findall(rf"\b{declared[1]}\b", text)) == 1:
                    line = text.count("\n", 0, declared.start()) + 1
                    yield f"{path.relative_to(ROOT)}:{line}: nothing uses {declared[1]}"


def main():
    build = Path(sys.argv[1]).resolve()
    jobs = os.cpu_count()
    commands = shipped(build)
    found = list(unused()) + tidy(build, commands, jobs)
    with ThreadPoolExecutor(jobs) as pool:
        for told in pool.map(analyze, commands):
            found += told
    print("\n".join(found) if found else f"lint: {len(commands)} files read, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
