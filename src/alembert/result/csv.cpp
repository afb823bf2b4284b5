// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/csv.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/result/row_marks.hpp"

namespace alembert::result {
namespace {

void append_name(std::string& line, std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += name;
    return;
  }
  line += '"';
  for (char c : name) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

/// A number as text. Many columns hardly ever change, so the last text is kept.
class NumberText {
 public:
  std::string_view of(double value) {
    if (size_ > 0 && std::bit_cast<std::uint64_t>(value) == bits_) return {text_, size_};
    size_ = static_cast<std::uint8_t>(number_text(value, text_).size());
    bits_ = std::bit_cast<std::uint64_t>(value);
    return {text_, size_};
  }

 private:
  std::uint64_t bits_ = 0;
  char text_[longest_number_text] = {};
  std::uint8_t size_ = 0;
};

void append_header(std::string& text, const std::vector<std::string>& names) {
  text += "time";
  for (const std::string& name : names) {
    text += ',';
    append_name(text, name);
  }
  text += '\n';
}

/// `numbers` has a place for the time and for each column.
void append_row(std::string& text, double time, std::span<const double> row,
                std::vector<NumberText>& numbers) {
  numbers.resize(row.size() + 1);
  text += numbers.back().of(time);
  for (std::size_t k = 0; k < row.size(); ++k) {
    text += ',';
    text += numbers[k].of(row[k]);
  }
  text += '\n';
}

class CsvSink final : public RowSink {
 public:
  explicit CsvSink(const std::filesystem::path& path) : file_(path) {}

  void begin(const Columns& columns) override {
    line_.clear();
    append_header(line_, columns.names);
    file_.write(line_);
  }
  void append(double time, std::span<const double> row) override {
    line_.clear();
    append_row(line_, time, row, numbers_);
    file_.write(line_);
    marks_.add(file_.size(), time, file_.n_flushed());
  }
  void commit() override { file_.commit(); }
  std::optional<double> keep_part() override {
    const auto last = marks_.last_within(file_.flush_what_fits());
    if (!last || !file_.commit_part(last->end)) return std::nullopt;
    return last->time;
  }

 private:
  OutputFile file_;
  RowMarks marks_;
  std::string line_;
  std::vector<NumberText> numbers_;
};

// Reads fields one by one and knows where it is.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_begin_ = 3;
  }

  bool at_end() const { return at_ == text_.size(); }

  /// The next field of the line, without its quotes; valid until the next call.
  std::string_view field() {
    field_begin_ = at_;
    field_line_ = line_;
    field_column_ = at_ - line_begin_ + 1;
    if (at_ < text_.size() && text_[at_] == '"') return quoted_field();
    while (at_ < text_.size() && !ends_field(text_[at_])) {
      if (text_[at_] == '"') fail_at(at_, "a quote inside a field that does not begin with one");
      ++at_;
    }
    return text_.substr(field_begin_, at_ - field_begin_);
  }

  /// True right after the end of a line.
  bool at_line_begin() const { return at_ == line_begin_; }

  /// After a field: true past a comma, false past the end of the line.
  bool more_in_line() {
    if (at_end()) return false;
    if (text_[at_] == ',') {
      ++at_;
      return true;
    }
    end_line();
    return false;
  }

  bool skip_blank_line() {
    if (at_end() || (text_[at_] != '\n' && text_[at_] != '\r')) return false;
    end_line();
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const { fail(field_line_, field_column_, what); }

 private:
  static bool ends_field(char c) { return c == ',' || c == '\n' || c == '\r'; }

  std::string_view quoted_field() {
    unquoted_.clear();
    for (++at_;;) {
      if (at_end()) fail("the quote that begins here is never closed");
      const char c = text_[at_++];
      if (c == '\n') {
        ++line_;
        line_begin_ = at_;
      }
      if (c != '"') {
        unquoted_ += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        unquoted_ += text_[at_++];
      } else {
        break;
      }
    }
    if (!at_end() && !ends_field(text_[at_]))
      fail_at(at_, "a comma or the end of the line must follow a closing quote");
    return unquoted_;
  }

  void end_line() {
    if (text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] == '\n') ++at_;
    ++line_;
    line_begin_ = at_;
  }

