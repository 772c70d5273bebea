// Writes launch files: the text form of the launch language (docs/launch-file.md), a line for each statement, from
// the values that the reader makes of it (launch/launch_plan.h). Relative file names are written as they are: the
// reader looks for them beside the launch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/launch_plan.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// As parse_value_spec() reads it.
std::string spelled_value(const ValueSpec& value);
/// As unquoted() reads it, in ASCII.
std::string in_quotes(std::string_view text);
/// Whether a name can stand behind a keyword: it is not empty, and nothing in it is a blank at its ends, a control byte,
/// or begins a comment or a string.
bool is_writable_name(std::string_view name);

/// `bytes:zero:N`.
ValueSpec zero_bytes(std::size_t count);
/// `bytes:hex:...`: these bytes.
ValueSpec raw_bytes(std::span<const std::byte> bytes);
/// `bytes:file:NAME`: what stands in a file.
ValueSpec bytes_of_file(std::string file);

class LaunchWriter {
 public:
  /// What was written, each line ended.
  const std::string& text() const { return text_; }

  /// A line of its own. White space stands for what would end it.
  void comment(std::string_view text);

  // Statements, named after their keywords.
  void module(std::string_view path);
  /// Nothing when there are none. Fails with C0022 for a word with a line end, and writes nothing.
  Status options(const std::vector<std::string>& words);
  /// A rule, or a file of suppressions.
  void suppress(std::string_view what);
  void specialise(const SpecialisationSpec& constant);
  /// `buffer`, `shared` or `variable`, as its kind says.
  void memory(const BufferSpec& memory);
  void queue(const QueueSpec& queue);
  /// "none": there is none.
  void default_queue(std::string_view name);
  void kernel(std::string_view name);
  /// A setting as the reader knows it, alone or with its value: "reference", "threads 1".
  void setting(std::string_view words);
  /// All kinds but kSim, which only .sim files have. `comment` stands behind it; empty: none.
  void argument(const ArgumentSpec& argument, std::string_view comment = {});
  void global(const SizeList& sizes);
  void local(const SizeList& sizes);
  void offset(const SizeList& sizes);
  /// Each swap is of two arguments' buffers.
  void repeat(std::uint64_t count, std::span<const std::pair<std::string, std::string>> swaps);
  void launch();
  /// Exactly this value, of the whole of a buffer.
  void expect_value(std::string_view name, const ValueSpec& value);
  /// A statement for each of its lines: together they are what a launch prints.
  void expect_printf(std::string_view text);
  void expect(const ExpectedFault& fault);
  void expect(const ExpectedRefusal& refusal);

 private:
  void line(std::string_view text) { text_.append(text) += '\n'; }

  std::string text_;
};

}  // namespace transpire::launch
