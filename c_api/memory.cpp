// The C interface: buffers and shared memory.
#include <fmt/format.h>

#include "c_api/c_api.h"

namespace transpire::c_api {
namespace {

Status hand_out(Result<Buffer> made, transpire_buffer** buffer) {
  if (!made) return made.errors();
  *buffer = new transpire_buffer{std::move(made).value()};
  return Unit{};
}

}  // namespace
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;
using c_api::text_or_empty;

transpire_status transpire_buffer_create(uint64_t size_bytes, const char* name,
                                         transpire_buffer** buffer, transpire_error** error) {
  c_api::clear(buffer);
  return guarded(__func__, error, {{"buffer", buffer}}, [&] {
    return c_api::hand_out(Buffer::create(size_bytes, text_or_empty(name)), buffer);
  });
}

transpire_status transpire_buffer_wrap(void* bytes, uint64_t size_bytes, const char* name,
                                       transpire_buffer** buffer, transpire_error** error) {
  c_api::clear(buffer);
  return guarded(__func__, error, {{"bytes", bytes}, {"buffer", buffer}}, [&]() -> Status {
    if (size_bytes > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(bytes))
      return c_api::invalid(fmt::format("expected bytes that memory has, found {}", size_bytes));
    const std::span wrapped(static_cast<std::byte*>(bytes), size_bytes);
    return c_api::hand_out(Buffer::wrap(wrapped, text_or_empty(name)), buffer);
  });
}

transpire_status transpire_buffer_slice(const transpire_buffer* whole, uint64_t offset_bytes,
                                        uint64_t size_bytes, const char* name,
                                        transpire_buffer** buffer, transpire_error** error) {
  c_api::clear(buffer);
  return guarded(__func__, error, {{"whole", whole}, {"buffer", buffer}}, [&] {
    return c_api::hand_out(whole->buffer.slice(offset_bytes, size_bytes, text_or_empty(name)),
                           buffer);
  });
}

void transpire_buffer_release(transpire_buffer* buffer) { delete buffer; }

transpire_status transpire_buffer_get_bytes(const transpire_buffer* buffer, void** bytes,
                                            uint64_t* size_bytes, transpire_error** error) {
  return guarded(__func__, error, {{"buffer", buffer}, {"bytes", bytes}}, [&]() -> Status {
    *bytes = buffer->buffer.bytes().data();
    if (size_bytes != nullptr) *size_bytes = buffer->buffer.bytes().size();
    return Unit{};
  });
}

transpire_status transpire_buffer_set_undefined(transpire_buffer* buffer, transpire_error** error) {
  return guarded(__func__, error, {{"buffer", buffer}}, [&]() -> Status {
    buffer->buffer.set_undefined();
    return Unit{};
  });
}

transpire_status transpire_buffer_set_defined(transpire_buffer* buffer, uint64_t offset_bytes,
                                              uint64_t size_bytes, transpire_error** error) {
  return guarded(__func__, error, {{"buffer", buffer}},
                 [&]() -> Status { return buffer->buffer.set_defined(offset_bytes, size_bytes); });
}

transpire_status transpire_buffer_set_read_only(transpire_buffer* buffer, bool read_only,
                                                transpire_error** error) {
  return guarded(__func__, error, {{"buffer", buffer}}, [&]() -> Status {
    buffer->buffer.set_read_only(read_only);
    return Unit{};
  });
}

transpire_status transpire_buffer_set_write_only(transpire_buffer* buffer, bool write_only,
                                                 transpire_error** error) {
  return guarded(__func__, error, {{"buffer", buffer}}, [&]() -> Status {
    buffer->buffer.set_write_only(write_only);
    return Unit{};
  });
}

transpire_status transpire_shared_memory_create(transpire_shared_memory** memory,
                                                transpire_error** error) {
  c_api::clear(memory);
  return guarded(__func__, error, {{"memory", memory}}, [&]() -> Status {
    TRANSPIRE_TRY(SharedMemory made, SharedMemory::create());
    *memory = new transpire_shared_memory{std::move(made)};
    return Unit{};
  });
}

transpire_status transpire_shared_memory_allocate(const transpire_shared_memory* memory,
                                                  uint64_t size_bytes, uint64_t align_bytes,
                                                  const char* name, void** bytes,
                                                  transpire_error** error) {
  constexpr std::uint64_t kMostAlign = std::uint64_t{1} << 20;
  return guarded(__func__, error, {{"memory", memory}, {"bytes", bytes}}, [&]() -> Status {
    if (size_bytes == 0) return c_api::invalid("expected a size of at least one byte, found 0");
    if (align_bytes > kMostAlign || (align_bytes & (align_bytes - 1)) != 0)
      return c_api::invalid(
          fmt::format("expected a power of two of at most {} as 'align_bytes', found {}",
                      kMostAlign, align_bytes));
    void* const allocated = memory->memory.allocate(
        size_bytes, align_bytes == 0 ? 128 : align_bytes, text_or_empty(name));
    if (allocated == nullptr)
      return make_diagnostic(Rule::kL0004,
                             fmt::format("no room for {} bytes '{}' of shared virtual memory",
                                         size_bytes, text_or_empty(name)));
    *bytes = allocated;
    return Unit{};
  });
}

transpire_status transpire_shared_memory_free(const transpire_shared_memory* memory, void* bytes,
                                              transpire_error** error) {
  return guarded(__func__, error, {{"memory", memory}, {"bytes", bytes}}, [&]() -> Status {
    if (!memory->memory.release(bytes))
      return c_api::invalid(
          "expected the start of an allocation as 'bytes', found another pointer");
    return Unit{};
  });
}

transpire_status transpire_shared_memory_find(const transpire_shared_memory* memory,
                                              const void* pointer, void** bytes,
                                              uint64_t* size_bytes, transpire_error** error) {
  return guarded(__func__, error,
                 {{"memory", memory}, {"bytes", bytes}, {"size_bytes", size_bytes}},
                 [&]() -> Status {
                   const std::span<std::byte> range = memory->memory.range_of(pointer);
                   *bytes = range.data();
                   *size_bytes = range.size();
                   return Unit{};
                 });
}

void transpire_shared_memory_release(transpire_shared_memory* memory) { delete memory; }
