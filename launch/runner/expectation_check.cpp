// Compares buffers and the output of printf with what a plan expects: see launch/runner/expectation_check.h.
#include "launch/runner/expectation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/counted.h"
#include "launch/report/diagnose.h"
#include "launch/runner/image_maker.h"
#include "launch/runner/pipe_maker.h"
#include "launch/runner/type_match.h"

namespace transpire::launch {
namespace {

/// The part of the text around `at` as a string of the launch language.
std::string quoted(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kLength = 120;
  const std::size_t start = at > kBefore ? at - kBefore : 0;
  std::string out = start > 0 ? "...\"" : "\"";
  for (const char c : text.substr(std::min(start, text.size()), kLength)) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", c);
    else
      out += c;
  }
  return out + (text.size() > start + kLength ? "\"..." : "\"");
}

/// Fails with C0022 if a tolerance is for numbers of another kind than the buffer's: bits of a float read as an integer are
/// never close. Exact comparison is always legal. Memory declared as bytes, or packets of unknown type, may hold any numbers.
Status check_tolerance(const ExpectBufferStep& expect, const ElementView& view,
                       const ValueStream& expected) {
  const auto is_exact = [](const Tolerance& t) { return t.kind == Tolerance::Kind::kExact; };
  const BoundBufferPointer buffer = view.buffer;
  const bool is_open = buffer->pipe && buffer->type.kind == TypeInfo::Kind::kArray;
  if (std::ranges::all_of(expect.tolerances, is_exact) || buffer->any_type || is_open ||
      may_hold(buffer->type, expected.type()))
    return Unit{};
  return command_error(
      kBadValue,
      fmt::format("a tolerance is about numbers: those of '{}' are of type {}, the expected ones "
                  "of type {}",
                  expect.slice.name, text_of(buffer->type), text_of(expected.type())),
      fmt::format("write values of type {}, or leave the tolerance out to compare bits",
                  text_of(buffer->type)));
}

/// Fails with C0022 if an array of all texels does not have the image's shape.
Status check_array(const ExpectBufferStep& expect, const ElementView& view,
                   const ValueStream& expected) {
  const BoundBufferPointer buffer = view.buffer;
  if (!buffer->image || !expect.slice.all) return Unit{};
  return check_shape(*buffer->image, expected.value(), expect.value);
}

std::string unbounded(const Comparison& comparison, const ExpectBufferStep& expect) {
  return fmt::format("the specification does not bound {} of {} values of '{}': {}",
                     comparison.open, comparison.compared, expect.slice.name,
                     comparison.open_example);
}

/// The common type of all numbers in an element; nothing if they differ.
std::optional<ScalarType> class_of_numbers(const TypeInfo& type) {
  const std::vector<Leaf> leaves = leaves_of(type);
  if (leaves.empty() ||
      std::ranges::any_of(leaves, [&](const Leaf& l) { return l.type != leaves[0].type; }))
    return std::nullopt;
  return leaves[0].type;
}

Diagnostic wrong_tolerances(const ComparedElements& what, std::size_t given, std::size_t numbers) {
  const std::string elements =
      what.texels ? fmt::format("texels of {} {}", what.texels->image().channel_order,
                                what.texels->image().channel_type)
                  : fmt::format("elements of {}", text_of(what.type));
  std::vector<std::string> names;
  if (what.texels)
    for (const Channel& channel : what.texels->channels()) names.push_back(channel.name);
  return command_error(
      kBadLaunchFile,
      fmt::format("{} tolerances are given, '{}' has {} of {} number{} each", given, what.name,
                  elements, numbers, numbers == 1 ? "" : "s"),
      names.empty()
          ? "one tolerance is for all numbers, several are for those of an element"
          : fmt::format("one is for all channels, {} are for {}", numbers, listed(names)));
}

/// Advice on numbers that differ. Large differences are probably a mistake of the kernel, so blessing is not suggested then.
std::string advice_on(const ExpectBufferStep& expect, const Comparison& comparison,
                      const FailedExpectation& failure, const AskedSettings& settings) {
  if (comparison.far != 0) {
    const std::optional<bool> checks[] = {settings.check_ub, settings.check_bounds,
                                          settings.check_sync, settings.check_race,
                                          settings.check_uninit};
    return std::ranges::all_of(checks, [](const auto& check) { return check.value_or(false); })
               ? "rounding does not explain this, and no check found why: '--print' shows what "
                 "earlier "
                 "launches left, 'printf' what the kernel computes"
               : "rounding does not explain this: 'transpire run --check=all' looks for mistakes "
                 "of the "
                 "kernel";
  }
  const bool is_image = !failure.mismatches[0].channel.empty();
  return fmt::format(
      "{}; 'transpire test --bless' takes what came out",
      is_image
          ? fmt::format("channels that may differ a little are compared with a tolerance, as in "
                        "'{} ~ 1 = ...', or in brackets one for each",
                        expect.slice.name)
          : "results that may differ a little are compared with a tolerance, as in 'y ~ 2ulp = 1'");
}

/// The failure of an expectation about numbers.
FailedExpectation failure_of(const ExpectBufferStep& expect, Comparison comparison,
                             const AskedSettings& settings) {
  constexpr std::size_t kShown = 8;
  FailedExpectation failure{command_error(kExpectationUnmet, ""), std::move(comparison.mismatches),
                            comparison.different};
  Diagnostic& diagnostic = failure.diagnostic;
  if (comparison.different == 0) diagnostic.message = unbounded(comparison, expect);
  if (comparison.different != 0)
    diagnostic.message = fmt::format("{} of {} values of '{}' differ from what was expected {}",
                                     comparison.different, comparison.compared, expect.slice.name,
                                     describe(expect.tolerances));
  if (comparison.different != 0) diagnostic.help = advice_on(expect, comparison, failure, settings);
  if (comparison.open != 0)
    diagnostic.help = "give a bound of your own for such values, as in '~ 4ulp'";
  const std::size_t shown = std::min(kShown, failure.mismatches.size());
  for (std::size_t i = 0; i < shown; ++i) diagnostic.notes.push_back(failure.mismatches[i].text);
  if (comparison.different > shown)
    diagnostic.notes.push_back(fmt::format("and {} more", comparison.different - shown));
  return failure;
}

/// The first few elements: "1, 2, 3".
std::string listed_elements(const TypeInfo& type, std::span<const std::byte> bytes) {
  constexpr std::uint64_t kShown = 8;
  const std::uint64_t stride = stride_bytes(type), count = bytes.size() / stride;
  std::string text;
  for (std::uint64_t i = 0; i < std::min(count, kShown); ++i)
    text += (i == 0 ? "" : " ") + format_value(type, bytes.subspan(i * stride));
  return count > kShown ? text + fmt::format(" and {} more", count - kShown) : text;
}

std::string packets_of(std::uint64_t count) {
  return fmt::format("{} packet{}", count, count == 1 ? "" : "s");
}

/// "'q[0..3]'", or "'q'" for the whole pipe.
std::string slice_text(const BufferSlice& slice) {
  if (slice.all) return fmt::format("'{}'", slice.name);
  if (!slice.last) return fmt::format("'{}[{}..]'", slice.name, slice.first);
  return *slice.last == slice.first
             ? fmt::format("'{}[{}]'", slice.name, slice.first)
             : fmt::format("'{}[{}..{}]'", slice.name, slice.first, *slice.last);
}

/// The failure of an expectation with another number of packets than are left.
Diagnostic wrong_packets(const ExpectBufferStep& expect, const ElementView& view,
                         std::uint64_t expected_bytes) {
  const BoundBufferPointer buffer = view.buffer;
  const std::span<const std::byte> bytes = buffer->memory.bytes();
  const std::uint32_t packet = buffer->pipe->packet_bytes();
  const std::uint64_t left = bytes.size() / packet;
  const std::uint64_t wanted = expected_bytes / packet;
  const std::string expected = expect.slice.all ? packets_of(wanted) : slice_text(expect.slice);
  const bool is_one = expect.slice.all ? wanted == 1 : view.asked == 1;
  Diagnostic failure = command_error(
      kExpectationUnmet,
      fmt::format("{} {} left in pipe '{}', {} {} expected", packets_of(left),
                  left == 1 ? "is" : "are", view.name, expected, is_one ? "was" : "were"),
      fmt::format("'expect {}{} = {}' is about their number alone", view.name, kPacketsOf, left));
  if (left != 0) failure.notes.push_back("left: " + listed_elements(buffer->type, bytes));
  return failure;
}

/// The failure of an expectation with another number of elements than the view.
Diagnostic wrong_number(const ExpectBufferStep& expect, const ElementView& view,
                        std::uint64_t expected_bytes) {
  const bool is_pipe = view.buffer->pipe.has_value();
  if (is_pipe && (expect.slice.all || view.asked != view.count))
    return wrong_packets(expect, view, expected_bytes);
  return command_error(
      kExpectationUnmet,
      fmt::format("expected {} for the {} of '{}', found {}", count_text(view.asked, "value"),
                  view.asked == 1 ? "element" : "elements", expect.slice.name,
                  expected_bytes / stride_bytes(view.type)),
      fmt::format("one value of type {} is expected for each element", text_of(view.type)));
}

/// The failure of an expectation about the mean of all differences; nothing if it is met.
std::optional<FailedExpectation> mean_failure(const ExpectBufferStep& expect,
                                              const Comparison& comparison) {
  if (expect.tolerances.size() != 1 ||
      expect.tolerances[0].kind != Tolerance::Kind::kRootMeanSquare || comparison.compared == 0)
    return std::nullopt;
  const double mean =
      std::sqrt(comparison.sum_of_squares / static_cast<double>(comparison.compared));
  if (mean <= expect.tolerances[0].amount) return std::nullopt;
  return FailedExpectation{command_error(
      kExpectationUnmet,
      fmt::format("the root of the mean square of the differences of '{}' is {:.6g}, more than {}",
                  expect.slice.name, mean, expect.tolerances[0].amount))};
}

/// True if the value is in a file that does not exist yet.
bool is_missing(const ValueSpec& value) {
  std::error_code ignored;
  return is_in_file(value) && value.file != "-" && !std::filesystem::exists(value.file, ignored);
}

}  // namespace

