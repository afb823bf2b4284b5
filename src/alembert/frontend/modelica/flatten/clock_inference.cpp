// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/clock_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "alembert/frontend/modelica/flatten/clock_parts.hpp"

namespace alembert::modelica {

namespace {

using symbolic::Number;
using Kind = ClockedCall::Kind;

/// ticks(to) = ticks(from) with step_to = step_from * ratio, first_to = first_from + shift *
/// step_from.
struct Relation {
  std::uint32_t from;
  std::uint32_t to;
  bool is_known = true;  // else the ratio is to be inferred
  Number ratio = 1;
  Number shift = 0;
  const Origin* origin = nullptr;
};

/// When a part ticks, in units of what it was found from.
struct Ticks {
  Number first = 0;
  Number step = 1;
};

class Inference {
 public:
  Inference(const flat::FlatSystem& system, const ClockRecords& records)
      : system_(system),
        records_(records),
        pool_(*system.pool),
        parts_(find_clock_parts(system, records)) {}

  ClockPartition run() {
    relate_parts();
    place_groups();
    hand_out();
    return std::move(result_);
  }

 private:
  // ---- ticks ------------------------------------------------------------------------------------

  void relate_parts() {
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedCall& call = records_.operators[i].call;
      if (parts_.of_argument[i] == no_clock) continue;
      if (call.kind < Kind::sub_sample || call.kind > Kind::back_sample) continue;
      Relation relation{.from = parts_.of_argument[i],
                        .to = parts_.of_operator[i],
                        .origin = &records_.operators[i].origin};
      switch (call.kind) {
        case Kind::sub_sample:
          relation.is_known = call.factor > 0;
          relation.ratio = Number::integer(call.factor);
          break;
        case Kind::super_sample:
          relation.is_known = call.factor > 0;
          if (relation.is_known) relation.ratio = Number::rational(1, call.factor);
          break;
        case Kind::shift_sample:
          relation.shift = Number::rational(call.shift, call.resolution);
          break;
        default: relation.shift = Number::rational(-call.shift, call.resolution);
      }
      relations_.push_back(relation);
    }
  }

  std::string part_name(std::uint32_t part) const {
    return "'" + pool_.symbol_text(parts_.parts[part].symbol) + "'";
  }

  void require_exact(const Ticks& ticks, const Origin& origin) const {
    if (ticks.first.is_exact() && ticks.step.is_exact()) return;
    throw Error("M353", "the ratio of two clocks is too large to be counted with.", origin);
  }

  /// All parts that are tied to `start` by known ratios, in its units.
  std::vector<std::uint32_t> tied_to(std::uint32_t start,
                                     const std::vector<std::vector<std::size_t>>& relations_of) {
    std::vector<std::uint32_t> group = {start};
    is_placed_[start] = 1;
    ticks_[start] = {};
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (const std::size_t r : relations_of[group[k]]) {
        const Relation& relation = relations_[r];
        const bool forwards = relation.from == group[k];
        const Ticks& known = ticks_[group[k]];
        Ticks other;
        if (forwards) {
          other = {known.first + relation.shift * known.step, known.step * relation.ratio};
        } else {
          other.step = known.step / relation.ratio;
          other.first = known.first - relation.shift * other.step;
        }
        require_exact(other, *relation.origin);
        const std::uint32_t part = forwards ? relation.to : relation.from;
        if (!is_placed_[part]) {
          is_placed_[part] = 1;
          ticks_[part] = other;
          group.push_back(part);
        } else if (!(ticks_[part].first == other.first && ticks_[part].step == other.step)) {
          throw Error(
              "M352",
              fmt::format("by this the clock of {} would tick otherwise than other "
                          "equations say. Change a factor, or remove one of the two.",
                          part_name(part)),
              *relation.origin,
              {{fmt::format("the clock of {}", part_name(part)), *parts_.parts[part].origin},
               {fmt::format("the clock of {}", part_name(group[k])),
                *parts_.parts[group[k]].origin}});
        }
      }
    }
    return group;
  }

