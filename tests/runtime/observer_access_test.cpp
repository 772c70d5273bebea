// Observers are told of every access, whatever the form that emission chose for it: work-item, place,
// bytes and kind of each, as one knows them from the kernel's text.
#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "tests/runtime/access_log.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

using vm::AccessKind;

constexpr std::uint64_t kItems = 300;

constexpr const char* kDeclarations = R"(
      %uchar = OpTypeInt 8 0
      %uint4 = OpTypeVector %uint 4
        %u50 = OpConstant %uint 50
       %u100 = OpConstant %uint 100
 %semantics  = OpConstant %uint 264
         %l1 = OpConstant %ulong 1
         %l2 = OpConstant %ulong 2
         %l3 = OpConstant %ulong 3
         %l4 = OpConstant %ulong 4
        %l10 = OpConstant %ulong 10
        %l16 = OpConstant %ulong 16
       %l290 = OpConstant %ulong 290
     %puint4 = OpTypePointer CrossWorkgroup %uint4
     %puchar = OpTypePointer CrossWorkgroup %uchar
      %uints = OpTypeArray %uint %u8
      %bools = OpTypeArray %bool %u8
     %fuints = OpTypePointer Function %uints
     %fbools = OpTypePointer Function %bools
      %fuint = OpTypePointer Function %uint
      %fbool = OpTypePointer Function %bool
     %fuchar = OpTypePointer Function %uchar
     %tile_t = OpTypeArray %uint %u100
      %wtile = OpTypePointer Workgroup %tile_t
      %wuint = OpTypePointer Workgroup %uint
      %event = OpTypeEvent
    %fevent  = OpTypePointer Function %event
   %no_event = OpConstantNull %event
       %k_fn = OpTypeFunction %void %puint %puint %uint
       %lids = OpVariable %inputs Input
       %tile = OpVariable %wtile Workgroup
)";
/// kernel k(global uint* a, global uint* b, uint n): %i is the work-item, %mine is a + i, %own is b[i].
constexpr std::string_view kBegin = R"(
          %k = OpFunction %void None %k_fn
          %a = OpFunctionParameter %puint
          %b = OpFunctionParameter %puint
          %n = OpFunctionParameter %uint
      %entry = OpLabel
)";
constexpr std::string_view kPlaces = R"(
       %mine = OpInBoundsPtrAccessChain %puint %a %i
      %local = OpLoad %ulong3 %lids
        %lid = OpCompositeExtract %ulong %local 0
)";
constexpr std::string_view kOwn = R"(
     %own_at = OpInBoundsPtrAccessChain %puint %b %i
        %own = OpLoad %uint %own_at Aligned 4
)";
constexpr std::string_view kEnd = R"(
               OpReturn
               OpFunctionEnd
)";

/// What b[i] is: every number below kItems is one of the first kItems.
std::uint64_t number(std::uint64_t i) { return i * 7 % kItems; }

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
  std::string variables, body;
  std::function<void(Expected&)> expect;
};

struct Memory {
  Buffer a = make_buffer(kItems * 16, "a"), b = make_buffer(kItems * 16 + 64, "b");
  Memory() {
    for (std::uint64_t i = 0; i < b.bytes().size() / 4; ++i) {
      const auto value = static_cast<std::uint32_t>(number(i));
      std::memcpy(b.bytes().data() + 4 * i, &value, 4);
    }
  }
  std::vector<Argument> arguments() {
    static const std::uint32_t n = 5;
    return {Argument::buffer(a), Argument::buffer(b),
            Argument::raw(std::as_bytes(std::span(&n, 1)))};
  }
};

Module module_of(const Case& test) {
  return load(
      text_of(ObservedModule{.imports = "OpCapability Int8\nOpCapability Groups",
                             .inputs = "%lids",
                             .names = "OpDecorate %lids BuiltIn LocalInvocationId",
                             .declarations = kDeclarations,
                             .functions = fmt::format("{}{}{}{}{}{}", kBegin, test.variables,
                                                      kObservedIds, kPlaces, test.body, kEnd)}));
}

SeenCounts expected_of(const Case& test, std::uint64_t local_size) {
  Expected expected;
  expected.local_size = local_size;
  for (expected.item = 0; expected.item < kItems; ++expected.item) test.expect(expected);
  return std::move(expected.counts);
}

void check(const Case& test, const LaunchSettings& settings, const std::string& isa) {
  const Module module = module_of(test);
  // Groups of 10 share a batch where nobody watches; those of 100 flow where they may.
  for (const std::uint64_t local_size : {100, 10}) {
    CAPTURE(local_size);
    Memory watched, alone;
    Launch launch = make_launch(module, "k", kItems, local_size, watched.arguments());
    static_cast<LaunchSettings&>(launch) = settings;
    AccessLog log(watched.a, watched.b);
    CHECK(watch(launch, log, isa).findings.empty());
    CHECK(first_difference(expected_of(test, local_size), log.counts()) == "");
    if (!settings.reference)
      for (const std::string& form : test.forms) {
        CAPTURE(form);
        CHECK(log.forms.contains(form));
      }
    launch.arguments = alone.arguments();
    CHECK(run(make_device(1, isa), launch).findings.empty());
    CHECK(std::ranges::equal(alone.a.bytes(), watched.a.bytes()));
  }
}

