// Loads and stores of every address form on every instruction set, against a model that knows single bytes of single
// lanes: rows of indices and planned rows, shared parts that wrap, masks, memory of all kinds, borders of allocations.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/rule.h"
#include "memory/address_space.h"
#include "tests/random_cases.h"
#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::exec;
using memory::Region;

struct RecordingSink : EventSink {
  void finding(const Batch&, const Event& event) override { events.push_back(event); }
  bool print(const Batch&, std::uint32_t, const char*, std::size_t) override { return true; }
  std::vector<Event> events;
};

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

enum class MemoryKind { kBuffer, kReadOnly, kWorkgroup, kPackedWorkgroup, kPrivate };
enum class Pattern { kTile, kRamp, kSame, kRandom, kTransposed, kBackwards, kFar };
enum class Mask { kFull, kMost, kFew, kOne, kFirst, kLast, kRun };

/// One access, everything about it.
struct Case {
  bool store = false;
  bool planned = false;
  bool affine = false;       ///< indices a stride apart, of which lane 0's is a scalar
  bool wide = false;         ///< indices of 64 bits
  bool zero_extend = false;  ///< of 32-bit indices
  bool no_write = false;
  bool in_place = false;  ///< a load's result takes the index row's register, where it fits
  std::uint32_t size_class = 2;
  std::uint32_t components = 1;
  std::uint32_t align = 1;
  std::int64_t scale = 4;
  std::int64_t offset = 0;   ///< constant, of the access
  std::int64_t stride = 0;   ///< affine: from index to index
  std::int64_t base = 0;     ///< from the allocation's begin
  std::uint64_t shared = 0;  ///< planned: added to all indices
  MemoryKind memory = MemoryKind::kBuffer;
  Pattern pattern = Pattern::kTile;
  Mask mask = Mask::kFull;
  std::uint64_t first = 0;    ///< added to the pattern, and subtracted from what is shared
  std::uint64_t size = 4096;  ///< of the allocation
  std::uint32_t first_lane = 0, last_lane = 0;  ///< of kRun

  std::uint32_t component_bytes() const { return 1u << size_class; }
  std::uint32_t bytes() const { return components << size_class; }
  std::string text() const {
    return fmt::format(
        "{}{}{} {}{} {}x{} align {} scale {} offset {} base {} shared {:#x} first {:#x} memory {} "
        "pattern {} mask {} ({} to {}){}{}",
        planned ? "planned " : "", affine ? fmt::format("affine {} ", stride) : "",
        store ? "store" : "load", zero_extend ? "u" : "s", wide ? 64 : 32, component_bytes() * 8,
        components, align, scale, offset, base, shared, first, static_cast<int>(memory),
        static_cast<int>(pattern), static_cast<int>(mask), first_lane, last_lane,
        no_write ? " no write" : "", in_place ? " in place" : "");
  }
};

/// Offsets into the register block.
constexpr std::uint32_t kBase = 0, kShared = 8, kIndex = 64, kPlan = 4096, kValues = 8192,
                        kValueStep = 2048;
constexpr std::uint64_t kMargin = 64;              ///< workgroup, private: where it begins
constexpr std::uint64_t kGroupBytes = 4096 + 128;  ///< packed: from group to group
constexpr std::uint32_t kGroupItems = 24;

/// A batch with one allocation, for one case.
class Bench {
 public:
  Bench(Isa isa, const Case& c, std::mt19937& random)
      : table_(handlers(isa)), c_(c), random_(random), space_(8), lanes_(table_.lanes) {
    add_memory();
    program_.lanes = lanes_;
    program_.mask_words = lanes_ / 64;
    batch_.program = &program_;
    batch_.memory = &map_;
    batch_.sink = &sink_;
    batch_.registers = r_ = aligned(registers_, 64 * 1024);
    set_mask();
    set_indices();
    for (std::uint32_t i = 0; i < 16 * kValueStep; ++i)
      r_[kValues + i] = static_cast<std::byte>(random_());
    const std::uint64_t base = begin_ + static_cast<std::uint64_t>(c_.base);
    std::memcpy(r_ + kBase, &base, 8);
    std::memcpy(r_ + kShared, c_.affine ? &c_.first : &c_.shared, 8);
    for (std::uint32_t n = 0; n < c_.components; ++n) values_.push_back(kValues + n * kValueStep);
    if (c_.in_place) values_[random_() % c_.components] = kIndex;
    find_places();
  }

