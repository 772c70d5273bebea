// Phis, operations, calls, barriers and decisions for a graph of blocks.
//
// A function has some registers. Each block has a value of every register when it is entered and
// one when it is left. It is entered with phis of the predecessors' values (now and then of another
// register of the same type, which makes swaps and rotations), or without a phi with the value of
// the block that dominates it.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "tests/fuzz/oracle/graph.h"

namespace transpire::oracle {
namespace {

/// What a register's values are made of. Where only uniform values meet, the VM may keep a scalar,
/// unless work-items come from different blocks; likewise with values in steps of one.
enum class Origin : std::uint8_t { kAny, kUniform, kLinear };

using Values = std::vector<Operand>;

class Filler {
 public:
  Filler(Random& random, Kernel& kernel, int index)
      : random_(random), kernel_(kernel), index_(index), function_(nth(kernel.functions, index)) {}

  void fill(bool strict) {
    function_.values = {Type::kU32, Type::kU32, Type::kU64, Type::kU64, Type::kPointer};
    registers_ = {Type::kU64, Type::kBool, Type::kU32, Type::kU32};
    static constexpr Type kTypes[] = {Type::kBool, Type::kU8,  Type::kU16,   Type::kU32,
                                      Type::kU64,  Type::kF32, Type::kU16x4, Type::kPointer};
    for (unsigned more = random_.below(8); more != 0; --more)
      registers_.push_back(random_.pick(kTypes));
    origins_.assign(registers_.size(), Origin::kAny);
    for (std::size_t k = 4; k < registers_.size();
         ++k) {  // some of the first four take calls and loads
      if (random_.chance(40)) origins_[k] = Origin::kUniform;
      if (width_of(registers_[k]) >= 32 && is_number(registers_[k]) && random_.chance(40))
        origins_[k] = Origin::kLinear;
    }
    for (unsigned more = random_.below(4); more != 0; --more)
      function_.variables.push_back({1u << (random_.chance(50) ? 0 : random_.between(1, 3)),
                                     random_.below(100), random_.chance(50)});
    find_edges();
    find_dominators();
    entered_.resize(blocks().size());
    left_.resize(blocks().size());
    place_calls_and_exchanges();
    choose_silent();
    for (const int block : by_dominance_) fill_block(block);
    for (int block = 0; block < count(); ++block)
      if (!reachable(block)) fill_block(block);
    for (int block = 0; block < count(); ++block) fill_phis(block);
    count_up();
    order_blocks(strict || random_.chance(50), strict);
  }

 private:
  std::vector<Block>& blocks() { return function_.blocks; }
  Block& at(int block) { return nth(blocks(), block); }
  int count() const { return static_cast<int>(function_.blocks.size()); }
  bool reachable(int block) const { return block == 0 || nth(dominator_, block) != kNone; }

  static Operand constant(Type type, std::uint64_t bits) { return {type, kNone, cut(type, bits)}; }
  Operand some_constant(Type type) {
    if (type == Type::kPointer) return {type, Function::kTable, 0};
    if (type == Type::kF32)
      return constant(type, std::bit_cast<std::uint32_t>(static_cast<float>(random_.below(100))));
    return constant(type, random_.chance(50) ? random_.below(8) : random_.bits());
  }
  int new_value(Type type) {
    function_.values.push_back(type);
    return static_cast<int>(function_.values.size()) - 1;
  }
  Operand emit(int block, Do kind, Type type, Operand a = {}, Operand b = {}, Operand c = {}) {
    const int result = new_value(type);
    at(block).operations.push_back({kind, type, result, a, b, c, kNone});
    return {type, result, 0};
  }
  /// The integer that a float, a vector or a pointer is made of or gives.
  static Type near(Type type) {
    if (type == Type::kU16x4) return Type::kU64;
    return type == Type::kF32 || type == Type::kPointer ? Type::kU32 : type;
  }
  Operand converted(int block, Type type, Operand from) {
    if (from.type == type) return from;
    if (near(from.type) != from.type) from = emit(block, Do::kConvert, near(from.type), from);
    if (from.type != near(type)) from = emit(block, Do::kConvert, near(type), from);
    if (type == Type::kPointer)
      from = emit(block, Do::kAnd, Type::kU32, from, constant(Type::kU32, kTableSize - 1));
    return from.type == type ? from : emit(block, Do::kConvert, type, from);
  }

