// Device-side enqueue with operands that no compiler makes: what is wrong with them is a result or a finding, and the launch ends.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// What a kernel with one OpEnqueueKernel says there; each is an operand.
struct Operands {
  std::string flags = "%u0";
  std::string range = "%range";
  std::string events = "%u0 %no_event %no_event";  ///< how many, which, and where its own goes
  std::string invoke = "%child";
  std::string block = "%block";
  std::string bytes = "%u8";
  std::string locals = {};
};

std::string text_of(const Operands& operands, const std::string& before = {},
                    const std::string& behind = {}) {
  std::string text = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability GenericPointer
OpCapability DeviceEnqueue
OpCapability Int8
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpEntryPoint Kernel %again "again"
OpName %out "out"
OpDecorate %import LinkageAttributes "elsewhere" Import
OpDecorate %by_value FuncParamAttr ByVal
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uchar = OpTypeInt 8 0
%ulong = OpTypeInt 64 0
)";
  for (const char* n : {"0", "1", "3", "4", "8", "100", "4294967295"})
    text += fmt::format("%u{0} = OpConstant %uint {0}\n", n);
  for (const char* n : {"0", "1", "2", "4", "5000", "4294967295", "4294967296",
                        "4611686018427387904", "18446744073709551615"})
    text += fmt::format("%s{0} = OpConstant %ulong {0}\n", n);
  text += R"(
%sizes = OpTypeArray %ulong %u3
%all_1 = OpConstantComposite %sizes %s1 %s1 %s1
%all_0 = OpConstantComposite %sizes %s0 %s0 %s0
%mixed = OpConstantComposite %sizes %s1 %s0 %s5000
%huge = OpConstantComposite %sizes %s4294967296 %s4294967296 %s4294967296
%ndrange = OpTypeStruct %uint %sizes %sizes %sizes
%global = OpTypePointer CrossWorkgroup %uint
%bytes = OpTypePointer CrossWorkgroup %uchar
%own_bytes = OpTypePointer Function %uchar
%own_word = OpTypePointer Function %ulong
%local = OpTypePointer Workgroup %uchar
%shared_word = OpTypePointer Workgroup %ulong
%scratch = OpVariable %shared_word Workgroup
%generic = OpTypePointer Generic %uchar
%generic_word = OpTypePointer Generic %ulong
%queue = OpTypeQueue
%event = OpTypeDeviceEvent
%events = OpTypePointer Generic %event
%global_events = OpTypePointer CrossWorkgroup %event
%no_event = OpConstantNull %events
%no_block = OpConstantNull %generic
%fn = OpTypeFunction %void %global
%plain = OpTypeFunction %void %generic
%with_local = OpTypeFunction %void %generic %local
%with_own = OpTypeFunction %void %own_bytes
%import = OpFunction %void None %plain
%import_block = OpFunctionParameter %generic
OpFunctionEnd
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%entry = OpLabel
%own = OpVariable %own_word Function
%raw = OpBitcast %bytes %out
%block = OpPtrCastToGeneric %generic %raw
%beyond_raw = OpPtrAccessChain %bytes %raw %s5000
%beyond = OpPtrCastToGeneric %generic %beyond_raw
%out_events_raw = OpBitcast %global_events %out
%out_events = OpPtrCastToGeneric %events %out_events_raw
%beyond_events_raw = OpBitcast %global_events %beyond_raw
%beyond_events = OpPtrCastToGeneric %events %beyond_events_raw
%q = OpGetDefaultQueue %queue
%range = OpBuildNDRange %ndrange %s1 %s1 %s0
)" + before +
          fmt::format("\n%rc = OpEnqueueKernel %uint %q {} {} {} {} {} {} %u8 {}\n", operands.flags,
                      operands.range, operands.events, operands.invoke, operands.block,
                      operands.bytes, operands.locals) +
          "OpStore %out %rc Aligned 4\n" + behind + R"(
OpReturn
OpFunctionEnd
%child = OpFunction %void None %plain
%child_block = OpFunctionParameter %generic
%child_entry = OpLabel
OpReturn
OpFunctionEnd
%local_child = OpFunction %void None %with_local
%local_block = OpFunctionParameter %generic
%local_memory = OpFunctionParameter %local
%local_entry = OpLabel
OpReturn
OpFunctionEnd
%own_child = OpFunction %void None %with_own
%own_block = OpFunctionParameter %own_bytes
%own_entry = OpLabel
OpReturn
OpFunctionEnd
%value_child = OpFunction %void None %with_own
%by_value = OpFunctionParameter %own_bytes
%value_entry = OpLabel
OpReturn
OpFunctionEnd
%again = OpFunction %void None %plain
%again_block = OpFunctionParameter %generic
%again_entry = OpLabel
%again_q = OpGetDefaultQueue %queue
%again_range = OpBuildNDRange %ndrange %s1 %s1 %s0
%again_rc = OpEnqueueKernel %uint %again_q %u0 %again_range %u0 %no_event %no_event %again %again_block %u8 %u8
OpReturn
OpFunctionEnd
)";
  return text;
}

