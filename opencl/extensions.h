// What the device announces beyond the core, see extensions.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opencl/object.h"

namespace transpire::opencl {

cl_name_version named(std::string_view name, cl_version version);

/// The extensions that platform and device announce.
std::vector<cl_name_version> extensions();
/// Their names, with blanks in between.
std::string extension_names();
/// Whether an extension of that name is among them.
bool announces(std::string_view name);
/// Those that are macros of OpenCL C.
std::vector<std::string> language_extensions();

/// Optional features of OpenCL C 3.0.
std::vector<cl_name_version> opencl_c_features();

}  // namespace transpire::opencl
