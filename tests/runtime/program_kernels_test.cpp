// Initializer and finalizer kernels through the public API.
#include <thread>
#include <vector>

#include "runtime/state.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// Initializer `begin` counts its runs in a program-scope variable, `wild` goes wrong there as well when it is
/// specialised to; `look` adds the variable to every element; finalizer `end` says goodbye.
constexpr std::string_view kProgram = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
     %printf = OpExtInstImport "OpenCL.std"
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %begin "begin"
               OpEntryPoint Kernel %look "look"
               OpEntryPoint Kernel %end "end"
               OpExecutionMode %begin Initializer
               OpExecutionMode %end Finalizer
               OpName %counter "counter"
               OpDecorate %rounds SpecId 1
               OpDecorate %wild SpecId 2
       %void = OpTypeVoid
       %bool = OpTypeBool
      %uchar = OpTypeInt 8 0
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
     %g_uint = OpTypePointer CrossWorkgroup %uint
       %none = OpTypeFunction %void
       %some = OpTypeFunction %void %g_uint
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
    %ulong_9 = OpConstant %ulong 9
     %rounds = OpSpecConstant %uint 1
       %wild = OpSpecConstantFalse %bool
   %uint_bye = OpConstant %ulong 4
       %text = OpTypeArray %uchar %uint_bye
          %b = OpConstant %uchar 98
          %y = OpConstant %uchar 121
          %e = OpConstant %uchar 101
       %zero = OpConstant %uchar 0
        %bye = OpConstantComposite %text %b %y %e %zero
     %c_text = OpTypePointer UniformConstant %text
    %c_uchar = OpTypePointer UniformConstant %uchar
   %goodbye  = OpVariable %c_text UniformConstant %bye
    %counter = OpVariable %g_uint CrossWorkgroup %uint_0

      %begin = OpFunction %void None %none
     %begin0 = OpLabel
               OpBranch %loop
       %loop = OpLabel
          %i = OpPhi %uint %uint_0 %begin0 %next %loop
       %next = OpIAdd %uint %i %uint_1
        %old = OpLoad %uint %counter Aligned 4
        %new = OpIAdd %uint %old %uint_1
               OpStore %counter %new Aligned 4
       %more = OpULessThan %bool %next %rounds
               OpBranchConditional %more %loop %after
      %after = OpLabel
               OpBranchConditional %wild %beyond %fine
     %beyond = OpLabel
        %far = OpInBoundsPtrAccessChain %g_uint %counter %ulong_9
               OpStore %far %uint_1 Aligned 4
               OpBranch %fine
       %fine = OpLabel
               OpReturn
               OpFunctionEnd

       %look = OpFunction %void None %some
        %out = OpFunctionParameter %g_uint
      %look0 = OpLabel
       %seen = OpLoad %uint %counter Aligned 4
       %last = OpLoad %uint %out Aligned 4
        %sum = OpIAdd %uint %last %seen
               OpStore %out %sum Aligned 4
               OpReturn
               OpFunctionEnd

        %end = OpFunction %void None %none
       %end0 = OpLabel
      %first = OpBitcast %c_uchar %goodbye
       %said = OpExtInst %uint %printf printf %first
               OpReturn
               OpFunctionEnd
)";

/// kernel store(): stores to a variable of the program, of one MiB, which comes back from the system where the last one was.
constexpr std::string_view kStores = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %store "store"
               OpName %kept "kept"
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
      %count = OpConstant %uint 262144
      %array = OpTypeArray %uint %count
    %g_array = OpTypePointer CrossWorkgroup %array
     %g_uint = OpTypePointer CrossWorkgroup %uint
       %none = OpTypeFunction %void
      %zeros = OpConstantNull %array
       %kept = OpVariable %g_array CrossWorkgroup %zeros
      %store = OpFunction %void None %none
      %entry = OpLabel
      %first = OpInBoundsAccessChain %g_uint %kept %uint_0
               OpStore %first %uint_1 Aligned 4
               OpReturn
               OpFunctionEnd
)";

Module specialised(std::uint32_t spec_id, std::uint64_t bits) {
  LoadOptions options;
  options.specialisation = {{spec_id, bits}};
  return load(kProgram, options);
}

Launch look(const Module& module, const Buffer& out) {
  Launch launch(module, "look");
  launch.arguments = {Argument::buffer(out)};
  return launch;
}

std::uint32_t first_of(const Buffer& buffer) { return buffer.as<std::uint32_t>()[0]; }

}  // namespace