  /// What is wrong; empty when nothing is.
  std::string run() {
    const std::vector<std::byte> arena_before(arena_, arena_ + arena_bytes_);
    std::vector<std::byte> expected = arena_before;
    const std::vector<std::byte> registers(r_, r_ + 64 * 1024);
    execute();
    if (c_.store) {
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        if (!is_done(lane) || !active(lane)) continue;
        for (std::uint32_t i = 0; i < c_.bytes(); ++i)
          expected[at(lane, i)] = register_byte(registers.data(), lane, i);
      }
    }
    if (!std::equal(expected.begin(), expected.end(), arena_)) return "memory differs";
    if (!c_.store) {
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        for (std::uint32_t i = 0; active(lane) && i < c_.bytes(); ++i) {
          const std::byte byte = is_done(lane) ? arena_before[at(lane, i)] : std::byte{0};
          if (register_byte(r_, lane, i) != byte)
            return fmt::format("lane {}: byte {} differs", lane, i);
        }
      }
    }
    return check_events();
  }

  std::uint32_t faults() const {
    return static_cast<std::uint32_t>(
        std::count_if(rule_.begin(), rule_.end(), [](std::uint16_t rule) { return rule != 0; }));
  }

 private:
  static std::byte* aligned(std::vector<std::byte>& storage, std::size_t bytes) {
    storage.assign(bytes + 64, std::byte{0});
    return storage.data() + (64 - reinterpret_cast<std::uintptr_t>(storage.data()) % 64) % 64;
  }

  bool active(std::uint32_t lane) const { return (batch_.mask[lane / 64] >> (lane % 64) & 1) != 0; }

  void add_memory() {
    memory::Allocation a;
    a.size_bytes = c_.size;
    arena_bytes_ = c_.size;
    if (c_.memory == MemoryKind::kPackedWorkgroup)
      arena_bytes_ = kGroupBytes * (lanes_ / kGroupItems + 1);
    if (c_.memory == MemoryKind::kPrivate) arena_bytes_ = (kMargin + c_.size) * lanes_;
    if (c_.memory == MemoryKind::kWorkgroup) arena_bytes_ = kMargin + c_.size;
    arena_ = aligned(arena_storage_, arena_bytes_);
    for (std::size_t i = 0; i < arena_bytes_; ++i)
      arena_[i] = static_cast<std::byte>(i * 7 + i / 256);
    switch (c_.memory) {
      case MemoryKind::kReadOnly:
        a.read_only = true;
        [[fallthrough]];
      case MemoryKind::kBuffer:
        a.host = arena_;
        break;
      case MemoryKind::kPackedWorkgroup:
        for (std::uint32_t lane = 0; lane < lanes_; ++lane)
          groups_.push_back(static_cast<std::uint32_t>(lane / kGroupItems * kGroupBytes));
        batch_.packed_workgroup_base = groups_.data();
        [[fallthrough]];
      case MemoryKind::kWorkgroup:
        a.region = Region::kWorkgroup;
        a.offset = kMargin;
        batch_.workgroup_memory = arena_;
        break;
      case MemoryKind::kPrivate:
        a.region = Region::kPrivate;
        a.offset = kMargin;
        batch_.private_memory = arena_;
        batch_.private_shift = static_cast<std::uint32_t>(std::countr_zero(lanes_));
        live_.assign(lanes_ / 64, ~std::uint64_t{0});
        if (random_() % 8 == 0) live_[0] &= ~std::uint64_t{1} << (random_() % 64);
        batch_.private_live = live_.data();
        break;
    }
    // Behind another one, so that it does not begin where its slot does: addresses before its begin
    // are then in its slot too.
    space_.add({}, "first").value();
    begin_ = space_.add(a, "data").value();
    map_ = space_.map();
    map_.has_tags = false;  // addresses here are any 64 bits, and nobody owns them
  }

  void set_mask() {
    std::memset(batch_.mask, 0, sizeof(batch_.mask));
    const std::uint32_t one = static_cast<std::uint32_t>(random_()) % lanes_;
    for (std::uint32_t i = 0; i < lanes_; ++i) {
      const bool on = c_.mask == Mask::kFull    ? true
                      : c_.mask == Mask::kMost  ? random_() % 8 != 0
                      : c_.mask == Mask::kFew   ? random_() % 8 == 0
                      : c_.mask == Mask::kFirst ? i < lanes_ - 13
                      : c_.mask == Mask::kLast  ? i >= 17
                      : c_.mask == Mask::kRun   ? i >= c_.first_lane && i <= c_.last_lane
                                                : false;
      if (on || (i == one && c_.mask != Mask::kRun))
        batch_.mask[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }

  std::uint64_t pattern(std::uint32_t lane) {
    const std::uint64_t elements =
        c_.size / static_cast<std::uint64_t>(std::max<std::int64_t>(std::abs(c_.scale), 1)) + 1;
    if (c_.affine) return static_cast<std::uint64_t>(c_.stride) * lane;
    switch (c_.pattern) {
      case Pattern::kTile:
        return lane / 16 * 23 + lane % 16;
      case Pattern::kRamp:
        return lane;
      case Pattern::kSame:
        return 3;
      case Pattern::kRandom:
        return random_() % elements;
      case Pattern::kTransposed:
        return lane % 16 * 17 + lane / 16;
      case Pattern::kBackwards:
        return lanes_ - lane;
      case Pattern::kFar:
        return lane % 7 == 3 ? far() : lane;
    }
    return 0;
  }

  // So far away that distances in bytes are zero modulo 2^32 or 2^64.
  std::uint64_t far() {
    if (random_() % 2 == 0) return random_();
    const std::uint64_t powers[] = {28, 29, 30, 31, 32, 60, 61, 62, 63};
    return std::uint64_t{1} << powers[random_() % 9];
  }

  void set_indices() {
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      std::uint64_t index = pattern(lane) + c_.first;
      // What lanes that do not run hold is anybody's guess.
      if (!active(lane) && !c_.planned && !c_.affine && random_() % 4 == 0)
        index = random_() * 0x100000001u;
      index_.push_back(index + c_.shared);
      if (c_.wide)
        std::memcpy(r_ + kIndex + lane * 8, &index, 8);
      else
        std::memcpy(r_ + kIndex + lane * 4, &index, 4);
    }
  }

  /// By lane: the offset from the allocation's begin, and what is wrong with it.
  void find_places() {
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      std::uint64_t index = index_[lane];
      if (!c_.wide) {
        index = static_cast<std::uint32_t>(index);
        if (!c_.zero_extend && (index >> 31) != 0) index |= 0xffffffff00000000u;
      }
      const std::uint64_t place = static_cast<std::uint64_t>(c_.base) +
                                  static_cast<std::uint64_t>(c_.offset) +
                                  index * static_cast<std::uint64_t>(c_.scale);
      place_.push_back(place);
      rule_.push_back(active(lane) ? static_cast<std::uint16_t>(rule_of(lane, place)) : 0);
    }
  }

  Rule rule_of(std::uint32_t lane, std::uint64_t place) const {
    const bool inside = place <= c_.size && c_.bytes() <= c_.size - place;
    if (!inside) {
      // Which rule depends on how far away it is: of no interest here.
      const std::uint64_t slot =
          ((begin_ + place) >> map_.slot_shift) - (begin_ >> map_.slot_shift);
      if (slot + 1 > 2) return Rule::kR0002;
      return c_.store ? Rule::kR0021 : Rule::kR0020;
    }
    if (c_.memory == MemoryKind::kPrivate && (live_[lane / 64] >> (lane % 64) & 1) == 0)
      return Rule::kR0026;
    if ((place & (c_.align - 1)) != 0) return Rule::kR0023;
    if (c_.store && c_.memory == MemoryKind::kReadOnly) return Rule::kR0024;
    if (c_.store && c_.no_write) return Rule::kR0025;
    return Rule{};
  }

  /// Misaligned accesses are found, and done where nothing else forbids them.
  bool is_done(std::uint32_t lane) const {
    if (rule_[lane] != static_cast<std::uint16_t>(Rule::kR0023)) return rule_[lane] == 0;
    return !c_.store || (c_.memory != MemoryKind::kReadOnly && !c_.no_write);
  }

  /// Where a lane's byte lies in the arena.
  std::size_t at(std::uint32_t lane, std::uint32_t byte) const {
    const std::uint64_t place = place_[lane] + byte;
    switch (c_.memory) {
      case MemoryKind::kWorkgroup:
        return kMargin + place;
      case MemoryKind::kPackedWorkgroup:
        return groups_[lane] + kMargin + place;
      case MemoryKind::kPrivate:
        return (kMargin + place) / 4 * 4 * lanes_ + lane * 4 + (kMargin + place) % 4;
      default:
        return place;
    }
  }

  std::byte register_byte(const std::byte* registers, std::uint32_t lane,
                          std::uint32_t byte) const {
    const std::uint32_t size = c_.component_bytes();
    return registers[values_[byte / size] + lane * size + byte % size];
  }

  void execute() {
    Access access;
    access.scale = c_.scale;
    access.offset = c_.offset;
    access.components = c_.components;
    access.bytes = c_.bytes();
    access.align_mask = c_.align - 1;
    access.zero_extend = c_.zero_extend;
    if (c_.no_write) {
      access.stores = 0;
      access.pointer |= kPointerNoWrite;
    }
    access.values = values_.data();
    const auto& handler = c_.store ? table_.store : table_.load;
    const auto space = c_.memory == MemoryKind::kPrivate || random_() % 4 == 0
                           ? HandlerTable::kAnySpace
                           : HandlerTable::kLinear;
    using Form = HandlerTable::AddressForm;
    const Form form = c_.planned  ? (c_.wide ? Form::kPlanned64 : Form::kPlanned32)
                      : c_.affine ? (c_.wide ? Form::kAffine64 : Form::kAffine32)
                                  : (c_.wide ? Form::kRow64 : Form::kRow32);
    access.index_stride = c_.stride;
    access.byte_stride = c_.stride * c_.scale;
    Inst code[3] = {};
    Inst* next = code;
    if (c_.planned)
      *next++ = {table_.special_of(vm::Op::kMakePlan, c_.wide ? vm::Kind::kI64 : vm::Kind::kI32),
                 kPlan,
                 kIndex,
                 0,
                 0,
                 {.access = &access}};
    *next++ = {handler[c_.size_class][form][space],        0,     kBase,
               c_.planned || c_.affine ? kShared : kIndex, kPlan, {.access = &access}};
    next->run = leave;
    for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, r_, &batch_);
  }

  std::string check_events() const {
    std::size_t next = 0;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      if (rule_[lane] == 0) continue;
      if (next == sink_.events.size()) return fmt::format("lane {}: no finding", lane);
      const Event& event = sink_.events[next++];
      if (event.lane != lane || event.address != begin_ + place_[lane])
        return fmt::format("lane {}: finding of lane {}", lane, event.lane);
      if (event.rule != rule_[lane] && rule_[lane] != static_cast<std::uint16_t>(Rule::kR0002))
        return fmt::format("lane {}: rule {}, expected {}", lane, event.rule, rule_[lane]);
    }
    return next == sink_.events.size() ? "" : "more findings than faults";
  }

  const HandlerTable& table_;
  const Case& c_;
  std::mt19937& random_;
  memory::AddressSpace space_;
  memory::AddressMap map_;
  Program program_;
  Batch batch_{};
  RecordingSink sink_;
  std::uint32_t lanes_;
  std::vector<std::byte> arena_storage_, registers_;
  std::byte* arena_ = nullptr;
  std::size_t arena_bytes_ = 0;
  std::byte* r_ = nullptr;
  std::uint64_t begin_ = 0;
  std::vector<std::uint32_t> groups_, values_;
  std::vector<std::uint64_t> live_, index_, place_;
  std::vector<std::uint16_t> rule_;
};

