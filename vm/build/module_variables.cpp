#include "vm/build/module_variables.h"

#include <fmt/format.h>

#include "decoder/linkage.h"

namespace transpire::vm::builder {

ValueId ModuleVariables::address(const decoder::Variable& variable) {
  const Type* pointee = variable.type == nullptr ? nullptr : variable.type->element;
  if (pointee == nullptr || pointee->size_bytes == 0) {
    refusals_.refuse(Rule::kU0003,
                     fmt::format("the variable '{}' of type {} is not supported",
                                 variable_name(request_.module, variable),
                                 variable.type == nullptr ? "?" : decoder::spell(*variable.type)));
    return writer_.constant(Kind::kI64, 0);
  }
  if (const decoder::Decoration* import = decoder::import_of(request_.module, variable.id)) {
    refusals_.refuse(Rule::kU0008,
                     fmt::format("the variable '{}' is not defined in this module", import->text));
    return writer_.constant(Kind::kI64, 0);
  }
  switch (variable.storage_class) {
    case spv::StorageClass::Workgroup:
      return program_variables_.workgroup_address(variable);
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::UniformConstant:
      return program_variables_.address(variable);
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
      return private_address(variable);
    default:
      refusals_.refuse(
          Rule::kU0003,
          fmt::format("the storage class of variable '{}' ({}) is not supported",
                      variable_name(request_.module, variable), decoder::spell(*variable.type)));
      return writer_.constant(Kind::kI64, 0);
  }
}

/// A private variable that stands at module scope (llvm-spirv makes them of constants in address
/// space 0). Each work-item has its own, filled at the kernel's start from a program variable's
/// bytes.
ValueId ModuleVariables::private_address(const decoder::Variable& variable) {
  const Type& type = *variable.type->element;
  const std::uint32_t added =
      private_variables_.add(variable_name(request_.module, variable), type, variable.align_bytes);
  const ValueId address = private_variables_.address(added);
  if (is_uninitialised(request_.module, variable)) {
    writer_.in_prologue([&] { private_variables_.undefine(added); });
    return address;
  }
  const ValueId source = program_variables_.address(variable);
  writer_.in_prologue([&] { memory_.copy_initial(type, address, source); });
  return address;
}

}  // namespace transpire::vm::builder
