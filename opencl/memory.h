// A memory object: a buffer or a sub-buffer. Devices and host share the bytes, so nothing is ever
// migrated and a map is the buffer's own address.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "opencl/context.h"
#include "opencl/object.h"
#include "transpire/transpire.hpp"

struct _cl_mem final : transpire::opencl::Object<_cl_mem, transpire::opencl::Kind::kMemory> {
  explicit _cl_mem(_cl_context& in) : context(&in) {}
  ~_cl_mem();  ///< calls the destructor callbacks, last registered first

  const transpire::opencl::Ref<_cl_context> context;
  cl_mem_flags flags = 0;
  std::vector<cl_mem_properties> properties;
  transpire::Buffer buffer;  ///< of a sub-buffer: a slice
  void* host_ptr = nullptr;  ///< as CL_MEM_USE_HOST_PTR gave it
  transpire::opencl::Ref<_cl_mem> parent;  ///< of a sub-buffer
  std::size_t offset = 0;                  ///< into the parent

  std::span<std::byte> bytes() const { return buffer.bytes(); }

  /// Maps that were not undone, guarded by `mutex`.
  struct Map {
    void* pointer;
    cl_map_flags flags;
  };
  std::mutex mutex;
  std::vector<Map> maps;
  std::vector<std::function<void()>> destructor_callbacks;
};
