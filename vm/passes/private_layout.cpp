// Decides which private variables become values, and in which pieces. See private_layout.h.
#include "vm/passes/private_layout.h"

#include <algorithm>
#include <bit>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/use_lists.h"
#include "vm/passes/bits.h"
#include "vm/passes/lifetime_walk.h"

namespace transpire::vm::lir {
namespace {

// Larger copies, and variables of which they are made, stay in memory: they would take apart into
// more values than they save accesses.
constexpr std::uint64_t kMaxCopyBytes = 256;
// Cuts pass from copy to copy; where that goes on for longer the variables stay in memory.
constexpr int kMaxCopyRounds = 8;

// An access by another storage class is a finding.
bool reaches_private(Space space) {
  if (space == Space::kShadow) return true;  // here, the shadow of a named variable
  return (memory::spaces_reaching(memory::Region::kPrivate) & memory::spaces_of(space)) != 0;
}

std::uint64_t bytes_of(const Function& function, const Value& access) {
  const MemAccess& m = function.mem[access.imm];
  return std::uint64_t{m.components} * memory_bytes(m.kind);
}

}  // namespace

std::uint32_t memory_bytes(Kind kind) { return kind == Kind::kBool ? 1 : lane_bytes(kind); }

PrivateLayout::PrivateLayout(const Function& function)
    : function_(function),
      promotable_(function.private_variables.size(), true),
      places_(function.values.size()),
      cuts_(function.private_variables.size()) {
  find_addresses();
  for (const ValueId id : accesses_) check_access(id);
  for (const ValueId id : copies_) check_copy(id);
  check_lifetimes();
  keep_shadows();
  cut_accesses();
  cut_copies();
  keep_shadows();
  make_pieces();
  choose_kinds();
}

void PrivateLayout::find_addresses() {
  if (function_.private_variables.empty()) return;
  const std::uint64_t first = function_.private_slot(0);
  for (ValueId id = 0; id < function_.values.size(); ++id) {
    const Value& value = function_.values[id];
    if (value.op != Op::kArgument || value.imm < first) continue;
    places_[id] = PrivatePlace{narrow<std::uint32_t>(value.imm - first), 0};
    work_.push_back(id);
  }
  const UseLists uses(function_);
  while (!work_.empty()) {
    const ValueId address = work_.back();
    work_.pop_back();
    for (const ValueId user : uses.users(address)) use(address, user);
  }
  // A value uses an address twice when it is listed twice.
  for (auto* list : {&accesses_, &copies_}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

void PrivateLayout::use(ValueId address, ValueId user) {
  const Value& value = function_.values[user];
  function_.work(value.args.size() + 1);
  const PrivatePlace place = *places_[address];
  const bool only_base =
      value.args[0] == address && std::count(value.args.begin(), value.args.end(), address) == 1;
  switch (value.op) {
    case Op::kAddress:
      if (!only_base) break;
      places_[user] = offset_place(value, static_cast<std::int64_t>(value.imm), value.imm2,
                                   value.args.size() > 1);
      if (!places_[user]) break;
      work_.push_back(user);
      return;
    case Op::kTagPointer:
      places_[user] = place;
      work_.push_back(user);
      return;
    case Op::kGenericToSpace:
      if (value.imm != static_cast<std::uint64_t>(Space::kPrivate)) break;
      places_[user] = place;
      work_.push_back(user);
      return;
    case Op::kLoad:
    case Op::kStore:
      if (!only_base || function_.mem[value.imm].is_volatile) break;
      accesses_.push_back(user);
      return;
    case Op::kCopyMemory:
      if (value.args[2] == address || function_.mem[value.imm].is_volatile) break;
      copies_.push_back(user);
      return;
    default:
      break;
  }
  drop(place);
}

std::optional<PrivatePlace> PrivateLayout::offset_place(const Value& value, std::int64_t scale,
                                                        std::int64_t offset, bool has_index) const {
  const auto& base = places_[value.args[0]];
  if (!base) return std::nullopt;
  auto at = static_cast<std::uint64_t>(base->offset) + static_cast<std::uint64_t>(offset);
  if (has_index) {
    const Value& index = function_.values[value.args[1]];
    if (index.op != Op::kConst) return std::nullopt;
    const std::uint64_t wide = value.extend == Extend::kSigned32
                                   ? static_cast<std::uint64_t>(sign_extend(index.imm, Kind::kI32))
                                   : index.imm;
    at += wide * static_cast<std::uint64_t>(scale);
  }
  return PrivatePlace{base->variable, static_cast<std::int64_t>(at)};
}

std::optional<PrivatePlace> PrivateLayout::unchecked_access(const Value& access) const {
  const MemAccess& m = function_.mem[access.imm];
  const std::size_t stored = access.op == Op::kStore ? m.components : 0;
  return offset_place(access, m.scale, m.offset, access.args.size() > 1 + stored);
}

std::optional<PrivatePlace> PrivateLayout::access_place(const Value& access) const {
  const auto place = unchecked_access(access);
  return place && promotable_[place->variable] ? place : std::nullopt;
}

std::optional<PrivatePlace> PrivateLayout::address_place(ValueId address) const {
  if (address >= places_.size() || !places_[address]) return std::nullopt;
  return promotable_[places_[address]->variable] ? places_[address] : std::nullopt;
}

bool PrivateLayout::inside(const PrivatePlace& place, std::uint64_t bytes) const {
  const std::uint64_t size = function_.private_variables[place.variable].size_bytes;
  const auto at = static_cast<std::uint64_t>(place.offset);
  return at <= size && bytes <= size - at;
}

// Faults are the engine's to report: such variables stay in memory.
void PrivateLayout::check_access(ValueId id) {
  const Value& value = function_.values[id];
  const auto place = unchecked_access(value);
  if (!place) return drop(*places_[value.args[0]]);
  const std::uint64_t align = std::max<std::uint64_t>(1, function_.mem[value.imm].align_bytes);
  const bool aligned = static_cast<std::uint64_t>(place->offset) % align == 0 &&
                       function_.private_variables[place->variable].align_bytes % align == 0;
  const bool natural = std::has_single_bit(align);
  const bool reaches = reaches_private(function_.mem[value.imm].space);
  const bool in_order = reaches && inside(*place, bytes_of(function_, value)) && aligned && natural;
  if (!in_order) drop(*place);
}

void PrivateLayout::check_copy(ValueId id) {
  const Value& value = function_.values[id];
  const Value& size = function_.values[value.args[2]];
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& place = places_[value.args[side]];
    if (!place) continue;
    const MemAccess& access = function_.mem[value.imm];
    if (!reaches_private(side == 0 ? access.space : access.source_space) || size.op != Op::kConst ||
        size.imm > kMaxCopyBytes || !inside(*place, size.imm))
      drop(*place);
  }
}

// A variable's shadow is where pointers to the variable find it.
void PrivateLayout::keep_shadows() {
  for (std::size_t i = 0; i < promotable_.size(); ++i)
    if (const std::uint32_t of = function_.private_variables[i].shadow_of; of != 0)
      promotable_[i] = promotable_[i] && promotable_[of - 1];
}

// An access that may come when the variable is dead is the engine's to report.
void PrivateLayout::check_lifetimes() {
  LifetimeWalk walk(function_);
  if (!walk.has_markers()) return;
  for (const ValueId id : accesses_)
    if (const auto place = access_place(function_.values[id])) walk.add_access(id, place->variable);
  for (const ValueId id : copies_)
    for (std::size_t side = 0; side < 2; ++side)
      if (const auto place = address_place(function_.values[id].args[side]))
        walk.add_access(id, place->variable);
  for (const std::uint32_t variable : walk.reached_dead()) promotable_[variable] = false;
}

void PrivateLayout::cut_accesses() {
  for (const ValueId id : accesses_) {
    const auto place = access_place(function_.values[id]);
    if (!place) continue;
    const MemAccess& m = function_.mem[function_.values[id].imm];
    for (std::uint32_t i = 0; i <= m.components; ++i) {
      cuts_[place->variable].insert(static_cast<std::uint64_t>(place->offset) +
                                    std::uint64_t{i} * memory_bytes(m.kind));
    }
  }
}

// Copied bytes that nothing else accesses are cut into aligned words.
void PrivateLayout::cut_copies() {
  for (const ValueId id : copies_) {
    const Value& value = function_.values[id];
    const std::uint64_t bytes = function_.values[value.args[2]].imm;
    const auto to = address_place(value.args[0]);
    const auto from = address_place(value.args[1]);
    if (!to && !from) continue;
    const PrivatePlace& place = to ? *to : *from;
    auto at = static_cast<std::uint64_t>(place.offset);
    const std::uint64_t end = at + bytes;
    cuts_[place.variable].insert(at);
    while (at < end) {
      function_.work();
      std::uint64_t chunk = 8;
      while (at % chunk != 0 || chunk > end - at) chunk /= 2;
      cuts_[place.variable].insert(at += chunk);
    }
  }
  for (int round = 0; round <= kMaxCopyRounds; ++round) {
    bool changed = false;
    for (const ValueId id : copies_) {
      const Value& value = function_.values[id];
      const auto to = address_place(value.args[0]);
      const auto from = address_place(value.args[1]);
      if (!to || !from) continue;
      const std::uint64_t bytes = function_.values[value.args[2]].imm;
      const bool forth = match_cuts(*to, *from, bytes);
      const bool back = match_cuts(*from, *to, bytes);
      if (round == kMaxCopyRounds && (forth || back)) {
        drop(*to);
        drop(*from);
      }
      changed = changed || forth || back;
    }
    if (!changed) return;
  }
}

// Cuts inside the copied range of one side become cuts of the other.
bool PrivateLayout::match_cuts(const PrivatePlace& from, const PrivatePlace& to,
                               std::uint64_t bytes) {
  const auto begin = static_cast<std::uint64_t>(from.offset);
  bool changed = false;
  std::vector<std::uint64_t> found;
  auto& cuts = cuts_[from.variable];
  for (auto i = cuts.lower_bound(begin); i != cuts.end() && *i <= begin + bytes; ++i) {
    found.push_back(*i - begin + static_cast<std::uint64_t>(to.offset));
  }
  function_.work(found.size());
  for (const std::uint64_t cut : found) changed = cuts_[to.variable].insert(cut).second || changed;
  return changed;
}

void PrivateLayout::make_pieces() {
  const auto count = narrow<std::uint32_t>(cuts_.size());
  first_piece_.assign(count + 1, 0);
  for (std::uint32_t v = 0; v < count; ++v) {
    first_piece_[v] = narrow<std::uint32_t>(pieces_.size());
    if (!promotable_[v]) continue;
    std::uint64_t last = 0;
    for (const std::uint64_t cut : cuts_[v]) {
      if (cut != *cuts_[v].begin()) {
        pieces_.push_back({last, narrow<std::uint32_t>(cut - last), Kind::kVoid, v, 0});
      }
      last = cut;
    }
  }
  first_piece_[count] = narrow<std::uint32_t>(pieces_.size());
}

PieceRange PrivateLayout::range(const PrivatePlace& place, std::uint64_t bytes) const {
  const auto begin = pieces_.begin() + first_piece_[place.variable];
  const auto end = pieces_.begin() + first_piece_[place.variable + 1];
  const auto at = static_cast<std::uint64_t>(place.offset);
  const auto before = [](const PrivatePiece& piece, std::uint64_t offset) {
    return piece.offset < offset;
  };
  const auto first = std::lower_bound(begin, end, at, before);
  const auto last = std::lower_bound(first, end, at + bytes, before);
  return {narrow<std::uint32_t>(first - pieces_.begin()),
          narrow<std::uint32_t>(last - pieces_.begin())};
}

void PrivateLayout::vote(PrivatePiece& piece, Kind kind) {
  if (piece.kind == kind) {
    ++piece.votes;
  } else if (piece.kind != Kind::kVoid && piece.bytes == 1) {
    // A byte that is sometimes a bool holds more than one bit.
    piece.kind = Kind::kI8;
  } else if (piece.votes == 0) {
    piece.kind = kind;
    piece.votes = 1;
  } else {
    --piece.votes;
  }
}

void PrivateLayout::vote_bytes(PrivatePiece& piece) {
  if (piece.bytes == 1) vote(piece, Kind::kI8);
}

// The kind most accesses of a piece have; an integer where it is only read or written as a part.
void PrivateLayout::choose_kinds() {
  for (const ValueId id : accesses_) {
    const auto place = access_place(function_.values[id]);
    if (!place) continue;
    const MemAccess& m = function_.mem[function_.values[id].imm];
    const std::uint32_t bytes = memory_bytes(m.kind);
    for (std::uint32_t i = 0; i < m.components; ++i) {
      const PieceRange part =
          range({place->variable, place->offset + std::int64_t{i} * bytes}, bytes);
      for (std::uint32_t p = part.first; p < part.last; ++p) {
        // Odd parts, of accesses that overlap at odd distances, are no scalars.
        if (!std::has_single_bit(pieces_[p].bytes)) drop(*place);
        if (part.last - part.first == 1) {
          vote(pieces_[p], m.kind);
        } else {
          vote_bytes(pieces_[p]);
        }
      }
    }
  }
  for (const ValueId id : copies_) {
    const Value& value = function_.values[id];
    for (std::size_t side = 0; side < 2; ++side) {
      const auto place = address_place(value.args[side]);
      if (!place) continue;
      const PieceRange part = range(*place, function_.values[value.args[2]].imm);
      for (std::uint32_t p = part.first; p < part.last; ++p) {
        if (!std::has_single_bit(pieces_[p].bytes) || pieces_[p].bytes > 8) drop(*place);
        vote_bytes(pieces_[p]);
      }
    }
  }
  for (PrivatePiece& piece : pieces_) {
    constexpr Kind kInts[] = {Kind::kI8, Kind::kI16, Kind::kI32, Kind::kI64};
    const auto size = static_cast<std::size_t>(std::countr_zero(piece.bytes));
    if (piece.kind == Kind::kVoid && size < std::size(kInts)) piece.kind = kInts[size];
  }
}

}  // namespace transpire::vm::lir
