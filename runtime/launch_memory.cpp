#include "runtime/launch_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "memory/null_descriptor.h"
#include "runtime/arguments.h"
#include "runtime/watched_run.h"
#include "transpire/launch_rules.hpp"

namespace transpire::runtime {
namespace {

using vm::Parameter;

/// "N bytes", of a sum that may have overflowed.
std::string spell_bytes(Checked bytes) {
  return bytes.valid() ? fmt::format("{} bytes", bytes.value()) : "more than 2^64 bytes";
}

/// Local and private memory of a launch lie before its buffers as long as they take no more slots;
/// buffers take so many before their addresses are given out again.
constexpr std::uint64_t kOwnSlots = 1024, kFewRanges = 512, kBookSlots = std::uint64_t{1} << 16;

/// Owners' numbers of one launch and the next, of one kernel and the next.
constexpr std::uint64_t kOwnersApart = 7919, kKernelsApart = 104729;

/// The bytes of a buffer or of an image.
const std::shared_ptr<BufferState>& buffer_of(const Argument& argument) {
  static const auto& none = *new std::shared_ptr<BufferState>();
  if (argument.kind == Argument::Kind::kImage) return argument.texels->state();
  if (argument.kind == Argument::Kind::kPipe) return argument.packets->state();
  return argument.kind == Argument::Kind::kBuffer ? argument.memory->state() : none;
}

const std::shared_ptr<SharedState>& shared_of(const Launch& launch) {
  static const auto& none = *new std::shared_ptr<SharedState>();
  return launch.shared ? launch.shared->state() : none;
}

/// Sum of the local memory of the arguments, without alignment; 2^64 - 1 if it overflows.
std::uint64_t argument_bytes(const Launch& launch) {
  Checked bytes;
  for (const Argument& argument : launch.arguments) bytes += argument.local_bytes;
  return bytes.value();
}

/// Where the next local argument lies behind one at `begin`.
Checked after_local_argument(Checked begin, const Argument& argument) {
  return (begin + argument.local_bytes).align_up(kBufferAlign);
}

Checked aligned_for(Checked begin, const vm::WorkgroupVariable& variable) {
  return begin.align_up(std::max<std::uint64_t>(variable.align_bytes, 1));
}

/// The virtual address that a pointer argument is; `bound` is that of its buffer or local memory.
std::uint64_t pointer_value(const Argument& argument, std::uint64_t bound) {
  if (argument.kind == Argument::Kind::kShared) return argument.address;
  if (argument.kind == Argument::Kind::kNull) return 0;
  return bound + argument.offset_bytes;
}

void write_address(const LaunchPart::Address& address, std::uint64_t bound,
                   std::span<std::byte> holder) {
  const std::uint64_t value = pointer_value(address.pointee, bound);
  if (holder.size() < sizeof(value) || address.offset_bytes > holder.size() - sizeof(value)) return;
  std::memcpy(holder.data() + address.offset_bytes, &value, sizeof(value));
}

/// The bytes from where a pointer argument leads to the end of its buffer.
std::uint64_t bytes_behind(const Argument& argument) {
  if (argument.kind != Argument::Kind::kBuffer) return 0;
  return argument.memory->state()->size_bytes - argument.offset_bytes;
}

}  // namespace

LaunchMemory::LaunchMemory(const ModuleState& module, std::uint32_t kernel,
                           const vm::Program& program, const scheduler::GeometryPlan& plan,
                           ProgramVariables& variables, memory::AddressHistory& history,
                           unsigned threads)
    : module_(module),
      program_(program),
      plan_(plan),
      variables_(variables),
      history_(history),
      threads_(threads),
      space_(module.module.pointer_bytes()),
      kernel_number_(kernel),
      slots_(program.argument_slots) {}

Result<ProgramVariables::Use> LaunchMemory::bind(const Launch& launch, const LaunchPart* part,
                                                 const WorkLimit& limit) {
  part_ = part;
  Result<ProgramVariables::Use> bound = bind_objects(launch, limit);
  part_ = nullptr;
  return bound;
}

Result<ProgramVariables::Use> LaunchMemory::bind_objects(const Launch& launch,
                                                         const WorkLimit& limit) {
  if (const Status fits = check_arguments(launch, program_.parameters); !fits) return fits.errors();
  if (const Status fits = check_local_memory(launch); !fits) return fits.errors();
  if (!is_bound(launch)) {
    built_ = false;
    if (const Status built = build_space(launch); !built) return built.errors();
    built_ = true;
  }
  if (const Status room = check_memory(launch.limits); !room) return room.errors();
  if (const Status begun = begin(launch); !begun) return begun.errors();
  return variables_.use(variable_addresses_, limit);
}

Status LaunchMemory::bind_within(const Launch& launch, const LaunchMemory& root) {
  built_ = false;  // for another root it would be another one
  if (const Status fits = check_local_memory(launch); !fits) return fits;
  if (const Status built = build_space_within(launch, root); !built) return built;
  if (const Status room = check_memory(launch.limits); !room) return room;
  return begin(launch);
}

Status LaunchMemory::begin(const Launch& launch) {
  // A new number of the launch gives new owners, so pointers that an earlier launch kept belong to
  // nobody.
  WatchGate* const gate = WatchGate::of(launch);
  const std::uint64_t number = gate != nullptr
                                   ? gate->next_number(history_.launches)
                                   : history_.launches.fetch_add(1, std::memory_order_relaxed);
  space_.set_first_owner(number * kOwnersApart + kernel_number_ * kKernelsApart);
  if (program_.uses_pipes) space_.set_launch(memory::new_launch_number());
  buffer_shadows_.begin();
  images_.clear();
  values_.clear();
  if (const Status written = write_addresses(launch); !written) return written;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) write_argument(launch, i);
  return Unit{};
}

