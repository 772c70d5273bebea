// What checks keep of a whole launch, of all its work-items: which objects are atomic flags, with which coordinates an
// image was sampled, which memory is accessed as a buffer and as an image, which restrict pointers lead where others do. Thread-safe; made by who runs the launch, for
// programs that want it (Program::keeps_notes).
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
  /// Of the memory that the launch has, and the arguments of its kernel.
  LaunchNotes(const memory::AddressMap& memory, const Program& program,
              std::span<const std::uint64_t> arguments, std::uint64_t max_bytes);

  /// An atomic flag lies at an address. `owner` tells local memory of one group from that of others.
  void add_flag(std::uint64_t owner, std::uint64_t address);
  bool holds_flag(std::uint64_t owner, std::uint64_t address, std::uint64_t bytes) const;

  /// The first sampler of an image says what all of them have to be.
  bool agrees(std::uint64_t image, bool normalized);

  /// Whether some image lies in memory that is a buffer's, too.
  bool has_views() const { return !views_.empty(); }
  enum class Way : std::uint8_t { kBuffer, kImage };
  /// An access of bytes on the host. True where the memory is accessed the other way as well, and written one way.
  bool mixes(const std::byte* host, std::uint64_t bytes, Way way, bool writes);

  /// Whether memory that a restrict pointer leads to is another argument's, too: then batches keep notes of it.
  bool has_aliases() const { return !has_alias_.empty(); }
  /// Whether the parameter, of which the index is given, is one of these.
  bool has_alias(std::size_t parameter) const { return has_alias_[parameter]; }
  std::unique_ptr<ItemNotes> notes_of_batch() const { return std::make_unique<ItemNotes>(budget_); }

  /// Whether something was not looked at, for the notes took as much memory as they may.
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

  /// What a flag takes: a node of a tree.
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
// The same of operands that are scalars: d and c are what a and b are more from lane to lane.
void check_chain_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_flag_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_view_scalars(const Inst* ip, std::byte* r, Batch* batch);
void check_alias_scalars(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
