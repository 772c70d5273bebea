// Loads, stores, access chains and copies: which accesses they become, at which alignment.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;

TEST_CASE("scalars and vectors are one access") {
  CHECK(shown(KernelText{.parameters = "%g_int %p, %g_v4float %q, %g_v3float %r", .body = R"(
%a = OpLoad %int %p
OpStore %p %a Volatile|Aligned 2
%b = OpLoad %v4float %q Aligned 4
OpStore %q %b Nontemporal
%c = OpLoad %v3float %r
OpStore %r %c
OpReturn)"}) == R"(
b0:
  %0 i32 = Load a0 (global i32, align 4)
  Store a0, %0 (global i32, align 2, volatile)
  %1 f32 = Load a1 (global f32x4, align 4)
  %2 f32 = Result %1 [1]
  %3 f32 = Result %1 [2]
  %4 f32 = Result %1 [3]
  Store a1, %1, %2, %3, %4 (global f32x4, align 16)
  %5 f32 = Load a2 (global f32x3, align 16)
  %6 f32 = Result %5 [1]
  %7 f32 = Result %5 [2]
  Store a2, %5, %6, %7 (global f32x3, align 16)
  Return
)");
}

TEST_CASE("structs and arrays are one access for each scalar or vector in them") {
  const KernelText kernel{.declarations = R"(
%pair = OpTypeArray %short %int_2
%s = OpTypeStruct %char %v2float %pair
%g_s = OpTypePointer CrossWorkgroup %s)",
                          .parameters = "%g_s %p",
                          .body = R"(
%a = OpLoad %s %p
OpStore %p %a Aligned 4
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i8 = Load a0 (global i8, align 1)
  %1 f32 = Load a0 + 8 (global f32x2, align 8)
  %2 f32 = Result %1 [1]
  %3 i16 = Load a0 + 16 (global i16, align 2)
  %4 i16 = Load a0 + 18 (global i16, align 2)
  Store a0, %0 (global i8, align 4)
  Store a0 + 8, %1, %2 (global f32x2, align 4)
  Store a0 + 16, %3 (global i16, align 4)
  Store a0 + 18, %4 (global i16, align 2)
  Return
)");
}

TEST_CASE("access chains add constant indexes up and extend dynamic ones as signed") {
  const KernelText kernel{.declarations = R"(
%row = OpTypeArray %v4float %int_5
%s = OpTypeStruct %int %row
%g_s = OpTypePointer CrossWorkgroup %s
%minus_1 = OpConstant %int 0xffffffff
%zero = OpConstantNull %v4float)",
                          .parameters = "%g_s %p, %int %i, %long %j, %short %k",
                          .body = R"(
%a = OpInBoundsPtrAccessChain %g_float %p %minus_1 %int_1 %int_2 %int_3
OpStore %a %float_0
%b = OpPtrAccessChain %g_v4float %p %j %int_1 %i
OpStore %b %zero
%c = OpAccessChain %g_float %p %int_1 %int_1 %k
OpStore %c %float_1
%d = OpAccessChain %g_int %p %int_0
OpStore %d %int_7
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i64 = Address a0 + -36
  Store %0, f32:0 (global f32, align 4)
  %1 i64 = Address a0 + a2 * 96
  %2 i64 = Address %1 + s32 a1 * 16
  %3 i64 = Address %2 + 16
  Store %3, f32:0, f32:0, f32:0, f32:0 (global f32x4, align 16)
  %4 i64 = SignExtend a3
  %5 i64 = Address a0 + %4 * 4
  %6 i64 = Address %5 + 32
  Store %6, f32:1 (global f32, align 4)
  Store a0, i32:7 (global i32, align 4)
  Return
)");
}

TEST_CASE("members of packed structs need no alignment") {
  const KernelText kernel{.annotations = "OpDecorate %s CPacked",
                          .declarations = R"(
%s = OpTypeStruct %char %int
%outer = OpTypeStruct %long %s
%g_outer = OpTypePointer CrossWorkgroup %outer
%g_s = OpTypePointer CrossWorkgroup %s)",
                          .parameters = "%g_outer %p",
                          .body = R"(
%m = OpAccessChain %g_int %p %int_1 %int_1
%a = OpLoad %int %m
OpStore %m %a Aligned 2
%w = OpAccessChain %g_s %p %int_1
%b = OpLoad %s %w
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i64 = Address a0 + 9
  %1 i32 = Load %0 (global i32, align 1)
  Store %0, %1 (global i32, align 2)
  %2 i64 = Address a0 + 8
  %3 i8 = Load %2 (global i8, align 1)
  %4 i32 = Load %2 + 1 (global i32, align 1)
  Return
)");
}

