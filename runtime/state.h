// The state behind the public handles Module and Buffer, which copies of a handle share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/kernel_use.h"
#include "decoder/clspv_reflection.h"
#include "decoder/module.h"
#include "findings/places.h"
#include "memory/pipe.h"
#include "runtime/image.h"
#include "runtime/undefined_bits.h"
#include "transpire/transpire.hpp"
#include "vm/lower/lower.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// True if both pointers share a control block. Comparing addresses would not do: a later object may have the address of a
/// destroyed one.
template <class T>
bool same_object(const std::weak_ptr<T>& a, const std::shared_ptr<T>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

/// The parts of vm::LowerOptions that decide which Program a kernel is lowered to.
struct ProgramKey {
  std::uint32_t kernel = 0;  ///< the kernel's number (ModuleState)
  const vm::HandlerTable* handlers = nullptr;
  vm::BatchLayout layout;
  LaunchSettings settings;
  vm::LaunchFacts facts;
  std::uint32_t enqueued_subgroup_items = vm::kSubgroupItems;

  friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};

using ProgramPointer = std::shared_ptr<const vm::Program>;

/// Names of variables of a module, by their <id>s.
using VariableNames = std::vector<std::pair<decoder::Id, std::string>>;

/// A decoded module, and the programs made from its kernels so far.
struct ModuleState {
  decoder::Module module;
  std::string assembly;                     ///< text that the module was loaded from, or empty
  std::vector<SourceText> sources;          ///< from LoadOptions, and embedded in the module
  Diagnostics compiler_warnings;            ///< warnings from the compilation of its source
  std::vector<CompiledFrom> compiled_from;  ///< see Module::compiled_from()
  /// Describes kernels that clspv compiled as those of their source, for which `clspv` is there.
  ModuleInfo info;
  std::optional<decoder::ClspvReflection> clspv;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> specialisation;  ///< from LoadOptions
  VariableNames given_names;                                            ///< shaders: see shader()
  /// The number of a kernel is its index into ModuleInfo::kernels. Numbers of functions that kernels enqueue follow.
  std::vector<const decoder::EntryPoint*> entry_points;  ///< by number
  std::vector<analysis::KernelUse> uses;                 ///< by number
  std::deque<decoder::EntryPoint> enqueued;              ///< entry points of such functions
  std::vector<KernelInfo> enqueued_infos;
  /// True if the module has named barriers, at which some sub-groups of a work-group wait for each other.
  bool has_named_barriers = false;
  bool has_initializers = false;  ///< kernels that run before any other

  Result<std::uint32_t> find_kernel(std::string_view name) const;
  /// The number of a function that some kernel enqueues.
  std::uint32_t enqueued_kernel(decoder::Id function) const;
  const KernelInfo& kernel_info(std::uint32_t number) const {
    return number < info.kernels.size() ? info.kernels[number]
                                        : enqueued_infos[number - info.kernels.size()];
  }
  /// Lowers the kernel within the limit, or returns the program of an earlier call. Thread-safe.
  Result<ProgramPointer> program(const ProgramKey& key, const WorkLimit& limit);
  /// The module with these values of specialisation constants, beside those of `specialisation`, with these names in place of its
  /// own, and with its shaders described as such: it has no `clspv`. Keeps the last ones. Thread-safe. Errors: those of
  /// Module::specialised().
  Result<std::shared_ptr<ModuleState>> shader(
      const std::vector<std::pair<std::uint32_t, std::uint64_t>>& values,
      const VariableNames& names, const WorkLimit& limit);
  /// A handle of the module.
  static Module handle(std::shared_ptr<ModuleState> state) {
    Module module;
    module.state_ = std::move(state);
    return module;
  }
  /// Keys of all programs made so far, for tests. Thread-safe.
  std::vector<ProgramKey> made() const;
  /// The module's instructions and text as people see them; made at the first call, if not before. Thread-safe.
  const decoder::view::ViewedModule& viewed() const;
  /// Keeps what was viewed before decoding. Before the module is shared.
  void keep_viewed(decoder::view::ViewedModule viewed);
  /// The places of the module's instructions, made at the first call. Thread-safe.
  const findings::Places& places() const;

 private:
  mutable std::mutex mutex_;
  std::map<ProgramKey, ProgramPointer> programs_;
  std::list<std::shared_ptr<ModuleState>> shaders_;  ///< most recently used first
  mutable std::once_flag viewed_once_, places_once_;
  mutable std::optional<decoder::view::ViewedModule> viewed_;
  mutable std::optional<findings::Places> places_;
};

struct BufferState {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::byte* data =
      nullptr;  ///< aligned to kBufferAlign within `storage`, or as the caller gave it
  bool read_only = false;
  bool write_only = false;
  /// Bits that neither the host nor a kernel has defined. Null: all are defined. Slices share those of their buffer.
  std::shared_ptr<UndefinedBits> undefined;
  std::uint64_t undefined_offset = 0;  ///< offset of a slice in `undefined`
  struct Free {
    void operator()(std::byte* storage) const;
  };
  std::unique_ptr<std::byte, Free> storage;  ///< null: the bytes belong to the caller or `owner`
  std::shared_ptr<const void> owner;         ///< slices and variables: the owner of the bytes
  std::unique_ptr<const ImageState> image;   ///< set if the bytes are the texels of an image
  std::unique_ptr<memory::Pipe> pipe;        ///< set if this is a pipe; it has the packets
};

/// Alignment of every buffer in bytes: that of OpenCL's largest type, a vector of 16 doubles.
inline constexpr std::uint64_t kBufferAlign = 128;

}  // namespace transpire::runtime
