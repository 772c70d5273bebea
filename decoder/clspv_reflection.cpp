// Reads the instructions of NonSemantic.ClspvReflection. decoder/clspv_checks.cpp compares them with the module.
#include "decoder/clspv_reflection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <unordered_map>

namespace transpire::decoder {
namespace {

constexpr std::string_view kSetName = "NonSemantic.ClspvReflection.";
constexpr std::uint32_t kLastRevision = 7;
/// clspv imports this revision, and uses instructions of later ones all the same.
constexpr std::uint32_t kRevisionOfClspv = 5;
constexpr std::size_t kMostOperands = 7;

struct Row {
  ClspvOp op;
  std::string_view name;
  std::uint32_t revision;
  ClspvCarrier carrier;
  std::size_t required;
  std::array<ClspvOperand, kMostOperands> operands;
  std::size_t count;
};

template <class... Operands>
constexpr Row make_row(ClspvOp op, std::string_view name, std::uint32_t revision,
                       ClspvCarrier carrier, std::size_t required, Operands... operands) {
  return {op, name, revision, carrier, required, {operands...}, sizeof...(operands)};
}

using enum ClspvOperand;
#define TRANSPIRE_CLSPV_OPERANDS(...) __VA_ARGS__
#define TRANSPIRE_CLSPV(number, name, revision, carrier, required, operands)   \
  make_row(ClspvOp::k##name, #name, revision, ClspvCarrier::carrier, required, \
           TRANSPIRE_CLSPV_OPERANDS operands),
constexpr Row kRows[] = {
#include "decoder/clspv_reflection.def"
};

/// The rows stand in the order of numbers, from 1.
const Row* clspv_row(std::uint32_t number) {
  return number == 0 || number > std::size(kRows) ? nullptr : &kRows[number - 1];
}

bool is_string(ClspvOperand operand) {
  return operand == kName || operand == kTypeName || operand == kAttributes || operand == kFormat ||
         operand == kData;
}

/// True for instructions of which a module has one at most.
bool is_single(ClspvOp op) {
  return (op >= ClspvOp::kSpecConstantWorkgroupSize &&
          op <= ClspvOp::kPushConstantRegionGroupOffset) ||
         op == ClspvOp::kSpecConstantSubgroupMaxSize || op == ClspvOp::kPrintfBufferStorageBuffer ||
         op == ClspvOp::kPrintfBufferPointerPushConstant ||
         op == ClspvOp::kProgramScopeVariablesStorageBuffer ||
         op == ClspvOp::kProgramScopeVariablePointerPushConstant;
}

/// Reads the instructions one after the other; none of them refers to a later one.
class Reader {
 public:
  Reader(const Module& module, ClspvReflection& reflection)
      : module_(module), reflection_(reflection) {}

  Status read();

 private:
  Status read_import(std::uint32_t at, Id id);
  Status read_instruction(std::uint32_t at, std::span<const std::uint32_t> words);
  Status read_operand(ClspvFact& fact, ClspvOperand operand, std::uint32_t word);
  Status add(ClspvFact fact);
  Diagnostic error(const ClspvFact& fact, std::string_view message) const {
    return clspv_error(module_, fact, message);
  }

  const Module& module_;
  ClspvReflection& reflection_;
  std::unordered_map<Id, std::uint32_t> revisions_;  ///< by the imports of the set
  std::unordered_map<Id, std::size_t> kernels_;      ///< Kernel to its index
  std::unordered_map<Id, ClspvFact> infos_;          ///< ArgumentInfo
};

Status Reader::read() {
  const std::span<const std::uint32_t> words = module_.words;
  constexpr std::uint32_t kHeader = 5, kSet = 3;
  for (std::uint32_t at = kHeader; at < words.size(); at += words[at] >> 16) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    Status good = Unit{};
    if (op == spv::Op::OpExtInstImport) good = read_import(at, words[at + 1]);
    if (op == spv::Op::OpExtInst && revisions_.contains(words[at + kSet]))
      good = read_instruction(at, words.subspan(at, words[at] >> 16));
    if (!good) return good;
  }
  for (ClspvKernel& kernel : reflection_.kernels)
    std::ranges::stable_sort(kernel.arguments, {}, &ClspvArgument::ordinal);
  return Unit{};
}

Status Reader::read_import(std::uint32_t at, Id id) {
  const ExtInstImport* const import = module_.ext_inst_import(id);
  if (import == nullptr || !import->name.starts_with(kSetName)) return Unit{};
  const std::string_view digits = std::string_view(import->name).substr(kSetName.size());
  std::uint32_t revision = 0;
  const auto [end, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), revision);
  const bool is_number = failed == std::errc() && end == digits.data() + digits.size();
  if (!is_number || revision == 0 || revision > kLastRevision) {
    ClspvFact place;
    place.word_offset = at;
    Diagnostic unknown = error(
        place,
        fmt::format("expected revision 1 to {} of the set, found '{}'", kLastRevision, digits));
    unknown.instruction = opcode_name(spv::Op::OpExtInstImport);
    return unknown;
  }
  revisions_[id] = revision;
  return Unit{};
}

