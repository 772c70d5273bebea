// The engine of values: roots of pointers through calls and variables, stores that a load may see, ways back to causes, and
// the questions that are asked of it.
#include "analysis/values.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "analysis/kernel_use.h"
#include "analysis/parameter_use.h"
#include "analysis/value_flow.h"
#include "decoder/reached.h"
#include "tests/decoder/support.h"

namespace transpire::test {
namespace {

using namespace analysis;

/// A kernel 'k' that stores its parameter in a variable and calls 'f' twice. 'f' calls 'g' with a part of what it is given.
const std::string kText =
    kKernelHeader +
    "OpEntryPoint Kernel %k \"k\"\n"
    "OpName %k \"k\"\nOpName %f \"f\"\nOpName %out \"out\"\nOpName %in \"in\"\n"
    "OpName %kept \"kept\"\nOpName %twice \"twice\"\nOpName %given \"given\"\n"
    "OpName %array \"array\"\nOpName %slot0 \"slot0\"\nOpName %slot1 \"slot1\"\n"
    "OpName %again1 \"again1\"\nOpName %first \"first\"\nOpName %second \"second\"\n"
    "OpName %sum \"sum\"\nOpName %back \"back\"\nOpName %fp \"fp\"\nOpName %part \"part\"\n"
    "OpName %loaded \"loaded\"\nOpName %escaping \"escaping\"\nOpName %at \"at\"\n"
    "OpName %unused \"unused\"\n"
    "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%four = OpConstant %int 4\n"
    "%zero = OpConstant %int 0\n%one = OpConstant %int 1\n"
    "%p = OpTypePointer CrossWorkgroup %int\n%pp = OpTypePointer Function %p\n"
    "%ints = OpTypeArray %int %four\n%pints = OpTypePointer Function %ints\n"
    "%pint = OpTypePointer Function %int\n"
    "%kernel = OpTypeFunction %void %p %p\n%callee = OpTypeFunction %int %p\n"
    "%k = OpFunction %void None %kernel\n%out = OpFunctionParameter %p\n"
    "%in = OpFunctionParameter %p\n%entry = OpLabel\n"
    "%kept = OpVariable %pp Function\n%twice = OpVariable %pp Function\n"
    "%array = OpVariable %pints Function\n%escaping = OpVariable %pint Function\n"
    "OpStore %kept %in\nOpStore %twice %in\nOpStore %twice %out\n"
    "%given = OpLoad %p %kept\n"
    "%first = OpFunctionCall %int %f %given\n%second = OpFunctionCall %int %f %out\n"
    "%slot0 = OpInBoundsAccessChain %pint %array %zero\n"
    "%slot1 = OpInBoundsAccessChain %pint %array %one\n"
    "OpStore %slot0 %first\nOpStore %slot1 %first\nOpStore %slot1 %second\n"
    "%again1 = OpInBoundsAccessChain %pint %array %one\n"
    "%back = OpLoad %int %again1\n%sum = OpIAdd %int %back %one\n"
    "OpStore %out %sum\n%at = OpPtrAccessChain %pint %escaping %one\n"
    "OpStore %escaping %one\nOpReturn\nOpFunctionEnd\n"
    "%f = OpFunction %int None %callee\n%fp = OpFunctionParameter %p\n%fl = OpLabel\n"
    "%part = OpPtrAccessChain %p %fp %one\n%loaded = OpLoad %int %part\n"
    "OpReturnValue %loaded\nOpFunctionEnd\n"
    "%unused = OpFunction %int None %callee\n%up = OpFunctionParameter %p\n%ul = OpLabel\n"
    "OpReturnValue %one\nOpFunctionEnd\n";

struct Case {
  decoder::Module module = module_of(kText);
  Values values{module};
  std::uint32_t kernel = values.call_of(id("k"));

