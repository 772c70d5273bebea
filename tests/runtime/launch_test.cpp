// Launching: geometry and arguments that do not fit are refused, results and findings come back.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runtime/geometry.h"
#include "tests/runtime/support.h"
#include "vm/exec/engine.h"

namespace transpire::test {
namespace {

Launch saxpy(std::uint64_t items) {
  LoadOptions options;
  options.name = "saxpy.spv";
  Launch launch(load(kSaxpy, options), "saxpy");
  launch.geometry.global_size = {items, 1, 1};
  return launch;
}

struct Vectors {
  explicit Vectors(std::uint64_t items)
      : y(make_buffer(items * 4, "y")), x(make_buffer(items * 4, "x")) {
    std::iota(x.as<float>().begin(), x.as<float>().end(), 0.0f);
    std::fill(y.as<float>().begin(), y.as<float>().end(), 1.0f);
  }
  std::vector<Argument> arguments() const {
    return {Argument::buffer(y), Argument::buffer(x), Argument::value(2.0f)};
  }
  Buffer y, x;
};

std::string refusal(const Launch& launch) { return error_of(make_device().run(launch)); }

TEST_CASE("arguments are checked against the parameters") {
  Launch launch = saxpy(64);
  const Vectors vectors(64);
  CHECK(refusal(launch) == "TSP-C0003: expected 3 arguments of kernel 'saxpy', found 0");
  const auto with = [&](std::size_t index, const Argument& argument) {
    launch.arguments = vectors.arguments();
    launch.arguments[index] = argument;
    return refusal(launch);
  };
  const std::string of_y = "TSP-C0003: argument 0 of kernel 'saxpy', 'global float* y': expected ",
                    of_a = "TSP-C0003: argument 2 of kernel 'saxpy', 'float a': expected ";
  CHECK(with(2, Argument::value(2.0)) == of_a + "a value of 4 bytes, found a value of 8 bytes");
  CHECK(with(2, Argument::buffer(vectors.x)) == of_a + "a value of 4 bytes, found a buffer");
  CHECK(with(0, Argument::local(64)) == of_y + "a buffer or a null pointer, found local memory");
  CHECK(with(0, Argument::buffer(vectors.y, 257)) ==
        of_y + "an offset of at most 256 into the buffer, which is its size, found a buffer");
  CHECK(with(0, {}) == of_y + "a buffer or a null pointer, found nothing");
  launch.kernel = "daxpy";
  CHECK(refusal(launch) == "TSP-C0002: the module has no kernel 'daxpy'");
}

TEST_CASE("values of three components come with or without padding") {
  Launch launch(load(kShapes), "shapes");
  const std::byte bytes[32] = {};
  const std::span<const std::byte> all(bytes);
  const Buffer particles = make_buffer(64);
  launch.arguments =
      args_of(particles, Argument::raw(all.first(16)), Argument::raw(all), Argument::local(16));
  CHECK(make_device().run(launch).ok());
  launch.arguments[1] = Argument::raw(all.first(12));
  CHECK(make_device().run(launch).ok());
  launch.arguments[2] = Argument::raw(all.first(12));
  CHECK(refusal(launch) ==
        "TSP-C0003: argument 2 of kernel 'shapes', 'struct Particle by_value': expected a value of "
        "32 bytes, found a value of 12 bytes");
}

TEST_CASE("the geometry is checked") {
  using Size = std::array<std::uint64_t, 3>;
  Launch launch(load(kShapes), "fixed");
  const auto outcome = [&](const Geometry& geometry) {
    launch.geometry = geometry;
    return refusal(launch);
  };
  const std::string requires_size =
      "TSP-C0004: kernel 'fixed' requires the work-group size (8,4,1), found ";
  CHECK(outcome({4, {1, 1, 1}, {}, {}}) == "TSP-C0004: expected 1 to 3 dimensions, found 4");
  CHECK(outcome({2, {16, 0, 1}, {}, {}}) == "TSP-C0004: the global size is zero in dimension 1");
  CHECK(outcome({2, {16, 8, 1}, {16, 0, 0}, {}}) ==
        "TSP-C0004: the work-group size (16,0) is zero in dimension 1");
  CHECK(outcome({2, {16, 8, 1}, {4, 4, 0}, {}}) == requires_size + "(4,4)");
  CHECK(outcome({2, {16, 8, 1}, {128, 64, 0}, {}}) ==
        "TSP-C0004: expected a work-group of at most 4096 work-items, found (128,64)");
  CHECK(outcome({1, {15, 8, 1}, {}, {}}) == requires_size + "1 dimension");
  CHECK(outcome({2, {16, 8, 1}, {8, 4, 0}, {~std::uint64_t{0}, 0, 0}}) != "ok");
  launch.geometry = {2, {15, 8, 1}, {8, 4, 0}, {}};
  CHECK(run(make_device(), launch).work_items == 120);
  launch.geometry = {2, {16, 8, 1}, {}, {}};
  const LaunchResult result = run(make_device(), launch);
  CHECK(result.local_size == Size{8, 4, 1});
  CHECK(result.work_items == 128);
}

TEST_CASE("a work-group size is chosen that divides the global size") {
  using Size = std::array<std::uint64_t, 3>;
  CHECK(runtime::choose_local_size({1 << 20, 1, 1}, false) == Size{256, 1, 1});
  CHECK(runtime::choose_local_size({1000, 1, 1}, false) == Size{250, 1, 1});
  CHECK(runtime::choose_local_size({64, 1, 1}, false) == Size{64, 1, 1});
  CHECK(runtime::choose_local_size({1024, 1024, 1}, false) == Size{256, 1, 1});
  CHECK(runtime::choose_local_size({16, 16, 1}, false) == Size{16, 16, 1});
  CHECK(runtime::choose_local_size({192, 8, 1}, false) == Size{192, 1, 1});
  CHECK(runtime::choose_local_size({1009, 1, 1}, false) == Size{1, 1, 1});
  CHECK(runtime::choose_local_size({1009, 1, 1}, true) == Size{256, 1, 1});
  CHECK(runtime::choose_local_size({7, 5, 3}, false) == Size{7, 5, 3});
}

TEST_CASE("a store past the end of a buffer is found") {
  Launch launch = saxpy(1088);
  const Vectors vectors(1024);
  launch.arguments = vectors.arguments();
  launch.arguments[1] = Argument::buffer(make_buffer(1088 * 4, "x"));
  std::string first;
  for (unsigned threads : {1u, 4u}) {
    const LaunchResult result = run(make_device(threads), launch);
    REQUIRE(result.findings.size() == 2);
    const Finding& finding = result.findings[1];
    CHECK(result.findings[0].diagnostic.rule == "TSP-R0020");
    CHECK(finding.count == 64);
    CHECK(finding.global_id == std::array<std::uint64_t, 3>{1024, 0, 0});
    CHECK(finding.allocation == "y");
    CHECK(finding.offset_bytes == 4096);
    CHECK(finding.access_bytes == 4);
    const std::string text = format(finding.diagnostic);
    CHECK(text == first.substr(0, first.empty() ? 0 : text.size()) + (first.empty() ? text : ""));
    first = text;
  }
  CHECK(first.substr(0, first.find('\n')) ==
        "error[TSP-R0021]: 4-byte store past the end of buffer 'y'");
  // The place is one of the text that the module was assembled from.
  const auto line = std::count(kSaxpy.begin(), kSaxpy.begin() + kSaxpy.find("OpStore"), '\n') + 1;
  const std::size_t place = first.find(fmt::format("\n  --> saxpy.spv:{}:1\n   | ", line));
  const std::size_t rest = first.find("  = in kernel");
  INFO(first);
  REQUIRE(rest != std::string::npos);
  CHECK(first.find("OpStore %at_2 %sum Aligned 4\n", place) < rest);
  CHECK(first.substr(rest) ==
        "  = in kernel 'saxpy'\n"
        "  = compiled from saxpy.cl:3:5\n"
        "  = work-item: global (1024,0,0), group (16,0,0), local (0,0,0); 64 times in all\n"
        "  = address: buffer 'y', offset 4096, size 4096\n"
        "help: the launch covers 1088 work-items for 1024 elements; guard with 'if (i < n)'\n");
}

TEST_CASE("null pointers and read-only buffers are found") {
  Launch launch = saxpy(64);
  const Vectors vectors(64);
  const auto message = [&] {
    const LaunchResult result = run(make_device(), launch);
    REQUIRE(result.findings.size() == 1);
    return result.findings[0].diagnostic.message + "; " + result.findings[0].diagnostic.help;
  };
  launch.arguments = vectors.arguments();
  launch.arguments[1] = Argument::null();
  CHECK(message() == "4-byte load through a null pointer; argument 'x' is null in this launch");
  launch.arguments = vectors.arguments();
  Buffer y = vectors.y;
  y.set_read_only(true);
  CHECK(message().starts_with("4-byte store to read-only buffer 'y'; "));
  y.set_read_only(false);
  y.set_write_only(true);
  CHECK(message().starts_with("4-byte load from write-only buffer 'y'; "));
  y.set_write_only(false);
  CHECK(run(make_device(), launch).findings.empty());
}

TEST_CASE("the host reads and sets program-scope variables") {
  const Module module = load(kCounter);
  const Device device = make_device();
  REQUIRE(module.info().variables.size() == 1);
  CHECK(module.info().variables[0].name == "counter");
  CHECK(module.info().variables[0].type.spelling == "uint");
  CHECK(error_of(device.program_variable(module, 1)) ==
        "TSP-C0026: the module has 1 program-scope variables, there is no 1");
  const Buffer counter = device.program_variable(module, 0).value();  // before any launch
  REQUIRE(counter.bytes().size() == 4);
  CHECK(counter.as<std::uint32_t>()[0] == 5);
  counter.as<std::uint32_t>()[0] = 100;
  const Buffer total = make_buffer(4);
  Launch launch(module, "count");
  launch.arguments = args_of(total);
  REQUIRE(device.run(launch).ok());
  CHECK(total.as<std::uint32_t>()[0] == 100);
  CHECK(counter.as<std::uint32_t>()[0] == 101);
  CHECK(device.program_variable(module, 0)->bytes().data() == counter.bytes().data());
}

TEST_CASE("unknown instruction sets are refused by name") {
  CHECK(error_of(Device::create({"mmx", 1})) ==
        "TSP-C0033: expected an instruction set, found 'mmx'");
  const std::vector<std::string> known = known_isas();
  for (const std::string& isa : supported_isas()) {
    CHECK(make_device(1, isa).isa() == isa);
    CHECK(std::find(known.begin(), known.end(), isa) != known.end());
  }
  const auto built = vm::exec::built_isas();
  for (const std::string& isa : known) {
    const auto made = Device::create({isa, 1});
    if (made.ok()) continue;
    const bool is_built = std::ranges::find(built, *vm::isa_named(isa)) != built.end();
    CHECK(made.errors()[0].message == (is_built ? "this machine cannot run the instruction set '"
                                                : "this build lacks the instruction set '") +
                                          isa + "'");
  }
}

}  // namespace
}  // namespace transpire::test
