// Footprint: which bytes a launch touched of memory that others may touch, too, and by which of its instructions. What
// two launches do to the same bytes is a race where nothing orders them; who knows what does (runtime/children.h, the
// OpenCL driver) compares their footprints.
//
// Bytes are named by where they are on the host, where buffers that share memory meet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::inspect {

/// Who touched a word: a number, or kMany where several did.
struct Toucher {
  static constexpr std::uint32_t kNobody = 0xffffffff, kMany = 0xfffffffe;
  std::uint32_t item = kNobody, group = kNobody;
};

class Footprint {
 public:
  static constexpr std::uint64_t kPageBytes = 4096, kWords = kPageBytes / 4;

  /// What one instruction did to a page: a bit for each byte that it touched.
  struct Touched {
    std::uint32_t place = 0;  ///< index into Program::code
    vm::AccessKind kind = vm::AccessKind::kLoad;
    std::array<std::uint64_t, kPageBytes / 64> bytes{};
    std::vector<Toucher> touchers;  ///< by word, if they are noted
  };

  /// With `notes_touchers`, who touched each word; at most so many bytes are taken.
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
    std::uint64_t bytes = 0;  ///< so many in all
    bool are_atomic() const;
  };
  /// Once for two instructions. `counts` says which of this one's words are looked at, of those that have touchers.
  std::vector<Conflict> conflicts(const Footprint& other,
                                  const std::function<bool(const Toucher&)>& counts = {}) const;
  /// Once for each instruction that touches the range; with `writes`, writes it.
  std::vector<Conflict> in_range(std::span<const std::byte> range, bool writes) const;

  bool uses_atomics() const { return uses_atomics_; }
  bool gave_up() const { return gave_up_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  using Page = std::vector<Touched>;
  Touched* find(std::uint64_t page, std::uint32_t place, vm::AccessKind kind);

  const bool notes_touchers_;
  const std::uint64_t max_bytes_;
  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t size_bytes_ = 0;
  bool uses_atomics_ = false;
  bool gave_up_ = false;
};

/// Watches one launch.
class FootprintRecorder final : public vm::Observer {
 public:
  FootprintRecorder(const vm::Program& program, const vm::exec::LaunchIds& ids,
                    Footprint& footprint)
      : program_(program), ids_(ids), footprint_(footprint) {}

  void group_begins(const std::uint64_t group_id[3]) override;
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  void row(const vm::exec::Batch& batch, const vm::ObservedRow& row) override;

 private:
  Toucher toucher(const vm::exec::Batch& batch, std::uint32_t lane) const;

  const vm::Program& program_;
  const vm::exec::LaunchIds& ids_;
  Footprint& footprint_;
  std::uint32_t group_ = 0;
};

}  // namespace transpire::inspect
