// Calls as observers are told of them: each in the one that it was made from, whatever control flow it
// stands in and has itself.
#include <map>

#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

using vm::exec::Batch;

/// kernel k(global uint* a): every function adds to a[] where one sees it, by an atomic.
constexpr std::string_view kBegin = R"(
        %add = OpFunction %void None %fn
      %add_a = OpFunctionParameter %puint
   %add_body = OpLabel
      %add_r = OpAtomicIAdd %uint %add_a %u1 %u0 %u1
               OpReturn
               OpFunctionEnd

      %twice = OpFunction %void None %fn
    %twice_a = OpFunctionParameter %puint
 %twice_body = OpLabel
     %twice1 = OpFunctionCall %void %add %twice_a
     %twice2 = OpFunctionCall %void %add %twice_a
               OpReturn
               OpFunctionEnd

    %tangled = OpFunction %void None %with_fn
  %tangled_a = OpFunctionParameter %puint
  %tangled_n = OpFunctionParameter %uint
 %tangled_in = OpLabel
      %odd_n = OpBitwiseAnd %uint %tangled_n %u1
        %odd = OpIEqual %bool %odd_n %u1
               OpBranchConditional %odd %left %right
       %left = OpLabel
    %n_left  = OpPhi %uint %tangled_n %tangled_in %n_next %right
    %left_r  = OpAtomicIAdd %uint %tangled_a %u1 %u0 %u1
               OpBranch %right
      %right = OpLabel
    %n_right = OpPhi %uint %tangled_n %tangled_in %n_left %left
    %right_r = OpAtomicIAdd %uint %tangled_a %u1 %u0 %u1
     %n_next = OpISub %uint %n_right %u1
       %more = OpUGreaterThan %bool %n_right %u1
               OpBranchConditional %more %left %tangled_out
%tangled_out = OpLabel
               OpReturn
               OpFunctionEnd

      %early = OpFunction %void None %with_fn
    %early_a = OpFunctionParameter %puint
    %early_n = OpFunctionParameter %uint
 %early_body = OpLabel
     %is_big = OpUGreaterThan %bool %early_n %u3
               OpBranchConditional %is_big %leave %stay
      %leave = OpLabel
               OpReturn
       %stay = OpLabel
    %early_r = OpAtomicIAdd %uint %early_a %u1 %u0 %u1
               OpReturn
               OpFunctionEnd

          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
    %begin_r = OpAtomicIAdd %uint %a %u1 %u0 %u1
)";
constexpr std::string_view kEnd = R"(
      %end_r = OpAtomicIAdd %uint %a %u1 %u0 %u1
               OpReturn
               OpFunctionEnd
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
void check(std::string_view body, const std::string& order, std::uint64_t at_depth_1,
           std::uint64_t at_depth_2) {
  const Module module = load(text_of(
      ObservedModule{.declarations = "%with_fn = OpTypeFunction %void %puint %uint\n",
                     .functions = fmt::format("{}{}{}{}", kBegin, kObservedIds, body, kEnd)}));
  on_each_path([&](const std::string& isa, bool reference) {
    const Buffer a = make_buffer(4);
    Launch launch = make_launch(module, "k", 10, 10, {Argument::buffer(a)});
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

}  // namespace

TEST_CASE("observed calls: one after the other, and within each other") {
  check("%c1 = OpFunctionCall %void %add %a\n%c2 = OpFunctionCall %void %twice %a\n",
        ".(.)((.)(.)).", 10, 20);
}

TEST_CASE("observed calls: in a loop") {
  check(R"(
               OpBranch %loop
       %loop = OpLabel
          %n = OpPhi %uint %u0 %entry %next %loop
          %c = OpFunctionCall %void %twice %a
       %next = OpIAdd %uint %n %u1
       %once = OpULessThan %bool %next %u3
               OpBranchConditional %once %loop %out
        %out = OpLabel
)",
        ".((.)(.))((.)(.))((.)(.)).", 0, 60);
}

TEST_CASE("observed calls: by some of the work-items") {
  check(R"(
         %is = OpULessThan %bool %i32 %u3
               OpBranchConditional %is %then %join
       %then = OpLabel
          %c = OpFunctionCall %void %twice %a
               OpBranch %join
       %join = OpLabel
)",
        ".((.)(.)).", 0, 6);
}

TEST_CASE("observed calls: of a function that some work-items leave early") {
  check("%c = OpFunctionCall %void %early %a %i32\n", "", 4, 0);
}

TEST_CASE("observed calls: of a function with a cycle of two entries") {
  // From n = 6 on, even: right, then left and right until 1: 1 + 2 * 5 atomics.
  check("%c = OpFunctionCall %void %tangled %a %u6\n", "", 110, 0);
  // By i: a cycle's way is i, 1 at the least, times right, and left in front of each but the first of an
  // even one.
  std::uint64_t atomics = 0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::uint64_t rounds = i == 0 ? 1 : i;
    atomics += 2 * rounds - (i % 2 == 0 ? 1 : 0);
  }
  check("%c = OpFunctionCall %void %tangled %a %i32\n", "", atomics, 0);
}

}  // namespace transpire::test
