#include "tests/hostile/kernel_text.h"

#include <cstring>

#include "tests/shorthand/shorthand.h"

namespace transpire::hostile {
namespace {

std::string scalar_of(const Element& element) {
  return element.bits == 8    ? "uchar"
         : element.bits == 16 ? "ushort"
         : element.bits == 32 ? "uint"
                              : "ulong";
}

std::string replaced(std::string text, std::string_view word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

/// The name of a constant array of elements with these bytes.
std::string table_constant(KernelText& kernel, const std::string& type, const Bytes& bytes) {
  const Element element = kernel.shape().element;
  const std::uint64_t step = element.bits / 8;
  std::string all;
  for (std::uint64_t at = 0; at < bytes.size(); at += element.bytes()) {
    std::string parts;
    for (unsigned c = 0; c < element.components; ++c) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + at + c * step, step);
      parts += fmt::format(" %{}_{}", scalar_of(element), value);
    }
    if (element.components != 1) {
      kernel.global("%part_{} = OpConstantComposite %element{}", at, parts);
      parts = fmt::format(" %part_{}", at);
    }
    all += parts;
  }
  kernel.global("%constants = OpConstantComposite %{}{}", type, all);
  return "%constants";
}

}  // namespace

KernelText::KernelText(const Shape& shape, const Bytes& constants) : shape_(shape) {
  if (is_shader()) return;
  const std::string table = array("element", shape_.elements(Object::kConstant));
  table_ = global_variable("table", table, Space::kUniformConstant,
                           table_constant(*this, table, constants));
  const std::string program = array("element", shape_.elements(Object::kProgram));
  global("%nothing = OpConstantNull %{}", program);
  program_ = global_variable("program", program, Space::kCrossWorkgroup, "%nothing");
}

namespace {

/// The type that a program calls `size` or `element`; other types have their names.
std::string type_named(const Shape& shape, std::string_view name) {
  if (name == "size") return shape.wide ? "ulong" : "uint";
  if (name != "element") return std::string(name);
  const std::string scalar = scalar_of(shape.element);
  return shape.element.components == 1 ? scalar
                                       : fmt::format("v{}{}", shape.element.components, scalar);
}

/// The head stands before a module's own text.
std::string header_of(const Shape& shape) {
  constexpr std::string_view kLast = "%file = OpString \"hostile\"\n";
  if (shape.flavour == Flavour::kKernel)
    return fmt::format(
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int16\n"
        "OpCapability Int8\nOpCapability GenericPointer\nOpCapability Int64Atomics\n"
        "OpCapability Groups\nOpMemoryModel Physical{} OpenCL\n{}",
        shape.wide ? 64 : 32, kLast);
  const bool is_referred = shape.flavour == Flavour::kReferences;
  return fmt::format(
      "OpCapability Shader Int64 Int16 Int8 Int64Atomics VariablePointers {}\n"
      "OpMemoryModel {} GLSL450\nOpEntryPoint GLCompute %test \"test\" %all_gid %all_lid "
      "%all_group\n"
      "OpExecutionMode %test LocalSize {} 1 1\n{}",
      is_referred ? "PhysicalStorageBufferAddresses" : "StorageBuffer8BitAccess",
      is_referred ? "PhysicalStorageBuffer64" : "Logical", shape.local, kLast);
}

}  // namespace

std::string KernelText::text() const {
  std::string text = header_of(shape_) + short_form();
  if (is_shader())
    text = replaced(
        std::move(text), "CrossWorkgroup",
        shape_.flavour == Flavour::kReferences ? "PhysicalStorageBuffer" : "StorageBuffer");
  for (const char* const type : {"size", "element"})
    text = replaced(std::move(text), type, type_named(shape_, type));
  return shorthand::declare(text);
}

namespace {

/// A buffer that all programs have, and the type of its elements.
struct CommonBuffer {
  const char *name, *type;
};
constexpr CommonBuffer kBuffers[] = {
    {"before", "uchar"}, {"target", "element"}, {"after", "uchar"},      {"out", "element"},
    {"data", "element"}, {"fill", "element"},   {"readback", "element"}, {"index", "size"},
    {"slots", "size"},   {"who", "uint"}};

std::uint64_t stride_of(const Shape& shape, std::string_view type) {
  return type == "element"               ? shape.width()
         : type == "uchar"               ? 1
         : type == "uint" || !shape.wide ? 4
                                         : 8;
}

}  // namespace