/// Random cases; most lanes of most of them lie inside.
class Cases {
 public:
  explicit Cases(std::uint32_t seed) : random_(seed) {}
  std::mt19937& random() { return random_; }

  Case next() {
    Case c;
    c.store = pick(2) == 0;
    c.planned = pick(2) == 0;
    c.wide = pick(3) == 0;
    c.zero_extend = !c.wide && pick(2) == 0;
    c.no_write = pick(40) == 0;
    c.size_class = pick(4);
    c.components = std::vector{1u, 1u, 1u, 2u, 3u, 4u, 8u}[pick(7)];
    c.memory = static_cast<MemoryKind>(pick(5));
    if (c.planned && c.memory == MemoryKind::kPrivate) c.memory = MemoryKind::kBuffer;
    c.pattern = static_cast<Pattern>(pick(7));
    c.mask = pick(2) == 0 ? Mask::kFull : static_cast<Mask>(pick(6));
    const auto size = static_cast<std::int64_t>(c.component_bytes());
    c.scale = std::vector<std::int64_t>{size,      size, c.bytes(),
                                        c.bytes(), 12,   20,
                                        1,         24,   -static_cast<std::int64_t>(c.bytes()),
                                        0}[pick(10)];
    c.align = pick(3) == 0 ? 1 : c.component_bytes();
    if (pick(30) == 0) c.align = 16;
    if (!c.planned && pick(4) == 0) {
      c.affine = true;
      c.stride = std::vector<std::int64_t>{1, 1, -1, 2, -3, 0x2000000}[pick(6)];
    }
    c.in_place = !c.store && !c.planned && !c.affine && c.component_bytes() == (c.wide ? 8 : 4) &&
                 pick(2) == 0;
    place(c);
    return c;
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  // base + offset + (first + shared) * scale is where the pattern begins: mostly near the begin (or
  // the end, for negative scales), sometimes so that lanes stand over.
  void place(Case& c) {
    const std::int64_t step = c.scale == 0 ? c.component_bytes() : c.scale;
    std::int64_t start = (c.scale < 0) != (c.affine && c.stride < 0)
                             ? static_cast<std::int64_t>(c.size) / step * step - std::abs(step) * 2
                             : 0;
    start += step * static_cast<std::int64_t>(pick(8));
    switch (pick(8)) {
      case 0:
        start -= step * 5;  // before the begin
        break;
      case 1:
        start = static_cast<std::int64_t>(c.size) - step * static_cast<std::int64_t>(pick(100));
        break;
      case 2:
        start += 1 + pick(3);  // not aligned
        break;
      case 3:
        start = static_cast<std::int64_t>(c.size) / 2 / step * step;
        break;
      default:
        break;
    }
    constexpr std::int64_t kOffsets[] = {0,  0,       0,          4,         -4,          -1,
                                         64, 1 << 20, -(1 << 20), 1ll << 36, -(1ll << 37)};
    c.offset = pick(2) == 0 ? kOffsets[pick(11)] : step * (static_cast<std::int64_t>(pick(9)) - 4);
    constexpr std::uint64_t kFirst[] = {0,          0,          1,          0x7ffffff0, 0x80000000,
                                        0xffffffe0, 0xffffffff, 0xfffffff8, 0x40000000, 0x80000010};
    if (pick(2) == 0) c.first = kFirst[pick(10)];
    if (c.wide && pick(2) == 0) c.first *= 0x100000001u;
    if (c.planned) {
      const std::uint64_t shared = pick(3) == 0 ? kFirst[pick(10)] : pick(40);
      c.shared = shared - (pick(8) != 0 ? c.first : 0);
    } else if (pick(4) != 0) {
      c.first = pick(2) == 0 ? pick(20) : 0 - std::uint64_t{pick(40)};
    }
    // The index that the pattern's zero becomes.
    std::uint64_t index = c.first + c.shared;
    if (!c.wide) {
      index = static_cast<std::uint32_t>(index);
      if (!c.zero_extend && (index >> 31) != 0) index |= 0xffffffff00000000u;
    }
    const std::uint64_t done =
        static_cast<std::uint64_t>(c.offset) + index * static_cast<std::uint64_t>(c.scale);
    c.base = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) - done);
  }

  std::mt19937 random_;
};

