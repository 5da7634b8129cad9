#!/bin/sh
# install_copy.sh BUILD_DIR WITH_TOOLS: installs what was built into BUILD_DIR/install-test/prefix, and looks at what is there. WITH_TOOLS
# is ON if the command line program is part of it.
set -eu
build=$1
tools=$2
prefix=$build/install-test/prefix
cd "$(dirname "$0")/../.."
rm -rf "$prefix"
mkdir -p "$prefix"
# The list of what was installed last is for `make uninstall`, not for tests.
manifest=$build/install_manifest.txt
if [ -e "$manifest" ]; then cp "$manifest" "$manifest.kept"; fi
trap 'if [ -e "$manifest.kept" ]; then mv "$manifest.kept" "$manifest"; fi' EXIT
cmake --install "$build" --prefix "$prefix" >"$build/install-test/install.log"

doc=$prefix/share/doc/halocline
cmp LICENSE "$doc/LICENSE"
for file in README.md CHANGELOG.md docs/halo.md docs/pictures/plan_page.png examples/heat.c examples/tutorial/CMakeLists.txt; do
  cmp "$file" "$doc/$file"
done
if [ "$tools" = ON ]; then
  version=$(pkg-config --modversion "$(find "$prefix" -name halocline.pc)")
  [ "$("$prefix/bin/halocline" --version)" = "halocline $version" ]
  test -s "$prefix/share/man/man1/halocline-doctor.1"
  bash -n "$prefix/share/bash-completion/completions/halocline"
fi

# What was installed can be taken away again, to the last file.
again=$build/install-test/again
rm -rf "$again"
cmake --install "$build" --prefix "$again/halocline" >/dev/null
cmake -DMANIFEST="$manifest" -P cmake/Uninstall.cmake >/dev/null
if [ -e "$again/halocline" ]; then
  echo "make uninstall has left:" >&2
  find "$again" >&2
  exit 1
fi
