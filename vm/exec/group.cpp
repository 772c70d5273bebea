// Group instructions, lane by lane in the order of the local linear ids.
#include "vm/exec/group.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/rule.h"
#include "vm/exec/group_items.h"
#include "vm/exec/long_work.h"
#include "vm/exec/tags.h"
#include "vm/program/immediates.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

// ---- Moving values, by their size ---------------------------------------------------------------

/// Calls f(T{}) with the unsigned integer that has the kind's bytes.
template <class F>
void by_bytes(Kind kind, F f) {
  switch (lane_bytes(kind)) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// The item of a group whose local linear id is `index`, if it runs.
Item item_at(GroupParts group, std::uint64_t index) {
  for (std::uint32_t p = 0; p < group.count; ++p) {
    const GroupPart& part = group.parts[p];
    const std::uint64_t items = part.end - part.begin;
    if (index < items) {
      const auto lane = static_cast<std::uint32_t>(part.begin + index);
      return runs(*part.batch, lane) ? Item{part.batch, lane} : Item{};
    }
    index -= items;
  }
  return {};
}

// ---- Asynchronous copies ------------------------------------------------------------------------

using Find = bool (*)(Batch*, const Inst*, std::uint32_t, std::uint64_t, std::uint64_t,
                      const Through&, AccessKind, HostPlace*);

/// `find`: locate where the kernel reads the event, find_place where a check does.
bool read_event(const Inst* ip, const Item& item, std::uint64_t address, std::uint64_t bytes,
                Find find, std::uint64_t* event) {
  HostPlace place;
  if (!find(item.batch, ip, item.lane, address, bytes, {bytes - 1}, AccessKind::kLoad, &place))
    return false;
  read_place(place, event, bytes);
  return true;
}

/// Reports the work-items that wait for fewer events or another one.
void check_event(const Inst* ip, GroupParts group, std::uint64_t index, std::uint64_t event) {
  const std::uint64_t bytes = WaitOperation::decode(ip->imm).event_bytes;
  const Item first = first_item(group);
  const auto count_of = [&](const Item& item) {
    return row<std::uint32_t>(*item.batch, ip->a)[item.lane];
  };
  const auto event_of = [&](const Item& item) {
    std::uint64_t own = event;
    const std::uint64_t list = row<std::uint64_t>(*item.batch, ip->b)[item.lane];
    read_event(ip, item, list + index * bytes, bytes, find_place, &own);
    return own;
  };
  report_items(
      ip, group, Rule::kR0045,
      [&](Batch& batch, std::uint32_t i) {
        return index >= count_of({&batch, i}) || event_of({&batch, i}) != event;
      },
      [&](Batch& batch, std::uint32_t i) {
        const Item item{&batch, i};
        if (index >= count_of(item))
          return unlike(first, count_of(first), item, count_of(item), "number of events");
        return unlike(first, event, item, event_of(item), "event");
      });
}

/// True if no work-item of the group is missing. Parts of a group that has parted wait by
/// themselves, for the same events.
bool is_whole(GroupParts group) {
  std::uint64_t items = 0;
  each_item(group, [&](Batch&, std::uint32_t) { ++items; });
  const auto& size = first_item(group).batch->local_size;
  return items == size[0] * size[1] * size[2];
}

/// A kernel that makes more copies than this without a wait gets them at once; more named barriers than
/// this cannot be waited at.
constexpr std::size_t kMostPending = 4096;

/// True if the launch may go on while a group waits for its copies.
bool may_go_on(const Inst* ip, const GroupState& state, Batch* batch) {
  if (is_cancelled(*batch)) return end_at(ip, batch, Stop::kCancelled);
  if (exceeds_limit(*batch, state.copied_bytes)) return end_at(ip, batch, Stop::kLimit);
  return true;
}

/// Makes a copy as the work-item `lane`, which sees its group's workgroup memory. It ends at the
/// first element that lies outside, so no count takes longer than memory is large. Returns false if
/// the launch is to end meanwhile.
bool make_copy(const PendingCopy& copy, GroupState& state, Batch* batch, std::uint32_t lane) {
  constexpr std::uint64_t kElementsAtOnce = 1024;  // some 50 microseconds
  const auto& access = *copy.instruction->list->access;
  const std::uint64_t before = state.copied_bytes;
  bool goes_on = may_go_on(copy.instruction, state, batch);
  bool is_announced = !memory::is_shadow(through(access).space);
  for (std::uint64_t i = 0; i < copy.count && goes_on; ++i) {
    const std::uint64_t target = copy.target + i * copy.target_step;
    const std::uint64_t source = copy.source + i * copy.source_step;
    is_announced = is_announced || report_copied(batch, copy.instruction, lane, target, source);
    if (!copy_lane(batch, copy.instruction, access, lane, target, source, copy.element_bytes))
      break;
    state.copied_bytes += copy.element_bytes;
    if (i % kElementsAtOnce == kElementsAtOnce - 1)
      goes_on = may_go_on(copy.instruction, state, batch);
  }
  __atomic_store_n(&batch->steps, batch->steps + (state.copied_bytes - before) / kBytesPerStep,
                   __ATOMIC_RELAXED);
  return goes_on && may_go_on(copy.instruction, state, batch);
}

/// The memory that a copy reads or writes: elements `step` apart.
struct Elements {
  std::uint64_t begin, step, count, bytes;
};

Elements target_of(const PendingCopy& copy, const memory::AddressMap& map) {
  return {memory::untagged(map, copy.target), copy.target_step, copy.count, copy.element_bytes};
}

Elements source_of(const PendingCopy& copy, const memory::AddressMap& map) {
  return {memory::untagged(map, copy.source), copy.source_step, copy.count, copy.element_bytes};
}

/// True if [address, address + bytes) touches an element.
bool touches(const Elements& elements, std::uint64_t address, std::uint64_t bytes) {
  const auto [begin, step, count, element_bytes] = elements;
  if (count == 0 || bytes == 0 || address + bytes <= begin) return false;
  if (step == 0) return address < begin + element_bytes;
  if (address < begin) return true;
  const std::uint64_t element = (address - begin) / step;
  if (element >= count) return false;
  const std::uint64_t within = (address - begin) % step;
  return within < element_bytes || (within + bytes > step && element + 1 < count);
}

bool overlap(const Elements& a, const Elements& b) {
  // For more elements that lie apart, no overlap is sought.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 16;
  if (a.step > a.bytes && b.step > b.bytes) {
    const Elements& few = a.count < b.count ? a : b;
    const Elements& many = a.count < b.count ? b : a;
    for (std::uint64_t i = 0; i < std::min(few.count, kMost); ++i)
      if (touches(many, few.begin + i * few.step, few.bytes)) return true;
    return false;
  }
  const bool is_apart = a.step > a.bytes;
  const Elements& apart = is_apart ? a : b;
  const Elements& whole = is_apart ? b : a;
  if (whole.count == 0) return false;
  return touches(apart, whole.begin, (whole.count - 1) * whole.step + whole.bytes);
}

/// Where a copy began.
OtherHalf began(const PendingCopy& copy, const Item& item) {
  return {{}, {by_group(Relation::kCopyBegan, *item.batch, item.lane, copy.instruction)}};
}

/// True if two copies conflict. Without a wait between they may be made in any order, or at once.
bool may_race(const PendingCopy& a, const PendingCopy& b, const memory::AddressMap& map) {
  return overlap(target_of(a, map), target_of(b, map)) ||
         overlap(target_of(a, map), source_of(b, map)) ||
         overlap(source_of(a, map), target_of(b, map));
}

}  // namespace

