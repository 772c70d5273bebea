#include "runtime/watch_observer.h"

#include <bit>

#include "base/rule.h"
#include "decoder/grammar.h"
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/work_item.h"

namespace transpire {
namespace runtime {
namespace {

std::array<std::uint64_t, 3> id_of(const std::uint64_t id[3]) { return {id[0], id[1], id[2]}; }

WatchItem item_of(const vm::exec::Batch& batch, std::uint32_t lane) {
  const vm::exec::WorkItem item = vm::exec::work_item(batch, lane);
  return {item.global_id, item.group_id, item.local_id};
}

WatchAccess::Memory memory_of(const vm::HostPlace& place) {
  if (place.is_private) return WatchAccess::Memory::kPrivate;
  if (place.is_workgroup) return WatchAccess::Memory::kLocal;
  return place.is_image ? WatchAccess::Memory::kImage : WatchAccess::Memory::kBuffer;
}

}  // namespace

void WatchObserver::launch_begins() {
  tell([&] { return watch_.launch_begins(launch_); });
}

void WatchObserver::launch_ends() {
  tell([&] { return watch_.launch_ends(launch_); });
}

void WatchObserver::group_begins(const std::uint64_t group_id[3]) {
  rounds_[id_of(group_id)] = 0;
  tell([&] { return watch_.group_begins({id_of(group_id)}); });
}

void WatchObserver::group_ends(const std::uint64_t group_id[3]) {
  tell([&] { return watch_.group_ends({id_of(group_id)}); });
  rounds_.erase(id_of(group_id));
}

WatchEvent WatchObserver::event_of(const vm::exec::Batch& batch, const vm::Inst* instruction,
                                   std::uint32_t lane) const {
  WatchEvent event{{scene_, instruction}, item_of(batch, lane)};
  const auto round = rounds_.find(event.item.group_id);
  if (round != rounds_.end()) event.round = round->second;
  return event;
}

void WatchObserver::instruction(const vm::exec::Batch& batch, const vm::Inst& instruction) {
  last_ = &instruction;
  tell([&] { return watch_.step({{scene_, &instruction}, WatchItems(&batch)}); });
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
  tell([&] { return watch_.waits({{scene_, &barrier}, WatchItems(&batch)}); });
}

void WatchObserver::meets(const vm::exec::Batch& batch, const vm::Inst& barrier) {
  tell([&] { return watch_.meets({{scene_, &barrier}, WatchItems(&batch)}); });
  // A named barrier may be of some sub-groups alone.
  if (scene_.program.source_of(&barrier).op != spv::Op::OpMemoryNamedBarrier)
    ++rounds_[id_of(batch.group_id)];
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
  const auto& batch = *static_cast<const vm::exec::Batch*>(batch_);
  std::size_t count = 0;
  for (std::uint32_t word = 0; word < batch.program->mask_words; ++word)
    count += static_cast<std::size_t>(std::popcount(batch.mask[word]));
  return count;
}

WatchItem WatchItems::operator[](std::size_t index) const {
  const auto& batch = *static_cast<const vm::exec::Batch*>(batch_);
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane)
    if ((batch.mask[lane / 64] >> lane % 64 & 1) != 0 && index-- == 0)
      return runtime::item_of(batch, lane);
  return {};
}

void WatchAccess::read(std::span<std::byte> to) const {
  vm::exec::read_place(*static_cast<const vm::HostPlace*>(memory_place), to.data(),
                       std::min<std::uint64_t>(to.size(), size_bytes));
}

Watch::~Watch() = default;

}  // namespace transpire
