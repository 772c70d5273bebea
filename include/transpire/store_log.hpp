// Which store made what a buffer holds: of bytes that the host names, the last one of launches that log their stores.
//
//   transpire::StoreLog log = transpire::StoreLog::create();
//   log.watch(&buffer.bytes()[64]);
//   launch.stores = log;                        // before Device::run: it is observed, on one thread
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

/// A store, an atomic that changed the byte, or a copy, and who made it.
struct LastStore {
  std::string place;   ///< "heat.cl:31:5", or "word 412"
  std::string action;  ///< "store", "atomic store", "atomic access"
  SourceLine source;
  std::optional<std::uint64_t> word_offset;
  std::string excerpt;        ///< of the source, as Diagnostic::excerpt
  std::vector<Frame> frames;  ///< the functions around it, the innermost first, the kernel last
  std::array<std::uint64_t, 3> global_id{}, group_id{}, local_id{};
};

/// Shared by copies of the handle; thread-safe.
class TRANSPIRE_API StoreLog {
 public:
  static StoreLog create();
  /// A byte of a buffer or an image, on the host. To be named before the launch; again does nothing.
  void watch(const std::byte* byte) const;
  /// Nothing where no launch stored there: what is enqueued counts as well.
  std::optional<LastStore> last(const std::byte* byte) const;

  const std::shared_ptr<runtime::StoreLogState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::StoreLogState> state_;
};

}  // namespace transpire
