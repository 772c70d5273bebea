// Launches of kernels that clspv compiled, through the library: watched runs, regions, limits.
#include <fmt/format.h>

#include "tests/runtime/support.h"
#include "transpire/watch.hpp"

namespace transpire::test {
namespace {

/// kernel void add(global uint *out) { out[i & mask] += i + 1; printf("%u;", i); }, i: the global id. `more`: further facts.
std::string adding(const std::string& more = "", std::uint32_t mask = 255) {
  return fmt::format(R"(OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %add "add" %ids
OpSource OpenCL_C 120
%none = OpString ""
%name = OpString "add"
%format = OpString "%u;"
OpDecorate %ids BuiltIn GlobalInvocationId
OpDecorate %group_size BuiltIn WorkgroupSize
OpDecorate %size_x SpecId 0
OpDecorate %size_y SpecId 1
OpDecorate %size_z SpecId 2
OpDecorate %uints ArrayStride 4
OpMemberDecorate %Buffer 0 Offset 0
OpDecorate %Buffer Block
OpMemberDecorate %Pushed 0 Offset 0
OpDecorate %Pushed Block
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %printed DescriptorSet 0
OpDecorate %printed Binding 1
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%4 = OpConstant %uint 4
%12 = OpConstant %uint 12
%256 = OpConstant %uint 256
%mask = OpConstant %uint {}
%size_x = OpSpecConstant %uint 1
%size_y = OpSpecConstant %uint 1
%size_z = OpSpecConstant %uint 1
%group_size = OpSpecConstantComposite %v3uint %size_x %size_y %size_z
%uints = OpTypeRuntimeArray %uint
%Buffer = OpTypeStruct %uints
%Pushed = OpTypeStruct %v3uint
%to_buffer = OpTypePointer StorageBuffer %Buffer
%to_element = OpTypePointer StorageBuffer %uint
%to_pushed = OpTypePointer PushConstant %Pushed
%to_number = OpTypePointer PushConstant %uint
%to_ids = OpTypePointer Input %v3uint
%to_id = OpTypePointer Input %uint
%ids = OpVariable %to_ids Input
%out = OpVariable %to_buffer StorageBuffer
%printed = OpVariable %to_buffer StorageBuffer
%pushed = OpVariable %to_pushed PushConstant
%add = OpFunction %void None %type
%entry = OpLabel
%at_id = OpAccessChain %to_id %ids %0
%here = OpLoad %uint %at_id
%at_first = OpAccessChain %to_number %pushed %0 %0
%first = OpLoad %uint %at_first
%i = OpIAdd %uint %here %first
%place = OpBitwiseAnd %uint %i %mask
%at = OpAccessChain %to_element %out %0 %place
%old = OpLoad %uint %at
%more = OpIAdd %uint %i %1
%new = OpIAdd %uint %old %more
OpStore %at %new
%count = OpAccessChain %to_element %printed %0 %0
%taken = OpAtomicIAdd %uint %count %1 %0 %2
%n = OpIAdd %uint %taken %1
%at_n = OpAccessChain %to_element %printed %0 %n
OpStore %at_n %0
%m = OpIAdd %uint %taken %2
%at_m = OpAccessChain %to_element %printed %0 %m
OpStore %at_m %i
OpReturn
OpFunctionEnd
%k = OpExtInst %void %set Kernel %add %name %1 %0 %none
%out_is = OpExtInst %void %set ArgumentStorageBuffer %k %0 %0 %0
%text = OpExtInst %void %set PrintfInfo %0 %format %4
%buffer = OpExtInst %void %set PrintfBufferStorageBuffer %0 %1 %256
%sizes = OpExtInst %void %set SpecConstantWorkgroupSize %0 %1 %2
%region = OpExtInst %void %set PushConstantRegionOffset %0 %12
{})",
                     mask, more);
}

/// Counts accesses.
class Counter : public Watch {
 public:
  int accesses = 0;
  Answer access(const WatchAccess&) override {
    ++accesses;
    return Answer::kStop;
  }
};

TEST_CASE("a watched run of one region goes back to its beginning") {
  const Device device = make_device();
  const Buffer out = make_buffer(64, "out");
  Launch launch = make_launch(load(adding()), "add", 4, 2, out);
  Counter counter;
  launch.watch = &counter;
  auto watched = WatchedRun::create(device, launch);
  REQUIRE(watched);
  const auto finish = [&] {
    while (watched->go_on()) {
    }
    REQUIRE(watched->result() != nullptr);
    REQUIRE(*watched->result());
    CHECK((*watched->result())->printf_output == "0;1;2;3;");
    CHECK((*watched->result())->work_items == 4);
    CHECK(out.as<std::uint32_t>()[3] == 4);
  };
  finish();
  CHECK(counter.accesses == 4 * 5);
  CHECK(watched->go_to(5));
  finish();
}

TEST_CASE("a watched run is refused: arguments that do not fit, several regions") {
  const Device device = make_device();
  const Buffer out = make_buffer(64, "out");
  const auto refusal = [&](Launch launch) {
    Counter counter;
    launch.watch = &counter;
    auto watched = WatchedRun::create(device, launch);
    REQUIRE(watched);
    CHECK_FALSE(watched->go_on());
    REQUIRE(watched->result() != nullptr);
    REQUIRE_FALSE(*watched->result());
    return watched->result()->errors()[0];
  };
  Launch launch = make_launch(load(adding()), "add", 4, 2, out);
  CHECK(refusal(make_launch(launch.module, "add", 5, 2, out)).message ==
        "the launch of kernel 'add' becomes 2 launches of its shader, and a watched run of several "
        "is not supported");
  launch.arguments.clear();
  CHECK(refusal(launch).message == "expected 1 argument of kernel 'add', found 0");
}

}  // namespace
}  // namespace transpire::test
