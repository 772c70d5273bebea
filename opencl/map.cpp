// Maps. A map is the buffer's own address: the commands only have their place in the queue's order.
#include <algorithm>

#include "opencl/api.h"
#include "opencl/memory.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

constexpr cl_map_flags kWriting = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

void check_map(const _cl_mem& buffer, cl_map_flags flags, std::size_t offset, std::size_t size) {
  check(size != 0 && within(offset, size, buffer.bytes().size()), CL_INVALID_VALUE);
  check_map_flags(flags);
  check((flags & CL_MAP_READ) == 0 || buffer.host_may_read(), CL_INVALID_OPERATION);
  check((flags & kWriting) == 0 || buffer.host_may_write(), CL_INVALID_OPERATION);
}

/// Regions that are mapped for writing may not overlap, through sub-buffers neither.
void add_map(_cl_mem& root, const _cl_mem::Map& map) {
  const std::lock_guard lock(root.mutex);
  for (const _cl_mem::Map& other : root.maps)
    check((other.flags & kWriting) == 0 || (map.flags & kWriting) == 0 ||
              map.pointer + map.size <= other.pointer || other.pointer + other.size <= map.pointer,
          CL_INVALID_OPERATION);
  root.maps.push_back(map);
}

/// Takes out the last map of `memory` at `pointer`. Throws CL_INVALID_VALUE when there is none.
_cl_mem::Map remove_map(_cl_mem& memory, const void* pointer) {
  _cl_mem& root = memory.root();
  const std::lock_guard lock(root.mutex);
  const auto found = std::find_if(
      root.maps.rbegin(), root.maps.rend(),
      [&](const _cl_mem::Map& map) { return map.object == &memory && map.pointer == pointer; });
  check(found != root.maps.rend(), CL_INVALID_VALUE);
  const _cl_mem::Map map = *found;
  root.maps.erase(std::prev(found.base()));
  return map;
}

}  // namespace

void check_map_flags(cl_map_flags flags) {
  check((flags & ~(CL_MAP_READ | kWriting)) == 0, CL_INVALID_VALUE);
  check((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || flags == CL_MAP_WRITE_INVALIDATE_REGION,
        CL_INVALID_VALUE);
}

}  // namespace transpire::opencl

void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                     cl_bool blocking_map, cl_map_flags map_flags, size_t offset,
                                     size_t size, cl_uint count, const cl_event* list,
                                     cl_event* event, cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&] {
    check_queue(command_queue);
    check_buffer(*command_queue, buffer);
    check_waits(*command_queue->context, count, list);
    check_map(*buffer, map_flags, offset, size);
    std::byte* const pointer = buffer->bytes().data() + offset;
    add_map(buffer->root(), {buffer, pointer, size, map_flags});
    try {
      enqueue(*command_queue, CL_COMMAND_MAP_BUFFER, {count, list, event}, blocking_map != CL_FALSE,
              [memory = Ref<_cl_mem>(buffer)]() -> cl_int { return CL_COMPLETE; });
    } catch (...) {
      remove_map(*buffer, pointer);
      throw;
    }
    return static_cast<void*>(pointer);
  });
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                           void* mapped_ptr, cl_uint count, const cl_event* list,
                                           cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check_buffer(*command_queue, memobj);
    check_waits(*command_queue->context, count, list);
    remove_map(*memobj, mapped_ptr);
    enqueue(*command_queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, list, event}, false,
            [memory = Ref<_cl_mem>(memobj)]() -> cl_int { return CL_COMPLETE; });
  });
}
