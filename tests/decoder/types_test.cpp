// Types: layout by OpenCL's rules, spelling, forward pointers, array lengths.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/decoder/support.h"

namespace transpire::test {
namespace {

const std::string kScalars =
    "%void = OpTypeVoid\n"
    "%bool = OpTypeBool\n"
    "%char = OpTypeInt 8 0\n"
    "%short = OpTypeInt 16 0\n"
    "%int = OpTypeInt 32 0\n"
    "%long = OpTypeInt 64 0\n"
    "%half = OpTypeFloat 16\n"
    "%float = OpTypeFloat 32\n"
    "%double = OpTypeFloat 64\n";

std::string header(const std::string& addressing = "Physical64") {
  return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\nOpCapability Float16\n"
         "OpCapability Float64\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
         "OpCapability Vector16\nOpMemoryModel " +
         addressing + " OpenCL\n";
}

TEST_CASE("scalars and vectors have OpenCL's sizes and alignments") {
  const Module module = module_of(
      header() +
      "OpName %bool \"bool\"\nOpName %half \"half\"\nOpName %double \"double\"\n"
      "OpName %v3 \"v3\"\nOpName %v2 \"v2\"\nOpName %v16 \"v16\"\n" +
      kScalars +
      "%v2 = OpTypeVector %char 2\n%v3 = OpTypeVector %int 3\n%v16 = OpTypeVector %double 16\n");
  CHECK(type_of(module, "bool").size_bytes == 1);
  CHECK(type_of(module, "half").size_bytes == 2);
  CHECK(type_of(module, "double").align_bytes == 8);
  CHECK(type_of(module, "v2").size_bytes == 2);
  CHECK(type_of(module, "v3").size_bytes == 16);
  CHECK(type_of(module, "v3").align_bytes == 16);
  CHECK(type_of(module, "v16").size_bytes == 128);
}

TEST_CASE("structs are laid out as in C, packed ones without padding") {
  const std::string body =
      "OpName %s \"s\"\nOpName %p \"p\"\nOpName %a \"a\"\nOpName %e \"e\"\nOpMemberName %s 1 "
      "\"second\"\n"
      "OpDecorate %p CPacked\n" +
      kScalars +
      "%three = OpConstant %int 3\n%v3 = OpTypeVector %float 3\n"
      "%s = OpTypeStruct %char %double %v3 %char\n%p = OpTypeStruct %char %double %v3 %char\n"
      "%a = OpTypeArray %s %three\n%e = OpTypeStruct\n";
  const Module module = module_of(header() + body);
  const Type& plain = type_of(module, "s");
  CHECK(plain.member_offsets == std::vector<std::uint64_t>{0, 8, 16, 32});
  CHECK(plain.size_bytes == 48);
  CHECK(plain.align_bytes == 16);
  CHECK(plain.member_names == std::vector<std::string>{"", "second", "", ""});
  const Type& packed = type_of(module, "p");
  CHECK(packed.packed);
  CHECK(packed.member_offsets == std::vector<std::uint64_t>{0, 1, 9, 25});
  CHECK(packed.size_bytes == 26);
  CHECK(packed.align_bytes == 1);
  CHECK(type_of(module, "a").size_bytes == 144);
  CHECK(type_of(module, "e").size_bytes == 0);
  CHECK(type_of(module, "e").align_bytes == 1);
}

TEST_CASE("pointers have the addressing model's size") {
  const std::string body = "OpName %s \"s\"\n" + kScalars +
                           "%p = OpTypePointer CrossWorkgroup %char\n%s = OpTypeStruct %char %p\n";
  CHECK(type_of(module_of(header("Physical32") + body), "s").size_bytes == 8);
  CHECK(type_of(module_of(header("Physical64") + body), "s").size_bytes == 16);
}

TEST_CASE("handles have as many bytes in memory as pointers") {
  const std::string body =
      "OpName %sampler \"sampler\"\nOpName %image \"image\"\nOpName %both \"both\"\n" + kScalars +
      "%sampler = OpTypeSampler\n%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"
      "%both = OpTypeStruct %image %sampler\n";
  const Module narrow = module_of(header("Physical32") + body);
  CHECK(type_of(narrow, "sampler").size_bytes == 4);
  CHECK(type_of(narrow, "sampler").align_bytes == 4);
  CHECK(type_of(narrow, "image").size_bytes == 4);
  CHECK(type_of(narrow, "both").member_offsets == std::vector<std::uint64_t>{0, 4});
  CHECK(type_of(module_of(header() + body), "sampler").size_bytes == 8);
  CHECK(type_of(module_of(header() + body), "image").size_bytes == 8);
}

TEST_CASE("forward pointers make self-referential structs") {
  const Module module = module_of(
      header() + "OpName %node \"struct.Node\"\nOpTypeForwardPointer %next CrossWorkgroup\n" +
      kScalars + "%node = OpTypeStruct %next %int\n%next = OpTypePointer CrossWorkgroup %node\n");
  const Type& node = type_of(module, "struct.Node");
  CHECK(node.size_bytes == 16);
  CHECK(node.members[0]->element == &node);
  CHECK(spell(*node.members[0]) == "global struct Node*");
}

TEST_CASE("an array's length may be a specialisation constant and an expression of it") {
  const std::string text = header() + "OpName %a \"a\"\nOpDecorate %n SpecId 7\n" + kScalars +
                           "%n = OpSpecConstant %int 3\n%two = OpConstant %int 2\n"
                           "%m = OpSpecConstantOp %int IMul %n %two\n%a = OpTypeArray %short %m\n";
  CHECK(type_of(module_of(text), "a").count == 6);
  DecodeOptions options;
  options.specialisation[7] = 50;
  const Module module = module_of(text, options);
  CHECK(type_of(module, "a").count == 100);
  CHECK(type_of(module, "a").size_bytes == 200);
}

TEST_CASE("types are spelled as in OpenCL C") {
  const Module module =
      module_of(header() +
                "OpName %s \"struct.Particle\"\nOpName %u \"union.U\"\n"
                "OpName %f \"f\"\nOpName %pp \"pp\"\nOpName %aa \"aa\"\nOpName %img "
                "\"img\"\nOpName %anon \"\"\n" +
                kScalars +
                "%n2 = OpConstant %int 2\n%n4 = OpConstant %int 4\n%f4 = OpTypeVector %float 4\n"
                "%s = OpTypeStruct %float\n%u = OpTypeStruct %int\n%anon = OpTypeStruct %half\n"
                "%gp = OpTypePointer CrossWorkgroup %f4\n%pp = OpTypePointer Function %gp\n"
                "%ls = OpTypePointer Workgroup %s\n%cu = OpTypePointer UniformConstant %u\n"
                "%a = OpTypeArray %float %n4\n%aa = OpTypeArray %a %n2\n"
                "%img = OpTypeImage %void 2D 1 1 0 0 Unknown WriteOnly\n"
                "%f = OpTypeFunction %void %gp %ls %cu %long %bool %half %anon\n");
  CHECK(spell(type_of(module, "pp")) == "global float4* private*");
  CHECK(spell(type_of(module, "aa")) == "float[2][4]");
  CHECK(spell(type_of(module, "img")) == "write_only image2d_array_depth_t");
  const Type& function = type_of(module, "f");
  CHECK(spell(function) ==
        "void (global float4*, local struct Particle*, constant union U*, ulong, "
        "bool, half, struct %" +
            std::to_string(function.members[6]->id) + ")");
  CHECK(type_of(module, "img").image.depth == 1);
  CHECK(type_of(module, "img").access == spv::AccessQualifier::WriteOnly);
}

TEST_CASE("a signed integer type is spelled signed") {
  const Module module = module_of(header() +
                                  "OpName %i \"i\"\nOpName %c \"c\"\n%i = OpTypeInt 32 1\n"
                                  "%c = OpTypeInt 8 1\n");
  CHECK(spell(type_of(module, "i")) == "int");
  CHECK(spell(type_of(module, "c")) == "char");
}

TEST_CASE("structs nest as deep as the universal limits say, with arrays between them") {
  std::string text = header() + "OpName %s255 \"deepest\"\n" + kScalars +
                     "%n1 = OpConstant %int 1\n%s0 = OpTypeStruct %float\n";
  for (int i = 1; i <= 255; ++i)
    text += fmt::format("%a{0} = OpTypeArray %s{1} %n1\n%s{0} = OpTypeStruct %a{0}\n", i, i - 1);
  const Module module = module_of(text + "%p = OpTypePointer CrossWorkgroup %s255\n");
  const Type* type = &type_of(module, "deepest");
  CHECK(type->size_bytes == 4);
  for (int i = 0; i < 255; ++i) type = type->members[0]->element;
  CHECK(type->members[0]->kind == Type::Kind::kFloat);
}

TEST_CASE("an array may have 255 dimensions, and a pointer and a function type around it") {
  std::string text = header() + "OpName %a255 \"deepest\"\n" + kScalars +
                     "%n1 = OpConstant %int 1\n%a0 = OpTypeVector %float 4\n";
  for (int i = 1; i <= 255; ++i) text += fmt::format("%a{} = OpTypeArray %a{} %n1\n", i, i - 1);
  const Module module = module_of(text + "%p = OpTypePointer CrossWorkgroup %a255\n" +
                                  "%f = OpTypeFunction %void %p\n");
  CHECK(type_of(module, "deepest").size_bytes == 16);
}

}  // namespace
}  // namespace transpire::test
