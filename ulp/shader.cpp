#include "ulp/shader.h"

#include <fmt/format.h>

#include "ulp/formula.h"

namespace transpire::ulp {
namespace {

using vm::Kind;

constexpr std::string_view kHead = R"(OpCapability Shader
OpCapability Matrix
OpCapability Float16
OpCapability Float64
OpCapability StorageBuffer16BitAccess
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %operands DescriptorSet 0
OpDecorate %operands Binding 0
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 1
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ivec = OpTypeVector %uint 3
%ivec_in = OpTypePointer Input %ivec
%block = OpTypeStruct %numbers
%block_in = OpTypePointer StorageBuffer %block
%s_in = OpTypePointer StorageBuffer %s
%operands = OpVariable %block_in StorageBuffer
%results = OpVariable %block_in StorageBuffer
%id = OpVariable %ivec_in Input
%uint_0 = OpConstant %uint 0
)";

/// Writes the shader's text.
class Writer {
 public:
  Writer(const Formula& formula, Kind kind) : formula_(formula), bytes_(vm::lane_bytes(kind)) {}

  std::string text() {
    declare();
    begin();
    std::string operands;
    for (const char shape : formula_.operands) operands += " " + value(shape);
    const std::string_view name = formula_.instruction;
    if (name.starts_with("Op"))
      body("%result = {} %{}{}", name, formula_.result, operands);
    else
      body("%result = OpExtInst %{} %glsl {}{}", formula_.result, name, operands);
    end();
    return head_ + body_;
  }

 private:
  template <class... Values>
  void body(fmt::format_string<const Values&...> format, const Values&... values) {
    body_ += fmt::format(format, values...) + "\n";
  }

  /// Types stand before the pointers to them.
  void declare() {
    std::string types =
        fmt::format("%s = OpTypeFloat {}\n%numbers = OpTypeRuntimeArray %s\n", bytes_ * 8);
    if (formula_.size != 0)
      types += fmt::format("%v = OpTypeVector %s {0}\n%m = OpTypeMatrix %v {0}\n", formula_.size);
    head_ = kHead;
    head_.insert(head_.find("%void"), fmt::format("OpDecorate %numbers ArrayStride {}\n", bytes_));
    head_.insert(head_.find("%block = "), types);
    for (std::size_t i = 1; i < kMostOperands; ++i)
      head_ += fmt::format("%uint_{0} = OpConstant %uint {0}\n", i);
    head_ += fmt::format("%row = OpConstant %uint {}\n%count = OpConstant %uint {}\n",
                         sizeof(Row) / bytes_, formula_.result_count());
  }

  void begin() {
    body("%main = OpFunction %void None %main_type\n%entry = OpLabel\n%ids = OpLoad %ivec %id");
    body("%i = OpCompositeExtract %uint %ids 0");
  }

  /// Loads the next scalars and makes a value of that shape.
  std::string value(char shape) {
    if (shape == 's') {
      const std::size_t n = loaded_++;
      body("%first_{0} = OpIMul %uint %row %uint_{0}\n%at_{0} = OpIAdd %uint %first_{0} %i", n);
      body(
          "%from_{0} = OpAccessChain %s_in %operands %uint_0 %at_{0}\n%x_{0} = OpLoad %s %from_{0}",
          n);
      return fmt::format("%x_{}", n);
    }
    std::string parts;
    for (std::size_t c = 0; c < formula_.size; ++c) parts += " " + value(shape == 'v' ? 's' : 'v');
    const std::string name = fmt::format("%{}_{}", shape, made_++);
    body("{} = OpCompositeConstruct %{}{}", name, shape, parts);
    return name;
  }

  /// Stores the scalar that the call asks for.
  void end() {
    std::string chosen = "%result";
    if (formula_.result != "s") {
      body("%component = OpUMod %uint %i %count");
      for (std::size_t c = 0; c < formula_.result_count(); ++c) {
        const std::string place = formula_.result == "v"
                                      ? fmt::format("{}", c)
                                      : fmt::format("{} {}", c / formula_.size, c % formula_.size);
        body("%part_{} = OpCompositeExtract %s %result {}", c, place);
        if (c == 0) {
          chosen = "%part_0";
          continue;
        }
        body("%is_{0} = OpIEqual %bool %component %uint_{0}", c);
        body("%chosen_{0} = OpSelect %s %is_{0} %part_{0} {1}", c, chosen);
        chosen = fmt::format("%chosen_{}", c);
      }
    }
    body("%to = OpAccessChain %s_in %results %uint_0 %i\nOpStore %to {}\nOpReturn\nOpFunctionEnd",
         chosen);
  }

  const Formula& formula_;
  const std::uint32_t bytes_;
  std::string head_, body_;
  std::size_t loaded_ = 0, made_ = 0;
};

}  // namespace

Result<Shader> Shader::create(const Formula& formula, Kind kind, const std::string& isa,
                              Math math) {
  const std::string text = Writer(formula, kind).text();
  auto module = Module::load(std::as_bytes(std::span(text)));
  if (!module) return module.errors();
  auto device = Device::create({isa, 1});
  if (!device) return device.errors();
  return Shader(*std::move(module), *std::move(device), math, formula.operand_count());
}

bool Shader::call(Block& block, std::size_t contender) const {
  const std::span operands(block.registers(), operands_ * sizeof(Row));
  const auto from = Buffer::wrap(operands), to = Buffer::wrap(block.results[contender]);
  if (!from || !to) return false;
  Launch launch(module_, "main");
  launch.math = math_;
  launch.geometry.global_size = {kBlock, 1, 1};
  launch.arguments = {Argument::buffer(*from), Argument::buffer(*to)};
  const auto result = device_.run(launch);
  return result && result->end == LaunchResult::End::kCompleted && result->findings.empty();
}

}  // namespace transpire::ulp
