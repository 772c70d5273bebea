// What checks keep of a whole launch, of all its work-items: which objects are atomic flags, with which coordinates an
// image was sampled, which memory is accessed as a buffer and as an image. Thread-safe; made by who runs the launch, for
// programs that want it (Program::keeps_notes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memory/address_space.h"
#include "vm/exec/engine.h"

namespace transpire::vm::exec {

class LaunchNotes {
 public:
  /// Of the memory that the launch has, and the arguments of its kernel.
  LaunchNotes(const memory::AddressMap& memory, const Program& program,
              std::span<const std::uint64_t> arguments);

  /// An atomic flag lies at an address. `owner` tells local memory of one group from that of others.
  void add_flag(std::uint64_t owner, std::uint64_t address);
  bool holds_flag(std::uint64_t owner, std::uint64_t address, std::uint64_t bytes) const;

  /// The first sampler of an image says what all of them have to be.
  bool agrees(std::uint64_t image, bool normalized);

  /// Whether some image lies in memory that is a buffer's, too.
  bool has_views() const { return !views_.empty(); }
  enum class Way : std::uint8_t { kBuffer, kImage };
  /// An access of bytes on the host. True where the memory is accessed the other way as well, and written one way.
  bool mixes(const std::byte* host, Way way, bool writes);

  /// Whether memory that a restrict pointer leads to is another argument's, too.
  bool has_aliases() const { return has_aliases_; }
  /// A work-item accesses a byte through a parameter, which is restrict or not. True where it accessed the byte through
  /// another one before, one of the two is restrict, and one of the accesses is a store.
  bool meets(std::uint64_t item, const std::byte* host, std::uint16_t parameter, bool no_alias,
             bool writes);

 private:
  void find_views(const memory::AddressMap& memory);
  void find_aliases(const memory::AddressMap& memory, const Program& program,
                    std::span<const std::uint64_t> arguments);

  /// Flags beyond this many are not looked after.
  static constexpr std::size_t kMostFlags = std::size_t{1} << 20;

  /// An image in a buffer's memory.
  struct View {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    bool accessed[2] = {}, written[2] = {};  ///< by Way
  };

  /// Accesses beyond this many bytes of work-items are not looked at.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 22;

  struct ByteKey {
    std::uint64_t item = 0;
    const std::byte* host = nullptr;
    bool operator==(const ByteKey&) const = default;
  };
  struct ByteHash {
    std::size_t operator()(const ByteKey& key) const {
      constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
      return (reinterpret_cast<std::uintptr_t>(key.host) ^ key.item * kOdd) * kOdd;
    }
  };
  /// How a work-item accessed a byte: by the first parameter that it did so through.
  struct ByteUse {
    std::uint16_t parameter = 0;
    bool no_alias = false, written = false;
  };

  mutable std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> flags_;
  std::unordered_map<std::uint64_t, bool> normalized_;  ///< by image
  std::vector<View> views_;
  bool has_aliases_ = false;
  std::unordered_map<ByteKey, ByteUse, ByteHash> bytes_;
};

// Ops of the same names (vm/ops/report.def).
void check_chain(const Inst* ip, std::byte* r, Batch* batch);
void check_flag(const Inst* ip, std::byte* r, Batch* batch);
void check_view(const Inst* ip, std::byte* r, Batch* batch);
void check_alias(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
