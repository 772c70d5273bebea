// Decorations: groups, members, strings and ids, unknown ones; what variables take from them.
#include <doctest/doctest.h>

#include "tests/decoder/support.h"

namespace transpire::test {

TEST_CASE("a group's decorations reach every target and every member") {
  const Module module = module_of(
      kKernelHeader +
      "OpName %v \"v\"\nOpName %s \"s\"\n"
      "OpDecorate %g Constant\nOpDecorate %g Alignment 64\n%g = OpDecorationGroup\n"
      "OpDecorate %m Volatile\n%m = OpDecorationGroup\n"
      "OpGroupDecorate %g %v\nOpGroupMemberDecorate %m %s 0 %s 1\nOpMemberDecorate %s 1 Offset 4\n"
      "%int = OpTypeInt 32 0\n%s = OpTypeStruct %int %int\n"
      "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup\n");
  const Id v = id_of(module, "v");
  const Id s = id_of(module, "s");
  CHECK(module.decorations(v).size() == 2);
  CHECK(module.decoration(v, spv::Decoration::Constant) != nullptr);
  CHECK(module.variable(v)->align_bytes == 64);
  REQUIRE(module.decorations(s).size() == 3);
  CHECK(module.decorations(s)[0].member == 0);
  CHECK(module.decorations(s)[1].member == 1);
  CHECK(module.decorations(s)[2].operands == std::vector<std::uint32_t>{4});
  CHECK(module.decoration(s, spv::Decoration::Volatile) == nullptr);
}

TEST_CASE("strings stand apart from operands") {
  const Module module =
      module_of(kKernelHeader +
                "OpName %v \"v\"\nOpDecorate %v LinkageAttributes \"symbol\" Import\n"
                "OpDecorateString %v UserSemantic \"note\"\n"
                "%int = OpTypeInt 32 0\n%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p "
                "CrossWorkgroup\n");
  const Id v = id_of(module, "v");
  const Decoration* linkage = module.decoration(v, spv::Decoration::LinkageAttributes);
  REQUIRE(linkage != nullptr);
  CHECK(linkage->text == "symbol");
  CHECK(linkage->operands ==
        std::vector<std::uint32_t>{static_cast<std::uint32_t>(spv::LinkageType::Import)});
  CHECK(module.decoration(v, spv::Decoration::UserSemantic)->text == "note");
}

TEST_CASE("builtin variables are known by their decoration") {
  const Module module = module_of(
      kKernelHeader +
      "OpName %v \"v\"\nOpDecorate %v BuiltIn GlobalInvocationId\nOpDecorate %v Constant\n"
      "%long = OpTypeInt 64 0\n%v3 = OpTypeVector %long 3\n%p = OpTypePointer Input %v3\n"
      "%v = OpVariable %p Input\n");
  const Variable& variable = *module.variable(id_of(module, "v"));
  CHECK(variable.is_builtin);
  CHECK(variable.builtin == spv::BuiltIn::GlobalInvocationId);
  CHECK(variable.align_bytes == 32);
}

TEST_CASE("OpDecorateId keeps the id, unknown decorations keep their words") {
  Words words = assembled(
      kKernelHeader +
      "OpName %v \"v\"\nOpDecorateId %v AlignmentId %n\nOpDecorate %v Alignment 16\n"
      "%int = OpTypeInt 32 0\n%n = OpConstant %int 8\n%p = OpTypePointer CrossWorkgroup %int\n"
      "%v = OpVariable %p CrossWorkgroup\n");
  words[offset_of(words, spv::Op::OpDecorate) + 2] = 0x7ffffff0;
  const Module module = whole(words);
  const auto decorations = module.decorations(id_of(module, "v"));
  REQUIRE(decorations.size() == 2);
  CHECK(module.constant(decorations[0].operands[0])->bits == 8);
  CHECK(decorations[1].operands == std::vector<std::uint32_t>{16});
}

}  // namespace transpire::test
