#include "tests/runtime/support.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

namespace transpire::test {

const std::string_view kSaxpy = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %saxpy "saxpy" %gid
               OpSource OpenCL_C 102000
       %file = OpString "saxpy.cl"
               OpName %y "y"
               OpName %x "x"
               OpName %a "a"
               OpDecorate %gid BuiltIn GlobalInvocationId
               OpDecorate %gid Constant
               OpDecorate %x FuncParamAttr NoWrite
       %void = OpTypeVoid
      %ulong = OpTypeInt 64 0
      %float = OpTypeFloat 32
     %ulong3 = OpTypeVector %ulong 3
    %pulong3 = OpTypePointer Input %ulong3
     %pfloat = OpTypePointer CrossWorkgroup %float
         %fn = OpTypeFunction %void %pfloat %pfloat %float
        %gid = OpVariable %pulong3 Input
      %saxpy = OpFunction %void None %fn
          %y = OpFunctionParameter %pfloat
          %x = OpFunctionParameter %pfloat
          %a = OpFunctionParameter %float
      %entry = OpLabel
               OpLine %file 3 5
         %id = OpLoad %ulong3 %gid
          %i = OpCompositeExtract %ulong %id 0
         %px = OpInBoundsPtrAccessChain %pfloat %x %i
         %py = OpInBoundsPtrAccessChain %pfloat %y %i
         %vx = OpLoad %float %px Aligned 4
         %vy = OpLoad %float %py Aligned 4
         %ax = OpFMul %float %a %vx
        %sum = OpFAdd %float %vy %ax
               OpStore %py %sum Aligned 4
               OpReturn
               OpFunctionEnd
)";

const std::string_view kShapes = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int8
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %shapes "shapes"
               OpEntryPoint Kernel %fixed "fixed"
               OpExecutionMode %fixed LocalSize 8 4 1
               OpSource OpenCL_C 200000
               OpName %Particle "struct.Particle"
               OpMemberName %Particle 0 "position"
               OpMemberName %Particle 1 "id"
               OpName %p "p"
               OpName %v "v"
               OpName %by_value "by_value"
               OpName %scratch "scratch"
               OpName %width "width"
               OpDecorate %by_value FuncParamAttr ByVal
               OpDecorate %width SpecId 7
       %void = OpTypeVoid
      %uchar = OpTypeInt 8 0
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %uint3 = OpTypeVector %uint 3
     %float4 = OpTypeVector %float 4
      %width = OpSpecConstant %uint 16
   %Particle = OpTypeStruct %float4 %uchar
  %pParticle = OpTypePointer CrossWorkgroup %Particle
  %fParticle = OpTypePointer Function %Particle
     %wuint = OpTypePointer Workgroup %uint
         %fn = OpTypeFunction %void %pParticle %uint3 %fParticle %wuint
       %none = OpTypeFunction %void
     %shapes = OpFunction %void None %fn
          %p = OpFunctionParameter %pParticle
          %v = OpFunctionParameter %uint3
   %by_value = OpFunctionParameter %fParticle
    %scratch = OpFunctionParameter %wuint
          %1 = OpLabel
               OpReturn
               OpFunctionEnd
      %fixed = OpFunction %void None %none
          %2 = OpLabel
               OpReturn
               OpFunctionEnd
)";

const std::string_view kCounter = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %count "count"
               OpName %counter "counter"
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
      %puint = OpTypePointer CrossWorkgroup %uint
         %fn = OpTypeFunction %void %puint
        %one = OpConstant %uint 1
       %five = OpConstant %uint 5
    %counter = OpVariable %puint CrossWorkgroup %five
      %count = OpFunction %void None %fn
      %total = OpFunctionParameter %puint
      %entry = OpLabel
      %value = OpLoad %uint %counter Aligned 4
               OpStore %total %value Aligned 4
       %next = OpIAdd %uint %value %one
               OpStore %counter %next Aligned 4
               OpReturn
               OpFunctionEnd
)";

Module load(std::string_view text, LoadOptions options) {
  Result<Module> module = Module::load(std::as_bytes(std::span(text)), options);
  if (!module) FAIL(format(module.errors()[0]));
  return std::move(module).value();
}

Buffer make_buffer(std::uint64_t bytes, std::string name) {
  return Buffer::create(bytes, std::move(name)).value();
}

TemporaryFile::TemporaryFile(const std::string& suffix, std::string_view text)
    : path_((std::filesystem::temp_directory_path() / "transpire-test-XXXXXX").string() + suffix) {
  const int descriptor = mkstemps(path_.data(), static_cast<int>(suffix.size()));
  REQUIRE(descriptor >= 0);
  close(descriptor);
  std::ofstream(path_, std::ios::binary) << text;
}

TemporaryFile::~TemporaryFile() { std::filesystem::remove(path_); }

Device make_device(unsigned threads, std::string isa) {
  Result<Device> device = Device::create({std::move(isa), threads});
  if (!device) FAIL(format(device.errors()[0]));
  return std::move(device).value();
}

std::optional<Module> compile(std::string name, std::string_view source) {
  const TemporaryFile file(".cl", source);
  LoadOptions options;
  options.name = std::move(name);
  options.build_options = {"-cl-std=CL2.0"};
  Result<Module> loaded = Module::load_file(file.path(), options);
  if (loaded.ok()) return *loaded;
  if (loaded.errors()[0].rule != "TSP-C0031") FAIL(format(loaded.errors()[0]));
  return std::nullopt;
}

Launch make_launch(const Module& module, const std::string& kernel, std::uint64_t global,
                   std::uint64_t local, std::vector<Argument> arguments) {
  Launch launch(module, kernel);
  launch.geometry.global_size = {global, 1, 1};
  if (local != 0) launch.geometry.local_size = {local, 1, 1};
  launch.arguments = std::move(arguments);
  return launch;
}

LaunchResult run(const Device& device, const Launch& launch) {
  Result<LaunchResult> result = device.run(launch);
  if (!result) FAIL(format(result.errors()[0]));
  return std::move(result).value();
}

}  // namespace transpire::test
