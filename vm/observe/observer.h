// Observer: the interface through which a launch reports each step to an object that watches it. A launch with an observer runs a
// Program that was lowered for it (LowerOptions::observed): an `observe` instruction stands before each instruction of the kernel,
// and every access takes the slow path lane by lane (vm/exec/access.h), merged accesses as their parts. The handlers are those of
// any other run, so results and findings are those of a run on one thread; only the count of instructions may differ
// (LaunchResult::instructions). If only checkers watch (LowerOptions::announces_rows), loads and stores take the fast path and are
// reported as rows.
//
// The launch runs on one thread, which calls each function. It is not the calling thread if the launch has a time limit or
// reports progress. Groups run one after the other, the first dimension fastest. Groups that wait for each other take turns from the
// time at which one was seen to wait. A group's batches run in their order, each to its next barrier or its end. An observer may
// read a batch's state (work-items, running lanes, registers) and must not change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vm/program/immediates.h"
#include "vm/program/instruction.h"

namespace transpire::vm::exec {
struct Event;
}

namespace transpire::vm {

enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomicLoad, kAtomicStore, kAtomic };

inline bool is_atomic(AccessKind kind) {
  return kind != AccessKind::kLoad && kind != AccessKind::kStore;
}
inline bool does_write(AccessKind kind) {
  return kind != AccessKind::kLoad && kind != AccessKind::kAtomicLoad;
}

/// The place of a lane's bytes on the host: from `base` on, or in private memory at memory::private_place().
struct HostPlace {
  std::byte* base = nullptr;  ///< the first byte; in private memory lane 0's first byte
  std::uint64_t offset = 0;   ///< private memory: bytes from the begin of the lane's memory
  std::uint32_t lane = 0, lanes = 0;
  bool is_private = false;
  bool is_workgroup = false;
  bool is_image = false;
};

/// One lane's access, which passed all checks. A refused access is a finding, and no ObservedAccess.
struct ObservedAccess {
  const Inst* instruction = nullptr;  ///< Program::source_of() gives its place in the module
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  ///< virtual, without an owner's tag
  std::uint64_t bytes = 0;
  AccessKind kind = AccessKind::kLoad;
  HostPlace place;
};

/// The accesses of all running lanes of a load or a store, which passed all checks, to memory that is not private. If no observer
/// gets instructions, a row replaces an ObservedAccess for each lane.
struct ObservedRow {
  const Inst* instruction = nullptr;
  AccessKind kind = AccessKind::kLoad;  ///< or kStore
  bool is_workgroup = false;
  bool is_image = false;
  std::uint64_t bytes = 0;
  const std::uint64_t* lanes = nullptr;  ///< a mask; not empty
  std::uint64_t base = 0;                ///< virtual address of lane 0
  std::int64_t stride = 0;
  const std::uint64_t* addresses = nullptr;  ///< [lane], replaces base and stride; may be null
  std::uint64_t begin = 0;                   ///< virtual address of the allocation that is accessed
  std::byte* host = nullptr;                 ///< host address of the allocation
  /// Stores to memory that is no image: offsets of the registers, all rows, that hold the stored components.
  const std::uint32_t* values = nullptr;
  std::uint32_t components = 1;
  bool stores_bools = false;

  std::uint64_t address(std::uint32_t lane) const {
    if (addresses != nullptr) return addresses[lane];
    return base + static_cast<std::uint64_t>(stride * static_cast<std::int64_t>(lane));
  }
  /// Host address of a virtual address. Its memory has the value from before the instruction.
  std::byte* at(std::uint64_t address) const { return host + (address - begin); }
};

/// An instruction that orders memory. Each array is [lane]: SPIR-V's Scope, Memory Semantics, and for a compare-exchange the
/// semantics of its failure.
struct MemoryOrder {
  const Inst* instruction = nullptr;
  OrderOf of = OrderOf::kFence;
  const std::uint32_t* scope = nullptr;
  const std::uint32_t* semantics = nullptr;
  const std::uint32_t* unequal = nullptr;
};

/// A scalar that a running lane stored to memory which the host can read, or tried to store in a refused access. Launches that
/// record their results (Launch::results) report them. `low` and `high` are 0 for anything but floats.
struct StoredResult {
  std::uint64_t address = 0;  ///< virtual
  std::uint32_t bytes = 0;
  std::uint32_t site = 0;    ///< index into Program::result_sites
  double low = 0, high = 0;  ///< the results that fusing products and sums may give
};

/// A packet that a lane has read from a pipe, or written to it.
struct PipedPacket {
  const Inst* instruction = nullptr;
  std::uint32_t lane = 0;
  std::uint64_t pipe = 0;  ///< the handle: the virtual address of an allocation
  std::uint32_t bytes = 0;
  bool is_read = false;
};

class Observer {
 public:
  virtual ~Observer() = default;

