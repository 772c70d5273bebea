// Commands that move bytes: read, write, copy, fill, their rectangular forms, migration.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/memory_object.h"
#include "opencl/queue.h"
#include "opencl/rectangle.h"

using namespace transpire::opencl;

namespace transpire::opencl {

void fill(std::span<std::byte> bytes, std::span<const std::byte> pattern) {
  if (bytes.empty()) return;
  std::memcpy(bytes.data(), pattern.data(), pattern.size());
  // Each round doubles the written part.
  for (std::size_t done = pattern.size(); done < bytes.size(); done *= 2)
    std::memcpy(bytes.data() + done, bytes.data(), std::min(done, bytes.size() - done));
}

namespace {

/// The checks that every command on one buffer starts with.
void check_target(cl_command_queue queue, cl_mem buffer, const Waits& waits) {
  check_queue(queue);
  check_buffer(*queue, buffer);
  check_waits(*queue->context, waits.count, waits.list);
}

/// A host pointer may point into the buffer's own memory, as a map does: hence memmove.
void move_bytes(void* to, const void* from, std::size_t size) {
  if (size != 0) std::memmove(to, from, size);
}

/// A rectangle in a buffer, and one in the host's memory.
struct HostRectangles {
  Rectangle buffer;
  Rectangle host;
};

/// The arguments of a command between a rectangle of a buffer and one of the host's memory.
struct HostTransfer {
  cl_command_queue queue;
  cl_mem buffer;
  Waits waits;
  bool blocking;
  const std::size_t* buffer_origin;
  const std::size_t* host_origin;
  const std::size_t* region;
  std::array<std::size_t, 4> pitches;  ///< row and slice pitch of the buffer, then of the host
  const void* pointer;
};

/// From the arguments of clEnqueueReadBufferRect and clEnqueueWriteBufferRect, in their order.
HostTransfer host_transfer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                           const size_t* buffer_origin, const size_t* host_origin,
                           const size_t* region, const std::array<std::size_t, 4>& pitches,
                           const void* pointer, const Waits& waits) {
  return {queue,  buffer,  waits,  blocking != CL_FALSE, buffer_origin, host_origin,
          region, pitches, pointer};
}

HostRectangles check_rectangles(const HostTransfer& given) {
  HostRectangles made{
      make_rectangle(given.buffer_origin, given.region, given.pitches[0], given.pitches[1]),
      make_rectangle(given.host_origin, given.region, given.pitches[2], given.pitches[3])};
  check(fits(made.buffer, given.buffer->bytes().size()), CL_INVALID_VALUE);
  check(given.pointer != nullptr &&
            fits(made.host, UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(given.pointer)),
        CL_INVALID_VALUE);
  return made;
}

/// `move` gets the buffer and the rectangles.
template <class Move>
cl_int enqueue_rectangles(cl_command_type type, const HostTransfer& given,
                          bool (_cl_mem::*permitted)() const, Move move) {
  return guarded([&] {
    check_target(given.queue, given.buffer, given.waits);
    const HostRectangles rectangles = check_rectangles(given);
    check((given.buffer->*permitted)(), CL_INVALID_OPERATION);
    enqueue(*given.queue, type, given.waits, given.blocking,
            [memory = Ref<_cl_mem>(given.buffer), rectangles, move]() -> cl_int {
              move(*memory, rectangles);
              return CL_COMPLETE;
            });
  });
}

bool share_storage(_cl_mem& a, _cl_mem& b) { return &a.root() == &b.root(); }

void check_copy_overlap(_cl_mem& from, std::size_t from_offset, _cl_mem& to, std::size_t to_offset,
                        std::size_t size) {
  if (!share_storage(from, to)) return;
  from_offset += from.offset;
  to_offset += to.offset;
  check(from_offset + size <= to_offset || to_offset + size <= from_offset, CL_MEM_COPY_OVERLAP);
}

void check_copy_rectangles(_cl_mem& from, const Rectangle& from_rectangle, _cl_mem& to,
                           const Rectangle& to_rectangle) {
  check(fits(from_rectangle, from.bytes().size()), CL_INVALID_VALUE);
  check(fits(to_rectangle, to.bytes().size()), CL_INVALID_VALUE);
  check(&from != &to || from_rectangle.slice_pitch == to_rectangle.slice_pitch ||
            from_rectangle.row_pitch == to_rectangle.row_pitch,
        CL_INVALID_VALUE);
  check(!share_storage(from, to) || !overlap(from_rectangle, from.offset, to_rectangle, to.offset),
        CL_MEM_COPY_OVERLAP);
}

}  // namespace
}  // namespace transpire::opencl

