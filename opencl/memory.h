// A memory object: a buffer, a sub-buffer, an image or a pipe. Devices and host share the bytes, so nothing is
// ever migrated and a map is the object's own address.
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
  std::uint32_t level = 0;  ///< of a mipmap
};

/// What a memory object has that is an image, besides its bytes.
struct Texels {
  cl_image_format format{};
  cl_image_desc descriptor{};  ///< as the application gave it; `mem_object` is the parent
  memory::Image layout;        ///< where texels lie
  transpire::Image image;      ///< what kernels get
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
  transpire::Buffer buffer;  ///< the bytes; of a sub-buffer: a slice; a pipe has none
  void* host_ptr = nullptr;  ///< as CL_MEM_USE_HOST_PTR gave it
  /// Of a sub-buffer, and of an image made of another object.
  transpire::opencl::Ref<_cl_mem> parent;
  std::size_t offset = 0;                                   ///< into the parent
  std::unique_ptr<const transpire::opencl::Texels> texels;  ///< of an image; else null
  std::optional<transpire::Pipe> pipe{};                    ///< of a pipe

  bool is_image() const { return texels != nullptr; }
  bool is_pipe() const { return pipe.has_value(); }
  bool is_buffer() const { return !is_image() && !is_pipe(); }
  std::span<std::byte> bytes() const { return buffer.bytes(); }

  /// The object whose storage this is: itself, or the parent's.
  _cl_mem& root() { return parent ? parent->root() : *this; }
  bool host_may_read() const {
    return (flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }
  bool host_may_write() const {
    return (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
  }

  /// A map that was not undone, of the object itself or of one made of it.
  struct Map {
    const _cl_mem* object;
    std::byte* pointer;
    std::size_t size;  ///< bytes from the first to behind the last one
    cl_map_flags flags;
    transpire::opencl::LevelBox box{};  ///< of an image
  };
  std::mutex mutex;       ///< of the two lists
  std::vector<Map> maps;  ///< of a root: its own and those of what is made of it
  std::vector<std::function<void()>> destructor_callbacks;
};

namespace transpire::opencl {

/// Checks that `memory` is an object of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void check_memory(const _cl_command_queue& queue, cl_mem memory);
/// The same, of a buffer.
void check_buffer(const _cl_command_queue& queue, cl_mem buffer);

/// The shared virtual memory's allocation that `pointer` is in; empty when there is none.
std::span<std::byte> shared_range(_cl_context& context, const void* pointer);

/// Whether the object is made of shared virtual memory (CL_MEM_USES_SVM_POINTER).
bool uses_svm_pointer(const _cl_mem& memory);

/// Of clCreateBuffer and its like: known ones that do not exclude each other. Throws CL_INVALID_VALUE.
void check_flags(cl_mem_flags flags);

/// The flags of an object that is made of another one: those it is given, and those it inherits. Throws CL_INVALID_VALUE.
cl_mem_flags derived_flags(cl_mem_flags of_parent, cl_mem_flags flags);

/// A host pointer comes with the flags that ask for one, and only then. Throws CL_INVALID_HOST_PTR.
void check_host_pointer(cl_mem_flags flags, const void* host_ptr);

/// Host memory that an object of `size` bytes is to use (CL_MEM_USE_HOST_PTR) does not lead out of an allocation of shared
/// virtual memory that it begins in. Throws `otherwise`.
void check_shared_memory(_cl_context& context, cl_mem_flags flags, std::size_t size,
                         const void* host_ptr, cl_int otherwise);

/// Throws CL_MEM_OBJECT_ALLOCATION_FAILURE.
transpire::Buffer take_buffer(Result<transpire::Buffer> made);

/// Throws CL_INVALID_VALUE. Invalidating excludes reading and writing.
void check_map_flags(cl_map_flags flags);

/// Of those: whether the host may write what it maps.
bool is_for_writing(cl_map_flags flags);

/// Puts the map into the list of its root. Throws CL_INVALID_OPERATION when both it and another one that it overlaps
/// are for writing.
void add_map(_cl_mem& root, const _cl_mem::Map& map);

/// Takes out the last map of `memory` at `pointer`. Throws CL_INVALID_VALUE when there is none.
_cl_mem::Map remove_map(_cl_mem& memory, const void* pointer);

/// Whether the host may do what the flags of a map ask for. Throws CL_INVALID_OPERATION.
void check_map_access(const _cl_mem& memory, cl_map_flags flags);

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
