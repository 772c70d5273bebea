// The initial bytes of a module-scope variable, from its initializer. Pointers become relocations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "decoder/module.h"
#include "vm/lir/lir.h"

namespace transpire::vm::builder {

/// Fills `out.initial` and `out.relocations`; `out.size_bytes` is set. Gives what cannot be
/// evaluated, or an empty text. Zeros at the end are left out: most variables are zero.
std::string make_initial(const decoder::Module& module, const decoder::Variable& variable,
                         ProgramVariable& out);

/// The kernel's value of an OpConstantSampler; nothing where its literals have no meaning.
std::optional<std::uint64_t> sampler_value(const decoder::Constant& constant);

}  // namespace transpire::vm::builder