  // ---- The graph -------------------------------------------------------------------------------

  void find_edges() {
    predecessors_.assign(blocks().size(), {});
    for (int block = 0; block < count(); ++block)
      for (const int to : at(block).targets) {
        auto& list = nth(predecessors_, to);
        if (std::find(list.begin(), list.end(), block) == list.end()) list.push_back(block);
      }
  }

  void visit(int block, std::vector<bool>& seen) {
    nth(seen, block) = true;
    for (const int to : at(block).targets)
      if (!nth(seen, to)) visit(to, seen);
    by_dominance_.push_back(block);
  }

  /// Immediate dominators of what can be reached, by sets: D(b) = {b} and what all predecessors
  /// share.
  void find_dominators() {
    std::vector<bool> seen(blocks().size());
    by_dominance_.clear();
    visit(0, seen);
    std::reverse(by_dominance_.begin(), by_dominance_.end());
    std::vector<std::vector<bool>> sets(blocks().size(), std::vector<bool>(blocks().size(), true));
    sets[0].assign(blocks().size(), false);
    sets[0][0] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const int block : by_dominance_) {
        if (block == 0) continue;
        std::vector<bool> common(blocks().size(), true);
        for (const int from : nth(predecessors_, block))
          if (nth(seen, from))
            for (std::size_t i = 0; i < common.size(); ++i)
              common[i] = common[i] && nth(sets, from)[i];
        nth(common, block) = true;
        changed |= common != nth(sets, block);
        nth(sets, block) = std::move(common);
      }
    }
    const auto size = [&](int block) {
      const auto& set = nth(sets, block);
      return std::count(set.begin(), set.end(), true);
    };
    dominator_.assign(blocks().size(), kNone);
    for (const int block : by_dominance_)
      for (const int above : by_dominance_)
        if (above != block && nth(sets, block)[static_cast<std::size_t>(above)] &&
            size(above) == size(block) - 1)
          nth(dominator_, block) = above;
  }

