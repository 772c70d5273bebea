// Calls with bad arguments. They go through the driver's own dispatch table: what the ICD loader
// would refuse before the driver sees it, a null handle for instance, reaches the driver, too.
//
// A test has a table of calls that the driver accepts, and of what is wrong with their arguments. Where TRANSPIRE_REFUSALS
// names a file, each refusal is noted there: refusals_test.py compares them with refusals.tsv, which lists every entry point
// with the errors that the specification has for it.
#pragma once

#include <CL/cl_icd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <source_location>
#include <sstream>

#include "tests/opencl/support.h"

namespace transpire::test {

/// All that the driver offers: the table, and the functions of extensions that it finds by name.
struct Driver : cl_icd_dispatch {
  clIcdGetPlatformIDsKHR_fn clIcdGetPlatformIDsKHR = nullptr;
  clCreateProgramWithILKHR_fn clCreateProgramWithILKHR = nullptr;
  clCreateCommandQueueWithPropertiesKHR_fn clCreateCommandQueueWithPropertiesKHR = nullptr;
  clGetKernelSuggestedLocalWorkSizeKHR_fn clGetKernelSuggestedLocalWorkSizeKHR = nullptr;
};

inline const Driver& driver() {
  static const Driver made = [] {
    Driver driver{};
    const cl_platform_id platform = the_platform();
    static_cast<cl_icd_dispatch&>(driver) =
        **reinterpret_cast<const cl_icd_dispatch* const*>(platform);
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform, name));
      REQUIRE((function != nullptr));
    };
    find(driver.clIcdGetPlatformIDsKHR, "clIcdGetPlatformIDsKHR");
    find(driver.clCreateProgramWithILKHR, "clCreateProgramWithILKHR");
    find(driver.clCreateCommandQueueWithPropertiesKHR, "clCreateCommandQueueWithPropertiesKHR");
    find(driver.clGetKernelSuggestedLocalWorkSizeKHR, "clGetKernelSuggestedLocalWorkSizeKHR");
    return driver;
  }();
  return made;
}

/// Null, and an object of another kind.
template <class Handle>
std::array<Handle, 2> bad() {
  void* const other = std::is_same_v<Handle, cl_device_id> ? static_cast<void*>(the_platform())
                                                           : static_cast<void*>(the_device());
  return {nullptr, static_cast<Handle>(other)};
}

/// Places of such handles.
template <class Handle>
std::array<const Handle*, 2> bad_lists() {
  static const std::array<Handle, 2> handles = bad<Handle>();
  return {&handles[0], &handles[1]};
}

/// Null, an object of another kind, and a queue that only kernels enqueue to.
inline std::array<cl_command_queue, 3> no_host_queues(const Setup& setup) {
  return {bad<cl_command_queue>()[0], bad<cl_command_queue>()[1], setup.on_device};
}

/// Notes that the function gave the error for a bad argument of a kind. `error` is "null" or "nothing" for functions
/// that have no errors.
template <class Error>
void note_refusal(const char* function, Error error, const std::string& kind = "",
                  std::source_location at = std::source_location::current()) {
  const char* const path = std::getenv("TRANSPIRE_REFUSALS");
  if (path != nullptr)
    std::ofstream(path, std::ios::app) << function << '\t' << error << '\t' << at.file_name() << ':'
                                       << at.line() << ':' << kind << '\n';
}

/// An argument of any function: a number, a handle or a pointer. A vector is the pointer to its values.
class Argument {
 public:
  template <class T>
  Argument(const T& value) : bits_(bits_of(value)) {}
  template <class T>
  T as() const {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(static_cast<std::uintptr_t>(bits_));
    else
      return static_cast<T>(bits_);
  }

