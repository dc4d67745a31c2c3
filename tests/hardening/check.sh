#!/bin/sh
# check.sh PROGRAM [endbr]: reads from an ELF program how it was built, and says what is missing of what docs/security.md
# promises. "endbr": indirect jumps are marked too (x86).
set -eu
program=$1 marks=${2:-}
missing=0
miss() {
  echo "$program: $1" >&2
  missing=1
}
command -v readelf >/dev/null || { echo "readelf is missing: install binutils" >&2; exit 2; }
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -W --dyn-syms "$program")

echo "$dynamic" | grep -q 'Flags:.*PIE' || miss "is not position-independent (PIE)"
echo "$segments" | grep -q GNU_RELRO || miss "has no read-only relocations (RELRO)"
echo "$dynamic" | grep -qE '\(BIND_NOW\)|Flags:.*NOW' || miss "binds symbols late, so its relocations stay writable (no BIND_NOW)"
echo "$segments" | grep 'GNU_STACK' | grep -q 'RW ' || miss "has an executable stack, or does not say"
! echo "$segments" | grep -q 'RWE' || miss "has memory that is writable and executable"
echo "$symbols" | grep -q '__stack_chk_fail' || miss "has no stack protector"
echo "$symbols" | grep -qE '__(mem|str|read|pread|vsn?printf|sn?printf|fd|poll|recv)[a-z]*_chk' || miss "has no checked calls (_FORTIFY_SOURCE)"
echo "$symbols" | grep -q '__glibcxx_assert_fail' || miss "has no assertions of the C++ library (_GLIBCXX_ASSERTIONS)"
if [ "$marks" = endbr ]; then
  objdump -d --no-show-raw-insn --disassemble=main "$program" | grep -A1 '<main>:' | grep -q endbr64 ||
    miss "does not mark the targets of indirect jumps (-fcf-protection)"
fi
exit $missing
