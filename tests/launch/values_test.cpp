// The small pieces of the launch language: sizes, slices and words; numbers; the layout of values in memory; and value specs, from
// words to bytes.
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "launch/language/layout.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/language/shell_words.h"
#include "launch/language/value_spec.h"
#include "launch/runner/value_maker.h"
#include "tests/launch/support.h"

namespace transpire::test {

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
  for (const char* text : {"y[1", "[1]", "y z"}) CHECK_FALSE_MESSAGE(parse_slice(text).ok(), text);
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

namespace {

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint64_t read(std::string_view text, ScalarType type) {
  const auto bits = parse_number(text, type);
  REQUIRE_MESSAGE(bits.ok(), text);
  return *bits;
}

TEST_CASE("integers are read within the range of their type") {
  CHECK(read("-128", ScalarType::kChar) == 0x80);
  CHECK(read("255", ScalarType::kUchar) == 0xff);
  CHECK(read("+7", ScalarType::kInt) == 7);
  CHECK(read("-1", ScalarType::kInt) == 0xffffffff);
  CHECK(read("18446744073709551615", ScalarType::kUlong) == ~std::uint64_t{0});
  CHECK(read("-9223372036854775808", ScalarType::kLong) == std::uint64_t{1} << 63);
  CHECK(error_of(parse_number("128", ScalarType::kChar)) ==
        "TSP-C0022: '128' is no char: the range is -128 to 127 (8 bits)");
  CHECK(read("-1", ScalarType::kUint) == 0xffffffff);
  CHECK_FALSE(parse_number("-2147483649", ScalarType::kUint).ok());
  CHECK(error_of(parse_number("256", ScalarType::kUchar)) ==
        "TSP-C0022: '256' is no uchar: the range is 0 to 255");
  CHECK_FALSE(parse_number("18446744073709551616", ScalarType::kUlong).ok());
  CHECK_FALSE(parse_number("2147483648", ScalarType::kInt).ok());
}

TEST_CASE("hexadecimal integers are bit patterns") {
  CHECK(read("0xffffffff", ScalarType::kInt) == 0xffffffff);
  CHECK(read("0x7f", ScalarType::kChar) == 0x7f);
  CHECK(read("-0x10", ScalarType::kShort) == 0xfff0);
  CHECK_FALSE(parse_number("0x1ff", ScalarType::kUchar).ok());
}

TEST_CASE("a width from the module takes both ranges") {
  CHECK(*parse_number("-1", ScalarType::kUint, Signedness::kInferred) == 0xffffffff);
  CHECK(*parse_number("4294967295", ScalarType::kInt, Signedness::kInferred) == 0xffffffff);
  CHECK_FALSE(parse_number("4294967296", ScalarType::kInt, Signedness::kInferred).ok());
  CHECK_FALSE(parse_number("-2147483649", ScalarType::kUint, Signedness::kInferred).ok());
}

TEST_CASE("what is no integer is refused") {
  for (const char* text : {"", "-", "x", "1.5", "1e3", "0x", "12a", "--1", "1 2", "nan"})
    CHECK_FALSE_MESSAGE(parse_number(text, ScalarType::kInt).ok(), text);
  CHECK(error_of(parse_number("1.5", ScalarType::kInt)) ==
        "TSP-C0022: '1.5' is no int: an integer is expected");
}

TEST_CASE("floats are rounded once") {
  CHECK(read("0.1", ScalarType::kFloat) == bits_of(0.1F));
  CHECK(read("0.1", ScalarType::kDouble) == bits_of(0.1));
  CHECK(read("-0.0", ScalarType::kFloat) == 0x80000000);
  CHECK(read("3", ScalarType::kFloat) == bits_of(3.0F));
  CHECK(read("1.5f", ScalarType::kFloat) == bits_of(1.5F));
  CHECK(read("0x1.8p3", ScalarType::kFloat) == bits_of(12.0F));
  CHECK(read("-0x1p-149", ScalarType::kFloat) == 0x80000001);
  CHECK(read("0xf", ScalarType::kFloat) == bits_of(15.0F));
  CHECK(read("inf", ScalarType::kFloat) == 0x7f800000);
  CHECK(read("-inf", ScalarType::kDouble) == 0xfff0000000000000);
  CHECK(std::isnan(to_double(read("nan", ScalarType::kFloat), ScalarType::kFloat)));
  // Between two floats, just above the middle only in more digits than a double has.
  CHECK(read("1.00000005960464477539062500000000001", ScalarType::kFloat) == bits_of(1.0000001F));
}

TEST_CASE("floats that are too large are refused, too small ones become zero") {
  CHECK_FALSE(parse_number("1e39", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_number("1e309", ScalarType::kDouble).ok());
  CHECK_FALSE(parse_number("70000", ScalarType::kHalf).ok());
  CHECK(read("1e-60", ScalarType::kFloat) == 0);
  CHECK(read("-1e-60", ScalarType::kFloat) == 0x80000000);
  CHECK_FALSE(parse_number("1.2.3", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_number("abc", ScalarType::kFloat).ok());
}

TEST_CASE("exact bits") {
  CHECK(*parse_bits("0x7fc00001", ScalarType::kFloat) == 0x7fc00001);
  CHECK(*parse_bits("7c01", ScalarType::kHalf) == 0x7c01);
  CHECK_FALSE(parse_bits("0x100000000", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_bits("xyz", ScalarType::kFloat).ok());
}

TEST_CASE("numbers print as the shortest text that reads back") {
  CHECK(format_number(bits_of(0.1F), ScalarType::kFloat) == "0.1");
  CHECK(format_number(bits_of(3.0F), ScalarType::kFloat) == "3");
  CHECK(format_number(0x80000000, ScalarType::kFloat) == "-0");
  CHECK(format_number(0xff, ScalarType::kChar) == "-1");
  CHECK(format_number(0xff, ScalarType::kUchar) == "255");
  CHECK(format_number(0xffffffffffffffff, ScalarType::kLong) == "-1");
  CHECK(format_number(0x2e66, ScalarType::kHalf) == "0.1");
  CHECK(format_number(0xfe00, ScalarType::kHalf) == "nan");
  CHECK(format_number(0x7c00, ScalarType::kHalf) == "inf");
  CHECK(format_number(1, ScalarType::kBool) == "true");
  CHECK(format_bits(0x1f, ScalarType::kUshort) == "0x001f");
}

TEST_CASE("every half reads back from what it prints") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (is_nan(half, ScalarType::kHalf)) continue;
    REQUIRE(from_double(to_double(half, ScalarType::kHalf), ScalarType::kHalf) == half);
    REQUIRE(read(format_number(half, ScalarType::kHalf), ScalarType::kHalf) == half);
  }
}

TEST_CASE("distance in units in the last place") {
  const auto ulp = [](float a, float b) {
    return ulp_distance(bits_of(a), bits_of(b), ScalarType::kFloat);
  };
  CHECK(ulp(1.0F, 1.0F) == 0);
  CHECK(ulp(1.0F, std::nextafter(1.0F, 2.0F)) == 1);
  CHECK(ulp(std::nextafter(1.0F, 0.0F), std::nextafter(1.0F, 2.0F)) == 2);
  CHECK(ulp(0.0F, -0.0F) == 0);
  CHECK(ulp(-0x1p-149F, 0x1p-149F) == 2);
  CHECK(ulp(std::numeric_limits<float>::max(), INFINITY) == 1);
  CHECK(ulp(NAN, 1.0F) == std::numeric_limits<std::uint64_t>::max());
  CHECK(ulp(NAN, -NAN) == 0);
  CHECK(ulp_distance(0xff, 1, ScalarType::kChar) == 2);
  CHECK(ulp_distance(0xff, 1, ScalarType::kUchar) == 254);
  CHECK(ulp_distance(std::uint64_t{1} << 63, ~std::uint64_t{0} >> 1, ScalarType::kLong) ==
        ~std::uint64_t{0});
}

TEST_CASE("bytes and counts") {
  std::byte bytes[8] = {};
  store_bits(bytes, ScalarType::kUshort, 0xabcd);
  CHECK(load_bits(bytes, ScalarType::kUshort) == 0xabcd);
  CHECK(load_bits(bytes, ScalarType::kUlong) == 0xabcd);
  CHECK(*parse_count("0x10", "count") == 16);
  CHECK(error_of(parse_count("-1", "size")) ==
        "TSP-C0022: '-1' is no size: a whole number is expected");
}

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

Result<TypedBytes> make(std::string_view text, const ValueContext& context = {}) {
  const auto spec = parse_value_spec(text);
  if (!spec) return spec.errors();
  return evaluate(*spec, context);
}

template <class T>
std::vector<T> values(std::string_view text) {
  const auto made = make(text);
  REQUIRE_MESSAGE(made.ok(), errors_of(made));
  return elements<T>(made->bytes);
}

TEST_CASE("makers") {
  CHECK(values<float>("float:range:1:0.5:4") == std::vector<float>{1, 1.5, 2, 2.5});
  CHECK(values<int>("int:range:3:-2:4") == std::vector<int>{3, 1, -1, -3});
  CHECK(values<unsigned char>("uchar:range:254:1:4") == std::vector<unsigned char>{254, 255, 0, 1});
  CHECK(values<float>("float:fill:2.5:3") == std::vector<float>{2.5, 2.5, 2.5});
  CHECK(values<int>("int:zero:2") == std::vector<int>{0, 0});
  CHECK(values<short>("short:data:1,-2, 3") == std::vector<short>{1, -2, 3});
  CHECK(values<unsigned>("float:hex:0x7fc00001, 80000000") ==
        std::vector<unsigned>{0x7fc00001, 0x80000000});
  CHECK(values<unsigned char>("bytes:hex:0011 AAbb") ==
        std::vector<unsigned char>{0, 0x11, 0xaa, 0xbb});
  CHECK(values<unsigned>("uint:uninit:1") == std::vector<unsigned>{0xa5a5a5a5});
  CHECK(values<int>("int:zero:0").empty());
}

TEST_CASE("bytes of a value that nobody wrote") {
  const auto undefined = [](std::string_view text) {
    const auto spec = parse_value_spec(text);
    REQUIRE_MESSAGE(spec.ok(), errors_of(spec));
    CHECK(spec->read_only == (text.find("readonly") != text.npos));
    return spec->undefined;
  };
  CHECK(undefined("uint:zero:4").empty());
  CHECK(undefined("uint:zero:4 undefined 3") == std::vector<ByteRange>{{3, 3}});
  CHECK(undefined("uint:zero:4 readonly undefined 0..3, 8 .. 9,15") ==
        std::vector<ByteRange>{{0, 3}, {8, 9}, {15, 15}});
  CHECK(undefined("bytes:file:an undefined file").empty());
  CHECK(error_of(parse_value_spec("uint:zero:4 undefined 3..2")) ==
        "TSP-C0022: the bytes 3..2 end before they begin");
  CHECK(error_of(parse_value_spec("uint:zero:4 undefined 3..")) ==
        "TSP-C0022: '' is no byte: a whole number is expected");
}

TEST_CASE("vectors take values component by component or as lists") {
  CHECK(values<int>("int2:range:0:1:2") == std::vector<int>{0, 1, 2, 3});
  CHECK(values<int>("int3:range:1:1:2") == std::vector<int>{1, 2, 3, 0, 4, 5, 6, 0});
  CHECK(values<int>("int2:fill:(7,8):2") == std::vector<int>{7, 8, 7, 8});
  CHECK(values<int>("int2:fill:7:1") == std::vector<int>{7, 7});
  CHECK(values<int>("int2:data:(1,2),(3,4)") == std::vector<int>{1, 2, 3, 4});
  CHECK(values<int>("int2:data:1,2,3,4") == std::vector<int>{1, 2, 3, 4});
  CHECK(error_of(make("int2:data:1,2,3")) ==
        "TSP-C0022: the elements of int2 are not filled by 3 numbers: each takes 2");
}

TEST_CASE("random numbers are SplitMix64, scaled") {
  SplitMix64 generator(42);
  CHECK(generator.next() == 0xbdd732262feb6e95ULL);
  CHECK(generator.next() == 0x28efe333b266f103ULL);
  const auto floats = values<float>("float:random:42:-1:1:1000");
  CHECK(floats[0] ==
        static_cast<float>(-1 + 2 * (static_cast<double>(0xbdd732262feb6e95ULL >> 11) * 0x1p-53)));
  for (const float value : floats) CHECK((value >= -1 && value <= 1));
  bool low = false;
  bool high = false;
  for (const int value : values<int>("int:random:1:-2:2:200")) {
    CHECK((value >= -2 && value <= 2));
    low |= value == -2;
    high |= value == 2;
  }
  CHECK((low && high));
  CHECK(values<int>("int:random:7:0:9:5") == values<int>("int:random:7:0:9:5"));
  CHECK(error_of(make("int:random:1:5:2:4")) ==
        "TSP-C0022: the lower bound 5 is above the upper bound 2");
}

TEST_CASE("types may come from the surroundings") {
  const TypeInfo ushort_type = type_of({ScalarType::kUshort, 1});
  ValueContext context;
  context.inferred = &ushort_type;
  context.count = 3;
  CHECK(elements<unsigned short>(make("fill:-1", context)->bytes) ==
        std::vector<unsigned short>{0xffff, 0xffff, 0xffff});
  CHECK(elements<unsigned short>(make("1 2 3", context)->bytes) ==
        std::vector<unsigned short>{1, 2, 3});
  CHECK(error_of(make("zero:4")) ==
        "TSP-C0022: the value has no type, and none can be inferred here");
  CHECK(error_of(make("int:zero")) == "TSP-C0022: the value does not say how many elements it has");
}

TEST_CASE("suffixes") {
  CHECK(parse_value_spec("int:zero:4:ro")->read_only);
  CHECK(parse_value_spec("int:zero:4:raw")->any_type);
  CHECK(parse_value_spec("int:zero:4:ro:raw")->any_type);
  CHECK(parse_value_spec("int:zero:4:raw:ro")->read_only);
  CHECK(parse_value_spec("int:zero:4:wo:raw")->write_only);
  CHECK(parse_value_spec("int:zero:4 writeonly")->write_only);
  CHECK(error_of(parse_value_spec("int:zero:4:ro:wo")) ==
        "TSP-C0022: a buffer is either read-only or write-only");
  CHECK(parse_value_spec("float:file:a.bin:ro")->file == "a.bin");
  CHECK(parse_value_spec("bytes:zero:4")->any_type);
}

TEST_CASE("what is wrong is said") {
  CHECK(error_of(make("flaot:zero:4")) ==
        "TSP-C0022: 'flaot' is neither a type nor a kind of value");
  CHECK(errors_of(make("flaot:zero:4")).find("did you mean 'float'?") != std::string::npos);
  CHECK(error_of(make("int:zeros:4")) == "TSP-C0022: 'zeros' is not a kind of value");
  CHECK(error_of(make("int:range:1:2")) ==
        "TSP-C0022: the value does not say how many elements it has");
  CHECK(error_of(make("int:range:1:2:3:4")) ==
        "TSP-C0022: the value '1:2:3:4' is not of the form 'range:START:STEP:N'");
  CHECK(error_of(make("int:fill:1.5:4")) == "TSP-C0022: '1.5' is no int: an integer is expected");
  CHECK(error_of(make("bytes:hex:001")) == "TSP-C0022: the bytes '001' end within a byte");
  for (const char* text : {"int:data:1,,2", "int:data:,1", "int:data:1,", "int2:data:(1,,2)",
                           "int2:data:(1,2),,(3,4)", "int2:data:(1,2,)", "int:data:1, ,2"})
    CHECK_MESSAGE(error_of(make(text)).starts_with("TSP-C0022: an item is missing"), text);
  CHECK(error_of(make("")) == "TSP-C0022: a value is missing");
  CHECK(error_of(make("float:file:no/such/file")) ==
        "TSP-C0001: cannot read 'no/such/file': No such file or directory");
}

TEST_CASE("sizes are checked before memory is taken") {
  ValueContext context;
  context.max_bytes = 1024;
  CHECK(error_of(make("float:zero:257", context)) ==
        "TSP-L0004: 257 elements of float need more than the limit of 1024 bytes");
  CHECK(make("float:zero:256", context).ok());
  CHECK_FALSE(make("double16:zero:18446744073709551615").ok());
}

TEST_CASE("files") {
  const std::string path = "value_spec_test.bin";
  const std::vector<std::byte> bytes{std::byte{1}, std::byte{0}, std::byte{2}, std::byte{0}};
  REQUIRE(write_file(path, bytes).ok());
  CHECK(values<short>("short:file:" + path) == std::vector<short>{1, 2});
  std::remove(path.c_str());
  CHECK(error_of(write_file("no/such/folder/file", bytes)) ==
        "TSP-C0024: cannot write 'no/such/folder/file': No such file or directory");
  CHECK(resolved_path("a/b", "c.bin") == "a/b/c.bin");
  CHECK(resolved_path("a/b", "/c.bin") == "/c.bin");
  CHECK(resolved_path("", "c.bin") == "c.bin");
}

}  // namespace
}  // namespace transpire::test
