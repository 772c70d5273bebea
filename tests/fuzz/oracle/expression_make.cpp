// Random expressions.
#include <algorithm>
#include <bit>

#include "tests/fuzz/oracle/expression.h"

namespace transpire::oracle {
namespace {

constexpr std::uint32_t kIndexedElements = 16;  // of buffers that are indexed by values
constexpr Scalar kBool{Kind::kBool, 1};

class Maker {
 public:
  Maker(Random& random, std::uint32_t items, bool strict)
      : random_(random), items_in_all_(items), strict_(strict) {}

  Expressions make() {
    choose_types();
    choose_menu();
    const unsigned wanted = random_.between(4, 40);
    for (unsigned tries = 0; made_ < wanted && tries < 20 * wanted; ++tries) add_instruction();
    choose_results();
    if (random_.chance(35))
      result_.item_mask = static_cast<unsigned>(random_.bits() & random_.bits() & 63);
    return std::move(result_);
  }

 private:
  // ---- Types -----------------------------------------------------------------------------------

  void choose_types() {
    std::vector<Scalar> all;
    for (const unsigned width : {8u, 16u, 32u, 64u}) all.push_back({Kind::kInt, width});
    for (const unsigned width : {16u, 32u, 64u})
      if (width != 16 || !strict_) all.push_back({Kind::kFloat, width});
    random_.shuffle(all);
    scalars_.assign(all.begin(), all.begin() + random_.between(2, 4));
    static constexpr unsigned kCounts[] = {1, 2, 3, 4, 8, 16};
    counts_ = {1, random_.pick(kCounts)};
    if (random_.chance(30)) counts_.push_back(random_.pick(kCounts));
    // Some kernels are nearly all constant, or nearly the same for all work-items.
    static constexpr unsigned kPercent[] = {5, 20, 20, 80};
    constants_ = random_.pick(kPercent);
    arguments_ = random_.pick(kPercent);
    items_ = random_.pick(kPercent);
    static constexpr unsigned kChains[] = {0, 0, 30, 60};
    chains_ = random_.pick(kChains);
  }

  /// False when the kernel has none of the kind.
  bool some_scalar(Kind kind, Scalar& scalar) {
    if (kind == Kind::kBool) return scalar = kBool, true;
    std::vector<Scalar> fitting;
    for (const Scalar& one : scalars_)
      if (one.kind == kind) fitting.push_back(one);
    if (fitting.empty()) return false;
    scalar = random_.pick(fitting);
    return true;
  }
  Scalar any_scalar(bool with_bool) {
    return with_bool && random_.chance(20) ? kBool : random_.pick(scalars_);
  }
  unsigned some_count() { return random_.pick(counts_); }
  unsigned vector_count() { return std::max(2u, some_count()); }

  // ---- Nodes -----------------------------------------------------------------------------------

  int add(Node node) {
    result_.nodes.push_back(std::move(node));
    return static_cast<int>(result_.nodes.size()) - 1;
  }
  const Node& at(int node) const { return nth(result_.nodes, node); }

  /// A node of the type: an earlier one, or a leaf.
  int operand(const Shape& shape) {
    std::vector<int> fitting;
    for (int i = static_cast<int>(result_.nodes.size()); i-- > 0 && fitting.size() < 12;)
      if (at(i).shape == shape && at(i).leaf != Leaf::kConstant) fitting.push_back(i);
    if (!fitting.empty() && random_.chance(chains_)) return fitting.front();
    return !fitting.empty() && random_.chance(75) ? random_.pick(fitting) : leaf(shape);
  }

  /// Of an instruction's operands the n-th. In chains, those behind the first are often constants:
  /// that is what passes look for.
  int operand(const Shape& shape, std::size_t n) {
    if (n == 0 || !random_.chance(chains_)) return operand(shape);
    const int made = constant(shape, make_value(random_, shape.scalar));
    for (std::uint64_t& bits : result_.nodes.back().bits)
      if (random_.chance(chains_ / 4)) bits = make_value(random_, shape.scalar);
    return made;
  }

