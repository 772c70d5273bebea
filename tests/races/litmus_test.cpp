// Litmus tests of the data race checker, end to end: kernels run with every order and scope, and what the checker finds is
// what the memory model says of the same execution (tests/races/memory_model.h).
#include <fmt/format.h>

#include <random>

#include "tests/races/memory_model.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

using namespace model;

constexpr std::uint32_t kGroupSize = 64, kSubgroupSize = 32, kGroups = 3;
constexpr std::uint32_t kEventWords = 5, kMostEvents = 32, kObjects = 4;

/// A kernel that executes events, those of its own work-item, one after the other: litmus(code, events, data, scratch, sink).
/// An event is five words: work-item, operation (Kind, and 8 for local memory), object, scope, semantics.
std::string interpreter() {
  std::string cases, bodies;
  const auto body = [&](int op, const std::string& text) {
    cases += fmt::format(" {} %op{}", op, op);
    bodies += fmt::format("%op{} = OpLabel\n{}\nOpBranch %next\n", op, text);
  };
  for (const auto& [at, p] : {std::pair(0, "%outer"), std::pair(8, "%inner")}) {
    body(at, fmt::format("%r{0} = load {1}\nstore %own %r{0}", at, p));
    body(at + 1, fmt::format("store {} %e", p));
    body(at + 2,
         fmt::format("%r{0} = OpAtomicLoad %uint {1} %scope %sem\nstore %own %r{0}", at + 2, p));
    body(at + 3, fmt::format("OpAtomicStore {} %scope %sem %e", p));
    body(at + 4, fmt::format("%r{0} = OpAtomicIAdd %uint {1} %scope %sem %uint_1\nstore %own %r{0}",
                             at + 4, p));
  }
  body(5, "OpMemoryBarrier %scope %sem");
  std::string words;
  for (int i = 0; const char* name : {"item", "op", "object", "scope", "sem"})
    words += fmt::format("%at{0} = OpIAdd %uint %base %uint_{0}\n%{1} = load %code[%at{0}]\n", i++,
                         name);
  return fmt::format(R"(
kernel litmus(%_ptr_CrossWorkgroup_uint code, %uint events, %_ptr_CrossWorkgroup_uint data, %_ptr_Workgroup_uint scratch, %_ptr_CrossWorkgroup_uint sink)
%self = OpUConvert %uint %gid
%own = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %sink %gid
%loop = OpLabel
%e = OpPhi %uint %uint_0 %entry_of_litmus %after %next
%more = OpULessThan %bool %e %events
OpBranchConditional %more %fetch %done
%fetch = OpLabel
%base = OpIMul %uint %e %uint_5
{}
%mine = OpIEqual %bool %item %self
OpBranchConditional %mine %do %next
%do = OpLabel
%outer = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %data %object
%inner = OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %scratch %object
OpSwitch %op %next{}
{}
%next = OpLabel
%after = OpIAdd %uint %e %uint_1
OpBranch %loop
%done = OpLabel
)",
                     words, cases, bodies);
}

std::uint32_t semantics_of(const Event& event) {
  const std::uint32_t bits[] = {0, 0x2, 0x4, 0x8, 0x10};
  const std::uint32_t order = bits[static_cast<std::size_t>(event.order)];
  if (event.kind != Kind::kFence) return order | (event.space == kLocal ? 0x100 : 0x200);
  return order | (event.fences[kLocal] ? 0x100 : 0) | (event.fences[kGlobal] ? 0x200 : 0);
}

/// Runs executions, and says whether a race is found.
class Bench {
 public:
  bool finds_race(const Execution& execution) {
    const std::span<std::byte> bytes = code_.bytes();
    std::vector<std::uint32_t> words;
    for (const Event& event : execution.events) {
      const std::uint32_t local = event.space == kLocal && event.kind != Kind::kFence ? 8 : 0;
      words.insert(words.end(), {execution.threads[event.thread].item,
                                 static_cast<std::uint32_t>(event.kind) + local, event.object,
                                 static_cast<std::uint32_t>(event.scope), semantics_of(event)});
    }
    REQUIRE(words.size() * 4 <= bytes.size());
    std::memcpy(bytes.data(), words.data(), words.size() * 4);
    Launch launch = make_launch(module_, "litmus", kGroups * kGroupSize, kGroupSize, code_,
                                static_cast<std::uint32_t>(execution.events.size()), data_,
                                Argument::local(kObjects * 4), sink_);
    launch.check_race = true;
    const LaunchResult result = run(device_, launch);
    for (const Finding& finding : result.findings) CHECK(finding.diagnostic.rule == "TSP-R0100");
    ++runs_;
    return !result.findings.empty();
  }
  std::uint32_t runs() const { return runs_; }

 private:
  Device device_ = make_device();
  Module module_ = load(interpreter());
  Buffer code_ = make_buffer(kMostEvents * kEventWords * 4), data_ = make_buffer(kObjects * 4),
         sink_ = make_buffer(kGroups * kGroupSize * 4);
  std::uint32_t runs_ = 0;
};