/// Memory that the launch reaches by addresses in values.
const std::vector<LaunchPart::Address>& LaunchMemory::addresses() const {
  static const auto& none = *new std::vector<LaunchPart::Address>();
  return part_ == nullptr ? none : part_->addresses;
}

/// The arguments, and behind them the pointees of addresses.
std::size_t LaunchMemory::object_count(const Launch& launch) const {
  return launch.arguments.size() + addresses().size();
}

const Argument& LaunchMemory::object_at(const Launch& launch, std::size_t index) const {
  const std::size_t count = launch.arguments.size();
  return index < count ? launch.arguments[index] : addresses()[index - count].pointee;
}

/// The bytes of a value, with the addresses that stand in it. Valid until the next begin().
std::span<const std::byte> LaunchMemory::bytes_of(const Launch& launch, std::size_t index) {
  const std::vector<std::byte>& given = launch.arguments[index].bytes;
  if (addresses().empty()) return given;
  std::vector<std::byte>& bytes = values_.emplace_back(given);
  for (std::size_t i = 0; i < addresses().size(); ++i) {
    const LaunchPart::Address& address = addresses()[i];
    if (!address.holder && address.argument == index)
      write_address(address, bound_[launch.arguments.size() + i].address, bytes);
  }
  return bytes;
}

/// Addresses in buffers.
Status LaunchMemory::write_addresses(const Launch& launch) const {
  for (std::size_t i = 0; i < addresses().size(); ++i) {
    const LaunchPart::Address& address = addresses()[i];
    if (!address.holder) continue;
    const std::uint64_t bound = bound_[launch.arguments.size() + i].address;
    KeptAddress own;
    KeptAddress& kept = address.kept ? *address.kept : own;
    const std::lock_guard lock(kept.mutex);  // no kernel runs before its addresses are there
    if (kept.value == 0)
      write_address(address, kept.value = bound, address.holder->bytes());
    else if (kept.value != bound)
      return make_diagnostic(Rule::kU0003,
                             "an earlier launch has written addresses into the module's "
                             "program-scope variables, which have other "
                             "addresses in this one: launches with and without shared memory, or "
                             "of the reference path");
  }
  return Unit{};
}

scheduler::LaunchSpec LaunchMemory::spec(const Launch& launch) const {
  scheduler::LaunchSpec spec;
  spec.memory = &space_;
  spec.arguments = slots_;
  spec.private_images = images_;
  spec.zeroed_local = zeroed_local_;
  spec.limits = launch.limits;
  spec.reservation_bytes = reservation_bytes_;
  if (launch.progress) spec.progress = &launch.progress;
  if (launch.progress && launch.executing) spec.executing = &launch.executing;
  if (launch.canceller) spec.stop = launch.canceller->state().get();
  spec.is_shared = shared_of(launch) != nullptr;
  return spec;
}

