// The table of opaque types: each row is what the decoder, the layout and the spelling make of its instruction.
#include "decoder/opaque_types.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/decoder/opaque_declarations.h"
#include "tests/decoder/support.h"

namespace transpire::test {

TEST_CASE("each opaque type is decoded, laid out and spelled as its row says") {
  for (const OpaqueType& row : kOpaqueTypes) {
    INFO(opcode_name(row.op));
    CHECK(opaque_type(row.kind) == &row);
    CHECK(opaque_type(row.op) == &row);
    const Module module =
        module_of(kKernelHeader + "OpName %it \"it\"\n%void = OpTypeVoid\n" + declaration(row));
    const Type& type = type_of(module, "it");
    CHECK(type.kind == row.kind);
    CHECK(type.size_bytes == (row.has_size ? 8 : 0));
    CHECK(type.align_bytes == (row.has_size ? 8 : 1));
    const std::string spelled = spell(type);
    CHECK(!spelled.empty());
    CHECK(spelled != "unknown");
    if (!row.spelling.empty()) CHECK(spelled == row.spelling);
  }
}

TEST_CASE("opaque types have a row each, and no other type has one") {
  std::set<spv::Op> seen;
  for (const OpaqueType& row : kOpaqueTypes) CHECK(seen.insert(row.op).second);
  for (const auto kind : {Type::Kind::kVoid, Type::Kind::kBool, Type::Kind::kInt,
                          Type::Kind::kFloat, Type::Kind::kVector, Type::Kind::kArray,
                          Type::Kind::kStruct, Type::Kind::kPointer, Type::Kind::kFunction})
    CHECK(opaque_type(kind) == nullptr);
  CHECK(opaque_type(spv::Op::OpTypeStruct) == nullptr);
}

}  // namespace transpire::test
