// Expressions as SPIR-V assembly. Parameters: a pointer for each input, each argument's value, a
// pointer for each output, and a zero.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/oracle/assembly.h"
#include "tests/fuzz/oracle/expression.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::oracle {
namespace {

/// A float as the assembler reads it. Infinities and NaNs have an exponent past the largest.
std::string float_text(unsigned width, std::uint64_t bits) {
  const Format f = format_of(width);
  std::string text = f.is_negative(bits) ? "-" : "";
  if (f.magnitude(bits) == 0) return text + "0x0p+0";
  std::uint64_t fraction = bits & low_bits(f.fraction);
  int exponent = static_cast<int>(f.magnitude(bits) >> f.fraction) - f.bias;
  if (exponent == -f.bias) {  // a denormal: its highest bit becomes the one before the point
    ++exponent;
    while (fraction >> f.fraction == 0) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= low_bits(f.fraction);
  }
  const unsigned digits = (f.fraction + 3) / 4;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "0x1.%0*llxp%+d", static_cast<int>(digits),
                static_cast<unsigned long long>(fraction << (digits * 4 - f.fraction)), exponent);
  return text + buffer;
}

constexpr Shape kWord{{Kind::kInt, 32}, 1}, kLong{{Kind::kInt, 64}, 1};

class Writer : Assembly {
 public:
  explicit Writer(const Expressions& expressions) : expressions_(expressions) {}

  std::string write() {
    global(
        "OpCapability BitInstructions\nOpExtension \"SPV_KHR_bit_instructions\"\n"
        "OpDecorate %GlobalInvocationId Constant");
    begin_function(fmt::format("kernel compute({}%uint zero)", parameters()));
    if (expressions_.item_mask != 0)
      line(
          "%masked = OpBitwiseAnd %ulong %gid %ulong_{}\n"
          "%computes = OpINotEqual %bool %masked %ulong_0\n"
          "OpBranchConditional %computes %compute_some %done\n%compute_some = OpLabel",
          expressions_.item_mask);
    for (std::size_t i = 0; i < expressions_.nodes.size(); ++i)
      write_node(name(static_cast<int>(i)), expressions_.nodes[i]);
    for (const Stored& stored : expressions_.results)
      line("store {} {}", text_of(stored.place, "out"), name(stored.node));
    if (expressions_.item_mask != 0) line("OpBranch %done\n%done = OpLabel");
    end_function();
    return shorthand::declare(short_form());
  }

 private:
  using Text = const std::string&;
  static std::string name(int node) { return fmt::format("%n{}", node); }
  const Shape& shape_of(int node) const { return nth(expressions_.nodes, node).shape; }

  std::string type(const Shape& shape) {
    if (shape.scalar.kind == Kind::kBool && shape.count != 1)
      global("%v{0}bool = OpTypeVector %bool {0}", shape.count);
    return "%" + name_of(shape);
  }
  std::string constant(const Scalar& scalar, std::uint64_t bits) {
    if (scalar.kind == Kind::kBool) return bits != 0 ? "%true" : "%false";
    std::string made = fmt::format("%{}_{}", name_of({scalar, 1}), bits);
    if (scalar.kind == Kind::kInt) return made;
    made = "%bits_of_" + made.substr(1);
    global("{} = OpConstant %{} {}", made, name_of({scalar, 1}), float_text(scalar.width, bits));
    return made;
  }

  std::string parameters() const {
    std::string all;
    const auto add_pointers = [&](const std::vector<Array>& arrays, const char* name) {
      for (std::size_t i = 0; i < arrays.size(); ++i)
        all += fmt::format("%_ptr_CrossWorkgroup_{} {}{}, ", name_of(arrays[i].shape), name, i);
    };
    add_pointers(expressions_.inputs, "in");
    for (const int node : expressions_.arguments)
      all += fmt::format("%{} n{}, ", name_of(shape_of(node)), node);
    add_pointers(expressions_.outputs, "out");
    return all;
  }

  std::string text_of(const Place& place, const char* buffers) {
    return fmt::format("%{}{}[{}]", buffers, place.buffer, index_of(place));
  }

