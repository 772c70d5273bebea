// Memory objects: creation of buffers and sub-buffers; queries and lifetime of all kinds.
#include "opencl/memory_object.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/platform.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

_cl_mem::~_cl_mem() {
  anchor->clear();
  // The host's memory remains, and others may use it. A destructor callback may also hand it to
  // other uses.
  const bool is_given_back = host_ptr == nullptr || !destructor_callbacks.empty();
  if (!parent && !is_pipe() && is_given_back) tell_freed(*context, bytes());
  if (parent) {
    _cl_mem& storage = root();
    const std::lock_guard lock(storage.mutex);
    std::erase_if(storage.maps, [this](const Map& map) { return map.object == this; });
  }
  while (!destructor_callbacks.empty()) {
    const std::function<void()> callback = std::move(destructor_callbacks.back());
    destructor_callbacks.pop_back();
    callback();
  }
}

namespace transpire::opencl {

void check_memory(const _cl_command_queue& queue, cl_mem memory) {
  check_object(memory, CL_INVALID_MEM_OBJECT);
  check(memory->context == queue.context, CL_INVALID_CONTEXT);
}

void check_buffer(const _cl_command_queue& queue, cl_mem buffer) {
  check_memory(queue, buffer);
  check(buffer->is_buffer(), CL_INVALID_MEM_OBJECT);
}

std::span<std::byte> shared_range(_cl_context& context, const void* pointer) {
  const SharedMemory* const shared = context.shared_memory_if_any();
  return shared == nullptr ? std::span<std::byte>() : shared->range_of(pointer);
}

bool uses_svm_pointer(const _cl_mem& memory) {
  return memory.host_ptr != nullptr && !shared_range(*memory.context, memory.host_ptr).empty();
}

namespace {

constexpr cl_mem_flags kKernelAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostPointer =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags kHostAccess =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

}  // namespace

void check_flags(cl_mem_flags flags) {
  check((flags & ~(kKernelAccess | kHostPointer | kHostAccess)) == 0, CL_INVALID_VALUE);
  check(std::popcount(flags & kKernelAccess) <= 1, CL_INVALID_VALUE);
  check(std::popcount(flags & kHostAccess) <= 1, CL_INVALID_VALUE);
  check((flags & CL_MEM_USE_HOST_PTR) == 0 ||
            (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0,
        CL_INVALID_VALUE);
}

void check_host_pointer(cl_mem_flags flags, const void* host_ptr) {
  const bool wanted = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  check(wanted == (host_ptr != nullptr), CL_INVALID_HOST_PTR);
}

Buffer take_buffer(Result<Buffer> made) {
  check(made.ok(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return std::move(*made);
}

cl_mem_flags derived_flags(cl_mem_flags of_parent, cl_mem_flags flags) {
  check_flags(flags);
  check((flags & kHostPointer) == 0, CL_INVALID_VALUE);
  const cl_mem_flags access = of_parent & kKernelAccess;
  const cl_mem_flags host = of_parent & kHostAccess;
  // An object made of another one gets no access that its parent lacks.
  if (access == CL_MEM_WRITE_ONLY || access == CL_MEM_READ_ONLY)
    check((flags & kKernelAccess & ~access) == 0, CL_INVALID_VALUE);
  if (host != 0)
    check((flags & kHostAccess & ~host & ~cl_mem_flags{CL_MEM_HOST_NO_ACCESS}) == 0,
          CL_INVALID_VALUE);
  if ((flags & kKernelAccess) == 0) flags |= access;
  if ((flags & kHostAccess) == 0) flags |= host;
  return flags | (of_parent & kHostPointer);
}

void check_shared_memory(_cl_context& context, cl_mem_flags flags, std::size_t size,
                         const void* host_ptr, cl_int otherwise) {
  if ((flags & CL_MEM_USE_HOST_PTR) == 0) return;
  const std::span<std::byte> range = shared_range(context, host_ptr);
  if (range.empty()) return;
  const auto offset =
      static_cast<std::size_t>(static_cast<const std::byte*>(host_ptr) - range.data());
  check(within(offset, size, range.size()), otherwise);
}

namespace {

void set_kernel_access(_cl_mem& memory) {
  if (!environment().enforce_flags) return;
  memory.buffer.set_read_only((memory.flags & CL_MEM_READ_ONLY) != 0);
  memory.buffer.set_write_only((memory.flags & CL_MEM_WRITE_ONLY) != 0);
}

cl_mem create_buffer(_cl_context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                     std::vector<cl_mem_properties> properties) {
  check_flags(flags);
  check(size != 0 && size <= max_alloc_bytes(), CL_INVALID_BUFFER_SIZE);
  check_host_pointer(flags, host_ptr);
  check_shared_memory(context, flags, size, host_ptr, CL_INVALID_BUFFER_SIZE);
  const bool uses_host = (flags & CL_MEM_USE_HOST_PTR) != 0;
  Buffer buffer = take_buffer(uses_host ? Buffer::wrap({static_cast<std::byte*>(host_ptr), size})
                                        : Buffer::create(size));
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) std::memcpy(buffer.bytes().data(), host_ptr, size);
  const cl_mem memory = new _cl_mem(context);
  memory->flags = flags;
  memory->properties = std::move(properties);
  memory->buffer = std::move(buffer);
  memory->host_ptr = uses_host ? host_ptr : nullptr;
  if (host_ptr == nullptr) begin_undefined(*memory);
  if (uses_host) give_up_shared(context, host_ptr);
  set_kernel_access(*memory);
  return memory;
}

cl_mem create_sub_buffer(_cl_mem& parent, cl_mem_flags flags, const cl_buffer_region& region) {
  check(region.size != 0, CL_INVALID_BUFFER_SIZE);
  check(within(region.origin, region.size, parent.bytes().size()), CL_INVALID_VALUE);
  check(region.origin % kMemBaseAlignBytes == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  Buffer slice = take_buffer(parent.buffer.slice(region.origin, region.size));
  const cl_mem memory = new _cl_mem(*parent.context);
  memory->flags = flags;
  memory->buffer = std::move(slice);
  if (parent.host_ptr != nullptr)
    memory->host_ptr = static_cast<std::byte*>(parent.host_ptr) + region.origin;
  memory->parent = Ref<_cl_mem>(&parent);
  memory->offset = region.origin;
  set_kernel_access(*memory);
  return memory;
}

cl_mem_object_type type_of(const _cl_mem& memory) {
  if (memory.is_pipe()) return CL_MEM_OBJECT_PIPE;
  return memory.is_image() ? memory.texels->descriptor.image_type : CL_MEM_OBJECT_BUFFER;
}

std::size_t size_of(const _cl_mem& memory) {
  return memory.is_pipe() ? memory.pipe->size_bytes() : memory.bytes().size();
}

cl_uint map_count(_cl_mem& memory) {
  _cl_mem& root = memory.root();
  const std::lock_guard lock(root.mutex);
  return static_cast<cl_uint>(
      std::count_if(root.maps.begin(), root.maps.end(),
                    [&](const _cl_mem::Map& map) { return map.object == &memory; }));
}

}  // namespace
}  // namespace transpire::opencl

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void* host_ptr, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_buffer(*context, flags, size, host_ptr, {});
  });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(properties == nullptr || *properties == 0, CL_INVALID_PROPERTY);  // no property is known
    return create_buffer(*context, flags, size, host_ptr, property_list(properties));
  });
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(buffer, CL_INVALID_MEM_OBJECT);
    check(!buffer->parent && buffer->is_buffer(), CL_INVALID_MEM_OBJECT);
    const cl_mem_flags all_flags = derived_flags(buffer->flags, flags);
    check(type == CL_BUFFER_CREATE_TYPE_REGION && info != nullptr, CL_INVALID_VALUE);
    return create_sub_buffer(*buffer, all_flags, *static_cast<const cl_buffer_region*>(info));
  });
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return guarded([&] {
    check_object(memobj, CL_INVALID_MEM_OBJECT);
    memobj->retain();
  });
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return guarded([&] {
    check_object(memobj, CL_INVALID_MEM_OBJECT);
    memobj->release();
  });
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                    void(CL_CALLBACK* function)(cl_mem, void*),
                                                    void* data) {
  return guarded([&] {
    check_object(memobj, CL_INVALID_MEM_OBJECT);
    check(function != nullptr, CL_INVALID_VALUE);
    const std::lock_guard lock(memobj->mutex);
    memobj->destructor_callbacks.emplace_back([=] { function(memobj, data); });
  });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t size,
                                      void* value, size_t* size_ret) {
  return guarded([&] {
    check_object(memobj, CL_INVALID_MEM_OBJECT);
    const Answer answer{size, value, size_ret};
    switch (param_name) {
      case CL_MEM_TYPE:
        return answer.give(type_of(*memobj));
      case CL_MEM_FLAGS:
        return answer.give(memobj->flags);
      case CL_MEM_SIZE:
        return answer.give(size_of(*memobj));
      case CL_MEM_HOST_PTR:
        return answer.give(memobj->host_ptr);
      case CL_MEM_MAP_COUNT:
        return answer.give(map_count(*memobj));
      case CL_MEM_REFERENCE_COUNT:
        return answer.give<cl_uint>(memobj->references());
      case CL_MEM_CONTEXT:
        return answer.give<cl_context>(memobj->context.get());
      case CL_MEM_ASSOCIATED_MEMOBJECT:
        return answer.give<cl_mem>(memobj->parent.get());
      case CL_MEM_OFFSET:
        return answer.give(memobj->offset);
      case CL_MEM_USES_SVM_POINTER:
        return answer.give<cl_bool>(uses_svm_pointer(*memobj));
      case CL_MEM_PROPERTIES:
        return answer.give_list(memobj->properties);
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}
