// What a device of OpenCL refuses to launch: one judgement for the OpenCL driver, which makes error codes of it, for
// Device::run and for whatever describes launches. And the bounds that launches are judged by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "transpire/transpire.hpp"

namespace transpire {

/// Work-items of the largest work-group, in all and in each dimension.
inline constexpr std::uint64_t kMaxGroupItems = 4096;
/// Of a work-group's variables and local arguments.
inline constexpr std::uint64_t kLocalMemoryBytes = std::uint64_t{64} << 10;
/// Parameters of a kernel, at most: images that it reads; those that it writes, or reads and writes; samplers;
/// pipes.
inline constexpr std::uint32_t kMaxImageArguments = 128;
inline constexpr std::uint32_t kMaxSamplers = 32;
inline constexpr std::uint32_t kMaxPipeArguments = 64;
/// A kernel or launch may ask for sub-groups of so many work-items; others have kSubgroupItems.
inline constexpr std::array<std::size_t, 4> kSubgroupSizes{8, 16, 32, 64};
inline constexpr std::uint32_t kSubgroupItems = 32;

/// Work-items of a full sub-group when the kernel is launched with these settings: as many as the kernel asks for, else as
/// the settings do. Where neither does, nor the kernel requires a number of sub-groups, the seed of a random schedule
/// chooses one of kSubgroupSizes.
TRANSPIRE_API std::uint32_t subgroup_items(const KernelInfo& kernel,
                                           const LaunchSettings& settings);

struct LaunchRefusal {
  /// In the order in which they are looked for.
  enum class Kind : std::uint8_t {
    kDimensions,    ///< not 1 to 3
    kGlobalOffset,  ///< ids beyond the module's pointers
    kGlobalSize,    ///< none, or too many work-items
    kItemSize,      ///< a dimension of the work-group beyond the largest one
    kGroupSize,   ///< too large, another one than the kernel requires, or one that does not divide
    kParameters,  ///< more images, samplers or pipes than the device takes
    kLocalMemory,
  };
  Kind kind = Kind::kDimensions;
  /// The VM can run it: LaunchSettings::lenient makes a warning of it.
  bool may_run = false;
  Diagnostic diagnostic{};  ///< C0004; C0005 of what may run
};

/// Judges sizes, and the kernel's parameters; a work-group size of all zeros is chosen, and no matter of the caller.
/// `subgroup_items`: of a full sub-group of this kernel.
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const ModuleInfo& module,
                                                      const KernelInfo& kernel,
                                                      const Geometry& geometry,
                                                      std::uint32_t subgroup_items);
/// Judges local memory: that of the kernel's variables, and of arguments.
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const KernelInfo& kernel,
                                                      std::uint64_t argument_bytes);
/// Both of a launch; nothing where its kernel does not exist.
TRANSPIRE_API std::optional<LaunchRefusal> refusal_of(const Launch& launch);

/// Judges a queue's size, and how many queues a launch has.
TRANSPIRE_API std::optional<Diagnostic> refusal_of_queue_size(std::uint64_t size_bytes);
TRANSPIRE_API std::optional<Diagnostic> refusal_of_queue_count(std::size_t count);

/// Whether work-groups must be equally large in programs of this language, ModuleInfo::source_language.
TRANSPIRE_API bool has_only_uniform_groups(std::string_view source_language);

}  // namespace transpire
