// Commands on images: reading, writing, copying, filling and mapping boxes of their texels.
#include <cstring>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/image.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

/// The checks that every command on one image starts with.
void check_image_target(cl_command_queue queue, cl_mem image, const Waits& waits) {
  check_queue(queue);
  check_image(*queue, image);
  check_waits(*queue->context, waits.count, waits.list);
}

/// A box of an image, and the host's memory that it is copied to or from.
struct ImageTransfer {
  LevelBox box;
  memory::LinearPitches pitches;
  std::size_t host_bytes;
};

/// Bytes that the box takes in linear memory at `pointer` with these pitches. Throws
/// CL_INVALID_VALUE.
ImageTransfer check_host_memory(const _cl_mem& image, const LevelBox& box,
                                const memory::LinearPitches& pitches, const void* pointer) {
  const memory::Image& layout = image.texels->layout;
  check(memory::has_slices(layout.dim) || pitches.slice_pitch == 0, CL_INVALID_VALUE);
  const Checked bytes = memory::linear_bytes(layout, box, pitches);
  check(pointer != nullptr && bytes.fits(UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(pointer)),
        CL_INVALID_VALUE);
  return {box, pitches, bytes.value()};
}

ImageTransfer check_read(const _cl_mem& image, const LevelBox& box,
                         const memory::LinearPitches& pitches, const void* pointer) {
  const ImageTransfer given = check_host_memory(image, box, pitches, pointer);
  check(image.host_may_read(), CL_INVALID_OPERATION);
  return given;
}

ImageTransfer check_write(const _cl_mem& image, const LevelBox& box,
                          const memory::LinearPitches& pitches, const void* pointer) {
  const ImageTransfer given = check_host_memory(image, box, pitches, pointer);
  check(image.host_may_write(), CL_INVALID_OPERATION);
  return given;
}

/// The rows of texels of a box.
TouchedBytes rows_of(const _cl_mem& image, const LevelBox& box) {
  const memory::Image& layout = image.texels->layout;
  const memory::ImageLevel& level = layout.level[box.level];
  std::uint64_t first = level.offset;
  for (std::size_t k = 0; k < 3; ++k) first += box.origin[k] * level.pitch[k];
  Rectangle rows;
  rows.region = {box.size[0] * layout.element_bytes, box.size[1], box.size[2]};
  rows.row_pitch = level.pitch[1];
  rows.slice_pitch = level.pitch[2];
  return {layout.texels + first, rows};
}

