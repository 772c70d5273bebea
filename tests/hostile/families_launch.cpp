// Families in which what was done before the launch, or when it was bound, decides: addresses kept
// from an earlier launch, and a buffer that is bound as constant and as writable memory.
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

/// A reference to memory that is gone: all memory that there is may be referred to.
void fit_launch_of_shader(Shape& shape, Random& random) {
  fit_launch(shape, random);
  shape.object = Object::kOld;
  shape.variant = kReleased;
}

/// Where the work-item's address is kept.
std::string place_of_kept(KernelText& kernel, const std::string& variable) {
  const std::string type = kernel.pointer(kernel.shape().via);
  if (variable.empty()) return kernel.slot_of("%gid", type);
  return kernel.make("OpInBoundsAccessChain %_ptr_CrossWorkgroup_{} {} %gid", type, variable);
}

/// The work-item's own element of the object that is kept: in the first launch, a buffer is the
/// target.
std::string kept_pointer(Draft& draft) {
  const Object object = draft.shape.object == Object::kOld ? Object::kTarget : draft.shape.object;
  return draft.kernel.recast(draft.kernel.own(object), native_space(object), draft.shape.via,
                             false);
}

void keep(Draft& draft, const std::string& variable) {
  const std::string place = place_of_kept(draft.kernel, variable);
  draft.kernel.line("store {} {}", place, kept_pointer(draft));
}

/// Pointers of the storage class need a good object: the one that is kept, or the target.
Object good_object(const Shape& shape) {
  return shape.object == Object::kOld ? Object::kTarget : shape.object;
}

void write_use(Draft& draft, const std::string& variable) {
  const Shape& shape = draft.shape;
  KernelText& kernel = draft.kernel;
  // The twin's variables are kept anew in each launch; its buffer is bound again.
  const bool is_buffer = shape.object == Object::kOld;
  if (shape.benign && !is_buffer) keep(draft, variable);
  const std::string good = kept_pointer(draft);
  std::string found = kernel.make("load {}", place_of_kept(kernel, variable));
  if ((shape.variant & kOwnKernel) == 0)
    found = kernel.make("OpSelect %{} {} {} {}", kernel.pointer(shape.via),
                        kernel.equal(kernel.to_integer(found), 0), good, found);
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
  std::string variable;
  if ((shape.variant & kInVariable) != 0) {
    const std::string type = kernel.array(kernel.pointer(shape.via), shape.items());
    kernel.global("%no_addresses = OpConstantNull %{}", type);
    variable = kernel.global_variable("kept", type, Space::kCrossWorkgroup, "%no_addresses");
  }
  if (has_own_kernel) {
    kernel.begin("keep");
    if (is_variable) kernel.make_object(shape.object);
    keep(draft, variable);
    kernel.end_function();
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
    if (buffer.name == "target" && !made.by_reference) buffer.created_for = 1;
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
  const std::uint64_t width = shape.width();
  const std::string constant_name = shape.benign ? "old" : "target";
  Bytes& constant = shape.benign ? draft.memories.old : draft.memories.target;
  const auto keep_constant = [&](unsigned number) {
    kernel.copy_element(kernel.readback_at(number), "%constant[%gid]");
  };
  const auto expect_constant = [&](unsigned number) {
    for (std::uint64_t item = 0; item < shape.items(); ++item)
      std::copy_n(
          constant.data() + item * width, width,
          draft.memories.readback.data() + (item * Memories::kReadbackElements + number) * width);
  };
  kernel.begin("test", ", %_ptr_UniformConstant_element constant");
  keep_constant(0);
  kernel.access(kernel.carry(kernel.own(Object::kTarget)));
  keep_constant(1);
  kernel.end_function();
  for (std::uint32_t item = 0; item < shape.items(); ++item)
    draft.plans.push_back(
        plan_at(shape, Object::kTarget, kernel.own_offset(Object::kTarget, item)));
  expect_constant(0);
  draft.memories.access_all(draft.plans);
  expect_constant(1);
  Case made = begin_case(draft);
  made.text = kernel.text();
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
      {"s_launch", fit_shader<fit_launch_of_shader, false>, make_launch},
  };
  return all;
}

}  // namespace transpire::hostile
