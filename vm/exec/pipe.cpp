#include "vm/exec/pipe.h"

#include <algorithm>

#include "memory/pipe.h"
#include "memory/translate.h"
#include "vm/exec/group_items.h"
#include "vm/exec/long_work.h"
#include "vm/exec/undefined_notes.h"
#include "vm/exec/work_item.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::Pipe;
using memory::PipeEnd;
using memory::ReservationFault;

constexpr std::int32_t kFailed = -1;

PipeEnd end_that(bool writes) { return writes ? PipeEnd::kWrite : PipeEnd::kRead; }

/// Copies a packet from or to memory in pieces. Returns false if it was cancelled on the way.
bool move_packet(const Batch& batch, bool to_memory, HostPlace place, std::byte* packet,
                 std::uint64_t bytes) {
  if (!place.is_private)
    return to_memory ? move_bytes(batch, place.base, packet, bytes)
                     : move_bytes(batch, packet, place.base, bytes);
  for (std::uint64_t done = 0; done < bytes; done += kPieceBytes) {
    if (done != 0 && is_cancelled(batch)) return false;
    const std::uint64_t piece = std::min(kPieceBytes, bytes - done);
    if (to_memory)
      write_place(place, packet + done, piece);
    else
      read_place(place, packet + done, piece);
    place.offset += piece;
  }
  return true;
}

/// Additional steps of an instruction for the length of its packets.
struct PacketSteps {
  std::uint64_t most = 0, sum = 0;  ///< beyond the first step
  bool exceed_limit = false;        ///< a packet was not begun because of its length
};

/// One work-item's access to its pipe, which is locked while this lives.
class PipeAccess {
 public:
  /// False if the handle is no pipe with such packets; that was reported.
  PipeAccess(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t handle,
             std::uint32_t packet_bytes)
      : batch_(batch), ip_(ip), lane_(lane), handle_(handle) {
    const memory::Allocation* const found = memory::allocation_at(*batch->memory, handle);
    Pipe* const pipe =
        found != nullptr && found->begin == handle ? memory::pipe_of(*found) : nullptr;
    if (pipe == nullptr)
      report(Rule::kR0080);
    else if (pipe->packet_bytes() != packet_bytes)
      report(Rule::kR0081);
    else
      pipe_ = pipe;
    if (pipe_ != nullptr) lock_ = pipe_->lock();
  }

  explicit operator bool() const { return pipe_ != nullptr; }
  Pipe* operator->() const { return pipe_; }
  std::uint64_t launch() const { return batch_->memory->launch; }

  void report(Rule rule) const {
    const Unlocked unlocked(*this);
    report_access(batch_, ip_, rule, lane_, handle_, 0);
  }

  /// Notes that the launch uses the end. A conflict is reported, and the access is made all the
  /// same.
  void use(PipeEnd end) const {
    if (const auto conflict = pipe_->use(end, launch()))
      report(conflict->by_another_launch ? Rule::kR0089 : Rule::kR0088);
  }

  /// Reports a fault with the reservation's history.
  void report(ReservationFault fault, PipeEnd end, std::uint64_t id) const {
    switch (fault) {
      case ReservationFault::kNone:
        return;
      case ReservationFault::kNull:
        return report(Rule::kR0082, history(end, id));
      case ReservationFault::kForeign:
        return report(Rule::kR0083);
      case ReservationFault::kCommitted:
        return report(Rule::kR0084, history(end, id));
      case ReservationFault::kIndex:
        return report(Rule::kR0085, history(end, id));
    }
  }

  std::uint64_t reserve(PipeEnd end, std::uint32_t packets) const {
    use(end);
    const Pipe::Reserved made = pipe_->reserve(end, packets, user());
    if (made.too_many) report(Rule::kL0011);
    return made.id;
  }

  void commit(PipeEnd end, std::uint64_t id) const {
    use(end);
    const Pipe::Commit done = pipe_->commit(end, as_id(id), user());
    report(done.fault, end, id);
    if (done.unwritten != 0) report(Rule::kR0086, {{}, {related(Relation::kReserved, done.made)}});
  }

  /// Ids are 32 bits: larger values become an id that no reservation has.
  static std::uint32_t as_id(std::uint64_t value) {
    return value > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(value);
  }

  /// Copies a packet from or to memory; false after a finding, and if the launch is to end.
  bool transfer(bool to_memory, std::uint64_t address, std::byte* packet,
                PacketSteps& steps) const {
    HostPlace place;
    const Access& access = *ip_->list->access;
    const std::uint64_t bytes = pipe_->packet_bytes();
    const AccessKind kind = to_memory ? AccessKind::kStore : AccessKind::kLoad;
    {
      const Unlocked unlocked(*this);
      if (!locate(batch_, ip_, lane_, address, bytes, through(access), kind, &place)) return false;
    }
    steps.exceed_limit = steps.exceed_limit || exceeds_limit(*batch_, bytes);
    if (steps.exceed_limit || !move_packet(*batch_, to_memory, place, packet, bytes)) return false;
    if (batch_->program->tracks_undefined()) transfer_shadow(to_memory, address, packet);
    steps.most = std::max(steps.most, extra_steps(bytes));
    steps.sum += extra_steps(bytes);
    return true;
  }

