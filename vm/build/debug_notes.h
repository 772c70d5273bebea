// DebugNotes: what a program that keeps values says of the module (vm/program/debug_info.h), as far as the builder
// knows it: what <id>s mean in each call, variables, locals of the source, and blocks. Of other programs nothing.
#pragma once

#include <memory>
#include <unordered_set>

#include "vm/build/debug_instructions.h"
#include "vm/build/writer.h"

namespace transpire::vm::builder {

class DebugNotes {
 public:
  DebugNotes(const Request& request, const Position& position, const Refusals& refusals,
             Writer& writer)
      : request_(request),
        position_(position),
        refusals_(refusals),
        writer_(writer),
        function_(writer.function()) {}

  /// What an id stands for from `word` on, where its definition stands; 0: wherever the call is.
  void value(Id id, std::uint32_t word, Values values);
  /// Of an OpVariable: its number among the private ones.
  void variable(const Instruction& instruction, std::uint32_t number);
  /// The function's parameters in this call; once for all its calls its blocks, and which dominate which.
  void function(const Frame& frame);
  /// DebugDeclare and DebugValue of OpenCL.DebugInfo.100.
  void local(const Instruction& instruction);
  /// Once slots are numbered.
  void finish();

 private:
  void blocks_of(const decoder::Function& function);

  const Request& request_;
  const Position& position_;
  const Refusals& refusals_;
  Writer& writer_;
  lir::Function& function_;
  std::unordered_set<Id> noted_functions_;
  std::unique_ptr<DebugInstructions> instructions_;  ///< made when the first one is wanted
};

}  // namespace transpire::vm::builder
