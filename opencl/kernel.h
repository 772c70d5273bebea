// A kernel object: a kernel of a built program, and the arguments set so far.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opencl/memory.h"
#include "opencl/object.h"
#include "opencl/program.h"
#include "transpire/transpire.hpp"

struct _cl_kernel final : transpire::opencl::Object<_cl_kernel, transpire::opencl::Kind::kKernel> {
  /// A kernel of one of the program's images. No build changes that while there are kernels.
  struct Variant {
    const transpire::opencl::Image* image;
    const transpire::KernelInfo* info;  ///< null when devices with this image have no executable
  };
  /// Counts itself in `in.kernels`, whose mutex is held.
  _cl_kernel(_cl_program& in, std::vector<Variant> by_image);
  ~_cl_kernel();

  const transpire::opencl::Ref<_cl_program> program;
  const std::vector<Variant> variants;  ///< by image
  const transpire::KernelInfo& info;    ///< of the first there is: its parameters are those of all

  /// What a device of the program's runs.
  const Variant& variant_for(const _cl_device_id* device) const {
    return variants.size() == 1 ? variants[0] : variants[program->image_number(device)];
  }

  /// Guarded by `mutex`: the API lets several threads set arguments only of different kernels, but
  /// a mistake there must not reach the host's memory.
  std::mutex mutex;
  struct Argument {
    transpire::Argument value;  ///< kUnset until it is set; of a memory object, only its kind
    /// The memory object. The API forbids that kernels hold it: nobody could tell them to let it go.
    transpire::opencl::Weak<_cl_mem> memory;
  };
  std::vector<Argument> arguments;
  std::vector<void*> svm_pointers;  ///< clSetKernelExecInfo
};

namespace transpire::opencl {

/// The device that is meant; it may be left out where there is one only.
const _cl_device_id& device_of(const _cl_kernel& kernel, cl_device_id device);
/// Work-items of the largest work-group.
std::size_t largest_group(const KernelInfo& info);
/// Work-items of a sub-group, but for the last one of a work-group.
std::size_t sub_group_items(const KernelInfo& info);

}  // namespace transpire::opencl
