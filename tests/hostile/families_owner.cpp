// Families whose addresses are true ones, of memory that is not the access's to use: of another
// storage class, another work-item, another work-group, or an object whose lifetime has ended.
#include <cstring>

#include "draft.h"

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
    const std::uint64_t align = kernel.module().pointer_bytes();
    kernel.module().store(kernel.slot_of(kernel.gid(), kernel.pointer(native)), pointer, align);
    const std::string type = kernel.pointer(draft.shape.via);
    return kernel.module().load(type, kernel.slot_of(kernel.gid(), type), align);
  }
  if (draft.shape.variant == kByGeneric && native != Space::kUniformConstant) {
    const std::string generic = kernel.recast(pointer, native, Space::kGeneric, false);
    return kernel.recast(generic, Space::kGeneric, draft.shape.via, false);
  }
  const std::string integer =
      kernel.module().op("OpConvertPtrToU " + kernel.module().size_type() + " " + pointer);
  return kernel.from_integer(integer, draft.shape.via);
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

// ---- lifetime: an access after OpLifetimeStop
// -----------------------------------------------------

void fit_private(Shape& shape, Random& random) {
  shape.object = Object::kPrivate;
  shape.via = some_space(Object::kPrivate, random);
}

/// Writes "if the work-item is bad (or not bad), then".
void when(Draft& draft, bool bad, const std::function<void()>& then) {
  ModuleText& module = draft.kernel.module();
  const std::string yes = module.fresh("then"), after = module.fresh("after");
  const std::string condition = draft.kernel.condition();
  module.act("OpSelectionMerge " + after + " None");
  module.act("OpBranchConditional " + condition + " " + (bad ? yes : after) + " " +
             (bad ? after : yes));
  module.label(yes);
  then();
  module.act("OpBranch " + after);
  module.label(after);
}

/// A variable of one element, or of four of which each work-item takes one.
std::string make_variable(Draft& draft, const std::string& name, bool is_array,
                          std::string& whole) {
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string type = kernel.pointer(Space::kFunction);
  const auto fill = [&](const std::string& to, unsigned number) {
    module.store(to, module.load(kernel.element(), kernel.fill_at(number), draft.shape.width()),
                 draft.shape.width());
  };
  if (!is_array) {
    whole = module.variable(kernel.element(), name);
    module.act("OpLifetimeStart " + whole + " 0");
    fill(whole, 0);
    return whole;
  }
  whole =
      module.variable(module.array(kernel.element(), draft.shape.elements(Object::kPrivate)), name);
  module.act("OpLifetimeStart " + whole + " 0");
  for (unsigned i = 0; i < draft.shape.elements(Object::kPrivate); ++i)
    fill(module.op("OpInBoundsAccessChain " + type + " " + whole + " " + module.size(i)), i);
  return module.op("OpInBoundsAccessChain " + type + " " + whole + " " +
                   kernel.own_number(Object::kPrivate));
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
    ModuleText& module = kernel.module();
    std::string whole;
    const std::string element = make_variable(d, "dying", is_array, whole);
    const auto stop = [&] { module.act("OpLifetimeStop " + whole + " 0"); };
    if (!shape.benign) when(d, true, stop);
    kernel.access(kernel.recast(element, Space::kFunction, shape.via, false));
    const auto keep = [&] {
      module.store(kernel.readback_at(1), module.load(kernel.element(), element, shape.width()),
                   shape.width());
      stop();
    };
    when(d, false, keep);
    if (shape.benign) when(d, true, keep);
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

// ---- returned: a variable of a function that has returned
// -----------------------------------------

enum Returned { kMarkers = 1, kNested = 2, kArray = 4 };

/// A function that gives the address of its variable, which it fills; the twin's gives back its
/// operand.
std::string write_function(Draft& draft) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string type = kernel.pointer(Space::kFunction);
  const ModuleText::Parameters parameters = {{"given", type}, {"number", module.size_type()}};
  const std::string function = module.begin_function(type, parameters);
  const std::string given = module.parameter("given"), number = module.parameter("number");
  if (shape.benign) {
    module.end_function("OpReturnValue " + given);
    return function;
  }
  const std::uint64_t count = (shape.variant & kArray) != 0 ? shape.elements(Object::kPrivate) : 1;
  const std::string lost = module.variable(module.array(kernel.element(), count), "lost");
  for (unsigned i = 0; i < count; ++i) {
    const std::string to =
        module.op("OpInBoundsAccessChain " + type + " " + lost + " " + module.size(i));
    module.store(to, module.load(kernel.element(), given, shape.width()), shape.width());
  }
  const std::string at = count == 1 ? module.size(0) : number;
  module.end_function("OpReturnValue " +
                      module.op("OpInBoundsAccessChain " + type + " " + lost + " " + at));
  return function;
}

