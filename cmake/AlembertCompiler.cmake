# SPDX-License-Identifier: Apache-2.0
# Flags for all our own code, and the quick tools (ccache, lld) where they are present.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# The tape defines the rounding: an fma is written where it is meant, never made by the compiler.
# No -march flags: the program must run on any x86-64; wider code is chosen at run time.
# File names in messages of our own checks read src/alembert/..., wherever the checkout is.
# GCC 12 warns of overlapping copies in "text" + std::string, where there are none (-Wrestrict).
add_compile_options(-Wall -Wextra -Wno-restrict -ffp-contract=off "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# The program loads only the libraries it uses: it has to start in a few milliseconds.
add_link_options(-Wl,--as-needed)

# Left out of the sanitizers: null and alignment guard every access through a pointer and with vptr and
# object-size make a file take two and a half times as long to compile; a null pointer stops under the
# address sanitizer anyway, and x86-64 reads what is not aligned.
option(ALEMBERT_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
if(ALEMBERT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,vptr,object-size
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(ALEMBERT_CCACHE ccache)
if(ALEMBERT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ALEMBERT_CCACHE}")
endif()
find_program(ALEMBERT_LLD ld.lld)
if(ALEMBERT_LLD)
  add_link_options(-fuse-ld=lld)
endif()
