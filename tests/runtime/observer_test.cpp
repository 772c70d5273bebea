// Observers are told what a kernel does, and change nothing of it.
#include "vm/observe/observer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "decoder/grammar.h"
#include "tests/runtime/observed.h"
#include "vm/exec/work_item.h"

namespace transpire::test {
namespace {

using vm::exec::Batch;

/// kernel k(global uint* a): a[i] = twice(a[i]) after a barrier; twice() adds its operand to itself.
constexpr const char* kDeclarations = R"(
  %semantics = OpConstant %uint 528
     %adding = OpTypeFunction %uint %uint
)";
constexpr std::string_view kTwice = R"(
      %twice = OpFunction %uint None %adding
          %v = OpFunctionParameter %uint
       %body = OpLabel
        %sum = OpIAdd %uint %v %v
               OpReturnValue %sum
               OpFunctionEnd
          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
)";
constexpr std::string_view kBody = R"(
         %at = OpInBoundsPtrAccessChain %puint %a %i
        %old = OpLoad %uint %at Aligned 4
        %new = OpFunctionCall %uint %twice %old
               OpControlBarrier %u2 %u2 %semantics
               OpStore %at %new Aligned 4
               OpReturn
               OpFunctionEnd
)";
const std::string kCalls =
    text_of(ObservedModule{.declarations = kDeclarations,
                           .functions = fmt::format("{}{}{}", kTwice, kObservedIds, kBody)});

std::string name_of(const Batch& batch, const vm::Inst& instruction) {
  return std::string(decoder::opcode_name(batch.program->source_of(&instruction).op));
}

/// Everything in its order; accesses by work-item, with what is there.
class Log final : public vm::Observer {
 public:
  std::vector<std::string> lines;
  std::map<std::string, std::uint64_t> executed;  ///< by opcode, times a work-item
  /// Where several logs write what they are told of as one: their numbers and lines.
  std::vector<std::pair<int, std::string>>* together = nullptr;
  int number = 0;

  void group_begins(const std::uint64_t id[3]) override { add("group {} begins", id[0]); }
  void group_ends(const std::uint64_t id[3]) override { add("group {} ends", id[0]); }
  void instruction(const Batch& batch, const vm::Inst& instruction) override {
    for_each_running(batch, [&](std::uint32_t) { ++executed[name_of(batch, instruction)]; });
    tell(name_of(batch, instruction));
  }
  void called(const Batch& batch, std::uint32_t call) override {
    add("called at {}", decoder::opcode_name(batch.program->sources[call].op));
  }
  void returned(const Batch&, std::uint32_t) override { add("returned"); }
  void access(const Batch& batch, const vm::ObservedAccess& access) override {
    std::uint32_t bits = 0;
    std::memcpy(&bits, access.place.base, sizeof bits);
    add("{} {}: {} bytes of {}", access.kind == vm::AccessKind::kLoad ? "load" : "store",
        vm::exec::work_item(batch, access.lane).global_id[0], access.bytes, bits);
  }
  void waits(const Batch& batch, const vm::Inst& barrier) override {
    add("waits at {}", name_of(batch, barrier));
  }
  void meets(const Batch&, const vm::Inst&) override { add("meets"); }
  void stored(const Batch&, const vm::StoredResult& result) override {
    tell(fmt::format("stored {} bytes", result.bytes));
  }

 private:
  void tell(std::string line) {
    if (together != nullptr) together->emplace_back(number, std::move(line));
  }
  template <class... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    lines.push_back(fmt::format(format, std::forward<T>(values)...));
    tell(lines.back());
  }
};

struct Numbers {
  Buffer buffer;
  explicit Numbers(std::uint32_t count) : buffer(make_buffer(count * 4)) {
    for (std::uint32_t i = 0; i < count; ++i) at(i) = i + 10;
  }
  std::uint32_t& at(std::uint32_t i) {
    return reinterpret_cast<std::uint32_t*>(buffer.bytes().data())[i];
  }
};

}  // namespace

TEST_CASE("observer: groups, calls, accesses and barriers come in their order") {
  const Module module = load(kCalls);
  on_each_path([&](const std::string& isa, bool reference) {
    Numbers numbers(4);
    Launch launch = make_launch(module, "k", 4, 2, {Argument::buffer(numbers.buffer)});
    launch.reference = reference;
    Log log;
    watch(launch, log, isa);
    std::vector<std::string> expected;
    for (const std::uint32_t group : {0u, 1u}) {
      const std::uint32_t i = group * 2;
      for (std::string line :
           {fmt::format("group {} begins", group), fmt::format("load {}: 4 bytes of {}", i, i + 10),
            fmt::format("load {}: 4 bytes of {}", i + 1, i + 11),
            std::string("called at OpFunctionCall"), std::string("returned"),
            std::string("waits at OpControlBarrier"), std::string("meets"),
            fmt::format("store {}: 4 bytes of {}", i, i + 10),
            fmt::format("store {}: 4 bytes of {}", i + 1, i + 11),
            fmt::format("group {} ends", group)})
        expected.push_back(std::move(line));
    }
    CHECK(log.lines == expected);
    CHECK(log.executed["OpIAdd"] == 4);
    CHECK(log.executed["OpStore"] == 4);
    CHECK(log.executed["OpControlBarrier"] == 4);
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(numbers.at(i) == 2 * (i + 10));
  });
}

TEST_CASE("observer: an access that is refused is a finding and no event") {
  const Module module = load(kCalls);
  Numbers numbers(3);
  Launch launch = make_launch(module, "k", 4, 4, {Argument::buffer(numbers.buffer)});
  Log log;
  CHECK(watch(launch, log).findings.size() == 2);
  CHECK(std::count_if(log.lines.begin(), log.lines.end(), [](const std::string& line) {
          return line.starts_with("load") || line.starts_with("store");
        }) == 6);
}

TEST_CASE("observer: several are told of everything, in their order") {
  const Module module = load(kCalls);
  Numbers numbers(4);
  Launch launch = make_launch(module, "k", 4, 2, {Argument::buffer(numbers.buffer)});
  launch.results = ResultLog::create();
  std::vector<std::pair<int, std::string>> together;
  Log first, second;
  first.together = second.together = &together;
  first.number = 1;
  second.number = 2;
  vm::CompositeObserver both;
  both.add(&first);
  both.add(&second);
  watch(launch, both);
  CHECK(first.lines.size() == 20);
  CHECK(first.lines == second.lines);
  CHECK(first.executed == second.executed);
  REQUIRE(together.size() % 2 == 0);
  std::set<std::string> kinds;  // by their first words
  for (std::size_t i = 0; i < together.size(); i += 2) {
    CAPTURE(together[i].second);
    CHECK(together[i].first == 1);
    CHECK(together[i + 1].first == 2);
    CHECK(together[i].second == together[i + 1].second);
    kinds.insert(together[i].second.substr(0, together[i].second.find(' ')));
  }
  for (const char* kind :
       {"group", "OpIAdd", "called", "returned", "load", "store", "waits", "meets", "stored"})
    CHECK(kinds.contains(kind));
}

}  // namespace transpire::test
