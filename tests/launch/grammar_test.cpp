// The small pieces of the launch language.
#include <cstring>

#include "launch/plan_builder.h"
#include "launch/shell_words.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;

TEST_CASE("sizes") {
  CHECK(parse_sizes("16")->dimensions == 1);
  CHECK(parse_sizes("16, 8,2")->size == std::array<std::uint64_t, 3>{16, 8, 2});
  CHECK(error_of(parse_sizes("1,2,3,4")) == "TSP-C0021: at most three sizes are allowed");
  CHECK(error_of(parse_sizes("16,")) == "TSP-C0021: a size is missing after the comma");
  CHECK(error_of(parse_sizes("")) ==
        "TSP-C0021: one to three sizes are expected, separated by commas");
  CHECK(error_of(parse_sizes("-4")) == "TSP-C0022: '-4' is no size: a whole number is expected");
}

TEST_CASE("slices") {
  CHECK(parse_slice("y")->all);
  const auto range = parse_slice("y[2..7]");
  CHECK((range->first == 2 && range->last == 7 && !range->all));
  CHECK(parse_slice("y[3]")->last == 3);
  CHECK_FALSE(parse_slice("y[3..]")->last);
  CHECK(parse_slice(" 0[1] ")->name == "0");
  CHECK(error_of(parse_slice("y[7..2]")) == "TSP-C0021: the range '7..2' ends before it begins");
  CHECK_FALSE(parse_slice("y[1").ok());
  CHECK_FALSE(parse_slice("[1]").ok());
  CHECK_FALSE(parse_slice("y z").ok());
}

TEST_CASE("tolerances") {
  CHECK(parse_tolerance(" 1e-5 ")->kind == Tolerance::Kind::kAbsolute);
  CHECK(parse_tolerance("1e-5rel")->kind == Tolerance::Kind::kRelative);
  CHECK(parse_tolerance("4 ulp")->kind == Tolerance::Kind::kUlp);
  CHECK(parse_tolerance("4ulp")->amount == 4);
  CHECK(parse_tolerance("spec full")->kind == Tolerance::Kind::kSpec);
  CHECK(parse_tolerance(" spec  full ")->profile == Profile::kFull);
  CHECK(parse_tolerance("spec embedded")->profile == Profile::kEmbedded);
  for (const char* text : {"", "ulp", "-1", "4 units", "rel", "spec", "spec half", "special"})
    CHECK_FALSE_MESSAGE(parse_tolerance(text).ok(), text);
}

TEST_CASE("arguments") {
  CHECK(parse_argument("p", "null")->kind == ArgumentSpec::Kind::kNull);
  CHECK(parse_argument("t", "local:1024")->local_bytes == 1024);
  CHECK(parse_argument("t", "local 2KiB")->local_bytes == 2048);
  CHECK(parse_argument("x", "buffer data")->buffer.name == "data");
  CHECK(parse_argument("x", "buffer:data")->buffer.name == "data");
  CHECK(parse_argument("x", "buffer data offset 64")->buffer.offset_bytes == 64);
  const auto slice = parse_argument("x", "buffer data offset 128 size 512 writeonly");
  CHECK((slice->buffer.offset_bytes == 128 && slice->buffer.size_bytes == 512));
  CHECK((slice->buffer.write_only && !slice->buffer.read_only));
  CHECK(parse_argument("x", "buffer data size 1KiB")->buffer.size_bytes == 1024);
  CHECK(parse_argument("x", "shared 0x200000000080")->shared.address == 0x200000000080);
  CHECK(parse_argument("x", "shared nodes offset 64")->shared.offset_bytes == 64);
  CHECK(parse_argument("x", "shared nodes")->shared.name == "nodes");
  CHECK(parse_argument("x", "float:zero:4 readonly")->value.read_only);
  CHECK(parse_argument("s", "struct { 1, 2.5, (1,2) }")->value.literals[0].items.size() == 3);
  CHECK(parse_argument("s", "{ 1 }")->value.literals[0].is_list);
  CHECK_FALSE(parse_argument("x", "").ok());
  CHECK_FALSE(parse_argument("", "1").ok());
  for (const char* text :
       {"buffer data after 4", "buffer data size", "buffer data offset x", "buffer data readonly",
        "buffer data size 4 readonly writeonly", "shared 0x10 offset 4", "shared 12x",
        "shared nodes size 4", "shared nodes offset"})
    CHECK_FALSE_MESSAGE(parse_argument("x", text).ok(), text);
}

TEST_CASE("words, strings, times and bytes") {
  CHECK(*shell_words(R"(-O2 '-DX=a b' -I"c d" "")") ==
        std::vector<std::string>{"-O2", "-DX=a b", "-Ic d", ""});
  CHECK(*shell_words(" a\\ b\r\n\"c\\\"\td ") == std::vector<std::string>{"a\\", "b\r\nc\\", "d"});
  CHECK(*shell_words("a\r\nb \tc", Backslash::kEscapes) == std::vector<std::string>{"a", "b", "c"});
  CHECK(*shell_words(R"(a\ b\" "c\"d" 'e\f' g\)", Backslash::kEscapes) ==
        std::vector<std::string>{"a b\"", "c\"d", "e\\f", "g\\"});
  CHECK(*unquoted(R"("a\n\t\"\\\x41\0")") == std::string("a\n\t\"\\A\0", 7));
  for (const char* text : {"a", "\"", "\"\\q\"", "\"a\"b\"", "\"\\\""})
    CHECK_FALSE_MESSAGE(unquoted(text).ok(), text);
  CHECK(*parse_seconds("1.5s") == 1.5);
  CHECK(*parse_seconds("500ms") == 0.5);
  CHECK(*parse_seconds("2min") == 120);
  for (const char* text : {"2 weeks", "nan", "inf", "-1", "1e308min", "-nan"})
    CHECK_FALSE_MESSAGE(parse_seconds(text).ok(), text);
  CHECK_FALSE(parse_tolerance("nan").ok());
  for (const char* text : {"-DX='a", "\"", "a \"b' c"})
    CHECK_FALSE_MESSAGE(shell_words(text).ok(), text);
  CHECK(*parse_bytes("2GiB") == std::uint64_t{2} << 30);
  CHECK_FALSE(parse_bytes("18446744073709551615GiB").ok());
  CHECK_FALSE(parse_bytes("2XB").ok());
}

}  // namespace transpire::test
