// Families whose addresses are wrong in themselves: outside, misaligned, wrapped, or computed from no object; and of memory
// that does not permit the access.
#include <bit>

#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

constexpr std::uint64_t kWideSlot = std::uint64_t{1} << 36, kNarrowSlot = std::uint64_t{1} << 16;

std::uint64_t slot_bytes(const Shape& shape) { return shape.wide ? kWideSlot : kNarrowSlot; }

std::int64_t size_of(const Shape& shape, Object object) {
  return static_cast<std::int64_t>(shape.elements(object) * shape.width());
}

std::int64_t bias_unit(const Shape& shape) {
  return shape.by_bytes ? 1 : static_cast<std::int64_t>(shape.width());
}

/// `value` + `more`, modulo the width of a pointer.
std::string integer_of(const Shape& shape, std::int64_t value, std::uint64_t more = 0) {
  const std::uint64_t sum = static_cast<std::uint64_t>(value) + more;
  return fmt::format("%size_{}", shape.wide ? sum : static_cast<std::uint32_t>(sum));
}

bool cuts_pointers(Carry carry) {
  return carry == Carry::kInteger || carry == Carry::kPrivateSlot || carry == Carry::kLocalSlot ||
         carry == Carry::kGlobalSlot;
}

// ---- Offsets from an object -------------------------------------------------------------------

/// What a family says of offsets: `bad_offset` replaces the own offset of a bad work-item, or is
/// added to every work-item's where the form has no condition.
struct Offsets {
  std::int64_t bad = 0;
  bool is_bias = false;      ///< added to the own offset
  bool knows_object = true;  ///< findings name the object
  std::uint64_t turn = 0;    ///< elements added to indexes, whose bytes are 0 in an address' width
};

/// The work-item's offset in bytes or elements, in front of `kernel`'s element.
std::string own_number(Draft& draft) {
  const std::string own = draft.kernel.own_number(draft.shape.object);
  if (!draft.shape.by_bytes) return own;
  return draft.kernel.make("OpIMul %size {} %size_{}", own, draft.shape.width());
}

std::string at(Draft& draft, const std::string& number) {
  KernelText& kernel = draft.kernel;
  const Object object = draft.shape.object;
  const Space native = native_space(object);
  const std::string base = kernel.base(object);
  const std::string pointer = draft.shape.by_bytes ? kernel.at_bytes(base, native, number)
                                                   : kernel.at_element(base, native, number);
  return kernel.recast(pointer, native, draft.shape.via, false);
}

/// Tile of 8 columns: element (lid % 8) * rows + lid / 8 of the group's, plus `bias` elements.
std::string planned_number(Draft& draft, std::int64_t bias) {
  KernelText& kernel = draft.kernel;
  const std::uint64_t rows = draft.shape.tile_rows();
  const std::string column =
      kernel.make("OpIMul %size {} %size_{}", kernel.make("OpBitwiseAnd %size %lid %size_7"), rows);
  const std::string row = kernel.make("OpShiftRightLogical %size %lid %size_3");
  const std::string in_tile = kernel.make("OpIAdd %size {} {}", column, row);
  const std::string tile = kernel.make("OpIMul %size {} %size_{}", kernel.group(), rows * 8);
  const std::string number = kernel.make("OpIAdd %size {} {}", in_tile, tile);
  return kernel.make("OpIAdd %size {} {}", number, integer_of(draft.shape, bias));
}

std::int64_t planned_offset(const Shape& shape, std::uint32_t item, std::int64_t bias) {
  const std::uint32_t lid = item % shape.local, group = item / shape.local;
  const std::int64_t number =
      (lid % 8) * shape.tile_rows() + lid / 8 + std::int64_t{group} * shape.tile_rows() * 8;
  return (number + bias) * static_cast<std::int64_t>(shape.width());
}

/// The bytes that a bad work-item's address is from the object's start.
std::int64_t offset_of(const Draft& draft, const Offsets& offsets, std::uint32_t item) {
  const std::int64_t own = draft.kernel.own_offset(draft.shape.object, item);
  if (draft.shape.benign) return own;
  return offsets.is_bias ? own + offsets.bad : offsets.bad;
}

