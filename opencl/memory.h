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
  const std::shared_ptr<transpire::opencl::Anchor<_cl_mem>> anchor =
      std::make_shared<transpire::opencl::Anchor<_cl_mem>>(this);
  cl_mem_flags flags = 0;
  std::vector<cl_mem_properties> properties;
  transpire::Buffer buffer;                ///< of a sub-buffer: a slice
  void* host_ptr = nullptr;                ///< as CL_MEM_USE_HOST_PTR gave it
  transpire::opencl::Ref<_cl_mem> parent;  ///< of a sub-buffer
  std::size_t offset = 0;                  ///< into the parent

  std::span<std::byte> bytes() const { return buffer.bytes(); }

  /// The object whose storage this is: itself, or the parent.
  _cl_mem& root() { return parent ? *parent : *this; }
  bool host_may_read() const {
    return (flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }
  bool host_may_write() const {
    return (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }

  /// A map that was not undone, of the object itself or of a sub-buffer.
  struct Map {
    const _cl_mem* object;
    std::byte* pointer;
    std::size_t size;
    cl_map_flags flags;
  };
  std::mutex mutex;       ///< of the two lists
  std::vector<Map> maps;  ///< of a root: its own and its sub-buffers'
  std::vector<std::function<void()>> destructor_callbacks;
};

namespace transpire::opencl {

/// Checks that `buffer` is one, of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void check_buffer(const _cl_command_queue& queue, cl_mem buffer);

/// The shared virtual memory's allocation that `pointer` is in; empty when there is none.
std::span<std::byte> shared_range(_cl_context& context, const void* pointer);

/// Whether the object is made of shared virtual memory (CL_MEM_USES_SVM_POINTER).
bool uses_svm_pointer(const _cl_mem& memory);

/// Of clCreateBuffer and its like: known ones that do not exclude each other. Throws CL_INVALID_VALUE.
void check_flags(cl_mem_flags flags);

/// Throws CL_INVALID_VALUE. Invalidating excludes reading and writing.
void check_map_flags(cl_map_flags flags);

/// Whether `size` bytes from `offset` on are among `whole` bytes.
constexpr bool within(std::size_t offset, std::size_t size, std::size_t whole) {
  return offset <= whole && size <= whole - offset;
}

/// Whether a fill pattern may have so many bytes: a power of two, up to 128.
constexpr bool is_pattern_size(std::size_t size) {
  return size != 0 && size <= 128 && (size & (size - 1)) == 0;
}

/// Writes the pattern to `bytes` over and over; its size divides theirs.
void fill(std::span<std::byte> bytes, std::span<const std::byte> pattern);

}  // namespace transpire::opencl
