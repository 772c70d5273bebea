// Reads signatures, and those of opcodes once.
#include "validator/signatures.h"

#include <utility>

namespace transpire::validator {
namespace {

struct ClassName {
  std::string_view word, description;
};
/// In the order of TypeClass.
constexpr ClassName kClasses[] = {
    {"int", "an integer scalar"},
    {"float", "a floating-point scalar"},
    {"bool", "a Boolean scalar"},
    {"num", "an integer or floating-point scalar"},
    {"scalar", "a scalar"},
    {"ints", "an integer scalar or vector"},
    {"floats", "a floating-point scalar or vector"},
    {"bools", "a Boolean scalar or vector"},
    {"nums", "a number or a vector of numbers"},
    {"scalars", "a scalar or vector"},
    {"discretes", "a scalar or vector of integers or Booleans"},
    {"intv", "a vector of integers"},
    {"floatv", "a vector of floats"},
    {"boolv", "a vector of Booleans"},
    {"vec", "a vector"},
    {"value", "a value"},
    {"ptr", "a pointer"},
    {"struct", "a structure"},
    {"event", "an event"},
    {"devevent", "a device-side event"},
    {"queue", "a queue"},
    {"reserve", "a reservation identifier"},
    {"pipe", "a pipe"},
    {"storage", "a pipe storage"},
    {"barrier", "a named barrier"},
    {"eventptr", "a pointer to events"},
    {"localid", "an integer scalar or a vector of two or three"},
    {"pair", "a structure of two members of one integer type"},
    {"void", "void"},
    {"size", "an integer as wide as addresses"},
    {"geometric", "a float or a vector of two to four"},
    {"cross", "a vector of three or four floats"},
    {"ballot", "a vector of four 32-bit integers"},
    {"outptr", "a pointer of CrossWorkgroup, Workgroup, Function or Generic"},
    {"inptr", "a pointer of CrossWorkgroup, Workgroup, Function, Generic or UniformConstant"},
    {"globalptr", "a pointer of CrossWorkgroup"},
    {"textptr", "a pointer to 8-bit integers of UniformConstant"},
    {"fn", "a function"},
    {"-", "anything"},
};

TypeClass class_of(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kClasses); ++i)
    if (kClasses[i].word == word) return static_cast<TypeClass>(i);
  return TypeClass::kAny;
}

OperandSignature parse_word(std::string_view word) {
  OperandSignature parsed;
  if (word.ends_with('?')) {
    parsed.optional = true;
    word.remove_suffix(1);
  }
  const std::size_t end = word == "-" ? 1 : word.find_first_of("=#%!.^,/><$~@:&");
  parsed.type_class = class_of(word.substr(0, end));
  std::size_t count = 0;
  for (std::size_t at = end; at < word.size() && count < parsed.relations.size(); ++count) {
    Relation& relation = parsed.relations[count];
    relation.kind = word[at++];
    if (word[at] == 'r') {
      relation.other = Relation::kResult;
      ++at;
      continue;
    }
    for (; at < word.size() && word[at] >= '0' && word[at] <= '9'; ++at)
      relation.other = relation.other * 10 + (word[at] - '0');
  }
  return parsed;
}

Signature parse(std::string_view result, std::string_view operands) {
  Signature signature{parse_word(result), {}};
  while (!operands.empty()) {
    const std::size_t end = operands.find(' ');
    signature.operands.push_back(parse_word(operands.substr(0, end)));
    operands.remove_prefix(end == operands.npos ? operands.size() : end + 1);
  }
  return signature;
}

}  // namespace

void SignatureTable::add_row(std::string_view result, std::string_view operands,
                             std::initializer_list<std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) rows_.emplace(number, parse(result, operands));
}

const Signature* SignatureTable::find(std::uint32_t number) const {
  const auto found = rows_.find(number);
  return found == rows_.end() ? nullptr : &found->second;
}

std::string_view describe(TypeClass type_class) {
  return kClasses[static_cast<std::size_t>(type_class)].description;
}

const Signature* find_signature(spv::Op op) {
  static const SignatureTable table = [] {
    SignatureTable read;
    using enum spv::Op;
#define TRANSPIRE_SIGNATURE(result, operands, ...) read.add(result, operands, __VA_ARGS__);
#include "validator/signatures.def"
#undef TRANSPIRE_SIGNATURE
    return read;
  }();
  return table.find(static_cast<std::uint32_t>(op));
}

}  // namespace transpire::validator
