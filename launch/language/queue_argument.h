// Device queues: reads their words in the launch language.
//
//   queue NAME [SIZE] [handle N]   queue small 4KiB
//   default-queue NAME             default-queue small
//   default-queue none
//   arg NAME = queue [NAME]        arg q = queue small
#pragma once

#include <string_view>

#include "launch/language/launch_plan.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// Name in `default-queue` that means there is no default queue.
inline constexpr std::string_view kNoDefaultQueue = "none";

/// Parses the text behind the statement `queue`. Fails with C0021 and C0022.
Result<QueueSpec> parse_queue(std::string_view text);
/// Parses the text behind the name of a queue.
Result<QueueSpec> parse_queue(std::string_view name, std::string_view text);

/// Reads the text behind `queue` in an argument: a name, or nothing. Fails with C0021.
Status read_queue_argument(ArgumentSpec& argument, std::string_view text);

}  // namespace transpire::launch