/// A pointer to the first element of a buffer: of the shader's resource `number`, or the address there in its push constants.
void KernelText::make_buffer(const std::string& name, const std::string& type, unsigned number) {
  const std::string pointer = "%_ptr_CrossWorkgroup_" + type;
  if (shape_.flavour == Flavour::kReferences) {
    global("OpMemberDecorate %Addresses {} Offset {}", number, number * 8);
    const std::string place =
        make("OpAccessChain %_ptr_PushConstant_ulong %addresses %uint_{}", number);
    return line("%{} = OpConvertUToPtr {} {}", name, pointer, make("OpLoad %ulong {}", place));
  }
  global(
      "OpName %buffer_{0} \"{0}\"\nOpDecorate %buffer_{0} DescriptorSet 0\n"
      "OpDecorate %buffer_{0} Binding {1}\nOpDecorate %block_{0} Block\n"
      "OpMemberDecorate %block_{0} 0 Offset 0\nOpDecorate %array_{0} ArrayStride {2}\n"
      "%array_{0} = OpTypeRuntimeArray %{3}\n%block_{0} = OpTypeStruct %array_{0}\n"
      "%to_{0} = OpTypePointer CrossWorkgroup %block_{0}\n"
      "%buffer_{0} = OpVariable %to_{0} CrossWorkgroup",
      name, number, stride_of(shape_, type), type);
  line("%{0} = OpAccessChain {1} %buffer_{0} %uint_0 %uint_0", name, pointer);
}

/// The x of a built-in vector, as `size`.
void KernelText::make_id(const std::string& name, const std::string& built_in) {
  global("OpDecorate %all_{0} BuiltIn {1}\n%all_{0} = OpVariable %_ptr_Input_v3uint Input", name,
         built_in);
  const std::string x = make("OpCompositeExtract %uint {} 0", make("OpLoad %v3uint %all_{}", name));
  line("%{} = {} {}", name, shape_.wide ? "OpUConvert %ulong" : "OpCopyObject %uint", x);
}

void KernelText::begin_shader(const std::string& name) {
  global("%main_type = OpTypeFunction %void");
  begin_function(
      fmt::format("%{} = OpFunction %void None %main_type\n{} = OpLabel", name, fresh("entry")));
  make_id("gid", "GlobalInvocationId");
  make_id("lid", "LocalInvocationId");
  make_id("group", "WorkgroupId");
  group_ = "%group";
  if (shape_.flavour == Flavour::kReferences)
    global(
        "OpName %addresses \"addresses\"\nOpDecorate %Addresses Block\n"
        "%Addresses = OpTypeStruct{}\n%to_addresses = OpTypePointer PushConstant %Addresses\n"
        "%addresses = OpVariable %to_addresses PushConstant",
        fmt::join(std::vector<std::string>(std::size(kBuffers), " %ulong"), ""));
  unsigned number = 0;
  std::map<std::string, std::uint64_t> strides;
  for (const auto& [buffer, type] : kBuffers) {
    make_buffer(buffer, type, number++);
    strides[type_named(shape_, type)] = stride_of(shape_, type);
  }
  for (const auto& [type, stride] : strides)
    global("OpDecorate %_ptr_CrossWorkgroup_{} ArrayStride {}", type, stride);
}

void KernelText::begin(const std::string& name, const std::string& more) {
  if (is_shader()) return begin_shader(name);
  const bool has_local = shape_.object == Object::kLocalArgument;
  begin_function(fmt::format(
      "kernel {}(%_ptr_CrossWorkgroup_uchar before, %_ptr_CrossWorkgroup_element target,\n"
      "%_ptr_CrossWorkgroup_uchar after, %_ptr_CrossWorkgroup_element out data fill readback,\n"
      "%_ptr_CrossWorkgroup_size index slots, %_ptr_CrossWorkgroup_uint who, %size bytes{}{})",
      name, has_local ? ", %_ptr_Workgroup_element lmem_low lmem lmem_high" : "", more));
  group_ = make("OpCompositeExtract %size {} 0",
                make("OpLoad %v3size %WorkgroupId Aligned {}", shape_.wide ? 32 : 16));
}

// ---- Memories ---------------------------------------------------------------------------------

std::string KernelText::array(const std::string& of, std::uint64_t count) {
  global("%array{1}_of_{0} = OpTypeArray %{0} %size_{1}", of, count);
  return fmt::format("array{}_of_{}", count, of);
}

