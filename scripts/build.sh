# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Configuring and building a preset; sourced after common.sh, run from the root of the repository.

# Compiler for the presets that name none: the default one, or g++-12 beside an older default.
compiler_options() {
  if [[ -n "${CXX:-}" ]]; then
    return
  fi
  local major=0
  if command -v g++ >/dev/null; then
    major="$(g++ -dumpversion | cut -d. -f1)"
  fi
  if ((major < 12)) && command -v g++-12 >/dev/null; then
    printf '%s\n' -DCMAKE_C_COMPILER=gcc-12 -DCMAKE_CXX_COMPILER=g++-12
  fi
}

# Clones of one machine share what ccache keeps: paths below the clone are stored relative to it.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

# build_preset PRESET [cmake --build options]
build_preset() {
  local preset="$1" options=() log
  shift
  if [[ "$preset" != clang-* && ! -f "build/$preset/CMakeCache.txt" ]]; then
    mapfile -t options < <(compiler_options)
  fi
  step "configure $preset"
  log="$(mktemp)"
  cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 || {
    cat "$log" >&2
    rm -f "$log"
    fail "configuring $preset failed; the text above says why"
  }
  rm -f "$log"
  step "build $preset"
  cmake --build --preset "$preset" "$@" -j "$(job_count)" || fail "building $preset failed"
}
