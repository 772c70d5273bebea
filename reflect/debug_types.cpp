// Types of the source: see the header. Instructions are those of "OpenCL Extended Debug Info".
#include "reflect/debug_types.h"

#include <fmt/format.h>
#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "decoder/raw_instructions.h"

namespace transpire::reflect {
namespace {

/// Typedefs of typedefs; a hostile module may let them go round.
constexpr int kMostNames = 64;

/// DebugTypeFunction: flags and the result stand before the parameters.
constexpr std::size_t kFirstParameter = 3;
/// DebugTypeComposite: name, tag, source, line, column, parent, linkage name, size, flags.
constexpr std::size_t kFirstMember = 10;

bool is_bytes(const TypeInfo& type) {
  if (type.kind == TypeInfo::Kind::kArray && !type.elements.empty())
    return is_bytes(type.elements[0]);
  return type.kind == TypeInfo::Kind::kInt && type.width_bits == 8;
}

std::string integer_word(std::uint32_t width_bits, bool is_signed) {
  const char* const word = width_bits == 8    ? "char"
                           : width_bits == 16 ? "short"
                           : width_bits == 32 ? "int"
                                              : "long";
  return fmt::format("{}{}", is_signed ? "" : "u", word);
}

}  // namespace

DebugTypes::DebugTypes(const decoder::Module& module) : module_(module) {
  const std::span<const std::uint32_t> words(module.words);
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (static_cast<spv::Op>(words[at] & 0xffff) != spv::Op::OpExtInst || count < 5) return;
    const decoder::ExtInstImport* import = module.ext_inst_import(words[at + 3]);
    if (import == nullptr || import->set != decoder::ExtendedSet::kOpenCLDebugInfo) return;
    const auto instruction = words.subspan(at + 4, count - 4);
    instructions_[words[at + 2]] = instruction;
    if (instruction[0] == OpenCLDebugInfo100DebugFunction && instruction.size() > 10)
      types_[instruction[10]] = instruction[2];
    if (instruction[0] == OpenCLDebugInfo100DebugGlobalVariable && instruction.size() > 8)
      types_[instruction[8]] = instruction[2];
  });
}

std::span<const std::uint32_t> DebugTypes::operands(decoder::Id id, std::uint32_t number,
                                                    std::size_t least) const {
  const auto found = instructions_.find(id);
  if (found == instructions_.end() || found->second[0] != number || found->second.size() <= least)
    return {};
  return found->second;
}

decoder::Id DebugTypes::plain(decoder::Id id) const {
  for (int i = 0; i < kMostNames; ++i) {
    if (const auto name = operands(id, OpenCLDebugInfo100DebugTypedef, 2); !name.empty())
      id = name[2];
    else if (const auto more = operands(id, OpenCLDebugInfo100DebugTypeQualifier, 1); !more.empty())
      id = more[1];
    else
      break;
  }
  return id;
}

std::span<const std::uint32_t> DebugTypes::parameters_of(decoder::Id function) const {
  const auto found = types_.find(function);
  if (found == types_.end()) return {};
  const auto type = operands(found->second, OpenCLDebugInfo100DebugTypeFunction, 2);
  return type.size() < kFirstParameter ? type.first(0) : type.subspan(kFirstParameter);
}

decoder::Id DebugTypes::variable_type(decoder::Id variable) const {
  const auto found = types_.find(variable);
  return found == types_.end() ? 0 : found->second;
}

std::vector<DebugTypes::Field> DebugTypes::fields_of(
    std::span<const std::uint32_t> composite) const {
  std::vector<Field> fields;
  for (const decoder::Id id : composite.subspan(kFirstMember)) {
    const auto member = operands(id, OpenCLDebugInfo100DebugTypeMember, 8);
    if (member.empty()) continue;  // functions, bases: OpenCL C has none
    const decoder::Constant* const offset = module_.constant(member[7]);
    const decoder::Constant* const size = module_.constant(member[8]);
    if (offset == nullptr || size == nullptr) return {};
    fields.push_back({module_.string(member[1]), member[2], offset->bits / 8, size->bits / 8});
  }
  return fields;
}

bool DebugTypes::is_like(decoder::Id id, const TypeInfo& type) const {
  const auto is = [&](std::uint32_t number) { return !operands(plain(id), number, 1).empty(); };
  switch (type.kind) {
    case TypeInfo::Kind::kInt:
    case TypeInfo::Kind::kFloat: {
      const auto basic = operands(plain(id), OpenCLDebugInfo100DebugTypeBasic, 3);
      const bool is_float = type.kind == TypeInfo::Kind::kFloat;
      return !basic.empty() && (basic[3] == OpenCLDebugInfo100Float) == is_float;
    }
    case TypeInfo::Kind::kVector:
      return is(OpenCLDebugInfo100DebugTypeVector);
    case TypeInfo::Kind::kArray:
      return is(OpenCLDebugInfo100DebugTypeArray);
    case TypeInfo::Kind::kStruct:
      return is(OpenCLDebugInfo100DebugTypeComposite);
    case TypeInfo::Kind::kPointer:
      return is(OpenCLDebugInfo100DebugTypePointer);
    default:
      return false;
  }
}

