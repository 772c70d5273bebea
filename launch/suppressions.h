// Which findings are known and accepted, and which warnings are errors: what `--suppress` and `-W` say, for every command
// that tells findings, and for launch files and the OpenCL driver. docs/suppressions.md describes the files.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/files.h"
#include "transpire/diagnostic.hpp"
#include "transpire/result.hpp"

namespace transpire::launch {

/// One entry: all that it says must hold of a finding.
struct Suppression {
  std::string rule;                    ///< empty: any
  std::string file, function, buffer;  ///< as shells match names; empty: any
  std::optional<std::pair<std::uint32_t, std::uint32_t>> lines;  ///< both ends included
  std::string text;                                              ///< as it is written
  std::string reason;  ///< the comment behind it; empty: none
  SourceLine where;    ///< of a file, else not known
  /// How many findings it holds of, and of those, how many it suppresses: no entry before it does.
  std::uint64_t matched = 0, used = 0;
};

/// "known.supp:3: TSP-R0060 function=mix", or the rule alone.
std::string spelled(const Suppression& entry);

/// What is found where: a diagnostic, and the buffer or variable, if it is about one.
struct FoundAt {
  const Diagnostic& diagnostic;
  std::string_view buffer = {};
};

class Suppressions {
 public:
  /// A rule's id, else the name of a file. Fails with C0001, C0025, C0038, each wrong entry with its place.
  Status read(const std::string& what, const ReadLimit& limit = text_limit());
  /// The same of a file. One that was read already, by whatever path, adds nothing.
  Status read_file(const std::string& path, const ReadLimit& limit);
  Status read_text(std::string_view text, const std::string& file);

  /// The number of the first entry that holds of what was found, which suppresses it; nothing when none does. Counts.
  std::optional<std::size_t> take(const FoundAt& found);
  /// An entry as another process used it, which may be one of these.
  void merge(const Suppression& used);

  bool empty() const { return entries_.empty(); }
  const std::vector<Suppression>& entries() const { return entries_; }
  /// All findings that are suppressed.
  std::uint64_t used() const;
  /// Warnings of C0039: entries that hold of nothing.
  Diagnostics unused() const;

 private:
  std::vector<Suppression> entries_;
  std::vector<std::string> excerpts_;  ///< of each entry
  std::set<std::string> files_;
};

/// Which warnings are errors.
class WarningRules {
 public:
  /// What stands behind -W: "error", "error=RULE", "no-error=RULE". Fails with C0020 and C0025.
  Status read(std::string_view word);

  /// Whether a warning of the rule is an error; one that "no-error" names never is.
  bool is_error(const std::string& rule) const;
  /// Makes it one.
  void judge(Diagnostic& diagnostic) const;

  bool all() const { return all_; }
  const std::set<std::string>& errors() const { return errors_; }
  const std::set<std::string>& exceptions() const { return exceptions_; }

 private:
  bool all_ = false;
  std::set<std::string> errors_, exceptions_;
};

/// Both, as somebody asks for them.
struct FindingRules {
  WarningRules warnings;
  Suppressions suppressions;

  /// `words`: behind each -W. `suppress`: behind each --suppress. Errors of all of them.
  static Result<FindingRules> read(const std::vector<std::string>& words,
                                   const std::vector<std::string>& suppress,
                                   const ReadLimit& limit = text_limit());
};

/// "3 findings suppressed"; empty when there is none.
std::string spelled_suppressed(std::uint64_t count);

}  // namespace transpire::launch
