#include "tests/hostile/kernel_text.h"

#include <cstring>

#include "tests/hostile/case.h"

namespace transpire::hostile {
namespace {

/// Of UniformConstant variables: the bytes as a constant of an array of elements.
std::string table_constant(ModuleText& module, const Shape& shape, const Bytes& bytes) {
  const std::string scalar = module.integer(shape.element.bits),
                    element = module.type(shape.element);
  const std::uint64_t count = shape.elements(Object::kConstant), step = shape.element.bits / 8;
  std::string all = "OpConstantComposite " + module.array(element, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string parts;
    for (unsigned c = 0; c < shape.element.components; ++c) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + i * shape.width() + c * step, step);
      parts += " " + module.number(scalar, value);
    }
    all += shape.element.components == 1
               ? parts
               : " " + module.global("OpConstantComposite " + element + parts);
  }
  return module.global(all);
}

}  // namespace

KernelText::KernelText(const Shape& shape, const Bytes& constants)
    : shape_(shape), module_(shape.wide) {
  const std::string table_type = module_.array(element(), shape_.elements(Object::kConstant));
  const std::string initial = table_constant(module_, shape_, constants);
  table_ = module_.named_global("table", "OpVariable " +
                                             module_.pointer(Space::kUniformConstant, table_type) +
                                             " UniformConstant " + initial);
  const std::string program_type = module_.array(element(), shape_.elements(Object::kProgram));
  program_ = module_.named_global(
      "program", "OpVariable " + module_.pointer(Space::kCrossWorkgroup, program_type) +
                     " CrossWorkgroup " + module_.global("OpConstantNull " + program_type));
}

void KernelText::begin(const std::string& name, const ModuleText::Parameters& more) {
  const std::string bytes = module_.pointer(Space::kCrossWorkgroup, module_.integer(8));
  const std::string elements = pointer(Space::kCrossWorkgroup);
  const std::string sizes = module_.pointer(Space::kCrossWorkgroup, module_.size_type());
  const std::string words = module_.pointer(Space::kCrossWorkgroup, module_.integer(32));
  ModuleText::Parameters parameters = {{"before", bytes},
                                       {"target", elements},
                                       {"after", bytes},
                                       {"out", elements},
                                       {"data", elements},
                                       {"fill", elements},
                                       {"readback", elements},
                                       {"index", sizes},
                                       {"slots", sizes},
                                       {"who", words},
                                       {"bytes", module_.size_type()}};
  if (shape_.object == Object::kLocalArgument)
    for (const char* local : {"lmem_low", "lmem", "lmem_high"})
      parameters.emplace_back(local, pointer(Space::kWorkgroup));
  parameters.insert(parameters.end(), more.begin(), more.end());
  module_.begin_kernel(name, parameters);
  gid_ = module_.builtin("GlobalInvocationId");
  lid_ = module_.builtin("LocalInvocationId");
  group_ = module_.builtin("WorkgroupId");
}

// ---- Memories ---------------------------------------------------------------------------------

std::string KernelText::buffer_element(const std::string& buffer, const std::string& index) {
  return module_.element_at(pointer(Space::kCrossWorkgroup), module_.parameter(buffer), index);
}

std::string KernelText::out_at() { return buffer_element("out", gid_); }

/// Element `number` of the work-item's `per_item`.
std::string KernelText::fill_at(unsigned number) {
  const std::string first =
      module_.op("OpIMul " + module_.size_type() + " " + gid_ + " " + module_.size(4));
  return buffer_element("fill", module_.op("OpIAdd " + module_.size_type() + " " + first + " " +
                                           module_.size(number)));
}

std::string KernelText::readback_at(unsigned number) {
  const std::string first = module_.op("OpIMul " + module_.size_type() + " " + gid_ + " " +
                                       module_.size(Memories::kReadbackElements));
  return buffer_element("readback", module_.op("OpIAdd " + module_.size_type() + " " + first + " " +
                                               module_.size(number)));
}

