// Pipe instructions, lane by lane: compiled once, shared by all instruction sets. Work-items
// execute them in the order of their lanes. Mistakes are findings (TSP-R0080 to R0089).
#pragma once

#include "vm/exec/group.h"

namespace transpire::vm::exec {

/// Reads or writes a packet of a pipe. Returns false if the launch is to end meanwhile: the batch
/// has the place and reason.
bool read_pipe(const Inst* ip, Batch* batch);
bool write_pipe(const Inst* ip, Batch* batch);
bool read_reserved(const Inst* ip, Batch* batch);
bool write_reserved(const Inst* ip, Batch* batch);

void reserve_packets(const Inst* ip, std::byte* r, Batch* batch);
void commit_packets(const Inst* ip, std::byte* r, Batch* batch);
void query_pipe(const Inst* ip, std::byte* r, Batch* batch);

/// For a group as a whole: the first work-item's operands count.
void group_reserve_packets(const Inst* ip, GroupParts group);
void group_commit_packets(const Inst* ip, GroupParts group);

}  // namespace transpire::vm::exec
