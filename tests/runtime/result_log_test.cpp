// What another implementation may give: the interval around a number, and which operation it
// follows from.
#include "runtime/result_log.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// `body` computes %r, a %float (or another type), of %x = in[i] and %y = in[i + 1]; out[i] = %r.
std::string kernel(std::string_view body, std::string_view type = "float") {
  return fmt::format(R"(
kernel test(%_ptr_CrossWorkgroup_{0} out in)
%variable = OpVariable %_ptr_Function_{0} Function
%ids = OpLoad %v3ulong %GlobalInvocationId
%i = OpCompositeExtract %ulong %ids 0
%j = OpIAdd %ulong %i %ulong_1
%x = load %in[%i]
%y = load %in[%j]
{1}
store %out[%i] %r
)",
                     type, body);
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
  Launch launch = make_launch(load(text), "test", numbers.size(), 0, ran.out, in);
  launch.results = ran.log;
  if (modes) modes(launch);
  CHECK(test::run(make_device(), launch).findings.empty());
  return ran;
}

void towards_zero(Launch& launch) { launch.rounding = Rounding::kTowardsZero; }
void flushing(Launch& launch) { launch.flush_denorms = true; }

float next(float x, int steps) {
  for (; steps > 0; --steps) x = std::nextafter(x, INFINITY);
  for (; steps < 0; ++steps) x = std::nextafter(x, -INFINITY);
  return x;
}

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

/// Checks the interval of the numbers that another implementation may give for one that a float kernel stored.
void check_range(const LegalRange& range, const std::string& operation, double low, double high,
                 std::optional<double> ulp = {}) {
  CAPTURE(operation);
  CHECK(range.operation == operation);
  CHECK(range.low == low);
  CHECK(range.high == high);
  if (ulp) CHECK(range.ulp == *ulp);
}

TEST_CASE("the last operation gives the bound") {
  const Ran sum = run(kernel("%r = OpFAdd %float %x %y"), {1, 0.1f, 3});
  check_range(sum.range(0), "OpFAdd", 1 + 0.1f, 1 + 0.1f, 0.5);
  // Rounded towards zero in the embedded profile: only numbers nearer to zero are legal besides.
  check_range(sum.range(0, Profile::kEmbedded), "OpFAdd", next(1 + 0.1f, -1), 1 + 0.1f);

  const float third = 1.0f / 3.0f;
  const Ran quotient = run(kernel("%r = OpFDiv %float %x %y"), {1, 3, 5});
  check_range(quotient.range(0), "OpFDiv", next(third, -3), next(third, 3), 2.5);
  CHECK(quotient.range(0, Profile::kEmbedded).ulp == 3);

  const Ran sine = run(kernel("%r = OpExtInst %float %std sin %x"), {1, 0, -0.0f});
  CHECK(sine.range(0).operation == "sin");
  CHECK(sine.range(0).ulp == 4);
  CHECK(sine.range(0).allows(next(sine.out.as<float>()[0], 4)));
  CHECK_FALSE(sine.range(0).allows(next(sine.out.as<float>()[0], 9)));
  CHECK(sine.range(2).allows(-0.0));
  const Ran root = run(kernel("%r = OpExtInst %float %std sqrt %x"), {2});
  CHECK(root.range(0).ulp == 3);
  CHECK(root.range(0).high == next(std::sqrt(2.0f), 3));
}

TEST_CASE("a correctly rounded result leaves no more than the bound") {
  const std::string text = kernel("%r = OpExtInst %float %std sin %x");
  const Ran fast = run(text, {1});
  const Buffer out = make_buffer(4, "out"), in = make_buffer(8, "in");
  in.as<float>()[0] = 1;
  Launch launch = make_launch(load(text), "test", 1, 0, out, in);
  launch.results = ResultLog::create();
  launch.math = Math::kReference;
  const Result<LaunchResult> result = make_device().run(launch);
  if (!result.ok()) {
    CHECK(error_of(result).starts_with("TSP-C0034"));  // without MPFR
    return;
  }
  const LegalRange range = launch.results->range(out, 0, FloatType::kFloat, Profile::kFull);
  check_range(range, "sin", next(out.as<float>()[0], -4), next(out.as<float>()[0], 4));
  CHECK(fast.range(0).high == next(fast.out.as<float>()[0], 8));
}

