// Families whose addresses are true ones, of memory that is not the access's to use: of another
// storage class, an object whose lifetime has ended, another work-item, or another work-group.
#include <cstring>

#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

// ---- space: a pointer that declares another storage class ---------------------------------------

struct Crossing {
  Space via;
  Object object;
};
constexpr Crossing kCrossings[] = {
    {Space::kCrossWorkgroup, Object::kPrivate},  {Space::kCrossWorkgroup, Object::kLocal},
    {Space::kCrossWorkgroup, Object::kConstant}, {Space::kCrossWorkgroup, Object::kLocalArgument},
    {Space::kWorkgroup, Object::kPrivate},       {Space::kWorkgroup, Object::kTarget},
    {Space::kWorkgroup, Object::kProgram},       {Space::kWorkgroup, Object::kConstant},
    {Space::kFunction, Object::kTarget},         {Space::kFunction, Object::kLocal},
    {Space::kFunction, Object::kProgram},        {Space::kFunction, Object::kConstant},
    {Space::kUniformConstant, Object::kPrivate}, {Space::kUniformConstant, Object::kLocal},
    {Space::kGeneric, Object::kConstant},        {Space::kUniformConstant, Object::kTarget},
};

enum Route { kByInteger, kByGeneric, kByMemory };

void fit_space(Shape& shape, Random& random) {
  const Crossing& crossing = random.pick(kCrossings);
  shape.object = crossing.object;
  shape.via = shape.benign ? native_space(crossing.object) : crossing.via;
  shape.variant %= 3;
  if (crossing.via == Space::kUniformConstant && writes(shape.access)) shape.access = Access::kLoad;
}

/// The memory that pointers of the storage class are for.
Object rightful_object(Space space) {
  switch (space) {
    case Space::kWorkgroup:
      return Object::kLocal;
    case Space::kFunction:
      return Object::kPrivate;
    case Space::kUniformConstant:
      return Object::kConstant;
    default:
      return Object::kTarget;
  }
}

/// The address of `pointer` as a pointer of the storage class `via`.
std::string rerouted(Draft& draft, const std::string& pointer, Space native) {
  KernelText& kernel = draft.kernel;
  if (draft.shape.variant == kByMemory) {
    kernel.line("store {} {}", kernel.slot_of("%gid", kernel.pointer(native)), pointer);
    return kernel.make("load {}", kernel.slot_of("%gid", kernel.pointer(draft.shape.via)));
  }
  if (draft.shape.variant == kByGeneric && native != Space::kUniformConstant) {
    const std::string generic = kernel.recast(pointer, native, Space::kGeneric, false);
    return kernel.recast(generic, Space::kGeneric, draft.shape.via, false);
  }
  return kernel.from_integer(kernel.to_integer(pointer), draft.shape.via);
}

Case make_space(Draft& draft) {
  const Shape& shape = draft.shape;
  const Object good = shape.benign ? shape.object : rightful_object(shape.via);
  std::vector<Object> objects = {shape.object};
  if (good != shape.object) objects.push_back(good);
  // A buffer may be bound to a constant argument, so its address is good for a constant pointer.
  const bool is_legal = shape.via == Space::kUniformConstant && shape.object == Object::kTarget;
  return one_launch(draft, objects, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const Space native = native_space(shape.object);
    const std::string bad = rerouted(d, kernel.own(shape.object), native);
    const std::string own = kernel.own(good);
    kernel.access(bad, kernel.recast(own, native_space(good), shape.via, false));
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan = plan_at(shape, shape.object, kernel.own_offset(shape.object, item));
          if (!shape.benign && !is_legal) plan.fate = Fate::kWrongSpace;
          return plan;
        },
        good);
  });
}

// ---- lifetime: an access after OpLifetimeStop ---------------------------------------------------

void fit_private(Shape& shape, Random& random) {
  shape.object = Object::kPrivate;
  shape.via = some_space(Object::kPrivate, random);
}

/// Writes "if the work-item is bad (or not bad), then".
void when(KernelText& kernel, bool bad, const std::function<void()>& then) {
  const std::string yes = kernel.fresh("then"), after = kernel.fresh("after");
  kernel.branch(kernel.condition(), bad ? yes : after, bad ? after : yes, after);
  kernel.label(yes);
  then();
  kernel.line("OpBranch {}", after);
  kernel.label(after);
}

