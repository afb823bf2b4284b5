// SPDX-License-Identifier: Apache-2.0
// Units that a user or a model wants values to be shown in, in place of those of the result.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "alembert/result/column_notes.hpp"

namespace alembert::commands {

using UnitsByName = std::map<std::string, std::string, std::less<>>;

/// What `wanted` ("deg,bar,km/h") makes of the columns: each of its units applies to those whose
/// unit measures alike. Error U007 for a text that is no unit, or one that no column could be shown
/// in.
UnitsByName asked_display_units(const std::string& wanted, const UnitsByName& units);

/// Notes the display units of a model beside the units.
void note_display_units(const UnitsByName& display_units, result::ColumnNotes& notes);

}  // namespace alembert::commands
