// ProgramVariables: variables of module scope that work-items share: Workgroup ones, and those in global and
// constant memory, whose initial bytes are made here.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vm/build/arguments.h"

namespace transpire::vm::builder {

/// The variable's name, or "%<id>".
std::string variable_name(const decoder::Module& module, const decoder::Variable& variable);

/// True if the variable's initializer leaves its bytes open: there is none, or it is OpUndef or a
/// composite of nothing else.
bool is_uninitialised(const decoder::Module& module, const decoder::Variable& variable);

class ProgramVariables {
 public:
  ProgramVariables(Core& core, Arguments& arguments);

  /// The address of a variable, for which this is called once. Blocks that share their bytes have one address: that of the first.
  ValueId workgroup_address(const decoder::Variable& variable);
  /// In global or constant memory. Where the module has the variable in Function storage, it is the place of its
  /// initial bytes.
  ValueId address(const decoder::Variable& variable);
  /// The address of a function's variable that is a constant table (decoder/constant_tables.h); nothing if it is none.
  std::optional<ValueId> table_address(const decoder::Function& function, Id variable);
  /// The handle of pipe storage, a constant.
  ValueId pipe(Id storage, std::uint32_t packet_bytes, std::uint32_t max_packets);
  /// The variable whose address the value is; else null.
  const ProgramVariable* variable_at(ValueId address) const;

 private:
  /// One that is not there yet.
  ValueId add(ProgramVariable variable, lir::Space space);
  void fill_initial();
  ValueId add_table(const decoder::Variable& table);

  const Request& request_;
  Refusals& refusals_;
  lir::Function& function_;
  Ids& ids_;
  Arguments& arguments_;
  ValueId workgroup_blocks_ = kNoValue;  ///< address of the Blocks in Workgroup memory
  std::size_t first_block_ = 0;          ///< the variable that stands for all of them
  std::unordered_map<Id, std::uint32_t> index_;
  std::vector<ValueId> addresses_;
  std::unordered_map<ValueId, std::uint32_t> index_at_;                       ///< by address
  std::unordered_map<Id, std::unordered_map<Id, decoder::Variable>> tables_;  ///< by function
  std::uint32_t filled_ = 0;  ///< variables whose initial bytes are made
  bool filling_ = false;
};

}  // namespace transpire::vm::builder
