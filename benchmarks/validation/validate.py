#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published problems with reference digits, as Modelica text through the program: every formulation
and method that applies, at tolerances from 1e-4 to 1e-10, or with 1000 and 4000 fixed steps.

  benchmarks/validation/validate.py BUILD/bin/alembert                     prints
  benchmarks/validation/validate.py BUILD/bin/alembert --only MBS02        one problem
  benchmarks/validation/validate.py BUILD/bin/alembert --only CarAxis --tolerance 1e-12 --method taylor
                                                                           one way through it
  benchmarks/validation/validate.py BUILD/bin/alembert --docs docs         writes docs/validation.md and
                                                                           docs/pictures/work-precision.svg
For --docs build first: ninja -C BUILD alembert draw_work_precision test_structure test_frontend_mechanics test_ensemble.
What is no run of a model (structures, the linearised bicycle, the batch) is the outcome of the
tests that have it, where their programs are built beside the program. The limit of a run is processor time, so
that a busy machine changes no outcome.

problems.json beside this file has the problems. An error is the largest difference from the reference
over all quantities and times given, relative to the quantity or, where that is less, to `floor`; of an
event, the distance to the nearest one that was found.
"""
import argparse
import concurrent.futures
import csv
import functools
import json
import math
import os
import resource
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOLERANCES = ["1e-4", "1e-6", "1e-8", "1e-10"]
# What is in the picture: not more lines than colours.
DRAWN = ["IVP14", "IVP06", "IVP02", "DS04"]
NOT_DRAWN = ["dynamic dop853", "dynamic tsit5", "dynamic rodas5p", "dynamic ida", "ggl ida", "baumgarte"]

# (formulation, method) by kind of problem; "-" is the program's own choice.
STIFF = ["auto", "rodas5p", "rodas6p", "radau5", "cvode", "ida", "taylor"]
ROUTES = {
    "smooth": [("-", m) for m in ["auto", "tsit5", "dop853", "cvode", "radau5", "taylor"]],
    "stiff": [("-", m) for m in STIFF],
    "implicit": [("-", m) for m in ["auto", "dop853", "radau5", "cvode", "ida", "taylor"]],
    "constrained": [("-", "auto")]
    + [("dynamic", m) for m in ["dop853", "tsit5", "rodas5p", "radau5", "cvode", "ida"]]
    + [("dummy", "auto"), ("projection", "auto"), ("baumgarte", "auto"), ("ggl", "radau5"), ("ggl", "ida"),
       ("-", "taylor")],
    "stiff constrained": [("-", "auto")]
    + [("dynamic", m) for m in ["rodas5p", "rodas6p", "radau5", "cvode", "ida"]]
    + [("dummy", "rodas5p"), ("projection", "rodas5p"), ("baumgarte", "rodas5p"), ("ggl", "radau5"),
       ("ggl", "ida"), ("-", "taylor")],
    "events": [("-", m) for m in ["auto", "tsit5", "rodas5p", "cvode", "ida", "taylor"]],
}
# Methods with a fixed step, where they apply: which of them do, the program says.
IMPLICIT = ["implicit-euler", "bdf2", "trapezoidal", "midpoint"]
OF_MECHANICS = ["newmark", "semi-implicit-euler", "verlet", "symplectic4", "symplectic6", "symplectic8",
                "rattle", "rattle4", "rattle6", "rattle8", "manifold-midpoint"]
FIXED = {
    "smooth": ["euler", "rk4"] + IMPLICIT + OF_MECHANICS,
    "implicit": ["euler", "rk4"] + IMPLICIT,
    "stiff": IMPLICIT,
    "constrained": ["euler", "rk4"] + IMPLICIT + OF_MECHANICS,
    "stiff constrained": IMPLICIT + ["rattle", "manifold-midpoint"],
    "events": ["euler", "rk4"] + IMPLICIT,
}
STEPS = [1000, 4000]
# What is no run of a model: problems, the test program, the tests.
TESTED = [
    ("Structures STR01 to STR35: index, offsets, degrees of freedom, blocks, equal as integers",
     "test_structure", "*Validation*:HiddenSingularity.*"),
    ("The same as Modelica texts (models/validation/structures.mo), by what explain --json tells",
     "test_pipeline", "*Structures*"),
    ("Bicycle: canonical matrices and eigenvalues (NH04), Kane's linearisation (NH05)",
     "test_frontend_mechanics", "BicycleTest.*"),
    ("Mechanisms from frames and bodies by Kane's method (MBS, NH)", "test_frontend_mechanics", "Published.*"),
    ("256 pendulums in one batch (BA01)", "test_ensemble", "*PendulumsInOneBatch*"),
]


# Not measured here: the library and its references are not in the repository.
STANDARD_LIBRARY = """## The Modelica Standard Library

