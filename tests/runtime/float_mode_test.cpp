// The host's floating-point mode changes no result: constants folded while lowering, the calling
// thread's lanes and those of helpers.
#include <algorithm>

#include "tests/runtime/support.h"
#include "vm/simd/float_control.h"

namespace transpire::test {
namespace {

/// kernel fold(global float* d, float x, float y): d[0] = 2^-100 * 2^-40; d[1 + i] = x * y
constexpr std::string_view kFold = R"(
%small = OpConstant %float 0x1p-100
%tiny = OpConstant %float 0x1p-40
kernel fold(%_ptr_CrossWorkgroup_float d, %float x y)
%next = OpIAdd %ulong %gid %ulong_1
%folded = OpFMul %float %small %tiny
%product = OpFMul %float %x %y
store %d %folded
store %d[%next] %product
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
    const Buffer d = make_buffer(4 + 4 * 64 * 64);
    const Launch launch = make_launch(load(kFold), "fold", 64 * 64, 64, d, x, y);
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

TEST_CASE("denormals are kept when the host flushes them") {
  check_products(0x1p-100f, 0x1p-30f, 0x1p-130f);
  check_products(0x1p-140f, 0x1p+20f, 0x1p-120f);
}

TEST_CASE("results are rounded to nearest when the host rounds up") {
  check_products(1 + 0x1p-23f, 1 + 0x1p-23f, 1 + 0x1p-22f);
}

}  // namespace
}  // namespace transpire::test