  [[noreturn]] void fail_at(std::size_t at, const std::string& what) const {
    fail(line_, at - line_begin_ + 1, what);
  }
  [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& what) const {
    Origin origin;
    origin.span = {.file = std::string(file_),
                   .line = static_cast<std::uint32_t>(line),
                   .column = static_cast<std::uint32_t>(column)};
    throw Error("R003", what + ".", std::move(origin));
  }

  std::string_view text_, file_;
  std::size_t at_ = 0, line_ = 1, line_begin_ = 0;
  std::size_t field_begin_ = 0, field_line_ = 1, field_column_ = 1;
  std::string unquoted_;
};

Trajectory parse_header(CsvReader& reader) {
  if (reader.at_end()) reader.fail("the file is empty; its first line must be 'time,...'");
  const std::string_view first = reader.field();
  if (first != "time")
    reader.fail(fmt::format("the first column must be 'time', not '{}'", first.substr(0, 40)));
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> seen;
  while (reader.more_in_line()) {
    std::string name(reader.field());
    const auto [twin, is_new] = seen.emplace(name, names.size());
    if (!is_new)
      reader.fail(fmt::format("columns {} and {} have the same name '{}'", twin->second + 2,
                              names.size() + 2, name));
    names.push_back(std::move(name));
  }
  if (!reader.at_line_begin())
    reader.fail(
        "the file ends within its first line, which has the names of the columns: it was "
        "cut off");
  return Trajectory(std::move(names));
}

double parse_number(const CsvReader& reader, std::string_view field, std::string_view name) {
  std::string_view digits = field;
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status == std::errc::result_out_of_range)
    reader.fail(fmt::format("'{}' in column '{}' is outside the range of numbers", field, name));
  if (status != std::errc() || end != digits.data() + digits.size())
    reader.fail(fmt::format("'{}' in column '{}' is not a number", field.substr(0, 40), name));
  return value;
}

}  // namespace

std::string to_csv(const Trajectory& trajectory) {
  std::string text;
  std::vector<NumberText> numbers;
  append_header(text, trajectory.names());
  for (std::size_t i = 0; i < trajectory.n_rows(); ++i)
    append_row(text, trajectory.times()[i], trajectory.row(i), numbers);
  return text;
}

std::unique_ptr<RowSink> open_csv(const std::filesystem::path& path) {
  return std::make_unique<CsvSink>(path);
}

void write_csv(const Trajectory& trajectory, const std::filesystem::path& path) {
  CsvSink sink(path);
  write_rows(trajectory, sink);
}

Trajectory parse_csv(std::string_view text, std::string_view file_name) {
  CsvReader reader(text, file_name);
  Trajectory trajectory = parse_header(reader);
  const std::size_t expected = trajectory.n_columns() + 1;
  std::vector<double> row(trajectory.n_columns());
  while (!reader.at_end()) {
    if (reader.skip_blank_line()) continue;
    const double time = parse_number(reader, reader.field(), "time");
    std::size_t n_fields = 1;
    for (; reader.more_in_line(); ++n_fields) {
      const std::string_view field = reader.field();
      if (n_fields == expected)
        reader.fail(
            fmt::format("more values in this line than the {} columns of the header", expected));
      row[n_fields - 1] = parse_number(reader, field, trajectory.names()[n_fields - 1]);
    }
    if (n_fields != expected)
      reader.fail(fmt::format("the line ends here after {} of {} values; '{}' is missing", n_fields,
                              expected, trajectory.names()[n_fields - 1]));
    trajectory.append(time, row);
  }
  return trajectory;
}

Trajectory read_csv(const std::filesystem::path& path) {
  return parse_csv(read_file(path), path.string());
}

}  // namespace alembert::result