bool LaunchMemory::is_bound(const Launch& launch) const {
  if (!built_ || variables_version_ != variables_.version()) return false;
  const std::shared_ptr<SharedState>& shared = shared_of(launch);
  if (!same_object(shared_, shared)) return false;
  if (shared != nullptr && shared_version_ != shared->version()) return false;
  if (bound_.size() != object_count(launch)) return false;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const Argument& argument = object_at(launch, i);
    const std::shared_ptr<BufferState>& buffer = buffer_of(argument);
    if (!same_object(bound_[i].buffer, buffer)) return false;
    if (buffer != nullptr &&
        (buffer->read_only != bound_[i].read_only || buffer->write_only != bound_[i].write_only ||
         !same_object(bound_[i].undefined, buffer->undefined)))
      return false;
    if (argument.local_bytes != bound_[i].local_bytes) return false;
  }
  return true;
}

Status LaunchMemory::build_space(const Launch& launch) {
  bound_.assign(object_count(launch), {});
  buffer_shadows_ = {};
  buffer_bytes_ = variables_.bytes();
  const std::shared_ptr<SharedState>& shared = shared_of(launch);
  shared_ = shared;
  if (shared == nullptr) {
    space_ = memory::AddressSpace(module_.module.pointer_bytes());
  } else {
    // Its bytes are the host's already, and used as they are touched: buffer_bytes_ is without them.
    TRANSPIRE_TRY(space_, shared->make_space(shared_version_));
  }
  if (program_.tracks_undefined()) space_.keep_shadows_apart();
  TRANSPIRE_TRY(variable_addresses_, variables_.add_to(space_, variables_version_));
  own_slot_ = uncut(space_.used_slots());
  if (shared != nullptr && program_.tracks_undefined())
    shared_shadows_ = shared->add_shadows(space_);
  if (const Status buffers = add_buffers(launch); !buffers) return buffers;
  if (program_.uses_queue) shared_space_ = space_;
  return add_own_memory(launch);
}

Status LaunchMemory::build_space_within(const Launch& launch, const LaunchMemory& root) {
  bound_.assign(launch.arguments.size(), {});
  buffer_bytes_ = root.buffer_bytes_;
  buffer_shadows_ = {};
  space_ = *root.shared_space_;
  variable_addresses_ = root.variable_addresses_;
  own_slot_ = root.own_slot_;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const std::shared_ptr<BufferState>& buffer = buffer_of(launch.arguments[i]);
    if (buffer == nullptr) continue;
    memory::Allocation allocation;
    allocation.size_bytes = buffer->size_bytes;
    allocation.host = buffer->data;
    allocation.read_only = buffer->read_only;
    buffer_bytes_ += buffer->size_bytes;
    TRANSPIRE_TRY(bound_[i].address, space_.add_in_gap(first_own_slot(), allocation, buffer->name));
    if (program_.tracks_undefined()) add_shadow(bound_[i].address, allocation, *buffer);
  }
  return add_own_memory(launch);
}

/// The number of slots before they were cut: in these units the address book places buffers, in all
/// launches of a module.
std::uint64_t LaunchMemory::uncut(std::uint64_t slots) const {
  const std::uint64_t parts = std::uint64_t{1} << space_.cut_bits();
  return scheduler::divide_up(slots, parts);
}

/// Where local and private memory are more ranges than there are slots, below those without tags or shadows.
void LaunchMemory::make_room() {
  Checked bytes;
  std::uint64_t ranges = bound_.size() + program_.workgroup_variables.size();
  for (const vm::WorkgroupVariable& variable : program_.workgroup_variables)
    bytes += variable.size_bytes;
  for (const vm::PrivateVariable& variable : program_.private_variables) {
    bytes += variable.size_bytes;
    ranges += variable.size_bytes != 0 ? 1 : 0;
  }
  if (ranges <= kFewRanges || space_.spare_bits() == 0) return;
  const std::uint64_t end =
      program_.tracks_undefined() ? space_.shadowed_slots() : space_.tagged_slots();
  const std::uint64_t free = space_.free_slots(first_own_slot(), end);
  if (free == 0) return;
  std::uint32_t bits = 0;
  const auto needed = [&] {
    // A range takes three slots where its end lies in the second one.
    return Checked(3) * ranges +
           (bytes.value() >> (memory::kWideSlotShift - space_.cut_bits() - bits));
  };
  while (bits < space_.spare_bits() && !needed().fits(free << bits)) ++bits;
  space_.cut_slots(bits);
}

