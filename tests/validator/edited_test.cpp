// The loader and the engine take what the validator takes: all modules of the tests are edited, instruction by
// instruction and word by word, and what is valid in `strict` is loaded and run with small arguments and few steps. No rule of the
// decoder (TSP-D) and no refusal (TSP-U) may come of it but those that docs/validator.md, "What strict takes and the VM
// does not", lists; and nothing may crash or hang.
//
//   validator_edited FOLDER FOLDER [--count N] [--seconds N] [--seed N] [--last FILE]
//
// The folders hold assembly: that of tests, and the golden programs as the build writes them whole.
// --count: edited modules (2000), --seconds: until the time is over; --last: each module is written
// there before it is run, so that a crash leaves it behind. A deviation is printed with the
// module's disassembly.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "decoder/view/assemble_text.h"
#include "tests/fuzz/hostile_modules.h"
#include "tests/fuzz/small_launch.h"
#include "tests/shorthand/shorthand.h"
#include "tests/validator/edit_module.h"
#include "validator/example.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

using Words = std::vector<std::uint32_t>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWords =
    3000;  ///< of a module to edit: large ones show nothing that small ones do not
constexpr std::size_t kMostKernels = 2;
constexpr double kMostSeconds =
    20;  ///< for one module; a machine under load and sanitizers are slow
constexpr const char* kDevice =
    R"({"extensions": ["cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
        "cl_khr_depth_images", "cl_khr_3d_image_writes", "cl_khr_subgroups", "cles_khr_int64",
        "cl_khr_subgroup_named_barrier"]})";

/// A valid module that is refused all the same: a rule and how its message begins or ends.
struct Exception {
  std::string_view rule, begin, end;
};
constexpr Exception kExceptions[] = {
    {"TSP-U0006", "the function ", " has no body in this module"},  // a library
    {"TSP-U0008", "the variable ", " is not defined in this module"},
    {"TSP-U0007", "", ""},  // the VM's limits
    {"TSP-U0001", "the execution scope must be a constant", ""},
    {"TSP-U0001", "OpImageTexelPointer is not supported", ""},
    {"TSP-U0001", "only loads and access chains may use the built-in variable ", ""},
    {"TSP-U0001", "a pointer to a built-in variable is cast to no pointer", ""},
    {"TSP-U0001", "a dynamic index into a built-in variable ", ""},
    {"TSP-U0002", "printf", ""},
    {"TSP-U0003", "the initializer of Workgroup variable ", ""},
    {"TSP-U0003", "the sub-group size ", ""},
    {"TSP-U0003", "", " which specialization constants give"},
    {"TSP-U0003", "the variable ", "[0] is not supported"},  // of such a length
    {"TSP-U0003", "an array length that ", ""},              // depends on an address
    {"TSP-U0003", "OpTypeArray of ", ""},                    // what memory does not hold
    {"TSP-U0003", "OpTypeStruct of ", ""},
};

bool is_exception(const Diagnostic& diagnostic) {
  return std::ranges::any_of(kExceptions, [&](const Exception& exception) {
    return diagnostic.rule == exception.rule && diagnostic.message.starts_with(exception.begin) &&
           diagnostic.message.ends_with(exception.end);
  });
}

struct Source {
  std::string name;
  Words words;
  ValidateOptions options;
};

struct Tally {
  std::size_t edited = 0, valid = 0, loaded = 0, ran = 0, refused = 0, wrong = 0;
};

class Runner {
 public:
  explicit Runner(std::string last) : last_(std::move(last)) {
    for (const std::string& isa : supported_isas())
      devices_.push_back(*transpire::Device::create({isa, 1}));
  }

  /// Loads and runs a valid module.
  void run(const Source& source, const Words& words);
  Tally tally;

 private:
  void wrong(const Words& words, std::string_view what);
  void run_kernel(const Words& words, const Module& module, const KernelInfo& kernel);

