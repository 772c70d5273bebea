// NumPy's .npy files, versions 1 to 3: arrays of numbers in C order, in either byte order. Complex numbers are vectors of
// two, which the shape has as one more dimension.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "launch/value_spec.h"

namespace transpire::launch {

/// The array as elements of its scalar type, in host byte order, with its shape; that of a single number without
/// dimensions, (), is {0}, which no other array of one number has.
/// Fails with C0001 and C0022.
Result<TypedBytes> read_npy(const std::string& path,
                            const ReadLimit& limit = {{}, Limits{}.max_memory_bytes});

/// A one-dimensional array, or (elements, components) for vectors; structs become (elements, bytes)
/// of uchar. `shape` is that of the array that the elements were read from, and is kept where it has as many numbers.
std::vector<std::byte> to_npy(const TypeInfo& type, std::span<const std::byte> bytes,
                              const std::vector<std::uint64_t>& shape = {});
/// The header, which stands before the bytes.
std::string npy_header(const TypeInfo& type, std::uint64_t all_bytes,
                       const std::vector<std::uint64_t>& shape = {});

}  // namespace transpire::launch