  /// A work-group begins; its batches follow. No two groups share a batch.
  virtual void group_begins(const std::uint64_t /*group_id*/[3]) {}
  /// A group continues, which has begun and not ended. Later calls are about this group and no longer about the one that was
  /// named last.
  virtual void group_goes_on(const std::uint64_t /*group_id*/[3]) {}
  /// The group that was named last ends, or the launch ends before the group does.
  virtual void group_ends(const std::uint64_t /*group_id*/[3]) {}
  /// The running lanes of a batch (Batch::mask) are about to execute an instruction of LIR; terminators count, too. A SPIR-V
  /// instruction is several of these if it has several components or steps, and none if passes removed it. Instructions that
  /// emission adds (operands spread to rows, sums of addresses, copies of phis, jumps of edges that passes split) have no call.
  virtual void instruction(const exec::Batch& /*batch*/, const Inst& /*instruction*/) {}
  /// The next `instruction` is in another function call than the batch's last one. returned() comes for each call that is over,
  /// the innermost first, then called() for each call that was entered, the outermost first. `call` is the index of the
  /// OpFunctionCall in Program::sources. If lanes diverge in a called function, the batch may enter it several times. A batch that
  /// ends within a call does not return from it.
  virtual void called(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  virtual void returned(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  /// A lane is about to read or write memory. An asynchronous copy does so when the group waits for its event: the call is then for
  /// the group's first work-item, and `instruction` is the copy.
  virtual void access(const exec::Batch& /*batch*/, const ObservedAccess& /*access*/) {}
  /// The running lanes are about to make the accesses of a row.
  virtual void row(const exec::Batch& /*batch*/, const ObservedRow& /*row*/) {}
  /// The running lanes of a batch wait at a barrier, or at another instruction of the whole group.
  virtual void waits(const exec::Batch& /*batch*/, const Inst& /*barrier*/) {}
  /// All work-items of the group have arrived at the barrier, or enough sub-groups at a named barrier. `batch` is one of the
  /// waiting batches. A group that has diverged never meets again.
  virtual void meets(const exec::Batch& /*batch*/, const Inst& /*barrier*/) {}
  /// The running lanes are about to execute an instruction that orders memory. Only launches that look for races call this
  /// (LaunchSettings::looks_for_races).
  virtual void orders(const exec::Batch& /*batch*/, const MemoryOrder& /*order*/) {}
  /// A lane has stored a value, or tried to. Only launches that record their results call this. A launch that is not observed
  /// calls only this function, from any of its threads.
  virtual void stored(const exec::Batch& /*batch*/, const StoredResult& /*result*/) {}
  /// A lane has printed a text that the launch keeps.
  virtual void printed(const exec::Batch& /*batch*/, std::uint32_t /*lane*/,
                       std::string_view /*text*/) {}
  /// A lane has a finding.
  virtual void found(const exec::Batch& /*batch*/, const exec::Event& /*event*/) {}
  /// A lane has enqueued a kernel or a marker.
  virtual void enqueued(const exec::Batch& /*batch*/, const Inst& /*instruction*/,
                        std::uint32_t /*lane*/) {}
  /// A lane has read a packet from a pipe or written one.
  virtual void piped(const exec::Batch& /*batch*/, const PipedPacket& /*packet*/) {}
  /// False ends the launch in front of the instruction that the observer's last instruction() was about.
  virtual bool goes_on() const { return true; }
};

/// Calls several observers in the order in which they were added. It does not own them.
class CompositeObserver final : public Observer {
 public:
  void add(Observer* observer) { observers_.push_back(observer); }
  bool empty() const { return observers_.empty(); }

  void group_begins(const std::uint64_t group_id[3]) override {
    for (Observer* each : observers_) each->group_begins(group_id);
  }
  void group_goes_on(const std::uint64_t group_id[3]) override {
    for (Observer* each : observers_) each->group_goes_on(group_id);
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
  void row(const exec::Batch& batch, const ObservedRow& row) override {
    for (Observer* each : observers_) each->row(batch, row);
  }
  void waits(const exec::Batch& batch, const Inst& barrier) override {
    for (Observer* each : observers_) each->waits(batch, barrier);
  }
  void meets(const exec::Batch& batch, const Inst& barrier) override {
    for (Observer* each : observers_) each->meets(batch, barrier);
  }
  void orders(const exec::Batch& batch, const MemoryOrder& order) override {
    for (Observer* each : observers_) each->orders(batch, order);
  }
  void stored(const exec::Batch& batch, const StoredResult& result) override {
    for (Observer* each : observers_) each->stored(batch, result);
  }
  void printed(const exec::Batch& batch, std::uint32_t lane, std::string_view text) override {
    for (Observer* each : observers_) each->printed(batch, lane, text);
  }
  void found(const exec::Batch& batch, const exec::Event& event) override {
    for (Observer* each : observers_) each->found(batch, event);
  }
  void enqueued(const exec::Batch& batch, const Inst& instruction, std::uint32_t lane) override {
    for (Observer* each : observers_) each->enqueued(batch, instruction, lane);
  }
  void piped(const exec::Batch& batch, const PipedPacket& packet) override {
    for (Observer* each : observers_) each->piped(batch, packet);
  }
  bool goes_on() const override {
    for (const Observer* each : observers_)
      if (!each->goes_on()) return false;
    return true;
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace transpire::vm
