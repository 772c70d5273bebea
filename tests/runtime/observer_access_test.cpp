// Observers are told of every access, whatever the form that emission chose for it: work-item, place,
// bytes and kind of each, as one knows them from the kernel's text.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "tests/runtime/observed.h"
#include "vm/exec/work_item.h"

namespace transpire::test {
namespace {

using vm::AccessKind;

/// Work-item, where, offset, bytes, kind.
using Seen = std::tuple<std::uint64_t, std::string, std::uint64_t, std::uint64_t, AccessKind>;
using SeenCounts = std::map<Seen, int>;

/// Every access by its place; of private and workgroup memory from the lowest address on.
class AccessLog final : public vm::Observer {
 public:
  AccessLog(Buffer& a, Buffer& b) : buffers_{&a, &b} {}

  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override {
    const std::uint64_t item = vm::exec::work_item(batch, access.lane).global_id[0];
    if (known_.insert(access.instruction).second) forms.insert(form_of(batch, *access.instruction));
    if (access.place.is_private || access.place.is_workgroup) {
      const char* where = access.place.is_private ? "private" : "tile";
      memory_.push_back({item, where, access.address, access.bytes, access.kind});
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const std::byte* begin = buffers_[i]->bytes().data();
      if (access.place.base < begin || access.place.base >= begin + buffers_[i]->bytes().size())
        continue;
      const auto offset = static_cast<std::uint64_t>(access.place.base - begin);
      ++counts_[{item, i == 0 ? "a" : "b", offset, access.bytes, access.kind}];
    }
  }

  SeenCounts counts() const {
    SeenCounts all = counts_;
    std::map<std::string, std::uint64_t> lowest;
    for (const Seen& seen : memory_) {
      const auto [known, is_new] = lowest.try_emplace(std::get<1>(seen), std::get<2>(seen));
      known->second = std::min(known->second, std::get<2>(seen));
    }
    for (Seen seen : memory_) {
      std::get<2>(seen) -= lowest[std::get<1>(seen)];
      ++all[seen];
    }
    return all;
  }

  std::set<std::string> forms;

 private:
  static std::string form_of(const vm::exec::Batch& batch, const vm::Inst& inst) {
    static constexpr const char* kForms[] = {"uniform", "affine32",  "affine64", "row32",
                                             "row64",   "planned32", "planned64"};
    const vm::HandlerTable& table = *batch.program->handlers;
    const auto is = [&](vm::Handler handler) { return handler == inst.run; };
    if (is(table.special_of(vm::Op::kUnreachable))) return "part";
    for (std::size_t f = 0; f < vm::HandlerTable::kAddressForms; ++f)
      for (std::size_t space = 0; space < vm::HandlerTable::kSpaceClasses; ++space) {
        if (is(table.load_bool[f][space])) return fmt::format("{} bool load", kForms[f]);
        if (is(table.store_bool[f][space])) return fmt::format("{} bool store", kForms[f]);
        for (std::size_t size = 0; size < 4; ++size) {
          if (is(table.load[size][f][space])) return fmt::format("{} load", kForms[f]);
          if (is(table.store[size][f][space])) return fmt::format("{} store", kForms[f]);
        }
      }
    if (std::any_of(std::begin(table.load_uniform), std::end(table.load_uniform), is))
      return "scalar load";
    return "special";
  }