 private:
  static std::uint64_t bits_of(std::nullptr_t) { return 0; }
  template <class T>
  static std::uint64_t bits_of(T* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  template <class T>
  static std::uint64_t bits_of(const Owned<T>& handle) {
    return bits_of(T{handle});
  }
  template <class T>
  static std::uint64_t bits_of(const std::vector<T>& values) {
    return bits_of(values.data());
  }
  template <class T>
    requires std::is_integral_v<T>
  static std::uint64_t bits_of(T number) {
    return static_cast<std::uint64_t>(number);
  }

  std::uint64_t bits_;
};
using Arguments = std::vector<Argument>;

/// A function with arguments that it accepts, and names for its parameters. Some have names already: those of wait lists
/// (wait_count, wait_list, event), and those of a query (name, size, value, size_ret), which asks for no answer.
class Call {
 public:
  template <class Result, class... Parameters>
  Call(const char* name, Result (*function)(Parameters...), const char* parameters, Arguments usual,
       cl_uint query = 0)
      : function(name), arguments(std::move(usual)) {
    constexpr bool makes = std::is_pointer_v<Result>;
    std::istringstream words(parameters);
    for (std::string word; words >> word;) names_.push_back(word);
    if (query != 0) {
      names_.insert(names_.end(), {"name", "size", "value", "size_ret"});
      arguments.insert(arguments.end(), {query, 0, nullptr, nullptr});
    }
    if (arguments.size() + 3 + makes == sizeof...(Parameters)) {
      names_.insert(names_.end(), {"wait_count", "wait_list", "event"});
      arguments.insert(arguments.end(), {0, nullptr, nullptr});
    }
    INFO(std::string(name));
    REQUIRE(names_.size() == arguments.size());
    REQUIRE(arguments.size() + makes == sizeof...(Parameters));
    run_ = [function](const Arguments& given) {
      return run(function, given, std::make_index_sequence<sizeof...(Parameters) - makes>());
    };
  }
  /// Gives the error. Releases an object that the call makes; none is made with an error.
  cl_int operator()(const Arguments& given) const { return run_(given); }
  bool has(const std::string& name) const { return find(name) < arguments.size(); }
  /// Where the parameter is; past the end if there is none of the name.
  std::size_t find(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  const char* function;
  Arguments arguments;

 private:
  template <class Result, class... Parameters, std::size_t... i>
  static cl_int run(Result (*function)(Parameters...), const Arguments& given,
                    std::index_sequence<i...>) {
    using All = std::tuple<Parameters...>;
    if constexpr (std::is_pointer_v<Result>)
      return error_of([&](cl_int* error) {
        return function(given[i].template as<std::tuple_element_t<i, All>>()..., error);
      });
    else
      return function(given[i].template as<std::tuple_element_t<i, All>>()...);
  }

  std::vector<std::string> names_;
  std::function<cl_int(const Arguments&)> run_;
};

/// Bad arguments for the parameter of a name. An array is of one kind; in a list, each is a kind.
struct Change {
  Change(const char* to, Argument value) : name(to), values{value}, kinds(1) {}
  Change(const char* to, std::initializer_list<Argument> list)
      : name(to), values(list), kinds(values.size()) {}
  template <class Handle, std::size_t n>
  Change(const char* to, const std::array<Handle, n>& list)
      : name(to), values(list.begin(), list.end()), kinds(1) {}

  const char* name;
  Arguments values;
  std::size_t kinds;
};

class Calls {
 public:
  Calls(std::initializer_list<Call> calls) : calls_(calls) {}

  /// All functions take their usual arguments.
  void accept() const {
    for (const Call& call : calls_) {
      INFO(std::string(call.function));
      CHECK(call(call.arguments) == CL_SUCCESS);
    }
  }
  void check(const Setup& setup, std::source_location at = std::source_location::current()) const {
    accept();
    refuse_by_name(setup, at);
  }
  /// All that names of parameters say: handles that are none, and objects of another context; queries of names that are
  /// none, and with too little room; wait lists.
  void refuse_by_name(const Setup& setup,
                      std::source_location at = std::source_location::current()) const {
    refuse_if_any(CL_INVALID_CONTEXT, {{"context", bad<cl_context>()}}, at);
    refuse_if_any(CL_INVALID_DEVICE, {{"device", bad<cl_device_id>()}}, at);
    refuse_if_any(CL_INVALID_KERNEL, {{"kernel", bad<cl_kernel>()}}, at);
    refuse_if_any(CL_INVALID_PROGRAM, {{"program", bad<cl_program>()}}, at);
    refuse_if_any(CL_INVALID_SAMPLER, {{"sampler", bad<cl_sampler>()}}, at);
    refuse_if_any(CL_INVALID_COMMAND_QUEUE, {{"queue", no_host_queues(setup)}}, at);
    refuse_if_any(CL_INVALID_COMMAND_QUEUE, {{"any_queue", bad<cl_command_queue>()}}, at);
    for (const char* const memory : {"memory", "buffer", "image", "from", "to", "pipe"})
      refuse_if_any(CL_INVALID_MEM_OBJECT, {{memory, bad<cl_mem>()}}, at);
    for (const char* const memory : {"buffer", "image", "from", "to"})
      refuse_if_any(CL_INVALID_CONTEXT, {{"queue", setup.queue}, {memory, setup.foreign_buffer}},
                    at);
    char byte = 0;
    refuse_if_any(CL_INVALID_VALUE, {{"name", 0x7777}, {"size_ret", nullptr}}, at);
    refuse_if_any(CL_INVALID_VALUE, {{"size", 1}, {"value", &byte}, {"size_ret", nullptr}}, at);
    refuse_waits(setup, at);
  }
  /// The functions (with spaces between) give the error when parameters have other arguments than usual. Lists are of
  /// one length: their first values are tried together, then their second ones.
  void refuse(cl_int error, const std::string& functions, std::initializer_list<Change> changes,
              std::source_location at = std::source_location::current()) const {
    std::istringstream words(functions);
    for (std::string word; words >> word;) {
      const auto called = std::find_if(calls_.begin(), calls_.end(),
                                       [&](const Call& call) { return call.function == word; });
      REQUIRE_MESSAGE(called != calls_.end(), word);
      check(*called, error, changes, at);
    }
  }
  /// All functions that have the parameters give the error.
  void refuse(cl_int error, std::initializer_list<Change> changes,
              std::source_location at = std::source_location::current()) const {
    const std::string functions = functions_with(changes);
    CHECK(!functions.empty());
    refuse(error, functions, changes, at);
  }
  /// refuse() with each of the changes alone, which are of parameters of several names.
  void refuse_each(cl_int error, std::initializer_list<Change> changes,
                   std::source_location at = std::source_location::current()) const {
    for (const Change& change : changes) refuse(error, {change}, at);
  }

