#include "findings/causes.h"

#include <map>

#include "analysis/value_flow.h"
#include "base/rule_facts.h"

namespace transpire::findings {
namespace {

using decoder::Id;

bool is_done_misaligned(spv::Op op) {
  return op == spv::Op::OpLoad || op == spv::Op::OpStore || op == spv::Op::OpEnqueueKernel ||
         op == spv::Op::OpEnqueueMarker || op == spv::Op::OpCaptureEventProfilingInfo;
}

/// True if the instruction's result, or the bytes that it should have stored, are wrong after this finding.
bool spoils(const scheduler::Finding& finding, const vm::Program& program) {
  if (finding.instruction == nullptr) return false;
  switch (facts_of(finding.rule).spoils) {
    case RuleFacts::Spoils::kAll:
      return true;
    case RuleFacts::Spoils::kNotOfAccesses:
      return !is_done_misaligned(program.source_of(finding.instruction).op);
    case RuleFacts::Spoils::kNothing:
      return false;
  }
  return true;
}

/// The operands that a rule finds fault with: of accesses the address, not what is stored.
std::vector<Id> wrong_operands(const decoder::Instruction& instruction, Rule rule) {
  std::vector<Id> operands = analysis::value_operands(instruction);
  if (operands.empty()) return operands;
  if (instruction.op == spv::Op::OpStore || instruction.op == spv::Op::OpLoad ||
      decoder::opcode_class(instruction.op) == "Atomic") {
    operands.resize(1);
  } else if (facts_of(rule).concerns == RuleFacts::Concerns::kLastOperand) {
    operands.erase(operands.begin(), operands.end() - 1);
  } else if (instruction.op == spv::Op::OpExtInst) {
    const std::string_view name = decoder::ext_inst_name(instruction);
    if (name.starts_with("vstore")) operands.erase(operands.begin());
  }
  return operands;
}

class Search {
 public:
  Search(std::span<const scheduler::Finding> findings, const decoder::Module& module,
         const vm::Program& program)
      : findings_(findings), program_(program), values_(module), flow_(values_) {
    for (std::size_t i = 0; i < findings.size(); ++i)
      numbers_.emplace(scheduler::key_of(findings[i]), i);
  }

  std::optional<std::size_t> cause_of(std::size_t late) {
    const scheduler::Finding& finding = findings_[late];
    const analysis::FlowPlace place =
        values_.place_of(program_.source_of(finding.instruction), program_);
    if (place.in == nullptr) return std::nullopt;
    std::vector<analysis::FlowPlace> places;
    std::vector<std::size_t> causes;
    for (const scheduler::FindingKey& key : finding.earlier) {
      const auto number = numbers_.find(key);
      if (number == numbers_.end() || number->second >= late) continue;
      const scheduler::Finding& earlier = findings_[number->second];
      if (!spoils(earlier, program_)) continue;
      const analysis::FlowPlace cause =
          values_.place_of(program_.source_of(earlier.instruction), program_);
      if (cause.in == nullptr) continue;
      places.push_back(cause);
      causes.push_back(number->second);
    }
    if (places.empty()) return std::nullopt;
    std::vector<analysis::FlowValue> values;
    for (const Id id : wrong_operands(place.instruction(), finding.rule))
      values.push_back(place.value(id));
    const std::optional<std::size_t> found = flow_.find(values, places);
    if (!found) return std::nullopt;
    return causes[*found];
  }

 private:
  std::span<const scheduler::Finding> findings_;
  const vm::Program& program_;
  analysis::Values values_;
  analysis::ValueFlow flow_;
  std::map<scheduler::FindingKey, std::size_t> numbers_;
};

}  // namespace

std::vector<std::optional<std::size_t>> find_causes(std::span<const scheduler::Finding> findings,
                                                    const decoder::Module& module,
                                                    const vm::Program& program) {
  std::vector<std::optional<std::size_t>> causes(findings.size());
  std::optional<Search> search;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].earlier.empty() || findings[i].instruction == nullptr) continue;
    if (!search) search.emplace(findings, module, program);
    causes[i] = search->cause_of(i);
  }
  return causes;
}

}  // namespace transpire::findings