ExpectationCheck::ExpectationCheck(const LaunchPlan& plan, const RunOverrides& overrides,
                                   const AskedSettings& settings, const PlanBuffers& buffers,
                                   const Writers& writers, const std::optional<ResultLog>& results,
                                   const StepLimit& limit)
    : plan_(plan),
      overrides_(overrides),
      settings_(settings),
      buffers_(buffers),
      writers_(writers),
      results_(results),
      limit_(limit),
      pictures_(overrides.difference_folder) {}

void ExpectationCheck::keep_found(std::span<const std::byte> found,
                                  FailedExpectation& failure) const {
  if (overrides_.collect_found) failure.found.assign(found.begin(), found.end());
}

/// The elements that an expectation is about. Its type, when it has one, says what an element is;
/// with `bytes:`, the indices count bytes when the data have as many bytes as there are indices,
/// else elements.
Result<ElementView> ExpectationCheck::view_for(const ExpectBufferStep& expect,
                                               std::optional<ValueStream>& expected) const {
  auto view = buffers_.view(expect.slice, expect.value.type);
  const std::optional<std::uint64_t> count =
      view ? std::optional(view->asked) : std::optional<std::uint64_t>{};
  if (!view && !expect.value.raw_bytes) return view;
  if (!expect.other.empty()) {
    const auto other = buffers_.view({expect.other, true, 0, {}}, {});
    if (!other) return other;
    const Buffer memory = other->buffer->memory;
    expected.emplace(ValueStream::of({other->type, memory, memory.bytes()}));
    return view;
  }
  const TypeInfo* const type = view ? &view->type : nullptr;
  auto made =
      ValueStream::open(expect.value, {type, count, buffers_.max_bytes(), limit_, {}, type});
  if (!made) return made.errors();
  expected.emplace(std::move(made).value());
  const std::uint64_t size = expected->size_bytes();
  const auto is_meant = [size](const Result<ElementView>& view) {
    const std::uint64_t stride = view ? stride_bytes(view->type) : 1;
    return view && size % stride == 0 && view->asked == size / stride;
  };
  if (!expect.value.raw_bytes || is_meant(view)) return view;
  auto by_element = buffers_.view(expect.slice, {});
  if (!is_meant(by_element)) return view ? view : by_element;
  by_element->type = byte_type();
  by_element->first *= stride_bytes(by_element->buffer->type);
  by_element->count = by_element->bytes.size();
  by_element->asked = size;
  return by_element;
}