Status Reader::read_instruction(std::uint32_t at, std::span<const std::uint32_t> words) {
  ClspvFact fact;
  fact.word_offset = at;
  fact.id = words[2];
  const std::uint32_t revision = revisions_[words[3]];
  const Row* const row = clspv_row(words[4]);
  if (row == nullptr) return error(fact, fmt::format("the set has no instruction {}", words[4]));
  fact.op = row->op;
  if (row->revision > (revision < kRevisionOfClspv ? revision : kLastRevision))
    return error(fact, fmt::format("the instruction belongs to revision {}, the module imports {}",
                                   row->revision, revision));
  const std::span<const std::uint32_t> operands = words.subspan(5);
  const bool has_more = row->operands[row->count - 1] == kMore;
  if (operands.size() < row->required || (operands.size() > row->count && !has_more))
    return error(fact, fmt::format("expected {} to {} operands, found {}", row->required,
                                   row->count, operands.size()));
  fact.operand_count = static_cast<std::uint32_t>(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (Status good = read_operand(fact, row->operands[std::min(i, row->count - 1)], operands[i]);
        !good)
      return good;
  return add(std::move(fact));
}

Status Reader::read_operand(ClspvFact& fact, ClspvOperand operand, std::uint32_t word) {
  const auto refuse = [&](std::string_view expected) {
    return error(fact, fmt::format("expected {}, found {}", expected, module_.spell_id(word)));
  };
  if (operand == kKernel && !kernels_.contains(word)) return refuse("a Kernel declared before");
  if (operand == kArgInfo && !infos_.contains(word))
    return refuse("an ArgumentInfo declared before");
  if (operand == kKernelFunction && module_.function(word) == nullptr) return refuse("a function");
  if (operand == kVariable && module_.variable(word) == nullptr) return refuse("a variable");
  if (is_string(operand) && module_.kind_of(word) != IdKind::kString) return refuse("a string");
  std::uint32_t value = word;
  if (operand >= kOrdinal) {
    const Constant* const constant = module_.constant(word);
    if (constant == nullptr || constant->kind != Constant::Kind::kScalar ||
        constant->specialisable || constant->type->kind != Type::Kind::kInt ||
        constant->type->width_bits != 32)
      return refuse("a constant of 32 bits");
    value = static_cast<std::uint32_t>(constant->bits);
  }
  if (operand == kMore)
    fact.more.push_back(value);
  else
    fact.operands[static_cast<std::size_t>(operand)] = value;
  return Unit{};
}

Status Reader::add(ClspvFact fact) {
  if (fact.op == ClspvOp::kKernel) {
    const std::string_view name = module_.string(fact[kName]);
    kernels_[fact.id] = reflection_.kernels.size();
    if (!reflection_.kernel_numbers.try_emplace(name, reflection_.kernels.size()).second)
      return error(fact, fmt::format("'{}' is declared a second time", name));
    reflection_.kernels.push_back({fact.id,
                                   name,
                                   fact[kKernelFunction],
                                   fact[kCount],
                                   module_.string(fact[kAttributes]),
                                   {},
                                   {std::move(fact)}});
    return Unit{};
  }
  if (fact.op == ClspvOp::kArgumentInfo) {
    infos_[fact.id] = std::move(fact);
    return Unit{};
  }
  const Row& row = *clspv_row(static_cast<std::uint32_t>(fact.op));
  if (row.operands[0] != kKernel) {
    const bool is_first =
        reflection_.first_facts.try_emplace(fact.op, reflection_.facts.size()).second;
    if (!is_first && is_single(fact.op)) return error(fact, "stands a second time");
    reflection_.facts.push_back(std::move(fact));
    return Unit{};
  }
  ClspvKernel& kernel = reflection_.kernels[kernels_[fact[kKernel]]];
  if (!row.name.starts_with("Argument")) {
    kernel.facts.push_back(std::move(fact));
    return Unit{};
  }
  ClspvArgument argument{std::move(fact), {}, {}, {}};
  if (argument[kArgInfo] != 0) {
    argument.info = infos_[argument[kArgInfo]];
    argument.name = module_.string((*argument.info)[kName]);
    argument.type_name = module_.string((*argument.info)[kTypeName]);
  }
  kernel.arguments.push_back(std::move(argument));
  return Unit{};
}

}  // namespace