LanePlan plan_of(const Draft& draft, const Offsets& offsets, std::int64_t offset) {
  LanePlan plan = plan_at(draft.shape, draft.shape.object, offset);
  // Pointers are cut to 32 bits where they become integers or are stored, not before.
  if (offsets.turn != 0 && !draft.shape.wide && !cuts_pointers(draft.shape.carry))
    plan.fate = Fate::kStray;
  if (plan.fate == Fate::kOutside) plan.knows_place = offsets.knows_object;
  return plan;
}

void write_mixed(Draft& draft, const Offsets& offsets) {
  KernelText& kernel = draft.kernel;
  const Shape& shape = draft.shape;
  const std::string own = own_number(draft);
  std::string number =
      integer_of(shape, shape.benign ? 0 : offsets.bad / bias_unit(shape), offsets.turn);
  if (shape.benign || offsets.is_bias) number = kernel.make("OpIAdd %size {} {}", own, number);
  if (shape.form == Form::kIndexSelect) {
    kernel.access(
        at(draft, kernel.make("OpSelect %size {} {} {}", kernel.condition(), number, own)));
  } else {
    const std::string good = at(draft, own);
    kernel.access(at(draft, number), good);
  }
  plan_lanes(
      draft,
      [&](std::uint32_t item) { return plan_of(draft, offsets, offset_of(draft, offsets, item)); },
      shape.object);
  if (shape.form == Form::kMixed) return;
  for (LanePlan& plan : draft.plans) plan.second_access = false;
}

void write_row(Draft& draft, const Offsets& offsets) {
  draft.kernel.access(at(draft, draft.kernel.loaded_index()));
  for (std::uint32_t item = 0; item < draft.shape.items(); ++item) {
    const std::int64_t offset = draft.shape.is_bad(item)
                                    ? offset_of(draft, offsets, item)
                                    : draft.kernel.own_offset(draft.shape.object, item);
    draft.index[item] = static_cast<std::uint64_t>(offset / bias_unit(draft.shape));
    LanePlan plan = plan_at(draft.shape, draft.shape.object, offset);
    if (draft.shape.is_bad(item)) {
      draft.index[item] += offsets.turn;
      plan = plan_of(draft, offsets, offset);
    }
    draft.plans.push_back(plan);
  }
}

/// Every work-item's own place, moved by the same amount.
void write_affine(Draft& draft, const Offsets& offsets) {
  KernelText& kernel = draft.kernel;
  const std::int64_t bias = draft.shape.benign ? 0 : offsets.bad;
  kernel.access(
      at(draft, kernel.make("OpIAdd %size {} {}", own_number(draft),
                            integer_of(draft.shape, bias / bias_unit(draft.shape), offsets.turn))));
  for (std::uint32_t item = 0; item < draft.shape.items(); ++item)
    draft.plans.push_back(
        plan_of(draft, offsets, kernel.own_offset(draft.shape.object, item) + bias));
}

void write_planned(Draft& draft, const Offsets& offsets) {
  const std::int64_t bias =
      draft.shape.benign ? 0 : offsets.bad / static_cast<std::int64_t>(draft.shape.width());
  draft.kernel.access(at(draft, planned_number(draft, bias)));
  for (std::uint32_t item = 0; item < draft.shape.items(); ++item)
    draft.plans.push_back(plan_of(draft, offsets, planned_offset(draft.shape, item, bias)));
}

void write_offsets(Draft& draft, const Offsets& offsets) {
  switch (draft.shape.form) {
    case Form::kAffine:
      return write_affine(draft, offsets);
    case Form::kPlanned:
      return write_planned(draft, offsets);
    case Form::kRow:
      return write_row(draft, offsets);
    default:
      return write_mixed(draft, offsets);
  }
}

Case offsets_case(Draft& draft, const Offsets& offsets) {
  return one_launch(draft, {draft.shape.object}, [&](Draft& d) { write_offsets(d, offsets); });
}

/// In 32 bits, the slot in front of the first allocation is that of null; variables come first. And
/// what work-items of other groups fill must not be what affine addresses move to.
void avoid_variables(Shape& shape) {
  if (shape.object == Object::kProgram && shape.form == Form::kAffine)
    shape.object = Object::kTarget;
  if (!shape.wide && (shape.object == Object::kConstant || shape.object == Object::kProgram))
    shape.object = Object::kTarget;
}

