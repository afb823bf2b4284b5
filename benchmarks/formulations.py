#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which formulation and which method does which mechanism, at which cost: a table in Markdown.

    benchmarks/formulations.py models/mechanisms.mo models/linkages.mo [Model ...]

ALEMBERT names another program than the launcher. Every model that states an experiment is run by
every way. A cell has steps, the largest distance of the last row from that of the first way (in
units of the largest value there), and milliseconds of processor time of the whole program; or the
code of the message that it ended with.
"""
import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

program = os.environ.get("ALEMBERT", Path(__file__).resolve().parent.parent / "alembert")
ways = {
    "dynamic": ["--formulation", "dynamic"],
    "dummy": ["--formulation", "dummy"],
    "projection": ["--formulation", "projection"],
    "baumgarte": ["--formulation", "baumgarte"],
    "ggl": ["--formulation", "ggl"],
    "taylor": ["--method", "taylor"],
    "rattle4": ["--method", "rattle4", "--step", "0.001"],
}


def models_of(file):
    """Names of the models with an experiment, in the order of the file."""
    text = Path(file).read_text()
    package = re.search(r"^package (\w+)", text, re.M).group(1)
    names = []
    for match in re.finditer(r"^  model (\w+).*?^  end \1;", text, re.M | re.S):
        if "experiment(" in match.group(0):
            names.append(f"{package}.{match.group(1)}")
    return names


def last_row(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: float(value) for name, value in zip(rows[0], rows[-1])}


def run(file, model, arguments, output):
    """The report of a run and its last row; or the code of its message."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "simulate", file, "--model", model, "--json", "--output", output]
    try:
        done = subprocess.run(command + arguments, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "no end in 120 s", None
    if done.returncode != 0:
        code = re.search(r"error\[(\w+)\]", done.stderr)
        stopped = re.search(r"stopped at time ([\d.e-]+)", done.stderr)
        text = code.group(1) if code else f"exit code {done.returncode}"
        return text + (f" at {stopped.group(1)}" if stopped else ""), None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ms = 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return json.loads(done.stdout) | {"ms": ms}, last_row(output)


def cell(report, row, reference):
    if row is None:
        return report
    parts = [f"{report['steps']}"]
    if reference is not None:
        shown = [name for name in reference if name in row and not name.startswith("der(")]
        size = max(1.0, max(abs(reference[name]) for name in shown))
        parts.append(f"{max(abs(row[name] - reference[name]) for name in shown) / size:.0e}")
    parts.append(f"{report['ms']:.0f} ms")
    if report.get("singular_passages"):
        parts.append(f"{report['singular_passages']} passages")
    return ", ".join(parts)


def main():
    files = [argument for argument in sys.argv[1:] if argument.endswith(".mo")]
    wanted = [argument for argument in sys.argv[1:] if not argument.endswith(".mo")]
    print("| model | " + " | ".join(ways) + " |")
    print("|---" * (len(ways) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            for model in models_of(file):
                short = model.split(".")[-1]
                if wanted and short not in wanted:
                    continue
                reference = None
                cells = []
                for arguments in ways.values():
                    report, row = run(file, model, arguments, f"{folder}/run.csv")
                    cells.append(cell(report, row, reference))
                    reference = reference or row
                print(f"| {short} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
