// Variables: module-scope ones that the kernel uses, private ones, and what is known of their
// addresses. Each has one argument slot, which holds its virtual address.
#include <fmt/format.h>

#include <algorithm>

#include "vm/build/builder.h"
#include "vm/build/initial.h"

namespace transpire::vm::builder {
namespace {

/// Deeper composites count as defined, which only costs their copy.
constexpr unsigned kMaxConstantDepth = 8;

std::string variable_name(const decoder::Module& module, const decoder::Variable& variable) {
  return variable.name.empty() ? module.spell_id(variable.id) : variable.name;
}

/// OpUndef, or a composite of nothing else.
bool is_undefined(const decoder::Module& module, decoder::Id id, unsigned depth) {
  const decoder::Constant* constant = module.constant(id);
  if (constant == nullptr || depth > kMaxConstantDepth) return false;
  if (constant->kind != decoder::Constant::Kind::kComposite)
    return constant->kind == decoder::Constant::Kind::kUndef;
  for (const decoder::Id element : constant->elements)
    if (!is_undefined(module, element, depth + 1)) return false;
  return true;
}

}  // namespace

ValueId Builder::new_argument(std::vector<ValueId>& arguments, lir::Space space) {
  lir::Value argument;
  argument.op = Op::kArgument;
  argument.kind = argument.from = Kind::kI64;
  arguments.push_back(function_.add(std::move(argument)));
  root_space_[arguments.back()] = space;
  return arguments.back();
}

ValueId Builder::module_variable(const decoder::Variable& variable) {
  const Type* pointee = variable.type == nullptr ? nullptr : variable.type->element;
  if (pointee == nullptr || pointee->size_bytes == 0) {
    refuse(Rule::kU0003,
           fmt::format("the variable '{}' of type {} is not supported",
                       variable_name(module_, variable),
                       variable.type == nullptr ? "?" : decoder::spell(*variable.type)));
    return constant(Kind::kI64, 0);
  }
  switch (variable.storage_class) {
    case spv::StorageClass::Workgroup:
      return workgroup_arguments_[workgroup_variable(variable)];
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::UniformConstant:
      return program_arguments_[program_variable(variable)];
    case spv::StorageClass::Function:
      return private_module_variable(variable);
    default:
      refuse(Rule::kU0003,
             fmt::format("the storage class of variable '{}' ({}) is not supported",
                         variable_name(module_, variable), decoder::spell(*variable.type)));
      return constant(Kind::kI64, 0);
  }
}

/// A private variable that stands at module scope (llvm-spirv makes them of constants in address
/// space 0). Each work-item has its own, filled at the kernel's start from a program variable's
/// bytes.
ValueId Builder::private_module_variable(const decoder::Variable& variable) {
  const Type& type = *variable.type->element;
  const ValueId address =
      private_address(add_private(variable_name(module_, variable), type, variable.align_bytes));
  if (variable.initializer == 0 || is_undefined(module_, variable.initializer, 0)) return address;
  const ValueId source = program_arguments_[program_variable(variable)];
  const BlockId outer = std::exchange(block_, 0);
  std::swap(function_.blocks[0].instructions, prologue_);
  copy_variable(type, address, source);
  std::swap(function_.blocks[0].instructions, prologue_);
  block_ = outer;
  return address;
}

std::uint32_t Builder::workgroup_variable(const decoder::Variable& variable) {
  if (variable.initializer != 0 && !is_undefined(module_, variable.initializer, 0))
    refuse(Rule::kU0003, fmt::format("the initializer of Workgroup variable '{}' is not supported",
                                     variable_name(module_, variable)));
  function_.workgroup_variables.push_back({variable_name(module_, variable), variable.id,
                                           variable.type->element->size_bytes,
                                           variable.align_bytes});
  new_argument(workgroup_arguments_, lir::Space::kWorkgroup);
  return static_cast<std::uint32_t>(workgroup_arguments_.size() - 1);
}

std::uint32_t Builder::program_variable(const decoder::Variable& variable) {
  const auto [entry, is_new] = program_index_.try_emplace(
      variable.id, static_cast<std::uint32_t>(function_.program_variables.size()));
  if (!is_new) return entry->second;
  ProgramVariable program;
  program.name = variable_name(module_, variable);
  program.id = variable.id;
  program.size_bytes = variable.type->element->size_bytes;
  program.align_bytes = variable.align_bytes;
  program.is_constant = variable.storage_class != spv::StorageClass::CrossWorkgroup ||
                        module_.decoration(variable.id, spv::Decoration::Constant) != nullptr;
  const std::uint32_t index = entry->second;
  function_.program_variables.push_back(std::move(program));
  const lir::Space space = variable.storage_class == spv::StorageClass::CrossWorkgroup
                               ? lir::Space::kGlobal
                               : lir::Space::kConstant;
  program_of_[new_argument(program_arguments_, space)] = index;
  fill_initial();
  return index;
}

/// Makes the initial bytes of new program variables, and of those that they point to: these join
/// the list while the loop runs.
void Builder::fill_initial() {
  if (std::exchange(filling_, true)) return;
  while (!failed() && filled_ < function_.program_variables.size()) {
    ProgramVariable made = function_.program_variables[filled_];
    const decoder::Variable& variable = *module_.variable(made.id);
    const std::string wrong = make_initial(module_, variable, made);
    function_.take(made.initial.size());
    if (!wrong.empty())
      return refuse(Rule::kU0003,
                    fmt::format("the initializer of variable '{}': {}", made.name, wrong));
    const std::vector<ProgramVariable::Relocation> relocations = made.relocations;
    function_.program_variables[filled_++] = std::move(made);
    for (const auto& relocation : relocations) {
      const Bound* target = find_bound(relocation.target);
      if (target == nullptr) return malformed("an initializer points to no variable");
    }
  }
  filling_ = false;
}

std::uint32_t Builder::add_private(std::string name, const Type& type, std::uint64_t align_bytes) {
  if (type.size_bytes == 0)
    refuse(Rule::kU0003, fmt::format("the variable '{}' of type {} is not supported", name,
                                     decoder::spell(type)));
  private_bytes_ =
      private_bytes_.align_up(std::max<std::uint64_t>(align_bytes, 4)) + type.size_bytes;
  if (!private_bytes_.fits(kMaxPrivateBytes))
    refuse(Rule::kL0004,
           fmt::format("with the variable '{}', a work-item has more than {} bytes of "
                       "private memory",
                       name, kMaxPrivateBytes));
  function_.take(name.size());
  function_.private_variables.push_back({std::move(name), type.size_bytes, align_bytes, source()});
  const auto index = static_cast<std::uint32_t>(function_.private_variables.size() - 1);
  private_of_[new_argument(private_arguments_, lir::Space::kPrivate)] = index;
  return index;
}

ValueId Builder::private_address(std::uint32_t index) { return private_arguments_[index]; }

std::optional<std::uint32_t> Builder::private_of(ValueId address) const {
  const auto known = private_of_.find(address);
  if (known == private_of_.end()) return std::nullopt;
  return known->second;
}

std::optional<Builder::ConstantPlace> Builder::constant_place(ValueId address) const {
  ConstantPlace place;
  if (const AddressRoot* root = find_root(address)) {
    address = root->fixed;
    place.offset = root->offset;
  }
  const auto known = program_of_.find(address);
  if (known == program_of_.end()) return std::nullopt;
  place.variable = &function_.program_variables[known->second];
  if (!place.variable->is_constant) return std::nullopt;
  return place;
}

std::optional<std::string> Builder::constant_string(ValueId address) const {
  const std::optional<ConstantPlace> place = constant_place(address);
  if (!place || place->offset >= place->variable->size_bytes) return std::nullopt;
  const std::vector<std::uint8_t>& bytes = place->variable->initial;
  std::string text;
  for (std::uint64_t i = place->offset; i < bytes.size() && bytes[i] != 0; ++i) {
    function_.take(1);
    function_.work();
    text += static_cast<char>(bytes[i]);
  }
  return text;
}

/// The values that a load gives whatever happens: of constant memory at a known place, and no
/// finding. Copies of zeroed or tabulated data vanish this way.
std::optional<ValueList> Builder::load_constant(const lir::MemAccess& access, ValueId pointer) {
  const std::optional<ConstantPlace> place = constant_place(pointer);
  if (!place || access.is_volatile) return std::nullopt;
  const ProgramVariable& variable = *place->variable;
  const bool is_global =
      module_.variable(variable.id)->storage_class == spv::StorageClass::CrossWorkgroup;
  const memory::Region region = is_global ? memory::Region::kBuffer : memory::Region::kConstant;
  if ((memory::spaces_reaching(region) & memory::spaces_of(access.space)) == 0) return std::nullopt;
  const std::uint64_t size = access.kind == Kind::kBool ? 1 : lane_bytes(access.kind);
  const std::uint64_t begin = place->offset + static_cast<std::uint64_t>(access.offset);
  const std::uint64_t bytes = size * access.components;
  const bool fits = begin <= variable.size_bytes && bytes <= variable.size_bytes - begin &&
                    variable.align_bytes % access.align_bytes == 0 &&
                    begin % access.align_bytes == 0;
  if (!fits) return std::nullopt;
  for (const auto& relocation : variable.relocations) {
    function_.work();
    if (relocation.offset >= begin + bytes || begin >= relocation.offset + module_.pointer_bytes())
      continue;
    if (relocation.offset != begin || access.components != 1 || access.kind != Kind::kI64)
      return std::nullopt;
    const ValueId target = find_bound(relocation.target)->values[0];
    return ValueList{address(target, kNoValue, 0, relocation.addend)};
  }
  ValueList values;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t at = begin + c * size + i;
      if (at < variable.initial.size()) bits |= std::uint64_t{variable.initial[at]} << (8 * i);
    }
    values.push_back(constant(access.kind, access.kind == Kind::kBool ? bits != 0 : bits));
  }
  return values;
}

}  // namespace transpire::vm::builder
