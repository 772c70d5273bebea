#include "runtime/watch_observer.h"

#include <bit>

#include "base/rule.h"
#include "decoder/grammar.h"
#include "memory/translate.h"
#include "scheduler/geometry.h"
#include "vm/exec/access.h"
#include "vm/exec/work_item.h"

namespace transpire {
namespace runtime {
namespace {

/// The work-items of a WatchItems.
struct Items {
  const vm::exec::Batch& batch;
  const findings::Part* part;
};

WatchItem item_of(const Items& items, std::uint32_t lane) {
  const vm::exec::WorkItem item =
      findings::in_whole(vm::exec::work_item(items.batch, lane), items.part);
  return {item.global_id, item.group_id, item.local_id};
}

WatchAccess::Memory memory_of(const vm::HostPlace& place) {
  if (place.is_private) return WatchAccess::Memory::kPrivate;
  if (place.is_workgroup) return WatchAccess::Memory::kLocal;
  return place.is_image ? WatchAccess::Memory::kImage : WatchAccess::Memory::kBuffer;
}

}  // namespace

WatchLaunch whole_launch(std::string_view kernel, const findings::Part& part) {
  WatchLaunch launch{
      .kernel = kernel, .global_size = part.global_size, .local_size = part.local_size};
  launch.num_groups = scheduler::count_groups(part.global_size.data(), part.local_size.data());
  return launch;
}

void WatchObserver::launch_begins() {
  tell([&] { return watch_.launch_begins(launch_); });
}

void WatchObserver::launch_ends() {
  tell([&] { return watch_.launch_ends(launch_); });
}

std::array<std::uint64_t, 3> WatchObserver::group_of(const std::uint64_t group_id[3]) const {
  return findings::in_whole({.group_id = {group_id[0], group_id[1], group_id[2]}}, scene_.part)
      .group_id;
}

void WatchObserver::group_begins(const std::uint64_t group_id[3]) {
  rounds_[group_of(group_id)] = 0;
  tell([&] { return watch_.group_begins({group_of(group_id)}); });
}

void WatchObserver::group_ends(const std::uint64_t group_id[3]) {
  tell([&] { return watch_.group_ends({group_of(group_id)}); });
  rounds_.erase(group_of(group_id));
}

WatchEvent WatchObserver::event_of(const vm::exec::Batch& batch, const vm::Inst* instruction,
                                   std::uint32_t lane) const {
  WatchEvent event{{scene_, instruction}, item_of({batch, scene_.part}, lane)};
  const auto round = rounds_.find(event.item.group_id);
  if (round != rounds_.end()) event.round = round->second;
  return event;
}

void WatchObserver::instruction(const vm::exec::Batch& batch, const vm::Inst& instruction) {
  last_ = &instruction;
  const Items items{batch, scene_.part};
  tell([&] { return watch_.step({{scene_, &instruction}, WatchItems(&items)}); });
}

void WatchObserver::access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) {
  tell([&] {
    WatchAccess event{event_of(batch, access.instruction, access.lane)};
    event.kind = static_cast<WatchAccess::Kind>(access.kind);
    event.memory = memory_of(access.place);
    event.address = access.address;
    event.size_bytes = access.bytes;
    event.memory_place = &access.place;
    if (!access.place.is_private && !access.place.is_workgroup)
      event.host = access.place.base + access.place.offset;
    if (const memory::Allocation* const in = scene_.space.nearest(access.address)) {
      event.allocation = scene_.space.name(*in);
      event.offset_bytes = access.address - in->begin;
    }
    return watch_.access(event);
  });
}

void WatchObserver::waits(const vm::exec::Batch& batch, const vm::Inst& barrier) {
  const Items items{batch, scene_.part};
  tell([&] { return watch_.waits({{scene_, &barrier}, WatchItems(&items)}); });
}

void WatchObserver::meets(const vm::exec::Batch& batch, const vm::Inst& barrier) {
  const Items items{batch, scene_.part};
  tell([&] { return watch_.meets({{scene_, &barrier}, WatchItems(&items)}); });
  // A named barrier may be of some sub-groups alone.
  if (scene_.program.source_of(&barrier).op != spv::Op::OpMemoryNamedBarrier)
    ++rounds_[group_of(batch.group_id)];
}

void WatchObserver::printed(const vm::exec::Batch& batch, std::uint32_t lane,
                            std::string_view text) {
  tell([&] { return watch_.prints({event_of(batch, last_, lane), text}); });
}

void WatchObserver::found(const vm::exec::Batch& batch, const vm::exec::Event& event) {
  tell([&] {
    return watch_.found({event_of(batch, event.instruction, event.lane),
                         std::string(rule_id(static_cast<Rule>(event.rule)))});
  });
}

void WatchObserver::enqueued(const vm::exec::Batch& batch, const vm::Inst& instruction,
                             std::uint32_t lane) {
  tell([&] { return watch_.enqueued(event_of(batch, &instruction, lane)); });
}

void WatchObserver::piped(const vm::exec::Batch& batch, const vm::PipedPacket& packet) {
  tell([&] {
    WatchPacket event{
        event_of(batch, packet.instruction, packet.lane), packet.is_read, {}, packet.bytes};
    if (const memory::Allocation* const pipe = scene_.space.nearest(packet.pipe))
      event.pipe = scene_.space.name(*pipe);
    return watch_.packet(event);
  });
}

}  // namespace runtime

namespace {

const vm::Source& source_of(const runtime::WatchScene& scene, const void* instruction) {
  static const vm::Source nowhere;
  return instruction == nullptr
             ? nowhere
             : scene.program.source_of(static_cast<const vm::Inst*>(instruction));
}

}  // namespace

std::uint32_t WatchPlace::word_offset() const {
  return source_of(*scene_, instruction_).word_offset;
}

std::uint32_t WatchPlace::opcode() const {
  return static_cast<std::uint32_t>(source_of(*scene_, instruction_).op);
}

std::string WatchPlace::name() const {
  return std::string(decoder::opcode_name(source_of(*scene_, instruction_).op));
}

std::string WatchPlace::spell() const {
  return scene_->places.spell(source_of(*scene_, instruction_));
}

SourceLine WatchPlace::source() const {
  const vm::Source& source = source_of(*scene_, instruction_);
  Diagnostic shown;
  scene_->places.show(source.word_offset, source.line, shown);
  return shown.source;
}

std::vector<Frame> WatchPlace::frames() const {
  return scene_->places.frames(scene_->program, source_of(*scene_, instruction_));
}

std::size_t WatchItems::size() const {
  const vm::exec::Batch& batch = static_cast<const runtime::Items*>(batch_)->batch;
  std::size_t count = 0;
  for (std::uint32_t word = 0; word < batch.program->mask_words; ++word)
    count += static_cast<std::size_t>(std::popcount(batch.mask[word]));
  return count;
}

WatchItem WatchItems::operator[](std::size_t index) const {
  const auto& items = *static_cast<const runtime::Items*>(batch_);
  const vm::exec::Batch& batch = items.batch;
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane)
    if ((batch.mask[lane / 64] >> lane % 64 & 1) != 0 && index-- == 0)
      return runtime::item_of(items, lane);
  return {};
}

void WatchAccess::read(std::span<std::byte> to) const {
  vm::exec::read_place(*static_cast<const vm::HostPlace*>(memory_place), to.data(),
                       std::min<std::uint64_t>(to.size(), size_bytes));
}

Watch::~Watch() = default;

}  // namespace transpire