void fit_offsets(Shape& shape, Random& random) {
  avoid_variables(shape);
  if (shape.form == Form::kPlanned) {
    shape.object = Object::kTarget;
    shape.by_bytes = false;
  }
  shape.via = some_space(shape.object, random);
}

/// Makes pairs of some accesses, where each work-item has room of its own for two.
void fit_pair(Shape& shape, Random& random) {
  const bool one_or_none = shape.access == Access::kLoad || shape.access == Access::kStore;
  if (!one_or_none || shape.form == Form::kPlanned || !random.chance(50)) return;
  // Of several that begin in front of the object, all store into its first element.
  if (writes(shape.access) && shape.form != Form::kAffine) shape.access = Access::kLoad;
  shape.is_pair = true;
  shape.spread = 3;
}

// ---- outside ----------------------------------------------------------------------------------

enum Outside { kBehind, kBefore, kFarBehind, kFarBefore, kInGap, kAcrossEnd, kAcrossStart };

void fit_outside(Shape& shape, Random& random) {
  fit_offsets(shape, random);
  shape.variant %= 7;
  const bool across = shape.variant >= kAcrossEnd;
  if (across && (shape.width() == 1 || shape.form == Form::kPlanned)) shape.variant -= kAcrossEnd;
  if (shape.variant >= kAcrossEnd) shape.by_bytes = true;
  fit_pair(shape, random);
}

/// Elements of descriptors are no bytes; and shared memory has no slots.
void fit_outside_of_shader(Shape& shape, Random& random) {
  constexpr Outside kOfReferences[] = {kBehind, kBefore, kAcrossEnd, kAcrossStart};
  shape.variant = shape.flavour == Flavour::kReferences
                      ? static_cast<unsigned>(random.pick(kOfReferences))
                      : shape.variant % kAcrossEnd;
  fit_outside(shape, random);
}

/// The offset of the first byte that is accessed, of forms with a condition.
std::int64_t outside_offset(const Shape& shape) {
  const auto width = static_cast<std::int64_t>(shape.width());
  const std::int64_t size = size_of(shape, shape.object);
  const auto some = static_cast<std::int64_t>(shape.salt >> 8 & 3) * width;
  const auto part = 1 + static_cast<std::int64_t>(shape.salt >> 8) % (width == 1 ? 1 : width - 1);
  const auto slot = static_cast<std::int64_t>(slot_bytes(shape));
  switch (shape.variant) {
    case kBehind:
      return size + some;
    case kBefore:
      return -width - some;
    case kFarBehind:
      return slot / 2 + some;
    case kFarBefore:
      return -slot / 2 - some;
    case kInGap:
      return slot + some;
    case kAcrossEnd:
      return size - width + part;
    default:
      return -part;
  }
}

Case make_outside(Draft& draft) {
  const Shape& shape = draft.shape;
  Offsets offsets;
  offsets.bad = outside_offset(shape);
  offsets.knows_object = shape.variant != kInGap;
  const bool moves_all = shape.form == Form::kAffine || shape.form == Form::kPlanned;
  // There, what lies behind the end is behind the own place by one or a few elements.
  const auto size = size_of(shape, shape.object);
  if (moves_all && (shape.variant == kBehind || shape.variant == kAcrossEnd))
    offsets.bad += static_cast<std::int64_t>(shape.spread * shape.width()) - size;
  return offsets_case(draft, offsets);
}

// ---- misaligned -------------------------------------------------------------------------------

void fit_misaligned(Shape& shape, Random& random) {
  if (shape.object == Object::kConstant) shape.object = Object::kTarget;
  if (shape.form == Form::kPlanned) shape.form = Form::kRow;
  if (shape.width() == 1) shape.element = {32, 1};
  shape.by_bytes = true;
  shape.spread = 2;
  shape.via = some_space(shape.object, random);
  fit_pair(shape, random);
}

Case make_misaligned(Draft& draft) {
  const auto width = static_cast<std::int64_t>(draft.shape.width());
  Offsets offsets;
  offsets.bad = 1 + static_cast<std::int64_t>(draft.shape.salt >> 8) % (width - 1);
  offsets.is_bias = true;
  return offsets_case(draft, offsets);
}

