#include "tests/vm/ops/row_runner.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "vm/ops/op.h"

namespace transpire::test {

namespace {

constexpr std::uint32_t kRowSpace = 3072;  // more than any row, with room to see writes beside it
constexpr std::uint32_t kGuard = 512;      // where the row stands in its space
constexpr std::byte kUntouched{0xa5};

struct alignas(64) Registers {
  std::byte bytes[4 * kRowSpace];
};

const Inst* leave(const Inst*, std::byte*, exec::Batch*) { return nullptr; }

void write(std::byte* at, const Operand& operand, std::uint32_t lanes) {
  const std::uint32_t bytes = lane_bytes(operand.kind);
  if (operand.is_scalar) {
    std::memcpy(at, &operand.values[0], 8);
  } else if (operand.kind == Kind::kBool) {
    std::memset(at, 0, lanes / 8);
    for (std::uint32_t i = 0; i < lanes; ++i)
      at[i / 8] |= static_cast<std::byte>((operand.values[i % operand.values.size()] & 1) << i % 8);
  } else {
    for (std::uint32_t i = 0; i < lanes; ++i)
      std::memcpy(at + i * bytes, &operand.values[i % operand.values.size()], bytes);
  }
}

Values read(const std::byte* at, Kind kind, bool is_scalar, std::uint32_t lanes) {
  Values values(is_scalar ? 1 : lanes, 0);
  if (is_scalar)
    std::memcpy(&values[0], at, 8);
  else
    for (std::uint32_t i = 0; i < lanes; ++i)
      if (kind == Kind::kBool)
        values[i] = static_cast<Bits>(at[i / 8] >> i % 8 & std::byte{1});
      else
        std::memcpy(&values[i], at + i * lane_bytes(kind), lane_bytes(kind));
  return values;
}

void check_guards(const std::byte* space, std::uint32_t bytes) {
  std::byte untouched[kGuard];
  std::memset(untouched, static_cast<int>(kUntouched), kGuard);
  if (std::memcmp(space, untouched, kGuard) != 0 ||
      std::memcmp(space + kGuard + bytes, untouched, kGuard) != 0)
    throw std::runtime_error("a handler wrote beside its row");
}

std::string hex(const Values& values) {
  std::ostringstream out;
  out << std::hex;
  for (const Bits v : values) out << " 0x" << v;
  return out.str();
}

/// Walks every combination of operands: scalars outside, rows of combinations inside.
class FormCheck {
 public:
  FormCheck(const OpCase& c, const HandlerTable& table, Handler handler, Form form, int in_place)
      : c_(c), table_(table), handler_(handler), form_(form), in_place_(in_place) {}

  std::string run() {
    current_.resize(c_.operands.size());
    for (std::size_t i = 0; i < c_.operands.size(); ++i)
      lanes_.push_back({c_.operands[i], {}, is_scalar(i)});
    walk_scalars(0);
    return error_;
  }

 private:
  bool is_scalar(std::size_t i) const { return form_ == kUniform || (form_ >> i & 1) != 0; }

  void walk_scalars(std::size_t i) {
    if (i == c_.operands.size()) {
      walk_rows(0);
      flush();
      return;
    }
    if (!is_scalar(i)) return walk_scalars(i + 1);
    for (const Bits v : c_.values[i]) {
      current_[i] = v;
      walk_scalars(i + 1);
      if (!error_.empty()) return;
    }
  }

  void walk_rows(std::size_t i) {
    if (i == c_.operands.size()) {
      for (std::size_t k = 0; k < current_.size(); ++k) lanes_[k].values.push_back(current_[k]);
      if (lanes_[0].values.size() == table_.lanes) flush();
      return;
    }
    if (is_scalar(i)) return walk_rows(i + 1);
    for (const Bits v : c_.values[i]) {
      current_[i] = v;
      walk_rows(i + 1);
      if (!error_.empty()) return;
    }
  }

  void flush() {
    if (lanes_[0].values.empty() || !error_.empty()) return;
    RunOptions options;
    options.result = c_.result;
    options.scalar_result = form_ == kUniform;
    options.in_place = in_place_;
    options.imm = c_.imm;
    const Values got = test::run(table_, handler_, lanes_, options);
    Values lane(lanes_.size());
    for (std::size_t i = 0; i < lanes_[0].values.size() && error_.empty(); ++i) {
      for (std::size_t k = 0; k < lane.size(); ++k) lane[k] = lanes_[k].values[i];
      compare(lane, got[i]);
    }
    for (Operand& operand : lanes_) operand.values.clear();
  }

