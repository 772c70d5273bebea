// Families whose addresses another one gave: of another work-item's private memory, of another
// work-group's local memory. The twins keep and load their own.
#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

// ---- item: another work-item's private variable -------------------------------------------------

enum Exchange { kInBuffer, kInLocal, kByBroadcast };

void fit_item(Shape& shape, Random& random) {
  shape.object = Object::kPrivate;
  shape.via = some_space(Object::kPrivate, random);
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

/// The twin's pointer, unless it is not equal to the one that the work-item put there: then null.
std::string compared(Draft& draft, const std::string& pointer, const std::string& own) {
  if (!draft.shape.benign) return pointer;
  ModuleText& module = draft.kernel.module();
  const std::string type = draft.kernel.pointer(draft.shape.via), size = module.size_type();
  const std::string a = module.op("OpConvertPtrToU " + size + " " + pointer);
  const std::string b = module.op("OpConvertPtrToU " + size + " " + own);
  const std::string same = module.op("OpIEqual " + module.boolean() + " " + a + " " + b);
  return module.op("OpSelect " + type + " " + same + " " + pointer + " " +
                   module.global("OpConstantNull " + type));
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
    kernel.access(compared(d, exchanged(d, own), own), own);
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

const std::vector<Family>& exchange_families() {
  static const std::vector<Family> all = {
      {"item", fit_item, make_item},
      {"group", fit_group, make_group},
  };
  return all;
}

}  // namespace transpire::hostile
