// Functions: OpFunction, parameters, blocks and their instructions, with their lines.
//
//   OpFunction  OpFunctionParameter*  { OpLabel  instruction*  terminator }*  OpFunctionEnd
//
// Debug instructions may stand between these; those outside a block are checked and dropped. Blocks
// may stand in any order. The validator checks that values are defined on every path.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "decoder/context.h"
#include "decoder/linkage.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

/// True for instructions of the module scope, which may not stand in a function.
bool is_module_scope(const Parsed& parsed) {
  switch (parsed.op) {
    case spv::Op::OpAliasDomainDeclINTEL:
    case spv::Op::OpAliasScopeDeclINTEL:
    case spv::Op::OpAliasScopeListDeclINTEL:
      return true;
    default:
      break;
  }
  const std::string_view name = parsed.info->class_name;
  return name == "Annotation" || name == "Mode-Setting" || name == "Type-Declaration" ||
         name == "Constant-Creation" || parsed.info->name.starts_with("OpType") ||
         (name == "Extension" && parsed.op != spv::Op::OpExtInst) ||
         (name == "Debug" && parsed.op != spv::Op::OpLine && parsed.op != spv::Op::OpNoLine);
}

/// True for one type, and for a pointer type declared twice: producers repeat types that
/// OpTypeForwardPointer announced.
bool is_same(const Type& left, const Type& right) {
  return &left == &right ||
         (left.kind == Type::Kind::kPointer && right.kind == Type::Kind::kPointer &&
          left.storage_class == right.storage_class && left.element == right.element);
}

class FunctionDecoder {
 public:
  FunctionDecoder(Context& context, Function& function) : context_(context), function_(function) {}

  bool begin(const Parsed& parsed);
  /// Adds one instruction after OpFunction; sets `done()` at OpFunctionEnd.
  bool add(const Parsed& parsed);
  bool done() const { return done_; }

 private:
  bool add_parameter(const Parsed& parsed);
  bool add_label(const Parsed& parsed);
  bool add_instruction(const Parsed& parsed);
  bool end(const Parsed& parsed);
  bool missing_parameters(const Parsed& parsed);

  Context& context_;
  Function& function_;
  bool in_block_ = false;
  bool done_ = false;
};

bool FunctionDecoder::begin(const Parsed& parsed) {
  const Module& module = context_.module;
  function_.id = parsed.result_id;
  function_.word_offset = parsed.word_offset;
  function_.control = static_cast<spv::FunctionControlMask>(parsed.operands[0]);
  function_.result = module.type(parsed.type_id);
  function_.type = module.type(parsed.operands[1]);
  if (!function_.type || function_.type->kind != Type::Kind::kFunction)
    return context_.fail(
        Rule::kD0032, parsed,
        fmt::format("expected a function type, found {}", module.spell_id(parsed.operands[1])));
  if (function_.type->element != function_.result)
    return context_.fail(Rule::kD0032, parsed,
                         fmt::format("expected result type {} of the function type, found {}",
                                     spell(*function_.type->element), spell(*function_.result)));
  return true;
}

bool FunctionDecoder::add_parameter(const Parsed& parsed) {
  const std::vector<const Type*>& types = function_.type->members;
  const std::size_t index = function_.parameters.size();
  if (!function_.blocks.empty())
    return context_.fail(Rule::kD0031, parsed, "expected all parameters before the first block");
  if (index == types.size())
    return context_.fail(Rule::kD0032, parsed,
                         fmt::format("expected {} as in the function type, found more",
                                     count_text(types.size(), "parameter")));
  const Type* type = context_.module.type(parsed.type_id);
  if (!is_same(*type, *types[index]))
    return context_.fail(Rule::kD0032, parsed,
                         fmt::format("expected type {} for parameter {}, found {}",
                                     spell(*types[index]), index, spell(*type)));
  function_.parameters.push_back({parsed.result_id, type});
  return true;
}

bool FunctionDecoder::missing_parameters(const Parsed& parsed) {
  if (function_.parameters.size() == function_.type->members.size()) return false;
  context_.fail(Rule::kD0032, parsed,
                fmt::format("expected {} as in the function type, found {}",
                            count_text(function_.type->members.size(), "parameter"),
                            function_.parameters.size()));
  return true;
}

