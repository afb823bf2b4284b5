# SPDX-License-Identifier: Apache-2.0
# Run by ctest: install, build the program in outside/ against it, run it and the installed alembert.
set(prefix "${WORK_DIR}/prefix")
set(outside "${WORK_DIR}/outside-build")
file(REMOVE_RECURSE "${prefix}" "${outside}")

function(run OUTPUT)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${text}")
  endif()
  set(${OUTPUT} "${text}" PARENT_SCOPE)
endfunction()

run(ignored "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
# The program of the README, as it stands there.
file(READ "${README}" readme)
string(REGEX MATCH "```cpp\n([^`]*)```" ignored "${readme}")
file(WRITE "${outside}/readme.cpp" "${CMAKE_MATCH_1}")

run(ignored "${CMAKE_COMMAND}" -S "${OUTSIDE_DIR}" -B "${outside}" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release)
run(ignored "${CMAKE_COMMAND}" --build "${outside}")
run(printed "${outside}/outside")
file(READ "${OUTSIDE_DIR}/expected.txt" expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the outside program printed:\n${printed}\nand not:\n${expected}")
endif()
execute_process(COMMAND "${outside}/readme" WORKING_DIRECTORY "${outside}" RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT EXISTS "${outside}/pendulum.csv")
  message(FATAL_ERROR "the program of the README failed (${status}) or wrote no pendulum.csv")
endif()
run(version "${prefix}/bin/alembert" --version)
if(NOT version MATCHES "^alembert [0-9]+\\.[0-9]+\\.[0-9]+\n$")
  message(FATAL_ERROR "the installed program answered --version with: ${version}")
endif()

# Nothing installed may point back to the folders it was built in.
file(GLOB package_files "${prefix}/lib/cmake/Alembert/*.cmake")
cmake_path(GET BUILD_DIR PARENT_PATH build_root)
foreach(file IN LISTS package_files)
  file(READ "${file}" text)
  string(FIND "${text}" "${build_root}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()
file(REMOVE_RECURSE "${prefix}" "${outside}")
