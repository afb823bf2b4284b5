// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/pantelides.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::structure {

namespace {

class Pantelides {
 public:
  explicit Pantelides(Structure& structure)
      : s_(structure),
        var_to_eq_(structure.variables.size(), none),
        eq_mark_(structure.equations.size(), 0),
        var_mark_(structure.variables.size(), 0) {}

  void run() {
    for (Index source = 0; source < s_.n_sources; ++source) {
      Index equation = source;
      while (!augment(equation)) {
        differentiate_marked();
        equation = s_.equations[equation].derivative;
      }
    }
  }

 private:
  struct Frame {
    Index equation;
    Index next;  // position in the equation's row
  };

  bool eligible(Index variable) const { return s_.is_highest(variable); }

  /// Looks for an augmenting path from `equation` over highest derivatives; marks what it visits.
  bool augment(Index root) {
    ++epoch_;
    marked_equations_.clear();
    marked_variables_.clear();
    std::vector<Frame> path{{root, 0}};
    mark_equation(root);
    while (!path.empty()) {
      Frame& frame = path.back();
      const auto row = s_.incidence[frame.equation];
      if (frame.next == 0) {  // a free variable ends the search at once
        for (const Index v : row)
          if (eligible(v) && var_to_eq_[v] == none) {
            mark_variable(v);
            assign_along(path, v);
            return true;
          }
      }
      bool deeper = false;
      while (frame.next < row.size()) {
        const Index v = row[frame.next++];
        if (!eligible(v) || var_mark_[v] == epoch_) continue;
        mark_variable(v);
        taken_.resize(std::max(taken_.size(), path.size()));
        taken_[path.size() - 1] = v;
        mark_equation(var_to_eq_[v]);
        path.push_back({var_to_eq_[v], 0});
        deeper = true;
        break;
      }
      if (!deeper) path.pop_back();
    }
    return false;
  }

  void assign_along(const std::vector<Frame>& path, Index last) {
    for (std::size_t i = 0; i < path.size(); ++i)
      var_to_eq_[i + 1 < path.size() ? taken_[i] : last] = path[i].equation;
  }

  void mark_equation(Index equation) {
    eq_mark_[equation] = epoch_;
    marked_equations_.push_back(equation);
  }

  void mark_variable(Index variable) {
    var_mark_[variable] = epoch_;
    marked_variables_.push_back(variable);
  }

  void differentiate_marked() {
    std::sort(marked_variables_.begin(), marked_variables_.end());
    std::sort(marked_equations_.begin(), marked_equations_.end());
    for (const Index v : marked_variables_) {
      const auto derivative = static_cast<Index>(s_.variables.size());
      s_.variables[v].derivative = derivative;
      s_.variables.push_back({s_.variables[v].unknown, s_.variables[v].order + 1, none});
      var_to_eq_.push_back(none);
      var_mark_.push_back(0);
    }
    for (const Index e : marked_equations_) {
      const auto derivative = static_cast<Index>(s_.equations.size());
      s_.equations[e].derivative = derivative;
      s_.equations.push_back({s_.equations[e].source, s_.equations[e].order + 1, none});
      eq_mark_.push_back(0);
      std::vector<Index> row;
      for (const Index v : s_.incidence[e]) {
        row.push_back(v);
        ensure(s_.variables[v].derivative != none,
               "every variable of a differentiated equation has a derivative");
        row.push_back(s_.variables[v].derivative);
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      s_.incidence.items.insert(s_.incidence.items.end(), row.begin(), row.end());
      s_.incidence.end_list();
    }
    // The derivative of a matched pair is a matched pair.
    for (const Index v : marked_variables_)
      if (var_to_eq_[v] != none)
        var_to_eq_[s_.variables[v].derivative] = s_.equations[var_to_eq_[v]].derivative;
  }

  Structure& s_;
  std::vector<Index> var_to_eq_;
  std::vector<std::uint32_t> eq_mark_;
  std::vector<std::uint32_t> var_mark_;
  std::uint32_t epoch_ = 0;
  std::vector<Index> marked_equations_;
  std::vector<Index> marked_variables_;
  std::vector<Index> taken_;
};

}  // namespace

void pantelides(Structure& structure) { Pantelides(structure).run(); }

}  // namespace alembert::structure
