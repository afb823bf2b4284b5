// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/tables/mat5.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace alembert::modelica::tables {

namespace {

// Kinds of elements.
constexpr std::uint32_t matrix_element = 14;
constexpr std::uint32_t compressed_element = 15;
constexpr std::uint8_t struct_class = 2;
constexpr std::size_t head_size = 128;
constexpr std::size_t largest_variable = std::size_t{1} << 30;

struct Damaged {};

std::uint32_t word(std::string_view bytes, std::size_t at) {
  if (bytes.size() < 4 || at > bytes.size() - 4) throw Damaged{};
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Element {
  std::uint32_t kind = 0;
  std::string_view data;
};

/// Elements one after the other; those of at most four bytes have a short head.
class Elements {
 public:
  explicit Elements(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ + 8 > bytes_.size(); }

  Element next() {
    const std::uint32_t first = word(bytes_, at_);
    Element element;
    if (first >> 16 != 0) {
      element.kind = first & 0xffff;
      element.data = taken(at_ + 4, first >> 16);
      at_ += 8;
    } else {
      element.kind = first;
      const std::size_t size = word(bytes_, at_ + 4);
      element.data = taken(at_ + 8, size);
      // Compressed ones follow each other without a gap.
      at_ += 8 + (first == compressed_element ? size : (size + 7) / 8 * 8);
    }
    return element;
  }

 private:
  std::string_view taken(std::size_t from, std::size_t size) const {
    if (from > bytes_.size() || size > bytes_.size() - from) throw Damaged{};
    return bytes_.substr(from, size);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::string uncompressed(std::string_view data) {
  std::string result;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw Damaged{};
  struct End {
    z_stream& stream;
    ~End() { inflateEnd(&stream); }
  } end{stream};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  std::array<char, 16384> part;
  int status = Z_OK;
  while (status == Z_OK && result.size() < largest_variable) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) throw Damaged{};
    result.append(part.data(), part.size() - stream.avail_out);
  }
  return result;
}

template <class T>
std::vector<double> as_doubles(std::string_view data) {
  std::vector<double> values(data.size() / sizeof(T));
  for (std::size_t k = 0; k < values.size(); ++k) {
    T value;
    std::memcpy(&value, data.data() + k * sizeof(T), sizeof(T));
    values[k] = static_cast<double>(value);
  }
  return values;
}

/// Numbers are stored in the smallest kind that holds them.
std::vector<double> numbers(const Element& element) {
  switch (element.kind) {
    case 1: return as_doubles<std::int8_t>(element.data);
    case 2: return as_doubles<std::uint8_t>(element.data);
    case 3: return as_doubles<std::int16_t>(element.data);
    case 4: return as_doubles<std::uint16_t>(element.data);
    case 5: return as_doubles<std::int32_t>(element.data);
    case 6: return as_doubles<std::uint32_t>(element.data);
    case 7: return as_doubles<float>(element.data);
    case 9: return as_doubles<double>(element.data);
    case 12: return as_doubles<std::int64_t>(element.data);
    case 13: return as_doubles<std::uint64_t>(element.data);
    default: throw Damaged{};
  }
}

/// A variable, or a field of a struct: its head is read, its content is left in `content`.
struct Variable {
  std::uint8_t kind = 0;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::string_view name;
  Elements content;
};

Variable variable(std::string_view data) {
  Elements elements(data);
  Variable result{.name = {}, .content = elements};
  result.kind = static_cast<std::uint8_t>(word(elements.next().data, 0) & 0xff);
  const Element dims = elements.next();
  if (dims.data.size() != 8) throw Damaged{};  // not of two dimensions
  result.n_rows = word(dims.data, 0);
  result.n_columns = word(dims.data, 4);
  result.name = elements.next().data;
  result.content = elements;
  return result;
}

Matrix matrix_of(Variable& from) {
  const std::vector<double> by_columns = numbers(from.content.next());
  if (from.n_rows != 0 && by_columns.size() / from.n_rows != from.n_columns) throw Damaged{};
  Matrix matrix{from.n_rows, from.n_columns, std::vector<double>(by_columns.size())};
  for (std::size_t k = 0; k < by_columns.size(); ++k)
    matrix.entries[k % from.n_rows * from.n_columns + k / from.n_rows] = by_columns[k];
  return matrix;
}

/// The field of that name; false if there is none. `from` becomes the field.
bool enter_field(Variable& from, std::string_view name) {
  const std::size_t length = word(from.content.next().data, 0);
  const std::string_view names = from.content.next().data;
  if (length == 0) throw Damaged{};
  for (std::size_t k = 0; (k + 1) * length <= names.size(); ++k) {
    const std::string_view padded = names.substr(k * length, length);
    const Element field = from.content.next();
    if (padded.substr(0, padded.find('\0')) != name) continue;
    from = variable(field.data);
    return true;
  }
  return false;
}

/// "s.inner.table" within a variable of the name "s".
bool enter(Variable& from, std::string_view path) {
  std::size_t dot = path.find('.');
  if (from.name != path.substr(0, dot)) return false;
  while (dot != std::string_view::npos) {
    path.remove_prefix(dot + 1);
    dot = path.find('.');
    if (from.kind != struct_class || !enter_field(from, path.substr(0, dot))) return false;
  }
  return from.kind != struct_class;
}

}  // namespace

bool is_mat5(const std::string& bytes) {
  return bytes.size() >= head_size && std::string_view(bytes).substr(126, 2) == "IM";
}

Matrix from_mat5(const std::string& bytes, const std::string& file, const std::string& table) {
  try {
    Elements elements(std::string_view(bytes).substr(head_size));
    while (!elements.at_end()) {
      Element element = elements.next();
      std::string plain;
      if (element.kind == compressed_element) {
        plain = uncompressed(element.data);
        element = Elements(plain).next();
      }
      if (element.kind != matrix_element) continue;
      Variable found = variable(element.data);
      if (enter(found, table)) return matrix_of(found);
    }
  } catch (const Damaged&) {
    throw std::runtime_error("the file '" + file +
                             "' is damaged, or holds something else than a matrix");
  }
  throw std::runtime_error("the file '" + file + "' has no table '" + table + "'");
}

}  // namespace alembert::modelica::tables
