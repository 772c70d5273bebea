// A memory object: a buffer, a sub-buffer, an image or a pipe. Devices and host share the bytes, so
// nothing is ever migrated, and a map is the object's own address.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "memory/image_copy.h"
#include "opencl/context.h"
#include "opencl/object.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// A box of texels of one level of an image.
struct LevelBox : memory::ImageBox {
  std::uint32_t level = 0;  ///< level of a mipmap
};

/// The additional state of an image.
struct Texels {
  cl_image_format format{};
  cl_image_desc descriptor{};  ///< as the application gave it; `mem_object` is the parent
  memory::Image layout;        ///< layout of the texels
  transpire::Image image;      ///< the image that kernels get
};

}  // namespace transpire::opencl

struct _cl_mem final : transpire::opencl::Object<_cl_mem, transpire::opencl::Kind::kMemory> {
  explicit _cl_mem(_cl_context& in) : context(&in) {}
  ~_cl_mem();  ///< calls the destructor callbacks, last registered first

  const transpire::opencl::Ref<_cl_context> context;
  const std::shared_ptr<transpire::opencl::Anchor<_cl_mem>> anchor =
      std::make_shared<transpire::opencl::Anchor<_cl_mem>>(this);
  cl_mem_flags flags = 0;
  std::vector<cl_mem_properties> properties;
  transpire::Buffer buffer;  ///< the bytes; for a sub-buffer a slice; none for a pipe
  void* host_ptr = nullptr;  ///< from CL_MEM_USE_HOST_PTR
  /// For sub-buffers, and images made of another object.
  transpire::opencl::Ref<_cl_mem> parent;
  std::size_t offset = 0;                                   ///< into the parent
  std::unique_ptr<const transpire::opencl::Texels> texels;  ///< null: no image
  std::optional<transpire::Pipe> pipe{};                    ///< for pipes

  bool is_image() const { return texels != nullptr; }
  bool is_pipe() const { return pipe.has_value(); }
  bool is_buffer() const { return !is_image() && !is_pipe(); }
  std::span<std::byte> bytes() const { return buffer.bytes(); }

  /// The object that owns the storage: this one, or its root parent.
  _cl_mem& root() { return parent ? parent->root() : *this; }
  bool host_may_read() const {
    return (flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }
  bool host_may_write() const {
    return (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }

  /// A map not undone yet, of the object or of one made of it.
  struct Map {
    const _cl_mem* object;
    std::byte* pointer;
    std::size_t size;  ///< bytes from the first to behind the last one
    cl_map_flags flags;
    transpire::opencl::LevelBox box{};  ///< for images
  };
  std::mutex mutex;       ///< guards the two lists
  std::vector<Map> maps;  ///< roots: maps of the object and of all objects made of it
  std::vector<std::function<void()>> destructor_callbacks;
};

namespace transpire::opencl {

/// Checks that `memory` is an object of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void check_memory(const _cl_command_queue& queue, cl_mem memory);
/// As check_memory(); also throws if it is no buffer.
void check_buffer(const _cl_command_queue& queue, cl_mem buffer);

/// The allocation of shared virtual memory that contains `pointer`; empty if there is none.
std::span<std::byte> shared_range(_cl_context& context, const void* pointer);

/// True if the object is made of shared virtual memory (CL_MEM_USES_SVM_POINTER).
bool uses_svm_pointer(const _cl_mem& memory);

/// Checks the flags of clCreateBuffer and the like: all known, none exclusive of each other. Throws
/// CL_INVALID_VALUE.
void check_flags(cl_mem_flags flags);

/// Flags of an object made of another one: its own and the inherited ones. Throws CL_INVALID_VALUE.
cl_mem_flags derived_flags(cl_mem_flags of_parent, cl_mem_flags flags);

/// Checks that a host pointer is given if, and only if, the flags ask for one. Throws
/// CL_INVALID_HOST_PTR.
void check_host_pointer(cl_mem_flags flags, const void* host_ptr);

/// Checks that host memory of `size` bytes (CL_MEM_USE_HOST_PTR) that begins in an allocation of
/// shared virtual memory also ends in it. Throws `otherwise`.
void check_shared_memory(_cl_context& context, cl_mem_flags flags, std::size_t size,
                         const void* host_ptr, cl_int otherwise);

/// Throws CL_MEM_OBJECT_ALLOCATION_FAILURE.
transpire::Buffer take_buffer(Result<transpire::Buffer> made);

/// Throws CL_INVALID_VALUE. Invalidating excludes reading and writing.
void check_map_flags(cl_map_flags flags);

/// True if the host may write what it maps with these flags.
bool is_for_writing(cl_map_flags flags);

/// Adds the map to its root's list. Throws CL_INVALID_OPERATION if it overlaps another one and both
/// are for writing.
void add_map(_cl_mem& root, const _cl_mem::Map& map);

/// Removes the last map of `memory` at `pointer`. Throws CL_INVALID_VALUE if there is none.
_cl_mem::Map remove_map(_cl_mem& memory, const void* pointer);

/// Checks that the host may access the object as the flags of a map ask. Throws
/// CL_INVALID_OPERATION.
void check_map_access(const _cl_mem& memory, cl_map_flags flags);

/// True if `size` bytes from `offset` on lie within `whole` bytes.
constexpr bool within(std::size_t offset, std::size_t size, std::size_t whole) {
  return offset <= whole && size <= whole - offset;
}

/// True if a fill pattern may have this size: a power of two, up to 128.
constexpr bool is_pattern_size(std::size_t size) {
  return size != 0 && size <= 128 && (size & (size - 1)) == 0;
}

/// Fills `bytes` with repetitions of the pattern, whose size divides theirs.
void fill(std::span<std::byte> bytes, std::span<const std::byte> pattern);

}  // namespace transpire::opencl
