#include "runtime/clspv_printf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/exec/print_component.h"
#include "vm/program/printf_format.h"

namespace transpire::runtime {
namespace {

using decoder::ClspvFact;
using vm::Kind;
using vm::PrintfPiece;
using enum decoder::ClspvOperand;

constexpr std::uint64_t kWordBytes = 4;

/// The kind of a number of so many bytes.
Kind kind_of(const PrintfPiece& piece, std::uint64_t bytes) {
  const bool is_float = vm::is_conversion(piece.letter, vm::kFloatConversions);
  if (bytes >= 8) return is_float ? Kind::kF64 : Kind::kI64;
  if (bytes >= 4) return is_float ? Kind::kF32 : Kind::kI32;
  if (bytes >= 2) return is_float ? Kind::kF16 : Kind::kI16;
  return Kind::kI8;
}

class Printer {
 public:
  Printer(const decoder::Module& module, const decoder::ClspvReflection& reflection,
          std::uint64_t most_bytes, const WorkLimit& limit);

  /// Appends the texts of all calls whose words are there.
  void print_all(std::span<const std::byte> words);
  PrintedText take() && { return std::move(printed_); }

 private:
  struct Call {
    std::string_view format;
    std::vector<PrintfPiece> pieces;
    std::span<const std::uint32_t> sizes;  ///< bytes of each argument
    std::uint64_t bytes = 0;               ///< that its arguments take
  };

  void print(const Call& call, std::span<const std::byte> arguments);
  void print(const PrintfPiece& piece, std::span<const std::byte> value);
  /// Cuts the text, and says why, where a limit has ended the work.
  bool is_over();

  const std::uint64_t most_bytes_;
  const WorkLimit& limit_;
  std::unordered_map<std::uint32_t, Call> calls_;  ///< by the numbers of PrintfInfo
  PrintedText printed_;
};

std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t offset = 0) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, std::min<std::size_t>(bytes.size() - offset, 4));
  return word;
}

Printer::Printer(const decoder::Module& module, const decoder::ClspvReflection& reflection,
                 std::uint64_t most_bytes, const WorkLimit& limit)
    : most_bytes_(most_bytes), limit_(limit) {
  for (const ClspvFact& fact : reflection.facts) {
    if (fact.op != decoder::ClspvOp::kPrintfInfo) continue;
    Call& call = calls_[fact[kPrintfId]];
    call.format = module.string(fact[kFormat]);
    call.sizes = fact.more;
    for (const std::uint32_t size : call.sizes) call.bytes += size;
    call.bytes -= call.bytes % kWordBytes;
  }
}

bool Printer::is_over() {
  if (printed_.text.size() > most_bytes_) {
    printed_.text.resize(most_bytes_);
    printed_.cut_by = "the text is longer than the limit of printed bytes";
  } else if (limit_.spent()) {
    printed_.cut_by = "the time limit ended while the shader's printf buffer was read";
  }
  return !printed_.cut_by.empty();
}

void Printer::print_all(std::span<const std::byte> words) {
  for (std::uint64_t at = 0; at + kWordBytes <= words.size() && printed_.cut_by.empty();) {
    const auto found = calls_.find(word_at(words, at));
    at += kWordBytes;
    if (found == calls_.end()) break;  // a kernel wrote over it
    Call& call = found->second;
    if (at + call.bytes > words.size()) break;
    if (call.pieces.empty()) call.pieces = vm::parse_printf(call.format);
    print(call, words.subspan(at));
    at += call.bytes;
  }
}

/// `arguments`: all words from those of the call's arguments on.
void Printer::print(const Call& call, std::span<const std::byte> arguments) {
  std::size_t argument = 0;
  for (const PrintfPiece& piece : call.pieces) {
    if (is_over()) return;
    printed_.text += piece.text;
    if (piece.letter == 0 || argument >= call.sizes.size()) continue;
    const std::size_t size = std::min<std::size_t>(call.sizes[argument++], arguments.size());
    if (piece.letter != 'n') print(piece, arguments.first(size));
    arguments = arguments.subspan(size - size % kWordBytes);
  }
  is_over();
}

void Printer::print(const PrintfPiece& piece, std::span<const std::byte> value) {
  if (piece.letter == 's') {
    const auto string = calls_.find(word_at(value));
    if (string != calls_.end())
      vm::exec::print_text(&printed_.text, piece, std::string(string->second.format).c_str());
    return;
  }
  const std::uint32_t count = std::max(piece.components, 1u);
  std::uint64_t bits = 0, each = std::bit_floor(std::max<std::uint64_t>(value.size() / count, 1));
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kHh) each = 1;
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kH) each = 2;
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kHl) each = 4;
  each = std::min<std::uint64_t>(each, sizeof(bits));
  for (std::uint32_t i = 0; i < count && (i + 1) * each <= value.size(); ++i) {
    if (i > 0) printed_.text += ',';
    bits = 0;
    std::memcpy(&bits, value.data() + i * each, each);
    vm::exec::print_component(&printed_.text, piece, kind_of(piece, each), bits);
  }
}

}  // namespace

PrintedText read_clspv_printf(const decoder::Module& module,
                              const decoder::ClspvReflection& reflection,
                              std::span<const std::byte> buffer, std::uint64_t most_bytes,
                              const WorkLimit& limit) {
  if (buffer.size() < kWordBytes) return {};
  const std::uint64_t asked_for = word_at(buffer) * kWordBytes;
  const std::span<const std::byte> words = buffer.subspan(kWordBytes);
  Printer printer(module, reflection, most_bytes, limit);
  printer.print_all(words.first(std::min<std::uint64_t>(asked_for, words.size())));
  PrintedText printed = std::move(printer).take();
  if (asked_for > words.size() && printed.cut_by.empty())
    printed.cut_by = "the shader's printf buffer was full";
  return printed;
}

}  // namespace transpire::runtime
