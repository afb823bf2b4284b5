// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. The part of Open MPI's binary interface that we use: a dozen functions, which
// have been the same since version 2 (libmpi.so.40). They are declared here rather than taken from
// mpi.h, so that a program that was built without MPI runs with it. A test compares them with mpi.h
// where that is installed.
#pragma once

#include <cstddef>

namespace alembert::ensemble::open_mpi {

using Handle = void*;  // of communicators and types: addresses of objects of the library

struct Status {
  int source;
  int tag;
  int error;
  int cancelled;
  std::size_t n_bytes;
};

inline constexpr int any = -1;  // source or tag
inline constexpr int longest_version = 256;

using Init = int (*)(int*, char***);
using Finalize = int (*)();
using Abort = int (*)(Handle, int);
using GetLibraryVersion = int (*)(char*, int*);
using CommQuery = int (*)(Handle, int*);
using Send = int (*)(const void*, int, Handle, int, int, Handle);
using Receive = int (*)(void*, int, Handle, int, int, Handle, Status*);
using Probe = int (*)(int, int, Handle, int*, Status*);
using GetCount = int (*)(const Status*, Handle, int*);

}  // namespace alembert::ensemble::open_mpi