  decoder::Id id(const char* name) const {
    const decoder::Id found = id_of(module, name);
    REQUIRE(found != 0);
    return found;
  }
  FlowValue in_kernel(const char* name) const { return {id(name), kernel}; }
  /// A value of 'f' in the call that gives a result of the kernel.
  FlowValue in_call(const char* result, const char* name) {
    return {id(name), values.call_at(values.definition(in_kernel(result)))};
  }
};

TEST_CASE(
    "the root of a pointer is found through chains, calls and variables that hold one value") {
  Case c;
  CHECK(c.values.root_of(c.in_call("first", "part")) == c.in_kernel("in"));
  CHECK(c.values.root_of(c.in_call("second", "part")) == c.in_kernel("out"));
  CHECK(c.values.root_of(c.in_kernel("again1")) == c.in_kernel("array"));
  CHECK(c.values.is_private_variable(c.in_kernel("array")));
  CHECK(!c.values.is_private_variable(c.in_kernel("in")));
  // From an unknown place the parameter is as far as it goes.
  const std::uint32_t alone = c.values.call_of(c.id("f"));
  CHECK(c.values.root_of({c.id("part"), alone}) == FlowValue{c.id("fp"), alone});
  CHECK(!c.values.argument({c.id("fp"), alone}));
}

TEST_CASE("a variable has one value if one store is all that is done to it") {
  Case c;
  CHECK(c.values.only_value(c.in_kernel("kept")) == c.in_kernel("in"));
  CHECK(!c.values.only_value(c.in_kernel("twice")));
  CHECK(!c.values.only_value(c.in_kernel("escaping")));
  CHECK(!c.values.only_value(c.in_kernel("in")));
  CHECK(c.values.stored_to(c.in_kernel("twice")).stores.size() == 2);
  CHECK(!c.values.stored_to(c.in_kernel("twice")).escapes);
  CHECK(c.values.stored_to(c.in_kernel("escaping")).escapes);
}

TEST_CASE("the base of a pointer is found in its own function, with the chains on the way") {
  Case c;
  std::vector<FlowPlace> chains;
  const FlowValue fp = c.in_call("first", "fp");
  CHECK(c.values.base_of(c.in_call("first", "part"), &chains) == fp);
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].instruction().result_id == c.id("part"));
}

TEST_CASE("a pointer is followed into each call, or into all calls of a function together") {
  Case c;
  for (const auto& [callees, calls] :
       {std::pair{Values::Callees::kByCall, 2}, std::pair{Values::Callees::kOnce, 1}}) {
    std::set<std::uint32_t> loads;
    for (const char* root : {"in", "out"})
      c.values.follow(c.in_kernel(root), callees, [&](const FlowPlace& user, FlowValue) {
        if (user.instruction().result_id == c.id("loaded")) loads.insert(user.call);
      });
    CHECK(loads.size() == static_cast<std::size_t>(calls));
  }
}

TEST_CASE("a load sees the store before it, and none of another element or behind a newer one") {
  Case c;
  analysis::ReachingStores memory(c.values);
  std::vector<decoder::Id> seen;
  const FlowPlace load = c.values.definition(c.in_kernel("back"));
  memory.each(load, c.in_kernel("again1"), [&](const analysis::ReachingStores::Store& store) {
    seen.push_back(store.place.instruction().operands[1]);
    return true;
  });
  CHECK(seen == std::vector{c.id("second")});
}

TEST_CASE(
    "the way back from a value leads through stores and the calls that made what was stored") {
  Case c;
  analysis::ValueFlow flow(c.values);
  const FlowValue sum = c.in_kernel("sum");
  const FlowPlace causes[] = {c.values.definition(c.in_call("first", "loaded")),
                              c.values.definition(c.in_call("second", "loaded"))};
  CHECK(flow.find({&sum, 1}, causes) == 1);
  CHECK(!flow.find({&sum, 1}, {causes, 1}));
}

TEST_CASE("no more instructions are looked at than allowed") {
  Case c;
  Values few(c.module, 1);
  const FlowValue part{c.id("part"), few.call_of(c.id("f"))};
  CHECK(few.root_of(part) == part);
}

TEST_CASE("the first load and store through a parameter are found in callees, too") {
  Case c;
  const auto load = analysis::find_access(c.module, c.id("k"), 1, false);
  REQUIRE(load);
  CHECK((load->op == spv::Op::OpLoad && load->function == c.id("f")));
  CHECK(!analysis::find_access(c.module, c.id("k"), 1, true));
  const auto store = analysis::find_access(c.module, c.id("k"), 0, true);
  REQUIRE(store);
  CHECK((store->op == spv::Op::OpStore && store->function == c.id("k")));
  CHECK(!analysis::find_access(c.module, c.id("k"), 2, true));
}

TEST_CASE("a kernel reaches the functions that it calls, once") {
  Case c;
  const decoder::Reached reached = decoder::reached_from(c.module, *c.module.function(c.id("k")));
  REQUIRE(reached.functions.size() == 2);
  CHECK(reached.functions[0]->id == c.id("k"));
  CHECK(reached.functions[1]->id == c.id("f"));
}

}  // namespace
}  // namespace transpire::test