/// Hands its operands on to another function.
std::string write_outer_function(Draft& draft, const std::string& inner) {
  ModuleText& module = draft.kernel.module();
  const std::string type = draft.kernel.pointer(Space::kFunction);
  const std::string function =
      module.begin_function(type, {{"given", type}, {"number", module.size_type()}});
  const std::string result =
      module.op("OpFunctionCall " + type + " " + inner + " " + module.parameter("given") + " " +
                module.parameter("number"));
  module.end_function("OpReturnValue " + result);
  return function;
}

Case make_returned(Draft& draft) {
  const Shape& shape = draft.shape;
  const bool is_array = (shape.variant & kArray) != 0;
  std::string function = write_function(draft);
  if ((shape.variant & kNested) != 0) function = write_outer_function(draft, function);
  return one_launch(draft, {Object::kPrivate}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    ModuleText& module = kernel.module();
    std::string marked;
    if ((shape.variant & kMarkers) != 0) make_variable(d, "marked", false, marked);
    const std::string own = kernel.own(Object::kPrivate);
    const std::string lost =
        module.op("OpFunctionCall " + kernel.pointer(Space::kFunction) + " " + function + " " +
                  own + " " + kernel.own_number(Object::kPrivate));
    if (!marked.empty()) module.act("OpLifetimeStop " + marked + " 0");
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

// ---- item: another work-item's private variable
// ---------------------------------------------------

enum Exchange { kInBuffer, kInLocal, kByBroadcast };

void fit_item(Shape& shape, Random& random) {
  fit_private(shape, random);
  shape.variant %= 3;
  if (shape.local == 1) shape.local = 2 + shape.salt % 40;
}

/// The next work-item of the group, or the first.
std::string neighbour(Draft& draft, const std::string& id, std::uint64_t back) {
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string size = module.size_type();
  const std::string is_last =
      module.op("OpIEqual " + module.boolean() + " " + kernel.lid() + " " + module.size(back));
  const std::string next = module.op("OpIAdd " + size + " " + id + " " + module.size(1));
  const std::string first = module.op("OpISub " + size + " " + id + " " + module.size(back));
  return module.op("OpSelect " + size + " " + is_last + " " + first + " " + next);
}

/// What the work-item's neighbour put there; the twin's is its own.
std::string exchanged(Draft& draft, const std::string& pointer) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string type = kernel.pointer(shape.via), size = module.size_type();
  if (shape.variant == kByBroadcast) {
    std::string integer = module.op("OpConvertPtrToU " + size + " " + pointer);
    if (!shape.benign)
      integer = module.op("OpGroupBroadcast " + size + " " + module.uint(2) + " " + integer + " " +
                          module.size(0));
    return kernel.from_integer(integer, shape.via);
  }
  const bool is_local = shape.variant == kInLocal;
  const std::string& id = is_local ? kernel.lid() : kernel.gid();
  const auto slot = [&](const std::string& number) {
    return is_local ? kernel.local_slot(number, type) : kernel.slot_of(number, type);
  };
  module.store(slot(id), pointer, module.pointer_bytes());
  kernel.barrier();
  const std::string from = shape.benign ? id : neighbour(draft, id, shape.local - 1);
  const std::string found = module.load(type, slot(from), module.pointer_bytes());
  kernel.barrier();
  return found;
}

Case make_item(Draft& draft) {
  const Shape& shape = draft.shape;
  return one_launch(draft, {Object::kPrivate}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const std::string own =
        kernel.recast(kernel.own(Object::kPrivate), Space::kFunction, shape.via, false);
    kernel.access(exchanged(d, own), own);
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan =
              plan_at(shape, Object::kPrivate, kernel.own_offset(Object::kPrivate, item));
          const bool is_own = shape.variant == kByBroadcast && item % shape.local == 0;
          if (shape.benign || is_own) return plan;
          plan.fate = Fate::kOtherItem;
          plan.knows_place = false;
          return plan;
        },
        Object::kPrivate);
  });
}

