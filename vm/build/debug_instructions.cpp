#include "vm/build/debug_instructions.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "vm/lir/budget.h"

namespace transpire::vm::builder {

DebugInstructions::DebugInstructions(const decoder::Module& module, const lir::Function& function)
    : module_(module), function_(function) {
  constexpr std::size_t kHeaderWords = 5;
  const std::vector<std::uint32_t>& words = module.words;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    function_.work();
    const std::size_t count = words[at] >> 16;
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    // Debug instructions that describe the source stand in front of the functions.
    if (count == 0 || count > words.size() - at || op == spv::Op::OpFunction) return;
    if (op == spv::Op::OpExtInst && count > 4) {
      const decoder::ExtInstImport* import = module.ext_inst_import(words[at + 3]);
      if (import != nullptr && (import->set == decoder::ExtendedSet::kOpenCLDebugInfo ||
                                import->set == decoder::ExtendedSet::kShaderDebugInfo)) {
        function_.take(cost::kBinding);
        has_constants_ = import->set == decoder::ExtendedSet::kShaderDebugInfo;
        instructions_[words[at + 2]] = std::span(words).subspan(at + 4, count - 4);
      }
    }
    at += count;
  }
}

std::optional<std::string> DebugInstructions::local_name(Id id) const {
  const auto found = instructions_.find(id);
  if (found == instructions_.end() || found->second.size() < 2 ||
      found->second[0] != OpenCLDebugInfo100DebugLocalVariable)
    return std::nullopt;
  return std::string(module_.string(found->second[1]));
}

bool DebugInstructions::is_plain(Id expression, bool of_variable) {
  const auto [known, is_new] = effects_.try_emplace(expression, Effect::kOther);
  if (is_new) known->second = effect_of(expression);
  return known->second == Effect::kNone || (of_variable && known->second == Effect::kNamesSpace);
}

DebugInstructions::Effect DebugInstructions::effect_of(Id expression) const {
  const auto found = instructions_.find(expression);
  if (found == instructions_.end() || found->second[0] != OpenCLDebugInfo100DebugExpression)
    return Effect::kOther;
  const auto operations = found->second.subspan(1);
  function_.work(operations.size() + 1);
  function_.take(cost::kBinding);
  if (operations.empty()) return Effect::kNone;
  return std::all_of(operations.begin(), operations.end(),
                     [&](Id operation) { return names_space(operation); })
             ? Effect::kNamesSpace
             : Effect::kOther;
}

/// True for an operation of those that lead to an address space.
bool DebugInstructions::names_space(Id operation) const {
  const auto step = instructions_.find(operation);
  if (step == instructions_.end() || step->second.size() < 2) return false;
  std::uint64_t code = step->second[1];
  if (has_constants_) {
    const decoder::Constant* const constant = module_.constant(step->second[1]);
    if (constant == nullptr) return false;
    code = constant->bits;
  }
  return code == OpenCLDebugInfo100Constu || code == OpenCLDebugInfo100Swap ||
         code == OpenCLDebugInfo100Xderef;
}

}  // namespace transpire::vm::builder
