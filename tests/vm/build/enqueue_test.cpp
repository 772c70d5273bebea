// Device-side enqueue as LIR: ND-ranges and local sizes as values and by pointers, and what is refused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/vm/build/support.h"
#include "vm/lir/lir.h"

namespace transpire::test {
namespace {

const std::string kDeclarations = R"(
OpCapability DeviceEnqueue
OpCapability SubgroupDispatch
%three = OpConstant %int 3
%sizes = OpTypeArray %long %three
%ndrange = OpTypeStruct %int %sizes %sizes %sizes
%f_ndrange = OpTypePointer Function %ndrange
%pair = OpTypeArray %long %int_2
%pair_1 = OpConstantComposite %pair %long_1 %long_1
%four = OpTypeArray %long %int_4
%four_1 = OpConstantComposite %four %long_1 %long_1 %long_1 %long_1
%queue = OpTypeQueue
%event = OpTypeDeviceEvent
%x_event = OpTypePointer Generic %event
%no_event = OpConstantNull %x_event
%block = OpConstantNull %x_char
%takes_block = OpTypeFunction %void %x_char
%takes_local = OpTypeFunction %void %x_char %w_char
%takes_global = OpTypeFunction %void %x_char %g_char
%takes_int = OpTypeFunction %void %int
%takes_only_local = OpTypeFunction %void %w_char
%takes_own = OpTypeFunction %void %f_char
%takes_nothing = OpTypeFunction %void
kernel %g_int %out, %x_event %events
)";

std::string function(const char* name, const char* type, const char* first = nullptr,
                     const char* second = nullptr) {
  std::string text = fmt::format("%{} = OpFunction %void None %{}\n", name, type);
  if (first != nullptr) text += fmt::format("%{}_a = OpFunctionParameter %{}\n", name, first);
  if (second != nullptr) text += fmt::format("%{}_b = OpFunctionParameter %{}\n", name, second);
  return text + fmt::format("%{}_entry = OpLabel\nOpReturn\nOpFunctionEnd\n", name);
}

std::string kernel(const std::string& body) {
  return kDeclarations + body + '\n' + function("plain", "takes_block", "x_char") +
         function("with_local", "takes_local", "x_char", "w_char") +
         function("with_global", "takes_global", "x_char", "g_char") +
         function("with_int", "takes_int", "int") +
         function("only_local", "takes_only_local", "w_char") +
         function("own", "takes_own", "f_char") + function("without", "takes_nothing");
}

/// The kernel whose OpEnqueueKernel has these operands from Invoke on, behind an ND-range.
std::string enqueueing(const std::string& rest, const std::string& range = "%range",
                       const std::string& events = "%int_0 %no_event %no_event") {
  return kernel(
      fmt::format("%variable = OpVariable %f_ndrange Function\n"
                  "%amount = OpVariable %f_long Function\n"
                  "%q = OpGetDefaultQueue %queue\n"
                  "%range = OpBuildNDRange %ndrange %long_4 %long_2 %long_1\n"
                  "%two = OpCompositeConstruct %v2int %int_1 %int_1\n"
                  "%rc = OpEnqueueKernel %int %q %int_0 {} {} {}",
                  range, events, rest));
}

const lir::Value* find(const lir::Function& function, Op op) {
  const auto found = std::ranges::find(function.values, op, &lir::Value::op);
  return found == function.values.end() ? nullptr : &*found;
}

TEST_CASE("enqueue: values and pointers to them are the same operands") {
  for (const char* range : {"%range", "%variable"})
    for (const char* size : {"%int_8", "%long_8", "%amount"}) {
      CAPTURE(std::string(range));
      CAPTURE(std::string(size));
      const lir::Function built_kernel =
          built(enqueueing(fmt::format("%with_local %block %int_8 %int_8 {}", size), range));
      CHECK(built_kernel.uses_queue);
      const lir::Value* const enqueue = find(built_kernel, Op::kEnqueueKernel);
      REQUIRE(enqueue != nullptr);
      CHECK(enqueue->args.size() == EnqueueInfo::kLocalSizes + 1);
      REQUIRE(built_kernel.enqueues.size() == 1);
      CHECK(built_kernel.enqueues[0].local_sizes == 1);
      CHECK(built_kernel.enqueues[0].event_bytes == 8);
      for (std::size_t i = EnqueueInfo::kOffset; i < enqueue->args.size(); ++i) {
        const Kind kind = built_kernel.values[enqueue->args[i]].kind;
        CHECK(kind == Kind::kI64);
      }
    }
}

TEST_CASE("enqueue: an enqueued function takes a block and local memory") {
  const char* const expected = "an enqueued function takes a pointer, and others to local memory";
  for (const char* name : {"with_global", "with_int", "without"}) {
    CAPTURE(std::string(name));
    const std::string rest = fmt::format("%{} %block %int_8 %int_8", name);
    CHECK(refusal(enqueueing(rest)).ends_with(expected));
    const std::string query =
        fmt::format("%n = OpGetKernelWorkGroupSize %int %{} %block %int_8 %int_8", name);
    CHECK(refusal(kernel(query)).ends_with(expected));
  }
  CHECK(
      refusal(enqueueing("%plain %block %int_8 %int_8 %int_8"))
          .ends_with("OpEnqueueKernel has another number of local sizes than its function takes"));
  CHECK(
      refusal(enqueueing("%with_local %block %int_8 %int_8"))
          .ends_with("OpEnqueueKernel has another number of local sizes than its function takes"));
}

TEST_CASE("enqueue: a block in private or local memory is refused by name") {
  for (const auto& [name, memory] : {std::pair{"own", "Function"}, {"only_local", "Workgroup"}}) {
    const std::string expected = fmt::format(
        "a function whose first parameter points to {} memory is not supported", memory);
    CHECK(refusal(enqueueing(fmt::format("%{} %block %int_8 %int_8", name))).ends_with(expected));
    CHECK(refusal(kernel(fmt::format("%n = OpGetKernelWorkGroupSize %int %{} %block %int_8 %int_8",
                                     name)))
              .ends_with(expected));
  }
}

TEST_CASE("enqueue: operands that do not fit are refused") {
  CHECK(refusal(enqueueing("%plain %int_8 %int_8 %int_8")).ends_with("the operand is no pointer"));
  CHECK(refusal(enqueueing("%with_local %block %int_8 %int_8 %two"))
            .ends_with("a local size is a scalar"));
  for (const char* range : {"%int_3", "%two", "%amount", "%pair_1"})
    CHECK(refusal(enqueueing("%plain %block %int_8 %int_8", range))
              .ends_with("the operand is no ND-range"));
  CHECK(refusal(enqueueing("%plain %block %int_8 %int_8", "%range", "%int_0 %int_0 %no_event"))
            .ends_with("the operand is no pointer"));
  CHECK(refusal(enqueueing("%plain %block %int_8 %int_8", "%range", "%int_0 %no_event %int_0"))
            .ends_with("the operand is no pointer"));
  CHECK(refusal(kernel("%q = OpGetDefaultQueue %queue\n"
                       "%rc = OpEnqueueMarker %int %q %int_1 %events %int_0"))
            .ends_with("the operand is no pointer"));
}

TEST_CASE("enqueue: an ND-range is built of one to three dimensions, all as many") {
  const auto build = [](const char* operands, const char* type = "%ndrange") {
    return kernel(fmt::format("%range = OpBuildNDRange {} {}", type, operands));
  };
  built(build("%long_4 %long_2 %long_1"));
  built(build("%pair_1 %pair_1 %pair_1"));
  const char* const expected = "the sizes of an ND-range have 1 to 3 dimensions, all as many";
  CHECK(refusal(build("%long_4 %pair_1 %long_1")).ends_with(expected));
  CHECK(refusal(build("%pair_1 %pair_1 %long_1")).ends_with(expected));
  CHECK(refusal(build("%four_1 %four_1 %four_1")).ends_with(expected));
  CHECK(refusal(build("%long_4 %long_2 %long_1", "%pair")).ends_with("the result is no ND-range"));
  CHECK(refusal(build("%long_4 %long_2 %long_1", "%long")).ends_with("the result is no ND-range"));
}

TEST_CASE("enqueue: queries are numbers where lowering knows them") {
  const auto query = [](const std::string& text) {
    return built(kernel("%range = OpBuildNDRange %ndrange %long_4 %long_2 %long_1\n%n = " + text +
                        " %plain %block %int_8 %int_8\nOpStore %out %n"));
  };
  for (const char* text :
       {"OpGetKernelWorkGroupSize %int", "OpGetKernelPreferredWorkGroupSizeMultiple %int",
        "OpGetKernelNDrangeMaxSubGroupSize %int %range", "OpGetKernelMaxNumSubgroups %int"}) {
    CAPTURE(std::string(text));
    const lir::Function built_kernel = query(text);
    CHECK_FALSE(built_kernel.uses_queue);
    const lir::Value* const store = find(built_kernel, Op::kStore);
    REQUIRE(store != nullptr);
    CHECK(std::ranges::any_of(store->args, [&](lir::ValueId id) {
      return built_kernel.values[id].op == Op::kConst && built_kernel.values[id].imm != 0;
    }));
  }
  query("OpGetKernelNDrangeSubGroupCount %int %range");
  query("OpGetKernelLocalSizeForSubgroupCount %int %int_2");
}

}  // namespace
}  // namespace transpire::test
