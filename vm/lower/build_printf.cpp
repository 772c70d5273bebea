// printf: the format and the strings of %s are read from constant memory now; the other arguments
// are operands.
#include <fmt/format.h>

#include "vm/lower/build_extinst.h"

namespace transpire::vm::builder {
namespace {

/// The conversion letters of a format, in order: one for each argument.
std::string conversions(const std::string& format) {
  constexpr std::string_view kBefore = "-+ #0123456789.vhlLjzt";
  std::string letters;
  for (std::size_t at = format.find('%'); at != std::string::npos; at = format.find('%', at + 1)) {
    const std::size_t letter = format.find_first_not_of(kBefore, at + 1);
    if (letter == std::string::npos) break;
    if (format[letter] != '%') letters += format[letter];
    at = letter;
  }
  return letters;
}

bool add_string(Builder& b, ValueId pointer, lir::PrintfInfo::Argument& argument) {
  const std::optional<std::string> text = b.constant_string(pointer);
  if (!text) {
    b.refuse(Rule::kU0002, "printf's %s is supported for string literals only");
    return false;
  }
  argument.is_string = true;
  argument.text = *text;
  return true;
}

void add_argument(Builder& b, const Instruction& i, std::size_t at, char letter,
                  lir::PrintfInfo& info, ValueList& operands) {
  const Type* type = b.operand_type(i, at);
  const Values values = b.operand(i, at);
  if (b.failed() || !b.expect(!values.empty(), "an argument of printf has no value")) return;
  if (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kStruct)
    return b.refuse(Rule::kU0002, fmt::format("printf cannot print a {}", decoder::spell(*type)));
  lir::PrintfInfo::Argument argument{};
  argument.kind = b.kind_of(values[0]);
  argument.components = static_cast<std::uint32_t>(values.size());
  argument.is_pointer = type->kind == Type::Kind::kPointer;
  if (argument.is_pointer && letter == 's') {
    if (add_string(b, values[0], argument)) info.arguments.push_back(std::move(argument));
    return;
  }
  for (ValueId value : values) {
    if (argument.kind == Kind::kBool)
      value = b.select(value, b.constant(Kind::kI32, 1), b.constant(Kind::kI32, 0));
    operands.push_back(value);
  }
  if (argument.kind == Kind::kBool) argument.kind = Kind::kI32;
  info.arguments.push_back(std::move(argument));
}

void print(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueId format = scalar_function_operand(b, i, 0);
  if (b.failed()) return;
  const std::optional<std::string> text = b.constant_string(format);
  if (!text)
    return b.refuse(Rule::kU0002,
                    "printf is supported with a format that is a string literal only");
  lir::PrintfInfo info;
  info.format = *text;
  const std::string letters = conversions(*text);
  lir::Value value;
  value.op = Op::kPrintf;
  value.kind = Kind::kI32;
  for (std::size_t at = kFirstOperand + 1; at < i.operands.size() && !b.failed(); ++at) {
    const std::size_t n = at - kFirstOperand - 1;
    add_argument(b, i, at, n < letters.size() ? letters[n] : '\0', info, value.args);
  }
  if (b.failed()) return;
  value.imm = b.function().printfs.size();
  b.function().printfs.push_back(std::move(info));
  b.define(i, {b.place(std::move(value))});
}

constexpr ExtendedRow kRows[] = {{OpenCLLIB::Printf, print}};

}  // namespace

std::span<const ExtendedRow> printf_rows() { return kRows; }

}  // namespace transpire::vm::builder
