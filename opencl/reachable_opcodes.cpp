#include "opencl/reachable_opcodes.h"

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/module_words.h"

namespace transpire::opencl {
namespace {

using compiler::Words;

/// The operand's word; 0 if the instruction is shorter.
std::uint32_t word_at(Words instruction, std::size_t at) {
  return at < instruction.size() ? instruction[at] : 0;
}

/// The functions of a module.
struct Functions {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> begins;  ///< calls and enqueues
  std::unordered_set<std::uint32_t> executes;  ///< functions with the wanted opcode
  std::vector<std::uint32_t> entries;          ///< functions of the kernel's name
};

Functions read_functions(Words words, std::string_view kernel, spv::Op wanted) {
  Functions found;
  std::uint32_t function = 0;
  compiler::each_instruction(words, [&](Words instruction) {
    const spv::Op op = compiler::op_of(instruction);
    if (op == spv::Op::OpEntryPoint && instruction.size() > 3 &&
        compiler::text_of(instruction.subspan(3)) == kernel)
      found.entries.push_back(word_at(instruction, 2));
    if (op == spv::Op::OpFunction) function = word_at(instruction, 2);
    if (op == spv::Op::OpFunctionCall) found.begins[function].push_back(word_at(instruction, 3));
    if (op == spv::Op::OpEnqueueKernel) found.begins[function].push_back(word_at(instruction, 9));
    if (op == wanted) found.executes.insert(function);
  });
  return found;
}

}  // namespace

bool may_execute(Words words, std::string_view kernel, spv::Op op) {
  const Functions functions = read_functions(words, kernel, op);
  std::vector<std::uint32_t> waiting = functions.entries;
  std::unordered_set<std::uint32_t> seen(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const std::uint32_t function = waiting.back();
    waiting.pop_back();
    if (functions.executes.contains(function)) return true;
    const auto begins = functions.begins.find(function);
    if (begins == functions.begins.end()) continue;
    for (const std::uint32_t next : begins->second)
      if (seen.insert(next).second) waiting.push_back(next);
  }
  return false;
}

}  // namespace transpire::opencl
