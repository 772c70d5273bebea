// Reservations of groups: clang's optimiser leaves their calls where they are, whatever the options are.
#include "compiler/group_reservations.h"

#include <doctest/doctest.h>

#include "transpire/transpire.hpp"

namespace transpire::test {
namespace {

/// Each reservation stands between two branches of one condition.
constexpr const char* kSource = R"(
static constant int unused_table[2] = {1, 2};
static int unused(int i) { return unused_table[i]; }
kernel void k(read_only pipe int in, write_only pipe int out, global int* r) {
  int i = get_global_id(0), v = i;
  if (i == 0) r[0] = 5;
  reserve_id_t a = work_group_reserve_read_pipe(in, 2);
  if (i == 0) { r[1] = is_valid_reserve_id(a); read_pipe(in, a, 0, &v); }
  work_group_commit_read_pipe(in, a);
  if (i == 0) r[2] = v;
  reserve_id_t b = work_group_reserve_write_pipe(out, 2);
  if (i == 0) { r[3] = is_valid_reserve_id(b); write_pipe(out, b, 0, &v); }
  work_group_commit_write_pipe(out, b);
  if (i == 0) r[4] = v;
  reserve_id_t c = sub_group_reserve_read_pipe(in, 2);
  if (i == 0) { r[5] = is_valid_reserve_id(c); read_pipe(in, c, 0, &v); }
  sub_group_commit_read_pipe(in, c);
  if (i == 0) r[6] = v;
  reserve_id_t d = sub_group_reserve_write_pipe(out, 2);
  if (i == 0) { r[7] = is_valid_reserve_id(d); write_pipe(out, d, 0, &v); }
  sub_group_commit_write_pipe(out, d);
}
)";

CompiledSource compiled(std::vector<std::string> words, bool optimise = true) {
  CompileOptions options;
  options.options = std::move(words);
  options.optimise = optimise;
  return compile_source(kSource, options);
}

std::size_t count(const CompiledSource& source, spv::Op first, spv::Op last) {
  std::size_t found = 0;
  const std::vector<std::uint32_t> words = compiler::words_of(source.module);
  compiler::each_instruction(words, [&](compiler::Words i) {
    const spv::Op op = compiler::op_of(i);
    found += op >= first && op <= last ? 1 : 0;
  });
  return found;
}

/// Without strings, which name a temporary file.
std::vector<std::uint32_t> code_of(const CompiledSource& source) {
  std::vector<std::uint32_t> code;
  const std::vector<std::uint32_t> words = compiler::words_of(source.module);
  compiler::each_instruction(words, [&code](compiler::Words i) {
    if (compiler::op_of(i) != spv::Op::OpString) code.insert(code.end(), i.begin(), i.end());
  });
  return code;
}

TEST_CASE("a reservation of a group stays one call between two branches") {
  if (!can_compile_source()) return;
  for (const char* standard : {"CL2.0", "CL3.0", "clc++1.0", "clc++2021"})
    for (const char* level : {"-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-cl-opt-disable"}) {
      CAPTURE(std::string(standard));
      CAPTURE(std::string(level));
      const CompiledSource source =
          compiled({std::string("-cl-std=") + standard, level, "-Wall", "-Wextra",
                    "-Wno-unused-const-variable", "-Wno-unused-function"});
      CHECK(source.errors.empty());
      CHECK(source.log.empty());
      CHECK(compiler::has_group_reservation(compiler::words_of(source.module)));
      CHECK(count(source, spv::Op::OpGroupReserveReadPipePackets,
                  spv::Op::OpGroupCommitWritePipe) == 8);
      // The kernel, and what calls it as an entry point.
      CHECK(count(source, spv::Op::OpFunction, spv::Op::OpFunction) == 2);
    }
}

TEST_CASE("-cl-opt-disable keeps clang's optimiser from running") {
  if (!can_compile_source()) return;
  const auto code = [](const std::vector<std::string>& options, bool optimise) {
    return code_of(compiled(options, optimise));
  };
  const std::vector<std::uint32_t> plain = code({"-cl-std=CL3.0"}, false);
  CHECK_FALSE(plain.empty());
  CHECK(plain != code({"-cl-std=CL3.0"}, true));
  CHECK(plain == code({"-cl-std=CL3.0", "-cl-opt-disable"}, true));
  CHECK(plain == code({"-O2", "-cl-opt-disable", "-cl-std=CL3.0"}, true));
}

}  // namespace
}  // namespace transpire::test
