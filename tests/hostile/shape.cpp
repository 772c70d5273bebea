#include "tests/hostile/shape.h"

#include <fmt/format.h>

#include <array>

namespace transpire::hostile {
namespace {

constexpr std::uint32_t kPrivateElements = 4;
constexpr std::uint32_t kConstantElements = 16;

constexpr std::array kAccesses = {"Load",
                                  "Store",
                                  "AtomicLoad",
                                  "AtomicStore",
                                  "AtomicIAdd",
                                  "AtomicExchange",
                                  "AtomicCompareExchange",
                                  "AtomicUMax"};
constexpr std::array kSpaces = {"CrossWorkgroup", "Workgroup", "Function", "Generic",
                                "UniformConstant"};
constexpr std::array kObjects = {"target", "mine", "shared", "lmem", "table", "program", "old"};
constexpr std::array kLanes = {"all", "one", "odd", "last"};
constexpr std::array kMixes = {"select", "phi", "branch"};
constexpr std::array kCarries = {"directly",   "private slot", "local slot", "global slot",
                                 "an integer", "a bitcast",    "Generic"};
constexpr std::array kFlavours = {"Physical", "descriptors, ", "references, "};
constexpr std::array kForms = {"pointer", "index", "affine", "row", "planned"};

template <class Enum>
std::size_t number(Enum value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

bool is_atomic(Access access) {
  return access >= Access::kAtomicLoad && access <= Access::kAtomicUMax;
}

bool is_copy(Access access) { return access >= Access::kCopyFrom; }

bool reads(Access access) {
  return access != Access::kStore && access != Access::kAtomicStore && access != Access::kCopyTo &&
         access != Access::kCopySizedTo;
}

bool writes(Access access) {
  return access != Access::kLoad && access != Access::kAtomicLoad && access != Access::kCopyFrom &&
         access != Access::kCopySizedFrom;
}

std::string opcode_of(Access access) {
  if (is_copy(access))
    return access < Access::kCopySizedFrom ? "OpCopyMemory" : "OpCopyMemorySized";
  return std::string("Op") + kAccesses[number(access)];
}
std::string spell(Space space) { return kSpaces[number(space)]; }
std::string name_of(Object object) { return kObjects[number(object)]; }

Space native_space(Object object) {
  switch (object) {
    case Object::kPrivate:
      return Space::kFunction;
    case Object::kLocal:
    case Object::kLocalArgument:
      return Space::kWorkgroup;
    case Object::kConstant:
      return Space::kUniformConstant;
    default:
      return Space::kCrossWorkgroup;
  }
}

bool Shape::is_bad(std::uint32_t item) const {
  switch (lanes) {
    case Lanes::kAll:
      return true;
    case Lanes::kOne:
      return item == salt % items();
    case Lanes::kOdd:
      return item % 2 == 1;
    case Lanes::kLast:
      return item + 1 == items();
  }
  return false;
}

std::uint64_t Shape::elements(Object which) const {
  switch (which) {
    case Object::kPrivate:
      return kPrivateElements;
    case Object::kConstant:
      return kConstantElements;
    case Object::kLocal:
    case Object::kLocalArgument:
      return std::uint64_t{local} * spread;
    case Object::kTarget:
      if (form == Form::kPlanned) return std::uint64_t{groups} * tile_rows() * 8;
      [[fallthrough]];
    default:
      return std::uint64_t{items()} * spread;
  }
}

std::string describe(const Shape& s) {
  return fmt::format(
      "{}.{}{}, {}{}, {}{} of {}x{} bits, {} through {}; lanes {} by {}, {}, carried {}; "
      "groups {} of {}{}{}",
      s.family, s.variant, s.benign ? " twin" : "", kFlavours[number(s.flavour)], s.wide ? 64 : 32,
      opcode_of(s.access), s.is_pair ? " twice" : "", s.element.components, s.element.bits,
      name_of(s.object), spell(s.via), kLanes[number(s.lanes)], kMixes[number(s.mix)],
      kForms[number(s.form)], kCarries[number(s.carry)], s.groups, s.local,
      s.read_only ? ", read-only" : "", s.write_only ? ", write-only" : "");
}

}  // namespace transpire::hostile
