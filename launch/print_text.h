// The text that `print` shows of a buffer.
#pragma once

#include "launch/run_plan.h"
#include "launch/text_room.h"

namespace transpire::launch {

/// Its elements, those of `print.bytes`.
void format_print(TextRoom& room, const PrintReport& print);

}  // namespace transpire::launch
