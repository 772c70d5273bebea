// OpExtInst with the set NonSemantic.DebugPrintf. Every environment has it; lowering reports conversions that do not fit their arguments.
#include "validator/family_list.h"

namespace transpire::validator {

const Family kDebugPrintfFamily{"NonSemantic.DebugPrintf", {}, nullptr};

}  // namespace transpire::validator
