// printf of OpenCL C ("OpenCL C 2.0", printf). Most formats were taken apart when the kernel was lowered
// (vm/program/printf_format.h); others are when they are printed. A conversion that does not fit its operand prints what the operand is;
// missing operands print nothing.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/rule.h"
#include "extinst/reference/format.h"
#include "memory/address_space.h"
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/lane_values.h"
#include "vm/exec/long_work.h"
#include "vm/exec/print_component.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

template <class T>
void append(std::string* out, const std::string& format, T value) {
  char buffer[512];
  const int n = std::snprintf(buffer, sizeof(buffer), format.c_str(), value);
  if (n < 0) return;
  if (static_cast<std::size_t>(n) < sizeof(buffer)) {
    out->append(buffer, static_cast<std::size_t>(n));
    return;
  }
  std::string large(static_cast<std::size_t>(n) + 1, '\0');
  std::snprintf(large.data(), large.size(), format.c_str(), value);
  out->append(large, 0, static_cast<std::size_t>(n));
}

/// The bits that a conversion of an integer shows: a scalar's length cuts what was promoted to int.
std::uint32_t shown_bits(const PrintfPiece& c, Kind kind) {
  const std::uint32_t width = width_bits(kind) == 1 ? 8 : width_bits(kind);
  switch (c.length) {
    case PrintfPiece::Length::kHh:
      return 8;
    case PrintfPiece::Length::kH:
      return std::min(width, 16u);
    case PrintfPiece::Length::kHl:
      return std::min(width, 32u);
    default:
      return width;
  }
}

}  // namespace

void print_text(std::string* out, const PrintfPiece& c, const char* text) {
  append(out, "%" + c.flags + "s", text);
}

void print_component(std::string* out, const PrintfPiece& c, Kind kind, std::uint64_t bits) {
  const std::string flags = "%" + c.flags;
  const bool wants_float = is_conversion(c.letter, kFloatConversions);
  if (wants_float || is_float(kind)) {
    const char letter = wants_float ? c.letter : 'f';
    const double value =
        is_float(kind) ? extinst::reference::to_double(kind, bits) : static_cast<double>(bits);
    return append(out, flags + letter, value);
  }
  const std::uint32_t width = shown_bits(c, kind);
  const std::uint64_t kept = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  if (is_conversion(c.letter, "dis")) {  // %s of a number: no string
    const auto value = static_cast<long long>(kept << (64 - width)) >> (64 - width);
    return append(out, flags + "lld", value);
  }
  if (c.letter == 'c') return append(out, flags + "c", static_cast<int>(kept & 0xff));
  if (c.letter == 'p') return append(out, flags + "p", reinterpret_cast<void*>(kept));
  append(out, flags + "ll" + c.letter, static_cast<unsigned long long>(kept));
}

namespace {

/// The precision of %s, behind the dot; all bits: there is none.
std::uint64_t most_bytes(const PrintfPiece& c) {
  const std::size_t dot = c.flags.find('.');
  if (dot == std::string::npos) return ~std::uint64_t{0};
  std::uint64_t precision = 0;
  std::from_chars(c.flags.data() + dot + 1, c.flags.data() + c.flags.size(), precision);
  return precision;
}

memory::PointerSpace space_of(memory::Region region) {
  switch (region) {
    case memory::Region::kBuffer:
      return memory::PointerSpace::kGlobal;
    case memory::Region::kWorkgroup:
      return memory::PointerSpace::kWorkgroup;
    case memory::Region::kPrivate:
      return memory::PointerSpace::kPrivate;
    default:
      return memory::PointerSpace::kConstant;
  }
}

/// Reads a lane's string for %s, of which the kernel knows only the address.
class StringReader {
 public:
  StringReader(Batch* batch, const Inst* ip, std::uint32_t lane)
      : batch_(batch),
        ip_(ip),
        lane_(lane),
        anywhere_(batch->program->printfs[ip->list->imm].strings_anywhere) {}

  /// The bytes before the terminator, at most `most`. A wrong address is reported, and a missing
  /// terminator as the next load would be; the bytes read until then are returned.
  std::string read(std::uint64_t address, std::uint64_t most) {
    std::string text;
    HostPlace place;
    if (most == 0) return text;
    const memory::AddressMap& map = *batch_->memory;
    const std::uint64_t plain = memory::untagged(map, address);
    const memory::Allocation* found = memory::allocation_at(map, plain);
    const Through through{.space = space_of(found ? found->region : memory::Region::kConstant)};
    if (!find_place(batch_, ip_, lane_, address, 1, through, AccessKind::kLoad, &place))
      return text;
    if (found->region != memory::Region::kConstant && !anywhere_)
      report_access(batch_, ip_, Rule::kR0068, lane_, plain, 1);
    const std::uint64_t left = found->size_bytes - (plain - found->begin);
    const bool is_ended = copy(place, std::min(most, left), text);
    const std::uint64_t bytes = text.size() + (is_ended && text.size() < most ? 1 : 0);
    locate(batch_, ip_, lane_, address, bytes, through, AccessKind::kLoad, &place);
    if (!is_ended && text.size() < most)
      find_place(batch_, ip_, lane_, address + left, 1, through, AccessKind::kLoad, &place);
    return text;
  }

 private:
  /// Copies up to the terminator. Returns true there, or if the batch is cancelled; false if
  /// `bytes` hold no terminator.
  bool copy(const HostPlace& place, std::uint64_t bytes, std::string& text) const {
    for (std::uint64_t i = 0; i < bytes; ++i) {
      if ((i & (kPieceBytes - 1)) == kPieceBytes - 1 && is_cancelled(*batch_)) return true;
      const auto c = static_cast<char>(*byte_at(place, i));
      if (c == '\0') return true;
      text += c;
    }
    return false;
  }

