// Watch: follows a launch while it runs. The launch calls its functions for each event, and their answers say how the launch
// goes on.
//
//   struct Stores : transpire::Watch {
//     Answer access(const transpire::WatchAccess& access) override {
//       if (access.writes()) std::puts(access.place.spell().c_str());
//       return Answer::kGoOn;
//     }
//   } stores;
//   launch.watch = &stores;
//   device.run(launch);                         // or WatchedRun, which can stop at an event and go back to earlier ones
//
// A watched launch runs observed (LaunchSettings::observed), on one thread and slowly. Its results and findings are those
// of any other run. Events come in the order in which things happen: a launch, its groups, their instructions; then the
// kernels that it enqueued. A module's initializers and finalizers are not watched.
//
// Steps and accesses come before they happen, prints, enqueues and packets once they have happened. A function of the watch
// may look at the launch's memory, and at WatchedRun::position(); it must not throw, nor drive the run that it watches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"
#include "transpire/result.hpp"

namespace transpire {

class Device;
struct Launch;
struct LaunchResult;

namespace runtime {
struct WatchScene;
class WatchedRunState;
}  // namespace runtime

struct WatchItem {
  std::array<std::uint64_t, 3> global_id{}, group_id{}, local_id{};
  friend bool operator==(const WatchItem&, const WatchItem&) = default;
};

/// An instruction of the running program. Valid during the call that gave it.
class TRANSPIRE_API WatchPlace {
 public:
  WatchPlace(const runtime::WatchScene& scene, const void* instruction)
      : scene_(&scene), instruction_(instruction) {}

  /// In 32-bit words from the start of the module; 0 if lowering added the instruction, which the module does not have.
  std::uint32_t word_offset() const;
  /// SPIR-V's opcode and its name, "OpStore".
  std::uint32_t opcode() const;
  std::string name() const;
  /// "heat.cl:31:5", or "word 412".
  std::string spell() const;
  /// Line and column, if debug information has them or the module came as text.
  SourceLine source() const;
  /// The call stack: the innermost function first, the kernel last.
  std::vector<Frame> frames() const;

 private:
  const runtime::WatchScene* scene_;
  const void* instruction_;
};

/// Work-items that do something together, in order of their local ids. Valid during the call that gave it.
class TRANSPIRE_API WatchItems {
 public:
  explicit WatchItems(const void* batch) : batch_(batch) {}
  std::size_t size() const;
  /// `index` is below size().
  WatchItem operator[](std::size_t index) const;

 private:
  const void* batch_;
};

struct WatchLaunch {
  std::string_view kernel;
  std::array<std::uint64_t, 3> global_size{}, local_size{}, num_groups{};
  bool is_child = false;  ///< a kernel enqueued it
};

struct WatchGroup {
  std::array<std::uint64_t, 3> group_id{};
};

/// An event of several work-items.
struct WatchStep {
  WatchPlace place;
  WatchItems items;
};

/// An event of one work-item. `round` counts the barriers, without named ones, that its whole group has passed. The pair (item,
/// round) therefore names the same time in all modules that were made of one kernel.
struct WatchEvent {
  WatchPlace place;
  WatchItem item;
  std::uint32_t round = 0;
};

/// A load, a store or an atomic that is about to happen. A refused access is a WatchFinding instead.
struct TRANSPIRE_API WatchAccess : WatchEvent {
  enum class Kind : std::uint8_t { kLoad, kStore, kAtomicLoad, kAtomicStore, kAtomic };
  enum class Memory : std::uint8_t { kBuffer, kLocal, kPrivate, kImage };
  Kind kind = Kind::kLoad;
  Memory memory = Memory::kBuffer;
  std::string_view allocation{};   ///< the name of the buffer, image or variable
  std::uint64_t offset_bytes = 0;  ///< in the allocation
  std::uint64_t address = 0;       ///< virtual
  std::uint64_t size_bytes = 0;
  const std::byte* host =
      nullptr;  ///< the bytes' address on the host; null for local and private memory
  const void* memory_place = nullptr;  ///< for read()

