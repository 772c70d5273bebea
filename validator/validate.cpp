// The validator's entry: bytes to words, the families in order, the decoder's refusal, the second
// opinion.
#include "validator/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/rule.h"
#include "base/spirv_words.h"
#include "decoder/module.h"
#include "decoder/raw_instructions.h"
#include "decoder/view/assemble_text.h"
#include "validator/asked_environment.h"
#include "validator/context.h"
#include "validator/render.h"
#include "validator/repeated_pointers.h"

namespace transpire::validator {
namespace {

/// Larger modules get no second opinion: SPIRV-Tools' validator takes several times as long as this
/// one.
constexpr std::size_t kMostWordsForOpinion = std::size_t{1} << 20;
/// SPIRV-Tools' validator walks up the dominator tree for each use of a value: quadratic time in
/// the blocks of a function.
constexpr std::size_t kMostBlocksForOpinion = std::size_t{1} << 12;

/// The reason why it would take too long; empty if it does not.
std::string why_too_long(std::span<const std::uint32_t> words) {
  if (words.size() > kMostWordsForOpinion)
    return fmt::format("the module has more than {} words", kMostWordsForOpinion);
  std::size_t blocks = 0;  // number of blocks of the current function
  for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    if (op == spv::Op::OpFunction) blocks = 0;
    if (op == spv::Op::OpLabel && ++blocks > kMostBlocksForOpinion)
      return fmt::format("a function has more than {} blocks", kMostBlocksForOpinion);
  }
  return {};
}

/// The reason why SPIRV-Tools is not asked; empty if it is. Elsewhere than for OpenCL no other validator is there, so that it
/// may take long.
std::string why_no_second_opinion(const ModuleView& view, bool is_opencl) {
  for (const Instruction& each : view.instructions())
    if (each.info && each.info->is_newer)
      return fmt::format("SPIRV-Tools may not know {}", each.info->name);
  return is_opencl ? why_too_long(view.words()) : std::string();
}

struct Target {
  Environment environment;
  Device device;
};

/// `view`: the module, which may name its environment itself.
Result<Target> target_of(const ValidateOptions& options, const ModuleView& view) {
  Target target;
  const std::optional<Environment> environment =
      options.environment.empty() ? asked_environment(view) : find_environment(options.environment);
  if (!environment) {
    Diagnostic error = make_diagnostic(
        Rule::kC0035, fmt::format("expected an environment, found '{}'", options.environment));
    error.help =
        "opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0, or one of these with 'embedded'; "
        "vulkan1.0 to vulkan1.4; "
        "universal1.0 to universal1.6";
    return error;
  }
  target.environment = *environment;
  if (options.device.empty()) return target;
  TRANSPIRE_TRY(target.device, read_device(options.device, options.device_name));
  return target;
}

/// Errors of the decoder that no rule here explains. Unsupported features (U rules) do not make a
/// module invalid.
Diagnostics refusal(const ModuleView& view, const std::string& name, const WorkLimit& limit) {
  decoder::DecodeOptions options;
  options.input_name = name;
  options.limit = limit;
  options.text_names = view.text_names();
  const Result<decoder::Module> module = decoder::decode(std::as_bytes(view.words()), options);
  if (module) return {};
  Diagnostics refused = module.errors();
  std::erase_if(refused,
                [](const Diagnostic& diagnostic) { return diagnostic.rule.starts_with("TSP-U"); });
  return refused;
}

Diagnostic out_of_time(const std::string& name) {
  Diagnostic error =
      make_diagnostic(Rule::kL0002, "the time limit was reached while the module was validated");
  error.input = name;
  return error;
}

/// Asks the caller which diagnostics are suppressed.
class Suppression {
 public:
  Suppression(const ModuleView& view, const PlaceRenderer& places, const ValidateOptions& options)
      : view_(view), places_(places), options_(options) {
    if (!options.suppressed) return;
    for (const std::uint32_t entry : view.all(spv::Op::OpEntryPoint))
      kernels_.try_emplace(view.word(entry, 1), view.text(entry, 2));
  }

  bool holds_for(const Report& report) const {
    return options_.suppressed && holds_for(render(report, places_), report.place.instruction);
  }
  /// `instruction`: the diagnostic's; kNone: none.
  bool holds_for(Diagnostic diagnostic, std::uint32_t instruction) const {
    if (!options_.suppressed) return false;
    if (std::string function = function_of(instruction); !function.empty())
      diagnostic.frames.push_back({std::move(function), diagnostic.source, diagnostic.word_offset});
    return options_.suppressed(diagnostic);
  }

 private:
  /// The name of the function that contains an instruction: its kernel's, else its own.
  std::string function_of(std::uint32_t instruction) const {
    constexpr std::size_t kLongestName = 1000;
    if (instruction >= view_.instructions().size()) return {};
    const std::uint32_t function = view_.at(instruction).function;
    if (function >= view_.functions().size()) return {};
    const Id id = view_.at(view_.functions()[function].first).result_id;
    const auto kernel = kernels_.find(id);
    return kernel != kernels_.end() ? kernel->second : view_.name(id, kLongestName);
  }

