// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/result/hdf5_library.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::result {
namespace {

using hdf5::Handle;
using hdf5::Library;
using hdf5::overwrite;
using hdf5::read_only;

/// A dataset that grows row by row; what it cannot write the disk refused.
class GrowingSet {
 public:
  /// width: values a row; 0 for a set of one dimension.
  GrowingSet(const Library& h5, hid_t file, const char* name, hsize_t width)
      : h5_(h5), n_dims_(width == 0 ? 1 : 2), width_(width), set_(make(file, name), h5.H5Dclose) {}

  bool append(const double* values, hsize_t n_rows) {
    const hsize_t start[2] = {n_rows_, 0};
    const hsize_t count[2] = {n_rows, width_};
    n_rows_ += n_rows;
    const hsize_t extent[2] = {n_rows_, width_};
    if (!set_.valid() || h5_.H5Dset_extent(set_, extent) < 0) return false;
    const Handle there(h5_.H5Dget_space(set_), h5_.H5Sclose);
    const Handle here(h5_.H5Screate_simple(n_dims_, count, nullptr), h5_.H5Sclose);
    return h5_.H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
           h5_.H5Dwrite(set_, h5_.real, here, there, H5P_DEFAULT, values) >= 0;
  }

 private:
  hid_t make(hid_t file, const char* name) const {
    constexpr hsize_t chunk_values = 8192;
    const hsize_t none[2] = {0, width_};
    const hsize_t most[2] = {H5S_UNLIMITED, width_};
    const hsize_t chunk[2] = {std::max<hsize_t>(1, chunk_values / std::max<hsize_t>(1, width_)),
                              std::max<hsize_t>(1, width_)};
    const Handle space(h5_.H5Screate_simple(n_dims_, none, most), h5_.H5Sclose);
    const Handle creation(h5_.H5Pcreate(h5_.set_creation), h5_.H5Pclose);
    h5_.H5Pset_chunk(creation, n_dims_, chunk);
    return h5_.H5Dcreate2(file, name, h5_.real, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  }

  const Library& h5_;
  int n_dims_;
  hsize_t width_;
  hsize_t n_rows_ = 0;
  Handle set_;
};

bool write_texts(const Library& h5, hid_t file, const char* set_name,
                 const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& each : texts) longest = std::max(longest, each.size());
  std::string bytes(texts.size() * longest, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(bytes.data() + i * longest, longest);
  const Handle text(h5.H5Tcopy(h5.text), h5.H5Tclose);
  h5.H5Tset_size(text, longest);
  h5.H5Tset_cset(text, H5T_CSET_UTF8);
  const hsize_t n = texts.size();
  const Handle space(h5.H5Screate_simple(1, &n, nullptr), h5.H5Sclose);
  const Handle set(
      h5.H5Dcreate2(file, set_name, text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      h5.H5Dclose);
  return set.valid() && h5.H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0;
}

class Hdf5Sink final : public RowSink {
 public:
  explicit Hdf5Sink(const std::filesystem::path& path, ColumnNotes notes = {})
      : output_(path),  // first, so that a bad path is told before the work
        notes_(std::move(notes)),
        h5_(Library::get()),
        file_(create()) {
    if (file_ < 0) refuse();
  }
  ~Hdf5Sink() override { close(); }

  void begin(const Columns& columns) override {
    const std::vector<std::string>& names = columns.names;
    n_columns_ = names.size();
    time_.emplace(h5_, file_, "time", 0);
    // A set without columns cannot grow; it has no values either.
    if (n_columns_ > 0) values_.emplace(h5_, file_, "values", n_columns_);
    if (!write_texts(h5_, file_, "names", names)) refuse();
    write_notes(names);
    is_safe_ = reserve(0) == 0;
  }
  void append(double time, std::span<const double> row) override {
    times_.push_back(time);
    rows_.insert(rows_.end(), row.begin(), row.end());
    if (rows_.size() + times_.size() >= most_held) flush();
  }
  void commit() override {
    flush();
    if (!close()) refuse();
    output_.give_back_reserve();
    output_.commit();
  }
  /// Rows are written where there is room for them and for all that closing the file takes.
  std::optional<double> keep_part() override {
    if (!is_full_ || n_written_ == 0 || !close()) return std::nullopt;
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(output_.temporary(), failed);
    if (failed || !output_.commit_part(size)) return std::nullopt;
    return last_written_;
  }

 private:
  static constexpr std::size_t most_held = 1 << 17;

  void write_notes(const std::vector<std::string>& names) {
    if (notes_.empty()) return;
    std::vector<std::string> units(names.size());
    std::vector<std::string> display_units(names.size());
    std::vector<std::string> descriptions(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto note = notes_.find(names[i]); note != notes_.end()) {
        units[i] = note->second.unit;
        display_units[i] = note->second.display_unit;
        descriptions[i] = note->second.description;
      }
    if (!write_texts(h5_, file_, "units", units) ||
        !write_texts(h5_, file_, "display_units", display_units) ||
        !write_texts(h5_, file_, "descriptions", descriptions))
      refuse();
  }

  hid_t create() {
    refuse_device(output_.path(), "HDF5");
    return h5_.H5Fcreate(output_.temporary().c_str(), overwrite, H5P_DEFAULT, H5P_DEFAULT);
  }
  /// Of rows that are to come, and of what the file needs at its end: the rest of a chunk of each
  /// set, and what tells where chunks are.
  int reserve(std::size_t n_rows) {
    constexpr std::uint64_t least = 256 << 10, chunk_values = 8192;
    hsize_t size = 0;
    if (h5_.H5Fget_filesize(file_, &size) < 0) return EIO;
    const std::uint64_t width = n_columns_ + 1;
    return output_.reserve(size + sizeof(double) * n_rows * width + least +
                           2 * sizeof(double) * std::max<std::uint64_t>(chunk_values, width));
  }
  void flush() {
    while (!times_.empty()) {
      std::size_t n = times_.size();
      int error_number = 0;
      while (is_safe_ && n > 0 && (error_number = reserve(n)) != 0) n /= 2;
      if (n == 0) {
        is_full_ = true;
        output_.fail(error_number);
      }
      errno = 0;
      // To the disk, as what HDF5 holds back takes no room in the file yet.
      if (!time_->append(times_.data(), n) || (values_ && !values_->append(rows_.data(), n)) ||
          h5_.H5Fflush(file_, H5F_SCOPE_LOCAL) < 0)
        refuse();
      n_written_ += n;
      last_written_ = times_[n - 1];
      times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(n));
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(n * n_columns_));
    }
  }
  bool close() {
    time_.reset();
    values_.reset();
    return file_ < 0 || h5_.H5Fclose(std::exchange(file_, -1)) >= 0;
  }
  [[noreturn]] void refuse() {
    const int error_number = errno == 0 ? EIO : errno;
    close();
    output_.fail(error_number);
  }