  /// Copies the undefined bits of a packet.
  void transfer_shadow(bool to_memory, std::uint64_t address, const std::byte* packet) const {
    HostPlace place;
    const std::uint64_t bytes = pipe_->packet_bytes();
    std::byte* const shadow = pipe_->shadow(packet, true);
    if (shadow == nullptr || !find_shadow(*batch_, lane_, address, bytes, &place)) return;
    move_packet(*batch_, to_memory, place, shadow, bytes);
    const auto is_undefined = [](std::byte b) { return b != std::byte{}; };
    if (to_memory && batch_->undefined != nullptr &&
        std::any_of(shadow, shadow + bytes, is_undefined))
      batch_->undefined->received(
          *batch_, ip_, lane_, address + batch_->program->shadow_distance, bytes,
          memory::allocation_at(*batch_->memory, memory::untagged(*batch_->memory, handle_)));
  }

 private:
  /// Releases the pipe while the observer is called: it may hold the launch up, and its driver may
  /// look at the pipe. An observed launch runs on one thread.
  class Unlocked {
   public:
    explicit Unlocked(const PipeAccess& access)
        : lock_(access.batch_->program->observed && access.lock_.owns_lock() ? &access.lock_
                                                                             : nullptr) {
      if (lock_ != nullptr) lock_->unlock();
    }
    ~Unlocked() {
      if (lock_ != nullptr) lock_->lock();
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    std::unique_lock<std::mutex>* lock_;
  };

  void report(Rule rule, const OtherHalf& half) const {
    const Unlocked unlocked(*this);
    report_with(batch_, ip_, rule, lane_, half, handle_);
  }

  memory::PipeUser user() const {
    const WorkItem item = work_item(*batch_, lane_);
    memory::PipeUser user;
    user.launch = launch();
    user.instruction = ip_;
    user.group_linear = item.group_linear;
    user.local_linear = static_cast<std::uint32_t>(item.local_linear);
    return user;
  }

  /// Relates a finding to an action of a user of this launch.
  Related related(Relation relation, const Pipe::Deed& step) const {
    const memory::PipeUser& by = step.user;
    Related related;
    related.relation = relation;
    related.program = batch_->program;
    related.instruction = static_cast<const Inst*>(by.instruction);
    related.by = Related::By::kItem;
    related.item = work_item_at(*batch_->launch, by.group_linear, by.local_linear);
    related.value = step.packets;
    related.other_value = step.there_were;
    return related;
  }

  OtherHalf history(PipeEnd end, std::uint64_t id) const {
    OtherHalf half;
    const auto add = [&](Relation relation, const std::optional<Pipe::Deed>& step) {
      if (step && step->user.launch == launch()) half.related.push_back(related(relation, *step));
    };
    if (id == 0) add(Relation::kReserveFailed, pipe_->last_failure(end, user()));
    add(Relation::kReserved, pipe_->maker(end, as_id(id)));
    add(Relation::kCommitted, pipe_->committer(end, as_id(id)));
    return half;
  }

