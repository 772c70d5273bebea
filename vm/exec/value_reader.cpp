#include "vm/exec/value_reader.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/lane_values.h"

namespace transpire::vm::exec {
namespace {

bool runs(const Batch& batch, std::uint32_t lane) {
  return lane < batch.program->lanes && has_lane(batch.mask, lane);
}

const SourceBlock* source_block(const Program& program, std::uint32_t word) {
  const std::vector<SourceBlock>& blocks = program.debug.source_blocks;
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), word,
                       [](std::uint32_t w, const SourceBlock& b) { return w < b.first_word; });
  if (after == blocks.begin() || (after - 1)->end_word <= word) return nullptr;
  return &*(after - 1);
}

/// True if the definition at one word has been executed when control stands in front of another
/// word of the function.
bool is_defined(const Program& program, std::uint32_t definition, std::uint32_t word) {
  if (definition == 0) return true;
  const SourceBlock *above = source_block(program, definition), *here = source_block(program, word);
  if (above == nullptr || here == nullptr) return false;
  if (above == here) return definition < word;
  return above->enter <= here->enter && here->enter <= above->leave;
}

/// Calls f(source) for the instruction's place and for the calls around it, innermost first, until
/// it returns true.
template <class F>
bool any_frame(const Program& program, const Inst* ip, F f) {
  const Source* source = &program.source_of(ip);
  if (source == program.sources.data()) return false;
  for (;;) {
    if (f(*source)) return true;
    if (source->called_from == 0) return false;
    source = &program.sources[source->called_from];
  }
}

/// The block of code that an instruction stands in; null for those that never run.
const CodeBlock* code_block(const Program& program, std::uint32_t at) {
  const std::vector<CodeBlock>& blocks = program.debug.code_blocks;
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), at,
                       [](std::uint32_t i, const CodeBlock& b) { return i < b.first; });
  if (after == blocks.begin() || (after - 1)->last < at) return nullptr;
  return &*(after - 1);
}

/// True if a register holds the value when `at` is about to be executed.
bool is_held(const Program& program, const ValueHome& home, std::uint32_t at) {
  if (home.block == ValueHome::kEveryBlock) return true;
  const CodeBlock* here = code_block(program, at);
  if (here == nullptr) return false;
  const CodeBlock& home_block = program.debug.code_blocks[home.block];
  if (here == &home_block) return home.from <= at;
  const auto number = static_cast<std::uint32_t>(here - program.debug.code_blocks.data());
  return home_block.enter <= here->enter && here->enter <= home_block.leave &&
         home_block.loop_first <= number && number <= home_block.loop_last;
}

const NamedValue* named_value(const Program& program, std::uint32_t call, Id id) {
  const std::vector<NamedValue>& values = program.debug.values;
  const auto found = std::lower_bound(values.begin(), values.end(), std::tie(call, id),
                                      [](const NamedValue& value, const auto& key) {
                                        return std::tie(value.call, value.id) < key;
                                      });
  return found == values.end() || found->call != call || found->id != id ? nullptr : &*found;
}

/// The locals of a name in a call.
struct Naming {
  const NamedLocal* last = nullptr;  ///< in the block of a word, before it
  const NamedLocal* any = nullptr;
  std::size_t count = 0;
  bool is_ambiguous = false;  ///< several locals have the name
};

Naming find_naming(const Program& program, std::uint32_t call, std::uint32_t word,
                   std::string_view name) {
  Naming naming;
  const SourceBlock* here = source_block(program, word);
  for (const NamedLocal& local : program.debug.locals) {
    if (local.call != call || local.name != name) continue;
    if (naming.any != nullptr && naming.any->local != local.local) naming.is_ambiguous = true;
    ++naming.count;
    naming.any = &local;
    if (local.word >= word || source_block(program, local.word) != here) continue;
    if (naming.last == nullptr || naming.last->word < local.word) naming.last = &local;
  }
  return naming;
}

}  // namespace

