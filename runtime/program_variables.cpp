#include "runtime/program_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace transpire::runtime {
namespace {

/// Those of Function storage too: their initial bytes are what each work-item copies at its start.
bool is_program_scope(const decoder::Variable& variable) {
  return !variable.is_builtin && (variable.storage_class == spv::StorageClass::CrossWorkgroup ||
                                  variable.storage_class == spv::StorageClass::UniformConstant ||
                                  variable.storage_class == spv::StorageClass::Function);
}

}  // namespace

ProgramVariables::ProgramVariables(const decoder::Module& module)
    : pointer_bytes_(module.pointer_bytes()) {
  memory::AddressSpace space(pointer_bytes_);
  for (const decoder::Variable& declared : module.variables) {
    if (!is_program_scope(declared) || declared.type->element == nullptr) continue;
    Variable variable;
    variable.name = declared.name;
    variable.id = declared.id;
    variable.is_constant = declared.storage_class != spv::StorageClass::CrossWorkgroup;
    variable.size_bytes = declared.type->element->size_bytes;
    const auto address = space.add(allocation(variable), variable.name);
    if (!address) {
      failure_ = address.errors();
      return;
    }
    variable.address = *address;
    index_.emplace(variable.id, variables_.size());
    variables_.push_back(std::move(variable));
  }
}

memory::Allocation ProgramVariables::allocation(const Variable& variable) const {
  memory::Allocation allocation;
  allocation.size_bytes = variable.size_bytes;
  allocation.host = variable.storage.data();
  allocation.region = variable.is_constant ? memory::Region::kConstant : memory::Region::kBuffer;
  allocation.read_only = variable.is_constant;
  allocation.live = variable.has_storage;
  return allocation;
}

Status ProgramVariables::materialise(const vm::Program& program, std::uint64_t max_bytes) {
  if (!failure_.empty()) return failure_;
  const std::lock_guard lock(mutex_);
  for (const vm::lir::ProgramVariable& used : program.program_variables) {
    const auto found = index_.find(used.id);
    if (found == index_.end()) continue;
    Variable& variable = variables_[found->second];
    if (variable.has_storage) continue;
    if (variable.size_bytes > max_bytes || bytes_ > max_bytes - variable.size_bytes)
      return make_diagnostic(Rule::kL0004,
                             fmt::format("variable '{}' of {} bytes exceeds the limit of {} bytes",
                                         variable.name, variable.size_bytes, max_bytes));
    variable.storage = scheduler::AlignedArray<std::byte>(variable.size_bytes);
    variable.storage.zero();
    std::memcpy(variable.storage.data(), used.initial.data(),
                std::min<std::uint64_t>(used.initial.size(), variable.size_bytes));
    for (const auto& relocation : used.relocations) {
      const std::uint64_t value =
          address(relocation.target) + static_cast<std::uint64_t>(relocation.addend);
      if (relocation.offset + pointer_bytes_ <= variable.size_bytes)
        std::memcpy(variable.storage.data() + relocation.offset, &value, pointer_bytes_);
    }
    variable.has_storage = true;
    bytes_ += variable.size_bytes;
    ++version_;
  }
  return Unit{};
}

Status ProgramVariables::add_to(memory::AddressSpace& space) const {
  const std::lock_guard lock(mutex_);
  for (const Variable& variable : variables_) {
    TRANSPIRE_TRY([[maybe_unused]] const std::uint64_t address,
                  space.add(allocation(variable), variable.name));
  }
  return Unit{};
}

std::uint64_t ProgramVariables::address(decoder::Id id) const {
  const auto found = index_.find(id);
  return found == index_.end() ? 0 : variables_[found->second].address;
}

}  // namespace transpire::runtime
