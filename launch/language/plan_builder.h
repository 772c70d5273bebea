// PlanBuilder: makes a LaunchPlan from statements. The readers of launch files, of JSON and of the command line call it,
// once per statement. The builder decides when a launch happens, and which launch a check belongs to:
//
//   settings (kernel, global, local, offset, arg, repeat) change the next launch;
//   `launch` runs it; checks (print, out, expect) wait for the launch that the settings above lead
//   to, or look at the memory as it is when no setting changed since the last launch; a launch is
//   implied at the end when settings changed or nothing was launched at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/report/text.h"

namespace transpire::launch {

class PlanBuilder {
 public:
  explicit PlanBuilder(const std::string& file);

  /// Sets the place of the statements that follow.
  void set_place(const SourceLine& where) { where_ = where; }

  // Statements, named after their keywords; each fails with C0021 or C0022.
  Status module(std::string_view path);
  /// Adds a module as module() does; `name` may be in double quotes, as unquoted() reads them.
  Status named_module(std::string_view name);
  Status options(std::string_view words);
  /// `what` is a file, which may be in double quotes, or a rule.
  Status suppress(std::string_view what);
  Status specialise(std::string_view target, std::string_view value);
  Status buffer(std::string_view name, std::string_view value);
  /// `place`: "NAME at ADDRESS".
  Status shared(std::string_view place, std::string_view value);
  Status variable(std::string_view name, std::string_view value);
  /// `text`: "NAME [SIZE]".
  Status queue(std::string_view text);
  Status default_queue(std::string_view name);
  Status kernel(std::string_view name);
  Status global(std::string_view sizes);
  Status local(std::string_view sizes);
  Status offset(std::string_view sizes);
  Status argument(std::string_view target, std::string_view value);
  Status repeat(std::string_view text);
  Status launch();
  Status print(std::string_view text);
  /// `file`: "NAME [as TYPE] [cols N]", where the name may be in double quotes.
  Status output(std::string_view buffer, std::string_view file);
  /// `text`: "NAME[=FILE.png] [as TYPE] [cols N]": a picture for people to look at.
  Status show(std::string_view text);
  /// Adds an output. Keeps the file's name unchanged and sets the place.
  Status add_output(OutputStep output);
  Status expect(std::string_view text);
  Status setting(std::string_view name, std::string_view value);

  // For forms that do not go through text.
  Status sim_argument(ArgumentSpec argument) { return add_argument(std::move(argument)); }
  void sim_dump(std::size_t index, bool hexadecimal);
  void expect_printf(std::string text);
  void swap(std::string a, std::string b);
  void add_build_option(std::string word) { plan_.build_options.push_back(std::move(word)); }
  void use_module(std::string path) { plan_.modules.push_back(std::move(path)); }

  Result<LaunchPlan> finish();

 private:
  void changed() { dirty_ = true; }
  void add_check(Step step);
  Status add_argument(ArgumentSpec argument);
  Status declare(BufferSpec spec);
  ValueSpec located(ValueSpec value) const;
  std::string path_of(std::string_view path) const;
  void run_pending();
  Status read_print_word(PrintStep& print, std::string_view word, std::string_view& rest);
  Status run_setting(std::string_view name, std::string_view value);
  Status expect_fault(std::string_view text);
  Status expect_values(std::string_view text);
  Diagnostic syntax_error(const std::string& message, std::string help = {}) const;

  LaunchPlan plan_;
  std::string directory_;  ///< folder of relative file names; empty: the current one
  LaunchStep next_;
  std::vector<Step> waiting_;  ///< checks for the launch that has not happened yet
  bool dirty_ = true;
  std::uint32_t serial_ = 0;           ///< number of the last argument statement
  std::uint32_t launched_serial_ = 0;  ///< number of the last one before the last launch
  SourceLine where_;
};

/// Reads launch-file text statement by statement. Continues after an error, to report all errors.
Status read_launch_lines(PlanBuilder& builder, std::string_view text, const std::string& file);

/// True if the first line that is neither blank nor a comment is a statement of launch files.
bool begins_with_statement(std::string_view text);

// Pieces of the grammar that other readers share.
/// The line without its comment. A '#' inside quotes begins no comment. Quotes are double, with the escapes of unquoted().
/// In statements that shell_words() reads, quotes may also be single, and a backslash is no escape.
std::string_view without_comment(std::string_view line);
/// Removes the first word from the front of `text` and returns it. Blanks separate words.
std::string_view take_word(std::string_view& text);
/// Offset of the first of these characters outside brackets and quotes; npos if there is none.
std::size_t find_outside(std::string_view text, std::string_view signs);
/// Splits "a = b" into a and b at the first '=' outside brackets and quotes. False if there is none.
bool split_at_equals(std::string_view text, std::string_view& left, std::string_view& right);
/// The contents of a quoted string with the escapes of C. Fails with C0021.
Result<std::string> unquoted(std::string_view text);
Result<SizeList> parse_sizes(std::string_view text);
Result<BufferSlice> parse_slice(std::string_view text);
Result<Tolerance> parse_tolerance(std::string_view text);
/// Parses one tolerance, or in brackets one for each number of an element: "(1, 1ulp, 0)".
Result<std::vector<Tolerance>> parse_tolerances(std::string_view text);
Result<ArgumentSpec> parse_argument(std::string_view target, std::string_view value);
/// Parses the number of elements in a row, which is not 0.
Result<std::uint64_t> parse_columns(std::string_view text);
/// Parses the type after `as`. Fails with C0022.
Result<TypeWord> parse_type(std::string_view text);
/// Parses a time and returns seconds: "10", "1.5s", "500ms", "2min".
Result<double> parse_seconds(std::string_view text);
/// Parses a size and returns bytes: "4096", "512KiB", "2GiB".
Result<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace transpire::launch
