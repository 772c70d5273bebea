# The builder: Module -> LIR, and LIR's own operations.
set(TRANSPIRE_BUILD_SOURCES
    lower/build.cpp lower/build_arithmetic.cpp lower/build_atomic.cpp lower/build_bit.cpp
    lower/build_builtin.cpp lower/build_composite.cpp lower/build_control_flow.cpp
    lower/build_conversion.cpp lower/build_extinst.cpp lower/build_extinst_data.cpp
    lower/build_extinst_expanded.cpp lower/build_extinst_geometric.cpp
    lower/build_extinst_simple.cpp lower/build_float_mode.cpp lower/build_function.cpp lower/build_group.cpp lower/build_initial.cpp
    lower/build_lifetime.cpp
    lower/build_memory.cpp lower/build_parameter.cpp
    lower/build_partial_store.cpp lower/build_pointer.cpp lower/build_printf.cpp
    lower/build_promises.cpp lower/build_relational.cpp lower/build_scopes.cpp lower/build_subgroup.cpp lower/build_subgroup_builtins.cpp
    lower/build_table.cpp lower/build_types.cpp
    lower/build_undefined.cpp lower/build_values.cpp lower/build_variables.cpp lower/build_verify.cpp lower/lir.cpp)