std::uint64_t read_home(const Batch& batch, const ValueHome& home, std::uint32_t lane) {
  if (home.place == ValueHome::Place::kConstant) return home.bits;
  if (home.place == ValueHome::Place::kRow)
    return lane_bits(batch.registers, home.offset, home.kind, lane);
  std::uint64_t bits = 0;
  std::memcpy(&bits, batch.registers + home.offset, 8);
  bits += static_cast<std::uint64_t>(home.stride) * lane;
  if (home.kind == Kind::kBool) return bits & 1;
  return bits & ~std::uint64_t{0} >> (64 - 8 * lane_bytes(home.kind));
}

SeenValue value_of(const Batch& batch, const Inst* ip, Id id, std::uint32_t component,
                   std::uint32_t lane) {
  const Program& program = *batch.program;
  const NamedValue* value = nullptr;
  any_frame(program, ip, [&](const Source& frame) {
    value = named_value(program, frame.called_from, id);
    if (value != nullptr && !is_defined(program, value->word, frame.word_offset)) value = nullptr;
    return value != nullptr;
  });
  if (value == nullptr || component >= value->components || !runs(batch, lane)) return {};
  const auto at = static_cast<std::uint32_t>(ip - program.code.data());
  for (std::uint32_t h = 0; h < value->home_count; ++h) {
    const ValueHome& home = program.debug.homes[value->first_home + h];
    if (home.component == component && is_held(program, home, at))
      return {Sight::kSeen, home.kind, read_home(batch, home, lane)};
  }
  return {Sight::kOptimisedAway};
}

const NamedVariable* variable_at(const Batch& batch, const Inst* ip, Id id) {
  const Program& program = *batch.program;
  const NamedVariable* found = nullptr;
  const auto find = [&](const Source& frame) {
    for (const NamedVariable& variable : program.debug.variables)
      if (variable.id == id && variable.call == frame.called_from &&
          is_defined(program, variable.word, frame.word_offset))
        found = &variable;
    return found != nullptr;
  };
  // Module-scope names are visible in every call.
  if (!any_frame(program, ip, find)) find(Source{});
  return found;
}

Sight read_variable(const Batch& batch, const NamedVariable& variable, std::uint32_t lane,
                    std::uint64_t offset, std::span<std::byte> to) {
  if (!runs(batch, lane) || offset > variable.size_bytes ||
      to.size() > variable.size_bytes - offset)
    return Sight::kOutOfScope;
  if (variable.address == NamedVariable::kNowhere) return Sight::kOptimisedAway;
  std::uint64_t address = 0;
  std::memcpy(&address, batch.registers + variable.address, 8);
  address = memory::untagged(*batch.memory, address);
  const memory::Allocation* found = memory::allocation_at(*batch.memory, address);
  if (found == nullptr || !memory::holds(*found, address + offset, address + offset, to.size()))
    return Sight::kOptimisedAway;
  if (found->region == memory::Region::kPrivate &&
      !memory::lives_in_lane(batch.private_live, found->index, batch.program->mask_words, lane))
    return Sight::kOutOfScope;
  read_place(place_in(batch, *found, lane, address + offset - found->begin), to.data(), to.size());
  return Sight::kSeen;
}

LocalPlace local_at(const Program& program, const Inst* ip, std::string_view name) {
  LocalPlace place;
  any_frame(program, ip, [&](const Source& frame) {
    const std::uint32_t word = frame.word_offset;
    const Naming naming = find_naming(program, frame.called_from, word, name);
    if (naming.count == 0) return false;
    const NamedLocal* last = naming.last;
    if (last == nullptr && naming.count == 1) {
      if (!is_defined(program, naming.any->word, word)) return false;
      last = naming.any;
    }
    place.sight = Sight::kOptimisedAway;
    if (last == nullptr || last->id == 0 || naming.is_ambiguous) return true;
    place = {Sight::kSeen, last->id, last->is_variable};
    return true;
  });
  return place;
}

std::vector<Source> call_frames(const Program& program, const Inst* ip) {
  std::vector<Source> frames;
  any_frame(program, ip, [&](const Source& frame) {
    frames.push_back(frame);
    return false;
  });
  return frames;
}

}  // namespace transpire::vm::exec
