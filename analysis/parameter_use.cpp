#include "analysis/parameter_use.h"

#include <set>
#include <utility>
#include <vector>

#include "analysis/function_index.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;

/// Instructions looked at: some milliseconds.
constexpr std::size_t kMostLookedAt = 100'000;

class Following {
 public:
  Following(const decoder::Module& module, bool stores)
      : module_(module), functions_(module), stores_(stores) {}

  std::optional<vm::Source> run(Id kernel, std::size_t parameter) {
    const FunctionIndex* const in = functions_.of(kernel);
    if (in == nullptr || parameter >= in->function.parameters.size()) return std::nullopt;
    open_.push_back({in, in->function.parameters[parameter].id});
    while (!open_.empty()) {
      const auto [function, pointer] = open_.back();
      open_.pop_back();
      if (!seen_.insert({function, pointer}).second) continue;
      const auto users = function->users.find(pointer);
      if (users == function->users.end()) continue;
      for (const Spot spot : users->second) {
        if (++looked_at_ > kMostLookedAt) return found_;
        look_at(*function, function->at(spot), pointer);
      }
    }
    return found_;
  }

 private:
  void look_at(const FunctionIndex& in, const Instruction& user, Id pointer) {
    const auto operands = user.operands;
    switch (user.op) {
      case spv::Op::OpLoad:
        if (!stores_) take(in, user);
        return;
      case spv::Op::OpStore:
        if (operands[0] != pointer) return follow_variable(in, operands[0]);
        if (stores_) take(in, user);
        return;
      case spv::Op::OpImageWrite:
        if (stores_) take(in, user);
        return;
      case spv::Op::OpCopyMemory:
      case spv::Op::OpCopyMemorySized:
      case spv::Op::OpGroupAsyncCopy:
        if (is_target(user, pointer) == stores_) take(in, user);
        return;
      case spv::Op::OpFunctionCall:
        return follow_call(operands, pointer);
      default:
        return look_at_other(in, user);
    }
  }

  void look_at_other(const FunctionIndex& in, const Instruction& user) {
    const bool is_atomic = decoder::opcode_class(user.op) == "Atomic";
    if (user.op == spv::Op::OpExtInst) {
      // Functions of OpenCL.std that store have no result, and the pointer is an operand; others load, or are given a place.
      const decoder::Type* const type = module_.type(user.type_id);
      const bool is_store = type == nullptr || type->kind == decoder::Type::Kind::kVoid;
      if (is_store == stores_) take(in, user);
    } else if (is_atomic) {
      if (stores_ == (user.op != spv::Op::OpAtomicLoad)) take(in, user);
    } else if (user.result_id != 0) {
      const decoder::Type* const type = module_.type(user.type_id);
      const bool is_pointer = type != nullptr && type->kind == decoder::Type::Kind::kPointer;
      if (is_pointer) open_.push_back({&in, user.result_id});
    }
  }

  static bool is_target(const Instruction& copy, Id pointer) {
    const std::size_t at = copy.op == spv::Op::OpGroupAsyncCopy ? 1 : 0;
    return copy.operands[at] == pointer;
  }

  void follow_variable(const FunctionIndex& in, Id variable) {
    const auto users = in.users.find(variable);
    if (users == in.users.end()) return;
    for (const Spot spot : users->second)
      if (in.at(spot).op == spv::Op::OpLoad) open_.push_back({&in, in.at(spot).result_id});
  }

  void follow_call(std::span<const std::uint32_t> operands, Id pointer) {
    const FunctionIndex* const callee = functions_.of(operands[0]);
    if (callee == nullptr) return;
    const auto& parameters = callee->function.parameters;
    for (std::size_t i = 0; i < parameters.size() && i + 1 < operands.size(); ++i)
      if (operands[i + 1] == pointer) open_.push_back({callee, parameters[i].id});
  }

  void take(const FunctionIndex& in, const Instruction& instruction) {
    if (found_ && found_->word_offset <= instruction.word_offset) return;
    found_ =
        vm::Source{instruction.word_offset, instruction.op, instruction.line, in.function.id, 0};
  }

  const decoder::Module& module_;
  FunctionIndexes functions_;
  bool stores_;
  std::size_t looked_at_ = 0;
  std::optional<vm::Source> found_;
  std::vector<std::pair<const FunctionIndex*, Id>> open_;
  std::set<std::pair<const FunctionIndex*, Id>> seen_;
};

}  // namespace

std::optional<vm::Source> find_access(const decoder::Module& module, Id kernel,
                                      std::size_t parameter, bool stores) {
  return Following(module, stores).run(kernel, parameter);
}

}  // namespace transpire::analysis