  Batch* batch_;
  const Inst* ip_;
  std::uint32_t lane_;
  bool anywhere_;
};

/// The pieces of a format that only the run knows. Lanes mostly have the same.
class FormatReader {
 public:
  const std::vector<PrintfPiece>& pieces(std::string text) {
    if (!is_parsed_ || text != text_) pieces_ = parse_printf(text);
    is_parsed_ = true;
    text_ = std::move(text);
    return pieces_;
  }

 private:
  bool is_parsed_ = false;
  std::string text_;
  std::vector<PrintfPiece> pieces_;
};

class LanePrinter {
 public:
  LanePrinter(Batch* batch, const Inst* ip, const std::byte* r, std::uint32_t lane)
      : batch_(batch),
        ip_(ip),
        info_(batch->program->printfs[ip->list->imm]),
        operands_(*ip->list),
        r_(r),
        lane_(lane),
        strings_(batch, ip, lane) {}

  /// Cut off once there is more than `most`, or the batch is cancelled.
  std::string run(const Batch& batch, std::uint64_t most, FormatReader& formats) {
    room_ = most == ~std::uint64_t{0} ? most : most + 1;
    if (!info_.reads_format) return run(batch, most, info_.pieces);
    const std::uint64_t address = operand();
    const std::vector<PrintfPiece>& pieces = formats.pieces(strings_.read(address, room_));
    check(pieces);
    return run(batch, most, pieces);
  }

 private:
  std::string run(const Batch& batch, std::uint64_t most, const std::vector<PrintfPiece>& pieces) {
    std::uint64_t next_look = kPieceBytes;
    for (const PrintfPiece& piece : pieces) {
      out_ += piece.text;
      if (piece.letter != 0) print(piece);
      if (out_.size() > most) break;
      if (out_.size() < next_look) continue;
      if (is_cancelled(batch)) break;
      next_look = out_.size() + kPieceBytes;
    }
    return std::move(out_);
  }

  /// Reports a format that does not fit the arguments, which lowering does where it knows the format.
  void check(const std::vector<PrintfPiece>& pieces) const {
    std::size_t at = 0;
    bool fits = true;
    for (const PrintfPiece& piece : pieces) {
      fits = fits && piece.wrong.empty() && piece.letter != 'n';
      if (piece.letter == 0) continue;
      fits = fits && at < info_.arguments.size() && takes(piece, info_.arguments[at]);
      ++at;
    }
    if (!fits) report_access(batch_, ip_, Rule::kR0068, lane_, 0, 0);
  }

  static bool takes(const PrintfPiece& piece, const PrintfInfo::Argument& argument) {
    const bool is_text = piece.letter == 's' && argument.is_pointer;
    return is_text ||
           mismatch(piece, {argument.kind, argument.components, argument.is_pointer, false})
               .empty();
  }

  std::uint64_t operand() { return lane_bits(r_, operands_.offsets[value_++], Kind::kI64, lane_); }

  void print(const PrintfPiece& conversion) {
    if (argument_ >= info_.arguments.size()) return;
    const PrintfInfo::Argument& argument = info_.arguments[argument_++];
    if (argument.is_string) {
      print_text(&out_, conversion, argument.text.c_str());
      return;
    }
    if (conversion.letter == 's' && argument.is_pointer) return print_string(conversion);
    if (conversion.letter == 'n') {  // in a format that is known only at run time
      value_ += argument.components;
      return;
    }
    for (std::uint32_t c = 0; c < argument.components; ++c) {
      const std::uint64_t bits = lane_bits(r_, operands_.offsets[value_++], argument.kind, lane_);
      if (c != 0) out_ += ',';
      print_component(&out_, conversion, argument.kind, bits);
    }
  }

  void print_string(const PrintfPiece& conversion) {
    const std::uint64_t address = operand();
    const std::string text = strings_.read(address, std::min(most_bytes(conversion), room_));
    print_text(&out_, conversion, address == 0 ? "(null)" : text.c_str());
  }

  Batch* batch_;
  const Inst* ip_;
  const PrintfInfo& info_;
  const OperandList& operands_;
  const std::byte* r_;
  std::uint32_t lane_;
  StringReader strings_;
  std::size_t argument_ = 0, value_ = 0;
  std::uint64_t room_ =
      0;  ///< bytes that are read of a string: one more than have room, which tells that they have none
  std::string out_;
};

}  // namespace

bool print_lanes(const Inst* ip, std::byte* r, Batch* batch) {
  std::int32_t results[kMaxLanes];  // the row of the result may be an operand's
  const auto for_each = [batch](auto visit) {
    for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane)
      if (has_lane(batch->mask, lane)) visit(lane);
  };
  const std::uint64_t room = batch->sink->print_room();
  std::uint64_t most = 0, sum = 0;
  FormatReader formats;
  for_each([&](std::uint32_t lane) {
    results[lane] = -1;
    if (is_cancelled(*batch)) return;
    const std::string text = LanePrinter(batch, ip, r, lane).run(*batch, room, formats);
    const bool fits = batch->sink->print(*batch, lane, text.data(), text.size());
    results[lane] = fits ? 0 : -1;
    most = std::max(most, extra_steps(text.size()));
    sum += extra_steps(text.size());
  });
  auto* d = reinterpret_cast<std::int32_t*>(r + ip->d);
  for_each([&](std::uint32_t lane) { d[lane] = results[lane]; });
  return count_extra(batch, most, sum);
}

}  // namespace transpire::vm::exec
