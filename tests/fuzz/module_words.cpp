#include "tests/fuzz/module_words.h"

namespace transpire::fuzz {
namespace {

constexpr std::uint32_t kVersion10 = 0x00010000;

std::uint32_t word(auto enumerator) { return static_cast<std::uint32_t>(enumerator); }

void append_text(Words& words, std::string_view text) {
  const std::size_t first = words.size();
  words.resize(first + text.size() / 4 + 1, 0);
  for (std::size_t i = 0; i < text.size(); ++i)
    words[first + i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]))
                            << (i % 4 * 8);
}

}  // namespace

ModuleWords::ModuleWords() {
  kernel_ = id();
  out_ = id();
  void_ = once(spv::Op::OpTypeVoid, 0, {});
  long_ = int_type(64);
  global_long_ = pointer(spv::StorageClass::CrossWorkgroup, long_);
  const Id ids = vector(long_, 3);
  lane_variable_ = declare(spv::Op::OpVariable, pointer(spv::StorageClass::Input, ids),
                           {word(spv::StorageClass::Input)});
  decorate(lane_variable_, spv::Decoration::BuiltIn, {word(spv::BuiltIn::GlobalInvocationId)});
}

void ModuleWords::name(Id target, std::string_view text) {
  Words operands{target};
  append_text(operands, text);
  append(names_, spv::Op::OpName, operands);
}

void ModuleWords::decorate(Id target, spv::Decoration kind, const Words& operands) {
  Words all{target, word(kind)};
  all.insert(all.end(), operands.begin(), operands.end());
  append(decorations_, spv::Op::OpDecorate, all);
}

ModuleWords::Id ModuleWords::declare(spv::Op op, Id type, const Words& operands) {
  const Id result = id();
  Words all{result};
  if (type != 0) all.insert(all.begin(), type);
  all.insert(all.end(), operands.begin(), operands.end());
  append(declarations_, op, all);
  return result;
}

ModuleWords::Id ModuleWords::once(spv::Op op, Id type, const Words& operands) {
  Words key{word(op), type};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [entry, is_new] = known_.try_emplace(std::move(key), 0);
  if (is_new) entry->second = declare(op, type, operands);
  return entry->second;
}

ModuleWords::Id ModuleWords::int_type(std::uint32_t bits) {
  return once(spv::Op::OpTypeInt, 0, {bits, 0});
}

ModuleWords::Id ModuleWords::bool_type() { return once(spv::Op::OpTypeBool, 0, {}); }

ModuleWords::Id ModuleWords::vector(Id element, std::uint32_t count) {
  return once(spv::Op::OpTypeVector, 0, {element, count});
}

ModuleWords::Id ModuleWords::array(Id element, std::uint64_t count) {
  return once(spv::Op::OpTypeArray, 0, {element, constant(long_, count)});
}

ModuleWords::Id ModuleWords::pointer(spv::StorageClass storage, Id pointee) {
  return once(spv::Op::OpTypePointer, 0, {word(storage), pointee});
}

ModuleWords::Id ModuleWords::function_type(Id result, const Words& parameters) {
  Words operands{result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return once(spv::Op::OpTypeFunction, 0, operands);
}

ModuleWords::Id ModuleWords::constant(Id type, std::uint64_t value) {
  Words bits{static_cast<std::uint32_t>(value)};
  if (type == long_) bits.push_back(static_cast<std::uint32_t>(value >> 32));
  return once(spv::Op::OpConstant, type, bits);
}

ModuleWords::Id ModuleWords::begin_function(Id result, Id type) {
  const Id function = id();
  emit(spv::Op::OpFunction, {result, function, 0, type});
  return function;
}

void ModuleWords::begin_kernel() {
  emit(spv::Op::OpFunction, {void_, kernel_, 0, function_type(void_, {global_long_})});
  emit(spv::Op::OpFunctionParameter, {global_long_, out_});
}

ModuleWords::Id ModuleWords::value(spv::Op op, Id type, const Words& operands) {
  const Id result = id();
  Words all{type, result};
  all.insert(all.end(), operands.begin(), operands.end());
  emit(op, all);
  return result;
}

ModuleWords::Id ModuleWords::element(std::uint64_t index) {
  return value(spv::Op::OpInBoundsPtrAccessChain, global_long_, {out_, constant(long_, index)});
}

ModuleWords::Id ModuleWords::load(std::uint64_t index) {
  return value(spv::Op::OpLoad, long_, {element(index)});
}

void ModuleWords::store(Id stored, std::uint64_t index) {
  emit(spv::Op::OpStore, {element(index), stored});
}

ModuleWords::Id ModuleWords::lane() {
  const Id all = value(spv::Op::OpLoad, vector(long_, 3), {lane_variable_});
  return value(spv::Op::OpCompositeExtract, long_, {all, 0});
}

ModuleWords::Id ModuleWords::variable(Id pointee) {
  return value(spv::Op::OpVariable, pointer(spv::StorageClass::Function, pointee),
               {word(spv::StorageClass::Function)});
}

Words ModuleWords::finish() const {
  Words words{spv::MagicNumber, kVersion10, 0, next_id_, 0};
  for (const auto capability :
       {spv::Capability::Addresses, spv::Capability::Kernel, spv::Capability::Int64,
        spv::Capability::Int16, spv::Capability::Int8, spv::Capability::Vector16,
        spv::Capability::Linkage, spv::Capability::GenericPointer})
    append(words, spv::Op::OpCapability, {word(capability)});
  append(words, spv::Op::OpMemoryModel,
         {word(spv::AddressingModel::Physical64), word(spv::MemoryModel::OpenCL)});
  Words entry{word(spv::ExecutionModel::Kernel), kernel_};
  append_text(entry, "k");
  entry.push_back(lane_variable_);
  append(words, spv::Op::OpEntryPoint, entry);
  for (const Words* section : {&names_, &decorations_, &declarations_, &functions_})
    words.insert(words.end(), section->begin(), section->end());
  return words;
}

}  // namespace transpire::fuzz
