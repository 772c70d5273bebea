// Atomics: operand order, flags, counting by one.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;

TEST_CASE("atomics keep their operands' order") {
  const lir::Function f =
      built(KernelText{.declarations = "%int_16 = OpConstant %int 16\n",
                       .parameters = "%g_int %p, %w_long %q, %g_float %x, %int %v",
                       .body = R"(
%a = OpAtomicLoad %int %p %int_2 %int_0
OpAtomicStore %x %int_2 %int_0 %float_1
%b = OpAtomicCompareExchange %int %p %int_1 %int_0 %int_0 %v %int_7
%c = OpAtomicIIncrement %long %q %int_2 %int_0
%d = OpAtomicIDecrement %int %p %int_2 %int_0
%e = OpAtomicUMax %int %p %int_2 %int_0 %v
%f = OpAtomicFlagTestAndSet %bool %p %int_2 %int_0
OpAtomicFlagClear %p %int_2 %int_0
OpAtomicStore %p %int_2 %int_16 %v
%g = OpAtomicExchange %float %x %int_2 %int_0 %float_0
OpReturn)"});
  CHECK(shown(f) == R"(
b0:
  %0 i32 = AtomicLoad a0 (global i32, align 4)
  AtomicStoreRelease a2, f32:1 (global f32, align 4)
  %1 i32 = AtomicCompareExchange a0, a3, i32:7 (global i32, align 4)
  %2 i64 = AtomicIAdd a1, i64:1 (workgroup i64, align 8)
  %3 i32 = AtomicISub a0, i32:1 (global i32, align 4)
  %4 i32 = AtomicUMax a0, a3 (global i32, align 4)
  %5 i32 = AtomicExchange a0, i32:1 (global i32, align 4)
  %6 bool = INotEqual %5, i32:0
  AtomicStoreRelease a0, i32:0 (global i32, align 4)
  AtomicStore a0, a3 (global i32, align 4)
  %7 f32 = AtomicExchange a2, f32:0 (global f32, align 4)
  Return
)");
}

TEST_CASE("atomics on floats") {
  const lir::Function f =
      built(KernelText{.parameters = "%g_float %x",
                       .body = "%a = OpAtomicFAddEXT %float %x %int_2 %int_0 %float_1\nOpReturn",
                       .capabilities = "OpCapability AtomicFloat32AddEXT\nOpExtension "
                                       "\"SPV_EXT_shader_atomic_float_add\"\n"});
  CHECK(shown(f) == R"(
b0:
  %0 f32 = AtomicFAdd a0, f32:1 (global f32, align 4)
  Return
)");
}

}  // namespace transpire::test
