// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Numbers inside of a page: columns as compressed text. In: columns of doubles. Out:
// a reference for each (a number, or a place in the text) and the text: base64 of zlib of the bytes
// in planes, first bytes first, which compresses better. Equal columns are kept once.
// viewer/src/payload.ts reads it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

namespace alembert::visual {

using Json = nlohmann::ordered_json;

class PageData {
 public:
  enum class Width { doubles, floats };

  Json add(std::span<const double> column, Width width = Width::doubles);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::multimap<std::size_t, std::pair<std::size_t, std::size_t>> known_;  // hash to offset, length
};

/// zlib of the bytes, as base64.
std::string packed(std::string_view bytes, int level);

}  // namespace alembert::visual
