#include "vm/build/constant_memory.h"

namespace transpire::vm::builder {
namespace {

std::uint64_t component_bytes(const lir::MemAccess& access) {
  return access.kind == Kind::kBool ? 1 : lane_bytes(access.kind);
}

bool fits(const lir::MemAccess& access, const ProgramVariable& variable, std::uint64_t begin,
          std::uint64_t bytes) {
  return begin <= variable.size_bytes && bytes <= variable.size_bytes - begin &&
         variable.align_bytes % access.align_bytes == 0 && begin % access.align_bytes == 0;
}

}  // namespace

ConstantMemory::ConstantMemory(Core& core, Pointers& pointers, const ProgramVariables& variables)
    : request_(core.request),
      function_(core.writer.function()),
      ids_(core.ids),
      pointers_(pointers),
      variables_(variables) {}

std::optional<std::string> ConstantMemory::string(ValueId address, bool needs_zero) const {
  const std::optional<Place> place = find(address);
  if (!place || place->offset >= place->variable->size_bytes) return std::nullopt;
  const std::vector<std::uint8_t>& bytes = place->variable->initial;
  std::string text;
  std::uint64_t end = place->offset;
  for (; end < bytes.size() && bytes[end] != 0; ++end) {
    function_.take(1);
    function_.work();
    text += static_cast<char>(bytes[end]);
  }
  // Zeros at a variable's end are no initial bytes.
  if (needs_zero && end == place->variable->size_bytes) return std::nullopt;
  return text;
}

std::optional<ValueList> ConstantMemory::load(const lir::MemAccess& access, ValueId pointer) {
  const std::optional<Place> place = find(pointer);
  if (!place || access.is_volatile) return std::nullopt;
  const ProgramVariable& variable = *place->variable;
  const std::uint64_t begin = place->offset + static_cast<std::uint64_t>(access.offset);
  const std::uint64_t bytes = component_bytes(access) * access.components;
  if (!permits(access, variable) || !fits(access, variable, begin, bytes)) return std::nullopt;
  for (const auto& relocation : variable.relocations) {
    function_.work();
    if (relocation.offset >= begin + bytes ||
        begin >= relocation.offset + request_.module.pointer_bytes())
      continue;
    if (relocation.offset != begin || access.components != 1 || access.kind != Kind::kI64)
      return std::nullopt;
    const Values target = ids_.address(relocation.target);
    if (target.empty()) return std::nullopt;
    return ValueList{pointers_.address(target[0], relocation.addend)};
  }
  return initial_values(access, variable, begin);
}

ValueList ConstantMemory::initial_values(const lir::MemAccess& access,
                                         const ProgramVariable& variable, std::uint64_t begin) {
  const std::uint64_t size = component_bytes(access);
  ValueList values;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t at = begin + c * size + i;
      if (at < variable.initial.size()) bits |= std::uint64_t{variable.initial[at]} << (8 * i);
    }
    values.push_back(
        function_.constant(access.kind, access.kind == Kind::kBool ? bits != 0 : bits));
  }
  return values;
}

/// True if the access's pointer may lead to the variable's memory.
bool ConstantMemory::permits(const lir::MemAccess& access, const ProgramVariable& variable) const {
  const decoder::Variable* const declared = request_.module.variable(variable.id);
  const bool is_global =
      declared != nullptr && declared->storage_class == spv::StorageClass::CrossWorkgroup;
  const memory::Region region = is_global ? memory::Region::kBuffer : memory::Region::kConstant;
  return (memory::spaces_reaching(region) & memory::spaces_of(access.space)) != 0;
}

std::optional<ConstantMemory::Place> ConstantMemory::find(ValueId address) const {
  const AddressRoot root = pointers_.root(address);
  const ProgramVariable* variable = variables_.variable_at(root.fixed);
  if (variable == nullptr || !variable->is_constant) return std::nullopt;
  return Place{variable, root.offset};
}

}  // namespace transpire::vm::builder
