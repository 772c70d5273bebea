// build(): what the module declares, the walk through the kernel, and the end of it. Also the
// Builder's refusals and emission. Input: a Module and one of its entry points; output: LIR that
// verify() accepts, or the first refusal.
#include <fmt/format.h>

#include <bit>

#include "vm/build/builder.h"
#include "vm/build/written_parameters.h"

namespace transpire::vm {

Result<lir::Function> build(const decoder::Module& module, const decoder::EntryPoint& entry,
                            const LowerOptions& options) {
  return builder::Builder(module, entry, options).run();
}

namespace builder {

Builder::Builder(const decoder::Module& module, const decoder::EntryPoint& entry,
                 const LowerOptions& options)
    : module_(module), entry_(entry), options_(options) {
  function_.module = &module;
  function_.name = entry.name;
  function_.sources.emplace_back();
  function_.budget = std::make_shared<Budget>(options.limits);
}

/// A budget that is spent outside of functions: see expand() for those.
Result<lir::Function> Builder::run() {
  try {
    return build();
  } catch (BudgetSpent& spent) {
    frame_ = nullptr;
    refuse(std::move(spent.why));
  }
  return *failure_;
}

Result<lir::Function> Builder::build() {
  check_module();
  if (failed()) return *failure_;
  Frame frame;
  frame.function = module_.function(entry_.function);
  if (frame.function == nullptr || frame.function->is_import()) {
    malformed(fmt::format("the entry point '{}' names no function with a body", entry_.name));
    return *failure_;
  }
  block_ = new_block();
  frame_ = &frame;
  bind_parameters(frame);
  if (!failed()) expand(frame);
  if (!failed()) finish_blocks();
  if (failed()) return *failure_;
  return std::move(function_);
}

void Builder::check_module() {
  if (entry_.model != spv::ExecutionModel::Kernel)
    refuse(Rule::kU0003, fmt::format("the entry point '{}' has execution model {}, expected Kernel",
                                     entry_.name, static_cast<unsigned>(entry_.model)));
  if (module_.addressing_model == spv::AddressingModel::Logical)
    refuse(Rule::kU0003, "the addressing model is Logical, expected Physical32 or Physical64");
  else if (module_.addressing_model != spv::AddressingModel::Physical32 &&
           module_.addressing_model != spv::AddressingModel::Physical64)
    refuse(Rule::kU0003,
           fmt::format("the addressing model is {}, expected Physical32 or Physical64",
                       static_cast<unsigned>(module_.addressing_model)));
  if (module_.memory_model != spv::MemoryModel::OpenCL)
    refuse(Rule::kU0003, fmt::format("the memory model is {}, expected OpenCL (2)",
                                     static_cast<unsigned>(module_.memory_model)));
  for (const auto& type : module_.types)
    has_events_ = has_events_ || type->kind == Type::Kind::kEvent;
  choose_float_controls();
  choose_subgroup_size();
}

void Builder::choose_subgroup_size() {
  function_.records_results = options_.record_results;
  function_.may_fuse = entry_.mode(spv::ExecutionMode::ContractionOff) == nullptr;
  function_.subgroup_size = options_.subgroup_items();
  function_.reference_math = options_.reference_math();
  function_.constants_change = options_.constants_change;
  const decoder::ExecutionMode* mode = entry_.mode(spv::ExecutionMode::SubgroupSize);
  if (mode == nullptr || mode->operands.empty()) return;
  function_.subgroup_size = mode->operands[0];
  if (!std::has_single_bit(function_.subgroup_size) || function_.subgroup_size > 64)
    refuse(Rule::kU0003,
           fmt::format("the sub-group size {} of kernel '{}' is not supported: it must "
                       "be a power of two of at most 64",
                       mode->operands[0], entry_.name));
}

void Builder::refuse(Rule rule, std::string message) {
  if (failed()) return;
  Diagnostic diagnostic = make_diagnostic(rule, std::move(message));
  if (rule == Rule::kU0004) diagnostic.help = "validate the module to learn which rule it breaks";
  refuse(std::move(diagnostic));
}

void Builder::refuse(Diagnostic diagnostic) {
  if (failed()) return;
  diagnostic.input = module_.input_name;
  if (instruction_ != nullptr) {
    diagnostic.word_offset = instruction_->word_offset;
    diagnostic.instruction = decoder::opcode_name(instruction_->op);
    diagnostic.source = module_.source_line(instruction_->line);
  }
  if (frame_ != nullptr)
    diagnostic.notes.push_back(
        fmt::format("in function '{}' of kernel '{}'", frame_->function->name, entry_.name));
  failure_ = std::move(diagnostic);
}

bool Builder::expect(bool condition, const char* what) {
  if (!condition) malformed(what);
  return condition;
}

std::uint32_t Builder::source() {
  if (source_ == 0 && instruction_ != nullptr) {
    function_.take(sizeof(Source));
    source_ = static_cast<std::uint32_t>(function_.sources.size());
    function_.sources.push_back({instruction_->word_offset, instruction_->op, instruction_->line,
                                 frame_->function->id, frame_->called_from});
  }
  return source_;
}

std::optional<std::uint64_t> Builder::constant_bits(ValueId value) const {
  const lir::Value& v = function_.values[value];
  if (v.op != Op::kConst) return std::nullopt;
  return v.imm;
}

void Builder::count_placed(std::uint64_t instructions) {
  placed_ += instructions;
  if (placed_ > options_.max_instructions)
    refuse(Rule::kL0003, fmt::format("the kernel has more than {} instructions after its calls are "
                                     "inlined",
                                     options_.max_instructions));
}

ValueId Builder::place(lir::Value value) {
  const std::string wrong = lir::check_operands(function_, value);
  if (!wrong.empty()) malformed(wrong);
  count_placed(1);
  if (failed()) return constant(value.kind == Kind::kVoid ? Kind::kI32 : value.kind, 0);
  value.source = source();
  value.block = block_;
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block_].instructions.push_back(id);
  return id;
}

ValueId Builder::emit(Op op, std::initializer_list<ValueId> args) {
  return has_float_controls_ ? emit_controlled(op, args) : emit_usual(op, args);
}

ValueId Builder::emit_usual(Op op, std::initializer_list<ValueId> args, std::uint64_t imm) {
  lir::Value value;
  value.op = op;
  value.imm = imm;
  value.args = args;
  const Kind first = kind_of(*args.begin());
  value.kind = value.from = first;
  switch (info(op).shape) {
    case Shape::kCompare:
    case Shape::kTest:
      value.kind = Kind::kBool;
      break;
    case Shape::kMask:
      value.kind = value.from = Kind::kBool;
      break;
    case Shape::kSelect:
      value.kind = value.from = kind_of(args.begin()[1]);
      break;
    case Shape::kFloatInt:
      value.kind = Kind::kI32;
      break;
    default:
      break;
  }
  return place(std::move(value));
}

ValueId Builder::convert(Op op, Kind to, ValueId operand, std::optional<std::uint64_t> imm) {
  lir::Value value;
  value.op = op;
  value.kind = to;
  value.from = kind_of(operand);
  value.imm = imm ? *imm
              : has_float_controls_ && is_float(to) && op != Op::kBitcast
                  ? static_cast<std::uint64_t>(float_controls(to).rounding)
                  : 0;
  value.args = {op == Op::kBitcast ? operand : flush_denorm(operand)};
  const ValueId result = place(std::move(value));
  return op == Op::kBitcast ? result : flush_denorm(result);
}

ValueId Builder::resize(ValueId value, Kind to, bool sign_extend) {
  const Kind from = kind_of(value);
  if (!expect(is_int(from) && is_int(to), "an integer was expected")) return constant(to, 0);
  if (from == to) return value;
  if (const std::optional<std::uint64_t> bits = constant_bits(value)) {
    const unsigned unused = 64 - width_bits(from);
    const std::int64_t number = static_cast<std::int64_t>(*bits << unused) >> unused;
    return constant(to, sign_extend ? static_cast<std::uint64_t>(number) : *bits);
  }
  if (width_bits(from) > width_bits(to)) return convert(Op::kTruncate, to, value);
  return convert(sign_extend ? Op::kSignExtend : Op::kZeroExtend, to, value);
}

BlockId Builder::new_block() {
  count_placed(1);
  function_.take(cost::kBlock);
  function_.blocks.emplace_back();
  return static_cast<BlockId>(function_.blocks.size() - 1);
}

void Builder::terminate(Op op, ValueId operand, std::vector<BlockId> targets) {
  lir::Value value;
  value.op = op;
  if (operand != kNoValue) {
    value.args = {operand};
    value.from = kind_of(operand);
  }
  const std::string wrong = lir::check_operands(function_, value);
  if (!wrong.empty()) malformed(wrong);
  value.source = source();
  value.block = block_;
  function_.take(targets.size() * cost::kEdge);
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block_].terminator = id;
  function_.blocks[block_].targets = std::move(targets);
}

