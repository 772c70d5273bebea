// constant_private_addresses. See constant_privates.h.
#include "vm/passes/constant_privates.h"

#include <algorithm>

#include "vm/lir/use_lists.h"

namespace transpire::vm::lir {
namespace {

// Reads through the address, or computes another that is looked at in turn.
bool only_reads(const Value& user, ValueId address) {
  const bool as_base =
      user.args[0] == address && std::count(user.args.begin(), user.args.end(), address) == 1;
  if (looks_at_operands(user.op)) return true;
  switch (user.op) {
    case Op::kLoad:
    case Op::kAddress:
      return as_base;
    case Op::kCopyMemory:
      return user.args[0] != address && user.args[2] != address;
    default:
      return false;
  }
}

}  // namespace

std::vector<bool> constant_private_addresses(const Function& function) {
  std::vector<bool> constant(function.values.size(), false);
  std::vector<std::uint64_t> slots;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.kind == Parameter::Kind::kByValue) {
      slots.push_back(function.private_slot(parameter.private_variable));
    }
  }
  if (slots.empty()) return constant;
  const UseLists uses(function);
  for (ValueId root = 0; root < function.values.size(); ++root) {
    const Value& argument = function.values[root];
    if (argument.op != Op::kArgument ||
        std::find(slots.begin(), slots.end(), argument.imm) == slots.end()) {
      continue;
    }
    std::vector<ValueId> addresses{root};
    bool reads = true;
    for (std::size_t i = 0; i < addresses.size() && reads; ++i) {
      for (const ValueId user : uses.users(addresses[i])) {
        reads = reads && only_reads(function.values[user], addresses[i]);
        if (function.values[user].op == Op::kAddress) addresses.push_back(user);
      }
    }
    if (!reads) continue;
    for (const ValueId address : addresses) constant[address] = true;
  }
  return constant;
}

}  // namespace transpire::vm::lir
