# berth_embed(TARGET PATH...) compiles files into the target, which finds them with
# src/app/embedded_files.h. Paths are relative to the checkout. Run as a script, it writes that source.

if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  foreach(file IN LISTS FILES)
    file(READ "${ROOT}/${file}" text)
    string(APPEND entries "    {\"${file}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "#include \"app/embedded_files.h\"\n
namespace berth::app {
namespace {

constexpr EmbeddedFile kFiles[] = {
${entries}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace berth::app\n")
  return()
endif()

function(berth_embed target)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc)
  string(REPLACE ";" "$<SEMICOLON>" files "${ARGN}")
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DROOT=${CMAKE_SOURCE_DIR}" "-DOUTPUT=${output}" "-DFILES=${files}"
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding files"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
