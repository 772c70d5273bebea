// Oclgrind's .sim files:
//
//   PROGRAM KERNEL  GX GY GZ  LX LY LZ        blanks and line ends separate, '#' starts a comment
//   <size=BYTES [TYPE] [fill=V | range=A:STEP:B | noinit] [null] [ro | wo] [hex] [dump]> numbers
//   ...
//
// with one <...> for each kernel argument, in order. A number of bytes is the size of a buffer, of
// local memory or of a value; the kernel's parameter decides (launch/runner/sim_value.h). Options --build-options and
// --max-errors in a first line "# ARGS: ...", as Oclgrind's test suite has it, are read, too.
#include <fmt/format.h>

#include "launch/language/plan_builder.h"
#include "launch/language/shell_words.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Splits the text at blanks into words with their places.
class SimReader {
 public:
  SimReader(std::string_view text, const std::string& file) : text_(text), where_{file, 1, 1} {}

  /// Place of the last word that more() found.
  const SourceLine& where() const { return where_; }

  /// Moves to the next word or header; false at the end.
  bool more() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        where_.line = line_;
        where_.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
        return true;
      }
    }
    return false;
  }

  char next() const { return text_[at_]; }

  /// The word that more() found.
  std::string_view word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n#", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  /// The text between '<' and the last '>' of the line.
  std::optional<std::string_view> header() {
    const std::size_t line_end = std::min(text_.find_first_of("\n#", at_), text_.size());
    const std::string_view line = text_.substr(at_ + 1, line_end - at_ - 1);
    const std::size_t close = line.rfind('>');
    if (close == std::string_view::npos) return std::nullopt;
    at_ += close + 2;
    return line.substr(0, close);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  SourceLine where_;
};

Diagnostic sim_error(const std::string& message) { return command_error(kBadLaunchFile, message); }

/// "fill=3" for key "fill" gives "3".
bool has_value(std::string_view token, std::string_view key, std::string& value) {
  if (!token.starts_with(key) || token.size() < key.size() + 2 || token[key.size()] != '=')
    return false;
  value = token.substr(key.size() + 1);
  return true;
}

Status read_token(SimArgument& argument, std::string_view token, bool& has_size) {
  std::string size;
  if (const auto type = scalar_type_named(token); type && token != "bool" && token != "half") {
    if (argument.type) return sim_error("the argument has two types");
    argument.type = type;
  } else if (has_value(token, "size", size)) {
    const auto bytes = parse_count(size, "size");
    if (!bytes) return bytes.errors();
    argument.size_bytes = *bytes;
    has_size = true;
  } else if (has_value(token, "fill", argument.fill) || has_value(token, "range", argument.range)) {
    return Unit{};
  } else if (token.starts_with("dump")) {
    argument.dump = true;
  } else if (token == "hex") {
    argument.hex = true;
  } else if (token == "noinit") {
    argument.noinit = true;
  } else if (token == "null") {
    argument.null = true;
  } else if (token == "ro") {
    argument.read_only = true;
  } else if (token == "wo") {
    argument.write_only = true;
  } else {
    const std::string_view word = token.substr(0, token.find('='));
    return command_error(
        kBadLaunchFile, fmt::format("'{}' is not known in an argument's header", token),
        suggestion(word, {"size", "fill", "range", "dump", "hex", "noinit", "null", "ro", "wo"},
                   "words"));
  }
  return Unit{};
}

Result<SimArgument> read_header(std::string_view header) {
  SimArgument argument;
  bool has_size = false;
  while (!header.empty()) {
    const Status read = read_token(argument, take_word(header), has_size);
    if (!read) return read.errors();
  }
  if (argument.read_only && argument.write_only)
    return sim_error("'ro' and 'wo' exclude each other");
  const int makers = !argument.fill.empty() + !argument.range.empty() + argument.noinit;
  if (argument.null) {
    if (has_size || makers > 0 || argument.dump) return sim_error("'null' goes with no other word");
  } else if (!has_size) {
    return sim_error("'size' is missing from the argument's header");
  }
  if (makers > 1) return sim_error("only one of 'fill', 'range' and 'noinit' may be given");
  return argument;
}

/// Prints an argument as Oclgrind does.
PrintStep dump_of(std::size_t index, bool is_hexadecimal) {
  PrintStep print;
  print.slice.name = fmt::to_string(index);
  print.style =
      is_hexadecimal ? PrintStep::Style::kOclgrindHexadecimal : PrintStep::Style::kOclgrind;
  return print;
}

