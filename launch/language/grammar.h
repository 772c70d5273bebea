// The words of the text form (docs/launch-file.md, "Grammar"), as the values of launch/language/launch_plan.h. Names and places
// are resolved later: by the PlanBuilder, and when the plan runs. Unless a function says otherwise, it fails with C0021 and C0022.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/report/text.h"

namespace transpire::launch {

// ---- Words ----

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
/// The text, which may be in double quotes.
Result<std::string> parse_name(std::string_view text);

// ---- Values ----

Result<SizeList> parse_sizes(std::string_view text);
/// As parse_sizes(); "auto" gives no sizes.
Result<SizeList> parse_local_sizes(std::string_view text);
Result<BufferSlice> parse_slice(std::string_view text);

/// The slice `buffers[2]` as all of a buffer of that name, which an element of an array of descriptors has.
std::optional<BufferSlice> slice_as_name(const BufferSlice& slice);
Result<Tolerance> parse_tolerance(std::string_view text);
/// Parses one tolerance, or in brackets one for each number of an element: "(1, 1ulp, 0)".
Result<std::vector<Tolerance>> parse_tolerances(std::string_view text);
Result<ArgumentSpec> parse_argument(std::string_view target, std::string_view value);
/// Parses the value of `buffer NAME = VALUE`.
Result<BufferSpec> parse_buffer(std::string_view name, std::string_view value);
/// The memory that `buffer` declares with this argument's value; nothing for a value that is no memory.
std::optional<BufferSpec> declared_by(ArgumentSpec argument);
/// Fails if a reference to a buffer contradicts itself.
Status check_reference(const BufferReference& buffer);
/// Parses the address or name of `shared`.
Result<SharedReference> parse_shared(std::string_view word);
/// C0021, of what follows `shared WORD`.
Diagnostic behind_shared(std::string_view found, std::string_view word);
/// Parses the value of `variable NAME = VALUE`.
Result<ValueSpec> parse_variable(std::string_view value);
/// Parses the number of elements in a row, which is not 0.
Result<std::uint64_t> parse_columns(std::string_view text);
/// Parses the type after `as`. Fails with C0022.
Result<TypeWord> parse_type(std::string_view text);
/// Parses a time and returns seconds: "10", "1.5s", "500ms", "2min".
Result<double> parse_seconds(std::string_view text);
/// Parses a size and returns bytes: "4096", "512KiB", "2GiB".
Result<std::uint64_t> parse_bytes(std::string_view text);

// ---- Checks ----

/// Parses "NAME [as TYPE] [hex] [cols N] [ranges PROFILE]".
Result<PrintStep> parse_print(std::string_view text);
/// Parses "NAME [as TYPE] [cols N]", where the name of the file may be in double quotes.
Result<OutputStep> parse_output(std::string_view buffer, std::string_view file);
/// Parses "NAME[=FILE.png] [as TYPE] [cols N]": a picture for people to look at.
Result<OutputStep> parse_picture(std::string_view text);
Result<Expectation> parse_expectation(std::string_view text);
/// Parses "12" or "12:3", the place of a finding.
Status read_place(std::string_view text, ExpectedFault& fault);

}  // namespace transpire::launch
