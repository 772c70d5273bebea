// Device-side enqueue with operands that no compiler makes: what is wrong with them is a result or a finding, and the launch ends.
#include <fmt/format.h>

#include "tests/runtime/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

/// The operands of a kernel's one OpEnqueueKernel.
struct Operands {
  std::string flags = "%uint_0";
  std::string range = "%range";
  std::string events = "%uint_0 %no_event %no_event";  ///< how many, which, and where its own goes
  std::string invoke = "%child";
  std::string block = "%block";
  std::string bytes = "%uint_8";
  std::string locals = {};
};

/// A function of that type which does nothing. Its parameters point to bytes of these storage classes.
std::string empty_function(std::string_view name, std::string_view type,
                           std::initializer_list<std::string_view> storage_classes) {
  std::string text = fmt::format("%{} = OpFunction %void None %{}\n", name, type);
  for (const std::string_view storage_class : storage_classes)
    text += fmt::format("%{0}_in_{1} = OpFunctionParameter %_ptr_{1}_uchar\n", name, storage_class);
  return text + fmt::format("%{}_body = OpLabel\nOpReturn\nOpFunctionEnd\n", name);
}

std::string text_of(const Operands& operands, std::string_view before = {},
                    std::string_view behind = {}) {
  return fmt::format(R"(
OpCapability Linkage DeviceEnqueue
OpEntryPoint Kernel %again "again"
OpDecorate %import LinkageAttributes "elsewhere" Import
OpDecorate %value_child_in_Function FuncParamAttr ByVal
%sizes = OpTypeArray %ulong %uint_3
%all_1 = OpConstantComposite %sizes %ulong_1 %ulong_1 %ulong_1
%all_0 = OpConstantComposite %sizes %ulong_0 %ulong_0 %ulong_0
%mixed = OpConstantComposite %sizes %ulong_1 %ulong_0 %ulong_5000
%huge = OpConstantComposite %sizes %ulong_4294967296 %ulong_4294967296 %ulong_4294967296
%ndrange = OpTypeStruct %uint %sizes %sizes %sizes
%queue = OpTypeQueue
%event = OpTypeDeviceEvent
%no_event = OpConstantNull %_ptr_Generic_event
%no_block = OpConstantNull %_ptr_Generic_uchar
%scratch = OpVariable %_ptr_Workgroup_ulong Workgroup
%plain = OpTypeFunction %void %_ptr_Generic_uchar
%with_own = OpTypeFunction %void %_ptr_Function_uchar
%with_local = OpTypeFunction %void %_ptr_Generic_uchar %_ptr_Workgroup_uchar
%import = OpFunction %void None %plain
%import_block = OpFunctionParameter %_ptr_Generic_uchar
OpFunctionEnd
kernel k(%_ptr_CrossWorkgroup_uint out)
%own = OpVariable %_ptr_Function_ulong Function
%raw = OpBitcast %_ptr_CrossWorkgroup_uchar %out
%block = OpPtrCastToGeneric %_ptr_Generic_uchar %raw
%beyond_raw = OpPtrAccessChain %_ptr_CrossWorkgroup_uchar %raw %ulong_5000
%beyond = OpPtrCastToGeneric %_ptr_Generic_uchar %beyond_raw
%out_events_raw = OpBitcast %_ptr_CrossWorkgroup_event %out
%out_events = OpPtrCastToGeneric %_ptr_Generic_event %out_events_raw
%beyond_events_raw = OpBitcast %_ptr_CrossWorkgroup_event %beyond_raw
%beyond_events = OpPtrCastToGeneric %_ptr_Generic_event %beyond_events_raw
%q = OpGetDefaultQueue %queue
%range = OpBuildNDRange %ndrange %ulong_1 %ulong_1 %ulong_0
{}
%rc = OpEnqueueKernel %uint %q {} {} {} {} {} {} %uint_8 {}
store %out %rc
{}
%again = OpFunction %void None %plain
%again_block = OpFunctionParameter %_ptr_Generic_uchar
%again_entry = OpLabel
%again_q = OpGetDefaultQueue %queue
%again_range = OpBuildNDRange %ndrange %ulong_1 %ulong_1 %ulong_0
%again_rc = OpEnqueueKernel %uint %again_q %uint_0 %again_range %uint_0 %no_event %no_event %again %again_block %uint_8 %uint_8
OpReturn
OpFunctionEnd
)",
                     before, operands.flags, operands.range, operands.events, operands.invoke,
                     operands.block, operands.bytes, operands.locals, behind) +
         empty_function("child", "plain", {"Generic"}) +
         empty_function("local_child", "with_local", {"Generic", "Workgroup"}) +
         empty_function("own_child", "with_own", {"Function"}) +
         empty_function("value_child", "with_own", {"Function"});
}