  /// Random order. `legal`: a block behind the one that dominates it. `dead_last`: what cannot be
  /// reached at the end, for the validator wants definitions to stand before uses there.
  void order_blocks(bool legal, bool dead_last) {
    std::vector<int> order(blocks().size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<int> rest(order.begin() + 1, order.end());
    if (random_.chance(70)) random_.shuffle(rest);
    if (dead_last)
      std::sort(
          std::partition(rest.begin(), rest.end(), [&](int block) { return reachable(block); }),
          rest.end());
    function_.order = {0};
    std::vector<bool> placed(blocks().size());
    placed[0] = true;
    while (!rest.empty()) {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const int above = nth(dominator_, rest[i]);
        if (legal && above != kNone && !nth(placed, above)) continue;
        nth(placed, rest[i]) = true;
        function_.order.push_back(rest[i]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
  }

  // ---- Blocks ----------------------------------------------------------------------------------

  void place_calls_and_exchanges() {
    calls_.assign(blocks().size(), kNone);
    exchanges_.assign(blocks().size(), false);
    for (unsigned i = index_ == 0 ? random_.below(5) : random_.below(3); i != 0; --i) {
      const int block = static_cast<int>(random_.below(blocks().size()));
      const int behind = static_cast<int>(kernel_.functions.size()) - index_ - 1;
      if (behind == 0) break;
      const int callee =
          index_ + 1 + static_cast<int>(random_.below(static_cast<unsigned>(behind)));
      if (nth(kernel_.functions, callee).uniform && !at(block).uniform) continue;
      nth(calls_, block) = callee;
    }
    if (!function_.uniform || !kernel_.has_barriers) return;
    for (int block = 0; block < count(); ++block)
      nth(exchanges_, block) = at(block).uniform && random_.chance(20);
  }

  void choose_silent() {
    const unsigned percent = random_.pick(std::array{0u, 0u, 30u, 70u, 90u});
    for (Block& block : blocks()) {
      const bool by_registers =
          block.end == End::kChoose && (block.source == Source::kCounter ||
                                        (block.source == Source::kRegister && !block.uniform));
      block.silent = (block.end == End::kBranch || block.end == End::kReturn || by_registers) &&
                     random_.chance(percent);
    }
  }

  void enter(int block) {
    Values& values = nth(entered_, block);
    const auto& from = nth(predecessors_, block);
    const int above = nth(dominator_, block);
    for (std::size_t k = 0; k < registers_.size(); ++k) {
      const Type type = registers_[k];
      if (block == 0 || from.empty()) {
        values.push_back(block == 0 ? initial(k) : some_constant(type));
      } else if (above != kNone && random_.chance(from.size() == 1 ? 60 : 15)) {
        values.push_back(nth(left_, above)[k]);
      } else {
        const int result = new_value(type);
        at(block).phis.push_back({type, result, {}, {}});
        phi_registers_.push_back({block, k});
        values.push_back({type, result, 0});
      }
    }
    if (at(block).source == Source::kCounter) enter_counter(block);
  }

  Operand initial(std::size_t k) {
    const Type type = registers_[k];
    if (origins_[k] == Origin::kLinear)
      return converted(0, type, {Type::kU64, Function::kSecond, 0});
    if (origins_[k] == Origin::kUniform && random_.chance(50))
      return converted(0, type, {Type::kU32, Function::kGroupKey, 0});
    return origins_[k] == Origin::kAny && type == Type::kU64 ? Operand{type, Function::kFirst, 0}
                                                             : some_constant(type);
  }

  void enter_counter(int block) {
    Counter& counter = at(block).counter;
    counter.value = new_value(counter.type);
    counter.not_equal = random_.chance(30);
    counter.limit = constant(counter.type, random_.below(5));
    if (random_.chance(60)) {
      const int key = at(block).uniform ? Function::kGroupKey : Function::kItemKey;
      const Operand wide = converted(0, counter.type, {Type::kU32, key, 0});
      counter.limit = emit(0, Do::kAnd, counter.type, wide, constant(counter.type, 3));
    }
  }

  /// A value of the type that is known in the block, or a constant.
  Operand visible(int block, Type type) {
    if (random_.chance(15)) return some_constant(type);
    const Values* from = &nth(left_, block);
    if (reachable(block))
      for (int above = block; above != kNone && random_.chance(40);) {
        above = nth(dominator_, above);
        if (above != kNone) from = &nth(left_, above);
      }
    Values fitting;
    for (std::size_t k = 0; k < from->size(); ++k)
      if (registers_[k] == type && (origin_ == Origin::kAny || origins_[k] == origin_))
        fitting.push_back((*from)[k]);
    return fitting.empty() ? some_constant(type) : random_.pick(fitting);
  }

  void fill_block(int block) {
    if (!nth(entered_, block).empty()) return;
    enter(block);
    Values& values = nth(left_, block) = nth(entered_, block);
    for (unsigned i = random_.below(4); i != 0; --i) {
      const std::size_t k = random_.below(values.size());
      origin_ = origins_[k];
      if (origin_ == Origin::kLinear)
        values[k] = new_linear(block, registers_[k]);
      else if (registers_[k] == Type::kBool)
        values[k] = new_bool(block);
      else if (is_number(registers_[k]))
        values[k] = new_number(block, registers_[k]);
      else
        values[k] = converted(block, registers_[k], visible(block, random_.pick(registers_)));
      origin_ = Origin::kAny;
    }
    if (!at(block).silent && random_.chance(10)) emit(block, Do::kCount, Type::kU32);
    for (std::size_t slot = 0; slot < function_.variables.size(); ++slot)
      if (random_.chance(30)) use_variable(block, slot, values);
    if (nth(calls_, block) != kNone) {
      const Operand a = visible(block, Type::kU64), b = visible(block, Type::kU64);
      values[0] = emit(block, Do::kCall, Type::kU64, a, b);
      at(block).operations.back().function = nth(calls_, block);
    }
    if (nth(exchanges_, block) && !at(block).silent) {
      const Operand got = emit(block, Do::kExchange, Type::kU32);
      values[2] = emit(block, Do::kXor, Type::kU32, values[2], got);
    }
    decide(block);
  }

  void use_variable(int block, std::size_t slot, Values& values) {
    const std::uint32_t most = function_.variables[slot].size - 1;
    Operand index = constant(Type::kU32, random_.below(most + 1));
    if (random_.chance(60))
      index =
          emit(block, Do::kAnd, Type::kU32, visible(block, Type::kU32), constant(Type::kU32, most));
    if (random_.chance(60)) {
      emit(block, Do::kStore, Type::kU32, index, visible(block, Type::kU32));
      at(block).operations.back().slot = static_cast<unsigned>(slot);
    }
    if (random_.chance(60)) {
      values[3] = emit(block, Do::kLoad, Type::kU32, index);
      at(block).operations.back().slot = static_cast<unsigned>(slot);
    }
  }

  Operand new_bool(int block) {
    static constexpr Type kTypes[] = {Type::kU8, Type::kU16, Type::kU32, Type::kU64};
    const Type type = random_.pick(kTypes);
    switch (random_.below(4)) {
      case 0:
        return emit(block, Do::kXor, Type::kBool, visible(block, Type::kBool),
                    visible(block, Type::kBool));
      case 1:
        return emit(block, Do::kLess, Type::kBool, visible(block, type), visible(block, type));
      case 2:
        return emit(block, Do::kSelect, Type::kBool, visible(block, Type::kBool),
                    visible(block, Type::kBool), visible(block, Type::kBool));
      default: {
        const Operand bit = emit(block, Do::kAnd, Type::kU32, some_hash(block),
                                 constant(Type::kU32, 1u << random_.below(32)));
        return converted(block, Type::kBool, bit);
      }
    }
  }

  Operand new_number(int block, Type type) {
    switch (random_.below(6)) {
      case 0:
        return emit(block, Do::kAdd, type, visible(block, type), visible(block, type));
      case 1:
        return emit(block, Do::kMultiply, type, visible(block, type),
                    constant(type, random_.bits() | 1));
      case 2:
        return emit(block, Do::kXor, type, visible(block, type), visible(block, type));
      case 3:
        return emit(block, Do::kSelect, type, visible(block, Type::kBool), visible(block, type),
                    visible(block, type));
      case 4:
        return converted(block, type, visible(block, random_.pick(registers_)));
      default:
        return converted(block, type, some_hash(block));
    }
  }

  /// The sum of a linear value and one that is the same for all.
  Operand new_linear(int block, Type type) {
    const Operand linear = visible(block, type);
    origin_ = Origin::kUniform;
    return emit(block, Do::kAdd, type, linear, visible(block, type));
  }

  Operand some_hash(int block) {
    const bool uniform = origin_ == Origin::kUniform;
    const int key = uniform || random_.chance(50) ? Function::kGroupKey : Function::kItemKey;
    return at(block).silent || (uniform && !at(block).uniform) ? Operand{Type::kU32, key, 0}
                                                               : emit(block, Do::kHash, Type::kU32);
  }

  void decide(int block) {
    const Block made = at(block);
    if (made.source == Source::kRegister) {
      Operand decides = visible(block, Type::kBool);
      if (made.silent && decides.value == kNone) decides = new_bool(block);
      if (made.uniform || decides.value == kNone) at(block).source = Source::kHash;
      at(block).decides = decides;
    }
    at(block).bit = random_.below(32);
    if (made.end != End::kReturn) return;
    Operand sum = constant(Type::kU64, random_.bits());
    for (const Operand& value : nth(left_, block)) {
      const Operand wide = converted(block, Type::kU64, value);
      sum = emit(block, Do::kMultiply, Type::kU64, sum, constant(Type::kU64, 0x9E3779B97F4A7C15u));
      sum = emit(block, Do::kAdd, Type::kU64, sum, wide);
    }
    at(block).result = sum;
  }

  void fill_phis(int block) {
    std::size_t place = 0;
    for (const auto& [owner, index] : phi_registers_) {
      if (owner != block) continue;
      Phi& phi = at(block).phis[place++];
      phi.from = nth(predecessors_, block);
      random_.shuffle(phi.from);
      for (const int from : phi.from) {
        std::size_t k = index;
        if (random_.chance(35)) {
          const std::size_t other = random_.below(registers_.size());
          if (registers_[other] == phi.type && origins_[other] == origins_[index]) k = other;
        }
        phi.incoming.push_back(random_.chance(5) ? some_constant(phi.type) : nth(left_, from)[k]);
      }
    }
  }

  /// The phis of loop counters, and the additions in their latches.
  void count_up() {
    for (int block = 0; block < count(); ++block) {
      if (at(block).source != Source::kCounter) continue;
      const Counter counter = at(block).counter;
      const Operand next = emit(counter.latch, Do::kAdd, counter.type,
                                {counter.type, counter.value, 0}, constant(counter.type, 1));
      Phi phi{counter.type, counter.value, nth(predecessors_, block), {}};
      for (const int from : phi.from)
        phi.incoming.push_back(from == counter.latch ? next : constant(counter.type, 0));
      at(block).phis.push_back(std::move(phi));
    }
  }

  Random& random_;
  Kernel& kernel_;
  int index_;
  Function& function_;
  std::vector<Type> registers_;
  std::vector<Origin> origins_;   ///< of the registers
  Origin origin_ = Origin::kAny;  ///< of the register that a value is made for
  std::vector<std::vector<int>> predecessors_;
  std::vector<int> by_dominance_, dominator_;  ///< reachable blocks, dominators first
  std::vector<Values> entered_, left_;
  std::vector<std::pair<int, std::size_t>> phi_registers_;  ///< block and register of each phi
  std::vector<int> calls_;
  std::vector<bool> exchanges_;
};

}  // namespace

void fill_function(Random& random, Kernel& kernel, int index, bool strict) {
  Filler(random, kernel, index).fill(strict);
}

Kernel make_kernel(Random& random, bool strict) {
  Kernel kernel;
  kernel.varying_ticks = random.between(6, 40);
  kernel.uniform_ticks = random.between(3, 16);
  kernel.item_shift = random.chance(50) ? 0 : random.below(7);
  kernel.key_per_launch = random.chance(40);
  kernel.state_in_buffer = random.chance(30);
  kernel.linear_ids = random.chance(60);
  kernel.merges = strict || random.chance(60);
  const bool uniform = random.chance(50);
  kernel.has_barriers = uniform && random.chance(75);
  const unsigned functions = random.chance(50) ? 1 : random.between(2, 4);
  kernel.functions.resize(functions);
  for (std::size_t i = functions; i-- > 0;) {
    Function& function = kernel.functions[i];
    function.uniform = i == 0 ? uniform : uniform && random.chance(40);
    shape_function(random, function,
                   i != 0             ? random.between(2, 8)
                   : random.chance(5) ? 150
                                      : random.between(4, 40));
    for (Block& block : function.blocks) block.number = ++kernel.numbers;
    fill_function(random, kernel, static_cast<int>(i), strict);
  }
  return kernel;
}

}  // namespace transpire::oracle
