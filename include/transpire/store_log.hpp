// StoreLog: finds the last store to bytes of a buffer or an image. The host names the bytes before a launch.
//
//   transpire::StoreLog log = transpire::StoreLog::create();
//   log.watch(&buffer.bytes()[64]);
//   launch.stores = log;                        // before Device::run; the launch runs observed, on one thread
//   if (const auto store = log.last(&buffer.bytes()[64])) ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"

namespace transpire {

namespace runtime {
class StoreLogState;
}

/// The last store to a byte, and the work-item that executed it. An atomic that changed the byte counts as a store, and so
/// does a copy.
struct LastStore {
  std::string place;   ///< "heat.cl:31:5", or "word 412"
  std::string action;  ///< "store", "atomic store", "atomic access"
  SourceLine source;
  std::optional<std::uint64_t> word_offset;
  std::string excerpt;        ///< excerpt of the source, as Diagnostic::excerpt
  std::vector<Frame> frames;  ///< the call stack, the innermost function first, the kernel last
  std::array<std::uint64_t, 3> global_id{}, group_id{}, local_id{};
};

/// Records the last store to each watched byte. Copies of the handle share the log. Thread-safe.
class TRANSPIRE_API StoreLog {
 public:
  static StoreLog create();
  /// Watches a byte, given by its host address in a buffer or an image. Later launches that have this log record stores
  /// to it. Watching a byte twice has no further effect.
  void watch(const std::byte* byte) const;
  /// The last store to a watched byte by a launch that has this log, or by a kernel that it enqueued. Nothing if there was
  /// none.
  std::optional<LastStore> last(const std::byte* byte) const;

  const std::shared_ptr<runtime::StoreLogState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::StoreLogState> state_;
};

}  // namespace transpire
