// Constants: the scalars of a SPIR-V constant, or the temporary that holds a large one.
#pragma once

#include <unordered_map>

#include "vm/build/dispatcher.h"
#include "vm/build/parts.h"

namespace transpire::vm::builder {

class Constants {
 public:
  Constants(Core& core, Temporaries& temporaries, Parts& parts, Dispatcher& dispatcher);

  Values value(const decoder::Constant& constant);

 private:
  Values operation(const decoder::Constant& constant);
  void append(const decoder::Constant& constant, ValueList& out, unsigned depth);
  void append(Values values, ValueList& out) {
    out.insert(out.end(), values.begin(), values.end());
  }
  void append_sampler(const decoder::Constant& constant, ValueList& out);
  ValueList held(const decoder::Constant& constant);
  void store(const decoder::Constant& constant, const Part& whole, unsigned depth);

  const Request& request_;
  const Position& position_;
  Refusals& refusals_;
  Writer& writer_;
  Types& types_;
  Ids& ids_;
  Temporaries& temporaries_;
  Parts& parts_;
  Dispatcher& dispatcher_;
  std::unordered_map<Id, Values> known_;
  unsigned operation_depth_ = 0;  ///< of OpSpecConstantOp within OpSpecConstantOp
};

}  // namespace transpire::vm::builder
