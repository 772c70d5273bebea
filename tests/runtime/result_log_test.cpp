// What another implementation may give: the interval around a number, and which operation it
// follows from.
#include "runtime/result_log.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// `body` computes %r, a %real, of %x = in[i] and %y = in[i + 1]; out[i] = %r.
std::string kernel(const std::string& body, unsigned bits = 32, const std::string& modes = {}) {
  const std::string bytes = std::to_string(bits / 8);
  return R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Float16
OpCapability Float64
%ocl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test" %id
)" + modes +
         R"(
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%bool = OpTypeBool
%ulong = OpTypeInt 64 0
%one = OpConstant %ulong 1
%real = OpTypeFloat )" +
         std::to_string(bits) + R"(
%v2real = OpTypeVector %real 2
%p_real = OpTypePointer CrossWorkgroup %real
%p_private = OpTypePointer Function %real
%v3 = OpTypeVector %ulong 3
%p_v3 = OpTypePointer Input %v3
%id = OpVariable %p_v3 Input
%type = OpTypeFunction %void %p_real %p_real
%test = OpFunction %void None %type
%out = OpFunctionParameter %p_real
%in = OpFunctionParameter %p_real
%entry = OpLabel
%variable = OpVariable %p_private Function
%ids = OpLoad %v3 %id Aligned 32
%i = OpCompositeExtract %ulong %ids 0
%j = OpIAdd %ulong %i %one
%from = OpInBoundsPtrAccessChain %p_real %in %i
%x = OpLoad %real %from Aligned )" +
         bytes + R"(
%next = OpInBoundsPtrAccessChain %p_real %in %j
%y = OpLoad %real %next Aligned )" +
         bytes + "\n" + body + R"(
%at = OpInBoundsPtrAccessChain %p_real %out %i
OpStore %at %r Aligned )" +
         bytes + R"(
OpReturn
OpFunctionEnd
)";
}

struct Ran {
  Buffer out;
  ResultLog log;
  LegalRange range(std::size_t i, Profile profile = Profile::kFull) const {
    return log.range(out, i * 4, FloatType::kFloat, profile);
  }
};

/// Sets up more of a launch.
using Modes = std::function<void(Launch&)>;

Ran run(const std::string& text, const std::vector<float>& numbers, const Modes& modes = nullptr) {
  Ran ran{make_buffer(numbers.size() * 4, "out"), ResultLog::create()};
  const Buffer in = make_buffer(numbers.size() * 4 + 4, "in");
  std::copy(numbers.begin(), numbers.end(), in.as<float>().begin());
  Launch launch(load(text), "test");
  launch.geometry.global_size = {numbers.size(), 1, 1};
  launch.arguments = {Argument::buffer(ran.out), Argument::buffer(in)};
  launch.results = ran.log;
  if (modes) modes(launch);
  const Result<LaunchResult> result = make_device().run(launch);
  REQUIRE(result.ok());
  CHECK(result->findings.empty());
  return ran;
}

void towards_zero(Launch& launch) { launch.rounding = Rounding::kTowardsZero; }
void flushing(Launch& launch) { launch.flush_denorms = true; }

float next(float x, int steps) {
  for (; steps > 0; --steps) x = std::nextafter(x, INFINITY);
  for (; steps < 0; ++steps) x = std::nextafter(x, -INFINITY);
  return x;
}

}  // namespace

TEST_CASE("an interval reaches as far as the bound in units of the value") {
  const LegalRange of_one = legal_range(1, FloatType::kFloat, 2);
  CHECK(of_one.low == 1 - 0x2p-23);
  CHECK(of_one.high == 1 + 0x2p-23);
  CHECK(of_one.allows(1 + 0x1p-23));
  CHECK_FALSE(of_one.allows(1 + 0x3p-23));
  CHECK_FALSE(of_one.allows(std::nan("")));
  // Only numbers of the type count: 2.5 units are 2.
  CHECK(legal_range(1.5, FloatType::kFloat, 2.5).high == 1.5 + 0x2p-23);
  CHECK(legal_range(-1.5, FloatType::kHalf, 1).low == -1.5 - 0x1p-10);
  CHECK(legal_range(3, FloatType::kDouble, 1).high == 3 + 0x1p-51);
  // The unit of the next power of two, where the interval reaches it.
  CHECK(legal_range(2 - 0x1p-23, FloatType::kFloat, 2).high == 2 + 0x1p-22);
  CHECK(legal_range(0x1p-149, FloatType::kFloat, 2).low == -0x1p-149);
}