  Buffer* buffers_[2];
  std::set<const vm::Inst*> known_;  ///< instructions whose forms are in `forms`
  SeenCounts counts_;
  std::vector<Seen> memory_;
};

std::string describe(const Seen& seen, int expected, int seen_count) {
  const auto& [item, where, offset, bytes, kind] = seen;
  return fmt::format("work-item {}, {} + {}, {} bytes, kind {}: expected {}, seen {}", item, where,
                     offset, bytes, static_cast<int>(kind), expected, seen_count);
}

/// The first access of which there are not as many as expected; empty: none.
std::string first_difference(const SeenCounts& expected, const SeenCounts& seen) {
  const auto count = [](const SeenCounts& counts, const Seen& one) {
    const auto found = counts.find(one);
    return found == counts.end() ? 0 : found->second;
  };
  for (const SeenCounts* counts : {&expected, &seen})
    for (const auto& [one, ignored] : *counts)
      if (count(expected, one) != count(seen, one))
        return describe(one, count(expected, one), count(seen, one));
  return {};
}

constexpr std::uint64_t kAccessItems = 300;

/// kernel k(global uint* a, global uint* b, uint n): %i is the work-item, %mine is a + i. A case adds variables, and
/// what the kernel does.
constexpr std::string_view kAccessKernel = R"(
OpCapability Groups
%uints = OpTypeArray %uint %uint_8
%bools = OpTypeArray %bool %uint_8
%tile_t = OpTypeArray %uint %uint_100
%event = OpTypeEvent
%no_event = OpConstantNull %event
%tile = OpVariable %_ptr_Workgroup_tile_t Workgroup
kernel k(%_ptr_CrossWorkgroup_uint a b, %uint n)
{}
%ids = OpLoad %v3ulong %GlobalInvocationId
%i = OpCompositeExtract %ulong %ids 0
%i32 = OpUConvert %uint %i
%mine = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %i
%lids = OpLoad %v3ulong %LocalInvocationId
%lid = OpCompositeExtract %ulong %lids 0
{}
)";

/// The values of b[i]: every number below kAccessItems is one of the first kAccessItems.
std::uint64_t number(std::uint64_t i) { return i * 7 % kAccessItems; }

/// What a work-item is expected to do.
struct Expected {
  SeenCounts counts;
  std::uint64_t item = 0, local_size = 0;

  void add(const char* where, std::uint64_t offset, std::uint64_t bytes, AccessKind kind) {
    ++counts[{item, where, offset, bytes, kind}];
  }
  void load(const char* where, std::uint64_t offset, std::uint64_t bytes = 4) {
    add(where, offset, bytes, AccessKind::kLoad);
  }
  void store(const char* where, std::uint64_t offset, std::uint64_t bytes = 4) {
    add(where, offset, bytes, AccessKind::kStore);
  }
  std::uint64_t local_id() const { return item % local_size; }
  void own() { load("b", 4 * item); }
  void mine() { store("a", 4 * item); }
};

struct Case {
  std::string name;
  std::set<std::string> forms;  ///< of the optimised program: among others
  std::string body;
  std::function<void(Expected&)> expect;
  std::string variables = {};
};

struct Memory {
  Buffer a = make_buffer(kAccessItems * 16, "a"), b = make_buffer(kAccessItems * 16 + 64, "b");
  Memory() {
    for (std::uint64_t i = 0; i < b.bytes().size() / 4; ++i) {
      const auto value = static_cast<std::uint32_t>(number(i));
      std::memcpy(b.bytes().data() + 4 * i, &value, 4);
    }
  }
  std::vector<Argument> arguments() { return args_of(a, b, 5u); }
};

Module module_of(const Case& test) {
  return load(fmt::format(kAccessKernel, test.variables, test.body));
}

SeenCounts expected_of(const Case& test, std::uint64_t local_size) {
  Expected expected;
  expected.local_size = local_size;
  for (expected.item = 0; expected.item < kAccessItems; ++expected.item) test.expect(expected);
  return std::move(expected.counts);
}

void check(const Case& test, const LaunchSettings& given) {
  const Module module = module_of(test);
  // Groups of 10 share a batch where nobody watches; those of 100 flow where they may.
  for (const std::uint64_t local_size : {100, 10}) {
    CAPTURE(local_size);
    const SeenCounts expected = expected_of(test, local_size);
    on_each_path([&](const std::string& isa, bool reference) {
      Memory watched, alone;
      Launch launch = make_launch(module, "k", kAccessItems, local_size, watched.arguments());
      static_cast<LaunchSettings&>(launch) = given;
      launch.reference = reference;
      AccessLog log(watched.a, watched.b);
      CHECK(watch(launch, log, isa).findings.empty());
      CHECK(first_difference(expected, log.counts()) == "");
      for (const std::string& form : reference ? std::set<std::string>{} : test.forms) {
        CAPTURE(form);
        CHECK(log.forms.contains(form));
      }
      launch.arguments = alone.arguments();
      CHECK(run(make_device(1, isa), launch).findings.empty());
      CHECK(std::ranges::equal(alone.a.bytes(), watched.a.bytes()));
    });
  }
}

/// %own is b[i], stored to a[i].
const std::string kOwn = "%own = load %b[%i]\n", kStoreOwn = kOwn + "store %mine %own\n";

std::vector<Case> uniform_and_affine_cases() {
  return {
      {"affine64",
       {"affine64 load", "affine64 store"},
       kStoreOwn,
       [](Expected& e) { e.own(), e.mine(); }},
      {"uniform load",
       {"scalar load"},
       "%v = load %b[%ulong_3]\nstore %mine %v\n",
       [](Expected& e) { e.load("b", 12), e.mine(); }},
      {"uniform store",
       {"uniform store"},
       "store %a[%ulong_3] %n\n",
       [](Expected& e) { e.store("a", 12); }},
      {"affine32",
       {"affine32 load"},
       R"(
%s = OpIAdd %uint %i32 %n
%w = OpUConvert %ulong %s
%v = load %b[%w]
store %mine %v
)",
       [](Expected& e) { e.load("b", 4 * (e.item + 5)), e.mine(); }},
  };
}

