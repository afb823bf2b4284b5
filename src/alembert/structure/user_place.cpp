// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/user_place.hpp"

namespace alembert::structure {

Origin user_place(const flat::FlatSystem& flat, std::span<const Origin> places) {
  if (!flat.origin.span.known()) return places.front();
  for (const Origin& place : places)
    if (place.span.known() && place.span.file == flat.origin.span.file) return place;
  return flat.origin;
}

}  // namespace alembert::structure