  void compare(const Values& lane, Bits got) {
    const Bits expected = c_.oracle(lane);
    if (got == expected) return;
    std::ostringstream out;
    out << isa_name(table_.isa) << " " << info(c_.op).name << " " << kind_name(c_.operands.back())
        << " form " << int{form_} << " in place " << in_place_ << ":" << hex(lane) << " gave"
        << hex({got}) << ", expected" << hex({expected});
    error_ = out.str();
  }

  const OpCase& c_;
  const HandlerTable& table_;
  Handler handler_;
  Form form_;
  int in_place_;
  Values current_;
  std::vector<Operand> lanes_;
  std::string error_;
};

}  // namespace

std::vector<const HandlerTable*> tables() {
  std::vector<const HandlerTable*> result;
  for (const auto isa : exec::built_isas())
    if (exec::supported(isa)) result.push_back(&exec::handlers(isa));
  return result;
}

Values run(const HandlerTable& table, Handler handler, const std::vector<Operand>& operands,
           const RunOptions& options) {
  static Registers registers;
  std::byte* r = registers.bytes;
  const std::uint32_t written = options.scalar_result ? 8 : row_bytes(options.result, table.lanes);
  std::memset(r, static_cast<int>(kUntouched), 2 * kGuard + written);
  Inst program[2] = {{handler, kGuard, 0, 0, 0, {options.imm}}, {&leave, 0, 0, 0, 0, {0}}};
  std::uint32_t* const offsets[3] = {&program[0].a, &program[0].b, &program[0].c};
  if (!options.initial.empty()) write(r + kGuard, {options.result, options.initial}, table.lanes);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool in_place = options.in_place == static_cast<int>(i);
    *offsets[i] = in_place ? kGuard : static_cast<std::uint32_t>((i + 1) * kRowSpace + kGuard);
    write(r + *offsets[i], operands[i], table.lanes);
  }
  exec::Batch batch{};
  if (options.mask.empty())
    for (std::uint32_t i = 0; i < table.lanes; i += 64)
      batch.mask[i / 64] = ~Bits{0} >> (64 - std::min(table.lanes - i, 64u));
  for (std::uint32_t i = 0; i < options.mask.size(); ++i)
    if (options.mask[i]) batch.mask[i / 64] |= Bits{1} << i % 64;
  const Inst* ip = program;
  while (ip != nullptr) ip = ip->run(ip, r, &batch);
  check_guards(r, written);
  return read(r + kGuard, options.result, options.scalar_result, table.lanes);
}

std::string check_op(const OpCase& c, Kind table_kind) {
  Handler checked = nullptr;  // uniform forms are mostly the same functions in all tables
  for (const HandlerTable* table : tables()) {
    const auto& entry =
        table->simple[static_cast<std::size_t>(c.op)][static_cast<std::size_t>(table_kind)];
    for (std::size_t form = 0; form < kFormCount; ++form) {
      if (entry[form] == nullptr) {
        if (form == kRows || form == kUniform)
          return std::string(info(c.op).name) + ": no handler for a form that must exist";
        continue;
      }
      if (form == kUniform && std::exchange(checked, entry[form]) == entry[form]) continue;
      for (int in_place = -1; in_place < static_cast<int>(c.operands.size()); ++in_place) {
        if (in_place >= 0 && (form == kUniform || (form >> in_place & 1) != 0 ||
                              c.operands[static_cast<std::size_t>(in_place)] != c.result))
          continue;
        std::string error =
            FormCheck(c, *table, entry[form], static_cast<Form>(form), in_place).run();
        if (!error.empty()) return error;
      }
    }
  }
  return {};
}

