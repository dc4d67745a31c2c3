#!/bin/sh
# packages_test.sh TOOLS SCRATCH: tools/packages.sh with an apt-get of its own. While it installs, no service may start;
# afterwards policy-rc.d is as it was, whatever became of the install, and services of the packages that it names are off.
set -eu
tools=$1 scratch=$2/packages
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/init.d" "$scratch/sbin"
policy=$scratch/sbin/policy-rc.d
export POLICY_RC_D="$policy" INIT_D="$scratch/init.d" SCRATCH="$scratch"
export CREATECLUSTER_D="$scratch/createcluster.d"

program() { cat > "$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
program dpkg-query <<'END'
#!/bin/sh
exit 1
END
program id <<'END'
#!/bin/sh
echo 0
END
program update-rc.d <<'END'
#!/bin/sh
echo "$@" >> "$SCRATCH/update-rc.d"
END
program deb-systemd-helper <<'END'
#!/bin/sh
echo "$@" >> "$SCRATCH/deb-systemd-helper"
END
# What dpkg's scripts would do: ask whether a service may start. MANNER says how the install ends.
program apt-get <<'END'
#!/bin/sh
[ "$1" = install ] || exit 0
"$POLICY_RC_D" nginx start
echo $? > "$SCRATCH/said"
cat "$CREATECLUSTER_D/robotrules.conf" > "$SCRATCH/cluster"
: > "$INIT_D/nginx"
: > "$INIT_D/procps"
case $MANNER in
  fails) exit 100 ;;
  stopped) kill -TERM $PPID ;;
  killed) kill -KILL $PPID ;;
esac
END
PATH=$scratch/bin:$PATH

wrong() { echo "$1: $2" >&2; exit 1; }
install() {  # MANNER
  rm -f "$scratch/init.d/nginx" "$scratch/said" "$scratch/update-rc.d" "$scratch/deb-systemd-helper"
  MANNER=$1 "$tools/packages.sh" test > "$scratch/out" 2>&1
}
held() { [ "$(cat "$scratch/said")" = 101 ] || wrong "$1" "services may start: policy-rc.d said $(cat "$scratch/said")"; }
nothing_left() {
  [ "$(cat "$scratch/cluster")" = 'create_main_cluster = false' ] || wrong "$1" "a PostgreSQL cluster would be made"
  [ -z "$(ls "$scratch/createcluster.d")" ] || wrong "$1" "no PostgreSQL cluster could be made later"
  [ "$(ls "$scratch/sbin")" = "$2" ] || wrong "$1" "left behind: $(ls "$scratch/sbin")"
}

status() { if install "$1"; then echo 0; else echo $?; fi; }

[ "$(status works)" = 0 ] || wrong works "$(cat "$scratch/out")"
held works
nothing_left works ''
[ "$(cat "$scratch/update-rc.d")" = "nginx disable" ] || wrong works "update-rc.d was asked: $(cat "$scratch/update-rc.d")"
[ "$(cat "$scratch/deb-systemd-helper")" = "disable nginx.service" ] || wrong works "systemd's link stays"
grep -q "nginx is installed for its program alone" "$scratch/out" || wrong works "it does not say that nginx is off"

[ "$(status fails)" != 0 ] || wrong fails "a failed install is told as a success"
held fails
nothing_left fails ''
[ "$(status stopped)" = 143 ] || wrong stopped "its status is not 143"
held stopped
nothing_left stopped ''

# One that was there before stays as it was.
printf '#!/bin/sh\nexit 7\n' > "$policy"
chmod 750 "$policy"
for manner in works fails stopped; do
  status $manner >/dev/null
  held "$manner beside another"
  nothing_left "$manner beside another" policy-rc.d
  [ "$(cat "$policy")" = "$(printf '#!/bin/sh\nexit 7')" ] || wrong $manner "the policy that was there is lost"
  [ "$(stat -c %a "$policy")" = 750 ] || wrong $manner "the policy that was there has another mode"
done

# Killed: nothing could be put back, but what was said before is said again, and the next run puts it back.
status killed >/dev/null
held killed
code=0; "$policy" nginx start || code=$?
[ $code = 7 ] || wrong killed "policy-rc.d says $code after the install was killed"
[ "$(status works)" = 0 ] || wrong "works after a kill" "$(cat "$scratch/out")"
held "works after a kill"
nothing_left "works after a kill" policy-rc.d
code=0; "$policy" nginx start || code=$?
[ $code = 7 ] || wrong "works after a kill" "policy-rc.d says $code"
echo "no service starts while packages are installed, and policy-rc.d is put back"
