// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/mode_side.hpp"

namespace alembert::compile {

using symbolic::Op;

double value_beside(const structure::HybridSystem& system, const structure::Mode& mode,
                    structure::Index crossing, double held, bool above) {
  const symbolic::ExprPool& pool = *system.flat.pool;
  const Op op = pool.op(mode.value);
  if (op == Op::sign) return above ? 1 : -1;
  const auto place = static_cast<double>(crossing - mode.first_crossing);
  // Where the crossing function is zero, what is rounded is this whole number.
  if (op == Op::floor || op == Op::integer_part) return held + place - (above ? 0 : 1);
  if (op == Op::ceil) return held - place + (above ? 1 : 0);
  if (op == Op::div) {  // towards zero
    const double whole = held + place - 1;
    if (above) return whole < 0 ? whole + 1 : whole;
    return whole > 0 ? whole - 1 : whole;
  }
  const Op comparison = pool.op(pool.children(mode.value)[0]);
  if (comparison == Op::equal) return 0;
  if (comparison == Op::not_equal) return 1;
  return above ? 0 : 1;
}

structure::Index crossing_at(const structure::HybridSystem& system, const structure::Mode& mode,
                             structure::Index crossing) {
  const structure::Index surface = system.surfaces[crossing].crossing;
  for (structure::Index c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c)
    if (system.surfaces[c].crossing == surface) return c;
  return graph::none;
}

}  // namespace alembert::compile