std::vector<Case> row_cases() {
  return {
      {"row32",
       {"row32 load", "row32 store"},
       kOwn + R"(
%w = OpUConvert %ulong %own
%v = load %b[%w]
store %a[%w] %v
)",
       [](Expected& e) {
         e.own(), e.load("b", 4 * number(e.item)), e.store("a", 4 * number(e.item));
       }},
      {"row64",
       {"row64 load"},
       kOwn + R"(
%w = OpUConvert %ulong %own
%ww = OpIMul %ulong %w %w
%t = OpSRem %ulong %ww %ulong_290
%v = load %b[%t]
store %mine %v
)",
       [](Expected& e) {
         e.own(), e.load("b", 4 * (number(e.item) * number(e.item) % 290)), e.mine();
       }},
      {"few lanes of a row",
       {"row32 load", "row32 store"},
       kOwn + R"(
%r = OpUMod %uint %i32 %uint_50
%is = OpIEqual %bool %r %uint_7
OpBranchConditional %is %then %join
%then = OpLabel
%w = OpUConvert %ulong %own
%v = load %b[%w]
store %a[%w] %v
%join = OpLabel
)",
       [](Expected& e) {
         e.own();
         if (e.item % 50 != 7) return;
         e.load("b", 4 * number(e.item)), e.store("a", 4 * number(e.item));
       }},
      {"an index of local ids",
       {},
       R"(
%other = OpBitwiseXor %ulong %lid %ulong_1
%begin = OpISub %ulong %i %lid
%at = OpIAdd %ulong %begin %other
%v = load %b[%at]
store %a[%at] %v
)",
       [](Expected& e) { e.load("b", 4 * (e.item ^ 1)), e.store("a", 4 * (e.item ^ 1)); }},
      {"several in a row",
       {"part"},
       R"(
%i4 = OpIMul %ulong %i %ulong_4
%p0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %b %i4
%p1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p0 %ulong_1
%p2 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p0 %ulong_2
%v0 = load %p0
%v1 = load %p1
%v2 = load %p2
%q0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %i4
%q1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %q0 %ulong_1
store %q0 %v1
store %q1 %v2
%s = OpIAdd %uint %v0 %v1
store %q0[%ulong_2] %s
)",
       [](Expected& e) {
         for (std::uint64_t c = 0; c < 3; ++c)
           e.load("b", 16 * e.item + 4 * c), e.store("a", 16 * e.item + 4 * c);
       }},
      {"vectors",
       {"affine64 load", "affine64 store"},
       R"(
%bv = OpBitcast %_ptr_CrossWorkgroup_v4uint %b
%av = OpBitcast %_ptr_CrossWorkgroup_v4uint %a
%v = load %bv[%i]
%w = OpIAdd %v4uint %v %v
store %av[%i] %w
)",
       [](Expected& e) { e.load("b", 16 * e.item, 16), e.store("a", 16 * e.item, 16); }},
  };
}

