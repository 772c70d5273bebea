// Pipe instructions: what they do is in vm/exec/pipe.cpp.
#include "vm/exec/group_rows.h"
#include "vm/exec/handlers.h"
#include "vm/exec/pipe.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Packets may be long: the launch may end on the way.
template <bool (*kFunction)(const Inst*, Batch*)>
const Inst* transfer(const Inst* ip, std::byte* r, Batch* batch) {
  if (!kFunction(ip, batch)) return nullptr;
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct PipeRead : AnyKind<transfer<read_pipe>> {};
struct PipeWrite : AnyKind<transfer<write_pipe>> {};
struct PipeReadReserved : AnyKind<transfer<read_reserved>> {};
struct PipeWriteReserved : AnyKind<transfer<write_reserved>> {};
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
