#include "runtime/store_log.h"

namespace transpire {
namespace runtime {
namespace {

std::string_view action_of(vm::AccessKind kind) {
  if (kind == vm::AccessKind::kStore) return "store";
  return kind == vm::AccessKind::kAtomicStore ? "atomic store" : "atomic access";
}

}  // namespace

void StoreLogState::watch(const std::byte* byte) {
  const std::lock_guard lock(mutex_);
  bytes_.try_emplace(byte);
}

std::vector<const std::byte*> StoreLogState::watched() const {
  const std::lock_guard lock(mutex_);
  std::vector<const std::byte*> all;
  for (const auto& [byte, store] : bytes_) all.push_back(byte);
  return all;
}

void StoreLogState::set(const std::byte* byte, LastStore store) {
  const std::lock_guard lock(mutex_);
  bytes_[byte] = std::move(store);
}

std::optional<LastStore> StoreLogState::last(const std::byte* byte) const {
  const std::lock_guard lock(mutex_);
  const auto found = bytes_.find(byte);
  return found == bytes_.end() ? std::nullopt : found->second;
}

StoreSink::StoreSink(StoreLogState& log, const vm::Program& program, const findings::Places& places,
                     const findings::Part* part)
    : log_(log), program_(program), places_(places), part_(part) {
  for (const std::byte* const byte : log.watched()) watched_.push_back({.byte = byte});
}

/// An atomic that changed nothing, such as a failed comparison, is no store.
StoreSink::Seen StoreSink::last_of(const Watched& watched) {
  const bool is_none =
      watched.now.instruction == nullptr ||
      (watched.now.kind == vm::AccessKind::kAtomic && *watched.byte == watched.before);
  return is_none ? watched.last : watched.now;
}

void StoreSink::hand_over() const {
  for (const Watched& watched : watched_) {
    const Seen seen = last_of(watched);
    if (seen.instruction == nullptr) continue;
    const vm::Source& source = program_.source_of(seen.instruction);
    Diagnostic shown;
    places_.show(source.word_offset, source.line, shown);
    LastStore store;
    store.place = places_.spell(source);
    store.action = action_of(seen.kind);
    store.source = shown.source;
    store.word_offset = shown.word_offset;
    store.excerpt = shown.excerpt;
    store.frames = places_.frames(program_, source);
    store.global_id = seen.item.global_id;
    store.group_id = seen.item.group_id;
    store.local_id = seen.item.local_id;
    log_.set(watched.byte, std::move(store));
  }
}

void StoreSink::access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) {
  if (access.kind == vm::AccessKind::kLoad || access.kind == vm::AccessKind::kAtomicLoad) return;
  if (access.place.is_private || access.place.is_workgroup) return;
  const std::byte* const begin = access.place.base + access.place.offset;
  for (Watched& watched : watched_) {
    if (watched.byte < begin || watched.byte >= begin + access.bytes) continue;
    watched.last = last_of(watched);
    watched.now = {access.instruction, access.kind,
                   findings::in_whole(vm::exec::work_item(batch, access.lane), part_)};
    watched.before = *watched.byte;
  }
}

}  // namespace runtime

StoreLog StoreLog::create() {
  StoreLog log;
  log.state_ = std::make_shared<runtime::StoreLogState>();
  return log;
}

void StoreLog::watch(const std::byte* byte) const { state_->watch(byte); }

std::optional<LastStore> StoreLog::last(const std::byte* byte) const { return state_->last(byte); }

}  // namespace transpire