/// Into %array, by indices that differ by work-item.
const std::string kArrayUse = kOwn + R"(
%x = OpBitwiseAnd %uint %own %uint_7
%y = OpBitwiseXor %uint %x %uint_1
%p = OpInBoundsAccessChain %_ptr_Function_uint %array %x
store %p %own
%q = OpInBoundsAccessChain %_ptr_Function_uint %array %y
%v = load %q
%w = load %p
%s = OpIAdd %uint %v %w
store %mine %s
)";

void expect_array_use(Expected& e) {
  const std::uint64_t x = number(e.item) & 7;
  e.own(), e.store("private", 4 * x);
  e.load("private", 4 * (x ^ 1)), e.load("private", 4 * x), e.mine();
}

std::vector<Case> private_cases() {
  const std::string array = "%array = OpVariable %_ptr_Function_uints Function";
  return {
      {"private array", {"row32 load", "row32 store"}, kArrayUse, expect_array_use, array},
      {"lifetime",
       {"row32 load", "row32 store"},
       "%bytes = OpBitcast %_ptr_Function_uchar %array\nOpLifetimeStart %bytes 32\n" + kArrayUse +
           "OpLifetimeStop %bytes 32\n",
       expect_array_use,
       array},
      {"bool",
       {"row32 bool load", "row32 bool store"},
       kOwn + R"(
%x = OpBitwiseAnd %uint %own %uint_7
%y = OpBitwiseXor %uint %x %uint_1
%less = OpULessThan %bool %own %uint_50
%p = OpInBoundsAccessChain %_ptr_Function_bool %array %x
OpStore %p %less
%q = OpInBoundsAccessChain %_ptr_Function_bool %array %y
%v = OpLoad %bool %q
%s = OpSelect %uint %v %uint_1 %uint_2
store %mine %s
)",
       [](Expected& e) {
         const std::uint64_t x = number(e.item) & 7;
         e.own(), e.store("private", x, 1), e.load("private", x ^ 1, 1), e.mine();
       },
       "%array = OpVariable %_ptr_Function_bools Function"},
  };
}

/// a[i] = tile[of_tile]
const std::string kStoreTile = R"(
%tile_at = OpInBoundsAccessChain %_ptr_Workgroup_uint %tile %of_tile
%tile_own = load %tile_at
store %mine %tile_own
)";

std::vector<Case> group_cases() {
  return {
      {"workgroup memory",
       {"row32 load"},
       kOwn + R"(
%p = OpInBoundsAccessChain %_ptr_Workgroup_uint %tile %lid
store %p %own
OpControlBarrier %uint_2 %uint_2 %uint_264
%of_tile = OpBitwiseXor %ulong %lid %ulong_1
)" + kStoreTile,
       [](Expected& e) {
         e.own(), e.store("tile", 4 * e.local_id());
         e.load("tile", 4 * (e.local_id() ^ 1)), e.mine();
       }},
      {"asynchronous copy",
       {"special"},
       R"(
%to = OpInBoundsAccessChain %_ptr_Workgroup_uint %tile %uint_0
%ev = OpGroupAsyncCopy %event %uint_2 %to %b %ulong_10 %ulong_1 %no_event
OpStore %wait %ev Aligned 8
OpGroupWaitEvents %uint_2 %uint_1 %wait
%of_tile = OpUMod %ulong %lid %ulong_10
)" + kStoreTile,
       [](Expected& e) {
         e.store("private", 0, 8);
         if (e.local_id() == 0) e.load("private", 0, 8);
         for (std::uint64_t k = 0; k < 10 && e.local_id() == 0; ++k)
           e.load("b", 4 * k), e.store("tile", 4 * k);
         e.load("tile", 4 * (e.local_id() % 10)), e.mine();
       },
       "%wait = OpVariable %_ptr_Function_event Function"},
      {"copies",
       {"special"},
       R"(
%av = OpBitcast %_ptr_CrossWorkgroup_uchar %a
%bv = OpBitcast %_ptr_CrossWorkgroup_uchar %b
%at = OpIMul %ulong %i %ulong_16
%p = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %av %at
%q = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %bv %at
OpCopyMemorySized %p %q %ulong_16 Aligned 4
)",
       [](Expected& e) { e.load("b", 16 * e.item, 16), e.store("a", 16 * e.item, 16); }},
  };
}

