// SPDX-License-Identifier: Apache-2.0
#include "comm/seat.h"

#include <vector>

namespace tandem {
namespace {

struct SeatPool {
  Mutex mutex;
  std::vector<Seat*> free TANDEM_GUARDED_BY(mutex);
};

SeatPool& Pool() {
  static auto* const pool = new SeatPool;
  return *pool;
}

}  // namespace

Seat& Seat::Take() {
  SeatPool& pool = Pool();
  MutexLock lock(pool.mutex);
  if (pool.free.empty()) return *new Seat;
  Seat* const seat = pool.free.back();
  pool.free.pop_back();
  return *seat;
}

void Seat::Return(Seat& seat) {
  SeatPool& pool = Pool();
  MutexLock lock(pool.mutex);
  pool.free.push_back(&seat);
}

}  // namespace tandem
