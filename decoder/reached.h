// The functions and variables that an entry point needs.
#pragma once

#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// Functions and variables of the module's scope that a function needs, itself included, each once, in the order in which the
/// walk comes to them. Enqueued functions are not among them.
struct Reached {
  std::vector<const Function*> functions;
  std::vector<const Variable*> variables;
};
Reached reached_from(const Module& module, const Function& entry);

}  // namespace transpire::decoder