  bool writes() const { return kind != Kind::kLoad && kind != Kind::kAtomicLoad; }
  /// Copies the bytes as they are before the access: as many as `to` has, at most size_bytes.
  void read(std::span<std::byte> to) const;
};

struct WatchPrint : WatchEvent {
  std::string_view text{};
};

/// A mistake of a work-item, when it happens. The launch's result describes the mistakes, and has equal ones once. The result
/// alone has findings about a launch as a whole: divergent barriers, no progress, limits, reservations left open, races
/// between kernels.
struct WatchFinding : WatchEvent {
  std::string rule;  ///< "TSP-R0001"
};

/// A packet has been read from, or written to, a pipe.
struct WatchPacket : WatchEvent {
  bool is_read = false;
  std::string_view pipe{};
  std::uint32_t size_bytes = 0;
};

class TRANSPIRE_API Watch {
 public:
  enum class Answer : std::uint8_t {
    kGoOn,
    kStop,  ///< WatchedRun::go_on() returns; Device::run() has nobody to go on later, and ends the launch
    kEnd  ///< the launch ends with End::kCancelled: work-items execute no further instruction, and no more events come
  };

  Watch() = default;
  virtual ~Watch();
  Watch(const Watch&) = default;
  Watch& operator=(const Watch&) = default;

  virtual Answer launch_begins(const WatchLaunch&) { return Answer::kGoOn; }
  virtual Answer launch_ends(const WatchLaunch&) { return Answer::kGoOn; }
  /// Groups come in order, the first dimension fastest. Groups that wait for each other take turns.
  virtual Answer group_begins(const WatchGroup&) { return Answer::kGoOn; }
  virtual Answer group_ends(const WatchGroup&) { return Answer::kGoOn; }
  /// Work-items are about to execute an instruction. Instructions on vectors come once for each component; those that
  /// lowering removed do not come.
  virtual Answer step(const WatchStep&) { return Answer::kGoOn; }
  virtual Answer access(const WatchAccess&) { return Answer::kGoOn; }
  /// Work-items have come to a barrier, or to another instruction of their group.
  virtual Answer waits(const WatchStep&) { return Answer::kGoOn; }
  /// All work-items that the barrier waits for have come. `items` are some of them.
  virtual Answer meets(const WatchStep&) { return Answer::kGoOn; }
  virtual Answer prints(const WatchPrint&) { return Answer::kGoOn; }
  virtual Answer found(const WatchFinding&) { return Answer::kGoOn; }
  /// The work-item has enqueued a kernel or a marker.
  virtual Answer enqueued(const WatchEvent&) { return Answer::kGoOn; }
  virtual Answer packet(const WatchPacket&) { return Answer::kGoOn; }
};

/// A watched launch that stops where its watch says so, goes on later, and can go back. Not thread-safe. The watch is called
/// on a thread of the run's own, while go_on() waits.
class TRANSPIRE_API WatchedRun {
 public:
  /// Nothing runs yet. `launch.watch` must be set, and outlive the run. From the first go_on() or go_to() until the run is destroyed, the
  /// launch's memory belongs to the run: no other launch uses it, and the host may read but not write it. The host neither frees
  /// shared memory nor finishes the module meanwhile. The run copies each page of 4096 bytes just before the launch's first store
  /// to it; Limits::max_memory_bytes does not count these copies. A time limit holds for initializers alone, and progress is not
  /// reported.
  static Result<WatchedRun> create(const Device& device, const Launch& launch);
  WatchedRun(WatchedRun&&) noexcept;
  WatchedRun& operator=(WatchedRun&&) noexcept;
  /// Ends the launch where it stands.
  ~WatchedRun();

  /// Runs until the watch answers kStop (true) or the launch has ended (false; see result()). Throws std::bad_alloc, as
  /// Device::run() does.
  bool go_on();
  /// The number of events that the launch has had, which is the number of the next one.
  std::uint64_t position() const;
  /// Goes back, or forward, to the moment before the event with that number. The next go_on() begins with this event. All memory
  /// of the launch has the bytes that it had then: buffers, images, pipes, shared memory and program-scope variables. The launch
  /// is repeated from its beginning, without calls of the watch; where the watch ended the launch, it ends again. False if the
  /// launch has no such event: it has ended then.
  bool go_to(std::uint64_t position);
  /// The outcome of the launch once go_on() has returned false; null before. Valid until the next go_to().
  const Result<LaunchResult>* result() const;

 private:
  explicit WatchedRun(std::unique_ptr<runtime::WatchedRunState> state);
  std::unique_ptr<runtime::WatchedRunState> state_;
};

}  // namespace transpire
