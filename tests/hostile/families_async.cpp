// Asynchronous copies of a work-group one side of which is wrong: an element that cannot be read
// counts as zeros, and the copy ends there; so it does at one that cannot be written.
#include <algorithm>
#include <cstring>

#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

enum Wrong { kNullSide, kStraySide, kSidePastEnd, kSideAcrossEnd, kForbiddenSide, kForeignSide };

struct AsyncCopy {
  explicit AsyncCopy(const Shape& shape)
      : to_local((shape.salt >> 20 & 1) != 0),
        wrong_local((shape.salt >> 21 & 1) != 0),
        wrong(static_cast<Wrong>(shape.variant)) {
    if (wrong == kForbiddenSide) wrong_local = false;
    count = wrong == kForeignSide ? std::min<std::uint64_t>(shape.local, 4) : shape.local;
    // Several groups must not fill the same elements.
    const bool one_group = shape.lanes == Lanes::kOne || shape.lanes == Lanes::kLast;
    if (wrong == kSideAcrossEnd && (one_group || to_local || wrong_local))
      inside = (shape.salt >> 22) % count;
  }
  bool is_bad(const Shape& shape, std::uint32_t group) const {
    Shape of_groups = shape;
    of_groups.local = 1;
    return !shape.benign && of_groups.is_bad(group);
  }
  bool to_local, wrong_local;
  Wrong wrong;
  std::uint64_t count = 0;   ///< elements
  std::uint64_t inside = 0;  ///< that a bad group copies before the end
};

void fit_copy(Shape& shape) {
  if (shape.object != Object::kLocalArgument) shape.object = Object::kLocal;
  shape.spread = 2;  // half of the elements are nobody's: a group that begins there meets no other
  shape.form = Form::kMixed;
  const AsyncCopy copy(shape);
  shape.via = copy.wrong_local ? Space::kWorkgroup : Space::kCrossWorkgroup;
  // Carried as a group's value.
  if (shape.carry == Carry::kGeneric) shape.carry = Carry::kNone;
  shape.read_only = copy.wrong == kForbiddenSide && !copy.to_local;
  shape.write_only = copy.wrong == kForbiddenSide && copy.to_local;
  shape.mix = Mix::kSelect;
  shape.loaded_condition = false;
}

void fit_async(Shape& shape, Random&) {
  shape.variant %= kForeignSide;
  fit_copy(shape);
}

/// One side's pointer declares another storage class than the memory has.
void fit_async_space(Shape& shape, Random&) {
  shape.variant = kForeignSide;
  fit_copy(shape);
}

/// The group is one of those that the shape calls bad.
std::string group_condition(KernelText& kernel) {
  const Shape& shape = kernel.shape();
  switch (shape.lanes) {
    case Lanes::kAll:
      return "%true";
    case Lanes::kOne:
      return kernel.equal(kernel.group(), shape.salt % shape.groups);
    case Lanes::kOdd:
      return kernel.equal(kernel.make("OpBitwiseAnd %size {} %size_1", kernel.group()), 1);
    default:
      return kernel.equal(kernel.group(), shape.groups - 1);
  }
}

/// Of the group's elements in the buffer.
std::string part_of_target(KernelText& kernel) {
  return kernel.at_element(
      "%target", Space::kCrossWorkgroup,
      kernel.make("OpIMul %size {} %size_{}", kernel.group(), kernel.shape().local));
}

Object wrong_object(const Shape& shape, const AsyncCopy& copy) {
  if (copy.wrong != kForeignSide) return copy.wrong_local ? shape.object : Object::kTarget;
  // Reading a constant variable through a global pointer, else a private one.
  return !copy.wrong_local && copy.to_local && (shape.salt >> 30 & 1) != 0 ? Object::kConstant
                                                                           : Object::kPrivate;
}

std::string bad_pointer(Draft& draft, const AsyncCopy& copy) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  const Object object = wrong_object(shape, copy);
  switch (copy.wrong) {
    case kNullSide:
      return null_pointer(draft);
    case kStraySide:
      return kernel.from_integer(shape.wide ? "%size_0x7ffe123456780000" : "%size_0xfffe0000",
                                 shape.via);
    case kSidePastEnd:
    case kSideAcrossEnd:
      return kernel.at_element(kernel.base(object), shape.via,
                               fmt::format("%size_{}", shape.elements(object) - copy.inside));
    case kForbiddenSide:
      return part_of_target(kernel);
    case kForeignSide:
      return kernel.recast(kernel.base(object), native_space(object), shape.via, true);
  }
  return {};
}