// ---- wrapped ----------------------------------------------------------------------------------

void fit_wrapped(Shape& shape, Random& random) {
  constexpr Form kForms[] = {Form::kMixed, Form::kIndexSelect, Form::kAffine, Form::kRow};
  shape.form = random.pick(kForms);
  shape.by_bytes = false;
  if (shape.width() == 1) shape.element = {64, 1};
  avoid_variables(shape);
  shape.via = some_space(shape.object, random);
  shape.variant %= 4;
  fit_pair(shape, random);
}

/// Addresses of shaders have 64 bits.
void fit_wrapped_in_shader(Shape& shape, Random& random) {
  shape.wide = true;
  fit_wrapped(shape, random);
}

/// An index so large that its bytes wrap: behind the object or before it. The twin's lead back into
/// it.
Case make_wrapped(Draft& draft) {
  const Shape& shape = draft.shape;
  const unsigned pointer_bits = shape.wide ? 64 : 32;
  const std::int64_t size = size_of(shape, shape.object);
  Offsets offsets;
  offsets.is_bias = true;
  offsets.bad = shape.variant % 2 == 0 ? size : -size - static_cast<std::int64_t>(shape.width());
  const bool comes_back = shape.wide || cuts_pointers(shape.carry);
  if (comes_back || !shape.benign)
    offsets.turn = std::uint64_t{1} << (pointer_bits - std::countr_zero(shape.width()));
  return offsets_case(draft, offsets);
}

// ---- forged -----------------------------------------------------------------------------------

enum Forged { kNullConstant, kNearNull, kStrayLow, kStrayHigh, kZeroInMemory, kHostAddress };

void fit_forged(Shape& shape, Random& random) {
  shape.variant %= shape.wide ? 6 : 5;
  shape.via = some_space(shape.object, random);
  if (shape.form != Form::kAffine && shape.form != Form::kRow) shape.form = Form::kMixed;
  if (shape.variant == kHostAddress || shape.variant == kZeroInMemory) shape.form = Form::kRow;
}

/// The addresses of references are the host's.
void fit_forged_in_shader(Shape& shape, Random& random) {
  shape.variant %= kHostAddress;
  fit_forged(shape, random);
}

std::uint64_t forged_address(const Shape& shape) {
  const std::uint64_t some = shape.salt & ~std::uint64_t{0xff};
  const auto within = [&](unsigned low_bit, unsigned high_bit) {
    const std::uint64_t low = std::uint64_t{1} << low_bit, high = std::uint64_t{1} << high_bit;
    return low + (some % (high - low) & ~std::uint64_t{0xff}) / 2;
  };
  switch (shape.variant) {
    case kNearNull:  // within the first slot: with shared memory slots are small
      if (shape.flavour == Flavour::kReferences) return within(8, 19);
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
  const Shape& shape = draft.shape;
  if (shape.form == Form::kRow) return kernel.from_integer(kernel.loaded_index(), shape.via);
  if (shape.variant == kNullConstant) return null_pointer(draft);
  std::string integer = fmt::format("%size_{}", forged_address(shape));
  if (shape.form == Form::kAffine)
    integer = kernel.make("OpIAdd %size {} {}", integer,
                          kernel.make("OpIMul %size %gid %size_{}", shape.width()));
  return kernel.from_integer(integer, shape.via);
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
    kernel.access(
        shape.benign ? kernel.from_integer(kernel.to_integer(good), shape.via) : forged_pointer(d),
        good);
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

const std::vector<Family>& address_families() {
  static const std::vector<Family> all = {
      {"outside", fit_outside, make_outside},
      {"misaligned", fit_misaligned, make_misaligned},
      {"wrapped", fit_wrapped, make_wrapped},
      {"forged", fit_forged, make_forged},
      {"permission", fit_permission, make_permission},
      {"s_outside", fit_shader<fit_outside_of_shader, true>, make_outside},
      {"s_misaligned", fit_shader<fit_misaligned, false>, make_misaligned},
      {"s_wrapped", fit_shader<fit_wrapped_in_shader, true>, make_wrapped},
      {"s_forged", fit_shader<fit_forged_in_shader, false>, make_forged},
  };
  return all;
}

}  // namespace transpire::hostile
