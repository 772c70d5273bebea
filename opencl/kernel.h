// A kernel object: a kernel of a built program, and the arguments set so far.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opencl/memory_object.h"
#include "opencl/object.h"
#include "opencl/program.h"
#include "transpire/transpire.hpp"

struct _cl_kernel final : transpire::opencl::Object<_cl_kernel, transpire::opencl::Kind::kKernel> {
  /// A kernel of one of the program's images. No build changes the image while there are kernels.
  struct Variant {
    const transpire::opencl::Image* image;
    const transpire::KernelInfo* info;  ///< null if devices with this image have no executable
  };
  /// Adds itself to `in.kernels`; the caller holds that program's mutex.
  _cl_kernel(_cl_program& in, std::vector<Variant> by_image);
  ~_cl_kernel();

  const transpire::opencl::Ref<_cl_program> program;
  const std::vector<Variant> variants;  ///< by image
  const transpire::KernelInfo& info;    ///< from the first image that has one

  /// The variant that a device of the program runs.
  const Variant& variant_for(const _cl_device_id* device) const {
    return variants.size() == 1 ? variants[0] : variants[program->image_number(device)];
  }

  /// Guarded by `mutex`. The API forbids two threads to set arguments of one kernel, but that
  /// mistake must not corrupt the host's memory.
  std::mutex mutex;
  struct Argument {
    transpire::Argument value;  ///< kUnset until it is set; for a memory object only its kind
    /// The memory object. The API forbids that kernels hold it: no call would make them release it.
    transpire::opencl::Weak<_cl_mem> memory;
  };
  std::vector<Argument> arguments;
  std::vector<void*> svm_pointers;  ///< from clSetKernelExecInfo
};

namespace transpire::opencl {

/// The device that a call means. The call may leave it out if there is only one.
const _cl_device_id& device_of(const _cl_kernel& kernel, cl_device_id device);
/// Maximum number of work-items of a work-group.
std::size_t largest_group(const KernelInfo& info);
/// Work-items of a sub-group; the last one of a work-group may have fewer.
std::size_t sub_group_items(const KernelInfo& info);

}  // namespace transpire::opencl
