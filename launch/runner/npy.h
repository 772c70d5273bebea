// Reads and writes NumPy's .npy files, versions 1 to 3: arrays of numbers in C order, in either byte order. A complex number
// is a vector of two, which adds a dimension to the shape.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "launch/runner/value_maker.h"

namespace transpire::launch {

/// Reads an array as elements of its scalar type, in host byte order, with its shape. A single number without dimensions,
/// (), has the shape {0}, which no other array of one number has. Fails with C0001 and C0022.
Result<TypedBytes> read_npy(const std::string& path,
                            const ReadLimit& limit = {{}, Limits{}.max_memory_bytes});

/// The bytes of a .npy file. Scalars become a one-dimensional array, vectors (elements, components), structs (elements,
/// bytes) of uchar. The file has the shape `shape` of the array the elements were read from, if the number of numbers agrees.
std::vector<std::byte> to_npy(const TypeInfo& type, std::span<const std::byte> bytes,
                              const std::vector<std::uint64_t>& shape = {});
/// The header of such a file; the elements' bytes follow it.
std::string npy_header(const TypeInfo& type, std::uint64_t all_bytes,
                       const std::vector<std::uint64_t>& shape = {});

}  // namespace transpire::launch
