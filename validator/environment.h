// The target of validation: an OpenCL version and profile, and a device; or a version of Vulkan or of SPIR-V.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transpire::validator {

/// An environment: "opencl2.1embedded" is {21, true}, "vulkan1.2" is {12, false, Api::kVulkan}.
struct Environment {
  enum class Api : std::uint8_t {
    kOpenCL,
    kVulkan,
    kUniversal,  ///< SPIR-V alone
  };

  std::uint32_t version = 22;  ///< OpenCL: 12, 20, 21, 22 or 30; Vulkan: 10 to 14; SPIR-V: 10 to 16
  bool embedded = false;       ///< OpenCL
  Api api = Api::kOpenCL;

  /// True if the rules here judge; otherwise SPIRV-Tools' validator does.
  bool is_opencl() const { return api == Api::kOpenCL; }
  /// "opencl2.1embedded".
  std::string name() const;
  /// "OpenCL 2.1 embedded profile".
  std::string title() const;
  /// The newest version of SPIR-V that it accepts, encoded as in a header: 0x00010200.
  std::uint32_t newest_spirv() const;
};

/// None if there is no such environment. Spaces, '-' and '_' may stand before "embedded".
std::optional<Environment> find_environment(std::string_view name);
/// All names, in order.
std::vector<std::string> environment_names();

/// The limits of SPIR-V 1.0, "Universal Limits", in the order of rules LIM-01 to LIM-15. A device
/// may have larger ones.
enum class Limit : std::uint8_t {
  kStringCharacters,
  kInstructionWords,
  kIdBound,
  kNestingDepth,
  kGlobalVariables,
  kLocalVariables,
  kDecorationsPerId,
  kExecutionModes,
  kIndexes,
  kParameters,
  kCallArguments,
  kExtInstArguments,
  kSwitchPairs,
  kStructMembers,
  kStructDepth,
  kCount,
};

/// The device to validate for. By default the most capable one of any environment, without
/// extensions.
struct Device {
  std::optional<std::uint32_t> address_bits;  ///< none: 32 and 64 are both allowed
  bool images = true;
  bool fp64 = true;
  bool il_program = true;  ///< cl_khr_il_program: without it, OpenCL 1.2 and 2.0 accept no SPIR-V
  std::set<std::string, std::less<>> extensions;
  /// Optional features of OpenCL 3.0 ("__opencl_c_..."); none: all of them.
  std::optional<std::set<std::string, std::less<>>> features;
  std::map<Limit, std::uint64_t> limits;  ///< limits that differ from the universal ones

  bool has(std::string_view extension) const { return extensions.contains(extension); }
  /// True if the device has all of "a+b"; true for the empty string.
  bool has_all(std::string_view joined) const;
  bool has_feature(std::string_view feature) const {
    return !features || features->contains(feature);
  }
  std::uint64_t limit(Limit limit) const;
};

/// Reads the JSON description of a device:
///   {"address_bits": 64, "images": true, "fp64": true, "il_program": true,
///    "extensions": ["cl_khr_fp16"], "features": ["__opencl_c_pipes"], "limits": {"parameters": 255}}
/// All members may be left out. Errors: C0035.
Result<Device> read_device(std::string_view json, const std::string& input_name);

/// The member of "limits" that sets it, e.g. "id_bound".
std::string_view limit_name(Limit limit);

enum class CapabilityStatus : std::uint8_t { kForbidden, kRequired, kOptional, kExtension };

/// An environment's rule about a capability; `extension` is meaningful for kExtension.
struct CapabilityAnswer {
  CapabilityStatus status = CapabilityStatus::kForbidden;
  std::string_view extension;
};
/// None for capabilities newer than the table, which come from extensions or later SPIR-V.
std::optional<CapabilityAnswer> capability_in(const Environment& environment,
                                              spv::Capability capability);

}  // namespace transpire::validator
