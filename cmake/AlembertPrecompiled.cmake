# SPDX-License-Identifier: Apache-2.0
# Reading the standard library's headers is more than half of the time that a file takes to compile, so
# they are read once for all stages and once for all tests. Where ccache is present it is left alone: it
# does better with files that did not change, and that build is the one that notices a missing #include.
if(ALEMBERT_CCACHE)
  set(precompiled OFF)
else()
  set(precompiled ON)
endif()
option(ALEMBERT_PRECOMPILED "Read the standard headers once for all files" ${precompiled})

set(_standard_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <fstream>
  <functional> <limits> <map> <memory> <numeric> <optional> <random> <set> <span> <string> <string_view>
  <tuple> <unordered_map> <unordered_set> <utility> <vector>)

# alembert_precompiled(TARGET stages|tests): the target uses the headers that were read for its kind. All
# targets of a kind must have the same flags; the one that reads them is as light as can be, because the
# others wait for it.
function(alembert_precompiled TARGET KIND)
  if(NOT ALEMBERT_PRECOMPILED)
    return()
  endif()
  set(owner alembert_headers_of_${KIND})
  if(NOT TARGET ${owner})
    set(source "${PROJECT_BINARY_DIR}/${owner}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() {}\n")
    set(headers ${_standard_headers})
    if(KIND STREQUAL "tests")
      add_executable(${owner} "${source}")
      target_link_libraries(${owner} PRIVATE GTest::gtest)
      list(APPEND headers <gtest/gtest.h>)
    else()
      add_library(${owner} OBJECT "${source}")
    endif()
    target_compile_features(${owner} PRIVATE cxx_std_20)
    get_target_property(options ${TARGET} COMPILE_OPTIONS)
    set_target_properties(${owner} PROPERTIES COMPILE_OPTIONS "${options}")
    target_precompile_headers(${owner} PRIVATE ${headers})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
endfunction()
