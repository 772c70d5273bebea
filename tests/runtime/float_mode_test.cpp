// The host's floating-point mode changes no result: constants folded while lowering, the calling
// thread's lanes and those of helpers.
#include <algorithm>

#include "tests/runtime/support.h"
#include "vm/simd/float_control.h"

namespace transpire::test {
namespace {

/// kernel fold(global float* d, float x, float y): d[0] = 2^-100 * 2^-40; d[1 + i] = x * y
constexpr std::string_view kFold = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %fold "fold" %gid
               OpDecorate %gid BuiltIn GlobalInvocationId
               OpDecorate %gid Constant
       %void = OpTypeVoid
      %ulong = OpTypeInt 64 0
      %float = OpTypeFloat 32
     %ulong3 = OpTypeVector %ulong 3
    %pulong3 = OpTypePointer Input %ulong3
     %pfloat = OpTypePointer CrossWorkgroup %float
         %fn = OpTypeFunction %void %pfloat %float %float
        %one = OpConstant %ulong 1
      %small = OpConstant %float 0x1p-100
      %tiny  = OpConstant %float 0x1p-40
        %gid = OpVariable %pulong3 Input
       %fold = OpFunction %void None %fn
          %d = OpFunctionParameter %pfloat
          %x = OpFunctionParameter %float
          %y = OpFunctionParameter %float
      %entry = OpLabel
         %id = OpLoad %ulong3 %gid
          %i = OpCompositeExtract %ulong %id 0
       %next = OpIAdd %ulong %i %one
         %pd = OpInBoundsPtrAccessChain %pfloat %d %next
     %folded = OpFMul %float %small %tiny
    %product = OpFMul %float %x %y
               OpStore %d %folded Aligned 4
               OpStore %pd %product Aligned 4
               OpReturn
               OpFunctionEnd
)";

using vm::FloatControl;

constexpr FloatControl::Word kFlushAndRoundUp = FloatControl::with_rounding(
    FloatControl::kUsual | FloatControl::kFlushDenormals, vm::Rounding::kRtp);

/// Sets a mode for the calling thread, and puts the old one back.
struct Mode {
  explicit Mode(FloatControl::Word mode) : saved(FloatControl::read()) {
    FloatControl::write(mode);
  }
  ~Mode() { FloatControl::write(saved); }
  FloatControl::Word saved;
};

void check_products(float x, float y, float expected) {
  for (const unsigned threads : {1u, 3u}) {
    Launch launch(load(kFold), "fold");
    const Buffer d = make_buffer(4 + 4 * 64 * 64);
    launch.geometry.global_size = {64 * 64, 1, 1};
    launch.geometry.local_size = {64, 1, 1};
    launch.arguments = {Argument::buffer(d), Argument::value(x), Argument::value(y)};
    FloatControl::Word mode_after = 0;
    {
      const Mode mode(kFlushAndRoundUp);
      REQUIRE(make_device(threads).run(launch).ok());
      mode_after = FloatControl::read();
    }
    CHECK((mode_after & ~FloatControl::kFlags) == kFlushAndRoundUp);
    const std::span<float> results = d.as<float>();
    CHECK(results[0] == 0x1p-140f);
    CHECK(std::all_of(results.begin() + 1, results.end(),
                      [&](float result) { return result == expected; }));
  }
}

}  // namespace

TEST_CASE("denormals are kept when the host flushes them") {
  check_products(0x1p-100f, 0x1p-30f, 0x1p-130f);
  check_products(0x1p-140f, 0x1p+20f, 0x1p-120f);
}

TEST_CASE("results are rounded to nearest when the host rounds up") {
  check_products(1 + 0x1p-23f, 1 + 0x1p-23f, 1 + 0x1p-22f);
}

}  // namespace transpire::test