std::string spell(const Execution& execution) {
  constexpr const char* kKinds[] = {"load",         "store",  "atomic load",
                                    "atomic store", "modify", "fence"};
  constexpr const char* kOrders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  constexpr const char* kScopes[] = {"", "device", "work-group", "sub-group"};
  std::string text;
  for (const Event& event : execution.events)
    text +=
        fmt::format("\n  item {}: {} of {} {}, {}, {}{}{}", execution.threads[event.thread].item,
                    kKinds[static_cast<int>(event.kind)],
                    event.space == kLocal ? "local" : "global", event.object,
                    kOrders[static_cast<int>(event.order)], kScopes[static_cast<int>(event.scope)],
                    event.fences[kLocal] ? ", L" : "", event.fences[kGlobal] ? ", G" : "");
  return text;
}

Thread thread_at(std::uint32_t item) {
  return {item, item / kGroupSize, item % kGroupSize / kSubgroupSize};
}

/// Of one sub-group, of two of a group, and of different groups: where four threads are.
const std::vector<Thread> kPlaces[] = {
    {thread_at(0), thread_at(1), thread_at(2), thread_at(3)},
    {thread_at(1), thread_at(33), thread_at(2), thread_at(34)},
    {thread_at(5), thread_at(70), thread_at(130), thread_at(131)},
    {thread_at(0), thread_at(40), thread_at(64), thread_at(65)},
};

constexpr Order kStoreOrders[] = {Order::kRelaxed, Order::kRelease, Order::kSequential};
constexpr Order kLoadOrders[] = {Order::kRelaxed, Order::kAcquire, Order::kSequential};
constexpr Order kAllOrders[] = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kBoth,
                                Order::kSequential};
constexpr Scope kScopes[] = {Scope::kDevice, Scope::kWorkgroup, Scope::kSubgroup};

std::span<const Order> orders_of(Kind kind) {
  if (kind == Kind::kAtomicLoad) return kLoadOrders;
  if (kind == Kind::kAtomicStore) return kStoreOrders;
  if (kind == Kind::kModify) return kAllOrders;
  return std::span(kAllOrders).subspan(1);  // a relaxed fence is none
}

/// OpenCL C 1.x has atomics without a scope, which come as relaxed ones of the work-group: they count as the device's, too.
Execution as_counted(Execution execution) {
  for (Event& event : execution.events)
    if (event.is_atomic() && event.order == Order::kRelaxed && event.scope == Scope::kWorkgroup)
      event.scope = Scope::kDevice, event.or_workgroup = true;
  return execution;
}

/// Groups run one after the other.
void in_order_of_groups(Execution& execution) {
  std::stable_sort(execution.events.begin(), execution.events.end(),
                   [&](const Event& a, const Event& b) {
                     return execution.threads[a.thread].group < execution.threads[b.thread].group;
                   });
}

void compare(Bench& bench, Execution execution) {
  in_order_of_groups(execution);
  const bool expected = Verdict(as_counted(execution)).races();
  const bool found = bench.finds_race(execution);
  if (expected != found) {
    INFO(spell(execution));
    CHECK(found == expected);
  }
}

Event plain(std::uint32_t thread, Kind kind, std::uint32_t object, Space space = kGlobal) {
  return {.thread = thread, .kind = kind, .object = object, .space = space};
}
Event fence_of(std::uint32_t thread) { return {.thread = thread, .kind = Kind::kFence}; }

/// A litmus test: its events in an order in which they may run. Object 0 is data, the others are flags.
struct Litmus {
  const char* name;
  std::vector<Event> events;
};

using enum Kind;