  OutputFile output_;
  ColumnNotes notes_;
  const Library& h5_;
  hid_t file_;
  std::size_t n_columns_ = 0;
  std::optional<GrowingSet> time_, values_;
  std::vector<double> times_, rows_;  // not written yet
  std::size_t n_written_ = 0;         // rows
  double last_written_ = 0;           // time
  bool is_safe_ = false;              // there is room for what closing the file takes
  bool is_full_ = false;              // the disk, and what is in the file is good
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error("R007", "'" + path.string() + "' is not a result of a simulation: " + what +
                          ". It should have datasets 'time', 'names' and 'values'.");
}

class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& path)
      : path_(path),
        h5_(Library::get()),
        file_(h5_.H5Fopen(path.c_str(), read_only, H5P_DEFAULT), h5_.H5Fclose) {
    if (!file_.valid()) fail(path_, "it is not an HDF5 file");
  }

  Trajectory read() {
    std::vector<std::string> names = texts("names");
    const std::vector<double> times = numbers("time", 1);
    const std::vector<double> values = names.empty() ? std::vector<double>() : numbers("values", 2);
    if (values.size() != names.size() * times.size())
      fail(path_, "its 'values' do not fit 'time' and 'names'");
    const std::size_t n = names.size();
    Trajectory trajectory(std::move(names));
    trajectory.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); ++i)
      trajectory.append(times[i], {values.data() + i * n, n});
    return trajectory;
  }

  ColumnNotes read_notes() {
    ColumnNotes notes;
    if (h5_.H5Lexists(file_, "units", H5P_DEFAULT) <= 0) return notes;
    const std::vector<std::string> names = texts("names");
    const std::vector<std::string> units = texts("units");
    const std::vector<std::string> descriptions = texts("descriptions");
    std::vector<std::string> display_units(names.size());
    if (h5_.H5Lexists(file_, "display_units", H5P_DEFAULT) > 0)
      display_units = texts("display_units");
    if (units.size() != names.size() || descriptions.size() != names.size() ||
        display_units.size() != names.size())
      fail(path_, "its 'units', 'display_units' and 'descriptions' do not fit 'names'");
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!units[i].empty() || !descriptions[i].empty())
        notes.emplace(names[i], ColumnNote{units[i], descriptions[i], display_units[i]});
    return notes;
  }

 private:
  std::vector<hsize_t> extent(hid_t set, const std::string& name, int n_dims) {
    const Handle space(h5_.H5Dget_space(set), h5_.H5Sclose);
    if (h5_.H5Sget_simple_extent_ndims(space) != n_dims)
      fail(path_, "its '" + name + "' has not " + std::to_string(n_dims) + " dimensions");
    std::vector<hsize_t> dims(static_cast<std::size_t>(n_dims));
    h5_.H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    return dims;
  }

  Handle open(const std::string& name) {
    const hid_t id = h5_.H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (id < 0) fail(path_, "it has no dataset '" + name + "'");
    return {id, h5_.H5Dclose};
  }

  std::vector<double> numbers(const std::string& name, int n_dims) {
    const Handle set = open(name);
    std::size_t n = 1;
    for (const hsize_t dim : extent(set, name, n_dims)) n *= static_cast<std::size_t>(dim);
    std::vector<double> values(n);
    if (n > 0 && h5_.H5Dread(set, h5_.real, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(path_, "its '" + name + "' holds no numbers");
    return values;
  }

  std::vector<std::string> texts(const std::string& name) {
    const Handle set = open(name);
    const auto n = static_cast<std::size_t>(extent(set, name, 1)[0]);
    const Handle type(h5_.H5Dget_type(set), h5_.H5Tclose);
    if (h5_.H5Tget_class(type) != H5T_STRING || h5_.H5Tis_variable_str(type) > 0)
      fail(path_, "its '" + name + "' are not texts of one length");
    const std::size_t length = h5_.H5Tget_size(type);
    std::string bytes(n * length, '\0');
    if (n > 0 && h5_.H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
      fail(path_, "its '" + name + "' cannot be read");
    std::vector<std::string> result;
    for (std::size_t i = 0; i < n; ++i) {
      const char* text = bytes.data() + i * length;
      result.emplace_back(text, ::strnlen(text, length));
    }
    return result;
  }

  const std::filesystem::path& path_;
  const Library& h5_;
  Handle file_;
};

}  // namespace

std::unique_ptr<RowSink> open_hdf5(const std::filesystem::path& path, ColumnNotes notes) {
  return std::make_unique<Hdf5Sink>(path, std::move(notes));
}

void write_hdf5(const Trajectory& trajectory, const std::filesystem::path& path) {
  Hdf5Sink sink(path);
  write_rows(trajectory, sink);
}

Trajectory read_hdf5(const std::filesystem::path& path) {
  read_file(path);  // R002 where it cannot be read at all
  return Hdf5Reader(path).read();
}

ColumnNotes read_hdf5_notes(const std::filesystem::path& path) {
  read_file(path);  // R002 where it cannot be read at all
  return Hdf5Reader(path).read_notes();
}

}  // namespace alembert::result
