// DebugNotes: collects what the builder knows for debuggers (vm/program/debug_info.h): the meaning
// of <id>s in each call, variables, locals of the source, and blocks. Does nothing unless the
// program keeps values.
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

  /// The value of an id from `word`, its definition, on; 0: everywhere in the call.
  void value(Id id, std::uint32_t word, Values values);
  /// An OpVariable, with its number among the private ones.
  void variable(const Instruction& instruction, std::uint32_t number);
  /// The function's parameters in this call. On the first call also its blocks and their dominance.
  void function(const Frame& frame);
  /// DebugDeclare and DebugValue of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, which are alike.
  void local(const Instruction& instruction);
  /// Call it when slots are numbered.
  void finish();

 private:
  void blocks_of(const decoder::Function& function);

  const Request& request_;
  const Position& position_;
  const Refusals& refusals_;
  Writer& writer_;
  lir::Function& function_;
  std::unordered_set<Id> noted_functions_;
  std::unique_ptr<DebugInstructions> instructions_;  ///< made at the first use
};

}  // namespace transpire::vm::builder
