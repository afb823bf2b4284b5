// SPDX-License-Identifier: Apache-2.0
// Stage: result. The HDF5 library, loaded when it is first used; for the files of this stage that
// read and write HDF5. Debian's HDF5 brings thirty other libraries with it, which would cost every
// start of the program more than the rest of it.
#pragma once

#include <dlfcn.h>
#include <hdf5.h>

#include <string>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::result::hdf5 {

// The library's own macros for these call functions of it.
inline constexpr unsigned read_only = 0;
inline constexpr unsigned overwrite = 2;

class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }

#define ALEMBERT_HDF5(name) decltype(&::name) name = load<decltype(&::name)>(#name)
  ALEMBERT_HDF5(H5dont_atexit);
  ALEMBERT_HDF5(H5open);
  ALEMBERT_HDF5(H5Eset_auto2);
  ALEMBERT_HDF5(H5Pcreate);
  ALEMBERT_HDF5(H5Pclose);
  ALEMBERT_HDF5(H5Fflush);
  ALEMBERT_HDF5(H5Pset_obj_track_times);
  ALEMBERT_HDF5(H5Pset_chunk);
  ALEMBERT_HDF5(H5Fcreate);
  ALEMBERT_HDF5(H5Fopen);
  ALEMBERT_HDF5(H5Fclose);
  ALEMBERT_HDF5(H5Fget_filesize);
  ALEMBERT_HDF5(H5Lexists);
  ALEMBERT_HDF5(H5Screate_simple);
  ALEMBERT_HDF5(H5Sget_simple_extent_ndims);
  ALEMBERT_HDF5(H5Sget_simple_extent_dims);
  ALEMBERT_HDF5(H5Sselect_hyperslab);
  ALEMBERT_HDF5(H5Sclose);
  ALEMBERT_HDF5(H5Tcopy);
  ALEMBERT_HDF5(H5Tset_size);
  ALEMBERT_HDF5(H5Tset_cset);
  ALEMBERT_HDF5(H5Tget_size);
  ALEMBERT_HDF5(H5Tget_class);
  ALEMBERT_HDF5(H5Tis_variable_str);
  ALEMBERT_HDF5(H5Tclose);
  ALEMBERT_HDF5(H5Dcreate2);
  ALEMBERT_HDF5(H5Dopen2);
  ALEMBERT_HDF5(H5Dget_space);
  ALEMBERT_HDF5(H5Dget_type);
  ALEMBERT_HDF5(H5Dset_extent);
  ALEMBERT_HDF5(H5Dwrite);
  ALEMBERT_HDF5(H5Dread);
  ALEMBERT_HDF5(H5Dclose);
#undef ALEMBERT_HDF5
  hid_t real = 0;          // the machine's double
  hid_t text = 0;          // a C string
  hid_t set_creation = 0;  // class of property lists

 private:
  Library() {
    // A file that could not be written whole is thrown away; at the end of the program the
    // library would try once more, and crash.
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // we tell of errors ourselves
    real = *load<const hid_t*>("H5T_NATIVE_DOUBLE_g");
    text = *load<const hid_t*>("H5T_C_S1_g");
    set_creation = *load<const hid_t*>("H5P_CLS_DATASET_CREATE_ID_g");
  }

  static void* handle() {
    static void* const opened = [] {
      void* found = ::dlopen(ALEMBERT_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
      if (found == nullptr)
        throw Error("R007",
                    std::string("HDF5 files need the HDF5 library, which cannot be loaded: ") +
                        ::dlerror() + ". Install libhdf5-103-1, or use .csv or .mat.");
      return found;
    }();
    return opened;
  }

  template <class T>
  static T load(const char* name) {
    void* const symbol = ::dlsym(handle(), name);
    ensure(symbol != nullptr, std::string("the HDF5 library lacks ") + name);
    return reinterpret_cast<T>(symbol);
  }
};

/// An id of the library and what closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }  // NOLINT: stands for the id
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

}  // namespace alembert::result::hdf5
