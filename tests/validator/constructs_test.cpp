// Structured control flow: graphs with merge instructions, and what the validator says of them.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/assemble_text.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

struct Case {
  std::string_view what;
  /// A block for each line: its name, its merge instruction in brackets, and where it branches to:
  /// nothing (a return), "unreachable", a block, two (a condition) or a default and cases behind
  /// "switch".
  std::string_view graph;
  /// What the finding of V0016 says; empty: there is none.
  std::string_view finding;
};

constexpr Case kCases[] = {
    {"a selection", "a [select m]: b m\nb: m\nm:", ""},
    {"a selection without merge instruction", "a: b m\nb: m\nm:", ""},
    {"a selection that returns", "a [select m]: b m\nb:\nm:", ""},
    {"selections in each other", "a [select m]: b m\nb [select n]: c n\nc: n\nn: m\nm:", ""},
    {"a way out of two selections",
     "a [select m]: b m\nb [select n]: c n\nc: m n\nn: m\nm:", "out of the construct of '%b'"},
    {"a way past the merge block",
     "a: z y\nz [select m]: b m\nb: m y\nm: y\ny:", "out of the construct of '%z'"},
    {"merge blocks that cross",
     "a [select m]: b x\nx:\nb [select n]: c m\nc: m\nm: n\nn:", "within the construct of '%a'"},

    {"a loop", "e: a\na [loop m c]: b m\nb: c\nc: a\nm:", ""},
    {"a loop of one block", "e: a\na [loop m a]: a m\nm:", ""},
    {"a loop that is left at its end", "e: a\na [loop m c]: c\nc: a m\nm:", ""},
    {"a loop that is continued and left from a selection",
     "e: a\na [loop m c]: b m\nb [select s]: x s\nx: c m\ns: c\nc: a\nm:", ""},
    {"a loop in a loop",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d\nd: b\nn: c\nc: a\nm:", ""},
    {"a loop within a continue construct",
     "e: a\na [loop m c]: b m\nb: c\nc: d\nd [loop n x]: x n\nx: d\nn: a\nm:", ""},
    {"a loop without a merge instruction", "e: a\na: b m\nb: c a\nc: a\nm:", ""},
    {"two back edges", "e: a\na [loop m c]: b m\nb: c a\nc: a\nm:", "found 2"},
    {"no back edge", "e: a\na [loop m c]: c\nc: m\nm:", "one back edge"},
    {"a back edge from a block that is not reached", "e: a\na [loop m c]: b\nb: m\nc: a\nm:", ""},
    {"a back edge from elsewhere",
     "e: a\na [loop m c]: b m\nb: c d\nc: d\nd: a\nm:", "dominates '%d'"},
    {"a way around the back edge",
     "e: a\na [loop m c]: b m\nb: c\nc: d x\nd: a\nx:\nm:", "to pass '%d'"},
    {"a loop with a way to an unreachable instruction in its step",
     "e: a\na [loop m c]: b m\nb: c\nc: d x\nx: unreachable\nd: a\nm:", ""},
    {"a continue target that is not reached",
     "e: a\na [loop m c]: b m\nb: a\nc: a\nm:", "dominates '%b'"},
    {"a way out of two loops",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d m\nd: b\nn: c\nc: a\nm:",
     "out of the construct of '%b'"},
    {"the outer loop continued from the inner one",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d c\nd: b\nn: c\nc: a\nm:",
     "found '%c' in that of '%b'"},
    {"a loop continued from a selection that never merges",
     "e: a\na [loop m c]: b\nb [select s]: m c\ns:\nc: a\nm:", ""},
    {"a loop that only a selection breaks, and a loop around",
     "e: o\no [loop p q]: l p\nl [loop n c]: b\nb [select s]: n s\ns: c\nc: l\nn: q\nq: o\np:", ""},
    {"two loops that one branch breaks",
     "e: o\no [loop p q]: l\nl [loop n c]: b\nb [select s]: p s\ns: c n\nc: l\nn: q\nq: o\np:",
     "out of the construct of '%b'"},
    {"a selection that merges at the continue target",
     "e: l\nl [loop n c]: b n\nb [select c]: x c\nx: c\nc: l\nn:", "within the construct of '%l'"},
    {"a loop that merges behind the outer one",
     "e: a\na [loop m c]: b c\nb [loop n d]: x m\nx: d\nd: b\nc: a\nm: n\nn:",
     "within the construct of '%a'"},

    {"a switch", "a [select m]: switch d x y\nx: m\ny: m\nd: m\nm:", ""},
    {"a switch with its merge block as default", "a [select m]: switch m x y\nx: m\ny: m\nm:", ""},
    {"a switch left from a selection",
     "a [select m]: switch d x\nx [select s]: p s\np: m\ns: m\nd: m\nm:", ""},
    {"a case that goes on into the next", "a [select m]: switch d x y\nx: y\ny: m\nd: m\nm:", ""},
    {"a case that goes on through the default",
     "a [select m]: switch d x y\nx: d\nd: y\ny: m\nm:", ""},
    {"a case that goes on into one that is not the next",
     "a [select m]: switch d x y z\nx: z\ny: m\nz: m\nd: m\nm:", "'%x' just before '%z'"},
    {"a case that skips one through the default",
     "a [select m]: switch d x y z\nx: d\nd: z\ny: m\nz: m\nm:", "'%x' just before '%z'"},
    {"two ways from a case into the next",
     "a [select m]: switch d x y\nx: p y\np: y\ny: m\nd: m\nm:", ""},
    {"a case that begins with a loop of one block, and goes on into the next",
     "a [select m]: switch d x y\nx [loop s x]: x s\ns [select t]: y t\nt: m\ny: m\nd: m\nm:", ""},
    {"such a case that goes on into one that is not the next",
     "a [select m]: switch d x y z\nx [loop s x]: x s\ns: z\ny: m\nz: m\nd: m\nm:",
     "'%x' just before '%z'"},
    {"a case that breaks the loop around, and code behind it",
     "e: o\no [loop p q]: l p\nl [loop n c]: a\na [select m]: switch m n x\nx: m\nm: c\nc: l\nn: "
     "q\n"
     "q: o\np:",
     ""},
    {"cases that go on into each other",
     "a [select m]: switch d x y\nx: p q\np: y\nq: d\ny: m\nd: m\nm:", "from the case '%x'"},
    {"two cases that go on into one",
     "a [select m]: switch d x y z\nx: y\nz: y\ny: m\nd: m\nm:", "branches to '%y'"},
    {"cases that join before the merge block",
     "a [select m]: switch d x y\nx: j\ny: j\nj: m\nd: m\nm:", "out of the construct of '%a'"},
    {"a case that continues the loop around",
     "e: l\nl [loop n c]: a n\na [select m]: switch m x y\nx: c\ny: n\nm: c\nc: l\nn:", ""},
    {"a case that is the continue target",
     "e: l\nl [loop n c]: a n\na [select m]: switch m c x\nx: m\nm: c\nc: l\nn:", ""},
    {"a switch that never merges, in a loop, and code behind",
     "e: o\no [loop p q]: l p\nl [loop n c]: a\na [select m]: switch c x\nx: n\nc: l\nm: \nn: q\n"
     "q: o\np:",
     ""},
    {"a switch left from a loop within",
     "a [select m]: switch d x\nx: l\nl [loop n c]: b n\nb: c m\nc: l\nn: m\nd: m\nm:",
     "out of the construct of '%l'"},
};

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c != ' ')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string block_text(std::string_view line) {
  const auto colon = line.find(':');
  std::string head(line.substr(0, colon)), text, merge;
  if (const auto bracket = head.find('['); bracket != head.npos) {
    const auto words = words_in(head.substr(bracket + 1, head.find(']') - bracket - 1));
    merge = words[0] == "loop" ? fmt::format("OpLoopMerge %{} %{} None\n", words[1], words[2])
                               : fmt::format("OpSelectionMerge %{} None\n", words[1]);
    head.resize(bracket);
  }
  text = fmt::format("%{} = OpLabel\n{}", words_in(head)[0], merge);
  const auto to = words_in(line.substr(colon + 1));
  if (to.empty()) return text + "OpReturn\n";
  if (to[0] == "unreachable") return text + "OpUnreachable\n";
  if (to.size() == 1) return text + fmt::format("OpBranch %{}\n", to[0]);
  if (to[0] != "switch")
    return text + fmt::format("OpBranchConditional %condition %{} %{}\n", to[0], to[1]);
  text += fmt::format("OpSwitch %number %{}", to[1]);
  for (std::size_t n = 2; n < to.size(); ++n) text += fmt::format(" {} %{}", n, to[n]);
  return text + "\n";
}

