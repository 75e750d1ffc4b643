#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header alone, as C and as C++, warnings as errors.
# Usage: check_headers.sh INCLUDE_DIR [C_COMPILER [CXX_COMPILER]]
# Prints each header that fails with the standard and the compiler's words; exits 1 if there was one, 2 on wrong use.
set -u

include_dir=${1:-}
c_compiler=${2:-cc}
cxx_compiler=${3:-c++}
if [ ! -d "$include_dir" ]; then
  echo "usage: check_headers.sh INCLUDE_DIR [C_COMPILER [CXX_COMPILER]]" >&2
  exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

failures=0
checked=0

# The declaration after the include keeps a header that declares nothing from being an empty translation unit.
check() { # compiler language standard header
  checked=$((checked + 1))
  printf '#include <%s>\nextern int header_check;\n' "$4" >"$work/alone"
  if ! "$1" -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -I "$include_dir" -fsyntax-only "$work/alone" \
    >"$work/words" 2>&1; then
    failures=$((failures + 1))
    echo "FAILED: $4 as $3 with $1"
    cat "$work/words"
  fi
}

for header in $(cd "$include_dir" && find . -name '*.h' | sed 's|^\./||' | sort); do
  for standard in c99 c11; do
    check "$c_compiler" c "$standard" "$header"
  done
  for standard in c++11 c++14 c++17 c++20; do
    check "$cxx_compiler" c++ "$standard" "$header"
  done
done

if [ "$checked" -eq 0 ]; then
  echo "FAILED: no header below $include_dir"
  exit 1
fi
echo "$checked compilations, $failures failures"
[ "$failures" -eq 0 ]
