// EntryInterface: what an entry point takes from its launch. The functions beside it say which entry points can be launched.
//
// Descriptions, analysis, lowering and the runtime ask here, so that none of them says by itself which execution models there
// are, or where the names and attributes of inputs stand.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// An execution model whose entry points can be launched: a row of decoder/execution_models.def.
struct ExecutionModelRow {
  spv::ExecutionModel model;
  std::array<spv::AddressingModel, 2> addressing;  ///< the module has one of them
  spv::MemoryModel memory;                         ///< the module has it
};

/// The row of a model; null if its entry points cannot be launched.
const ExecutionModelRow* launched_model(spv::ExecutionModel model);

/// Says why the entry point cannot be launched, e.g. "the memory model is GLSL450, expected OpenCL"; empty if it can.
std::string reason_against(const Module& module, const EntryPoint& entry);

/// The entry points that can be launched, in the module's order. Kernels are numbered by it.
std::vector<const EntryPoint*> launched_entry_points(const Module& module);

/// A value that a launch hands to an entry point.
struct EntryInput {
  Id id = 0;        ///< the parameter of the entry point's function
  Id inner_id = 0;  ///< the parameter of the function that it is forwarded to; 0: it is not
  const Type* type = nullptr;
};

/// llvm-spirv makes functions for entry points that only forward their parameters to the source's function. Names and
/// decorations of a parameter may stand on either function, so the questions below look at both.
class EntryInterface {
 public:
  EntryInterface(const Module& module, const EntryPoint& entry);

  /// The function that OpEntryPoint names; null if the module has none of this <id>.
  const Function* function() const { return function_; }
  /// The function of the source: the one that function() forwards its parameters to, else function().
  const Function* source_function() const { return inner_ != nullptr ? inner_ : function_; }
  bool forwards() const { return inner_ != nullptr; }

  const std::vector<EntryInput>& inputs() const { return inputs_; }
  /// The name that OpName gives, or "arg" and the index if it gives none.
  std::string name(std::size_t input) const;
  /// True if the input has the attribute, on either function.
  bool has_attribute(std::size_t input, spv::FunctionParameterAttribute attribute) const;
  /// The decoration of the outer function's parameter, else of the inner one's; null if neither has it.
  const Decoration* decoration(std::size_t input, spv::Decoration kind) const;
  /// A struct's bytes, which the function gets as a pointer to a copy of its own (FuncParamAttr ByVal).
  bool is_by_value(std::size_t input) const;

 private:
  const Module& module_;
  const Function* function_;
  const Function* inner_ = nullptr;
  std::vector<EntryInput> inputs_;
};

/// True if this parameter, of any function, has the attribute.
bool has_attribute(const Module& module, Id parameter, spv::FunctionParameterAttribute attribute);

}  // namespace transpire::decoder
