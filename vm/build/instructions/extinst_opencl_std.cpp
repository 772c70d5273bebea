// OpenCL.std as a set.
#include "vm/build/instructions/opencl_std.h"
#include "vm/build/instructions/undefined.h"

namespace transpire::vm::builder {
namespace {

constexpr ExtendedFunctions::Rows kRowsOfOpenCLStd[] = {componentwise_rows, expanded_rows,
                                                        geometric_rows, data_rows, printf_rows};

}  // namespace

const ExtendedFunctions kOpenCLStdFunctions{kRowsOfOpenCLStd, extinst::find_opencl_std,
                                            check_opencl_std};

}  // namespace transpire::vm::builder
