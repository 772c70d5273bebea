// Hostile words: the examples of all rules with words flipped, cut, moved and forged, and modules
// made to grow in whatever a validator may multiply. Nothing may crash, throw or take long.
//
// Without arguments a fixed number of mutations of each example; `--count N --seed N` for more of
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

#include "decoder/raw_instructions.h"
#include "tests/fuzz/module_words.h"
#include "validator/example.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr double kMostSeconds =
    20;  ///< for one module; a machine under load and sanitizers are slow

struct Tally {
  std::size_t modules = 0, valid = 0, wrong = 0;
  double longest_seconds = 0;
};

/// Validates, and looks at what has to hold of every answer.
void judge(const Words& words, ValidateOptions options, std::string_view what, Tally& tally) {
  options.second_opinion = false;
  const std::clock_t start = std::clock();
  const auto validation = validate_words(words, options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  ++tally.modules;
  tally.longest_seconds = std::max(tally.longest_seconds, seconds);
  std::string wrong;
  if (!validation) {
    wrong = "it could not be validated: " + validation.errors()[0].message;
  } else {
    tally.valid += validation->valid;
    bool has_error = false;
    for (const Diagnostic& diagnostic : validation->diagnostics) {
      has_error |= diagnostic.severity == Severity::kError;
      if (diagnostic.rule.empty() || diagnostic.message.empty() || format(diagnostic).empty())
        wrong = "a finding without rule or message";
      if (diagnostic.word_offset && *diagnostic.word_offset > words.size())
        wrong = "a finding outside of the module";
    }
    if (has_error == validation->valid) wrong = "the verdict does not follow from the findings";
  }
  if (seconds > kMostSeconds) wrong = fmt::format("it took {:.1f} s", seconds);
  if (wrong.empty()) return;
  ++tally.wrong;
  fmt::print("{}: {}\n", what, wrong);
}

/// Where instructions begin.
std::vector<std::size_t> starts_of(const Words& words) {
  std::vector<std::size_t> starts;
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t) { starts.push_back(at); });
  return starts;
}

std::uint32_t forged_word(std::mt19937& random, const Words& words) {
  switch (random() % 6) {
    case 0:
      return static_cast<std::uint32_t>(random());
    case 1:
      return static_cast<std::uint32_t>(random()) % (words.size() > 3 ? words[3] % 4096 + 2 : 2);
    case 2:
      return words[random() % words.size()];
    case 3:
      return 1u << random() % 32;
    case 4:
      return 0xffffffffu - static_cast<std::uint32_t>(random()) % 3;
    default:
      return static_cast<std::uint32_t>(random()) % 24;
  }
}

void move_instruction(std::mt19937& random, Words& words, bool keep) {
  const std::vector<std::size_t> starts = starts_of(words);
  if (starts.empty()) return;
  const std::size_t from = starts[random() % starts.size()];
  const std::size_t count = words[from] >> 16;
  const Words moved(words.begin() + static_cast<std::ptrdiff_t>(from),
                    words.begin() + static_cast<std::ptrdiff_t>(from + count));
  const std::size_t to = starts[random() % starts.size()];
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(to), moved.begin(), moved.end());
  const std::size_t old = to <= from ? from + count : from;
  if (!keep)
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(old),
                words.begin() + static_cast<std::ptrdiff_t>(old + count));
}

void mutate(std::mt19937& random, Words& words) {
  if (words.size() < 6) return;
  const std::size_t at = random() % words.size();
  switch (random() % 8) {
    case 0:
      words.resize(5 + random() % (words.size() - 5));
      break;
    case 1:
      words[at] ^= 1u << random() % 32;
      break;
    case 2:
    case 3:
      words[at] = forged_word(random, words);
      break;
    case 4:
      move_instruction(random, words, false);
      break;
    case 5:
      move_instruction(random, words, true);
      break;
    case 6:
      words[at] = (words[at] & 0xffff0000u) | static_cast<std::uint32_t>(random() % 420);
      break;
    default:
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), forged_word(random, words));
      break;
  }
}

void mutate_examples(std::size_t count, std::uint32_t seed, Tally& tally) {
  for (const Example& example : examples()) {
    const auto prepared = prepare_example(example);
    if (!prepared) continue;
    std::mt19937 random(seed +
                        static_cast<std::uint32_t>(std::hash<std::string_view>{}(example.id)));
    for (std::size_t n = 0; n < count; ++n) {
      Words words = prepared->words;
      for (std::size_t edits = 1 + random() % 3; edits != 0; --edits) mutate(random, words);
      ValidateOptions options = prepared->options;
      options.all = random() % 2 == 0;
      options.irreducible = random() % 2 == 0 ? OpenQuestion::kReject : OpenQuestion::kDefault;
      if (random() % 4 == 0) options.strictness = Strictness::kField;
      judge(words, options,
            fmt::format("{}.{}, seed {}, mutation {}", example.id, example.kind, seed, n), tally);
    }
  }
}

/// Makes modules of words.
class Assembler {
 public:
  Words words{0x07230203, 0x00010000, 0, 0, 0};

  void add(spv::Op op, const Words& operands) { fuzz::append(words, op, operands); }
  std::uint32_t id() {
    words[3] = next_ + 1;
    return next_++;
  }

 private:
  std::uint32_t next_ = 1;
};

void preamble_with(Assembler& module) {
  module.add(spv::Op::OpCapability, {4});
  module.add(spv::Op::OpCapability, {6});
  module.add(spv::Op::OpMemoryModel, {2, 2});
}

