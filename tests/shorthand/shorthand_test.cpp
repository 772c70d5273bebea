// The short form of golden programs: what its lines become.
#include "tests/shorthand/shorthand.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "decoder/module.h"

namespace transpire::test {
namespace {

using namespace shorthand;

std::string only(std::string_view text) {
  const std::vector<Program> programs = expand("a.spvasm", text);
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].name == "a.spvasm");
  return programs[0].text;
}

TEST_CASE("a `for` repeats its lines for each row") {
  CHECK(only("a\n;! for N OP in 1 add | 2 \"sub x\"\n;! | 3 mul\n{N} {OP} {INDEX} {other}\n;! "
             "end\nb\n") == "a\n1 add 0 {other}\n2 sub x 1 {other}\n3 mul 2 {other}\nb\n");
  CHECK(only("//! for A in x y\n//! for B in {A}1 {A}2\n{B}\n//! end\n//! end\n") ==
        "x1\nx2\ny1\ny2\n");
}

TEST_CASE("braces hold sums of products of whole numbers") {
  CHECK(only(";! for MAX A in 18446744073709551615 -3\n{MAX-1} {2*A+MAX} {A-1} {4*INDEX+3}\n;! "
             "end\n") == "18446744073709551614 18446744073709551609 -4 3\n");
  // Others stay: no name, no number, another sign.
  CHECK(only(";! for A B in 1 x\n{1} {1+2} {B+1} {A+} {A/2} {A + 1} {}\n;! end\n") ==
        "{1} {1+2} {B+1} {A+} {A/2} {A + 1} {}\n");
}

TEST_CASE("a `for` counts") {
  CHECK(only(";! for A from 2 to 4\n{A} {INDEX}\n;! for B from {A} to 3\n{A}{B}\n;! end\n;! "
             "end\n") == "2 0\n22\n23\n3 1\n33\n4 2\n");
}

TEST_CASE("an `if` keeps lines for some values") {
  CHECK(only(";! for A B in 1 1 | 1 2\n;! if A is {B}\n{A}{B}\n;! end\n;! end\n") == "11\n");
  CHECK(only(";! for T in a b c\n;! if T is a b\n{T} yes\n;! else\n{T} no\n;! end\n;! if T not "
             "a\n{T}\n;! end\n;! end\n") == "a yes\nb yes\nb\nc no\nc\n");
}

TEST_CASE("`each` and `when` are about one line") {
  CHECK(only(";! each A B in 1 x\n;! | 2 y\n{A}{B} {INDEX}\nz\n;! for T in a b\n;! when T is "
             "b\n{T}\n;! "
             "when T not b\nno {T}\n;! end\n") == "1x 0\n2y 1\nz\nno a\nb\n");
}

TEST_CASE("launch lines may hold several statements") {
  const std::pair<const char*, const char*> cases[] = {
      {";! global 80,2 local 40,1  # vary: local\n;! global 80\n",
       ";! global 80,2\n;! local 40,1  # vary: local\n;! global 80\n"},
      {"//! options -O0 -g kernel k check ub\n",
       "//! options -O0 -g\n//! kernel k\n//! check ub\n"},
      {";! arg a b 3 = uint:zero:4\n;! arg c = 1\n",
       ";! arg a = uint:zero:4\n;! arg b = uint:zero:4\n;! arg 3 = uint:zero:4\n;! arg c = 1\n"},
      {";! expect a b[1..2] = 4 5\n;! expect c ~ 1ulp = 6\n",
       ";! expect a = 4 5\n;! expect b[1..2] = 4 5\n;! expect c ~ 1ulp = 6\n"},
      {"//! expect a[0] = 1 | [4..5] = 2 3\n", "//! expect a[0] = 1\n//! expect a[4..5] = 2 3\n"},
      {"//! arg a b = uint:zero:4 expect 1 2 3 4\n//! arg c = int:zero:9 expect [1..2] = 4 5 | [8] "
       "= 6\n",
       "//! arg a = uint:zero:4\n//! arg b = uint:zero:4\n//! expect a = 1 2 3 4\n"
       "//! expect b = 1 2 3 4\n//! arg c = int:zero:9\n//! expect c[1..2] = 4 5\n//! expect c[8] "
       "= 6\n"},
      {";! expect fault TSP-R0040 on y line 3 | TSP-R0041 | TSP-L0001\n",
       ";! expect fault TSP-R0040 on y line 3\n;! expect fault TSP-R0041\n"
       ";! expect fault TSP-L0001\n"},
      {"//! expect printf \"a | b\\n\" | \"c|\\n\"\n",
       "//! expect printf \"a | b\\n\"\n//! expect printf \"c|\\n\"\n"}};
  for (const auto& [text, expected] : cases) CHECK(only(text) == expected);
}

