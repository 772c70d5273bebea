// Kernel objects and their arguments.
#include "opencl/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "opencl/entry_point.h"
#include "opencl/queue.h"
#include "opencl/sampler.h"

using namespace transpire::opencl;

namespace {

const transpire::KernelInfo& first_info(const std::vector<_cl_kernel::Variant>& variants) {
  const auto has_info = [](const _cl_kernel::Variant& variant) { return variant.info != nullptr; };
  return *std::find_if(variants.begin(), variants.end(), has_info)->info;
}

}  // namespace

_cl_kernel::_cl_kernel(_cl_program& in, std::vector<Variant> by_image)
    : program(&in),
      variants(std::move(by_image)),
      info(first_info(variants)),
      arguments(info.parameters.size()) {
  ++in.kernels;
}

_cl_kernel::~_cl_kernel() {
  const std::lock_guard lock(program->mutex);
  --program->kernels;
}

namespace transpire::opencl {
namespace {

/// Reports why the VM does not run a kernel. The program's mutex is not held, because the
/// application's callback may ask for the build log.
void tell_refusal(const _cl_program& program, const char* name, const std::string& why) {
  program.context->report_refusal(
      fmt::format("clCreateKernel: kernel '{}' cannot be created:\n{}", name, why));
}

/// The caller holds the program's mutex.
std::vector<_cl_kernel::Variant> variants_of(const _cl_program& program, const std::string& name) {
  std::vector<_cl_kernel::Variant> variants;
  for (const KernelInfo* const info : find_kernel(program, name))
    variants.push_back({&program.images[variants.size()], info});
  return variants;
}

cl_kernel create_kernel(_cl_program& program, const char* name) {
  std::unique_lock lock(program.mutex);
  require_executable(program);
  check(name != nullptr, CL_INVALID_VALUE);
  std::vector<_cl_kernel::Variant> variants = variants_of(program, name);
  for (const Image& image : program.images) {
    const auto refusal = image.refusals.find(name);
    if (refusal == image.refusals.end()) continue;
    const std::string why = refusal->second;
    lock.unlock();
    tell_refusal(program, name, why);
    throw ApiError{CL_INVALID_KERNEL_DEFINITION};
  }
  return new _cl_kernel(program, std::move(variants));
}

/// Makes all kernels of the program, except those that the VM does not run: kernels without a
/// definition on a device are left out as well.
void create_kernels(_cl_program& program, cl_uint num_kernels, cl_kernel* kernels,
                    cl_uint* num_kernels_ret) {
  const std::lock_guard lock(program.mutex);
  require_executable(program);
  const std::vector<std::string> names = kernel_names(program);
  check(kernels == nullptr || num_kernels >= names.size(), CL_INVALID_VALUE);
  for (std::size_t i = 0; kernels != nullptr && i < names.size(); ++i)
    kernels[i] = new _cl_kernel(program, variants_of(program, names[i]));
  if (num_kernels_ret != nullptr) *num_kernels_ret = static_cast<cl_uint>(names.size());
}

cl_kernel clone_kernel(_cl_kernel& source) {
  const std::lock_guard lock(source.mutex);
  const std::lock_guard program_lock(source.program->mutex);
  auto* const kernel = new _cl_kernel(*source.program, source.variants);
  kernel->arguments = source.arguments;
  kernel->svm_pointers = source.svm_pointers;
  return kernel;
}

// ---- Arguments ------------------------------------------------------------------------------

bool is_pointer_to(const ParameterInfo& parameter, std::string_view space) {
  return parameter.type.kind == TypeInfo::Kind::kPointer && parameter.type.address_space == space;
}

bool takes_memory(const ParameterInfo& parameter) {
  return is_pointer_to(parameter, "global") || is_pointer_to(parameter, "constant") ||
         is_pointer_to(parameter, "buffer") || is_pointer_to(parameter, "uniform");
}

/// The handle in the value of an argument; null if there is none.
template <class Handle>
Handle handle_in(const void* value) {
  Handle handle = nullptr;
  if (value != nullptr) std::memcpy(&handle, value, sizeof handle);
  return handle;
}

_cl_kernel::Argument local_argument(std::size_t size, const void* value) {
  check(value == nullptr, CL_INVALID_ARG_VALUE);
  check(size != 0, CL_INVALID_ARG_SIZE);
  return {Argument::local(size), {}};
}

/// True for a pointer into an allocation or just behind it. Kernels cannot use other pointers: the
/// host's own memory is not shared.
bool is_shared(_cl_context& context, const void* pointer) {
  return !shared_range(context, pointer).empty() ||
         !shared_range(context, static_cast<const std::byte*>(pointer) - 1).empty();
}

_cl_kernel::Argument memory_argument(const _cl_kernel& kernel, std::size_t size,
                                     const void* value) {
  check(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
  const cl_mem memory = handle_in<cl_mem>(value);
  if (memory == nullptr) return {Argument::null(), {}};
  check_object(memory, CL_INVALID_MEM_OBJECT);
  check(memory->context == kernel.program->context && memory->is_buffer(), CL_INVALID_MEM_OBJECT);
  // A buffer made of shared memory keeps the addresses of that memory, which kernels may store
  // there.
  if (uses_svm_pointer(*memory)) return {Argument::shared(memory->host_ptr), Weak(*memory)};
  Argument buffer;
  buffer.kind = Argument::Kind::kBuffer;
  return {std::move(buffer), Weak(*memory)};
}

/// True if the flags of an image allow the access that the parameter declares.
bool permits(cl_mem_flags flags, std::string_view access) {
  if (access == "read_only") return (flags & CL_MEM_WRITE_ONLY) == 0;
  if (access == "write_only") return (flags & CL_MEM_READ_ONLY) == 0;
  return (flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) == 0;
}

_cl_kernel::Argument image_argument(const _cl_kernel& kernel, const ParameterInfo& parameter,
                                    std::size_t size, const void* value) {
  check(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
  const cl_mem image = handle_in<cl_mem>(value);
  check_object(image, CL_INVALID_MEM_OBJECT);
  check(image->context == kernel.program->context && image->is_image(), CL_INVALID_MEM_OBJECT);
  check(!parameter.image->multisampled, CL_INVALID_MEM_OBJECT);  // the driver makes no multisampled
                                                                 // images
  check(takes(*parameter.image, image->texels->image), CL_INVALID_ARG_VALUE);
  check(permits(image->flags, parameter.access), CL_INVALID_ARG_VALUE);
  Argument argument;
  argument.kind = Argument::Kind::kImage;
  return {std::move(argument), Weak(*image)};
}

_cl_kernel::Argument pipe_argument(const _cl_kernel& kernel, const ParameterInfo& parameter,
                                   std::size_t size, const void* value) {
  check(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
  const cl_mem pipe = handle_in<cl_mem>(value);
  check_object(pipe, CL_INVALID_MEM_OBJECT);
  check(pipe->context == kernel.program->context && pipe->is_pipe(), CL_INVALID_MEM_OBJECT);
  check(takes(*parameter.pipe, *pipe->pipe), CL_INVALID_ARG_VALUE);
  Argument argument;
  argument.kind = Argument::Kind::kPipe;
  return {std::move(argument), Weak(*pipe)};
}

_cl_kernel::Argument sampler_argument(const _cl_kernel& kernel, std::size_t size,
                                      const void* value) {
  check(size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE);
  const cl_sampler sampler = handle_in<cl_sampler>(value);
  check_object(sampler, CL_INVALID_SAMPLER);
  check(sampler->context == kernel.program->context, CL_INVALID_SAMPLER);
  return {Argument::sampler(sampler->value), {}};
}

/// The argument is the queue's handle, which no other queue of the context gets. A launch checks
/// that the queue is alive.
_cl_kernel::Argument queue_argument(const _cl_kernel& kernel, std::size_t size, const void* value) {
  check(size == sizeof(cl_command_queue), CL_INVALID_ARG_SIZE);
  const cl_command_queue queue = handle_in<cl_command_queue>(value);
  check_object(queue, CL_INVALID_DEVICE_QUEUE);
  const auto& devices = kernel.program->devices;
  check(queue->on_device && queue->context == kernel.program->context &&
            std::find(devices.begin(), devices.end(), queue->device) != devices.end(),
        CL_INVALID_DEVICE_QUEUE);
  return {Argument::queue(queue->on_device->handle), {}};
}

_cl_kernel::Argument value_argument(const ParameterInfo& parameter, std::size_t size,
                                    const void* value) {
  const bool by_pointer = parameter.by_value_struct && !parameter.type.elements.empty();
  const TypeInfo& type = by_pointer ? parameter.type.elements[0] : parameter.type;
  check(size == type.size_bytes && size != 0, CL_INVALID_ARG_SIZE);
  check(value != nullptr, CL_INVALID_ARG_VALUE);
  return {Argument::raw({static_cast<const std::byte*>(value), size}), {}};
}

const ParameterInfo& parameter_at(const _cl_kernel& kernel, cl_uint index) {
  check(index < kernel.info.parameters.size(), CL_INVALID_ARG_INDEX);
  return kernel.info.parameters[index];
}

/// The replaced argument is dropped without the lock: the memory object's callbacks may use the
/// kernel.
void keep_argument(_cl_kernel& kernel, cl_uint index, _cl_kernel::Argument argument) {
  const std::lock_guard lock(kernel.mutex);
  std::swap(kernel.arguments[index], argument);
}

void set_argument(_cl_kernel& kernel, cl_uint index, std::size_t size, const void* value) {
  const ParameterInfo& parameter = parameter_at(kernel, index);
  _cl_kernel::Argument argument;
  if (parameter.is_unused)
    argument = {Argument::null(), {}};
  else if (is_pointer_to(parameter, "local"))
    argument = local_argument(size, value);
  else if (takes_memory(parameter))
    argument = memory_argument(kernel, size, value);
  else if (parameter.image)
    argument = image_argument(kernel, parameter, size, value);
  else if (parameter.pipe)
    argument = pipe_argument(kernel, parameter, size, value);
  else if (parameter.is_sampler)
    argument = sampler_argument(kernel, size, value);
  else if (parameter.is_queue)
    argument = queue_argument(kernel, size, value);
  else
    argument = value_argument(parameter, size, value);
  keep_argument(kernel, index, std::move(argument));
}

void set_shared_argument(_cl_kernel& kernel, cl_uint index, const void* pointer) {
  const ParameterInfo& parameter = parameter_at(kernel, index);
  check(takes_memory(parameter), CL_INVALID_ARG_VALUE);
  check(pointer == nullptr || is_shared(*kernel.program->context, pointer), CL_INVALID_ARG_VALUE);
  keep_argument(kernel, index,
                {pointer == nullptr ? Argument::null() : Argument::shared(pointer), {}});
}

void set_exec_info(_cl_kernel& kernel, cl_kernel_exec_info name, std::size_t size,
                   const void* value) {
  if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
    cl_bool wanted = CL_FALSE;
    check(value != nullptr && size == sizeof wanted, CL_INVALID_VALUE);
    std::memcpy(&wanted, value, sizeof wanted);
    check(wanted == CL_FALSE, CL_INVALID_OPERATION);
    return;
  }
  // An empty list of size 0 removes the earlier list.
  check(name == CL_KERNEL_EXEC_INFO_SVM_PTRS && size % sizeof(void*) == 0, CL_INVALID_VALUE);
  check((size == 0) == (value == nullptr), CL_INVALID_VALUE);
  // Kernels reach all shared memory of the context; the list is kept for clones.
  const auto* const pointers = static_cast<void* const*>(value);
  const std::lock_guard lock(kernel.mutex);
  kernel.svm_pointers.assign(pointers, pointers + size / sizeof(void*));
}

}  // namespace
}  // namespace transpire::opencl

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* errcode_ret) {
  return guarded_create<cl_kernel>(errcode_ret, [&] {
    check_object(program, CL_INVALID_PROGRAM);
    return create_kernel(*program, name);
  });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                            cl_kernel* kernels, cl_uint* num_kernels_ret) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    create_kernels(*program, num_kernels, kernels, num_kernels_ret);
  });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return guarded_create<cl_kernel>(errcode_ret, [&] {
    check_object(source_kernel, CL_INVALID_KERNEL);
    return clone_kernel(*source_kernel);
  });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    kernel->retain();
  });
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    kernel->release();
  });
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, std::size_t arg_size,
                                  const void* arg_value) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    set_argument(*kernel, arg_index, arg_size, arg_value);
  });
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void* arg_value) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    set_shared_argument(*kernel, arg_index, arg_value);
  });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       std::size_t param_value_size, const void* param_value) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    set_exec_info(*kernel, param_name, param_value_size, param_value);
  });
}