  const ModuleView& view_;
  const PlaceRenderer& places_;
  const ValidateOptions& options_;
  std::unordered_map<Id, std::string> kernels_;
};

/// True for a warning of a rule that the options make an error by name.
bool is_named_error(const Diagnostic& diagnostic, const ValidateOptions& options) {
  return diagnostic.severity == Severity::kWarning &&
         names_rule(options.as_errors, diagnostic.rule) &&
         !names_rule(options.as_warnings, diagnostic.rule);
}

void render_all(const Context& context, const PlaceRenderer& places, Validation& validation) {
  for (const Report& report : context.reports())
    validation.diagnostics.push_back(render(report, places));
  validation.errors = context.error_count();
  validation.warnings = context.warning_count();
  validation.held_back = context.held_back_count();
}

}  // namespace

Result<Validation> validate_module(const Subject& subject, const ValidateOptions& options,
                                   const WorkLimit& limit, const SourceExcerpt& source) {
  TRANSPIRE_TRY(const Target target, target_of(options, subject.module.view));
  const bool is_opencl = target.environment.is_opencl();
  std::vector<std::uint32_t> unified;
  std::optional<ModuleView> view_of_unified;
  if (options.strictness == Strictness::kField && is_opencl)
    unified = with_pointers_unified(subject.module.view.words());
  if (!unified.empty()) {
    view_of_unified.emplace(unified);
    view_of_unified->call_ids(subject.module.view.text_names());
  }
  const ModuleView& view = view_of_unified ? *view_of_unified : subject.module.view;
  Validation validation;
  validation.environment = target.environment.name();
  if (options.strictness == Strictness::kNone) return validation;
  Context context(view, target.environment, target.device, options);
  context.limit = limit;
  context.byte_swapped = subject.byte_swapped;
  const PlaceRenderer places(view, subject.module.text, options.name, source);
  const Suppression suppression(view, places, options);
  if (options.suppressed)
    context.suppresses = [&](const Report& report) { return suppression.holds_for(report); };
  for (const Family* family : families())
    if (is_opencl && family->check && !context.stopped()) family->check(context);
  if (limit.spent()) return out_of_time(options.name);
  context.drop_consequences();
  render_all(context, places, validation);
  const auto add = [&](Diagnostics more) {
    for (Diagnostic& diagnostic : more) {
      const std::uint32_t instruction =
          diagnostic.word_offset ? places.instruction_at(*diagnostic.word_offset) : kNone;
      places.show_word(diagnostic);
      if (suppression.holds_for(diagnostic, instruction)) continue;
      if (is_named_error(diagnostic, options)) {
        diagnostic.severity = Severity::kError;
        if (diagnostic.rule == "TSP-V0001")
          diagnostic.help =
              "an error by '-Werror=V0001': SPIRV-Tools also rejects some modules that are valid";
      }
      ++(diagnostic.severity == Severity::kError ? validation.errors : validation.warnings);
      validation.diagnostics.push_back(std::move(diagnostic));
    }
  };
  if (validation.errors == 0 && !subject.decodes) add(refusal(view, options.name, limit));
  if (validation.errors == 0 && (options.second_opinion || !is_opencl)) {
    validation.no_second_opinion = why_no_second_opinion(view, is_opencl);
    if (validation.no_second_opinion.empty())
      add(second_opinion(view, validation.environment, options.name));
  }
  validation.valid = validation.errors == 0;
  return validation;
}

Result<Validation> validate_words(std::span<const std::uint32_t> words,
                                  const ValidateOptions& options, const WorkLimit& limit,
                                  const SourceExcerpt& source) {
  std::vector<std::uint32_t> host_order;
  const bool is_swapped = !words.empty() && words[0] == swapped_bytes(kSpirvMagic);
  if (is_swapped) {
    host_order.resize(words.size());
    std::transform(words.begin(), words.end(), host_order.begin(), swapped_bytes);
    words = host_order;
  }
  const ViewedModule module = view_module(words);
  return validate_module({module, is_swapped}, options, limit, source);
}

Result<Validation> validate_bytes(std::span<const std::byte> bytes, const ValidateOptions& options,
                                  const WorkLimit& limit, const SourceExcerpt& source) {
  if (is_assembler_text(bytes)) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    TRANSPIRE_TRY(const AssembledText assembled, assemble_text(text, options.name));
    return validate_module({assembled.module}, options, limit, source);
  }
  if (bytes.size() % 4 != 0 || bytes.size() < decoder::kHeaderWords * 4) {
    // Not even a header: the decoder reports what is missing.
    TRANSPIRE_TRY(const Target target, target_of(options, ModuleView({})));
    Validation validation;
    validation.environment = target.environment.name();
    decoder::DecodeOptions decode_options;
    decode_options.input_name = options.name;
    const auto refused = decoder::decode(bytes, decode_options);
    if (!refused) validation.diagnostics = refused.errors();
    validation.errors = validation.diagnostics.size();
    validation.valid = validation.errors == 0;
    return validation;
  }
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return validate_words(words, options, limit, source);
}

}  // namespace transpire::validator
