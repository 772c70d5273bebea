#include "vm/exec/enqueue.h"

#include <algorithm>
#include <cstring>

#include "memory/translate.h"
#include "vm/exec/device_queue.h"
#include "vm/exec/group_items.h"
#include "vm/exec/long_work.h"
#include "vm/exec/related.h"
#include "vm/exec/tags.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

std::int32_t code(EnqueueError error) { return static_cast<std::int32_t>(error); }

/// Handles have 32 bits: larger values name no event.
EventHandle as_event(std::uint64_t value) {
  return value > 0xffffffffu ? 0 : static_cast<EventHandle>(value);
}

/// The rule of a fault, which is not kNone.
Rule rule_of(EventFault fault) {
  switch (fault) {
    case EventFault::kReleased:
      return Rule::kR0091;
    case EventFault::kNoUser:
    case EventFault::kTwice:
      return Rule::kR0092;
    case EventFault::kCaptured:
    case EventFault::kNoCommand:
      return Rule::kR0097;
    default:
      return Rule::kR0090;
  }
}

/// Returns false after a finding, which has the event's earlier history.
bool check_fault(Batch* batch, const Inst* ip, std::uint32_t lane, EventHandle event,
                 EventFault fault) {
  if (fault == EventFault::kNone) return true;
  report_with(batch, ip, rule_of(fault), lane, {{}, batch->queue->history(event)});
  return false;
}

/// `align_bytes`: alignment of the target.
Through pointer_to(std::uint8_t space, std::uint64_t align_bytes) {
  return {align_bytes - 1, static_cast<memory::PointerSpace>(space & kPointerSpace)};
}

/// Reads the range from operand `first` on, in the order of EnqueueInfo.
NdRange read_range(const Batch& batch, const std::uint32_t* offsets, std::uint32_t first,
                   std::uint32_t lane) {
  const auto operand = [&](std::uint32_t place) {
    const std::uint32_t at = first + place - EnqueueInfo::kDimensions;
    return row<std::uint64_t>(batch, offsets[at])[lane];
  };
  NdRange range;
  range.dimensions = row<std::uint32_t>(batch, offsets[first])[lane];
  for (std::uint32_t d = 0; d < 3; ++d) {
    range.offset[d] = operand(EnqueueInfo::kOffset + d);
    range.global[d] = operand(EnqueueInfo::kGlobal + d);
    range.local[d] = operand(EnqueueInfo::kLocal + d);
  }
  for (std::uint32_t d = std::max(range.dimensions, 1u); d < 3; ++d) {
    range.offset[d] = 0;
    range.global[d] = 1;
    range.local[d] = range.local[0] == 0 ? 0 : 1;
  }
  return range;
}

/// One work-item's enqueue.
class Enqueue {
 public:
  Enqueue(Batch* batch, const Inst* ip, std::uint32_t lane)
      : batch_(batch),
        ip_(ip),
        lane_(lane),
        info_(batch->program->enqueues[ip->list->imm]),
        offsets_(ip->list->offsets) {
    command_.program = batch->program;
    command_.instruction = ip;
    command_.item = work_item(*batch, lane);
  }

  std::int32_t kernel() {
    if (is_cancelled(*batch_)) return code(EnqueueError::kFailure);
    command_.function = info_.function;
    command_.range = read_range(*batch_, offsets_, EnqueueInfo::kDimensions, lane_);
    const std::uint32_t flags = operand<std::uint32_t>(1);
    for (std::uint32_t i = 0; i < info_.local_sizes; ++i)
      command_.local_sizes.push_back(operand<std::uint64_t>(EnqueueInfo::kLocalSizes + i));
    if (!take_queue()) return answer(EnqueueError::kInvalidQueue);
    if (flags > static_cast<std::uint32_t>(EnqueueFlag::kWaitWorkGroup))
      return answer(EnqueueError::kFailure);
    command_.flag = static_cast<EnqueueFlag>(flags);
    if (const EnqueueError error = read_waits(operand<std::uint32_t>(2), operand<std::uint64_t>(3));
        error != EnqueueError::kNone)
      return answer(error);
    if (std::ranges::find(command_.local_sizes, 0u) != command_.local_sizes.end())
      return answer(EnqueueError::kInvalidArgumentSize);
    if (const EnqueueError error =
            batch_->queue->rules().judge(info_.function, command_.range, command_.local_sizes);
        error != EnqueueError::kNone)
      return answer(error);
    if (const EnqueueError error = read_block(operand<std::uint64_t>(EnqueueInfo::kBlock),
                                              operand<std::uint32_t>(EnqueueInfo::kBlockBytes));
        error != EnqueueError::kNone)
      return answer(error);
    return append(operand<std::uint64_t>(4));
  }

  std::int32_t marker() {
    const std::uint64_t event = operand<std::uint64_t>(3);
    if (is_cancelled(*batch_)) return code(EnqueueError::kFailure);
    if (!take_queue()) return answer(EnqueueError::kInvalidQueue);
    if (const EnqueueError error = read_waits(operand<std::uint32_t>(1), operand<std::uint64_t>(2));
        error != EnqueueError::kNone)
      return answer(error);
    // Without an event to give, it does nothing.
    return event == 0 ? code(EnqueueError::kNone) : append(event);
  }

