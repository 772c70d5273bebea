#include "races/footprint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "races/happens_before.h"
#include "vm/exec/lane_ids.h"

namespace transpire::races {
namespace {

using vm::AccessKind;

/// 64-bit words that have a bit for each byte of a page.
constexpr std::uint64_t kParts = Footprint::kPageBytes / 64;

std::uint64_t number_of(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// f(word, mask) for the bits [begin, end) of a page.
template <class F>
void each_word(std::uint64_t begin, std::uint64_t end, F f) {
  while (begin < end) {
    const std::uint64_t word = begin / 64, behind = std::min(end, (word + 1) * 64);
    const std::uint64_t count = behind - begin;
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    f(word, ones << begin % 64);
    begin = behind;
  }
}

/// f(page, begin, end) for each page of a range: the part of the range that is in the page.
template <class F>
void each_page(const std::byte* at, std::uint64_t bytes, F f) {
  std::uint64_t address = number_of(at);
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t page = address / Footprint::kPageBytes;
    const std::uint64_t behind = std::min(end, (page + 1) * Footprint::kPageBytes);
    f(page, address % Footprint::kPageBytes, behind - page * Footprint::kPageBytes);
    address = behind;
  }
}

std::uint32_t joined(std::uint32_t a, std::uint32_t b) {
  if (a == Toucher::kNobody || a == b) return b;
  return Toucher::kMany;
}

/// Conflicts by their instructions.
class Found {
 public:
  void add(const Footprint::Touched& own, const Footprint::Touched* other, std::uint64_t page,
           std::uint64_t word, std::uint64_t bits) {
    const std::uint32_t other_place = other == nullptr ? 0 : other->place;
    const auto [at, is_new] = found_.try_emplace({own.place, other_place});
    Footprint::Conflict& conflict = at->second;
    const std::uint64_t address = page * Footprint::kPageBytes + word * 64 +
                                  static_cast<std::uint64_t>(std::countr_zero(bits));
    const auto* const first = reinterpret_cast<const std::byte*>(address);
    if (is_new || first < conflict.first) {
      const std::uint64_t byte = address % Footprint::kPageBytes;
      conflict.first = first;
      conflict.by = own.toucher_of(byte);
      if (other != nullptr) conflict.other_by = other->toucher_of(byte);
    }
    conflict.place = own.place;
    conflict.kind = own.kind;
    conflict.other_place = other_place;
    if (other != nullptr) conflict.other_kind = other->kind;
    conflict.bytes += static_cast<std::uint64_t>(std::popcount(bits));
  }
  std::vector<Footprint::Conflict> take() const {
    std::vector<Footprint::Conflict> all;
    for (const auto& [_, conflict] : found_) all.push_back(conflict);
    return all;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, Footprint::Conflict> found_;
};

/// A bit for each of 64 bytes whose toucher `counts` selects.
std::uint64_t counting(const Footprint::Touched& touched, std::uint64_t word,
                       const std::function<bool(const Toucher&)>& counts) {
  if (!counts || touched.touchers.empty()) return ~std::uint64_t{0};
  const std::uint64_t each = Footprint::kPageBytes / touched.touchers.size();
  const std::uint64_t ones = (std::uint64_t{1} << each) - 1;
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < 64; i += each)
    if ((touched.bytes[word] >> i & ones) != 0 && counts(touched.touchers[(word * 64 + i) / each]))
      bits |= ones << i;
  return bits;
}

}  // namespace

Toucher Footprint::Touched::toucher_of(std::uint64_t byte) const {
  if (!touchers.empty()) return touchers[byte / (kPageBytes / touchers.size())];
  return byte == lowest ? lowest_by : Toucher{};
}

bool Footprint::Conflict::are_atomic() const { return is_atomic(kind) && is_atomic(other_kind); }

Footprint::Touched* Footprint::find(std::uint64_t page, std::uint32_t place, AccessKind kind) {
  const std::uint64_t key = std::uint64_t{place} << 8 | static_cast<std::uint64_t>(kind);
  if (last_ != nullptr && last_page_ == page && last_key_ == key) return last_;
  const auto keep = [&](Touched& touched) {
    last_page_ = page;
    last_key_ = key;
    return last_ = &touched;
  };
  if (const auto all = pages_.find(page); all != pages_.end())
    if (const auto known = all->second.find(key); known != all->second.end())
      return keep(known->second);
  const std::uint64_t bytes = sizeof(Touched) + (notes_touchers_ ? kWords * sizeof(Toucher) : 0);
  if (size_bytes_ + bytes > max_bytes_) {
    gave_up_ = true;
    return nullptr;
  }
  size_bytes_ += bytes;
  Touched& made = pages_[page][key];
  made.place = place;
  made.kind = kind;
  if (notes_touchers_) made.touchers.resize(kWords);
  return keep(made);
}

/// Notes touchers by byte instead of by word. Each byte gets the toucher of its word. False if memory runs out.
bool Footprint::split(Touched& touched) {
  if (touched.touchers.size() == kPageBytes) return true;
  const std::uint64_t more = (kPageBytes - kWords) * sizeof(Toucher);
  if (size_bytes_ + more > max_bytes_) {
    gave_up_ = true;
    return false;
  }
  size_bytes_ += more;
  std::vector<Toucher> bytes(kPageBytes);
  for (std::uint64_t i = 0; i < kPageBytes; ++i) bytes[i] = touched.touchers[i / 4];
  touched.touchers = std::move(bytes);
  return true;
}

void Footprint::add(std::uint32_t place, AccessKind kind, const std::byte* at, std::uint64_t bytes,
                    Toucher by) {
  uses_atomics_ = uses_atomics_ || is_atomic(kind);
  each_page(at, bytes, [&](std::uint64_t page, std::uint64_t begin, std::uint64_t end) {
    Touched* const touched = find(page, place, kind);
    if (touched == nullptr) return;
    if (notes_touchers_ && (begin | end) % 4 != 0 && !split(*touched)) return;
    each_word(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
      touched->parts |= std::uint64_t{1} << word;
      touched->bytes[word] |= mask;
    });
    if (begin < touched->lowest) {
      touched->lowest = begin;
      touched->lowest_by = by;
    }
    if (!notes_touchers_) return;
    const std::uint64_t each = kPageBytes / touched->touchers.size();
    for (std::uint64_t i = begin / each; i <= (end - 1) / each; ++i) {
      Toucher& toucher = touched->touchers[i];
      const bool is_later = toucher.segment != by.segment;
      toucher = {is_later ? by.item : joined(toucher.item, by.item),
                 joined(toucher.group, by.group), by.segment, by.commands};
    }
  });
}