These figures do not come from the command above: neither the library nor its reference results are part of this repository. 985 examples and tests of version
4.1.0 have public reference results. 693 of them were run with this version or the one before it, among them all of mechanics, electrical and magnetic components:
675 match, 18 do not. The list of those that differ is not kept here.

- **How it was run.** `alembert simulate LIBRARY --model NAME --start .. --stop .. --tolerance .. --intervals ..`, with the settings that belong to the reference.
- **What matches.** Every signal of the reference stays in a tube of 0.5 % of its range, and a small window in time, around the result, and the result around the
  reference; no point may be outside. Both sides of every event must be in the file, and protected variables too.
"""


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


def with_limit(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
    return limit


def run(program, problem, formulation, method, tolerance, seconds, folder, n_steps=0):
    result = os.path.join(folder, "result.csv")
    method, _, step = method.partition(":")
    command = [program, "simulate", os.path.join(ROOT, problem["file"]), "--model", problem["model"], "--json",
               "--stop", repr(problem["stop"]), "--tolerance", tolerance, "--method", method, "--output", result]
    if step:
        command += ["--step", step, "--intervals", str(intervals_of(problem))]
    elif n_steps:
        command += ["--step", repr(problem["stop"] / n_steps), "--intervals", str(intervals_of(problem))]
    elif problem["kind"] == "fixed":
        command += ["--step", repr(problem["step"]), "--intervals", "1"]
    else:
        command += ["--intervals", str(intervals_of(problem))]
    if formulation != "-":
        command += ["--formulation", formulation]
    for setting in problem.get("set", []):
        command += ["--set", setting]
    if os.path.exists(result):
        os.remove(result)
    outcome = {"id": problem["id"], "formulation": formulation, "method": method,
               "tolerance": tolerance, "n_steps": n_steps}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=with_limit(seconds))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode < 0:
        return outcome | {"message": f"above {seconds:g} s"}
    if done.returncode != 0:
        return outcome | {"message": done.stderr.strip().split("\n")[0]}
    report = json.loads(done.stdout)
    return outcome | {
        "error": error_of(problem, result),
        "steps": report["steps"] + report["rejected"],
        "ms": 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
        "used": (report.get("formulation"), report["method"]),
        "switches": len(report.get("switches", [])),
        "residual": report.get("largest_constraint_residual", 0.0),
        "off_constraints": max((level["largest"] for level in report.get("constraint_residuals", [])
                                if level["level"] in ("position", "velocity")), default=0.0),
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


def does_not_apply(outcome):
    """A method that the program refuses for what the model is, rather than one that failed."""
    return any(f"error[{code}]" in outcome.get("message", "") for code in ("I010", "S013", "I014", "I016"))


def fixed_table(outcomes):
    """Methods with a fixed step: the error over the number of steps. Empty where none applies."""
    lines = []
    for method in dict.fromkeys(o["method"] for o in outcomes):
        own = {o["n_steps"]: o for o in outcomes if o["method"] == method}
        if any("error" in o for o in own.values()):
            lines.append(f"| `{method}` | " + " | ".join(fixed_cell(own.get(n)) for n in STEPS) + " |")
    if not lines:
        return ""
    return "\n".join(["| fixed steps | " + " | ".join(f"{n}" for n in STEPS) + " |", "|---|" + "---|" * len(STEPS)] + lines)


def fixed_cell(outcome):
    if outcome is None or "error" not in outcome:
        return cell(outcome)
    return f"{short(outcome['error'])} ({milliseconds(outcome['ms'])})"


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


def sweep_fixed(program, problem, seconds, log):
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        for method in FIXED.get(problem["kind"], []):
            for n in STEPS:
                outcome = run(program, problem, "-", method, "1e-10", seconds, folder, n)
                if does_not_apply(outcome):
                    break
                outcomes.append(outcome)
                text = cell(outcome) if "error" in outcome else outcome["message"]
                print(f"{problem['id']:10} {method:19} {n:6} {text}", file=log, flush=True)
                if "error" not in outcome and outcome["message"].startswith("above"):
                    break
    return outcomes


def sweep(program, problem, seconds, tolerances, methods, log):
    outcomes = []
    methods = methods or problem.get("methods")
    routes = [("-", m) for m in methods] if methods else ROUTES[problem["kind"]]
    with tempfile.TemporaryDirectory() as folder:
        for formulation, method in routes:
            for tolerance in tolerances if problem["kind"] != "fixed" else ["1e-10"]:
                outcome = run(program, problem, formulation, method, tolerance, seconds, folder)
                if does_not_apply(outcome):
                    break
                outcomes.append(outcome)
                text = cell(outcome) if "error" in outcome else outcome["message"]
                print(f"{problem['id']:10} {formulation:10} {method:8} {tolerance:6} {text}", file=log, flush=True)
                if "error" not in outcome and outcome["message"].startswith("above"):
                    break
    return outcomes


HEAD = """# Validation