ValueId Builder::new_phi(BlockId block, Kind kind) {
  count_placed(1);
  lir::Value value;
  value.op = Op::kPhi;
  value.kind = value.from = kind;
  value.source = source();
  value.block = block;
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block].phis.push_back(id);
  return id;
}

void Builder::dispatch(const Instruction& instruction) {
  const Row* row = find_row(instruction.op);
  if (row == nullptr)
    return refuse(Rule::kU0001,
                  fmt::format("{} is not supported", decoder::opcode_name(instruction.op)));
  if (options_.count_instructions) count(instruction.op);
  check_scopes(instruction);
  row->handler(*this, instruction, row->op);
  if (options_.check_ub) check_float_promises(instruction);
}

void Builder::count(spv::Op opcode) {
  if (static_cast<std::uint32_t>(opcode) >= kMostOpcodes) return;
  lir::Value value;
  value.op = Op::kCount;
  value.imm = static_cast<std::uint64_t>(opcode);
  place(std::move(value));
}

void Builder::finish_blocks() {
  std::vector<ValueId>& first = function_.blocks[0].instructions;
  first.insert(first.begin(), prologue_.begin(), prologue_.end());
  drop_unreachable();
  for (const lir::Block& block : function_.blocks)
    for (const ValueId id : block.instructions)
      if (const lir::Value& value = function_.values[id]; value.op == Op::kLifetimeStart)
        function_.private_variables[value.imm].begins_dead = true;
  link_blocks();
  drop_needless_loads();
  number_arguments();
  finish_debug_info();
  instruction_ = nullptr;
  frame_ = nullptr;
  if (failed()) return;
  const std::string wrong = lir::verify(function_);
  if (!wrong.empty())
    malformed(fmt::format("kernel '{}' is not well-formed: {}", entry_.name, wrong));
  if (!failed()) mark_written_parameters(function_);
}

