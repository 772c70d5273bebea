#include "extinst/table.h"

#include <algorithm>

namespace transpire::extinst {
namespace {

using enum Category;

constexpr UlpBounds embedded_bounds(std::string_view function, UlpBounds full) {
#define TRANSPIRE_EMBEDDED(name, half_ulp, float_ulp, double_ulp) \
  if (function == #name) return {half_ulp, float_ulp, double_ulp};
#include "extinst/embedded_bounds.def"
#undef TRANSPIRE_EMBEDDED
  return full;
}

constexpr Function kOpenClStd[] = {
#define TRANSPIRE_CLSTD(number, name, category, half_ulp, float_ulp, double_ulp) \
  {number,                                                                       \
   #name,                                                                        \
   category,                                                                     \
   {half_ulp, float_ulp, double_ulp},                                            \
   embedded_bounds(#name, {half_ulp, float_ulp, double_ulp})},
#include "extinst/opencl_std.def"
#undef TRANSPIRE_CLSTD
};

static_assert(std::ranges::is_sorted(kOpenClStd, {}, &Function::number));

}  // namespace

std::span<const Function> opencl_std() { return kOpenClStd; }

const Function* find_opencl_std(std::uint32_t number) {
  const auto* found = std::ranges::lower_bound(kOpenClStd, number, {}, &Function::number);
  return found != std::end(kOpenClStd) && found->number == number ? found : nullptr;
}

const Function* find_opencl_std(std::string_view name) {
  const auto* found = std::ranges::find(kOpenClStd, name, &Function::name);
  return found != std::end(kOpenClStd) ? found : nullptr;
}

}  // namespace transpire::extinst
