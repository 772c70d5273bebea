// Builtins: built-in variables. A pointer to Input storage names a builtin op, and loads of it become that op,
// one value a dimension. Ids and sizes are i64 and cut to the variable's type.
#pragma once

#include <optional>

#include "vm/build/groups.h"

namespace transpire::vm::builder {

class Builtins {
 public:
  Builtins(Core& core, Groups& groups)
      : refusals_(core.refusals),
        writer_(core.writer),
        ops_(core.ops),
        types_(core.types),
        ids_(core.ids),
        groups_(groups) {}

  Bound variable(const decoder::Variable& variable);
  ValueList load(const InputPointer& pointer, const Type& type);
  /// An access chain that begins at the pointer, or a cast of it.
  void chain(const Instruction& instruction, InputPointer pointer, bool has_element);
  void cast(const Instruction& instruction, InputPointer pointer);

  /// For the value of a built-in variable: the result of OpenCL C's work-item functions for a
  /// dimension that does not exist, 1 for sizes and 0 for ids. Translators write those functions as
  /// extractions, for any dimension. None for other vectors.
  std::optional<std::uint64_t> missing_dimension(Values vector) const;
  /// The component of any vector that an integer value selects; when there is none, missing_dimension or 0.
  ValueId component_at(Values vector, ValueId index);

 private:
  ValueId component(const InputPointer& pointer, std::uint64_t component);
  ValueId indexed_component(const InputPointer& pointer, std::uint64_t offset);
  bool step(InputPointer& pointer, Id index, const Type& element);

  Refusals& refusals_;
  Writer& writer_;
  Ops& ops_;
  Types& types_;
  Ids& ids_;
  Groups& groups_;
};

}  // namespace transpire::vm::builder