bool FunctionDecoder::add_label(const Parsed& parsed) {
  if (in_block_)
    return context_.fail(Rule::kD0033, parsed,
                         fmt::format("expected block {} to end with a branch or return, found {}",
                                     context_.module.spell_id(function_.blocks.back().label),
                                     context_.module.spell_id(parsed.result_id)));
  if (missing_parameters(parsed)) return false;
  in_block_ = true;
  end_lines(context_);
  function_.block_of_label[parsed.result_id] = static_cast<std::uint32_t>(function_.blocks.size());
  function_.blocks.push_back({parsed.result_id, parsed.word_offset, {}});
  return true;
}

bool FunctionDecoder::add_instruction(const Parsed& parsed) {
  if (is_module_scope(parsed))
    return context_.fail(Rule::kD0020, parsed,
                         fmt::format("{} cannot stand in a function", opcode_name(parsed.op)));
  const ExtendedSet set = set_of(context_, parsed);
  const bool debug = is_debug_set(set);
  if (debug) decode_debug_instruction(context_, parsed);
  if (!in_block_) {
    if (debug || parsed.op == spv::Op::OpNop) return true;
    return context_.fail(Rule::kD0033, parsed,
                         "expected OpLabel or OpFunctionEnd outside of a block");
  }
  if (!check_seen_type(context_, parsed)) return false;
  Instruction instruction;
  instruction.op = typed_op(parsed.op);
  instruction.type_id = parsed.type_id;
  instruction.result_id = parsed.result_id;
  instruction.word_offset = parsed.word_offset;
  instruction.operands = parsed.operands.subspan(instruction.op == parsed.op ? 0 : 1);
  instruction.line = context_.line;
  instruction.set = set;
  function_.blocks.back().instructions.push_back(instruction);
  if (is_terminator(parsed.op)) {
    in_block_ = false;
    end_lines(context_);
  }
  return true;
}

bool FunctionDecoder::end(const Parsed& parsed) {
  if (in_block_)
    return context_.fail(Rule::kD0033, parsed,
                         fmt::format("expected block {} to end with a branch or return, found "
                                     "OpFunctionEnd",
                                     context_.module.spell_id(function_.blocks.back().label)));
  if (missing_parameters(parsed)) return false;
  done_ = true;
  return true;
}

bool FunctionDecoder::add(const Parsed& parsed) {
  switch (parsed.op) {
    case spv::Op::OpFunction:
      return context_.fail(Rule::kD0031, parsed, "expected OpFunctionEnd before the next function");
    case spv::Op::OpFunctionParameter:
      return add_parameter(parsed);
    case spv::Op::OpFunctionEnd:
      return end(parsed);
    case spv::Op::OpLabel:
      return add_label(parsed);
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
      return decode_line(context_, parsed);
    default:
      return add_instruction(parsed);
  }
}

/// The name in the source: glslang writes the types of a function's parameters behind it, "pick(u1;vf3;".
std::string_view without_types(std::string_view name) {
  const std::size_t types = name.find('(');
  const bool has_types =
      types != 0 && types != name.npos && (name.ends_with(';') || name.ends_with('('));
  return has_types ? name.substr(0, types) : name;
}

/// OpName, else the name of an entry point or of the linkage symbol, else the id; never empty.
std::string name_of(const Context& context, Id id) {
  const Module& module = context.module;
  if (const std::string_view name = module.name(id); !name.empty())
    return std::string(without_types(name));
  const auto entries = context.entries_of_function.find(id);
  if (entries != context.entries_of_function.end())
    if (const std::string& name = module.entry_points[entries->second.front()].name; !name.empty())
      return name;
  const Decoration* linkage = module.decoration(id, spv::Decoration::LinkageAttributes);
  return linkage && !linkage->text.empty() ? linkage->text : module.spell_id(id);
}

