// State of a StoreLog, the last store to each watched byte, and the observer that fills it.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "findings/part.h"
#include "findings/places.h"
#include "transpire/store_log.hpp"
#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::runtime {

class StoreLogState {
 public:
  void watch(const std::byte* byte);
  std::vector<const std::byte*> watched() const;
  void set(const std::byte* byte, LastStore store);
  std::optional<LastStore> last(const std::byte* byte) const;

 private:
  mutable std::mutex mutex_;
  std::map<const std::byte*, std::optional<LastStore>> bytes_;
};

/// Observes the stores of one launch.
class StoreSink final : public vm::Observer {
 public:
  /// All arguments must outlive this object.
  StoreSink(StoreLogState& log, const vm::Program& program, const findings::Places& places,
            const findings::Part* part);
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  /// Writes the observed stores to the log. Call it after the launch has ended.
  void hand_over() const;

 private:
  struct Seen {
    const vm::Inst* instruction = nullptr;  ///< null: none yet
    vm::AccessKind kind = vm::AccessKind::kStore;
    vm::exec::WorkItem item{};
  };
  /// A watched byte. An observer is called before an access, so the byte shows later if an atomic in `now` changed it.
  struct Watched {
    const std::byte* byte = nullptr;
    Seen last{}, now{};
    std::byte before{};  ///< the byte before `now`
  };
  static Seen last_of(const Watched& watched);

  StoreLogState& log_;
  const vm::Program& program_;
  const findings::Places& places_;
  const findings::Part* const part_;  ///< null: the launch is no part of another one
  std::vector<Watched> watched_;
};

}  // namespace transpire::runtime
