// EntryInputs: the values that an entry point takes from its launch, with their names and attributes. Descriptions and lowering
// ask here where these stand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// A value that a launch hands to an entry point.
struct EntryInput {
  Id id = 0;        ///< the parameter of the entry point's function, or the variable
  Id inner_id = 0;  ///< the parameter of the function that it is forwarded to; 0: it is not
  const Type* type = nullptr;
  const Variable* variable = nullptr;  ///< null for parameters
  /// Images and samplers of a variable: `type` is theirs, and their handle is so many bytes behind the variable's beginning. Blocks in an
  /// array of descriptors: `type` is a pointer to the block, and its place in the array is that of a descriptor of kBlockBytes.
  std::uint64_t offset_bytes = 0;
  static constexpr std::uint64_t kBlockBytes = 16;  ///< address and size of a buffer
  /// "[3]", ".sampler" or "[3].sampler": the element of an array, the sampler of a combined image sampler; else empty.
  std::string part{};
};

/// Where a descriptor is bound.
struct Binding {
  std::uint32_t set = 0, binding = 0;
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
  /// A parameter's OpName, or "arg" and the index. A variable's OpName; else the name of its block's only member, or the block's if that
  /// has none; else "SET.BINDING": the first of these that no earlier input has, or "arg" and the index. The part is appended.
  const std::string& name(std::size_t input) const { return names_[input]; }
  /// See binding_of(); none for inputs that are no variables.
  std::optional<Binding> binding(std::size_t input) const;
  /// True if the input has the attribute, on either function.
  bool has_attribute(std::size_t input, spv::FunctionParameterAttribute attribute) const;
  /// The decoration of the outer function's parameter, else of the inner one's; null if neither has it.
  const Decoration* decoration(std::size_t input, spv::Decoration kind) const;
  /// A struct's bytes, which the function gets as a pointer to a copy of its own (FuncParamAttr ByVal), or as push constants.
  bool is_by_value(std::size_t input) const;
  /// True if the module says that it writes nothing there: NoWrite and NoReadWrite of a parameter, NonWritable of a variable or of all
  /// members of its block, and uniform blocks.
  bool is_read_only(std::size_t input) const;
  /// Bytes of all descriptors of a variable whose inputs have offsets: an array without a length has Module::descriptor_counts.
  std::uint64_t table_bytes(const Variable& variable) const;

 private:
  std::string name_of(std::size_t input) const;
  /// Empty if the module has no name for it, or another input has that name.
  std::string name_of_resource(std::size_t input) const;
  /// The name of an input that the module gives none: from the text, or from set and binding.
  std::string other_name_of(std::size_t input) const;
  /// The first of `names`, with the input's part behind it, that no input has yet.
  std::string unused_name(std::size_t input, const std::vector<std::string>& names) const;
  void add_parameters();
  void add_variables();
  void add_resource(const Variable& variable);
  void add_elements(const Type& array, std::uint64_t length, const EntryInput& at);
  void add_descriptors(const Type& type, EntryInput at);

  const Module& module_;
  const Function* function_;
  const Function* inner_ = nullptr;
  std::vector<EntryInput> inputs_;
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<const Type>>
      made_;  ///< types of inputs that the module does not declare
};

/// A variable's decorations DescriptorSet and Binding; nothing if it has no Binding.
std::optional<Binding> binding_of(const Module& module, const Variable& variable);

/// True for variables that a launch gives a value: descriptors and push constants.
bool is_resource(const Module& module, const Variable& variable);

/// True for Blocks in Workgroup memory that all begin at one address (SPV_KHR_workgroup_memory_explicit_layout).
bool is_shared_block(const Module& module, const Variable& variable);

/// True if this parameter, of any function, has the attribute.
bool has_attribute(const Module& module, Id parameter, spv::FunctionParameterAttribute attribute);

}  // namespace transpire::decoder
