// Parts: components of values that are held in memory (temporaries.h), found by literal indexes.
#pragma once

#include "vm/build/memory.h"

namespace transpire::vm::builder {

/// A part of a value that is held in memory.
struct Part {
  const Type* type;
  ValueId whole;  ///< its address
  std::int64_t offset = 0;
  std::uint32_t align_limit = 0;
};

/// Components of an array, vector or struct.
std::uint64_t component_count(const Type& type);

class Parts {
 public:
  Parts(Core& core, Pointers& pointers, Memory& memory)
      : module_(core.request.module),
        refusals_(core.refusals),
        types_(core.types),
        ids_(core.ids),
        pointers_(pointers),
        memory_(memory) {}

  /// A component of a part.
  Part component(Part part, std::uint32_t index);
  /// Follows the instruction's literal indexes from operand `at` on.
  Part find(const Type& type, ValueId whole, const Instruction& i, std::size_t at);
  ValueId address(const Part& part) { return pointers_.address(part.whole, part.offset); }
  /// Its scalars, or its address where it is large, too.
  ValueList load(const Part& part);
  void store(const Part& part, Values values);

 private:
  /// Refuses parts that are held in memory with another layout than that of values of their type.
  bool has_layout_of_value(const Part& part);

  const decoder::Module& module_;
  Refusals& refusals_;
  Types& types_;
  Ids& ids_;
  Pointers& pointers_;
  Memory& memory_;
};

}  // namespace transpire::vm::builder