TEST_CASE("limits and specials of intervals") {
  const double most = std::numeric_limits<float>::max();
  CHECK(legal_range(most, FloatType::kFloat, 1).high == kInf);
  CHECK(legal_range(most, FloatType::kFloat, 0.5).high == most);
  CHECK(legal_range(most, FloatType::kFloat, 1).allows(kInf));
  CHECK(legal_range(65504, FloatType::kHalf, 1).high == kInf);
  CHECK(legal_range(std::numeric_limits<double>::max(), FloatType::kDouble, 1).high == kInf);
  CHECK(legal_range(std::numeric_limits<double>::max(), FloatType::kDouble, 0.5).high ==
        std::numeric_limits<double>::max());
  CHECK(legal_range(kInf, FloatType::kFloat, 4).allows(kInf));
  CHECK_FALSE(legal_range(kInf, FloatType::kFloat, 4).allows(most));
  CHECK_FALSE(legal_range(kInf, FloatType::kFloat, 4).allows(-kInf));
  CHECK(legal_range(std::nan(""), FloatType::kFloat, 4).allows(-std::nan("7")));
  CHECK_FALSE(legal_range(std::nan(""), FloatType::kFloat, 4).allows(0));
  // Zeros keep their sign.
  CHECK(legal_range(0.0, FloatType::kFloat, 2).allows(0x2p-149));
  CHECK_FALSE(legal_range(0.0, FloatType::kFloat, 2).allows(-0x1p-149));
  CHECK_FALSE(legal_range(0.0, FloatType::kFloat, 2).allows(-0.0));
  CHECK(legal_range(-0.0, FloatType::kFloat, 2).allows(-0.0));
  CHECK_FALSE(legal_range(-0.0, FloatType::kFloat, 0).allows(0.0));
  // Subnormals may be flushed, where that is allowed.
  CHECK(legal_range(0x1p-130, FloatType::kFloat, 0, true).allows(-0.0));
  CHECK_FALSE(legal_range(0x1p-130, FloatType::kFloat, 0, false).allows(0.0));
  CHECK_FALSE(legal_range(0x1p-126, FloatType::kFloat, 0, true).allows(0.0));
  CHECK(legal_range(0x1p-126, FloatType::kFloat, 1, true).allows(0.0));
}

TEST_CASE("the last operation gives the bound") {
  const Ran sum = run(kernel("%r = OpFAdd %real %x %y"), {1, 0.1f, 3});
  CHECK(sum.range(0).operation == "OpFAdd");
  CHECK(sum.range(0).low == sum.range(0).high);
  CHECK(sum.range(0).low == 1 + 0.1f);
  // Rounded towards zero in the embedded profile: only numbers nearer to zero are legal besides.
  CHECK(sum.range(0, Profile::kEmbedded).low == next(1 + 0.1f, -1));
  CHECK(sum.range(0, Profile::kEmbedded).high == 1 + 0.1f);

  const Ran quotient = run(kernel("%r = OpFDiv %real %x %y"), {1, 3, 5});
  CHECK(quotient.range(0).operation == "OpFDiv");
  CHECK(quotient.range(0).ulp == 2.5);
  CHECK(quotient.range(0).low == next(1.0f / 3.0f, -3));
  CHECK(quotient.range(0).high == next(1.0f / 3.0f, 3));
  CHECK(quotient.range(0, Profile::kEmbedded).ulp == 3);

  const Ran sine = run(kernel("%r = OpExtInst %real %ocl sin %x"), {1, 0, -0.0f});
  CHECK(sine.range(0).operation == "sin");
  CHECK(sine.range(0).ulp == 4);
  CHECK(sine.range(0).allows(next(sine.out.as<float>()[0], 4)));
  CHECK_FALSE(sine.range(0).allows(next(sine.out.as<float>()[0], 9)));
  CHECK(sine.range(2).allows(-0.0));
  const Ran root = run(kernel("%r = OpExtInst %real %ocl sqrt %x"), {2});
  CHECK(root.range(0).ulp == 3);
  CHECK(root.range(0).high == next(std::sqrt(2.0f), 3));
}

