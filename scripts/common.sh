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

# record_phase NAME START: keeps what a phase took. A caller that runs several scripts and wants one table of all
# their phases sets TANDEM_PHASES to a file.
phases=()
record_phase() {
  local line
  line="$(printf '%-22s %s' "$1" "$(elapsed_since "$2")")"
  if [[ -n "${TANDEM_PHASES:-}" ]]; then
    printf '%s\n' "$line" >>"$TANDEM_PHASES"
  else
    phases+=("$line")
  fi
}

print_phases() {
  local line
  [[ -z "${TANDEM_PHASES:-}" ]] || mapfile -t phases <"$TANDEM_PHASES"
  step "how long it took"
  for line in "${phases[@]}"; do note "$line"; done
}
