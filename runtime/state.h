// What the public handles share: the state behind Module and Buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "decoder/module.h"
#include "memory/pipe.h"
#include "runtime/image.h"
#include "runtime/kernel_use.h"
#include "runtime/places.h"
#include "runtime/undefined_bits.h"
#include "transpire/transpire.hpp"
#include "vm/lower/lower.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// Whether a weak pointer names this very object, not merely one at the same address: addresses may be
/// used again, control blocks are not.
template <class T>
bool same_object(const std::weak_ptr<T>& a, const std::shared_ptr<T>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

/// The parts of vm::LowerOptions that tell one Program of a kernel from another.
struct ProgramKey {
  std::uint32_t kernel = 0;  ///< its number
  const vm::HandlerTable* handlers = nullptr;
  vm::BatchLayout layout;
  LaunchSettings settings;
  bool record_results = false;
  bool constants_change = false;
  bool tells_all_images = false;
  std::uint32_t enqueued_subgroup_items = vm::kSubgroupItems;

  friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};

using ProgramPointer = std::shared_ptr<const vm::Program>;

/// A decoded module, and the programs made from its kernels so far.
struct ModuleState {
  decoder::Module module;
  std::string assembly;                     ///< the text that the module was made of; empty: none
  std::vector<SourceText> sources;          ///< as LoadOptions gave them
  Diagnostics compiler_warnings;            ///< of the source that it was compiled from
  std::vector<CompiledFrom> compiled_from;  ///< see Module::compiled_from()
  ModuleInfo info;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> specialisation;  ///< as LoadOptions gave it
  /// Kernels have numbers: their index into ModuleInfo::kernels. Functions that kernels enqueue come behind them.
  std::vector<const decoder::EntryPoint*> entry_points;  ///< by number
  std::vector<KernelUse> uses;                           ///< likewise
  std::deque<decoder::EntryPoint> enqueued;              ///< made of functions
  std::vector<KernelInfo> enqueued_infos;
  /// Some kernel of the module may have sub-groups wait for some of each other.
  bool has_named_barriers = false;
  bool has_initializers = false;  ///< kernels that run before any other

  Result<std::uint32_t> find_kernel(std::string_view name) const;
  /// Of a function that some kernel enqueues.
  std::uint32_t enqueued_kernel(decoder::Id function) const;
  const KernelInfo& kernel_info(std::uint32_t number) const {
    return number < info.kernels.size() ? info.kernels[number]
                                        : enqueued_infos[number - info.kernels.size()];
  }
  /// Lowers the kernel, within the limit, or gives what an earlier call made. Thread-safe.
  Result<ProgramPointer> program(const ProgramKey& key, const WorkLimit& limit);
  /// Of the programs made so far, for tests. Thread-safe.
  std::vector<ProgramKey> made() const;
  /// Made when something is first to be shown. Thread-safe.
  const Places& places() const;
  /// OpenCL C has fences of images alone since 2.0; before, those of global memory are for both.
  bool lacks_image_fences() const {
    return module.source_language == spv::SourceLanguage::OpenCL_C &&
           module.source_version < 200'000;
  }

 private:
  mutable std::mutex mutex_;
  std::map<ProgramKey, ProgramPointer> programs_;
  mutable std::once_flag places_once_;
  mutable std::optional<Places> places_;
};

struct BufferState {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::byte* data =
      nullptr;  ///< aligned to kBufferAlign within `storage`, or as the caller gave it
  bool read_only = false;
  bool write_only = false;
  /// The host has not said what is in all of it: which bits neither it nor a kernel has defined yet.
  std::shared_ptr<UndefinedBits> undefined;  ///< null: it has; of a slice: its buffer's
  std::uint64_t undefined_offset = 0;        ///< of the slice into those
  struct Free {
    void operator()(std::byte* storage) const;
  };
  std::unique_ptr<std::byte, Free> storage;  ///< null: the caller's or the owner's
  std::shared_ptr<const void> owner;         ///< of a slice or variable: what has the bytes
  std::unique_ptr<const ImageState> image;   ///< of an image, whose texels the bytes are; else null
  std::unique_ptr<memory::Pipe> pipe;        ///< of a pipe, whose packets the bytes are; else null
};

/// OpenCL's largest type, a vector of 16 doubles, decides the alignment of every buffer.
inline constexpr std::uint64_t kBufferAlign = 128;

/// ModuleInfo and what else ModuleState derives from a decoded module.
ModuleInfo describe(const decoder::Module& module, std::span<const KernelUse> uses);
TypeInfo describe(const decoder::Type& type);
bool has_named_barriers(const decoder::Module& module);
/// Whether ModuleInfo::variables lists it.
bool is_program_scope_variable(const decoder::Variable& variable);
/// How a program-scope variable without a name is called, by its place among those.
std::string nameless(std::size_t index);

}  // namespace transpire::runtime
