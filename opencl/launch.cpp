// clEnqueueNDRangeKernel and clEnqueueTask: checks, the choice of a work-group size, a snapshot of
// the arguments, and the command.
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/interrupt.h"
#include "opencl/kernel.h"
#include "opencl/platform.h"
#include "opencl/queue.h"
#include "opencl/record.h"
#include "opencl/report.h"
#include "transpire/launch_rules.hpp"
#include "transpire/local_size.hpp"

namespace transpire::opencl {
namespace {

/// Work sizes as the caller gave them; null if not given.
struct Range {
  cl_uint dimensions;
  const std::size_t* offset;
  const std::size_t* global;
  const std::size_t* local;

  bool is_empty() const {
    return global == nullptr ||
           std::any_of(global, global + dimensions, [](std::size_t n) { return n == 0; });
  }
};

// ---- Checks ---------------------------------------------------------------------------------

/// Throws the call's error code for a refusal by the launch rules, and gives the reason to the
/// context's callback.
void check_judgement(const std::optional<LaunchRefusal>& refusal, const _cl_context& context) {
  if (!refusal) return;
  context.report("clEnqueueNDRangeKernel: " + format(refusal->diagnostic));
  switch (refusal->kind) {
    case LaunchRefusal::Kind::kDimensions:
      throw ApiError{CL_INVALID_WORK_DIMENSION};
    case LaunchRefusal::Kind::kGlobalOffset:
      throw ApiError{CL_INVALID_GLOBAL_OFFSET};
    case LaunchRefusal::Kind::kGlobalSize:
      throw ApiError{CL_INVALID_GLOBAL_WORK_SIZE};
    case LaunchRefusal::Kind::kItemSize:
      throw ApiError{CL_INVALID_WORK_ITEM_SIZE};
    case LaunchRefusal::Kind::kGroupSize:
      throw ApiError{CL_INVALID_WORK_GROUP_SIZE};
    case LaunchRefusal::Kind::kParameters:
    case LaunchRefusal::Kind::kLocalMemory:
      throw ApiError{CL_OUT_OF_RESOURCES};
  }
}

Geometry geometry_of(const Range& range) {
  Geometry geometry;
  geometry.dimensions = range.dimensions;
  std::copy_n(range.global, range.dimensions, geometry.global_size.begin());
  if (range.local != nullptr)
    std::copy_n(range.local, range.dimensions, geometry.local_size.begin());
  if (range.offset != nullptr)
    std::copy_n(range.offset, range.dimensions, geometry.global_offset.begin());
  return geometry;
}

/// In a Geometry zeros leave the choice to the device; in this call only a null pointer does.
bool has_zero_group(const Range& range) {
  return range.local != nullptr && std::find(range.local, range.local + range.dimensions, 0u) !=
                                       range.local + range.dimensions;
}

/// The checked geometry; a range may be empty.
Geometry checked_range(const Range& range, const _cl_kernel::Variant& kernel,
                       const _cl_context& context) {
  check(range.dimensions >= 1 && range.dimensions <= 3, CL_INVALID_WORK_DIMENSION);
  if (range.is_empty()) {
    // Since OpenCL 2.1 an empty launch succeeds.
    check(environment().version >= CL_MAKE_VERSION(2, 1, 0), CL_INVALID_GLOBAL_WORK_SIZE);
    return {};
  }
  Range unzeroed = range;
  if (has_zero_group(range)) unzeroed.local = nullptr;  // errors in the other sizes come first
  const Geometry geometry = geometry_of(unzeroed);
  check_judgement(refusal_of(kernel.image->module->info(), *kernel.info, geometry,
                             static_cast<std::uint32_t>(sub_group_items(*kernel.info))),
                  context);
  check(unzeroed.local == range.local, CL_INVALID_WORK_GROUP_SIZE);
  return geometry;
}

/// The objects that a launch uses until it has ended.
struct Uses {
  explicit Uses(const _cl_command_queue& queue)
      : on_device(queue.context->device_queues.of(*queue.device)) {}
  std::vector<Ref<_cl_mem>> memory;  ///< by argument; null for arguments that are no memory objects
  DeviceQueues::OfDevice on_device;  ///< the launch's kernels may enqueue to all of them

