// Texts that shaders of clspv leave in a buffer: what is read of words by hand, also of such as no kernel should leave.
#include "runtime/clspv_printf.h"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

namespace transpire::test {
namespace {

using decoder::ClspvOperand;

/// A module whose texts have the numbers 0, 1 and so on, each with its sizes of arguments.
struct Texts {
  void add(const std::string& text, std::vector<std::uint32_t> sizes) {
    const auto number = static_cast<std::uint32_t>(reflection.facts.size());
    decoder::ClspvFact& fact = reflection.facts.emplace_back();
    fact.op = decoder::ClspvOp::kPrintfInfo;
    fact.operands[static_cast<std::size_t>(ClspvOperand::kPrintfId)] = number;
    fact.operands[static_cast<std::size_t>(ClspvOperand::kFormat)] = number + 100;
    fact.more = std::move(sizes);
    module.strings[number + 100] = text;
  }
  runtime::PrintedText read(const std::vector<std::uint32_t>& words,
                            std::uint64_t most_bytes = 1000) const {
    return runtime::read_clspv_printf(module, reflection, std::as_bytes(std::span(words)),
                                      most_bytes);
  }

  decoder::Module module;
  decoder::ClspvReflection reflection;
};

TEST_CASE("each call's text, in the order of words") {
  Texts texts;
  texts.add("%d;", {4});
  texts.add("%s=%5.1f|", {4, 4});
  texts.add("name", {});
  texts.add("%v3hlf %v4hhd %lx%%", {16, 4, 8});
  const runtime::PrintedText printed =
      texts.read({13, 0, 42, 1, 2, 0x40200000, 3, 0x3f800000, 0x40000000, 0xbf000000, 77,
                  0x04030eff, 0xdeadbeef, 1});
  CHECK(printed.text == "42;name=  2.5|1.000000,2.000000,-0.500000 -1,14,3,4 1deadbeef%");
  CHECK(printed.cut_by.empty());
  CHECK(texts.read({0, 1, 2}).text.empty());
}

TEST_CASE("a full buffer, a limit, and words that nobody should have written") {
  Texts texts;
  texts.add("%d;", {4});
  texts.add("%s%n%d", {4, 4, 4});
  const auto check = [](const runtime::PrintedText& found, const char* text, bool is_whole) {
    CHECK(found.text == text);
    CHECK(found.cut_by.empty() == is_whole);
  };
  check(texts.read({}), "", true);
  check(texts.read({5, 0, 1, 0, 2}), "1;2;", false);  // a third call had no room
  check(texts.read({4, 0, 1, 0}), "1;", false);
  check(texts.read({4, 0, 1, 9, 2}), "1;", true);  // no text has the number 9
  check(texts.read({0xffffffff, 0, 1}), "1;", false);
  check(texts.read({4, 0, 123, 0, 456}, 6), "123;45", false);
  check(texts.read({4, 1, 9, 5, 6}), "6", true);  // no string has the number 9; %n stores nothing
}

TEST_CASE("vectors of three take no room for a fourth component, and strings have widths") {
  Texts texts;
  texts.add("%v3lx %v3hlf %d;", {24, 12, 4});
  texts.add("%-6.2s|%6s|%d;", {4, 4, 4});
  texts.add("name", {});
  texts.add("%v3hd;", {6});  // two words in all, of which the third component is no part
  const runtime::PrintedText printed =
      texts.read({19, 0, 1, 0, 2, 0, 3,          1, 0x3f800000, 0x40000000, 0x40400000,
                  7,  1, 2, 2, 8, 3, 0x00020001, 3, 0x00040003, 9});
  CHECK(printed.text == "1,2,100000003 1.000000,2.000000,3.000000 7;na    |  name|8;1,2,3;3,4;");
}

TEST_CASE("reading ends at the limits") {
  Texts texts;
  texts.add("%d;", {4});
  texts.add("%200000d%200000d%200000d;", {4, 4, 4});
  CHECK(texts.read({2, 0, 1}, 1).cut_by == "the text is longer than the limit of printed bytes");
  CHECK(texts.read({9, 0, 1}).cut_by == "the shader's printf buffer was full");
  const std::vector<std::uint32_t> words{2, 0, 1};
  const std::atomic<bool> stopped{true};
  const runtime::PrintedText printed =
      runtime::read_clspv_printf(texts.module, texts.reflection, std::as_bytes(std::span(words)),
                                 1000, WorkLimit({}, &stopped));
  CHECK(printed.text.empty());
  CHECK(printed.cut_by == "the time limit ended while the shader's printf buffer was read");
}

}  // namespace
}  // namespace transpire::test
