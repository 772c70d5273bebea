// .npy files: what we write we read, and files as NumPy writes them.
#include "launch/runner/npy.h"

#include <cstdio>

#include "launch/report/files.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

Result<TypedBytes> read_back(const std::vector<std::byte>& file) {
  const std::string path = "npy_test.npy";
  REQUIRE(write_file(path, file).ok());
  auto result = read_npy(path);
  std::remove(path.c_str());
  return result;
}

/// A file with that header text, version 1 or 2, and these data.
std::vector<std::byte> file_with(std::string header, const std::vector<unsigned char>& data,
                                 int version = 1) {
  header += '\n';
  std::string text = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  text += static_cast<char>(header.size());
  text += std::string(version == 1 ? 1 : 3, '\0') + header;
  std::vector<std::byte> file;
  for (const char c : text) file.push_back(static_cast<std::byte>(c));
  for (const unsigned char c : data) file.push_back(std::byte{c});
  return file;
}

TEST_CASE("what is written is read back") {
  const std::vector<float> values{1, -2.5, 3};
  const auto file = to_npy(type_of({ScalarType::kFloat, 1}), std::as_bytes(std::span(values)));
  CHECK((file.size() - values.size() * 4) % 64 == 0);
  const auto back = read_back(file);
  REQUIRE(back.ok());
  CHECK(back->type.spelling == "float");
  CHECK(elements<float>(back->bytes) == values);
}

TEST_CASE("vectors become two-dimensional") {
  const std::vector<int> values{1, 2, 3, 4};
  const auto file = to_npy(type_of({ScalarType::kInt, 2}), std::as_bytes(std::span(values)));
  const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
  CHECK(text.find("'descr': '<i4'") != std::string::npos);
  CHECK(text.find("'shape': (2, 2)") != std::string::npos);
}

TEST_CASE("shapes are kept") {
  const std::vector<float> values{1, -2.5, 3, 4, 5, 6};
  const auto bytes = std::as_bytes(std::span(values));
  const auto back = read_back(to_npy(type_of({ScalarType::kFloat, 1}), bytes, {2, 1, 3}));
  REQUIRE(back.ok());
  CHECK(back->shape == std::vector<std::uint64_t>{2, 1, 3});
  CHECK(elements<float>(back->bytes) == values);
  // Of other numbers of elements, it is none.
  const auto flat = read_back(to_npy(type_of({ScalarType::kFloat, 1}), bytes, {2, 2}));
  REQUIRE(flat.ok());
  CHECK(flat->shape == std::vector<std::uint64_t>{6});
}

TEST_CASE("files in other forms") {
  const auto big = read_back(
      file_with("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", {1, 2, 3, 4}));
  REQUIRE(big.ok());
  CHECK(elements<short>(big->bytes) == std::vector<short>{0x0102, 0x0304});
  const auto v2 =
      read_back(file_with("{'shape': (1,), 'descr': '|u1', 'fortran_order': False}", {7}, 2));
  REQUIRE(v2.ok());
  CHECK(v2->type.spelling == "uchar");
}

TEST_CASE("complex numbers are vectors of two") {
  const auto one = read_back(file_with("{'descr': '>c8', 'fortran_order': False, 'shape': (), }",
                                       {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0}));
  REQUIRE(one.ok());
  CHECK(one->type.spelling == "float2");
  CHECK(one->shape == std::vector<std::uint64_t>{2});
  CHECK(elements<float>(one->bytes) == std::vector<float>{1, -2});
  CHECK_FALSE(read_back(file_with("{'descr': '<c8', 'shape': (1,)}", {1, 2, 3, 4})).ok());
}

TEST_CASE("files that cannot be used are refused") {
  CHECK(error_of(read_back({std::byte{1}})) ==
        "TSP-C0022: 'npy_test.npy' is no .npy file that can be used: the header is damaged or "
        "missing");
  CHECK(error_of(read_back(file_with("{'descr': '<f16', 'shape': (1,)}", {0}))) ==
        "TSP-C0022: 'npy_test.npy' is no .npy file that can be used: its elements are '<f16', not "
        "numbers of 1 to 8 bytes or complex ones of them");
  CHECK_FALSE(
      read_back(file_with("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2)}", {})).ok());
  CHECK_FALSE(read_back(file_with("{'descr': '<i4', 'shape': (2,)}", {1, 2, 3})).ok());
  CHECK_FALSE(read_back(file_with("", {})).ok());
  CHECK(error_of(read_npy("no-such.npy")) ==
        "TSP-C0001: cannot read 'no-such.npy': No such file or directory");
}

}  // namespace
}  // namespace transpire::test
