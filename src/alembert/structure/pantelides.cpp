// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/pantelides.hpp"

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::structure {

namespace {

class Pantelides {
 public:
  explicit Pantelides(Structure& structure)
      : s_(structure), var_to_eq_(structure.var_to_eq), var_mark_(structure.variables.size(), 0) {}

  void run() {
    left_over_ = left_over_equations();
    for (std::size_t k = 0; k < left_over_.size(); ++k) {
      Index equation = left_over_[k];
      while (!augment(equation)) {
        differentiate_marked();
        equation = s_.equations[equation].derivative;
      }
    }
  }

 private:
  struct Frame {
    Index equation;
    Index next;   // position in the equation's row
    Index taken;  // variable that leads to the next frame
  };

  /// The equations that a maximum matching leaves without a highest derivative. Which matching it
  /// is makes no difference to what is differentiated: a left-over equation and all it can reach
  /// are too many for their variables, whatever the rest is matched to.
  std::vector<Index> left_over_equations() {
    match_highest(s_);
    std::vector<char> matched(s_.n_sources, 0);
    for (const Index e : var_to_eq_)
      if (e != none) matched[e] = 1;
    std::vector<Index> left_over;
    for (Index e = 0; e < s_.n_sources; ++e)
      if (!matched[e]) left_over.push_back(e);
    return left_over;
  }

  /// Looks for an augmenting path from `root` over highest derivatives; marks what it visits.
  bool augment(Index root) {
    ++epoch_;
    marked_equations_.assign(1, root);
    marked_variables_.clear();
    path_.assign(1, {root, 0, none});
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const auto row = s_.incidence[frame.equation];
      if (frame.next == 0)  // a free variable ends the search at once
        for (const Index v : row)
          if (s_.is_highest(v) && var_to_eq_[v] == none) {
            frame.taken = v;
            for (const Frame& step : path_) var_to_eq_[step.taken] = step.equation;
            return true;
          }
      while (frame.next < row.size()) {
        const Index v = row[frame.next++];
        if (s_.is_highest(v) && var_mark_[v] != epoch_) {
          frame.taken = v;
          break;
        }
      }
      if (frame.taken == none) {
        path_.pop_back();
        if (!path_.empty()) path_.back().taken = none;
        continue;
      }
      // Its equation was not visited before: the way there leads through this variable only.
      var_mark_[frame.taken] = epoch_;
      marked_variables_.push_back(frame.taken);
      marked_equations_.push_back(var_to_eq_[frame.taken]);
      path_.push_back({marked_equations_.back(), 0, none});
    }
    return false;
  }

  /// After a search in vain, when all marked variables are matched to marked equations.
  void differentiate_marked() {
    std::sort(marked_variables_.begin(), marked_variables_.end());
    std::sort(marked_equations_.begin(), marked_equations_.end());
    for (const Index v : marked_variables_) {
      s_.variables[v].derivative = static_cast<Index>(s_.variables.size());
      s_.variables.push_back({s_.variables[v].unknown, s_.variables[v].order + 1});
      var_mark_.push_back(0);
    }
    for (const Index e : marked_equations_) {
      s_.equations[e].derivative = static_cast<Index>(s_.equations.size());
      s_.equations.push_back({s_.equations[e].source, s_.equations[e].order + 1});
      row_.clear();
      if (!read_told_row(s_.equations.back()))
        for (const Index v : s_.incidence[e]) {
          ensure(!s_.is_highest(v), "every variable of a differentiated equation has a derivative");
          row_.push_back(v);
          row_.push_back(s_.variables[v].derivative);
        }
      std::sort(row_.begin(), row_.end());
      row_.erase(std::unique(row_.begin(), row_.end()), row_.end());
      s_.incidence.items.insert(s_.incidence.items.end(), row_.begin(), row_.end());
      s_.incidence.end_list();
    }
    // The derivative of a matched pair is a matched pair, unless a function tells otherwise.
    for (const Index v : marked_variables_) {
      const Index equation = s_.equations[var_to_eq_[v]].derivative;
      const auto row = s_.incidence[equation];
      const bool is_pair = s_.told_rows.empty() ||
                           std::binary_search(row.begin(), row.end(), s_.variables[v].derivative);
      if (!is_pair) left_over_.push_back(equation);
      var_to_eq_.push_back(is_pair ? equation : none);
      var_to_eq_[v] = none;
    }
  }

  /// What functions tell about a derivative. False where they tell nothing.
  bool read_told_row(const Equation& equation) {
    const auto key = [](const auto& row) { return std::pair(row.source, row.order); };
    const auto told = std::ranges::lower_bound(s_.told_rows, key(equation), {}, key);
    if (told == s_.told_rows.end() || key(*told) != key(equation)) return false;
    if (first_of_unknown_.empty()) {
      first_of_unknown_.assign(s_.n_unknowns, none);
      for (Index v = 0; v < s_.variables.size(); ++v)
        if (s_.variables[v].order == 0) first_of_unknown_[s_.variables[v].unknown] = v;
    }
    for (const auto& [unknown, order] : told->entries) {
      Index v = first_of_unknown_[unknown];
      for (Index k = 0; k < order && v != none; ++k) v = s_.variables[v].derivative;
      if (v == none) {  // nobody else knows this derivative
        row_.clear();
        return false;
      }
      row_.push_back(v);
    }
    return true;
  }

  Structure& s_;
  std::vector<Index>& var_to_eq_;        // [n variables], grows
  std::vector<std::uint32_t> var_mark_;  // [n variables], grows; epoch of the last visit
  std::uint32_t epoch_ = 0;
  std::vector<Frame> path_;
  std::vector<Index> marked_equations_;
  std::vector<Index> marked_variables_;
  std::vector<Index> row_;
  std::vector<Index> left_over_;         // equations, grows
  std::vector<Index> first_of_unknown_;  // [n_unknowns]: variables; empty until it is asked for
};

}  // namespace

void pantelides(Structure& structure) { Pantelides(structure).run(); }

}  // namespace alembert::structure
