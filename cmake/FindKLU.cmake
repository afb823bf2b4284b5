# SPDX-License-Identifier: Apache-2.0
# KLU as the imported target SuiteSparse::klu.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU DEFAULT_MSG KLU_LIBRARY KLU_INCLUDE_DIR)
mark_as_advanced(KLU_LIBRARY KLU_INCLUDE_DIR)
if(KLU_FOUND AND NOT TARGET SuiteSparse::klu)
  add_library(SuiteSparse::klu UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::klu PROPERTIES
    IMPORTED_LOCATION "${KLU_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}")
endif()
