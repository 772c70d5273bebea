// Runs LIR functions as Programs: emitted, then executed by the engine in one full batch. The
// counterpart of LirMachine, with the same arguments, so that emission can be tested by what
// functions do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vm/exec/engine.h"
#include "vm/lir/lir.h"
#include "vm/lower/lower.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

struct EngineResult {
  std::vector<std::byte> memory;  ///< kOwnBytes a lane
  std::vector<bool> finished;     ///< by lane
  std::uint32_t row_copies = 0;   ///< instructions of the Program that copy running lanes of a row
};

/// The options for which functions are analysed to run here.
vm::LowerOptions engine_options(const vm::HandlerTable& table);

/// The passes that emission needs, and no others: all phis stay.
vm::lir::Function analysed(vm::lir::Function function, const vm::HandlerTable& table);
/// The program of an analysed function.
/// @throws std::runtime_error
std::unique_ptr<vm::Program> emitted(const vm::lir::Function& function,
                                     const vm::HandlerTable& table);

/// `function` is analysed. Its last argument slot holds the address of kOwnBytes for each GlobalId;
/// the others hold what they do in LirMachine.
EngineResult run_engine(const vm::lir::Function& function, const vm::HandlerTable& table);

/// Empty when lanes of `analysed`, run by the engine, leave the memory that `before` leaves in
/// LirMachine, work-item by work-item. Looks at every `step`th lane that ends in both.
std::string compare_with_engine(const vm::lir::Function& before, const vm::lir::Function& analysed,
                                const vm::HandlerTable& table, std::uint32_t step);

/// The tables of all instruction sets of this machine.
std::vector<const vm::HandlerTable*> engine_tables();

}  // namespace transpire::test