const std::string kStoreOwn = std::string(kOwn) + "OpStore %mine %own Aligned 4\n";

std::vector<Case> uniform_and_affine_cases() {
  return {
      {"affine64",
       {"affine64 load", "affine64 store"},
       "",
       kStoreOwn,
       [](Expected& e) { e.own(), e.mine(); }},
      {"uniform load",
       {"scalar load"},
       "",
       R"(
          %p = OpInBoundsPtrAccessChain %puint %b %l3
          %v = OpLoad %uint %p Aligned 4
               OpStore %mine %v Aligned 4
)",
       [](Expected& e) { e.load("b", 12), e.mine(); }},
      {"uniform store",
       {"uniform store"},
       "",
       R"(
          %p = OpInBoundsPtrAccessChain %puint %a %l3
               OpStore %p %n Aligned 4
)",
       [](Expected& e) { e.store("a", 12); }},
      {"affine32",
       {"affine32 load"},
       "",
       R"(
          %s = OpIAdd %uint %i32 %n
          %w = OpUConvert %ulong %s
          %p = OpInBoundsPtrAccessChain %puint %b %w
          %v = OpLoad %uint %p Aligned 4
               OpStore %mine %v Aligned 4
)",
       [](Expected& e) { e.load("b", 4 * (e.item + 5)), e.mine(); }},
  };
}

std::vector<Case> row_cases() {
  return {
      {"row32",
       {"row32 load", "row32 store"},
       "",
       std::string(kOwn) + R"(
          %w = OpUConvert %ulong %own
          %p = OpInBoundsPtrAccessChain %puint %b %w
          %v = OpLoad %uint %p Aligned 4
          %q = OpInBoundsPtrAccessChain %puint %a %w
               OpStore %q %v Aligned 4
)",
       [](Expected& e) {
         e.own();
         e.load("b", 4 * number(e.item));
         e.store("a", 4 * number(e.item));
       }},
      {"row64",
       {"row64 load"},
       "",
       std::string(kOwn) + R"(
          %w = OpUConvert %ulong %own
         %ww = OpIMul %ulong %w %w
          %t = OpSRem %ulong %ww %l290
          %p = OpInBoundsPtrAccessChain %puint %b %t
          %v = OpLoad %uint %p Aligned 4
               OpStore %mine %v Aligned 4
)",
       [](Expected& e) {
         e.own(), e.load("b", 4 * (number(e.item) * number(e.item) % 290)), e.mine();
       }},
      {"few lanes of a row",
       {"row32 load", "row32 store"},
       "",
       std::string(kOwn) + R"(
          %r = OpUMod %uint %i32 %u50
         %is = OpIEqual %bool %r %u7
               OpBranchConditional %is %then %join
       %then = OpLabel
          %w = OpUConvert %ulong %own
          %p = OpInBoundsPtrAccessChain %puint %b %w
          %v = OpLoad %uint %p Aligned 4
          %q = OpInBoundsPtrAccessChain %puint %a %w
               OpStore %q %v Aligned 4
               OpBranch %join
       %join = OpLabel
)",
       [](Expected& e) {
         e.own();
         if (e.item % 50 != 7) return;
         e.load("b", 4 * number(e.item));
         e.store("a", 4 * number(e.item));
       }},
      {"an index of local ids",
       {},
       "",
       R"(
      %other = OpBitwiseXor %ulong %lid %l1
      %begin = OpISub %ulong %i %lid
         %at = OpIAdd %ulong %begin %other
          %p = OpInBoundsPtrAccessChain %puint %b %at
          %v = OpLoad %uint %p Aligned 4
          %q = OpInBoundsPtrAccessChain %puint %a %at
               OpStore %q %v Aligned 4
)",
       [](Expected& e) { e.load("b", 4 * (e.item ^ 1)), e.store("a", 4 * (e.item ^ 1)); }},
      {"several in a row",
       {"part"},
       "",
       R"(
         %i4 = OpIMul %ulong %i %l4
         %p0 = OpInBoundsPtrAccessChain %puint %b %i4
         %p1 = OpInBoundsPtrAccessChain %puint %p0 %l1
         %p2 = OpInBoundsPtrAccessChain %puint %p0 %l2
         %v0 = OpLoad %uint %p0 Aligned 4
         %v1 = OpLoad %uint %p1 Aligned 4
         %v2 = OpLoad %uint %p2 Aligned 4
         %q0 = OpInBoundsPtrAccessChain %puint %a %i4
         %q1 = OpInBoundsPtrAccessChain %puint %q0 %l1
               OpStore %q0 %v1 Aligned 4
               OpStore %q1 %v2 Aligned 4
          %s = OpIAdd %uint %v0 %v1
         %q2 = OpInBoundsPtrAccessChain %puint %q0 %l2
               OpStore %q2 %s Aligned 4
)",
       [](Expected& e) {
         for (std::uint64_t c = 0; c < 3; ++c) {
           e.load("b", 16 * e.item + 4 * c);
           e.store("a", 16 * e.item + 4 * c);
         }
       }},
      {"vectors",
       {"affine64 load", "affine64 store"},
       "",
       R"(
         %bv = OpBitcast %puint4 %b
         %av = OpBitcast %puint4 %a
          %p = OpInBoundsPtrAccessChain %puint4 %bv %i
          %v = OpLoad %uint4 %p Aligned 16
          %w = OpIAdd %uint4 %v %v
          %q = OpInBoundsPtrAccessChain %puint4 %av %i
               OpStore %q %w Aligned 16
)",
       [](Expected& e) { e.load("b", 16 * e.item, 16), e.store("a", 16 * e.item, 16); }},
  };
}

