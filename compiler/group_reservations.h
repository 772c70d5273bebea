// Reservations of work-groups and sub-groups in pipes, whose functions clang declares as if each work-item called them
// alone.
#pragma once

#include <string>
#include <vector>

#include "compiler/module_words.h"

namespace transpire::compiler {

bool has_group_reservation(Words module);

/// Declares the functions with `convergent`, which clang's own declarations lack: its optimiser
/// would otherwise put a call that stands between two branches of one condition into both.
extern const char* const kReservationDeclarations;

/// Adds the options by which clang reads these declarations from `file`, before the source.
std::vector<std::string> with_reservations_declared(std::vector<std::string> options,
                                                    const std::string& file);

}  // namespace transpire::compiler