 private:
  template <class T>
  T operand(std::uint32_t i) const {
    return row<T>(*batch_, offsets_[i])[lane_];
  }

  /// The exact error, as OpenCL C demands, only if the module was compiled for debugging.
  std::int32_t answer(EnqueueError error) const {
    if (error == EnqueueError::kNone || batch_->program->source_of(ip_).line != 0)
      return code(error);
    return code(EnqueueError::kFailure);
  }

  bool take_queue() {
    command_.queue = operand<std::uint64_t>(0);
    if (batch_->queue->has(command_.queue)) return true;
    if (command_.queue != 0) report_access(batch_, ip_, Rule::kR0093, lane_, 0, 0);
    return false;
  }

  /// True if there is room for this many bytes; otherwise they need not be read.
  bool may_keep(std::uint64_t bytes) const {
    if (!batch_->queue->has_room(command_.queue, bytes)) return false;
    if (batch_->queue->has_memory(bytes)) return true;
    report_access(batch_, ip_, Rule::kL0004, lane_, 0, 0);
    return false;
  }

  EnqueueError read_waits(std::uint32_t count, std::uint64_t list) {
    constexpr EnqueueError kInvalid = EnqueueError::kInvalidWaitList;
    if ((count == 0) != (list == 0)) return kInvalid;
    if (count == 0) return EnqueueError::kNone;
    HostPlace place;
    const std::uint64_t bytes = std::uint64_t{count} * info_.event_bytes;
    if (!locate(batch_, ip_, lane_, list, bytes, pointer_to(info_.wait_space, info_.event_bytes),
                AccessKind::kLoad, &place))
      return kInvalid;
    if (!may_keep(bytes)) return EnqueueError::kQueueFull;
    std::vector<std::byte> handles(bytes);
    read_place(place, handles.data(), bytes);
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((i & 0xfff) == 0xfff && is_cancelled(*batch_)) return EnqueueError::kFailure;
      std::uint64_t handle = 0;
      std::memcpy(&handle, handles.data() + std::size_t{i} * info_.event_bytes, info_.event_bytes);
      const EventHandle event = as_event(handle);
      if (!check_fault(batch_, ip_, lane_, event, batch_->queue->check(event))) return kInvalid;
      command_.waits.push_back(event);
    }
    return EnqueueError::kNone;
  }

  EnqueueError read_block(std::uint64_t address, std::uint32_t bytes) {
    HostPlace place;
    if (bytes == 0) return EnqueueError::kNone;
    if (!locate(batch_, ip_, lane_, address, bytes, pointer_to(info_.block_space, 1),
                AccessKind::kLoad, &place))
      return EnqueueError::kFailure;
    if (!may_keep(bytes)) return EnqueueError::kQueueFull;
    command_.block.resize(bytes);
    read_place(place, command_.block.data(), bytes);
    if (batch_->program->tracks_undefined()) read_shadow(address, bytes);
    report_captured_pointers();
    return EnqueueError::kNone;
  }

  /// Reads the undefined bits of a capture.
  void read_shadow(std::uint64_t address, std::uint32_t bytes) {
    HostPlace place;
    if (!find_shadow(*batch_, lane_, address, bytes, &place)) return;
    std::vector<std::byte> shadow(bytes);
    read_place(place, shadow.data(), bytes);
    const bool is_defined =
        std::ranges::all_of(shadow, [](std::byte b) { return b == std::byte{}; });
    if (!is_defined) command_.shadow = std::move(shadow);
  }

  /// A pointer to local or private memory that left its expressions has its owner's tag, so no
  /// other value looks like one.
  void report_captured_pointers() const {
    const memory::AddressMap& map = *batch_->memory;
    if (!map.has_tags) return;
    for (std::size_t at = 0; at + 8 <= command_.block.size(); ++at) {
      std::uint64_t word = 0;
      std::memcpy(&word, command_.block.data() + at, 8);
      const std::uint64_t plain = memory::untagged(map, word);
      const memory::Allocation* const found =
          plain == word ? nullptr : memory::allocation_at(map, plain);
      if (found == nullptr || (found->region != memory::Region::kPrivate &&
                               found->region != memory::Region::kWorkgroup))
        continue;
      // Structs may be packed. An unaligned word may consist of pieces of two values, so it counts only if its tag is this work-item's and it leads to memory.
      const bool is_own =
          holder_of(*batch_, lane_, *found, word >> memory::kTagShift) != Holder::kOther &&
          plain - found->begin < found->size_bytes;
      if (at % 8 == 0 || is_own) report_access(batch_, ip_, Rule::kR0094, lane_, plain, 0);
    }
  }

  /// Appends the command, and writes its event to memory at `event`, unless that is null.
  std::int32_t append(std::uint64_t event) {
    HostPlace place;
    if (event != 0 &&
        !locate(batch_, ip_, lane_, event, info_.event_bytes,
                pointer_to(info_.event_space, info_.event_bytes), AccessKind::kStore, &place))
      return answer(EnqueueError::kFailure);
    EventHandle handle = 0;
    EnqueueLimit limit = EnqueueLimit::kNone;
    const EnqueueError error =
        batch_->queue->enqueue(std::move(command_), event != 0, handle, limit);
    if (limit == EnqueueLimit::kCommands) report_access(batch_, ip_, Rule::kL0009, lane_, 0, 0);
    if (limit == EnqueueLimit::kMemory) report_access(batch_, ip_, Rule::kL0004, lane_, 0, 0);
    if (error != EnqueueError::kNone) return answer(error);
    const std::uint64_t stored = handle;
    if (event != 0) write_place(place, &stored, info_.event_bytes);
    if (batch_->program->observed && batch_->observer != nullptr)
      batch_->observer->enqueued(*batch_, *ip_, lane_);
    return code(EnqueueError::kNone);
  }

  Batch* batch_;
  const Inst* ip_;
  std::uint32_t lane_;
  const EnqueueInfo& info_;
  const std::uint32_t* offsets_;
  Command command_;
};

