// clGetKernelInfo, clGetKernelArgInfo and clGetKernelWorkGroupInfo.
#include <CL/cl_ext.h>

#include <algorithm>

#include "compiler/source_attributes.h"
#include "opencl/entry_point.h"
#include "opencl/kernel.h"

namespace transpire::opencl {
namespace {

void answer_about(const _cl_kernel& kernel, cl_kernel_info name, const Answer& answer) {
  switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
      return answer.give_text(kernel.info.name);
    case CL_KERNEL_NUM_ARGS:
      return answer.give(static_cast<cl_uint>(kernel.info.parameters.size()));
    case CL_KERNEL_REFERENCE_COUNT:
      return answer.give(kernel.references());
    case CL_KERNEL_CONTEXT:
      return answer.give<cl_context>(kernel.program->context.get());
    case CL_KERNEL_PROGRAM:
      return answer.give<cl_program>(kernel.program.get());
    case CL_KERNEL_ATTRIBUTES: {
      // The specification has attributes only for kernels from source, in the source's words.
      const _cl_program& program = *kernel.program;
      const bool from_source = program.origin == _cl_program::Origin::kSource ||
                               program.origin == _cl_program::Origin::kLinked;
      if (!from_source) return answer.give_text("");
      const std::string declared = compiler::source_attributes(program.source, kernel.info.name);
      return answer.give_text(declared.empty() ? kernel.info.attributes : declared);
    }
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

// ---- Parameters -----------------------------------------------------------------------------

cl_kernel_arg_address_qualifier address_qualifier(const ParameterInfo& parameter) {
  const std::string& space = parameter.type.address_space;
  if (!parameter.access.empty() || space == "global") return CL_KERNEL_ARG_ADDRESS_GLOBAL;
  if (space == "constant") return CL_KERNEL_ARG_ADDRESS_CONSTANT;
  if (space == "local") return CL_KERNEL_ARG_ADDRESS_LOCAL;
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_kernel_arg_access_qualifier access_qualifier(const ParameterInfo& parameter) {
  if (parameter.access == "read_only") return CL_KERNEL_ARG_ACCESS_READ_ONLY;
  if (parameter.access == "write_only") return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  if (parameter.access == "read_write") return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return CL_KERNEL_ARG_ACCESS_NONE;
}

/// The type in the source's words if the module keeps them, else in the module's.
std::string type_name(const ParameterInfo& parameter) {
  if (!parameter.source_type.empty()) return parameter.source_type;
  if (parameter.type.kind != TypeInfo::Kind::kPointer || parameter.type.elements.empty())
    return parameter.type.spelling;
  const std::string& pointee = parameter.type.elements[0].spelling;
  return parameter.by_value_struct ? pointee : pointee + "*";
}

cl_kernel_arg_type_qualifier type_qualifier(const ParameterInfo& parameter) {
  if (parameter.pipe) return CL_KERNEL_ARG_TYPE_PIPE;  // for any type of packets
  cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;
  const bool is_pointer =
      parameter.type.kind == TypeInfo::Kind::kPointer && !parameter.by_value_struct;
  // Without the source's words, a parameter that may not be written counts as const.
  const bool guessed = parameter.source_type.empty() && parameter.no_write;
  if (is_pointer && (parameter.is_const || guessed)) bits |= CL_KERNEL_ARG_TYPE_CONST;
  if (parameter.is_restrict) bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
  if (parameter.is_volatile) bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
  return bits;
}

void tell_argument(const _cl_kernel& kernel, cl_uint index, cl_kernel_arg_info name,
                   const Answer& answer) {
  check(index < kernel.info.parameters.size(), CL_INVALID_ARG_INDEX);
  // No build changes the images while the program has kernels.
  const auto has_info = [](const _cl_kernel::Variant& variant) {
    return variant.info != nullptr && variant.image->argument_info;
  };
  check(std::any_of(kernel.variants.begin(), kernel.variants.end(), has_info),
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  const ParameterInfo& parameter = kernel.info.parameters[index];
  switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return answer.give(address_qualifier(parameter));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
      return answer.give(access_qualifier(parameter));
    case CL_KERNEL_ARG_TYPE_NAME:
      return answer.give_text(type_name(parameter));
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
      return answer.give(type_qualifier(parameter));
    case CL_KERNEL_ARG_NAME:
      return answer.give_text(parameter.name);
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

// ---- Work-groups ----------------------------------------------------------------------------

cl_ulong local_bytes(_cl_kernel& kernel, const KernelInfo& info) {
  const std::lock_guard lock(kernel.mutex);
  cl_ulong bytes = info.local_bytes;
  for (const auto& argument : kernel.arguments)
    bytes = saturating_sum(bytes, argument.value.local_bytes);
  return bytes;
}

void tell_group(_cl_kernel& kernel, const _cl_device_id& device, cl_kernel_work_group_info name,
                const Answer& answer) {
  const _cl_kernel::Variant& variant = kernel.variant_for(&device);
  check(variant.info != nullptr, CL_INVALID_DEVICE);
  const KernelInfo& info = *variant.info;
  switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      return answer.give(largest_group(info));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
      std::array<std::size_t, 3> size{};
      if (info.required_local_size) std::copy_n(info.required_local_size->begin(), 3, size.begin());
      return answer.give(size);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE:
      return answer.give(local_bytes(kernel, info));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return answer.give<std::size_t>(device.device.lanes());
    case CL_KERNEL_PRIVATE_MEM_SIZE:
      return answer.give<cl_ulong>(info.private_bytes);
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:  // registers lie in memory
      return answer.give<cl_ulong>(0);
    default:  // CL_KERNEL_GLOBAL_WORK_SIZE too: for built-in kernels and custom devices only
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace

const _cl_device_id& device_of(const _cl_kernel& kernel, cl_device_id device) {
  const auto& devices = kernel.program->devices;
  if (device == nullptr) {
    check(devices.size() == 1, CL_INVALID_DEVICE);
    return *devices[0];
  }
  const auto is_it = [device](const auto& own) { return own.get() == device; };
  check(std::any_of(devices.begin(), devices.end(), is_it), CL_INVALID_DEVICE);
  return *device;
}

std::size_t largest_group(const KernelInfo& info) {
  if (!info.required_local_size) return kMaxGroupItems;
  const auto& size = *info.required_local_size;
  return std::min<std::size_t>(size[0] * size[1] * size[2], kMaxGroupItems);
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, std::size_t size,
                                   void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    answer_about(*kernel, name, {size, value, size_ret});
  });
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info name,
                                      std::size_t size, void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    tell_argument(*kernel, arg_index, name, {size, value, size_ret});
  });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info name, std::size_t size,
                                            void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    tell_group(*kernel, device_of(*kernel, device), name, {size, value, size_ret});
  });
}
