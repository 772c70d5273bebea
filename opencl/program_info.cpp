// clGetProgramInfo and clGetProgramBuildInfo.
#include <algorithm>

#include "opencl/api.h"
#include "opencl/program.h"

namespace transpire::opencl {
namespace {

std::vector<std::byte> binary_of(const _cl_program& program) {
  if (program.module_bytes.empty()) return {};
  return make_binary(program.build.binary_type, program.module_bytes);
}

/// Copies the binary to where the caller's list has room for it, once for each device.
void give_binaries(const _cl_program& program, const Answer& answer) {
  const std::size_t bytes = program.devices.size() * sizeof(unsigned char*);
  if (answer.size_ret != nullptr) *answer.size_ret = bytes;
  if (answer.value == nullptr) return;
  check(answer.size >= bytes, CL_INVALID_VALUE);
  const std::vector<std::byte> binary = binary_of(program);
  auto* const* const places = static_cast<unsigned char**>(answer.value);
  for (std::size_t i = 0; i < program.devices.size(); ++i)
    if (places[i] != nullptr && !binary.empty())
      std::memcpy(places[i], binary.data(), binary.size());
}

const ModuleInfo& executable_info(const _cl_program& program) {
  check(program.module.has_value(), CL_INVALID_PROGRAM_EXECUTABLE);
  return program.module->info();
}

void give_kernel_names(const _cl_program& program, const Answer& answer) {
  std::string names;
  for (const KernelInfo& kernel : executable_info(program).kernels)
    names += (names.empty() ? "" : ";") + kernel.name;
  answer.give_text(names);
}

void tell(const _cl_program& program, cl_program_info name, const Answer& answer) {
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
      return answer.give_list(
          std::vector<std::size_t>(program.devices.size(), binary_of(program).size()));
    case CL_PROGRAM_BINARIES:
      return give_binaries(program, answer);
    case CL_PROGRAM_NUM_KERNELS:
      return answer.give<std::size_t>(executable_info(program).kernels.size());
    case CL_PROGRAM_KERNEL_NAMES:
      return give_kernel_names(program, answer);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
      return answer.give<cl_bool>(CL_FALSE);
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

void tell_build(const _cl_program& program, cl_program_build_info name, const Answer& answer) {
  const _cl_program::Build& build = program.build;
  switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
      return answer.give(build.status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return answer.give_text(build.options);
    case CL_PROGRAM_BUILD_LOG:
      return answer.give_text(build.log);
    case CL_PROGRAM_BINARY_TYPE:
      return answer.give(build.binary_type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return answer.give<std::size_t>(program.module ? program.module->info().global_bytes : 0);
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
    check(std::any_of(program->devices.begin(), program->devices.end(), is_it), CL_INVALID_DEVICE);
    const std::lock_guard lock(program->mutex);
    tell_build(*program, name, {size, value, size_ret});
  });
}
