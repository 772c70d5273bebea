// The last store to each of some bytes: the state of StoreLog, and the observer that fills it.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/places.h"
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

/// Of one launch.
class StoreSink final : public vm::Observer {
 public:
  /// All outlive it.
  StoreSink(StoreLogState& log, const vm::Program& program, const Places& places);
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  /// Once the launch has ended: gives the log what was seen.
  void hand_over() const;

 private:
  struct Seen {
    const vm::Inst* instruction = nullptr;  ///< null: none yet
    vm::AccessKind kind = vm::AccessKind::kStore;
    vm::exec::WorkItem item{};
  };
  /// Of an access it is known later what it left there.
  struct Watched {
    const std::byte* byte = nullptr;
    Seen last{}, now{};
    std::byte before{};  ///< `now`
  };
  static Seen last_of(const Watched& watched);

  StoreLogState& log_;
  const vm::Program& program_;
  const Places& places_;
  std::vector<Watched> watched_;
};

}  // namespace transpire::runtime
