// The OpenCL.std functions as data: number, name, category and error bounds. Used by tests,
// documentation and diagnostics; execution does not read it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace transpire::extinst {

enum class Category : std::uint8_t {
  kMath,
  kHalf,
  kNative,
  kCommon,
  kGeometric,
  kInteger,
  kVectorLoadStore,
  kMisc,
  kRelational,
};

/// A bound that the specification does not give.
inline constexpr float kNoBound = -1;

/// Units in the last place that a result may be off; 0 exact, 0.5 correctly rounded, or kNoBound.
struct UlpBounds {
  float half_ulp, float_ulp, double_ulp;
};

/// One function of the "OpenCL.std" import.
struct Function {
  std::uint16_t number;   ///< the literal that follows the set's id in OpExtInst
  std::string_view name;  ///< as the extended instruction set specification spells it
  Category category;
  UlpBounds bounds;    ///< full profile
  UlpBounds embedded;  ///< embedded profile
};

/// All functions, by ascending number.
std::span<const Function> opencl_std();

/// The function of that number or name, or null.
const Function* find_opencl_std(std::uint32_t number);
const Function* find_opencl_std(std::string_view name);

}  // namespace transpire::extinst