/// Into %array, by indices that differ by work-item.
const std::string kArrayUse = std::string(kOwn) + R"(
          %x = OpBitwiseAnd %uint %own %u7
          %y = OpBitwiseXor %uint %x %u1
          %p = OpInBoundsAccessChain %fuint %array %x
               OpStore %p %own Aligned 4
          %q = OpInBoundsAccessChain %fuint %array %y
          %v = OpLoad %uint %q Aligned 4
          %w = OpLoad %uint %p Aligned 4
          %s = OpIAdd %uint %v %w
               OpStore %mine %s Aligned 4
)";

void expect_array_use(Expected& e) {
  e.own();
  const std::uint64_t x = number(e.item) & 7;
  e.store("private", 4 * x);
  e.load("private", 4 * (x ^ 1));
  e.load("private", 4 * x);
  e.mine();
}

std::vector<Case> private_cases() {
  return {
      {"private array",
       {"row32 load", "row32 store"},
       "%array = OpVariable %fuints Function\n",
       kArrayUse,
       expect_array_use},
      {"lifetime",
       {"row32 load", "row32 store"},
       "%array = OpVariable %fuints Function\n",
       "%bytes = OpBitcast %fuchar %array\nOpLifetimeStart %bytes 32\n" + kArrayUse +
           "OpLifetimeStop %bytes 32\n",
       expect_array_use},
      {"bool",
       {"row32 bool load", "row32 bool store"},
       "%array = OpVariable %fbools Function\n",
       std::string(kOwn) + R"(
          %x = OpBitwiseAnd %uint %own %u7
          %y = OpBitwiseXor %uint %x %u1
       %less = OpULessThan %bool %own %u50
          %p = OpInBoundsAccessChain %fbool %array %x
               OpStore %p %less
          %q = OpInBoundsAccessChain %fbool %array %y
          %v = OpLoad %bool %q
          %s = OpSelect %uint %v %u1 %u2
               OpStore %mine %s Aligned 4
)",
       [](Expected& e) {
         e.own();
         e.store("private", number(e.item) & 7, 1);
         e.load("private", (number(e.item) & 7) ^ 1, 1);
         e.mine();
       }},
  };
}

/// a[i] = tile[of_tile]
const std::string kStoreTile = R"(
    %tile_at = OpInBoundsAccessChain %wuint %tile %of_tile
  %tile_own  = OpLoad %uint %tile_at Aligned 4
               OpStore %mine %tile_own Aligned 4
)";

std::vector<Case> group_cases() {
  return {
      {"workgroup memory",
       {"row32 load"},
       "",
       std::string(kOwn) + R"(
          %p = OpInBoundsAccessChain %wuint %tile %lid
               OpStore %p %own Aligned 4
               OpControlBarrier %u2 %u2 %semantics
     %of_tile = OpBitwiseXor %ulong %lid %l1
)" + kStoreTile,
       [](Expected& e) {
         e.own();
         e.store("tile", 4 * e.local_id());
         e.load("tile", 4 * (e.local_id() ^ 1));
         e.mine();
       }},
      {"asynchronous copy",
       {"special"},
       "%wait = OpVariable %fevent Function\n",
       std::string(R"(
         %to = OpInBoundsAccessChain %wuint %tile %u0
         %ev = OpGroupAsyncCopy %event %u2 %to %b %l10 %l1 %no_event
               OpStore %wait %ev Aligned 8
               OpGroupWaitEvents %u2 %u1 %wait
    %of_tile = OpUMod %ulong %lid %l10
)") + kStoreTile,
       [](Expected& e) {
         e.store("private", 0, 8);
         if (e.local_id() == 0) e.load("private", 0, 8);
         for (std::uint64_t k = 0; k < 10 && e.local_id() == 0; ++k)
           e.load("b", 4 * k), e.store("tile", 4 * k);
         e.load("tile", 4 * (e.local_id() % 10));
         e.mine();
       }},
      {"copies",
       {"special"},
       "",
       R"(
         %av = OpBitcast %puchar %a
         %bv = OpBitcast %puchar %b
         %at = OpIMul %ulong %i %l16
          %p = OpInBoundsPtrAccessChain %puchar %av %at
          %q = OpInBoundsPtrAccessChain %puchar %bv %at
               OpCopyMemorySized %p %q %l16 Aligned 4
)",
       [](Expected& e) { e.load("b", 16 * e.item, 16), e.store("a", 16 * e.item, 16); }},
  };
}

