// Decides if data of one type fit memory of another: a parameter's buffer, an image's texels, a variable, expected values of
// a buffer. Also converts numbers from one type to another. Does not know files and plans.
#pragma once

#include <optional>

#include "launch/runner/value_maker.h"

namespace transpire::launch {

/// Class of a scalar type. SPIR-V kernels distinguish no more than float from integer, and the width.
struct ScalarClass {
  bool is_float;
  unsigned size_bytes;
  bool operator==(const ScalarClass&) const = default;
};

/// The common class of all scalars of a type, or nothing if they differ.
std::optional<ScalarClass> class_of(const TypeInfo& type);

/// True if memory of type `wanted` may hold data of type `given`. Numbers must agree in class and width. Pointers accept
/// integers of their size, and structs of several classes accept bytes.
bool may_hold(const TypeInfo& wanted, const TypeInfo& given);

/// The given type, as far apart as elements of `memory` of the same numbers: a shader's arrays may have gaps. Other types stay.
TypeInfo spaced_as(const TypeInfo& memory, TypeInfo given);

/// Converts each number as OpenCL C does: to the nearest float, or towards zero to an integer. `name` is the source of the
/// numbers, for messages. Fails with C0022 if a number is out of an integer type's range, and with L0004. Throws LimitReached.
Result<TypedBytes> converted(const TypedBytes& numbers, const TypeWord& to, const std::string& name,
                             const Allowance& allowed);

}  // namespace transpire::launch
