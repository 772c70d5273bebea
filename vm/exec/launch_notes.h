// Notes of checks about a whole launch: objects used as atomic flags, coordinates with which images
// were sampled, memory accessed as a buffer and as an image, restrict pointers that lead to another
// argument's memory. Thread-safe; the runtime makes it for programs that use it
// (Program::keeps_notes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memory/address_space.h"
#include "vm/exec/engine.h"
#include "vm/exec/item_notes.h"

namespace transpire::vm::exec {

class LaunchNotes {
 public:
  /// For the launch's memory, and the arguments of its kernel.
  LaunchNotes(const memory::AddressMap& memory, const Program& program,
              std::span<const std::uint64_t> arguments, std::uint64_t max_bytes);

  /// Notes an atomic flag at an address. `owner` distinguishes local memory of groups.
  void add_flag(std::uint64_t owner, std::uint64_t address);
  bool holds_flag(std::uint64_t owner, std::uint64_t address, std::uint64_t bytes) const;

  /// Returns false if the sampler's coordinates differ from those of the image's first sampler.
  bool agrees(std::uint64_t image, bool normalized);

  /// True if some image lies in a buffer's memory.
  bool has_views() const { return !views_.empty(); }
  enum class Way : std::uint8_t { kBuffer, kImage };
  /// Notes an access of bytes on the host. Returns true if the memory is accessed in both ways, and
  /// written in one.
  bool mixes(const std::byte* host, std::uint64_t bytes, Way way, bool writes);

  /// True if memory of a restrict pointer also belongs to another argument; batches then keep notes
  /// of accesses.
  bool has_aliases() const { return !has_alias_.empty(); }
  /// True if the parameter with this index is one of these.
  bool has_alias(std::size_t parameter) const { return has_alias_[parameter]; }
  std::unique_ptr<ItemNotes> notes_of_batch() const { return std::make_unique<ItemNotes>(budget_); }

  /// True if the notes reached their limit of memory, so that something was not checked.
  bool gave_up() const { return budget_->gave_up(); }

 private:
  void find_views(const memory::AddressMap& memory);
  void find_aliases(const memory::AddressMap& memory, const Program& program,
                    std::span<const std::uint64_t> arguments);

  /// An image in a buffer's memory.
  struct View {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    bool accessed[2] = {}, written[2] = {};  ///< by Way
  };

  /// Memory of a flag: a node of a tree.
  static constexpr std::uint64_t kFlagNoteBytes = 64;

  std::shared_ptr<NoteBudget> budget_;
  mutable std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> flags_;
  std::unordered_map<std::uint64_t, bool> normalized_;  ///< by image
  std::vector<View> views_;
  std::vector<bool> has_alias_;  ///< by parameter; empty: none has
};

// Ops of the same names (vm/ops/report.def).
void check_chain(const Inst* ip, std::byte* r, Batch* batch);
void check_flag(const Inst* ip, std::byte* r, Batch* batch);
void check_view(const Inst* ip, std::byte* r, Batch* batch);
void check_alias(const Inst* ip, std::byte* r, Batch* batch);
// For scalar operands: d and c are the strides of a and b from lane to lane.
void check_chain_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_flag_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_view_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_alias_scalars(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
