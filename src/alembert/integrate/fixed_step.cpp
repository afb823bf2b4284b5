// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/fixed_step.hpp"

#include <algorithm>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/tableaus/compositions.hpp"

namespace alembert::integrate {

FixedStep::FixedStep(const OdeSystem& system, const MethodInfo& info)
    : OneStepOfSystem(system), info_(&info) {
  for (auto* v : {&f_, &f_old_, &f_new_}) v->assign(system.n, 0);
}

bool FixedStep::start(double t, std::span<const double> y) {
  accepted_ = false;
  return put(t, y, f_);
}

Attempt FixedStep::attempt(double h, const Tolerances& tolerances) {
  accepted_ = false;
  h_ = h;
  if (!advance(h, tolerances) || !all_finite(y_new_.data(), y_new_.size())) return {};
  return {.finite = true, .error = 0};
}

void FixedStep::accept(double t_new) {
  take(t_new);
  f_old_.swap(f_);
  f_.swap(f_new_);
  accepted_ = true;
}

void FixedStep::exchange(Archive& archive) {
  archive(t_, h_, y_, y_old_, f_);
  accepted_ = false;
}

bool FixedStep::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  const double left = 1 - theta;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double rise = y_[i] - y_old_[i];
    y[i] = y_old_[i] + theta * rise +  // what rests does so to the last bit
           theta * left * ((2 * theta - 1) * rise + h_ * (left * f_old_[i] - theta * f_[i]));
  }
  return true;
}

PhaseSpace::PhaseSpace(const OdeSystem& system, std::string_view method) {
  std::vector<char> known(system.n, 0);
  for (std::uint32_t i = 0; i < system.n; ++i) {
    if (system.velocity_of[i] >= system.n) continue;
    position.push_back(i);
    velocity.push_back(system.velocity_of[i]);
    known[i] = known[system.velocity_of[i]] = 1;
  }
  const bool complete = std::all_of(known.begin(), known.end(), [](char k) { return k != 0; });
  if (!complete || 2 * position.size() != system.n)
    throw Error("I010", "the method '" + std::string(method) +
                            "' is for systems in which every state is a position or the velocity "
                            "of one. Use another method, such as dop853 or rodas5p.");
}

KicksAndDrifts::KicksAndDrifts(const OdeSystem& system, std::span<const double> half,
                               std::string_view method)
    : weights_(half.begin(), half.end()) {
  for (std::size_t i = half.size() - 1; i-- > 0;) weights_.push_back(half[i]);
  if (system.is_momentum == nullptr) {
    PhaseSpace space(system, method);
    position_ = std::move(space.position);
    velocity_ = momentum_ = std::move(space.velocity);
    return;
  }
  for (std::uint32_t i = 0; i < system.n; ++i)
    (system.is_momentum[i] != 0 ? momentum_ : position_).push_back(i);
  if (system.velocity_of == nullptr) return;
  for (const std::uint32_t q : position_)
    if (system.velocity_of[q] < system.n) velocity_.push_back(system.velocity_of[q]);
  if (velocity_.size() < position_.size()) velocity_.clear();
}

bool KicksAndDrifts::advance(CountedSystem& system, double t, double h,
                             const std::vector<double>& y, const std::vector<double>& f,
                             std::vector<double>& y_new, std::vector<double>& f_new) const {
  std::copy(y.begin(), y.end(), y_new.begin());
  std::copy(f.begin(), f.end(), f_new.begin());
  double part = 0;  // of the step that is behind
  for (std::size_t s = 0; s < weights_.size(); ++s) {
    const double hs = weights_[s] * h;
    for (const std::uint32_t p : momentum_) y_new[p] += 0.5 * hs * f_new[p];
    if (velocity_.empty()) {
      const double middle = t + (part + 0.5 * weights_[s]) * h;
      if (!system.rhs(middle, y_new.data(), f_new.data())) return false;
      for (const std::uint32_t q : position_) y_new[q] += hs * f_new[q];
    } else {
      for (std::size_t k = 0; k < position_.size(); ++k)
        y_new[position_[k]] += hs * y_new[velocity_[k]];
    }
    part = s + 1 == weights_.size() ? 1 : part + weights_[s];
    if (!system.rhs(t + part * h, y_new.data(), f_new.data())) return false;
    for (const std::uint32_t p : momentum_) y_new[p] += 0.5 * hs * f_new[p];
  }
  if (velocity_.empty()) return system.rhs(t + h, y_new.data(), f_new.data());
  for (std::size_t k = 0; k < position_.size(); ++k) f_new[position_[k]] = y_new[velocity_[k]];
  return true;
}

