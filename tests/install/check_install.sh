#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into a fresh prefix, builds programs against it in the three ways people do, moves
# the prefix, and runs them from there.
#
#   check_install.sh BUILD_FOLDER CXX CC
set -euo pipefail
build="$1" cxx="$2" cc="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
temporary="$(mktemp -d)"
trap 'rm -rf "$temporary"' EXIT
prefix="$temporary/first place" # a space, as people have
moved="$temporary/moved"
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
export TANDEM_DEVICES=5

fail() {
  printf 'check_install: %s\n' "$*" >&2
  exit 1
}

cmake --install "$build" --prefix "$prefix" >"$temporary/install.log" || fail "$(cat "$temporary/install.log")"
for file in include/acl/acl.h include/hccl/hccl.h lib64/libtandem.so lib/libhccl.so lib/libascendcl.so \
  lib/pkgconfig/tandem.pc lib/cmake/Tandem/TandemConfig.cmake share/doc/tandem/LICENSE share/doc/tandem/NOTICE; do
  [[ -f "$prefix/$file" ]] || fail "$file was not installed"
done
if grep -rIl "$build" "$prefix" | grep .; then
  fail "the files above name the build folder"
fi

# 1. find_package
cmake -G Ninja -S "$here/consumer" -B "$temporary/consumer" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_PREFIX_PATH="$prefix" >"$temporary/cmake.log" 2>&1 || fail "$(cat "$temporary/cmake.log")"
cmake --build "$temporary/consumer" >"$temporary/cmake.log" 2>&1 || fail "$(cat "$temporary/cmake.log")"
cp "$temporary/consumer/consumer" "$temporary/by_find_package"

# 2. a plain compiler line, as the samples of CANN are built, and the same with their extra option
"$cxx" -std=c++17 "$here/consumer/main.cc" -I"$prefix/include" -L"$prefix/lib64" -lhccl -lascendcl -ldl \
  -o "$temporary/by_hand"
"$cxx" -std=c++17 "$here/consumer/main.cc" -I"$prefix/include" -L"$prefix/lib64" -lhccl -lascendcl -ldl \
  -Wl,--copy-dt-needed-entries -o "$temporary/by_hand_copied"
"$cc" "$here/consumer/open_only.c" -ldl -o "$temporary/open_only"

# The prefix moves; nothing may remember where it was.
mv "$prefix" "$moved"

# 3. pkg-config, from the new place
read -r -a flags < <(PKG_CONFIG_PATH="$moved/lib/pkgconfig" pkg-config --cflags --libs tandem)
"$cxx" -std=c++17 "$here/consumer/main.cc" "${flags[@]}" -ldl -o "$temporary/by_pkg_config"

for program in by_find_package by_hand by_hand_copied by_pkg_config; do
  needed="$(readelf -d "$temporary/$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')"
  for name in libhccl.so libascendcl.so; do
    grep -qx "$name" <<<"$needed" || fail "$program does not name $name; it names: ${needed//$'\n'/ }"
  done
  if [[ "$program" != by_hand_copied ]] && grep -q tandem <<<"$needed"; then
    fail "$program names libtandem.so, which an Ascend host does not have"
  fi
  for folder in lib lib64; do
    LD_LIBRARY_PATH="$moved/$folder" "$temporary/$program" "$moved/lib" || fail "$program failed with $folder"
    LD_BIND_NOW=1 LD_LIBRARY_PATH="$moved/$folder" "$temporary/$program" "$moved/lib" ||
      fail "$program failed with $folder and LD_BIND_NOW"
  done
done
LD_LIBRARY_PATH="$moved/lib" "$temporary/open_only" || fail "open_only failed"

if [[ -e "$build/bin/tandem" ]]; then
  "$moved/bin/tandem" info >"$temporary/info.log" 2>&1 || fail "the moved program tandem: $(cat "$temporary/info.log")"
fi
echo "check_install: ok"
