// Atomics: operand order, flags, counting by one.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;

const KernelCase kAtomics[] = {
    {"atomics keep their operands' order", R"(
%int_16 = OpConstant %int 16
kernel %g_int %p, %w_long %q, %g_float %x, %int %v
%a = OpAtomicLoad %int %p %int_2 %int_0                             ; %0 i32 = AtomicLoad a0 (global i32, align 4)
OpAtomicStore %x %int_2 %int_0 %float_1                             ; AtomicStoreRelease a2, f32:1 (global f32, align 4)
%b = OpAtomicCompareExchange %int %p %int_1 %int_0 %int_0 %v %int_7 ; %1 i32 = AtomicCompareExchange a0, a3, i32:7 (global i32, align 4)
%c = OpAtomicIIncrement %long %q %int_2 %int_0                      ; %2 i64 = AtomicIAdd a1, i64:1 (workgroup i64, align 8)
%d = OpAtomicIDecrement %int %p %int_2 %int_0                       ; %3 i32 = AtomicISub a0, i32:1 (global i32, align 4)
%e = OpAtomicUMax %int %p %int_2 %int_0 %v                          ; %4 i32 = AtomicUMax a0, a3 (global i32, align 4)
%f = OpAtomicFlagTestAndSet %bool %p %int_2 %int_0                  ; %5 i32 = AtomicExchange a0, i32:1 (global i32, align 4)
                                                                    ; %6 bool = INotEqual %5, i32:0
OpAtomicFlagClear %p %int_2 %int_0                                  ; AtomicStoreRelease a0, i32:0 (global i32, align 4)
OpAtomicStore %p %int_2 %int_16 %v                                  ; AtomicStore a0, a3 (global i32, align 4)
%g = OpAtomicExchange %float %x %int_2 %int_0 %float_0              ; %7 f32 = AtomicExchange a2, f32:0 (global f32, align 4))"},
    {"atomics on floats", R"(
OpCapability AtomicFloat32AddEXT
OpExtension "SPV_EXT_shader_atomic_float_add"
kernel %g_float %x
%a = OpAtomicFAddEXT %float %x %int_2 %int_0 %float_1 ; %0 f32 = AtomicFAdd a0, f32:1 (global f32, align 4))"},
};

TEST_CASE("atomics: operand order, flags, counting by one") {
  for (const KernelCase& c : kAtomics) check_case(c);
}

}  // namespace transpire::test
