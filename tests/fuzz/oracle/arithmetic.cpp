// Random expressions: what a kernel stores for each work-item must be what a plain evaluation of
// the generator's own expressions says (expression.h). See harness.h for the options.
#include <fmt/format.h>

#include <cstring>
#include <set>

#include "tests/fuzz/oracle/expression.h"

namespace transpire::oracle {
namespace {

constexpr std::uint8_t kUntouched = 0xA5;  // what results hold before the launch

struct Sizes {
  std::uint32_t local, groups;
};
constexpr Sizes kSizes[] = {{64, 2}, {130, 1}, {33, 4}, {7, 13}, {70, 1}, {1, 40}, {200, 1}};

struct Case {
  Expressions expressions;
  Sizes sizes;
  Inputs inputs;
  std::vector<std::vector<Value>> expected;  ///< by work-item, then result
  std::uint32_t items() const { return sizes.local * sizes.groups; }
  const Node& node(int index) const { return nth(expressions.nodes, index); }
  bool computes(std::uint32_t item) const {
    return expressions.item_mask == 0 || (item & expressions.item_mask) != 0;
  }
};

void expect(Case& made) {
  made.expected.clear();
  for (std::uint32_t item = 0; item < made.items(); ++item) {
    const std::vector<Value> values = values_of(made.expressions, item, made.inputs);
    auto& expected = made.expected.emplace_back();
    for (const Stored& result : made.expressions.results)
      expected.push_back(nth(values, result.node));
  }
}

Case make_case(const Options& options, std::uint64_t index) {
  Random random = random_of_case(options.seed, index);
  Case made{{}, random.pick(kSizes), {}, {}};
  made.expressions = make_expressions(random, made.items(), options.validate);
  for (const Array& array : made.expressions.inputs) {
    auto& values = made.inputs.emplace_back(array.elements);
    for (Value& value : values)
      for (unsigned c = 0; c < array.shape.count; ++c)
        value[c] = make_value(random, array.shape.scalar);
  }
  made.expressions.modes = {random.chance(25), random.chance(25)};
  expect(made);
  return made;
}

void put(std::span<std::byte> bytes, const Shape& shape, std::size_t element,
         const std::uint64_t* components) {
  const unsigned each = shape.scalar.width / 8;
  for (unsigned c = 0; c < shape.count; ++c)
    std::memcpy(bytes.data() + element * shape.bytes() + c * each, &components[c], each);
}

Argument value_of(const Node& node) {
  std::vector<std::byte> bytes(node.shape.bytes());
  put(bytes, node.shape, 0, node.bits.data());
  return Argument::raw(bytes);
}

/// What differs of one result; empty when nothing does.
std::string compare(const Case& made, std::size_t result, std::span<const std::byte> bytes) {
  const auto& [index, place] = made.expressions.results[result];
  const Shape& shape = made.node(index).shape;
  const unsigned each = shape.scalar.width / 8;
  for (std::uint32_t item = 0; item < made.items(); ++item)
    for (unsigned c = 0; c < shape.count; ++c) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + element_of(place, item) * shape.bytes() + c * each, each);
      const std::uint64_t untouched =
          kUntouched * 0x0101010101010101u & low_bits(shape.scalar.width);
      const std::uint64_t expected =
          made.computes(item) ? made.expected[item][result][c] : untouched;
      if (bits == expected) continue;
      return fmt::format(
          "result {} (%n{}, {}), work-item {}, component {} is {:#x}, expected {:#x}", result,
          index, name_of(shape), item, c, bits, expected);
    }
  return {};
}

std::string compare(const Case& made, const std::vector<Buffer>& outputs) {
  std::string different;
  for (std::size_t i = 0; i < made.expressions.results.size() && different.empty(); ++i) {
    const int buffer = made.expressions.results[i].place.buffer;
    different = compare(made, i, nth(outputs, buffer).bytes());
  }
  return different;
}

struct Outcome {
  std::string trouble;
  std::vector<Buffer> outputs;
};

