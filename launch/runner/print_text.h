// Formats the elements of a buffer for `print`.
#pragma once

#include "launch/runner/run_plan.h"
#include "launch/runner/text_room.h"

namespace transpire::launch {

/// Writes the elements in `print.bytes` to `room`.
void format_print(TextRoom& room, const PrintReport& print);

}  // namespace transpire::launch
