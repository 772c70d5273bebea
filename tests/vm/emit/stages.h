// The stages of emission for a text of LIR.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/emit/linear_order.h"
#include "vm/emit/select.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;
using namespace vm::emission;

struct Stages {
  explicit Stages(const std::string& text)
      : table(*engine_tables().front()),
        options(engine_options(table)),
        function(analysed(parse_lir(text, names), table)),
        order(vm::emission::linearise(function)),
        selection(vm::emission::select(input(), order).value()) {}

  vm::emission::Input input() const { return {function, options, table}; }

  vm::lir::ValueId id(const std::string& name) const {
    for (const auto& [id, known] : names)
      if (known == name) return id;
    throw std::runtime_error("no value " + name);
  }
  vm::emission::VReg reg(const std::string& name) const {
    return selection.registers.known(id(name));
  }

  const vm::HandlerTable& table;
  vm::LowerOptions options;
  LirNames names;
  vm::lir::Function function;
  vm::emission::LinearOrder order;
  vm::emission::Selection selection;
};

}  // namespace transpire::test
