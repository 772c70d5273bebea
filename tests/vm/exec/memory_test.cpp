// Loads and stores of every address form on every instruction set, against one lane at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "base/rule.h"
#include "memory/address_space.h"
#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::test {

using namespace vm;
using namespace vm::exec;
namespace {

struct RecordingSink : EventSink {
  void finding(const Batch&, const Event& event) override { events.push_back(event); }
  bool print(const Batch&, std::uint32_t, const char*, std::size_t) override { return true; }
  std::vector<Event> events;
};

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

/// A batch with two buffers of 4096 bytes and room for a few rows.
struct Bench {
  explicit Bench(Isa isa) : table(handlers(isa)), space(8) {
    buffer.resize(4096);
    for (std::size_t i = 0; i < buffer.size(); ++i)
      buffer[i] = static_cast<std::byte>(i * 7 + i / 256);
    memory::Allocation a;
    a.host = buffer.data();
    a.size_bytes = buffer.size();
    base = space.add(a, "data").value();
    map = space.map();
    program.lanes = table.lanes;
    program.mask_words = table.lanes / 64;
    batch.program = &program;
    batch.memory = &map;
    batch.sink = &sink;
    storage.resize(256 * 1024 + 64);
    r = storage.data() + (64 - reinterpret_cast<std::uintptr_t>(storage.data()) % 64) % 64;
    batch.registers = r;
    set_mask([](std::uint32_t) { return true; });
  }

