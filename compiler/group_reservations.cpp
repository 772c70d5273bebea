#include "compiler/group_reservations.h"

namespace transpire::compiler {

bool has_group_reservation(Words module) {
  bool found = false;
  each_instruction(module, [&found](Words i) {
    const spv::Op op = op_of(i);
    found = found ||
            (op >= spv::Op::OpGroupReserveReadPipePackets && op <= spv::Op::OpGroupCommitWritePipe);
  });
  return found;
}

// Clang finds a declaration by its name once code that calls it was emitted. The callers are there for that alone: of
// `extern inline` functions of gnu_inline nothing is left behind the optimiser.
const char* const kReservationDeclarations = R"(#line 1 "<built-in functions>"
#pragma clang system_header
#ifdef __cplusplus
extern "C" {
#endif
#define __tsp_convergent __attribute__((convergent))
#define __tsp_reservations(group, way, access) \
  reserve_id_t __tsp_convergent __##group##_reserve_##way##_pipe(access pipe int, uint, uint, uint); \
  void __tsp_convergent __##group##_commit_##way##_pipe(access pipe int, reserve_id_t, uint, uint); \
  extern inline __attribute__((gnu_inline, nodebug)) void __tsp_##group##_##way(access pipe int p) { \
    __##group##_commit_##way##_pipe(p, __##group##_reserve_##way##_pipe(p, 1, 4, 4), 4, 4); \
  }
__tsp_reservations(work_group, read, read_only)
__tsp_reservations(work_group, write, write_only)
__tsp_reservations(sub_group, read, read_only)
__tsp_reservations(sub_group, write, write_only)
#undef __tsp_reservations
#undef __tsp_convergent
#ifdef __cplusplus
}
#endif
)";

std::vector<std::string> with_reservations_declared(std::vector<std::string> options,
                                                    const std::string& file) {
  // Unused functions, too, are emitted.
  options.insert(options.end(), {"-include", file, "-Xclang", "-femit-all-decls"});
  return options;
}

}  // namespace transpire::compiler