TEST_CASE("initializers run once for a module and device, finalizers when the caller is done") {
  const Module module = load(kProgram);
  CHECK(module.kernel("begin")->is_initializer);
  CHECK(module.kernel("end")->is_finalizer);
  CHECK_FALSE(module.kernel("look")->is_initializer);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  for (const std::uint32_t sum : {1u, 2u, 3u}) {
    REQUIRE(device.run(look(module, out)).ok());
    CHECK(first_of(out) == sum);
  }
  const auto finished = device.finish(look(module, out));
  REQUIRE(finished.ok());
  CHECK(finished->printf_output == "bye");
  // All is as it was before the first launch.
  const auto again = device.finish(look(module, out));
  REQUIRE(again.ok());
  CHECK(again->printf_output.empty());
  REQUIRE(device.run(look(module, out)).ok());
  CHECK(first_of(out) == 4);
  const Device other = make_device(2);
  REQUIRE(other.run(look(module, out)).ok());
  CHECK(first_of(out) == 5);
}

TEST_CASE("what an initializer does wrong comes with the first launch's result") {
  const Module module = specialised(2, 1);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  const auto first = device.run(look(module, out));
  REQUIRE(first.ok());
  REQUIRE(first->findings.size() == 1);
  CHECK(first->findings[0].diagnostic.rule == "TSP-R0021");
  CHECK(first->findings[0].allocation == "counter");
  CHECK(first->findings[0].diagnostic.notes.back() == "in the initializer 'begin'");
  const auto second = device.run(look(module, out));
  REQUIRE(second.ok());
  CHECK(second->findings.empty());
  CHECK(first_of(out) == 2);
}

TEST_CASE("what an initializer does wrong is told by the next launch, where its own is refused") {
  const Module module = specialised(2, 1);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  Launch refused = look(module, out);
  refused.arguments = {};
  CHECK(error_of(device.run(refused)).starts_with("TSP-C0003"));
  CHECK(error_of(device.run(refused)).starts_with("TSP-C0003"));
  const auto told = device.run(look(module, out));
  REQUIRE(told.ok());
  REQUIRE(told->findings.size() == 1);
  CHECK(told->findings[0].diagnostic.rule == "TSP-R0021");
  CHECK(told->findings[0].diagnostic.notes.back() == "in the initializer 'begin'");
  CHECK(first_of(out) == 1);
  const auto after = device.run(look(module, out));
  REQUIRE(after.ok());
  CHECK(after->findings.empty());
}

TEST_CASE("an initializer that a limit ends keeps kernels from running, and is tried again") {
  const Module module = specialised(1, 1000);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  Launch launch = look(module, out);
  launch.limits.max_steps = 100;
  const auto stopped = device.run(launch);
  REQUIRE(stopped.ok());
  CHECK(stopped->end == LaunchResult::End::kStepLimit);
  CHECK(first_of(out) == 0);
  launch.limits.max_steps = 0;
  REQUIRE(device.run(launch).ok());
  CHECK(first_of(out) > 1000);
}

TEST_CASE("launches side by side wait for the initializers") {
  const Module module = specialised(1, 20000);
  const Device device = make_device();
  std::vector<Buffer> out;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) out.push_back(make_buffer(4));
  for (const Buffer& buffer : out)
    threads.emplace_back([&module, &device, &buffer] {
      if (!device.run(look(module, buffer)).ok()) buffer.as<std::uint32_t>()[0] = 1;
    });
  for (std::thread& thread : threads) thread.join();
  for (const Buffer& buffer : out) CHECK(first_of(buffer) == 20000);
}

TEST_CASE(
    "what a launch did to a variable is no race with another module's that lies there later") {
  // Storage of a module that is done with would be the next one's, were it not kept for the first one's footprint.
  const Device device = make_device();
  std::vector<MemoryUse> uses;
  for (int i = 0; i < 8; ++i) {
    const Module module = load(kStores);
    Launch launch(module, "store");
    launch.check_race = launch.wants_memory_use = true;
    for (int twice = 0; twice < 2; ++twice) {
      const auto result = device.run(launch);
      REQUIRE(result.ok());
      REQUIRE(result->memory_uses.size() == 1);
      uses.push_back(result->memory_uses[0]);
    }
    REQUIRE(device.finish(launch).ok());
  }
  for (std::size_t later = 1; later < uses.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const bool of_one_module = earlier / 2 == later / 2;
      CHECK(uses[later].races_with(uses[earlier]).size() == (of_one_module ? 1 : 0));
    }
}

