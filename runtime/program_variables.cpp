#include "runtime/program_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "base/checked.h"
#include "decoder/constant_tables.h"
#include "decoder/entry_inputs.h"
#include "reflect/describe.h"
#include "runtime/state.h"
#include "transpire/pipe.hpp"
#include "vm/build/initial.h"

namespace transpire::runtime {
namespace {

/// Includes variables of Function and Private storage: each work-item copies their initial bytes when it
/// starts.
bool is_program_scope(const decoder::Module& module, const decoder::Variable& variable) {
  if (variable.is_builtin || decoder::is_resource(module, variable)) return false;
  return variable.storage_class == spv::StorageClass::CrossWorkgroup ||
         variable.storage_class == spv::StorageClass::UniformConstant ||
         variable.storage_class == spv::StorageClass::Private ||
         variable.storage_class == spv::StorageClass::Function;
}

/// The constant tables of all functions, by the table's id.
std::map<decoder::Id, decoder::Variable> tables_of(const decoder::Module& module) {
  std::map<decoder::Id, decoder::Variable> tables;
  for (const decoder::Function& function : module.functions)
    for (const auto& [variable, table] : decoder::constant_tables(module, function))
      tables.emplace(table.id, table);
  return tables;
}

/// How often slots are cut so that the variables of a module leave most of them to others.
std::uint32_t bits_for(const decoder::Module& module, std::size_t tables, std::uint32_t most) {
  constexpr std::uint64_t kSlots = 1024;
  const std::uint64_t variables =
      tables + static_cast<std::uint64_t>(
                   std::ranges::count_if(module.variables,
                                         [&](const decoder::Variable& each) {
                                           return is_program_scope(module, each);
                                         }) +
                   std::ranges::count(module.constants, spv::Op::OpConstantPipeStorage,
                                      &decoder::Constant::operation));
  std::uint32_t bits = 0;
  while (bits < most && 3 * variables > kSlots << bits) ++bits;
  return bits;
}

/// Returns true if the condition came true before the limit was spent.
template <class Condition>
bool wait_for(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
              const WorkLimit& limit, Condition condition) {
  while (!condition()) {
    if (limit.spent()) return false;
    if (limit.limited())
      changed.wait_for(lock, std::chrono::milliseconds(1));
    else
      changed.wait(lock);
  }
  return true;
}

}  // namespace

ProgramVariables::ProgramVariables(const decoder::Module& module)
    : pointer_bytes_(module.pointer_bytes()) {
  memory::AddressSpace space(pointer_bytes_);
  std::size_t count = 0;
  const std::map<decoder::Id, decoder::Variable> tables = tables_of(module);
  cut_bits_ = bits_for(module, tables.size(), space.spare_bits());
  space.cut_slots(cut_bits_);
  for (const decoder::Variable& declared : module.variables) {
    if (!is_program_scope(module, declared) || declared.type->element == nullptr) continue;
    Variable variable;
    variable.name = declared.name;
    const bool is_of_launches = reflect::is_program_scope_variable(declared);
    if (variable.name.empty())
      variable.name = is_of_launches ? reflect::nameless(count) : module.spell_id(declared.id);
    count += is_of_launches ? 1 : 0;
    variable.id = declared.id;
    variable.is_constant = declared.storage_class != spv::StorageClass::CrossWorkgroup;
    variable.size_bytes = declared.type->element->size_bytes;
    if (!add(std::move(variable), space)) return;
  }
  for (const auto& [id, table] : tables) {
    Variable variable;
    variable.name = table.name;
    variable.id = id;
    variable.is_constant = variable.is_table = true;
    variable.size_bytes = table.type->element->size_bytes;
    if (!add(std::move(variable), space)) return;
  }
  for (const decoder::Constant& constant : module.constants) {
    if (constant.operation != spv::Op::OpConstantPipeStorage || constant.elements.size() < 3 ||
        constant.elements[0] == 0 || constant.elements[2] == 0)
      continue;
    Variable variable;
    variable.name = module.spell_id(constant.id);
    variable.id = constant.id;
    variable.packet_bytes = constant.elements[0];
    variable.max_packets = constant.elements[2];
    variable.size_bytes = Pipe::bytes_needed(variable.packet_bytes, variable.max_packets);
    if (!add(std::move(variable), space)) return;
  }
}

/// False when it does not fit.
bool ProgramVariables::add(Variable variable, memory::AddressSpace& space) {
  const auto address = space.add(allocation(variable), variable.name);
  if (!address) {
    failure_ = address.errors();
    return false;
  }
  addresses_.push_back(*address);
  index_.emplace(variable.id, variables_.size());
  variables_.push_back(std::move(variable));
  return true;
}

memory::Allocation ProgramVariables::allocation(const Variable& variable) const {
  memory::Allocation allocation;
  allocation.size_bytes = variable.size_bytes;
  allocation.host = variable.storage.data();
  allocation.region = variable.is_constant ? memory::Region::kConstant : memory::Region::kBuffer;
  allocation.read_only = variable.is_constant;
  allocation.live = variable.has_storage;
  if (variable.packet_bytes != 0) {
    allocation.region = memory::Region::kPipe;
    allocation.pipe = variable.pipe.get();
  }
  return allocation;
}

Status ProgramVariables::make_storage(const vm::ProgramVariable& initial, std::uint64_t max_bytes) {
  const auto found = index_.find(initial.id);
  if (found == index_.end()) return Unit{};
  Variable& variable = variables_[found->second];
  if (variable.has_storage) return Unit{};
  if (variable.size_bytes > max_bytes || bytes_ > max_bytes - variable.size_bytes)
    return make_diagnostic(Rule::kL0004,
                           fmt::format("variable '{}' of {} bytes exceeds the limit of {} bytes",
                                       variable.name, variable.size_bytes, max_bytes));
  if (const Status made = make_bytes(variable, initial); !made) return made;
  variable.has_storage = true;
  bytes_ += variable.size_bytes;
  ++version_;
  return Unit{};
}

Status ProgramVariables::make_bytes(Variable& variable, const vm::ProgramVariable& initial) {
  if (variable.packet_bytes != 0) {
    variable.pipe = memory::Pipe::make(variable.packet_bytes, variable.max_packets);
    if (variable.pipe != nullptr) return Unit{};
    return make_diagnostic(Rule::kL0004, fmt::format("no memory for {} bytes of pipe storage '{}'",
                                                     variable.size_bytes, variable.name));
  }
  variable.storage = scheduler::AlignedArray<std::byte>(variable.size_bytes);
  variable.storage.zero();
  const auto bytes = std::as_bytes(std::span(initial.initial));
  std::copy_n(bytes.begin(), std::min<std::uint64_t>(bytes.size(), variable.size_bytes),
              variable.storage.data());
  for (const Relocation& relocation : initial.relocations) {
    if (!(Checked(relocation.offset) + pointer_bytes_).fits(variable.size_bytes)) continue;
    const auto target = index_.find(relocation.target);
    const std::uint64_t value = (target == index_.end() ? 0 : addresses_[target->second]) +
                                static_cast<std::uint64_t>(relocation.addend);
    std::memcpy(variable.storage.data() + relocation.offset, &value, pointer_bytes_);
    variable.relocations.push_back(relocation);
    has_pointers_ = true;
  }
  return Unit{};
}

Status ProgramVariables::materialise(const vm::Program& program, std::uint64_t max_bytes) {
  if (!failure_.empty()) return failure_;
  const std::lock_guard lock(mutex_);
  for (const vm::ProgramVariable& used : program.program_variables)
    if (Status made = make_storage(used, max_bytes); !made) return made;
  return Unit{};
}

Status ProgramVariables::materialise_all(const decoder::Module& module, std::uint64_t max_bytes) {
  if (!failure_.empty()) return failure_;
  const std::lock_guard lock(mutex_);
  for (const Variable& variable : variables_) {
    if (variable.is_table) continue;
    if (Status made = make_initial_storage(module, variable.id, max_bytes); !made) return made;
  }
  return Unit{};
}

Status ProgramVariables::make_initial_storage(const decoder::Module& module, decoder::Id id,
                                              std::uint64_t max_bytes) {
  std::vector<decoder::Id> wanted{id};
  while (!wanted.empty()) {
    const auto found = index_.find(wanted.back());
    wanted.pop_back();
    if (found == index_.end() || variables_[found->second].has_storage) continue;
    const Variable& variable = variables_[found->second];
    vm::ProgramVariable initial;
    initial.id = variable.id;
    // Without initial bytes, make_storage() says what is wrong with a variable that is too large; storage of a pipe has none.
    if (variable.packet_bytes == 0 && variable.size_bytes <= max_bytes) {
      initial.size_bytes = variable.size_bytes;
      const std::string wrong =
          vm::builder::make_initial(module, *module.variable(variable.id), initial);
      if (!wrong.empty())
        return make_diagnostic(Rule::kU0003, fmt::format("the initializer of variable '{}': {}",
                                                         variable.name, wrong));
    }
    if (Status made = make_storage(initial, max_bytes); !made) return made;
    for (const Relocation& relocation : initial.relocations) wanted.push_back(relocation.target);
  }
  return Unit{};
}

Result<std::span<std::byte>> ProgramVariables::bytes_of(const decoder::Module& module,
                                                        std::size_t index,
                                                        std::uint64_t max_bytes) {
  if (!failure_.empty()) return failure_;
  const std::lock_guard lock(mutex_);
  for (Variable& variable : variables_) {
    if (variable.packet_bytes != 0 || variable.is_table ||
        !reflect::is_program_scope_variable(*module.variable(variable.id)))
      continue;
    if (index-- != 0) continue;
    if (const Status made = make_initial_storage(module, variable.id, max_bytes); !made)
      return made.errors();
    return std::span(variable.storage.data(), variable.size_bytes);
  }
  return make_diagnostic(Rule::kC0026, "the module has no such program-scope variable");
}

Result<ProgramVariables::Addresses> ProgramVariables::add_to(memory::AddressSpace& space,
                                                             std::uint64_t& version) const {
  const std::lock_guard lock(mutex_);
  Addresses addresses;
  space.cut_slots(cut_bits_);
  for (const Variable& variable : variables_) {
    TRANSPIRE_TRY(const std::uint64_t address, space.add(allocation(variable), variable.name));
    addresses.push_back(address);
  }
  version = version_;
  return addresses;
}

std::uint64_t ProgramVariables::address(const Addresses& addresses, decoder::Id id) const {
  const auto found = index_.find(id);
  return found == index_.end() ? 0 : addresses[found->second];
}

Result<ProgramVariables::Use> ProgramVariables::use(const Addresses& addresses,
                                                    const WorkLimit& limit) {
  if (!has_pointers_) return Use();
  std::unique_lock lock(mutex_);
  const auto is_next = [this] { return !is_arriving_; };
  const auto may_go = [&] { return uses_ == 0 || addresses == addresses_; };
  bool goes = wait_for(changed_, lock, limit, is_next);
  if (goes) {
    is_arriving_ = true;
    goes = wait_for(changed_, lock, limit, may_go);
    is_arriving_ = false;
    changed_.notify_all();
  }
  if (!goes)
    return make_diagnostic(
        Rule::kL0002,
        fmt::format("{} while other launches used the module's variables",
                    limit.end() == WorkLimit::End::kCancelled ? "cancelled"
                                                              : "the time limit was reached"));
  if (addresses != addresses_) move_to(addresses);
  ++uses_;
  return Use(this);
}

void ProgramVariables::end_use() {
  const std::lock_guard lock(mutex_);
  if (--uses_ == 0) changed_.notify_all();
}

/// A pointer of an initial value moves with what it points to, unless a kernel stored another one.
void ProgramVariables::move_to(const Addresses& addresses) {
  for (const Variable& variable : variables_) {
    for (const Relocation& relocation : variable.relocations) {
      const auto target = index_.find(relocation.target);
      if (target == index_.end()) continue;
      const std::uint64_t old =
          addresses_[target->second] + static_cast<std::uint64_t>(relocation.addend);
      std::uint64_t value = 0;
      std::memcpy(&value, variable.storage.data() + relocation.offset, pointer_bytes_);
      if (value != old) continue;
      value = addresses[target->second] + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(variable.storage.data() + relocation.offset, &value, pointer_bytes_);
    }
  }
  addresses_ = addresses;
}

}  // namespace transpire::runtime
