// Value specs: from words to bytes.
#include "launch/value_spec.h"

#include <cstdio>
#include <cstring>

#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;
namespace {

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

}  // namespace

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
        "TSP-C0022: 3 numbers do not fill whole elements of int2: each takes 2");
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

}  // namespace transpire::test
