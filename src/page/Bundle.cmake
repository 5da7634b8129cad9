# Installs the packages of the page into FOLDER, once for each package-lock.json, and makes BUNDLE out of them. What goes
# wrong is said and leaves a bundle without a page, and FAILED as a sign of it: a build must not depend on a network.

function(give_up what log)
  message(WARNING "The page of halocline plan is left out, because ${what}; --html will say so. Configure and build "
    "again to try once more.\n${log}")
  configure_file(${SOURCE}/no_page.cpp.in ${BUNDLE} COPYONLY)
  file(TOUCH ${BUNDLE})
  file(WRITE ${FAILED} "${what}\n")
endfunction()

file(SHA256 ${SOURCE}/package-lock.json lock)
set(installed ${FOLDER}/node_modules/installed-${lock})
if(NOT EXISTS ${installed})
  foreach(file package.json package-lock.json .npmrc)
    configure_file(${SOURCE}/${file} ${FOLDER}/${file} COPYONLY)
  endforeach()
  execute_process(COMMAND ${NPM} ci --ignore-scripts --prefer-offline --loglevel=error
      --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000 --fetch-timeout=60000
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log TIMEOUT 300)
  if(failed)
    give_up("its packages could not be installed (npm ci: ${failed})" "${log}")
    return()
  endif()
  file(TOUCH ${installed})
endif()
execute_process(COMMAND ${NODE} ${SOURCE}/bundle.mjs ${FOLDER} ${BUNDLE}
  RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed)
  give_up("it could not be bundled" "${log}")
endif()
