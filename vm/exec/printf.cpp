// printf of OpenCL C ("OpenCL C 2.0", printf), of a format that was taken apart
// (vm/program/printf_format.h). A conversion that does not fit its operand prints what the operand is;
// missing operands print nothing.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "extinst/reference/format.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/lane_values.h"
#include "vm/exec/long_work.h"
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

class LanePrinter {
 public:
  LanePrinter(const PrintfInfo& info, const OperandList& operands, const std::byte* r,
              std::uint32_t lane)
      : info_(info), operands_(operands), r_(r), lane_(lane) {}

  /// Cut off once there is more than `most`, or the batch is cancelled.
  std::string run(const Batch& batch, std::uint64_t most) {
    std::uint64_t next_look = kPieceBytes;
    for (const PrintfPiece& piece : info_.pieces) {
      out_ += piece.text;
      if (piece.letter != 0) print(piece);
      if (out_.size() > most) break;
      if (out_.size() < next_look) continue;
      if (is_cancelled(batch)) break;
      next_look = out_.size() + kPieceBytes;
    }
    return std::move(out_);
  }

 private:
  void print(const PrintfPiece& conversion) {
    if (argument_ >= info_.arguments.size()) return;
    const PrintfInfo::Argument& argument = info_.arguments[argument_++];
    if (argument.is_string) {
      append(&out_, "%" + conversion.flags + "s", argument.text.c_str());
      return;
    }
    for (std::uint32_t c = 0; c < argument.components; ++c) {
      const std::uint64_t bits = lane_bits(r_, operands_.offsets[value_++], argument.kind, lane_);
      if (c != 0) out_ += ',';
      print_component(&out_, conversion, argument.kind, bits);
    }
  }

  const PrintfInfo& info_;
  const OperandList& operands_;
  const std::byte* r_;
  std::uint32_t lane_;
  std::size_t argument_ = 0, value_ = 0;
  std::string out_;
};

}  // namespace

bool print_lanes(const Inst* ip, std::byte* r, Batch* batch) {
  const PrintfInfo& info = batch->program->printfs[ip->list->imm];
  std::int32_t results[kMaxLanes];  // the row of the result may be an operand's
  const auto for_each = [batch](auto visit) {
    for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane)
      if (has_lane(batch->mask, lane)) visit(lane);
  };
  const std::uint64_t room = batch->sink->print_room();
  std::uint64_t most = 0, sum = 0;
  for_each([&](std::uint32_t lane) {
    results[lane] = -1;
    if (is_cancelled(*batch)) return;
    const std::string text = LanePrinter(info, *ip->list, r, lane).run(*batch, room);
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
