// What findings say of misaligned accesses: which alignment was expected, whatever instruction makes them.
#include <cstring>

#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

/// All a byte behind what is aligned.
const std::string kMisaligned =
    text_of(ObservedModule{.imports = "OpCapability Int8\nOpCapability Groups",
                           .names = "OpName %list \"list\"\nOpName %a \"a\"",
                           .declarations = R"(
      %uchar = OpTypeInt 8 0
     %ulong1 = OpConstant %ulong 1
     %puchar = OpTypePointer CrossWorkgroup %uchar
        %u16 = OpConstant %uint 16
      %bytes = OpTypeArray %uchar %u16
     %fbytes = OpTypePointer Function %bytes
     %fuchar = OpTypePointer Function %uchar
      %event = OpTypeEvent
     %fevent = OpTypePointer Function %event
       %zero = OpConstantNull %bytes
)",
                           .functions = R"(
          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
       %list = OpVariable %fbytes Function %zero
     %a_byte = OpBitcast %puchar %a
       %next = OpInBoundsPtrAccessChain %puchar %a_byte %ulong1
         %at = OpBitcast %puint %next
          %v = OpLoad %uint %at Aligned 4
          %r = OpAtomicIAdd %uint %at %u1 %u0 %u1
    %in_list = OpInBoundsAccessChain %fuchar %list %u1
     %events = OpBitcast %fevent %in_list
               OpGroupWaitEvents %u2 %u1 %events
               OpReturn
               OpFunctionEnd
)"});

/// Adds 1 to what the argument points to, then exchanges 7 for itself in the next one.
const std::string kCount = text_of(ObservedModule{.functions = R"(
          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
          %r = OpAtomicIAdd %uint %a %u1 %u0 %u1
       %next = OpInBoundsPtrAccessChain %puint %a %u1
          %x = OpAtomicExchange %uint %next %u1 %u0 %r
          %l = OpAtomicLoad %uint %a %u1 %u0
               OpReturn
               OpFunctionEnd
)"});

}  // namespace

TEST_CASE("atomics on memory that the host has not aligned") {
  const Module module = load(kCount);
  constexpr std::uint32_t kItems = 4096;
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer whole = make_buffer(64, "whole");
    Launch launch = make_launch(module, "k", kItems, 64,
                                {Argument::buffer(whole.slice(2, 32, "part").value())});
    launch.reference = reference;
    CHECK(run(make_device(3, isa), launch).findings.empty());
    std::uint32_t count = 0, last = 0;
    std::memcpy(&count, whole.as<std::byte>().data() + 2, 4);
    std::memcpy(&last, whole.as<std::byte>().data() + 6, 4);
    CHECK(count == kItems);
    CHECK(last < kItems);
  });
}

TEST_CASE("misaligned accesses say which alignment was expected") {
  const Module module = load(kMisaligned);
  on_each_path([&](const std::string& isa, bool reference) {
    Launch launch = make_launch(module, "k", 1, 1, {Argument::buffer(make_buffer(16, "a"))});
    launch.reference = reference;
    std::vector<std::string> messages;
    for (const Finding& finding : run(make_device(1, isa), launch).findings)
      if (finding.diagnostic.rule == "TSP-R0023") messages.push_back(finding.diagnostic.message);
    CHECK(messages ==
          std::vector<std::string>{
              "misaligned 4-byte load at offset 1 of buffer 'a': expected a multiple of 4",
              "misaligned 4-byte atomic access at offset 1 of buffer 'a': expected a multiple of 4",
              "misaligned 8-byte access at offset 1 of private variable 'list': expected a "
              "multiple of 8"});
  });
}

}  // namespace transpire::test