  /// The element's number, in 32 or 64 bits.
  std::string index_of(const Place& place) {
    const Shape& shape = place.narrow ? kWord : kLong;
    const bool by_value = place.by >= 0;
    const std::string of = type(shape), offset = constant(shape.scalar, place.offset);
    std::string index = by_value ? name(place.by) : "%gid";
    if (!((by_value ? shape_of(place.by) : kLong) == shape))
      index = make("OpUConvert {} {}", of, index);
    if (!by_value && place.scale == 0) index = offset;
    const auto scale = static_cast<unsigned>(std::abs(place.scale));
    if (scale > 1) index = make("OpIMul {} {} {}", of, index, constant(shape.scalar, scale));
    if (place.scale < 0) index = make("OpISub {} {} {}", of, offset, index);
    if (place.offset != 0 && (place.scale > 0 || by_value))
      index = make("OpIAdd {} {} {}", of, index, offset);
    if (!place.hidden) return index;
    return make("OpIAdd {} {} {}", of, index,
                place.narrow ? "%zero" : make("OpSConvert {} %zero", of));
  }

  void write_node(Text made, const Node& node) {
    const std::string of = type(node.shape);
    switch (node.leaf) {
      case Leaf::kArgument:
        return;
      case Leaf::kNone:
        return write_instruction(made, of, node);
      case Leaf::kItem:
        return line("{} = {} {} %gid", made,
                    node.shape.scalar.width == 64 ? "OpCopyObject" : "OpUConvert", of);
      case Leaf::kLoad:
        return line("{} = load {}", made, text_of(node.place, "in"));
      case Leaf::kConstant:
        break;
    }
    std::string value = constant(node.shape.scalar, node.bits[0]);
    if (node.shape.count != 1) {
      std::string parts;
      for (const std::uint64_t bits : node.bits) parts += " " + constant(node.shape.scalar, bits);
      value = "%constant_" + made.substr(1);
      global("{} = OpConstantComposite {}{}", value, of, parts);
    }
    line("{} = OpCopyObject {} {}", made, of, value);
  }

  void write_instruction(Text made, Text of, const Node& node) {
    const Instruction& how = *node.instruction;
    const bool is_core = std::string(how.name).starts_with("Op");
    const std::string opcode = is_core ? how.name : "OpExtInst";
    std::string operands = is_core ? "" : fmt::format(" %std {}", how.name);
    for (const int one : node.operands) operands += " " + name(one);
    if (how.form == Form::kStructure) {
      global("%two_{0} = OpTypeStruct {1} {1}", name_of(node.shape), of);
      const std::string both = make("{} %two_{}{}", opcode, name_of(node.shape), operands);
      return line("{} = OpCompositeExtract {} {} {}", made, of, both, node.literals[0]);
    }
    if (how.form == Form::kPointer) {  // the second result is stored
      const Shape& first = shape_of(node.operands[0]);
      const bool is_frexp = std::string(how.name) == "frexp";
      const std::string stored =
          variable(name_of(is_frexp ? Shape{kWord.scalar, first.count} : first));
      const bool second = node.literals[0] == 1;
      line("{} = {} {}{} {}", second ? fresh("first") : made, opcode, type(first), operands,
           stored);
      if (second) line("{} = OpLoad {} {}", made, of, stored);
      return;
    }
    for (const unsigned literal : node.literals) operands += fmt::format(" {}", literal);
    static constexpr const char* kModes[] = {"RTE", "RTZ", "RTP", "RTN"};
    if (node.rounding >= 0) global("OpDecorate {} FPRoundingMode {}", made, kModes[node.rounding]);
    if (node.saturated) global("OpDecorate {} SaturatedConversion", made);
    line("{} = {} {}{}", made, opcode, of, operands);
  }

  const Expressions& expressions_;
};

}  // namespace

std::string name_of(const Shape& shape) {
  const Scalar& scalar = shape.scalar;
  const std::string name = scalar.kind == Kind::kBool ? "bool"
                           : scalar.width == 8        ? "uchar"
                           : scalar.width == 16 ? (scalar.kind == Kind::kInt ? "ushort" : "half")
                           : scalar.width == 32 ? (scalar.kind == Kind::kInt ? "uint" : "float")
                           : scalar.kind == Kind::kInt ? "ulong"
                                                       : "double";
  return shape.count == 1 ? name : fmt::format("v{}{}", shape.count, name);
}

std::string text_of(const Expressions& expressions) { return Writer(expressions).write(); }

}  // namespace transpire::oracle