/// f(page, its number, begin, end) for each page of the range that is noted. Walks over the range or over the noted pages,
/// whichever has fewer pages.
template <class Pages, class F>
void Footprint::each_noted(Pages& pages, std::span<const std::byte> range, F f) {
  if (range.size() / kPageBytes <= pages.size())
    return each_page(range.data(), range.size(),
                     [&](std::uint64_t page, std::uint64_t begin, std::uint64_t end) {
                       const auto at = pages.find(page);
                       if (at != pages.end()) f(at->second, page, begin, end);
                     });
  const std::uint64_t first = number_of(range.data()), behind = first + range.size();
  for (auto& [page, all] : pages) {
    const std::uint64_t begin = std::max(first, page * kPageBytes);
    const std::uint64_t end = std::min(behind, (page + 1) * kPageBytes);
    if (begin < end) f(all, page, begin - page * kPageBytes, end - page * kPageBytes);
  }
}

void Footprint::forget(std::span<const std::byte> range) {
  each_noted(pages_, range, [](Page& all, std::uint64_t, std::uint64_t begin, std::uint64_t end) {
    for (auto& touched : all)
      each_word(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
        touched.second.bytes[word] &= ~mask;
      });
  });
}

std::vector<Footprint::Conflict> Footprint::conflicts(
    const Footprint& other, const std::function<bool(const Toucher&)>& counts) const {
  Found found;
  for (const auto& [page, touched] : pages_) {
    const auto at = other.pages_.find(page);
    if (at == other.pages_.end()) continue;
    for (const auto& [_, own] : touched)
      for (const auto& [_, theirs] : at->second) {
        if (!does_write(own.kind) && !does_write(theirs.kind)) continue;
        for (std::uint64_t parts = own.parts & theirs.parts; parts != 0; parts &= parts - 1) {
          const auto word = static_cast<std::uint64_t>(std::countr_zero(parts));
          std::uint64_t bits = own.bytes[word] & theirs.bytes[word];
          if (bits != 0) bits &= counting(own, word, counts);
          if (bits != 0) found.add(own, &theirs, page, word, bits);
        }
      }
  }
  return found.take();
}

std::vector<Footprint::Conflict> Footprint::in_range(std::span<const std::byte> range,
                                                     bool writes) const {
  Found found;
  each_noted(pages_, range,
             [&](const Page& all, std::uint64_t page, std::uint64_t begin, std::uint64_t end) {
               for (const auto& each : all) {
                 const auto& own = each.second;
                 if (writes && !does_write(own.kind)) continue;
                 each_word(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
                   const std::uint64_t bits = own.bytes[word] & mask;
                   if (bits != 0) found.add(own, nullptr, page, word, bits);
                 });
               }
             });
  return found.take();
}

// ---- Several together ----------------------------------------------------------------------------

