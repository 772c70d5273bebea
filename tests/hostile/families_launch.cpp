// Families in which what was done before the launch, or when it was bound, decides: addresses kept
// from an earlier launch, and a buffer that is bound as constant and as writable memory.
#include <utility>

#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

// ---- launch: an address that an earlier launch kept ---------------------------------------------

enum Kept {
  kReleased = 1,    ///< of a buffer: it is released, and others of its size are made
  kOwnKernel = 2,   ///< another kernel keeps the address, else the one that uses it
  kInVariable = 4,  ///< in a program-scope variable, else in a buffer
};

void fit_launch(Shape& shape, Random& random) {
  constexpr Object kObjects[] = {Object::kOld, Object::kOld, Object::kPrivate, Object::kLocal};
  shape.object = random.pick(kObjects);
  shape.via = some_space(shape.object, random);
  shape.form = Form::kMixed;
  shape.variant %= 8;
  // A kernel that finds no address yet makes none up; a variable would still hold the last run's.
  if ((shape.variant & kOwnKernel) == 0) shape.variant &= ~static_cast<unsigned>(kInVariable);
  // The buffer of slots holds the kept addresses. 32-bit addresses are too few to be used once
  // only.
  if (shape.carry == Carry::kGlobalSlot) shape.carry = Carry::kInteger;
  shape.wide = true;
}

/// Where the work-item's address is kept.
std::string place_of_kept(Draft& draft, const std::string& variable) {
  KernelText& kernel = draft.kernel;
  const std::string type = kernel.pointer(draft.shape.via);
  if (variable.empty()) return kernel.slot_of(kernel.gid(), type);
  return kernel.module().op("OpInBoundsAccessChain " +
                            kernel.module().pointer(Space::kCrossWorkgroup, type) + " " + variable +
                            " " + kernel.gid());
}

/// The work-item's own element of the object that is kept: in the first launch, a buffer is the
/// target.
std::string kept_pointer(Draft& draft) {
  const Object object = draft.shape.object == Object::kOld ? Object::kTarget : draft.shape.object;
  return draft.kernel.recast(draft.kernel.own(object), native_space(object), draft.shape.via,
                             false);
}

void keep(Draft& draft, const std::string& variable) {
  ModuleText& module = draft.kernel.module();
  module.store(place_of_kept(draft, variable), kept_pointer(draft), module.pointer_bytes());
}

/// Pointers of the storage class need a good object: the one that is kept, or the target.
Object good_object(const Shape& shape) {
  return shape.object == Object::kOld ? Object::kTarget : shape.object;
}

void write_use(Draft& draft, const std::string& variable) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string type = kernel.pointer(shape.via), size = module.size_type();
  // The twin's variables are kept anew in each launch; its buffer is bound again.
  const bool is_buffer = shape.object == Object::kOld;
  if (shape.benign && !is_buffer) keep(draft, variable);
  const std::string good = kept_pointer(draft);
  std::string found = module.load(type, place_of_kept(draft, variable), module.pointer_bytes());
  if ((shape.variant & kOwnKernel) == 0) {
    const std::string integer = module.op("OpConvertPtrToU " + size + " " + found);
    const std::string is_first =
        module.op("OpIEqual " + module.boolean() + " " + integer + " " + module.size(0));
    found = module.op("OpSelect " + type + " " + is_first + " " + good + " " + found);
  }
  kernel.access(found, good);
  if ((shape.variant & kOwnKernel) == 0) keep(draft, variable);
}

void plan_use(Draft& draft) {
  const Shape& shape = draft.shape;
  plan_lanes(
      draft,
      [&](std::uint32_t item) {
        LanePlan plan = plan_at(shape, shape.object, draft.kernel.own_offset(shape.object, item));
        if (shape.benign) return plan;
        // What lies at the address of another kernel's variable, only the VM knows.
        plan.knows_place = shape.object == Object::kOld || (shape.variant & kOwnKernel) == 0;
        plan.fate = shape.object == Object::kOld       ? Fate::kUnbound
                    : !plan.knows_place                ? Fate::kOtherKernel
                    : shape.object == Object::kPrivate ? Fate::kOtherItem
                                                       : Fate::kOtherGroup;
        return plan;
      },
      good_object(shape));
}

/// The first launch of a kernel that finds no address: everyone accesses the good object.
void model_first_launch(Draft& draft) {
  const Object good = good_object(draft.shape);
  std::vector<LanePlan> plans;
  for (std::uint32_t item = 0; item < draft.shape.items(); ++item)
    plans.push_back(plan_at(draft.shape, good, draft.kernel.own_offset(good, item)));
  std::swap(draft.memories.target, draft.memories.old);
  draft.memories.access_all(plans);
  std::swap(draft.memories.target, draft.memories.old);
  draft.memories.make_variables();
}

