// ConstantMemory: what is read now from places in constant memory that are known.
#pragma once

#include <optional>
#include <string>

#include "vm/build/program_variables.h"

namespace transpire::vm::builder {

class ConstantMemory {
 public:
  ConstantMemory(Core& core, Pointers& pointers, const ProgramVariables& variables);

  /// The bytes up to a zero that an address within a variable points at. Nothing where the variable ends before one,
  /// unless the end may do for a zero.
  std::optional<std::string> string(ValueId address, bool needs_zero = true) const;
  /// The values that a load gives whatever happens: of constant memory at a known place, and no
  /// finding. Copies of zeroed or tabulated data vanish this way.
  std::optional<ValueList> load(const lir::MemAccess& access, ValueId pointer);

 private:
  struct Place {
    const ProgramVariable* variable = nullptr;
    std::uint64_t offset = 0;
  };
  std::optional<Place> find(ValueId address) const;
  bool permits(const lir::MemAccess& access, const ProgramVariable& variable) const;
  ValueList initial_values(const lir::MemAccess& access, const ProgramVariable& variable,
                           std::uint64_t begin);

  const Request& request_;
  lir::Function& function_;
  Ids& ids_;
  Pointers& pointers_;
  const ProgramVariables& variables_;
};

}  // namespace transpire::vm::builder
