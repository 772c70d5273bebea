// Observers are told what a kernel does, and change nothing of it: all events in their order, and each call in the one that
// it was made from, whatever control flow it stands in and has itself.
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
constexpr std::string_view kCalls = R"(
function %uint twice(%uint v)
%sum = OpIAdd %uint %v %v
OpReturnValue %sum
kernel k(%_ptr_CrossWorkgroup_uint a)
%at = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %gid
%old = load %at
%new = OpFunctionCall %uint %twice %old
OpControlBarrier %uint_2 %uint_2 %uint_528
store %at %new
)";

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

Buffer numbers_from_10(std::uint32_t count) {
  Buffer buffer = make_buffer(count * 4);
  for (std::uint32_t i = 0; i < count; ++i) buffer.as<std::uint32_t>()[i] = i + 10;
  return buffer;
}

/// Functions of which each adds to a[] where one sees it, by an atomic; and a kernel around calls of them.
constexpr std::string_view kFunctions = R"(
function %void add(%_ptr_CrossWorkgroup_uint add_a)
%add_r = OpAtomicIAdd %uint %add_a %uint_1 %uint_0 %uint_1

function %void twice(%_ptr_CrossWorkgroup_uint twice_a)
%twice1 = OpFunctionCall %void %add %twice_a
%twice2 = OpFunctionCall %void %add %twice_a

function %void tangled(%_ptr_CrossWorkgroup_uint tangled_a, %uint tangled_n)
%odd_n = OpBitwiseAnd %uint %tangled_n %uint_1
%odd = OpIEqual %bool %odd_n %uint_1
OpBranchConditional %odd %left %right
%left = OpLabel
%n_left = OpPhi %uint %tangled_n %entry_of_tangled %n_next %right
%left_r = OpAtomicIAdd %uint %tangled_a %uint_1 %uint_0 %uint_1
OpBranch %right
%right = OpLabel
%n_right = OpPhi %uint %tangled_n %entry_of_tangled %n_left %left
%right_r = OpAtomicIAdd %uint %tangled_a %uint_1 %uint_0 %uint_1
%n_next = OpISub %uint %n_right %uint_1
%more = OpUGreaterThan %bool %n_right %uint_1
OpBranchConditional %more %left %tangled_out
%tangled_out = OpLabel

function %void early(%_ptr_CrossWorkgroup_uint early_a, %uint early_n)
%is_big = OpUGreaterThan %bool %early_n %uint_3
OpBranchConditional %is_big %leave %stay
%leave = OpLabel
OpReturn
%stay = OpLabel
%early_r = OpAtomicIAdd %uint %early_a %uint_1 %uint_0 %uint_1

kernel k(%_ptr_CrossWorkgroup_uint a)
%i32 = OpUConvert %uint %gid
%begin_r = OpAtomicIAdd %uint %a %uint_1 %uint_0 %uint_1
{}
%end_r = OpAtomicIAdd %uint %a %uint_1 %uint_0 %uint_1
)";

/// The calls that each batch is in. Every instruction of the module must stand in the innermost one.
class CallStack final : public vm::Observer {
 public:
  std::string order;  ///< "(" and ")" of calls, "." of atomics
  std::vector<std::string> wrong;
  std::map<std::string, std::uint64_t> work_items;  ///< by function: that executed its atomics

  void called(const Batch& batch, std::uint32_t call) override {
    const vm::Source& source = batch.program->sources[call];
    if (source.op != spv::Op::OpFunctionCall) wrong.push_back("no call");
    if (source.called_from != top(batch)) wrong.push_back("called from elsewhere");
    stack_[&batch].push_back(call);
    order += "(";
  }
  void returned(const Batch& batch, std::uint32_t call) override {
    if (top(batch) != call) wrong.push_back("another call returns");
    if (top(batch) != 0) stack_[&batch].pop_back();
    order += ")";
  }
  void instruction(const Batch& batch, const vm::Inst& instruction) override {
    const vm::Source& source = batch.program->source_of(&instruction);
    if (source.op != spv::Op::OpNop && source.called_from != top(batch))
      wrong.push_back(fmt::format("{} at word {} is in another call",
                                  decoder::opcode_name(source.op), source.word_offset));
    if (source.op != spv::Op::OpAtomicIAdd) return;
    order += ".";
    for_each_running(batch, [&](std::uint32_t) {
      ++work_items[fmt::format("depth {}", stack_[&batch].size())];
    });
  }
  void group_ends(const std::uint64_t*) override {
    for (const auto& [batch, calls] : stack_)
      if (!calls.empty()) wrong.push_back("a call has not returned");
  }

