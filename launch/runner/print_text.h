// Prints the elements of a buffer.
#pragma once

#include "launch/runner/plan_buffers.h"
#include "launch/runner/text_room.h"

namespace transpire::launch {

/// Writes the elements in `print.bytes` to `room`.
void format_print(TextRoom& room, const PrintReport& print);

/// Adds the elements and their text to the report. `ranges` are the legal results if the statement asks for them. Fails with
/// L0004 if `buffers` leave too little memory; throws LimitReached.
Status print_view(const PrintStep& print, const ElementView& view, const RangeAt& ranges,
                  const PlanBuffers& buffers, const StepLimit& limit, RunReport& report);

}  // namespace transpire::launch
