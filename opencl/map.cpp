// Maps of buffers, and code shared with maps of images. A map is the object's own address, so the
// commands only take their place in the queue's order.
#include <algorithm>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/image.h"
#include "opencl/memory_object.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

constexpr cl_map_flags kWriting = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

void check_map(const _cl_mem& buffer, cl_map_flags flags, std::size_t offset, std::size_t size) {
  check(size != 0 && within(offset, size, buffer.bytes().size()), CL_INVALID_VALUE);
  check_map_flags(flags);
  check_map_access(buffer, flags);
}

/// Boxes of one image, or of views of it, have interleaved rows; all other maps are compared as
/// ranges from first to last byte.
bool share_bytes(const _cl_mem::Map& a, const _cl_mem::Map& b) {
  if (!have_same_texels(*a.object, *b.object))
    return a.pointer < b.pointer + b.size && b.pointer < a.pointer + a.size;
  if (a.box.level != b.box.level) return false;
  for (std::size_t k = 0; k < 3; ++k)
    if (a.box.origin[k] >= b.box.origin[k] + b.box.size[k] ||
        b.box.origin[k] >= a.box.origin[k] + a.box.size[k])
      return false;
  return true;
}

}  // namespace

void add_map(_cl_mem& root, const _cl_mem::Map& map) {
  const std::lock_guard lock(root.mutex);
  for (const _cl_mem::Map& other : root.maps)
    check(!is_for_writing(other.flags) || !is_for_writing(map.flags) || !share_bytes(map, other),
          CL_INVALID_OPERATION);
  root.maps.push_back(map);
}

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

void check_map_access(const _cl_mem& memory, cl_map_flags flags) {
  check((flags & CL_MAP_READ) == 0 || memory.host_may_read(), CL_INVALID_OPERATION);
  check(!is_for_writing(flags) || memory.host_may_write(), CL_INVALID_OPERATION);
}

bool is_for_writing(cl_map_flags flags) { return (flags & kWriting) != 0; }

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
              [memory = Ref<_cl_mem>(buffer), map_flags, offset, size]() -> cl_int {
                const bool for_writing = is_for_writing(map_flags);
                if (for_writing) define(*memory, offset, size);
                tell_mapped(*memory->context, memory->bytes().subspan(offset, size), for_writing);
                return CL_COMPLETE;
              });
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
    check_memory(*command_queue, memobj);
    check(!memobj->is_pipe(), CL_INVALID_MEM_OBJECT);
    check_waits(*command_queue->context, count, list);
    remove_map(*memobj, mapped_ptr);
    enqueue(*command_queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, list, event}, false,
            [memory = Ref<_cl_mem>(memobj), mapped_ptr]() -> cl_int {
              tell_unmapped(*memory->context, mapped_ptr);
              return CL_COMPLETE;
            });
  });
}
