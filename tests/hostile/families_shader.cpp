// Families of shaders alone: indexes beyond an array of descriptors, and beyond arrays in uniform blocks and push constants.
#include "tests/hostile/draft.h"

namespace transpire::hostile {
namespace {

/// The index of bad work-items, as 32 bits.
std::uint32_t bad_index(const Shape& shape, std::uint32_t count) {
  const auto some = static_cast<std::uint32_t>(shape.salt >> 8 & 3);
  const std::uint32_t indexes[] = {count + some, 0 - 1 - some, 0x7fffffff - some,
                                   0x80000000 + some};
  return indexes[shape.variant / 2 % std::size(indexes)];
}

/// One of two indexes by the condition, or a loaded one.
std::string index_of(Draft& draft, const std::string& good, const std::string& bad) {
  KernelText& kernel = draft.kernel;
  if (draft.shape.benign) return good;
  return kernel.make("OpSelect %uint {} {} {}", kernel.condition(), bad, good);
}

void fit_shader_alone(Shape& shape, Random& random) {
  begin_shader_shape(shape, random, true);
  shape.flavour = Flavour::kDescriptors;
  shape.object = Object::kTarget;
  shape.form = Form::kIndexSelect;
  shape.mix = Mix::kSelect;
  shape.carry = random.chance(50) ? Carry::kNone : Carry::kPrivateSlot;
  end_shader_shape(shape);
}

// ---- descriptor: an array of descriptors has no such element --------------------------------------

constexpr std::uint32_t kDescriptorCount = 3, kGoodDescriptor = 1;

void declare_descriptors(KernelText& kernel) {
  kernel.global(
      "OpName %many \"many\"\nOpDecorate %many DescriptorSet 1\nOpDecorate %many Binding 0\n"
      "%descriptors = OpTypeArray %block_target %uint_{}\n"
      "%to_descriptors = OpTypePointer CrossWorkgroup %descriptors\n"
      "%many = OpVariable %to_descriptors CrossWorkgroup",
      kDescriptorCount);
}

Case make_descriptor(Draft& draft) {
  const Shape& shape = draft.shape;
  Case made = one_launch(draft, {}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    declare_descriptors(kernel);
    const std::string number =
        index_of(d, fmt::format("%uint_{}", kGoodDescriptor),
                 fmt::format("%uint_{}", bad_index(shape, kDescriptorCount)));
    kernel.access(kernel.carry(kernel.make("OpAccessChain %{} %many {} %uint_0 {}",
                                           KernelText::pointer(Space::kCrossWorkgroup), number,
                                           kernel.own_number(Object::kTarget))));
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          LanePlan plan = plan_at(shape, Object::kTarget, kernel.own_offset(Object::kTarget, item));
          if (!shape.benign) plan.fate = Fate::kNull;
          return plan;
        },
        Object::kTarget);
  });
  LaunchSpec& launch = made.launches[0];
  for (const char* const name : {"before", "target", "after"})
    launch.arguments.push_back({ArgumentSpec::Kind::kBuffer, name});
  if (shape.benign || launch.findings.empty()) return made;
  // The chain that finds no descriptor gives null.
  ExpectedFinding none = launch.findings[0];
  none.rules = {"TSP-R0020"};
  none.line = 0;
  none.instruction = "OpAccessChain";
  none.allocation = "many";
  launch.findings.push_back(none);
  return made;
}

// ---- block: an array in a uniform block or in push constants --------------------------------------

void fit_block(Shape& shape, Random& random) {
  fit_shader_alone(shape, random);
  shape.access = Access::kLoad;
  shape.via = Space::kUniformConstant;
  shape.carry = Carry::kNone;
}

Case make_block(Draft& draft) {
  const Shape& shape = draft.shape;
  const bool is_pushed = shape.variant % 2 == 0;
  const std::string space = is_pushed ? "PushConstant" : "Uniform";
  const auto count = static_cast<std::uint32_t>(shape.elements(Object::kConstant));
  const std::uint32_t bad = bad_index(shape, count);
  Case made = one_launch(draft, {}, [&](Draft& d) {
    KernelText& kernel = d.kernel;
    kernel.global(
        "OpName %table \"table\"\nOpDecorate %Table Block\nOpMemberDecorate %Table 0 Offset 0\n"
        "OpDecorate %elements ArrayStride {1}\n%elements = OpTypeArray %element %uint_{2}\n"
        "%Table = OpTypeStruct %elements\n%to_table = OpTypePointer {0} %Table\n"
        "%table = OpVariable %to_table {0}",
        space, shape.width(), count);
    if (!is_pushed) kernel.global("OpDecorate %table DescriptorSet 1\nOpDecorate %table Binding 0");
    std::string own = kernel.own_number(Object::kConstant);
    if (shape.wide) own = kernel.make("OpUConvert %uint {}", own);
    const std::string number = index_of(d, own, fmt::format("%uint_{}", bad));
    kernel.access(kernel.make("OpAccessChain %_ptr_{}_element %table %uint_0 {}", space, number));
    plan_lanes(
        d,
        [&](std::uint32_t item) {
          const std::int64_t offset = std::int64_t{static_cast<std::int32_t>(bad)} *
                                      static_cast<std::int64_t>(shape.width());
          return plan_at(shape, Object::kConstant,
                         shape.benign ? kernel.own_offset(Object::kConstant, item) : offset);
        },
        Object::kConstant);
  });
  LaunchSpec& launch = made.launches[0];
  if (is_pushed) {
    launch.arguments.push_back({ArgumentSpec::Kind::kValue, {}, 0, draft.memories.constants});
    return made;
  }
  BufferSpec& table = made.buffers.emplace_back();
  table.name = "table";
  table.initial = table.expected = draft.memories.constants;
  launch.arguments.push_back({ArgumentSpec::Kind::kBuffer, "table"});
  return made;
}

}  // namespace

const std::vector<Family>& shader_families() {
  static const std::vector<Family> all = {
      {"s_descriptor", fit_shader_alone, make_descriptor},
      {"s_block", fit_block, make_block},
  };
  return all;
}

}  // namespace transpire::hostile
