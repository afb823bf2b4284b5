// SPDX-License-Identifier: Apache-2.0
#include "visual/leak_suppressions.hpp"