/// Calls f(event, lane) for the event in operand a.
template <class F>
void on_event(const Inst* ip, Batch* batch, F f) {
  each_lane(batch, [&](std::uint32_t i) {
    const EventHandle event = as_event(row<std::uint64_t>(*batch, ip->a)[i]);
    check_fault(batch, ip, i, event, f(event, i));
  });
}

}  // namespace

void enqueue_kernel(const Inst* ip, std::byte*, Batch* batch) {
  give_each<std::int32_t>(ip, batch,
                          [&](std::uint32_t i) { return Enqueue(batch, ip, i).kernel(); });
}

void enqueue_marker(const Inst* ip, std::byte*, Batch* batch) {
  give_each<std::int32_t>(ip, batch,
                          [&](std::uint32_t i) { return Enqueue(batch, ip, i).marker(); });
}

void count_subgroups(const Inst* ip, std::byte*, Batch* batch) {
  const EnqueueInfo& info = batch->program->enqueues[ip->list->imm];
  give_each<std::uint32_t>(ip, batch, [&](std::uint32_t i) {
    return batch->queue->rules().count_subgroups(info.function,
                                                 read_range(*batch, ip->list->offsets, 0, i));
  });
}

void capture_profiling(const Inst* ip, std::byte*, Batch* batch) {
  const EnqueueInfo& info = batch->program->enqueues[ip->imm];
  constexpr std::uint64_t kBytes = 2 * EnqueueInfo::kTimeBytes;
  each_lane(batch, [&](std::uint32_t i) {
    const std::uint64_t address = row<std::uint64_t>(*batch, ip->c)[i];
    HostPlace place;
    // Written when the event is complete, so only memory that all work-items share can be the
    // target.
    if (!locate(batch, ip, i, address, kBytes,
                pointer_to(info.event_space, EnqueueInfo::kTimeBytes), AccessKind::kStore, &place))
      return;
    if (place.is_private || place.is_workgroup)
      return report_access(batch, ip, Rule::kR0003, i, address, kBytes);
    const EventHandle event = as_event(row<std::uint64_t>(*batch, ip->a)[i]);
    check_fault(batch, ip, i, event, batch->queue->capture(event, place.base));
  });
}

void default_queue(const Inst* ip, std::byte*, Batch* batch) {
  give_each<std::uint64_t>(ip, batch, [&](std::uint32_t) { return batch->queue->default_queue(); });
}

void create_user_event(const Inst* ip, std::byte*, Batch* batch) {
  give_each<std::uint64_t>(ip, batch, [&](std::uint32_t i) {
    return batch->queue->create_user_event(by_item(Relation::kEventMade, *batch, i, ip));
  });
}

void set_user_event_status(const Inst* ip, std::byte*, Batch* batch) {
  each_lane(batch, [&](std::uint32_t i) {
    const EventHandle event = as_event(row<std::uint64_t>(*batch, ip->a)[i]);
    const std::int32_t status = row<std::int32_t>(*batch, ip->b)[i];
    if (status > DeviceQueue::kComplete) return report_access(batch, ip, Rule::kR0092, i, 0, 0);
    const Related by = by_item(Relation::kStatusSet, *batch, i, ip);
    check_fault(batch, ip, i, event, batch->queue->set_status(event, status, by));
  });
}

void retain_event(const Inst* ip, std::byte*, Batch* batch) {
  on_event(ip, batch,
           [&](EventHandle event, std::uint32_t) { return batch->queue->retain(event); });
}

void release_event(const Inst* ip, std::byte*, Batch* batch) {
  on_event(ip, batch, [&](EventHandle event, std::uint32_t i) {
    return batch->queue->release(event, by_item(Relation::kEventReleased, *batch, i, ip));
  });
}

void is_valid_event(const Inst* ip, std::byte*, Batch* batch) {
  give_each<std::int32_t>(ip, batch, [&](std::uint32_t i) {
    const EventHandle event = as_event(row<std::uint64_t>(*batch, ip->a)[i]);
    return batch->queue->check(event) == EventFault::kNone ? 1 : 0;
  });
}

}  // namespace transpire::vm::exec
