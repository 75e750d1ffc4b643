// SPDX-License-Identifier: Apache-2.0
#include "support/board.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace tandem::test {
namespace {

void WakeAll(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void WaitWhile(std::atomic<uint32_t>& word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT, value, nullptr, nullptr, 0);
}

}  // namespace

Board* Board::Create() {
  void* pages = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    std::perror("mmap of the pages that ranks share");
    std::abort();
  }
  return new (pages) Board{};
}

void Board::RaiseTo(std::atomic<uint32_t>& word, uint32_t value) {
  word.store(value);
  WakeAll(word);
}

void Board::AwaitAtLeast(std::atomic<uint32_t>& word, uint32_t value) {
  for (uint32_t now = word.load(); now < value; now = word.load()) WaitWhile(word, now);
}

void Board::Count(uint32_t flag) {
  flags[flag].fetch_add(1);
  WakeAll(flags[flag]);
}

void Board::PublishRoot(uint32_t number, const HcclRootInfo& root) {
  roots[number % 2] = root;
  RaiseTo(roots_published, number + 1);
}

HcclRootInfo Board::AwaitRoot(uint32_t number) {
  AwaitAtLeast(roots_published, number + 1);
  return roots[number % 2];
}

void Board::Meet(uint32_t ranks) {
  const uint32_t round = barrier_round.load();
  if (arrived.fetch_add(1) + 1 == ranks) {
    arrived.store(0);
    RaiseTo(barrier_round, round + 1);
    return;
  }
  AwaitAtLeast(barrier_round, round + 1);
}

}  // namespace tandem::test
