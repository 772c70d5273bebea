// SPV_KHR_linkonce_odr: symbols that several modules may define in the same way. SPIRV-Tools'
// linker knows only exports and imports, so the first definition becomes an export; later ones become imports or lose their linkage.
#include "decoder/link_once.h"

#include <set>
#include <string>

#include "decoder/context.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kNameAt = 3;  // in OpDecorate with LinkageAttributes

struct Place {
  std::size_t at;
  std::size_t count;
};

/// Calls f(place) for every instruction.
template <class F>
void each_instruction(const Words& words, F f) {
  for_each_instruction(words, [&f](std::size_t at, std::size_t count) { f(Place{at, count}); });
}

bool is_op(const Words& words, Place place, spv::Op op, std::uint32_t least) {
  return (words[place.at] & 0xffff) == static_cast<std::uint32_t>(op) && place.count >= least;
}

bool is_linkage(const Words& words, Place place, spv::LinkageType type) {
  return is_op(words, place, spv::Op::OpDecorate, 5) &&
         words[place.at + 2] == static_cast<std::uint32_t>(spv::Decoration::LinkageAttributes) &&
         words[place.at + place.count - 1] == static_cast<std::uint32_t>(type);
}

std::string name_of(const Words& words, Place place) {
  std::string name;
  read_string(std::span(words).subspan(place.at + kNameAt, place.count - kNameAt - 1), name);
  return name;
}

std::set<std::uint32_t> variables_of(const Words& words) {
  std::set<std::uint32_t> variables;
  each_instruction(words, [&](Place place) {
    if (is_op(words, place, spv::Op::OpVariable, 4)) variables.insert(words[place.at + 2]);
  });
  return variables;
}

/// Changes that alter the length of a module's instructions.
struct Changes {
  std::set<std::size_t> dropped;  ///< offsets of instructions to remove
  std::set<std::uint32_t>
      imports;  ///< variables that another module defines; they lose their initial values
  bool none() const { return dropped.empty() && imports.empty(); }
};

Words rebuilt(const Words& words, const Changes& changes) {
  Words kept(words.begin(), words.begin() + kHeaderWords);
  each_instruction(words, [&](Place place) {
    if (changes.dropped.contains(place.at)) return;
    const bool is_import = is_op(words, place, spv::Op::OpVariable, 5) &&
                           changes.imports.contains(words[place.at + 2]);
    const std::size_t count = is_import ? 4 : place.count;
    kept.push_back(static_cast<std::uint32_t>(count) << 16 | (words[place.at] & 0xffff));
    kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(place.at + 1),
                words.begin() + static_cast<std::ptrdiff_t>(place.at + count));
  });
  return kept;
}

}  // namespace

void keep_one_definition(std::vector<Words>& modules) {
  std::set<std::string> defined;
  for (const Words& words : modules)
    each_instruction(words, [&](Place place) {
      if (is_linkage(words, place, spv::LinkageType::Export)) defined.insert(name_of(words, place));
    });
  for (Words& words : modules) {
    const std::set<std::uint32_t> variables = variables_of(words);
    Changes changes;
    each_instruction(words, [&](Place place) {
      if (!is_linkage(words, place, spv::LinkageType::LinkOnceODR)) return;
      std::uint32_t& type = words[place.at + place.count - 1];
      if (defined.insert(name_of(words, place)).second) {
        type = static_cast<std::uint32_t>(spv::LinkageType::Export);
      } else if (variables.contains(words[place.at + 1])) {
        type = static_cast<std::uint32_t>(spv::LinkageType::Import);
        changes.imports.insert(words[place.at + 1]);
      } else {
        // The module's own calls may use its own copy, which equals the first one.
        changes.dropped.insert(place.at);
      }
    });
    if (!changes.none()) words = rebuilt(words, changes);
  }
}

}  // namespace transpire::decoder
