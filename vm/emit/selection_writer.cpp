// Adds instructions to a selection.
#include "vm/emit/selection_writer.h"

#include <fmt/format.h>

#include "base/narrow.h"
#include "base/rule.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {

SelectionWriter::SelectionWriter(const Input& input, Selection* selection)
    : f(input.function),
      options(input.options),
      t(input.handlers),
      out(*selection),
      registers(selection->registers),
      body(&selection->prologue),
      in_prologue(input.function.values.size()) {
  // Blocks alone are read: removed values still name their operands.
  for (const lir::BlockId b : f.order) {
    for (const ValueId id : f.blocks[b].instructions) {
      f.work();
      const lir::Value& v = value(id);
      if (v.op == Op::kResult) results_of[v.args[0]].push_back({narrow<std::uint32_t>(v.imm), id});
    }
  }
}

void SelectionWriter::push(SelectedInst inst, const lir::Value& v) {
  inst.site.op = v.op;
  inst.site.source = v.source;
  if (inst.access != nullptr) inst.site.align_bytes = inst.access->align_mask + 1;
  body->push_back(std::move(inst));
}

void SelectionWriter::push_helper(SelectedInst inst, const lir::Value& v, Op op) {
  inst.helps = true;
  push(std::move(inst), v);
  body->back().site.op = op;
}

void SelectionWriter::finish(ValueId id) {
  const lir::Value& v = value(id);
  if (!is_scalar(v)) return;
  const auto kind = static_cast<std::size_t>(v.kind);
  const bool affine = v.spread == lir::Spread::kAffine;
  SelectedInst inst;
  inst.spread_of = id;
  inst.run = affine ? t.affine[kind] : t.spread[kind];
  inst.imm = affine ? static_cast<std::uint64_t>(v.stride) : 0;
  push_helper(std::move(inst), v, affine ? Op::kAffine : Op::kSpread);
}

InlineList<VReg> SelectionWriter::component_registers(ValueId load, std::uint32_t components,
                                                      Kind kind, bool scalar) {
  InlineList<VReg> list(components, kNoReg);
  const auto result = [&](ValueId id) {
    return scalar ? registers.scalar_of(id) : registers.row_of(id);
  };
  list[0] = result(load);
  const auto found = results_of.find(load);
  if (found != results_of.end())
    for (const auto& [component, id] : found->second) list[component] = result(id);
  for (VReg& reg : list)
    if (reg == kNoReg) reg = registers.add(kind, scalar);  // a component that nobody reads
  return list;
}

void SelectionWriter::refuse(const lir::Value& v) {
  if (error) return;
  error = make_diagnostic(Rule::kU0001, fmt::format("no handler for {} on {}", info(v.op).name,
                                                    kind_name(lir::operand_kind(v))));
  error->word_offset = f.sources[v.source].word_offset;
  error->source = f.module->source_line(f.sources[v.source].line);
  error->instruction = decoder::opcode_name(f.sources[v.source].op);
}

}  // namespace transpire::vm::emission
