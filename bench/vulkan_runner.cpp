// Runs the GLSL form of a case through lavapipe, Mesa's Vulkan device for processors.
// Pipelines, descriptors and the command buffer with all launches are made once; a run submits it and waits.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vulkan/vulkan_raii.hpp>

#include "bench/kernel_files.h"
#include "bench/runner.h"
#include "bench/shader_inputs.h"

namespace transpire::bench {
namespace {

std::vector<std::uint32_t> ReadWords(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) throw std::runtime_error("cannot read '" + path + "'");
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

vk::raii::Instance MakeInstance(const vk::raii::Context& context) {
  const vk::ApplicationInfo application("transpire-bench", 1, nullptr, 0, VK_API_VERSION_1_2);
  try {
    return {context, vk::InstanceCreateInfo({}, &application)};
  } catch (const vk::SystemError& error) {
    throw NotAvailable(std::string("there is no Vulkan driver: ") + error.what());
  }
}

vk::raii::PhysicalDevice FindLavapipe(const vk::raii::Instance& instance) {
  for (const vk::raii::PhysicalDevice& device : vk::raii::PhysicalDevices(instance)) {
    const vk::PhysicalDeviceProperties properties = device.getProperties();
    if (std::string_view(properties.deviceName).starts_with("llvmpipe")) return device;
  }
  throw NotAvailable("expected a Vulkan device called 'llvmpipe', found none");
}

/// With all features that the device has.
vk::raii::Device MakeDevice(const vk::raii::PhysicalDevice& physical) {
  const auto features =
      physical.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                            vk::PhysicalDeviceVulkan12Features>();
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, 0, 1, &priority);
  return {physical, vk::DeviceCreateInfo({}, queue, {}, {}, nullptr,
                                         &features.get<vk::PhysicalDeviceFeatures2>())};
}

/// A buffer whose bytes the host sees as long as it lives.
struct Memory {
  vk::raii::Buffer buffer;
  vk::raii::DeviceMemory memory;
  std::byte* bytes;
};

Memory MakeMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                  std::size_t size) {
  vk::raii::Buffer buffer(device,
                          vk::BufferCreateInfo({}, size, vk::BufferUsageFlagBits::eStorageBuffer));
  const vk::MemoryRequirements needs = buffer.getMemoryRequirements();
  const auto types = physical.getMemoryProperties();
  constexpr vk::MemoryPropertyFlags kWanted =
      vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
  const auto type = std::find_if(
      types.memoryTypes.begin(), types.memoryTypes.begin() + types.memoryTypeCount,
      [&](const vk::MemoryType& each) { return (each.propertyFlags & kWanted) == kWanted; });
  vk::raii::DeviceMemory memory(
      device, vk::MemoryAllocateInfo(needs.size,
                                     static_cast<std::uint32_t>(type - types.memoryTypes.begin())));
  buffer.bindMemory(*memory, 0);
  auto* bytes = static_cast<std::byte*>(memory.mapMemory(0, VK_WHOLE_SIZE));
  return {std::move(buffer), std::move(memory), bytes};
}

vk::raii::DescriptorSetLayout MakeSetLayout(const vk::raii::Device& device, std::size_t buffers) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (std::uint32_t binding = 0; binding < buffers; ++binding)
    bindings.emplace_back(binding, vk::DescriptorType::eStorageBuffer, 1,
                          vk::ShaderStageFlagBits::eCompute);
  return {device, vk::DescriptorSetLayoutCreateInfo({}, bindings)};
}

vk::raii::PipelineLayout MakeLayout(const vk::raii::Device& device,
                                    vk::DescriptorSetLayout set_layout, std::size_t push_bytes) {
  const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0,
                                    static_cast<std::uint32_t>(push_bytes));
  return {device,
          vk::PipelineLayoutCreateInfo({}, 1, &set_layout, push_bytes == 0 ? 0 : 1, &range)};
}

struct Shader {
  std::string kernel;
  std::vector<std::uint32_t> local_size;
  vk::raii::DescriptorSetLayout set_layout;
  vk::raii::PipelineLayout layout;
  vk::raii::Pipeline pipeline;
};

/// A kernel for one size of groups, from the module at `path`.
Shader MakeShader(const vk::raii::Device& device, const std::string& kernel,
                  const std::string& path, const ShaderInputs& inputs) {
  const std::vector<std::uint32_t> words = ReadWords(path);
  const vk::raii::ShaderModule module(device, vk::ShaderModuleCreateInfo({}, words));
  std::vector<vk::SpecializationMapEntry> entries;
  for (std::uint32_t id = 0; id < inputs.local_size.size(); ++id)
    entries.emplace_back(id, id * 4, 4);
  const vk::SpecializationInfo constants(static_cast<std::uint32_t>(entries.size()), entries.data(),
                                         inputs.local_size.size() * sizeof(std::uint32_t),
                                         inputs.local_size.data());
  vk::raii::DescriptorSetLayout set_layout = MakeSetLayout(device, inputs.buffers.size());
  vk::raii::PipelineLayout layout = MakeLayout(device, *set_layout, inputs.push_constants.size());
  const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module,
                                                "main", &constants);
  vk::raii::Pipeline pipeline(device, nullptr, vk::ComputePipelineCreateInfo({}, stage, *layout));
  return {kernel, inputs.local_size, std::move(set_layout), std::move(layout), std::move(pipeline)};
}

