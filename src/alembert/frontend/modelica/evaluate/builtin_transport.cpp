// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. What moves through a pipe: spatialDistribution.
#include <array>
#include <optional>

#include "alembert/base/number_text.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

namespace {

constexpr std::string_view names[] = {"in0",           "in1",          "x", "positiveVelocity",
                                      "initialPoints", "initialValues"};
constexpr std::size_t n_names = std::size(names), n_needed = 4;

/// By position or by name; null where one that may be left out is.
std::array<const Expression*, n_names> given_arguments(const CallSite& site) {
  if (site.n_arguments() > n_names)
    fail(site.place(), "M202", "'spatialDistribution' takes at most 6 arguments.");
  std::array<const Expression*, n_names> given;
  for (std::size_t k = 0; k < n_names; ++k) {
    given[k] = site.argument(k, names[k]);
    if (given[k] == nullptr && k < n_needed)
      fail(site.place(), "M202",
           "'spatialDistribution' needs its argument '" + std::string(names[k]) +
               "': it takes what is offered at both ends, how far everything moved, and whether it "
               "moves from end 0 to end 1.");
  }
  return given;
}

[[noreturn]] void fail_argument(Place place, std::string_view name, std::string_view wanted,
                                const Value& value) {
  fail(place, "M202",
       "'" + std::string(name) + "' of 'spatialDistribution' must be " + std::string(wanted) +
           ", but it is " + type_text(value) + ".");
}

/// As far as they are numbers already; the run looks at the rest.
void require_profile_points(Scalars& scalars, const std::vector<ExprId>& points, Place place) {
  std::vector<std::optional<double>> known;
  for (const ExprId point : points) known.push_back(scalars.number(point));
  const auto wrong = [&](double number) {
    fail(place, "M202",
         "the initial points of 'spatialDistribution' begin with 0, end with 1, and never fall, "
         "but here is " +
             number_text(number) + ".");
  };
  if (known.front() && *known.front() != 0) wrong(*known.front());
  if (known.back() && *known.back() != 1) wrong(*known.back());
  for (std::size_t k = 0; k + 1 < known.size(); ++k)
    if (known[k] && known[k + 1] && *known[k + 1] < *known[k]) wrong(*known[k + 1]);
}

}  // namespace

Value Evaluation::spatial_distribution(const CallSite& site) {
  const auto given = given_arguments(site);
  const auto real = [&](std::size_t k) {
    Value value = as_real(evaluate(*given[k], site.scope));
    if (!value.is_numeric()) fail_argument(given[k]->place, names[k], "a Real", value);
    return value;
  };
  const Value in0 = real(0), in1 = real(1), x = real(2);
  if (in0.dims != in1.dims || in0.dims.size() > 1)
    fail(site.place(), "M202",
         "'in0' and 'in1' of 'spatialDistribution' must be two scalars or two vectors of the same "
         "size, but they are " +
             type_text(in0) + " and " + type_text(in1) + ".");
  if (!x.is_scalar()) fail_argument(given[2]->place, names[2], "a scalar", x);
  const Value forward = evaluate(*given[3], site.scope);
  if (forward.kind != ValueKind::boolean || !forward.is_scalar())
    fail_argument(given[3]->place, names[3], "a Boolean", forward);

  TransportCall call{{}, x.scalar(), forward.scalar(), {}, {}};
  if (given[4] != nullptr) {
    const Value points = real(4);
    if (points.dims.size() != 1 || points.scalars.size() < 2)
      fail_argument(given[4]->place, names[4], "a vector of two or more numbers", points);
    call.points = points.scalars;
  } else {
    call.points = {pool().integer(0), pool().integer(1)};
  }
  require_profile_points(scalars, call.points,
                         given[4] != nullptr ? given[4]->place : site.place());
  const std::size_t n_quantities = in0.scalars.size(), n_points = call.points.size();
  std::vector<ExprId> values(n_quantities * n_points, pool().integer(0));
  if (given[5] != nullptr) {
    const Value initial = real(5);
    Dims wanted = in0.dims;
    wanted.push_back(static_cast<std::int64_t>(n_points));
    if (initial.dims != wanted)
      fail(given[5]->place, "M202",
           "'initialValues' of 'spatialDistribution' is " + type_text(initial) +
               ", but one value is needed for each of the " + std::to_string(n_points) +
               " initial points" + (in0.dims.empty() ? "." : " and each quantity, in rows."));
    values = initial.scalars;
  } else if (n_points != 2) {
    fail(site.place(), "M202",
         "'spatialDistribution' has " + std::to_string(n_points) +
             " initial points, but no initial values. Give one for each.");
  }
  Value outputs;
  outputs.kind = ValueKind::tuple;
  outputs.fields = {in0, in1};
  for (std::size_t q = 0; q < n_quantities; ++q) {
    call.inputs = {in0.scalars[q], in1.scalars[q]};
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(q * n_points);
    call.values.assign(first, first + static_cast<std::ptrdiff_t>(n_points));
    const std::array<ExprId, 2> ends = hooks->transport(call, site.place());
    for (const std::size_t end : {0, 1}) outputs.fields[end].scalars[q] = ends[end];
  }
  return outputs;
}

}  // namespace alembert::modelica