TEST_CASE("copies of small types without padding move values, others bytes") {
  const KernelText kernel{.declarations = R"(
%pair = OpTypeStruct %int %float
%g_pair = OpTypePointer CrossWorkgroup %pair
%f_pair = OpTypePointer Function %pair)",
                          .parameters = "%g_pair %p, %g_char %q, %int %n",
                          .body = R"(
%v = OpVariable %f_pair Function
OpCopyMemory %v %p Aligned 4
%cast = OpBitcast %f_char %v
OpCopyMemorySized %q %cast %long_8 Aligned 2
OpCopyMemorySized %q %cast %long_5 Aligned 4 Aligned 1
OpCopyMemorySized %q %cast %n
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i32 = Load a0 (global i32, align 4)
  %1 f32 = Load a0 + 4 (global f32, align 4)
  Store a3, %0 (private i32, align 4)
  Store a3 + 4, %1 (private f32, align 4)
  %2 i32 = Load a3 (private i32, align 2)
  %3 f32 = Load a3 + 4 (private f32, align 2)
  Store a1, %2 (global i32, align 2)
  Store a1 + 4, %3 (global f32, align 2)
  CopyMemory a1, a3, i64:5 (global i8 from private, align 1)
  %4 i64 = ZeroExtend a2
  CopyMemory a1, a3, %4 (global i8 from private, align 1)
  Return
)");
}

TEST_CASE("pointers of Physical32 take 4 bytes in memory and 32 bits as integers") {
  const KernelText kernel{.declarations = R"(
%g_g_int = OpTypePointer CrossWorkgroup %g_int)",
                          .parameters = "%g_g_int %p, %g_int %q",
                          .body = R"(
%a = OpLoad %g_int %p
OpStore %p %q
%u = OpConvertPtrToU %long %a
%s = OpConvertPtrToU %int %a
%t = OpIAdd %int %s %int_4
%r = OpConvertUToPtr %g_int %t
%b = OpBitcast %g_int %t
%e = OpPtrEqual %bool %r %b
OpReturn)",
                          .addressing = "Physical32"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i32 = Load a0 (global i32, align 4)
  %1 i64 = ZeroExtend %0
  %2 i32 = Truncate a1
  Store a0, %2 (global i32, align 4)
  %3 i32 = Truncate %1
  %4 i64 = ZeroExtend %3
  %5 i32 = Truncate %1
  %6 i32 = IAdd %5, i32:4
  %7 i64 = ZeroExtend %6
  %8 i64 = ZeroExtend %6
  %9 bool = IEqual %7, %8
  Return
)");
}

TEST_CASE("booleans take a byte each, and generic pointers know the variable that they come from") {
  const KernelText kernel{.declarations =
                              "%f_bool4 = OpTypePointer Function %v4bool\n%two = "
                              "OpConstantComposite %v4bool %true %true %true %true",
                          .parameters = "%g_int %p",
                          .body = R"(
%flags = OpVariable %f_bool4 Function
%v = OpVariable %f_int Function %int_3
OpStore %flags %two
%x = OpPtrCastToGeneric %x_int %v
%a = OpLoad %int %x
%y = OpPtrCastToGeneric %x_int %p
%c = OpSelect %x_int %true %x %y
OpStore %c %a
%w = OpGenericCastToPtrExplicit %w_int %c Workgroup
%m = OpGenericPtrMemSemantics %int %c
%d = OpPtrDiff %int %x %y
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  Store a2, i32:3 (private i32, align 4)
  Store a1, true, true, true, true (private boolx4, align 4)
  %0 i32 = Load a2 (private i32, align 4)
  %1 i64 = Select true, a2, a0
  Store %1, %0 (generic i32, align 4)
  %2 i64 = GenericToSpace %1 [2]
  %3 i32 = MemSemantics %1
  %4 i64 = TagPointer a2
  %5 i64 = ISub %4, a0
  %6 i64 = SDiv %5, i64:4
  %7 i32 = Truncate %6
  Return
)");
}

