// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/mat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/result/row_marks.hpp"

namespace alembert::result {
namespace {

static_assert(std::endian::native == std::endian::little, "MAT files are written as memory is");

// The type code of a matrix: thousands 0 for little-endian, tens the numbers, ones 1 for text.
constexpr std::int32_t type_double = 0;
constexpr std::int32_t type_int32 = 20;
constexpr std::int32_t type_text = 51;

struct Header {
  std::int32_t type = 0;
  std::int32_t n_rows = 0;
  std::int32_t n_columns = 0;
  std::int32_t imaginary = 0;
  std::int32_t name_size = 0;  // with the final zero
};

void append_header(std::string& bytes, std::string_view name, std::int32_t type, std::size_t n_rows,
                   std::size_t n_columns) {
  const Header header{type, static_cast<std::int32_t>(n_rows), static_cast<std::int32_t>(n_columns),
                      0, static_cast<std::int32_t>(name.size() + 1)};
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(name);
  bytes += '\0';
}

template <class T>
void append_value(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Texts as the columns of a matrix, filled up with zeros.
void append_texts(std::string& bytes, std::string_view name,
                  const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  append_header(bytes, name, type_text, longest, texts.size());
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(longest - text.size(), '\0');
  }
}

/// "Torque of the motor [N.m]", "Angle [rad|deg]".
std::string description_of(const ColumnNotes& notes, const std::string& name) {
  const auto found = notes.find(name);
  if (found == notes.end()) return {};
  const auto& [unit, text, display_unit] = found->second;
  if (unit.empty()) return text;
  const std::string shown = display_unit.empty() ? std::string() : "|" + display_unit;
  return text + (text.empty() ? "[" : " [") + unit + shown + "]";
}

ColumnNote note_of_description(std::string text) {
  const std::size_t open = text.rfind('[');
  if (!text.ends_with(']') || open == std::string::npos)
    return {.unit = {}, .description = std::move(text)};
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  text.erase(open);
  text.erase(text.find_last_not_of(' ') + 1);
  const std::size_t bar = inside.find('|');
  return {.unit = inside.substr(0, bar),
          .description = std::move(text),
          .display_unit = bar == std::string::npos ? std::string() : inside.substr(bar + 1)};
}

struct Matrix {
  std::int32_t type = 0;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<double> values;  // column by column
  std::string text;            // of a text matrix, column by column