/// b[3], or a place of the tile, by every work-item.
Case atomic_case(const std::string& name, const std::string& text, AccessKind kind,
                 bool in_tile = false) {
  const std::string at =
      in_tile ? "%p = OpInBoundsAccessChain %_ptr_Workgroup_uint %tile %ulong_3\n"
              : "%p = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %b %ulong_3\n";
  const char* where = in_tile ? "tile" : "b";
  const std::uint64_t offset = in_tile ? 0 : 12;  // the tile's lowest is this one
  return {name, {"special"}, at + text + "\nstore %mine %n\n", [=](Expected& e) {
            e.add(where, offset, 4, kind), e.mine();
          }};
}

std::vector<Case> atomic_cases() {
  constexpr auto kAtomic = AccessKind::kAtomic, kLoad = AccessKind::kAtomicLoad,
                 kStore = AccessKind::kAtomicStore;
  std::vector<Case> cases = {
      atomic_case("load", "%r = OpAtomicLoad %uint %p %uint_1 %uint_0", kLoad),
      atomic_case("store", "OpAtomicStore %p %uint_1 %uint_0 %n", kStore),
      atomic_case("load of the tile", "%r = OpAtomicLoad %uint %p %uint_1 %uint_0", kLoad, true),
      atomic_case("compare and exchange",
                  "%r = OpAtomicCompareExchange %uint %p %uint_1 %uint_0 %uint_0 %n %uint_1",
                  kAtomic),
      atomic_case("increment", "%r = OpAtomicIIncrement %uint %p %uint_1 %uint_0", kAtomic),
      atomic_case("decrement", "%r = OpAtomicIDecrement %uint %p %uint_1 %uint_0", kAtomic),
      atomic_case("flag", "%r = OpAtomicFlagTestAndSet %bool %p %uint_1 %uint_0", kAtomic),
      atomic_case("clear", "OpAtomicFlagClear %p %uint_1 %uint_0", kStore),
  };
  for (const char* op :
       {"Exchange", "IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor"})
    for (const bool in_tile : {false, true})
      cases.push_back(atomic_case(
          op, fmt::format("%r = OpAtomic{} %uint %p %uint_1 %uint_0 %n", op), kAtomic, in_tile));
  return cases;
}

void check_all(const std::vector<Case>& cases, const LaunchSettings& given = {}) {
  for (const Case& test : cases) {
    CAPTURE(test.name);
    check(test, given);
  }
}

std::uint64_t count_of(const SeenCounts& counts, AccessKind kind) {
  std::uint64_t count = 0;
  for (const auto& [seen, times] : counts)
    if (std::get<4>(seen) == kind) count += static_cast<std::uint64_t>(times);
  return count;
}

TEST_CASE("observed accesses: each is told of, whatever its form") {
  for (const auto& cases :
       {uniform_and_affine_cases(), row_cases(), private_cases(), group_cases(), atomic_cases()})
    check_all(cases);
}

TEST_CASE("observed accesses: checks make none") {
  LaunchSettings settings;
  settings.check_sync = settings.check_bounds = settings.check_ub = true;
  check_all(group_cases(), settings);
}

TEST_CASE("observed accesses: a copy is told of as far as bytes move") {
  const std::vector<Case> cases = group_cases();
  const Module module = module_of(cases.back());
  for (const bool short_target : {false, true}) {
    CAPTURE(short_target);
    Memory memory;
    Buffer& shortened = short_target ? memory.a : memory.b;
    shortened = make_buffer((kAccessItems - 2) * 16, "short");
    AccessLog log(memory.a, memory.b);
    const Launch launch = make_launch(module, "k", kAccessItems, 100, memory.arguments());
    CHECK_FALSE(watch(launch, log).findings.empty());
    // What cannot be read counts as zeros, which are stored; what cannot be stored is not read.
    CHECK(count_of(log.counts(), AccessKind::kLoad) == kAccessItems - 2);
    CHECK(count_of(log.counts(), AccessKind::kStore) ==
          (short_target ? kAccessItems - 2 : kAccessItems));
  }
}

}  // namespace
}  // namespace transpire::test
