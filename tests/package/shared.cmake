# cmake -DSOURCE=... -DSCRATCH=... -DGENERATOR=... -DCOMPILER=... -DLAUNCHER=... -P shared.cmake: the shared libraries,
# installed. They export only what is marked; a consumer links them, needs them at run time and finds them by its rpath.
file(REMOVE_RECURSE ${SCRATCH}/prefix ${SCRATCH}/consumer)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=Release)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build ${common} -DBUILD_SHARED_LIBS=ON -DROBOTRULES_DEVELOPER=OFF
    -DROBOTRULES_BUILD_COMMAND=OFF -DROBOTRULES_BATCH=16)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${CMAKE_COMMAND} --install ${SCRATCH}/build --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/package/find_package -B ${SCRATCH}/consumer ${common}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DWANTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${SCRATCH}/consumer/consumer)

execute_process(COMMAND ldd ${SCRATCH}/consumer/consumer OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(NOT needed MATCHES "librobotrules_core\\.so\\.[0-9]+\\.[0-9]+ => ${SCRATCH}/prefix/")
  message(FATAL_ERROR "the consumer does not use the shared library:\n${needed}")
endif()

file(GLOB libraries ${SCRATCH}/prefix/lib*/*.so ${SCRATCH}/prefix/lib/*/*.so)
run(sh ${SOURCE}/tests/layers/check_exports.sh ${SOURCE} libraries ${libraries})
