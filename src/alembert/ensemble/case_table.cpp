// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/case_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::ensemble {

namespace {

constexpr double most_cases = 100'000'000;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> number_in(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

[[noreturn]] void fail(std::string_view text, const std::string& what) {
  throw Error("U020",
              fmt::format("--vary '{}': {} Write NAME=linspace(a,b,n), logspace(a,b,n) (from 10^a "
                          "to 10^b), geomspace(a,b,n), range(a,b,step), uniform(a,b), "
                          "normal(mean,sd), lognormal(mean,sd), or values with commas.",
                          text, what));
}

bool is_word(std::string_view text) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '"';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

void read_list(Variation& variation, std::string_view list, std::string_view text) {
  const auto parts = parts_of(list);
  std::vector<double> numbers;
  for (const std::string_view part : parts) {
    if (part.empty()) fail(text, "a value is missing.");
    if (const auto number = number_in(part)) numbers.push_back(*number);
  }
  if (numbers.size() == parts.size()) {
    variation.values = std::move(numbers);
    return;
  }
  for (const std::string_view part : parts) {
    if (!number_in(part) && !is_word(part))
      fail(text, fmt::format("'{}' is neither a finite number nor a word.", part));
    variation.labels.emplace_back(part);
    variation.values.push_back(double(variation.labels.size()));
  }
}

std::uint64_t point_count(double n, std::string_view text) {
  if (!(n >= 1) || n != std::floor(n) || n > most_cases)
    fail(text, fmt::format("{} is not a number of points.", number_text(n)));
  return static_cast<std::uint64_t>(n);
}

/// n points from a to b, both of them hit exactly.
std::vector<double> evenly(double a, double b, std::uint64_t n) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < n; ++i)
    values.push_back(i == 0 ? a : i + 1 == n ? b : a + (b - a) * double(i) / double(n - 1));
  return values;
}

void read_function(Variation& variation, std::string_view name, std::span<const double> a,
                   std::string_view text) {
  const auto take = [&](std::size_t n) {
    if (a.size() != n)
      fail(text, fmt::format("{} takes {} numbers, and {} are given.", name, n, a.size()));
  };
  const auto distribution = [&](Variation::Kind kind) {
    take(2);
    variation.kind = kind;
    variation.first = a[0];
    variation.second = a[1];
  };
  if (name == "linspace") {
    take(3);
    variation.values = evenly(a[0], a[1], point_count(a[2], text));
  } else if (name == "logspace") {
    take(3);
    variation.values = evenly(a[0], a[1], point_count(a[2], text));
    for (double& value : variation.values) value = std::pow(10, value);
    for (const double value : variation.values)
      if (!std::isfinite(value))
        fail(text,
             "10 to that power is not a finite number; geomspace takes the values themselves.");
  } else if (name == "geomspace") {
    take(3);
    if (!(a[0] * a[1] > 0)) fail(text, "geomspace needs two ends of the same sign, neither 0.");
    variation.values = evenly(0, std::log(a[1] / a[0]), point_count(a[2], text));
    for (double& value : variation.values) value = a[0] * std::exp(value);
    if (variation.values.size() > 1) variation.values.back() = a[1];
  } else if (name == "range") {
    take(3);
    const double n = std::floor((a[1] - a[0]) / a[2] + 1e-9) + 1;
    if (!(a[2] != 0) || !(n >= 1)) fail(text, "range never gets from its first end to the other.");
    const std::uint64_t count = point_count(n, text);
    for (std::uint64_t i = 0; i < count; ++i) variation.values.push_back(a[0] + double(i) * a[2]);
  } else if (name == "uniform") {
    distribution(Variation::Kind::uniform);
    if (!(a[0] < a[1])) fail(text, "the first end must be below the second.");
  } else if (name == "normal") {
    distribution(Variation::Kind::normal);
    if (!(a[1] >= 0)) fail(text, "a standard deviation is not negative.");
  } else if (name == "lognormal") {
    distribution(Variation::Kind::lognormal);
    if (!(a[0] > 0) || !(a[1] >= 0))
      fail(text, "the mean must be positive, and a standard deviation is not negative.");
  } else {
    fail(text, fmt::format("there is no '{}'.", name));
  }
}