std::string KernelText::global_variable(const std::string& name, const std::string& type,
                                        Space space, const std::string& initial) {
  std::string result = named(name);
  global("{0} = OpVariable %_ptr_{1}_{2} {1} {3}", result, spell(space), type, initial);
  return result;
}

/// Element `number` of the `elements` that a buffer has for each work-item.
std::string KernelText::place_of_item(const char* buffer, std::uint64_t elements, unsigned number) {
  const std::string first = make("OpIMul %size %gid %size_{}", elements);
  return fmt::format("{}[{}]", buffer, make("OpIAdd %size {} %size_{}", first, number));
}

std::string KernelText::fill_at(unsigned number) { return place_of_item("%fill", 4, number); }

std::string KernelText::readback_at(unsigned number) {
  return place_of_item("%readback", Memories::kReadbackElements, number);
}

void KernelText::fill_guards(Object object, const std::string& low, const std::string& high) {
  copy_element(low, fill_at(2));
  copy_element(high, fill_at(3));
  guards_[object] = {low, high};
}

void KernelText::make_private() {
  const std::string low = variable("element", "mine_low");
  mine_ = variable(array("element", shape_.elements(Object::kPrivate)), "mine");
  const std::string high = variable("element", "mine_high");
  for (unsigned i = 0; i < shape_.elements(Object::kPrivate); ++i)
    copy_element(in_array(mine_, Space::kFunction, fmt::format("%size_{}", i)), fill_at(i));
  fill_guards(Object::kPrivate, low, high);
}

void KernelText::make_local(Object object) {
  std::string low, high;
  if (object == Object::kLocalArgument) {
    low = at_element("%lmem_low", Space::kWorkgroup, "%lid");
    high = at_element("%lmem_high", Space::kWorkgroup, "%lid");
  } else {
    const std::string guards = array("element", shape_.local);
    const std::string below = global_variable("shared_low", guards, Space::kWorkgroup);
    shared_ =
        global_variable("shared", array("element", shape_.elements(object)), Space::kWorkgroup);
    const std::string above = global_variable("shared_high", guards, Space::kWorkgroup);
    low = in_array(below, Space::kWorkgroup, "%lid");
    high = in_array(above, Space::kWorkgroup, "%lid");
  }
  for (unsigned i = 0; i < shape_.spread; ++i)
    copy_element(at_element(own(object), Space::kWorkgroup, fmt::format("%size_{}", i)),
                 fill_at(i));
  fill_guards(object, low, high);
}

void KernelText::make_object(Object object) {
  if (object == Object::kPrivate) make_private();
  if (object == Object::kLocal || object == Object::kLocalArgument) {
    make_local(object);
    barrier();
  }
  if (object != Object::kProgram) return;
  for (unsigned i = 0; i < shape_.spread; ++i)
    copy_element(at_element(own(object), Space::kCrossWorkgroup, fmt::format("%size_{}", i)),
                 fill_at(i));
}

std::string KernelText::base(Object object) {
  if (object == Object::kLocalArgument) return "%lmem";
  const std::string variable = object == Object::kPrivate    ? mine_
                               : object == Object::kLocal    ? shared_
                               : object == Object::kConstant ? table_
                               : object == Object::kProgram  ? program_
                                                             : "";
  return variable.empty() ? "%target" : in_array(variable, native_space(object), "%size_0");
}

/// Which element of an object is the work-item's own, before `spread`.
std::string KernelText::own_number(Object object) {
  const Space space = native_space(object);
  if (space == Space::kFunction || space == Space::kUniformConstant)
    return make("OpBitwiseAnd %size %gid %size_{}", shape_.own_elements(object) - 1);
  const char* const id = space == Space::kWorkgroup ? "%lid" : "%gid";
  return shape_.spread == 1 ? id : make("OpIMul %size {} %size_{}", id, shape_.spread);
}

std::string KernelText::own(Object object) {
  const std::string number = own_number(object);
  return at_element(base(object), native_space(object), number);
}

std::int64_t KernelText::own_offset(Object object, std::uint32_t item) const {
  const Space space = native_space(object);
  const std::uint64_t number =
      space == Space::kFunction || space == Space::kUniformConstant
          ? item % shape_.own_elements(object)
          : std::uint64_t{space == Space::kWorkgroup ? item % shape_.local : item} * shape_.spread;
  return static_cast<std::int64_t>(number * shape_.width());
}

// ---- Pointers ---------------------------------------------------------------------------------