 private:
  std::string functions_with(std::initializer_list<Change> changes) const {
    std::string functions;
    for (const Call& call : calls_)
      if (std::all_of(changes.begin(), changes.end(),
                      [&](const Change& change) { return call.has(change.name); }))
        functions += std::string(call.function) + " ";
    return functions;
  }
  void refuse_if_any(cl_int error, std::initializer_list<Change> changes,
                     std::source_location at) const {
    refuse(error, functions_with(changes), changes, at);
  }
  /// Functions with wait lists refuse bad ones, and make no event; blocking ones tell of commands that failed.
  void refuse_waits(const Setup& setup, std::source_location at) const {
    const std::array<cl_event, 2> none = bad<cl_event>();
    cl_event event = nullptr;
    refuse_if_any(CL_INVALID_EVENT_WAIT_LIST,
                  {{"wait_count", {1, 0, 1, 1}},
                   {"wait_list", {nullptr, &setup.foreign_event, &none[0], &none[1]}},
                   {"event", &event}},
                  at);
    refuse_if_any(CL_INVALID_CONTEXT,
                  {{"wait_count", 1}, {"wait_list", &setup.foreign_event}, {"event", &event}}, at);
    CHECK(event == nullptr);
    const Event failed = setup.user_event();
    clSetUserEventStatus(failed, -7);
    refuse_if_any(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  {{"blocking", CL_TRUE}, {"wait_count", 1}, {"wait_list", &failed}}, at);
  }

  static void check(const Call& call, cl_int error, std::initializer_list<Change> changes,
                    const std::source_location& at) {
    std::size_t choices = 1, kinds = 1;
    std::string names;
    for (const Change& change : changes) {
      names += change.name;
      choices = std::max(choices, change.values.size());
      kinds = std::max(kinds, change.kinds);
    }
    for (std::size_t choice = 0; choice < choices; ++choice) {
      Arguments arguments = call.arguments;
      std::string changed;
      for (const Change& change : changes) {
        const Argument& value = change.values[std::min(choice, change.values.size() - 1)];
        REQUIRE(call.has(change.name));
        arguments[call.find(change.name)] = value;
        changed += std::string(" ") + change.name + "=" + std::to_string(value.as<std::size_t>());
      }
      INFO((std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": " + call.function +
            " with" + changed));
      CHECK(call(arguments) == error);
      note_refusal(call.function, error, names + std::to_string(std::min(choice, kinds - 1)), at);
    }
  }

  std::vector<Call> calls_;
};

/// Calls that take their usual arguments, and refuse what names of parameters say: Calls::check.
inline Calls checked(const Setup& setup, std::initializer_list<Call> calls,
                     std::source_location at = std::source_location::current()) {
  const Calls made(calls);
  made.check(setup, at);
  return made;
}

}  // namespace transpire::test

/// The function for a table of calls, and calls of functions: names of parameters, and arguments. A query has a name.
#define NAMED(function) #function, driver().function
#define CALL(function, names, ...) Call(NAMED(function), names, {__VA_ARGS__})
#define QUERY(function, query, names, ...) Call(NAMED(function), names, {__VA_ARGS__}, query)

/// The call gives the error.
#define REFUSES(function, code, ...)               \
  do {                                             \
    CHECK(driver().function(__VA_ARGS__) == code); \
    note_refusal(#function, code);                 \
  } while (false)

/// For a function that gives an object, and takes where the error goes as its last argument.
#define REFUSES_TO_MAKE(function, code, ...)                                                       \
  do {                                                                                             \
    CHECK(error_of([&](cl_int* error) { return driver().function(__VA_ARGS__, error); }) == code); \
    note_refusal(#function, code);                                                                 \
  } while (false)

/// For a function that has no place for an error: it gives null.
#define GIVES_NULL(function, ...)                     \
  do {                                                \
    CHECK(driver().function(__VA_ARGS__) == nullptr); \
    note_refusal(#function, "null");                  \
  } while (false)

/// For a function that gives nothing: it only must not do anything.
#define IGNORES(function, ...)          \
  do {                                  \
    driver().function(__VA_ARGS__);     \
    note_refusal(#function, "nothing"); \
  } while (false)
