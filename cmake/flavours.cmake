# Flags of each build flavour. CMakePresets.json chooses one with BERTH_FLAVOUR.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Everything ends up in a program, whose place in memory is drawn at its start. Libraries and programs alike: a precompiled
# header serves only those that are compiled as it was.
add_compile_options(-fPIE)

set(BERTH_FLAVOUR "dev" CACHE STRING "dev, release, tsan, fuzz or coverage")
set_property(CACHE BERTH_FLAVOUR PROPERTY STRINGS dev release tsan fuzz coverage)

# -ffp-contract=off: scores are rounded exactly as the reference rounds them.
add_compile_options(
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wformat=2 -Werror
  -ffp-contract=off -fno-omit-frame-pointer)

# Some libraries ask for it and some do not; a precompiled header serves only those that are compiled as it was.
add_compile_options(-pthread)

# A precompiled header without its date lets ccache recognise it.
add_compile_options("SHELL:-Xclang -fno-pch-timestamp")

# Debug info for backtraces only: full types double the build time and nobody reads them in CI.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -gline-tables-only" CACHE STRING "" FORCE)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -gline-tables-only -DNDEBUG" CACHE STRING "" FORCE)

if(BERTH_FLAVOUR STREQUAL "dev")
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
  add_compile_options(${sanitize} -D_GLIBCXX_ASSERTIONS)
  add_link_options(${sanitize})
elseif(BERTH_FLAVOUR STREQUAL "tsan")
  add_compile_options(-fsanitize=thread -D_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=thread)
elseif(BERTH_FLAVOUR STREQUAL "fuzz")
  set(sanitize -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_compile_options(${sanitize} -D_GLIBCXX_ASSERTIONS)
  add_link_options(${sanitize})
elseif(BERTH_FLAVOUR STREQUAL "coverage")
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
elseif(BERTH_FLAVOUR STREQUAL "release")
  add_compile_options(
    -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS
    -ftrivial-auto-var-init=zero -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -fno-delete-null-pointer-checks -fno-strict-overflow)
  add_link_options(
    -pie -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code -Wl,--as-needed)
else()
  message(FATAL_ERROR "unknown BERTH_FLAVOUR '${BERTH_FLAVOUR}'")
endif()

# Sources of tests, and those that only put parts together, are compiled on every machine anew and need no speed: to leave
# them as they are written takes a third off their time. What does the work is optimised as ever.
function(berth_compile_quickly target)
  if(NOT BERTH_FLAVOUR STREQUAL "release")
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
