#include "vm/build/pointer_origins.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/narrow.h"
#include "vm/lir/pointer_flow.h"
#include "vm/lir/use_lists.h"

namespace transpire::vm::builder {
namespace {

using lir::Value;
using lir::ValueId;

/// Follows pointers to their sources: operands by pointer_flow.h, and for a pointer loaded from a
/// private variable, all that are stored there. Such a variable counts as a value.
class PointerOrigins {
 public:
  /// For pointers that come from parameters of a kind. `alone`: from one parameter only, else from
  /// any of them.
  PointerOrigins(lir::Function& function, bool (*is_wanted)(const Parameter&), bool alone)
      : function_(function),
        is_wanted_(is_wanted),
        alone_(alone),
        uses_(function),
        parameter_(function.values.size(), 0),
        is_other_(function.values.size(), false),
        has_several_(function.values.size(), false),
        holds_pointers_(function.values.size()) {
    find_parameters();
    for (std::size_t next = 0; next < reached_.size(); ++next) {
      const std::uint32_t parameter = parameter_[reached_[next]];
      for_each_reached_from(reached_[next], [&](ValueId id) { note(id, parameter); });
    }
    find_others();
  }

  /// 1 + the index of a parameter that the pointer comes from; 0 where it may come from elsewhere.
  std::uint32_t of(ValueId pointer) {
    return parameter_[pointer] == 0 || is_other_[pointer] || is_variable(pointer)
               ? 0
               : parameter_[pointer];
  }

 private:
  void find_parameters() {
    std::unordered_map<std::uint64_t, std::uint32_t> by_slot;
    for (std::size_t p = 0; p < function_.parameters.size(); ++p)
      if (const Parameter& parameter = function_.parameters[p];
          is_wanted_(parameter) && parameter.kind == Parameter::Kind::kPointer)
        by_slot[parameter.first_slot] = narrow<std::uint32_t>(p) + 1;
    for (ValueId id = 0; id < function_.values.size(); ++id) {
      function_.work();
      if (function_.values[id].op != Op::kArgument) continue;
      if (const auto found = by_slot.find(function_.values[id].imm); found != by_slot.end())
        note(id, found->second);
    }
  }

  void note(ValueId id, std::uint32_t parameter) {
    if (parameter_[id] != 0) {
      has_several_[id] = has_several_[id] || parameter_[id] != parameter;
      return;
    }
    parameter_[id] = parameter;
    reached_.push_back(id);
  }

  /// Finds reached values that may also come from elsewhere.
  void find_others() {
    std::vector<ValueId> open;
    const auto mark = [&](ValueId id) {
      if (is_other_[id]) return;
      is_other_[id] = true;
      open.push_back(id);
    };
    for (const ValueId id : reached_)
      if ((alone_ && has_several_[id]) || has_other_origin(id)) mark(id);
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      for_each_reached_from(id, mark);
    }
  }

  bool has_other_origin(ValueId id) {
    const Value& value = function_.values[id];
    if (is_variable(id))
      return std::ranges::any_of(users(id), [&](ValueId user) {
        const Value& access = function_.values[user];
        return access.op == Op::kStore && parameter_[access.args[1]] == 0;
      });
    return std::ranges::any_of(value.args, [&](ValueId operand) {
      return leads_on(value, operand) && parameter_[operand] == 0;
    });
  }

  template <class Visit>
  void for_each_reached_from(ValueId id, const Visit& visit) {
    for (const ValueId user : users(id)) {
      const Value& value = function_.values[user];
      if (is_variable(id)) {
        if (value.op == Op::kLoad) visit(user);
      } else if (leads_on(value, id)) {
        visit(user);
      } else if (value.op == Op::kStore && value.args[0] != id && is_variable(value.args[0])) {
        visit(value.args[0]);
      }
    }
  }

  /// True for the address of a private variable that is only used to load and store pointers.
  bool is_variable(ValueId id) {
    if (!holds_pointers_[id]) holds_pointers_[id] = only_holds_pointers(id);
    return *holds_pointers_[id];
  }

  bool only_holds_pointers(ValueId variable) {
    const Value& argument = function_.values[variable];
    if (argument.op != Op::kArgument || function_.private_variables.empty() ||
        argument.imm < function_.private_slot(0))
      return false;
    return std::ranges::all_of(users(variable), [&](ValueId user) {
      const Value& access = function_.values[user];
      const bool loads = access.op == Op::kLoad;
      if (!loads && (access.op != Op::kStore || access.args[1] == variable)) return false;
      const lir::MemAccess& memory = function_.mem[access.imm];
      return memory.kind == Kind::kI64 && memory.components == 1 && !memory.is_volatile;
    });
  }

  std::span<const ValueId> users(ValueId id) const {
    const std::span<const ValueId> users = uses_.users(id);
    function_.work(users.size() + 1);
    return users;
  }

  lir::Function& function_;
  bool (*is_wanted_)(const Parameter&);
  const bool alone_;
  const lir::UseLists uses_;
  std::vector<std::uint32_t> parameter_;  ///< index + 1 of one that leads there; 0: none does
  std::vector<bool> is_other_;
  std::vector<bool> has_several_;  ///< parameters that lead there
  std::vector<std::optional<bool>> holds_pointers_;
  std::vector<ValueId> reached_;
};

}  // namespace

std::vector<std::uint32_t> pointer_origins(lir::Function& function,
                                           bool (*is_wanted)(const Parameter&), Origins which) {
  PointerOrigins origins(function, is_wanted, which == Origins::kSole);
  std::vector<std::uint32_t> all(function.values.size());
  for (ValueId id = 0; id < all.size(); ++id) all[id] = origins.of(id);
  return all;
}

}  // namespace transpire::vm::builder
