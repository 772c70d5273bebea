// The access of a hostile program, how the pointer is chosen, and what is read back.
#include "tests/hostile/case.h"
#include "tests/hostile/kernel_text.h"

namespace transpire::hostile {

std::string KernelText::condition() {
  const std::string boolean = module_.boolean(), size = module_.size_type();
  const auto equal = [&](const std::string& value, std::uint64_t number) {
    return module_.op("OpIEqual " + boolean + " " + value + " " + module_.size(number));
  };
  if (shape_.loaded_condition) {
    const std::string word = module_.integer(32);
    const std::string at = module_.element_at(module_.pointer(Space::kCrossWorkgroup, word),
                                              module_.parameter("who"), gid_);
    return module_.op("OpINotEqual " + boolean + " " + module_.load(word, at, 4) + " " +
                      module_.uint(0));
  }
  switch (shape_.lanes) {
    case Lanes::kAll:
      return module_.global("OpConstantTrue " + boolean);
    case Lanes::kOne:
      return equal(gid_, shape_.salt % shape_.items());
    case Lanes::kOdd:
      return equal(module_.op("OpBitwiseAnd " + size + " " + gid_ + " " + module_.size(1)), 1);
    case Lanes::kLast:
      return equal(gid_, shape_.items() - 1);
  }
  return {};
}

void KernelText::access(const std::string& bad, const std::string& good) {
  const std::string is_bad = condition(), type = pointer(shape_.via);
  if (shape_.mix == Mix::kSelect)
    return access(module_.op("OpSelect " + type + " " + is_bad + " " + bad + " " + good));
  const std::string yes = module_.fresh("bad"), no = module_.fresh("good"),
                    after = module_.fresh("after");
  const bool in_branches = shape_.mix == Mix::kBranch;
  // A barrier of a carried pointer would be divergent, so branches carry before.
  const std::string carried_bad = in_branches ? carry(bad) : bad;
  const std::string carried_good = in_branches ? carry(good) : good;
  module_.act("OpSelectionMerge " + after + " None");
  module_.act("OpBranchConditional " + is_bad + " " + yes + " " + no);
  module_.label(yes);
  if (in_branches) access_at(carried_bad, kAccessLine);
  module_.act("OpBranch " + after);
  module_.label(no);
  if (in_branches) access_at(carried_good, kAccessLine + 1);
  module_.act("OpBranch " + after);
  module_.label(after);
  if (in_branches) return;
  access(module_.op("OpPhi " + type + " " + bad + " " + yes + " " + good + " " + no));
}

void KernelText::access(const std::string& from) { access_at(carry(from), kAccessLine); }

void KernelText::access_at(const std::string& at, unsigned line) {
  if (is_copy(shape_.access)) return copy(at, line);
  if (is_atomic(shape_.access)) return atomic(at, line);
  if (shape_.access == Access::kLoad) return load(at, line);
  store(at, line);
}

void KernelText::load(const std::string& at, unsigned line) {
  const std::uint64_t width = shape_.width();
  const std::string next =
      shape_.is_pair ? module_.element_at(pointer(shape_.via), at, module_.size(1)) : std::string();
  module_.line(line);
  const std::string value = module_.load(element(), at, width);
  std::string second;
  if (shape_.is_pair) {
    module_.line(line + kPairLine);
    second = module_.load(element(), next, width);
  }
  module_.line(0);
  module_.store(out_at(), value, width);
  if (shape_.is_pair) module_.store(readback_at(kPairResult), second, width);
}

void KernelText::store(const std::string& at, unsigned line) {
  const std::uint64_t width = shape_.width();
  const std::string value = module_.load(element(), buffer_element("data", gid_), width);
  std::string next, second;
  if (shape_.is_pair) {
    next = module_.element_at(pointer(shape_.via), at, module_.size(1));
    second = module_.load(element(), fill_at(kPairValue), width);
  }
  module_.line(line);
  module_.store(at, value, width);
  if (shape_.is_pair) {
    module_.line(line + kPairLine);
    module_.store(next, second, width);
  }
  module_.line(0);
}

void KernelText::atomic(const std::string& at, unsigned line) {
  const std::string value = module_.load(element(), buffer_element("data", gid_), shape_.width());
  const std::string place = " " + at + " " + module_.uint(1) + " ", none = module_.uint(0);
  const std::string head = opcode_of(shape_.access) + " " + element() + place + none;
  if (shape_.access == Access::kAtomicStore) {
    module_.line(line);
    module_.act("OpAtomicStore" + place + none + " " + value);
    return module_.line(0);
  }
  std::string operands;
  if (shape_.access == Access::kAtomicCompareExchange)
    operands = " " + none + " " + value + " " + module_.number(element(), 0);
  else if (shape_.access != Access::kAtomicLoad)
    operands = " " + value;
  module_.line(line);
  const std::string old = module_.op(head + operands);
  module_.line(0);
  module_.store(out_at(), old, shape_.width());
}

void KernelText::copy(const std::string& at, unsigned line) {
  const bool sized =
      shape_.access == Access::kCopySizedFrom || shape_.access == Access::kCopySizedTo;
  const bool from = reads(shape_.access);
  const std::string other = from ? out_at() : buffer_element("data", gid_);
  const std::string operands = from ? other + " " + at : at + " " + other;
  const bool known_size = shape_.salt % 2 == 0;
  const std::string bytes = known_size ? module_.size(shape_.width()) : module_.parameter("bytes");
  module_.line(line);
  if (sized)
    module_.act("OpCopyMemorySized " + operands + " " + bytes + " Aligned 1");
  else
    module_.act("OpCopyMemory " + operands);
  module_.line(0);
}

void KernelText::barrier() {
  module_.act("OpControlBarrier " + module_.uint(2) + " " + module_.uint(2) + " " +
              module_.uint(0x310));
}

void KernelText::read_back(Object object, unsigned room) {
  const std::uint64_t width = shape_.width();
  const bool is_local = object == Object::kLocal || object == Object::kLocalArgument;
  if (is_local) barrier();
  if (object != Object::kPrivate && object != Object::kProgram && !is_local) return;
  const auto keep = [&](unsigned number, const std::string& from) {
    const auto at = static_cast<unsigned>(room * Memories::kRoomElements) + number;
    module_.store(readback_at(at), module_.load(element(), from, width), width);
  };
  const bool is_private = object == Object::kPrivate;
  const std::string first = is_private ? base(object) : own(object);
  const std::uint64_t count = is_private ? shape_.elements(object) : shape_.spread;
  for (unsigned i = 0; i < count; ++i)
    keep(1 + i, module_.element_at(pointer(native_space(object)), first, module_.size(i)));
  if (object == Object::kProgram) return;
  keep(0, guards_.at(object).first);
  keep(5, guards_.at(object).second);
}

}  // namespace transpire::hostile