bool check_call(Context& context, const Instruction& call) {
  const Module& module = context.module;
  const auto fail = [&](std::string message) {
    context.line = call.line;
    return context.fail(Rule::kD0035, call.word_offset, "OpFunctionCall", std::move(message));
  };
  const Function& callee = *module.function(call.operands[0]);
  const Type& result = *module.type(call.type_id);
  if (!same_shape(*callee.result, result))
    return fail(fmt::format("expected result type {} of {}, found {}", spell(*callee.result),
                            callee.name, spell(result)));
  const std::span<const Id> arguments = call.operands.subspan(1);
  if (arguments.size() != callee.parameters.size())
    return fail(fmt::format("expected {} for {}, found {}",
                            count_text(callee.parameters.size(), "argument"), callee.name,
                            arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& expected = *callee.parameters[i].type;
    const Type& found = *module.type_of(arguments[i]);
    if (!same_shape(expected, found))
      return fail(fmt::format("expected {} for argument {} of {}, found {}", spell(expected), i,
                              callee.name, spell(found)));
  }
  return true;
}

/// True for an instruction without a line or with line 0; some instructions that a group executes
/// together have none.
bool lacks_line(const Module& module, const Instruction& instruction) {
  if (instruction.line != 0) return module.lines[instruction.line].line == 0;
  const std::string_view of = opcode_class(instruction.op);
  return of == "Barrier" || of == "Group" || of == "Non-Uniform";
}

/// An optimiser that makes one instruction of two leaves it without a line. It gets the nearest
/// line of its block, else of its function.
void lend_lines(const Module& module, Function& function) {
  if (module.lines.size() <= 1) return;
  constexpr std::size_t kNowhere = ~std::size_t{0};
  struct Place {
    Instruction* instruction;
    std::size_t block;
  };
  std::vector<Place> all;
  std::vector<std::size_t> lacking;
  for (std::size_t block = 0; block < function.blocks.size(); ++block)
    for (Instruction& each : function.blocks[block].instructions) {
      if (lacks_line(module, each)) lacking.push_back(all.size());
      all.push_back({&each, block});
    }
  if (lacking.empty()) return;
  const auto has_line = [&](std::size_t at) {
    const std::uint32_t line = all[at].instruction->line;
    return line != 0 && module.lines[line].line != 0;
  };
  std::vector<std::size_t> behind(all.size() + 1, kNowhere);
  for (std::size_t at = all.size(); at-- != 0;) behind[at] = has_line(at) ? at : behind[at + 1];
  std::vector<std::pair<std::size_t, std::uint32_t>> lent;
  std::size_t before = kNowhere, seen = 0;
  for (const std::size_t at : lacking) {
    for (; seen < at; ++seen)
      if (has_line(seen)) before = seen;
    const std::size_t after = behind[at];
    const auto distance = [&](std::size_t other) {
      if (other == kNowhere) return std::pair(2, kNowhere);
      return std::pair(all[other].block == all[at].block ? 0 : 1,
                       std::max(other, at) - std::min(other, at));
    };
    const std::size_t nearest = distance(before) <= distance(after) ? before : after;
    if (nearest != kNowhere) lent.emplace_back(at, all[nearest].instruction->line);
  }
  for (const auto& [at, line] : lent) all[at].instruction->line = line;
}

}  // namespace

bool decode_function(Context& context, std::uint32_t& word_offset) {
  Module& module = context.module;
  Parsed parsed;
  if (!read_frame(context, word_offset, parsed)) return false;
  const std::uint32_t start = word_offset;
  end_lines(context);
  context.function_index = static_cast<std::uint32_t>(module.functions.size());
  module.functions.emplace_back();
  if (!check_operands(context, parsed)) return false;
  FunctionDecoder decoder(context, module.functions.back());
  if (!decoder.begin(parsed)) return false;
  while (!decoder.done()) {
    word_offset += static_cast<std::uint32_t>(parsed.words.size());
    if (word_offset >= module.words.size())
      return context.fail(Rule::kD0031, start, "OpFunction",
                          "expected OpFunctionEnd, found the end of the module");
    if (!read_frame(context, word_offset, parsed) || !check_operands(context, parsed) ||
        !decoder.add(parsed))
      return false;
  }
  word_offset += static_cast<std::uint32_t>(parsed.words.size());
  context.function_index = kNoFunction;
  end_lines(context);
  lend_lines(module, module.functions.back());
  return true;
}

bool finish_functions(Context& context) {
  Module& module = context.module;
  for (Function& function : module.functions) {
    function.name = name_of(context, function.id);
    if (function.blocks.empty() && !import_of(module, function.id))
      return context.fail(
          Rule::kD0039, function.word_offset, "OpFunction",
          fmt::format("expected {} to have a body or LinkageAttributes Import", function.name));
  }
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const Instruction& instruction : block.instructions)
        if (instruction.op == spv::Op::OpFunctionCall && !check_call(context, instruction))
          return false;
  return true;
}

}  // namespace transpire::decoder
