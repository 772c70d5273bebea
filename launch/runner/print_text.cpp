#include "launch/runner/print_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"
#include "launch/runner/sim_value.h"

namespace transpire::launch {
namespace {

/// "y[0..7]", or "y[3]" for one element.
std::string label_of(const PrintReport& print, std::uint64_t at, std::uint64_t count) {
  const std::uint64_t first = print.first + at;
  return count == 1 ? fmt::format("{}[{}]", print.name, first)
                    : fmt::format("{}[{}..{}]", print.name, first, first + count - 1);
}

std::string value_at(const PrintReport& print, std::uint64_t stride, std::uint64_t index) {
  const auto style = print.style == PrintStep::Style::kHexadecimal ? NumberStyle::kHexadecimal
                                                                   : NumberStyle::kShortest;
  return format_value(print.type, std::span(print.bytes).subspan(index * stride), style);
}

/// Writes lines of `columns` elements, aligned if there are several lines.
void format_lines(TextRoom& room, const PrintReport& print, std::uint64_t columns) {
  const std::uint64_t stride = stride_bytes(print.type);
  const std::uint64_t count = print.bytes.size() / stride;
  if (count == 0) {
    room.add(fmt::format("{}{} is empty\n", print.name,
                         print.first == 0 ? "" : fmt::format("[{}..]", print.first)));
    return;
  }
  // Aligned values are formatted twice: keeping them would take many times the memory of the text.
  const bool alone = columns >= count;
  std::size_t width = 0, label_width = 0;
  if (!alone) label_width = label_of(print, count - columns, columns).size();
  for (std::uint64_t i = 0; i < count && !alone; ++i) {
    room.pacer().step();
    width = std::max(width, value_at(print, stride, i).size());
  }
  for (std::uint64_t at = 0; at < count; at += columns) {
    const std::uint64_t here = std::min(columns, count - at);
    room.add(fmt::format("{:<{}} =", label_of(print, at, here), label_width));
    for (std::uint64_t i = at; i < at + here; ++i)
      if (!room.add(fmt::format(" {:>{}}", value_at(print, stride, i), width))) return;
    room.add("\n");
  }
}

}  // namespace

void format_print(TextRoom& room, const PrintReport& print) {
  const bool oclgrind = print.style == PrintStep::Style::kOclgrind ||
                        print.style == PrintStep::Style::kOclgrindHexadecimal;
  if (!oclgrind) return format_lines(room, print, print.columns.value_or(UINT64_MAX));
  format_sim_dump(room, print.name, scalar_of(print.type).value_or(ScalarType::kUchar), print.bytes,
                  print.style == PrintStep::Style::kOclgrindHexadecimal);
}

Status print_view(const PrintStep& print, const ElementView& view, const RangeAt& ranges,
                  const PlanBuffers& buffers, const StepLimit& limit, RunReport& run) {
  PrintReport report;
  report.name = view.name;
  report.first = view.first;
  report.type = view.type;
  report.style = print.style;
  report.columns = print.columns;
  // The report keeps the text and the present elements, so both count.
  const std::uint64_t left = buffers.bytes_left();
  std::uint64_t kept = run.text.size() + view.bytes.size();
  for (const PrintReport& earlier : run.prints) kept += earlier.bytes.size();
  TextRoom room(limit, left - std::min(left, kept));
  if (kept <= left) {
    report.bytes.reserve(view.bytes.size());
    for (std::uint64_t at = 0; at < view.bytes.size(); at += kPieceBytes) {
      room.pacer().look();
      const auto piece = view.bytes.subspan(at, std::min(kPieceBytes, view.bytes.size() - at));
      report.bytes.insert(report.bytes.end(), piece.begin(), piece.end());
    }
    if (print.ranges)
      list_ranges(room, view.type, view.bytes, ranges, *print.ranges, view.name, view.first);
    else
      format_print(room, report);
  }
  if (kept > left || room.is_full())
    return command_error(kMemoryLimit,
                         fmt::format("printing '{}' needs more than the limit of {} bytes",
                                     view.name, buffers.max_bytes()),
                         "'out' writes a buffer to a file");
  run.text += room.text();
  run.prints.push_back(std::move(report));
  return Unit{};
}

}  // namespace transpire::launch