  bool has_queue(std::uint64_t handle) const {
    return std::ranges::any_of(on_device.queues, [handle](const Ref<_cl_command_queue>& queue) {
      return queue->on_device->handle == handle;
    });
  }
};

/// Collects the objects of the arguments in `uses`. The caller holds the kernel's mutex. If a check
/// throws, the caller drops `uses` without the mutex.
void check_arguments(const _cl_kernel& kernel, const KernelInfo& info, Uses& uses) {
  std::uint64_t local_bytes = 0;
  uses.memory.reserve(kernel.arguments.size());
  for (const _cl_kernel::Argument& argument : kernel.arguments) {
    check(argument.value.kind != Argument::Kind::kUnset, CL_INVALID_KERNEL_ARGS);
    const Ref<_cl_mem>& named = uses.memory.emplace_back(argument.memory.lock());
    check(named || !argument.memory.names_something(), CL_INVALID_KERNEL_ARGS);
    check(!named || named->offset % kMemBaseAlignBytes == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    // The queue was released since, or belongs to another device.
    check(argument.value.kind != Argument::Kind::kQueue || uses.has_queue(argument.value.address),
          CL_INVALID_KERNEL_ARGS);
    local_bytes = saturating_sum(local_bytes, argument.value.local_bytes);
  }
  check_judgement(refusal_of(info, local_bytes), *kernel.program->context);
}

// ---- The command ----------------------------------------------------------------------------

/// A launch under way, with all that it needs until it has ended. It does not hold the kernel,
/// because a released kernel must not prevent a new build of its program.
struct Command {
  Command(_cl_kernel& of, const Module& module, _cl_command_queue& on, Uses used)
      : queue(on),
        program(of.program),
        device(on.device),
        launch(module, of.info.name),
        uses(std::move(used)) {}
  _cl_command_queue& queue;  ///< held by the command's event
  Ref<_cl_program> program;
  Ref<_cl_device_id> device;
  Launch launch;
  Uses uses;
  std::vector<const _cl_mem*> images{};  ///< the images among `uses` that the kernel may write
  const char* function = "";
  std::uint64_t number = 0;          ///< number among the launches of its queue
  std::vector<const void*> given{};  ///< with the race check: the shared virtual memory it may use
  unsigned enqueued_at = interrupts();
};

std::string spell(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions) {
  return fmt::format("({})", fmt::join(size.begin(), size.begin() + dimensions, ", "));
}

/// The host's call, for messages.
std::string spell_call(const Command& command, const std::array<std::uint64_t, 3>& local) {
  const Geometry& geometry = command.launch.geometry;
  return fmt::format("{} of kernel '{}', global {}, local {}, launch {} of its queue",
                     command.function, command.launch.kernel,
                     spell(geometry.global_size, geometry.dimensions),
                     local[0] == 0 ? "auto" : spell(local, geometry.dimensions), command.number);
}

/// Runs the command. Findings are reported and fail no command; a launch that did not reach its end
/// is an error of the event.
Ending run(const Command& command) {
  const Interruptible turn(command.launch, command.enqueued_at);
  if (!turn.may_run()) return CL_OUT_OF_RESOURCES;
  for (const _cl_mem* const image : command.images) define_all(*image);
  const Device& device = command.device->device;
  std::optional<Record> record;
  if (const std::string& folder = environment().record_folder; !folder.empty())
    record.emplace(folder, command.launch, device);
  const Result<LaunchResult> result = device.run(command.launch);
  const auto call = [&] {
    return spell_call(command, result ? result->local_size : command.launch.geometry.local_size);
  };
  if (record) record->finish(result, call());
  if (!result) {
    report(result.errors(), call());
    return CL_OUT_OF_RESOURCES;
  }
  CommandRaces* const order = command.queue.context->order.get();
  if (order != nullptr) order->touched(result->memory_uses, command.given, call());
  if (!result->findings.empty() || !result->printf_output.empty()) report(*result, call());
  // A kernel fails if a kernel that it enqueued fails (OpenCL C 2.0, "Enqueuing Kernels").
  const cl_int status = result->child_status < 0 ? result->child_status : CL_COMPLETE;
  return {result->end == LaunchResult::End::kCompleted ? status : CL_OUT_OF_RESOURCES,
          static_cast<cl_ulong>(result->child_seconds * 1e9)};
}

/// The address of a memory object is looked up when the kernel is launched.
Argument launch_argument(const Argument& value, const _cl_mem* memory) {
  if (value.kind == Argument::Kind::kBuffer) return Argument::buffer(memory->buffer);
  if (value.kind == Argument::Kind::kImage) return Argument::image(memory->texels->image);
  if (value.kind == Argument::Kind::kPipe) return Argument::pipe(*memory->pipe);
  return value;
}

/// Notes the shared virtual memory that the kernel may reach. The caller holds the kernel's mutex.
void note_given(Command& command, const _cl_kernel& kernel) {
  command.launch.wants_memory_use = true;
  command.given.assign(kernel.svm_pointers.begin(), kernel.svm_pointers.end());
  for (const Argument& argument : command.launch.arguments) {
    if (argument.kind == Argument::Kind::kShared)
      command.given.push_back(reinterpret_cast<const void*>(argument.address));
    if (argument.kind == Argument::Kind::kBuffer)
      command.given.push_back(argument.memory->bytes().data());
  }
}

/// Copies the current arguments and holds their objects: later calls of clSetKernelArg are for
/// later launches. The caller holds the kernel's mutex.
std::shared_ptr<Command> snapshot(_cl_kernel& kernel, const _cl_kernel::Variant& variant,
                                  _cl_command_queue& queue, const Geometry& geometry, Uses& used) {
  const Module& module = *variant.image->module;
  auto command = std::make_shared<Command>(kernel, module, queue, std::move(used));
  const Uses& uses = command->uses;
  Launch& launch = command->launch;
  launch.geometry = geometry;
  launch.arguments.reserve(kernel.arguments.size());
  for (std::size_t i = 0; i < uses.memory.size(); ++i)
    launch.arguments.push_back(launch_argument(kernel.arguments[i].value, uses.memory[i].get()));
  for (std::size_t i = 0; i < uses.memory.size(); ++i)
    if (uses.memory[i] && uses.memory[i]->is_image() &&
        variant.info->parameters[i].access != "read_only")
      command->images.push_back(uses.memory[i].get());
  launch.queues.clear();
  for (const Ref<_cl_command_queue>& each : uses.on_device.queues)
    launch.queues.push_back(*each->on_device);
  launch.has_default_queue = uses.on_device.has_default;
  configure(launch);
  launch.limits.max_children = kMaxChildren;
  make_interruptible(launch);
  // Sizes were judged before. Other drivers let kernels write through parameters that the source
  // declares const.
  launch.lenient = !environment().enforce_flags;
  launch.limits.max_findings = 0;  // findings do not end the program's launches
  launch.limits.max_memory_bytes = std::max(launch.limits.max_memory_bytes, global_memory_bytes());
  const SharedMemory* const shared = queue.context->shared_memory_if_any();
  if (shared != nullptr && module.info().pointer_bits == 64) launch.shared = *shared;
  if (queue.context->order != nullptr) note_given(*command, kernel);
  return command;
}

struct Call {
  const char* function;
  cl_command_type type;
};

/// The variant of the kernel that the queue's device runs.
const _cl_kernel::Variant& variant_on(cl_command_queue queue, cl_kernel kernel) {
  check_queue(queue);
  check_object(kernel, CL_INVALID_KERNEL);
  check(queue->context == kernel->program->context, CL_INVALID_CONTEXT);
  const auto& devices = kernel->program->devices;
  check(std::find(devices.begin(), devices.end(), queue->device) != devices.end(),
        CL_INVALID_PROGRAM_EXECUTABLE);
  const _cl_kernel::Variant& variant = kernel->variant_for(queue->device.get());
  check(variant.info != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
  return variant;
}

void suggest_local_size(cl_command_queue queue, cl_kernel kernel, const Range& range,
                        std::size_t* suggested) {
  const _cl_kernel::Variant& variant = variant_on(queue, kernel);
  check(range.dimensions >= 1 && range.dimensions <= 3, CL_INVALID_WORK_DIMENSION);
  check(!range.is_empty(), CL_INVALID_GLOBAL_WORK_SIZE);
  check(suggested != nullptr, CL_INVALID_VALUE);
  const Geometry geometry = checked_range(range, variant, *queue->context);
  Uses uses(*queue);
  {
    const std::lock_guard lock(kernel->mutex);
    check_arguments(*kernel, *variant.info, uses);
  }
  const auto size = resolve_local_size(*variant.image->module, kernel->info.name, geometry);
  check(size.ok(), CL_INVALID_WORK_GROUP_SIZE);
  std::copy_n(size->begin(), range.dimensions, suggested);
}

void enqueue_launch(cl_command_queue queue, cl_kernel kernel, const Call& call, const Range& range,
                    const Waits& waits) {
  const _cl_kernel::Variant& variant = variant_on(queue, kernel);
  const Geometry geometry = checked_range(range, variant, *queue->context);
  Uses uses(*queue);
  std::unique_lock lock(kernel->mutex);
  check_arguments(*kernel, *variant.info, uses);
  if (range.is_empty()) {
    lock.unlock();
    return enqueue(*queue, call.type, waits, false, [] { return CL_COMPLETE; });
  }
  std::shared_ptr<Command> command = snapshot(*kernel, variant, *queue, geometry, uses);
  lock.unlock();
  command->function = call.function;
  command->number = ++queue->launches;
  enqueue(*queue, call.type, waits, false, [command = std::move(command)] {
    const Ending ending = run(*command);
    if (ending.status != CL_COMPLETE) command->queue.has_failed = true;
    return ending;
  });
}

}  // namespace
}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                          cl_uint work_dim, const std::size_t* global_work_offset,
                                          const std::size_t* global_work_size,
                                          const std::size_t* local_work_size, cl_uint num_events,
                                          const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    enqueue_launch(command_queue, kernel, {"clEnqueueNDRangeKernel", CL_COMMAND_NDRANGE_KERNEL},
                   {work_dim, global_work_offset, global_work_size, local_work_size},
                   {num_events, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                 cl_uint num_events, const cl_event* event_wait_list,
                                 cl_event* event) {
  return guarded([&] {
    constexpr std::size_t kOne = 1;
    enqueue_launch(command_queue, kernel, {"clEnqueueTask", CL_COMMAND_TASK},
                   {1, nullptr, &kOne, &kOne}, {num_events, event_wait_list, event});
  });
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                        cl_kernel kernel, cl_uint work_dim,
                                                        const std::size_t* global_work_offset,
                                                        const std::size_t* global_work_size,
                                                        std::size_t* suggested_local_work_size) {
  return guarded([&] {
    suggest_local_size(command_queue, kernel,
                       {work_dim, global_work_offset, global_work_size, nullptr},
                       suggested_local_work_size);
  });
}
