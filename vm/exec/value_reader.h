// Reading a kernel's values and variables while it runs, by the <id>s of its module: for observers of programs
// that keep values (LowerOptions::keeps_values). Nothing is guessed: what is not there any more is said to be
// optimised away.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

enum class Sight : std::uint8_t {
  kSeen,
  kOptimisedAway,  ///< it has a value, which is nowhere; or its place is unknown
  kOutOfScope,     ///< it has none there, or not for this lane
};

struct SeenValue {
  Sight sight = Sight::kOutOfScope;
  Kind kind = Kind::kVoid;
  std::uint64_t bits = 0;  ///< zero-extended
};

/// The bits that a lane has in a home that holds its value, zero-extended. Any program has homes of
/// the values that findings report (Program::reported_values).
std::uint64_t read_home(const Batch& batch, const ValueHome& home, std::uint32_t lane);

/// A component of the value of `id`, as a running lane finds it when it is about to execute `ip`, an
/// instruction that an observer was told of. The innermost call that has the <id> counts. Vectors, arrays
/// and structs are their scalars in order; one of more than 1,024 scalars is the address of its bytes.
SeenValue value_of(const Batch& batch, const Inst* ip, Id id, std::uint32_t component,
                   std::uint32_t lane);

/// The OpVariable, if it is one that a lane has at `ip`.
const NamedVariable* variable_at(const Batch& batch, const Inst* ip, Id id);

/// Copies the variable's bytes from `offset` on, as the lane sees them.
Sight read_variable(const Batch& batch, const NamedVariable& variable, std::uint32_t lane,
                    std::uint64_t offset, std::span<std::byte> to);

/// The place of a local variable of the source at `ip`, in the innermost call that has the name:
/// from the last DebugDeclare or DebugValue of the block before `ip`, or the only one there is.
/// Unknown if several locals of the call have the name, or several blocks place it.
struct LocalPlace {
  Sight sight = Sight::kOutOfScope;
  Id id = 0;
  bool is_variable = false;  ///< `id` is an OpVariable; else a value
};
LocalPlace local_at(const Program& program, const Inst* ip, std::string_view name);

/// The place of `ip`, and the calls around it, innermost first. Empty for instructions of
/// lowering's own.
std::vector<Source> call_frames(const Program& program, const Inst* ip);

}  // namespace transpire::vm::exec