TEST_CASE("a `let` names a value by other values") {
  CHECK(only(";! for T M in a 1 | a 2 | b 2\n;! let X by M T in 1 one | a c {T}2\n;! | b "
             "\"x y\"\n{X}\n;! end\n{X}\n") == "one\na2\nx y\n{X}\n");
}

TEST_CASE("a `let` gives a value by itself") {
  CHECK(only(";! let A = 1,2\n;! let B = {A},3\n{B}\n") == "1,2,3\n");
}

TEST_CASE("formulas list values") {
  const auto list = [](const std::string& formula) {
    const std::string text = only(
        ";! let L = 5,-7,0x10,0.5,-6e-8,inf\n;! let BITS = 8\n"
        ";! define half(X) = X / 2\n;! define both(X, Y) = half(X) + Y\n"
        ";! define power(X, N) = N == 0 ? 1 : X * power(X, N - 1)\n"
        "{" +
        formula + "}\n");
    return text.substr(0, text.size() - 1);
  };
  const std::pair<const char*, const char*> cases[] = {
      {"I from 2 to BITS - 3: I * I - 1", "3 8 15 24"},
      {"I from 0 to 1: I, -I * 2, ~I", "(0,0,-1) (1,-2,-2)"},
      {"I from 0 to 1, K from 0 to 2: 3 * I + K", "(0,1,2) (3,4,5)"},
      {"I from 0 to 5: L[I]", "5 -7 16 0.5 -6e-08 inf"},
      {"I from 0 to 2: I == 1 ? 7 : I < 1 || I > 5 ? 8 : 9", "8 7 9"},
      {"I from 1 to 1: 7 & 12 | 1 << 4 ^ 3", "23"},
      {"I from 0 to 0: -7 / 2, -7 % 2, -7 >> 1, 1 + 2 * 3 - (4 - 5)", "(-3,-1,-4,8)"},
      {"I from 0 to 0: both(9, 1), both(9, half(5))", "(5,6)"},
      {"I from 0 to 2: power(3, I), power(0.5, I)", "(1,1) (3,0.5) (9,0.25)"},
      {"I from 0 to 0: unsigned(-1, 8), signed(0x1ff, 8), signed(127, 8)", "(255,-1,127)"},
      {"I from 0 to 0: 18446744073709551615 * 18446744073709551615 >> 64", "-2"},
      {"I from 0 to 0: min(3, 2), max(3, 2.5), min(2.5, 2)", "(2,3,2)"},
      {"I from 0 to 0: rint(2.5), trunc(-2.5), ceil(-2.5), floor(-2.5), rint(3)", "(2,-2,-2,-3,3)"},
      {"I from 0 to 0: float(0.1), float_bits(-1.5)", "(0.10000000149011612,3217031168)"},
      {"I from 4 to 7: rte(4 * I + 1, 3), rtz(-9, 3), rtp(-9, 3), rtn(-9, 3)",
       "(16,-8,-8,-10) (20,-8,-8,-10) (24,-8,-8,-10) (28,-8,-8,-10)"},
      {"I from 9 to 11: rte(I, 3), rtp(I, 3), rtn(I, 3)", "(8,10,8) (10,10,10) (12,12,10)"},
      {"I from 0 to 3: sum(J from 1 to I: J), product(J from 1 to I: J)",
       "(0,0) (1,1) (3,2) (6,6)"},
      {"I from 2 to 3: and(J from I to 7: J), or(J from 0 to I: J), xor(J from 0 to I: J)",
       "(0,3,3) (0,3,0)"},
      {"I from 2 to 2: min(J from 0 to 3: (J - I) * (J - I)), max(J from 0 to 3: sum(K from J to "
       "3: K))",
       "(0,6)"}};
  for (const auto& [formula, expected] : cases) CHECK(list(formula) == expected);
}

