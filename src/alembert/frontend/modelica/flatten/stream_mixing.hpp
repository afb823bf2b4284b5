// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What flows into a connector when several stream connectors
// meet: the mixture of what the others send. In: the values the others send, and how much of it.
// Out: one expression. Language specification: Modelica 3.6, section 15.2 and 15.3: shares are
// weighted by the positive part of the flow, and by a small number where nothing flows at all, so
// that the mixture is defined and continuous at rest.
#pragma once

#include <span>

#include "alembert/symbolic/pool.hpp"

namespace alembert::modelica {

struct StreamSource {
  symbolic::ExprId value;  ///< what it sends if it sends
  symbolic::ExprId rate;   ///< how much of it, negative where it takes
};

/// The mixture of at least one source.
symbolic::ExprId mix_streams(symbolic::ExprPool& pool, std::span<const StreamSource> sources);

}  // namespace alembert::modelica
