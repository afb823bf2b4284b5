// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/tables/table_file.hpp"

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "alembert/frontend/modelica/evaluate/tables/mat5.hpp"

namespace alembert::modelica::tables {

namespace {

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("the file '" + file + "' cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool ends_with(const std::string& name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  for (std::size_t i = 0; i < ending.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(name[name.size() - ending.size() + i])) !=
        ending[i])
      return false;
  return true;
}

/// "double name(3, 2)" or "float name(3,2)": the sizes, if the line is the head of that table.
bool is_head(const std::string& line, const std::string& table, Matrix& matrix) {
  std::istringstream words(line);
  std::string type;
  words >> type;
  if (type != "double" && type != "float") return false;
  std::string rest;
  std::getline(words, rest);
  const std::size_t open = rest.find('(');
  const std::size_t comma = rest.find(',', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || comma == std::string::npos) return false;
  const std::size_t first = rest.find_first_not_of(" \t");
  const std::size_t last = rest.find_last_not_of(" \t", open - 1);
  if (first > last || rest.substr(first, last - first + 1) != table) return false;
  matrix.n_rows = std::strtoull(rest.c_str() + open + 1, nullptr, 10);
  matrix.n_columns = std::strtoull(rest.c_str() + comma + 1, nullptr, 10);
  return true;
}

Matrix from_text(const std::string& text, const std::string& file, const std::string& table) {
  std::istringstream lines(text);
  std::string line;
  Matrix matrix;
  bool found = false;
  while (!found && std::getline(lines, line)) found = is_head(line, table, matrix);
  if (!found) throw std::runtime_error("the file '" + file + "' has no table '" + table + "'");
  const std::size_t wanted = matrix.n_rows * matrix.n_columns;
  while (matrix.entries.size() < wanted && std::getline(lines, line)) {
    line = line.substr(0, line.find('#'));
    const char* at = line.c_str();
    while (matrix.entries.size() < wanted) {
      while (*at != '\0' && std::strchr(" \t\r,;", *at) != nullptr) ++at;
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at) break;
      matrix.entries.push_back(value);
      at = end;
    }
  }
  if (matrix.entries.size() < wanted)
    throw std::runtime_error("table '" + table + "' of the file '" + file + "' ends too early");
  return matrix;
}

Matrix from_csv(const std::string& text, const std::string& file, const FileOptions& options) {
  std::istringstream lines(text);
  std::string line;
  Matrix matrix;
  for (int k = 0; k < options.n_header_lines; ++k) std::getline(lines, line);
  const std::string delimiter = options.delimiter.empty() ? "," : options.delimiter;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::size_t n_columns = 0;
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t to = std::min(line.find(delimiter, from), line.size());
      const std::string cell = line.substr(from, to - from);
      char* end = nullptr;
      matrix.entries.push_back(std::strtod(cell.c_str(), &end));
      if (end == cell.c_str())
        throw std::runtime_error("'" + cell + "' in the file '" + file + "' is not a number");
      ++n_columns;
      from = to + delimiter.size();
    }
    if (matrix.n_rows > 0 && n_columns != matrix.n_columns)
      throw std::runtime_error("the rows of the file '" + file + "' have different lengths");
    matrix.n_columns = n_columns;
    ++matrix.n_rows;
  }
  return matrix;
}

/// Level 4 of the format: matrices one after the other, each with a head of five 32-bit integers
/// (kind, rows, columns, imaginary, length of the name), stored column by column.
Matrix from_mat4(const std::string& bytes, const std::string& file, const std::string& table) {
  std::size_t at = 0;
  while (at + 20 <= bytes.size()) {
    std::int32_t head[5];
    std::memcpy(head, bytes.data() + at, sizeof head);
    at += sizeof head;
    if (head[0] < 0 || head[0] > 4999 || head[1] < 0 || head[2] < 0 || head[4] < 1 ||
        head[0] / 1000 != 0)
      throw std::runtime_error("the file '" + file + "' is no MATLAB file of version 4, 6 or 7");
    const auto n_rows = static_cast<std::size_t>(head[1]);
    const auto n_columns = static_cast<std::size_t>(head[2]);
    const int precision = head[0] / 10 % 10;  // 0 double, 1 float, 2 and 3 integers, 5 bytes
    const std::size_t width = precision == 0 ? 8 : precision <= 2 ? 4 : precision == 5 ? 1 : 2;
    const std::string name(bytes.c_str() + at);
    at += static_cast<std::size_t>(head[4]);
    const std::size_t size = n_rows * n_columns * width * (head[3] != 0 ? 2 : 1);
    if (at + size > bytes.size())
      throw std::runtime_error("the file '" + file + "' ends too early");
    if (name == table && precision <= 1) {
      Matrix matrix{n_rows, n_columns, std::vector<double>(n_rows * n_columns)};
      for (std::size_t k = 0; k < n_rows * n_columns; ++k) {
        double value = 0;
        if (precision == 0) {
          std::memcpy(&value, bytes.data() + at + 8 * k, 8);
        } else {
          float single = 0;
          std::memcpy(&single, bytes.data() + at + 4 * k, 4);
          value = single;
        }
        matrix.entries[k % n_rows * n_columns + k / n_rows] = value;
      }
      return matrix;
    }
    at += size;
  }
  throw std::runtime_error("the file '" + file + "' has no table '" + table + "'");
}

}  // namespace

Matrix read_table(const std::string& file, const std::string& table, const FileOptions& options) {
  const std::string content = content_of(file);
  if (ends_with(file, ".csv")) return from_csv(content, file, options);
  if (ends_with(file, ".mat"))
    return is_mat5(content) ? from_mat5(content, file, table) : from_mat4(content, file, table);
  return from_text(content, file, table);
}

}  // namespace alembert::modelica::tables
