// Core: what every other piece of the builder uses, each member made of those before it.
#pragma once

#include "vm/build/ids.h"
#include "vm/build/ops.h"

namespace transpire::vm::builder {

struct Core {
  Core(const Request& asked, ModuleScope& module_scope)
      : request(asked),
        refusals(request, position),
        writer(request, position, refusals),
        debug_notes(request, position, refusals, writer),
        float_mode(request, position, refusals),
        rounded_ops(request, writer, float_mode),
        ops(request, refusals, writer, float_mode, rounded_ops),
        types(request, refusals, writer.budget()),
        ids(request, position, refusals, writer, debug_notes, rounded_ops, types, module_scope) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const Request request;
  Position position;
  Refusals refusals;
  Writer writer;
  DebugNotes debug_notes;
  FloatMode float_mode;
  RoundedOps rounded_ops;
  Ops ops;
  Types types;
  Ids ids;
};

}  // namespace transpire::vm::builder