TEST_CASE("a correctly rounded result leaves no more than the bound") {
  const std::string text = kernel("%r = OpExtInst %real %ocl sin %x");
  const Ran fast = run(text, {1});
  Launch launch(load(text), "test");
  const Buffer out = make_buffer(4, "out"), in = make_buffer(8, "in");
  in.as<float>()[0] = 1;
  launch.geometry.global_size = {1, 1, 1};
  launch.arguments = {Argument::buffer(out), Argument::buffer(in)};
  launch.results = ResultLog::create();
  launch.math = Math::kReference;
  const Result<LaunchResult> result = make_device().run(launch);
  if (!result.ok()) {
    CHECK(error_of(result).starts_with("TSP-C0034"));  // without MPFR
    return;
  }
  const LegalRange range = launch.results->range(out, 0, FloatType::kFloat, Profile::kFull);
  CHECK(range.low == next(out.as<float>()[0], -4));
  CHECK(range.high == next(out.as<float>()[0], 4));
  CHECK(fast.range(0).high == next(fast.out.as<float>()[0], 8));
}

TEST_CASE("what moves a number is looked through") {
  const Ran magnitude = run(kernel(R"(%s = OpExtInst %real %ocl cos %x
%n = OpFNegate %real %s
%r = OpExtInst %real %ocl fabs %n)"),
                            {2, 1});
  CHECK(magnitude.range(0).operation == "cos");
  CHECK(magnitude.range(0).ulp == 4);
  for (const bool reference : {false, true}) {
    const Ran kept = run(kernel(R"(%s = OpExtInst %real %ocl exp %x
OpStore %variable %s Aligned 4
%r = OpLoad %real %variable Aligned 4)"),
                         {2, 1}, [&](Launch& launch) { launch.reference = reference; });
    CHECK(kept.range(0).operation == "exp");
    CHECK(kept.range(0).ulp == 3);
  }
  const Ran chosen = run(kernel(R"(%a = OpExtInst %real %ocl exp %x
%b = OpExtInst %real %ocl pow %x %y
%c = OpFOrdLessThan %bool %x %y
%r = OpSelect %real %c %a %b)"),
                         {2, 3});
  CHECK(chosen.range(0).operation == "exp, pow");
  CHECK(chosen.range(0).ulp == 16);
  const Ran given = run(kernel("%r = OpFNegate %real %x"), {2, 3});
  CHECK(given.range(0).operation.empty());
  CHECK(given.range(0).low == -2);
  CHECK(given.range(0).high == -2);
}

TEST_CASE("integers are exact, in every profile") {
  for (const char* function : {"floor", "ceil", "trunc", "rint", "round"}) {
    const std::string body = std::string("%r = OpExtInst %real %ocl ") + function + " %x";
    const Ran ran = run(kernel(body), {2.25f, 1});
    CHECK(ran.range(0).operation == function);
    CHECK(ran.range(0, Profile::kEmbedded).low == ran.out.as<float>()[0]);
    CHECK(ran.range(0, Profile::kEmbedded).high == ran.out.as<float>()[0]);
  }
}

