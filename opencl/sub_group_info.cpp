// clGetKernelSubGroupInfo. A sub-group is a fixed number of work-items with consecutive local
// linear ids; the last one of a work-group may have fewer.
#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>

#include "opencl/entry_point.h"
#include "opencl/kernel.h"
#include "opencl/platform.h"
#include "transpire/launch_rules.hpp"

namespace transpire::opencl {
namespace {

struct Input {
  std::size_t size;
  const void* value;
};

std::size_t groups_of(std::size_t items, std::size_t sub_group) {
  return (items + sub_group - 1) / sub_group;
}

/// Number of work-items of a work-group, whose one to three sizes are the input.
std::size_t items_of(const Input& input) {
  constexpr std::size_t kSize = sizeof(std::size_t);
  check(input.value != nullptr && input.size % kSize == 0 && input.size >= kSize &&
            input.size <= 3 * kSize,
        CL_INVALID_VALUE);
  std::array<std::size_t, 3> sizes{1, 1, 1};
  std::memcpy(sizes.data(), input.value, input.size);
  std::size_t items = 1;
  for (const std::size_t size : sizes)
    check(size != 0 && !__builtin_mul_overflow(items, size, &items), CL_INVALID_VALUE);
  return items;
}

/// Answers with a work-group that has as many sub-groups as the input says; zeros if there is none.
void tell_local_size(const KernelInfo& info, const Input& input, const Answer& answer) {
  std::size_t count = 0;
  check(input.value != nullptr && input.size == sizeof count, CL_INVALID_VALUE);
  std::memcpy(&count, input.value, sizeof count);
  const std::size_t sub_group = sub_group_items(info);
  std::vector<std::size_t> size(std::clamp<std::size_t>(answer.size / sizeof count, 1, 3), 0);
  const bool is_written = answer.value != nullptr;
  check(!is_written || (answer.size % sizeof count == 0 && answer.size <= 3 * sizeof count),
        CL_INVALID_VALUE);
  if (info.required_local_size) {
    const auto& required = *info.required_local_size;
    const bool fits = groups_of(required[0] * required[1] * required[2], sub_group) == count;
    if (fits) std::copy_n(required.begin(), size.size(), size.begin());
  } else if (count != 0 && count <= largest_group(info) / sub_group) {
    std::fill(size.begin(), size.end(), 1);
    size[0] = count * sub_group;
  }
  answer.give_list(size);
}

void tell(const KernelInfo& info, cl_kernel_sub_group_info name, const Input& input,
          const Answer& answer) {
  const std::size_t sub_group = sub_group_items(info);
  switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      items_of(input);
      return answer.give(sub_group);
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
      return answer.give(groups_of(items_of(input), sub_group));
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
      return tell_local_size(info, input, answer);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
      return answer.give(groups_of(largest_group(info), sub_group));
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
      return answer.give<std::size_t>(info.subgroups_per_workgroup.value_or(0));
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
      return answer.give<std::size_t>(info.subgroup_size.value_or(0));
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace

std::size_t sub_group_items(const KernelInfo& info) {
  return subgroup_items(info, environment().settings);
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info name,
                                           std::size_t input_value_size, const void* input_value,
                                           std::size_t size, void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(kernel, CL_INVALID_KERNEL);
    const _cl_kernel::Variant& variant = kernel->variant_for(&device_of(*kernel, device));
    check(variant.info != nullptr, CL_INVALID_DEVICE);
    tell(*variant.info, name, {input_value_size, input_value}, {size, value, size_ret});
  });
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info name,
                                              std::size_t input_value_size, const void* input_value,
                                              std::size_t size, void* value,
                                              std::size_t* size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, name, input_value_size, input_value, size, value,
                                 size_ret);
}
