#include "runtime/clspv_printf.h"

#include <algorithm>
#include <cstring>
#include <map>
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

std::uint64_t words_of(std::uint32_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

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
  Printer(const decoder::Module& module, const decoder::ClspvReflection& reflection)
      : module_(module) {
    for (const ClspvFact& fact : reflection.facts)
      if (fact.op == decoder::ClspvOp::kPrintfInfo) infos_[fact[kPrintfId]] = &fact;
  }
  const ClspvFact* info(std::uint32_t number) const {
    const auto found = infos_.find(number);
    return found == infos_.end() ? nullptr : found->second;
  }
  /// Appends the text of a call. `words`: its arguments.
  void print(const ClspvFact& call, std::span<const std::uint32_t> words, std::string& text) const;

 private:
  void print(const PrintfPiece& piece, std::span<const std::byte> bytes, std::string& text) const;

  const decoder::Module& module_;
  std::map<std::uint32_t, const ClspvFact*> infos_;  ///< PrintfInfo
};

void Printer::print(const ClspvFact& call, std::span<const std::uint32_t> words,
                    std::string& text) const {
  std::size_t argument = 0;
  for (const PrintfPiece& piece : vm::parse_printf(module_.string(call[kFormat]))) {
    text += piece.text;
    if (piece.letter == 0 || argument >= call.more.size()) continue;
    const std::uint32_t bytes = call.more[argument++];
    if (piece.letter != 'n') print(piece, std::as_bytes(words).first(bytes), text);
    words = words.subspan(words_of(bytes));
  }
}

void Printer::print(const PrintfPiece& piece, std::span<const std::byte> bytes,
                    std::string& text) const {
  std::uint64_t bits = 0;
  if (piece.letter == 's') {
    std::memcpy(&bits, bytes.data(), std::min<std::size_t>(bytes.size(), kWordBytes));
    const ClspvFact* const string = info(static_cast<std::uint32_t>(bits));
    if (string != nullptr) text += module_.string((*string)[kFormat]);
    return;
  }
  const std::uint32_t count = std::max(piece.components, 1u);
  std::uint64_t each = bytes.size() / (count == 3 ? 4 : count);
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kHh) each = 1;
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kH) each = 2;
  if (piece.components != 0 && piece.length == PrintfPiece::Length::kHl) each = 4;
  each = std::clamp<std::uint64_t>(each, 1, sizeof(bits));
  for (std::uint32_t i = 0; i < count && (i + 1) * each <= bytes.size(); ++i) {
    if (i > 0) text += ',';
    bits = 0;
    std::memcpy(&bits, bytes.data() + i * each, each);
    vm::exec::print_component(&text, piece, kind_of(piece, each), bits);
  }
}

}  // namespace

PrintedText read_clspv_printf(const decoder::Module& module,
                              const decoder::ClspvReflection& reflection,
                              std::span<const std::byte> buffer, std::uint64_t most_bytes) {
  std::vector<std::uint32_t> words(buffer.size() / kWordBytes);
  if (words.empty()) return {};
  std::memcpy(words.data(), buffer.data(), words.size() * kWordBytes);
  const Printer printer(module, reflection);
  PrintedText printed;
  const std::uint64_t end = std::uint64_t{words[0]} + 1;
  printed.is_whole = end <= words.size();
  for (std::uint64_t at = 1; at < std::min<std::uint64_t>(end, words.size());) {
    const ClspvFact* const call = printer.info(words[at++]);
    if (call == nullptr) break;  // a kernel wrote over it
    std::uint64_t taken = 0;
    for (const std::uint32_t bytes : call->more) taken += words_of(bytes);
    if (at + taken > words.size()) break;
    printer.print(*call, std::span(words).subspan(at, taken), printed.text);
    at += taken;
    if (printed.text.size() <= most_bytes) continue;
    printed.text.resize(most_bytes);
    printed.is_whole = false;
    break;
  }
  return printed;
}

}  // namespace transpire::runtime
