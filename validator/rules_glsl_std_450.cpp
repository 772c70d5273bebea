// OpExtInst with the set GLSL.std.450. No OpenCL environment has the set (V0034); elsewhere SPIRV-Tools judges its operands.
#include "validator/family_list.h"

namespace transpire::validator {

const Family kGlslStd450Family{"GLSL.std.450", {}, nullptr};

}  // namespace transpire::validator