TEST_CASE("products and sums may be fused") {
  // But not a product of doubles that is converted first.
  std::string text = kernel(R"(%wide_x = OpFConvert %double %x
%wide_p = OpFMul %double %wide_x %wide_x
%p = OpFConvert %real %wide_p
%r = OpFAdd %real %p %y)");
  text.replace(text.find("%v2real ="), 0, "%double = OpTypeFloat 64\n");
  const Ran converted = run(text, {3, 1});
  CHECK(converted.range(0).operation == "OpFAdd");
  // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, of which only the fused sum keeps the last term.
  const float x = 1 + 0x1p-12f;
  const std::string body = R"(%p = OpFMul %real %x %x
%r = OpFSub %real %p %y)";
  const Ran open = run(kernel(body), {x, 1});
  CHECK(open.range(0).operation == "a sum with a product");
  CHECK(open.range(0).low == 0x1p-11);
  CHECK(open.range(0).high == 0x1p-11 + 0x1p-24);
  const Ran closed = run(kernel(body, 32, "OpExecutionMode %test ContractionOff"), {x, 1});
  CHECK(closed.range(0).operation == "OpFSub");
  CHECK(closed.range(0).low == closed.range(0).high);
  const Ran mad = run(kernel(R"(%n = OpFNegate %real %y
%r = OpExtInst %real %ocl mad %x %x %n)"),
                      {x, 1});
  CHECK(mad.range(0).operation == "mad");
  CHECK(mad.range(0).high == 0x1p-11 + 0x1p-24);
  CHECK(mad.range(0, Profile::kEmbedded).kind == LegalRange::Kind::kOpen);
}

TEST_CASE("what the specification does not bound is open") {
  const Ran native = run(kernel("%r = OpExtInst %real %ocl native_sin %x"), {1});
  CHECK(native.range(0).kind == LegalRange::Kind::kOpen);
  CHECK(native.range(0).operation == "native_sin");
  CHECK(native.range(0).allows(7));
  const Ran half = run(kernel("%r = OpExtInst %real %ocl half_sin %x"), {1});
  CHECK(half.range(0).ulp == 8192);
  const Ran dot = run(kernel(R"(%v = OpCompositeConstruct %v2real %x %y
%r = OpDot %real %v %v)"),
                      {1, 2});
  CHECK(dot.range(0).kind == LegalRange::Kind::kOpen);
  CHECK(dot.range(0).operation == "OpDot");
}

TEST_CASE("where the launch rounds towards zero, another device may round to nearest") {
  // 1 + 0.1f lies between two floats, nearer to the upper one.
  const std::string add = kernel("%r = OpFAdd %real %x %y");
  const float nearest = 1 + 0.1f;
  const Ran sum = run(add, {1, 0.1f}, towards_zero);
  CHECK(sum.out.as<float>()[0] == next(nearest, -1));
  for (const Profile profile : {Profile::kFull, Profile::kEmbedded}) {
    CHECK(sum.range(0, profile).operation == "OpFAdd");
    CHECK(sum.range(0, profile).low == next(nearest, -1));
    CHECK(sum.range(0, profile).high == nearest);
  }
  const Ran negative = run(add, {-1, -0.1f}, towards_zero);
  CHECK(negative.range(0).low == -nearest);
  CHECK(negative.range(0).high == next(-nearest, 1));
  const Ran quotient = run(kernel("%r = OpFDiv %real %x %y"), {1, 3}, towards_zero);
  CHECK(quotient.range(0).operation == "OpFDiv");
  CHECK(quotient.range(0).high == next(quotient.out.as<float>()[0], 3));
  const float largest = std::numeric_limits<float>::max();
  const Ran overflow = run(add, {largest, largest}, towards_zero);
  CHECK(overflow.range(0).low == largest);
  CHECK(overflow.range(0).high == kInf);
  const Ran fused =
      run(kernel("%p = OpFMul %real %x %x\n%r = OpFAdd %real %p %y"), {1, 2}, towards_zero);
  CHECK(fused.range(0).operation == "a sum with a product");
  CHECK(fused.range(0).kind == LegalRange::Kind::kOpen);
}

TEST_CASE("where the kernel chooses the rounding, no device may do otherwise") {
  const std::string mode = R"(OpExecutionMode %test RoundingModeRTZ 32)";
  std::string text = kernel("%r = OpFAdd %real %x %y", 32, mode);
  text.replace(text.find("%ocl ="), 0,
               "OpCapability RoundingModeRTZ\nOpExtension \"SPV_KHR_float_controls\"\n");
  const Ran sum = run(text, {1, 0.1f});
  for (const Profile profile : {Profile::kFull, Profile::kEmbedded}) {
    CHECK(sum.range(0, profile).operation == "OpFAdd");
    CHECK(sum.range(0, profile).low == next(1 + 0.1f, -1));
    CHECK(sum.range(0, profile).high == next(1 + 0.1f, -1));
  }
}

