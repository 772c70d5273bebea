// Says of elements that no kernel wrote them: see launch/runner/writers.h.
#include "launch/runner/writers.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

constexpr std::size_t kMostRanges = 3;

/// Ranges of elements in words: "best[0..7]", "best[2], best[4..5] and 3 more".
class Ranges {
 public:
  explicit Ranges(std::string name) : name_(std::move(name)) {}

  /// Adds a range, both ends included, behind all earlier ones.
  void add(std::uint64_t first, std::uint64_t last) {
    if (!ranges_.empty() && ranges_.back().second + 1 == first)
      ranges_.back().second = last;
    else
      ranges_.emplace_back(first, last);
  }
  bool empty() const { return ranges_.empty(); }
  std::string text_of() const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(kMostRanges, ranges_.size()); ++i) {
      const auto [first, last] = ranges_[i];
      parts.push_back(first == last ? fmt::format("{}[{}]", name_, first)
                                    : fmt::format("{}[{}..{}]", name_, first, last));
    }
    const std::size_t more = ranges_.size() - parts.size();
    return fmt::format("{}{}", fmt::join(parts, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }

 private:
  std::string name_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

/// True if the bytes are the buffer's initial ones.
bool is_as_begun(const BoundBuffer& buffer, std::span<const std::byte> bytes, Pacer& pacer) {
  const std::vector<std::byte>& start = buffer.start;
  auto at = static_cast<std::size_t>(bytes.data() - buffer.memory.bytes().data()) % start.size();
  for (const std::byte byte : bytes) {
    pacer.step();
    if (byte != start[at]) return false;
    at = at + 1 == start.size() ? 0 : at + 1;
  }
  return true;
}

}  // namespace

void Writers::note(const KernelInfo& kernel, const std::vector<BoundArgument>& arguments,
                   std::size_t program) {
  any_ran_ = true;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].buffer) launched_with_[arguments[i].buffer].insert({program, kernel.name, i});
}

/// Kernels that were launched with the buffer, if none of them has a store through it. Empty if one may write it, or if all
/// take it as an input.
std::vector<std::string> Writers::readers_of(const BoundBufferPointer& buffer) const {
  if (!launched_with_.contains(buffer)) return {};
  const std::byte* const begin = buffer->memory.bytes().data();
  const std::byte* const end = begin + buffer->memory.bytes().size();
  std::vector<std::string> names;
  bool is_input = true;
  for (const auto& [known, launches] : launched_with_) {
    const BoundBufferPointer other = known.lock();
    if (!other) continue;  // the buffer no longer exists
    const std::span<const std::byte> bytes = other->memory.bytes();
    if (bytes.data() >= end || bytes.data() + bytes.size() <= begin) continue;
    for (const auto& [program, kernel, parameter] : launches) {
      const std::vector<bool> written = programs_[program].may_write(kernel);
      if (parameter >= written.size() || written[parameter]) return {};
      if (std::ranges::find(names, kernel) == names.end()) names.push_back(kernel);
      const KernelInfo* const info = programs_[program].kernel(kernel);
      is_input = is_input && info != nullptr && info->parameters[parameter].is_const;
    }
  }
  return is_input ? std::vector<std::string>() : names;
}

/// Says that no kernel has a store to the buffer.
std::string Writers::without_store(const std::vector<std::string>& kernels) const {
  const bool optimised = std::ranges::any_of(
      programs_[0].compiled_from(), [](const CompiledFrom& from) { return !from.is_for_checks; });
  return fmt::format("{} {} no store to it{}",
                     kernels.size() == 1 ? fmt::format("kernel '{}'", kernels[0])
                                         : fmt::format("kernels {}", listed(kernels)),
                     kernels.size() == 1 ? "has" : "have",
                     optimised
                         ? ", as it was compiled: clang removes stores of values that nothing "
                           "defined, which --check=uninit keeps and finds"
                         : "");
}

void Writers::explain(const ElementView& view, ValueStream& expected, const StepLimit& limit,
                      Diagnostic& failure) const {
  if (view.buffer->start.empty() || !any_ran_) return;
  const std::uint64_t stride = stride_bytes(view.type);
  Ranges ranges(view.name);
  const std::uint64_t most = ValueStream::piece_bytes(stride);
  Pacer pacer(limit);
  expected.rewind();
  for (std::uint64_t begin = 0; begin < view.bytes.size(); begin += most) {
    pacer.look();
    const std::uint64_t bytes = std::min<std::uint64_t>(most, view.bytes.size() - begin);
    const std::span<const std::byte> wanted = expected.next(bytes);
    for (std::uint64_t at = 0; at < bytes; at += stride) {
      const auto found = view.bytes.subspan(begin + at, stride);
      const std::uint64_t index = view.first + (begin + at) / stride;
      if (!std::ranges::equal(found, wanted.subspan(at, stride)) &&
          is_as_begun(*view.buffer, found, pacer))
        ranges.add(index, index);
    }
  }
  if (ranges.empty()) return;
  const std::vector<std::string> readers = readers_of(view.buffer);
  failure.notes.push_back(fmt::format("nobody wrote {}{}", ranges.text_of(),
                                      readers.empty() ? ", or only what was there before the launch"
                                                      : ": " + without_store(readers)));
}

std::optional<Diagnostic> Writers::doubt(const ElementView& view, const StepLimit& limit) const {
  if (view.buffer->start.empty() || !any_ran_ || view.count == 0) return {};
  Pacer pacer(limit);
  if (!is_as_begun(*view.buffer, view.bytes, pacer)) return {};
  const std::vector<std::string> readers = readers_of(view.buffer);
  // A kernel may write zeros; that it writes poison is too unlikely.
  const bool is_poison =
      std::ranges::all_of(view.buffer->start, [](std::byte b) { return b == kPoison; });
  if (readers.empty() && !is_poison) return {};
  Ranges ranges(view.name);
  ranges.add(view.first, view.first + view.count - 1);
  Diagnostic note = command_error(kUnwritten, fmt::format("nobody wrote {}", ranges.text_of()));
  note.severity = Severity::kNote;
  if (!readers.empty()) note.notes.push_back(without_store(readers));
  return note;
}

}  // namespace transpire::launch
