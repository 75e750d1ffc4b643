# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What every script of this project shares; sourced, not run.

step() { printf '==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
fail() {
  printf 'dev: %s\n' "$*" >&2
  exit 1
}

# Cores to use: what the scheduler gives us, not what the machine has.
job_count() { nproc 2>/dev/null || echo 2; }

elapsed_since() {
  local seconds=$((SECONDS - $1))
  if ((seconds >= 60)); then
    printf '%d min %02d s' $((seconds / 60)) $((seconds % 60))
  else
    printf '%d s' "$seconds"
  fi
}
