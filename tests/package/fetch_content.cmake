# cmake -DSOURCE=... -DSCRATCH=... -DGENERATOR=... -DCOMPILER=... -DLAUNCHER=... -DVERSION=... -P fetch_content.cmake:
# another project takes this one with FetchContent, compiles all libraries as shared ones, runs its programs and installs
# the libraries. They export only what is marked; a consumer links them, needs them at run time and finds them by its
# rpath. With ROBOTRULES_SOAK, the same project also compiles them as a newcomer does, without any option.
file(REMOVE_RECURSE ${SCRATCH}/prefix ${SCRATCH}/consumer)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
set(another ${SOURCE}/tests/package/fetch_content)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_consumer(<program> <expected>): the program ends well and prints this.
function(run_consumer program expected)
  execute_process(COMMAND ${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${program} does not print \"${expected}\":\n${output}")
  endif()
endfunction()

if(DEFINED ENV{ROBOTRULES_SOAK})
  run(${CMAKE_COMMAND} -S ${another} -B ${SCRATCH}/static ${common} -DROBOTRULES_SOURCE=${SOURCE})
  run(${CMAKE_COMMAND} --build ${SCRATCH}/static)
  run_consumer(${SCRATCH}/static/consumer "disallowed: 403")
  run_consumer(${SCRATCH}/static/stores_consumer "disallowed from a file, and every server is known")
endif()

# Without optimisation the compiler takes a third of the time.
run(${CMAKE_COMMAND} -S ${another} -B ${SCRATCH}/build ${common} -DROBOTRULES_SOURCE=${SOURCE} -DCMAKE_BUILD_TYPE=Debug
    -DBUILD_SHARED_LIBS=ON -DROBOTRULES_INSTALL=ON -DROBOTRULES_BUILD_C=ON -DROBOTRULES_BATCH=16)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run_consumer(${SCRATCH}/build/consumer "disallowed: 403")

run(${CMAKE_COMMAND} --install ${SCRATCH}/build --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/package/find_package -B ${SCRATCH}/consumer ${common} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DWANTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run_consumer(${SCRATCH}/consumer/consumer "disallowed by line 2")
run_consumer(${SCRATCH}/consumer/advice_consumer "is now disallowed")
run_consumer(${SCRATCH}/consumer/stores_consumer "disallowed from a file, and every server is known")

execute_process(COMMAND ldd ${SCRATCH}/consumer/consumer OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(NOT needed MATCHES "librobotrules_core\\.so\\.[0-9]+\\.[0-9]+ => ${SCRATCH}/prefix/")
  message(FATAL_ERROR "the consumer does not use the shared library:\n${needed}")
endif()

file(GLOB libraries ${SCRATCH}/prefix/lib*/*.so ${SCRATCH}/prefix/lib/*/*.so)
run(sh ${SOURCE}/tests/layers/check_exports.sh ${SOURCE} libraries ${libraries})