namespace {

class Euler final : public FixedStep {
 public:
  explicit Euler(const OdeSystem& system) : FixedStep(system, euler_info) {}

 private:
  bool advance(double h, const Tolerances&) override {
    for (std::size_t i = 0; i < y_.size(); ++i) y_new_[i] = y_[i] + h * f_[i];
    return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }
};

class ClassicalRungeKutta final : public FixedStep {
 public:
  explicit ClassicalRungeKutta(const OdeSystem& system)
      : FixedStep(system, rk4_info), k2_(system.n), k3_(system.n), k4_(system.n) {}

 private:
  bool advance(double h, const Tolerances&) override {
    const auto stage = [&](double part, const std::vector<double>& slope,
                           std::vector<double>& next) {
      for (std::size_t i = 0; i < y_.size(); ++i) y_new_[i] = y_[i] + part * h * slope[i];
      return counted_.rhs(t_ + part * h, y_new_.data(), next.data());
    };
    if (!stage(0.5, f_, k2_) || !stage(0.5, k2_, k3_) || !stage(1, k3_, k4_)) return false;
    for (std::size_t i = 0; i < y_.size(); ++i)
      y_new_[i] = y_[i] + h / 6 * (f_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
    return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }

  std::vector<double> k2_, k3_, k4_;  // each [n]
};

/// First the velocities, then the positions with the new velocities.
class SemiImplicitEuler final : public FixedStep {
 public:
  explicit SemiImplicitEuler(const OdeSystem& system)
      : FixedStep(system, semi_implicit_euler_info),
        space_(system, semi_implicit_euler_info.name) {}

 private:
  bool advance(double h, const Tolerances&) override {
    for (std::size_t k = 0; k < space_.position.size(); ++k) {
      const std::uint32_t q = space_.position[k], v = space_.velocity[k];
      y_new_[v] = y_[v] + h * f_[v];
      y_new_[q] = y_[q] + h * y_new_[v];
    }
    return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }

  PhaseSpace space_;
};

class Composition final : public FixedStep {
 public:
  Composition(const OdeSystem& system, const MethodInfo& info, std::span<const double> half)
      : FixedStep(system, info), moves_(system, half, info.name) {}

 private:
  bool advance(double h, const Tolerances&) override {
    return moves_.advance(counted_, t_, h, y_, f_, y_new_, f_new_);
  }

  KicksAndDrifts moves_;
};

}  // namespace

std::unique_ptr<Stepper> make_euler(const OdeSystem& system) {
  return std::make_unique<Euler>(system);
}
std::unique_ptr<Stepper> make_rk4(const OdeSystem& system) {
  return std::make_unique<ClassicalRungeKutta>(system);
}
std::unique_ptr<Stepper> make_semi_implicit_euler(const OdeSystem& system) {
  return std::make_unique<SemiImplicitEuler>(system);
}
std::unique_ptr<Stepper> make_verlet(const OdeSystem& system) {
  return std::make_unique<Composition>(system, verlet_info, tableaus::verlet);
}
std::unique_ptr<Stepper> make_symplectic4(const OdeSystem& system) {
  return std::make_unique<Composition>(system, symplectic4_info, tableaus::composition4);
}
std::unique_ptr<Stepper> make_symplectic6(const OdeSystem& system) {
  return std::make_unique<Composition>(system, symplectic6_info, tableaus::composition6);
}
std::unique_ptr<Stepper> make_symplectic8(const OdeSystem& system) {
  return std::make_unique<Composition>(system, symplectic8_info, tableaus::composition8);
}

}  // namespace alembert::integrate