/// Compares a view with the expected values. Fails with C0021 if there are not as many tolerances as numbers.
Result<Comparison> ExpectationCheck::compared(const ExpectBufferStep& expect, ValueStream& expected,
                                              const ElementView& view) const {
  ComparedElements what{view.type, expect.slice.name, view.first, !expected.exact_bits()};
  const BoundBufferPointer buffer = view.buffer;
  what.offset_bytes = view.first * stride_bytes(view.type);
  if (buffer->image && class_of_numbers(view.type) == class_of_numbers(buffer->type))
    what.texels.emplace(*buffer->image);
  const std::size_t numbers = count_of_numbers(what);
  if (expect.tolerances.size() > 1 && expect.tolerances.size() != numbers)
    return wrong_tolerances(what, expect.tolerances.size(), numbers);
  const RangeAt ranges =
      asks_for_ranges(expect.tolerances) ? ranges_of(view, *results_) : RangeAt();
  const std::uint64_t stride = stride_bytes(view.type), piece = ValueStream::piece_bytes(stride);
  const std::uint64_t offset_bytes = what.offset_bytes;
  Comparison all;
  Pacer pacer(limit_);
  for (std::uint64_t at = 0; at < view.bytes.size(); at += piece) {
    pacer.look();
    const std::uint64_t bytes = std::min<std::uint64_t>(piece, view.bytes.size() - at);
    what.first_index = view.first + at / stride;
    what.offset_bytes = offset_bytes + at;
    const RangeAt ranges_there = [&](std::uint64_t offset, FloatType type, Profile profile) {
      return ranges(at + offset, type, profile);
    };
    append(all, compare(what, expected.next(bytes), view.bytes.subspan(at, bytes),
                        expect.tolerances, ranges_there));
  }
  return all;
}