/// One access in a batch.
struct One {
  One(const HandlerTable& table, const memory::AddressMap& its_map) : map(its_map) {
    program.lanes = table.lanes;
    program.mask_words = table.lanes / 64;
    batch.program = &program;
    batch.memory = &map;
    batch.sink = &sink;
    batch.registers = r;
  }
  void run(Handler handler, const Access& access) {
    Inst code[2] = {{handler, 0, kBase, kIndex, 0, {.access = &access}}, {}};
    code[1].run = leave;
    for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, r, &batch);
  }

  memory::AddressMap map;
  Program program;
  RecordingSink sink;
  Batch batch{};
  alignas(64) std::byte r[kValues + kValueStep] = {};
};

template <class Visit>
void for_each_isa(Visit visit) {
  for (const Isa isa : exec::built_isas())
    if (supported(isa)) visit(isa);
}

/// How many lanes have findings.
std::uint32_t check(Isa isa, const Case& c, std::mt19937& random) {
  CAPTURE(c.text());
  Bench bench(isa, c, random);
  const std::string wrong = bench.run();
  REQUIRE(wrong == "");
  return bench.faults();
}

TEST_CASE("random accesses by index rows do what single lanes do") {
  for_each_isa([](Isa isa) {
    Cases cases(7);
    const std::uint32_t count = random_cases(2'500);
    std::uint32_t clean = 0, partial = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      CAPTURE(n);
      const Case c = cases.next();
      const std::uint32_t faults = check(isa, c, cases.random());
      clean += faults == 0;
      partial += faults != 0 && faults < 16;
    }
    CHECK(clean > count / 3);
    CHECK(partial > count / 20);
  });
}

