// The expectation: what becomes of each access by its fate, and what the memories hold afterwards.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "tests/hostile/case.h"
#include "tests/hostile/kernel_text.h"

namespace transpire::hostile {
namespace {

constexpr std::uint64_t kFillElements = 4;  // of a work-item

template <class T>
T modified(Access access, T old, T value) {
  switch (access) {
    case Access::kAtomicIAdd:
      return static_cast<T>(old + value);
    case Access::kAtomicUMax:
      return std::max(old, value);
    case Access::kAtomicCompareExchange:  // with 0
      return old == 0 ? value : old;
    default:
      return value;
  }
}

template <class T>
void modify(Access access, std::byte* place, const std::byte* value) {
  T old, with;
  std::memcpy(&old, place, sizeof(T));
  std::memcpy(&with, value, sizeof(T));
  const T now = modified(access, old, with);
  std::memcpy(place, &now, sizeof(T));
}

std::string out_of_bounds(Access access) {
  if (is_atomic(access)) return "TSP-R0022";
  return reads(access) ? "TSP-R0020" : "TSP-R0021";
}

}  // namespace

Bytes random_bytes(Random& random, std::uint64_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  return bytes;
}

Memories::Memories(const Shape& shape, Random& random) : shape_(shape) {
  const std::uint64_t width = shape.width(), items = shape.items();
  target = random_bytes(random, shape.elements(Object::kTarget) * width);
  old = random_bytes(random, shape.elements(Object::kOld) * width);
  constants = random_bytes(random, shape.elements(Object::kConstant) * width);
  out = random_bytes(random, items * width);
  data = random_bytes(random, items * width);
  fill = random_bytes(random, items * kFillElements * width);
  readback = random_bytes(random, items * kReadbackElements * width);
  initial_out = out;
  initial_readback = readback;
  // Some zeros, which OpAtomicCompareExchange looks for.
  for (std::uint32_t item = 0; item < items; item += 3)
    for (Bytes* bytes : {&target, &old})
      std::fill_n(bytes->data() + item * width, width, std::byte{0});
  make_variables();
}

void Memories::make_variables() {
  const Shape& shape = shape_;
  const std::uint64_t width = shape.width(), items = shape.items();
  privates.resize(items * shape.elements(Object::kPrivate) * width);
  program.resize(shape.elements(Object::kProgram) * width);
  locals.resize(shape.groups * shape.elements(Object::kLocal) * width);
  local_arguments.resize(locals.size());
  for (std::uint32_t item = 0; item < items; ++item) {
    const std::byte* from = fill.data() + item * kFillElements * width;
    std::memcpy(place(item, Object::kPrivate, 0), from, shape.elements(Object::kPrivate) * width);
    const std::uint64_t bytes = shape.spread * width;
    std::memcpy(program.data() + item * bytes, from, bytes);
    const std::int64_t offset = static_cast<std::int64_t>(item % shape.local * bytes);
    std::memcpy(place(item, Object::kLocal, offset), from, bytes);
    std::memcpy(place(item, Object::kLocalArgument, offset), from, bytes);
  }
}

std::byte* Memories::place(std::uint32_t item, Object object, std::int64_t offset) {
  const std::uint64_t width = shape_.width(), group = item / shape_.local;
  switch (object) {
    case Object::kTarget:
      return target.data() + offset;
    case Object::kPrivate:
      return privates.data() + item * shape_.elements(object) * width + offset;
    case Object::kLocal:
      return locals.data() + group * shape_.elements(object) * width + offset;
    case Object::kLocalArgument:
      return local_arguments.data() + group * shape_.elements(object) * width + offset;
    case Object::kConstant:
      return constants.data() + offset;
    case Object::kProgram:
      return program.data() + offset;
    case Object::kOld:
      return old.data() + offset;
  }
  return nullptr;
}

void Memories::access_one(std::uint32_t item, const LanePlan& plan, std::byte* result,
                          const std::byte* value) {
  const std::uint64_t width = shape_.width();
  const bool done = judge(plan, shape_.access).done;
  std::byte* const at = done ? place(item, plan.object, plan.offset) : nullptr;
  if (reads(shape_.access)) {
    if (done)
      std::memcpy(result, at, width);
    else
      std::memset(result, 0, width);
  }
  if (!done || !writes(shape_.access)) return;
  if (!is_atomic(shape_.access))
    std::memcpy(at, value, width);
  else if (width == 8)
    modify<std::uint64_t>(shape_.access, at, value);
  else
    modify<std::uint32_t>(shape_.access, at, value);
}

void Memories::access_all(const std::vector<LanePlan>& plans) {
  const std::uint64_t width = shape_.width();
  for (std::uint32_t item = 0; item < plans.size(); ++item)
    access_one(item, plans[item], out.data() + item * width, data.data() + item * width);
}

void Memories::access_all_again(const std::vector<LanePlan>& plans) {
  const std::uint64_t width = shape_.width();
  for (std::uint32_t item = 0; item < plans.size(); ++item)
    access_one(item, plans[item],
               readback.data() + (item * kReadbackElements + kPairResult) * width,
               fill.data() + (item * kFillElements + kPairValue) * width);
}

void Memories::read_back(Object object, unsigned room) {
  const std::uint64_t width = shape_.width();
  if (object == Object::kTarget || object == Object::kConstant || object == Object::kOld) return;
  const bool is_private = object == Object::kPrivate;
  for (std::uint32_t item = 0; item < shape_.items(); ++item) {
    std::byte* const to =
        readback.data() + (item * kReadbackElements + room * kRoomElements) * width;
    const std::byte* const filled = fill.data() + item * kFillElements * width;
    const std::uint64_t elements = is_private ? shape_.elements(object) : shape_.spread;
    const std::uint32_t number = object == Object::kProgram ? item : item % shape_.local;
    const std::uint64_t offset = is_private ? 0 : number * elements * width;
    if (object != Object::kProgram) {
      std::memcpy(to, filled + 2 * width, width);
      std::memcpy(to + 5 * width, filled + 3 * width, width);
    }
    std::memcpy(to + width, place(item, object, static_cast<std::int64_t>(offset)),
                elements * width);
  }
}

namespace {

/// Told of, but done where no rule forbids it; sized copies ask for no alignment.
Verdict judge_misaligned(const LanePlan& plan, Access access) {
  const bool may_write = plan.object != Object::kConstant;
  if (access == Access::kCopySizedFrom || access == Access::kCopySizedTo)
    return writes(access) && !may_write ? Verdict{false, {"TSP-R0024"}} : Verdict{};
  return {!is_atomic(access) && (may_write || !writes(access)), {"TSP-R0023"}};
}

}  // namespace

Verdict judge(const LanePlan& plan, Access access) {
  static const std::map<Fate, std::string> rules = {
      {Fate::kNull, "TSP-R0001"},      {Fate::kStray, "TSP-R0002"},
      {Fate::kReadOnly, "TSP-R0024"},  {Fate::kWriteOnly, "TSP-R0027"},
      {Fate::kDead, "TSP-R0026"},      {Fate::kWrongSpace, "TSP-R0003"},
      {Fate::kUnbound, "TSP-R0002"},   {Fate::kOtherItem, "TSP-R0005"},
      {Fate::kOtherGroup, "TSP-R0006"}};
  if (plan.fate == Fate::kOutside) return {false, {out_of_bounds(access)}};
  if (plan.fate == Fate::kMisaligned) return judge_misaligned(plan, access);
  if (plan.fate == Fate::kWrongSpace && plan.object == Object::kConstant && writes(access))
    return {false, {"TSP-R0024"}};
  if (plan.fate == Fate::kOtherKernel)
    return {
        false,
        {"TSP-R0002", "TSP-R0003", "TSP-R0005", "TSP-R0006", "TSP-R0024", out_of_bounds(access)}};
  const bool is_permitted = plan.fate == Fate::kGood ||
                            (plan.fate == Fate::kReadOnly && !writes(access)) ||
                            (plan.fate == Fate::kWriteOnly && !reads(access));
  return is_permitted ? Verdict{} : Verdict{false, {rules.at(plan.fate)}};
}

std::vector<ExpectedFinding> findings_of(const Shape& shape, const std::vector<LanePlan>& plans,
                                         unsigned line) {
  using Key = std::tuple<std::vector<std::string>, unsigned, std::string>;
  std::map<Key, ExpectedFinding> found;
  for (std::uint32_t item = 0; item < plans.size(); ++item) {
    const LanePlan& plan = plans[item];
    const Verdict verdict = judge(plan, shape.access);
    if (verdict.rules.empty()) continue;
    const bool has_place =
        plan.fate != Fate::kNull && plan.fate != Fate::kStray && plan.fate != Fate::kUnbound;
    const std::string name = !has_place          ? std::string()
                             : plan.name.empty() ? name_of(plan.object)
                                                 : plan.name;
    const unsigned at = line + (plan.second_access ? 1 : 0);
    ExpectedFinding& finding = found[{verdict.rules, at, plan.knows_place ? name : "?"}];
    if (finding.count++ != 0) continue;
    finding.rules = verdict.rules;
    finding.line = at;
    finding.first_item = item;
    finding.instruction = opcode_of(shape.access);
    if (!plan.knows_place) continue;
    finding.allocation = name;
    if (has_place) finding.offset = plan.offset;
  }
  std::vector<ExpectedFinding> all;
  for (auto& entry : found) all.push_back(std::move(entry.second));
  return all;
}

LanePlan plan_at(const Shape& shape, Object object, std::int64_t offset) {
  const auto width = static_cast<std::int64_t>(shape.width());
  const std::int64_t size = static_cast<std::int64_t>(shape.elements(object)) * width;
  LanePlan plan;
  plan.object = object;
  plan.offset = offset;
  if (offset < 0 || offset > size - width)
    plan.fate = Fate::kOutside;
  else if (offset % width != 0)
    plan.fate = Fate::kMisaligned;
  else if (object == Object::kTarget && (shape.read_only || shape.write_only))
    plan.fate = shape.read_only ? Fate::kReadOnly : Fate::kWriteOnly;
  else if (object == Object::kConstant)
    plan.fate = Fate::kReadOnly;
  return plan;
}

LanePlan plan_of_next(const Shape& shape, const LanePlan& plan) {
  if (plan.fate == Fate::kNull || plan.fate == Fate::kStray) return plan;
  LanePlan next =
      plan_at(shape, plan.object, plan.offset + static_cast<std::int64_t>(shape.width()));
  next.second_access = plan.second_access;
  next.knows_place = plan.knows_place || next.fate != Fate::kOutside;
  return next;
}

}  // namespace transpire::hostile
