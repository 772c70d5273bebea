// Pipe instructions: what they do is in vm/exec/pipe.cpp.
#include "vm/exec/group_rows.h"
#include "vm/exec/handlers.h"
#include "vm/exec/pipe.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

struct PipeRead : AnyKind<each<read_pipe>> {};
struct PipeWrite : AnyKind<each<write_pipe>> {};
struct PipeReadReserved : AnyKind<each<read_reserved>> {};
struct PipeWriteReserved : AnyKind<each<write_reserved>> {};
struct PipeReserve : AnyKind<each<reserve_packets>> {};
struct PipeCommit : AnyKind<each<commit_packets>> {};
struct GroupPipeReserve : AnyKind<group<group_reserve_packets>> {};
struct GroupPipeCommit : AnyKind<group<group_commit_packets>> {};
struct PipeQuery : AnyKind<each<query_pipe>> {};

}  // namespace

void fill_pipe(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/pipe.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
