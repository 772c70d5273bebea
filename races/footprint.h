// Footprint: the bytes of shared memory that a launch touched, and the instructions that touched them. Conflicting accesses of two
// launches to the same bytes are a race unless something orders the launches. Code that knows the order (runtime/children.h, the
// OpenCL driver) compares footprints.
//
// Bytes are named by their host addresses, which are the same for buffers that share memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vm/exec/device_queue.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::races {

/// The work-item and group that touched a word or a byte, by number. kMany: several did. Only launches that enqueue kernels note it.
struct Toucher {
  static constexpr std::uint32_t kNobody = 0xffffffff, kMany = 0xfffffffe;
  std::uint32_t item =
      kNobody;  ///< local linear id of the work-item that touched it in the last segment
  std::uint32_t group = kNobody;
  /// The time of the touch. A segment is the time between two barriers of a group that fence global memory. Each group has segments of
  /// its own.
  std::uint32_t segment = 0;
  std::uint32_t commands = 0;  ///< commands that the launch had enqueued by then
};

class Footprint {
 public:
  static constexpr std::uint64_t kPageBytes = 4096, kWords = kPageBytes / 4;

  /// The bytes of a page that one instruction touched, a bit each.
  struct Touched {
    std::uint32_t place = 0;  ///< index into Program::code
    vm::AccessKind kind = vm::AccessKind::kLoad;
    std::uint64_t parts = 0;  ///< a bit for each of the 64 words of `bytes` that may have bits
    std::array<std::uint64_t, kPageBytes / 64> bytes{};
    std::vector<Toucher> touchers;      ///< [word] or [byte]; empty unless touchers are noted
    std::uint64_t lowest = kPageBytes;  ///< the lowest byte that was touched
    Toucher lowest_by;                  ///< the toucher that made it the lowest

    /// The toucher of a byte, if it is known.
    Toucher toucher_of(std::uint64_t byte) const;
  };

  /// `notes_touchers`: note the toucher of each word, or of each byte if an access has less than a word. `max_bytes`: limit of the
  /// footprint's memory; beyond it accesses are lost, see gave_up().
  Footprint(bool notes_touchers, std::uint64_t max_bytes)
      : notes_touchers_(notes_touchers), max_bytes_(max_bytes) {}

  /// Adds an access of the instruction at index `place` of Program::code to the bytes at `at`.
  void add(std::uint32_t place, vm::AccessKind kind, const std::byte* at, std::uint64_t bytes,
           Toucher by);
  /// Removes bytes from the footprint, because they no longer belong to the memory that the launch touched.
  void forget(std::span<const std::byte> range);

  /// Accesses of two instructions to the same bytes. At least one of them writes.
  struct Conflict {
    std::uint32_t place = 0, other_place = 0;
    vm::AccessKind kind = vm::AccessKind::kLoad, other_kind = vm::AccessKind::kLoad;
    const std::byte* first = nullptr;
    Toucher by, other_by;     ///< touchers of the first byte, if they are known
    std::uint64_t bytes = 0;  ///< number of bytes in conflict
    bool are_atomic() const;
  };
  /// Conflicts with another footprint, one for each pair of instructions. `counts` selects words of this footprint by their touchers;
  /// words without touchers are always selected.
  std::vector<Conflict> conflicts(const Footprint& other,
                                  const std::function<bool(const Toucher&)>& counts = {}) const;
  /// One conflict for each instruction that touches the range. `writes`: only instructions that write it.
  std::vector<Conflict> in_range(std::span<const std::byte> range, bool writes) const;

  /// Notes the segment in which the commands up to number `count` were enqueued. Commands that were noted before keep theirs.
  void note_commands(std::uint32_t count, std::uint32_t segment) {
    segments_.resize(std::max<std::size_t>(count, segments_.size()), segment);
  }
  std::uint32_t segment_of(std::uint32_t command) const {
    return command < segments_.size() ? segments_[command] : 0;
  }

  bool uses_atomics() const { return uses_atomics_; }
  bool gave_up() const { return gave_up_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  friend class TouchedTogether;
  using Page = std::unordered_map<std::uint64_t, Touched>;  ///< by place and kind
  Touched* find(std::uint64_t page, std::uint32_t place, vm::AccessKind kind);
  bool split(Touched& touched);
  template <class Pages, class F>
  static void each_noted(Pages& pages, std::span<const std::byte> range, F f);

  const bool notes_touchers_;
  const std::uint64_t max_bytes_;
  std::unordered_map<std::uint64_t, Page> pages_;
  /// The result of the last find(). Kernels often touch one page many times in a row.
  std::uint64_t last_page_ = 0, last_key_ = 0;
  Touched* last_ = nullptr;
  std::vector<std::uint32_t> segments_;  ///< [command]
  std::uint64_t size_bytes_ = 0;
  bool uses_atomics_ = false;
  bool gave_up_ = false;
};

/// The bytes of several footprints together. They show fast that another footprint conflicts with none of them.
class TouchedTogether {
 public:
  void add(const Footprint& footprint);
  /// True if the footprint and one of those added touch the same byte, and one of the two writes it.
  bool meets(const Footprint& footprint) const;
  std::uint64_t size_bytes() const { return pages_.size() * sizeof(Page); }

 private:
  struct Page {
    std::array<std::uint64_t, Footprint::kPageBytes / 64> read{}, written{};
  };
  std::unordered_map<std::uint64_t, Page> pages_;
};

/// Observer that records the footprint of one launch.
class FootprintRecorder final : public vm::Observer {
 public:
  /// `queue`: the queue to which the launch enqueues kernels; ignored if it enqueues none. All arguments must outlive this.
  FootprintRecorder(const vm::Program& program, const vm::exec::LaunchIds& ids,
                    const vm::exec::DeviceQueue* queue, Footprint& footprint)
      : program_(program),
        ids_(ids),
        queue_(program.uses_queue ? queue : nullptr),
        footprint_(footprint) {}

  void group_begins(const std::uint64_t group_id[3]) override;
  void group_goes_on(const std::uint64_t group_id[3]) override;
  void group_ends(const std::uint64_t group_id[3]) override;
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  void row(const vm::exec::Batch& batch, const vm::ObservedRow& row) override;
  void orders(const vm::exec::Batch& batch, const vm::MemoryOrder& order) override;
  void meets(const vm::exec::Batch& batch, const vm::Inst& barrier) override;

 private:
  Toucher toucher(const vm::exec::Batch& batch, std::uint32_t lane) const;
  /// State of a group that has begun and not ended, in a launch that enqueues kernels.
  struct Open {
    std::uint32_t segment = 0;
    bool comes_to_fence = false;  ///< the group's next barrier fences global memory
  };
  void note_commands();
  void begin_segment();

  const vm::Program& program_;
  const vm::exec::LaunchIds& ids_;
  const vm::exec::DeviceQueue* queue_;
  Footprint& footprint_;
  std::uint32_t group_ = 0;  ///< the group that runs
  std::unordered_map<std::uint32_t, Open> open_;
  std::uint32_t segments_ = 0;  ///< number of segments begun
};

}  // namespace transpire::races
