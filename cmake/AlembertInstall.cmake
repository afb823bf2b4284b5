# SPDX-License-Identifier: Apache-2.0
# Headers, libraries, program, and the package that find_package(Alembert) reads.
include(CMakePackageConfigHelpers)

set(_package_dir lib/cmake/Alembert)
install(DIRECTORY src/alembert DESTINATION include FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY library/ DESTINATION share/alembert/library FILES_MATCHING
  PATTERN "*.mo" PATTERN "package.order")
install(EXPORT Alembert NAMESPACE Alembert:: FILE AlembertTargets.cmake DESTINATION ${_package_dir})

get_property(_dependencies GLOBAL PROPERTY ALEMBERT_DEPENDENCIES)
list(REMOVE_DUPLICATES _dependencies)
set(ALEMBERT_FIND_DEPENDENCIES "")
foreach(_dependency IN LISTS _dependencies)
  string(APPEND ALEMBERT_FIND_DEPENDENCIES "find_dependency(${_dependency})\n")
endforeach()
configure_package_config_file(cmake/AlembertConfig.cmake.in AlembertConfig.cmake
  INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file(AlembertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/AlembertConfig.cmake" "${PROJECT_BINARY_DIR}/AlembertConfigVersion.cmake"
  cmake/FindSLEEF.cmake cmake/FindCairo.cmake cmake/FindHDF5Serial.cmake cmake/FindKLU.cmake
  DESTINATION ${_package_dir})
