// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/hand_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/model_methods.hpp"

namespace alembert::integrate {
namespace {

void require_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  throw Error("I011", std::string(what) + " has " + std::to_string(size) + " values where " +
                          std::to_string(expected) + " are needed: one for each unknown.");
}

void require_number(std::string_view what, double value) {
  if (!std::isfinite(value))
    throw Error("I011",
                std::string(what) + " is " + number_text(value) + ", and must be a number.");
}

void require_not_negative(std::string_view what, double value) {
  require_number(what, value);
  if (value < 0)
    throw Error("I011",
                std::string(what) + " is " + number_text(value) + ", and must not be negative.");
}

void require_mass(const std::vector<double>& mass, std::size_t n) {
  if (!mass.empty() && mass.size() != n && mass.size() != n * n)
    throw Error("I011", "the mass matrix has " + std::to_string(mass.size()) + " values where " +
                            std::to_string(n) + ", its diagonal, or " + std::to_string(n * n) +
                            ", all of it column by column, are needed.");
  for (std::size_t k = 0; k < mass.size(); ++k) {
    const bool is_diagonal = mass.size() == n;
    require_number("HandProblem::mass in row " + std::to_string(1 + (is_diagonal ? k : k % n)) +
                       ", column " + std::to_string(1 + (is_diagonal ? k : k / n)),
                   mass[k]);
  }
}

void require_velocities_of_their_own(const std::vector<std::uint32_t>& velocity_of) {
  const std::size_t n = velocity_of.size();
  std::vector<bool> taken(n, false);
  for (const std::uint32_t j : velocity_of) {
    if (j == n) continue;
    if (j > n || taken[j])
      throw Error("I011", "in HandProblem::velocity_of " + std::to_string(j) +
                              (j > n ? " is no unknown: they are counted from 0, and " +
                                           std::to_string(n) + " stands for none."
                                     : " occurs twice: no two unknowns have one velocity."));
    taken[j] = true;
  }
}

/// The function, tried near the start.
class Trial {
 public:
  explicit Trial(const HandProblem& problem)
      : problem_(problem), n_(problem.start.size()), names_(names_of(problem)) {
    is_velocity_.assign(n_, false);
    for (const std::uint32_t j : problem.velocity_of)
      if (j < n_) is_velocity_[j] = true;
  }

  /// At the start itself much may be zero, as terms of a velocity and a position together are.
  void check_velocities(const std::string& separable_method) const {
    const std::vector<double> here = problem_.start;
    const std::vector<double> beside = moved(here, false);
    for (const std::vector<double>& u : {here, beside}) {
      const std::vector<double> faster = moved(u, true);
      const std::vector<double> f = slopes(u), f_faster = slopes(faster);
      require_velocities(u, f);
      require_velocities(faster, f_faster);
      if (!separable_method.empty()) require_separable(f, f_faster, separable_method);
    }
  }

 private:
  std::vector<double> slopes(const std::vector<double>& u) const {
    std::vector<double> f(n_);
    problem_.f(f, u, problem_.parameters, problem_.t_start);
    return f;
  }

  /// All velocities, or all else, a little, and no two of them alike.
  std::vector<double> moved(std::vector<double> u, bool velocities) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (is_velocity_[i] == velocities)
        u[i] += 1e-3 * (1 + 0.1 * std::sin(1.0 + static_cast<double>(i))) *
                (u[i] != 0 ? std::abs(u[i]) : 1.0);
    return u;
  }

  /// Where there is no value, nothing is known.
  static bool differ(double a, double b, double share) {
    return std::abs(a - b) > share * std::max(std::abs(a), std::abs(b));
  }

  std::string row(std::size_t i) const { return "row " + std::to_string(i + 1) + " of f"; }

  void require_velocities(const std::vector<double>& u, const std::vector<double>& f) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint32_t j = problem_.velocity_of[i];
      if (j < n_ && differ(f[i], u[j], rounding_in_f))
        throw Error("I011", "by HandProblem::velocity_of the derivative of '" + names_[i] +
                                "' is '" + names_[j] + "', but near the start " + row(i) + " is " +
                                rounded_text(f[i]) + " where '" + names_[j] + "' is " +
                                rounded_text(u[j]) +
                                ". Let an unknown be the derivative itself, or leave velocity_of "
                                "empty and take a method that does not need it, such as auto.");
    }
  }

  void require_separable(const std::vector<double>& f, const std::vector<double>& f_faster,
                         const std::string& method) const {
    for (std::size_t j = 0; j < n_; ++j)
      if (is_velocity_[j] && differ(f[j], f_faster[j], 100 * eps))
        throw Error("I010", "the method '" + method +
                                "' is for accelerations that do not depend on velocities, and "
                                "here that of '" +
                                names_[j] + "' does: " + row(j) +
                                " changes with the velocities that HandProblem::velocity_of "
                                "names. Use newmark, or a method with error control, such as "
                                "auto.");
  }

  static constexpr double rounding_in_f = 1e-9;

  const HandProblem& problem_;
  std::size_t n_;
  std::vector<std::string> names_;
  std::vector<bool> is_velocity_;
};

