#!/bin/sh
# packages.sh GROUP...: installs what is missing of these groups of packages.txt.
# Says what it will install before it does, never removes a package, and is quick when nothing is missing. No service that
# comes with a package is started, now or when the machine starts.
#   POLICY_RC_D, INIT_D    where Debian looks whether a service may start, and for services (for the test of this script)
#   CREATECLUSTER_D        where Debian looks for settings of new PostgreSQL clusters (the same)
set -eu

list=$(dirname "$0")/../packages.txt
wanted=
for group in "$@"; do
  wanted="$wanted $(awk -v group="$group" '$1 !~ /^#/ && $2 == group { print $1 }' "$list")"
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not Debian: please install what these packages hold:" $wanted >&2
  exit 0
fi

# Unquoted on purpose: one word a package.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p') || true
missing=
for package in $wanted; do
  printf '%s\n' "$installed" | grep -qxF -e "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
  root=sudo
  if ! command -v sudo >/dev/null; then
    echo "These Debian packages are missing and there is no sudo; as root, run: apt-get install$missing" >&2
    exit 1
  fi
fi

# While packages are installed, policy-rc.d tells Debian's scripts to start no service (101). It asks whether this process
# is still there, so that it says what was said before even if it could not be put back.
policy=${POLICY_RC_D:-/usr/sbin/policy-rc.d}
before=$policy.before-robotrules
services=${INIT_D:-/etc/init.d}
clusters=${CREATECLUSTER_D:-/etc/postgresql-common/createcluster.d}/robotrules.conf
held=

hold_services() {
  exec 9<"$(dirname "$policy")"
  flock 9  # one install at a time: policy-rc.d is put back by the one that wrote it
  put_back  # what a killed run left
  if [ -e "$policy" ] || [ -L "$policy" ]; then $root mv "$policy" "$before"; fi
  held=1
  $root tee "$policy" >/dev/null <<END
#!/bin/sh
# Written by tools/packages.sh of robotrules for the time of one install, by process $$.
if [ -d /proc/$$ ]; then exit 101; fi
if [ -x "$before" ]; then exec "$before" "\$@"; fi
exit 0
END
  $root chmod 755 "$policy"
  # The package of a PostgreSQL server makes a database cluster, unless it finds this.
  case " $missing " in
    *" postgresql-"[0-9]*)
      $root mkdir -p "$(dirname "$clusters")"
      echo 'create_main_cluster = false' | $root tee "$clusters" >/dev/null ;;
  esac
}

put_back() {
  if [ -e "$clusters" ]; then $root rm -f "$clusters"; fi
  if [ -e "$before" ] || [ -L "$before" ]; then
    $root mv -f "$before" "$policy"
  elif grep -qs 'tools/packages.sh of robotrules' "$policy" || [ -n "$held" ]; then
    $root rm -f "$policy"
  fi
  held=
}

# Services of what was installed do not start with the machine either. (Of what came along, such as procps, they do.)
disable_services() {
  for package in $missing; do
    [ -e "$services/$package" ] || continue
    $root update-rc.d "$package" disable
    $root deb-systemd-helper disable "$package.service" >/dev/null 2>&1 || true
    echo "$package is installed for its program alone: its service stays off (update-rc.d $package enable turns it on)"
  done
}

trap 'if [ -n "$held" ]; then put_back; fi' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

echo "Debian packages to install:$missing"
install() {
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --no-remove --no-install-recommends -y -q $missing </dev/null 9<&-
}
update() { $root apt-get update -q </dev/null 9<&-; }

# A fresh container has no package lists; old lists name files that are gone.
if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then update; fi
hold_services
failed=0
install || { update && install; } || failed=1
disable_services
exit $failed
