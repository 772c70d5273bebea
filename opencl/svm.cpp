// Shared virtual memory: each context has one range of addresses that host and kernels share. All
// of it is always coherent, as fine-grained buffers with atomics require, so coarse-grained buffers
// need nothing more.
#include <bit>
#include <cstring>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/memory_object.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_svm_mem_flags kGrain = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
/// Size of the largest data type, long16: the default and the maximum alignment.
constexpr cl_uint kMaxAlignment = 128;

bool is_valid_allocation(cl_svm_mem_flags flags, std::size_t size, cl_uint alignment) {
  if ((flags & ~(kAccess | kGrain)) != 0 || std::popcount(flags & kAccess) > 1) return false;
  if ((flags & kGrain) == CL_MEM_SVM_ATOMICS) return false;
  return size != 0 && size <= max_alloc_bytes() &&
         (alignment == 0 || (std::has_single_bit(alignment) && alignment <= kMaxAlignment));
}

bool overlap(const void* a, const void* b, std::size_t size) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y ? y - x < size : x - y < size;
}

/// True if [pointer, pointer + size) can be the application's bytes: it does not wrap around, and
/// if it begins in an allocation of the context, it ends there.
bool can_be_range(_cl_context& context, const void* pointer, std::size_t size) {
  if (size > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(pointer)) return false;
  const std::span<std::byte> range = shared_range(context, pointer);
  return range.empty() ||
         within(static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - range.data()),
                size, range.size());
}

/// Frees an allocation of the context; ignores other pointers.
void release(_cl_context& context, void* pointer) {
  const SharedMemory* const shared = context.shared_memory_if_any();
  if (shared == nullptr || pointer == nullptr) return;
  tell_freed(context, shared->range_of(pointer));
  shared->release(pointer);
}

/// True if [pointer, pointer + size) lies within an allocation; for size 0, if pointer does.
bool is_within_allocation(_cl_context& context, const void* pointer, std::size_t size) {
  const SharedMemory* const shared = context.shared_memory_if_any();
  if (shared == nullptr) return false;
  const std::span<std::byte> range = shared->range_of(pointer);
  if (range.empty()) return false;
  const auto offset =
      static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - range.data());
  return within(offset, size, range.size());
}

}  // namespace
}  // namespace transpire::opencl

void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment) {
  return guarded_create<void*>(nullptr, [&]() -> void* {
    check_object(context, CL_INVALID_CONTEXT);
    if (!is_valid_allocation(flags, size, alignment)) return nullptr;
    void* const made = context->shared_memory().allocate(
        size, alignment != 0 ? alignment : kMaxAlignment, "shared virtual memory");
    if (context->order != nullptr && made != nullptr)
      context->order->allocated({static_cast<std::byte*>(made), size}, (flags & kGrain) != 0);
    // The host writes fine-grained allocations without a call, so only coarse-grained ones are
    // tracked.
    if (made != nullptr && (flags & kGrain) == 0) begin_undefined_shared(*context, made);
    return made;
  });
}

void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    release(*context, svm_pointer);
  });
}

