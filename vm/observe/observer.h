// Observers: whatever watches a kernel run. A launch with an observer runs a Program that was lowered
// for it (LowerOptions::observed): an `observe` instruction stands before each of the kernel's, and every
// access goes lane by lane through the checked way (vm/exec/access.h), merged ones as their parts. The
// handlers are those of any other run, so results and findings are those of a run on one thread; only what
// is counted may differ (LaunchResult::instructions). Where only checkers watch (LowerOptions::tells_rows), loads and
// stores go the fast way, and are told of as rows.
//
// The launch runs on one thread, which calls each function; where the launch has a time limit or reports
// progress, it is not the one that launches. Groups come one after the other, the first dimension fastest; those that
// wait for each other take turns, from where one was seen to wait. A group's batches run in their order, each up to its next
// barrier or its end. A batch's state (work-items, running lanes, registers) may be read, and must not be changed.
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

/// Where a lane's bytes are on the host: from `base` on, or in private memory (memory::private_place).
struct HostPlace {
  std::byte* base = nullptr;  ///< of private memory: lane 0's first byte
  std::uint64_t offset = 0;   ///< private: into the lane's private memory
  std::uint32_t lane = 0, lanes = 0;
  bool is_private = false;
  bool is_workgroup = false;
  bool is_image = false;
};

/// One lane's access, all checks made. One that is refused is a finding, and none is made.
struct ObservedAccess {
  const Inst* instruction = nullptr;  ///< Program::source_of() gives its place in the module
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  ///< virtual, without an owner's tag
  std::uint64_t bytes = 0;
  AccessKind kind = AccessKind::kLoad;
  HostPlace place;
};

/// The same of all running lanes of an instruction whose access is in order: those of a load or a store, in memory that all
/// lanes see alike. Where no observer is told of instructions, this comes instead of an access for each lane.
struct ObservedRow {
  const Inst* instruction = nullptr;
  AccessKind kind = AccessKind::kLoad;  ///< or kStore
  bool is_workgroup = false;
  bool is_image = false;
  std::uint64_t bytes = 0;
  const std::uint64_t* lanes = nullptr;  ///< a mask; not empty
  std::uint64_t base = 0;                ///< virtual address of lane 0
  std::int64_t stride = 0;
  const std::uint64_t* addresses = nullptr;  ///< rather than these two: by lane
  std::uint64_t begin = 0;                   ///< virtual address of the allocation that all are in
  std::byte* host = nullptr;                 ///< where it is
  /// Of stores to memory that is no image: offsets of the components' registers, which are rows.
  const std::uint32_t* values = nullptr;
  std::uint32_t components = 1;
  bool stores_bools = false;

  std::uint64_t address(std::uint32_t lane) const {
    if (addresses != nullptr) return addresses[lane];
    return base + static_cast<std::uint64_t>(stride * static_cast<std::int64_t>(lane));
  }
  /// Before the instruction stores.
  std::byte* at(std::uint64_t address) const { return host + (address - begin); }
};

/// Rows: by lane SPIR-V's Scope and Memory Semantics, of a compare-exchange also those of when it fails.
struct MemoryOrder {
  const Inst* instruction = nullptr;
  OrderOf of = OrderOf::kFence;
  const std::uint32_t* scope = nullptr;
  const std::uint32_t* semantics = nullptr;
  const std::uint32_t* unequal = nullptr;
};

/// What a launch that records its results (Launch::results) says of every scalar that a running lane stores
/// to memory which the host can read, also where the access was refused. For anything but floats both ends
/// are 0.
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
  /// What follows is of this group, which has begun and not ended, and no longer of the one that was named last.
  virtual void group_goes_on(const std::uint64_t /*group_id*/[3]) {}
  /// The group that was named last; also where the launch ends before it.
  virtual void group_ends(const std::uint64_t /*group_id*/[3]) {}
  /// The running lanes of a batch (Batch::mask) are about to execute an instruction: once for each of LIR,
  /// terminators among them. A SPIR-V instruction is several where it has several components or steps, and
  /// none where passes removed it. What emission adds (operands spread to rows, sums of addresses, copies of
  /// phis, jumps of edges that passes split) is told of by nothing.
  virtual void instruction(const exec::Batch& /*batch*/, const Inst& /*instruction*/) {}
  /// Before `instruction`, where it stands in another call than the batch's last one: calls that are over,
  /// the innermost first, then those entered, the outermost first. `call` is the index into Program::sources
  /// of the OpFunctionCall. Lanes that part in a called function may enter it several times, and a batch
  /// that ends within a call does not return from it.
  virtual void called(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  virtual void returned(const exec::Batch& /*batch*/, std::uint32_t /*call*/) {}
  /// A lane reads or writes memory: before it does. An asynchronous copy does when its event is waited for,
  /// as the group's first work-item; `instruction` then is the copy.
  virtual void access(const exec::Batch& /*batch*/, const ObservedAccess& /*access*/) {}
  /// Before the instruction makes any of them.
  virtual void row(const exec::Batch& /*batch*/, const ObservedRow& /*row*/) {}
  /// The running lanes of a batch wait at a barrier, or at another instruction of the whole group.
  virtual void waits(const exec::Batch& /*batch*/, const Inst& /*barrier*/) {}
  /// All that the barrier waits for have come: the work-items of the group, of a named barrier its
  /// sub-groups. `batch` is one of those that waited. Work-items that part never meet.
  virtual void meets(const exec::Batch& /*batch*/, const Inst& /*barrier*/) {}
  /// What follows orders memory: before it does. Only of launches that look for races (LaunchSettings::looks_for_races).
  virtual void orders(const exec::Batch& /*batch*/, const MemoryOrder& /*order*/) {}
  /// A lane has stored a value, or tried to. Only of launches that record their results, observed or not;
  /// of those that are not, this is all that comes, and from any of their threads.
  virtual void stored(const exec::Batch& /*batch*/, const StoredResult& /*result*/) {}
  /// A lane has printed a text that the launch keeps.
  virtual void printed(const exec::Batch& /*batch*/, std::uint32_t /*lane*/,
                       std::string_view /*text*/) {}
  virtual void found(const exec::Batch& /*batch*/, const exec::Event& /*event*/) {}
  /// A lane has enqueued a kernel or a marker.
  virtual void enqueued(const exec::Batch& /*batch*/, const Inst& /*instruction*/,
                        std::uint32_t /*lane*/) {}
  virtual void piped(const exec::Batch& /*batch*/, const PipedPacket& /*packet*/) {}
  /// False: the launch is to end in front of the instruction that the observer was told of.
  virtual bool goes_on() const { return true; }
};

/// Several observers, called in their order. None is owned.
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