How close do results come to published reference values? This page runs problems from the literature by every formulation and method that applies, and shows the errors. Each problem is Modelica text with the equations as published, at their own
index (`models/validation`, `models/mechanisms.mo`). All figures come from

```text
benchmarks/validation/validate.py BUILD/bin/alembert --docs docs
```

**How to read the tables.** A cell shows the largest error over all quantities and times for which there are reference values, relative to the quantity or to a floor given with the problem. In brackets are the steps tried, and the milliseconds of processor
time of the whole program, about 10 of which are needed to start and read the model. "stops" is a run that ended with a message, "&gt; limit" one that would have taken more than {limit:g} s. {machine} A fast part of this page is a test
(`tests/pipeline/published_problems_test.cpp`).

![Work and precision](pictures/work-precision.svg)

Each line is one way through a problem: time over error, from tolerance 1e-4 at the right to 1e-10 at the left.{picture}

**Why some runs do not arrive:**

- `dummy` chooses states once. It stops, with a message, where that choice becomes singular.
- BDF methods of order above 2 are not stable for the undamped oscillations of the beam.
- At a tolerance of 1e-4, CVODE leaves the range in which E5 and the amplifier have solutions.
- Fixed steps that are longer than the fastest time of a problem are of no use to explicit methods.

Methods that the program refuses for a model (`rattle` where there are no masses, `verlet` where states are no positions and velocities) are not in its table.
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


def by_route(problems, outcomes):
    """Which way does which of the constrained problems, how exactly, and at which cost."""
    constrained = [p for p in problems if "constrained" in p["kind"]]
    runs = {}
    for problem in constrained:
        for o in outcomes_of(problem, outcomes):
            runs.setdefault((o["n_steps"] > 0, route_name(o["formulation"], o["method"])), []).append(o)
    lines = ["| way | problems | all tolerances | error over tolerance | off the constraints | steps | ms |",
             "|---|---|---|---|---|---|---|"]
    for (fixed, name), own in sorted(runs.items(), key=lambda item: item[0][0]):
        by_problem = {}
        for o in own:
            by_problem.setdefault((o["id"], o["model"], o["stop"]), []).append(o)
        arrived = sum(all("error" in o and math.isfinite(o["error"]) for o in all_of) for all_of in by_problem.values())
        done = [o for o in own if "error" in o and math.isfinite(o["error"])]
        if not done:
            continue
        middle = [o for o in done if (o["n_steps"] == STEPS[-1] if fixed else o["tolerance"] == "1e-8")]
        if not middle:
            continue
        ratio = short(statistics.median(o["error"] / float(o["tolerance"]) for o in middle)) if not fixed else \
            short(statistics.median(o["error"] for o in middle)) + " (error)"
        lines.append(f"| {name} | {len(by_problem)} | {arrived} | {ratio} | {short(max(o['off_constraints'] for o in middle))} | "
                     f"{statistics.median(o['steps'] for o in middle):.0f} | {milliseconds(statistics.median(o['ms'] for o in middle))} |")
    return "\n".join(lines) + "\n"


def tested(program):
    """Rows of what tests compare, by running them; None where a program is not built."""
    folder = os.path.dirname(os.path.abspath(program))
    rows = []
    for title, name, pattern in TESTED:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            rows.append(f"| {title} | `{name}` | not run with this page: it was not built |")
            continue
        done = subprocess.run([path, "--gtest_filter=" + pattern], capture_output=True, text=True, cwd=ROOT)
        passed = re.search(r"\[  PASSED  \] (\d+) test", done.stdout)
        failed = re.search(r"\[  FAILED  \] (\d+) test", done.stdout)
        rows.append(f"| {title} | `{name} --gtest_filter='{pattern}'` | {passed[1] if passed else 0} passed, "
                    f"{failed[1] if failed else 0} failed |")
    return "\n".join(["| problems | tests | outcome |", "|---|---|---|"] + rows) + "\n"


