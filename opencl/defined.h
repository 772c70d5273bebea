// Tracks defined bytes of buffers. TRANSPIRE_CL_CHECK=uninit turns this on, from clCreateBuffer on;
// otherwise the functions do nothing. Commands call them after they have run.
#pragma once

#include <cstddef>

#include "opencl/memory_object.h"
#include "opencl/rectangle.h"

namespace transpire::opencl {

/// A new buffer: no byte of it has been written.
void begin_undefined(_cl_mem& buffer);
/// The contents were given up; if the buffer was made undefined, it is so again.
void undefine(const _cl_mem& memory);

void define(const _cl_mem& buffer, std::size_t offset, std::size_t size);
void define(const _cl_mem& buffer, const Rectangle& rectangle);
/// Defines all bytes: writers that are not tracked, or texels of an image made of the buffer, may
/// write them.
void define_all(const _cl_mem& memory);

// Functions for shared virtual memory. Only coarse-grained allocations are tracked.

/// A new coarse-grained allocation.
void begin_undefined_shared(_cl_context& context, const void* pointer);
void define_shared(_cl_context& context, const void* pointer, std::size_t size);
void copy_defined_shared(_cl_context& context, const void* to, const void* from, std::size_t size);
/// Gives up tracking of the allocation that holds the byte, or of all: writers that are not tracked
/// may write it.
void give_up_shared(_cl_context& context, const void* pointer);
void give_up_all_shared(_cl_context& context);

/// Copied bytes are as defined as their source.
void copy_defined(const _cl_mem& to, std::size_t to_offset, const _cl_mem& from,
                  std::size_t from_offset, std::size_t size);
void copy_defined(const _cl_mem& to, const Rectangle& to_rectangle, const _cl_mem& from,
                  const Rectangle& from_rectangle);

}  // namespace transpire::opencl
