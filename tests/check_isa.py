#!/usr/bin/env python3
"""Checks that a program keeps to x86-64-v2 outside the code that is chosen at run time.

  tests/check_isa.py PROGRAM...     prints each function that should not be as it is; exit status 1 if any

Disassembles each program: an instruction in the VEX or EVEX encoding (AVX and later), or one of BMI2's,
may stand only in a function of a namespace `avx2`. So an inline function that several files share, of
which the linker kept the copy compiled for AVX2, is found. Also fails if a program has no such function
at all: then nothing would be chosen.
"""

import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+(?:data16 |cs |rex\S* )*([a-z0-9]+)(?:\s|$)")
WIDE = re.compile(r"^(v(?!err|erw|mcall|mlaunch|mresume|mxoff)[a-z0-9]+|k(?:mov|and|or|xor|not|test)\w*|"
                  r"pdep|pext|bzhi|mulx|rorx|sarx|shlx|shrx|andn|bls[ir]|blsmsk|bextr)$")


def functions_with_wide_instructions(program):
    listing = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", program],
                             capture_output=True, text=True, check=True).stdout
    wide, function = {}, "?"
    for line in listing.splitlines():
        named = FUNCTION.match(line)
        if named:
            function = named.group(1)
            continue
        instruction = INSTRUCTION.match(line)
        if instruction and WIDE.match(instruction.group(1)):
            wide.setdefault(function, line.strip())
    return wide


def main(programs):
    faults = 0
    for program in programs:
        wide = functions_with_wide_instructions(program)
        apart = [name for name in wide if "::avx2::" in name]
        for name, line in sorted(wide.items()):
            if name not in apart:
                print(f"{program}: {name}: {line}")
                faults += 1
        if not apart:
            print(f"{program}: no function for AVX2")
            faults += 1
        print(f"{program}: {len(apart)} functions for AVX2, {len(wide) - len(apart)} where none belongs")
    return 1 if faults or not programs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
