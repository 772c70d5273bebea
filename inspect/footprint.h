// Footprint: which bytes a launch touched of memory that others may touch, too, and by which of its instructions. What
// two launches do to the same bytes is a race where nothing orders them; who knows what does (runtime/children.h, the
// OpenCL driver) compares their footprints.
//
// Bytes are named by where they are on the host, where buffers that share memory meet.
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

namespace transpire::inspect {

/// Who touched a word or a byte, of a launch that enqueues kernels: numbers, or kMany where several did.
struct Toucher {
  static constexpr std::uint32_t kNobody = 0xffffffff, kMany = 0xfffffffe;
  std::uint32_t item = kNobody;  ///< in its group: those that touched it last, in one segment
  std::uint32_t group = kNobody;
  /// When that was: between two fences of a group that are barriers. Each group has segments of its own.
  std::uint32_t segment = 0;
  std::uint32_t commands = 0;  ///< that the launch had enqueued by then
};

class Footprint {
 public:
  static constexpr std::uint64_t kPageBytes = 4096, kWords = kPageBytes / 4;

  /// What one instruction did to a page: a bit for each byte that it touched.
  struct Touched {
    std::uint32_t place = 0;  ///< index into Program::code
    vm::AccessKind kind = vm::AccessKind::kLoad;
    std::uint64_t parts = 0;  ///< which of the 64 words of `bytes` may have bits
    std::array<std::uint64_t, kPageBytes / 64> bytes{};
    std::vector<Toucher> touchers;      ///< if they are noted: by word, or by byte
    std::uint64_t lowest = kPageBytes;  ///< of the bytes; who touched it, when it became that
    Toucher lowest_by;

    /// Who touched a byte, as far as it is known.
    Toucher toucher_of(std::uint64_t byte) const;
  };

  /// With `notes_touchers`, who touched each word, or each byte where something touches less; at most so many bytes are taken.
  Footprint(bool notes_touchers, std::uint64_t max_bytes)
      : notes_touchers_(notes_touchers), max_bytes_(max_bytes) {}

  void add(std::uint32_t place, vm::AccessKind kind, const std::byte* at, std::uint64_t bytes,
           Toucher by);
  /// These bytes are no longer those that the launch touched.
  void forget(std::span<const std::byte> range);

  /// What two do to the same bytes, one of which writes.
  struct Conflict {
    std::uint32_t place = 0, other_place = 0;
    vm::AccessKind kind = vm::AccessKind::kLoad, other_kind = vm::AccessKind::kLoad;
    const std::byte* first = nullptr;
    Toucher by, other_by;     ///< who touched the first byte, as far as it is known
    std::uint64_t bytes = 0;  ///< so many in all
    bool are_atomic() const;
  };
  /// Once for two instructions. `counts` says which of this one's words are looked at, of those that have touchers.
  std::vector<Conflict> conflicts(const Footprint& other,
                                  const std::function<bool(const Toucher&)>& counts = {}) const;
  /// Once for each instruction that touches the range; with `writes`, writes it.
  std::vector<Conflict> in_range(std::span<const std::byte> range, bool writes) const;

  /// In which segments the launch enqueued its commands, one after the other.
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
  /// What was found last: kernels touch a page many times in turn.
  std::uint64_t last_page_ = 0, last_key_ = 0;
  Touched* last_ = nullptr;
  std::vector<std::uint32_t> segments_;  ///< by command
  std::uint64_t size_bytes_ = 0;
  bool uses_atomics_ = false;
  bool gave_up_ = false;
};

/// All that several footprints touched, to see at once that another one has nothing in common with any of them.
class TouchedTogether {
 public:
  void add(const Footprint& footprint);
  /// Whether some of them and this one touch the same byte, which one of the two writes.
  bool meets(const Footprint& footprint) const;
  std::uint64_t size_bytes() const { return pages_.size() * sizeof(Page); }

 private:
  struct Page {
    std::array<std::uint64_t, Footprint::kPageBytes / 64> read{}, written{};
  };
  std::unordered_map<std::uint64_t, Page> pages_;
};

/// Watches one launch.
class FootprintRecorder final : public vm::Observer {
 public:
  /// `queue`: what the launch enqueues kernels to, if it does.
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
  /// Of a group that has begun and not ended, of a launch that enqueues.
  struct Open {
    std::uint32_t segment = 0;
    bool comes_to_fence = false;  ///< it is about to meet at a barrier that fences global memory
  };
  void note_commands();
  void begin_segment();

  const vm::Program& program_;
  const vm::exec::LaunchIds& ids_;
  const vm::exec::DeviceQueue* queue_;
  Footprint& footprint_;
  std::uint32_t group_ = 0;  ///< the one that runs
  std::unordered_map<std::uint32_t, Open> open_;
  std::uint32_t segments_ = 0;  ///< begun
};

}  // namespace transpire::inspect
