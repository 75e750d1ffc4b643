#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `./dev lint`: everything that can be said about the text of the code without running it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

usage() {
  cat <<'TEXT'
Usage: ./dev lint [--changed] [--fix] [--no-tidy]

Runs clang-format, clang-tidy, shellcheck, and the checks of tests/lint (include arrows, texts,
conformance, API pages), reports all findings, and ends with 1 when there are any.

  --changed   clang-format and clang-tidy only for files that differ from the last commit
  --fix       let clang-format rewrite the files instead of reporting
  --no-tidy   leave out clang-tidy, which takes minutes
TEXT
}

only_changed=0
fix=0
tidy=1
problems=0
BUILD=build/lint

parse_arguments() {
  while (($# > 0)); do
    case "$1" in
      --help | -h)
        usage
        exit 0
        ;;
      --changed) only_changed=1 ;;
      --fix) fix=1 ;;
      --no-tidy) tidy=0 ;;
      *) fail "lint: unknown option '$1'; see ./dev lint --help" ;;
    esac
    shift
  done
}

# Our files that match the patterns: tracked, or new and not ignored.
list_files() {
  if ((only_changed)) && git rev-parse -q --verify HEAD >/dev/null; then
    {
      git diff --name-only --diff-filter=d HEAD -- "$@"
      git ls-files -o --exclude-standard -- "$@"
    } | sort -u
  else
    git ls-files -co --exclude-standard -- "$@" | sort -u
  fi | while IFS= read -r file; do
    [[ -f "$file" ]] && printf '%s\n' "$file"
  done || true
}

# check NAME command...
check() {
  local name="$1"
  shift
  step "$name"
  if ! "$@"; then
    problems=$((problems + 1))
    note "$name: findings above"
  fi
}

format_files() {
  local files
  mapfile -t files < <(list_files '*.h' '*.c' '*.cc')
  ((${#files[@]} > 0)) || return 0
  if ((fix)); then
    clang-format -i "${files[@]}"
  else
    clang-format --dry-run -Werror "${files[@]}"
  fi
}

# A file that no CMakeLists.txt names is compiled by nobody. tests/install/consumer is built by its test.
unlisted_files() {
  local file found=0
  while IFS= read -r file; do
    if [[ "$file" != tests/install/consumer/* ]] && ! grep -qxF "$PWD/$file" <<<"$1"; then
      note "$file: no CMakeLists.txt names it"
      found=1
    fi
  done < <(git ls-files -co --exclude-standard -- '*.c' '*.cc')
  return "$found"
}

tidy_files() {
  local files compiled status=0
  # Clang's own view of the build: GCC's flags are not all known to it.
  cmake -S . -B "$BUILD" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=Debug >"$BUILD.log" 2>&1 || {
    cat "$BUILD.log"
    return 1
  }
  compiled="$(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$BUILD/compile_commands.json")"
  unlisted_files "$compiled" || status=1
  mapfile -t files < <(list_files '*.c' '*.cc' | while IFS= read -r file; do
    grep -qxF "$PWD/$file" <<<"$compiled" && printf '%s\n' "$file"
  done)
  ((${#files[@]} > 0)) || return "$status"
  note "${#files[@]} files"
  printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(job_count)" clang-tidy --quiet -p "$BUILD" --warnings-as-errors='*' 2>"$BUILD.tidy.err" || {
    grep -E 'error|Error' "$BUILD.tidy.err" | head -n 20
    status=1
  }
  return "$status"
}

shell_files() {
  local files
  mapfile -t files < <(list_files 'dev' '.ci/run' '*.sh')
  ((${#files[@]} > 0)) || return 0
  # SC2317 takes functions that are called by a variable name for dead code.
  shellcheck -x -e SC2317 "${files[@]}"
}

# 77: there is no Doxygen, and it says so.
api_pages() {
  local status=0
  python3 tests/lint/check_api_pages.py || status=$?
  ((status == 0 || status == 77))
}

main() {
  parse_arguments "$@"
  local start=$SECONDS
  mkdir -p build
  export PYTHONDONTWRITEBYTECODE=1
  check "clang-format" format_files
  check "shellcheck" shell_files
  check "include arrows" python3 tests/lint/check_layers.py
  check "texts" python3 tests/lint/check_text.py
  check "conformance" python3 tests/lint/check_conformance.py
  check "API pages" api_pages
  if ((tidy)); then
    check "clang-tidy" tidy_files
  fi
  record_phase lint "$start"
  if ((problems > 0)); then
    step "lint: $problems checks with findings, after $(elapsed_since "$start")"
    exit 1
  fi
  step "lint: clean, after $(elapsed_since "$start")"
}

main "$@"
