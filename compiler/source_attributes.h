// The attributes of kernels as a source declares them. SPIR-V keeps their meaning but not their words:
// vec_type_hint(uint4) and vec_type_hint(int4) are the same there.
#pragma once

#include <string>
#include <string_view>

namespace transpire::compiler {

/// The words in the __attribute__((...)) of a kernel's declarations, in their order, without blanks
/// and separated by one: "vec_type_hint(uint4) reqd_work_group_size(8,2,1)". Nothing is
/// preprocessed, so a kernel that macros declare has none. Empty if the source does not declare the
/// kernel.
std::string source_attributes(std::string_view source, std::string_view kernel);

}  // namespace transpire::compiler
