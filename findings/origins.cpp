#include "findings/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace transpire::findings {
namespace {

const vm::UndefinedUse& undefined_use(const scheduler::Finding& found,
                                      const FindingContext& context) {
  return context.program.undefined_uses[context.program.site_of(found.instruction).number];
}

/// "local memory 'f.t', which nothing wrote"
std::string describe_memory(const vm::exec::ReportedOrigin& reported,
                            const FindingContext& context) {
  const memory::Allocation* const allocation = reported.note.allocation;
  if (allocation == nullptr) return "memory, which nothing defined";
  if (allocation->region == memory::Region::kPipe)
    return fmt::format("a packet of {}, which was written so", spell(*allocation, context));
  // Buffers may have it of earlier launches.
  const bool is_new = reported.is_certain && allocation->region == memory::Region::kWorkgroup;
  return fmt::format("{}, which nothing {}", spell(*allocation, context),
                     is_new ? "wrote" : "defined");
}

/// "private variable 'x' of f.cl:3:7, which nothing wrote since it began to live at f.cl:5:3"
std::string describe_variable(const vm::exec::ReportedOrigin& reported,
                              const FindingContext& context) {
  const vm::UndefinedOrigin& origin = reported.note.origin;
  const auto at = [&](std::uint32_t source) {
    return context.places.spell(context.program.sources[source]);
  };
  const std::string declared = at(origin.source);
  const bool began = origin.began != 0 && at(origin.began) != declared;
  std::string text =
      fmt::format("private variable '{}'", context.program.private_variables[origin.number].name);
  // Compilers give declarations no line, but where it begins to live they do.
  if (!began || !declared.starts_with("word ")) text += " of " + declared;
  text += reported.is_certain ? ", which nothing wrote" : ", which nothing defined";
  if (began) text += " since it began to live at " + at(origin.began);
  return text;
}

/// "undefined: private variable 'x' of f.cl:3:4, which nothing wrote; stored at f.cl:7:5; loaded at f.cl:9:8"
std::string describe_origin(const vm::exec::ReportedOrigin& reported,
                            const FindingContext& context) {
  using What = vm::UndefinedOrigin::What;
  const auto at = [&](std::uint32_t source) {
    return context.places.spell(context.program.sources[source]);
  };
  const std::uint32_t source = reported.note.origin.source;
  const bool is_undef = context.program.sources[source].op == spv::Op::OpUndef;
  std::string text = "undefined: ";
  switch (reported.note.origin.what) {
    case What::kValue:
      // One of the module's scope is met where it is used.
      text += "an undefined constant (OpUndef)";
      text += is_undef ? " of " + at(source) : ", which " + at(source) + " uses";
      break;
    case What::kVariable:
      text += describe_variable(reported, context);
      break;
    case What::kMemory:
      text += describe_memory(reported, context);
      break;
  }
  if (reported.note.stored != 0) text += "; stored at " + at(reported.note.stored);
  if (reported.loaded != 0) text += "; loaded at " + at(reported.loaded);
  return text;
}

/// ", called at f.cl:14:3, called at f.cl:20:1": of the load, from the inside out; empty in the kernel itself.
std::string describe_calls(const vm::exec::ReportedOrigin& reported,
                           const FindingContext& context) {
  if (reported.loaded == 0) return {};
  const vm::Program& program = context.program;
  const std::vector<Frame> frames =
      context.places.frames(program, program.sources[reported.loaded]);
  std::string text;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (frames[i].where.known())
      text += ", called at " + text_of(frames[i].where);
    else if (frames[i].word_offset)
      text += fmt::format(", called at word {}", *frames[i].word_offset);
  }
  return text;
}

}  // namespace

std::string undefined_message(const scheduler::Finding& found, const FindingContext& context) {
  using What = vm::UndefinedUse::What;
  switch (undefined_use(found, context).what) {
    case What::kBranch:
      return "a branch depends on an undefined value";
    case What::kSwitch:
      return "a switch depends on an undefined value";
    case What::kAddress:
      return "an undefined value is an address, or part of one";
    case What::kSize:
      return "an undefined value is a size";
    case What::kDivisor:
      return "an undefined value is a divisor";
    case What::kStore:
      return "an undefined value is stored in " + target_of(found, context);
    case What::kOperand:
      break;
  }
  return "an operand is undefined";
}

void add_origins(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic) {
  std::vector<std::string> texts;
  for (const vm::exec::ReportedOrigin& origin : found.origins)
    texts.push_back(describe_origin(origin, context));
  std::set<std::string> added;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // Loads of one function are told apart by its callers.
    std::string text = texts[i];
    if (std::count(texts.begin(), texts.end(), text) > 1)
      text += describe_calls(found.origins[i], context);
    if (added.insert(text).second) diagnostic.notes.push_back(std::move(text));
  }
}

}  // namespace transpire::findings
