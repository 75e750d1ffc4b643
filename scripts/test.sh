#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `./dev test`: builds presets, runs their tests, prints one sum at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

usage() {
  cat <<'TEXT'
Usage: ./dev test [--quick] [--preset PRESET]... [--repeat N] [-- ctest options]

  (nothing)         release, asan-ubsan and tsan: build each and run its tests
  --quick           release only
  --preset PRESET   this preset only; may be given several times
  --repeat N        then run the tests labelled `concurrency` N times each, in every chosen preset
  -- OPTIONS        passed to ctest, for example -- -R unit.base

The last line is `N passed, N failed, N skipped`, summed over everything that ran. A build that
fails counts as one failed test. Exit code 0 only when nothing failed and something passed.
TEXT
}

presets=()
repeat=0
ctest_options=()
passed=0
failed=0
skipped=0

parse_arguments() {
  while (($# > 0)); do
    case "$1" in
      --help | -h)
        usage
        exit 0
        ;;
      --quick) presets=(release) ;;
      --preset)
        [[ -n "${2:-}" ]] || fail "--preset needs the name of a preset"
        presets+=("$2")
        shift
        ;;
      --repeat)
        [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || fail "--repeat needs a number of runs, 1 or more"
        repeat="$2"
        shift
        ;;
      --)
        shift
        ctest_options=("$@")
        break
        ;;
      *) fail "test: unknown option '$1'; see ./dev test --help" ;;
    esac
    shift
  done
  ((${#presets[@]} > 0)) || presets=(release asan-ubsan tsan)
}

# Adds the counts of one JUnit file that ctest wrote. CTest counts a skipped test separately.
add_counts() {
  local head tests failures not_run
  head="$(tr '\n' ' ' <"$1" | sed 's/<testcase.*//')"
  attribute() { sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" <<<"$head"; }
  tests="$(attribute tests)"
  failures="$(attribute failures)"
  not_run=$(($(attribute skipped) + $(attribute disabled)))
  passed=$((passed + tests - failures - not_run))
  failed=$((failed + failures))
  skipped=$((skipped + not_run))
}

# run_ctest PRESET NAME [ctest options]
run_ctest() {
  local preset="$1" result="$PWD/build/$1/$2.xml" fixed_addresses=()
  shift 2
  rm -f "$result"
  # The run time of GCC 12's thread sanitizer refuses the address layouts of newer kernels.
  if [[ "$preset" == *tsan ]] && setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
    fixed_addresses=(setarch "$(uname -m)" --addr-no-randomize)
  fi
  "${fixed_addresses[@]}" ctest --preset "$preset" --output-junit "$result" "$@" || true
  if [[ ! -s "$result" ]]; then
    note "ctest left no result for $preset"
    failed=$((failed + 1))
    return
  fi
  add_counts "$result"
}

test_preset() {
  local preset="$1" start=$SECONDS built=0
  (build_preset "$preset") || built=1
  record_phase "build $preset" "$start"
  if ((built != 0)); then
    failed=$((failed + 1))
    return
  fi
  step "tests $preset"
  start=$SECONDS
  run_ctest "$preset" results "${ctest_options[@]}"
  record_phase "tests $preset" "$start"
  # A case skipped inside a test program that passed would otherwise go unseen.
  grep -h '^\[  SKIPPED \] [A-Za-z]' "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null | sort -u |
    sed 's/^/    /' || true
  if ((repeat > 0)); then
    step "concurrency tests $preset, $repeat times each"
    start=$SECONDS
    run_ctest "$preset" repeated -L concurrency --repeat "until-fail:$repeat" --timeout 3600
    record_phase "repeated $preset" "$start"
  fi
}

main() {
  parse_arguments "$@"
  local start=$SECONDS preset
  for preset in "${presets[@]}"; do
    test_preset "$preset"
  done
  print_phases
  step "tests of ${presets[*]} done in $(elapsed_since "$start")"
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  ((failed == 0 && passed > 0))
}

main "$@"
