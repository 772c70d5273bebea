// Samplers from the values that SPIR-V and the API have for them.
#include "memory/sampler.h"

namespace transpire::memory {
namespace {

/// The API's values: CL_ADDRESS_NONE and CL_FILTER_NEAREST; the others count on as SPIR-V's do.
constexpr std::uint32_t kApiAddressNone = 0x1130, kApiFilterNearest = 0x1140;

}  // namespace

std::optional<Sampler> sampler_of_spirv(std::uint32_t addressing, std::uint32_t normalized,
                                        std::uint32_t filter) {
  if (addressing > static_cast<std::uint32_t>(AddressingMode::kMirroredRepeat) || normalized > 1 ||
      filter > static_cast<std::uint32_t>(FilterMode::kLinear))
    return std::nullopt;
  Sampler sampler;
  sampler.addressing = static_cast<AddressingMode>(addressing);
  sampler.normalized = normalized != 0;
  sampler.filter = static_cast<FilterMode>(filter);
  return sampler;
}

std::optional<Sampler> sampler_of_api(std::uint32_t addressing, bool normalized,
                                      std::uint32_t filter) {
  return sampler_of_spirv(addressing - kApiAddressNone, normalized, filter - kApiFilterNearest);
}

}  // namespace transpire::memory
