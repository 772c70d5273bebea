#include "base/spirv_words.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace transpire::test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST_CASE("words begin with the magic number, in either byte order") {
  const std::string little("\x03\x02\x23\x07\0\0\x01\0", 8), big("\x07\x23\x02\x03\0\x01\0\0", 8);
  for (const std::string& module : {little, big}) {
    CHECK(is_spirv(bytes_of(module)));
    CHECK(is_spirv(bytes_of(module).first(4)));
    CHECK_FALSE(is_spirv(bytes_of(module).first(3)));
    CHECK_FALSE(is_spirv(bytes_of(module).subspan(1)));
    CHECK_FALSE(is_assembler_text(bytes_of(module)));
    CHECK_FALSE(is_assembler_text(bytes_of(module).first(4)));
  }
  CHECK(transpire::swapped_bytes(transpire::kSpirvMagic) == 0x03022307);
}

TEST_CASE("text is what has no zero byte near its start") {
  CHECK(is_assembler_text(bytes_of("OpCapability Kernel")));
  CHECK(is_assembler_text(bytes_of(";")));
  CHECK_FALSE(is_assembler_text({}));
  std::string text(1000, ' ');
  text[511] = '\0';
  CHECK_FALSE(is_assembler_text(bytes_of(text)));
  text[511] = ' ';
  text[512] = '\0';
  CHECK(is_assembler_text(bytes_of(text)));
}

}  // namespace
}  // namespace transpire::test
