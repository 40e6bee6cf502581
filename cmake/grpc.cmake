# gRPC before 1.67 has a hook for what core logs; net/grpc_common.c uses it where it is there.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::grpc)
check_symbol_exists(gpr_set_log_function grpc/support/log.h PROFCOL_GPR_LOG)
unset(CMAKE_REQUIRED_LIBRARIES)
if(PROFCOL_GPR_LOG)
    target_compile_definitions(net PRIVATE PROFCOL_HAS_GPR_LOG)
endif()
