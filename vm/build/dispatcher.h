// Dispatcher: builds one instruction of any kind. Calls and constants that are operations need it; it is
// implemented above them (builder.h).
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Dispatcher {
 public:
  virtual void dispatch(const Instruction& instruction) = 0;

 protected:
  ~Dispatcher() = default;
};

}  // namespace transpire::vm::builder
