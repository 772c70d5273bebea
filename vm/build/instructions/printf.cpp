// printf of OpenCL C and of NonSemantic.DebugPrintf: a format and strings of %s whose address is known are read from constant memory now. The other arguments are
// operands, and so are formats and strings that only the run knows: clang makes one call of two with different formats.
#include <fmt/format.h>
#include <spirv/unified1/NonSemanticDebugPrintf.h>

#include <algorithm>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

/// A finding about the call, each time that it is executed.
void report(Builder& b, const PrintfPiece& piece, std::string_view what) {
  b.checks.never(Rule::kR0068, b.ops.constant(Kind::kBool, 1),
                 fmt::format("'{}': {}", piece.written, what));
}

void add_argument(Builder& b, const Instruction& i, std::size_t at, const PrintfPiece* conversion,
                  PrintfInfo& info, ValueList& operands) {
  const Type* type = b.ids.operand_type(i, at);
  const Values values = b.ids.operand(i, at);
  if (b.failed() || !b.expect(!values.empty(), "an argument of printf has no value")) return;
  if (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kStruct)
    return b.refuse(Rule::kU0002, fmt::format("printf cannot print a {}", decoder::spell(*type)));
  PrintfInfo::Argument argument{};
  argument.kind = b.ops.kind_of(values[0]);
  argument.components = narrow<std::uint32_t>(values.size());
  argument.is_pointer = type->kind == Type::Kind::kPointer;
  const bool is_text = argument.is_pointer && conversion != nullptr && conversion->letter == 's';
  if (const auto text = is_text ? b.constant_memory.string(values[0]) : std::nullopt) {
    argument.is_string = true;
    argument.text = *text;
    info.arguments.push_back(std::move(argument));
    return;
  }
  if (!is_text && conversion != nullptr && conversion->wrong.empty()) {
    const std::string wrong =
        mismatch(*conversion, {argument.kind, argument.components, argument.is_pointer, false});
    if (!wrong.empty()) b.checks.never(Rule::kR0068, b.ops.constant(Kind::kBool, 1), wrong);
  }
  for (ValueId value : values) {
    if (argument.is_pointer && b.types.is_addressable(*type))
      value = b.pointers.tagged(value, b.types.space_of(*type));
    if (argument.kind == Kind::kBool)
      value = b.ops.select(value, b.ops.constant(Kind::kI32, 1), b.ops.constant(Kind::kI32, 0));
    operands.push_back(value);
  }
  if (argument.kind == Kind::kBool) argument.kind = Kind::kI32;
  info.arguments.push_back(std::move(argument));
}

/// The pieces of the format that take an argument, in order; what is wrong with any is reported.
std::vector<const PrintfPiece*> conversions(Builder& b, const PrintfInfo& info) {
  std::vector<const PrintfPiece*> list;
  for (const PrintfPiece& piece : info.pieces) {
    if (piece.letter == 'n') {
      b.refuse(Rule::kU0002, "printf's %n is not supported; OpenCL C reserves it");
      return list;
    }
    if (!piece.wrong.empty()) report(b, piece, piece.wrong);
    if (piece.letter != 0) list.push_back(&piece);
  }
  return list;
}

/// Takes the format apart where it is known, else makes it an operand.
void take_format(Builder& b, const Instruction& i, PrintfInfo& info, ValueList& operands) {
  const ValueId format = scalar_function_operand(b, i, 0);
  if (b.failed()) return;
  const std::optional<std::string> text = b.constant_memory.string(format, false);
  info.reads_format = !text;
  if (text) {
    info.pieces = parse_printf(*text);
    return;
  }
  const Type* type = b.ids.operand_type(i, kFirstOperand);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPointer, "printf's format is no pointer"))
    return;
  operands.push_back(
      b.types.is_addressable(*type) ? b.pointers.tagged(format, b.types.space_of(*type)) : format);
}

/// The call with the arguments behind the format; its value counts the printed characters.
ValueId print_arguments(Builder& b, const Instruction& i, PrintfInfo info, ValueList operands) {
  const std::vector<const PrintfPiece*> taking = conversions(b, info);
  for (std::size_t at = kFirstOperand + 1; at < i.operands.size() && !b.failed(); ++at) {
    const std::size_t n = at - kFirstOperand - 1;
    add_argument(b, i, at, n < taking.size() ? taking[n] : nullptr, info, operands);
  }
  for (std::size_t n = info.arguments.size(); n < taking.size() && !b.failed(); ++n)
    report(b, *taking[n], "there is no argument for it");
  if (b.failed()) return kNoValue;
  lir::Value value;
  value.op = Op::kPrintf;
  value.kind = Kind::kI32;
  value.args = std::move(operands);
  value.imm = b.writer.function().printfs.size();
  b.writer.function().printfs.push_back(std::move(info));
  return b.writer.place(std::move(value));
}

void print(Builder& b, const Instruction& i, const ExtendedRow&) {
  PrintfInfo info;
  ValueList operands;
  info.strings_anywhere = std::ranges::find(b.request.module.extensions,
                                            "SPV_EXT_relaxed_printf_string_address_space") !=
                          b.request.module.extensions.end();
  take_format(b, i, info, operands);
  if (b.failed()) return;
  const ValueId printed = print_arguments(b, i, std::move(info), std::move(operands));
  if (!b.failed()) b.ids.define(i, {printed});
}

/// A format of GL_EXT_debug_printf as one of OpenCL C, which has other lengths: "%v3f" is "%v3hlf", "%ul" is "%lu". Each message is a line.
std::string opencl_format(std::string_view format) {
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    text += format[at++];
    if (text.back() != '%') continue;
    const auto take_while = [&](std::string_view set) {
      while (at < format.size() && set.find(format[at]) != set.npos) text += format[at++];
    };
    take_while("-+ #0123456789.");
    if (at < format.size() && format[at] == 'v') {
      take_while("v");
      take_while("0123456789");
      if (at < format.size() && format[at] != 'l' && format[at] != 'h') text += "hl";
    } else if (format.substr(at).starts_with("ul")) {
      text += "lu";
      at += 2;
    } else {
      take_while("%");
    }
  }
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

void print_debug(Builder& b, const Instruction& i, const ExtendedRow&) {
  PrintfInfo info;
  info.pieces = parse_printf(opencl_format(b.request.module.string(i.operands[kFirstOperand])));
  print_arguments(b, i, std::move(info), {});
}

constexpr ExtendedRow kPrintfRows[] = {{OpenCLLIB::Printf, print, kNoAccess}};
constexpr ExtendedRow kDebugPrintfRows[] = {
    {NonSemanticDebugPrintfDebugPrintf, print_debug, kNoAccess}};

std::span<const ExtendedRow> debug_printf_rows() { return kDebugPrintfRows; }

constexpr ExtendedFunctions::Rows kRowsOfDebugPrintf[] = {debug_printf_rows};

}  // namespace

std::span<const ExtendedRow> printf_rows() { return kPrintfRows; }

const ExtendedFunctions kDebugPrintfFunctions{kRowsOfDebugPrintf};

}  // namespace transpire::vm::builder
