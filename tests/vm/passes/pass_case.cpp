#include "tests/vm/passes/pass_case.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"

namespace transpire::test {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The lines of one side.
std::string side_of(const std::string& text, bool is_after) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    if (bar != line.npos) line = is_after ? line.substr(bar + 1) : line.substr(0, bar);
    line = trimmed(line);
    if (is_after && line.starts_with("arguments:")) continue;
    if (!line.empty()) result += line + '\n';
  }
  return result;
}

/// The text without what parse_lir() adds: the first label, and the return at the end.
std::string shortened(std::string text) {
  constexpr std::string_view kFirst = "b0:\n", kLast = "\nReturn\n";
  if (text.ends_with(kLast)) text.resize(text.size() - kLast.size() + 1);
  return text.starts_with(kFirst) ? text.substr(kFirst.size()) : text;
}

}  // namespace

std::string compare_four_lanes(const Function& before, const Function& after) {
  return compare_functions(before, after, 4);
}

std::string do_not_compare(const Function&, const Function&) { return ""; }

void check_pass(const PassCase& c, const Pass& pass, const Comparison& compare) {
  CAPTURE(c.name);
  LirNames names;
  Function f = parse_lir(side_of(c.text, false), names);
  CHECK(verify(f) == "");
  const Function before = f;
  pass(f);
  CHECK(verify(f) == "");
  CHECK(compare(before, f) == "");
  CHECK(shortened(side_of(lir_text(f, names), true)) == shortened(side_of(c.text, true)));
}

}  // namespace transpire::test
