#!/bin/sh
# setup.sh demo|docs|test: installs the Debian packages of packages.txt that are missing, or says which they are.
# Without Debian's package manager, or with HALOCLINE_SETUP=off, it trusts that everything is there.
set -eu
here=$(dirname "$0")
purpose=${1:?usage: setup.sh demo, docs or test}

[ "${HALOCLINE_SETUP:-on}" = off ] && exit 0
command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 || exit 0

case $purpose in
demo | docs) wanted="^$purpose" ;;
*) wanted='^(demo|test)' ;;
esac
packages=$(grep -E "$wanted" "$here/packages.txt" | awk '{print $2 ":" $3}')

missing=''
for line in $packages; do
  package=${line%%:*}
  command=${line#*:}
  [ -n "$command" ] && command -v "$command" >/dev/null 2>&1 && continue
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = 'install ok installed' ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install='apt-get install -y --no-install-recommends'
if [ "$(id -u)" = 0 ]; then
  as_root=''
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
  as_root='sudo'
else
  echo "halocline: packages are missing; as root: $install$missing" >&2
  exit 1
fi

echo "Installing:$missing"
# The package lists may be absent or old: try once as it is, then with fresh ones.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! $as_root env DEBIAN_FRONTEND=noninteractive $install $missing >"$log" 2>&1; then
  if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive $install $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "halocline: could not install packages; as root: apt-get update && $install$missing" >&2
    exit 1
  fi
fi
