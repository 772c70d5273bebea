// Reservations of work-groups and sub-groups in pipes, whose functions clang declares as if each work-item called them
// alone.
#pragma once

#include <string>
#include <vector>

#include "compiler/module_words.h"

namespace transpire::compiler {

bool has_group_reservation(Words module);

/// Declares the functions with `convergent`, which clang leaves out where it makes them: its optimiser would put a call
/// that stands between two branches of one condition into both.
extern const char* const kReservationDeclarations;

/// What makes clang see them before the source calls one; `file` holds them.
std::vector<std::string> with_reservations_declared(std::vector<std::string> options,
                                                    const std::string& file);

}  // namespace transpire::compiler