TEST_CASE("a `files` line gives a program for each row") {
  const std::vector<Program> programs =
      expand("add_{T}.cl", "// {T}\n//! files T BYTES in half 2 | float 4\n{BYTES}\n");
  REQUIRE(programs.size() == 2);
  CHECK(programs[0].name == "add_half.cl");
  CHECK(programs[0].text == "// half\n2\n");
  CHECK(programs[1].name == "add_float.cl");
  CHECK(programs[1].text == "// float\n4\n");
}

TEST_CASE("a launch line of OpenCL C names a marked line") {
  const std::string text =
      "//! for K in f g\n//! expect fault TSP-R0040 line {@{K}}\n//! end\n"
      "kernel void f() {}  // @f\nkernel void g() {}  // @g\n";
  CHECK(expand("a.cl", text)[0].text ==
        "//! expect fault TSP-R0040 line 3\n//! expect fault TSP-R0040 line 4\n"
        "kernel void f() {}  // @f\nkernel void g() {}  // @g\n");
  CHECK_THROWS_AS(expand("a.cl", "x  // @f\ny  // @f\n"), Mistake);
}

TEST_CASE("mistakes name their line") {
  const auto mistake = [](std::string_view name, std::string_view text) -> std::string {
    try {
      expand(name, text);
    } catch (const Mistake& error) {
      return error.what();
    }
    return {};
  };
  CHECK(mistake("a", "x\n;! for A in 1\n") == "line 2: has no end");
  CHECK(mistake("a", ";! end\n") == "line 1: 'end' without what it belongs to");
  CHECK(mistake("a", ";! for A B in 1 2 | 3\n;! end\n") ==
        "line 1: a row has 1 values for 2 names");
  CHECK(mistake("a", ";! each A in 1\n;! for B in 2\nx\n;! end\n") == "line 1: has no line");
  CHECK(mistake("a", ";! for A in 1\n;! each B in 2\n;! end\n") == "line 2: has no line");
  CHECK(mistake("a", ";! for A in\n;! end\n") == "line 1: no values");
  CHECK(mistake("a", ";! for A from 1 to x\n") == "line 1: 'x' is no number");
  CHECK(mistake("a", ";! if B is 1\n;! end\n") ==
        "line 1: expected NAME is VALUE... or NAME not VALUE...");
  CHECK(mistake("a", ";! let A in 1 2\n") == "line 1: expected NAME by KEY... in WORD... VALUE");
  CHECK(mistake("a", ";! for B in 1 2\n;! let A by B in 1 x | 3 y\n;! end\n") ==
        "line 2: no row fits");
  CHECK(mistake("a", ";! for B in 1\n;! let A by B in x\n;! end\n") ==
        "line 2: a row has a word and a value");
  CHECK(mistake("a", ";! files A in 1 2\n") == "two rows of `files` give a");
  CHECK(mistake("a", ";! define f = 1\n") ==
        "line 1: expected define NAME(PARAMETER, ...) = FORMULA");
  const std::pair<const char*, const char*> formulas[] = {
      {"A", "nothing is named 'A'"},
      {"1 +", "no end of 'I from 0 to 3: 1 +'"},
      {"(1", "expected ')', found ''"},
      {"1 2", "no operator in '2'"},
      {"1 / I", "no number to divide by in '/'"},
      {"f(1)", "no function of so many arguments is 'f'"},
      {"min(1)", "no function of so many arguments is 'min'"},
      {"g(1)", "too many calls of itself in 'g/1'"},
      {"1.5 & 1", "real numbers have no '&'"},
      {"L[I]", "no element 2 of 'L'"},
      {"1x", "no number is '1x'"}};
  for (const auto& [formula, expected] : formulas)
    CHECK(mistake("a", fmt::format(
                           ";! let L = 1,2\n;! define g(X) = 1 + g(X + 1)\n{{I from 0 to 3: {}}}\n",
                           formula)) == fmt::format("line 3: a formula: {}", expected));
}