const Litmus kTests[] = {
    {"message passing",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(1, kAtomicLoad, 1),
      plain(1, kLoad, 0)}},
    {"message passing, read too early",
     {plain(1, kAtomicLoad, 1), plain(0, kStore, 0), plain(0, kAtomicStore, 1),
      plain(1, kLoad, 0)}},
    {"message passing with fences",
     {plain(0, kStore, 0), fence_of(0), plain(0, kAtomicStore, 1), plain(1, kAtomicLoad, 1),
      fence_of(1), plain(1, kStore, 0)}},
    {"message passing by read-modify-writes",
     {plain(0, kStore, 0), plain(0, kModify, 1), plain(1, kModify, 1), plain(1, kStore, 0)}},
    {"message passing through another",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(1, kAtomicLoad, 1),
      plain(1, kAtomicStore, 2), plain(2, kAtomicLoad, 2), plain(2, kLoad, 0)}},
    {"store buffering",
     {plain(0, kAtomicStore, 1), plain(1, kAtomicStore, 2), plain(0, kAtomicLoad, 2),
      plain(1, kAtomicLoad, 1), plain(0, kStore, 0), plain(1, kLoad, 0)}},
    {"load buffering",
     {plain(0, kLoad, 0), plain(0, kAtomicLoad, 1), plain(0, kAtomicStore, 2),
      plain(1, kAtomicLoad, 2), plain(1, kAtomicStore, 1), plain(1, kStore, 0)}},
    {"independent reads of independent writes",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(1, kAtomicStore, 2),
      plain(2, kAtomicLoad, 1), plain(2, kAtomicLoad, 2), plain(3, kAtomicLoad, 2),
      plain(3, kAtomicLoad, 1), plain(3, kLoad, 0)}},
    {"coherence",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(1, kAtomicStore, 1),
      plain(2, kAtomicLoad, 1), plain(2, kLoad, 0)}},
    {"release sequence of its own store",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(0, kAtomicStore, 1),
      plain(1, kAtomicLoad, 1), plain(1, kLoad, 0)}},
    {"release sequence of another's read-modify-write",
     {plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(2, kModify, 1),
      plain(1, kAtomicLoad, 1), plain(1, kLoad, 0)}},
    {"a lock",
     {plain(0, kModify, 1), plain(0, kStore, 0), plain(0, kAtomicStore, 1), plain(1, kModify, 1),
      plain(1, kStore, 0), plain(1, kAtomicStore, 1)}},
};

/// Calls f with every order of every atomic and fence of a test, or with `most` of them, drawn by `random`.
template <class F>
void each_order(const std::vector<Event>& events, std::mt19937& random, std::uint32_t most, F f) {
  std::uint64_t count = 1;
  for (const Event& event : events)
    if (event.is_atomic() || event.kind == kFence) count *= orders_of(event.kind).size();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, most); ++i) {
    std::uint64_t number = count <= most ? i : random() % count;
    std::vector<Event> chosen = events;
    for (Event& event : chosen) {
      if (!event.is_atomic() && event.kind != kFence) continue;
      const auto orders = orders_of(event.kind);
      event.order = orders[number % orders.size()];
      number /= orders.size();
    }
    f(std::move(chosen));
  }
}

TEST_CASE("litmus: every order, with the scope of the device") {
  Bench bench;
  std::mt19937 random(1);
  for (const Litmus& test : kTests)
    for (const std::vector<Thread>& places : kPlaces) {
      INFO(std::string(test.name));
      each_order(test.events, random, 300, [&](std::vector<Event> events) {
        for (Event& event : events)
          if (event.kind == kFence) event.fences = {random() % 4 == 0, random() % 8 != 0};
        compare(bench, {places, std::move(events)});
      });
    }
  CHECK(bench.runs() > 3000);
}

TEST_CASE("litmus: every order and scope, in local and in global memory") {
  Bench bench;
  std::mt19937 random(2);
  for (const Litmus& test : kTests)
    for (const std::vector<Thread>& places : kPlaces) {
      INFO(std::string(test.name));
      each_order(test.events, random, 400, [&](std::vector<Event> events) {
        // Mostly one scope for all: others seldom meet.
        const Scope usual = kScopes[random() % 3];
        const Space of_data = kSpaces[random() % 2], of_flags = kSpaces[random() % 2];
        for (Event& event : events) {
          event.scope = random() % 8 == 0 ? kScopes[random() % 3] : usual;
          event.space = event.object == 0 ? of_data : of_flags;
          if (event.kind == kFence) event.fences = {random() % 4 != 0, random() % 4 != 0};
        }
        compare(bench, {places, std::move(events)});
      });
    }
  CHECK(bench.runs() > 3000);
}

TEST_CASE("litmus: any accesses, atomics and fences of up to four work-items") {
  Bench bench;
  std::mt19937 random(3);
  std::uint32_t races = 0;
  for (int round = 0; round < 6000; ++round) {
    Execution execution{kPlaces[random() % std::size(kPlaces)], {}};
    const std::uint32_t threads = 2 + random() % 3, count = 3 + random() % 10;
    const Scope usual = kScopes[random() % 3];
    for (std::uint32_t i = 0; i < count; ++i) {
      Event event = plain(random() % threads, static_cast<Kind>(random() % 6), 0);
      event.space = kSpaces[random() % 2];
      const auto orders = orders_of(event.kind);
      event.order = orders[random() % orders.size()];
      // Plain accesses are of other objects than atomics, but for few.
      event.object = event.is_atomic() || random() % 16 == 0 ? 2 + random() % 2 : random() % 2;
      event.scope = random() % 8 == 0 ? kScopes[random() % 3] : usual;
      if (event.kind == kFence) event.fences = {random() % 4 != 0, random() % 4 != 0};
      execution.events.push_back(event);
    }
    races += Verdict(as_counted(execution)).races() ? 1 : 0;
    compare(bench, std::move(execution));
  }
  CHECK(races > 1000);
  CHECK(races < 5500);
}

}  // namespace
}  // namespace transpire::test
