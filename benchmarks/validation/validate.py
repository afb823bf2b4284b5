#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published problems with reference digits, as Modelica text through the program: every formulation
and method that applies, at tolerances from 1e-4 to 1e-10.

  benchmarks/validation/validate.py BUILD/bin/alembert                     prints
  benchmarks/validation/validate.py BUILD/bin/alembert --only MBS02        one problem
  benchmarks/validation/validate.py BUILD/bin/alembert --only CarAxis --tolerance 1e-12 --method taylor
                                                                           one way through it
  benchmarks/validation/validate.py BUILD/bin/alembert --docs docs         writes docs/validation.md and
                                                                           docs/pictures/work-precision.svg
problems.json beside this file has the problems. An error is the largest difference from the reference
over all quantities and times given, relative to the quantity or, where that is less, to `floor`; of an
event, the distance to the nearest one that was found.
"""
import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOLERANCES = ["1e-4", "1e-6", "1e-8", "1e-10"]
# What is in the picture: not more lines than colours.
DRAWN = ["IVP14", "IVP06", "IVP02", "DS04"]
NOT_DRAWN = ["dynamic dop853", "dynamic tsit5", "dynamic rodas5p", "dynamic ida", "ggl ida", "baumgarte"]

# (formulation, method) by kind of problem; "-" is the program's own choice.
STIFF = ["auto", "rodas5p", "rodas6p", "radau5", "cvode", "ida"]
ROUTES = {
    "smooth": [("-", m) for m in ["auto", "tsit5", "dop853", "cvode", "radau5", "taylor"]],
    "stiff": [("-", m) for m in STIFF],
    "implicit": [("-", m) for m in ["auto", "dop853", "radau5", "cvode", "ida", "taylor"]],
    "constrained": [("-", "auto")]
    + [("dynamic", m) for m in ["dop853", "tsit5", "rodas5p", "radau5", "cvode", "ida"]]
    + [("projection", "auto"), ("baumgarte", "auto"), ("ggl", "radau5"), ("ggl", "ida"), ("-", "taylor")],
    "stiff constrained": [("-", "auto")]
    + [("dynamic", m) for m in ["rodas5p", "rodas6p", "radau5", "cvode", "ida"]]
    + [("projection", "rodas5p"), ("baumgarte", "rodas5p"), ("ggl", "radau5"), ("ggl", "ida")],
    "events": [("-", m) for m in ["auto", "tsit5", "rodas5p", "cvode", "ida"]],
}


def rows_at(rows, t):
    """The last row at the time nearest to t."""
    best = min(range(len(rows)), key=lambda k: (abs(rows[k][0] - t), -k))
    return rows[best]


def error_of(problem, path):
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    names = {name: k for k, name in enumerate(lines[0])}
    rows = [[float(v) for v in line] for line in lines[1:]]
    worst = 0.0

    def compare(value, reference):
        nonlocal worst
        reference = float(reference)
        difference = abs(value - reference) / max(abs(reference), problem["floor"])
        worst = max(worst, difference if math.isfinite(difference) else math.inf)

    for t, quantities in problem["points"].items():
        row = rows_at(rows, float(t))
        if abs(row[0] - float(t)) > 1e-9 * max(1.0, abs(float(t))):
            return math.inf
        for name, reference in quantities.items():
            compare(row[names[name]], reference)
    if "events" in problem:
        times = [a[0] for a, b in zip(rows, rows[1:]) if a[0] == b[0] and a[0] > 0]
        for reference in problem["events"]:
            if not times:
                return math.inf
            compare(min(times, key=lambda t: abs(t - float(reference))), reference)
    return worst


def intervals_of(problem):
    if "intervals" in problem:
        return problem["intervals"]
    for n in (1, 2, 4, 10, 20, 40, 100, 1000):
        grid = [float(t) * n / problem["stop"] for t in problem["points"]]
        if all(abs(g - round(g)) < 1e-9 for g in grid):
            return n
    return 1000


def run(program, problem, formulation, method, tolerance, seconds, folder):
    result = os.path.join(folder, "result.csv")
    method, _, step = method.partition(":")
    command = [program, "simulate", os.path.join(ROOT, problem["file"]), "--model", problem["model"], "--json",
               "--stop", repr(problem["stop"]), "--tolerance", tolerance, "--method", method, "--output", result]
    if step:
        command += ["--step", step]
    if problem["kind"] == "fixed":
        command += ["--step", repr(problem["step"]), "--intervals", "1"]
    else:
        command += ["--intervals", str(intervals_of(problem))]
    if formulation != "-":
        command += ["--formulation", formulation]
    for setting in problem.get("set", []):
        command += ["--set", setting]
    if os.path.exists(result):
        os.remove(result)
    outcome = {"id": problem["id"], "formulation": formulation, "method": method, "tolerance": tolerance}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return outcome | {"message": f"above {seconds:g} s"}
    if done.returncode != 0:
        return outcome | {"message": done.stderr.strip().split("\n")[0]}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(done.stdout)
    return outcome | {
        "error": error_of(problem, result),
        "steps": report["steps"] + report["rejected"],
        "ms": 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
        "used": (report.get("formulation"), report["method"]),
        "switches": len(report.get("switches", [])),
        "residual": report.get("largest_constraint_residual", 0.0),
    }


def short(number):
    if not math.isfinite(number):
        return "none"
    if number == 0:
        return "0"
    digit, exponent = f"{number:.0e}".split("e")
    return f"{digit}e{int(exponent)}"


def milliseconds(ms):
    return f"{ms:.0f}" if ms >= 10 else f"{ms:.1f}"


def cell(outcome):
    if outcome is None:
        return ""
    if "error" not in outcome:
        return "&gt; limit" if outcome["message"].startswith("above") else "stops"
    return f"{short(outcome['error'])} ({outcome['steps']}, {milliseconds(outcome['ms'])})"


def route_name(formulation, method):
    if formulation == "-":
        return "`auto`" if method == "auto" else f"`{method}`"
    return f"`{formulation}`" + ("" if method == "auto" else f" `{method}`")


def table(problem, outcomes):
    routes = []
    for o in outcomes:
        if (o["formulation"], o["method"]) not in routes:
            routes.append((o["formulation"], o["method"]))
    tolerances = [t for t in TOLERANCES if any(o["tolerance"] == t for o in outcomes)]
    lines = ["| | " + " | ".join(tolerances) + " |", "|---|" + "---|" * len(tolerances)]
    for route in routes:
        found = {o["tolerance"]: o for o in outcomes if (o["formulation"], o["method"]) == route}
        name = route_name(*route)
        if route == ("-", "auto"):
            used = next((o["used"] for o in reversed(list(found.values())) if "used" in o), None)
            if used:
                name += " (" + ", ".join(u for u in used if u) + ")"
        lines.append(f"| {name} | " + " | ".join(cell(found.get(t)) for t in tolerances) + " |")
    return "\n".join(lines)


def sweep(program, problem, seconds, tolerances, methods, log):
    outcomes = []
    methods = methods or problem.get("methods")
    routes = [("-", m) for m in methods] if methods else ROUTES[problem["kind"]]
    with tempfile.TemporaryDirectory() as folder:
        for formulation, method in routes:
            slow = False
            for tolerance in tolerances if problem["kind"] != "fixed" else ["1e-10"]:
                if slow:
                    continue
                begin = time.monotonic()
                outcome = run(program, problem, formulation, method, tolerance, seconds, folder)
                slow = time.monotonic() - begin > seconds / 2
                outcomes.append(outcome)
                text = cell(outcome) if "error" in outcome else outcome["message"]
                print(f"{problem['id']:10} {formulation:10} {method:8} {tolerance:6} {text}", file=log, flush=True)
    return outcomes


HEAD = """# Validation