TEST_CASE("in halves, an operation and its conversion are one") {
  const Buffer out = make_buffer(4, "out"), in = make_buffer(4, "in");
  const std::uint16_t numbers[2] = {0x3c00, 0x4200};  // 1 and 3
  std::memcpy(in.bytes().data(), numbers, 4);
  Launch launch(load(kernel("%r = OpFDiv %real %x %y", 16)), "test");
  launch.geometry.global_size = {1, 1, 1};
  launch.arguments = {Argument::buffer(out), Argument::buffer(in)};
  launch.results = ResultLog::create();
  towards_zero(launch);
  REQUIRE(make_device().run(launch).ok());
  const LegalRange range = launch.results->range(out, 0, FloatType::kHalf, Profile::kEmbedded);
  CHECK(range.operation == "OpFDiv");
  CHECK(range.ulp == 1);
  CHECK(range.value == 0x1.554p-2);
  CHECK(range.low == 0x1.54cp-2);
  CHECK(range.high == 0x1.55cp-2);
}

TEST_CASE("where the launch flushes denormals, another device may keep them") {
  const Ran product = run(kernel("%r = OpFMul %real %x %y"), {0x1p-100f, -0x1p-40f, 1}, flushing);
  CHECK(std::signbit(product.out.as<float>()[0]));
  CHECK(product.range(0).operation == "OpFMul");
  CHECK(product.range(0).allows(-0x1p-140));
  CHECK(product.range(0).allows(-0.0));
  CHECK_FALSE(product.range(0).allows(0x1p-140));
  CHECK_FALSE(product.range(0).allows(-0x1p-125));
  CHECK(product.range(1).low == -0x1p-40);  // an exact product is what it is
  CHECK(product.range(1).high == -0x1p-40);
}

TEST_CASE("in the embedded profile, what overflows may be the largest number") {
  const float largest = std::numeric_limits<float>::max();
  const Ran sum = run(kernel("%r = OpFAdd %real %x %y"), {largest, largest, -INFINITY});
  CHECK(sum.range(0, Profile::kEmbedded).low == largest);
  CHECK(sum.range(0, Profile::kEmbedded).high == kInf);
  CHECK(sum.range(0).low == kInf);
  CHECK(sum.range(1, Profile::kEmbedded).high == -largest);
}

TEST_CASE("a log may be cleared while a launch records into it") {
  const auto program_of = [](vm::Op op) {
    vm::ResultOrigin origin;
    origin.op = op;
    auto program = std::make_unique<vm::Program>();
    program->result_sites.push_back({{origin}});
    return program;
  };
  const auto sine = program_of(vm::Op::kSin), sum = program_of(vm::Op::kFAdd);
  runtime::ResultLogState log;
  const std::vector<std::uint32_t> running = log.begin(*sine);
  log.clear();
  CHECK(log.begin(*sum) != running);
  const float number = 0.5f;
  const auto* const host = reinterpret_cast<const std::byte*>(&number);
  log.store(host, sizeof number, running[0], number, number);
  CHECK(log.range(host, FloatType::kFloat, Profile::kFull).operation == "sin");
  // The same store of another launch is not remembered again.
  CHECK(log.begin(*sine) == running);
}

TEST_CASE("a record is forgotten with what it stood for") {
  Ran ran = run(kernel("%r = OpExtInst %real %ocl exp %x"), {1, 2});
  ran.out.as<float>()[0] = 42;
  CHECK(ran.range(0).operation.empty());
  CHECK(ran.range(0).low == 42);
  CHECK(ran.range(1).operation == "exp");
  CHECK(ran.log.range(ran.out, 8, FloatType::kFloat, Profile::kFull).kind ==
        LegalRange::Kind::kOpen);
  CHECK(ran.log.range(ran.out, 0, FloatType::kDouble, Profile::kFull).operation.empty());
  ran.log.clear();
  CHECK(ran.range(1).operation.empty());
}

}  // namespace transpire::test
