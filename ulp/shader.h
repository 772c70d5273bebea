// The shader of one call that runs a formula's function, on a block's rows.
#pragma once

#include "transpire/transpire.hpp"
#include "ulp/block.h"

namespace transpire::ulp {

class Shader {
 public:
  /// `isa` is an instruction set that the machine has.
  static Result<Shader> create(const Formula& formula, vm::Kind kind, const std::string& isa,
                               Math math);
  /// The results of a block's calls, in the contender's row. Thread-safe. False if the launch did not go well.
  bool call(Block& block, std::size_t contender) const;

 private:
  Shader(Module module, Device device, Math math, std::size_t operands)
      : module_(std::move(module)), device_(std::move(device)), math_(math), operands_(operands) {}

  Module module_;
  Device device_;
  Math math_;
  std::size_t operands_;
};

}  // namespace transpire::ulp
