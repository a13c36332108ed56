# What `cmake --install` puts where, and the Debian package that cpack makes of it: the command under both of its names,
# completion for shells, and a unit for the hub.

include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # Packing builds nothing that is not in the package.

install(TARGETS berth RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# As a plugin of kubectl; the second name is how kubectl asks it for completion.
install(CODE "
  set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  file(CREATE_LINK berth \"\${bin}/kubectl-berth\" SYMBOLIC)
  file(CREATE_LINK berth \"\${bin}/kubectl_complete-berth\" SYMBOLIC)
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  foreach(place bash-completion/completions/berth=bash zsh/vendor-completions/_berth=zsh fish/vendor_completions.d/berth.fish=fish)
    string(REGEX MATCH \"^(.*)=(.*)$\" _ \"\${place}\")
    set(file \"\${share}/\${CMAKE_MATCH_1}\")
    get_filename_component(folder \"\${file}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"\${bin}/berth\" completion \${CMAKE_MATCH_2} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
")
install(FILES deploy/systemd/berth-hub.service DESTINATION lib/systemd/system)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/berth RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/berth)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Berth authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Places work on fleets of Kubernetes clusters by what is really happening there")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "ca-certificates, passwd")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${CMAKE_SOURCE_DIR}/deploy/debian/postinst;${CMAKE_SOURCE_DIR}/deploy/debian/prerm;${CMAKE_SOURCE_DIR}/deploy/debian/postrm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
