// Instructions of device-side enqueue, lane by lane: compiled once, shared by all instruction sets.
// They append to the launch's queue (vm/exec/device_queue.h). Mistakes are findings (TSP-R0090 to
// R0097), or errors that the kernel gets.
#pragma once

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

void enqueue_kernel(const Inst* ip, std::byte* r, Batch* batch);
void enqueue_marker(const Inst* ip, std::byte* r, Batch* batch);
void count_subgroups(const Inst* ip, std::byte* r, Batch* batch);
void capture_profiling(const Inst* ip, std::byte* r, Batch* batch);
void default_queue(const Inst* ip, std::byte* r, Batch* batch);
void create_user_event(const Inst* ip, std::byte* r, Batch* batch);
void set_user_event_status(const Inst* ip, std::byte* r, Batch* batch);
void retain_event(const Inst* ip, std::byte* r, Batch* batch);
void release_event(const Inst* ip, std::byte* r, Batch* batch);
void is_valid_event(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