// ---- group: another work-group's local memory
// -----------------------------------------------------

void fit_group(Shape& shape, Random& random) {
  if (shape.object != Object::kLocalArgument) shape.object = Object::kLocal;
  shape.via = some_space(shape.object, random);
  if (shape.groups == 1) shape.groups = 3;
  // The buffer of slots holds the groups' addresses.
  if (shape.carry == Carry::kGlobalSlot) shape.carry = Carry::kInteger;
}

/// The number of the group before, or of the first; the twin's is its own.
std::string group_before(Draft& draft) {
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  if (draft.shape.benign) return kernel.group();
  const std::string size = module.size_type();
  const std::string is_first =
      module.op("OpIEqual " + module.boolean() + " " + kernel.group() + " " + module.size(0));
  const std::string before =
      module.op("OpISub " + size + " " + kernel.group() + " " + module.size(1));
  return module.op("OpSelect " + size + " " + is_first + " " + module.size(0) + " " + before);
}

/// Waits until that group has stored its address, and gives it.
std::string wait_for(Draft& draft, const std::string& slot) {
  ModuleText& module = draft.kernel.module();
  const std::string head = module.fresh("head"), again = module.fresh("again"),
                    done = module.fresh("done");
  module.act("OpBranch " + head);
  module.label(head);
  const std::string address = module.op("OpAtomicLoad " + module.size_type() + " " + slot + " " +
                                        module.uint(1) + " " + module.uint(0x10));
  const std::string is_there =
      module.op("OpINotEqual " + module.boolean() + " " + address + " " + module.size(0));
  module.act("OpLoopMerge " + done + " " + again + " None");
  module.act("OpBranchConditional " + is_there + " " + done + " " + again);
  module.label(again);
  module.act("OpBranch " + head);
  module.label(done);
  return address;
}

Case make_group(Draft& draft) {
  const Shape& shape = draft.shape;
  return one_launch(draft, {shape.object}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    ModuleText& module = kernel.module();
    const std::string size = module.size_type();
    const std::string integer =
        module.op("OpConvertPtrToU " + size + " " + kernel.base(shape.object));
    module.act("OpAtomicStore " + kernel.slot_of(kernel.group(), size) + " " + module.uint(1) +
               " " + module.uint(0x10) + " " + integer);
    const std::string address = wait_for(d, kernel.slot_of(group_before(d), size));
    const std::string base = kernel.from_integer(address, Space::kWorkgroup);
    const std::string bad =
        kernel.at_element(base, Space::kWorkgroup, kernel.own_number(shape.object));
    kernel.access(kernel.recast(bad, Space::kWorkgroup, shape.via, false),
                  kernel.recast(kernel.own(shape.object), Space::kWorkgroup, shape.via, false));
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan = plan_at(shape, shape.object, kernel.own_offset(shape.object, item));
          if (shape.benign || item < shape.local) return plan;
          plan.fate = Fate::kOtherGroup;
          plan.knows_place = false;
          return plan;
        },
        shape.object);
  });
}

}  // namespace

const std::vector<Family>& owner_families() {
  static const std::vector<Family> all = {
      {"space", "TSP-R0003", fit_space, make_space},
      {"lifetime", "TSP-R0003", fit_private, make_lifetime},
      {"returned", "TSP-R0003", fit_private, make_returned},
      {"item", "TSP-R0005", fit_item, make_item},
      {"group", "TSP-R0006", fit_group, make_group},
  };
  return all;
}

}  // namespace transpire::hostile
