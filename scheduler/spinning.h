// What a loop waits for that can never end.
#pragma once

#include "scheduler/collector.h"

namespace transpire::scheduler {

/// `place` of a batch that was stopped where a loop goes round, with the instruction of the loop that reads memory, the
/// address of the first running lane, and what is there. Where it reads none the place stays as it is.
Waiting spinning_at(const vm::exec::Batch& batch, Waiting place);

}  // namespace transpire::scheduler
