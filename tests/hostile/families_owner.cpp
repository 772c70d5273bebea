// Families whose addresses are true ones, of memory that is not the access's to use: of another
// storage class, another work-item, another work-group, or an object whose lifetime has ended.
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

// ---- lifetime: an access after OpLifetimeStop ---------------------------------------------------

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

// ---- returned: a variable of a function that has returned ---------------------------------------

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

}  // namespace

const std::vector<Family>& owner_families() {
  static const std::vector<Family> all = {
      {"space", fit_space, make_space},
      {"lifetime", fit_private, make_lifetime},
      {"returned", fit_private, make_returned},
  };
  return all;
}

}  // namespace transpire::hostile
