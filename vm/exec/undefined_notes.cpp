#include "vm/exec/undefined_notes.h"

#include <algorithm>
#include <cstring>

#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/work_item.h"

namespace transpire::vm::exec {
namespace {

using memory::Region;

/// Words of the younger half.
constexpr std::size_t kMostWords = std::size_t{1} << 18;
constexpr std::size_t kMostOrigins = 4;

constexpr std::uint64_t kOfItem = std::uint64_t{1} << 63;
constexpr unsigned kLocalBits = 24;

}  // namespace

// ---- Of a launch ---------------------------------------------------------------------------------

std::size_t UndefinedNotes::Hash::operator()(const ShadowPlace& place) const {
  std::uint64_t h = place.owner * 0x9e3779b97f4a7c15u ^ place.life;
  h = (h ^ place.address) * 0xff51afd7ed558ccdu;
  return static_cast<std::size_t>(h ^ h >> 32);
}

std::uint32_t UndefinedNotes::number(const OriginNote& note) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      numbers_.try_emplace(note, static_cast<std::uint32_t>(notes_.size() + 1));
  if (is_new) notes_.push_back(note);
  return known->second;
}

OriginNote UndefinedNotes::note(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return notes_[number - 1];
}

std::array<std::uint32_t, 4>& UndefinedNotes::word(const ShadowPlace& place) {
  const auto known = young_.find(place);
  if (known != young_.end()) return known->second;
  if (young_.size() == kMostWords) {
    if (!old_.empty()) lose();
    old_ = std::move(young_);
    young_ = {};
  }
  const auto before = old_.find(place);
  return young_[place] = before == old_.end() ? std::array<std::uint32_t, 4>{} : before->second;
}

void UndefinedNotes::set(ShadowPlace place, std::uint64_t bytes, std::uint32_t number) {
  any_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  while (bytes != 0) {
    const std::uint64_t from = place.address % 4, count = std::min(bytes, 4 - from);
    place.address -= from;
    std::fill_n(word(place).begin() + from, count, number);
    place.address += 4;
    bytes -= count;
  }
}

std::uint32_t UndefinedNotes::find(ShadowPlace place) const {
  const std::uint64_t byte = place.address % 4;
  place.address -= byte;
  const std::lock_guard lock(mutex_);
  for (const Words* words : {&young_, &old_})
    if (const auto known = words->find(place); known != words->end()) return known->second[byte];
  return 0;
}

// ---- Of a batch ----------------------------------------------------------------------------------

void UndefinedItems::clear() {
  for (std::vector<Loaded>& load : loads_) load.clear();
  lives_.clear();
}

void UndefinedItems::begin_life(const Batch& batch, std::uint32_t shadow, std::uint32_t source) {
  const std::uint32_t variable = program_.private_variables[shadow].shadow_of - 1;
  if (lives_.empty()) lives_.resize(program_.private_variables.size() * program_.lanes);
  for (std::uint32_t lane = 0; lane < program_.lanes; ++lane) {
    if (!has_lane(batch.mask, lane)) continue;
    Life& life = lives_[std::size_t{variable} * program_.lanes + lane];
    life = {source, life.count + 1};
  }
}

std::uint32_t UndefinedItems::variable_of(const memory::Allocation& shadow) const {
  return program_.private_variables[shadow.index].shadow_of - 1;
}

const UndefinedItems::Life& UndefinedItems::life(const memory::Allocation& shadow,
                                                 std::uint32_t lane) const {
  static constexpr Life kNone;
  if (lives_.empty()) return kNone;
  return lives_[std::size_t{variable_of(shadow)} * program_.lanes + lane];
}

/// Null if there is none.
const memory::Allocation* UndefinedItems::shadow_at(const Batch& batch,
                                                    std::uint64_t address) const {
  const std::uint64_t plain = memory::untagged(*batch.memory, address);
  const memory::Allocation* const shadow = memory::allocation_at(*batch.memory, plain);
  return shadow != nullptr && shadow->is_shadow ? shadow : nullptr;
}

ShadowPlace UndefinedItems::place_of(const Batch& batch, const memory::Allocation& shadow,
                                     std::uint32_t lane, std::uint64_t address) const {
  const std::uint64_t plain = memory::untagged(*batch.memory, address);
  if (shadow.region == Region::kBuffer)
    return {0, reinterpret_cast<std::uintptr_t>(shadow.host) + (plain - shadow.begin), 0};
  const WorkItem item = work_item(batch, lane);
  if (shadow.region == Region::kWorkgroup) return {item.group_linear + 1, plain, 0};
  const std::uint64_t owner = kOfItem | item.group_linear << kLocalBits | item.local_linear;
  return {owner, plain, life(shadow, lane).count};
}

