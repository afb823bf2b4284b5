// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/sweep_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/result/hdf5_writer.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::ensemble {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

/// "3,9.81,": number of the case from 1, and its values.
std::string case_columns(const SweepShape& shape, std::uint64_t number) {
  std::string text = std::to_string(number + 1) + ",";
  for (std::size_t j = 0; j < shape.cases.names.size(); ++j)
    text += quoted(shape.cases.text(number, j)) + ",";
  return text;
}

std::string case_names(const SweepShape& shape) {
  std::string text = "case,";
  for (const std::string& name : shape.cases.names) text += quoted(name) + ",";
  return text;
}

/// Rows before the end of the run.
std::size_t rows_of(const SweepShape& shape, const CaseResult& result) {
  const std::size_t n = shape.variables.size();
  if (result.values.empty() || n == 0) return 0;
  std::size_t rows = 0;
  while (rows < shape.times.size() && shape.times[rows] <= result.end_time) ++rows;
  return std::min(rows, result.values.size() / n);
}

void write_csv(const SweepShape& shape, const JournalReader& journal,
               const std::filesystem::path& path) {
  result::OutputFile file(path);
  std::string header = case_names(shape) + "time";
  for (const std::string& name : shape.variables) header += "," + quoted(name);
  file.write(header + "\n");
  for (const JournalEntry& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    const std::string first = case_columns(shape, entry.number);
    const std::size_t n = shape.variables.size(), n_rows = rows_of(shape, result);
    std::string line;
    for (std::size_t i = 0; i < n_rows; ++i) {
      line = first + number_text(shape.times[i]);
      for (std::size_t j = 0; j < n; ++j) line += "," + number_text(result.values[i * n + j]);
      file.write(line + "\n");
    }
  }
  file.commit();
}

void write_hdf5(const SweepShape& shape, const JournalReader& journal,
                const std::filesystem::path& path) {
  result::Hdf5Writer file(path);
  const std::uint64_t n_cases = journal.entries().size();
  file.texts("parameter_names", shape.cases.names);
  file.numbers("parameters", {n_cases, shape.cases.names.size()}, shape.cases.values);
  for (std::size_t j = 0; j < shape.cases.names.size(); ++j)
    if (!shape.cases.labels[j].empty())
      file.texts("words of " + shape.cases.names[j], shape.cases.labels[j]);
  file.texts("variable_names", shape.variables);
  file.numbers("time", {shape.times.size()}, shape.times);
  std::vector<std::string> status, messages;
  std::vector<double> ends;
  const std::size_t row = shape.times.size() * shape.variables.size();
  file.begin("values", {n_cases, shape.times.size(), shape.variables.size()});
  for (const JournalEntry& entry : journal.entries()) {
    CaseResult result = journal.read(entry);
    result.values.resize(row, nan);
    file.part(entry.number, result.values);
    status.emplace_back(to_string(result.status));
    messages.push_back(std::move(result.message));
    ends.push_back(result.end_time);
  }
  file.end();
  file.texts("status", status);
  file.texts("message", messages);
  file.numbers("end_time", {n_cases}, ends);
  file.commit();
}

}  // namespace

void require_sweep_ending(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".csv" || ending == ".h5" || ending == ".hdf5") return;
  throw Error("R006", "'" + path.string() +
                          "' has no ending that tells its format. The results of a sweep are .csv "
                          "or .h5.");
}

void write_sweep(const SweepShape& shape, const JournalReader& journal,
                 const std::filesystem::path& path) {
  require_sweep_ending(path);
  if (path.extension() == ".csv")
    write_csv(shape, journal, path);
  else
    write_hdf5(shape, journal, path);
}

void write_case_summary(const SweepShape& shape, const JournalReader& journal,
                        const std::filesystem::path& path) {
  result::OutputFile file(path);
  std::string header = case_names(shape) + "status,end_time";
  for (const std::string& name : shape.variables)
    for (const std::string& column :
         {name, "min(" + name + ")", "max(" + name + ")", "mean(" + name + ")"})
      header += "," + quoted(column);
  file.write(header + ",message\n");
  const std::size_t n = shape.variables.size();
  for (const JournalEntry& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    const std::size_t n_rows = rows_of(shape, result);
    std::string line = case_columns(shape, entry.number) + std::string(to_string(result.status)) +
                       "," + number_text(result.end_time);
    for (std::size_t j = 0; j < n; ++j) {
      if (n_rows == 0) {
        line += ",,,,";
        continue;
      }
      double low = result.values[j], high = low, sum = 0;
      for (std::size_t i = 0; i < n_rows; ++i) {
        const double value = result.values[i * n + j];
        low = std::min(low, value);
        high = std::max(high, value);
        sum += value;
      }
      line += "," + number_text(result.values[(n_rows - 1) * n + j]) + "," + number_text(low) +
              "," + number_text(high) + "," + number_text(sum / double(n_rows));
    }
    file.write(line + "," + quoted(result.message) + "\n");
  }
  file.commit();
}

std::vector<VariableStatistics> final_statistics(const SweepShape& shape,
                                                 const JournalReader& journal,
                                                 std::size_t most_variables) {
  const std::size_t n = shape.variables.size(), n_shown = std::min(n, most_variables);
  std::vector<std::vector<double>> last(n_shown);
  for (const JournalEntry& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    const std::size_t n_rows = rows_of(shape, result);
    if (!result.good() || n_rows == 0) continue;
    for (std::size_t j = 0; j < n_shown; ++j) {
      const double value = result.values[(n_rows - 1) * n + j];
      if (std::isfinite(value)) last[j].push_back(value);
    }
  }
  std::vector<VariableStatistics> all;
  for (std::size_t j = 0; j < n_shown; ++j) {
    std::vector<double>& values = last[j];
    VariableStatistics one{.name = shape.variables[j], .n = values.size()};
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
      const double place = share * double(values.size() - 1);
      const auto i = static_cast<std::size_t>(place);
      const auto next = std::min(i + 1, values.size() - 1);
      return values[i] + (place - double(i)) * (values[next] - values[i]);
    };
    if (!values.empty()) {
      for (const double value : values) one.mean += value;
      one.mean /= double(values.size());
      for (const double value : values) one.deviation += (value - one.mean) * (value - one.mean);
      one.deviation =
          values.size() > 1 ? std::sqrt(one.deviation / double(values.size() - 1)) : 0.0;
      one.min = values.front();
      one.low = at(0.05);
      one.median = at(0.5);
      one.high = at(0.95);
      one.max = values.back();
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace alembert::ensemble