/// b[0], or a place of the tile, by every work-item.
Case atomic_case(const char* name, std::string text, AccessKind kind, bool in_tile = false) {
  const std::string at = in_tile ? "%p = OpInBoundsAccessChain %wuint %tile %l3\n"
                                 : "%p = OpInBoundsPtrAccessChain %puint %b %l3\n";
  const char* where = in_tile ? "tile" : "b";
  const std::uint64_t offset = in_tile ? 0 : 12;  // the tile's lowest is this one
  return {name, {"special"}, "", at + text + "\nOpStore %mine %n Aligned 4\n", [=](Expected& e) {
            e.add(where, offset, 4, kind), e.mine();
          }};
}

std::vector<Case> atomic_cases() {
  constexpr auto kAtomic = AccessKind::kAtomic;
  std::vector<Case> cases = {
      atomic_case("load", "%r = OpAtomicLoad %uint %p %u1 %u0", AccessKind::kAtomicLoad),
      atomic_case("store", "OpAtomicStore %p %u1 %u0 %n", AccessKind::kAtomicStore),
      atomic_case("load of the tile", "%r = OpAtomicLoad %uint %p %u1 %u0", AccessKind::kAtomicLoad,
                  true),
      atomic_case("compare and exchange",
                  "%r = OpAtomicCompareExchange %uint %p %u1 %u0 %u0 %n %u1", kAtomic),
      atomic_case("increment", "%r = OpAtomicIIncrement %uint %p %u1 %u0", kAtomic),
      atomic_case("decrement", "%r = OpAtomicIDecrement %uint %p %u1 %u0", kAtomic),
      atomic_case("flag", "%r = OpAtomicFlagTestAndSet %bool %p %u1 %u0", kAtomic),
      atomic_case("clear", "OpAtomicFlagClear %p %u1 %u0", AccessKind::kAtomicStore),
  };
  for (const char* op :
       {"Exchange", "IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor"})
    for (const bool in_tile : {false, true})
      cases.push_back(atomic_case(op, fmt::format("%r = OpAtomic{} %uint %p %u1 %u0 %n", op),
                                  kAtomic, in_tile));
  return cases;
}

void check_all(const std::vector<Case>& cases, const LaunchSettings& given = {}) {
  on_each_path([&](const std::string& isa, bool reference) {
    for (const Case& test : cases) {
      CAPTURE(test.name);
      LaunchSettings settings = given;
      settings.reference = reference;
      check(test, settings, isa);
    }
  });
}

std::uint64_t count_of(const SeenCounts& counts, AccessKind kind) {
  std::uint64_t count = 0;
  for (const auto& [seen, times] : counts)
    if (std::get<4>(seen) == kind) count += static_cast<std::uint64_t>(times);
  return count;
}

}  // namespace

TEST_CASE("observed accesses: uniform and affine addresses") {
  check_all(uniform_and_affine_cases());
}

TEST_CASE("observed accesses: rows of addresses") { check_all(row_cases()); }

TEST_CASE("observed accesses: private memory") { check_all(private_cases()); }

TEST_CASE("observed accesses: workgroup memory and copies") { check_all(group_cases()); }

TEST_CASE("observed accesses: atomics") { check_all(atomic_cases()); }

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
    shortened = make_buffer((kItems - 2) * 16, "short");
    AccessLog log(memory.a, memory.b);
    const Launch launch = make_launch(module, "k", kItems, 100, memory.arguments());
    CHECK_FALSE(watch(launch, log).findings.empty());
    // What cannot be read counts as zeros, which are stored; what cannot be stored is not read.
    CHECK(count_of(log.counts(), AccessKind::kLoad) == kItems - 2);
    CHECK(count_of(log.counts(), AccessKind::kStore) == (short_target ? kItems - 2 : kItems));
  }
}

}  // namespace transpire::test
