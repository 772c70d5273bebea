// Lines that modules of clspv have, in the short form.
#pragma once

#include <string>
#include <string_view>

namespace transpire::shorthand {

/// %set: the import of the reflection.
inline std::string clspv_set(std::string_view revision = "5") {
  return "OpExtension \"SPV_KHR_non_semantic_info\"\n"
         "%set = OpExtInstImport \"NonSemantic.ClspvReflection." +
         std::string(revision) + "\"\n";
}

/// %group_size: the launch gives the constants %size_x, %size_y and %size_z, with SpecIds 0 to 2.
inline const std::string kClspvGroupSize = R"(OpDecorate %group_size BuiltIn WorkgroupSize
OpDecorate %size_x SpecId 0
OpDecorate %size_y SpecId 1
OpDecorate %size_z SpecId 2
%size_x = OpSpecConstant %uint 1
%size_y = OpSpecConstant %uint 1
%size_z = OpSpecConstant %uint 1
%group_size = OpSpecConstantComposite %v3uint %size_x %size_y %size_z
)";

}  // namespace transpire::shorthand