  double at(std::size_t row, std::size_t column) const { return values[column * n_rows + row]; }
};

class MatReader {
 public:
  MatReader(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  Trajectory read() {
    while (at_ < bytes_.size()) read_matrix();
    const Matrix& kind = matrix("Aclass");
    const bool transposed = is_transposed(kind);
    const std::vector<std::string> names = texts(matrix("name"), transposed);
    const Matrix& info = matrix("dataInfo");
    const auto info_at = [&](std::size_t variable, std::size_t k) {
      return transposed ? info.at(k, variable) : info.at(variable, k);
    };
    if ((transposed ? info.n_columns : info.n_rows) != names.size() ||
        (transposed ? info.n_rows : info.n_columns) < 2)
      fail("its dataInfo does not fit its names");

    const Matrix& varying = matrix("data_2");
    const std::size_t n_times = transposed ? varying.n_columns : varying.n_rows;
    const std::size_t n_series = transposed ? varying.n_rows : varying.n_columns;
    if (n_series == 0) fail("its data_2 is empty");
    std::vector<std::string> columns;
    std::vector<std::pair<const Matrix*, std::int64_t>> series;  // matrix, signed number from 1
    for (std::size_t v = 1; v < names.size(); ++v) {             // the first is the time
      const bool constant = info_at(v, 0) == 1;
      const Matrix& data = constant ? matrix("data_1") : varying;
      const auto place = static_cast<std::int64_t>(info_at(v, 1));
      const std::size_t n = transposed ? data.n_rows : data.n_columns;
      const std::size_t n_points = transposed ? data.n_columns : data.n_rows;
      if (place == 0 || static_cast<std::size_t>(std::abs(place)) > n ||
          (constant && n_points == 0))
        fail("its dataInfo points outside the data at '" + names[v] + "'");
      columns.push_back(names[v]);
      series.emplace_back(&data, place);
    }
    auto sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      fail("it has two variables named '" + *twice + "'");

    Trajectory trajectory(std::move(columns));
    trajectory.reserve(n_times);
    std::vector<double> row(series.size());
    const auto value = [&](const Matrix& data, std::size_t number, std::size_t point) {
      return transposed ? data.at(number, point) : data.at(point, number);
    };
    for (std::size_t k = 0; k < n_times; ++k) {
      for (std::size_t v = 0; v < series.size(); ++v) {
        const auto [data, place] = series[v];
        const auto number = static_cast<std::size_t>(std::abs(place)) - 1;
        const double x = value(*data, number, data == &varying ? k : 0);
        row[v] = place < 0 ? -x : x;
      }
      trajectory.append(value(varying, 0, k), row);
    }
    return trajectory;
  }

  ColumnNotes read_notes() {
    while (at_ < bytes_.size()) read_matrix();
    const bool transposed = is_transposed(matrix("Aclass"));
    const std::vector<std::string> names = texts(matrix("name"), transposed);
    const std::vector<std::string> descriptions = texts(matrix("description"), transposed);
    ColumnNotes notes;
    for (std::size_t v = 0; v < std::min(names.size(), descriptions.size()); ++v)
      if (!descriptions[v].empty()) notes.emplace(names[v], note_of_description(descriptions[v]));
    return notes;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("R005", "'" + std::string(file_) + "' is not a result of a simulation: " + what +
                            ". MAT files of level 4 as Dymola and OpenModelica write them are "
                            "understood.");
  }

  template <class T>
  T take() {
    if (bytes_.size() - at_ < sizeof(T)) fail("it ends in the middle");
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  template <class T>
  void take_numbers(std::size_t n, std::vector<double>& into) {
    if ((bytes_.size() - at_) / sizeof(T) < n) fail("it ends in the middle");
    into.resize(n);
    for (double& value : into) value = static_cast<double>(take<T>());
  }

  void read_matrix() {
    const Header header = take<Header>();
    const bool sane = header.type >= 0 && header.type < 60 && header.n_rows >= 0 &&
                      header.n_columns >= 0 && header.imaginary == 0 && header.name_size > 0 &&
                      header.name_size < 256;
    if (!sane || static_cast<std::size_t>(header.name_size) > bytes_.size() - at_)
      fail("it has no matrix of level 4 at byte " + std::to_string(at_));
    const std::string name(bytes_.substr(at_, static_cast<std::size_t>(header.name_size) - 1));
    at_ += static_cast<std::size_t>(header.name_size);
    Matrix read;
    read.type = header.type;
    read.n_rows = static_cast<std::size_t>(header.n_rows);
    read.n_columns = static_cast<std::size_t>(header.n_columns);
    const std::size_t n = read.n_rows * read.n_columns;
    switch (header.type / 10 % 10) {
      case 0: take_numbers<double>(n, read.values); break;
      case 1: take_numbers<float>(n, read.values); break;
      case 2: take_numbers<std::int32_t>(n, read.values); break;
      case 3: take_numbers<std::int16_t>(n, read.values); break;
      case 4: take_numbers<std::uint16_t>(n, read.values); break;
      case 5: take_numbers<std::uint8_t>(n, read.values); break;
      default: fail("matrix '" + name + "' has numbers of an unknown kind");
    }
    if (header.type % 10 == 1)
      for (const double c : read.values) read.text += static_cast<char>(c);
    matrices_[name] = std::move(read);
  }

  const Matrix& matrix(const std::string& name) const {
    const auto found = matrices_.find(name);
    if (found == matrices_.end()) fail("it has no matrix '" + name + "'");
    return found->second;
  }

  static std::vector<std::string> texts(const Matrix& matrix, bool by_column) {
    const std::size_t n = by_column ? matrix.n_columns : matrix.n_rows;
    const std::size_t length = by_column ? matrix.n_rows : matrix.n_columns;
    std::vector<std::string> result(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < length && !matrix.text.empty(); ++k)
        result[i] += by_column ? matrix.text[i * length + k] : matrix.text[k * n + i];
      result[i].erase(result[i].find_last_not_of(std::string_view(" \0", 2)) + 1);
    }
    return result;
  }

  static bool is_transposed(const Matrix& kind) {
    const std::vector<std::string> lines = texts(kind, false);
    return std::find(lines.begin(), lines.end(), "binTrans") != lines.end();
  }

  std::string_view bytes_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::map<std::string, Matrix> matrices_;
};

/// Where the values of the columns stand: which are rows of data_1 and data_2, behind the time, and
/// what `dataInfo` says of each.
struct Layout {
  struct Place {
    std::int32_t matrix = 2;
    std::int32_t row = 0;    // from 1; negative: with the other sign
    std::size_t column = 0;  // that is written there
  };
  std::vector<Place> places;           // [n columns]
  std::vector<std::size_t> constants;  // columns, by row of data_1
  std::vector<std::size_t> varying;    // columns, by row of data_2