  int leaf(const Shape& shape) {
    Node node;
    node.shape = shape;
    if (shape.scalar == kBool && random_.chance(70)) return comparison(shape);
    const bool is_bool = shape.scalar == kBool;
    node.leaf = is_bool || random_.chance(constants_) ? Leaf::kConstant
                : random_.chance(arguments_)          ? Leaf::kArgument
                : shape.count == 1 && random_.chance(items_) && shape.scalar.kind == Kind::kInt
                    ? Leaf::kItem
                    : Leaf::kLoad;
    if (node.leaf == Leaf::kLoad) node.place = place_to_load(shape);
    const bool same = random_.chance(30);
    for (unsigned i = 0; i < shape.count; ++i)
      node.bits.push_back(same && i != 0 ? node.bits[0] : make_value(random_, shape.scalar));
    const int made = add(std::move(node));
    if (at(made).leaf == Leaf::kArgument) result_.arguments.push_back(made);
    return made;
  }

  /// In a buffer of its own, or in one that is loaded from already.
  Place place_to_load(const Shape& shape) {
    static constexpr int kScales[] = {1, 1, 1, 1, 2, 3, 4, 0, -1};
    Place place{-1, random_.pick(kScales), random_.below(4),
                -1, random_.chance(30),    random_.chance(20)};
    for (const Node& node : result_.nodes) {
      if (node.leaf != Leaf::kLoad || !(node.shape == shape) || !random_.chance(40)) continue;
      place.buffer = node.place.buffer;
      if (random_.chance(70)) place.scale = node.place.scale;
    }
    if (place.buffer < 0) {
      place.buffer = static_cast<int>(result_.inputs.size());
      result_.inputs.push_back({shape, 1});
    }
    Scalar integer;
    if (random_.chance(15) && loading_ == 0 && some_scalar(Kind::kInt, integer)) {
      ++loading_;  // what the index is made of is loaded by the work-item's number
      place.scale = 0;
      place.by = masked(integer, kIndexedElements - 1);
      --loading_;
    }
    if (place.scale < 0) place.offset += items_in_all_ - 1;
    const std::uint32_t last = items_in_all_ - 1;
    const std::size_t most = place.by >= 0
                                 ? place.offset + kIndexedElements - 1
                                 : std::max(element_of(place, 0), element_of(place, last));
    std::uint64_t& elements = nth(result_.inputs, place.buffer).elements;
    elements = std::max<std::uint64_t>(elements, most + 1);
    return place;
  }

  /// Some integer's low bits.
  int masked(const Scalar& integer, std::uint64_t mask) {
    const Shape shape{integer, 1};
    Node node;
    node.instruction = and_instruction();
    node.shape = shape;
    const int whole = operand(shape);
    node.operands = {whole, constant(shape, mask)};
    return add(std::move(node));
  }

  /// A varying bool.
  int comparison(const Shape& shape) {
    const Scalar scalar = random_.pick(scalars_);
    const auto table = scalar.kind == Kind::kInt ? integer_instructions() : float_instructions();
    std::vector<const Instruction*> tests;
    for (const Instruction& one : table)
      if (one.form == Form::kTest) tests.push_back(&one);
    Node node;
    node.instruction = random_.pick(tests);
    node.shape = shape;
    for (unsigned i = 0; i < node.instruction->operands; ++i)
      node.operands.push_back(operand({scalar, shape.count}));
    return add(std::move(node));
  }

  int constant(const Shape& shape, std::uint64_t bits) {
    Node node;
    node.leaf = Leaf::kConstant;
    node.shape = shape;
    node.bits.assign(shape.count, bits);
    return add(std::move(node));
  }

  /// Many kernels have few instructions, so that each pair of them meets often.
  void choose_menu() {
    if (random_.chance(40)) return;
    std::vector<const Instruction*> menu;
    for (unsigned i = random_.between(2, 7); i != 0; --i) menu.push_back(&some_instruction());
    menu_ = std::move(menu);
  }

  const Instruction& some_instruction() {
    if (!menu_.empty()) return *random_.pick(menu_);
    const unsigned kind = random_.below(100);
    if (kind < 40) return random_.pick(integer_instructions());
    if (kind < 70) return random_.pick(float_instructions());
    return kind < 85 ? random_.pick(conversion_instructions())
                     : random_.pick(composite_instructions());
  }

