// OpenCL.std: one op a component, expansions, second results, vector loads and stores, printf.
#include "vm/build/instructions/extinst.h"

#include <doctest/doctest.h>

#include "decoder/module.h"
#include "tests/vm/build/support.h"

namespace transpire::test {

TEST_CASE("every function of OpenCL.std has a row") {
  for (std::uint32_t number = 0; number < 256; ++number) {
    CAPTURE(number);
    const std::uint32_t operands[] = {1, number};
    transpire::decoder::Instruction instruction;
    instruction.set = transpire::decoder::ExtendedSet::kOpenCLStd;
    instruction.operands = operands;
    CHECK((builder::find_extended(instruction) != nullptr) ==
          !transpire::decoder::ext_inst_name(instruction).empty());
  }
}

const KernelCase kExtended[] = {
    {"componentwise functions repeat a scalar operand, some have a second result", R"(
%f_v2float = OpTypePointer Function %v2float
%f_v2int = OpTypePointer Function %v2int
kernel %v2float %x, %float %s, %v2int %n
%t = OpVariable %f_v2float Function
%e = OpVariable %f_v2int Function
%a = OpExtInst %v2float %ocl fmax %x %s      ; %0 f32 = FMax a0, a2
                                             ; %1 f32 = FMax a1, a2
%b = OpExtInst %v2float %ocl ldexp %x %n     ; %2 f32 = Ldexp a0, a3
                                             ; %3 f32 = Ldexp a1, a4
%c = OpExtInst %v2float %ocl sincos %x %t    ; %4 f32 = Sin a0
                                             ; %5 f32 = Sin a1
                                             ; %6 f32 = Cos a0
                                             ; %7 f32 = Cos a1
                                             ; Store a5, %6, %7 (private f32x2, align 8)
%d = OpExtInst %float %ocl native_recip %s   ; %8 f32 = FDiv f32:1, a2
%f = OpExtInst %v2float %ocl remquo %x %x %e ; %9 f32 = Remainder a0, a0
                                             ; %10 f32 = Remainder a1, a1
                                             ; %11 f32 = RemquoQuotient a0, a0
                                             ; %12 f32 = RemquoQuotient a1, a1
                                             ; %13 i32 = ConvertFToS %11
                                             ; %14 i32 = ConvertFToS %12
                                             ; Store a6, %13, %14 (private i32x2, align 8))"},
    {"expansions have one order of operations", R"(
kernel %float %x, %float %y, %int %n, %v2int %v
%a = OpExtInst %float %ocl mix %x %y %float_1        ; %0 f32 = FSub a1, a0
                                                     ; %1 f32 = FMul %0, f32:1
                                                     ; %2 f32 = FAdd a0, %1
%b = OpExtInst %float %ocl smoothstep %x %y %float_1 ; %3 f32 = FSub a1, a0
                                                     ; %4 f32 = FSub f32:1, a0
                                                     ; %5 f32 = FDiv %4, %3
                                                     ; %6 f32 = FClamp %5, f32:0, f32:1
                                                     ; %7 f32 = FMul f32:2, %6
                                                     ; %8 f32 = FSub f32:3, %7
                                                     ; %9 f32 = FMul %6, %6
                                                     ; %10 f32 = FMul %9, %8
%c = OpExtInst %float %ocl bitselect %x %y %x        ; %11 i32 = Bitcast a0
                                                     ; %12 i32 = Bitcast a1
                                                     ; %13 i32 = Bitcast a0
                                                     ; %14 i32 = Not %13
                                                     ; %15 i32 = BitwiseAnd %11, %14
                                                     ; %16 i32 = BitwiseAnd %12, %13
                                                     ; %17 i32 = BitwiseOr %15, %16
                                                     ; %18 f32 = Bitcast %17
%d = OpExtInst %v2int %ocl select %v %v %v           ; %19 bool = SLessThan a3, i32:0
                                                     ; %20 bool = SLessThan a4, i32:0
                                                     ; %21 i32 = Select %19, a3, a3
                                                     ; %22 i32 = Select %20, a4, a4
%e = OpExtInst %int %ocl select %n %n %n             ; %23 bool = INotEqual a2, i32:0
                                                     ; %24 i32 = Select %23, a2, a2
%f = OpExtInst %long %ocl u_upsample %n %n           ; %25 i64 = ZeroExtend a2
                                                     ; %26 i64 = ShiftLeftLogical %25, i64:32
                                                     ; %27 i64 = ZeroExtend a2
                                                     ; %28 i64 = BitwiseOr %26, %27
%g = OpExtInst %float %ocl degrees %x                ; %29 f32 = FMul a0, f32:57.29578)"},
    {"lengths are computed in a wider kind", R"(
kernel %v2float %x
%a = OpExtInst %float %ocl length %x      ; %0 f64 = FConvert a0
                                          ; %1 f64 = FConvert a1
                                          ; %2 f64 = FMul %0, %0
                                          ; %3 f64 = FMul %1, %1
                                          ; %4 f64 = FAdd %2, %3
                                          ; %5 f64 = Sqrt %4
                                          ; %6 f32 = FConvert %5
%b = OpExtInst %float %ocl fast_length %x ; %7 f32 = FMul a0, a0
                                          ; %8 f32 = FMul a1, a1
                                          ; %9 f32 = FAdd %7, %8
                                          ; %10 f32 = Sqrt %9)"},
    {"vector loads and stores, the half ones with a conversion", R"(
kernel %g_float %p, %g_half %h, %long %i, %v3float %v
%a = OpExtInst %v3float %ocl vloadn %i %p 3           ; %0 i64 = Address a0 + a2 * 12
                                                      ; %1 f32 = Load %0 (global f32x3, align 4)
                                                      ; %2 f32 = Result %1 [1]
                                                      ; %3 f32 = Result %1 [2]
%b = OpExtInst %void %ocl vstoren %v %long_2 %p       ; %4 i64 = Address a0 + 24
                                                      ; Store %4, a3, a4, a5 (global f32x3, align 4)
%c = OpExtInst %v3float %ocl vloada_halfn %i %h 3     ; %5 i64 = Address a1 + a2 * 8
                                                      ; %6 f16 = Load %5 (global f16x3, align 8)
                                                      ; %7 f16 = Result %6 [1]
                                                      ; %8 f16 = Result %6 [2]
                                                      ; %9 f32 = FConvert %6
                                                      ; %10 f32 = FConvert %7
                                                      ; %11 f32 = FConvert %8
%d = OpExtInst %void %ocl vstore_halfn_r %v %i %h RTN ; %12 i64 = Address a1 + a2 * 6
                                                      ; %13 f16 = FConvert a3 rtn
                                                      ; %14 f16 = FConvert a4 rtn
                                                      ; %15 f16 = FConvert a5 rtn
                                                      ; Store %12, %13, %14, %15 (global f16x3, align 2)
%e = OpExtInst %float %ocl vload_half %i %h           ; %16 i64 = Address a1 + a2 * 2
                                                      ; %17 f16 = Load %16 (global f16, align 2)
                                                      ; %18 f32 = FConvert %17
%f = OpExtInst %void %ocl vstorea_halfn %v %i %h      ; %19 i64 = Address a1 + a2 * 8
                                                      ; %20 f16 = FConvert a3
                                                      ; %21 f16 = FConvert a4
                                                      ; %22 f16 = FConvert a5
                                                      ; Store %19, %20, %21, %22 (global f16x3, align 8))"},
    {"shuffles look at the low bits of their mask", R"(
%mask = OpConstantComposite %v2int %int_5 %int_2
kernel %v2int %a, %v2int %b, %int %i
%c = OpExtInst %v2int %ocl shuffle2 %a %b %mask
%m = OpCompositeConstruct %v2int %i %int_1
%d = OpExtInst %v2int %ocl shuffle %c %m ; %0 i32 = BitwiseAnd a4, i32:1
                                         ; %1 bool = IEqual %0, i32:0
                                         ; %2 i32 = Select %1, a1, i32:0
                                         ; %3 bool = IEqual %0, i32:1
                                         ; %4 i32 = Select %3, a2, %2)"},
};

TEST_CASE("functions of OpenCL.std") {
  for (const KernelCase& c : kExtended) check_case(c);
}

namespace {

std::string string_variable(const std::string& name, const std::string& text) {
  std::string result = "%" + name + "_n = OpConstant %int " + std::to_string(text.size() + 1) +
                       "\n%" + name + "_t = OpTypeArray %char %" + name + "_n\n%" + name +
                       "_p = OpTypePointer UniformConstant %" + name + "_t\n";
  std::string parts;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const std::string id = "%" + name + "_c" + std::to_string(i);
    result += id + " = OpConstant %char " + std::to_string(i < text.size() ? text[i] : 0) + "\n";
    parts += " " + id;
  }
  return result + "%" + name + "_v = OpConstantComposite %" + name + "_t" + parts + "\n%" + name +
         " = OpVariable %" + name + "_p UniformConstant %" + name + "_v\n";
}

TEST_CASE("printf keeps its strings and passes the rest") {
  const lir::Function f =
      built(string_variable("format", "%d%% %s %v2hlf %p\n") + string_variable("word", "abc") + R"(

kernel %int %n, %v2float %x, %g_int %p
%a = OpAccessChain %c_char %format %int_0
%b = OpAccessChain %c_char %word %int_1
%c = OpExtInst %int %ocl printf %a %n %b %x %p
)");
  REQUIRE(f.printfs.size() == 1);
  const PrintfInfo& info = f.printfs[0];
  REQUIRE(info.pieces.size() == 5);
  CHECK(info.pieces[1].text == "% ");
  CHECK(info.pieces[2].written == "%v2hlf");
  CHECK(info.pieces[4].text == "\n");
  CHECK(f.remarks.empty());
  REQUIRE(info.arguments.size() == 4);
  CHECK(info.arguments[1].is_string);
  CHECK(info.arguments[1].text == "bc");
  CHECK(info.arguments[2].components == 2);
  CHECK(info.arguments[3].is_pointer);
  CHECK(shown(f).find(" i32 = Printf a0, a1, a2, a3 [0]\n") != std::string::npos);
  // A format that only the run knows is an operand.
  const lir::Function chosen = built("kernel %c_char %p\n%c = OpExtInst %int %ocl printf %p");
  REQUIRE(chosen.printfs.size() == 1);
  CHECK(chosen.printfs[0].reads_format);
  CHECK(chosen.printfs[0].pieces.empty());
}

}  // namespace
}  // namespace transpire::test