// ---- Between a buffer and the host -----------------------------------------------------------------

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       cl_bool blocking_read, size_t offset, size_t size, void* ptr,
                                       cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_target(command_queue, buffer, waits);
    check(within(offset, size, buffer->bytes().size()) && ptr != nullptr, CL_INVALID_VALUE);
    check(buffer->host_may_read(), CL_INVALID_OPERATION);
    enqueue(*command_queue, CL_COMMAND_READ_BUFFER, waits, blocking_read != CL_FALSE,
            [memory = Ref<_cl_mem>(buffer), offset, ptr, size]() -> cl_int {
              touch_to_read(*memory->context, memory->bytes().subspan(offset, size),
                            "clEnqueueReadBuffer");
              define_shared(*memory->context, ptr, size);
              move_bytes(ptr, memory->bytes().data() + offset, size);
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                        cl_bool blocking_write, size_t offset, size_t size,
                                        const void* ptr, cl_uint count, const cl_event* list,
                                        cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_target(command_queue, buffer, waits);
    check(within(offset, size, buffer->bytes().size()) && ptr != nullptr, CL_INVALID_VALUE);
    check(buffer->host_may_write(), CL_INVALID_OPERATION);
    enqueue(*command_queue, CL_COMMAND_WRITE_BUFFER, waits, blocking_write != CL_FALSE,
            [memory = Ref<_cl_mem>(buffer), offset, ptr, size]() -> cl_int {
              touch_to_write(*memory->context, memory->bytes().subspan(offset, size),
                             "clEnqueueWriteBuffer");
              move_bytes(memory->bytes().data() + offset, ptr, size);
              define(*memory, offset, size);
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                           cl_bool blocking_read, const size_t* buffer_origin,
                                           const size_t* host_origin, const size_t* region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch,
                                           void* ptr, cl_uint count, const cl_event* list,
                                           cl_event* event) {
  const HostTransfer given =
      host_transfer(command_queue, buffer, blocking_read, buffer_origin, host_origin, region,
                    {buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch}, ptr,
                    {count, list, event});
  return enqueue_rectangles(CL_COMMAND_READ_BUFFER_RECT, given, &_cl_mem::host_may_read,
                            [ptr](const _cl_mem& memory, const HostRectangles& rectangles) {
                              touch_to_read(*memory.context,
                                            {memory.bytes().data(), rectangles.buffer},
                                            "clEnqueueReadBufferRect");
                              copy(static_cast<std::byte*>(ptr), rectangles.host,
                                   memory.bytes().data(), rectangles.buffer);
                              give_up_shared(*memory.context, ptr);
                            });
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                            cl_bool blocking_write, const size_t* buffer_origin,
                                            const size_t* host_origin, const size_t* region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch,
                                            const void* ptr, cl_uint count, const cl_event* list,
                                            cl_event* event) {
  const HostTransfer given =
      host_transfer(command_queue, buffer, blocking_write, buffer_origin, host_origin, region,
                    {buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch}, ptr,
                    {count, list, event});
  return enqueue_rectangles(CL_COMMAND_WRITE_BUFFER_RECT, given, &_cl_mem::host_may_write,
                            [ptr](const _cl_mem& memory, const HostRectangles& rectangles) {
                              touch_to_write(*memory.context,
                                             {memory.bytes().data(), rectangles.buffer},
                                             "clEnqueueWriteBufferRect");
                              copy(memory.bytes().data(), rectangles.buffer,
                                   static_cast<const std::byte*>(ptr), rectangles.host);
                              define(memory, rectangles.buffer);
                            });
}

// ---- Between buffers -------------------------------------------------------------------------------

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                       cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                       size_t size, cl_uint count, const cl_event* list,
                                       cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_target(command_queue, src_buffer, waits);
    check_buffer(*command_queue, dst_buffer);
    check(within(src_offset, size, src_buffer->bytes().size()), CL_INVALID_VALUE);
    check(within(dst_offset, size, dst_buffer->bytes().size()), CL_INVALID_VALUE);
    check_copy_overlap(*src_buffer, src_offset, *dst_buffer, dst_offset, size);
    enqueue(*command_queue, CL_COMMAND_COPY_BUFFER, waits, false,
            [from = Ref<_cl_mem>(src_buffer), to = Ref<_cl_mem>(dst_buffer), src_offset, dst_offset,
             size]() -> cl_int {
              touch_to_read(*from->context, from->bytes().subspan(src_offset, size),
                            "clEnqueueCopyBuffer");
              touch_to_write(*to->context, to->bytes().subspan(dst_offset, size),
                             "clEnqueueCopyBuffer");
              std::memmove(to->bytes().data() + dst_offset, from->bytes().data() + src_offset,
                           size);
              copy_defined(*to, dst_offset, *from, src_offset, size);
              return CL_COMPLETE;
            });
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                           cl_mem dst_buffer, const size_t* src_origin,
                                           const size_t* dst_origin, const size_t* region,
                                           size_t src_row_pitch, size_t src_slice_pitch,
                                           size_t dst_row_pitch, size_t dst_slice_pitch,
                                           cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_target(command_queue, src_buffer, waits);
    check_buffer(*command_queue, dst_buffer);
    const Rectangle source = make_rectangle(src_origin, region, src_row_pitch, src_slice_pitch);
    const Rectangle target = make_rectangle(dst_origin, region, dst_row_pitch, dst_slice_pitch);
    check_copy_rectangles(*src_buffer, source, *dst_buffer, target);
    enqueue(
        *command_queue, CL_COMMAND_COPY_BUFFER_RECT, waits, false,
        [from = Ref<_cl_mem>(src_buffer), to = Ref<_cl_mem>(dst_buffer), source,
         target]() -> cl_int {
          touch_to_read(*from->context, {from->bytes().data(), source}, "clEnqueueCopyBufferRect");
          touch_to_write(*to->context, {to->bytes().data(), target}, "clEnqueueCopyBufferRect");
          copy(to->bytes().data(), target, from->bytes().data(), source);
          copy_defined(*to, target, *from, source);
          return CL_COMPLETE;
        });
  });
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       const void* pattern, size_t pattern_size, size_t offset,
                                       size_t size, cl_uint count, const cl_event* list,
                                       cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_target(command_queue, buffer, waits);
    check(within(offset, size, buffer->bytes().size()), CL_INVALID_VALUE);
    check(pattern != nullptr && is_pattern_size(pattern_size), CL_INVALID_VALUE);
    check(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
    const auto* const bytes = static_cast<const std::byte*>(pattern);
    enqueue(*command_queue, CL_COMMAND_FILL_BUFFER, waits, false,
            [memory = Ref<_cl_mem>(buffer), offset, size,
             copied = std::vector<std::byte>(bytes, bytes + pattern_size)]() -> cl_int {
              touch_to_write(*memory->context, memory->bytes().subspan(offset, size),
                             "clEnqueueFillBuffer");
              fill(memory->bytes().subspan(offset, size), copied);
              define(*memory, offset, size);
              return CL_COMPLETE;
            });
  });
}

/// Devices and host share all memory, so there is nothing to move.
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue,
                                              cl_uint num_mem_objects, const cl_mem* mem_objects,
                                              cl_mem_migration_flags flags, cl_uint count,
                                              const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check(num_mem_objects != 0 && mem_objects != nullptr, CL_INVALID_VALUE);
    check((flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST |
                                           CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED}) == 0,
          CL_INVALID_VALUE);
    for (cl_uint i = 0; i != num_mem_objects; ++i) check_memory(*command_queue, mem_objects[i]);
    std::vector<Ref<_cl_mem>> given_up;
    for (cl_uint i = 0; i != num_mem_objects; ++i)
      if ((flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0)
        given_up.emplace_back(mem_objects[i]);
    enqueue(*command_queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, {count, list, event}, false,
            [given_up]() -> cl_int {
              for (const Ref<_cl_mem>& memory : given_up) undefine(*memory);
              return CL_COMPLETE;
            });
  });
}