namespace {

/// One handler on rows of the values, or on every `step`th of them as a scalar.
std::string compare_conversion(const HandlerTable& table, Handler handler, Operand a,
                               const RunOptions& options, const Values& values,
                               const Values& expected) {
  const std::size_t rows = a.is_scalar ? 1 : table.lanes;
  const std::size_t step = a.is_scalar ? values.size() / 3000 + 1 : rows;
  for (std::size_t first = 0; first < values.size(); first += step) {
    const std::size_t count = std::min(values.size() - first, rows);
    a.values.assign(&values[first], &values[first] + count);
    const Values got = run(table, handler, {a}, options);
    for (std::size_t i = 0; i < count; ++i) {
      if (got[i] == expected[first + i]) continue;
      std::ostringstream out;
      out << isa_name(table.isa) << (a.is_scalar ? " uniform" : " rows") << " imm " << options.imm
          << ":" << hex({a.values[i]}) << " gave" << hex({got[i]}) << ", expected"
          << hex({expected[first + i]});
      return out.str();
    }
  }
  return {};
}

}  // namespace

std::string check_convert(Op op, Kind from, Kind to, std::uint64_t imm, const Values& values,
                          const Oracle& oracle) {
  const std::string name =
      std::string(info(op).name) + " " + kind_name(from) + " to " + kind_name(to) + " ";
  Values expected;
  for (const Bits v : values) expected.push_back(oracle({v}));
  for (const HandlerTable* table : tables()) {
    const auto& entry = table->convert[static_cast<std::size_t>(op)][static_cast<std::size_t>(from)]
                                      [static_cast<std::size_t>(to)];
    for (const bool uniform : {false, true}) {
      if (entry[uniform] == nullptr) return name + "has no handler";
      RunOptions options;
      options.result = to;
      options.scalar_result = uniform;
      options.imm = imm;
      const std::string error = compare_conversion(*table, entry[uniform], {from, {}, uniform},
                                                   options, values, expected);
      if (!error.empty()) return name + error;
    }
  }
  return {};
}

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

Values all_values(Kind kind) {
  Values values(std::size_t{1} << width_bits(kind));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
  return values;
}

namespace {

void add_integers(Values& values, Kind kind) {
  for (const Bits v : {0, 1, 2, 3, 7, 10, 100}) values.insert(values.end(), {v, Bits{0} - v});
  for (std::uint32_t shift = 4; shift < width_bits(kind); shift += shift < 8 ? 1 : 4) {
    const Bits power = Bits{1} << (shift + 3 < width_bits(kind) ? shift : width_bits(kind) - 1);
    values.insert(values.end(), {power, power - 1, power + 1, Bits{0} - power});
  }
}

void add_floats(Values& values, Kind kind) {
  const std::uint32_t fraction = kind == Kind::kF16 ? 10 : kind == Kind::kF32 ? 23 : 52;
  const Bits infinity = (Bits{1} << (width_bits(kind) - 1)) - (Bits{1} << fraction);
  const Bits one = infinity / 2 >> fraction << fraction;
  const Bits quiet = infinity + (Bits{1} << (fraction - 1));
  const Bits ulp = Bits{1} << fraction;
  const Values positive = {0, 1, 2, ulp - 1, ulp, ulp + 1, one, one + 1, one - 1, one + ulp};
  const Values more = {one + ulp + ulp / 2, one - ulp,    one + 3 * ulp + 5,
                       infinity - 1,        infinity,     quiet,
                       quiet + 1,           infinity + 1, infinity + 3};
  for (const Values& some : {positive, more})
    for (const Bits v : some)
      values.insert(values.end(), {v, v | Bits{1} << (width_bits(kind) - 1)});
}

}  // namespace

Values edge_values(Kind kind, std::size_t random_count) {
  if (kind == Kind::kBool) return {0, 1};
  Values values;
  if (is_int(kind))
    add_integers(values, kind);
  else
    add_floats(values, kind);
  std::uint64_t state = 1;
  // Random bits of random length, so that small integers and near exponents occur.
  for (std::size_t i = 0; i < random_count; ++i) {
    const std::uint64_t bits = next_random(state);
    values.push_back(i % 2 == 0 ? bits : bits >> next_random(state) % width_bits(kind));
  }
  const Bits all = ~Bits{0} >> (64 - width_bits(kind));
  for (Bits& v : values) v &= all;
  return values;
}

Bits cut(Kind kind, Wide value) {
  return static_cast<Bits>(value) & ~Bits{0} >> (64 - width_bits(kind));
}

}  // namespace transpire::test