Published problems with reference digits, each from its own equations at its own index, as Modelica text through the program
(`models/validation`, `models/mechanisms.mo`). `benchmarks/validation/validate.py BUILD/bin/alembert --docs docs` runs them and
writes this page. In a cell: the largest error over all quantities and times for which there are digits, relative to the
quantity or to a floor given with the problem; in brackets steps tried, and milliseconds of processor time of the
whole program, about 10 of them to start and read the model. {machine} "stops" is a run that ended with a message. A fast part is a test (`tests/pipeline/published_problems_test.cpp`).

![Work and precision](pictures/work-precision.svg)

Each line is one way through a problem, from tolerance 1e-4 at the right to 1e-10 at the left: time over error.

Elsewhere: structure (index, offsets, blocks) of published systems is compared number by number in `tests/structure`, the bicycle and
mechanisms derived from bodies in `tests/frontend/mechanics`, a batch of pendulums in `tests/ensemble`. What is known of the runs that do not
arrive: BDF methods of order above 2 are not stable for the undamped oscillations of the beam; at a tolerance of 1e-4 CVODE
leaves the range in which E5 and the amplifier have solutions.

Not in the tables: `dummy`, which is `dynamic` up to the first change of states and stops there with a message; methods with a fixed step (`rattle` and its like), which
keep no tolerance: [performance](performance.md#taylor-series-and-rattle) has them beside their peers.
"""


def outcomes_of(problem, outcomes):
    return [o for o in outcomes
            if (o["id"], o["model"], o["stop"]) == (problem["id"], problem["model"], problem["stop"])]


def summary(problems, outcomes):
    """Errors of what the program chooses by itself, and how many of the other ways arrive."""
    lines = ["| problem | " + " | ".join(TOLERANCES) + " | runs that arrive |", "|---|" + "---|" * (len(TOLERANCES) + 1)]
    for problem in problems:
        own = outcomes_of(problem, outcomes)
        chosen = {o["tolerance"]: o for o in own if (o["formulation"], o["method"]) == ("-", "auto")}
        if chosen:
            cells = [short(chosen[t]["error"]) if "error" in chosen.get(t, {}) else "" for t in TOLERANCES]
            arrived = sum("error" in o for o in own)
            lines.append(f"| {problem['title']} | " + " | ".join(cells) + f" | {arrived} of {len(own)} |")
    return "\n".join(lines) + "\n"


def write_docs(problems, outcomes, docs, machine):
    parts = [HEAD.format(machine=machine), "## By `auto`\n\n" + summary(problems, outcomes)]
    for problem in problems:
        own = outcomes_of(problem, outcomes)
        if own and problem["kind"] != "fixed":
            parts.append(f"## {problem['title']}\n\n`{problem['model']}`, t = {problem['stop']:g}"
                         + (", " + ", ".join(f"`{s}`" for s in problem["set"]) if "set" in problem else "")
                         + f"; errors relative to at least {problem['floor']:g}.\n\n" + table(problem, own) + "\n")
    fixed = [o | {"title": p["title"], "step": p["step"]} for p in problems if p["kind"] == "fixed"
             for o in outcomes if o["id"] == p["id"]]
    if fixed:
        parts.append("## Fixed steps\n\nThe discrete result is the reference: a correct method gives it to rounding.\n\n"
                     "| problem | method | step | difference |\n|---|---|---|---|\n"
                     + "\n".join(f"| {o['title']} | `{o['method']}` | {o['step']:g} | "
                                 f"{short(o['error']) if 'error' in o else o['message']} |" for o in fixed) + "\n")
    with open(os.path.join(docs, "validation.md"), "w") as file:
        file.write("\n".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append", help="problems whose id or model contains this")
    parser.add_argument("--seconds", type=float, default=20, help="limit of one run")
    parser.add_argument("--tolerance", action="append", help="in place of 1e-4 ... 1e-10")
    parser.add_argument("--method", action="append", help="in place of all that apply; NAME:STEP for a fixed step")
    parser.add_argument("--docs", help="folder of the documentation")
    parser.add_argument("--machine", default="", help="a sentence on where the times come from")
    parser.add_argument("--save", help="outcomes as JSON")
    parser.add_argument("--from", dest="load", help="do not run, take saved outcomes: FILE,FILE, a later file takes the place of an earlier one")
    arguments = parser.parse_args()
    problems = json.load(open(os.path.join(HERE, "problems.json")))["problems"]
    outcomes = []
    if arguments.load:
        latest = {}
        for path in arguments.load.split(","):
            for o in json.load(open(path)):
                latest[(o["id"], o["model"], o["stop"], o["formulation"], o["method"], o["tolerance"])] = o
        outcomes = list(latest.values())
    else:
        for problem in problems:
            if arguments.only and not any(o in problem["id"] or o in problem["model"] for o in arguments.only):
                continue
            for outcome in sweep(arguments.program, problem, arguments.seconds, arguments.tolerance or TOLERANCES,
                                 arguments.method, sys.stdout):
                outcomes.append(outcome | {"model": problem["model"], "stop": problem["stop"]})
            if arguments.save:
                json.dump(outcomes, open(arguments.save, "w"))
    if arguments.docs:
        write_docs(problems, outcomes, arguments.docs, arguments.machine)
        drawer = os.path.join(os.path.dirname(os.path.abspath(arguments.program)), "draw_work_precision")
        lines = ["problem,route,error,ms"]
        titles = {(p["id"], p["model"], p["stop"]): p["title"] for p in problems}
        for o in outcomes:
            if o["id"] in DRAWN and "error" in o and 0 < o["error"] < math.inf:
                route = route_name(o["formulation"], o["method"]).replace("`", "")
                if route in NOT_DRAWN:
                    continue
                title = titles[(o["id"], o["model"], o["stop"])].split(" (")[0].replace(",", ";")
                lines.append(f"{title},{route},{o['error']!r},{o['ms']!r}")
        subprocess.run([drawer, os.path.join(arguments.docs, "pictures", "work-precision.svg")],
                       input="\n".join(lines) + "\n", text=True, check=True)


main()
