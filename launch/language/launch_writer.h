// Writes launch files: the text form of the launch language (docs/launch-file.md), one line per statement, from the parts
// of a LaunchPlan (launch/language/launch_plan.h). Relative file names are written unchanged; the reader looks for them beside the
// launch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/language/launch_plan.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// Text of a value, which parse_value_spec() reads back.
std::string value_text(const ValueSpec& value);
/// The text as a quoted string in ASCII, which unquoted() reads back.
std::string in_quotes(std::string_view text);
/// True if a name can follow a keyword: it is not empty, has no blank at its ends and no control byte, and begins neither a
/// comment nor a string.
bool is_writable_name(std::string_view name);

/// `bytes:zero:N`.
ValueSpec zero_bytes(std::size_t count);
/// `bytes:hex:...`: these bytes.
ValueSpec raw_bytes(std::span<const std::byte> bytes);
/// `bytes:file:NAME`: the contents of a file.
ValueSpec bytes_of_file(std::string file);

class LaunchWriter {
 public:
  /// The text written so far; each line is ended.
  const std::string& text() const { return text_; }

  /// Writes a comment in a line of its own. Line ends in `text` become blanks.
  void comment(std::string_view text);

  // Statements, named after their keywords.
  void module(std::string_view path);
  /// Writes nothing if there are no words. Fails with C0022, and writes nothing, if a word has a line end.
  Status options(const std::vector<std::string>& words);
  /// `what` is a rule, or a file of suppressions.
  void suppress(std::string_view what);
  void specialise(const SpecialisationSpec& constant);
  /// Writes `buffer`, `shared` or `variable`; the memory's kind decides.
  void memory(const BufferSpec& memory);
  void queue(const QueueSpec& queue);
  /// `name` "none" means that there is no default queue.
  void default_queue(std::string_view name);
  void kernel(std::string_view name);
  /// Writes a setting, alone or with its value: "reference", "threads 1".
  void setting(std::string_view words);
  /// Writes an argument of any kind but kSim, and `comment` behind it unless that is empty.
  void argument(const ArgumentSpec& argument, std::string_view comment = {});
  void global(const SizeList& sizes);
  void local(const SizeList& sizes);
  void groups(const SizeList& sizes);
  void offset(const SizeList& sizes);
  /// Each swap names two arguments whose buffers change places after a launch.
  void repeat(std::uint64_t count, std::span<const std::pair<std::string, std::string>> swaps);
  void launch();
  /// Expects that a whole buffer has exactly this value.
  void expect_value(std::string_view name, const ValueSpec& value);
  /// Writes a statement for each line of `text`, the whole output of a launch's printf.
  void expect_printf(std::string_view text);
  void expect(const ExpectedFault& fault);
  void expect(const ExpectedRefusal& refusal);

 private:
  void line(std::string_view text) { text_.append(text) += '\n'; }

  std::string text_;
};

}  // namespace transpire::launch