 private:
  std::uint32_t top(const Batch& batch) {
    const std::vector<std::uint32_t>& calls = stack_[&batch];
    return calls.empty() ? 0 : calls.back();
  }
  std::map<const Batch*, std::vector<std::uint32_t>> stack_;
};

/// Runs ten work-items of the kernel with that body everywhere; `order` is empty where it depends on how
/// lanes part.
void check_calls(std::string_view body, const std::string& order, std::uint64_t at_depth_1,
                 std::uint64_t at_depth_2) {
  const Module module = load(fmt::format(kFunctions, body));
  on_each_path([&](const std::string& isa, bool reference) {
    const Buffer a = make_buffer(4);
    Launch launch = make_launch(module, "k", 10, 10, a);
    launch.reference = reference;
    CallStack stack;
    CHECK(watch(launch, stack, isa).findings.empty());
    CHECK(joined(stack.wrong) == "");
    if (!order.empty()) CHECK(stack.order == order);
    CHECK(stack.work_items["depth 0"] == 20);
    CHECK(stack.work_items["depth 1"] == at_depth_1);
    CHECK(stack.work_items["depth 2"] == at_depth_2);
  });
}

TEST_CASE("observer: groups, calls, accesses and barriers come in their order") {
  const Module module = load(kCalls);
  on_each_path([&](const std::string& isa, bool reference) {
    const Buffer numbers = numbers_from_10(4);
    Launch launch = make_launch(module, "k", 4, 2, numbers);
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
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(numbers.as<std::uint32_t>()[i] == 2 * (i + 10));
  });
}

TEST_CASE("observer: an access that is refused is a finding and no event") {
  const Module module = load(kCalls);
  const Buffer numbers = numbers_from_10(3);
  Launch launch = make_launch(module, "k", 4, 4, numbers);
  Log log;
  CHECK(watch(launch, log).findings.size() == 2);
  CHECK(std::count_if(log.lines.begin(), log.lines.end(), [](const std::string& line) {
          return line.starts_with("load") || line.starts_with("store");
        }) == 6);
}

TEST_CASE("observer: several are told of everything, in their order") {
  const Module module = load(kCalls);
  const Buffer numbers = numbers_from_10(4);
  Launch launch = make_launch(module, "k", 4, 2, numbers);
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

TEST_CASE("observed calls stand in the call that they were made from") {
  const struct {
    const char* what;
    std::string_view body, order;
    std::uint64_t at_depth_1, at_depth_2;
  } cases[] = {{"one after the other, and within each other",
                "%c1 = OpFunctionCall %void %add %a\n%c2 = OpFunctionCall %void %twice %a\n",
                ".(.)((.)(.)).", 10, 20},
               {"in a loop", R"(
%loop = OpLabel
%n = OpPhi %uint %uint_0 %entry_of_k %next %loop
%c = OpFunctionCall %void %twice %a
%next = OpIAdd %uint %n %uint_1
%once = OpULessThan %bool %next %uint_3
OpBranchConditional %once %loop %out
%out = OpLabel
)",
                ".((.)(.))((.)(.))((.)(.)).", 0, 60},
               {"by some of the work-items", R"(
%is = OpULessThan %bool %i32 %uint_3
OpBranchConditional %is %then %join
%then = OpLabel
%c = OpFunctionCall %void %twice %a
%join = OpLabel
)",
                ".((.)(.)).", 0, 6},
               {"of a function that some work-items leave early",
                "%c = OpFunctionCall %void %early %a %i32\n", "", 4, 0},
               // From n = 6 on, even: right, then left and right until 1: 1 + 2 * 5 atomics.
               {"of a function with a cycle of two entries",
                "%c = OpFunctionCall %void %tangled %a %uint_6\n", "", 110, 0}};
  for (const auto& each : cases) {
    CAPTURE(std::string(each.what));
    check_calls(each.body, std::string(each.order), each.at_depth_1, each.at_depth_2);
  }
  // By i: a cycle's way is i, 1 at the least, times right, and left in front of each but the first of an
  // even one.
  std::uint64_t atomics = 0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::uint64_t rounds = i == 0 ? 1 : i;
    atomics += 2 * rounds - (i % 2 == 0 ? 1 : 0);
  }
  check_calls("%c = OpFunctionCall %void %tangled %a %i32\n", "", atomics, 0);
}

}  // namespace
}  // namespace transpire::test
