// Observers: whatever watches a kernel run. A launch with an observer runs a Program that was lowered
// for it (LowerOptions::observed): an `observe` instruction stands before each of the kernel's, and every
// access goes lane by lane through the checked way (vm/exec/access.h), merged ones as their parts. The
// handlers are those of any other run, so results and findings are the same bits.
//
// The launch runs on one thread, in the order of the work-groups, and calls each function from there. A
// batch's state (work-items, running lanes, registers) may be read, and must not be changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vm/program/instruction.h"

namespace transpire::vm {

enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomicLoad, kAtomicStore, kAtomic };

/// Where a lane's bytes are on the host: from `base` on, or in private memory (memory::private_place).
struct HostPlace {
  std::byte* base = nullptr;  ///< of private memory: lane 0's first byte
  std::uint64_t offset = 0;   ///< private: into the lane's private memory
  std::uint32_t lane = 0, lanes = 0;
  bool is_private = false;
  bool is_workgroup = false;
};

/// One lane's access, all checks made.
struct ObservedAccess {
  const Inst* instruction = nullptr;  ///< Program::source_of() gives its place in the module
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  ///< virtual, without an owner's tag
  std::uint64_t bytes = 0;
  AccessKind kind = AccessKind::kLoad;
  HostPlace place;
};

/// What a launch that records its results says of every scalar that is stored. For anything but
/// floats both ends are 0.
struct StoredResult {
  std::uint64_t address = 0;  ///< virtual
  std::uint32_t bytes = 0;
  std::uint32_t site = 0;    ///< index into Program::result_sites
  double low = 0, high = 0;  ///< the results that fusing products and sums may give
};

class Observer {
 public:
  virtual ~Observer() = default;

  /// A work-group begins; its batches follow. Groups that share a batch begin and end together.
  virtual void group_begins(const std::uint64_t /*group_id*/[3]) {}
  virtual void group_ends(const std::uint64_t /*group_id*/[3]) {}
  /// The running lanes of a batch (Batch::mask) are about to execute an instruction.
  virtual void instruction(const exec::Batch& /*batch*/, const Inst& /*instruction*/) {}
  /// Before the next instruction: it stands in a function that was called, or the call is over. `call` is
  /// the index into Program::sources of the OpFunctionCall.
  virtual void called(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  virtual void returned(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  /// A lane reads or writes memory: before it does.
  virtual void access(const exec::Batch& /*batch*/, const ObservedAccess& /*access*/) {}
  /// The running lanes of a batch wait at a barrier, or at another instruction of the whole group.
  virtual void waits(const exec::Batch& /*batch*/, const Inst& /*barrier*/) {}
  /// All work-items of the group, or of all groups of the batch, have come to the barrier.
  virtual void meets(const Inst& /*barrier*/) {}
  /// A lane stored a value. Of launches that record their results: these come from any thread, unless
  /// everything is observed.
  virtual void stored(const exec::Batch& /*batch*/, const StoredResult& /*result*/) {}
};

/// Several observers, called in their order. None is owned.
class CompositeObserver final : public Observer {
 public:
  void add(Observer* observer) { observers_.push_back(observer); }

  void group_begins(const std::uint64_t group_id[3]) override {
    for (Observer* each : observers_) each->group_begins(group_id);
  }
  void group_ends(const std::uint64_t group_id[3]) override {
    for (Observer* each : observers_) each->group_ends(group_id);
  }
  void instruction(const exec::Batch& batch, const Inst& instruction) override {
    for (Observer* each : observers_) each->instruction(batch, instruction);
  }
  void called(const exec::Batch& batch, std::uint32_t call) override {
    for (Observer* each : observers_) each->called(batch, call);
  }
  void returned(const exec::Batch& batch, std::uint32_t call) override {
    for (Observer* each : observers_) each->returned(batch, call);
  }
  void access(const exec::Batch& batch, const ObservedAccess& access) override {
    for (Observer* each : observers_) each->access(batch, access);
  }
  void waits(const exec::Batch& batch, const Inst& barrier) override {
    for (Observer* each : observers_) each->waits(batch, barrier);
  }
  void meets(const Inst& barrier) override {
    for (Observer* each : observers_) each->meets(barrier);
  }
  void stored(const exec::Batch& batch, const StoredResult& result) override {
    for (Observer* each : observers_) each->stored(batch, result);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace transpire::vm