GroupState& state_of(const Batch& batch, std::uint32_t lane) {
  return batch.group_state[batch.group_items == 0 ? 0 : lane / batch.group_items];
}

TexelWrites& texel_writes_of(const Batch& batch, std::uint32_t lane) {
  std::unique_ptr<TexelWrites>& texels = state_of(batch, lane).texels;
  if (texels == nullptr) texels = std::make_unique<TexelWrites>();
  return *texels;
}

void group_broadcast(const Inst* ip, GroupParts group) {
  const GroupOperation operation = GroupOperation::decode(ip->imm);
  const Item first = first_item(group);
  const std::uint64_t index = row<std::uint64_t>(*first.batch, ip->b)[first.lane];
  if (operation.checked) check_operand<std::uint64_t>(ip, group, first, ip->b, "local id");
  // A work-item alone, of a work-group that has parted, gets its own value. The only work-item of a
  // last sub-group does not: the width of a batch decides if its part is one lane long.
  const bool is_alone =
      operation.size == 0 && group.count == 1 && group.parts->end - group.parts->begin == 1;
  const Item from = is_alone ? first : item_at(group, index);
  if (operation.checked && from.batch == nullptr)
    report_items(ip, group, Rule::kR0047, [](Batch&, std::uint32_t) { return true; });
  by_bytes(operation.kind, [&]<class T>(T) {
    give_all<T>(ip, group, from.batch == nullptr ? T{0} : row<T>(*from.batch, ip->a)[from.lane]);
  });
}

