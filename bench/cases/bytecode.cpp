// A stack machine per work-item, running one of several small programs. Exact. An instruction is a
// pair (operation, operand); jumps are relative to the next instruction.
#include <utility>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

enum Operation : std::int32_t {
  kHalt,
  kPush,
  kInput,
  kDuplicate,
  kSwap,
  kAdd,
  kSubtract,
  kMultiply,
  kXor,
  kShiftRight,
  kJumpIf,
  kLoop,
};

struct Instruction {
  Operation operation;
  std::int32_t operand = 0;
};

const std::vector<std::vector<Instruction>>& Programs() {
  static const std::vector<std::vector<Instruction>> programs = {
      // A polynomial hash of the inputs.
      {{kInput}, {kInput}, {kAdd}, {kPush, 31}, {kMultiply}, {kLoop, -5}, {kHalt}},
      // Xorshift mixing.
      {{kInput}, {kDuplicate}, {kShiftRight, 7}, {kXor}, {kInput}, {kAdd}, {kLoop, -6}, {kHalt}},
      // Add 3 when even, then mix: a data-dependent jump.
      {{kInput},
       {kDuplicate},
       {kJumpIf, 2},
       {kPush, 3},
       {kAdd},
       {kDuplicate},
       {kShiftRight, 1},
       {kXor},
       {kLoop, -8},
       {kHalt}},
      // Two values taking turns.
      {{kInput},
       {kPush, 1},
       {kSwap},
       {kDuplicate},
       {kInput},
       {kMultiply},
       {kXor},
       {kSwap},
       {kPush, 5},
       {kAdd},
       {kLoop, -9},
       {kSubtract},
       {kHalt}},
      // Halve when even, else triple and add one.
      {{kInput},
       {kDuplicate},
       {kJumpIf, 3},
       {kShiftRight, 1},
       {kPush, 1},
       {kJumpIf, 4},
       {kPush, 3},
       {kMultiply},
       {kPush, 1},
       {kAdd},
       {kLoop, -10},
       {kHalt}},
      // Differences of products.
      {{kInput},
       {kInput},
       {kPush, 7},
       {kMultiply},
       {kInput},
       {kSubtract},
       {kSubtract},
       {kLoop, -7},
       {kHalt}},
  };
  return programs;
}

std::uint32_t Unsigned(std::int32_t value) { return static_cast<std::uint32_t>(value); }

/// Applies a two-operand operation.
std::int32_t Apply(std::int32_t operation, std::int32_t a, std::int32_t b) {
  switch (operation) {
    case kAdd:
      return static_cast<std::int32_t>(Unsigned(a) + Unsigned(b));
    case kSubtract:
      return static_cast<std::int32_t>(Unsigned(a) - Unsigned(b));
    case kMultiply:
      return static_cast<std::int32_t>(Unsigned(a) * Unsigned(b));
    default:
      return a ^ b;
  }
}

std::int32_t Interpret(const std::int32_t* code, std::uint32_t pc, std::int32_t input,
                       std::int32_t counter) {
  std::int32_t stack[8];
  stack[0] = 0;
  std::uint32_t top = 0;
  for (;;) {
    const std::int32_t operation = code[pc];
    const std::int32_t operand = code[pc + 1];
    pc += 2;
    switch (operation) {
      case kPush:
        stack[++top] = operand;
        break;
      case kInput:
        stack[++top] = input + counter;
        break;
      case kDuplicate:
        stack[top + 1] = stack[top];
        ++top;
        break;
      case kSwap:
        std::swap(stack[top], stack[top - 1]);
        break;
      case kAdd:
      case kSubtract:
      case kMultiply:
      case kXor:
        --top;
        stack[top] = Apply(operation, stack[top], stack[top + 1]);
        break;
      case kShiftRight:
        stack[top] = static_cast<std::int32_t>(Unsigned(stack[top]) >> (operand & 31));
        break;
      case kJumpIf:
        if (stack[top--] & 1) pc += Unsigned(operand) * 2;
        break;
      case kLoop:
        if (--counter > 0) pc += Unsigned(operand) * 2;
        break;
      default:
        return stack[top];
    }
  }
}

void Reference(const BufferSet& set, std::uint32_t program_count, std::uint32_t n) {
  const std::int32_t* code = set.Data<std::int32_t>(0);
  const std::uint32_t* program_starts = set.Data<std::uint32_t>(1);
  const std::int32_t* inputs = set.Data<std::int32_t>(2);
  std::int32_t* results = set.Data<std::int32_t>(3);
  for (std::uint32_t i = 0; i < n; ++i) {
    results[i] = Interpret(code, program_starts[i % program_count], inputs[i],
                           16 + static_cast<std::int32_t>(i & 15));
  }
}

std::vector<std::int32_t> RandomInputs(std::size_t count) {
  Random random(1);
  std::vector<std::int32_t> values(count);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random.Below(1u << 20));
  return values;
}

}  // namespace

BenchCase MakeBytecode(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 16 : 1u << 9;
  std::vector<std::int32_t> code;
  std::vector<std::uint32_t> program_starts;
  for (const std::vector<Instruction>& program : Programs()) {
    program_starts.push_back(static_cast<std::uint32_t>(code.size()));
    for (const Instruction& instruction : program)
      code.insert(code.end(), {instruction.operation, instruction.operand});
  }
  const std::uint32_t program_count = static_cast<std::uint32_t>(program_starts.size());
  BenchCase result;
  result.kernel_file = "bytecode";
  result.buffers = {ReadBuffer("code", code), ReadBuffer("program_starts", program_starts),
                    ReadBuffer("inputs", RandomInputs(n)),
                    ResultBuffer<std::int32_t>("results", n)};
  result.launches = {Launch1D("bytecode", n, 64,
                              {BufferArgument{0}, BufferArgument{1}, Scalar(program_count),
                               BufferArgument{2}, BufferArgument{3}, Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) { Reference(set, program_count, n); };
  return result;
}

}  // namespace transpire::bench
