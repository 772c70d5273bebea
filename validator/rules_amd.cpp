// OpExtInst with the sets of AMD. No OpenCL environment has them (V0034); elsewhere SPIRV-Tools judges their operands.
#include "validator/family_list.h"

namespace transpire::validator {

const Family kAmdGcnShaderFamily{"SPV_AMD_gcn_shader", {}, nullptr};
const Family kAmdShaderTrinaryMinmaxFamily{"SPV_AMD_shader_trinary_minmax", {}, nullptr};
const Family kAmdShaderBallotFamily{"SPV_AMD_shader_ballot", {}, nullptr};

}  // namespace transpire::validator