const ClspvKernel* ClspvReflection::kernel(std::string_view name) const {
  const auto found = kernel_numbers.find(name);
  return found == kernel_numbers.end() ? nullptr : &kernels[found->second];
}

const ClspvFact* ClspvReflection::fact(ClspvOp op) const {
  const auto found = first_facts.find(op);
  return found == first_facts.end() ? nullptr : &facts[found->second];
}

const ClspvFact* ClspvReflection::variables() const {
  const ClspvFact* const in_buffer = fact(ClspvOp::kProgramScopeVariablesStorageBuffer);
  return in_buffer != nullptr ? in_buffer : fact(ClspvOp::kProgramScopeVariablePointerPushConstant);
}

bool ClspvReflection::has_regions() const {
  return std::ranges::any_of(first_facts, [](const auto& each) {
    return each.first >= ClspvOp::kPushConstantGlobalSize &&
           each.first <= ClspvOp::kPushConstantRegionGroupOffset;
  });
}

std::unordered_map<Id, const Variable*> local_arrays(const Module& module) {
  std::unordered_map<Id, const Variable*> arrays;
  for (const Variable& variable : module.variables)
    if (variable.storage_class == spv::StorageClass::Workgroup && variable.type != nullptr &&
        variable.type->element != nullptr && variable.type->element->kind == Type::Kind::kArray)
      arrays[variable.type->element->length] = &variable;
  return arrays;
}

ClspvCarrier carrier_of(ClspvOp op) { return clspv_row(static_cast<std::uint32_t>(op))->carrier; }

bool is_value(ClspvOp op) {
  return op == ClspvOp::kArgumentPodStorageBuffer || op == ClspvOp::kArgumentPodUniform ||
         op == ClspvOp::kArgumentPodPushConstant;
}

bool is_address(ClspvOp op) {
  return op == ClspvOp::kArgumentPointerPushConstant || op == ClspvOp::kArgumentPointerUniform;
}

bool is_descriptor(ClspvOp op) {
  const ClspvCarrier carrier = carrier_of(op);
  return !is_value(op) && !is_address(op) && carrier != ClspvCarrier::kNone &&
         carrier != ClspvCarrier::kPushConstant && carrier != ClspvCarrier::kSpecConstant;
}

std::string_view name_of(ClspvOp op) {
  const Row* const row = clspv_row(static_cast<std::uint32_t>(op));
  return row == nullptr ? std::string_view{} : row->name;
}

Diagnostic clspv_error(const Module& module, const ClspvFact& fact, std::string_view message) {
  const std::string_view name = name_of(fact.op);
  Diagnostic error =
      make_diagnostic(Rule::kD0043, fmt::format("{}{}{}", name, name.empty() ? "" : ": ", message));
  error.input = module.input_name;
  error.word_offset = fact.word_offset;
  error.instruction = opcode_name(spv::Op::OpExtInst);
  return error;
}

Result<std::optional<ClspvReflection>> clspv_reflection(const Module& module) {
  const auto is_of_set = [](const ExtInstImport& import) {
    return import.name.starts_with(kSetName);
  };
  if (std::ranges::none_of(module.ext_inst_imports, is_of_set))
    return std::optional<ClspvReflection>{};
  ClspvReflection reflection;
  if (const Status good = Reader(module, reflection).read(); !good) return good.errors();
  // Before revision 5 nothing says how many parameters there are.
  for (ClspvKernel& kernel : reflection.kernels)
    if (kernel.facts[0].operand_count < 3 && !kernel.arguments.empty())
      kernel.parameter_count = kernel.arguments.back().ordinal() + 1;
  if (const Status good = check_clspv_reflection(module, reflection); !good) return good.errors();
  return std::optional(std::move(reflection));
}

}  // namespace transpire::decoder
