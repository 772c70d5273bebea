// EntryInputs: the values that an entry point takes from its launch, with their names and attributes. Descriptions and lowering
// ask here where these stand.
#pragma once

#include <string>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// A value that a launch hands to an entry point.
struct EntryInput {
  Id id = 0;        ///< the parameter of the entry point's function
  Id inner_id = 0;  ///< the parameter of the function that it is forwarded to; 0: it is not
  const Type* type = nullptr;
};

/// llvm-spirv makes functions for entry points that only forward their parameters to the source's function. Names and
/// decorations of a parameter may stand on either function, so the questions below look at both.
class EntryInputs {
 public:
  EntryInputs(const Module& module, const EntryPoint& entry);

  /// The function that OpEntryPoint names; null if the module has none of this <id>.
  const Function* function() const { return function_; }
  /// The function of the source: the one that function() forwards its parameters to, else function().
  const Function* source_function() const { return inner_ != nullptr ? inner_ : function_; }
  bool forwards() const { return inner_ != nullptr; }

  const std::vector<EntryInput>& all() const { return inputs_; }
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