Status read_arguments(SimReader& reader, PlanBuilder& builder) {
  for (std::size_t index = 0; reader.more(); ++index) {
    const SourceLine place = reader.where();
    builder.set_place(place);
    ArgumentSpec argument;
    argument.kind = ArgumentSpec::Kind::kSim;
    argument.target = fmt::to_string(index);
    if (reader.next() != '<')
      return sim_error(fmt::format("a header '<...>' is expected for argument {}, found '{}'",
                                   index, reader.word()));
    const auto header = reader.header();
    if (!header) return sim_error("'>' is missing at the end of the argument's header");
    auto sim = read_header(*header);
    if (!sim) return sim.errors();
    argument.sim = std::move(sim).value();
    while (reader.more() && reader.next() != '<') argument.sim.values.emplace_back(reader.word());
    const bool complete = !argument.sim.fill.empty() || !argument.sim.range.empty() ||
                          argument.sim.noinit || argument.sim.null;
    if (complete && !argument.sim.values.empty())
      return placed({sim_error(fmt::format("'{}' was not expected: argument {} is complete",
                                           argument.sim.values[0], index))},
                    place);
    if (argument.sim.dump) builder.print(dump_of(index, argument.sim.hex));
    Status added = builder.argument(std::move(argument));
    if (!added) return added;
  }
  return Unit{};
}

/// Reads three numbers, as Oclgrind always has them. Fails if one is missing.
Result<SizeList> read_sizes(SimReader& reader, std::string_view what) {
  std::string sizes;
  for (int i = 0; i < 3; ++i) {
    if (!reader.more()) return sim_error(fmt::format("the file ends within the {}", what));
    if (i != 0) sizes += ',';
    sizes += reader.word();
  }
  return parse_sizes(sizes);
}

Status read_sim(SimReader& reader, PlanBuilder& builder) {
  if (!reader.more()) return sim_error("the file is empty: the name of a program is expected");
  builder.set_place(reader.where());
  Status done = builder.module(reader.word());
  if (!done) return done;
  if (!reader.more()) return sim_error("the file ends before the kernel's name");
  builder.set_place(reader.where());
  done = builder.kernel(std::string(reader.word()));
  if (!done) return done;
  const auto global = read_sizes(reader, "NDRange");
  if (!global) return global.errors();
  builder.set_place(reader.where());
  builder.set(&LaunchStep::global, *global);
  const auto local = read_sizes(reader, "work-group size");
  if (!local) return local.errors();
  builder.set_place(reader.where());
  builder.set(&LaunchStep::local, *local);
  return read_arguments(reader, builder);
}

/// Reads the first line "# ARGS: --build-options -cl-std=CL2.0 --max-errors 5".
Status read_arguments_line(std::string_view text, PlanBuilder& builder) {
  constexpr std::string_view kMark = "# ARGS:";
  if (!text.starts_with(kMark)) return Unit{};
  const std::size_t end = std::min(text.find('\n'), text.size());
  const auto split = shell_words(trimmed(text.substr(kMark.size(), end - kMark.size())));
  if (!split) return split.errors();
  const std::vector<std::string>& words = *split;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    Status done = Unit{};
    if (words[i] == "--build-options") {
      auto options = shell_words(words[++i]);
      if (!options) return options.errors();
      for (const std::string& word : *options) builder.set(&LaunchPlan::build_options, word);
    } else if (words[i] == "--max-errors") {
      done = builder.setting("max-errors", words[++i]);
    }
    if (!done) return done;
  }
  return Unit{};
}

}  // namespace

Result<LaunchPlan> parse_sim(std::string_view text, const std::string& file) {
  PlanBuilder builder(file);
  SimReader reader(text, file);
  builder.set_place(reader.where());
  // Oclgrind always makes these checks.
  for (const char* check : {"bounds", "sync"})
    if (const Status checked = builder.setting("check", check); !checked) return checked.errors();
  if (const Status read = read_arguments_line(text, builder); !read)
    return placed(read.errors(), reader.where());
  if (const Status read = read_sim(reader, builder); !read)
    return placed(read.errors(), reader.where());
  return builder.finish();
}

}  // namespace transpire::launch
