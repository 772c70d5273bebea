// ENV-2.1-18 and 19: recursion, and control flow that no loop nest describes.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/view/control_flow.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_calls {
namespace {

constexpr ValidationRule kRecursion{
    .id = "ENV-2.1-18",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "no function that a kernel reaches calls itself, directly or through others",
    .hint = "Turn the recursion into a loop, with a stack in private memory if need be."};
constexpr ValidationRule kIrreducible{
    .id = "ENV-2.1-19",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "every loop has one entry, where irreducible control flow is refused",
    .hint =
        "Each implementation decides whether it accepts a loop with two entries. Transpire runs "
        "such loops, so it accepts them unless `--irreducible=reject` says otherwise. Duplicate "
        "the block in which the loop has its second entry, or compile without jumps into loops.",
    .in_field = InField::kWarning};

/// A call of another function of the module.
struct Call {
  std::uint32_t instruction;
  std::uint32_t callee;  ///< function
};

/// Looks for calls that lead back, in one depth-first walk from each kernel.
class CallGraph {
 public:
  explicit CallGraph(Context& context)
      : context_(context), view_(context.view), calls_(view_.functions().size()) {
    for (const std::uint32_t i : view_.all(spv::Op::OpFunctionCall)) {
      const std::uint32_t caller = view_.at(i).function;
      const std::uint32_t callee = view_.function_of(view_.word(i, 0));
      if (caller != kNone && callee != kNone) calls_[caller].push_back({i, callee});
    }
  }

  void check() {
    for (const std::uint32_t i : view_.all(spv::Op::OpEntryPoint)) {
      const std::uint32_t kernel = view_.function_of(view_.word(i, 1));
      if (kernel != kNone && state(kernel) == State::kNew) walk(kernel);
    }
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    std::uint32_t function;
    std::size_t next;
  };

  State& state(std::uint32_t function) {
    if (states_.empty()) states_.assign(view_.functions().size(), State::kNew);
    return states_[function];
  }

  void walk(std::uint32_t kernel) {
    stack_.push_back({kernel, 0});
    state(kernel) = State::kOpen;
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next == calls_[frame.function].size()) {
        state(frame.function) = State::kDone;
        stack_.pop_back();
        continue;
      }
      const Call call = calls_[frame.function][frame.next++];
      if (state(call.callee) == State::kNew) {
        state(call.callee) = State::kOpen;
        stack_.push_back({call.callee, 0});
      } else if (state(call.callee) == State::kOpen) {
        report(call);
      }
    }
  }

  /// One error for each function that is called again: what else closes the same cycle is dropped.
  void report(const Call& call) {
    if (std::find(reported_.begin(), reported_.end(), call.callee) != reported_.end()) return;
    reported_.push_back(call.callee);
    constexpr std::size_t kMostNotes = 6;
    Notes notes;
    std::size_t first = stack_.size();
    while (first > 0 && stack_[first - 1].function != call.callee) --first;
    for (std::size_t n = first; n < stack_.size() && notes.size() < kMostNotes; ++n)
      notes.push_back(
          {"on the way there", calls_[stack_[n - 1].function][stack_[n - 1].next - 1].instruction});
    context_.report(
        kRecursion, Place::at(call.instruction, 0),
        fmt::format("function {} calls itself{}", context_.name(view_.word(call.instruction, 0)),
                    notes.empty() ? "" : " through others"),
        std::move(notes));
  }

  Context& context_;
  const ModuleView& view_;
  std::vector<std::vector<Call>> calls_;
  std::vector<State> states_;
  std::vector<Frame> stack_;
  std::vector<std::uint32_t> reported_;
};

/// Without the branches back to loop headers, a function whose loops have one entry each has no cycle.
/// Gives a block on a cycle that is left, or kNone.
std::uint32_t second_entry(const ModuleView& view, const Flow& flow, const Function& function) {
  const std::uint32_t first = function.first_block;
  const std::uint32_t count = function.end_block - first;
  std::vector<std::uint32_t> waiting(count, 0);
  const auto is_forward = [&](std::uint32_t source, std::uint32_t target) {
    return flow.reachable(source) && !flow.is_back_edge(source, target);
  };
  for (std::uint32_t block = first; block < function.end_block; ++block)
    for (const std::uint32_t target : view.blocks()[block].successors)
      if (is_forward(block, target)) ++waiting[target - first];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t block = first; block < function.end_block; ++block)
    if (flow.reachable(block) && waiting[block - first] == 0) ready.push_back(block);
  while (!ready.empty()) {
    const std::uint32_t block = ready.back();
    ready.pop_back();
    for (const std::uint32_t target : view.blocks()[block].successors)
      if (is_forward(block, target) && --waiting[target - first] == 0) ready.push_back(target);
  }
  for (std::uint32_t block = first; block < function.end_block; ++block)
    if (flow.reachable(block) && waiting[block - first] != 0) return block;
  return kNone;
}

void check_loops(Context& context) {
  if (context.options.irreducible != OpenQuestion::kReject) return;
  const ModuleView& view = context.view;
  const Flow flow(view);
  for (const Function& function : view.functions()) {
    if (!function.has_body()) continue;
    const std::uint32_t block = second_entry(view, flow, function);
    if (block == kNone) continue;
    const std::uint32_t label = view.blocks()[block].first;
    context.report(
        kIrreducible, Place::at(label, Place::kResult),
        fmt::format("expected loops with one entry in function {}; block {} lies on one that "
                    "has several",
                    context.name(view.at(function.first).result_id),
                    context.name(view.at(label).result_id)));
  }
}

void check(Context& context) {
  CallGraph(context).check();
  check_loops(context);
}

constexpr const ValidationRule* kRules[] = {&kRecursion, &kIrreducible};

}  // namespace
}  // namespace rules_env_calls

const Family kEnvCallsFamily{"calls", rules_env_calls::kRules, rules_env_calls::check};

}  // namespace transpire::validator