/// Long names that many instructions lead to.
void judge_long_names(Tally& tally) {
  ValidateOptions options;
  options.all = true;
  constexpr std::uint32_t kMany = 60000;
  Assembler names;  // instructions of a set with a long name
  names.add(spv::Op::OpCapability, {6});
  Words import{names.id()};
  import.resize(kMany, 0x61616161);
  import.push_back(0);
  names.add(spv::Op::OpExtInstImport, import);
  names.add(spv::Op::OpMemoryModel, {2, 2});
  const std::uint32_t none = names.id();
  names.add(spv::Op::OpTypeVoid, {none});
  for (std::uint32_t n = 0; n < kMany; ++n)
    names.add(spv::Op::OpExtInst, {none, names.id(), import[0], n % 200});
  judge(names.words, options, "a long name of a set", tally);

  Assembler warned;  // many warnings that name an id with a long name
  preamble_with(warned);
  const std::uint32_t variable = warned.id(), type = warned.id(), pointer = warned.id(),
                      array = warned.id();
  Words name{variable};
  name.resize(kMany, 0x61616161);
  name.push_back(0);
  warned.add(spv::Op::OpName, name);
  warned.add(spv::Op::OpTypeInt, {type, 32, 0});
  warned.add(spv::Op::OpTypePointer, {pointer, 5, type});
  warned.add(spv::Op::OpVariable, {pointer, variable, 5});
  const std::uint32_t length = warned.id();
  warned.add(spv::Op::OpConstant, {type, length, kMany});
  warned.add(spv::Op::OpTypeArray, {array, pointer, length});
  Words table{array, warned.id()};
  table.resize(kMany + 2, variable);
  warned.add(spv::Op::OpConstantComposite, table);
  judge(warned.words, options, "many warnings of a long name", tally);
}

/// What could grow beyond the size of the module that asks for it.
void judge_growth(Tally& tally) {
  ValidateOptions options;
  options.all = true;
  constexpr std::uint32_t kMany = 60000;
  Assembler nested;  // structures in structures
  preamble_with(nested);
  std::uint32_t inner = nested.id();
  nested.add(spv::Op::OpTypeInt, {inner, 32, 0});
  for (std::uint32_t n = 0; n < kMany; ++n) {
    const std::uint32_t outer = nested.id();
    nested.add(spv::Op::OpTypeStruct, {outer, inner, inner});
    inner = outer;
  }
  judge(nested.words, options, "structures in structures", tally);

  Assembler groups;  // many decorations of many ids
  preamble_with(groups);
  const std::uint32_t group = groups.id();
  for (std::uint32_t n = 0; n < 5000; ++n) groups.add(spv::Op::OpDecorate, {group, 19});
  groups.add(spv::Op::OpDecorationGroup, {group});
  Words targets{group};
  for (std::uint32_t n = 0; n < kMany; ++n) targets.push_back(groups.id());
  for (int n = 0; n < 4; ++n) groups.add(spv::Op::OpGroupDecorate, targets);
  judge(groups.words, options, "decoration groups", tally);

  Assembler operation;  // an operation whose operand is an operation ...
  preamble_with(operation);
  Words inside{operation.id(), operation.id()};
  inside.resize(kMany, static_cast<std::uint32_t>(spv::Op::OpSpecConstantOp));
  operation.add(spv::Op::OpSpecConstantOp, inside);
  judge(operation.words, options, "operations in operations", tally);

  Assembler bound;  // ids as large as they come
  preamble_with(bound);
  bound.add(spv::Op::OpTypeInt, {0xfffffffe, 32, 0});
  bound.words[3] = 0xffffffff;
  judge(bound.words, options, "the largest bound", tally);

  Assembler chain;  // a block that branches to the next, and the last to the first
  preamble_with(chain);
  const std::uint32_t nothing = chain.id();
  const std::uint32_t type = chain.id();
  chain.add(spv::Op::OpTypeVoid, {nothing});
  chain.add(spv::Op::OpTypeFunction, {type, nothing});
  chain.add(spv::Op::OpFunction, {nothing, chain.id(), 0, type});
  std::uint32_t label = chain.id();
  const std::uint32_t first = label;
  for (std::uint32_t n = 0; n < kMany; ++n) {
    chain.add(spv::Op::OpLabel, {label});
    label = chain.id();
    chain.add(spv::Op::OpBranch, {n + 1 == kMany ? first : label});
  }
  chain.add(spv::Op::OpFunctionEnd, {});
  judge(chain.words, options, "a long chain of blocks", tally);
}

int run(int count, char** arguments) {
  std::size_t mutations = 24;
  std::uint32_t seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view word = arguments[i];
    if (word == "--count") mutations = std::strtoul(arguments[i + 1], nullptr, 10);
    if (word == "--seed")
      seed = static_cast<std::uint32_t>(std::strtoul(arguments[i + 1], nullptr, 10));
  }
  Tally tally;
  judge_growth(tally);
  judge_long_names(tally);
  mutate_examples(mutations, seed, tally);
  fmt::print("{} modules, {} of them valid, {} wrong, the longest took {:.3f} s\n", tally.modules,
             tally.valid, tally.wrong, tally.longest_seconds);
  return tally.wrong == 0 && tally.modules > 100 ? 0 : 1;
}

}  // namespace
}  // namespace transpire::validator

int main(int count, char** arguments) { return transpire::validator::run(count, arguments); }