struct Tried {
  int rc = 7;
  std::vector<std::string> rules;
  LaunchResult result;
};

Tried try_text(const std::string& text, double timeout = 0) {
  const Buffer out = make_buffer(4096, "out");
  out.as<int>()[0] = 7;
  Launch launch = make_launch(load(text), "k", 1, 1, {Argument::buffer(out)});
  launch.limits.timeout_seconds = timeout;
  launch.limits.max_children = 500;
  Tried tried;
  tried.result = run(make_device(), launch);
  tried.rc = out.as<int>()[0];
  for (const Finding& finding : tried.result.findings)
    tried.rules.push_back(finding.diagnostic.rule);
  return tried;
}

Tried try_range(const std::string& members, double timeout = 0) {
  return try_text(text_of({.range = "%given"}, "%given = OpCompositeConstruct %ndrange " + members),
                  timeout);
}

using Rules = std::vector<std::string>;
constexpr int kFailed = -101;  // modules without line information have no other code

}  // namespace

TEST_CASE("enqueue: what these modules are made of runs") {
  const Tried plain = try_text(text_of({}));
  CHECK(plain.rc == 0);
  CHECK(plain.rules.empty());
  CHECK(plain.result.child_count == 1);
  const Tried local = try_text(text_of({.invoke = "%local_child", .locals = "%u100"}));
  CHECK(local.rc == 0);
  CHECK(local.rules.empty());
}

TEST_CASE("enqueue: blocks that are not there") {
  const auto rules = [](Operands operands) {
    const Tried tried = try_text(text_of(operands));
    CHECK(tried.rc == kFailed);
    CHECK(tried.result.child_count == 0);
    return tried.rules;
  };
  CHECK(rules({.block = "%no_block"}) == Rules{"TSP-R0001"});
  CHECK(rules({.block = "%beyond"}) == Rules{"TSP-R0020"});
  CHECK(rules({.bytes = "%u4294967295"}) == Rules{"TSP-R0020"});
  CHECK(rules({.block = "%no_block", .bytes = "%u4294967295"}) == Rules{"TSP-R0001"});
  // Nothing of a block without bytes is looked at.
  const Tried empty = try_text(text_of({.block = "%no_block", .bytes = "%u0"}));
  CHECK(empty.rc == 0);
  CHECK(empty.rules.empty());
}

TEST_CASE("enqueue: wait lists and places for events that are not there") {
  const auto rules = [](const char* events, int rc = kFailed) {
    const Tried tried = try_text(text_of({.events = events}));
    CHECK(tried.rc == rc);
    return tried.rules;
  };
  CHECK(rules("%u4294967295 %out_events %no_event") == Rules{"TSP-R0020"});
  CHECK(rules("%u4294967295 %no_event %no_event").empty());
  CHECK(rules("%u0 %out_events %no_event").empty());
  CHECK(rules("%u1 %out_events %no_event") == Rules{"TSP-R0090"});
  CHECK(rules("%u1 %beyond_events %no_event") == Rules{"TSP-R0020"});
  CHECK(rules("%u0 %no_event %beyond_events") == Rules{"TSP-R0021"});
}

TEST_CASE("enqueue: flags and local sizes that are none") {
  CHECK(try_text(text_of({.flags = "%u3"})).rc == kFailed);
  CHECK(try_text(text_of({.flags = "%u4294967295"})).rc == kFailed);
  CHECK(try_text(text_of({.invoke = "%local_child", .locals = "%u0"})).rc == kFailed);
  for (const char* size : {"%u4294967295", "%s18446744073709551615"}) {
    const Tried much = try_text(text_of({.invoke = "%local_child", .locals = size}));
    CHECK(much.rc == kFailed);
    CHECK(much.rules.empty());
    CHECK(much.result.child_count == 0);
  }
}