TEST_CASE("what moves a number is looked through") {
  const struct {
    const char* body;
    std::vector<float> numbers;
    const char* operation;
    double ulp;
  } cases[] = {{R"(%s = OpExtInst %float %std cos %x
%n = OpFNegate %float %s
%r = OpExtInst %float %std fabs %n)",
                {2, 1},
                "cos",
                4},
               {R"(%s = OpExtInst %float %std exp %x
store %variable %s
%r = load %variable)",
                {2, 1},
                "exp",
                3},
               {R"(%a = OpExtInst %float %std exp %x
%b = OpExtInst %float %std pow %x %y
%c = OpFOrdLessThan %bool %x %y
%r = OpSelect %float %c %a %b)",
                {2, 3},
                "exp, pow",
                16}};
  for (const auto& each : cases)
    for (const bool reference : {false, true}) {
      CAPTURE(each.body);
      const Ran ran = run(kernel(each.body), each.numbers,
                          [&](Launch& launch) { launch.reference = reference; });
      CHECK(ran.range(0).operation == each.operation);
      CHECK(ran.range(0).ulp == each.ulp);
    }
  const Ran given = run(kernel("%r = OpFNegate %float %x"), {2, 3});
  check_range(given.range(0), "", -2, -2);
}

TEST_CASE("integers are exact, in every profile") {
  for (const char* function : {"floor", "ceil", "trunc", "rint", "round"}) {
    const std::string body = std::string("%r = OpExtInst %float %std ") + function + " %x";
    const Ran ran = run(kernel(body), {2.25f, 1});
    const float number = ran.out.as<float>()[0];
    for (const Profile profile : {Profile::kFull, Profile::kEmbedded})
      check_range(ran.range(0, profile), function, number, number);
  }
}

TEST_CASE("products and sums may be fused") {
  // But not a product of doubles that is converted first.
  const Ran converted = run(kernel(R"(%wide_x = OpFConvert %double %x
%wide_p = OpFMul %double %wide_x %wide_x
%p = OpFConvert %float %wide_p
%r = OpFAdd %float %p %y)"),
                            {3, 1});
  CHECK(converted.range(0).operation == "OpFAdd");
  // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, of which only the fused sum keeps the last term.
  const float x = 1 + 0x1p-12f;
  const std::string body = R"(%p = OpFMul %float %x %x
%r = OpFSub %float %p %y)";
  const Ran open = run(kernel(body), {x, 1});
  check_range(open.range(0), "a sum with a product", 0x1p-11, 0x1p-11 + 0x1p-24);
  const Ran closed = run(kernel("OpExecutionMode %test ContractionOff\n" + body), {x, 1});
  CHECK(closed.range(0).operation == "OpFSub");
  CHECK(closed.range(0).low == closed.range(0).high);
  const Ran mad = run(kernel(R"(%n = OpFNegate %float %y
%r = OpExtInst %float %std mad %x %x %n)"),
                      {x, 1});
  CHECK(mad.range(0).operation == "mad");
  CHECK(mad.range(0).high == 0x1p-11 + 0x1p-24);
  CHECK(mad.range(0, Profile::kEmbedded).kind == LegalRange::Kind::kOpen);
}

TEST_CASE("what the specification does not bound is open") {
  const Ran native = run(kernel("%r = OpExtInst %float %std native_sin %x"), {1});
  CHECK(native.range(0).kind == LegalRange::Kind::kOpen);
  CHECK(native.range(0).operation == "native_sin");
  CHECK(native.range(0).allows(7));
  const Ran half = run(kernel("%r = OpExtInst %float %std half_sin %x"), {1});
  CHECK(half.range(0).ulp == 8192);
  const Ran dot = run(kernel(R"(%v = OpCompositeConstruct %v2float %x %y
%r = OpDot %float %v %v)"),
                      {1, 2});
  CHECK(dot.range(0).kind == LegalRange::Kind::kOpen);
  CHECK(dot.range(0).operation == "OpDot");
}