void group_shuffle(const Inst* ip, GroupParts group) {
  const GroupOperation operation = GroupOperation::decode(ip->imm);
  const GroupPart& part = *group.parts;
  const std::uint32_t* from = row<std::uint32_t>(*part.batch, ip->b);
  const std::uint32_t items = part.end - part.begin;
  const std::uint64_t here = bits_at(part.batch->mask, part.begin, items);
  const auto takes_part = [&](std::uint32_t item) {
    return item < items && (here >> item & 1) != 0;
  };
  if (operation.checked)
    report_items(ip, group, Rule::kR0047,
                 [&](Batch&, std::uint32_t i) { return !takes_part(from[i]); });
  by_bytes(operation.kind, [&]<class T>(T) {
    const T* a = row<T>(*part.batch, ip->a) + part.begin;
    T values[64];  // the result's row may be an operand's
    for (std::uint32_t i = 0; i < items; ++i) {
      const std::uint32_t item = from[part.begin + i];
      values[i] = takes_part(item) ? a[item] : T{0};
    }
    T* d = row<T>(*part.batch, ip->d);
    each_item(group, [&](Batch&, std::uint32_t i) { d[i] = values[i - part.begin]; });
  });
}

void group_first(const Inst* ip, GroupParts group) {
  const Item first = first_item(group);
  by_bytes(GroupOperation::decode(ip->imm).kind,
           [&]<class T>(T) { give_all<T>(ip, group, row<T>(*first.batch, ip->a)[first.lane]); });
}

void group_ballot(const Inst* ip, GroupParts group) {
  const GroupPart& part = *group.parts;
  const std::uint32_t items = part.end - part.begin;
  const std::uint64_t votes = bits_at(row<std::uint64_t>(*part.batch, ip->a), part.begin, items);
  give_all<std::uint64_t>(ip, group, votes & bits_at(part.batch->mask, part.begin, items));
}

void group_sync(const Inst*, GroupParts) {}

void each_subgroup(const Inst* ip, const GroupOperation& operation, Batch* batch,
                   GroupFunction function) {
  const std::uint32_t lanes = batch->program->lanes;
  const std::uint32_t group = batch->group_items == 0 ? lanes : batch->group_items;
  for (std::uint32_t start = 0; start + group <= lanes; start += group) {
    for (std::uint32_t begin = start; begin < start + group; begin += operation.size) {
      const GroupPart part{batch, begin, std::min(begin + operation.size, start + group)};
      const std::uint32_t items = part.end - part.begin;
      const std::uint64_t here = bits_at(batch->mask, begin, items);
      if (here == 0) continue;
      if (operation.uniform && (bits_at(batch->exists, begin, items) & ~here) != 0)
        report_items(ip, {&part, 1}, Rule::kR0041, [](Batch&, std::uint32_t) { return true; });
      function(ip, {&part, 1});
    }
  }
}

namespace {

/// Reports work-items with an operand of a copy that differs from the first one's.
void check_copy_operands(const Inst* ip, GroupParts group, const Item& first,
                         std::span<const std::uint32_t> registers) {
  static constexpr std::string_view kNames[] = {"destination", "source", "number of elements",
                                                "stride", "event"};
  const auto differing = [&](Batch& batch, std::uint32_t i) {
    return std::ranges::find_if(registers, [&](std::uint32_t r) {
      return row<std::uint64_t>(batch, r)[i] != row<std::uint64_t>(*first.batch, r)[first.lane];
    });
  };
  report_items(
      ip, group, Rule::kR0045,
      [&](Batch& batch, std::uint32_t i) { return differing(batch, i) != registers.end(); },
      [&](Batch& batch, std::uint32_t i) {
        const auto at = differing(batch, i);
        return unlike(first, row<std::uint64_t>(*first.batch, *at)[first.lane], {&batch, i},
                      row<std::uint64_t>(batch, *at)[i], kNames[at - registers.begin()]);
      });
}

}  // namespace

void group_async_copy(const Inst* ip, GroupParts group) {
  const Access& access = *ip->list->access;
  const Item first = first_item(group);
  const auto operand = [&](const Item& item, std::uint32_t offset) {
    return row<std::uint64_t>(*item.batch, offset)[item.lane];
  };
  const std::span<const std::uint32_t> registers(ip->list->offsets, ip->list->count);
  if (access.offset != 0) check_copy_operands(ip, group, first, registers);  // --check=sync
  GroupState& state = state_of(*first.batch, first.lane);
  PendingCopy copy;
  copy.target = operand(first, registers[0]);
  copy.source = operand(first, registers[1]);
  copy.count = operand(first, registers[2]);
  copy.element_bytes = access.bytes;
  const std::uint64_t step =
      operand(first, registers[3]) * ((access.scale & 2) != 0 ? 1 : access.bytes);
  const bool target_strides = (access.scale & 1) != 0;
  copy.target_step = target_strides ? step : access.bytes;
  copy.source_step = target_strides ? access.bytes : step;
  copy.instruction = ip;
  if (access.offset != 0)
    if (const auto earlier = std::ranges::find_if(
            state.pending,
            [&](const PendingCopy& each) { return may_race(each, copy, *first.batch->memory); });
        earlier != state.pending.end())
      report_with(first.batch, ip, Rule::kR0042, first.lane, began(*earlier, first));
  const std::uint64_t same = operand(first, registers[4]);
  copy.event = same != 0 && same <= state.events ? same : ++state.events;
  std::erase(state.waited, copy.event);
  if (state.pending.size() < kMostPending)
    state.pending.push_back(copy);
  else
    make_copy(copy, state, first.batch, first.lane);
  give_all<std::uint64_t>(ip, group, copy.event);
}