class VulkanRunner final : public Runner {
 public:
  explicit VulkanRunner(const BenchCase& bench)
      : bench_(bench),
        instance_(MakeInstance(context_)),
        physical_(FindLavapipe(instance_)),
        device_(MakeDevice(physical_)),
        queue_(device_, 0, 0),
        descriptors_(MakePool()),
        commands_pool_(device_, vk::CommandPoolCreateInfo({}, 0)),
        commands_(std::move(vk::raii::CommandBuffers(
            device_, vk::CommandBufferAllocateInfo(*commands_pool_,
                                                   vk::CommandBufferLevel::ePrimary, 1))[0])) {
    for (const Buffer& buffer : bench.buffers)
      memories_.push_back(MakeMemory(physical_, device_, buffer.data.size()));
    for (std::size_t i = 0; i < memories_.size(); ++i) Write(i);
    commands_.begin(vk::CommandBufferBeginInfo());
    for (const Launch& launch : bench.launches) Record(launch);
    commands_.end();
  }

  void Restore() override {
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (bench_.buffers[i].access == Access::kWrite) Write(i);
    }
  }

  void Run() override {
    queue_.submit(vk::SubmitInfo({}, {}, *commands_));
    queue_.waitIdle();
  }

  std::vector<std::vector<std::byte>> Results() override {
    std::vector<std::vector<std::byte>> results;
    for (std::size_t i = 0; i < memories_.size(); ++i)
      results.emplace_back(memories_[i].bytes, memories_[i].bytes + bench_.buffers[i].data.size());
    return results;
  }

 private:
  /// Room for a set for each launch.
  vk::raii::DescriptorPool MakePool() const {
    std::uint32_t buffers = 0;
    for (const Launch& launch : bench_.launches)
      buffers += static_cast<std::uint32_t>(launch.arguments.size());
    const vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer, buffers);
    return {device_,
            vk::DescriptorPoolCreateInfo(vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                                         static_cast<std::uint32_t>(bench_.launches.size()), size)};
  }

  void Write(std::size_t index) {
    const std::vector<std::byte>& data = bench_.buffers[index].data;
    std::memcpy(memories_[index].bytes, data.data(), data.size());
  }

  const Shader& ShaderFor(const Launch& launch, const ShaderInputs& inputs) {
    const auto same = [&](const Shader& shader) {
      return shader.kernel == launch.kernel && shader.local_size == inputs.local_size;
    };
    const auto found = std::find_if(shaders_.begin(), shaders_.end(), same);
    if (found != shaders_.end()) return *found;
    const std::string path = ShaderPath(bench_, launch.kernel, OptimisationLevel::kO2);
    return shaders_.emplace_back(MakeShader(device_, launch.kernel, path, inputs));
  }

  vk::DescriptorSet MakeSet(const Shader& shader, const ShaderInputs& inputs) {
    const vk::DescriptorSetLayout layout = *shader.set_layout;
    sets_.push_back(std::move(
        device_.allocateDescriptorSets(vk::DescriptorSetAllocateInfo(*descriptors_, layout))[0]));
    for (std::uint32_t binding = 0; binding < inputs.buffers.size(); ++binding) {
      const vk::DescriptorBufferInfo info(*memories_[inputs.buffers[binding]].buffer, 0,
                                          VK_WHOLE_SIZE);
      device_.updateDescriptorSets(
          vk::WriteDescriptorSet(*sets_.back(), binding, 0, vk::DescriptorType::eStorageBuffer, {},
                                 info),
          {});
    }
    return *sets_.back();
  }

  /// Adds the launch to the command buffer; the next one waits for it.
  void Record(const Launch& launch) {
    const ShaderInputs inputs = InputsOf(launch);
    const Shader& shader = ShaderFor(launch, inputs);
    commands_.bindPipeline(vk::PipelineBindPoint::eCompute, *shader.pipeline);
    commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *shader.layout, 0,
                                 MakeSet(shader, inputs), {});
    if (!inputs.push_constants.empty())
      commands_.pushConstants<std::byte>(*shader.layout, vk::ShaderStageFlagBits::eCompute, 0,
                                         inputs.push_constants);
    commands_.dispatch(inputs.groups[0], inputs.groups[1], inputs.groups[2]);
    constexpr vk::AccessFlags kBoth =
        vk::AccessFlagBits::eShaderRead | vk::AccessFlagBits::eShaderWrite;
    commands_.pipelineBarrier(vk::PipelineStageFlagBits::eComputeShader,
                              vk::PipelineStageFlagBits::eComputeShader, {},
                              vk::MemoryBarrier(vk::AccessFlagBits::eShaderWrite, kBoth), {}, {});
  }

  const BenchCase& bench_;
  vk::raii::Context context_;
  vk::raii::Instance instance_;
  vk::raii::PhysicalDevice physical_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  vk::raii::DescriptorPool descriptors_;
  vk::raii::CommandPool commands_pool_;
  std::vector<Memory> memories_;
  std::vector<Shader> shaders_;
  std::vector<vk::raii::DescriptorSet> sets_;  // one for each launch
  vk::raii::CommandBuffer commands_;
};

}  // namespace

std::unique_ptr<Runner> MakeVulkanRunner(const BenchCase& bench, unsigned threads) {
  if (threads != 0) setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  return std::make_unique<VulkanRunner>(bench);
}

}  // namespace transpire::bench