/// A failure with all found elements: blessing writes them to the new file.
Result<std::optional<FailedExpectation>> ExpectationCheck::new_file(
    const ExpectBufferStep& expect) const {
  const auto view = buffers_.view(expect.slice, expect.value.type);
  if (!view) return view.errors();
  FailedExpectation failure{command_error(
      kExpectationUnmet, fmt::format("there is no file '{}' yet", expect.value.file))};
  failure.type = view->type;
  if (expect.slice.all) failure.shape = view->buffer->shape;
  keep_found(view->bytes, failure);
  return std::optional(std::move(failure));
}

Status ExpectationCheck::draw_difference(const ExpectBufferStep& expect, const ElementView& view,
                                         FailedExpectation& failure) {
  if (overrides_.difference_folder.empty() || !view.buffer->image) return Unit{};
  const auto expected =
      evaluate(expect.value, {&view.type, view.asked, buffers_.max_bytes(), limit_});
  if (!expected) return expected.errors();
  return pictures_.write(view, expected->bytes, limit_, failure);
}

Result<std::optional<FailedExpectation>> ExpectationCheck::check(const ExpectBufferStep& expect) {
  const bool is_new = is_missing(expect.value);
  if (is_new && overrides_.collect_found) return new_file(expect);
  std::optional<ValueStream> expected;
  const auto view = view_for(expect, expected);
  if (!view) {
    Diagnostics errors = view.errors();
    if (is_new && !plan_.text.empty())
      errors[0].help = "'--bless' makes the file of what comes out";
    return errors;
  }
  for (const auto check : {check_tolerance, check_array})
    if (const Status fine = check(expect, *view, *expected); !fine) return fine.errors();
  FailedExpectation failure{command_error(kExpectationUnmet, "")};
  if (expected->size_bytes() != view->bytes.size() || view->asked != view->count) {
    failure.diagnostic = wrong_number(expect, *view, expected->size_bytes());
    failure.is_short = view->asked != view->count;
  } else {
    auto comparison = compared(expect, *expected, *view);
    if (!comparison) return comparison.errors();
    if (auto failed = mean_failure(expect, *comparison)) return failed;
    const bool differs = comparison->different != 0;
    if (!differs && comparison->open == 0) return std::optional<FailedExpectation>();
    failure = failure_of(expect, std::move(comparison).value(), settings_);
    if (differs) {
      writers_.explain(*view, *expected, limit_, failure.diagnostic);
      if (const Status done = draw_difference(expect, *view, failure); !done) return done.errors();
    }
  }
  failure.type = view->type;
  keep_found(view->bytes, failure);
  return std::optional(std::move(failure));
}

std::optional<FailedExpectation> ExpectationCheck::check(const ExpectPrintfStep& expect,
                                                         const std::string& found) const {
  if (found == expect.text) return {};
  FailedExpectation failure{
      command_error(kExpectationUnmet, "the output of printf is not what was expected")};
  const auto difference =
      std::mismatch(found.begin(), found.end(), expect.text.begin(), expect.text.end());
  const auto at = static_cast<std::size_t>(difference.first - found.begin());
  failure.diagnostic.notes = {
      fmt::format("first difference in line {}, at byte {}",
                  std::count(found.begin(), difference.first, '\n') + 1, at),
      fmt::format("expected {}", quoted(expect.text, at)),
      fmt::format("found    {}", quoted(found, at))};
  keep_found(std::as_bytes(std::span(found)), failure);
  return failure;
}

}  // namespace transpire::launch