/// The note's number for the undefined bits at a place.
std::uint32_t UndefinedItems::origin_at(const Batch& batch, const memory::Allocation& shadow,
                                        std::uint32_t lane, std::uint64_t address) {
  if (notes_.has_any())
    if (const std::uint32_t known = notes_.find(place_of(batch, shadow, lane, address)); known != 0)
      return known;
  const bool is_private = shadow.region == Region::kPrivate;
  const std::uint32_t began = is_private ? life(shadow, lane).source : 0;
  if (first_.shadow == &shadow && first_.began == began) return first_.number;
  OriginNote note;
  if (is_private) {
    const std::uint32_t variable = variable_of(shadow);
    note.origin = {UndefinedOrigin::What::kVariable, program_.private_variables[variable].source,
                   variable, began};
  } else {
    note.origin = {UndefinedOrigin::What::kMemory};
    note.allocation = memory::allocation_at(
        *batch.memory, memory::untagged(*batch.memory, address - program_.shadow_distance));
  }
  first_ = {&shadow, began, notes_.number(note)};
  return first_.number;
}

void UndefinedItems::loaded(const Batch& batch, std::uint32_t number, std::uint32_t lane,
                            std::uint64_t address) {
  const memory::Allocation* const shadow = shadow_at(batch, address);
  if (shadow == nullptr) return not_loaded(number, lane);
  if (number >= loads_.size()) loads_.resize(program_.undefined_loads.size());
  std::vector<Loaded>& lanes = loads_[number];
  if (lanes.empty()) lanes.resize(program_.lanes);
  lanes[lane] = {origin_at(batch, *shadow, lane, address)};
}

void UndefinedItems::not_loaded(std::uint32_t number, std::uint32_t lane) {
  if (!has_loaded(number)) return;
  Loaded& load = loads_[number][lane];
  if (load.now != 0) load = {0, load.now};
}

bool UndefinedItems::has_loaded(std::uint32_t number) const {
  return number < loads_.size() && !loads_[number].empty();
}

std::uint32_t UndefinedItems::still_of(const UndefinedUse& use, std::uint32_t load,
                                       std::uint32_t lane) const {
  if (!has_loaded(load)) return 0;
  const Loaded& loaded = loads_[load][lane];
  if (loaded.now != 0) return loaded.now;
  return std::ranges::find(use.carried, load) == use.carried.end() ? 0 : loaded.before;
}

std::uint32_t UndefinedItems::with_store(std::uint32_t number, std::uint32_t source) {
  if (last_[0] == number && last_[1] == source && number != 0) return last_[2];
  OriginNote note;
  if (number != 0) note = notes_.note(number);
  note.stored = source;
  last_ = {number, source, notes_.number(note)};
  return last_[2];
}

void UndefinedItems::stored(const Batch& batch, const Inst* ip, const UndefinedUse& use,
                            std::uint32_t lane, std::uint64_t address, std::uint64_t bytes) {
  const memory::Allocation* const shadow = shadow_at(batch, address);
  if (shadow == nullptr) return;
  std::uint32_t number = 0;
  for (const std::uint32_t load : use.loads)
    if (number == 0) number = still_of(use, load, lane);
  if (number == 0)
    if (const std::vector<ReportedOrigin> origins = origins_of(use, lane); !origins.empty())
      number = notes_.number(origins.front().note);
  notes_.set(place_of(batch, *shadow, lane, address), bytes,
             with_store(number, program_.site_of(ip).source));
}

void UndefinedItems::copied(const Batch& batch, const Inst* ip, std::uint32_t lane,
                            std::uint64_t target, std::uint64_t source, std::uint64_t bytes) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 16;
  if (bytes > kMostBytes) notes_.lose();
  const std::uint32_t line = program_.site_of(ip).source;
  for (std::uint64_t i = 0, step = 0; i < std::min(bytes, kMostBytes); i += step) {
    step = std::min({4 - (target + i) % 4, 4 - (source + i) % 4, bytes - i});
    const memory::Allocation* const to = shadow_at(batch, target + i);
    if (to == nullptr) return;
    const std::uint64_t offset = memory::untagged(*batch.memory, target + i) - to->begin;
    const HostPlace place = place_in(batch, *to, lane, offset);
    std::uint64_t first = 0;
    while (first < step && *byte_at(place, first) == std::byte{0}) ++first;
    if (first == step) continue;
    const memory::Allocation* const from = shadow_at(batch, source + i + first);
    const std::uint32_t number =
        from == nullptr ? 0 : origin_at(batch, *from, lane, source + i + first);
    notes_.set(place_of(batch, *to, lane, target + i), step, with_store(number, line));
  }
}

void UndefinedItems::received(const Batch& batch, const Inst* ip, std::uint32_t lane,
                              std::uint64_t address, std::uint64_t bytes,
                              const memory::Allocation* pipe) {
  const memory::Allocation* const shadow = shadow_at(batch, address);
  if (shadow == nullptr) return;
  const OriginNote note{{UndefinedOrigin::What::kMemory}, pipe, program_.site_of(ip).source};
  notes_.set(place_of(batch, *shadow, lane, address), bytes, notes_.number(note));
}

