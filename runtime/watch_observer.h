// WatchObserver: calls a Watch (transpire/watch.hpp) for the events of a launch.
#pragma once

#include <map>

#include "findings/part.h"
#include "findings/places.h"
#include "memory/address_space.h"
#include "transpire/watch.hpp"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// A running program, with all that its events' descriptions need. The references outlive the events.
struct WatchScene {
  const vm::Program& program;
  const findings::Places& places;
  const memory::AddressSpace& space;
  const findings::Part* part = nullptr;  ///< null: the program runs no part of another launch
};

/// The launch that the part belongs to.
WatchLaunch whole_launch(std::string_view kernel, const findings::Part& part);

/// The observer of one launch, or of a part of one: events have the ids of the whole launch. After an answer kStop or kEnd, it does not
/// call the watch again, and ends the launch.
class WatchObserver final : public vm::Observer {
 public:
  WatchObserver(Watch& watch, const WatchScene& scene, WatchLaunch launch)
      : watch_(watch), scene_(scene), launch_(launch) {}

  void launch_begins();
  void launch_ends();

  void group_begins(const std::uint64_t group_id[3]) override;
  void group_ends(const std::uint64_t group_id[3]) override;
  void instruction(const vm::exec::Batch& batch, const vm::Inst& instruction) override;
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  void waits(const vm::exec::Batch& batch, const vm::Inst& barrier) override;
  void meets(const vm::exec::Batch& batch, const vm::Inst& barrier) override;
  void printed(const vm::exec::Batch& batch, std::uint32_t lane, std::string_view text) override;
  void found(const vm::exec::Batch& batch, const vm::exec::Event& event) override;
  void enqueued(const vm::exec::Batch& batch, const vm::Inst& instruction,
                std::uint32_t lane) override;
  void piped(const vm::exec::Batch& batch, const vm::PipedPacket& packet) override;
  bool goes_on() const override { return goes_on_; }

 private:
  /// Calls tell(), which calls the watch, unless it has ended the launch.
  template <class Tell>
  void tell(const Tell& tell) {
    if (goes_on_) goes_on_ = tell() == Watch::Answer::kGoOn;
  }
  std::array<std::uint64_t, 3> group_of(const std::uint64_t group_id[3]) const;
  WatchEvent event_of(const vm::exec::Batch& batch, const vm::Inst* instruction,
                      std::uint32_t lane) const;

  Watch& watch_;
  const WatchScene scene_;
  const WatchLaunch launch_;
  const vm::Inst* last_ = nullptr;  ///< the last instruction of a step
  bool goes_on_ = true;
  /// By the ids of running groups: how many barriers the group has passed.
  std::map<std::array<std::uint64_t, 3>, std::uint32_t> rounds_;
};

}  // namespace transpire::runtime