/// Local and private memory.
Status LaunchMemory::add_own_memory(const Launch& launch) {
  std::uint64_t workgroup_bytes = 0;
  local_shadows_.clear();
  zeroed_local_.clear();
  make_room();
  const bool has_descriptors = std::ranges::any_of(program_.parameters, &Parameter::has_size_slot);
  if (has_descriptors && launch.robust != Robust::kFault && space_.cut_bits() != 0)
    return make_diagnostic(Rule::kL0004,
                           "robust access needs more room between buffers than the many variables "
                           "of the shader leave");
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    bound_[i].local_bytes = argument.local_bytes;
    if (argument.kind != Argument::Kind::kLocal) continue;
    if (const Status local =
            add_range(memory::Region::kWorkgroup, argument.local_bytes, workgroup_bytes,
                      program_.parameters[i].name, bound_[i].address);
        !local)
      return local;
    workgroup_bytes = after_local_argument(workgroup_bytes, argument).value();
  }
  return add_variables(workgroup_bytes);
}

/// Before anything is laid out or allocated: afterwards, no sum of local sizes can be too large.
Status LaunchMemory::check_local_memory(const Launch& launch) const {
  Checked needed;
  for (const Argument& argument : launch.arguments) {
    if (argument.kind != Argument::Kind::kLocal) continue;
    if (argument.local_bytes > launch.limits.max_memory_bytes)
      return make_diagnostic(Rule::kL0004,
                             fmt::format("{} bytes of local memory exceed the limit of {} bytes",
                                         argument.local_bytes, launch.limits.max_memory_bytes));
    needed = after_local_argument(needed, argument);
  }
  for (const vm::WorkgroupVariable& variable : program_.workgroup_variables)
    needed = aligned_for(needed, variable) + variable.size_bytes;
  needed = needed.align_up(kBufferAlign);
  if (needed.fits(scheduler::kMaxWorkgroupBytes)) {
    if (launch.lenient || needed.fits(kLocalMemoryBytes)) return Unit{};
    const KernelInfo& kernel = module_.kernel_info(kernel_number_);
    auto refusal = refusal_of(kernel, argument_bytes(launch));
    if (!refusal) return Unit{};
    return std::move(refusal->diagnostic);
  }
  Diagnostic error = make_diagnostic(
      Rule::kL0004, fmt::format("a work-group needs {} of local memory", spell_bytes(needed)));
  error.help = fmt::format("a work-group may have {} bytes", scheduler::kMaxWorkgroupBytes);
  return error;
}

namespace {

/// "buffer 'y'", as findings of later launches call it.
std::string called(const BufferState& buffer, const std::string& parameter) {
  return fmt::format("{} '{}'",
                     buffer.image != nullptr  ? "image"
                     : buffer.pipe != nullptr ? "pipe"
                                              : "buffer",
                     buffer.name.empty() ? parameter : buffer.name);
}

}  // namespace

/// Buffers that are too many for addresses with tags or shadows lie behind those. 32-bit addresses have no tags, and nothing
/// lies behind their shadows.
std::uint64_t LaunchMemory::begin_of_many(std::uint64_t begin) const {
  return program_.tracks_undefined() && space_.pointer_bytes() == 8
             ? std::max(begin, uncut(space_.slots_behind_shadows()))
             : begin;
}

/// The name in findings of an argument or a pointee whose memory has none.
const std::string& LaunchMemory::name_of(const Launch& launch, std::size_t object) const {
  const std::size_t count = launch.arguments.size();
  return object < count ? program_.parameters[object].name : addresses()[object - count].name;
}

