#include "launch/runner/launch_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/counted.h"
#include "launch/report/text.h"
#include "launch/runner/amounts.h"

namespace transpire::launch {
namespace {

constexpr std::size_t kNoLine = ~std::size_t{0};
constexpr std::size_t kMostLines = 50;
constexpr unsigned kMostIndented = 8;  ///< levels

/// The least and the greatest of several sizes, by their number of work-items.
struct SizeRange {
  std::array<std::uint64_t, 3> least{}, greatest{};
  std::uint32_t least_dimensions = 1, greatest_dimensions = 1;
  std::uint64_t sum = 0;
  bool is_known = false;

  static std::uint64_t items_of(const std::array<std::uint64_t, 3>& size) {
    std::uint64_t product = 0;
    const bool is_huge = __builtin_mul_overflow(size[0], size[1], &product) ||
                         __builtin_mul_overflow(product, size[2], &product);
    return is_huge ? UINT64_MAX : product;
  }

  void add(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions) {
    const std::uint64_t items = items_of(size);
    if (!is_known || items < items_of(least)) {
      least = size;
      least_dimensions = dimensions;
    }
    if (!is_known || items > items_of(greatest)) {
      greatest = size;
      greatest_dimensions = dimensions;
    }
    if (__builtin_add_overflow(sum, items, &sum)) sum = UINT64_MAX;
    is_known = true;
  }

  bool is_one() const { return items_of(least) == items_of(greatest); }
  std::string text() const {
    const std::string first = size_text(least, least_dimensions);
    return is_one() ? first : first + " to " + size_text(greatest, greatest_dimensions);
  }
};

/// Children that share a line.
struct Line {
  const ChildLaunch* first = nullptr;
  std::size_t parent = kNoLine;
  std::vector<std::size_t> below;
  std::uint64_t count = 0, nested = 1, findings = 0, with_findings = 0;
  double seconds = 0;
  SizeRange global, local;
  std::set<std::pair<std::size_t, std::array<std::uint64_t, 3>>> enqueuers;
};

bool has_begun(const ChildLaunch& child) { return child.seconds > 0; }

bool are_alike(const ChildLaunch& a, const ChildLaunch& b) {
  return a.kernel == b.kernel && a.end == b.end && a.source.line == b.source.line &&
         a.source.column == b.source.column && a.source.file == b.source.file &&
         has_begun(a) == has_begun(b);
}

class Tree {
 public:
  explicit Tree(const std::vector<ChildLaunch>& children) : children_(children) {
    for (std::size_t i = 0; i < children.size(); ++i) add(i);
  }

  std::string text() const {
    std::string text;
    std::size_t lines = 0;
    for (const std::size_t top : top_) write(top, 1, lines, text);
    if (lines > kMostLines)
      text += fmt::format("  and {} like these; --format=json tells all\n",
                          count_text(lines - kMostLines, "more line"));
    return text;
  }

 private:
  void add(std::size_t index) {
    const ChildLaunch& child = children_[index];
    const bool is_top = child.parent >= index;
    const std::size_t above = is_top ? kNoLine : line_of_[child.parent];
    std::size_t at = above;
    while (at != kNoLine && !are_alike(*lines_[at].first, child)) at = lines_[at].parent;
    const std::uint64_t nested = at == kNoLine ? 1 : 1 + nested_in(at, child.parent);
    if (at == kNoLine) at = among(above == kNoLine ? top_ : lines_[above].below, child);
    if (at == kNoLine) {
      at = lines_.size();
      Line& line = lines_.emplace_back();
      line.first = &child;
      line.parent = above;
      (above == kNoLine ? top_ : lines_[above].below).push_back(at);
    }
    line_of_.push_back(at);
    nested_.push_back(nested);
    count(lines_[at], child, nested);
  }

  std::size_t among(const std::vector<std::size_t>& lines, const ChildLaunch& child) const {
    const auto found = std::ranges::find_if(
        lines, [&](std::size_t line) { return are_alike(*lines_[line].first, child); });
    return found == lines.end() ? kNoLine : *found;
  }

  /// Depth, within the line, of the nearest ancestor that is in the line.
  std::uint64_t nested_in(std::size_t line, std::size_t enqueuer) const {
    while (line_of_[enqueuer] != line) enqueuer = children_[enqueuer].parent;
    return nested_[enqueuer];
  }

  static void count(Line& line, const ChildLaunch& child, std::uint64_t nested) {
    ++line.count;
    line.nested = std::max(line.nested, nested);
    line.findings += child.findings;
    line.with_findings += child.findings != 0;
    line.seconds += child.seconds;
    line.global.add(child.global_size, child.dimensions);
    if (child.local_size[0] != 0) line.local.add(child.local_size, child.dimensions);
    line.enqueuers.emplace(child.parent, child.enqueued_by);
  }