void write_copy(Draft& draft, const AsyncCopy& copy) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  std::string local = kernel.base(shape.object), global = part_of_target(kernel);
  std::string& wrong = copy.wrong_local ? local : global;
  if (!shape.benign)
    wrong = kernel.make("OpSelect %{} {} {} {}", kernel.pointer(shape.via), group_condition(kernel),
                        bad_pointer(draft, copy), wrong);
  wrong = kernel.carry(wrong);
  kernel.global("%event = OpTypeEvent\n%no_event = OpConstantNull %event");
  const std::string slot = kernel.variable("event"), event = kernel.fresh("t");
  kernel.line(
      "OpLine %file {} 0\n{} = OpGroupAsyncCopy %event %uint_2 {} {} %size_{} %size_1 %no_event",
      kAccessLine, event, copy.to_local ? local : global, copy.to_local ? global : local,
      copy.count);
  kernel.line("OpNoLine\nOpStore {0} {1}\nOpGroupWaitEvents %uint_2 %uint_1 {0}", slot, event);
}

/// Where the wrong side of a bad group's element lies, and what becomes of it.
LanePlan wrong_plan(const Draft& draft, const AsyncCopy& copy, std::uint64_t i) {
  const Shape& shape = draft.shape;
  const Object object = wrong_object(shape, copy);
  const auto width = static_cast<std::int64_t>(shape.width());
  const auto first = static_cast<std::int64_t>(
      copy.wrong == kForeignSide ? 0 : shape.elements(object) - copy.inside);
  LanePlan plan = plan_at(shape, object, (first + static_cast<std::int64_t>(i)) * width);
  if (copy.wrong == kNullSide) plan.fate = Fate::kNull;
  if (copy.wrong == kStraySide) plan.fate = Fate::kStray;
  if (copy.wrong == kForeignSide) plan.fate = Fate::kWrongSpace;
  return plan;
}

void model_group(Draft& draft, const AsyncCopy& copy, std::uint32_t group,
                 std::vector<LanePlan>& found) {
  const Shape& shape = draft.shape;
  const std::uint64_t width = shape.width();
  const std::uint32_t item = group * shape.local;
  for (std::uint64_t i = 0; i < copy.count; ++i) {
    LanePlan local = plan_at(shape, shape.object, static_cast<std::int64_t>(i * width));
    LanePlan global =
        plan_at(shape, Object::kTarget, static_cast<std::int64_t>((item + i) * width));
    LanePlan& wrong = copy.wrong_local ? local : global;
    if (copy.is_bad(shape, group) && copy.wrong != kForbiddenSide)
      wrong = wrong_plan(draft, copy, i);
    const LanePlan& from = copy.to_local ? global : local;
    const LanePlan& to = copy.to_local ? local : global;
    const Verdict read = judge(from, Access::kCopyFrom), write = judge(to, Access::kCopyTo);
    for (const auto& [plan, verdict] : {std::pair(from, read), std::pair(to, write)})
      if (!verdict.rules.empty()) found[group] = plan;
    if (write.done) {
      std::byte* const target = draft.memories.place(item, to.object, to.offset);
      if (read.done)
        std::memmove(target, draft.memories.place(item, from.object, from.offset), width);
      else
        std::memset(target, 0, width);
    }
    if (!read.done || !write.done) return;
  }
}

/// One finding of all bad groups, whose first work-items made it.
std::vector<ExpectedFinding> async_findings(const Draft& draft, const AsyncCopy& copy,
                                            const std::vector<LanePlan>& found) {
  const bool is_source = copy.wrong_local != copy.to_local;
  ExpectedFinding finding;
  for (std::uint32_t group = 0; group < found.size(); ++group) {
    const LanePlan& plan = found[group];
    const Verdict verdict = judge(plan, is_source ? Access::kCopyFrom : Access::kCopyTo);
    if (verdict.rules.empty() || finding.count++ != 0) continue;
    finding.rules = verdict.rules;
    finding.line = kAccessLine;
    finding.instruction = "OpGroupAsyncCopy";
    finding.first_item = std::uint64_t{group} * draft.shape.local;
    const bool has_place = plan.fate != Fate::kNull && plan.fate != Fate::kStray;
    finding.allocation = has_place ? name_of(plan.object) : std::string();
    if (has_place) finding.offset = plan.offset;
  }
  if (finding.count == 0) return {};
  return {finding};
}

Case make_async(Draft& draft) {
  const Shape& shape = draft.shape;
  const AsyncCopy copy(shape);
  std::vector<Object> objects = {shape.object};
  if (wrong_object(shape, copy) == Object::kPrivate) objects.push_back(Object::kPrivate);
  std::vector<LanePlan> found(shape.groups);
  Case made = one_launch(draft, objects, [&](Draft& d) {
    write_copy(d, copy);
    for (std::uint32_t group = 0; group < shape.groups; ++group) model_group(d, copy, group, found);
  });
  made.launches[0].findings = async_findings(draft, copy, found);
  return made;
}

}  // namespace

const std::vector<Family>& async_families() {
  static const std::vector<Family> all = {
      {"async", fit_async, make_async},
      {"async_space", fit_async_space, make_async},
  };
  return all;
}

}  // namespace transpire::hostile