TEST_CASE("stores through a NoWrite parameter are marked") {
  const KernelText kernel{.annotations = "OpDecorate %p FuncParamAttr NoWrite",
                          .parameters = "%g_int %p, %int %i",
                          .body = R"(
%a = OpInBoundsPtrAccessChain %g_int %p %i
%b = OpInBoundsPtrAccessChain %g_int %p %int_1
%c = OpSelect %g_int %true %a %b
OpStore %c %i
OpReturn)"};
  CHECK(shown(kernel) == R"(
b0:
  %0 i64 = Address a0 + s32 a1 * 4
  %1 i64 = Address a0 + 4
  %2 i64 = Select true, %0, %1
  Store %2, a1 (global i32, align 4, no write 0)
  Return
)");
}

TEST_CASE(
    "components that were only loaded are not stored again, and the load goes with its last use") {
  CHECK(shown(KernelText{.parameters = "%g_v4float %p, %float %x", .body = R"(
%a = OpLoad %v4float %p
%b = OpCompositeInsert %v4float %x %a 1
OpStore %p %b
%c = OpLoad %v4float %p
%d = OpVectorShuffle %v4float %c %b 5 1 2 5
OpStore %p %d
%e = OpCompositeExtract %float %c 2
%q = OpInBoundsPtrAccessChain %g_v4float %p %long_1
%f = OpLoad %v4float %q Volatile
%g = OpCompositeInsert %v4float %e %f 0
OpStore %q %g
OpReturn)"}) == R"(
b0:
  Store a0 + 4, a1 (global f32, align 4)
  %0 f32 = Load a0 (global f32x4, align 16)
  %1 f32 = Result %0 [1]
  %2 f32 = Result %0 [2]
  %3 f32 = Result %0 [3]
  Store a0, a1 (global f32, align 16)
  Store a0 + 12, a1 (global f32, align 4)
  %4 i64 = Address a0 + 16
  %5 f32 = Load %4 (global f32x4, align 16, volatile)
  %6 f32 = Result %5 [1]
  %7 f32 = Result %5 [2]
  %8 f32 = Result %5 [3]
  Store %4, %2, %6, %7, %8 (global f32x4, align 16)
  Return
)");
}

TEST_CASE("a vector that something may have written to since is stored as a whole") {
  CHECK(shown(KernelText{.parameters = "%g_v4float %p, %g_float %o, %float %x", .body = R"(
%a = OpLoad %v4float %p
OpStore %o %x
%b = OpCompositeInsert %v4float %x %a 0
OpStore %p %b
OpReturn)"}) == R"(
b0:
  %0 f32 = Load a0 (global f32x4, align 16)
  %1 f32 = Result %0 [1]
  %2 f32 = Result %0 [2]
  %3 f32 = Result %0 [3]
  Store a1, a2 (global f32, align 4)
  Store a0, a2, %1, %2, %3 (global f32x4, align 16)
  Return
)");
}

TEST_CASE("indexes are checked where something is accessed through them") {
  LowerOptions options;
  options.check_bounds = true;
  const KernelText kernel{.declarations = R"(
%row = OpTypeArray %int %int_4
%grid = OpTypeArray %row %int_3
%g_grid = OpTypePointer CrossWorkgroup %grid
%g_row = OpTypePointer CrossWorkgroup %row)",
                          .parameters = "%g_grid %p, %int %i, %long %j",
                          .body = R"(
%inner = OpAccessChain %g_int %p %int_2 %i
%x = OpLoad %int %inner
%outer = OpAccessChain %g_row %p %j
%both = OpInBoundsPtrAccessChain %g_int %outer %int_0 %int_5
OpStore %both %x
%next = OpPtrAccessChain %g_int %both %int_1
OpStore %next %x
%chars = OpBitcast %g_char %both
%y = OpLoad %char %chars
OpReturn)"};
  CHECK(shown(kernel, options) == R"(
b0:
  %0 i64 = Address a0 + s32 a1 * 4
  %1 i64 = Address %0 + 32
  CheckIndex a1, %1 [4]
  %2 i32 = Load %1 (global i32, align 4)
  %3 i64 = Address a0 + a2 * 16
  %4 i64 = Address %3 + 20
  CheckChain %3, %4
  CheckIndex a2, %4 [3]
  CheckIndex i32:5, %4 [4]
  Store %4, %2 (global i32, align 4)
  %5 i64 = Address %4 + 4
  CheckIndex a2, %5 [3]
  Store %5, %2 (global i32, align 4)
  CheckIndex a2, %4 [3]
  CheckIndex i32:5, %4 [4]
  %6 i8 = Load %4 (global i8, align 1)
  Return
)");
}

}  // namespace transpire::test