[[noreturn]] void throw_unknown_method(const std::string& method) {
  std::string names;
  for (const MethodInfo* known : all_methods())
    names += (names.empty() ? "" : ", ") + std::string(known->name);
  const std::string why =
      find_method(method) != nullptr || method == suitable_fixed
          ? "the method '" + method +
                "' reads the equations of a model: it needs a Model and `simulate`, and a function "
                "by hand does not tell it enough. The methods for that are "
          : "there is no method named '" + method + "'. The methods are ";
  throw Error("I003", why + names + ".");
}

}  // namespace

std::vector<std::string> names_of(const HandProblem& problem) {
  if (!problem.names.empty()) return problem.names;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < problem.start.size(); ++i)
    names.push_back("u[" + std::to_string(i + 1) + "]");
  return names;
}

void check_sizes(const HandProblem& problem) {
  const std::size_t n = problem.start.size();
  require_size("the list of names", names_of(problem).size(), n);
  if (!problem.velocity_of.empty()) require_size("velocity_of", problem.velocity_of.size(), n);
  require_velocities_of_their_own(problem.velocity_of);
  require_mass(problem.mass, n);
  std::set<std::string> seen{"time"};
  for (const std::string& name : problem.names)
    if (!seen.insert(name).second)
      throw Error("I011", name == "time" ? "an unknown is named 'time', which is the name of time "
                                           "itself. Give it another name."
                                         : "two unknowns are named '" + name +
                                               "'. Give each a name of its own.");
}

void check_function(const HandProblem& problem) {
  const std::size_t n = problem.start.size();
  constexpr double mark = 1.25;
  std::vector<double> first(n, std::numeric_limits<double>::quiet_NaN()), second(n, mark);
  problem.f(first, problem.start, problem.parameters, problem.t_start);
  const auto is_missing = [](double value) { return std::isnan(value); };
  if (std::ranges::none_of(first, is_missing)) return;
  problem.f(second, problem.start, problem.parameters, problem.t_start);
  for (std::size_t i = 0; i < n; ++i)
    if (is_missing(first[i]) && second[i] == mark)
      throw Error("I011", "f writes nothing into out[" + std::to_string(i) + "], row " +
                              std::to_string(i + 1) + " of " + std::to_string(n) +
                              ": each of the unknowns needs an equation, also one that stays as it "
                              "is, whose derivative is 0.");
}

void check_options(const HandProblem& problem, const SolveOptions& options) {
  const std::vector<std::string> names = names_of(problem);
  for (std::size_t i = 0; i < names.size(); ++i)
    require_number("the start value of '" + names[i] + "'", problem.start[i]);
  require_number("HandProblem::t_start", problem.t_start);
  require_number("HandProblem::t_stop", problem.t_stop);
  require_not_negative("SolveOptions::step", options.step);
  require_not_negative("SolveOptions::relative_tolerance", options.relative_tolerance);
  require_not_negative("SolveOptions::absolute_tolerance", options.absolute_tolerance);
  if (options.relative_tolerance == 0 && options.absolute_tolerance == 0)
    throw Error("I011",
                "relative_tolerance and absolute_tolerance are both zero: no step is as exact as "
                "that. Give one of them a value above rounding, such as 1e-12.");
}

void check_method(const HandProblem& problem, const SolveOptions& options) {
  const MethodInfo* method = nullptr;
  for (const MethodInfo* known : all_methods())
    if (known->name == options.method) method = known;
  if (method == nullptr) throw_unknown_method(options.method);
  if (problem.velocity_of.empty()) {
    if ((method->needs_velocities || method->needs_separable) && problem.mass.empty())
      throw Error("I010", "the method '" + options.method +
                              "' needs to know which unknowns are positions, and which are their "
                              "velocities. Say so with HandProblem::velocity_of, or use auto.");
    return;
  }
  if (problem.mass.empty())
    Trial(problem).check_velocities(method->needs_separable ? options.method : "");
}

}  // namespace alembert::integrate