/// Each where the book of the module's launches has it. Arguments that name the same buffer share
/// its range, as pointers into one object.
Status LaunchMemory::add_buffers(const Launch& launch) {
  std::vector<memory::AddressBook::Entry> entries;
  std::vector<std::size_t> entry_of(bound_.size());
  std::map<const BufferState*, std::size_t> known;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const std::shared_ptr<BufferState>& buffer = buffer_of(object_at(launch, i));
    if (buffer == nullptr) continue;
    const auto [at, is_new] = known.try_emplace(buffer.get(), entries.size());
    if (is_new)
      entries.push_back({buffer, uncut(space_.slots_of(buffer->size_bytes)),
                         called(*buffer, name_of(launch, i))});
    entry_of[i] = at->second;
  }
  const std::uint64_t begin = own_slot_ + kOwnSlots;
  memory::AddressBook& book = this->book();
  std::uint64_t few = std::min(uncut(space_.tagged_slots()), begin + kBookSlots);
  if (program_.tracks_undefined() && shared_.expired())
    few = std::min(few, uncut(space_.shadowed_slots()));
  std::optional<std::vector<std::uint64_t>> slots = book.place(entries, begin, few);
  if (!slots) slots = book.place(entries, begin_of_many(begin), uncut(space_.slot_limit()));
  if (!slots)
    return make_diagnostic(Rule::kL0004,
                           fmt::format("no room for the {} buffers of the launch in the "
                                       "{}-bit address space",
                                       entries.size(), space_.pointer_bytes() * 8));
  std::vector<std::uint64_t> addresses(entries.size());
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const std::shared_ptr<BufferState>& buffer = buffer_of(object_at(launch, i));
    if (buffer == nullptr) continue;
    Bound& bound = bound_[i];
    bound.buffer = buffer;
    bound.read_only = buffer->read_only;
    bound.write_only = buffer->write_only;
    bound.undefined = buffer->undefined;
    const std::size_t entry = entry_of[i];
    if (addresses[entry] == 0) {
      TRANSPIRE_TRY(addresses[entry], add_buffer(*buffer, name_of(launch, i), (*slots)[entry]));
    }
    bound.address = addresses[entry];
  }
  return Unit{};
}

Result<std::uint64_t> LaunchMemory::add_buffer(const BufferState& buffer,
                                               const std::string& parameter, std::uint64_t slot) {
  memory::Allocation allocation;
  allocation.size_bytes = buffer.size_bytes;
  allocation.host = buffer.data;
  allocation.read_only = buffer.read_only;
  allocation.write_only = buffer.write_only;
  if (buffer.image != nullptr) {
    allocation.region = memory::Region::kImage;
    allocation.image = &buffer.image->image;
  }
  if (buffer.pipe != nullptr) {
    allocation.region = memory::Region::kPipe;
    allocation.pipe = buffer.pipe.get();
  }
  buffer_bytes_ += buffer.size_bytes;
  TRANSPIRE_TRY(const std::uint64_t address,
                space_.add_at(slot << space_.cut_bits(), allocation,
                              buffer.name.empty() ? parameter : buffer.name));
  if (program_.tracks_undefined() && allocation.region == memory::Region::kBuffer)
    add_shadow(address, allocation, buffer);
  return address;
}

void LaunchMemory::add_shadow(std::uint64_t address, memory::Allocation allocation,
                              const BufferState& buffer) {
  buffer_bytes_ += buffer.size_bytes;
  allocation.host = buffer_shadows_.add(buffer);
  if (allocation.host != nullptr) space_.add_shadow(address, allocation);
}

Status LaunchMemory::add_range(memory::Region region, std::uint64_t size_bytes,
                               std::uint64_t offset, const std::string& name,
                               std::uint64_t& address) {
  memory::Allocation allocation;
  allocation.size_bytes = size_bytes;
  allocation.offset = offset;
  allocation.region = region;
  TRANSPIRE_TRY(address, space_.add_in_gap(first_own_slot(), allocation, name));
  if (region == memory::Region::kWorkgroup) local_shadows_.emplace_back(address, allocation);
  return Unit{};
}