  explicit Layout(const Columns& columns) {
    std::map<std::uint32_t, std::size_t> first_of;  // by source
    for (std::size_t c = 0; c < columns.names.size(); ++c) {
      const ColumnValues values = columns.values_of(c);
      const auto append_to = [&](std::int32_t matrix, std::vector<std::size_t>& rows) {
        rows.push_back(c);
        places.push_back({matrix, static_cast<std::int32_t>(rows.size() + 1), c});
      };
      if (values.constant) {
        append_to(1, constants);
      } else if (values.source == ColumnValues::its_own ||
                 first_of.try_emplace(values.source, c).second) {
        append_to(2, varying);
      } else {
        const std::size_t first = first_of.at(values.source);
        places.push_back(places[first]);
        if (values.negated != columns.values[first].negated) places[c].row = -places[c].row;
      }
    }
  }

  /// A row has what its columns were said to have.
  bool fits(std::span<const double> row, std::span<const double> first_row) const {
    for (std::size_t c = 0; c < places.size(); ++c) {
      const Place& place = places[c];
      const double written = place.matrix == 1 ? first_row[c] : row[place.column];
      const double expected = place.row < 0 ? -written : written;
      if (row[c] != expected && !(std::isnan(row[c]) && std::isnan(expected))) return false;
    }
    return true;
  }
};

/// The times of a run, and the row that it began with.
struct Span {
  double first = 0;
  double last = 0;
  std::size_t n_rows = 0;
  std::vector<double> first_row = {};  // [n columns]; none where there are no rows
};

/// All that stands before the values; of one length, whatever the times and the number of rows.
std::string head(const std::vector<std::string>& variables, const Layout& layout,
                 const ColumnNotes& notes, const Span& span) {
  std::string bytes;
  constexpr std::array<std::string_view, 4> kind = {"Atrajectory", "1.1        ", "           ",
                                                    "binTrans   "};
  append_header(bytes, "Aclass", type_text, kind.size(), kind[0].size());
  for (std::size_t k = 0; k < kind[0].size(); ++k)
    for (const std::string_view line : kind) bytes += line[k];

  std::vector<std::string> names = {"time"};
  names.insert(names.end(), variables.begin(), variables.end());
  append_texts(bytes, "name", names);
  std::vector<std::string> descriptions;
  for (const std::string& name : names) descriptions.push_back(description_of(notes, name));
  append_texts(bytes, "description", descriptions);

  append_header(bytes, "dataInfo", type_int32, 4, names.size());
  const auto append_info = [&bytes](std::int32_t matrix, std::int32_t row, std::int32_t outside) {
    constexpr std::int32_t linear = 0;  // between points
    for (const std::int32_t value : {matrix, row, linear, outside}) append_value(bytes, value);
  };
  constexpr std::int32_t kept = 0, not_defined = -1;  // before the first and after the last time
  append_info(0, 1, kept);
  for (const Layout::Place& place : layout.places)
    append_info(place.matrix, place.row, place.matrix == 1 ? kept : not_defined);
  append_header(bytes, "data_1", type_double, 1 + layout.constants.size(), 2);
  for (const double time : {span.first, span.last}) {
    append_value(bytes, time);
    for (const std::size_t c : layout.constants)
      append_value(bytes, span.first_row.empty() ? 0.0 : span.first_row[c]);
  }
  append_header(bytes, "data_2", type_double, 1 + layout.varying.size(), span.n_rows);
  return bytes;
}

void append_row(std::string& bytes, const Layout& layout, double time,
                std::span<const double> row) {
  append_value(bytes, time);
  for (const std::size_t c : layout.varying) append_value(bytes, row[c]);
}

/// How many rows there are stands before them, and is put there at the end.
class MatSink final : public RowSink {
 public:
  explicit MatSink(const std::filesystem::path& path, ColumnNotes notes = {})
      : path_(path), notes_(std::move(notes)), file_(path) {}

