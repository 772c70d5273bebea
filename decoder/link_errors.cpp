// Words for mistakes of modules that are linked: see decoder/link_named.h.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/link_named.h"
#include "decoder/module.h"

namespace transpire::decoder {
namespace {

/// A module's word on a symbol.
struct Mention {
  std::string module;  ///< in quotes
  std::string type;
  bool is_definition = false;
};

/// "float (uint, global float*)", "uint[4]" of a variable.
std::string type_of_symbol(const Module& module, Id id) {
  if (const Function* const function = module.function(id)) {
    std::string text = (function->result == nullptr ? "void" : spell(*function->result)) + " (";
    for (std::size_t i = 0; i < function->parameters.size(); ++i)
      text += (i == 0 ? "" : ", ") + spell(*function->parameters[i].type);
    return text + ")";
  }
  const Type* const type = module.type_of(id);
  if (type == nullptr) return "an unknown type";
  return spell(type->element != nullptr ? *type->element : *type);
}

/// Adds those of one module.
void add_mentions(const Module& module, const std::string& name, std::string_view symbol,
                  std::vector<Mention>& mentions) {
  for (Id id = 0; id < module.bound; ++id) {
    const Decoration* const linkage = module.decoration(id, spv::Decoration::LinkageAttributes);
    if (linkage == nullptr || linkage->operands.empty() || linkage->text != symbol) continue;
    const bool is_import =
        linkage->operands[0] == static_cast<std::uint32_t>(spv::LinkageType::Import);
    mentions.push_back({fmt::format("'{}'", name), type_of_symbol(module, id), !is_import});
  }
}

/// The text between double quotes; empty where there are none.
std::string_view symbol_in(std::string_view message) {
  const std::size_t open = message.find('"');
  const std::size_t close = open == message.npos ? message.npos : message.find('"', open + 1);
  return close == message.npos ? std::string_view() : message.substr(open + 1, close - open - 1);
}

std::string modules_of(const std::vector<Mention>& mentions, bool definitions) {
  std::vector<std::string> names;
  for (const Mention& mention : mentions)
    if (mention.is_definition == definitions &&
        std::ranges::find(names, mention.module) == names.end())
      names.push_back(mention.module);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Explains a symbol that is defined with one type and used with another one.
void explain_types(std::string_view symbol, const std::vector<Mention>& mentions,
                   Diagnostic& error) {
  const auto definition = std::ranges::find(mentions, true, &Mention::is_definition);
  if (definition == mentions.end()) return;
  const auto is_other = [&](const Mention& mention) {
    return !mention.is_definition && mention.type != definition->type;
  };
  auto use = std::ranges::find_if(mentions, is_other);
  if (use == mentions.end()) use = std::ranges::find(mentions, false, &Mention::is_definition);
  if (use == mentions.end()) return;
  error.message = fmt::format("'{}' is {} where {} declares it, and {} where {} defines it", symbol,
                              use->type, use->module, definition->type, definition->module);
  error.help = "declare it with the type that it is defined with";
}

}  // namespace

Diagnostics explained(Diagnostics errors, const std::vector<std::vector<std::uint32_t>>& modules,
                      std::span<const std::string> names) {
  for (Diagnostic& error : errors) {
    const std::string symbol(symbol_in(error.message));
    if (symbol.empty()) continue;
    std::vector<Mention> mentions;
    for (std::size_t i = 0; i < modules.size() && i < names.size(); ++i)
      if (const auto module = decode(std::as_bytes(std::span(modules[i])), {}))
        add_mentions(*module, names[i], symbol, mentions);
    if (error.message.find("Type mismatch") != error.message.npos)
      explain_types(symbol, mentions, error);
    else if (const std::string users = modules_of(mentions, false); !users.empty())
      error.notes.push_back(fmt::format("'{}' is declared in {}", symbol, users));
  }
  return errors;
}

}  // namespace transpire::decoder
