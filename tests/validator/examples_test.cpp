// Every rule's examples: the bad one gives one error, of its rule; the good one is valid.
//
// Without arguments all examples are looked at; with arguments those whose names start with one of them,
// with all their diagnostics.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "transpire/diagnostic.hpp"
#include "validator/example.h"
#include "validator/rule.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

/// What is wrong with how an example was judged; empty when nothing is.
std::string complaint(const Example& example, const Validation& validation) {
  const ValidationRule* rule = find_validation_rule(example.id);
  if (!rule) return "no rule has this id";
  std::string found;
  std::size_t own = 0;
  std::size_t others = 0;
  for (const Diagnostic& diagnostic : validation.diagnostics) {
    if (diagnostic.rule == fmt::format("TSP-{}", rule->id))
      ++own;
    else if (diagnostic.severity == Severity::kError)
      ++others;
    else
      continue;
    found += fmt::format(" {} ({})", diagnostic.rule, diagnostic.message);
  }
  if (example.kind == "good" && own + others != 0) return "expected a valid module, found" + found;
  if (example.kind == "bad" && own != 1) return "expected one finding of its rule, found" + found;
  if (example.kind == "bad" && others != 0) return "expected nothing else, found" + found;
  if (example.kind == "bad" && validation.valid != (rule->severity != Severity::kError))
    return "the verdict does not follow from the findings";
  return {};
}

bool judge(const Example& example, bool verbose) {
  const auto prepared = prepare_example(example);
  std::string what;
  if (!prepared) {
    what = "cannot be prepared: " + prepared.errors()[0].message;
  } else {
    ValidateOptions options = prepared->options;
    options.second_opinion = false;
    const auto validation = validate_words(prepared->words, options);
    if (!validation) {
      what = "cannot be validated: " + validation.errors()[0].message;
    } else {
      what = complaint(example, *validation);
      if (verbose)
        for (const Diagnostic& diagnostic : validation->diagnostics)
          fmt::print("{}", format(diagnostic));
    }
  }
  if (!what.empty()) fmt::print("{}.{}: {}\n", example.id, example.kind, what);
  return what.empty();
}

int run(int count, char** arguments) {
  std::size_t judged = 0;
  std::size_t wrong = 0;
  for (const Example& example : examples()) {
    const auto wanted = [&](std::string_view start) {
      return fmt::format("{}.{}", example.id, example.kind).starts_with(start);
    };
    if (count > 1 && std::none_of(arguments + 1, arguments + count, wanted)) continue;
    ++judged;
    if (!judge(example, count > 1)) ++wrong;
  }
  fmt::print("{} examples, {} wrong\n", judged, wrong);
  return wrong == 0 && judged != 0 ? 0 : 1;
}

}  // namespace
}  // namespace transpire::validator

int main(int count, char** arguments) { return transpire::validator::run(count, arguments); }