TEST_CASE("enqueue: ND-ranges that are none") {
  for (const char* range :
       {"%u0 %all_0 %all_1 %all_1", "%u4 %all_0 %all_1 %all_1", "%u4294967295 %all_0 %all_1 %all_1",
        "%u3 %all_0 %huge %all_0", "%u3 %all_0 %all_1 %huge", "%u1 %huge %huge %huge"}) {
    CAPTURE(range);
    const Tried tried = try_range(range);
    CHECK(tried.rc == kFailed);
    CHECK(tried.rules.empty());
    CHECK(tried.result.child_count == 0);
  }
  const std::string most = "%most = OpCompositeConstruct %sizes %s18446744073709551615 %s1 %s1\n";
  const auto with = [&](const char* members) {
    return try_text(
        text_of({.range = "%given"}, most + "%given = OpCompositeConstruct %ndrange " + members));
  };
  CHECK(with("%u1 %most %all_1 %all_1").rc == kFailed);
  CHECK(with("%u1 %all_1 %most %all_1").rc == kFailed);
  CHECK(with("%u1 %all_0 %all_1 %most").rc == kFailed);
  // What more dimensions would say is not looked at.
  for (const char* range : {"%u1 %mixed %mixed %mixed", "%u1 %mixed %mixed %all_0"}) {
    const Tried one = try_range(range);
    CHECK(one.rc == 0);
    CHECK(one.rules.empty());
    REQUIRE(one.result.children.size() == 1);
    CHECK(one.result.children[0].global_size == std::array<std::uint64_t, 3>{1, 1, 1});
    CHECK(one.result.children[0].local_size == std::array<std::uint64_t, 3>{1, 1, 1});
  }
  const Tried nothing = try_range("%u3 %all_0 %all_0 %all_1");
  CHECK(nothing.rc == 0);
  CHECK(nothing.result.children[0].end == ChildLaunch::End::kCompleted);
}

TEST_CASE("enqueue: as many work-items as there can be end with the launch's limit") {
  const std::string range =
      "%large = OpCompositeConstruct %sizes %s4611686018427387904 %s1 %s1\n"
      "%given = OpCompositeConstruct %ndrange %u1 %all_0 %large %all_0";
  const Tried tried = try_text(text_of({.range = "%given"}, range), 0.2);
  CHECK(tried.rc == 0);
  CHECK(tried.result.end == LaunchResult::End::kTimeLimit);
  CHECK(tried.rules == Rules{"TSP-L0002"});
}

TEST_CASE("enqueue: functions that cannot be kernels") {
  const auto refusal_of = [](const char* invoke) {
    const Buffer out = make_buffer(64, "out");
    return error_of(make_device().run(
        make_launch(load(text_of({.invoke = invoke})), "k", 1, 1, {Argument::buffer(out)})));
  };
  CHECK(refusal_of("%import").starts_with("TSP-U0006: the function 'elsewhere' has no body"));
  CHECK(refusal_of("%own_child").starts_with("TSP-U0003: "));
  CHECK(refusal_of("%value_child").starts_with("TSP-U0003: "));
  for (const char* invoke : {"%u4", "%block", "%ndrange"}) {
    const std::string text = text_of({.invoke = invoke});
    CHECK(error_of(Module::load(std::as_bytes(std::span(text)))).starts_with("TSP-D"));
  }
}

TEST_CASE("enqueue: an entry point may enqueue itself, as often as the limit says") {
  const Tried tried = try_text(text_of({.invoke = "%again"}));
  CHECK(tried.rc == 0);
  CHECK(tried.rules == Rules{"TSP-L0009"});
  CHECK(tried.result.child_count == 500);
}

TEST_CASE("enqueue: times go to memory that all share") {
  const auto rules = [](const std::string& place) {
    return try_text(text_of({.events = "%u0 %no_event %out_events"}, {},
                            "%given = OpLoad %event %out_events Aligned 8\n" + place))
        .rules;
  };
  // The result is stored over the event before it is loaded: there is none.
  CHECK(rules("OpCaptureEventProfilingInfo %given %u1 %raw") == Rules{"TSP-R0090"});
  const std::string user = "%user = OpCreateUserEvent %event\n";
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %u1 %raw") == Rules{"TSP-R0097"});
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %u1 %beyond_raw") == Rules{"TSP-R0021"});
  const std::string own =
      "%own_raw = OpBitcast %own_bytes %own\n"
      "%own_place = OpPtrCastToGeneric %generic %own_raw\n";
  CHECK(rules(user + own + "OpCaptureEventProfilingInfo %user %u1 %own_place").size() == 1);
  const std::string shared =
      "%shared_raw = OpBitcast %local %scratch\n"
      "%shared_place = OpPtrCastToGeneric %generic %shared_raw\n";
  CHECK(rules(user + shared + "OpCaptureEventProfilingInfo %user %u1 %shared_place").size() == 1);
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %u1 %no_block") == Rules{"TSP-R0001"});
}

}  // namespace transpire::test