ReportedOrigin UndefinedItems::origin_of(const Batch& batch, std::uint32_t lane,
                                         std::uint64_t address) {
  const memory::Allocation* const shadow = shadow_at(batch, address);
  if (shadow == nullptr) return {{{UndefinedOrigin::What::kMemory}}, 0, false};
  return {notes_.note(origin_at(batch, *shadow, lane, address)), 0, !notes_.has_lost()};
}

std::vector<ReportedOrigin> UndefinedItems::origins_of(const UndefinedUse& use,
                                                       std::uint32_t lane) const {
  std::vector<ReportedOrigin> reported;
  const auto add = [&](const ReportedOrigin& origin) {
    if (reported.size() < kMostOrigins && std::ranges::find(reported, origin) == reported.end())
      reported.push_back(origin);
  };
  const auto add_load = [&](std::uint32_t load, std::uint32_t number) {
    add({notes_.note(number), program_.undefined_loads[load], !notes_.has_lost()});
  };
  for (const std::uint32_t load : use.loads)
    if (const std::uint32_t number = still_of(use, load, lane); number != 0) add_load(load, number);
  for (const UndefinedOrigin& origin : use.origins) add({{origin}});
  if (!reported.empty()) return reported;
  // Another lane loaded the values that a sub-group passes between lanes.
  for (const std::uint32_t load : use.loads) {
    if (!has_loaded(load)) continue;
    const auto other =
        std::ranges::find_if(loads_[load], [](const Loaded& l) { return l.now != 0; });
    if (other != loads_[load].end()) add_load(load, other->now);
  }
  for (const std::uint32_t load : use.loads)
    if (reported.empty())
      add({{{UndefinedOrigin::What::kMemory}}, program_.undefined_loads[load], false});
  return reported;
}

// ---- Of instructions -----------------------------------------------------------------------------

namespace {

/// The first byte of a component that has a bit; `size`: none has.
std::uint64_t first_undefined(const std::byte* component, std::uint64_t size) {
  std::uint64_t at = 0;
  while (at < size && component[at] == std::byte{0}) ++at;
  return at;
}

void note_load(Batch* batch, std::uint32_t number, std::uint32_t lane, std::uint64_t address,
               const std::byte* component, std::uint64_t size) {
  const std::uint64_t first = first_undefined(component, size);
  if (first == size) return batch->undefined->not_loaded(number, lane);
  batch->undefined->loaded(*batch, number, lane, address + first);
  batch->loaded_undefined = true;
}

}  // namespace

void note_defined(Batch* batch, const Inst* ip) {
  const Program& program = *batch->program;
  const UndefinedAccess& noted = program.undefined_accesses[program.site_of(ip).number];
  if (noted.is_store) return;
  for (const std::uint32_t number : noted.components)
    if (batch->undefined->has_loaded(number))
      for (std::uint32_t lane = 0; lane < program.lanes; ++lane)
        if (has_lane(batch->mask, lane)) batch->undefined->not_loaded(number, lane);
}

void note_undefined(Batch* batch, const Inst* ip, const std::uint64_t* addresses) {
  const Program& program = *batch->program;
  const UndefinedAccess& noted = program.undefined_accesses[program.site_of(ip).number];
  const Access& access = *ip->access;
  const std::uint64_t size = access.bytes / access.components;
  for (std::uint32_t c = 0; c < noted.components.size(); ++c) {
    const std::uint32_t number = noted.components[c];
    if (number == UndefinedAccess::kNothing) continue;
    const std::byte* const row = batch->registers + access.values[c];
    for (std::uint32_t lane = 0; lane < program.lanes; ++lane) {
      if (!has_lane(batch->mask, lane)) continue;
      const std::uint64_t address = addresses[lane] + c * size;
      const std::byte* const component = row + lane * size;
      if (!noted.is_store)
        note_load(batch, number, lane, address, component, size);
      else if (first_undefined(component, size) != size)
        batch->undefined->stored(*batch, ip, program.undefined_uses[number], lane, address, size);
    }
  }
}

void note_uniform_undefined(Batch* batch, const Inst* ip, std::uint64_t address) {
  const Program& program = *batch->program;
  const UndefinedAccess& noted = program.undefined_accesses[program.site_of(ip).number];
  const Access& access = *ip->access;
  const std::uint64_t size = access.bytes / access.components;
  for (std::uint32_t c = 0; c < noted.components.size(); ++c) {
    if (noted.components[c] == UndefinedAccess::kNothing) continue;
    for (std::uint32_t lane = 0; lane < program.lanes; ++lane)
      if (has_lane(batch->mask, lane))
        note_load(batch, noted.components[c], lane, address + c * size,
                  batch->registers + access.values[c], size);
  }
}

}  // namespace transpire::vm::exec