TEST_CASE("an index may be a sum of an id and a number") {
  const std::string text = declare(
      "kernel k(%_ptr_CrossWorkgroup_uint out)\n"
      "%x = load %out[%gid + 80]\nstore %out[%gid] %x\n");
  CHECK(text.find("%at_0_sum = OpIAdd %ulong %gid %ulong_80\n"
                  "%at_0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %at_0_sum\n"
                  "%x = OpLoad %uint %at_0 Aligned 4\n"
                  "%at_1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %gid\n") !=
        std::string::npos);
}

TEST_CASE("a kernel of short form is a whole module") {
  const std::string text = declare(
      "; Adds.\n;! global 4\n"
      "kernel add(%_ptr_CrossWorkgroup_v4float in out, %ushort n)\n"
      "%x = load %in[%gid]\n%y = OpFAdd %v4float %x %x\nstore %out[%ulong_3] "
      "%y\nOpReturn\nOpFunctionEnd\n");
  CHECK(
      text ==
      "; Adds.\n;! global 4\n"
      "OpCapability Addresses\nOpCapability Int16\nOpCapability Int64\nOpCapability Kernel\n"
      "OpMemoryModel Physical64 OpenCL\n"
      "OpEntryPoint Kernel %add \"add\" %GlobalInvocationId\n"
      "OpName %in \"in\"\nOpName %out \"out\"\nOpName %n \"n\"\n"
      "OpDecorate %GlobalInvocationId BuiltIn GlobalInvocationId\n"
      "%void = OpTypeVoid\n%float = OpTypeFloat 32\n%v4float = OpTypeVector %float 4\n"
      "%_ptr_CrossWorkgroup_v4float = OpTypePointer CrossWorkgroup %v4float\n%ushort = OpTypeInt "
      "16 0\n"
      "%kernel_type_0 = OpTypeFunction %void %_ptr_CrossWorkgroup_v4float "
      "%_ptr_CrossWorkgroup_v4float %ushort\n"
      "%ulong = OpTypeInt 64 0\n%v3ulong = OpTypeVector %ulong 3\n"
      "%_ptr_Input_v3ulong = OpTypePointer Input %v3ulong\n"
      "%GlobalInvocationId = OpVariable %_ptr_Input_v3ulong Input\n%ulong_3 = OpConstant %ulong 3\n"
      "%add = OpFunction %void None %kernel_type_0\n"
      "%in = OpFunctionParameter %_ptr_CrossWorkgroup_v4float\n"
      "%out = OpFunctionParameter %_ptr_CrossWorkgroup_v4float\n%n = OpFunctionParameter %ushort\n"
      "%entry_of_add = OpLabel\n"
      "%gid_vector = OpLoad %v3ulong %GlobalInvocationId Aligned 32\n"
      "%gid = OpCompositeExtract %ulong %gid_vector 0\n"
      "%at_0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %in %gid\n"
      "%x = OpLoad %v4float %at_0 Aligned 16\n%y = OpFAdd %v4float %x %x\n"
      "%at_1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %out %ulong_3\n"
      "OpStore %at_1 %y Aligned 16\nOpReturn\nOpFunctionEnd\n");
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("the names of access chains are new ones") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\nstore %p[%gid] %uint_1\n%at_0 = OpIAdd %ulong %gid "
      "%gid\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.find("%at_1 = OpInBoundsPtrAccessChain") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("an instruction may stand for the value that is stored") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\n%value_0 = load %p\n"
      "store %p[%gid + 1] OpIAdd %uint %value_0 %uint_1 ; @late\nstore %p load %p[%gid]\n");
  CHECK(text.find("%value_1 = OpIAdd %uint %value_0 %uint_1\n"
                  "%at_0_sum = OpIAdd %ulong %gid %ulong_1\n"
                  "%at_0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p %at_0_sum\n"
                  "OpStore %at_0 %value_1 Aligned 4 ; @late\n"
                  "%at_1 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %p %gid\n"
                  "%value_2 = OpLoad %uint %at_1 Aligned 4\n"
                  "OpStore %p %value_2 Aligned 4\n") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("an instruction in parentheses comes before the line that has it") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\n%x = load %p\n"
      "%y = OpIAdd %uint (OpIMul %uint %x (OpNot %uint %x)) %x ; its (own) sum\n"
      "store (OpPtrAccessChain %_ptr_CrossWorkgroup_uint %p %ulong_1) OpNot %uint %y\n"
      "OpBranchConditional (OpIEqual %bool %y %x) %b %b\n%b = OpLabel\n");
  CHECK(text.find("%value_0 = OpNot %uint %x\n%value_1 = OpIMul %uint %x %value_0\n"
                  "%y = OpIAdd %uint %value_1 %x ; its (own) sum\n"
                  "%value_2 = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %p %ulong_1\n"
                  "%value_3 = OpNot %uint %y\nOpStore %value_2 %value_3 Aligned 4\n"
                  "%value_4 = OpIEqual %bool %y %x\nOpBranchConditional %value_4 %b %b\n") !=
        text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("the parameters of a kernel may stand in several lines") {
  const std::string text =
      declare("kernel a(%_ptr_CrossWorkgroup_uint in,\n  %uint n)\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.find("%in = OpFunctionParameter %_ptr_CrossWorkgroup_uint\n"
                  "%n = OpFunctionParameter %uint\n%entry_of_a = OpLabel\n") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("what is written out stays, and numbers are read from names") {
  const std::string text = declare(
      "OpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
      "%uint = OpTypeInt 32 1\n%pair = OpTypeStruct %uint %half\n"
      "%all = OpConstantComposite %pair %uint_0x20 %half_n1_5\n");
  CHECK(text ==
        "OpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
        "%uint = OpTypeInt 32 1\n%half = OpTypeFloat 16\n%pair = OpTypeStruct %uint %half\n"
        "%uint_0x20 = OpConstant %uint 0x20\n%half_n1_5 = OpConstant %half -1.5\n"
        "%all = OpConstantComposite %pair %uint_0x20 %half_n1_5\n%void = OpTypeVoid\n");
}

TEST_CASE("where pointers have 32 bits, so have ids; written inputs are in the interface") {
  const std::string text = declare(
      "OpMemoryModel Physical32 OpenCL\n"
      "OpDecorate %masks BuiltIn SubgroupEqMask\n%masks = OpVariable %_ptr_Input_v4uint Input\n"
      "kernel a(%_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint p)\n%q = load %p\n"
      "store %q[%gid] %uint_1\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.starts_with("OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical32"));
  CHECK(text.find("OpEntryPoint Kernel %a \"a\" %masks %GlobalInvocationId\n") != text.npos);
  CHECK(text.find("%GlobalInvocationId = OpVariable %_ptr_Input_v3uint Input\n") != text.npos);
  CHECK(text.find("%gid_vector = OpLoad %v3uint %GlobalInvocationId Aligned 16\n"
                  "%gid = OpCompositeExtract %uint %gid_vector 0\n"
                  "%q = OpLoad %_ptr_CrossWorkgroup_uint %p Aligned 4\n") != text.npos);
  CHECK(text.find("ulong") == text.npos);
}

TEST_CASE("two kernels have their own ids and parameters") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\nstore %p[%gid] %uint_1\nOpReturn\nOpFunctionEnd\n"
      "kernel b(%_ptr_CrossWorkgroup_uint p)\nstore %p[%gid] %uint_1\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.find("%gid = OpCompositeExtract") != text.npos);
  CHECK(text.find("%gid_of_b = OpCompositeExtract") != text.npos);
  CHECK(text.find("%p_of_b %gid_of_b\n") != text.npos);
  CHECK(text.find("OpName %p_of_b \"p\"\n") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("blocks go on at the next label, and kernels return at their end") {
  const std::string text = declare(
      "kernel a()\n%x = OpLabel\n; A remark.\n%y = OpLabel\nOpUnreachable\n%z = OpLabel\n; Of b.\n"
      "kernel b()\nOpBranch %x2\n%x2 = OpLabel\nOpReturn\nkernel c()\nOpReturn\nOpFunctionEnd\n"
      "%d = OpFunction %void None %kernel_type_0\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "kernel e()\n");
  CHECK(
      text.find("%entry_of_a = OpLabel\nOpBranch %x\n%x = OpLabel\nOpBranch %y\n; A remark.\n%y = "
                "OpLabel\nOpUnreachable\n%z = OpLabel\nOpReturn\nOpFunctionEnd\n; Of b.\n%b = ") !=
      text.npos);
  CHECK(text.find("OpBranch %x2\n%x2 = OpLabel\nOpReturn\nOpFunctionEnd\n%c = ") != text.npos);
  CHECK(text.ends_with("%entry_of_e = OpLabel\nOpReturn\nOpFunctionEnd\n"));
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("a function has control words and no names, and may share its parameters' names") {
  const std::string text = declare(
      "function %uint Inline|Pure sum(%uint x y)\nOpReturnValue (OpIAdd %uint %x %y)\n"
      "function %void none(%uint x)\nkernel a(%_ptr_CrossWorkgroup_uint p)\n"
      "%z = OpFunctionCall %uint %sum %uint_1 %uint_1\n");
  CHECK(text.find("%sum = OpFunction %uint Inline|Pure %kernel_type_0\n"
                  "%x = OpFunctionParameter %uint\n%y = OpFunctionParameter %uint\n"
                  "%entry_of_sum = OpLabel\n%value_0 = OpIAdd %uint %x %y\nOpReturnValue %value_0\n"
                  "OpFunctionEnd\n%none = OpFunction %void None %kernel_type_1\n"
                  "%x_of_none = OpFunctionParameter %uint\n%entry_of_none = OpLabel\nOpReturn\n"
                  "OpFunctionEnd\n%a = OpFunction %void None %kernel_type_2\n") != text.npos);
  CHECK(text.find("OpName %x") == text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("names of arrays, and sub-groups of a size") {
  const std::string text = declare(
      "OpCapability Groups Pipes\nOpExecutionMode %a SubgroupSize 16\n"
      "kernel a(%_ptr_CrossWorkgroup__arr__arr_uint_3_2 p)\n");
  CHECK(text.starts_with("OpCapability Groups\nOpCapability Pipes\n"));
  CHECK(text.find("OpCapability SubgroupDispatch\n") != text.npos);
  CHECK(text.find("%_arr_uint_3 = OpTypeArray %uint %ulong_3\n") != text.npos);
  CHECK(text.find("%_arr__arr_uint_3_2 = OpTypeArray %_arr_uint_3 %ulong_2\n") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("ids of 32 bits") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\nstore %p[%gid] %gid32\n"
      "kernel b(%_ptr_CrossWorkgroup_uint q)\nstore %q %lid32\nstore %q %gid32\n");
  CHECK(text.find("%gid_vector 0\n%gid32 = OpUConvert %uint %gid\n") != text.npos);
  CHECK(text.find("%gid32_of_b = OpUConvert %uint %gid_of_b\n") != text.npos);
  CHECK(text.find("%lid32 = OpUConvert %uint %lid\n") != text.npos);
  CHECK(text.find("OpStore %q %gid32_of_b Aligned 4") != text.npos);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("variables of a kernel stand before its ids") {
  const std::string text = declare(
      "kernel a(%_ptr_CrossWorkgroup_uint p)\n%x = OpVariable %_ptr_Function_uint Function\n"
      "; A remark.\nstore %p[%gid] %uint_1\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.find("OpLabel\n%x = OpVariable %_ptr_Function_uint Function\n%gid_vector = ") !=
        text.npos);
  CHECK(text.find(" %gid_vector 0\n; A remark.\n%at_0 = ") != text.npos);
}

TEST_CASE("a launch line names the place of an instruction") {
  const std::string text = declare(
      ";! expect fault TSP-R0020 line {@x}\n;! expect fault TSP-R0021 line {@late}\n"
      "kernel a(%_ptr_CrossWorkgroup_uint p)\n  %x = load %p\n"
      "  store %p[%ulong_3] %x ; @late\nOpReturn\nOpFunctionEnd\n");
  CHECK(text.starts_with(
      ";! expect fault TSP-R0020 line 18:6\n;! expect fault TSP-R0021 line 20:1\n"));
  CHECK(text.find("\nOpStore %at_0 %x Aligned 4 ; @late\n") != text.npos);
  CHECK(std::count(text.begin(), text.begin() + text.find("OpStore"), '\n') == 19);
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("a shader of short form is a whole module") {
  const std::string text = declare(
      "; target: spv1.4\n%pair = block %uint 0 %v2int 8\nbuffer uint o\nset 1\n"
      "resource Uniform pair u v\nshader main 8 2 1\n%x = load %u[1 0]\n"
      "store %o[%gid] (OpIAdd %uint (load %v[0]) %group) Volatile\n%p = at %o[3]\n");
  CHECK(
      text ==
      "; target: spv1.4\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\" %o %u %v %GlobalInvocationId %WorkgroupId\n"
      "OpExecutionMode %main LocalSize 8 2 1\nOpName %o \"o\"\nOpName %u \"u\"\nOpName %v \"v\"\n"
      "OpDecorate %pair Block\nOpMemberDecorate %pair 0 Offset 0\n"
      "OpMemberDecorate %pair 1 Offset 8\nOpDecorate %_runtimearr_uint ArrayStride 4\n"
      "OpDecorate %buffer_of_uint Block\nOpMemberDecorate %buffer_of_uint 0 Offset 0\n"
      "OpDecorate %o DescriptorSet 0\nOpDecorate %o Binding 0\n"
      "OpDecorate %u DescriptorSet 1\nOpDecorate %u Binding 0\n"
      "OpDecorate %v DescriptorSet 1\nOpDecorate %v Binding 1\n"
      "OpDecorate %GlobalInvocationId BuiltIn GlobalInvocationId\n"
      "OpDecorate %WorkgroupId BuiltIn WorkgroupId\n"
      "%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n%v2int = OpTypeVector %int 2\n"
      "%pair = OpTypeStruct %uint %v2int\n%_runtimearr_uint = OpTypeRuntimeArray %uint\n"
      "%buffer_of_uint = OpTypeStruct %_runtimearr_uint\n"
      "%_ptr_StorageBuffer_buffer_of_uint = OpTypePointer StorageBuffer %buffer_of_uint\n"
      "%o = OpVariable %_ptr_StorageBuffer_buffer_of_uint StorageBuffer\n"
      "%_ptr_Uniform_pair = OpTypePointer Uniform %pair\n"
      "%u = OpVariable %_ptr_Uniform_pair Uniform\n%v = OpVariable %_ptr_Uniform_pair Uniform\n"
      "%void = OpTypeVoid\n%kernel_type_0 = OpTypeFunction %void\n"
      "%v3uint = OpTypeVector %uint 3\n%_ptr_Input_v3uint = OpTypePointer Input %v3uint\n"
      "%GlobalInvocationId = OpVariable %_ptr_Input_v3uint Input\n"
      "%WorkgroupId = OpVariable %_ptr_Input_v3uint Input\n"
      "%_ptr_Uniform_int = OpTypePointer Uniform %int\n"
      "%_ptr_Uniform_uint = OpTypePointer Uniform %uint\n"
      "%_ptr_StorageBuffer_uint = OpTypePointer StorageBuffer %uint\n"
      "%uint_1 = OpConstant %uint 1\n%uint_0 = OpConstant %uint 0\n%uint_3 = OpConstant %uint 3\n"
      "%main = OpFunction %void None %kernel_type_0\n%entry_of_main = OpLabel\n"
      "%gid_vector = OpLoad %v3uint %GlobalInvocationId\n"
      "%gid = OpCompositeExtract %uint %gid_vector 0\n"
      "%group_vector = OpLoad %v3uint %WorkgroupId\n"
      "%group = OpCompositeExtract %uint %group_vector 0\n"
      "%at_0 = OpAccessChain %_ptr_Uniform_int %u %uint_1 %uint_0\n%x = OpLoad %int %at_0\n"
      "%at_1 = OpAccessChain %_ptr_Uniform_uint %v %uint_0\n%value_0 = OpLoad %uint %at_1\n"
      "%value_1 = OpIAdd %uint %value_0 %group\n"
      "%at_2 = OpAccessChain %_ptr_StorageBuffer_uint %o %uint_0 %gid\n"
      "OpStore %at_2 %value_1 Volatile\n"
      "%p = OpAccessChain %_ptr_StorageBuffer_uint %o %uint_0 %uint_3\nOpReturn\nOpFunctionEnd\n");
  CHECK(decoder::assemble(text, "text"));
}

TEST_CASE("what clspv writes has no names, and addresses are aligned") {
  const std::string text = declare(
      "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n"
      "%set = OpExtInstImport \"NonSemantic.ClspvReflection.5\"\nbuffer ulong o\nshader main\n"
      "%p = OpConvertUToPtr %_ptr_PhysicalStorageBuffer_uint (load %o[0])\n%x = load %p\n"
      "OpFunctionEnd\n%info = OpExtInst %void %set ArgumentInfo (OpString \"a (b\")\n");
  CHECK(text.find("OpName") == text.npos);
  CHECK(text.find("\n%value_1 = OpString \"a (b\"\n") < text.find("OpDecorate"));
  CHECK(text.find("OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n") != text.npos);
  CHECK(
      text.ends_with("%x = OpLoad %uint %p Aligned 4\nOpReturn\nOpFunctionEnd\n"
                     "%info = OpExtInst %void %set ArgumentInfo %value_1\n"));
}

TEST_CASE("what the short form does not know is said") {
  const auto mistake = [](std::string_view text) -> std::string {
    try {
      declare(text);
    } catch (const Mistake& error) {
      return error.what();
    }
    return {};
  };
  CHECK(mistake("kernel a(%s p)\n%x = load %q\n") ==
        "line 2 ('%x = load %q'): the type of %q is not known here");
  CHECK(mistake("kernel a(%_ptr_Function_pair p)\n%x = load %p\n") ==
        "line 2 ('%x = load %p'): how %pair is aligned is to be written out");
  CHECK(mistake(";! {@x}\nkernel a()\nOpReturn ; @x\nOpFunctionEnd ; @x\n") ==
        "two instructions have the name '@x'");
  CHECK(mistake("kernel a(%_ptr_CrossWorkgroup_uint p)\nstore %p[%gid]\n") ==
        "line 2 ('store %p[%gid]'): expected store POINTER VALUE");
  CHECK(mistake("kernel a\n") ==
        "line 1 ('kernel a'): expected kernel NAME(TYPE PARAMETER..., ...)");
  CHECK(mistake("function f(%uint x)\n") ==
        "line 1 ('function f(%uint x)'): expected function TYPE NAME(TYPE PARAMETER..., ...)");
  CHECK(mistake("shader a 1\n") == "line 1 ('shader a 1'): expected shader NAME X Y Z");
  CHECK(mistake("%b = block %uint 0 %uint 4\nresource Uniform b p\nshader a\n%x = load %p[%i]\n") ==
        "line 4 ('%x = load %p[%i]'): the index of a struct's member is a number");
  CHECK(mistake("buffer uint o\nshader a\n%x = load %o[0 0]\n") ==
        "line 3 ('%x = load %o[0 0]'): %uint has no members");
  CHECK(mistake("shader a\n%x = load %uint_1\n") ==
        "line 2 ('%x = load %uint_1'): the type of %uint_1 is not known here");
}

}  // namespace
}  // namespace transpire::test
