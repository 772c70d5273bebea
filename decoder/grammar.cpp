// Look-ups in the generated grammar tables. Opcodes go through a dense index, enumerants through a
// binary search within their kind.
#include "decoder/grammar.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {
namespace {

struct KindRow {
  std::string_view name;
  Category category;
  std::uint16_t first_enumerant, enumerant_count;
};

struct NewerName {
  std::string_view name;
  OperandKind kind;
  std::uint32_t value;
};

#include "decoder/grammar_tables.inc"

constexpr std::uint16_t kNoRow = 0xffff;
constexpr std::size_t kOpcodeLimit = kOpcodes[std::size(kOpcodes) - 1].opcode + std::size_t{1};

constexpr std::array<std::uint16_t, kOpcodeLimit> kOpcodeIndex = [] {
  std::array<std::uint16_t, kOpcodeLimit> index{};
  index.fill(kNoRow);
  for (std::size_t row = 0; row < std::size(kOpcodes); ++row)
    index[kOpcodes[row].opcode] = static_cast<std::uint16_t>(row);
  return index;
}();

const KindRow& kind_row(OperandKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

const OpcodeInfo* find_opcode(std::uint32_t opcode) {
  if (opcode >= kOpcodeLimit || kOpcodeIndex[opcode] == kNoRow) return nullptr;
  return &kOpcodes[kOpcodeIndex[opcode]];
}

const OpcodeInfo* find_opcode_named(std::string_view name) {
  const auto found = std::ranges::find(kOpcodes, name, &OpcodeInfo::name);
  return found == std::end(kOpcodes) ? nullptr : &*found;
}

const EnumerantInfo* find_enumerant(OperandKind kind, std::uint32_t value) {
  const EnumerantInfo* first = kEnumerants + kind_row(kind).first_enumerant;
  const EnumerantInfo* last = first + kind_row(kind).enumerant_count;
  const EnumerantInfo* row = std::lower_bound(
      first, last, value,
      [](const EnumerantInfo& left, std::uint32_t right) { return left.value < right; });
  return row != last && row->value == value ? row : nullptr;
}

std::size_t enumerant_count(OperandKind kind) { return kind_row(kind).enumerant_count; }

const ExtInstInfo* find_ext_inst(ExtendedSet set, std::uint32_t number) {
  const auto key = [](const ExtInstInfo& info) { return std::pair(info.set, info.number); };
  const auto row = std::ranges::lower_bound(kExtInsts, std::pair(set, number), {}, key);
  return row != std::end(kExtInsts) && key(*row) == std::pair(set, number) ? row : nullptr;
}

Category category_of(OperandKind kind) { return kind_row(kind).category; }

std::string_view kind_name(OperandKind kind) { return kind_row(kind).name; }

std::string_view enumerant_name(OperandKind kind, std::uint32_t value) {
  const EnumerantInfo* row = find_enumerant(kind, value);
  return row ? row->name : std::string_view{};
}

const EnumerantInfo* find_newer_enumerant(std::string_view name) {
  const auto row = std::ranges::lower_bound(kNewerNames, name, {}, &NewerName::name);
  if (row == std::end(kNewerNames) || row->name != name || name.empty()) return nullptr;
  return find_enumerant(row->kind, row->value);
}

const OpcodeInfo* find_newer_opcode(std::string_view name) {
  // Never destroyed: texts may be read while the process exits.
  static const auto& newer = *[] {
    auto* rows = new std::vector<const OpcodeInfo*>;
    for (const OpcodeInfo& info : kOpcodes)
      if (info.is_newer) rows->push_back(&info);
    return rows;
  }();
  constexpr std::string_view kPrefix = "Op";
  for (const OpcodeInfo* const info : newer)
    if (info->name == name || info->name.substr(kPrefix.size()) == name) return info;
  return nullptr;
}

const EnumerantInfo* find_enumerant_named(OperandKind kind, std::string_view name) {
  const std::span rows(kEnumerants + kind_row(kind).first_enumerant,
                       kind_row(kind).enumerant_count);
  const auto row = std::ranges::find(rows, name, &EnumerantInfo::name);
  return row == rows.end() ? nullptr : &*row;
}

std::string_view opcode_name(spv::Op op) {
  const auto number = static_cast<std::uint32_t>(op);
  if (const OpcodeInfo* info = find_opcode(number)) return info->name;
  // Made on the first unknown opcode: a view needs storage that outlives the call.
  static const auto& unknown = *new std::vector<std::string>([] {
    std::vector<std::string> names(0x10000);
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = "Op" + std::to_string(i);
#define TRANSPIRE_NEWER_OPCODE(number, name) names[number] = "Op" #name;
#include "decoder/newer_opcodes.def"
    return names;
  }());
  return unknown[number & 0xffff];
}

std::string_view opcode_class(spv::Op op) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(op));
  return info ? info->class_name : std::string_view{};
}

std::string_view ext_inst_name(ExtendedSet set, std::uint32_t number) {
  const ExtInstInfo* info = find_ext_inst(set, number);
  return info ? info->name : std::string_view{};
}

std::string_view capability_name(spv::Capability capability) {
  return enumerant_name(OperandKind::kCapability, static_cast<std::uint32_t>(capability));
}

std::vector<std::string> opcode_names() {
  std::vector<std::string> names;
  for (const OpcodeInfo& info : kOpcodes) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> ext_inst_names() {
  std::vector<std::string> names;
  for (const ExtInstInfo& info : kExtInsts) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> enumerant_names(std::string_view kind_in_words) {
  std::string wanted;
  for (const char c : kind_in_words)
    if (c != ' ' && c != '-') wanted += c;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto is_same = [&](char a, char b) { return lower(a) == lower(b); };
  std::vector<std::string> names;
  for (const KindRow& kind : kKinds) {
    if (!std::ranges::equal(kind.name, wanted, is_same)) continue;
    for (std::size_t i = 0; i < kind.enumerant_count; ++i)
      names.emplace_back(kEnumerants[kind.first_enumerant + i].name);
  }
  return names;
}

bool is_terminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpKill:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpIgnoreIntersectionKHR:
    case spv::Op::OpTerminateRayKHR:
    case spv::Op::OpEmitMeshTasksEXT:
      return true;
    default:
      return false;
  }
}

}  // namespace transpire::decoder