TEST_CASE("rows of every pattern, width and number of components") {
  for_each_isa([](Isa isa) {
    std::mt19937 random(3);
    for (const Pattern pattern : {Pattern::kTile, Pattern::kRamp, Pattern::kSame, Pattern::kRandom,
                                  Pattern::kTransposed, Pattern::kBackwards, Pattern::kFar})
      for (const Mask mask : {Mask::kFull, Mask::kMost})
        for (const std::uint32_t components : {1u, 2u, 3u, 4u, 8u})
          for (std::uint32_t size_class = 0; size_class < 4; ++size_class)
            for (const bool store : {false, true}) {
              Case c{.store = store, .size_class = size_class, .components = components};
              c.scale = c.bytes();
              c.pattern = pattern;
              c.mask = mask;
              check(isa, c, random);
            }
  });
}

constexpr std::pair<std::uint32_t, std::uint32_t> kRuns[] = {{0, 255}, {0, 36},  {1, 255},
                                                             {5, 5},   {17, 62}, {15, 47}};

/// Tuples of `components` at a stride of `tuple` elements, the last of which ends with the allocation.
TEST_CASE("tuples at any stride, for any consecutive lanes, read and write their own bytes only") {
  for_each_isa([](Isa isa) {
    std::mt19937 random(5);
    for (const std::int64_t tuple : {1, 2, 3, 4, 5, 7, 8, 12, 16, -1, -3})
      for (const std::uint32_t components : {1u, 2u, 3u, 4u, 8u, 16u}) {
        if (components > (tuple > 0 ? tuple : 3)) continue;
        for (const auto& [first, last] : kRuns)
          for (std::uint32_t size_class = 0; size_class < 4; ++size_class)
            for (const bool store : {false, true}) {
              Case c{.store = store, .affine = true, .wide = true, .size_class = size_class};
              c.components = components;
              c.scale = c.component_bytes();
              c.stride = tuple;
              c.mask = Mask::kRun;
              c.first_lane = first;
              c.last_lane = std::min(last, handlers(isa).lanes - 1);
              c.size = 16384;
              c.base = static_cast<std::int64_t>(c.size - c.bytes()) -
                       tuple * c.scale * (tuple > 0 ? c.last_lane : c.first_lane);
              CHECK(check(isa, c, random) == 0);
            }
      }
  });
}