void KernelText::make_private() {
  const std::string one = pointer(Space::kFunction);
  const std::string low = module_.variable(element(), "mine_low");
  mine_ = module_.variable(module_.array(element(), shape_.elements(Object::kPrivate)), "mine");
  const std::string high = module_.variable(element(), "mine_high");
  for (unsigned i = 0; i < shape_.elements(Object::kPrivate); ++i) {
    const std::string value = module_.load(element(), fill_at(i), shape_.width());
    const std::string to =
        module_.op("OpInBoundsAccessChain " + one + " " + mine_ + " " + module_.size(i));
    module_.store(to, value, shape_.width());
  }
  fill_guards(Object::kPrivate, low, high);
}

void KernelText::fill_guards(Object object, const std::string& low, const std::string& high) {
  module_.store(low, module_.load(element(), fill_at(2), shape_.width()), shape_.width());
  module_.store(high, module_.load(element(), fill_at(3), shape_.width()), shape_.width());
  guards_[object] = {low, high};
}

void KernelText::make_local(Object object) {
  const std::string guards =
      module_.pointer(Space::kWorkgroup, module_.array(element(), shape_.local));
  const std::string one = pointer(Space::kWorkgroup);
  std::string low, high;
  if (object == Object::kLocalArgument) {
    low = module_.element_at(one, module_.parameter("lmem_low"), lid_);
    high = module_.element_at(one, module_.parameter("lmem_high"), lid_);
  } else {
    const std::string type = module_.array(element(), shape_.elements(object));
    const std::string below =
        module_.named_global("shared_low", "OpVariable " + guards + " Workgroup");
    shared_ = module_.named_global(
        "shared", "OpVariable " + module_.pointer(Space::kWorkgroup, type) + " Workgroup");
    const std::string above =
        module_.named_global("shared_high", "OpVariable " + guards + " Workgroup");
    low = module_.op("OpInBoundsAccessChain " + one + " " + below + " " + lid_);
    high = module_.op("OpInBoundsAccessChain " + one + " " + above + " " + lid_);
  }
  for (unsigned i = 0; i < shape_.spread; ++i) {
    const std::string to = module_.element_at(one, own(object), module_.size(i));
    module_.store(to, module_.load(element(), fill_at(i), shape_.width()), shape_.width());
  }
  fill_guards(object, low, high);
}

void KernelText::make(Object object) {
  if (object == Object::kPrivate) make_private();
  if (object == Object::kLocal || object == Object::kLocalArgument) {
    make_local(object);
    barrier();
  }
  if (object != Object::kProgram) return;
  for (unsigned i = 0; i < shape_.spread; ++i) {
    const std::string to =
        module_.element_at(pointer(Space::kCrossWorkgroup), own(object), module_.size(i));
    module_.store(to, module_.load(element(), fill_at(i), shape_.width()), shape_.width());
  }
}

std::string KernelText::base(Object object) {
  const std::string type = pointer(native_space(object));
  const auto first_of = [&](const std::string& variable) {
    return module_.op("OpInBoundsAccessChain " + type + " " + variable + " " + module_.size(0));
  };
  switch (object) {
    case Object::kPrivate:
      return first_of(mine_);
    case Object::kLocal:
      return first_of(shared_);
    case Object::kConstant:
      return first_of(table_);
    case Object::kProgram:
      return first_of(program_);
    case Object::kLocalArgument:
      return module_.parameter("lmem");
    default:
      return module_.parameter("target");
  }
}

/// Which element of an object is the work-item's own, before `spread`.
std::string KernelText::own_number(Object object) {
  const auto masked = [&](std::uint64_t count) {
    return module_.op("OpBitwiseAnd " + module_.size_type() + " " + gid_ + " " +
                      module_.size(count - 1));
  };
  switch (native_space(object)) {
    case Space::kFunction:
    case Space::kUniformConstant:
      return masked(shape_.own_elements(object));
    default:
      break;
  }
  const std::string& id = native_space(object) == Space::kWorkgroup ? lid_ : gid_;
  if (shape_.spread == 1) return id;
  return module_.op("OpIMul " + module_.size_type() + " " + id + " " + module_.size(shape_.spread));
}

std::string KernelText::own(Object object) {
  const std::string number = own_number(object);
  return module_.element_at(pointer(native_space(object)), base(object), number);
}