  void place_groups() {
    const std::size_t n_parts = parts_.parts.size();
    std::vector<std::vector<std::size_t>> relations_of(n_parts);
    for (std::size_t r = 0; r < relations_.size(); ++r) {
      if (!relations_[r].is_known) continue;
      relations_of[relations_[r].from].push_back(r);
      relations_of[relations_[r].to].push_back(r);
    }
    std::vector<std::vector<std::size_t>> definitions_of(n_parts);
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const ClockDefinition& definition = records_.definitions[i].definition;
      if (parts_.is_definition_used[i] &&
          (definition.interval.valid() || definition.condition.valid()))
        definitions_of[parts_.of_definition[i]].push_back(i);
    }
    is_placed_.assign(n_parts, 0);
    ticks_.resize(n_parts);
    base_of_part_.assign(n_parts, no_clock);
    for (std::uint32_t part = 0; part < n_parts; ++part)
      if (!is_placed_[part]) define_group(tied_to(part, relations_of), definitions_of);
    check_inferred_factors();
  }

  /// From units of the group to those of the clock that is defined in it.
  void define_group(const std::vector<std::uint32_t>& group,
                    const std::vector<std::vector<std::size_t>>& definitions_of) {
    const DefinedClock* first = nullptr;
    std::uint32_t first_part = 0;
    for (const std::uint32_t part : group)
      for (const std::size_t i : definitions_of[part]) {
        const DefinedClock& clock = records_.definitions[i];
        if (first == nullptr) {
          first = &clock;
          first_part = part;
          move_group(group, part, i);
        } else {
          require_same(*first, first_part, clock, part);
        }
      }
    const bool drives_something = std::any_of(group.begin(), group.end(), [&](std::uint32_t part) {
      return parts_.parts[part].has_quantities;
    });
    if (first != nullptr || !drives_something) return;
    std::vector<Note> notes;
    for (const Relation& relation : relations_)
      if (!relation.is_known && std::find(group.begin(), group.end(), relation.to) != group.end())
        notes.push_back({"a factor is left open here", *relation.origin});
    throw Error("M351",
                fmt::format("nothing says when {} is computed: no clock is defined for it, nor for "
                            "what it is connected to. Give a clock, such as sample(u, Clock(0.1)).",
                            part_name(group.front())),
                *parts_.parts[group.front()].origin, std::move(notes));
  }

  bool is_exact(const ClockDefinition& definition) const {
    return definition.interval.valid() && pool_.is_number(definition.interval) &&
           pool_.number_of(definition.interval).is_exact();
  }

  void move_group(const std::vector<std::uint32_t>& group, std::uint32_t part, std::size_t i) {
    const ClockDefinition& definition = records_.definitions[i].definition;
    const Origin& origin = records_.definitions[i].origin;
    const bool exact = is_exact(definition);
    Number unit = 1;
    if (exact) {
      unit = pool_.number_of(definition.interval);
      if (unit.is_zero() || unit.is_negative())
        throw Error("M353", "the interval of a clock must be positive.", origin);
    }
    const std::uint32_t base = exact ? seconds() : base_of(i);
    const Ticks defined = ticks_[part];
    const Number scale = unit / defined.step;
    for (const std::uint32_t other : group) {
      Ticks& ticks = ticks_[other];
      ticks = {(ticks.first - defined.first) * scale, ticks.step * scale};
      require_exact(ticks, origin);
      base_of_part_[other] = base;
      if (ticks.first.is_negative())
        throw Error("M353",
                    fmt::format("the clock of {} would have to tick before the run begins. Shift "
                                "the other one, or use a smaller backSample.",
                                part_name(other)),
                    *parts_.parts[other].origin);
      const bool is_counted = definition.condition.valid() || interval_varies(pool_, definition);
      if (is_counted && (!ticks.first.is_integer() || !ticks.step.is_integer()))
        throw Error("M353",
                    fmt::format("the clock of {} would have to tick between {}. superSample and "
                                "fractional shifts are for periodic clocks.",
                                part_name(other),
                                interval_varies(pool_, definition)
                                    ? "the ticks of its base clock, whose interval varies"
                                    : "the events that its base clock waits for"),
                    *parts_.parts[other].origin, {{"the base clock", origin}});
    }
  }

  /// All exact periodic clocks count in seconds, so that their ticks agree exactly.
  std::uint32_t seconds() {
    if (seconds_ == no_clock) {
      seconds_ = static_cast<std::uint32_t>(result_.bases.size());
      result_.bases.push_back({.interval = system_.pool->integer(1)});
      result_.definition_of_base.push_back(no_clock);
    }
    return seconds_;
  }

  std::uint32_t base_of(std::size_t i) {
    const DefinedClock& clock = records_.definitions[i];
    if (clock.definition.interval.valid()) {
      const auto known = base_by_interval_.find(clock.definition.interval);
      if (known != base_by_interval_.end()) return known->second;
    }
    const auto base = static_cast<std::uint32_t>(result_.bases.size());
    if (clock.definition.interval.valid()) base_by_interval_[clock.definition.interval] = base;
    result_.bases.push_back({.interval = clock.definition.interval,
                             .varies = interval_varies(pool_, clock.definition),
                             .by_previous = clock.definition.by_previous,
                             .start_interval = clock.definition.start_interval,
                             .origin = clock.origin});
    result_.definition_of_base.push_back(static_cast<std::uint32_t>(i));
    return base;
  }

  void require_same(const DefinedClock& first, std::uint32_t first_part, const DefinedClock& clock,
                    std::uint32_t part) {
    const ClockDefinition& definition = clock.definition;
    bool same = false;
    if (is_exact(definition) && base_of_part_[part] == seconds_)
      same =
          ticks_[part].first.is_zero() && ticks_[part].step == pool_.number_of(definition.interval);
    else if (definition.interval.valid() && definition.interval == first.definition.interval)
      same = ticks_[part].first.is_zero() && ticks_[part].step.is_one();
    if (same) return;
    const std::string others =
        part == first_part ? std::string() : " and of " + part_name(first_part);
    throw Error("M352",
                fmt::format("the clock of {}{} is defined twice, and not in the same way. Remove "
                            "one, or put hold() and sample() between what they are for.",
                            part_name(part), others),
                clock.origin, {{"the other clock", first.origin}});
  }

  void check_inferred_factors() const {
    for (const Relation& relation : relations_) {
      if (relation.is_known || base_of_part_[relation.from] != base_of_part_[relation.to]) continue;
      const Ticks& from = ticks_[relation.from];
      const Ticks& to = ticks_[relation.to];
      const Number ratio = to.step / from.step;
      const Number inverse = from.step / to.step;
      if ((ratio.is_integer() || inverse.is_integer()) && from.first == to.first) continue;
      throw Error("M352",
                  fmt::format("no factor relates the clocks of {} and {} here: their intervals are "
                              "no multiples of each other, or they do not begin together.",
                              part_name(relation.from), part_name(relation.to)),
                  *relation.origin);
    }
  }

  // ---- the result -------------------------------------------------------------------------------

  void hand_out() {
    const std::vector<std::string> methods = solver_methods();
    using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                           std::string>;
    std::map<Key, std::uint32_t> known;
    std::vector<std::uint32_t> clock_of_part;
    for (std::uint32_t part = 0; part < parts_.parts.size(); ++part) {
      const Ticks& ticks = ticks_[part];
      clock_of_part.push_back(no_clock);
      if (base_of_part_[part] == no_clock) continue;
      const Key key{base_of_part_[part],    ticks.first.numerator(),  ticks.first.denominator(),
                    ticks.step.numerator(), ticks.step.denominator(), methods[part]};
      const auto [entry, is_new] =
          known.emplace(key, static_cast<std::uint32_t>(result_.clocks.size()));
      clock_of_part.back() = entry->second;
      if (!is_new) continue;
      result_.clocks.push_back({.base = base_of_part_[part],
                                .first = ticks.first,
                                .step = ticks.step,
                                .origin = *parts_.parts[part].origin});
      result_.solver_methods.push_back(methods[part]);
    }
    const auto clock_of = [&](std::uint32_t part) {
      return part == no_clock ? no_clock : clock_of_part[part];
    };
    const auto clocks_of = [&](const std::vector<std::uint32_t>& parts) {
      std::vector<std::uint32_t> clocks(parts.size());
      std::ranges::transform(parts, clocks.begin(), clock_of);
      return clocks;
    };
    result_.clock_of_equation = clocks_of(parts_.of_equation);
    result_.clock_of_discrete = clocks_of(parts_.of_discrete_equation);
    result_.clock_of_argument = clocks_of(parts_.of_argument);
    result_.is_used = std::move(parts_.is_operator_used);
    result_.clock_symbols = std::move(parts_.clock_symbols);
    result_.clock_of_symbol = std::move(parts_.of_symbol);
    for (auto& [symbol, clock] : result_.clock_of_symbol) clock = clock_of_part[clock];
  }

  /// Of each part; where none is given for it, that of a part it is related to.
  std::vector<std::string> solver_methods() {
    std::vector<std::string> methods(parts_.parts.size());
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (!parts_.is_definition_used[i] || clock.definition.solver_method.empty()) continue;
      std::string& method = methods[parts_.of_definition[i]];
      if (!method.empty() && method != clock.definition.solver_method)
        throw Error("M352",
                    fmt::format("the solver methods '{}' and '{}' are given for one clock.", method,
                                clock.definition.solver_method),
                    clock.origin);
      method = clock.definition.solver_method;
    }
    for (bool again = true; again;) {  // along the relations
      again = false;
      for (const Relation& relation : relations_) {
        std::string& from = methods[relation.from];
        std::string& to = methods[relation.to];
        if (from.empty() == to.empty()) continue;
        again = true;
        (from.empty() ? from : to) = from.empty() ? to : from;
      }
    }
    return methods;
  }

  const flat::FlatSystem& system_;
  const ClockRecords& records_;
  const symbolic::ExprPool& pool_;
  ClockParts parts_;
  ClockPartition result_;
  std::vector<Relation> relations_;
  std::vector<char> is_placed_;              // [n parts]
  std::vector<Ticks> ticks_;                 // [n parts]
  std::vector<std::uint32_t> base_of_part_;  // [n parts]
  std::uint32_t seconds_ = no_clock;
  std::unordered_map<ExprId, std::uint32_t> base_by_interval_;  // looked up, never iterated
};

}  // namespace

ClockPartition infer_clocks(const flat::FlatSystem& system, const ClockRecords& records) {
  return Inference(system, records).run();
}

}  // namespace alembert::modelica