/// Removes the blocks that control cannot reach (what follows a call that never returns) and
/// renumbers the others in reverse post-order.
void Builder::drop_unreachable() {
  std::vector<BlockId> order;
  std::vector<bool> seen(function_.blocks.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    function_.work();
    auto& [block, next] = stack.back();
    const lir::BlockList& targets = function_.blocks[block].targets;
    if (next == targets.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    // Last target first, so that the blocks of the first one come first in the order.
    const BlockId target = targets[targets.size() - ++next];
    if (seen[target]) continue;
    seen[target] = true;
    stack.push_back({target, 0});
  }
  std::vector<BlockId> number(function_.blocks.size(), kNoBlock);
  std::vector<lir::Block> blocks;
  for (std::size_t i = order.size(); i-- > 0;) {
    number[order[i]] = static_cast<BlockId>(blocks.size());
    blocks.push_back(std::move(function_.blocks[order[i]]));
  }
  for (lir::Block& block : blocks)
    for (BlockId& target : block.targets) target = number[target];
  for (lir::Value& value : function_.values) {
    function_.work();
    if (value.block == kNoBlock) continue;
    if (number[value.block] == kNoBlock) {
      const Kind kind = value.kind;
      value = {};
      value.kind = value.from = kind;
    } else {
      value.block = number[value.block];
    }
  }
  for (auto& [phi, operands] : incoming_) {
    function_.work(operands.size());
    for (Incoming& operand : operands) operand.from = number[operand.from];
  }
  function_.blocks = std::move(blocks);
  for (lir::NamedScalars& named : function_.named) named.block = number[named.block];
  std::erase_if(function_.named, [](const auto& named) { return named.block == kNoBlock; });
}

/// Fills in predecessors, and the operands of phis in their order.
void Builder::link_blocks() {
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    function_.work(function_.blocks[b].targets.size() + 1);
    for (const BlockId target : function_.blocks[b].targets) {
      lir::BlockList& preds = function_.blocks[target].preds;
      if (preds.empty() || preds.back() != b) preds.push_back(b);
    }
  }
  std::vector<std::uint32_t> place(function_.blocks.size(), 0);  // among the preds, of this block's
  for (const lir::Block& block : function_.blocks) {
    for (std::uint32_t i = 0; i < block.preds.size(); ++i) place[block.preds[i]] = i;
    for (const ValueId phi : block.phis) {
      ValueList& args = function_.values[phi].args;
      function_.take(block.preds.size() * cost::kPhiOperand);
      function_.work(block.preds.size() + 1);
      args.assign(block.preds.size(), kNoValue);
      for (const Incoming& operand : incoming_[phi]) {
        const std::uint32_t i = operand.from == kNoBlock ? 0 : place[operand.from];
        if (i < args.size() && block.preds[i] == operand.from) args[i] = operand.value;
      }
      for (const ValueId arg : args)
        if (arg == kNoValue) return malformed("a phi has no operand for one of its predecessors");
    }
  }
}

/// Parameters have the first slots; how many variables of each class follow is known only now.
void Builder::number_arguments() {
  std::uint32_t slot = function_.workgroup_slot(0);
  for (const std::vector<ValueId>* arguments :
       {&workgroup_arguments_, &program_arguments_, &private_arguments_})
    for (const ValueId argument : *arguments) function_.values[argument].imm = slot++;
  function_.argument_slots = slot;
}

}  // namespace builder
}  // namespace transpire::vm