std::int64_t KernelText::own_offset(Object object, std::uint32_t item) const {
  std::uint64_t number = 0;
  switch (native_space(object)) {
    case Space::kFunction:
    case Space::kUniformConstant:
      number = item % shape_.own_elements(object);
      break;
    case Space::kWorkgroup:
      number = item % shape_.local * shape_.spread;
      break;
    default:
      number = std::uint64_t{item} * shape_.spread;
  }
  return static_cast<std::int64_t>(number * shape_.width());
}

// ---- Pointers ---------------------------------------------------------------------------------

std::string KernelText::at_bytes(const std::string& base, Space space, const std::string& offset) {
  const std::string bytes = module_.pointer(space, module_.integer(8));
  const std::string from = module_.op("OpBitcast " + bytes + " " + base);
  const std::string to = module_.element_at(bytes, from, offset);
  return module_.op("OpBitcast " + pointer(space) + " " + to);
}

std::string KernelText::at_element(const std::string& base, Space space, const std::string& index) {
  return module_.element_at(pointer(space), base, index);
}

std::string KernelText::from_integer(const std::string& integer, Space space) {
  return module_.op("OpConvertUToPtr " + pointer(space) + " " + integer);
}

std::string KernelText::recast(const std::string& from_pointer, Space from, Space to,
                               bool by_integer) {
  if (from == to) return from_pointer;
  // What is neither generic nor may become so takes the way through an integer.
  if (by_integer || from == Space::kUniformConstant || to == Space::kUniformConstant)
    return from_integer(module_.op("OpConvertPtrToU " + module_.size_type() + " " + from_pointer),
                        to);
  std::string generic = from_pointer;
  if (from != Space::kGeneric)
    generic = module_.op("OpPtrCastToGeneric " + pointer(Space::kGeneric) + " " + generic);
  if (to == Space::kGeneric) return generic;
  return module_.op("OpGenericCastToPtr " + pointer(to) + " " + generic);
}

std::string KernelText::loaded_index() {
  const std::string at =
      module_.element_at(module_.pointer(Space::kCrossWorkgroup, module_.size_type()),
                         module_.parameter("index"), gid_);
  return module_.load(module_.size_type(), at, module_.pointer_bytes());
}

std::string KernelText::slot_of(const std::string& number, const std::string& slot_type) {
  const std::string to = module_.pointer(Space::kCrossWorkgroup, slot_type);
  const std::string slots = module_.op("OpBitcast " + to + " " + module_.parameter("slots"));
  return module_.element_at(to, slots, number);
}

std::string KernelText::local_slot(const std::string& number, const std::string& slot_type) {
  const std::string slots = module_.global(
      "OpVariable " + module_.pointer(Space::kWorkgroup, module_.array(slot_type, shape_.local)) +
      " Workgroup");
  return module_.op("OpInBoundsAccessChain " + module_.pointer(Space::kWorkgroup, slot_type) + " " +
                    slots + " " + number);
}

std::string KernelText::carry(const std::string& from) {
  const std::string type = pointer(shape_.via);
  const std::uint64_t align = module_.pointer_bytes();
  std::string slot;
  switch (shape_.carry) {
    case Carry::kNone:
      return from;
    case Carry::kPrivateSlot:
      slot = module_.variable(type);
      break;
    case Carry::kLocalSlot:
      slot = local_slot(lid_, type);
      break;
    case Carry::kGlobalSlot:
      slot = slot_of(gid_, type);
      break;
    case Carry::kInteger: {
      const std::string size = module_.size_type();
      const std::string mask = module_.size(shape_.wide ? 0x5a5a5a5a5a5a5a5au : 0x5a5a5a5au);
      const std::string integer = module_.op("OpConvertPtrToU " + size + " " + from);
      const std::string hidden = module_.op("OpBitwiseXor " + size + " " + integer + " " + mask);
      return from_integer(module_.op("OpBitwiseXor " + size + " " + hidden + " " + mask),
                          shape_.via);
    }
    case Carry::kBitcast:
      return at_bytes(from, shape_.via, module_.size(0));
    case Carry::kGeneric:
      return recast(recast(from, shape_.via, Space::kGeneric, false), Space::kGeneric, shape_.via,
                    false);
  }
  module_.store(slot, from, align);
  return module_.load(type, slot, align);
}

}  // namespace transpire::hostile