def write_docs(problems, outcomes, docs, machine, limit, program, drawn):
    picture = "" if drawn else " The picture is of an earlier run."
    parts = [HEAD.format(machine=machine, limit=limit, picture=picture), "## By `auto`\n\nThe error of what the program chooses by itself, for four tolerances. The last column counts the runs of all ways that reach the end.\n\n" + summary(problems, outcomes),
             "## Which way does which, at which cost\n\nA row for each formulation and method, over the problems with constraints.\n\n"
             "- *problems*, *all tolerances*: on how many problems it was tried, and how many of them it solved at every tolerance "
             "(with fixed steps: with both numbers of steps).\n"
             "- *error over tolerance*, *steps*, *ms*: medians over the problems that it solved at tolerance 1e-8 "
             f"(with fixed steps: with {STEPS[-1]} steps, and the error itself).\n"
             "- *off the constraints*: the largest distance from constraints of positions and velocities, at any row of these runs.\n\n"
             "Each way solves a different set of problems, so the medians can be compared only roughly.\n\n" + by_route(problems, outcomes),
             "## Compared by tests\n\nThese problems are compared with references by tests.\n\n" + tested(program),
             STANDARD_LIBRARY]
    for problem in problems:
        every = outcomes_of(problem, outcomes)
        own, fixed_steps = [o for o in every if not o["n_steps"]], [o for o in every if o["n_steps"]]
        if own and problem["kind"] != "fixed":
            parts.append(f"## {problem['title']}\n\n`{problem['model']}`, t = {problem['stop']:g}"
                         + (", " + ", ".join(f"`{s}`" for s in problem["set"]) if "set" in problem else "")
                         + f"; errors relative to at least {problem['floor']:g}.\n\n" + table(problem, own) + "\n")
            if text := fixed_table(fixed_steps):
                parts.append(text + "\n")
    fixed = [o | {"title": p["title"], "step": p["step"]} for p in problems if p["kind"] == "fixed"
             for o in outcomes if o["id"] == p["id"]]
    if fixed:
        parts.append("## Fixed steps\n\nThe discrete result is the reference: a correct method gives it to rounding.\n\n"
                     "| problem | method | step | difference |\n|---|---|---|---|\n"
                     + "\n".join(f"| {o['title']} | `{o['method']}` | {o['step']:g} | "
                                 f"{short(o['error']) if 'error' in o else o['message']} |" for o in fixed) + "\n")
    with open(os.path.join(docs, "validation.md"), "w") as file:
        file.write("\n".join(parts))


def all_of(arguments, problem):
    done = sweep(arguments.program, problem, arguments.seconds, arguments.tolerance or TOLERANCES, arguments.method,
                 sys.stdout)
    if not arguments.method and not arguments.tolerance:
        done += sweep_fixed(arguments.program, problem, arguments.seconds, sys.stdout)
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append", help="problems whose id or model contains this")
    parser.add_argument("--seconds", type=float, default=1, help="limit of one run, of processor time")
    parser.add_argument("--jobs", type=int, default=1, help="problems side by side")
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
                latest[(o["id"], o["model"], o["stop"], o["formulation"], o["method"], o["tolerance"], o["n_steps"])] = o
        outcomes = list(latest.values())
    else:
        chosen = [p for p in problems
                  if not arguments.only or any(o in p["id"] or o in p["model"] for o in arguments.only)]
        # A process for each problem at a time, so that the time of its runs is told from that of others.
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
            for problem, done in zip(chosen, pool.map(functools.partial(all_of, arguments), chosen)):
                outcomes += [o | {"model": problem["model"], "stop": problem["stop"]} for o in done]
        if arguments.save:
            json.dump(outcomes, open(arguments.save, "w"))
    if arguments.docs:
        drawer = os.path.join(os.path.dirname(os.path.abspath(arguments.program)), "draw_work_precision")
        write_docs(problems, outcomes, arguments.docs, arguments.machine, arguments.seconds, arguments.program,
                   os.path.exists(drawer))
        if not os.path.exists(drawer):
            sys.exit(f"the page is written, not the picture: build draw_work_precision beside {arguments.program}")
        lines = ["problem,route,error,ms"]
        titles = {(p["id"], p["model"], p["stop"]): p["title"] for p in problems}
        for o in outcomes:
            if o["id"] in DRAWN and not o["n_steps"] and "error" in o and 0 < o["error"] < math.inf:
                route = route_name(o["formulation"], o["method"]).replace("`", "")
                if route in NOT_DRAWN:
                    continue
                title = titles[(o["id"], o["model"], o["stop"])].split(" (")[0].replace(",", ";")
                lines.append(f"{title},{route},{o['error']!r},{o['ms']!r}")
        subprocess.run([drawer, os.path.join(arguments.docs, "pictures", "work-precision.svg")],
                       input="\n".join(lines) + "\n", text=True, check=True)


main()