  Batch* batch_;
  const Inst* ip_;
  std::uint32_t lane_;
  std::uint64_t handle_;
  Pipe* pipe_ = nullptr;
  mutable std::unique_lock<std::mutex> lock_;
};

/// The pipe that an item's operand a names; the packet's size is in the row at `bytes`.
PipeAccess pipe_of(const Inst* ip, const Item& item, std::uint32_t bytes) {
  return {item.batch, ip, item.lane, row<std::uint64_t>(*item.batch, ip->a)[item.lane],
          row<std::uint32_t>(*item.batch, bytes)[item.lane]};
}

/// The operands of a transfer: address, pipe, size; reservation, index.
template <class F>
bool each_transfer(const Inst* ip, Batch* batch, PipeEnd end, F f) {
  const std::uint32_t* const offsets = ip->list->offsets;
  PacketSteps steps;
  std::int32_t results[kMaxLanes];
  each_lane(batch, [&](std::uint32_t i) {
    results[i] = kFailed;
    if (steps.exceed_limit || is_cancelled(*batch)) return;
    {
      const PipeAccess pipe(batch, ip, i, row<std::uint64_t>(*batch, offsets[1])[i],
                            row<std::uint32_t>(*batch, offsets[2])[i]);
      if (!pipe || !f(pipe, row<std::uint64_t>(*batch, offsets[0])[i], i, steps)) return;
    }
    results[i] = 0;
    if (batch->program->observed && batch->observer != nullptr)
      batch->observer->piped(*batch,
                             {ip, i, row<std::uint64_t>(*batch, offsets[1])[i],
                              row<std::uint32_t>(*batch, offsets[2])[i], end == PipeEnd::kRead});
  });
  // Execution may resume here after the limit: the operands stay.
  if (steps.exceed_limit) return end_at(ip, batch, Stop::kLimit);
  each_lane(batch, [&](std::uint32_t i) { row<std::int32_t>(*batch, ip->d)[i] = results[i]; });
  if (is_cancelled(*batch)) return end_at(ip, batch, Stop::kCancelled);
  return count_extra(batch, steps.most, steps.sum) || end_at(ip + 1, batch, Stop::kLimit);
}

/// The next packet that an end has, without a reservation. One that memory does not take, or give, stays.
bool transfer_next(const Inst* ip, Batch* batch, PipeEnd end) {
  const bool reads = end == PipeEnd::kRead;
  return each_transfer(
      ip, batch, end,
      [&](const PipeAccess& pipe, std::uint64_t address, std::uint32_t, PacketSteps& steps) {
        pipe.use(end);
        std::byte* const packet =
            reads ? pipe->front(batch->cancel) : pipe->next_free(batch->cancel);
        if (packet == nullptr || !pipe.transfer(reads, address, packet, steps)) return false;
        reads ? pipe->pop() : pipe->push();
        return true;
      });
}

bool transfer_reserved(const Inst* ip, Batch* batch, PipeEnd end) {
  const auto* id = row<std::uint64_t>(*batch, ip->list->offsets[3]);
  const auto* index = row<std::uint32_t>(*batch, ip->list->offsets[4]);
  return each_transfer(
      ip, batch, end,
      [&](const PipeAccess& pipe, std::uint64_t address, std::uint32_t i, PacketSteps& steps) {
        pipe.use(end);
        ReservationFault fault = ReservationFault::kNone;
        std::byte* const packet = pipe->reserved(end, PipeAccess::as_id(id[i]), pipe.launch(),
                                                 index[i], fault, batch->cancel);
        pipe.report(fault, end, id[i]);
        return packet != nullptr && pipe.transfer(end == PipeEnd::kRead, address, packet, steps);
      });
}

}  // namespace

bool read_pipe(const Inst* ip, Batch* batch) { return transfer_next(ip, batch, PipeEnd::kRead); }

bool write_pipe(const Inst* ip, Batch* batch) { return transfer_next(ip, batch, PipeEnd::kWrite); }

bool read_reserved(const Inst* ip, Batch* batch) {
  return transfer_reserved(ip, batch, PipeEnd::kRead);
}

bool write_reserved(const Inst* ip, Batch* batch) {
  return transfer_reserved(ip, batch, PipeEnd::kWrite);
}

void reserve_packets(const Inst* ip, std::byte*, Batch* batch) {
  const PipeEnd end = end_that(PipeOperation::decode(ip->imm).writes);
  give_each<std::uint64_t>(ip, batch, [&](std::uint32_t i) {
    const PipeAccess pipe = pipe_of(ip, {batch, i}, ip->c);
    return pipe ? pipe.reserve(end, row<std::uint32_t>(*batch, ip->b)[i]) : 0;
  });
}

void commit_packets(const Inst* ip, std::byte*, Batch* batch) {
  const PipeEnd end = end_that(PipeOperation::decode(ip->imm).writes);
  each_lane(batch, [&](std::uint32_t i) {
    if (const PipeAccess pipe = pipe_of(ip, {batch, i}, ip->c))
      pipe.commit(end, row<std::uint64_t>(*batch, ip->b)[i]);
  });
}

void query_pipe(const Inst* ip, std::byte*, Batch* batch) {
  const bool capacity = PipeOperation::decode(ip->imm).capacity;
  give_each<std::uint32_t>(ip, batch, [&](std::uint32_t i) {
    const PipeAccess pipe = pipe_of(ip, {batch, i}, ip->b);
    if (!pipe) return 0u;
    return capacity ? pipe->max_packets() : pipe->available();
  });
}

void group_reserve_packets(const Inst* ip, GroupParts group) {
  const PipeOperation operation = PipeOperation::decode(ip->imm);
  const Item first = first_item(group);
  if (operation.group.checked) {
    check_operand<std::uint64_t>(ip, group, first, ip->a, "pipe");
    check_operand<std::uint32_t>(ip, group, first, ip->b, "number of packets");
  }
  std::uint64_t id = 0;
  if (const PipeAccess pipe = pipe_of(ip, first, ip->c))
    id = pipe.reserve(end_that(operation.writes),
                      row<std::uint32_t>(*first.batch, ip->b)[first.lane]);
  give_all<std::uint64_t>(ip, group, id);
}

void group_commit_packets(const Inst* ip, GroupParts group) {
  const PipeOperation operation = PipeOperation::decode(ip->imm);
  const Item first = first_item(group);
  if (operation.group.checked) {
    check_operand<std::uint64_t>(ip, group, first, ip->a, "pipe");
    check_operand<std::uint64_t>(ip, group, first, ip->b, "reservation");
  }
  if (const PipeAccess pipe = pipe_of(ip, first, ip->c))
    pipe.commit(end_that(operation.writes), row<std::uint64_t>(*first.batch, ip->b)[first.lane]);
}

}  // namespace transpire::vm::exec
