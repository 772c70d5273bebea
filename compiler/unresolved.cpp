#include "compiler/unresolved.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/missing_function.h"
#include "base/rule.h"
#include "compiler/module_words.h"
#include "decoder/id_operands.h"

namespace transpire::compiler {
namespace {

using decoder::Id;

struct Symbol {
  std::string name;
  bool is_variable = false;
  bool is_used = false;
};

class Unresolved {
 public:
  Diagnostics find(Words words) {
    each_instruction(words, [this](Words i) { take_decoration(i); });
    for (const Id builtin : builtins_) symbols_.erase(builtin);
    if (symbols_.empty()) return {};
    each_instruction(words, [this](Words i) { take(i); });
    Diagnostics found;
    for (const auto& [id, symbol] : symbols_)
      if (symbol.is_used) found.push_back(error(symbol));
    return found;
  }

 private:
  void take_decoration(Words i) {
    constexpr std::size_t kName = 3;
    if (op_of(i) != spv::Op::OpDecorate || i.size() < kName) return;
    const auto kind = static_cast<spv::Decoration>(i[2]);
    if (kind == spv::Decoration::BuiltIn) builtins_.insert(i[1]);
    const bool is_import = kind == spv::Decoration::LinkageAttributes && i.size() > kName + 1 &&
                           i.back() == static_cast<std::uint32_t>(spv::LinkageType::Import);
    if (is_import) symbols_[i[1]].name = text_of(i.subspan(kName, i.size() - kName - 1));
  }

  void take(Words i) {
    const spv::Op op = op_of(i);
    if (op == spv::Op::OpVariable && i.size() > 2)
      if (const auto found = symbols_.find(i[2]); found != symbols_.end())
        found->second.is_variable = true;
    in_function_ |= op == spv::Op::OpFunction;
    const decoder::OpcodeInfo* info = decoder::find_opcode(static_cast<std::uint32_t>(op));
    // Names, decorations and interfaces have no result; debug information is no use either.
    const bool computes = info != nullptr && (in_function_ || info->has_result);
    if (!computes || (op == spv::Op::OpExtInst && !in_function_)) return;
    const std::size_t first = 1 + (info->has_type ? 1 : 0) + (info->has_result ? 1 : 0);
    if (first > i.size()) return;
    decoder::Instruction instruction;
    instruction.op = op;
    instruction.operands = i.subspan(first);
    decoder::each_id(instruction, [this](Id id) {
      if (const auto found = symbols_.find(id); found != symbols_.end())
        found->second.is_used = true;
    });
  }

  static Diagnostic error(const Symbol& symbol) {
    Diagnostic error =
        symbol.is_variable
            ? make_diagnostic(Rule::kU0008,
                              fmt::format("nothing defines the variable '{}'", symbol.name))
            : make_diagnostic(Rule::kU0006,
                              fmt::format("nothing defines the function '{}'", symbol.name));
    constexpr std::string_view kLinking =
        "link the program with the one that defines it, by clCompileProgram and clLinkProgram";
    error.help =
        symbol.is_variable ? std::string(kLinking) : missing_function_help(symbol.name, kLinking);
    return error;
  }

  std::map<Id, Symbol> symbols_;
  std::set<Id> builtins_;
  bool in_function_ = false;
};

}  // namespace

Diagnostics unresolved_symbols(std::span<const std::uint32_t> words) {
  return Unresolved().find(words);
}

}  // namespace transpire::compiler
