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
  /// Counts itself in `in.kernels`, whose mutex is held. `module` is the program's at the time.
  _cl_kernel(_cl_program& in, transpire::Module module, const transpire::KernelInfo& kernel);
  ~_cl_kernel();

  const transpire::opencl::Ref<_cl_program> program;
  const transpire::Module module;
  const transpire::KernelInfo& info;  ///< of `module`

  /// Guarded by `mutex`: the API lets several threads set arguments only of different kernels, but
  /// a mistake there must not reach the host's memory.
  std::mutex mutex;
  struct Argument {
    transpire::Argument value;  ///< kUnset until it is set; of a buffer, only its kind
    /// The buffer. The API forbids that kernels hold it: nobody could tell them to let it go.
    transpire::opencl::Weak<_cl_mem> memory;
  };
  std::vector<Argument> arguments;
  std::vector<void*> svm_pointers;  ///< clSetKernelExecInfo
};
