#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `./dev fuzz`: runs the fuzz targets under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

usage() {
  cat <<'TEXT'
Usage: ./dev fuzz [--seconds N] [--keep] [NAME]...

Builds the fuzz targets of tests/fuzz (Clang's libFuzzer with the sanitizers) and runs each for N seconds
(default 60), all of them or those named, beginning with the inputs in tests/fuzz/seeds/NAME. An input that
fails is left in build/fuzz/found/NAME-*, and the exit code is 1.

  --seconds N   time for each target
  --keep        afterwards replace seeds/NAME by the smallest set of inputs that reaches the same code
TEXT
}

seconds=60
keep=0
names=()
while (($# > 0)); do
  case "$1" in
    --help | -h)
      usage
      exit 0
      ;;
    --seconds)
      [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || fail "--seconds needs a number, 1 or more"
      seconds="$2"
      shift
      ;;
    --keep) keep=1 ;;
    -*) fail "fuzz: unknown option '$1'; see ./dev fuzz --help" ;;
    *)
      [[ -f "tests/fuzz/$1_fuzz.cc" ]] || fail "fuzz: no target '$1'; there are: $(basename -s _fuzz.cc tests/fuzz/*_fuzz.cc | tr '\n' ' ')"
      names+=("$1")
      ;;
  esac
  shift
done
((${#names[@]} > 0)) || mapfile -t names < <(basename -s _fuzz.cc tests/fuzz/*_fuzz.cc)

build_preset fuzz --target fuzzers
mkdir -p build/fuzz/found
status=0
for name in "${names[@]}"; do
  program="build/fuzz/tests/fuzz/${name}_fuzz"
  corpus="build/fuzz/corpus/$name"
  mkdir -p "$corpus"
  step "fuzz $name for $seconds s"
  if ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="build/fuzz/found/$name-" "$corpus" "tests/fuzz/seeds/$name" 2>"build/fuzz/$name.log"; then
    tail -n 40 "build/fuzz/$name.log" >&2
    note "$name: found something, see build/fuzz/found"
    status=1
    continue
  fi
  note "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log") inputs tried, nothing found"
  if ((keep)); then
    small="$(mktemp -d)"
    "$program" -merge=1 -verbosity=0 "$small" "tests/fuzz/seeds/$name" "$corpus" 2>/dev/null
    rm -f "tests/fuzz/seeds/$name"/*
    mv "$small"/* "tests/fuzz/seeds/$name/"
    rmdir "$small"
  fi
done
exit "$status"
