// SPDX-License-Identifier: Apache-2.0
// Stage: base. A function of a model that can give no value tells why here, since a NaN does not;
// who explains the end of a run asks after having evaluated it again.
#pragma once

#include <string>

namespace alembert {

/// What the function said; the first complaint since the last one was taken is kept, on each
/// thread.
void complain(std::string text);

/// Empty if nobody complained. Forgets it.
std::string take_complaint();

}  // namespace alembert
