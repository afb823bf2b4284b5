// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. When something changes inside a step. In: a sample from before the change and
// one from after it, and how to take samples in between. Out: the same two, as close to each other
// as is asked for. The Illinois method (Dowell and Jarratt, BIT 11, 1971), that is false
// position in which the value at an end is halved each time that end stays, on several functions
// at once; it bisects if three passes have not halved the bracket.
#pragma once

#include <vector>

#include "alembert/integrate/function_ref.hpp"

namespace alembert::integrate {

/// Functions of the time, and of the state then.
struct Sample {
  double t = 0;
  std::vector<double> values;  // [n_functions]
};

/// The earliest zero of the straight lines through functions that change their sign between two
/// samples, after their values were multiplied by these weights; infinite if there is none.
double earliest_zero(const Sample& before, const Sample& after, double weight_before,
                     double weight_after);

struct ChangeSearch {
  /// The earliest zero of the straight lines through what changes from one sample to the other,
  /// after their values were multiplied by these weights; not finite if there is none.
  FunctionRef<double(double weight_before, double weight_after)> secant;
  /// Takes a sample; false if there are no values at t.
  FunctionRef<bool(double t, Sample&)> look;
  /// True if the change has happened by then.
  FunctionRef<bool(const Sample&)> is_after;
};

/// So many roundings of the time, between these samples.
double roundings_of_time(double n_eps, const Sample& before, const Sample& after);

/// Stops when the samples are `finest` apart, or a look fails. `middle` is work; it has the size of
/// the others.
void isolate_change(Sample& before, Sample& after, Sample& middle, double finest,
                    const ChangeSearch& search);

}  // namespace alembert::integrate
