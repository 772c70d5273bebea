// A Program as text, for debugging and tests.
#include "vm/program/program.h"

#include <fmt/format.h>

#include "decoder/module.h"

namespace transpire::vm {
namespace {

std::string line(const Program& program, std::size_t index) {
  const Inst& inst = program.code[index];
  const Site& site = program.sites[index];
  const Source& source = program.sources[site.source];
  return fmt::format("{:5}  {:<16} d={:<6} a={:<6} b={:<6} c={:<6} {} (word {})\n", index,
                     info(site.op).name, inst.d, inst.a, inst.b, inst.c,
                     decoder::opcode_name(source.op), source.word_offset);
}

}  // namespace

std::string print(const Program& program) {
  std::string out = fmt::format("program: {} lanes, {} register bytes, {} blocks\n", program.lanes,
                                program.register_bytes, program.block_entry.size());
  std::size_t block = 0;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    while (block < program.block_entry.size() && program.block_entry[block] == &program.code[i])
      out += fmt::format("block {}:\n", block++);
    out += line(program, i);
  }
  return out;
}

}  // namespace transpire::vm
