#include "launch/language/queue_argument.h"

#include <fmt/format.h>

#include "launch/language/grammar.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"
#include "transpire/launch_rules.hpp"

namespace transpire::launch {
namespace {

constexpr const char* kQueueExample = "write 'queue small 4KiB', or 'queue usual' for one of 64MiB";

/// Takes the keyword `handle` and its number off the text.
Status take_handle(QueueSpec& queue, std::string_view& text) {
  constexpr std::string_view kKeyword = "handle";
  const std::size_t at = text.find(kKeyword);
  if (at == text.npos) return Unit{};
  const auto handle = parse_count(trimmed(text.substr(at + kKeyword.size())), "handle");
  if (!handle) return handle.errors();
  if (*handle == 0 || *handle > UINT32_MAX)
    return command_error(kBadValue, fmt::format("queue '{}' has the handle {}, and 1 to {} can be",
                                                queue.name, *handle, UINT32_MAX));
  queue.handle = *handle;
  text = trimmed(text.substr(0, at));
  return Unit{};
}

}  // namespace

Result<QueueSpec> parse_queue(std::string_view text) {
  const std::string_view name = take_word(text);
  return parse_queue(name, text);
}

Result<QueueSpec> parse_queue(std::string_view name, std::string_view text) {
  QueueSpec queue;
  queue.name = name;
  if (queue.name.empty())
    return command_error(kBadLaunchFile, "the name of the queue is missing", kQueueExample);
  if (queue.name == kNoDefaultQueue)
    return command_error(kBadLaunchFile, "a queue cannot be called 'none'",
                         "'default-queue none' says that there is no default queue");
  if (const Status taken = take_handle(queue, text); !taken) return taken.errors();
  if (text.empty()) return queue;
  const auto size = parse_bytes(text);
  if (!size) return size.errors();
  if (const auto refused = refusal_of_queue_size(*size))
    return command_error(kBadValue, fmt::format("queue '{}': {}", queue.name, refused->message),
                         kQueueExample);
  queue.size_bytes = *size;
  return queue;
}

Status read_queue_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kQueue;
  argument.queue = take_word(text);
  if (text.empty()) return Unit{};
  return command_error(kBadLaunchFile,
                       fmt::format("'{}' was not expected after 'queue {}'", text, argument.queue),
                       "the statement 'queue NAME SIZE' declares queues; an argument names one");
}

}  // namespace transpire::launch