/// The members of a union lie over each other. SPIR-V's struct has one of them, and bytes behind it up to the size.
void DebugTypes::follow_union(const std::vector<Field>& fields, TypeInfo& type) const {
  if (type.elements.empty()) return;
  TypeInfo& kept = type.elements[0];
  const auto field = std::ranges::find_if(fields, [&](const Field& f) {
    return !f.name.empty() && f.size_bytes == kept.size_bytes && is_like(f.type, kept);
  });
  const auto rest = std::span(type.elements).subspan(1);
  if (field == fields.end() || !std::ranges::all_of(rest, is_bytes)) return;
  for (TypeInfo& member : rest) member.is_padding = true;
  type.member_names[0] = std::string(field->name);
  follow(field->type, kept);
}

void DebugTypes::follow_struct(decoder::Id id, TypeInfo& type) const {
  const auto composite = operands(id, OpenCLDebugInfo100DebugTypeComposite, kFirstMember - 1);
  if (composite.empty()) return;
  const std::vector<Field> fields = fields_of(composite);
  if (composite[2] == OpenCLDebugInfo100Union) return follow_union(fields, type);
  std::vector<std::size_t> field_of(type.elements.size(), fields.size());
  std::size_t matched = 0;
  for (std::size_t i = 0; i < type.elements.size() && i < type.member_offsets.size(); ++i) {
    const auto field = std::ranges::find_if(fields, [&](const Field& f) {
      return f.offset_bytes == type.member_offsets[i] && f.size_bytes != 0 &&
             f.size_bytes <= type.elements[i].size_bytes;
    });
    if (field == fields.end()) {
      if (!is_bytes(type.elements[i])) return;  // which fills nothing up
      continue;
    }
    field_of[i] = static_cast<std::size_t>(field - fields.begin());
    ++matched;
  }
  if (matched != fields.size()) return;
  for (std::size_t i = 0; i < type.elements.size(); ++i) {
    TypeInfo& member = type.elements[i];
    member.is_padding = field_of[i] == fields.size();
    if (member.is_padding) continue;
    const Field& field = fields[field_of[i]];
    if (!field.name.empty()) type.member_names[i] = std::string(field.name);
    follow(field.type, member);
  }
}

void DebugTypes::follow_number(decoder::Id id, TypeInfo& type) const {
  const auto basic = operands(id, OpenCLDebugInfo100DebugTypeBasic, 3);
  if (basic.empty() || type.kind != TypeInfo::Kind::kInt) return;
  const std::uint32_t encoding = basic[3];
  const bool is_signed =
      encoding == OpenCLDebugInfo100Signed || encoding == OpenCLDebugInfo100SignedChar;
  if (is_signed || encoding == OpenCLDebugInfo100Unsigned ||
      encoding == OpenCLDebugInfo100UnsignedChar)
    type.spelling = integer_word(type.width_bits, is_signed);
}

void DebugTypes::follow(decoder::Id id, TypeInfo& type) const {
  id = plain(id);
  switch (type.kind) {
    case TypeInfo::Kind::kStruct:
      return follow_struct(id, type);
    case TypeInfo::Kind::kInt:
      return follow_number(id, type);
    case TypeInfo::Kind::kPointer: {
      if (type.elements.empty()) return;
      const auto pointer = operands(id, OpenCLDebugInfo100DebugTypePointer, 1);
      // A struct by value is a pointer in SPIR-V alone.
      return follow(pointer.empty() ? id : pointer[1], type.elements[0]);
    }
    case TypeInfo::Kind::kArray: {
      const auto array = operands(id, OpenCLDebugInfo100DebugTypeArray, 1);
      TypeInfo* element = &type;
      while (element->kind == TypeInfo::Kind::kArray && !element->elements.empty())
        element = &element->elements[0];
      if (array.empty() || element->kind == TypeInfo::Kind::kArray) return;
      const std::string before = element->spelling;
      follow(array[1], *element);
      // "uint[3]" begins with the word of its elements.
      for (TypeInfo* each = &type; each != element; each = &each->elements[0])
        if (each->spelling.starts_with(before))
          each->spelling.replace(0, before.size(), element->spelling);
      return;
    }
    case TypeInfo::Kind::kVector: {
      const auto vector = operands(id, OpenCLDebugInfo100DebugTypeVector, 1);
      if (vector.empty() || type.elements.empty()) return;
      follow(vector[1], type.elements[0]);
      if (type.elements[0].kind == TypeInfo::Kind::kInt)
        type.spelling = fmt::format("{}{}", type.elements[0].spelling, type.count);
      return;
    }
    default:
      return;
  }
}

}  // namespace transpire::reflect
