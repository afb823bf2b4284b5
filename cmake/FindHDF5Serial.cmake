# SPDX-License-Identifier: Apache-2.0
# The headers of HDF5, and the name under which its library is loaded when first needed, as the
# imported target HDF5::loaded. Nothing is linked: see src/alembert/result/hdf5.cpp.
find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial DEFAULT_MSG HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
mark_as_advanced(HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
if(HDF5Serial_FOUND AND NOT TARGET HDF5::loaded)
  file(REAL_PATH "${HDF5Serial_LIBRARY}" _hdf5_file)
  cmake_path(GET _hdf5_file FILENAME _hdf5_name)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" _hdf5_name "${_hdf5_name}")
  add_library(HDF5::loaded INTERFACE IMPORTED)
  set_target_properties(HDF5::loaded PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${HDF5Serial_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "ALEMBERT_HDF5_LIBRARY=\"${_hdf5_name}\""
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
endif()
