// Expressions as SPIR-V assembly. Parameters: a pointer for each input, each argument's value, a
// pointer for each output, and a zero.
#include <cstdio>
#include <set>

#include "tests/fuzz/oracle/expression.h"

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

constexpr Shape kWord{{Kind::kInt, 32}, 1};

class Writer {
 public:
  explicit Writer(const Expressions& expressions) : expressions_(expressions) {}

  std::string write() {
    type({{Kind::kInt, 64}, 3});
    write_parameters();
    body_ += "%entry = OpLabel\n";
    write_variables();
    line("%ids = OpLoad %i64x3 %global_id");
    line("%id = OpCompositeExtract %i64 %ids 0");
    if (expressions_.item_mask != 0) write_mask();
    for (std::size_t i = 0; i < expressions_.nodes.size(); ++i)
      write_node(i, expressions_.nodes[i]);
    for (std::size_t i = 0; i < expressions_.results.size(); ++i) write_result(i);
    if (expressions_.item_mask != 0) body_ += "  OpBranch %done\n%done = OpLabel\n";
    line("OpReturn\n  OpFunctionEnd");
    return head() + decorations_ + types_ + constants_ + parameter_types() + body_;
  }

 private:
  using Text = const std::string&;
  void line(Text text) { body_ += "  " + text + "\n"; }
  static std::string name(int node) { return "%n" + std::to_string(node); }

  std::string type(const Shape& shape) {
    const std::string made = "%" + name_of(shape);
    if (!known_types_.insert(made).second) return made;
    if (shape.count != 1)
      types_ += made + " = OpTypeVector " + type({shape.scalar, 1}) + " " +
                std::to_string(shape.count) + "\n";
    else if (shape.scalar.kind == Kind::kBool)
      types_ += made + " = OpTypeBool\n";
    else if (shape.scalar.kind == Kind::kFloat)
      types_ += made + " = OpTypeFloat " + std::to_string(shape.scalar.width) + "\n";
    else
      types_ += made + " = OpTypeInt " + std::to_string(shape.scalar.width) + " 0\n";
    return made;
  }
  std::string pointer(const char* space, const Shape& shape) {
    const std::string made = "%" + std::string(space) + "_" + name_of(shape), to = type(shape);
    if (known_types_.insert(made).second)
      types_ += made + " = OpTypePointer " + space + " " + to + "\n";
    return made;
  }
  std::string structure(const Shape& shape) {
    const std::string made = "%two_" + name_of(shape), member = type(shape);
    if (known_types_.insert(made).second)
      types_ += made + " = OpTypeStruct " + member + " " + member + "\n";
    return made;
  }
  std::string constant(const Scalar& scalar, std::uint64_t bits) {
    const Shape shape{scalar, 1};
    const std::string made = "%c_" + name_of(shape) + "_" + std::to_string(bits), of = type(shape);
    if (!known_types_.insert(made).second) return made;
    if (scalar.kind == Kind::kBool)
      constants_ += made + (bits != 0 ? " = OpConstantTrue " : " = OpConstantFalse ") + of + "\n";
    else if (scalar.kind == Kind::kFloat)
      constants_ += made + " = OpConstant " + of + " " + float_text(scalar.width, bits) + "\n";
    else
      constants_ += made + " = OpConstant " + of + " " + std::to_string(bits) + "\n";
    return made;
  }

  std::string head() const {
    std::string text;
    for (const char* capability : {"Addresses", "Kernel", "Vector16", "Int8", "Int16", "Int64",
                                   "Float64", "BitInstructions"})
      text += std::string("OpCapability ") + capability + "\n";
    if (known_types_.contains("%f16")) text += "OpCapability Float16\n";
    return text +
           "OpExtension \"SPV_KHR_bit_instructions\"\n%std = OpExtInstImport \"OpenCL.std\"\n"
           "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %kernel \"compute\" %global_id\n"
           "OpDecorate %global_id BuiltIn GlobalInvocationId\nOpDecorate %global_id Constant\n";
  }

