#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derivation of equations of motion: SymPy's mechanics beside ours, in the same run.

    benchmarks/peers/mechanics_sympy.py BUILD/bin/bench_mechanics

Needs Debian's python3-sympy. Derives the snakeboard by sympy.physics.mechanics, with and without
the matrices of the nine steps, and the n-link pendulum, and asks the program for its times.
"""
import json
import subprocess
import sys
import time

import sympy as sm
import sympy.physics.mechanics as me


def snakeboard():
    q = me.dynamicsymbols('q1:6')
    u = me.dynamicsymbols('u1:6')
    l, I, m = sm.symbols('l, I, m')
    N, A, B, C = (me.ReferenceFrame(name) for name in 'NABC')
    A.orient_axis(N, q[2], N.z)
    B.orient_axis(A, q[3], A.z)
    C.orient_axis(A, q[4], A.z)
    O, Ao, Bo, Co = (me.Point(name) for name in ('O', 'Ao', 'Bo', 'Co'))
    Ao.set_pos(O, q[0] * N.x + q[1] * N.y)
    Bo.set_pos(Ao, l / 2 * A.x)
    Co.set_pos(Ao, -l / 2 * A.x)
    O.set_vel(N, 0)
    Ao.set_vel(N, Ao.pos_from(O).dt(N))
    Bo.v2pt_theory(Ao, N, A)
    Co.v2pt_theory(Ao, N, A)
    rates = [u[0] - q[0].diff(), u[1] - q[1].diff(), u[2] - l * q[2].diff() / 2,
             u[3] - q[3].diff(), u[4] - q[4].diff()]
    solution = sm.solve(rates, [x.diff() for x in q])
    fn = [Bo.vel(N).dot(B.y).subs(solution), Co.vel(N).dot(C.y).subs(solution)]
    bodies = [me.RigidBody(name, point, frame, m, (I * me.outer(frame.z, frame.z), point))
              for name, point, frame in (('A', Ao, A), ('B', Bo, B), ('C', Co, C))]
    kane = me.KanesMethod(N, q, u[2:], kd_eqs=rates, u_dependent=u[:2], velocity_constraints=fn)
    kane.kanes_equations(bodies, [])
    return kane.mass_matrix, kane.forcing


def pendulum(n):
    q = me.dynamicsymbols('q1:%d' % (n + 1))
    u = me.dynamicsymbols('u1:%d' % (n + 1))
    g, l, m = sm.symbols('g, l, m')
    N = me.ReferenceFrame('N')
    P = me.Point('O')
    P.set_vel(N, 0)
    particles, loads, rates = [], [], []
    for k in range(n):
        A = N.orientnew('A%d' % k, 'Axis', [q[k], N.z])
        A.set_ang_vel(N, u[k] * N.z)
        Q = P.locatenew('P%d' % k, l * A.x)
        Q.v2pt_theory(P, N, A)
        particles.append(me.Particle('B%d' % k, Q, m))
        loads.append((Q, m * g * N.x))
        rates.append(q[k].diff() - u[k])
        P = Q
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=rates)
    kane.kanes_equations(particles, loads)
    return kane.mass_matrix, kane.forcing


def seconds(job, *arguments):
    """Of the processor, so that a busy machine does not count against SymPy."""
    before = time.process_time()
    job(*arguments)
    return time.process_time() - before


def main():
    ours = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True).stdout)
    print('SymPy', sm.__version__)
    print('%-24s %12s %12s %8s' % ('derivation', 'SymPy, ms', 'ours, ms', 'ratio'))
    jobs = [('snakeboard', snakeboard, ())] + [('pendulum %d' % n, pendulum, (n,)) for n in (5, 10, 20)]
    for name, job, arguments in jobs:
        peer, own = seconds(job, *arguments), ours[name]
        print('%-24s %12.2f %12.3f %8.0f' % (name, 1e3 * peer, 1e3 * own, peer / own), flush=True)
    for name in ours:
        if name not in [job[0] for job in jobs]:
            print('%-24s %12s %12.3f' % (name, '', 1e3 * ours[name]))


if __name__ == '__main__':
    main()