/// A variable of one element, or of four of which each work-item takes one.
std::string make_variable(KernelText& kernel, const std::string& name, bool is_array,
                          std::string& whole) {
  const std::uint64_t count = is_array ? kernel.shape().elements(Object::kPrivate) : 1;
  whole = kernel.variable(is_array ? kernel.array("element", count) : "element", name);
  kernel.line("OpLifetimeStart {} 0", whole);
  if (!is_array) {
    kernel.copy_element(whole, kernel.fill_at(0));
    return whole;
  }
  for (unsigned i = 0; i < count; ++i)
    kernel.copy_element(kernel.in_array(whole, Space::kFunction, fmt::format("%size_{}", i)),
                        kernel.fill_at(i));
  return kernel.in_array(whole, Space::kFunction, kernel.own_number(Object::kPrivate));
}

LanePlan variable_plan(const Draft& draft, const std::string& name, bool is_array,
                       std::uint32_t item, Fate fate) {
  LanePlan plan;
  plan.object = Object::kPrivate;
  plan.offset = is_array ? draft.kernel.own_offset(Object::kPrivate, item) : 0;
  plan.name = name;
  plan.fate = fate;
  return plan;
}

Case make_lifetime(Draft& draft) {
  const Shape& shape = draft.shape;
  const bool is_array = shape.variant % 2 == 1;
  Case made = one_launch(draft, {}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    std::string whole;
    const std::string element = make_variable(kernel, "dying", is_array, whole);
    const auto stop = [&] { kernel.line("OpLifetimeStop {} 0", whole); };
    if (!shape.benign) when(kernel, true, stop);
    kernel.access(kernel.recast(element, Space::kFunction, shape.via, false));
    const auto keep = [&] {
      kernel.copy_element(kernel.readback_at(1), element);
      stop();
    };
    when(kernel, false, keep);
    if (shape.benign) when(kernel, true, keep);
    for (std::uint32_t item = 0; item < shape.items(); ++item) {
      const bool is_dead = shape.is_bad(item) && !shape.benign;
      d.plans.push_back(
          variable_plan(d, "dying", is_array, item, is_dead ? Fate::kDead : Fate::kGood));
    }
  });
  for (std::uint32_t item = 0; item < shape.items(); ++item)
    if (draft.plans[item].fate == Fate::kGood)
      std::memcpy(
          draft.memories.readback.data() + (item * Memories::kReadbackElements + 1) * shape.width(),
          draft.memories.place(item, Object::kPrivate, draft.plans[item].offset), shape.width());
  for (BufferSpec& buffer : made.buffers)
    if (buffer.name == "readback") buffer.expected = draft.memories.readback;
  return made;
}

// ---- returned: a variable of a function that has returned ---------------------------------------

enum Returned { kMarkers = 1, kNested = 2, kArray = 4 };

/// The head of a function of a pointer and a number; gives its name.
std::string begin_function(KernelText& kernel, const std::string& pointer,
                           const std::string& number) {
  const std::string type = "%" + kernel.pointer(Space::kFunction), name = kernel.fresh("function");
  kernel.global("%function_type = OpTypeFunction {0} {0} %size", type);
  kernel.begin_function(
      fmt::format("{0} = OpFunction {1} None %function_type\n{2} = OpFunctionParameter {1}\n"
                  "{3} = OpFunctionParameter %size\n{4} = OpLabel",
                  name, type, pointer, number, kernel.fresh("entry")));
  return name;
}

/// A function that gives the address of its variable, which it fills; the twin's gives back its
/// operand.
std::string write_function(KernelText& kernel) {
  const Shape& shape = kernel.shape();
  std::string function = begin_function(kernel, "%given", "%number");
  std::string result = "%given";
  if (!shape.benign) {
    const bool is_array = (shape.variant & kArray) != 0;
    const std::uint64_t count = is_array ? shape.elements(Object::kPrivate) : 1;
    const std::string lost = kernel.variable(kernel.array("element", count), "lost");
    for (unsigned i = 0; i < count; ++i)
      kernel.copy_element(kernel.in_array(lost, Space::kFunction, fmt::format("%size_{}", i)),
                          "%given");
    result = kernel.in_array(lost, Space::kFunction, is_array ? "%number" : "%size_0");
  }
  kernel.end_function("OpReturnValue " + result);
  return function;
}