  void add_instruction() {
    Node node;
    node.instruction = &some_instruction();
    if (!complete(node)) return;
    add(std::move(node));
    ++made_;
  }

  // ---- By form ---------------------------------------------------------------------------------

  /// Gives a node its types and operands; false when the kernel has no types for it.
  bool complete(Node& node) {
    const Instruction& how = *node.instruction;
    Scalar scalar;
    switch (how.form) {
      case Form::kConstruct:
      case Form::kExtract:
      case Form::kInsert:
      case Form::kExtractDynamic:
      case Form::kInsertDynamic:
      case Form::kShuffle:
        return complete_composite(node);
      case Form::kConvert:
        return complete_conversion(node);
      case Form::kBitcast:
        return complete_bitcast(node);
      default:
        break;
    }
    if (!some_scalar(how.kind, scalar) || (how.only_width != 0 && how.only_width != scalar.width))
      return false;
    const unsigned count =
        how.form == Form::kReduce || how.form == Form::kDot || how.form == Form::kTimesScalar
            ? vector_count()
            : some_count();
    node.shape = {scalar, count};
    return complete_arithmetic(node, {scalar, count});
  }

  bool complete_arithmetic(Node& node, const Shape& type) {
    const Instruction& how = *node.instruction;
    const Shape integers{{Kind::kInt, type.scalar.width}, type.count},
        words{{Kind::kInt, 32}, type.count};
    const auto operands = [&](std::initializer_list<Shape> shapes) {
      for (const Shape& shape : shapes)
        node.operands.push_back(operand(shape, node.operands.size()));
      return true;
    };
    switch (how.form) {
      case Form::kSame:
      case Form::kTest:
        for (unsigned i = 0; i < how.operands; ++i) node.operands.push_back(operand(type, i));
        if (how.form == Form::kTest) node.shape.scalar = kBool;
        return true;
      case Form::kSelect: {
        node.shape.scalar = any_scalar(true);
        return operands({{kBool, type.count}, node.shape, node.shape});
      }
      case Form::kMixedShift: {
        Scalar amount = type.scalar;
        if (random_.chance(25)) some_scalar(Kind::kInt, amount);
        return operands({type, {amount, type.count}});
      }
      case Form::kFloatInt:
        return operands({type, words});
      case Form::kToInt:
        node.shape = words;
        return operands({type});
      case Form::kFromPayload:
        return operands({integers});
      case Form::kTwice:
        if (type.scalar.width == 64) return false;
        node.shape.scalar.width *= 2;
        return operands({type, type});
      case Form::kPick:
        return operands({type, type, integers});
      case Form::kReduce:
        node.shape = {kBool, 1};
        return operands({type});
      case Form::kStructure:
        node.literals = {random_.below(2)};
        return operands({type, type});
      case Form::kPointer:
        node.literals = {random_.below(2)};
        if (node.literals[0] == 1 && std::string(how.name) == "frexp") node.shape = words;
        return operands({type});
      case Form::kField:
        return complete_field(node, type);
      case Form::kTimesScalar:
        return operands({type, {type.scalar, 1}});
      case Form::kDot:
        node.shape.count = 1;
        return operands({type, type});
      default:
        return false;
    }
  }

  /// Offset and count are below half of the width, so the field lies within the base.
  bool complete_field(Node& node, const Shape& type) {
    for (unsigned i = 0; i + 2 < node.instruction->operands; ++i)
      node.operands.push_back(operand(type));
    for (int i = 0; i < 2; ++i)
      node.operands.push_back(masked(type.scalar, type.scalar.width / 2 - 1));
    return true;
  }
  static const Instruction* and_instruction() {
    for (const Instruction& one : integer_instructions())
      if (std::string(one.name) == "OpBitwiseAnd") return &one;
    return nullptr;
  }

