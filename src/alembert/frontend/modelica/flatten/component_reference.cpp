// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/component_reference.hpp"

#include <fmt/format.h>

#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

struct Position {
  std::vector<std::int64_t> offsets;  // row-major, counts from 0
  Dims dims;                          // of the slices that are left
};

/// Where the subscripts lead in an array of these dimensions.
Position positions(std::span<const std::int64_t> dims, const std::vector<Subscript>& subscripts) {
  Position result;
  result.offsets.push_back(0);
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const bool is_whole = k >= subscripts.size();
    const std::size_t n =
        is_whole ? static_cast<std::size_t>(dims[k]) : subscripts[k].positions.size();
    std::vector<std::int64_t> next;
    next.reserve(result.offsets.size() * n);
    for (const std::int64_t offset : result.offsets)
      for (std::size_t i = 0; i < n; ++i)
        next.push_back(offset * dims[k] +
                       (is_whole ? static_cast<std::int64_t>(i) : subscripts[k].positions[i]));
    result.offsets = std::move(next);
    if (is_whole || subscripts[k].is_slice) result.dims.push_back(static_cast<std::int64_t>(n));
  }
  return result;
}

class Resolver {
 public:
  Resolver(FlattenState& state, const EvaluationScope& scope) : state_(state), scope_(scope) {}

  Referenced run(const ComponentReference& reference) {
    const Denotation start = state_.tree.lookup(*scope_.scope, reference);
    if (start.kind != DenotationKind::component)
      fail(reference.place, "M302",
           fmt::format("'{}' is not a component, and only components can be named here.",
                       reference_text(reference)));
    result_.first = start.instance;
    result_.parts = {{.instance = start.instance}};
    for (std::size_t i = start.parts_used; i <= reference.parts.size(); ++i) {
      if (!all_present()) return absent();
      result_.has_connector = result_.has_connector || is_connector(*result_.parts[0].instance);
      if (!result_.has_connector) ++result_.n_before_connector;
      enter_array(reference.parts[i - 1]);
      if (i == reference.parts.size()) break;
      enter_member(reference.parts[i]);
    }
    return std::move(result_);
  }

 private:
  bool all_present() {
    for (const ReferencedPart& part : result_.parts)
      if (!part.instance->is_present()) return false;
    return true;
  }

  Referenced absent() { return {.first = result_.first, .is_absent = true}; }

  void enter_array(const ReferencePart& part) {
    std::vector<ReferencedPart> entries;
    Dims inner;
    for (const ReferencedPart& array : result_.parts) {
      Instance& instance = *array.instance;
      const auto dims = instance.dimensions();
      if (dims.empty() && part.subscripts.empty()) {
        entries.push_back(array);
        continue;
      }
      const Position position = positions(dims, state_.evaluator.subscripts(part, dims, scope_));
      inner = position.dims;
      for (const std::int64_t offset : position.offsets) {
        if (instance.is_simple())
          entries.push_back({.instance = &instance, .scalar = offset});
        else
          entries.push_back({.instance = &instance.entry(static_cast<std::size_t>(offset))});
      }
    }
    result_.parts = std::move(entries);
    result_.dims.insert(result_.dims.end(), inner.begin(), inner.end());
  }

  void enter_member(const ReferencePart& part) {
    for (ReferencedPart& owner : result_.parts) {
      Instance& member = state_.tree.member_at(*owner.instance, part.name, part.place);
      if (!member.is_component()) state_.tree.no_member(*owner.instance, part.name, part.place);
      owner = {.instance = &member};
    }
  }

  FlattenState& state_;
  const EvaluationScope& scope_;
  Referenced result_;
};

}  // namespace

Referenced resolve_reference(FlattenState& state, const ComponentReference& reference,
                             const EvaluationScope& scope) {
  return Resolver(state, scope).run(reference);
}

std::string reference_text(const ComponentReference& reference) {
  return std::string(reference.place.text());
}

}  // namespace alembert::modelica