std::string call(KernelText& kernel, const std::string& function, const std::string& pointer,
                 const std::string& number) {
  return kernel.make("OpFunctionCall %{} {} {} {}", kernel.pointer(Space::kFunction), function,
                     pointer, number);
}

/// Hands its operands on to another function.
std::string write_outer_function(KernelText& kernel, const std::string& inner) {
  std::string function = begin_function(kernel, "%handed", "%handed_number");
  kernel.end_function("OpReturnValue " + call(kernel, inner, "%handed", "%handed_number"));
  return function;
}

Case make_returned(Draft& draft) {
  const Shape& shape = draft.shape;
  const bool is_array = (shape.variant & kArray) != 0;
  std::string function = write_function(draft.kernel);
  if ((shape.variant & kNested) != 0) function = write_outer_function(draft.kernel, function);
  return one_launch(draft, {Object::kPrivate}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    std::string marked;
    if ((shape.variant & kMarkers) != 0) make_variable(kernel, "marked", false, marked);
    const std::string own = kernel.own(Object::kPrivate);
    const std::string lost = call(kernel, function, own, kernel.own_number(Object::kPrivate));
    if (!marked.empty()) kernel.line("OpLifetimeStop {} 0", marked);
    kernel.access(kernel.recast(lost, Space::kFunction, shape.via, false),
                  kernel.recast(own, Space::kFunction, shape.via, false));
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          if (shape.benign)
            return plan_at(shape, Object::kPrivate, kernel.own_offset(Object::kPrivate, item));
          return variable_plan(d, "lost", is_array, item, Fate::kDead);
        },
        Object::kPrivate);
  });
}

// ---- item: another work-item's private variable -------------------------------------------------

enum Exchange { kInBuffer, kInLocal, kByBroadcast };

void fit_item(Shape& shape, Random& random) {
  shape.object = Object::kPrivate;
  shape.via = some_space(Object::kPrivate, random);
  shape.variant %= 3;
  if (shape.local == 1) shape.local = 2 + shape.salt % 40;
}

/// The next work-item of the group, or the first.
std::string neighbour(KernelText& kernel, const char* id, std::uint64_t back) {
  const std::string is_last = kernel.equal("%lid", back);
  const std::string next = kernel.make("OpIAdd %size {} %size_1", id);
  const std::string first = kernel.make("OpISub %size {} %size_{}", id, back);
  return kernel.make("OpSelect %size {} {} {}", is_last, first, next);
}

/// Makes the work-item get its neighbour's pointer; in the benign twin it gets its own.
std::string exchanged(KernelText& kernel, const std::string& pointer) {
  const Shape& shape = kernel.shape();
  if (shape.variant == kByBroadcast) {
    std::string integer = kernel.to_integer(pointer);
    if (!shape.benign) integer = kernel.make("OpGroupBroadcast %size %uint_2 {} %size_0", integer);
    return kernel.from_integer(integer, shape.via);
  }
  const bool is_local = shape.variant == kInLocal;
  const char* const id = is_local ? "%lid" : "%gid";
  const auto slot = [&](const std::string& number) {
    const std::string type = kernel.pointer(shape.via);
    return is_local ? kernel.local_slot(number, type) : kernel.slot_of(number, type);
  };
  kernel.line("store {} {}", slot(id), pointer);
  kernel.barrier();
  std::string found =
      kernel.make("load {}", slot(shape.benign ? id : neighbour(kernel, id, shape.local - 1)));
  kernel.barrier();
  return found;
}

/// The twin's pointer, unless it is not equal to the one that the work-item put there: then null.
std::string compared(Draft& draft, const std::string& pointer, const std::string& own) {
  if (!draft.shape.benign) return pointer;
  KernelText& kernel = draft.kernel;
  const std::string a = kernel.to_integer(pointer), b = kernel.to_integer(own);
  const std::string same = kernel.make("OpIEqual %bool {} {}", a, b);
  return kernel.make("OpSelect %{} {} {} {}", kernel.pointer(draft.shape.via), same, pointer,
                     null_pointer(draft));
}