std::string KernelText::at_bytes(const std::string& base, Space space, const std::string& offset) {
  const std::string bytes = fmt::format("%_ptr_{}_uchar", spell(space));
  const std::string from = make("OpBitcast {} {}", bytes, base);
  return make("OpBitcast %{} {}", pointer(space),
              make("OpPtrAccessChain {} {} {}", bytes, from, offset));
}

std::string KernelText::at_element(const std::string& base, Space space, const std::string& index) {
  if (is_shader() && space == Space::kFunction) return in_array(mine_, space, index);
  return make("OpPtrAccessChain %{} {} {}", pointer(space), base, index);
}

std::string KernelText::in_array(const std::string& array, Space space, const std::string& number) {
  return make("OpInBoundsAccessChain %{} {} {}", pointer(space), array, number);
}

std::string KernelText::from_integer(const std::string& integer, Space space) {
  return make("OpConvertUToPtr %{} {}", pointer(space), integer);
}

std::string KernelText::to_integer(const std::string& from) {
  return make("OpConvertPtrToU %size {}", from);
}

std::string KernelText::recast(const std::string& from_pointer, Space from, Space to,
                               bool by_integer) {
  if (from == to) return from_pointer;
  // What is neither generic nor may become so takes the way through an integer.
  if (by_integer || from == Space::kUniformConstant || to == Space::kUniformConstant)
    return from_integer(to_integer(from_pointer), to);
  std::string generic = from_pointer;
  if (from != Space::kGeneric)
    generic = make("OpPtrCastToGeneric %{} {}", pointer(Space::kGeneric), generic);
  if (to == Space::kGeneric) return generic;
  return make("OpGenericCastToPtr %{} {}", pointer(to), generic);
}

std::string KernelText::loaded_index() { return make("load %index[%gid]"); }

std::string KernelText::slot_of(const std::string& number, const std::string& slot_type) {
  const std::string type = "%_ptr_CrossWorkgroup_" + slot_type;
  if (is_shader()) global("OpDecorate {} ArrayStride 8", type);
  return make("OpPtrAccessChain {} {} {}", type, make("OpBitcast {} %slots", type), number);
}

std::string KernelText::local_slot(const std::string& number, const std::string& slot_type) {
  const std::string slots = "%slots_of_" + slot_type;
  global("{} = OpVariable %_ptr_Workgroup_{} Workgroup", slots, array(slot_type, shape_.local));
  return make("OpInBoundsAccessChain %_ptr_Workgroup_{} {} {}", slot_type, slots, number);
}

std::string KernelText::carry(const std::string& from) {
  const std::string type = pointer(shape_.via);
  std::string slot;
  switch (shape_.carry) {
    case Carry::kNone:
      return from;
    case Carry::kPrivateSlot:
      slot = variable(type);
      break;
    case Carry::kLocalSlot:
      slot = local_slot("%lid", type);
      break;
    case Carry::kGlobalSlot:
      slot = slot_of("%gid", type);
      break;
    case Carry::kInteger: {
      const std::string mask = shape_.wide ? "%size_0x5a5a5a5a5a5a5a5a" : "%size_0x5a5a5a5a";
      const std::string hidden = make("OpBitwiseXor %size {} {}", to_integer(from), mask);
      return from_integer(make("OpBitwiseXor %size {} {}", hidden, mask), shape_.via);
    }
    case Carry::kBitcast:
      return at_bytes(from, shape_.via, "%size_0");
    case Carry::kGeneric:
      return recast(recast(from, shape_.via, Space::kGeneric, false), Space::kGeneric, shape_.via,
                    false);
  }
  line("store {} {}", slot, from);
  return make("load {}", slot);
}

// ---- The access -------------------------------------------------------------------------------

std::string KernelText::equal(const std::string& value, std::uint64_t number) {
  return make("OpIEqual %bool {} %size_{}", value, number);
}

std::string KernelText::condition() {
  if (shape_.loaded_condition) return make("OpINotEqual %bool {} %uint_0", make("load %who[%gid]"));
  switch (shape_.lanes) {
    case Lanes::kAll:
      return "%true";
    case Lanes::kOne:
      return equal("%gid", shape_.salt % shape_.items());
    case Lanes::kOdd:
      return equal(make("OpBitwiseAnd %size %gid %size_1"), 1);
    case Lanes::kLast:
      return equal("%gid", shape_.items() - 1);
  }
  return {};
}

