#!/bin/bash
# try_deb.sh FOLDER: installs the packages in FOLDER (build/packages) on a minimal Debian 12, runs debian/tests there,
# removes and purges them, and compares the files of the system with those before. As root; takes some minutes.
#   BASE    a minimal system to copy (default: debootstrap makes one)
#   KEEP=1  leave the system in /var/tmp
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "try_deb.sh: name the folder of the packages, such as build/packages" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "try_deb.sh: it makes a system in a folder, so run it as root" >&2; exit 77; }
packages=$(cd "$1" && pwd)
ls "$packages"/*.deb >/dev/null

root=$(mktemp -d /var/tmp/robotrules-deb-XXXXXX)
mounted=
end() {
  [ -z "$mounted" ] || umount -l "$root/dev" "$root/proc" || true
  if [ -n "${KEEP:-}" ] || grep -q " $root/" /proc/mounts; then echo "the system stays in $root"; else rm -rf --one-file-system "$root"; fi
}
trap end EXIT
if [ -n "${BASE:-}" ]; then
  cp -a "$BASE/." "$root/"
else
  command -v debootstrap >/dev/null || { echo "try_deb.sh: needs debootstrap (apt-get install debootstrap), or a BASE" >&2; exit 77; }
  debootstrap --variant=minbase bookworm "$root" >/dev/null
  cp /etc/resolv.conf "$root/etc/"
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
mounted=1

inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -c "cd /root && $1" </dev/null
}
# The files of the system, without those that apt and dpkg keep for themselves.
files() {
  (cd "$root" && find bin boot etc lib media opt sbin srv usr var -xdev \( -path var/lib/apt -o -path var/cache \
    -o -path var/lib/dpkg -o -path var/log -o -path 'etc/ld.so.cache' -o -path 'usr/share/doc/*' -o -name __pycache__ \) -prune -o -print) | sort
}
quiet() { "$@" > "$root/root/log" 2>&1 || { tail -n 30 "$root/root/log"; echo "FAILED: $*"; exit 1; }; }

quiet inside 'apt-get update -q && apt-get upgrade -y -q'
mkdir -p "$root/root/packages" "$root/root/source/debian"
cp "$packages"/*.deb "$root/root/packages/"
rm -f "$root"/root/packages/*-dbgsym_*.deb
cp -r "$here/../debian/tests" "$root/root/source/debian/"
cp -r "$here/../examples" "$root/root/source/"
binaries=$(for deb in "$root"/root/packages/*.deb; do dpkg-deb -f "$deb" Package; done | sort | tr '\n' ' ')

# 1. The libraries alone, with what they depend on: the system before and after must have the same files.
#    So everything else is installed first.
depends=$(for deb in "$root"/root/packages/*.deb; do
  dpkg-deb -f "$deb" Depends Recommends | sed 's/^[A-Za-z]*: //' | tr ',\n' '\n\n' | sed 's/([^)]*)//; s/|.*//; s/[ ]//g; s/:any$//'
done | grep -vE "^($(echo $binaries | tr ' ' '|')|)\$" | sort -u | tr '\n' ' ')
quiet inside "apt-get install -y -q --no-install-recommends $depends gcc g++ libc6-dev pkgconf"
files > "$root/before"

quiet inside "apt-get install -y -q ./packages/*.deb"
for package in $binaries; do
  inside "dpkg-query -W -f='\${Package} \${Version} \${db:Status-Status}\n' $package"
done
inside 'dpkg --verify librobotrules0 librobotrules-dev robotrules'
for test in $(sed -n 's/^Tests: //p' "$here/../debian/tests/control" | tr ',' ' '); do
  quiet inside "source/debian/tests/$test"
  echo "$test: $(tail -n 1 "$root/root/log")"
done
inside 'test -e /lib/systemd/system/robotrules@.service && test -s /usr/share/man/man1/robotrules.1.gz'

# 2. With systemd's tools, the user and the folders of the service are made.
quiet inside 'apt-get install -y -q --no-install-recommends systemd'
quiet inside 'apt-get install -y -q --reinstall ./packages/robotrules_*.deb'
inside 'getent passwd robotrules >/dev/null && [ "$(stat -c %U:%a /var/lib/robotrules)" = robotrules:750 ]'
inside 'systemd-analyze verify /lib/systemd/system/robotrules@.service 2>&1 | grep -i robotrules || true'
echo "with systemd: the user robotrules and its folders are there"
touch "$root/var/lib/robotrules/news.db"

# 3. Removed, then purged. What a crawl wrote stays; nothing else does.
quiet inside "apt-get remove -y -q $binaries"
inside '! command -v robotrules'
quiet inside "dpkg --purge $binaries"
grep '^robotrules: ' "$root/root/log"
[ -e "$root/var/lib/robotrules/news.db" ]
rm -r "$root/var/lib/robotrules"
quiet inside 'apt-get purge -y -q systemd && apt-get autoremove --purge -y -q'
files > "$root/after"
left=$(comm -13 "$root/before" "$root/after" | grep -i robotrules || true)
[ -z "$left" ] || { echo "FAILED: purge left these files:"; echo "$left"; exit 1; }
inside '! dpkg-query -W -f="\${Package} \${db:Status-Abbrev}\n" "*robotrules*" 2>/dev/null | grep -v " un"'
echo "purged: no file of robotrules is left"
echo "The packages were installed, used, removed and purged on a minimal Debian 12."
