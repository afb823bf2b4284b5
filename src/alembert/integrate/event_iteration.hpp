// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What happens at the instant of an event. In: a ModelPoint at its left limit.
// Out: the right limit: variables, modes and discrete variables that agree with each other, and
// every pre(v) equal to v. Modes and discrete variables are first iterated together; where that
// goes in circles, one mode at a time in their order (Murty's least-index rule, which settles
// complementary pairs such as ideal diodes), then combinations of those that took part, then of all
// that stand in equations which are solved together with theirs, those first in which the fewest
// change; last such in which a comparison fails by no more than rounding.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/crossing_noise.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// Brings the continuous part in agreement with the constants of the point; false if it cannot.
using SolveContinuous = FunctionRef<bool()>;

class EventIteration {
 public:
  explicit EventIteration(ModelPoint& point);

  enum class End {
    settled,
    no_values,      ///< the continuous part could not be solved with any modes tried
    contradiction,  ///< no combination of modes agrees with the equations
    endless,        ///< discrete variables keep changing
    missing,        ///< discrete variables have no value
    unreachable,    ///< a reinit of what follows from states wants a value that no states give
  };
  struct Result {
    End end = End::settled;
    bool changed = false;     ///< a state or a constant of the continuous part is not as before
    bool terminated = false;  ///< a terminate() was reached
    std::string termination = {};               ///< its message
    std::vector<std::uint32_t> modes = {};      ///< those without agreement
    std::vector<std::uint32_t> discretes = {};  ///< those that keep changing, or have no value
    std::vector<std::uint32_t> variables = {};  ///< those that were not reached
  };

  /// To be asked where no modes were found with which there are values, once for each settling:
  /// true if another attempt may find more.
  void before_giving_up(std::function<bool()> try_harder) { try_harder_ = std::move(try_harder); }
  /// Enters modes and discrete variables as they are with the variables that the point has.
  void guess();
  /// Settles modes and discrete variables, with pre(v) as it is.
  Result settle(SolveContinuous solve);
  /// The whole event: settle, reinit, pre(v) := v, until nothing changes.
  Result run(SolveContinuous solve);
  /// How far "just after" is. Of what time alone decides it is rounding only: an event a moment
  /// later is an event of its own.
  struct Moment {
    double of_states;
    double of_time;
  };
  /// Enters what modes would be just after the point, along the derivatives, and runs the event
  /// again if that changes one: a comparison of equals takes the side to which it goes.
  Result look_ahead(const Moment& after, SolveContinuous solve);
  /// Where events follow each other without end because the solution that was followed ends here
  /// (a fold): goes over to modes under which another one goes on. `modes`: those that changed.
  /// False, and the point as it was, if there are none.
  bool leave(std::span<const std::uint32_t> modes, const Moment& after, SolveContinuous solve);
  /// How large crossing functions have been between events: at events of their own they are zero.
  void know_sizes(std::span<const double> sizes);  // [n_crossings]
  /// pre(v) := v; true if a discrete variable was not so.
  bool advance_previous();
  /// The message of a `terminate` whose condition holds at the point.
  std::optional<std::string> termination();
  void exchange(Archive& archive) { archive(sizes_); }

 private:
  Result settle_once(SolveContinuous solve);
  bool update_modes(bool only_first);
  /// True if one of them changed; in later passes by more than rounding.
  bool update_discretes(int pass = 0);
  bool modes_agree(bool exactly);
  void run_modes();
  bool settle_discretes(SolveContinuous solve);
  std::vector<std::uint32_t> discretes_in_circles(SolveContinuous solve);
  /// Modes that may be chosen: those that took part, with all that are coupled with them or not.
  std::vector<std::size_t> choices(bool with_coupled) const;
  using Accept = FunctionRef<bool()>;
  bool search(const std::vector<std::size_t>& free, Accept accept);
  bool search(SolveContinuous solve);
  /// Enters modes that time alone decides; true if one changed.
  bool update_timed_modes();
  bool see_ahead(const Moment& after);
  void keep_decided();
  bool follow_ahead(const Moment& after, std::vector<std::uint32_t>& changed);
  std::vector<std::uint32_t> undone_ahead(const Moment& after,
                                          std::span<const std::uint32_t> changed);
  void see_timed_ahead(double after);
  struct Saved {
    std::vector<double> variables, constants;
    const compile::CompiledChart* chart = nullptr;  // another where modes have their own structure
  };
  void save(Saved& saved) const;
  void restore(const Saved& saved);
  bool apply_reinits(Result& result, SolveContinuous solve);
  void note_terminations(Result& result);
  std::span<double> modes() { return point_.constants().subspan(layout_.modes, n_modes_); }
  std::span<double> discretes() {
    return point_.constants().subspan(layout_.discretes, n_discretes_);
  }
  std::span<double> previous() {
    return point_.constants().subspan(layout_.previous_discretes, n_discretes_);
  }

  ModelPoint& point_;
  const compile::ConstantLayout& layout_;
  const compile::EventKernels& kernels_;
  std::size_t n_modes_;
  std::size_t n_discretes_;
  std::vector<double> new_modes_;      // [n_modes, n_crossings]
  std::vector<double> sizes_;          // [n_crossings]: largest so far
  std::vector<double> new_discretes_;  // [n_discretes]
  std::vector<double> reinits_;        // [2 n_reinits]: conditions, values
  std::vector<double> terminations_;
  std::vector<double> ahead_;  // [n_modes + n_crossings]
  CrossingNoise rounding_;
  std::vector<double> saved_modes_;                          // [n_modes]: as `run` found them
  Saved before_;                                             // as `settle` found the point
  std::vector<double> states_, derivatives_, ahead_states_;  // [n_states]
  std::vector<char> involved_;                               // [n_modes]: changed while settling
  std::vector<std::uint32_t> reinit_variables_;              // [n_reinits]: variables of the model
  std::vector<std::uint32_t> previous_variables_;            // of which pre(x) is used
  std::vector<std::uint32_t> stepped_;  // discrete variables that advance_previous changed
  std::function<bool()> try_harder_;
  bool hold_modes_ = false;  // modes were set by looking ahead
  bool hold_timed_ = false;  // those that time alone decides
  double timed_ahead_ = 0;   // with modes held: how far after the event those of time are
};

}  // namespace alembert::integrate