  void write(std::size_t index, unsigned level, std::size_t& lines, std::string& text) const {
    const Line& line = lines_[index];
    if (++lines <= kMostLines)
      text += std::string(2 * std::min(level, kMostIndented), ' ') + text_of(line) + '\n';
    for (const std::size_t each : line.below) write(each, level + 1, lines, text);
  }

  static std::string text_of(const Line& line) {
    const ChildLaunch& first = *line.first;
    std::string text = first.kernel.empty() ? "marker" : one_line(first.kernel);
    if (line.count != 1) text += fmt::format(" {} times", line.count);
    if (line.nested != 1) text += fmt::format(", nested {} deep", line.nested);
    if (!first.kernel.empty()) text += ": " + geometry_of(line);
    text += first.kernel.empty() && line.count == 1 ? " enqueued" : "; enqueued";
    if (first.source.known())
      text += fmt::format(" at {}:{}:{}", one_line(first.source.file), first.source.line,
                          first.source.column);
    const auto& id = first.enqueued_by;
    const std::size_t items = line.enqueuers.size();
    text += items == 1 ? " by work-item" : fmt::format(" by {} work-items, the first", items);
    text += fmt::format(" ({},{},{})", id[0], id[1], id[2]);
    return text + outcome_of(line);
  }

  static std::string geometry_of(const Line& line) {
    const bool is_single = line.global.is_one() && SizeRange::items_of(line.global.least) == 1;
    std::string text = fmt::format("{} work-item{}", line.global.text(), is_single ? "" : "s");
    if (!line.global.is_one()) text += fmt::format(", {} in all,", line.global.sum);
    if (line.local.is_known) text += " in groups of " + line.local.text();
    return line.seconds > 0 ? text + ", " + seconds_text(line.seconds) : text;
  }

  static std::string outcome_of(const Line& line) {
    std::string text;
    if (line.findings != 0) text += "; " + count_text(line.findings, "finding");
    if (line.with_findings > 1) text += fmt::format(" in {} of them", line.with_findings);
    switch (line.first->end) {
      case ChildLaunch::End::kCompleted:
        return text;
      case ChildLaunch::End::kCancelled:
        return text + "; cancelled: an event that it waited for has an error";
      case ChildLaunch::End::kRefused:
        return text + "; could not be launched";
      case ChildLaunch::End::kNeverRan:
        return text + "; never ran: nothing that it waited for could still come";
      case ChildLaunch::End::kStopped:
        break;
    }
    return text + (has_begun(*line.first) ? "; ended early" : "; not begun");
  }

  const std::vector<ChildLaunch>& children_;
  std::vector<Line> lines_;
  std::vector<std::size_t> top_;
  std::vector<std::size_t> line_of_;   ///< index of each child's line
  std::vector<std::uint64_t> nested_;  ///< for each child: its depth among the children of its line
};

}  // namespace

void add_children(LaunchReport& report, const LaunchResult& result) {
  report.child_count += result.child_count;
  report.child_seconds += result.child_seconds;
  const std::size_t before = report.children.size();
  for (const ChildLaunch& child : result.children) {
    if (report.children.size() >= LaunchResult::kMostChildren) return;
    report.children.push_back(child);
    if (child.parent != ChildLaunch::kLaunch) report.children.back().parent += before;
  }
}

std::string format_enqueued(const LaunchReport& launch) {
  if (launch.child_count == 0) return {};
  const auto markers = static_cast<std::uint64_t>(
      std::ranges::count_if(launch.children, &std::string::empty, &ChildLaunch::kernel));
  const std::uint64_t kernels = launch.child_count - markers;
  std::string text = count_text(kernels, "kernel");
  if (markers != 0 && launch.child_count != launch.children.size())
    text = fmt::format("{} kernels and markers", launch.child_count);
  else if (markers != 0)
    text = (kernels == 0 ? "" : text + " and ") + count_text(markers, "marker");
  return fmt::format("; enqueued {}, {}", text, seconds_text(launch.child_seconds));
}

std::string format_tree(const LaunchReport& launch) {
  const std::string text = Tree(launch.children).text();
  const std::uint64_t rest = launch.child_count - launch.children.size();
  return rest == 0 ? text : text + fmt::format("  and {} more, which were only counted\n", rest);
}

const char* name_of(ChildLaunch::End end) {
  switch (end) {
    case ChildLaunch::End::kCancelled:
      return "cancelled";
    case ChildLaunch::End::kRefused:
      return "refused";
    case ChildLaunch::End::kNeverRan:
      return "never ran";
    case ChildLaunch::End::kStopped:
      return "stopped";
    case ChildLaunch::End::kCompleted:
      break;
  }
  return "completed";
}

}  // namespace transpire::launch
