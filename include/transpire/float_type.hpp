// The floating-point types of OpenCL C.
#pragma once

namespace transpire {

enum class FloatType { kHalf, kFloat, kDouble };

}  // namespace transpire
