# The small messages of codec/otlp/service.c: C made from proto/ at build time by nanopb's generator.
find_path(NANOPB_INCLUDE_DIR pb.h PATH_SUFFIXES nanopb REQUIRED)
find_library(NANOPB_LIBRARY protobuf-nanopb REQUIRED)
find_program(NANOPB_GENERATOR nanopb_generator.py REQUIRED)
