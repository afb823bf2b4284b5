// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. Charts put together from pieces. In: a reduced system. Out: kernels that
// run a piece after the other. Blocks that have nothing to do with each other are pieces of their
// own, and so are those which only hold highest versions of equations, as most of a mechanism's
// accelerations: another choice of states leaves them as they are. A piece is compiled once and
// kept, so that mechanisms side by side cost the charts of each, not those of all together.
#pragma once

#include <map>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/structure/plan.hpp"

namespace alembert::compile {

/// Some blocks of a chart: reads [time, variables...], writes some of them.
struct ChartPiece {
  Kernel kernel;
  std::vector<std::uint32_t> targets;  // [n_outputs]: of [time, variables...]
};

class ChartPieces {
 public:
  /// A list of blocks, in numbers.
  using Key = std::vector<std::uint32_t>;

  /// In the order in which they run. None where the chart is better compiled as a whole.
  std::vector<const ChartPiece*> of(const ChartTapeRequest& request,
                                    const structure::Structure& structure, Backend backend);

 private:
  std::map<Key, ChartPiece> pieces_;
};

/// Runs the pieces, then `last` over what they have found.
Kernel in_sequence(std::vector<const ChartPiece*> pieces, Kernel last);
/// ..., then gives these of [time, variables...].
Kernel in_sequence(std::vector<const ChartPiece*> pieces, std::vector<std::uint32_t> results,
                   Kernel::Shape shape);

}  // namespace alembert::compile
