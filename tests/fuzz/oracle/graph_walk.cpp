// The walk of one work-item through a kernel's graph, in plain C++: what must come out.
#include "tests/fuzz/oracle/graph.h"

namespace transpire::oracle {
namespace {

constexpr std::size_t kLongest = 1200;  // visits; longer walks are not wanted

class Walker {
 public:
  Walker(const Kernel& kernel, std::uint32_t neighbour_key)
      : kernel_(kernel), neighbour_key_(neighbour_key) {}

  Walk walk(std::uint32_t item, std::uint32_t item_key, std::uint32_t group_key) {
    walk_.result = call(0, item_key, group_key, item_key, item);
    return std::move(walk_);
  }

 private:
  struct Frame {
    const Function& function;
    std::vector<std::uint64_t> values;
    std::vector<std::vector<std::uint32_t>> variables;
    std::uint64_t get(const Operand& operand) const {
      return operand.value == kNone ? operand.bits : nth(values, operand.value);
    }
  };

  std::uint64_t call(int index, std::uint32_t item_key, std::uint32_t group_key,
                     std::uint64_t first, std::uint64_t second) {
    const Function& function = nth(kernel_.functions, index);
    Frame frame{function, std::vector<std::uint64_t>(function.values.size()), {}};
    for (const Variable& variable : function.variables)
      frame.variables.emplace_back(variable.size, variable.initial);
    frame.values[Function::kItemKey] = item_key;
    frame.values[Function::kGroupKey] = group_key;
    frame.values[Function::kFirst] = first;
    frame.values[Function::kSecond] = second;
    int from = kNone, at = 0;
    while (true) {
      const Block& block = nth(function.blocks, at);
      if (++visits_ > kLongest) walk_.too_long = true;
      if (walk_.too_long) return 0;
      enter(frame, block, from);
      if (!block.silent) walk_.trace.push_back(static_cast<std::uint16_t>(block.number));
      std::uint32_t& ticks = block.uniform ? uniform_ticks_ : varying_ticks_;
      const std::uint32_t tick = block.silent ? 0 : ++ticks;
      const std::uint32_t hash = hash_of(block.uniform ? group_key : item_key, tick, block.number);
      for (const Operation& operation : block.operations)
        nth(frame.values, operation.result) = compute(frame, operation, block, tick, hash);
      if (block.end == End::kReturn) return frame.get(block.result);
      const bool over = tick >= (block.uniform ? kernel_.uniform_ticks : kernel_.varying_ticks);
      from = at;
      at = block.targets[next_of(frame, block, hash, over)];
    }
  }

  static void enter(Frame& frame, const Block& block, int from) {
    std::vector<std::uint64_t> incoming;
    for (const Phi& phi : block.phis)
      for (std::size_t i = 0; i < phi.from.size(); ++i)
        if (phi.from[i] == from) incoming.push_back(frame.get(phi.incoming[i]));
    for (std::size_t i = 0; i < block.phis.size(); ++i)
      nth(frame.values, block.phis[i].result) = incoming[i];
  }

  static std::uint64_t add(Type type, std::uint64_t a, std::uint64_t b) {
    if (type != Type::kU16x4) return cut(type, a + b);
    std::uint64_t sum = 0;
    for (unsigned shift = 0; shift < 64; shift += 16)
      sum |= (((a >> shift) + (b >> shift)) & 0xffff) << shift;
    return sum;
  }

  static std::uint64_t convert(const Operation& operation, std::uint64_t a) {
    if (operation.a.type == Type::kPointer) return table_element(a);
    return operation.type == Type::kBool ? a != 0 : cut(operation.type, a);
  }

  std::uint64_t compute(Frame& frame, const Operation& operation, const Block& block,
                        std::uint32_t tick, std::uint32_t hash) {
    const std::uint64_t a = frame.get(operation.a), b = frame.get(operation.b);
    switch (operation.kind) {
      case Do::kAdd:
        return add(operation.type, a, b);
      case Do::kMultiply:
        return cut(operation.type, a * b);
      case Do::kXor:
        return a ^ b;
      case Do::kAnd:
        return a & b;
      case Do::kSelect:
        return a != 0 ? b : frame.get(operation.c);
      case Do::kConvert:
        return convert(operation, a);
      case Do::kLess:
        return a < b;
      case Do::kHash:
        return hash;
      case Do::kExchange:
        return hash_of(neighbour_key_, tick, block.number);
      case Do::kLoad:
        return frame.variables[operation.slot][a];
      case Do::kStore:
        return frame.variables[operation.slot][a] = static_cast<std::uint32_t>(b);
      case Do::kCount:
        walk_.counted.push_back(static_cast<std::uint16_t>(block.number));
        return 0;
      case Do::kCall:
        return call(operation.function,
                    static_cast<std::uint32_t>(frame.values[Function::kItemKey]),
                    static_cast<std::uint32_t>(frame.values[Function::kGroupKey]), a, b);
    }
    return 0;
  }

  /// The index of the target that comes next.
  static std::size_t next_of(const Frame& frame, const Block& block, std::uint32_t hash,
                             bool over) {
    const auto way_out = static_cast<std::size_t>(block.way_out);
    if (block.end == End::kBranch) return 0;
    if (block.end == End::kSwitch) return over ? way_out : hash % block.choices;
    switch (block.source) {
      case Source::kAlwaysFirst:
        return 0;
      case Source::kCounter: {
        const std::uint64_t counter = nth(frame.values, block.counter.value);
        const std::uint64_t limit = frame.get(block.counter.limit);
        return (block.counter.not_equal ? counter != limit : counter < limit) ? 0 : 1;
      }
      case Source::kRegister:
        return over ? way_out : frame.get(block.decides) != 0 ? 0 : 1;
      case Source::kHash:
        break;
    }
    return over ? way_out : (hash >> block.bit & 1) != 0 ? 0 : 1;
  }

  const Kernel& kernel_;
  std::uint32_t neighbour_key_;
  std::size_t visits_ = 0;
  std::uint32_t varying_ticks_ = 0, uniform_ticks_ = 0;
  Walk walk_;
};

}  // namespace

std::uint32_t hash_of(std::uint32_t key, std::uint32_t tick, std::uint32_t number) {
  std::uint32_t x = key + tick * 0x9E3779B1u + number * 0x85EBCA77u;
  x = (x ^ (x >> 15)) * 0x2C1B3C6Du;
  x = (x ^ (x >> 12)) * 0x297A2D39u;
  return x ^ (x >> 15);
}

Walk walk_kernel(const Kernel& kernel, std::uint32_t salt, std::uint32_t group, std::uint32_t local,
                 std::uint32_t group_items) {
  const auto item_key = [&](std::uint32_t at) {
    return hash_of(salt, (group * group_items + at) >> kernel.item_shift, 0);
  };
  const std::uint32_t group_key = hash_of(salt, kernel.key_per_launch ? 0 : group, 1);
  return Walker(kernel, item_key((local + 1) % group_items))
      .walk(group * group_items + local, item_key(local), group_key);
}

}  // namespace transpire::oracle