cl_int CL_API_CALL
clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void* svm_pointers[],
                 void(CL_CALLBACK* free_function)(cl_command_queue, cl_uint, void*[], void*),
                 void* user_data, cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check((num_svm_pointers == 0) == (svm_pointers == nullptr), CL_INVALID_VALUE);
    std::vector<void*> pointers(svm_pointers, svm_pointers + num_svm_pointers);
    // The command holds its queue, so the plain pointer stays valid.
    enqueue(*command_queue, CL_COMMAND_SVM_FREE, {count, list, event}, false,
            [command_queue, pointers, free_function, user_data]() mutable -> cl_int {
              if (free_function != nullptr) {
                free_function(command_queue, static_cast<cl_uint>(pointers.size()), pointers.data(),
                              user_data);
              } else {
                for (void* const pointer : pointers) release(*command_queue->context, pointer);
              }
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                      void* dst_ptr, const void* src_ptr, size_t size,
                                      cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check_waits(*command_queue->context, count, list);
    check(dst_ptr != nullptr && src_ptr != nullptr, CL_INVALID_VALUE);
    check(can_be_range(*command_queue->context, dst_ptr, size) &&
              can_be_range(*command_queue->context, src_ptr, size),
          CL_INVALID_VALUE);
    check(!overlap(dst_ptr, src_ptr, size), CL_MEM_COPY_OVERLAP);
    enqueue(*command_queue, CL_COMMAND_SVM_MEMCPY, {count, list, event}, blocking_copy != CL_FALSE,
            [command_queue, dst_ptr, src_ptr, size]() -> cl_int {
              _cl_context& context = *command_queue->context;
              touch_to_read(context, std::span(static_cast<const std::byte*>(src_ptr), size),
                            "clEnqueueSVMMemcpy");
              touch_to_write(context, std::span(static_cast<const std::byte*>(dst_ptr), size),
                             "clEnqueueSVMMemcpy");
              std::memcpy(dst_ptr, src_ptr, size);
              copy_defined_shared(context, dst_ptr, src_ptr, size);
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr,
                                       const void* pattern, size_t pattern_size, size_t size,
                                       cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check_waits(*command_queue->context, count, list);
    check(svm_ptr != nullptr, CL_INVALID_VALUE);
    check(pattern != nullptr && is_pattern_size(pattern_size), CL_INVALID_VALUE);
    check(reinterpret_cast<std::uintptr_t>(svm_ptr) % pattern_size == 0, CL_INVALID_VALUE);
    check(size % pattern_size == 0, CL_INVALID_VALUE);
    check(can_be_range(*command_queue->context, svm_ptr, size), CL_INVALID_VALUE);
    const auto* const bytes = static_cast<const std::byte*>(pattern);
    enqueue(*command_queue, CL_COMMAND_SVM_MEMFILL, {count, list, event}, false,
            [command_queue, target = std::span(static_cast<std::byte*>(svm_ptr), size),
             copied = std::vector<std::byte>(bytes, bytes + pattern_size)]() -> cl_int {
              touch_to_write(*command_queue->context, target, "clEnqueueSVMMemFill");
              fill(target, copied);
              define_shared(*command_queue->context, target.data(), target.size());
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                   cl_map_flags map_flags, void* svm_ptr, size_t size,
                                   cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check_waits(*command_queue->context, count, list);
    check(svm_ptr != nullptr && size != 0, CL_INVALID_VALUE);
    check(can_be_range(*command_queue->context, svm_ptr, size), CL_INVALID_VALUE);
    check_map_flags(map_flags);
    enqueue(*command_queue, CL_COMMAND_SVM_MAP, {count, list, event}, blocking_map != CL_FALSE,
            [command_queue, map_flags, svm_ptr, size]() -> cl_int {
              tell_mapped(*command_queue->context,
                          std::span(static_cast<std::byte*>(svm_ptr), size),
                          is_for_writing(map_flags));
              if (is_for_writing(map_flags)) define_shared(*command_queue->context, svm_ptr, size);
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr, cl_uint count,
                                     const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check(svm_ptr != nullptr, CL_INVALID_VALUE);
    enqueue(*command_queue, CL_COMMAND_SVM_UNMAP, {count, list, event}, false,
            [command_queue, svm_ptr]() -> cl_int {
              tell_unmapped(*command_queue->context, svm_ptr);
              return CL_COMPLETE;
            });
  });
}

/// Devices and host share all memory, so the command has no work.
cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                          const void** svm_pointers, const size_t* sizes,
                                          cl_mem_migration_flags flags, cl_uint count,
                                          const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check(num_svm_pointers != 0 && svm_pointers != nullptr, CL_INVALID_VALUE);
    check((flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST |
                                           CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED}) == 0,
          CL_INVALID_VALUE);
    for (cl_uint i = 0; i != num_svm_pointers; ++i)
      check(is_within_allocation(*command_queue->context, svm_pointers[i],
                                 sizes == nullptr ? 0 : sizes[i]),
            CL_INVALID_VALUE);
    enqueue(*command_queue, CL_COMMAND_SVM_MIGRATE_MEM, {count, list, event}, false, nullptr);
  });
}
