// clGetProgramInfo and clGetProgramBuildInfo.
#include <fmt/format.h>

#include <algorithm>

#include "opencl/entry_point.h"
#include "opencl/program.h"

namespace transpire::opencl {
namespace {

/// The image of the device with that number in the program's list.
const Image& image_of(const _cl_program& program, std::size_t device) {
  return program.images[program.image_numbers.empty() ? 0 : program.image_numbers[device]];
}

std::vector<std::byte> binary_of(const Image& image) {
  if (image.module_bytes.empty()) return {};
  return make_binary(image.binary_type, image.module_bytes);
}

std::vector<std::size_t> binary_sizes(const _cl_program& program) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < program.devices.size(); ++i)
    sizes.push_back(binary_of(image_of(program, i)).size());
  return sizes;
}

/// Copies the binaries of the devices for which the caller's list has a pointer.
void give_binaries(const _cl_program& program, const Answer& answer) {
  const std::size_t bytes = program.devices.size() * sizeof(unsigned char*);
  if (answer.size_ret != nullptr) *answer.size_ret = bytes;
  if (answer.value == nullptr) return;
  check(answer.size >= bytes, CL_INVALID_VALUE);
  auto* const* const places = static_cast<unsigned char**>(answer.value);
  for (std::size_t i = 0; i < program.devices.size(); ++i) {
    if (places[i] == nullptr) continue;
    const std::vector<std::byte> binary = binary_of(image_of(program, i));
    if (!binary.empty()) std::memcpy(places[i], binary.data(), binary.size());
  }
}

bool any_image_has(const _cl_program& program, bool KernelInfo::*which) {
  return std::any_of(program.images.begin(), program.images.end(), [which](const Image& image) {
    return image.module && has_kernel(image.module->info(), which);
  });
}

void tell(_cl_program& program, cl_program_info name, const Answer& answer) {
  switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return answer.give(program.references());
    case CL_PROGRAM_CONTEXT:
      return answer.give<cl_context>(program.context.get());
    case CL_PROGRAM_NUM_DEVICES:
      return answer.give(static_cast<cl_uint>(program.devices.size()));
    case CL_PROGRAM_DEVICES: {
      std::vector<cl_device_id> devices;
      for (const auto& device : program.devices) devices.push_back(device.get());
      return answer.give_list(devices);
    }
    case CL_PROGRAM_SOURCE:
      return answer.give_text(program.source);
    case CL_PROGRAM_IL:
      return answer.give_list(program.il);
    case CL_PROGRAM_BINARY_SIZES:
      return answer.give_list(binary_sizes(program));
    case CL_PROGRAM_BINARIES:
      return give_binaries(program, answer);
    case CL_PROGRAM_NUM_KERNELS:
      require_executable(program);
      return answer.give<std::size_t>(kernel_names(program).size());
    case CL_PROGRAM_KERNEL_NAMES:
      require_executable(program);
      return answer.give_text(fmt::format("{}", fmt::join(kernel_names(program), ";")));
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      return answer.give<cl_bool>(any_image_has(program, &KernelInfo::is_initializer));
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
      return answer.give<cl_bool>(any_image_has(program, &KernelInfo::is_finalizer));
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

void tell_build(const _cl_program& program, std::size_t device, cl_program_build_info name,
                const Answer& answer) {
  const Image& image = image_of(program, device);
  switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
      return answer.give(program.status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return answer.give_text(program.build_options);
    case CL_PROGRAM_BUILD_LOG:
      return answer.give_text(image.log);
    case CL_PROGRAM_BINARY_TYPE:
      return answer.give(image.binary_type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return answer.give<std::size_t>(image.module ? image.module->info().global_bytes : 0);
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace
}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info name, std::size_t size,
                                    void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    const std::lock_guard lock(program->mutex);
    tell(*program, name, {size, value, size_ret});
  });
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info name, std::size_t size, void* value,
                                         std::size_t* size_ret) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    const auto is_it = [device](const auto& own) { return own.get() == device; };
    const auto at = std::find_if(program->devices.begin(), program->devices.end(), is_it);
    check(at != program->devices.end(), CL_INVALID_DEVICE);
    const auto number = static_cast<std::size_t>(at - program->devices.begin());
    const std::lock_guard lock(program->mutex);
    tell_build(*program, number, name, {size, value, size_ret});
  });
}