  std::string last_;
  std::vector<transpire::Device> devices_;
};

void Runner::wrong(const Words& words, std::string_view what) {
  ++tally.wrong;
  fmt::print("{}\n", what);
  const std::string name = fmt::format("edited-{}.spv", tally.wrong);
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
  fmt::print("  the module is in {}\n", std::filesystem::absolute(name).string());
}

const Diagnostic* misfit(const Diagnostics& diagnostics) {
  const auto found = std::ranges::find_if(diagnostics, [](const Diagnostic& diagnostic) {
    const bool is_refusal =
        diagnostic.rule.starts_with("TSP-U") || diagnostic.rule.starts_with("TSP-D");
    return is_refusal && !is_exception(diagnostic);
  });
  return found == diagnostics.end() ? nullptr : &*found;
}

void Runner::run_kernel(const Words& words, const Module& module, const KernelInfo& kernel) {
  const Diagnostics refusals = module.unsupported(kernel.name);
  if (const Diagnostic* found = misfit(refusals)) return wrong(words, format(*found));
  tally.refused += !refusals.empty();
  const transpire::Device& device = devices_[tally.loaded % devices_.size()];
  for (const bool many : {false, true}) {
    std::optional<Launch> launch = fuzz::small_launch(module, kernel);
    if (!launch) return;
    launch->check_sync = true;
    if (kernel.required_local_size) launch->geometry.global_size = *kernel.required_local_size;
    launch->geometry.dimensions = 3;
    if (many && !kernel.required_local_size) {
      launch->geometry.global_size = {70, 3, 1};
      launch->geometry.local_size = {10, 3, 1};
    }
    launch->reference = !many;
    const Result<LaunchResult> result = device.run(*launch);
    if (!result)
      if (const Diagnostic* found = misfit(result.errors())) return wrong(words, format(*found));
    tally.ran += result.ok();
  }
}