void bind(LaunchSpec& launch, const std::string& parameter, const std::string& buffer) {
  for (ArgumentSpec& argument : launch.arguments)
    if (argument.buffer == parameter) argument.buffer = buffer;
}

Case make_launch(Draft& draft) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  const bool has_own_kernel = (shape.variant & kOwnKernel) != 0;
  const bool is_variable = shape.object != Object::kOld;
  const std::string kept_type = kernel.module().array(kernel.pointer(shape.via), shape.items());
  const std::string variable =
      (shape.variant & kInVariable) == 0
          ? std::string()
          : kernel.module().named_global(
                "kept", "OpVariable " + kernel.module().pointer(Space::kCrossWorkgroup, kept_type) +
                            " CrossWorkgroup " +
                            kernel.module().global("OpConstantNull " + kept_type));
  if (has_own_kernel) {
    kernel.begin("keep");
    if (is_variable) kernel.make(shape.object);
    keep(draft, variable);
    kernel.end();
  } else {
    model_first_launch(draft);
  }
  const std::vector<Object> objects =
      is_variable ? std::vector{shape.object} : std::vector<Object>{};
  Case made = one_launch(draft, objects, [&](Draft& d) {
    write_use(d, variable);
    plan_use(d);
  });
  LaunchSpec first = launch_of(shape, has_own_kernel ? "keep" : "test");
  bind(first, "target", "old");
  made.launches.insert(made.launches.begin(), first);
  BufferSpec& old = made.buffers.emplace_back();
  old.name = "old";
  old.initial = draft.initial_old;
  old.expected = draft.memories.old;
  if (shape.benign && !is_variable)
    bind(made.launches[1], "before", "old");
  else if ((shape.variant & kReleased) != 0)
    old.released_after = 0;
  for (BufferSpec& buffer : made.buffers)
    if (buffer.name == "target") buffer.created_for = 1;
  return made;
}

// ---- alias: a buffer as constant and as writable memory -----------------------------------------

void fit_alias(Shape& shape, Random&) {
  shape.object = Object::kTarget;
  shape.via = Space::kCrossWorkgroup;
  shape.form = Form::kMixed;
  if (writes(shape.access)) return;
  shape.access = is_atomic(shape.access) ? Access::kAtomicIAdd : Access::kStore;
}

/// Reads the constant argument before and after the access. The twin's is another buffer.
Case make_alias(Draft& draft) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const std::string type = kernel.pointer(Space::kUniformConstant);
  const std::uint64_t width = shape.width();
  const std::string constant_name = shape.benign ? "old" : "target";
  Bytes& constant = shape.benign ? draft.memories.old : draft.memories.target;
  const auto keep_constant = [&](unsigned number) {
    const std::string at = module.element_at(type, module.parameter("constant"), kernel.gid());
    module.store(kernel.readback_at(number), module.load(kernel.element(), at, width), width);
  };
  const auto expect_constant = [&](unsigned number) {
    for (std::uint64_t item = 0; item < shape.items(); ++item)
      std::copy_n(
          constant.data() + item * width, width,
          draft.memories.readback.data() + (item * Memories::kReadbackElements + number) * width);
  };
  kernel.begin("test", {{"constant", type}});
  keep_constant(0);
  kernel.access(kernel.carry(kernel.own(Object::kTarget)));
  keep_constant(1);
  kernel.end();
  for (std::uint32_t item = 0; item < shape.items(); ++item)
    draft.plans.push_back(
        plan_at(shape, Object::kTarget, kernel.own_offset(Object::kTarget, item)));
  expect_constant(0);
  draft.memories.access_all(draft.plans);
  expect_constant(1);
  Case made = begin_case(draft);
  made.text = module.text();
  add_buffers(draft, made);
  BufferSpec& old = made.buffers.emplace_back();
  old.name = "old";
  old.initial = old.expected = draft.memories.old;
  made.launches.push_back(launch_of(shape, "test"));
  made.launches[0].arguments.push_back({ArgumentSpec::Kind::kBuffer, constant_name});
  if (!shape.benign) made.launches[0].findings.push_back({{"TSP-R0029"}, 0, 0, 0, "", "constant"});
  return made;
}

}  // namespace

const std::vector<Family>& launch_families() {
  static const std::vector<Family> all = {
      {"launch", fit_launch, make_launch},
      {"alias", fit_alias, make_alias},
  };
  return all;
}

}  // namespace transpire::hostile
