#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From a command to its result: what `simulate` takes for a small model, stage by stage.

    benchmarks/cold_start.py [model.mo] [runs]

ALEMBERT names another program than the launcher. The first run comes after the pages of files were
dropped from memory, where that is allowed (root), the others find them there. `rest` is what no stage
counts: loading the program, reading the command, the end of the process. Times in milliseconds by the
clock; `processor` is user and system time of the whole program.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
program = os.environ.get("ALEMBERT", root / "alembert")
model = sys.argv[1] if len(sys.argv) > 1 else root / "models/pendulum.mo"
n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20


def drop_pages():
    try:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
        return True
    except OSError:
        return False


def run(folder):
    def processor_time():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before, begin = processor_time(), time.perf_counter()
    done = subprocess.run([program, "simulate", model, "--json", "--output", Path(folder) / "result.csv"],
                          capture_output=True, text=True, check=True)
    row = {"all": 1e3 * (time.perf_counter() - begin), "processor": 1e3 * (processor_time() - before)}
    stages = {stage["name"]: stage["ms"] for stage in json.loads(done.stdout)["stages"]}
    return row | {"rest": row["all"] - sum(stages.values())} | stages


with tempfile.TemporaryDirectory() as folder:
    dropped = drop_pages()
    first = run(folder)
    rows = [run(folder) for _ in range(n_runs)]
names = list(first)
print("| run | " + " | ".join(names) + " |")
print("|---|" + "---:|" * len(names))
shown = {("files not in memory" if dropped else "first"): first,
         f"median of {n_runs}": {name: statistics.median(row[name] for row in rows) for name in names},
         "fastest": min(rows, key=lambda row: row["all"])}
for name, row in shown.items():
    print(f"| {name} | " + " | ".join(f"{row[column]:.1f}" for column in names) + " |")
