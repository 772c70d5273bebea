// What an observed program's `observe` instructions do.
#include "vm/exec/observed.h"

#include <vector>

#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

/// How many calls an instruction stands in.
std::uint32_t depth(const Program& program, std::uint32_t call) {
  std::uint32_t calls = 0;
  for (; call != 0; call = program.sources[call].called_from) ++calls;
  return calls;
}

/// Tells of the calls that lie between the frames of two instructions.
void tell_calls(Observer& observer, const Batch& batch, std::uint32_t from, std::uint32_t to) {
  const Program& program = *batch.program;
  std::uint32_t left = depth(program, from), entered = depth(program, to);
  std::vector<std::uint32_t> calls;
  while (from != to) {
    if (left >= entered) {
      observer.returned(batch, from);
      from = program.sources[from].called_from;
      --left;
    } else {
      calls.push_back(to);
      to = program.sources[to].called_from;
      --entered;
    }
  }
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) observer.called(batch, *call);
}

}  // namespace

void observe_next(const Inst* ip, Batch* batch) {
  if (batch->observer == nullptr) return;
  const Program& program = *batch->program;
  const Source& source = program.source_of(ip);
  // What lowering made of nothing in the module stands in whatever call is going on.
  if (&source != program.sources.data() && source.called_from != batch->call) {
    tell_calls(*batch->observer, *batch, batch->call, source.called_from);
    batch->call = source.called_from;
  }
  batch->observer->instruction(*batch, *ip);
}

void tell_order(const Inst* ip, Batch* batch) {
  if (batch->observer == nullptr) return;
  const auto row = [batch](std::uint32_t offset) {
    return reinterpret_cast<const std::uint32_t*>(batch->registers + offset);
  };
  batch->observer->orders(*batch,
                          {ip, static_cast<OrderOf>(ip->imm), row(ip->a), row(ip->b), row(ip->c)});
}

}  // namespace transpire::vm::exec
