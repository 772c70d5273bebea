// Layout of values in memory: type words, literals, leaves and printing.
#include "launch/layout.h"

#include <cstring>

#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;
namespace {

TypeInfo named(const char* name) { return type_of(*type_word(name)); }

/// struct { float x; uchar n; float3 v; }
TypeInfo particle() {
  TypeInfo type;
  type.kind = TypeInfo::Kind::kStruct;
  type.spelling = "struct Particle";
  type.elements = {named("float"), named("uchar"), named("float3")};
  type.member_names = {"x", "n", "v"};
  type.member_offsets = {0, 4, 16};
  type.size_bytes = 32;
  type.align_bytes = 16;
  return type;
}

std::string stored(const TypeInfo& type, std::string_view text) {
  const auto literals = parse_literals(text);
  if (!literals) return error_of(literals);
  REQUIRE(literals->size() == 1);
  std::vector<std::byte> bytes(type.size_bytes);
  const auto done = store_literal(type, (*literals)[0], Signedness::kStated, bytes);
  return done ? format_value(type, bytes) : error_of(done);
}

}  // namespace

TEST_CASE("type words") {
  CHECK(type_word("float4")->components == 4);
  CHECK(type_word("ulong16")->scalar == ScalarType::kUlong);
  CHECK(type_word("half")->components == 1);
  for (const char* word : {"float5", "float1", "floaty", "", "4", "size_t"})
    CHECK_FALSE(type_word(word));
  CHECK(named("float3").size_bytes == 16);
  CHECK(named("uchar3").size_bytes == 4);
  CHECK(named("double16").size_bytes == 128);
}

TEST_CASE("literals nest and separate by commas or blanks") {
  const auto literals = parse_literals("1, -2.5 (1,2 (3)) { 4 }");
  REQUIRE(literals.ok());
  REQUIRE(literals->size() == 4);
  CHECK((*literals)[1].number == "-2.5");
  CHECK((*literals)[2].items.size() == 3);
  CHECK((*literals)[2].items[2].items[0].number == "3");
  CHECK((*literals)[3].is_list);
  CHECK(error_of(parse_literals("(1, 2")) == "TSP-C0022: ')' is missing in the value '(1, 2'");
  CHECK(error_of(parse_literals("(1}")) == "TSP-C0022: '}' was not expected in the value '(1}'");
  CHECK_FALSE(parse_literals("1)").ok());
  CHECK(parse_literals(std::string(64, '(') + std::string(64, ')')).ok());
  CHECK(error_of(parse_literals(std::string(100000, '(')))
            .starts_with("TSP-C0022: brackets are nested too deeply in the value '((("));
}

TEST_CASE("values are stored and printed") {
  CHECK(stored(named("float4"), "(1, 2.5, -3, 4)") == "(1, 2.5, -3, 4)");
  CHECK(stored(named("uchar3"), "(1,2,3)") == "(1, 2, 3)");
  CHECK(stored(particle(), "{ 1.5, 7, (1,2,3) }") == "{x=1.5, n=7, v=(1, 2, 3)}");
  CHECK(stored(particle(), "{v=(1,2,3), x = 1.5, .n = 7}") == "{x=1.5, n=7, v=(1, 2, 3)}");
  CHECK(stored(named("int"), "(5)") == "5");
}

TEST_CASE("values of the wrong shape are explained") {
  CHECK(stored(named("float4"), "(1,2,3)") == "TSP-C0022: float4 has 4 members, 3 given");
  CHECK(stored(named("float4"), "1") == "TSP-C0022: float4 has 4 members, one number is given");
  CHECK(stored(named("int"), "(1,2)") ==
        "TSP-C0022: a list of 2 was given where one int is expected");
  CHECK(stored(particle(), "{1, 300, (1,2,3)}") ==
        "TSP-C0022: '300' is no uchar: the range is 0 to 255");
  CHECK(zero_literal(particle()) == "{ x=0, n=0, v=(0, 0, 0) }");
  CHECK(stored(particle(), "{x=1, n=2}") == "TSP-C0022: member 'v' of struct Particle is missing");
  CHECK(stored(particle(), "{x=1, n=2, w=3}") == "TSP-C0022: struct Particle has no member 'w'");
  CHECK(error_of(parse_literals("x=1")) == "TSP-C0022: the name 'x' is of no struct's member");
}

TEST_CASE("what fills a struct up is left out") {
  TypeInfo type = particle();
  type.elements[1].is_padding = true;
  CHECK(stored(type, "{1.5, (1,2,3)}") == "{x=1.5, v=(1, 2, 3)}");
  CHECK(stored(type, "{1.5, 0, (1,2,3)}") == "{x=1.5, v=(1, 2, 3)}");
  CHECK(stored(type, "{x=1, n=2, v=(1,2,3)}") == "TSP-C0022: struct Particle has no member 'n'");
  CHECK(leaves_of(type).size() == 4);
  CHECK(leaf_path(type, 0) == ".x");
  CHECK(leaf_path(type, 3) == ".v.2");
  CHECK(zero_literal(type) == "{ x=0, v=(0, 0, 0) }");
}

TEST_CASE("leaves stand at their offsets") {
  const std::vector<Leaf> leaves = leaves_of(particle());
  REQUIRE(leaves.size() == 5);
  CHECK(leaves[1].offset_bytes == 4);
  CHECK(leaves[1].type == ScalarType::kUchar);
  CHECK(leaves[4].offset_bytes == 24);
  TypeInfo opaque;
  CHECK(leaves_of(opaque).empty());
  TypeInfo array;
  array.kind = TypeInfo::Kind::kArray;
  array.count = 3;
  array.elements = {named("ushort")};
  array.size_bytes = 6;
  CHECK(leaves_of(array).size() == 3);
  CHECK(leaves_of(array)[2].offset_bytes == 4);
}

TEST_CASE("the spelling tells signed from unsigned") {
  CHECK(scalar_of(named("uint")) == ScalarType::kUint);
  CHECK(scalar_of(named("int")) == ScalarType::kInt);
  CHECK_FALSE(scalar_of(named("int2")));
}

}  // namespace transpire::test
