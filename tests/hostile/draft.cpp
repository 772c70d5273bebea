#include "tests/hostile/draft.h"

#include <cstring>

namespace transpire::hostile {
namespace {

constexpr std::uint64_t kGuardBytes = 64;

struct Groups {
  std::uint32_t local, groups;
};
constexpr Groups kGroups[] = {{1, 7},  {5, 4},  {64, 3},  {130, 2}, {64, 1},
                              {5, 13}, {33, 5}, {1, 130}, {130, 3}, {128, 2}};

Element some_element(Random& random, Access access) {
  Element element;
  if (is_atomic(access)) {
    element.bits = random.chance(50) ? 32 : 64;
    return element;
  }
  element.bits = 8u << random.below(4);
  constexpr unsigned kComponents[] = {1, 1, 2, 4};
  element.components = random.pick(kComponents);
  if (element.bytes() > 16) element.components = 2;
  return element;
}

Shape some_shape(Random& random) {
  Shape shape;
  shape.wide = random.chance(80);
  shape.access = static_cast<Access>(random.below(12));
  shape.element = some_element(random, shape.access);
  shape.object = static_cast<Object>(random.below(6));
  shape.lanes = static_cast<Lanes>(random.below(4));
  shape.mix = static_cast<Mix>(random.below(3));
  shape.carry = static_cast<Carry>(random.below(7));
  shape.form = static_cast<Form>(random.below(5));
  shape.loaded_condition = random.chance(30);
  shape.by_bytes = random.chance(40);
  const Groups& groups = random.pick(kGroups);
  shape.local = groups.local;
  shape.groups = groups.groups;
  shape.salt = random.bits();
  shape.variant = random.below(1u << 16);
  return shape;
}

/// Each a file.
using List = const std::vector<Family>& (*)();
constexpr List kLists[] = {address_families, owner_families, launch_families, async_families,
                           shader_families};

const Family* find_family(const std::string& name) {
  for (const List list : kLists)
    for (const Family& family : list())
      if (family.name == name) return &family;
  return nullptr;
}

template <class T>
Bytes bytes_of(const std::vector<T>& numbers) {
  Bytes bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Bytes index_bytes(const Draft& draft) {
  if (draft.shape.wide) return bytes_of(draft.index);
  return bytes_of(std::vector<std::uint32_t>(draft.index.begin(), draft.index.end()));
}

Bytes number_bytes(const Shape& shape, std::uint64_t number) {
  Bytes bytes(shape.wide ? 8 : 4);
  std::memcpy(bytes.data(), &number, bytes.size());
  return bytes;
}

}  // namespace

Space some_space(Object object, Random& random) {
  const Space native = native_space(object);
  return native != Space::kUniformConstant && random.chance(25) ? Space::kGeneric : native;
}

std::string null_pointer(Draft& draft) {
  const std::string type = draft.kernel.pointer(draft.shape.via);
  draft.kernel.global("%null{0} = OpConstantNull %{0}", type);
  return "%null" + type;
}

void begin_shader_shape(Shape& shape, Random& random, bool may_be_descriptors) {
  const bool has_descriptors = may_be_descriptors && random.chance(60);
  shape.flavour = has_descriptors ? Flavour::kDescriptors : Flavour::kReferences;
  if (!has_descriptors) shape.wide = true;
  if (is_copy(shape.access)) shape.access = reads(shape.access) ? Access::kLoad : Access::kStore;
  constexpr Object kObjects[] = {Object::kTarget, Object::kTarget, Object::kLocal,
                                 Object::kPrivate};
  shape.object = has_descriptors ? random.pick(kObjects) : Object::kTarget;
  constexpr Carry kCarries[] = {Carry::kNone, Carry::kPrivateSlot, Carry::kInteger, Carry::kBitcast,
                                Carry::kGlobalSlot};
  shape.carry = kCarries[random.below(has_descriptors ? 2 : std::size(kCarries))];
}

void end_shader_shape(Shape& shape) {
  shape.via = native_space(shape.object);
  if (shape.flavour == Flavour::kDescriptors) shape.by_bytes = false;
  // Pointers to variables of a work-item are no values.
  if (shape.object != Object::kPrivate) return;
  if (is_atomic(shape.access)) shape.access = writes(shape.access) ? Access::kStore : Access::kLoad;
  shape.carry = Carry::kNone;
  shape.mix = Mix::kBranch;
  shape.is_pair = false;
}

Case begin_case(const Draft& draft) {
  Case made;
  made.title = describe(draft.shape);
  made.local = draft.shape.local;
  made.groups = draft.shape.groups;
  made.by_reference = draft.shape.flavour == Flavour::kReferences;
  return made;
}

void add_buffers(Draft& draft, Case& made) {
  const Shape& shape = draft.shape;
  const auto add = [&](const std::string& name, Bytes initial, Bytes expected) -> BufferSpec& {
    BufferSpec& buffer = made.buffers.emplace_back();
    buffer.name = name;
    buffer.initial = std::move(initial);
    buffer.expected = std::move(expected);
    return buffer;
  };
  const auto constant = [&](const std::string& name, const Bytes& bytes) -> BufferSpec& {
    return add(name, bytes, bytes);
  };
  Random noise(shape.salt);
  constant("before", random_bytes(noise, kGuardBytes));
  BufferSpec& target = add("target", draft.initial_target, draft.memories.target);
  target.read_only = shape.read_only;
  target.write_only = shape.write_only;
  constant("after", random_bytes(noise, kGuardBytes));
  add("out", draft.memories.initial_out, draft.memories.out);
  constant("data", draft.memories.data);
  constant("fill", draft.memories.fill);
  add("readback", draft.memories.initial_readback, draft.memories.readback);
  BufferSpec& index = constant("index", index_bytes(draft));
  index.holds_host_addresses = draft.index_is_host_address;
  index.is_compared = !draft.index_is_host_address;
  constant("slots", Bytes(shape.items() * (shape.wide ? 8 : 4))).is_compared = false;
  std::vector<std::uint32_t> who;
  for (std::uint32_t item = 0; item < shape.items(); ++item) who.push_back(shape.is_bad(item));
  constant("who", bytes_of(who));
}

LaunchSpec launch_of(const Shape& shape, const std::string& kernel) {
  LaunchSpec launch;
  launch.kernel = kernel;
  for (const char* name :
       {"before", "target", "after", "out", "data", "fill", "readback", "index", "slots", "who"})
    launch.arguments.push_back({ArgumentSpec::Kind::kBuffer, name});
  if (shape.flavour != Flavour::kKernel) return launch;
  launch.arguments.push_back(
      {ArgumentSpec::Kind::kValue, {}, 0, number_bytes(shape, shape.width())});
  if (shape.object != Object::kLocalArgument) return launch;
  const std::uint64_t guard = shape.local * shape.width();
  for (const std::uint64_t bytes :
       {guard, shape.elements(Object::kLocalArgument) * shape.width(), guard})
    launch.arguments.push_back({ArgumentSpec::Kind::kLocal, {}, bytes});
  return launch;
}

void plan_lanes(Draft& draft, const std::function<LanePlan(std::uint32_t)>& bad, Object good) {
  for (std::uint32_t item = 0; item < draft.shape.items(); ++item) {
    const bool is_bad = draft.shape.is_bad(item);
    LanePlan plan =
        is_bad ? bad(item) : plan_at(draft.shape, good, draft.kernel.own_offset(good, item));
    plan.second_access = draft.shape.mix == Mix::kBranch && !is_bad;
    draft.plans.push_back(plan);
  }
}

Case one_launch(Draft& draft, const std::vector<Object>& objects, const Pointers& pointers) {
  KernelText& kernel = draft.kernel;
  kernel.begin();
  for (const Object object : objects) kernel.make_object(object);
  pointers(draft);
  for (unsigned room = 0; room < objects.size(); ++room) kernel.read_back(objects[room], room);
  kernel.end_function();
  draft.memories.access_all(draft.plans);
  std::vector<ExpectedFinding> findings = findings_of(draft.shape, draft.plans, kAccessLine);
  if (draft.shape.is_pair) {
    std::vector<LanePlan> next;
    for (const LanePlan& plan : draft.plans) next.push_back(plan_of_next(draft.shape, plan));
    draft.memories.access_all_again(next);
    for (ExpectedFinding& finding : findings_of(draft.shape, next, kAccessLine + kPairLine))
      findings.push_back(std::move(finding));
  }
  for (unsigned room = 0; room < objects.size(); ++room)
    draft.memories.read_back(objects[room], room);
  Case made = begin_case(draft);
  made.text = kernel.text();
  add_buffers(draft, made);
  made.launches.push_back(launch_of(draft.shape, "test"));
  made.launches.back().findings = std::move(findings);
  return made;
}

Case make_case(const std::string& family_name, std::uint64_t seed, std::uint64_t index,
               bool benign) {
  const Family& family = *find_family(family_name);
  Random random = oracle::random_of_case(seed, index);
  Shape shape = some_shape(random);
  shape.family = family_name;
  shape.benign = benign;
  family.fit(shape, random);
  if (shape.via == Space::kUniformConstant && shape.carry == Carry::kGeneric)
    shape.carry = Carry::kInteger;
  if (benign) shape.read_only = shape.write_only = false;
  if (benign && shape.object == Object::kConstant && writes(shape.access))
    shape.access = Access::kLoad;
  Draft draft(shape, random);
  return family.make(draft);
}

std::vector<std::string> families() {
  std::vector<std::string> all;
  for (const List list : kLists)
    for (const Family& family : list()) all.push_back(family.name);
  return all;
}

}  // namespace transpire::hostile