void TouchedTogether::add(const Footprint& footprint) {
  for (const auto& [page, all] : footprint.pages_) {
    Page& together = pages_[page];
    for (const auto& [_, each] : all) {
      auto& bytes = does_write(each.kind) ? together.written : together.read;
      for (std::size_t word = 0; word < kParts; ++word) bytes[word] |= each.bytes[word];
    }
  }
}

bool TouchedTogether::meets(const Footprint& footprint) const {
  for (const auto& [page, all] : footprint.pages_) {
    const auto at = pages_.find(page);
    if (at == pages_.end()) continue;
    for (const auto& [_, each] : all)
      for (std::uint64_t parts = each.parts; parts != 0; parts &= parts - 1) {
        const auto word = static_cast<std::size_t>(std::countr_zero(parts));
        const std::uint64_t others =
            at->second.written[word] | (does_write(each.kind) ? at->second.read[word] : 0);
        if ((each.bytes[word] & others) != 0) return true;
      }
  }
  return false;
}

// ---- Watching ------------------------------------------------------------------------------------

void FootprintRecorder::group_begins(const std::uint64_t group_id[3]) {
  group_goes_on(group_id);
  if (queue_ == nullptr) return;
  open_[group_] = {};
  begin_segment();
}

void FootprintRecorder::group_goes_on(const std::uint64_t group_id[3]) {
  note_commands();
  group_ = static_cast<std::uint32_t>(
      vm::exec::linear_id(ids_.num_groups, group_id[0], group_id[1], group_id[2]));
}

void FootprintRecorder::group_ends(const std::uint64_t[3]) {
  note_commands();
  open_.erase(group_);
}

/// Notes the commands that were enqueued since another group ran or another segment began.
void FootprintRecorder::note_commands() {
  if (const auto own = open_.find(group_); own != open_.end())
    footprint_.note_commands(queue_->enqueued(), own->second.segment);
}

void FootprintRecorder::begin_segment() {
  note_commands();
  open_[group_].segment = ++segments_;
}

void FootprintRecorder::orders(const vm::exec::Batch& batch, const vm::MemoryOrder& order) {
  if (queue_ == nullptr) return;
  const Semantics semantics = Semantics::decode(order.semantics[vm::exec::lowest_lane(batch.mask)]);
  const bool fences =
      semantics.orders() && semantics.memories[static_cast<std::size_t>(Memory::kGlobal)];
  if (order.of == vm::OrderOf::kBarrier)
    open_[group_].comes_to_fence = fences;
  else if (order.of == vm::OrderOf::kSubgroupBarrier && fences)
    begin_segment();
}

void FootprintRecorder::meets(const vm::exec::Batch&, const vm::Inst&) {
  if (queue_ != nullptr && std::exchange(open_[group_].comes_to_fence, false)) begin_segment();
}

Toucher FootprintRecorder::toucher(const vm::exec::Batch& batch, std::uint32_t lane) const {
  const auto item = static_cast<std::uint32_t>(vm::exec::local_linear_id(batch, lane));
  const auto own = open_.find(group_);
  if (own == open_.end()) return {item, group_, 0, 0};
  return {item, group_, own->second.segment, queue_->enqueued()};
}

void FootprintRecorder::access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) {
  if (access.place.is_private || access.place.is_workgroup) return;
  // Profiling information is written when an event ends, not by a work-item.
  if (program_.site_of(access.instruction).op == vm::Op::kCaptureProfiling) return;
  const auto place = static_cast<std::uint32_t>(access.instruction - program_.code.data());
  footprint_.add(place, access.kind, access.place.base, access.bytes, toucher(batch, access.lane));
}

void FootprintRecorder::row(const vm::exec::Batch& batch, const vm::ObservedRow& row) {
  if (row.is_workgroup) return;
  const auto place = static_cast<std::uint32_t>(row.instruction - program_.code.data());
  const std::byte* begin = nullptr;
  std::uint64_t bytes = 0;
  Toucher by;
  // Neighbouring lanes become one access, unless touchers are noted.
  const bool joins = !program_.uses_queue;
  const auto put = [&] {
    if (bytes != 0) footprint_.add(place, row.kind, begin, bytes, by);
  };
  for (std::uint32_t lane = 0; lane < program_.lanes; ++lane) {
    if (!vm::exec::has_lane(row.lanes, lane)) continue;
    const std::byte* const at = row.at(row.address(lane));
    if (joins && bytes != 0 && at == begin) continue;
    if (joins && bytes != 0 && at == begin + bytes) {
      bytes += row.bytes;
      continue;
    }
    put();
    begin = at;
    bytes = row.bytes;
    by = toucher(batch, lane);
  }
  put();
}

}  // namespace transpire::races
