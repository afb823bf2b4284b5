# SPDX-License-Identifier: Apache-2.0
# The batch of double pendulums with NumPy's batched solve: prints ns a system and step.
import sys
import time

import numpy as np

n, steps = int(sys.argv[1]), int(sys.argv[2])
m1, m2, l1, l2, g, dt, omega = 1.0, 2.0, 0.8, 1.2, 9.81, 1 / 50, 4.0
rng = np.random.default_rng(0)
q = np.zeros((n, 4))
q[:, 0] = rng.uniform(0.9 * l1, 1.1 * l1, n)
q[:, 2] = q[:, 0] + rng.uniform(0.9 * l2, 1.1 * l2, n)
v = np.zeros((n, 4))
a = np.zeros((n, 6, 6))
a[:, range(4), range(4)] = m1, m1, m2, m2
b = np.zeros((n, 6))
b[:, 1], b[:, 3] = -m1 * g, -m2 * g


def step(q, v):
    d, w = q[:, 2:] - q[:, :2], v[:, 2:] - v[:, :2]
    j = np.zeros((n, 2, 4))
    j[:, 0, :2], j[:, 1, :2], j[:, 1, 2:] = 2 * q[:, :2], -2 * d, 2 * d
    a[:, 4:, :4] = j
    a[:, :4, 4:] = j.transpose(0, 2, 1)
    phi = np.stack([(q[:, :2] ** 2).sum(1) - l1**2, (d**2).sum(1) - l2**2], 1)
    bias = 2 * np.stack([(v[:, :2] ** 2).sum(1), (w**2).sum(1)], 1)
    b[:, 4:] = -bias - omega**2 * phi - 2 * omega * np.einsum("nij,nj->ni", j, v)
    dv = np.linalg.solve(a, b[:, :, None])[:, :4, 0]
    v = v + dt * dv
    return q + dt * v, v


q, v = step(q, v)
begin = time.perf_counter()
for _ in range(steps):
    q, v = step(q, v)
print(1e9 * (time.perf_counter() - begin) / (n * steps))