struct Tried {
  int rc = 7;
  Rules rules;
  LaunchResult result;
};

Tried try_text(const std::string& text, double timeout = 0) {
  const Buffer out = make_buffer(4096, "out");
  out.as<int>()[0] = 7;
  Launch launch = make_launch(load(text), "k", 1, 1, out);
  launch.limits.timeout_seconds = timeout;
  launch.limits.max_children = 500;
  Tried tried;
  tried.result = run(make_device(), launch);
  tried.rc = out.as<int>()[0];
  tried.rules = rules_of(tried.result);
  return tried;
}

Tried try_range(const std::string& members, double timeout = 0) {
  return try_text(text_of({.range = "%given"}, "%given = OpCompositeConstruct %ndrange " + members),
                  timeout);
}

constexpr int kFailed = -101;  // modules without line information have no other code

TEST_CASE("enqueue: what these modules are made of runs") {
  const Tried plain = try_text(text_of({}));
  CHECK(plain.rc == 0);
  CHECK(plain.rules.empty());
  CHECK(plain.result.child_count == 1);
  const Tried local = try_text(text_of({.invoke = "%local_child", .locals = "%uint_100"}));
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
  CHECK(rules({.bytes = "%uint_4294967295"}) == Rules{"TSP-R0020"});
  CHECK(rules({.block = "%no_block", .bytes = "%uint_4294967295"}) == Rules{"TSP-R0001"});
  // Nothing of a block without bytes is looked at.
  const Tried empty = try_text(text_of({.block = "%no_block", .bytes = "%uint_0"}));
  CHECK(empty.rc == 0);
  CHECK(empty.rules.empty());
}

TEST_CASE("enqueue: wait lists and places for events that are not there") {
  const auto rules = [](const char* events, int rc = kFailed) {
    const Tried tried = try_text(text_of({.events = events}));
    CHECK(tried.rc == rc);
    return tried.rules;
  };
  CHECK(rules("%uint_4294967295 %out_events %no_event") == Rules{"TSP-R0020"});
  CHECK(rules("%uint_4294967295 %no_event %no_event").empty());
  CHECK(rules("%uint_0 %out_events %no_event").empty());
  CHECK(rules("%uint_1 %out_events %no_event") == Rules{"TSP-R0090"});
  CHECK(rules("%uint_1 %beyond_events %no_event") == Rules{"TSP-R0020"});
  CHECK(rules("%uint_0 %no_event %beyond_events") == Rules{"TSP-R0021"});
}

TEST_CASE("enqueue: flags and local sizes that are none") {
  CHECK(try_text(text_of({.flags = "%uint_3"})).rc == kFailed);
  CHECK(try_text(text_of({.flags = "%uint_4294967295"})).rc == kFailed);
  CHECK(try_text(text_of({.invoke = "%local_child", .locals = "%uint_0"})).rc == kFailed);
  for (const char* size : {"%uint_4294967295", "%ulong_18446744073709551615"}) {
    const Tried much = try_text(text_of({.invoke = "%local_child", .locals = size}));
    CHECK(much.rc == kFailed);
    CHECK(much.rules.empty());
    CHECK(much.result.child_count == 0);
  }
}