TEST_CASE("where the launch rounds towards zero, another device may round to nearest") {
  // 1 + 0.1f lies between two floats, nearer to the upper one.
  const std::string add = kernel("%r = OpFAdd %float %x %y");
  const float nearest = 1 + 0.1f;
  const Ran sum = run(add, {1, 0.1f}, towards_zero);
  CHECK(sum.out.as<float>()[0] == next(nearest, -1));
  for (const Profile profile : {Profile::kFull, Profile::kEmbedded})
    check_range(sum.range(0, profile), "OpFAdd", next(nearest, -1), nearest);
  const Ran negative = run(add, {-1, -0.1f}, towards_zero);
  check_range(negative.range(0), "OpFAdd", -nearest, next(-nearest, 1));
  const Ran quotient = run(kernel("%r = OpFDiv %float %x %y"), {1, 3}, towards_zero);
  CHECK(quotient.range(0).operation == "OpFDiv");
  CHECK(quotient.range(0).high == next(quotient.out.as<float>()[0], 3));
  const float largest = std::numeric_limits<float>::max();
  const Ran overflow = run(add, {largest, largest}, towards_zero);
  check_range(overflow.range(0), "OpFAdd", largest, kInf);
  const Ran fused =
      run(kernel("%p = OpFMul %float %x %x\n%r = OpFAdd %float %p %y"), {1, 2}, towards_zero);
  CHECK(fused.range(0).operation == "a sum with a product");
  CHECK(fused.range(0).kind == LegalRange::Kind::kOpen);
}

TEST_CASE("where the kernel chooses the rounding, no device may do otherwise") {
  const Ran sum = run(kernel(R"(OpCapability RoundingModeRTZ
OpExtension "SPV_KHR_float_controls"
OpExecutionMode %test RoundingModeRTZ 32
%r = OpFAdd %float %x %y)"),
                      {1, 0.1f});
  const float lower = next(1 + 0.1f, -1);
  for (const Profile profile : {Profile::kFull, Profile::kEmbedded})
    check_range(sum.range(0, profile), "OpFAdd", lower, lower);
}

TEST_CASE("in halves, an operation and its conversion are one") {
  const Buffer out = make_buffer(4, "out"), in = make_buffer(4, "in");
  const std::uint16_t numbers[2] = {0x3c00, 0x4200};  // 1 and 3
  std::memcpy(in.bytes().data(), numbers, 4);
  Launch launch =
      make_launch(load(kernel("%r = OpFDiv %half %x %y", "half")), "test", 1, 0, out, in);
  launch.results = ResultLog::create();
  towards_zero(launch);
  REQUIRE(make_device().run(launch).ok());
  const LegalRange range = launch.results->range(out, 0, FloatType::kHalf, Profile::kEmbedded);
  CHECK(range.value == 0x1.554p-2);
  check_range(range, "OpFDiv", 0x1.54cp-2, 0x1.55cp-2, 1);
}

TEST_CASE("where the launch flushes denormals, another device may keep them") {
  const Ran product = run(kernel("%r = OpFMul %float %x %y"), {0x1p-100f, -0x1p-40f, 1}, flushing);
  CHECK(std::signbit(product.out.as<float>()[0]));
  CHECK(product.range(0).operation == "OpFMul");
  CHECK(product.range(0).allows(-0x1p-140));
  CHECK(product.range(0).allows(-0.0));
  CHECK_FALSE(product.range(0).allows(0x1p-140));
  CHECK_FALSE(product.range(0).allows(-0x1p-125));
  check_range(product.range(1), "OpFMul", -0x1p-40, -0x1p-40);  // an exact product is what it is
}

TEST_CASE("in the embedded profile, what overflows may be the largest number") {
  const float largest = std::numeric_limits<float>::max();
  const Ran sum = run(kernel("%r = OpFAdd %float %x %y"), {largest, largest, -INFINITY});
  check_range(sum.range(0, Profile::kEmbedded), "OpFAdd", largest, kInf);
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
  Ran ran = run(kernel("%r = OpExtInst %float %std exp %x"), {1, 2});
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

}  // namespace
}  // namespace transpire::test
