// The image that an instruction has as its first operand.
#pragma once

#include <optional>

#include "vm/build/builder.h"

namespace transpire::vm::builder::image {

/// The object of an access: the image's type and its handle, or for a sampled image both handles.
struct Accessed {
  const Type* type = nullptr;
  Values handles;
};

/// Operand 0, an image or a sampled image as `kind` says. Refuses others, and images that are not supported.
std::optional<Accessed> accessed(Builder& b, const Instruction& i, Type::Kind kind);

}  // namespace transpire::vm::builder::image
