// What of buffers somebody has defined: kept where TRANSPIRE_CL_CHECK has uninit, from clCreateBuffer on; else these do
// nothing. Commands call them when they have run.
#pragma once

#include <cstddef>

#include "opencl/memory.h"
#include "opencl/rectangle.h"

namespace transpire::opencl {

/// A buffer was made, of which nobody has written anything.
void begin_undefined(_cl_mem& buffer);
/// Its contents were given up, if it was made so.
void undefine(const _cl_mem& memory);

void define(const _cl_mem& buffer, std::size_t offset, std::size_t size);
void define(const _cl_mem& buffer, const Rectangle& rectangle);
/// All of it: others write it whom nobody watches, or texels of an image that is made of it.
void define_all(const _cl_mem& memory);

// Shared virtual memory: bytes that are not in a coarse-grained allocation are defined, and none of these functions does
// anything.

/// A coarse-grained allocation was made.
void begin_undefined_shared(_cl_context& context, const void* pointer);
void define_shared(_cl_context& context, const void* pointer, std::size_t size);
void copy_defined_shared(_cl_context& context, const void* to, const void* from, std::size_t size);
/// From now on others write it whom nobody watches: the allocation that holds the byte, or all.
void give_up_shared(_cl_context& context, const void* pointer);
void give_up_all_shared(_cl_context& context);

/// What was copied is as defined as it was.
void copy_defined(const _cl_mem& to, std::size_t to_offset, const _cl_mem& from,
                  std::size_t from_offset, std::size_t size);
void copy_defined(const _cl_mem& to, const Rectangle& to_rectangle, const _cl_mem& from,
                  const Rectangle& from_rectangle);

}  // namespace transpire::opencl
