#!/bin/sh
# asio.sh PREFIX SCRATCH SOURCE COMPILER...: builds SOURCE with each compiler that is installed, our header before Asio's and
# after them, with nothing but what pkg-config says, and runs it. Exit status 77 where clang is missing.
set -eu
prefix=$1 scratch=$2 source=$3
shift 3
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name robotrules-agent.pc)")
export PKG_CONFIG_PATH
mkdir -p "$scratch"
clang=
for compiler in "$@"; do
  command -v "$compiler" >/dev/null || continue
  case $("$compiler" --version) in *clang*) clang=1 ;; *) ;; esac
  coroutines=
  case $("$compiler" --version) in *clang*) ;; *) coroutines=-fcoroutines ;; esac
  for order in '' -DASIO_FIRST; do
    "$compiler" -std=c++20 -Wall $coroutines $order $(pkg-config --cflags robotrules-agent) "$source" \
      -o "$scratch/asio" $(pkg-config --libs robotrules-agent)
    "$scratch/asio"
  done
done
[ -n "$clang" ] || { echo "clang++-19 is not installed: asio.hpp was not compiled with it"; exit 77; }