void KernelText::access(const std::string& bad, const std::string& good) {
  const std::string is_bad = condition(), type = pointer(shape_.via);
  if (shape_.mix == Mix::kSelect)
    return access(make("OpSelect %{} {} {} {}", type, is_bad, bad, good));
  const std::string yes = fresh("bad"), no = fresh("good"), after = fresh("after");
  const bool in_branches = shape_.mix == Mix::kBranch;
  // A barrier of a carried pointer would be divergent, so branches carry before.
  const std::string carried_bad = in_branches ? carry(bad) : bad;
  const std::string carried_good = in_branches ? carry(good) : good;
  branch(is_bad, yes, no, after);
  label(yes);
  if (in_branches) access_at(carried_bad, kAccessLine);
  line("OpBranch {}", after);
  label(no);
  if (in_branches) access_at(carried_good, kAccessLine + 1);
  line("OpBranch {}", after);
  label(after);
  if (in_branches) return;
  access(make("OpPhi %{} {} {} {} {}", type, bad, yes, good, no));
}

void KernelText::access(const std::string& from) { access_at(carry(from), kAccessLine); }

void KernelText::access_at(const std::string& at, unsigned number) {
  if (is_copy(shape_.access)) return copy(at, number);
  if (is_atomic(shape_.access)) return atomic(at, number);
  const std::string next = shape_.is_pair ? at_element(at, shape_.via, "%size_1") : std::string();
  if (shape_.access == Access::kLoad) {
    const std::string value = fresh("t"), second = fresh("t");
    line("OpLine %file {} 0\n{} = load {}", number, value, at);
    if (shape_.is_pair) line("OpLine %file {} 0\n{} = load {}", number + kPairLine, second, next);
    line("OpNoLine\nstore %out[%gid] {}", value);
    if (shape_.is_pair) line("store {} {}", readback_at(kPairResult), second);
    return;
  }
  const std::string value = make("load %data[%gid]");
  const std::string second = shape_.is_pair ? make("load {}", fill_at(kPairValue)) : std::string();
  line("OpLine %file {} 0\nstore {} {}", number, at, value);
  if (shape_.is_pair) line("OpLine %file {} 0\nstore {} {}", number + kPairLine, next, second);
  line("OpNoLine");
}

void KernelText::atomic(const std::string& at, unsigned number) {
  const std::string value = make("load %data[%gid]"), place = at + " %uint_1 %uint_0";
  if (shape_.access == Access::kAtomicStore)
    return at_line(number, fmt::format("OpAtomicStore {} {}", place, value));
  std::string operands;
  if (shape_.access == Access::kAtomicCompareExchange)
    operands = fmt::format("%uint_0 {} %element_0", value);
  else if (shape_.access != Access::kAtomicLoad)
    operands = value;
  const std::string old = fresh("t");
  at_line(number,
          fmt::format("{} = {} %element {} {}", old, opcode_of(shape_.access), place, operands));
  line("store %out[%gid] {}", old);
}

void KernelText::copy(const std::string& at, unsigned number) {
  const bool sized =
      shape_.access == Access::kCopySizedFrom || shape_.access == Access::kCopySizedTo;
  const bool from = reads(shape_.access);
  const std::string other = at_element(from ? "%out" : "%data", Space::kCrossWorkgroup, "%gid");
  const std::string operands = from ? other + " " + at : at + " " + other;
  const bool known_size = shape_.salt % 2 == 0;
  const std::string bytes = known_size ? fmt::format("%size_{}", shape_.width()) : "%bytes";
  at_line(number, sized ? fmt::format("OpCopyMemorySized {} {} Aligned 1", operands, bytes)
                        : "OpCopyMemory " + operands);
}

void KernelText::read_back(Object object, unsigned room) {
  const bool is_local = object == Object::kLocal || object == Object::kLocalArgument;
  if (is_local) barrier();
  if (object != Object::kPrivate && object != Object::kProgram && !is_local) return;
  const auto first_of_room = static_cast<unsigned>(room * Memories::kRoomElements);
  const bool is_private = object == Object::kPrivate;
  const std::string first = is_private ? base(object) : own(object);
  const std::uint64_t count = is_private ? shape_.elements(object) : shape_.spread;
  for (unsigned i = 0; i < count; ++i)
    copy_element(readback_at(first_of_room + 1 + i),
                 at_element(first, native_space(object), fmt::format("%size_{}", i)));
  if (object == Object::kProgram) return;
  copy_element(readback_at(first_of_room), guards_.at(object).first);
  copy_element(readback_at(first_of_room + 5), guards_.at(object).second);
}

}  // namespace transpire::hostile
