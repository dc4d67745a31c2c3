#!/bin/sh
# pkg_config.sh PACKAGE COMPILER PREFIX SCRATCH SOURCE VERSION: builds SOURCE with what pkg-config says, without --static
# and with it, and runs it.
set -eu
package=$1 compiler=$2 prefix=$3 scratch=$4 source=$5 version=$6
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name "$package.pc")")
export PKG_CONFIG_PATH
pkg-config --exact-version="$version" "$package"
mkdir -p "$scratch"
for static in '' --static; do
  "$compiler" -std=c++20 -Wall $(pkg-config --cflags "$package") "$source" -o "$scratch/$package" \
    $(pkg-config --libs $static "$package")
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir "$package") "$scratch/$package"
done
