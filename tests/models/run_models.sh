#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the models exhaustively with spin, and that each of their mutations is found.
# usage: run_models.sh [doorbell|transfer_slot]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Verifies one model with the given macros, the verifier compiled with the given optimisation; the report is left in
# $work/report.
verify() {
  optimise=$1
  model=$2
  shift 2
  (
    cd "$work"
    rm -f pan pan.* ./*.trail
    spin -a "$@" "$here/$model.pml" > spin.out 2>&1 || { cat spin.out; exit 1; }
    # No data races are looked for here, only end states and assertions, in all of the state space.
    ${CC:-cc} "$optimise" -w -DSAFETY -DCOLLAPSE -DVECTORSZ=2048 -o pan pan.c
    ./pan -m1000000 > report 2>&1 || { cat report; exit 1; }
  )
}

must_hold() {
  if verify -O2 "$@" && grep -q 'errors: 0$' "$work/report" && ! grep -Eq 'max search depth too small|out of memory|aborted' "$work/report"; then
    echo "holds:   $* ($(sed -n 's/^ *\([0-9]*\) states, stored.*/\1 states/p' "$work/report"))"
    return
  fi
  echo "FAILED:  $* was expected to hold"
  cat "$work/report"
  failed=1
}

# Nothing in the model may be there in vain: every statement must have been executed in some run.
must_reach_all() {
  must_hold "$@"
  if awk '/^unreached in (proctype|init)/ {where=$0} /states\)$/ && !/\(0 of/ {print where ": " $0; bad=1} END {exit bad}' \
    "$work/report"; then
    return
  fi
  echo "FAILED:  $* has statements that are never reached"
  grep -A8 '^unreached' "$work/report"
  failed=1
}

# The error is found in a moment: compiling with optimisation would take longer than the search.
must_fail() {
  if verify -O0 "$@" && grep -Eq 'errors: [1-9]' "$work/report" && grep -Eq 'invalid end state|assertion violated' "$work/report"; then
    echo "found:   $* ($(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' "$work/report"))"
    return
  fi
  echo "FAILED:  $* was expected to be found wrong"
  cat "$work/report"
  failed=1
}

check_doorbell() {
  must_reach_all doorbell -DSLEEPERS=1 -DNEWS=2
  must_hold doorbell -DSLEEPERS=2 -DNEWS=1
  for mutation in NO_CHECK_BEFORE_SLEEP COUNTED_AFTER_CHECK NO_LOOK_AFTER_ARMING WORD_UNCHANGED SUMMARY_BEFORE_FLAG; do
    must_fail doorbell -DSLEEPERS=1 -DNEWS=1 "-D$mutation"
  done
  must_fail doorbell -DSLEEPERS=2 -DNEWS=1 -DPREPARED_AFTER_REASON
}

check_transfer_slot() {
  must_hold transfer_slot -DTRANSFERS=3 -DPIECES=2 -DHELPS=0
  must_reach_all transfer_slot -DTRANSFERS=2 -DPIECES=2 -DHELPS=2
  for mutation in CLAIM_WITHOUT_COMPARE COUNT_WITHOUT_COMPARE WITHDRAW_WITHOUT_COMPARE POST_WITHOUT_CONSUMED; do
    must_fail transfer_slot -DTRANSFERS=2 -DPIECES=2 -DHELPS=0 "-D$mutation"
  done
  must_fail transfer_slot -DTRANSFERS=2 -DPIECES=2 -DHELPS=1 -DCLAIM_AFTER_UNLOCK
}

[ $# -gt 0 ] || set -- doorbell transfer_slot
for model in "$@"; do "check_$model"; done
exit $failed