  bool complete_conversion(Node& node) {
    const Instruction& how = *node.instruction;
    Scalar from, to;
    if (!some_scalar(how.kind, from) || !some_scalar(how.to, to)) return false;
    const bool saturates = std::string(how.name).starts_with("OpSat");
    if (how.kind == how.to && from == to && !saturates) return false;
    node.shape = {to, some_count()};
    const bool floats = how.kind == Kind::kFloat || how.to == Kind::kFloat;
    if (floats && random_.chance(60)) node.rounding = static_cast<int>(random_.below(4));
    if (how.to == Kind::kInt && !saturates) node.saturated = random_.chance(40);
    node.operands = {operand({from, node.shape.count})};
    return true;
  }

  bool complete_bitcast(Node& node) {
    const Shape from{random_.pick(scalars_), some_count()};
    std::vector<Shape> fitting;
    for (const Scalar& scalar : scalars_)
      for (const unsigned count : {1u, 2u, 3u, 4u, 8u, 16u})
        if (scalar.width * count == from.scalar.width * from.count &&
            !(Shape{scalar, count} == from))
          fitting.push_back({scalar, count});
    if (fitting.empty()) return false;
    node.shape = random_.pick(fitting);
    node.operands = {operand(from)};
    return true;
  }

  bool complete_composite(Node& node) {
    const Scalar scalar = any_scalar(true);
    const Shape vector{scalar, vector_count()}, one{scalar, 1};
    node.shape = vector;
    switch (node.instruction->form) {
      case Form::kConstruct:
        for (unsigned left = vector.count; left != 0;) {
          unsigned count = random_.chance(30) ? random_.between(2, 4) : 1;
          if (count > left || count == vector.count) count = 1;
          node.operands.push_back(operand({scalar, count}));
          left -= count;
        }
        return true;
      case Form::kExtract:
        node.shape = one;
        node.literals = {random_.below(vector.count)};
        node.operands = {operand(vector)};
        return true;
      case Form::kInsert: {
        const int object = operand(one);
        node.literals = {random_.below(vector.count)};
        node.operands = {object, operand(vector)};
        return true;
      }
      case Form::kShuffle: {
        const unsigned first = vector_count(), second = vector_count();
        const int left = operand({scalar, first});
        node.operands = {left, operand({scalar, second})};
        for (unsigned i = 0; i < vector.count; ++i)
          node.literals.push_back(random_.below(first + second));
        return true;
      }
      default:
        return complete_dynamic(node, vector);
    }
  }

  /// The index is less than the number of components: masked, or a constant for three.
  bool complete_dynamic(Node& node, const Shape& vector) {
    const bool insert = node.instruction->form == Form::kInsertDynamic;
    Scalar scalar;
    if (!some_scalar(Kind::kInt, scalar)) return false;
    node.operands = {operand(vector)};
    if (insert) node.operands.push_back(operand({vector.scalar, 1}));
    node.operands.push_back(masked(scalar, std::bit_floor(vector.count) - 1));
    node.shape = insert ? vector : Shape{vector.scalar, 1};
    return true;
  }

  // ---- Results ---------------------------------------------------------------------------------

  /// What nothing uses; a bool as the 8-bit integer that a selection makes of it.
  void choose_results() {
    std::vector<bool> used(result_.nodes.size());
    for (const Node& node : result_.nodes)
      for (const int one : node.operands) nth(used, one) = true;
    for (int i = static_cast<int>(used.size()); i-- > 0;) {
      const bool is_leaf = at(i).leaf != Leaf::kNone;
      if ((nth(used, i) && !random_.chance(10)) || is_leaf) continue;
      if (result_.results.size() == 10) break;
      store(at(i).shape.scalar == kBool ? selection_of(i) : i);
    }
    for (Stored& stored : result_.results) spread(stored.place);
  }

