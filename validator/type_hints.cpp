#include "validator/type_hints.h"

#include <algorithm>
#include <iterator>

#include "decoder/view/type_queries.h"

namespace transpire::validator {
namespace {

using spv::StorageClass;

/// Numbers and Booleans by what they are made of, and how wide.
enum class Element { kNone, kBool, kInt, kFloat };

Element element_of(const ModuleView& view, Id type) {
  const Id component = is_vector(view, type) ? view.component_type(type) : type;
  if (view.is_int(component)) return Element::kInt;
  if (view.is_float(component)) return Element::kFloat;
  return is_bool(view, component) ? Element::kBool : Element::kNone;
}

/// Between elements of two kinds or widths, the number of components apart.
std::string hint_for_elements(Element found, Element wanted, bool same_width) {
  if (found == Element::kNone || wanted == Element::kNone) return {};
  if (found == wanted) {
    if (same_width) return {};
    return found == Element::kFloat ? "OpFConvert makes a float of another width."
                                    : "OpSConvert and OpUConvert make an integer of another width.";
  }
  if (wanted == Element::kBool)
    return found == Element::kInt
               ? "Compare it, as OpINotEqual does with 0: integers are no Booleans."
               : "Compare it, as OpFUnordNotEqual does with 0: floats are no Booleans.";
  if (found == Element::kBool) return "OpSelect makes a number of a Boolean.";
  return wanted == Element::kFloat ? "OpConvertSToF and OpConvertUToF make floats of integers."
                                   : "OpConvertFToS and OpConvertFToU make integers of floats.";
}

enum class Components { kAny, kScalar, kVector };

struct ClassOfNumbers {
  TypeClass type_class;
  Element element;  ///< kNone: of any
  Components shape;
};

constexpr ClassOfNumbers kNumberClasses[] = {
    {TypeClass::kInt, Element::kInt, Components::kScalar},
    {TypeClass::kFloat, Element::kFloat, Components::kScalar},
    {TypeClass::kBool, Element::kBool, Components::kScalar},
    {TypeClass::kNum, Element::kNone, Components::kScalar},
    {TypeClass::kScalar, Element::kNone, Components::kScalar},
    {TypeClass::kInts, Element::kInt, Components::kAny},
    {TypeClass::kFloats, Element::kFloat, Components::kAny},
    {TypeClass::kBools, Element::kBool, Components::kAny},
    {TypeClass::kIntv, Element::kInt, Components::kVector},
    {TypeClass::kFloatv, Element::kFloat, Components::kVector},
    {TypeClass::kBoolv, Element::kBool, Components::kVector},
    {TypeClass::kVec, Element::kNone, Components::kVector},
    {TypeClass::kSize, Element::kInt, Components::kAny},
    {TypeClass::kLocalid, Element::kInt, Components::kAny},
    {TypeClass::kGeometric, Element::kFloat, Components::kAny},
    {TypeClass::kCross, Element::kFloat, Components::kVector}};

std::string hint_for_pointers(const ModuleView& view, Id found, Id wanted) {
  const auto from = view.storage_class(found), to = view.storage_class(wanted);
  if (from == to) return "OpBitcast makes a pointer to another type of it.";
  if (to == StorageClass::Generic && from != StorageClass::UniformConstant)
    return "OpPtrCastToGeneric makes a Generic pointer of it.";
  if (from == StorageClass::Generic)
    return "OpGenericCastToPtr makes a pointer of one storage class of it.";
  return "A pointer never changes from one storage class to another.";
}

std::string hint_for_components(std::uint32_t found, std::uint32_t wanted) {
  if (found == wanted) return {};
  if (found == 1)
    return "OpCompositeConstruct makes a vector of scalars; none is widened by itself.";
  return wanted == 1 ? "OpCompositeExtract takes one component of a vector."
                     : "OpVectorShuffle makes a vector of another length.";
}

}  // namespace

std::string hint_for_types(const ModuleView& view, Id found, Id wanted) {
  if (!view.is_type(found) || !view.is_type(wanted)) return {};
  const bool from_pointer = is_pointer(view, found), to_pointer = is_pointer(view, wanted);
  if (from_pointer && to_pointer) return hint_for_pointers(view, found, wanted);
  if (from_pointer && view.pointee(found) == wanted)
    return "OpLoad gives the value that the pointer points to.";
  if (from_pointer && view.is_int(wanted)) return "OpConvertPtrToU makes an integer of a pointer.";
  if (to_pointer && view.pointee(wanted) == found)
    return "A pointer to it is wanted: to a variable that it was stored in.";
  if (to_pointer && view.is_int(found)) return "OpConvertUToPtr makes a pointer of an integer.";
  if (std::string hint =
          hint_for_elements(element_of(view, found), element_of(view, wanted),
                            component_width(view, found) == component_width(view, wanted));
      !hint.empty())
    return hint;
  if (element_of(view, found) == Element::kNone || element_of(view, wanted) == Element::kNone)
    return {};
  return hint_for_components(component_count(view, found), component_count(view, wanted));
}

std::string hint_for_length(const ModuleView& view, Id found, Id wanted) {
  if (element_of(view, found) == Element::kNone || element_of(view, wanted) == Element::kNone)
    return {};
  return hint_for_components(component_count(view, found), component_count(view, wanted));
}

std::string hint_for_class(const ModuleView& view, Id found, TypeClass wanted) {
  if (wanted == TypeClass::kPtr && view.is_int(found))
    return "Name a pointer: a variable, a parameter, or the result of an access chain. "
           "OpConvertUToPtr makes one of an integer.";
  if (wanted == TypeClass::kPtr && !is_pointer(view, found))
    return "Name a pointer: a variable, a parameter, or the result of an access chain.";
  const auto row = std::ranges::find(kNumberClasses, wanted, &ClassOfNumbers::type_class);
  if (row == std::end(kNumberClasses)) return {};
  if (row->element != Element::kNone && is_pointer(view, found) &&
      element_of(view, view.pointee(found)) == row->element)
    return row->element == Element::kInt
               ? "OpLoad gives the value that the pointer points to, OpConvertPtrToU its address."
               : "OpLoad gives the value that the pointer points to.";
  if (row->element == Element::kInt && is_pointer(view, found))
    return "OpConvertPtrToU makes an integer of a pointer.";
  const Element element = element_of(view, found);
  if (std::string hint = hint_for_elements(element, row->element, true); !hint.empty()) return hint;
  const bool vector = is_vector(view, found);
  if (row->shape == Components::kScalar && vector) return hint_for_components(2, 1);
  if (row->shape == Components::kVector && !vector && element != Element::kNone)
    return hint_for_components(1, 2);
  return {};
}

}  // namespace transpire::validator
