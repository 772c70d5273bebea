#include "findings/unseen.h"

#include <algorithm>
#include <set>

#include "base/rule.h"

namespace transpire::findings {
namespace {

/// Marks in a module that the check goes by, and instructions that need them.
struct Content {
  bool has_arithmetic = false, has_wraps = false, has_lifetimes = false;
  std::set<decoder::Id>
      variables{};  ///< but those that hold a parameter, which live as long as the function

  void look_at(const decoder::Module& module, const decoder::Function& function,
               const decoder::Instruction& i) {
    switch (i.op) {
      case spv::Op::OpIAdd:
      case spv::Op::OpISub:
      case spv::Op::OpIMul:
      case spv::Op::OpSNegate:
        has_arithmetic = true;
        has_wraps |= module.decoration(i.result_id, spv::Decoration::NoSignedWrap) != nullptr;
        return;
      case spv::Op::OpVariable:
        variables.insert(i.result_id);
        return;
      case spv::Op::OpStore:
        if (i.operands.size() > 1 &&
            std::ranges::find(function.parameters, i.operands[1], &decoder::Parameter::id) !=
                function.parameters.end())
          variables.erase(i.operands[0]);
        return;
      case spv::Op::OpLifetimeStart:
        has_lifetimes = true;
        return;
      default:
        return;
    }
  }
};

Content content_of(const decoder::Module& module) {
  Content content;
  for (const decoder::Function& function : module.functions)
    for (const decoder::Block& block : function.blocks)
      for (const decoder::Instruction& i : block.instructions) content.look_at(module, function, i);
  return content;
}

Diagnostic note(const decoder::Module& module, std::string message) {
  Diagnostic diagnostic = make_diagnostic(Rule::kL0012, std::move(message));
  diagnostic.input = module.input_name;
  diagnostic.help =
      "of a source that Transpire compiles itself it sees both; 'transpire compile --for-checks' "
      "keeps such a module";
  return diagnostic;
}

}  // namespace

Diagnostics unseen_by_check_ub(const decoder::Module& module, bool marks_wraps,
                               bool has_lifetimes) {
  const Content content = content_of(module);
  Diagnostics notes;
  if (content.has_arithmetic && !content.has_wraps && !marks_wraps)
    notes.push_back(note(module,
                         "--check=ub cannot see signed overflow in this module: no instruction is "
                         "decorated NoSignedWrap"));
  if (!content.variables.empty() && !content.has_lifetimes && !has_lifetimes)
    notes.push_back(
        note(module,
             "--check=ub cannot see where the life of variables of inner scopes ends in this "
             "module: it has no OpLifetimeStart"));
  return notes;
}

}  // namespace transpire::findings