Launch saxpy_of_16(const Module& module) {
  const Buffer y = make_buffer(64), x = make_buffer(64);
  return make_launch(module, "saxpy", 16, 0,
                     {Argument::buffer(y), Argument::buffer(x), Argument::value(3.0f)});
}

TEST_CASE("races between launches name both work-items, and what orders the two") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  launch.check_race = launch.wants_memory_use = true;
  const auto first = device.run(launch), second = device.run(launch);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  REQUIRE(first->memory_uses.size() == 1);
  const std::string item = "global (0,0,0), group (0,0,0), local (0,0,0)";
  const auto is_told = [](const Finding& finding, std::string_view begin, std::string_view end) {
    return std::ranges::any_of(finding.diagnostic.notes, [&](const std::string& note) {
      return note.starts_with(begin) && note.ends_with(end);
    });
  };
  const std::vector<Finding> found = second->memory_uses[0].races_with(first->memory_uses[0]);
  REQUIRE(!found.empty());
  for (const Finding& each : found) {
    CHECK(each.diagnostic.rule == "TSP-R0102");
    CHECK(is_told(each, "work-item: ", item));
    CHECK(is_told(each, "races with: ", " in 'saxpy' by work-item " + item));
    CHECK(each.diagnostic.help.starts_with("the event of the one in the wait list of the other"));
  }
  const auto bytes = launch.arguments[0].memory->state()->data;
  const std::vector<Finding> beside =
      first->memory_uses[0].races_with({bytes, 64}, true, "clEnqueueWriteBuffer");
  REQUIRE(!beside.empty());
  CHECK(is_told(beside[0], "work-item: ", item));
  CHECK(beside[0].diagnostic.help == found[0].diagnostic.help);
}

TEST_CASE("sub-group sizes of a launch are checked") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  for (const std::uint32_t size : {0u, 8u, 16u, 32u, 64u}) {
    launch.subgroup_size = size;
    CHECK(device.run(launch).ok());
  }
  for (const std::uint32_t size : {1u, 24u, 128u}) {
    launch.subgroup_size = size;
    CHECK(error_of(device.run(launch))
              .find("expected sub-groups of 8, 16, 32 or 64 work-items, found") !=
          std::string::npos);
  }
}

TEST_CASE("settings that mean the same run the same program") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  const auto programs = [&](std::uint32_t subgroup_size, bool observed, bool debug_info) {
    launch.subgroup_size = subgroup_size;
    launch.observed = observed;
    launch.debug_info = debug_info;
    REQUIRE(device.run(launch).ok());
    return module.state()->made().size();
  };
  CHECK(programs(0, false, false) == 1);
  CHECK(programs(32, false, false) == 1);
  CHECK(programs(0, false, true) == 1);
  CHECK(programs(16, false, true) == 2);
  CHECK(programs(0, true, false) == 3);
  CHECK(programs(32, true, true) == 4);
}

TEST_CASE(
    "a kernel that says the size of its sub-groups has one program, whatever the launch says") {
  std::string text = "OpCapability SubgroupDispatch\n" + std::string(kSaxpy);
  text.insert(text.find("OpSource"), "OpExecutionMode %saxpy SubgroupSize 8\n");
  const Module module = load(text);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  for (const std::uint32_t size : {0u, 16u, 64u}) {
    launch.subgroup_size = size;
    REQUIRE(device.run(launch).ok());
  }
  CHECK(module.state()->made().size() == 1);
}

TEST_CASE("instructions are counted by work-item") {
  const Module module = load(kSaxpy);
  const Device device = make_device(2);
  const Buffer y = make_buffer(4000), x = make_buffer(4000);
  Launch launch(module, "saxpy");
  launch.geometry.global_size = {1000, 1, 1};
  launch.arguments = {Argument::buffer(y), Argument::buffer(x), Argument::value(3.0f)};
  auto plain = device.run(launch);
  REQUIRE(plain.ok());
  CHECK(plain->instruction_counts.empty());
  launch.count_instructions = true;
  const auto counted = device.run(launch);
  REQUIRE(counted.ok());
  std::uint64_t stores = 0;
  for (const auto& [name, count] : counted->instruction_counts) {
    CHECK(count % 1000 == 0);
    if (name == "OpStore") stores = count;
  }
  CHECK(stores == 1000);
}

}  // namespace transpire::test