/// Checked copies do not fail.
cl_int status_of(memory::CopyError error) {
  return error == memory::CopyError::kNone ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

void enqueue_read(cl_command_queue queue, cl_mem image, bool blocking, const ImageTransfer& given,
                  void* pointer, const Waits& waits) {
  enqueue(*queue, CL_COMMAND_READ_IMAGE, waits, blocking,
          [from = Ref<_cl_mem>(image), given, pointer] {
            give_up_shared(*from->context, pointer);
            touch_to_read(*from->context, rows_of(*from, given.box), "clEnqueueReadImage");
            return status_of(memory::copy_to_linear(
                from->texels->layout, given.box.level, given.box,
                {static_cast<std::byte*>(pointer), given.host_bytes}, given.pitches));
          });
}

void enqueue_write(cl_command_queue queue, cl_mem image, bool blocking, const ImageTransfer& given,
                   const void* pointer, const Waits& waits) {
  enqueue(*queue, CL_COMMAND_WRITE_IMAGE, waits, blocking,
          [to = Ref<_cl_mem>(image), given, pointer] {
            touch_to_write(*to->context, rows_of(*to, given.box), "clEnqueueWriteImage");
            define_all(*to);
            return status_of(memory::copy_from_linear(
                to->texels->layout, given.box.level, given.box,
                {static_cast<const std::byte*>(pointer), given.host_bytes}, given.pitches));
          });
}

/// The bytes of a buffer that a box of an image is copied to or from, rows and slices without gaps.
std::span<std::byte> buffer_part(const _cl_mem& buffer, std::size_t offset, const _cl_mem& image,
                                 const LevelBox& box) {
  const Checked size = memory::linear_bytes(image.texels->layout, box, {});
  const std::size_t whole = buffer.bytes().size();
  check(offset <= whole && size.fits(whole - offset), CL_INVALID_VALUE);
  return buffer.bytes().subspan(offset, size.value());
}

/// An image made of a buffer is not copied to or from that buffer.
void check_apart(const _cl_mem& image, const _cl_mem& buffer) {
  check(image.parent.get() != &buffer, CL_INVALID_MEM_OBJECT);
}

/// A fill command's color, converted to the image's format.
struct FillColor {
  memory::TexelKind kind;
  std::byte bytes[16] = {};

  template <class T>
  memory::Texel<T> as() const {
    memory::Texel<T> texel;
    std::memcpy(&texel, bytes, sizeof texel);
    return texel;
  }
};

/// The color has four components, a depth one.
FillColor fill_color_of(const _cl_mem& image, const void* color) {
  check(color != nullptr, CL_INVALID_VALUE);
  const memory::ImageFormat format = image.texels->layout.format;
  FillColor made{memory::texel_kind(format.type)};
  std::memcpy(made.bytes, color,
              memory::is_depth(format.order) ? sizeof(cl_float) : sizeof made.bytes);
  return made;
}

memory::CopyError fill_image(const memory::Image& layout, const LevelBox& box,
                             const FillColor& color) {
  switch (color.kind) {
    case memory::TexelKind::kSigned:
      return memory::fill_box(layout, box.level, box, color.as<std::int32_t>());
    case memory::TexelKind::kUnsigned:
      return memory::fill_box(layout, box.level, box, color.as<std::uint32_t>());
    default:
      return memory::fill_box(layout, box.level, box, color.as<float>());
  }
}

/// For copies within one image, or between two that share texels.
void check_image_overlap(const _cl_mem& from, const _cl_mem& to, const LevelBox& box,
                         const LevelBox& target) {
  check(!have_same_texels(from, to) || box.level != target.level ||
            !memory::overlap(box, target.origin),
        CL_MEM_COPY_OVERLAP);
}

/// The address of a box, and the number of bytes up to the end of its last texel.
_cl_mem::Map map_of(const _cl_mem& image, const LevelBox& box, cl_map_flags flags) {
  const memory::Image& layout = image.texels->layout;
  const memory::ImageLevel& level = layout.level[box.level];
  std::uint64_t first = level.offset, last = level.offset;
  for (std::size_t k = 0; k < 3; ++k) {
    first += box.origin[k] * level.pitch[k];
    last += (box.origin[k] + box.size[k] - 1) * level.pitch[k];
  }
  return {&image, layout.texels + first, last - first + layout.element_bytes, flags, box};
}

void give_pitches(const _cl_mem& image, std::uint32_t level, std::size_t* row_pitch,
                  std::size_t* slice_pitch) {
  const memory::Image& layout = image.texels->layout;
  *row_pitch = layout.level[level].row_pitch;
  if (slice_pitch != nullptr)
    *slice_pitch = memory::has_slices(layout.dim) ? layout.level[level].slice_pitch : 0;
}

}  // namespace
}  // namespace transpire::opencl

// ---- Between an image and the host -----------------------------------------------------------------

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                      cl_bool blocking_read, const size_t* origin,
                                      const size_t* region, size_t row_pitch, size_t slice_pitch,
                                      void* ptr, cl_uint count, const cl_event* list,
                                      cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, image, waits);
    const ImageTransfer given =
        check_read(*image, box_of(*image, origin, region), {row_pitch, slice_pitch}, ptr);
    enqueue_read(command_queue, image, blocking_read != CL_FALSE, given, ptr, waits);
  });
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                       cl_bool blocking_write, const size_t* origin,
                                       const size_t* region, size_t row_pitch, size_t slice_pitch,
                                       const void* ptr, cl_uint count, const cl_event* list,
                                       cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, image, waits);
    const ImageTransfer given =
        check_write(*image, box_of(*image, origin, region), {row_pitch, slice_pitch}, ptr);
    enqueue_write(command_queue, image, blocking_write != CL_FALSE, given, ptr, waits);
  });
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                    cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t* origin, const size_t* region,
                                    size_t* image_row_pitch, size_t* image_slice_pitch,
                                    cl_uint count, const cl_event* list, cl_event* event,
                                    cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&] {
    check_image_target(command_queue, image, {count, list, event});
    check_map_flags(map_flags);
    const LevelBox box = box_of(*image, origin, region);
    check(image_row_pitch != nullptr, CL_INVALID_VALUE);
    check(image_slice_pitch != nullptr || !transpire::memory::has_slices(image->texels->layout.dim),
          CL_INVALID_VALUE);
    check_map_access(*image, map_flags);
    const _cl_mem::Map map = map_of(*image, box, map_flags);
    add_map(image->root(), map);
    try {
      enqueue(*command_queue, CL_COMMAND_MAP_IMAGE, {count, list, event}, blocking_map != CL_FALSE,
              [memory = Ref<_cl_mem>(image), map_flags, box]() -> cl_int {
                const bool for_writing = is_for_writing(map_flags);
                if (for_writing) define_all(*memory);
                tell_mapped(*memory->context, rows_of(*memory, box), for_writing);
                return CL_COMPLETE;
              });
    } catch (...) {
      remove_map(*image, map.pointer);
      throw;
    }
    give_pitches(*image, box.level, image_row_pitch, image_slice_pitch);
    return static_cast<void*>(map.pointer);
  });
}