/// The value of a variation at a point of the unit interval.
double value_at(const Variation& variation, double u) {
  switch (variation.kind) {
    case Variation::Kind::uniform:
      return variation.first + (variation.second - variation.first) * u;
    case Variation::Kind::normal: return variation.first + variation.second * normal_quantile(u);
    case Variation::Kind::lognormal: {
      // Mean and standard deviation of the value, not of its logarithm.
      const double ratio = variation.second / variation.first;
      const double variance = std::log1p(ratio * ratio);
      return variation.first * std::exp(std::sqrt(variance) * normal_quantile(u) - 0.5 * variance);
    }
    case Variation::Kind::values: break;
  }
  const auto n = double(variation.values.size());
  return variation.values[static_cast<std::size_t>(std::min(std::floor(u * n), n - 1))];
}

CaseTable table_for(const std::vector<const Variation*>& variations) {
  CaseTable table;
  for (const Variation* variation : variations) {
    table.names.push_back(variation->name);
    table.labels.push_back(variation->labels);
  }
  return table;
}

/// The last varies fastest.
CaseTable factorial(const std::vector<const Variation*>& variations) {
  CaseTable table = table_for(variations);
  double n = 1;
  for (const Variation* variation : variations) n *= double(variation->values.size());
  if (n > most_cases)
    throw Error("U023", fmt::format("every combination would be {} cases, and {} are the most. "
                                    "Use --design sobol with --samples.",
                                    number_text(n), number_text(most_cases)));
  table.values.resize(static_cast<std::size_t>(n) * variations.size());
  std::size_t period = 1;
  for (std::size_t j = variations.size(); j-- > 0;) {
    const std::vector<double>& values = variations[j]->values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
      table.values[i * variations.size() + j] = values[i / period % values.size()];
    period *= values.size();
  }
  return table;
}

CaseTable sampled(const std::vector<const Variation*>& variations, PointSet set,
                  const DesignOptions& options) {
  CaseTable table = table_for(variations);
  const auto d = static_cast<std::uint32_t>(variations.size());
  table.values = unit_points(set, options.n_samples, d, options.seed);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    table.values[i] = value_at(*variations[i % d], table.values[i]);
  return table;
}

/// Every row of a with every row of b.
CaseTable product(CaseTable a, CaseTable b) {
  if (a.names.empty()) return b;
  if (b.names.empty()) return a;
  if (double(a.n_cases()) * double(b.n_cases()) > most_cases)
    throw Error("U023", fmt::format("{} times {} cases are too many; {} are the most.", a.n_cases(),
                                    b.n_cases(), number_text(most_cases)));
  CaseTable result;
  result.names = a.names;
  result.names.insert(result.names.end(), b.names.begin(), b.names.end());
  result.labels = a.labels;
  result.labels.insert(result.labels.end(), b.labels.begin(), b.labels.end());
  result.values.reserve(a.n_cases() * b.n_cases() * result.names.size());
  for (std::uint64_t i = 0; i < a.n_cases(); ++i)
    for (std::uint64_t k = 0; k < b.n_cases(); ++k) {
      for (std::size_t j = 0; j < a.names.size(); ++j) result.values.push_back(a.value(i, j));
      for (std::size_t j = 0; j < b.names.size(); ++j) result.values.push_back(b.value(k, j));
    }
  return result;
}

void check_names(const CaseTable& cases) {
  std::vector<std::string> names = cases.names;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error("U022", fmt::format("'{}' is varied twice. Give each name once.", *twice));
}

/// One record of comma-separated text, quotes taken off; moves `at` behind it.
std::vector<std::string> csv_record(std::string_view csv, std::size_t& at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at < csv.size(); ++at) {
    const char c = csv[at];
    if (quoted) {
      if (c != '"')
        fields.back() += c;
      else if (at + 1 < csv.size() && csv[at + 1] == '"')
        fields.back() += csv[++at];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      ++at;
      break;
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

}  // namespace

Variation parse_variation(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty())
    fail(text, "there is no NAME=.");
  Variation variation;
  variation.name = trimmed(text.substr(0, equals));
  std::string_view value = trimmed(text.substr(equals + 1));
  if (value.empty()) fail(text, "there are no values.");
  if ((value.front() == '{' && value.back() == '}') ||
      (value.front() == '[' && value.back() == ']'))
    value = trimmed(value.substr(1, value.size() - 2));
  const auto open = value.find('(');
  if (open == std::string_view::npos) {
    read_list(variation, value, text);
    return variation;
  }
  if (value.back() != ')') fail(text, "a ')' is missing at the end.");
  std::vector<double> arguments;
  for (const std::string_view part : parts_of(value.substr(open + 1, value.size() - open - 2))) {
    const auto number = number_in(part);
    if (!number) fail(text, fmt::format("'{}' is not a finite number.", part));
    arguments.push_back(*number);
  }
  read_function(variation, trimmed(value.substr(0, open)), arguments, text);
  return variation;
}

