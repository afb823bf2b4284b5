// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/hdf5_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "alembert/result/hdf5_library.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::result {

using hdf5::Handle;
using hdf5::Library;

struct Hdf5Writer::File {
  explicit File(const std::filesystem::path& path) : output(path), h5(Library::get()) {
    refuse_device(path, "HDF5");
    file.emplace(
        h5.H5Fcreate(output.temporary().c_str(), hdf5::overwrite, H5P_DEFAULT, H5P_DEFAULT),
        h5.H5Fclose);
    if (!file->valid()) fail();
  }

  [[noreturn]] void fail() { output.fail(errno == 0 ? ENOSPC : errno); }

  /// Without the time of writing, which would make equal files differ.
  hid_t create(const std::string& name, hid_t type, const std::vector<std::uint64_t>& extents) {
    const std::vector<hsize_t> dims(extents.begin(), extents.end());
    const Handle space(h5.H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                       h5.H5Sclose);
    const Handle properties(h5.H5Pcreate(h5.set_creation), h5.H5Pclose);
    h5.H5Pset_obj_track_times(properties, false);
    const hid_t made =
        h5.H5Dcreate2(*file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (made < 0) fail();
    return made;
  }

  OutputFile output;  // closed last
  const Library& h5;
  std::optional<Handle> file;
  std::optional<Handle> set;  // open between begin and end
  std::vector<hsize_t> extents;
};

Hdf5Writer::Hdf5Writer(const std::filesystem::path& path) : file_(std::make_unique<File>(path)) {}
Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::numbers(const std::string& name, const std::vector<std::uint64_t>& extents,
                         std::span<const double> values) {
  begin(name, extents);
  if (!values.empty()) part(0, values);
  end();
}

void Hdf5Writer::texts(const std::string& name, std::span<const std::string> texts) {
  File& f = *file_;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string bytes(texts.size() * longest, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(&bytes[i * longest], longest);
  const Handle type(f.h5.H5Tcopy(f.h5.text), f.h5.H5Tclose);
  f.h5.H5Tset_size(type, longest);
  f.h5.H5Tset_cset(type, H5T_CSET_UTF8);
  const Handle made(f.create(name, type, {texts.size()}), f.h5.H5Dclose);
  if (!texts.empty() && f.h5.H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    f.fail();
}

void Hdf5Writer::begin(const std::string& name, const std::vector<std::uint64_t>& extents) {
  File& f = *file_;
  ensure(!f.set, "one dataset is open at a time");
  f.set.emplace(f.create(name, f.h5.real, extents), f.h5.H5Dclose);
  f.extents.assign(extents.begin(), extents.end());
}

void Hdf5Writer::part(std::uint64_t first, std::span<const double> values) {
  File& f = *file_;
  hsize_t row = 1;
  for (std::size_t i = 1; i < f.extents.size(); ++i) row *= f.extents[i];
  if (row == 0 || values.empty()) return;
  std::vector<hsize_t> offset(f.extents.size(), 0), count = f.extents;
  offset[0] = first;
  count[0] = values.size() / row;
  const int n_dims = static_cast<int>(count.size());
  const Handle here(f.h5.H5Dget_space(*f.set), f.h5.H5Sclose);
  f.h5.H5Sselect_hyperslab(here, H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr);
  const Handle there(f.h5.H5Screate_simple(n_dims, count.data(), nullptr), f.h5.H5Sclose);
  errno = 0;
  if (f.h5.H5Dwrite(*f.set, f.h5.real, there, here, H5P_DEFAULT, values.data()) < 0) f.fail();
}

void Hdf5Writer::end() { file_->set.reset(); }

void Hdf5Writer::commit() {
  File& f = *file_;
  errno = 0;
  if (f.h5.H5Fflush(*f.file, H5F_SCOPE_LOCAL) < 0) f.fail();
  f.file.reset();
  f.output.commit();
}

}  // namespace alembert::result