Outcome run_once(const Device& device, const Module& module, bool reference, const Case& made) {
  Outcome outcome;
  Launch launch(module, "compute");
  launch.reference = reference;
  if (made.expressions.modes.towards_zero) launch.rounding = transpire::Rounding::kTowardsZero;
  launch.flush_denorms = made.expressions.modes.flush_denorms;
  launch.geometry.global_size = {made.items(), 1, 1};
  launch.geometry.local_size = {made.sizes.local, 1, 1};
  for (std::size_t i = 0; i < made.expressions.inputs.size(); ++i) {
    const auto& [shape, elements] = made.expressions.inputs[i];
    const Buffer buffer = *Buffer::create(shape.bytes() * elements, "in" + std::to_string(i));
    for (std::size_t at = 0; at < elements; ++at)
      put(buffer.bytes(), shape, at, made.inputs[i][at].data());
    launch.arguments.push_back(Argument::buffer(buffer));
  }
  for (const int node : made.expressions.arguments)
    launch.arguments.push_back(value_of(made.node(node)));
  for (const Array& array : made.expressions.outputs) {
    const Buffer buffer = *Buffer::create(array.shape.bytes() * array.elements, "out");
    std::memset(buffer.bytes().data(), kUntouched, buffer.bytes().size());
    launch.arguments.push_back(Argument::buffer(buffer));
    outcome.outputs.push_back(buffer);
  }
  launch.arguments.push_back(Argument::value(std::uint32_t{0}));
  outcome.trouble = trouble_of(device.run(launch));
  return outcome;
}

Verdict run_case(Devices& devices, const Options& options, std::uint64_t index) {
  const Case made = make_case(options, index);
  Verdict verdict;
  verdict.module = text_of(made.expressions);
  const std::optional<Module> module = load_case(options, verdict);
  if (!module) return verdict;
  for (const Setup& setup : setups(options, index)) {
    const Outcome outcome = run_once(devices.get(setup), *module, setup.reference, made);
    const std::string different =
        outcome.trouble.empty() ? compare(made, outcome.outputs) : outcome.trouble;
    if (!different.empty())
      verdict.deviation +=
          fmt::format("  {}{}{}, local {}, groups {}:\n    {}\n", describe(setup),
                      made.expressions.modes.towards_zero ? ", rounding rtz" : "",
                      made.expressions.modes.flush_denorms ? ", denorms flush" : "",
                      made.sizes.local, made.sizes.groups, different);
  }
  return verdict;
}

// ---- That a wrong instruction is found ----------------------------------------------------------

std::set<const Instruction*> used_instructions(const Expressions& expressions) {
  std::set<const Instruction*> used;
  for (const Node& node : expressions.nodes)
    if (node.leaf == Leaf::kNone) used.insert(node.instruction);
  return used;
}

/// Every instruction in turn gives wrong expected values: one of the cases must deviate.
int self_test(Devices& devices, const Options& options) {
  std::set<const Instruction*> missed;
  for (const auto table : {integer_instructions(), float_instructions(), conversion_instructions(),
                           composite_instructions()})
    for (const Instruction& one : table) missed.insert(&one);
  const std::size_t all = missed.size();
  std::uint64_t index = options.first;
  for (; index < options.first + options.count && !missed.empty(); ++index) {
    Case made = make_case(options, index);
    const std::string text = text_of(made.expressions);
    const auto module = Module::load(std::as_bytes(std::span(text)));
    const Setup setup = setups(options, index).front();
    const Outcome outcome = run_once(devices.get(setup), *module, setup.reference, made);
    for (const Instruction* one : used_instructions(made.expressions)) {
      if (!missed.contains(one)) continue;
      made.expressions.corrupted = one;
      expect(made);
      if (!compare(made, outcome.outputs).empty()) missed.erase(one);
    }
  }
  for (const Instruction* one : missed)
    fmt::print("wrong values of {} were not found\n", one->name);
  fmt::print("{} of {} wrong instructions found in {} cases\n", all - missed.size(), all,
             index - options.first);
  return missed.empty() ? 0 : 1;
}

}  // namespace
}  // namespace transpire::oracle

int main(int count, char** arguments) {
  using namespace transpire::oracle;
  Options options;
  if (!parse_options(count, arguments, options)) return 2;
  Devices devices;
  if (options.self_test) return self_test(devices, options);
  return run_cases("arithmetic", options,
                   [&](std::uint64_t index) { return run_case(devices, options, index); });
}