  /// To a buffer of its own, or to one that has room for further results of the type.
  void store(int node) {
    const Shape& shape = at(node).shape;
    Stored stored{node, {}};
    stored.place.narrow = random_.chance(30);
    stored.place.hidden = random_.chance(20);
    const bool shared = !result_.outputs.empty() && result_.outputs.back().shape == shape;
    if (!shared || random_.chance(30)) result_.outputs.push_back({shape, 0});
    stored.place.buffer = static_cast<int>(result_.outputs.size()) - 1;
    stored.place.offset =
        static_cast<std::uint32_t>(result_.outputs.back().elements / items_in_all_);
    result_.outputs.back().elements += items_in_all_;
    result_.results.push_back(stored);
  }
  /// Elements of results that share a buffer alternate; some buffers are filled backwards.
  void spread(Place& place) {
    const std::uint64_t elements = nth(result_.outputs, place.buffer).elements;
    place.scale = static_cast<int>(elements / items_in_all_);
    if (place.buffer % 4 != 3) return;
    place.offset += static_cast<std::uint32_t>(place.scale) * (items_in_all_ - 1);
    place.scale = -place.scale;
  }
  int selection_of(int condition) {
    const Shape bytes{{Kind::kInt, 8}, at(condition).shape.count};
    Node node;
    node.instruction = &composite_instructions().front();
    node.shape = bytes;
    const int yes = constant(bytes, 1), no = constant(bytes, 0);
    node.operands = {condition, yes, no};
    return add(std::move(node));
  }

  Random& random_;
  std::uint32_t items_in_all_;
  bool strict_;
  Expressions result_;
  std::vector<Scalar> scalars_;
  std::vector<unsigned> counts_;
  std::vector<const Instruction*> menu_;                ///< empty: all
  unsigned constants_ = 0, arguments_ = 0, items_ = 0;  ///< of leaves, per cent
  unsigned made_ = 0;
  unsigned chains_ = 0;  ///< instructions on the one before, per cent
  int loading_ = 0;      ///< indices that are being made
};

std::uint64_t make_float(Random& random, unsigned width) {
  const Format f = format_of(width);
  const std::uint64_t sign = random.chance(50) ? f.sign() : 0;
  const std::uint32_t choice = random.below(10);
  if (choice == 0) return sign;
  if (choice == 1) return sign | f.infinity();
  if (choice == 2)
    return sign | f.infinity() | ((random.bits() & low_bits(f.fraction)) | 1);  // NaNs
  if (choice == 3) return sign | (random.bits() & low_bits(f.fraction));        // denormals
  if (choice == 4) return sign | (random.chance(50) ? f.infinity() - 1 : low_bits(f.fraction) + 1);
  if (choice == 5) return sign | from_double(f, random.below(40) / 2.0);
  if (choice == 6) {  // around the limits of integers
    const int power = static_cast<int>(random.pick(std::array{7, 8, 15, 16, 31, 32, 63, 64}));
    return sign | (rounded(f, false, 1, power, kNearestEven) + random.below(3) - 1);
  }
  if (choice == 9) return random.bits() & low_bits(width);
  return sign | rounded(f, false, random.bits() >> 11, -static_cast<int>(random.between(48, 60)),
                        kNearestEven);
}

}  // namespace

std::uint64_t make_value(Random& random, const Scalar& scalar) {
  if (scalar.kind == Kind::kBool) return random.below(2);
  if (scalar.kind == Kind::kFloat) return make_float(random, scalar.width);
  std::uint64_t value = random.bits();
  const std::uint64_t top = std::uint64_t{1} << (scalar.width - 1);
  const std::uint32_t choice = random.below(11);
  if (choice == 0) value = random.below(5) - std::uint64_t{2};
  if (choice == 1) value = top + random.below(3) - 1;
  if (choice == 2) value = (std::uint64_t{1} << random.below(scalar.width)) + random.below(3) - 1;
  if (choice == 3) value = random.below(100);
  if (choice == 4) value = random.below(2);
  if (choice == 5) value = random.below(scalar.width);
  if (choice == 6) {  // limits of narrower integers
    const unsigned narrow = random.pick(std::array{7u, 8u, 15u, 16u, 31u, 32u});
    value = (std::uint64_t{1} << narrow) + random.below(3) - 1;
    if (random.chance(50)) value = 0 - value;
  }
  return value & low_bits(scalar.width);
}

Expressions make_expressions(Random& random, std::uint32_t items, bool strict) {
  while (true) {
    Expressions made = Maker(random, items, strict).make();
    if (!made.results.empty()) return made;
  }
}

}  // namespace transpire::oracle
