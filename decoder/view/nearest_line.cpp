// The nearest line: see the header. All walks have a limit, for modules may be large and diagnostics many.
#include "decoder/view/nearest_line.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "decoder/view/capability_needs.h"

namespace transpire::decoder::view {
namespace {

constexpr std::size_t kMostSteps = 4096;

bool has_line(const ModuleView& view, std::uint32_t i) {
  return view.at(i).function != kNone && view.line_of(i) != kNone;
}

/// The first of the function that has a line; of one that does nothing but call another, as entry points of
/// llvm-spirv's do, the other's.
std::uint32_t first_in(const ModuleView& view, std::uint32_t function, bool follow_call) {
  if (function >= view.functions().size()) return kNone;
  const Function& walked = view.functions()[function];
  std::uint32_t callee = kNone;
  for (std::uint32_t i = walked.first; i < walked.end && i < walked.first + kMostSteps; ++i) {
    if (has_line(view, i)) return i;
    if (view.at(i).op == spv::Op::OpFunctionCall) callee = view.function_of(view.word(i, 0));
  }
  return follow_call && callee != kNone ? first_in(view, callee, false) : kNone;
}

/// The nearest that uses the instruction's result, or what is made of it.
std::uint32_t first_user(const ModuleView& view, std::uint32_t instruction) {
  std::vector<std::uint32_t> queue{instruction};
  std::unordered_set<std::uint32_t> seen{instruction};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Instruction& in = view.at(queue[next]);
    if (in.result_id == 0) continue;
    for (const std::uint32_t user : view.uses(in.result_id)) {
      if (has_line(view, user)) return user;
      if (queue.size() >= kMostSteps) return kNone;
      if (seen.insert(user).second) queue.push_back(user);
    }
  }
  return kNone;
}

std::uint32_t first_that_needs(const ModuleView& view, spv::Capability capability) {
  const auto count = std::min<std::size_t>(view.instructions().size(), 16 * kMostSteps);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!needs_capability(view, i, capability)) continue;
    if (has_line(view, i)) return i;
    if (const std::uint32_t user = first_user(view, i); user != kNone) return user;
  }
  return kNone;
}

}  // namespace

std::uint32_t nearest_with_line(const ModuleView& view, std::uint32_t instruction) {
  if (view.all(spv::Op::OpLine).empty()) return kNone;
  const Instruction& in = view.at(instruction);
  switch (in.op) {
    case spv::Op::OpCapability:
      return first_that_needs(view, static_cast<spv::Capability>(view.word(instruction, 0)));
    case spv::Op::OpEntryPoint:
      return first_in(view, view.function_of(view.word(instruction, 1)), true);
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return first_in(view, view.function_of(view.word(instruction, 0)), true);
    case spv::Op::OpFunction:
      return first_in(view, in.function, true);
    default:
      break;
  }
  const std::uint32_t user = first_user(view, instruction);
  return user != kNone || in.function == kNone ? user : first_in(view, in.function, true);
}

}  // namespace transpire::decoder::view
