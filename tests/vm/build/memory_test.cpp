// Loads, stores, access chains, copies and atomics: which accesses they become, at which alignment.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

const KernelCase kMemory[] = {
    {"scalars and vectors are one access", R"(
kernel %g_int %p, %g_v4float %q, %g_v3float %r
%a = OpLoad %int %p               ; %0 i32 = Load a0 (global i32, align 4)
OpStore %p %a Volatile|Aligned 2  ; Store a0, %0 (global i32, align 2, volatile)
%b = OpLoad %v4float %q Aligned 4 ; %1 f32 = Load a1 (global f32x4, align 4)
                                  ; %2 f32 = Result %1 [1]
                                  ; %3 f32 = Result %1 [2]
                                  ; %4 f32 = Result %1 [3]
OpStore %q %b Nontemporal         ; Store a1, %1, %2, %3, %4 (global f32x4, align 16)
%c = OpLoad %v3float %r           ; %5 f32 = Load a2 (global f32x3, align 16)
                                  ; %6 f32 = Result %5 [1]
                                  ; %7 f32 = Result %5 [2]
OpStore %r %c                     ; Store a2, %5, %6, %7 (global f32x3, align 16))"},
    {"structs and arrays are one access for each scalar or vector in them", R"(
%pair = OpTypeArray %short %int_2
%s = OpTypeStruct %char %v2float %pair
%g_s = OpTypePointer CrossWorkgroup %s
kernel %g_s %p
%a = OpLoad %s %p       ; %0 i8 = Load a0 (global i8, align 1)
                        ; %1 f32 = Load a0 + 8 (global f32x2, align 8)
                        ; %2 f32 = Result %1 [1]
                        ; %3 i16 = Load a0 + 16 (global i16, align 2)
                        ; %4 i16 = Load a0 + 18 (global i16, align 2)
OpStore %p %a Aligned 4 ; Store a0, %0 (global i8, align 4)
                        ; Store a0 + 8, %1, %2 (global f32x2, align 4)
                        ; Store a0 + 16, %3 (global i16, align 4)
                        ; Store a0 + 18, %4 (global i16, align 2))"},
    {"access chains add constant indexes up and extend dynamic ones as signed", R"(
%row = OpTypeArray %v4float %int_5
%s = OpTypeStruct %int %row
%g_s = OpTypePointer CrossWorkgroup %s
%minus_1 = OpConstant %int 0xffffffff
%zero = OpConstantNull %v4float
kernel %g_s %p, %int %i, %long %j, %short %k
%a = OpInBoundsPtrAccessChain %g_float %p %minus_1 %int_1 %int_2 %int_3 ; %0 i64 = Address a0 + -36
OpStore %a %float_0                                                     ; Store %0, f32:0 (global f32, align 4)
%b = OpPtrAccessChain %g_v4float %p %j %int_1 %i                        ; %1 i64 = Address a0 + a2 * 96
                                                                        ; %2 i64 = Address %1 + s32 a1 * 16
                                                                        ; %3 i64 = Address %2 + 16
OpStore %b %zero                                                        ; Store %3, f32:0, f32:0, f32:0, f32:0 (global f32x4, align 16)
%c = OpAccessChain %g_float %p %int_1 %int_1 %k                         ; %4 i64 = SignExtend a3
                                                                        ; %5 i64 = Address a0 + %4 * 4
                                                                        ; %6 i64 = Address %5 + 32
OpStore %c %float_1                                                     ; Store %6, f32:1 (global f32, align 4)
%d = OpAccessChain %g_int %p %int_0
OpStore %d %int_7                                                       ; Store a0, i32:7 (global i32, align 4))"},
    {"members of packed structs need no alignment", R"(
OpDecorate %s CPacked
%s = OpTypeStruct %char %int
%outer = OpTypeStruct %long %s
%g_outer = OpTypePointer CrossWorkgroup %outer
%g_s = OpTypePointer CrossWorkgroup %s
kernel %g_outer %p
%m = OpAccessChain %g_int %p %int_1 %int_1 ; %0 i64 = Address a0 + 9
%a = OpLoad %int %m                        ; %1 i32 = Load %0 (global i32, align 1)
OpStore %m %a Aligned 2                    ; Store %0, %1 (global i32, align 2)
%w = OpAccessChain %g_s %p %int_1          ; %2 i64 = Address a0 + 8
%b = OpLoad %s %w                          ; %3 i8 = Load %2 (global i8, align 1)
                                           ; %4 i32 = Load %2 + 1 (global i32, align 1))"},
    {"copies of small types without padding move values, others bytes", R"(
%pair = OpTypeStruct %int %float
%g_pair = OpTypePointer CrossWorkgroup %pair
%f_pair = OpTypePointer Function %pair
kernel %g_pair %p, %g_char %q, %int %n
%v = OpVariable %f_pair Function
OpCopyMemory %v %p Aligned 4                           ; %0 i32 = Load a0 (global i32, align 4)
                                                       ; %1 f32 = Load a0 + 4 (global f32, align 4)
                                                       ; Store a3, %0 (private i32, align 4)
                                                       ; Store a3 + 4, %1 (private f32, align 4)
%cast = OpBitcast %f_char %v
OpCopyMemorySized %q %cast %long_8 Aligned 2           ; %2 i32 = Load a3 (private i32, align 2)
                                                       ; %3 f32 = Load a3 + 4 (private f32, align 2)
                                                       ; Store a1, %2 (global i32, align 2)
                                                       ; Store a1 + 4, %3 (global f32, align 2)
OpCopyMemorySized %q %cast %long_5 Aligned 4 Aligned 1 ; CopyMemory a1, a3, i64:5 (global i8 from private, align 1)
OpCopyMemorySized %q %cast %n                          ; %4 i64 = ZeroExtend a2
                                                       ; CopyMemory a1, a3, %4 (global i8 from private, align 1))"},
    {"pointers of Physical32 take 4 bytes in memory and 32 bits as integers", R"(
%g_g_int = OpTypePointer CrossWorkgroup %g_int
OpMemoryModel Physical32 OpenCL
kernel %g_g_int %p, %g_int %q
%a = OpLoad %g_int %p          ; %0 i32 = Load a0 (global i32, align 4)
                               ; %1 i64 = ZeroExtend %0
OpStore %p %q                  ; %2 i32 = Truncate a1
                               ; Store a0, %2 (global i32, align 4)
%u = OpConvertPtrToU %long %a  ; %3 i32 = Truncate %1
                               ; %4 i64 = ZeroExtend %3
%s = OpConvertPtrToU %int %a   ; %5 i32 = Truncate %1
%t = OpIAdd %int %s %int_4     ; %6 i32 = IAdd %5, i32:4
%r = OpConvertUToPtr %g_int %t ; %7 i64 = ZeroExtend %6
%b = OpBitcast %g_int %t       ; %8 i64 = ZeroExtend %6
%e = OpPtrEqual %bool %r %b    ; %9 bool = IEqual %7, %8)"},
    {"booleans take a byte each, and generic pointers know the variable that they come from", R"(
%f_bool4 = OpTypePointer Function %v4bool
%two = OpConstantComposite %v4bool %true %true %true %true
kernel %g_int %p
%flags = OpVariable %f_bool4 Function
%v = OpVariable %f_int Function %int_3              ; Store a2, i32:3 (private i32, align 4)
OpStore %flags %two                                 ; Store a1, true, true, true, true (private boolx4, align 4)
%x = OpPtrCastToGeneric %x_int %v
%a = OpLoad %int %x                                 ; %0 i32 = Load a2 (private i32, align 4)
%y = OpPtrCastToGeneric %x_int %p
%c = OpSelect %x_int %true %x %y                    ; %1 i64 = Select true, a2, a0
OpStore %c %a                                       ; Store %1, %0 (generic i32, align 4)
%w = OpGenericCastToPtrExplicit %w_int %c Workgroup ; %2 i64 = GenericToSpace %1 [2]
%m = OpGenericPtrMemSemantics %int %c               ; %3 i32 = MemSemantics %1
%d = OpPtrDiff %int %x %y                           ; %4 i64 = TagPointer a2
                                                    ; %5 i64 = ISub %4, a0
                                                    ; %6 i64 = SDiv %5, i64:4
                                                    ; %7 i32 = Truncate %6)"},
    {"stores through a NoWrite parameter are marked", R"(
OpDecorate %p FuncParamAttr NoWrite
kernel %g_int %p, %int %i
%a = OpInBoundsPtrAccessChain %g_int %p %i     ; %0 i64 = Address a0 + s32 a1 * 4
%b = OpInBoundsPtrAccessChain %g_int %p %int_1 ; %1 i64 = Address a0 + 4
%c = OpSelect %g_int %true %a %b               ; %2 i64 = Select true, %0, %1
OpStore %c %i                                  ; Store %2, a1 (global i32, align 4, no write 0))"},
    {"components that were only loaded are not stored again, and the load goes with its last use",
     R"(
kernel %g_v4float %p, %float %x
%a = OpLoad %v4float %p
%b = OpCompositeInsert %v4float %x %a 1
OpStore %p %b                                       ; Store a0 + 4, a1 (global f32, align 4)
%c = OpLoad %v4float %p                             ; %0 f32 = Load a0 (global f32x4, align 16)
                                                    ; %1 f32 = Result %0 [1]
                                                    ; %2 f32 = Result %0 [2]
                                                    ; %3 f32 = Result %0 [3]
%d = OpVectorShuffle %v4float %c %b 5 1 2 5
OpStore %p %d                                       ; Store a0, a1 (global f32, align 16)
                                                    ; Store a0 + 12, a1 (global f32, align 4)
%e = OpCompositeExtract %float %c 2
%q = OpInBoundsPtrAccessChain %g_v4float %p %long_1 ; %4 i64 = Address a0 + 16
%f = OpLoad %v4float %q Volatile                    ; %5 f32 = Load %4 (global f32x4, align 16, volatile)
                                                    ; %6 f32 = Result %5 [1]
                                                    ; %7 f32 = Result %5 [2]
                                                    ; %8 f32 = Result %5 [3]
%g = OpCompositeInsert %v4float %e %f 0
OpStore %q %g                                       ; Store %4, %2, %6, %7, %8 (global f32x4, align 16))"},
    {"a vector that something may have written to since is stored as a whole", R"(
kernel %g_v4float %p, %g_float %o, %float %x
%a = OpLoad %v4float %p ; %0 f32 = Load a0 (global f32x4, align 16)
                        ; %1 f32 = Result %0 [1]
                        ; %2 f32 = Result %0 [2]
                        ; %3 f32 = Result %0 [3]
OpStore %o %x           ; Store a1, a2 (global f32, align 4)
%b = OpCompositeInsert %v4float %x %a 0
OpStore %p %b           ; Store a0, a2, %1, %2, %3 (global f32x4, align 16))"},
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

TEST_CASE("loads, stores, access chains, copies and atomics") {
  for (const KernelCase& c : kMemory) check_case(c);
}

TEST_CASE("indexes are checked where something is accessed through them") {
  LowerOptions options;
  options.check_bounds = true;
  const std::string kernel = R"(
%row = OpTypeArray %int %int_4
%grid = OpTypeArray %row %int_3
%g_grid = OpTypePointer CrossWorkgroup %grid
%g_row = OpTypePointer CrossWorkgroup %row
kernel %g_grid %p, %int %i, %long %j
%inner = OpAccessChain %g_int %p %int_2 %i                   ; %0 i64 = Address a0 + s32 a1 * 4
                                                             ; %1 i64 = Address %0 + 32
%x = OpLoad %int %inner                                      ; CheckIndex a1, %1 [4]
                                                             ; %2 i32 = Load %1 (global i32, align 4)
%outer = OpAccessChain %g_row %p %j                          ; %3 i64 = Address a0 + a2 * 16
%both = OpInBoundsPtrAccessChain %g_int %outer %int_0 %int_5 ; %4 i64 = Address %3 + 20
                                                             ; CheckChain %3, %4
OpStore %both %x                                             ; CheckIndex a2, %4 [3]
                                                             ; CheckIndex i32:5, %4 [4]
                                                             ; Store %4, %2 (global i32, align 4)
%next = OpPtrAccessChain %g_int %both %int_1                 ; %5 i64 = Address %4 + 4
OpStore %next %x                                             ; CheckIndex a2, %5 [3]
                                                             ; Store %5, %2 (global i32, align 4)
%chars = OpBitcast %g_char %both
%y = OpLoad %char %chars                                     ; CheckIndex a2, %4 [3]
                                                             ; CheckIndex i32:5, %4 [4]
                                                             ; %6 i8 = Load %4 (global i8, align 1))";
  check_lir(kernel, options);
}

}  // namespace transpire::test