  // ---- The kernel's frame ----------------------------------------------------------------------

  void add_parameter(Text of, Text named) {
    parameter_types_ += " " + of;
    line(named + " = OpFunctionParameter " + of);
  }
  void write_parameters() {
    line("%kernel = OpFunction %void None %kernel_type");
    for (std::size_t i = 0; i < expressions_.inputs.size(); ++i)
      add_parameter(pointer("CrossWorkgroup", expressions_.inputs[i].shape),
                    "%in" + std::to_string(i));
    for (const int node : expressions_.arguments) add_parameter(type(shape_of(node)), name(node));
    for (std::size_t i = 0; i < expressions_.outputs.size(); ++i)
      add_parameter(pointer("CrossWorkgroup", expressions_.outputs[i].shape),
                    "%out" + std::to_string(i));
    add_parameter(type(kWord), "%zero");
  }
  std::string parameter_types() {
    return "%void = OpTypeVoid\n" + std::string("%kernel_type = OpTypeFunction %void") +
           parameter_types_ +
           "\n%i_i64x3 = OpTypePointer Input %i64x3\n"
           "%global_id = OpVariable %i_i64x3 Input\n";
  }
  const Shape& shape_of(int node) const {
    return expressions_.nodes[static_cast<std::size_t>(node)].shape;
  }

  /// Where functions with two results store the second one.
  void write_variables() {
    for (std::size_t i = 0; i < expressions_.nodes.size(); ++i) {
      const Node& node = expressions_.nodes[i];
      if (node.leaf == Leaf::kNone && node.instruction->form == Form::kPointer)
        line("%stored" + std::to_string(i) + " = OpVariable " +
             pointer("Function", stored_shape(node)) + " Function");
    }
  }
  Shape stored_shape(const Node& node) const {
    const Shape& of = shape_of(node.operands[0]);
    return std::string(node.instruction->name) == "frexp" ? Shape{{Kind::kInt, 32}, of.count} : of;
  }

  void write_mask() {
    const Scalar i64{Kind::kInt, 64};
    line("%masked = OpBitwiseAnd %i64 %id " + constant(i64, expressions_.item_mask));
    line("%computes = OpINotEqual " + type({{Kind::kBool, 1}, 1}) + " %masked " + constant(i64, 0));
    line("OpBranchConditional %computes %compute %done");
    body_ += "%compute = OpLabel\n";
  }

  void write_result(std::size_t i) {
    const Stored& stored = expressions_.results[i];
    const Shape& shape = shape_of(stored.node);
    const std::string at = "%r" + std::to_string(i);
    write_pointer(at, shape, "%out", stored.place);
    line("OpStore " + at + " " + name(stored.node) + " Aligned " + std::to_string(shape.bytes()));
  }

  void write_pointer(Text made, const Shape& shape, Text buffers, const Place& place) {
    const std::string index = write_index(made, place);
    line(made + " = OpInBoundsPtrAccessChain " + pointer("CrossWorkgroup", shape) + " " + buffers +
         std::to_string(place.buffer) + " " + index);
  }

  /// The element's number, in 32 or 64 bits.
  std::string write_index(Text made, const Place& place) {
    const Shape shape = place.narrow ? kWord : Shape{{Kind::kInt, 64}, 1};
    const std::string of = type(shape), offset = constant(shape.scalar, place.offset);
    int steps = 0;
    std::string index = "%id";
    const auto step = [&](Text instruction) {
      index = made + "_" + std::to_string(++steps);
      line(index + " = " + instruction);
    };
    const Shape from = place.by >= 0 ? shape_of(place.by) : Shape{{Kind::kInt, 64}, 1};
    if (place.by >= 0) index = name(place.by);
    if (!(from == shape)) step("OpUConvert " + of + " " + index);
    if (place.by < 0 && place.scale == 0) index = offset;
    const int scale = place.scale < 0 ? -place.scale : place.scale;
    if (scale > 1)
      step("OpIMul " + of + " " + index + " " +
           constant(shape.scalar, static_cast<unsigned>(scale)));
    if (place.scale < 0) step("OpISub " + of + " " + offset + " " + index);
    if (place.offset != 0 && (place.scale > 0 || place.by >= 0))
      step("OpIAdd " + of + " " + index + " " + offset);
    if (!place.hidden) return index;
    const std::string sum = index;
    std::string zero = "%zero";
    if (!place.narrow) {
      step("OpSConvert " + of + " %zero");
      zero = index;
    }
    step("OpIAdd " + of + " " + sum + " " + zero);
    return index;
  }