/// Whose pointer the work-item finds.
std::uint32_t giver(const Shape& shape, std::uint32_t item) {
  const std::uint32_t lid = item % shape.local, first = item - lid;
  return shape.variant == kByBroadcast ? first : first + (lid + 1) % shape.local;
}

Case make_item(Draft& draft) {
  const Shape& shape = draft.shape;
  return one_launch(draft, {Object::kPrivate}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const std::string own =
        kernel.recast(kernel.own(Object::kPrivate), Space::kFunction, shape.via, false);
    kernel.access(compared(d, exchanged(kernel, own), own), own);
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan =
              plan_at(shape, Object::kPrivate, kernel.own_offset(Object::kPrivate, item));
          const bool is_own = shape.variant == kByBroadcast && item % shape.local == 0;
          if (shape.benign || is_own) return plan;
          // 32-bit addresses have no room to say whose they are: each work-item's are its own.
          if (shape.wide) plan.fate = Fate::kOtherItem;
          plan.offset = kernel.own_offset(Object::kPrivate, giver(shape, item));
          return plan;
        },
        Object::kPrivate);
  });
}

// ---- group: another work-group's local memory ---------------------------------------------------

void fit_group(Shape& shape, Random& random) {
  if (shape.object != Object::kLocalArgument) shape.object = Object::kLocal;
  shape.via = some_space(shape.object, random);
  if (shape.groups == 1) shape.groups = 3;
  // The buffer of slots holds the groups' addresses.
  if (shape.carry == Carry::kGlobalSlot) shape.carry = Carry::kInteger;
}

/// The number of the group before, or of the first; the twin's is its own.
std::string group_before(KernelText& kernel) {
  if (kernel.shape().benign) return kernel.group();
  const std::string is_first = kernel.equal(kernel.group(), 0);
  const std::string before = kernel.make("OpISub %size {} %size_1", kernel.group());
  return kernel.make("OpSelect %size {} %size_0 {}", is_first, before);
}

/// Waits until that group has stored its address, and gives it.
std::string wait_for(KernelText& kernel, const std::string& slot) {
  const std::string head = kernel.fresh("head"), again = kernel.fresh("again"),
                    done = kernel.fresh("done");
  kernel.line("OpBranch {}", head);
  kernel.label(head);
  std::string address = kernel.make("OpAtomicLoad %size {} %uint_1 %uint_16", slot);
  const std::string is_there = kernel.make("OpINotEqual %bool {} %size_0", address);
  kernel.line("OpLoopMerge {1} {2} None\nOpBranchConditional {0} {1} {2}", is_there, done, again);
  kernel.label(again);
  kernel.line("OpBranch {}", head);
  kernel.label(done);
  return address;
}

Case make_group(Draft& draft) {
  const Shape& shape = draft.shape;
  return one_launch(draft, {shape.object}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const std::string integer = kernel.to_integer(kernel.base(shape.object));
    kernel.line("OpAtomicStore {} %uint_1 %uint_16 {}", kernel.slot_of(kernel.group(), "size"),
                integer);
    const std::string address = wait_for(kernel, kernel.slot_of(group_before(kernel), "size"));
    const std::string base = kernel.from_integer(address, Space::kWorkgroup);
    const std::string bad =
        kernel.at_element(base, Space::kWorkgroup, kernel.own_number(shape.object));
    const std::string own =
        kernel.recast(kernel.own(shape.object), Space::kWorkgroup, shape.via, false);
    kernel.access(compared(d, kernel.recast(bad, Space::kWorkgroup, shape.via, false), own), own);
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan = plan_at(shape, shape.object, kernel.own_offset(shape.object, item));
          if (shape.benign || item < shape.local) return plan;
          if (shape.wide) plan.fate = Fate::kOtherGroup;
          return plan;
        },
        shape.object);
  });
}

}  // namespace

const std::vector<Family>& owner_families() {
  static const std::vector<Family> all = {
      {"space", fit_space, make_space},         {"lifetime", fit_private, make_lifetime},
      {"returned", fit_private, make_returned}, {"item", fit_item, make_item},
      {"group", fit_group, make_group},
  };
  return all;
}

}  // namespace transpire::hostile
