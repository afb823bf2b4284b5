#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python needs for problems of docs/seeds.md: milliseconds of processor time, and the error.

    benchmarks/peers/seeds_python.py [nonholonomic-eom.rst]

Needs Debian's python3-sympy and python3-scipy. The snakeboard is the tutorial's own code, taken from its text
(the chapter "Equations of Motion with Nonholonomic Constraints" of Learn Multibody Dynamics by J. K. Moore, in the
book's sources), without pictures and animation. The batch is the tutorial's step for JAX, with NumPy in its
place; pendulums by their angle are given to SciPy as it would be done by hand.
"""
import math
import re
import sys
import time
import unittest.mock

import numpy as np
from scipy.integrate import solve_ivp


def timed(job, *arguments):
    before = time.process_time()
    result = job(*arguments)
    return 1e3 * (time.process_time() - before), result


def show(name, milliseconds, error, what):
    print(f"{name:44} {milliseconds:9.1f} ms   {error:.1e}  {what}", flush=True)


def snakeboard(path):
    """Runs the blocks of the text up to the animation, and those behind it, plots being of no account."""
    any_module = unittest.mock.MagicMock()
    any_module.pyplot.subplots.return_value = (unittest.mock.MagicMock(), unittest.mock.MagicMock())
    for module in ("IPython", "IPython.display", "matplotlib", "matplotlib.animation"):
        sys.modules[module] = any_module
    sys.modules["matplotlib.pyplot"] = any_module.pyplot
    text = open(path).read()
    animation = text.index("Animate the Snakeboard")
    behind = text.index("Calculating Dependent Speeds")
    blocks = []
    for found in re.finditer(r"^( *)\.\. jupyter-execute::\n\n((?:\1   .*\n|\n)+)", text, re.M):
        if animation < found.start() < behind:
            continue
        indent = len(found[1]) + 3
        blocks.append("\n".join(line[indent:] for line in found[2].split("\n")))
    place = {}
    simulation = next(k for k, block in enumerate(blocks) if "lambdify" in block)

    def run(some):
        for block in some:
            exec(block, place)

    run(blocks[:1])  # imports
    derived, _ = timed(run, blocks[1:simulation])
    solved, _ = timed(run, blocks[simulation:])
    exact = solve_ivp(place["eval_rhs"], (0, 8), place["x0"], args=(place["p_vals"],), t_eval=place["ts"],
                      method="DOP853", rtol=1e-13, atol=1e-13)
    error = np.abs(place["sol"].y[:2] - exact.y[:2]).max()
    print(f"{'':44} equations {derived:.0f} ms, functions and run {solved:.0f} ms")
    show("The snakeboard, 8 s (SymPy, SciPy)", derived + solved, error, "m, of the place")


def batch(n=1000, steps=1000):
    m1, m2, l1, l2, g, dt, omega = 1.0, 2.0, 0.8, 1.2, 9.81, 1 / 50, 4.0
    rng = np.random.default_rng(0)
    q, v = np.zeros((n, 4)), np.zeros((n, 4))
    q[:, 0] = rng.uniform(0.9 * l1, 1.1 * l1, n)
    q[:, 2] = q[:, 0] + rng.uniform(0.9 * l2, 1.1 * l2, n)
    a, b = np.zeros((n, 6, 6)), np.zeros((n, 6))
    a[:, range(4), range(4)] = m1, m1, m2, m2
    b[:, 1], b[:, 3] = -m1 * g, -m2 * g
    off = np.zeros(n)
    for _ in range(steps):
        d, w = q[:, 2:] - q[:, :2], v[:, 2:] - v[:, :2]
        j = np.zeros((n, 2, 4))
        j[:, 0, :2], j[:, 1, :2], j[:, 1, 2:] = 2 * q[:, :2], -2 * d, 2 * d
        a[:, 4:, :4], a[:, :4, 4:] = j, j.transpose(0, 2, 1)
        phi = np.stack([(q[:, :2] ** 2).sum(1) - l1**2, (d**2).sum(1) - l2**2], 1)
        bias = 2 * np.stack([(v[:, :2] ** 2).sum(1), (w**2).sum(1)], 1)
        b[:, 4:] = -bias - omega**2 * phi - 2 * omega * np.einsum("nij,nj->ni", j, v)
        v = v + dt * np.linalg.solve(a, b[:, :, None])[:, :4, 0]
        q = q + dt * v
        off = np.maximum(off, np.abs((q[:, :2] ** 2).sum(1) - l1**2))
    return float(np.median(off))


def by_angle(stop, g_over_l, start, method, rtol):
    def run(method, rtol):
        return solve_ivp(lambda t, y: (y[1], -g_over_l * math.sin(y[0])), (0, stop), start, method=method, rtol=rtol,
                         atol=min(rtol, 1e-6), t_eval=np.linspace(0, stop, 501))
    spent, found = timed(run, method, rtol)
    return spent, float(np.abs(found.y[0] - run("DOP853", 1e-13).y[0]).max())


def main():
    if len(sys.argv) > 1:
        snakeboard(sys.argv[1])
    spent, off = timed(batch)
    show("A thousand double pendulums, 1000 steps (NumPy)", spent, off, "in x^2 + y^2 of the rod, median")
    show("A pendulum by its angle, 25 s (SciPy, Radau)", *by_angle(25, 1.0, (math.pi / 2, 0), "Radau", 1e-3), "rad")
    show("A pendulum by its angle, 25 s (SciPy, Radau)", *by_angle(25, 1.0, (math.pi / 2, 0), "Radau", 1e-6), "rad, at 1e-6")
    show("A pendulum by its angle, 100 s (SciPy, BDF)", *by_angle(100, 1.0, (0.9 * math.pi, 0), "BDF", 1e-6), "rad")


if __name__ == "__main__":
    main()
