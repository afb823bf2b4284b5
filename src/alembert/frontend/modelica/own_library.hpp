// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica. Where Alembert's own components are: the package `Alembert` in the
// folder `library` of the sources, or where the program was installed.
#pragma once

#include <filesystem>

namespace alembert::modelica {

class ClassLibrary;

/// The folder that holds the package `Alembert`; empty if there is none. Looked for beside the
/// running program (../share/alembert/library), in the sources, where the libraries were installed;
/// the variable ALEMBERT_LIBRARY goes before all of them.
std::filesystem::path own_library_folder();

/// Makes it known after the roots that are known already, so that those win.
void add_own_library(ClassLibrary& library);

}  // namespace alembert::modelica