std::string module_text(std::string_view graph) {
  std::string names, blocks;
  while (!graph.empty()) {
    const auto end = graph.find('\n');
    const std::string block = words_in(graph.substr(0, graph.find_first_of(" [:")))[0];
    names += fmt::format("OpName %{} \"{}\"\n", block, block);
    blocks += block_text(graph.substr(0, end));
    graph.remove_prefix(end == graph.npos ? graph.size() : end + 1);
  }
  return fmt::format(
      "OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
      "OpEntryPoint Kernel %test \"test\"\n{}%bool = OpTypeBool\n"
      "%condition = OpConstantTrue %bool\n%uint = OpTypeInt 32 0\n%number = OpConstant %uint 1\n"
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%test = OpFunction %void None %type\n"
      "{}OpFunctionEnd\n",
      names, blocks);
}

/// What is wrong with the verdict, or nothing.
std::optional<std::string> judge(const Case& test) {
  const std::string text = module_text(test.graph);
  const auto assembled = assemble_text(text, "graph");
  if (!assembled) return "it cannot be assembled: " + assembled.errors()[0].message;
  ValidateOptions options;
  options.strictness = Strictness::kStrict;
  options.second_opinion = false;
  const auto validation = validate_words(*assembled, {}, options);
  if (!validation) return "it cannot be validated";
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : validation->diagnostics) {
    if (diagnostic.rule != "TSP-V0016" && diagnostic.severity == Severity::kError &&
        diagnostic.rule != "TSP-UNI-10")
      return fmt::format("{}: {}", diagnostic.rule, diagnostic.message);
    if (diagnostic.rule == "TSP-V0016") found.push_back(diagnostic.message);
  }
  if (found.empty() != test.finding.empty())
    return found.empty() ? "expected a finding" : "expected no finding, found: " + found[0];
  if (found.empty() || found[0].find(test.finding) != std::string::npos) return {};
  return fmt::format("expected \"{}\", found: {}", test.finding, found[0]);
}

int run() {
  std::size_t wrong = 0;
  for (const Case& test : kCases)
    if (const auto what = judge(test)) {
      fmt::print("{}: {}\n", test.what, *what);
      ++wrong;
    }
  fmt::print("{} graphs, {} judged wrongly\n", std::size(kCases), wrong);
  return wrong != 0;
}

}  // namespace
}  // namespace transpire::validator

int main() { return transpire::validator::run(); }