TEST_CASE("enqueue: ND-ranges that are none") {
  for (const char* range : {"%uint_0 %all_0 %all_1 %all_1", "%uint_4 %all_0 %all_1 %all_1",
                            "%uint_4294967295 %all_0 %all_1 %all_1", "%uint_3 %all_0 %huge %all_0",
                            "%uint_3 %all_0 %all_1 %huge", "%uint_1 %huge %huge %huge"}) {
    CAPTURE(std::string(range));
    const Tried tried = try_range(range);
    CHECK(tried.rc == kFailed);
    CHECK(tried.rules.empty());
    CHECK(tried.result.child_count == 0);
  }
  const std::string most =
      "%most = OpCompositeConstruct %sizes %ulong_18446744073709551615 %ulong_1 %ulong_1\n";
  const auto with = [&](const char* members) {
    return try_text(
        text_of({.range = "%given"}, most + "%given = OpCompositeConstruct %ndrange " + members));
  };
  CHECK(with("%uint_1 %most %all_1 %all_1").rc == kFailed);
  CHECK(with("%uint_1 %all_1 %most %all_1").rc == kFailed);
  CHECK(with("%uint_1 %all_0 %all_1 %most").rc == kFailed);
  // Sizes of more dimensions are not looked at.
  for (const char* range : {"%uint_1 %mixed %mixed %mixed", "%uint_1 %mixed %mixed %all_0"}) {
    const Tried one = try_range(range);
    CHECK(one.rc == 0);
    CHECK(one.rules.empty());
    REQUIRE(one.result.children.size() == 1);
    CHECK(one.result.children[0].global_size == std::array<std::uint64_t, 3>{1, 1, 1});
    CHECK(one.result.children[0].local_size == std::array<std::uint64_t, 3>{1, 1, 1});
  }
  const Tried nothing = try_range("%uint_3 %all_0 %all_0 %all_1");
  CHECK(nothing.rc == 0);
  CHECK(nothing.result.children[0].end == ChildLaunch::End::kCompleted);
}

TEST_CASE("enqueue: as many work-items as there can be end with the launch's limit") {
  const std::string range =
      "%large = OpCompositeConstruct %sizes %ulong_4611686018427387904 %ulong_1 %ulong_1\n"
      "%given = OpCompositeConstruct %ndrange %uint_1 %all_0 %large %all_0";
  const Tried tried = try_text(text_of({.range = "%given"}, range), 0.2);
  CHECK(tried.rc == 0);
  CHECK(tried.result.end == LaunchResult::End::kTimeLimit);
  CHECK(tried.rules == Rules{"TSP-L0002"});
}

TEST_CASE("enqueue: functions that cannot be kernels") {
  const auto refusal_of = [](const char* invoke) {
    const Buffer out = make_buffer(64, "out");
    return error_of(
        make_device().run(make_launch(load(text_of({.invoke = invoke})), "k", 1, 1, out)));
  };
  CHECK(refusal_of("%import").starts_with("TSP-U0006: the function 'elsewhere' has no body"));
  CHECK(refusal_of("%own_child").starts_with("TSP-U0003: "));
  CHECK(refusal_of("%value_child").starts_with("TSP-U0003: "));
  for (const char* invoke : {"%uint_4", "%block", "%ndrange"}) {
    const std::string text = shorthand::declare(text_of({.invoke = invoke}));
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
    return try_text(text_of({.events = "%uint_0 %no_event %out_events"}, {},
                            "%given = OpLoad %event %out_events Aligned 8\n" + place))
        .rules;
  };
  // The result is stored over the event before it is loaded: there is none.
  CHECK(rules("OpCaptureEventProfilingInfo %given %uint_1 %raw") == Rules{"TSP-R0090"});
  const std::string user = "%user = OpCreateUserEvent %event\n";
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %uint_1 %raw") == Rules{"TSP-R0097"});
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %uint_1 %beyond_raw") ==
        Rules{"TSP-R0021"});
  for (const auto& [storage, variable] :
       {std::pair("Function", "own"), std::pair("Workgroup", "scratch")})
    CHECK(rules(user +
                fmt::format("%variable = OpBitcast %_ptr_{}_uchar %{}\n", storage, variable) +
                "%place = OpPtrCastToGeneric %_ptr_Generic_uchar %variable\n"
                "OpCaptureEventProfilingInfo %user %uint_1 %place")
              .size() == 1);
  CHECK(rules(user + "OpCaptureEventProfilingInfo %user %uint_1 %no_block") == Rules{"TSP-R0001"});
}

}  // namespace
}  // namespace transpire::test
