#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the distribution packages Tandem is built with. Asks for root only when one is missing.
#
#   scripts/deps.sh [build|lint|bench|docs]...      default: build
#
# Debian 12 and Ubuntu 22.04 or newer. On other systems: install the same libraries yourself and set
# TANDEM_SKIP_DEPS=1.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

default_gcc_major() {
  # The version of the package, so that it is known before anything is installed.
  apt-cache show --no-all-versions g++ 2>/dev/null | sed -n 's/^Version: \([0-9]*:\)\?\([0-9]*\)[.].*/\2/p' | head -n 1
}

# Prints the packages for one purpose, one a line.
packages_for() {
  case "$1" in
    build)
      printf '%s\n' ca-certificates ccache cmake git libasio-dev libbenchmark-dev libc6-dev libcli11-dev \
        libfmt-dev libgmock-dev libgtest-dev librapidcheck-dev libsodium-dev libspdlog-dev ninja-build \
        nlohmann-json3-dev pkg-config procps python3 spin
      # The compiler is C++20: where the default is GCC 11 or older (Ubuntu 22.04), take 12 beside it.
      if command -v g++ >/dev/null && (($(g++ -dumpversion | cut -d. -f1) >= 12)); then
        printf '%s\n' gcc g++
      elif [[ "$(default_gcc_major)" =~ ^[0-9]+$ ]] && (($(default_gcc_major) >= 12)); then
        printf '%s\n' gcc g++
      else
        printf '%s\n' gcc-12 g++-12
      fi
      ;;
    lint) printf '%s\n' clang clang-format clang-tidy shellcheck ;;
    bench) printf '%s\n' iproute2 libgloo-dev libmpich-dev libopenmpi-dev libucx-dev mpich openmpi-bin util-linux ;;
    docs) printf '%s\n' doxygen python3 ;;
    *) fail "deps.sh: unknown purpose '$1'; expected build, lint, bench or docs" ;;
  esac
}

is_installed() {
  [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    note "root is needed for this: sudo $*"
    sudo "$@"
  else
    fail "root is needed to install packages and sudo is not there; run as root: $*"
  fi
}

main() {
  if [[ -n "${TANDEM_SKIP_DEPS:-}" ]]; then
    note "TANDEM_SKIP_DEPS is set: packages are not looked at"
    return
  fi
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this system has no apt; install the libraries named in scripts/deps.sh and set TANDEM_SKIP_DEPS=1"
  fi
  local purposes=("$@") purpose package missing=()
  ((${#purposes[@]} > 0)) || purposes=(build)
  local wanted=()
  collect() {
    wanted=()
    for purpose in "${purposes[@]}"; do
      mapfile -t -O "${#wanted[@]}" wanted < <(packages_for "$purpose")
    done
    missing=()
    for package in "${wanted[@]}"; do
      is_installed "$package" || missing+=("$package")
    done
  }
  collect
  if ((${#missing[@]} == 0)); then
    note "all ${#wanted[@]} packages are installed"
    return
  fi
  note "missing packages: ${missing[*]}"
  as_root apt-get update -q
  collect # the lists may name a newer compiler now
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

main "$@"