  template <class F>
  void set_mask(F active) {
    std::memset(batch.mask, 0, sizeof(batch.mask));
    for (std::uint32_t i = 0; i < table.lanes; ++i)
      if (active(i)) batch.mask[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  bool active(std::uint32_t lane) const { return (batch.mask[lane / 64] >> (lane % 64) & 1) != 0; }

  template <class T>
  T* at(std::uint32_t offset) {
    return reinterpret_cast<T*>(r + offset);
  }

  void run(Handler handler, const Access& access) {
    Inst code[2] = {};
    code[0].run = handler;
    code[0].a = kBase;
    code[0].b = kIndex;
    code[0].access = &access;
    code[1].run = leave;
    const Inst* ip = code;
    while (ip != nullptr) ip = ip->run(ip, r, &batch);
  }

  static constexpr std::uint32_t kBase = 0, kIndex = 64, kValues = 8192;
  const HandlerTable& table;
  memory::AddressSpace space;
  memory::AddressMap map;
  Program program;
  Batch batch{};
  RecordingSink sink;
  std::vector<std::byte> buffer, storage;
  std::byte* r = nullptr;
  std::uint64_t base = 0;
};

template <class F>
void for_each_isa(F f) {
  for (const Isa isa : exec::built_isas())
    if (supported(isa)) f(isa);
}

std::vector<std::uint32_t> value_rows(std::uint32_t components) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t c = 0; c < components; ++c) rows.push_back(Bench::kValues + c * 2048);
  return rows;
}

template <class T>
void check_loaded(Bench& bench, const Access& access, const std::vector<std::int64_t>& offsets) {
  for (std::uint32_t i = 0; i < bench.table.lanes; ++i) {
    if (!bench.active(i)) continue;
    for (std::uint32_t c = 0; c < access.components; ++c) {
      T expected{};
      const std::int64_t at = offsets[i] + static_cast<std::int64_t>(c * sizeof(T));
      if (offsets[i] >= 0 && offsets[i] + access.bytes <= 4096)
        std::memcpy(&expected, bench.buffer.data() + at, sizeof(T));
      CHECK(bench.at<T>(access.values[c])[i] == expected);
    }
  }
}

template <class T>
void load_rows_case(Isa isa, std::uint32_t components, std::uint32_t pattern, bool partial) {
  Bench bench(isa);
  if (partial) bench.set_mask([](std::uint32_t i) { return i % 3 != 1; });
  const auto rows = value_rows(components);
  Access access;
  access.components = components;
  access.bytes = components * sizeof(T);
  access.scale = access.bytes;
  access.values = rows.data();
  std::mt19937 random(pattern);
  std::vector<std::int64_t> offsets;
  const auto elements = static_cast<std::uint32_t>(4096 / access.bytes);
  *bench.at<std::uint64_t>(Bench::kBase) = bench.base;
  for (std::uint32_t i = 0; i < bench.table.lanes; ++i) {
    std::uint32_t index = pattern == 0   ? i % elements
                          : pattern == 1 ? 5 % elements
                          : pattern == 2 ? (i / 16 * 16 + i % 16) * 3 % elements
                                         : static_cast<std::uint32_t>(random()) % elements;
    if (pattern == 4 && i % 5 == 0) index = elements + i;  // past the end
    bench.at<std::uint32_t>(Bench::kIndex)[i] = index;
    offsets.push_back(std::int64_t{index} * access.scale);
  }
  const auto size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  bench.run(bench.table.load[size][HandlerTable::kRow32][HandlerTable::kLinear], access);
  check_loaded<T>(bench, access, offsets);
  std::size_t faults = 0;
  for (std::uint32_t i = 0; i < bench.table.lanes; ++i)
    faults += bench.active(i) && offsets[i] + access.bytes > 4096 ? 1 : 0;
  CHECK(bench.sink.events.size() == faults);
  CHECK((pattern != 4 || faults > 0));
}

TEST_CASE("row loads agree with single lanes, whatever the pattern, mask and width") {
  for_each_isa([](Isa isa) {
    for (std::uint32_t pattern = 0; pattern < 5; ++pattern) {
      for (const bool partial : {false, true}) {
        for (const std::uint32_t components : {1u, 2u, 3u, 4u, 8u}) {
          load_rows_case<std::uint8_t>(isa, components, pattern, partial);
          load_rows_case<std::uint16_t>(isa, components, pattern, partial);
          load_rows_case<std::uint32_t>(isa, components, pattern, partial);
          load_rows_case<std::uint64_t>(isa, components, pattern, partial);
        }
      }
    }
  });
}

TEST_CASE("an affine store writes running lanes only and reports those past the end") {
  for_each_isa([](Isa isa) {
    Bench bench(isa);
    const std::vector<std::byte> before = bench.buffer;
    bench.set_mask([](std::uint32_t i) { return i % 2 == 0; });
    const auto rows = value_rows(1);
    Access access;
    access.values = rows.data();
    access.byte_stride = 4;
    access.scale = 0;
    *bench.at<std::uint64_t>(Bench::kBase) = bench.base + 4096 - 32;
    *bench.at<std::uint64_t>(Bench::kIndex) = 0;
    for (std::uint32_t i = 0; i < bench.table.lanes; ++i)
      bench.at<std::uint32_t>(rows[0])[i] = 0xabcd0000u + i;
    bench.run(bench.table.store[2][HandlerTable::kAffine64][HandlerTable::kLinear], access);
    for (std::uint32_t i = 0; i < 8; ++i) {
      std::uint32_t now, old;
      std::memcpy(&now, bench.buffer.data() + 4096 - 32 + i * 4, 4);
      std::memcpy(&old, before.data() + 4096 - 32 + i * 4, 4);
      CHECK(now == (i % 2 == 0 ? 0xabcd0000u + i : old));
    }
    REQUIRE(bench.sink.events.size() == bench.table.lanes / 2 - 4);
    CHECK(bench.sink.events[0].rule == static_cast<std::uint16_t>(Rule::kR0021));
    CHECK(bench.sink.events[0].lane == 8);
  });
}

/// Loads and stores tuples of `components` at a stride of `tuple` elements that end with the buffer.
template <class T>
void affine_case(Isa isa, std::uint32_t components, std::int64_t tuple, std::uint32_t first,
                 std::uint32_t last) {
  Bench bench(isa);
  last = std::min(last, bench.table.lanes - 1);
  bench.set_mask([&](std::uint32_t i) { return i >= first && i <= last; });
  const auto rows = value_rows(components);
  Access access;
  access.components = components;
  access.bytes = components * sizeof(T);
  access.byte_stride = tuple * static_cast<std::int64_t>(sizeof(T));
  access.scale = 0;
  access.values = rows.data();
  const std::uint32_t end = tuple > 0 ? last : first;
  const std::int64_t start = 16384 - access.bytes - access.byte_stride * end;
  bench.buffer.resize(16384);
  bench.buffer.shrink_to_fit();
  for (std::size_t i = 0; i < 16384; ++i) bench.buffer[i] = static_cast<std::byte>(i * 7 + i / 256);
  memory::Allocation a;
  a.host = bench.buffer.data();
  a.size_bytes = 16384;
  *bench.at<std::uint64_t>(Bench::kBase) =
      bench.space.add(a, "tuples").value() + static_cast<std::uint64_t>(start);
  bench.map = bench.space.map();
  *bench.at<std::uint64_t>(Bench::kIndex) = 0;
  const auto size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  bench.run(bench.table.load[size][HandlerTable::kAffine64][HandlerTable::kLinear], access);
  const auto place = [&](std::uint32_t lane, std::uint32_t c) {
    return static_cast<std::size_t>(start + access.byte_stride * lane) + c * sizeof(T);
  };
  bool same = true;
  for (std::uint32_t i = first; i <= last; ++i)
    for (std::uint32_t c = 0; c < components; ++c)
      same =
          same && std::memcmp(bench.at<T>(rows[c]) + i, &bench.buffer[place(i, c)], sizeof(T)) == 0;
  CHECK(same);

  for (std::uint32_t c = 0; c < components; ++c)
    for (std::uint32_t i = 0; i < bench.table.lanes; ++i)
      bench.at<T>(rows[c])[i] = static_cast<T>(0x0807060504030201u * (i + 1) + c * 37);
  std::vector<std::byte> expected = bench.buffer;
  for (std::uint32_t i = first; i <= last; ++i)
    for (std::uint32_t c = 0; c < components; ++c)
      std::memcpy(&expected[place(i, c)], bench.at<T>(rows[c]) + i, sizeof(T));
  bench.run(bench.table.store[size][HandlerTable::kAffine64][HandlerTable::kLinear], access);
  CHECK(bench.buffer == expected);
  CHECK(bench.sink.events.empty());
}

constexpr std::pair<std::uint32_t, std::uint32_t> kRuns[] = {{0, 255}, {0, 36},  {1, 255},
                                                             {5, 5},   {17, 62}, {15, 47}};

TEST_CASE("tuples at any stride, for any consecutive lanes, read and write their own bytes only") {
  for_each_isa([](Isa isa) {
    for (const std::int64_t tuple : {1, 2, 3, 4, 5, 7, 8, 12, 16, -1, -3}) {
      for (const std::uint32_t components : {1u, 2u, 3u, 4u, 8u, 16u}) {
        if (tuple > 0 && components > tuple) continue;
        if (tuple < 0 && components > 3) continue;
        for (const auto& [first, last] : kRuns) {
          affine_case<std::uint8_t>(isa, components, tuple, first, last);
          affine_case<std::uint16_t>(isa, components, tuple, first, last);
          affine_case<std::uint32_t>(isa, components, tuple, first, last);
          affine_case<std::uint64_t>(isa, components, tuple, first, last);
        }
      }
    }
  });
}

TEST_CASE("findings name the kind of fault") {
  for_each_isa([](Isa isa) {
    const auto rows = value_rows(1);
    Access access;
    access.values = rows.data();
    access.align_mask = 3;
    const auto rule_of = [&](std::uint64_t address, bool store, bool read_only,
                             bool write_only = false) {
      Bench bench(isa);
      bench.set_mask([](std::uint32_t i) { return i == 3; });
      memory::Allocation a;
      a.host = bench.buffer.data();
      a.size_bytes = 64;
      a.read_only = read_only;
      a.write_only = write_only;
      const std::uint64_t other = bench.space.add(a, "other").value();
      bench.map = bench.space.map();
      *bench.at<std::uint64_t>(Bench::kBase) =
          address < 4096 && address >= 64 ? other + address - 64 : address;
      *bench.at<std::uint64_t>(Bench::kIndex) = 0;
      const auto& table = store ? bench.table.store : bench.table.load;
      bench.run(table[2][HandlerTable::kUniformAddress][HandlerTable::kLinear], access);
      return bench.sink.events.size() == 1 ? static_cast<Rule>(bench.sink.events[0].rule)
                                           : Rule::kD0001;
    };
    CHECK(rule_of(0, false, false) == Rule::kR0001);
    CHECK(rule_of(~std::uint64_t{0} - 100, true, false) == Rule::kR0002);
    CHECK(rule_of(64 + 64, false, false) == Rule::kR0020);
    CHECK(rule_of(64 + 62, true, false) == Rule::kR0021);
    CHECK(rule_of(64 + 2, true, false) == Rule::kR0023);
    CHECK(rule_of(64 + 4, true, true) == Rule::kR0024);
    CHECK(rule_of(64 + 4, false, false, true) == Rule::kR0027);
    CHECK(rule_of(64 + 62, false, false, true) == Rule::kR0020);
  });
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
