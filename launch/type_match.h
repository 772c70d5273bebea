// Which data fit which memory: a buffer behind a parameter, an image's texels, a variable, values that a
// buffer is compared with. Also converts numbers of one type to another. Knows nothing of files and plans.
#pragma once

#include <optional>

#include "launch/value_spec.h"

namespace transpire::launch {

/// Float or not, and how wide: all that SPIR-V kernels tell apart.
struct ScalarClass {
  bool is_float;
  unsigned size_bytes;
  bool operator==(const ScalarClass&) const = default;
};

/// The class of all scalars of a type, or nothing when they differ.
std::optional<ScalarClass> class_of(const TypeInfo& type);

/// True where data of type `given` may lie in memory of type `wanted`: numbers of the same width and
/// kind; for pointers, integers of their size; for structs of several kinds, bytes.
bool may_hold(const TypeInfo& wanted, const TypeInfo& given);

/// Converts each number as OpenCL C does: to the nearest float, towards zero for integers. `name` says where the numbers come
/// from, for messages. Fails with C0022 where an integer type does not have a number, and with L0004. Throws LimitReached.
Result<TypedBytes> converted(const TypedBytes& numbers, const TypeWord& to, const std::string& name,
                             const Allowance& allowed);

}  // namespace transpire::launch