/// The finding of one lane's access of 4 bytes, which must be aligned, at an offset into 64 bytes, or at an address.
Rule rule_of(Isa isa, bool store, const memory::Allocation& allocation,
             std::optional<std::uint64_t> offset, std::uint64_t address = 0) {
  const HandlerTable& table = handlers(isa);
  std::byte bytes[64] = {};
  memory::AddressSpace space(8);
  memory::Allocation a = allocation;
  a.host = bytes;
  a.size_bytes = sizeof bytes;
  const std::uint64_t begin = space.add(a, "data").value();
  One one(table, space.map());
  const std::uint64_t base = offset ? begin + *offset : address;
  std::memcpy(one.r + kBase, &base, 8);
  one.batch.mask[0] = 8;
  const std::uint32_t values = kValues;
  Access access;
  access.values = &values;
  access.align_mask = 3;
  one.run(
      (store ? table.store : table.load)[2][HandlerTable::kUniformAddress][HandlerTable::kLinear],
      access);
  REQUIRE(one.sink.events.size() == 1);
  return static_cast<Rule>(one.sink.events[0].rule);
}

TEST_CASE("findings name the kind of fault") {
  memory::Allocation any, read_only, write_only;
  read_only.read_only = write_only.write_only = true;
  for_each_isa([&](Isa isa) {
    CHECK(rule_of(isa, false, any, std::nullopt, 0) == Rule::kR0001);
    CHECK(rule_of(isa, true, any, std::nullopt, ~std::uint64_t{0} - 100) == Rule::kR0002);
    CHECK(rule_of(isa, false, any, 64) == Rule::kR0020);
    CHECK(rule_of(isa, true, any, 62) == Rule::kR0021);
    CHECK(rule_of(isa, true, any, 2) == Rule::kR0023);
    CHECK(rule_of(isa, true, read_only, 4) == Rule::kR0024);
    CHECK(rule_of(isa, false, write_only, 4) == Rule::kR0027);
    CHECK(rule_of(isa, false, write_only, 62) == Rule::kR0020);
  });
}