  void begin(const Columns& columns) override {
    names_ = columns.names;
    layout_.emplace(columns);
    file_.write(head(names_, *layout_, notes_, span_));
  }
  void append(double time, std::span<const double> row) override {
    if (span_.n_rows == most_rows)
      throw Error("R008", "'" + path_.string() + "' would have more than " +
                              std::to_string(most_rows) +
                              " rows, which a MAT file of level 4 cannot hold. Use .h5 or .csv.");
    if (span_.n_rows++ == 0) {
      span_.first = time;
      span_.first_row.assign(row.begin(), row.end());
    }
    span_.last = time;
    ensure(layout_->fits(row, span_.first_row),
           "a column of a result has the values it was said to have");
    row_.clear();
    append_row(row_, *layout_, time, row);
    file_.write(row_);
    marks_.add(file_.size(), time, file_.n_flushed());
  }
  void commit() override {
    if (span_.n_rows > 0) file_.overwrite_head(head(names_, *layout_, notes_, span_));
    file_.commit();
  }
  std::optional<double> keep_part() override {
    const auto last = marks_.last_within(file_.flush_what_fits());
    if (!last) return std::nullopt;
    Span part = span_;
    part.last = last->time;
    part.n_rows = last->n_rows;
    if (!file_.commit_part(last->end, head(names_, *layout_, notes_, part))) return std::nullopt;
    return last->time;
  }

 private:
  static constexpr std::size_t most_rows = std::numeric_limits<std::int32_t>::max();

  std::filesystem::path path_;
  ColumnNotes notes_;
  OutputFile file_;
  RowMarks marks_;
  std::vector<std::string> names_;
  std::optional<Layout> layout_;  // from `begin` on
  std::string row_;
  Span span_;
};

}  // namespace

std::string to_mat(const Trajectory& trajectory) {
  const Layout layout({trajectory.names()});
  Span span{.n_rows = trajectory.n_rows()};
  if (span.n_rows > 0) {
    span.first = trajectory.times().front();
    span.last = trajectory.times().back();
  }
  std::string bytes = head(trajectory.names(), layout, {}, span);
  for (std::size_t i = 0; i < span.n_rows; ++i)
    append_row(bytes, layout, trajectory.times()[i], trajectory.row(i));
  return bytes;
}

std::unique_ptr<RowSink> open_mat(const std::filesystem::path& path, ColumnNotes notes) {
  return std::make_unique<MatSink>(path, std::move(notes));
}

Trajectory parse_mat(std::string_view bytes, std::string_view file_name) {
  return MatReader(bytes, file_name).read();
}

Trajectory read_mat(const std::filesystem::path& path) {
  return parse_mat(read_file(path), path.string());
}

ColumnNotes read_mat_notes(const std::filesystem::path& path) {
  return MatReader(read_file(path), path.string()).read_notes();
}

}  // namespace alembert::result
