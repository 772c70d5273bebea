// specialised(): other values for the specialisation constants of a module that is decoded already. They decide other
// constants, operands of execution modes, and lengths of arrays. Everything else of a module stays as it is, unless a length
// changes: types of every kind may follow from it, so that the words are decoded again.
#include <algorithm>
#include <utility>

#include "decoder/context.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

/// Decodes the module's constants again, in their order, so that each keeps its index.
bool redo_constants(Context& context) {
  Parsed parsed;
  for (const Constant& old : std::exchange(context.module.constants, {}))
    if (!read_frame(context, old.word_offset, parsed) || !decode_constant(context, parsed))
      return false;
  return true;
}

bool keeps_length(const Module& module, const Type& type) {
  if (!type.has_specialised_count) return true;
  if (type.is_cooperative_matrix()) return false;
  const Constant* const length = module.constant(type.length);
  return length != nullptr && length->kind == Constant::Kind::kScalar && length->bits == type.count;
}

/// Decodes the execution modes again, whose operands may be constants.
bool redo_modes(Context& context) {
  Module& module = context.module;
  for (std::uint32_t i = 0; i < module.entry_points.size(); ++i) {
    module.entry_points[i].modes.clear();
    context.entries_of_function[module.entry_points[i].function].push_back(i);
  }
  Parsed parsed;
  for (std::uint32_t at = kHeaderWords; at < module.words.size();
       at += static_cast<std::uint32_t>(parsed.words.size())) {
    if (!read_frame(context, at, parsed)) return false;
    if (parsed.op == spv::Op::OpFunction || parsed.info->class_name == "Type-Declaration") break;
    if (parsed.op != spv::Op::OpExecutionMode && parsed.op != spv::Op::OpExecutionModeId) continue;
    if (!decode_mode_setting(context, parsed)) return false;
  }
  return finish_entry_points(context);
}

/// Decodes the words of a module once more.
Result<Module> decoded_again(const Module& module, const DecodeOptions& options) {
  TRANSPIRE_TRY(Module again, decode(std::as_bytes(std::span(module.words)), options));
  again.byte_swapped = module.byte_swapped;
  again.times_decoded = module.times_decoded + 1;
  return again;
}

}  // namespace

Result<Module> specialised(Module decoded, const DecodeOptions& options) {
  decoded.input_name = options.input_name;
  decoded.text_names = options.text_names;
  decoded.descriptor_counts = options.descriptor_counts;
  Context context(decoded, options);
  if (!redo_constants(context)) return std::move(context.failure);
  const auto keeps = [&](const auto& type) { return keeps_length(decoded, *type); };
  if (std::ranges::all_of(decoded.types, keeps)) {
    if (!redo_modes(context)) return std::move(context.failure);
    return decoded;
  }
  return decoded_again(decoded, options);
}

Result<Module> for_subgroups(const Module& module, std::uint32_t subgroup_size,
                             const WorkLimit& limit) {
  DecodeOptions options;
  options.limit = limit;
  options.input_name = module.input_name;
  options.text_names = module.text_names;
  options.subgroup_size = subgroup_size;
  for (const Constant& constant : module.constants)
    if (constant.has_spec_id) options.specialisation[constant.spec_id] = constant.bits;
  return decoded_again(module, options);
}

}  // namespace transpire::decoder
