// Where register blocks begin: rows that were just stored lie elsewhere in a page than the instructions behind them.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/program/program.h"

namespace transpire::test {
namespace {

/// A loop in which `length` instructions after each other change a row.
std::string chain(int length) {
  std::string text = R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %n i32 = Truncate %g
      %s i32 = IMul %n, %n
    b1: from b0 b1
      %v0 i32 = Phi %s, %v)" +
                     std::to_string(length) + "\n";
  for (int i = 0; i < length; ++i)
    text += "      %v" + std::to_string(i + 1) + " i32 = IMul %v" + std::to_string(i) + ", %s\n";
  return text + "      %c bool = ULessThan %v" + std::to_string(length) + R"(, i32:1000
      BranchConditional %c, b1, b2
    b2: from b1
      Store %own + %g * 256, %v0 (global i32, align 4)
  )";
}

std::unique_ptr<Program> emitted_text(const std::string& text, const HandlerTable& table) {
  return emitted(analysed(parse_lir(text), table), table);
}

/// How many instructions lie where, in a page, the last row stored by a multiplication before them does, when the
/// register block begins `phase` bytes behind the code.
int hidden(const Program& program, std::uint64_t phase) {
  int count = 0;
  std::uint64_t row = 0;
  bool has_row = false;
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    const std::uint64_t behind = (at * sizeof(Inst) - phase - row) % 4096;
    count += has_row && behind < program.lanes * std::uint64_t{4};
    if (program.sites[at].op != Op::kIMul) continue;
    row = program.code[at].d;
    has_row = true;
  }
  return count;
}

TEST_CASE("a row that a loop stores again and again hides none of its instructions") {
  for (const HandlerTable* table : engine_tables()) {
    const auto program = emitted_text(chain(12), *table);
    CHECK(program->register_phase % 64 == 0);
    CHECK(program->register_phase < 4096);
    CHECK(hidden(*program, program->register_phase) == 0);
    int phases_that_hide = 0;
    for (std::uint64_t phase = 0; phase < 4096; phase += 64)
      phases_that_hide += hidden(*program, phase) > 0;
    CHECK(phases_that_hide > 0);
  }
}

TEST_CASE("the last row of a loop does not hide where the loop's blocks begin") {
  for (const HandlerTable* table : engine_tables()) {
    // Other vectors lie between, so that the table is at many places of a page.
    std::vector<std::unique_ptr<Program>> kept;
    for (int length = 2; length < 14; ++length) {
      kept.push_back(emitted_text(chain(length), *table));
      const Program& program = *kept.back();
      const auto place = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
      const std::uint64_t begin = place(program.code.data()) / 64 * 64 + program.register_phase;
      std::uint64_t row = 0;
      for (std::size_t at = 0; at < program.code.size(); ++at)
        if (program.sites[at].op == Op::kIMul) row = program.code[at].d;
      // The loop is the last block but one.
      const void* const entry = &program.block_entry[program.block_entry.size() - 2];
      CHECK((place(entry) - begin - row) % 4096 >= program.lanes * std::uint64_t{4});
    }
  }
}

TEST_CASE("a program without rows begins anywhere, and one of many rows within a page") {
  for (const HandlerTable* table : engine_tables()) {
    CHECK(emitted_text("b0:\n      Return\n", *table)->register_phase == 0);
    CHECK(emitted_text(chain(400), *table)->register_phase < 4096);
  }
}

}  // namespace
}  // namespace transpire::test
