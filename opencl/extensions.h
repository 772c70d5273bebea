// The extensions and features that the device announces, see extensions.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opencl/object.h"

namespace transpire::opencl {

cl_name_version named(std::string_view name, cl_version version);

/// Extensions that the platform and the device announce.
std::vector<cl_name_version> extensions();
/// Their names, separated by blanks.
std::string extension_names();
/// True if the device announces the extension.
bool announces(std::string_view name);
/// Extensions that are macros of OpenCL C.
std::vector<std::string> language_extensions();

/// Optional features of OpenCL C 3.0.
std::vector<cl_name_version> opencl_c_features();

}  // namespace transpire::opencl