  // ---- Nodes -----------------------------------------------------------------------------------

  void write_node(std::size_t index, const Node& node) {
    const std::string made = name(static_cast<int>(index)), of = type(node.shape);
    switch (node.leaf) {
      case Leaf::kArgument:
        return;
      case Leaf::kNone:
        return write_instruction(made, of, index, node);
      case Leaf::kItem:
        return line(made + (node.shape.scalar.width == 64 ? " = OpCopyObject " : " = OpUConvert ") +
                    of + " %id");
      case Leaf::kConstant: {
        std::string text =
            made + " = OpCopyObject " + of + " " + constant(node.shape.scalar, node.bits[0]);
        if (node.shape.count == 1) return line(text);
        text = "%v" + made.substr(1) + " = OpConstantComposite " + of;
        for (const std::uint64_t bits : node.bits) text += " " + constant(node.shape.scalar, bits);
        constants_ += text + "\n";
        return line(made + " = OpCopyObject " + of + " %v" + made.substr(1));
      }
      case Leaf::kLoad: {
        write_pointer(made + "_at", node.shape, "%in", node.place);
        return line(made + " = OpLoad " + of + " " + made + "_at Aligned " +
                    std::to_string(node.shape.bytes()));
      }
    }
  }

  void write_instruction(Text made, Text of, std::size_t index, const Node& node) {
    const Instruction& how = *node.instruction;
    const bool core = std::string(how.name).starts_with("Op");
    std::string operands;
    for (const int one : node.operands) operands += " " + name(one);
    const std::string opcode = core ? how.name : std::string("OpExtInst");
    const std::string function = core ? "" : std::string(" %std ") + how.name;
    if (how.form == Form::kStructure) {
      line(made + "s = " + opcode + " " + structure(node.shape) + operands);
      return line(made + " = OpCompositeExtract " + of + " " + made + "s " +
                  std::to_string(node.literals[0]));
    }
    if (how.form == Form::kPointer) {
      const bool second = node.literals[0] == 1;
      const std::string variable = "%stored" + std::to_string(index);
      line(made + (second ? "f" : "") + " = OpExtInst " + type(shape_of(node.operands[0])) +
           function + operands + " " + variable);
      if (second) line(made + " = OpLoad " + of + " " + variable);
      return;
    }
    for (const unsigned literal : node.literals) operands += " " + std::to_string(literal);
    static constexpr const char* kModes[] = {"RTE", "RTZ", "RTP", "RTN"};
    if (node.rounding >= 0)
      decorations_ += "OpDecorate " + made + " FPRoundingMode " + kModes[node.rounding] + "\n";
    if (node.saturated) decorations_ += "OpDecorate " + made + " SaturatedConversion\n";
    line(made + " = " + opcode + " " + of + function + operands);
  }

  const Expressions& expressions_;
  std::set<std::string> known_types_;
  std::string decorations_, types_, constants_, parameter_types_, body_;
};

}  // namespace

std::string name_of(const Shape& shape) {
  static constexpr const char* kKinds[] = {"bool", "i", "f"};
  std::string name = kKinds[static_cast<int>(shape.scalar.kind)];
  if (shape.scalar.kind != Kind::kBool) name += std::to_string(shape.scalar.width);
  return shape.count == 1 ? name : name + "x" + std::to_string(shape.count);
}

std::string text_of(const Expressions& expressions) { return Writer(expressions).write(); }

}  // namespace transpire::oracle