/// A store and a load of bytes by 32-bit indices from 5 below where they wrap, of an allocation of
/// 2^32 bytes.
void check_wrapping_run(Isa isa, bool zero_extend, std::byte* host, std::uint64_t bytes) {
  const HandlerTable& table = handlers(isa);
  memory::AddressSpace space(8);
  memory::Allocation a;
  a.host = host;
  a.size_bytes = bytes;
  const std::uint64_t base = space.add(a, "data").value() + (zero_extend ? 0 : bytes / 2);
  One one(table, space.map());
  std::byte* const r = one.r;
  std::fill_n(one.batch.mask, table.lanes / 64, ~std::uint64_t{0});
  std::memcpy(r + kBase, &base, 8);
  const std::uint32_t values = kValues;
  Access access;
  access.bytes = 1;
  access.zero_extend = zero_extend;
  access.values = &values;
  for (std::uint32_t i = 0; i < table.lanes; ++i) {
    const std::uint32_t index = (zero_extend ? 0u : 0x80000000u) - 5 + i;
    std::memcpy(r + kIndex + i * 4, &index, 4);
    r[values + i] = static_cast<std::byte>(i + 1);
  }
  for (const bool load : {false, true}) {
    one.run((load ? table.load : table.store)[0][HandlerTable::kRow32][HandlerTable::kLinear],
            access);
  }
  CHECK(one.sink.events.empty());
  for (std::uint32_t i = 0; i < table.lanes; ++i) {
    CHECK(r[values + i] == static_cast<std::byte>(i + 1));
    CHECK(host[i < 5 ? bytes - 5 + i : i - 5] == static_cast<std::byte>(i + 1));
  }
}

TEST_CASE("32-bit indices that wrap within a run of lanes, where both ends lie in one allocation") {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 32;
  const std::uint64_t page = 4096;
  void* mapped = mmap(nullptr, kBytes + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  auto* host = static_cast<std::byte*>(mapped);
  // What lies behind the allocation must not be touched.
  REQUIRE(mprotect(host + kBytes, page, PROT_NONE) == 0);
  for_each_isa([&](Isa isa) {
    for (const bool zero_extend : {false, true}) check_wrapping_run(isa, zero_extend, host, kBytes);
  });
  munmap(mapped, kBytes + page);
}

TEST_CASE("the low halves of addresses tell allocations apart") {
  memory::AddressSpace space(8);
  memory::Allocation a;
  a.size_bytes = 64;
  const std::uint64_t first = space.add(a, "first").value(),
                      second = space.add(a, "second").value();
  CHECK(static_cast<std::uint32_t>(first) != static_cast<std::uint32_t>(second));
  CHECK(first % 4096 == 0);
  CHECK(second % 4096 == 0);
}

}  // namespace
}  // namespace transpire::test
