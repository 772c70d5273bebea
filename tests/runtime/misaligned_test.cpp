// What findings say of misaligned accesses: which alignment was expected, whatever instruction makes them.
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

}  // namespace

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
