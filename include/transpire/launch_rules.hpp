// The launches that an OpenCL device refuses, and the limits of Transpire's device. The OpenCL driver makes its error codes
// from these refusals; Device::run and the launch language use the same functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "transpire/transpire.hpp"

namespace transpire {

/// Maximum number of work-items of a work-group, in total and in each dimension.
inline constexpr std::uint64_t kMaxGroupItems = 4096;
/// Local memory of a work-group, in bytes: its variables and its local arguments together.
inline constexpr std::uint64_t kLocalMemoryBytes = std::uint64_t{64} << 10;
/// Maximum numbers of a kernel's parameters. kMaxImageArguments counts twice: once for images that the kernel only reads,
/// once for images that it writes, or reads and writes.
inline constexpr std::uint32_t kMaxImageArguments = 128;
inline constexpr std::uint32_t kMaxSamplers = 32;
inline constexpr std::uint32_t kMaxPipeArguments = 64;
/// Sub-group sizes in work-items that a kernel or a launch may ask for. kSubgroupItems is the default.
inline constexpr std::array<std::size_t, 4> kSubgroupSizes{8, 16, 32, 64};
inline constexpr std::uint32_t kSubgroupItems = 32;

/// Work-items of a full sub-group when the kernel is launched with these settings. The kernel's own size comes first, then
/// that of the settings, then kSubgroupItems. Instead of kSubgroupItems, the seed of a random schedule chooses one of
/// kSubgroupSizes, unless the kernel requires a number of sub-groups per work-group.
TRANSPIRE_API std::uint32_t subgroup_items(const KernelInfo& kernel,
                                           const LaunchSettings& settings);

struct LaunchRefusal {
  enum class Kind : std::uint8_t {
    kDimensions,    ///< the number of dimensions is not 1 to 3
    kGlobalOffset,  ///< global ids do not fit into the module's pointer size
    kGlobalSize,    ///< a dimension is 0, or there are 2^64 work-items or more
    kItemSize,      ///< a dimension of the work-group exceeds kMaxGroupItems
    /// The work-group has a dimension of 0, or exceeds kMaxGroupItems in total. Or it differs from the size or the
    /// number of sub-groups that the kernel requires. Or it does not divide the global size, though it must.
    kGroupSize,
    kParameters,   ///< more images, samplers or pipes than the device takes
    kLocalMemory,  ///< more than kLocalMemoryBytes
  };
  Kind kind = Kind::kDimensions;
  /// The VM can run the launch: with LaunchSettings::lenient it does, and warns.
  bool may_run = false;
  Diagnostic diagnostic{};  ///< C0005 if `may_run`, else C0004
};

/// Returns the first refusal of the sizes and of the kernel's parameters, or nothing. A local size of all zeros leaves
/// the choice to the VM and is accepted. `subgroup_items` is the size of a full sub-group: see subgroup_items().
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const ModuleInfo& module,
                                                      const KernelInfo& kernel,
                                                      const Geometry& geometry,
                                                      std::uint32_t subgroup_items);
/// Returns a refusal if the kernel's variables and `argument_bytes` of local arguments exceed kLocalMemoryBytes.
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const KernelInfo& kernel,
                                                      std::uint64_t argument_bytes);
/// Applies both functions above to a launch. Returns nothing if the module has no such kernel.
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const Launch& launch);

/// Refuse (C0003) a queue of this size, and a launch with so many queues.
TRANSPIRE_API std::optional<Diagnostic> refusal_of_queue_size(std::uint64_t size_bytes);
TRANSPIRE_API std::optional<Diagnostic> refusal_of_queue_count(std::size_t count);

/// True if all work-groups of a launch must have the same size in this language (OpenCL C 1.x). `source_language` is as
/// in ModuleInfo.
TRANSPIRE_API bool has_only_uniform_groups(std::string_view source_language);

}  // namespace transpire
