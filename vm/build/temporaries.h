// Temporaries: arrays and structs of many scalars are not taken apart. Such a value is the address of a private
// temporary that holds it, one temporary for each instruction that makes a value:
//
//   load, insert, construct   copy into the instruction's own temporary
//   store                     copies out of it
//   extract                   loads the part, or gives its address where that is large, too
//   copy, select, call        pass the address on
//   phi                       copies: at the end of each predecessor into a second temporary, from
//                             there at the phi's own place, so that phis may take each other's
//                             place
//
// A temporary is written again only when its instruction runs again, and by then everything that
// named the old value is behind: what uses a value is dominated by what makes it. Only a phi may
// name a value that was made after the phi itself ran, which is why phis copy.
#pragma once

#include <unordered_map>

#include "vm/build/accesses.h"
#include "vm/build/private_variables.h"

namespace transpire::vm::builder {

class Temporaries {
 public:
  Temporaries(Core& core, PrivateVariables& variables, Accesses& accesses);

  ValueId make(const Type& type);
  void copy(const Type& type, ValueId target, ValueId source, lir::Space target_space,
            MemoryOperands operands, lir::Space source_space = lir::Space::kPrivate);
  ValueId load(const Type& type, ValueId pointer, lir::Space space, MemoryOperands operands);
  /// A phi's value, and where its predecessors put theirs.
  ValueId phi(const Type& type, ValueId* incoming);
  /// The zero of any type: its scalars, or one temporary for all uses.
  ValueList zeros(const Type& type);
  /// An undefined value of any type: zero, numbers with `poison` poison. --check=uninit knows that nobody made it.
  ValueList undefined(const Type& type);

 private:
  Refusals& refusals_;
  Writer& writer_;
  Types& types_;
  Ids& ids_;
  PrivateVariables& variables_;
  Accesses& accesses_;
  const bool checks_uninit_, poisons_;
  std::unordered_map<const Type*, ValueId> zeros_;
};

}  // namespace transpire::vm::builder
