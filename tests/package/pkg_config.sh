#!/bin/sh
# pkg_config.sh COMPILER PREFIX SCRATCH SOURCE VERSION: builds SOURCE with what pkg-config says and runs it.
set -eu
compiler=$1 prefix=$2 scratch=$3 source=$4 version=$5
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name robotrules-core.pc)")
export PKG_CONFIG_PATH
pkg-config --exact-version="$version" robotrules-core
mkdir -p "$scratch"
"$compiler" -std=c++20 -Wall $(pkg-config --cflags robotrules-core) "$source" -o "$scratch/consumer" \
  $(pkg-config --libs robotrules-core)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir robotrules-core) "$scratch/consumer"
