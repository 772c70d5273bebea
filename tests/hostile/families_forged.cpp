// Families of addresses that were computed from no object, and of memory that does not permit the
// access.
#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

// ---- forged -----------------------------------------------------------------------------------

enum Forged { kNullConstant, kNearNull, kStrayLow, kStrayHigh, kZeroInMemory, kHostAddress };

void fit_forged(Shape& shape, Random& random) {
  shape.variant %= shape.wide ? 6 : 5;
  shape.via = some_space(shape.object, random);
  if (shape.form != Form::kAffine && shape.form != Form::kRow) shape.form = Form::kMixed;
  if (shape.variant == kHostAddress || shape.variant == kZeroInMemory) shape.form = Form::kRow;
}

std::uint64_t forged_address(const Shape& shape) {
  const std::uint64_t some = shape.salt & ~std::uint64_t{0xff};
  const auto within = [&](unsigned low_bit, unsigned high_bit) {
    const std::uint64_t low = std::uint64_t{1} << low_bit, high = std::uint64_t{1} << high_bit;
    return low + (some % (high - low) & ~std::uint64_t{0xff}) / 2;
  };
  switch (shape.variant) {
    case kNearNull:
      return shape.wide ? within(8, 36) : within(8, 15);
    case kStrayLow:
      return shape.wide ? within(37, 46) : 0xE0000000u + within(8, 28);
    case kStrayHigh:
      return shape.wide ? within(62, 63) : 0xF0000000u + within(8, 27);
    default:
      return 0;
  }
}

std::string forged_pointer(Draft& draft) {
  KernelText& kernel = draft.kernel;
  ModuleText& module = kernel.module();
  const Space via = draft.shape.via;
  if (draft.shape.form == Form::kRow) return kernel.from_integer(kernel.loaded_index(), via);
  if (draft.shape.variant == kNullConstant)
    return module.global("OpConstantNull " + kernel.pointer(via));
  std::string integer = module.size(forged_address(draft.shape));
  if (draft.shape.form == Form::kAffine) {
    const std::string bytes = module.op("OpIMul " + module.size_type() + " " + kernel.gid() + " " +
                                        module.size(draft.shape.width()));
    integer = module.op("OpIAdd " + module.size_type() + " " + integer + " " + bytes);
  }
  return kernel.from_integer(integer, via);
}

Case make_forged(Draft& draft) {
  const Shape& shape = draft.shape;
  const Object object = shape.object;
  const bool is_null = shape.variant <= kNearNull || shape.variant == kZeroInMemory;
  return one_launch(draft, {object}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const std::string good =
        kernel.recast(kernel.own(object), native_space(object), shape.via, false);
    // The twin's integer is that of a true pointer.
    std::string bad = good;
    if (shape.benign)
      bad = kernel.from_integer(
          kernel.module().op("OpConvertPtrToU " + kernel.module().size_type() + " " + good),
          shape.via);
    else
      bad = forged_pointer(d);
    kernel.access(bad, good);
    for (std::uint32_t item = 0; item < shape.items(); ++item)
      d.index[item] =
          shape.variant == kZeroInMemory ? 0 : forged_address(shape) + item * shape.width();
    d.index_is_host_address = shape.variant == kHostAddress;
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan = plan_at(shape, object, kernel.own_offset(object, item));
          if (!shape.benign) plan.fate = is_null ? Fate::kNull : Fate::kStray;
          return plan;
        },
        object);
  });
}

// ---- permission -------------------------------------------------------------------------------

void fit_permission(Shape& shape, Random& random) {
  shape.read_only = writes(shape.access) && (!reads(shape.access) || random.chance(50));
  shape.write_only = !shape.read_only;
  shape.object = Object::kTarget;
  shape.via = some_space(shape.object, random);
}

/// The buffer permits not all that the kernel does; the good work-items use a variable.
Case make_permission(Draft& draft) {
  const Shape& shape = draft.shape;
  return one_launch(draft, {Object::kProgram}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    const Space native = Space::kCrossWorkgroup;
    const std::string bad = kernel.recast(kernel.own(Object::kTarget), native, shape.via, false);
    const std::string good = kernel.recast(kernel.own(Object::kProgram), native, shape.via, false);
    kernel.access(bad, good);
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          return plan_at(shape, Object::kTarget, kernel.own_offset(Object::kTarget, item));
        },
        Object::kProgram);
  });
}

}  // namespace

const std::vector<Family>& forged_families() {
  static const std::vector<Family> all = {
      {"forged", fit_forged, make_forged},
      {"permission", fit_permission, make_permission},
  };
  return all;
}

}  // namespace transpire::hostile
