// The generated tables and the names they give.
#include "decoder/grammar.h"

#include <doctest/doctest.h>

#include "decoder/module.h"

namespace transpire::test {

using namespace decoder;

TEST_CASE("opcodes have names and classes") {
  CHECK(opcode_name(spv::Op::OpStore) == "OpStore");
  CHECK(opcode_class(spv::Op::OpFAdd) == "Arithmetic");
  CHECK(opcode_class(spv::Op::OpPhi) == "Control-Flow");
  CHECK(opcode_name(static_cast<spv::Op>(60000)) == "Op60000");
  CHECK(opcode_class(static_cast<spv::Op>(60000)).empty());
  // An opcode with a vendor alias keeps its plain name.
  CHECK(opcode_name(spv::Op::OpSDotKHR) == "OpSDot");
}

TEST_CASE("operand rows leave out result type and result") {
  const OpcodeInfo* load = find_opcode(static_cast<std::uint32_t>(spv::Op::OpLoad));
  REQUIRE(load != nullptr);
  CHECK(load->has_type);
  CHECK(load->has_result);
  REQUIRE(load->operands.size() == 2);
  CHECK(load->operands[0].kind == OperandKind::kIdRef);
  CHECK(load->operands[1].kind == OperandKind::kMemoryAccess);
  CHECK(load->operands[1].quantifier == Quantifier::kOptional);
  CHECK(find_opcode(70000) == nullptr);
}

TEST_CASE("requirements say version and capabilities") {
  const OpcodeInfo* size_of = find_opcode(static_cast<std::uint32_t>(spv::Op::OpSizeOf));
  REQUIRE(size_of != nullptr);
  CHECK(size_of->needs.version == 0x00010100);
  REQUIRE(size_of->needs.capabilities.size() == 1);
  CHECK(size_of->needs.capabilities[0] == spv::Capability::Addresses);
}

TEST_CASE("enumerants have names and parameters") {
  CHECK(capability_name(spv::Capability::Kernel) == "Kernel");
  CHECK(capability_name(static_cast<spv::Capability>(0x7fffffff)).empty());
  CHECK(enumerant_name(OperandKind::kStorageClass, 5) == "CrossWorkgroup");
  const EnumerantInfo* aligned = find_enumerant(OperandKind::kMemoryAccess, 2);
  REQUIRE(aligned != nullptr);
  CHECK(aligned->parameters.size() == 1);
  CHECK(category_of(OperandKind::kMemoryAccess) == Category::kBitEnum);
  CHECK(kind_name(OperandKind::kIdRef) == "IdRef");
}

TEST_CASE("extended instruction sets are known by the name of their import") {
  CHECK(extended_set_named("OpenCL.std") == ExtendedSet::kOpenCLStd);
  CHECK(extended_set_named("OpenCL.std.1") == ExtendedSet::kUnknown);
  CHECK(extended_set_named("") == ExtendedSet::kUnknown);
  // A name with a period at the end is a prefix, and the first row that fits counts.
  CHECK(extended_set_named("NonSemantic.DebugPrintf") == ExtendedSet::kDebugPrintf);
  CHECK(extended_set_named("NonSemantic.DebugBreak") == ExtendedSet::kNonSemantic);
  CHECK(extended_set_named("NonSemantic.Shader.DebugInfo.100") == ExtendedSet::kShaderDebugInfo);
  for (const ExtendedSetRow& row : kExtendedSets)
    CHECK(&row_of(extended_set_named(row.import_name)) == &row);
}

TEST_CASE("extended instructions are known by set and number") {
  constexpr ExtendedSet kStd = ExtendedSet::kOpenCLStd;
  CHECK(ext_inst_name(kStd, 0) == "acos");
  CHECK(ext_inst_name(kStd, 184) == "printf");
  CHECK(ext_inst_name(kStd, 9999).empty());
  CHECK(ext_inst_name(ExtendedSet::kOpenCLDebugInfo, 0).empty());
  const ExtInstInfo* vloadn = find_ext_inst(kStd, 171);
  REQUIRE(vloadn != nullptr);
  CHECK(vloadn->operands.size() == 3);
  CHECK(vloadn->operands[2].kind == OperandKind::kLiteralInteger);
}

}  // namespace transpire::test
