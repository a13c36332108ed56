# berth_embed(TARGET FUNCTION name HEADER path FILES path...) compiles files into the target, which finds
# them with that function, declared in that header. Files are relative to the checkout. Run as a script,
# it writes the source with the function.

if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  foreach(file IN LISTS FILES)
    file(READ "${ROOT}/${file}" text)
    string(APPEND entries "    {\"${file}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n
namespace {

constexpr berth::EmbeddedFile kFiles[] = {
${entries}};

}  // namespace

std::span<const berth::EmbeddedFile> ${FUNCTION}() { return kFiles; }\n")
  return()
endif()

function(berth_embed target)
  cmake_parse_arguments(arg "" "FUNCTION;HEADER" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc)
  string(REPLACE ";" "$<SEMICOLON>" files "${arg_FILES}")
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DROOT=${CMAKE_SOURCE_DIR}" "-DOUTPUT=${output}" "-DFILES=${files}"
            "-DFUNCTION=${arg_FUNCTION}" "-DHEADER=${arg_HEADER}"
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding files"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