std::string CaseTable::text(std::uint64_t row, std::size_t column) const {
  const double number = value(row, column);
  if (labels[column].empty()) return number_text(number);
  return labels[column][static_cast<std::size_t>(number) - 1];
}

CaseTable parse_case_table(std::string_view csv, std::string_view file_name) {
  CaseTable table;
  std::size_t at = 0;
  table.names = csv_record(csv, at);
  const auto fail_at = [&](std::size_t line, const std::string& what) {
    Origin origin;
    origin.span.file = file_name;
    origin.span.line = static_cast<std::uint32_t>(line);
    origin.span.column = 1;
    throw Error("U021", what, origin);
  };
  for (const std::string& name : table.names)
    if (name.empty())
      fail_at(1, "a column has no name. The first line names the parameters, with commas.");
  table.labels.resize(table.names.size());
  for (std::size_t line = 2; at < csv.size(); ++line) {
    const auto fields = csv_record(csv, at);
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != table.names.size())
      fail_at(line, fmt::format("{} values for {} columns.", fields.size(), table.names.size()));
    for (std::size_t j = 0; j < fields.size(); ++j) {
      auto& labels = table.labels[j];
      const auto number = number_in(fields[j]);
      if (number && labels.empty()) {
        table.values.push_back(*number);
      } else if (!is_word(fields[j]) || (labels.empty() && table.values.size() > j)) {
        fail_at(line, fmt::format("'{}' of column '{}' is not a finite number.", fields[j],
                                  table.names[j]));
      } else {
        auto found = std::find(labels.begin(), labels.end(), fields[j]);
        if (found == labels.end()) found = labels.insert(labels.end(), fields[j]);
        table.values.push_back(double(found - labels.begin()) + 1);
      }
    }
  }
  if (table.n_cases() == 0) fail_at(1, "the table has names and no cases.");
  return table;
}

CaseTable make_cases(const CaseTable& table, const std::vector<Variation>& variations,
                     const DesignOptions& options) {
  std::vector<const Variation*> lists, distributions, all;
  for (const Variation& variation : variations) {
    all.push_back(&variation);
    (variation.sampled() ? distributions : lists).push_back(&variation);
  }
  const auto need_samples = [&] {
    if (options.n_samples == 0) throw Error("U022", "how many samples? Give --samples N.");
    if (double(options.n_samples) > most_cases)
      throw Error("U023", fmt::format("{} samples are too many; {} are the most.",
                                      options.n_samples, number_text(most_cases)));
  };
  CaseTable varied;
  switch (options.design) {
    case Design::automatic: {
      if (!lists.empty()) varied = factorial(lists);
      if (!distributions.empty()) {
        need_samples();
        varied = product(std::move(varied), sampled(distributions, PointSet::random, options));
      } else if (options.n_samples > 0) {
        throw Error("U022",
                    "--samples is for distributions, and only lists are given. Add "
                    "--design random, lhs or sobol to draw from the lists.");
      }
      break;
    }
    case Design::factorial:
      if (!distributions.empty())
        throw Error("U022", fmt::format("'{}' has a distribution, of which there are no "
                                        "combinations. Give a list, or another --design.",
                                        distributions.front()->name));
      varied = factorial(lists);
      break;
    case Design::random:
    case Design::latin_hypercube:
    case Design::sobol:
      need_samples();
      if (!all.empty())
        varied = sampled(all,
                         options.design == Design::random            ? PointSet::random
                         : options.design == Design::latin_hypercube ? PointSet::latin_hypercube
                                                                     : PointSet::sobol,
                         options);
      break;
  }
  CaseTable cases = product(table, std::move(varied));
  if (cases.n_cases() == 0) throw Error("U023", "there are no cases. Give --vary or --table.");
  check_names(cases);
  return cases;
}

}  // namespace alembert::ensemble