/// Workgroup, program and private variables; their slots are the last ones, in this order.
Status LaunchMemory::add_variables(std::uint64_t workgroup_bytes) {
  std::size_t slot = slots_.size() - program_.workgroup_variables.size() -
                     program_.program_variables.size() - program_.private_variables.size();
  for (const vm::WorkgroupVariable& variable : program_.workgroup_variables) {
    workgroup_bytes = aligned_for(workgroup_bytes, variable).value();
    if (const Status added = add_range(memory::Region::kWorkgroup, variable.size_bytes,
                                       workgroup_bytes, variable.name, slots_[slot++]);
        !added)
      return added;
    if (variable.zeroed_bytes != 0)
      zeroed_local_.push_back({workgroup_bytes, variable.zeroed_bytes});
    workgroup_bytes += variable.size_bytes;
  }
  for (const vm::ProgramVariable& variable : program_.program_variables)
    slots_[slot++] = variables_.address(variable_addresses_, variable.id);
  const std::size_t first_private = slot;
  for (std::size_t i = 0; i < program_.private_variables.size(); ++i) {
    const vm::PrivateVariable& variable = program_.private_variables[i];
    // It became values: nothing names its address. Where there is room it has one all the same, so that addresses do not
    // depend on what is optimised.
    if (variable.size_bytes == 0 && program_.private_variables.size() > kFewRanges) {
      slots_[slot++] = 0;
      continue;
    }
    memory::Allocation allocation;
    allocation.size_bytes = variable.size_bytes;
    allocation.offset = program_.private_offsets[i];
    allocation.region = memory::Region::kPrivate;
    allocation.index = static_cast<std::uint32_t>(i);
    if (variable.shadow_of != 0) {
      // Beside the variable, so that pointers to it lead here; where there is no room, it is found by its name alone.
      const std::uint64_t main = slots_[first_private + variable.shadow_of - 1];
      allocation.is_shadow = true;
      slots_[slot] = main + memory::shadow_distance(space_.pointer_bytes());
      if (main != 0 && space_.add_shadow(main, allocation)) {
        ++slot;
        continue;
      }
    }
    TRANSPIRE_TRY(slots_[slot], space_.add_in_gap(first_own_slot(), allocation, variable.name));
    ++slot;
  }
  const std::uint64_t bytes = Checked(workgroup_bytes).align_up(kBufferAlign).value();
  if (!program_.tracks_undefined()) return make_team(bytes);
  for (const auto& [address, shadow] : local_shadows_) {
    memory::Allocation allocation = shadow;
    allocation.offset += bytes;
    space_.add_shadow(address, allocation);
  }
  return make_team(bytes * 2);
}

Status LaunchMemory::make_team(std::uint64_t workgroup_bytes) {
  if (team_ == nullptr || team_->workgroup_bytes() != workgroup_bytes)
    team_ = std::make_unique<scheduler::Team>(program_, plan_, workgroup_bytes, threads_);
  return Unit{};
}

Status LaunchMemory::check_memory(const Limits& limits) {
  const std::uint64_t workers = std::min<std::uint64_t>(team_->threads(), plan_.unit_count());
  const Checked needed = buffer_bytes_ + Checked(workers) * team_->bytes_per_worker();
  if (needed.fits(limits.max_memory_bytes)) {
    const std::uint64_t ends = 2 * std::max<std::uint64_t>(space_.pipes().size(), 1);
    bytes_left_ = limits.max_memory_bytes - needed.value();
    reservation_bytes_ = bytes_left_ / ends;
    return Unit{};
  }
  return make_diagnostic(
      Rule::kL0004,
      fmt::format("the launch needs {}, {} of them in buffers; the limit is {}",
                  spell_bytes(needed), buffer_bytes_.value(), limits.max_memory_bytes));
}

void LaunchMemory::write_argument(const Launch& launch, std::size_t index) {
  const Parameter& parameter = program_.parameters[index];
  const Argument& argument = launch.arguments[index];
  const bool is_null = argument.kind == Argument::Kind::kNull;
  switch (parameter.kind) {
    case Parameter::Kind::kValue:
      return write_components(parameter, bytes_of(launch, index), &slots_[parameter.first_slot]);
    case Parameter::Kind::kPointer:
      slots_[parameter.first_slot] = pointer_value(argument, bound_[index].address);
      if (!parameter.has_size_slot) return;
      slots_[parameter.first_slot + 1] = bytes_behind(argument);
      // Robust accesses have no findings that name it, and look for buffers beside the address.
      if (is_null && launch.robust == Robust::kFault)
        slots_[parameter.first_slot] =
            memory::NullBuffers(launch.arguments.size(), space_.map().slot_shift).address(index);
      return;
    case Parameter::Kind::kImage:
    case Parameter::Kind::kPipe:
      slots_[parameter.first_slot] = is_null ? memory::null_image(index) : bound_[index].address;
      return;
    case Parameter::Kind::kQueue:
      slots_[parameter.first_slot] = argument.address;
      return;
    case Parameter::Kind::kSampler:
      slots_[parameter.first_slot] =
          is_null ? memory::null_sampler(index) : memory::pack(sampler_of(argument.sampling));
      return;
    case Parameter::Kind::kByValue: {
      const std::span<const std::byte> bytes = bytes_of(launch, index);
      write_components(parameter, bytes, &slots_[parameter.first_slot]);
      if (program_.private_variables[parameter.private_variable].size_bytes != 0)
        images_.push_back({program_.private_offsets[parameter.private_variable], bytes});
      return;
    }
    case Parameter::Kind::kUnsupported:
      return;
  }
}

}  // namespace transpire::runtime