void group_wait_events(const Inst* ip, GroupParts group) {
  const Item first = first_item(group);
  GroupState& state = state_of(*first.batch, first.lane);
  const std::uint64_t count = row<std::uint32_t>(*first.batch, ip->a)[first.lane];
  const std::uint64_t list = row<std::uint64_t>(*first.batch, ip->b)[first.lane];
  const WaitOperation wait = WaitOperation::decode(ip->imm);
  std::vector<std::uint64_t> waited;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t event = 0;
    const std::uint64_t address = list + i * wait.event_bytes;
    if (!read_event(ip, first, address, wait.event_bytes, locate, &event)) return;
    state.copied_bytes += wait.event_bytes;  // reading counts: a list may be as long as a copy
    if (!may_go_on(ip, state, first.batch)) return;
    if (wait.checked) check_event(ip, group, i, event);
    const bool is_released = wait.checked && std::ranges::count(state.waited, event) != 0;
    if (event == 0 || event > state.events || is_released) {
      report_items(ip, group, Rule::kR0044, [](Batch&, std::uint32_t) { return true; });
      continue;
    }
    for (const PendingCopy& copy : state.pending)
      if (copy.event == event && !make_copy(copy, state, first.batch, first.lane)) return;
    std::erase_if(state.pending, [&](const PendingCopy& c) { return c.event == event; });
    if (wait.checked && waited.size() < kMostPending) waited.push_back(event);
  }
  if (!wait.checked || !is_whole(group)) return;
  // A list may name an event several times.
  state.waited.insert(state.waited.end(), waited.begin(), waited.end());
  if (state.waited.size() > kMostPending) state.waited.clear();
}

void group_named_barrier_init(const Inst* ip, GroupParts group) {
  const Item first = first_item(group);
  GroupState& state = state_of(*first.batch, first.lane);
  const bool has_room = state.named_barriers.size() < kMostPending;
  if (has_room) state.named_barriers.push_back(row<std::uint32_t>(*first.batch, ip->a)[first.lane]);
  give_all<std::uint64_t>(ip, group, has_room ? state.named_barriers.size() : 0);
}

bool finish_group(GroupState& state, Batch* batch, std::uint32_t lane, bool checked) {
  bool goes_on = true;
  for (const PendingCopy& copy : state.pending) {
    goes_on = make_copy(copy, state, batch, lane);
    if (!goes_on) break;
    if (!checked || copy.instruction->list->access->offset == 0) continue;
    std::uint64_t lanes[kMaxMaskWords] = {};
    lanes[lane / 64] = std::uint64_t{1} << (lane % 64);
    report_lanes(batch, copy.instruction, static_cast<std::uint16_t>(Rule::kR0043), lanes);
  }
  state.pending.clear();
  state.events = state.copied_bytes = 0;
  state.waited.clear();
  state.named_barriers.clear();
  state.texels.reset();
  return goes_on;
}

void check_copies(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->group_state == nullptr) return;  // the kernel makes no copies
  const auto check = CopyCheck::decode(ip->imm);
  const auto* address = reinterpret_cast<const std::uint64_t*>(r + ip->a);
  const GroupPart all{batch, 0, batch->program->lanes};
  const auto copy_at = [&](std::uint32_t i) -> const PendingCopy* {
    if (is_cancelled(*batch)) return nullptr;
    const memory::AddressMap& map = *batch->memory;
    const auto are_at = [&](const Elements& elements) {
      return touches(elements, memory::untagged(map, address[i]), check.bytes);
    };
    const auto& pending = state_of(*batch, i).pending;
    const auto found = std::ranges::find_if(pending, [&](const PendingCopy& copy) {
      return are_at(target_of(copy, map)) || (check.writes && are_at(source_of(copy, map)));
    });
    return found == pending.end() ? nullptr : &*found;
  };
  each_item({&all, 1}, [&](Batch&, std::uint32_t i) {
    if (const PendingCopy* const copy = copy_at(i))
      report_with(batch, ip, Rule::kR0042, i, began(*copy, {batch, i}));
  });
}

}  // namespace transpire::vm::exec
