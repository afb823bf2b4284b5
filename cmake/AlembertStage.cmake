# SPDX-License-Identifier: Apache-2.0
# One library a stage, so that linking follows the arrows of the pipeline.

# alembert_stage(PATH [DEPENDS stage...] [PACKAGES name...] [PRIVATE_PACKAGES name...])
#
# PATH is the folder below src/alembert, such as compile/native; it gives the target
# alembert_compile_native, known to users as Alembert::compile_native. Every *.cpp of the folder is a
# source, and those of sub-folders too, unless the sub-folder has a CMakeLists.txt: then it is a stage of
# its own. A folder without sources yet is an INTERFACE library.
# Files named *_avx2.cpp and *_avx512.cpp are compiled for those instruction sets; they must be called
# only after a run-time check, and must not use inline functions shared with other files.
function(alembert_stage PATH)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PACKAGES;PRIVATE_PACKAGES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "alembert_stage(${PATH}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  string(REPLACE "/" "_" name "${PATH}")
  set(target alembert_${name})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE inner_stages "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(inner IN LISTS inner_stages)
    cmake_path(GET inner PARENT_PATH inner)
    foreach(source IN LISTS sources)
      cmake_path(IS_PREFIX inner "${source}" belongs_to_inner)
      if(belongs_to_inner)
        list(REMOVE_ITEM sources "${source}")
      endif()
    endforeach()
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
    set(visibility PUBLIC)
    alembert_precompiled(${target} stages)
    alembert_link_packages(${target} PUBLIC ${arg_PACKAGES})
    alembert_link_packages(${target} PRIVATE ${arg_PRIVATE_PACKAGES})
    foreach(source IN LISTS sources)
      if(source MATCHES "_avx2\\.cpp$")
        set_source_files_properties("${source}" PROPERTIES
          COMPILE_OPTIONS "-mavx2;-mfma" SKIP_PRECOMPILE_HEADERS ON)
      elseif(source MATCHES "_avx512\\.cpp$")
        set_source_files_properties("${source}" PROPERTIES
          COMPILE_OPTIONS "-mavx512f;-mavx512dq;-mavx512vl;-mavx2;-mfma" SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  add_library(Alembert::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_include_directories(${target} ${visibility}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>" "$<INSTALL_INTERFACE:include>")
  foreach(stage IN LISTS arg_DEPENDS)
    string(REPLACE "/" "_" stage "${stage}")
    target_link_libraries(${target} ${visibility} Alembert::${stage})
  endforeach()

  install(TARGETS ${target} EXPORT Alembert ARCHIVE DESTINATION lib)
  set_property(GLOBAL APPEND PROPERTY ALEMBERT_STAGES "${PATH}")
endfunction()
