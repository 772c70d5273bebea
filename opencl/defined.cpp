#include "opencl/defined.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

/// Empty if all of the buffer is defined, or --check=uninit is off.
std::span<std::byte> undefined_bits(const _cl_mem& memory) {
  if (!environment().settings.check_uninit || memory.is_pipe()) return {};
  return memory.buffer.undefined_bits();
}

}  // namespace

void begin_undefined(_cl_mem& buffer) {
  if (environment().settings.check_uninit) buffer.buffer.set_undefined();
}

void undefine(const _cl_mem& memory) {
  if (memory.is_buffer()) std::ranges::fill(undefined_bits(memory), std::byte{0xff});
}

void define(const _cl_mem& buffer, std::size_t offset, std::size_t size) {
  const std::span<std::byte> bits = undefined_bits(buffer);
  if (!bits.empty()) std::ranges::fill(bits.subspan(offset, size), std::byte{0});
}

void define(const _cl_mem& buffer, const Rectangle& rectangle) {
  const std::span<std::byte> bits = undefined_bits(buffer);
  if (bits.empty()) return;
  for (std::size_t z = 0; z != rectangle.region[2]; ++z)
    for (std::size_t y = 0; y != rectangle.region[1]; ++y)
      std::memset(bits.data() + rectangle.at(y, z), 0, rectangle.region[0]);
}

void define_all(const _cl_mem& memory) { define(memory, 0, memory.bytes().size()); }

namespace {

/// Null if --check=uninit is off.
const SharedMemory* watched_shared(_cl_context& context) {
  return environment().settings.check_uninit ? context.shared_memory_if_any() : nullptr;
}

std::span<std::byte> shared_bits(_cl_context& context, const void* pointer, std::size_t size) {
  const SharedMemory* const shared = watched_shared(context);
  return shared == nullptr ? std::span<std::byte>() : shared->undefined_bits(pointer, size);
}

}  // namespace

void begin_undefined_shared(_cl_context& context, const void* pointer) {
  if (const SharedMemory* const shared = watched_shared(context)) shared->set_undefined(pointer);
}

void define_shared(_cl_context& context, const void* pointer, std::size_t size) {
  const std::span<std::byte> bits = shared_bits(context, pointer, size);
  if (bits.empty()) return give_up_shared(context, pointer);  // may exceed the allocation
  std::ranges::fill(bits, std::byte{0});
}

void copy_defined_shared(_cl_context& context, const void* to, const void* from, std::size_t size) {
  const std::span<std::byte> target = shared_bits(context, to, size),
                             source = shared_bits(context, from, size);
  if (source.empty()) return define_shared(context, to, size);
  if (target.empty()) return give_up_shared(context, to);
  std::memmove(target.data(), source.data(), size);
}

void give_up_shared(_cl_context& context, const void* pointer) {
  if (const SharedMemory* const shared = watched_shared(context)) shared->set_defined(pointer);
}

void give_up_all_shared(_cl_context& context) {
  const SharedMemory* const shared = watched_shared(context);
  if (shared == nullptr) return;
  for (const SharedMemory::Range& range : shared->ranges()) shared->set_defined(range.bytes.data());
}

void copy_defined(const _cl_mem& to, std::size_t to_offset, const _cl_mem& from,
                  std::size_t from_offset, std::size_t size) {
  const std::span<std::byte> target = undefined_bits(to), source = undefined_bits(from);
  if (source.empty()) return define(to, to_offset, size);
  if (!target.empty()) std::memmove(target.data() + to_offset, source.data() + from_offset, size);
}

void copy_defined(const _cl_mem& to, const Rectangle& to_rectangle, const _cl_mem& from,
                  const Rectangle& from_rectangle) {
  const std::span<std::byte> target = undefined_bits(to), source = undefined_bits(from);
  if (source.empty()) return define(to, to_rectangle);
  if (!target.empty()) copy(target.data(), to_rectangle, source.data(), from_rectangle);
}

}  // namespace transpire::opencl
