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

/// What was copied is as defined as it was.
void copy_defined(const _cl_mem& to, std::size_t to_offset, const _cl_mem& from,
                  std::size_t from_offset, std::size_t size);
void copy_defined(const _cl_mem& to, const Rectangle& to_rectangle, const _cl_mem& from,
                  const Rectangle& from_rectangle);

}  // namespace transpire::opencl