// ---- Between images and buffers --------------------------------------------------------------------

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t* src_origin,
                                      const size_t* dst_origin, const size_t* region, cl_uint count,
                                      const cl_event* list, cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, src_image, waits);
    check_image(*command_queue, dst_image);
    check(src_image->texels->layout.format == dst_image->texels->layout.format,
          CL_IMAGE_FORMAT_MISMATCH);
    const LevelBox source = box_of(*src_image, src_origin, region);
    const LevelBox target = box_of(*dst_image, dst_origin, region);
    check_image_overlap(*src_image, *dst_image, source, target);
    enqueue(*command_queue, CL_COMMAND_COPY_IMAGE, waits, false,
            [from = Ref<_cl_mem>(src_image), to = Ref<_cl_mem>(dst_image), source, target] {
              constexpr const char* kFunction = "clEnqueueCopyImage";
              touch_to_read(*from->context, rows_of(*from, source), kFunction);
              touch_to_write(*to->context, rows_of(*to, target), kFunction);
              define_all(*to);
              return status_of(copy_box(from->texels->layout, source.level, source,
                                        to->texels->layout, target.level, target.origin));
            });
  });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* region, size_t dst_offset,
                                              cl_uint count, const cl_event* list,
                                              cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, src_image, waits);
    check_buffer(*command_queue, dst_buffer);
    check_apart(*src_image, *dst_buffer);
    const LevelBox box = box_of(*src_image, src_origin, region);
    const std::span<std::byte> part = buffer_part(*dst_buffer, dst_offset, *src_image, box);
    enqueue(*command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, waits, false,
            [from = Ref<_cl_mem>(src_image), to = Ref<_cl_mem>(dst_buffer), box, part, dst_offset] {
              constexpr const char* kFunction = "clEnqueueCopyImageToBuffer";
              touch_to_read(*from->context, rows_of(*from, box), kFunction);
              touch_to_write(*to->context, part, kFunction);
              define(*to, dst_offset, part.size());
              return status_of(copy_to_linear(from->texels->layout, box.level, box, part));
            });
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t* dst_origin, const size_t* region,
                                              cl_uint count, const cl_event* list,
                                              cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, dst_image, waits);
    check_buffer(*command_queue, src_buffer);
    check_apart(*dst_image, *src_buffer);
    const LevelBox box = box_of(*dst_image, dst_origin, region);
    const std::span<std::byte> part = buffer_part(*src_buffer, src_offset, *dst_image, box);
    enqueue(*command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, waits, false,
            [from = Ref<_cl_mem>(src_buffer), to = Ref<_cl_mem>(dst_image), box, part] {
              constexpr const char* kFunction = "clEnqueueCopyBufferToImage";
              touch_to_read(*from->context, part, kFunction);
              touch_to_write(*to->context, rows_of(*to, box), kFunction);
              define_all(*to);
              return status_of(copy_from_linear(to->texels->layout, box.level, box, part));
            });
  });
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void* fill_color, const size_t* origin,
                                      const size_t* region, cl_uint count, const cl_event* list,
                                      cl_event* event) {
  return guarded([&] {
    const Waits waits{count, list, event};
    check_image_target(command_queue, image, waits);
    const FillColor color = fill_color_of(*image, fill_color);
    const LevelBox box = box_of(*image, origin, region);
    enqueue(*command_queue, CL_COMMAND_FILL_IMAGE, waits, false,
            [memory = Ref<_cl_mem>(image), box, color] {
              touch_to_write(*memory->context, rows_of(*memory, box), "clEnqueueFillImage");
              define_all(*memory);
              return status_of(fill_image(memory->texels->layout, box, color));
            });
  });
}
