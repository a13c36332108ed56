# berth_folder(NAME DEPENDS lib... [TEST_DEPENDS lib...] [LABELS label...]) makes of all sources below the
# current folder the library berth_NAME, of those in testing/ the library berth_NAME_testing, and of all
# *_test.cc the test program NAME_test. A new file needs no edit here.

find_package(GTest REQUIRED)
find_library(RAPIDCHECK rapidcheck REQUIRED)
include(GoogleTest)

# What nearly every source reads; to read it once saves a third of its time. Each of these headers is precompiled in one
# place: for all libraries in base/, for all tests, which are not optimised, in tests/main/.
set(berth_common_headers
  <algorithm> <chrono> <functional> <map> <memory> <optional> <set> <string> <string_view> <utility> <variant>
  <vector> <fmt/format.h>)

# What needs seconds and no server: `make check`, and the first thing that `make test` runs.
add_custom_target(checks)

# berth_check(NAME PROGRAM [ARGUMENTS word...] [LABELS label...]) adds such a test; its program is a target of ours.
function(berth_check name program)
  cmake_parse_arguments(arg "" "" "ARGUMENTS;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${program} ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS};check" TIMEOUT 600)
  add_dependencies(checks ${program})
endfunction()

# Seeds take minutes: in parts, so that both cores are busy, and first, so that nobody waits for them. With sanitizers
# a few of each suite are enough; tests/deep/run has the thousands, and the mistakes that a suite has to notice.
function(berth_add_shards name count)
  math(EXPR last "${count} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}_${shard} COMMAND ${name}_test)
    set_tests_properties(${name}_${shard} PROPERTIES LABELS seeds TIMEOUT 600 COST 1000
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${shard};GTEST_FILTER=-*.NoticesWhatIsWrong;BERTH_SEEDS=15;BERTH_TEST_SECONDS=180")
  endforeach()
endfunction()

function(berth_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;TEST_DEPENDS;LABELS" ${ARGN})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  set(testing ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER testing INCLUDE REGEX "/testing/[^/]*\\.cc$")
  list(FILTER testing EXCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test\\.cc|/testing/[^/]*\\.cc)$")

  if(sources)
    add_library(berth_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(berth_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(berth_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(berth_${name} ${scope} ${arg_DEPENDS})
  if(name STREQUAL "base")
    target_precompile_headers(berth_base PRIVATE ${berth_common_headers})
  elseif(sources)
    target_precompile_headers(berth_${name} REUSE_FROM berth_base)
  endif()

  if(testing)
    add_library(berth_${name}_testing STATIC ${testing})
    target_link_libraries(berth_${name}_testing PUBLIC berth_${name} ${arg_TEST_DEPENDS})
    target_precompile_headers(berth_${name}_testing REUSE_FROM berth_base)
    list(PREPEND arg_TEST_DEPENDS berth_${name}_testing)
  endif()

  if(tests AND BUILD_TESTING)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE
      berth_${name} ${arg_TEST_DEPENDS} ${RAPIDCHECK} test_main)
    berth_compile_quickly(${name}_test)
    target_precompile_headers(${name}_test REUSE_FROM test_main)
    if("seeds" IN_LIST arg_LABELS)
      berth_add_shards(${name} 8)
    else()
      berth_check(${name} ${name}_test LABELS unit)
    endif()
  endif()
endfunction()