void Runner::run(const Source& source, const Words& words) {
  ++tally.valid;
  if (!last_.empty())
    std::ofstream(last_, std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
  const std::clock_t start = std::clock();
  const Result<Module> module = Module::load(std::as_bytes(std::span(words)));
  if (!module) {
    if (const Diagnostic* found = misfit(module.errors()))
      wrong(words, fmt::format("{}: valid, but not loaded: {}", source.name, format(*found)));
    ++tally.refused;
    return;
  }
  ++tally.loaded;
  const std::vector<KernelInfo>& kernels = module->info().kernels;
  for (std::size_t n = 0; n < std::min(kernels.size(), kMostKernels); ++n)
    run_kernel(words, *module, kernels[n]);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (seconds > kMostSeconds)
    wrong(words, fmt::format("{}: it took {:.1f} s", source.name, seconds));
}

bool is_valid(const Words& words, const ValidateOptions& options) {
  const auto validation = validate_words(words, options);
  return validation && validation->valid;
}

void add_source(Source source, std::vector<Source>& sources) {
  source.options.second_opinion = false;
  source.options.max_errors = 1;
  if (source.words.size() <= kMostWords && is_valid(source.words, source.options))
    sources.push_back(std::move(source));
}

/// A small module of each family of hostile ones.
void add_hostile(std::vector<Source>& sources) {
  constexpr std::uint32_t kSize = 5;
  for (const fuzz::HostileFamily& family : fuzz::hostile_families()) {
    ValidateOptions options;
    options.device = kDevice;
    add_source({std::string(family.name), family.make(kSize), options}, sources);
  }
}

std::vector<Source> read_sources(const std::vector<std::filesystem::path>& folders) {
  std::vector<Source> sources;
  for (const Example& example : examples()) {
    if (example.kind != "good") continue;
    auto prepared = prepare_example(example);
    if (!prepared || prepared->options.strictness != Strictness::kStrict) continue;
    add_source({std::string(example.id), std::move(prepared->words), std::move(prepared->options)},
               sources);
  }
  std::vector<std::filesystem::path> paths;
  const auto is_assembly = [](const std::filesystem::path& path) {
    return path.extension() == ".spvasm" || path.string().ends_with(".spvasm.in");
  };
  const std::filesystem::path written_whole = folders[0] / "programs";
  for (const std::filesystem::path& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (is_assembly(entry.path()) && !entry.path().string().starts_with(written_whole.string()))
        paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (path.extension() == ".in") text = shorthand::declare(text);
    auto assembled = assemble_text(text, path.filename().string());
    if (!assembled) continue;
    ValidateOptions options;
    options.device = kDevice;
    add_source({path.filename().string(), std::move(assembled->words), options}, sources);
  }
  add_hostile(sources);
  return sources;
}

struct Options {
  std::vector<std::filesystem::path> folders;
  std::string last;
  std::size_t count = 2000;
  double seconds = 0;  ///< 0: `count` counts
  std::uint32_t seed = 1;
};

/// Gives a word another number, as a fuzzer does that knows nothing of instructions.
void change_word(std::mt19937& random, Words& words) {
  constexpr std::size_t kHeaderWords = 5, kBound = 3;
  if (words.size() <= kHeaderWords) return;
  std::uint32_t& word = words[kHeaderWords + random() % (words.size() - kHeaderWords)];
  switch (random() % 3) {
    case 0:
      word ^= 1u << random() % 32;
      break;
    case 1:
      word = static_cast<std::uint32_t>(random()) % (words[kBound] + 8);
      break;
    default:
      word = words[random() % words.size()];
      break;
  }
}

/// Edits one source again and again, starting anew from what stays valid.
void edit_source(const Source& source, std::mt19937& random, Runner& runner) {
  constexpr int kEdits = 12;
  Words words = source.words;
  for (int n = 0; n < kEdits; ++n) {
    Words edited = words;
    for (std::uint32_t edits = 1 + random() % 2; edits != 0; --edits)
      if (random() % 3 == 0)
        change_word(random, edited);
      else
        edit_module(random, edited);
    ++runner.tally.edited;
    if (edited == words || edited.size() > 2 * kMostWords || !is_valid(edited, source.options))
      continue;
    runner.run(source, edited);
    words = std::move(edited);
  }
}

int run(const Options& options) {
  const std::vector<Source> sources = read_sources(options.folders);
  Runner runner(options.last);
  for (const Source& source : sources) runner.run(source, source.words);
  std::mt19937 random(options.seed);
  const Clock::time_point start = Clock::now();
  const auto is_over = [&] {
    if (options.seconds == 0) return runner.tally.edited >= options.count;
    return std::chrono::duration<double>(Clock::now() - start).count() > options.seconds;
  };
  while (!is_over() && !sources.empty() && runner.tally.wrong < 10)
    edit_source(sources[random() % sources.size()], random, runner);
  const Tally& tally = runner.tally;
  fmt::print(
      "{} modules edited {} times: {} valid, {} loaded, {} kernels refused by name, {} launches, "
      "{} wrong\n",
      sources.size(), tally.edited, tally.valid, tally.loaded, tally.refused, tally.ran,
      tally.wrong);
  return tally.wrong == 0 && sources.size() > 100 && tally.ran > tally.edited / 20 ? 0 : 1;
}

int main(int count, char** arguments) {
  Options options;
  if (count < 3) return 2;
  options.folders = {arguments[1], arguments[2]};
  for (int i = 3; i + 1 < count; i += 2) {
    const std::string_view word = arguments[i];
    const char* value = arguments[i + 1];
    if (word == "--count") options.count = std::strtoul(value, nullptr, 10);
    if (word == "--seconds") options.seconds = std::strtod(value, nullptr);
    if (word == "--seed")
      options.seed = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    if (word == "--last") options.last = value;
  }
  return run(options);
}

}  // namespace
}  // namespace transpire::validator

int main(int count, char** arguments) { return transpire::validator::main(count, arguments); }
