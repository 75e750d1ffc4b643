// SPDX-License-Identifier: Apache-2.0
// The doorbell of src/transport/shm/doorbell.{h,cc} and the arming of shm_channel.cc: no news is slept through.
// Each statement below is one sequentially consistent access of the code. Every thread must reach its end: a sleeper
// that nobody wakes is an invalid end state. Mutations, each of which must be found: see run_models.sh.

#ifndef SLEEPERS
#define SLEEPERS 1
#endif
#define POSTERS 2
#ifndef NEWS
#define NEWS 2
#endif
#define BIT(c) (1 << (c))

byte word;
byte sleepers;
byte summary;                // bit c: flags of channel c
bit flags[POSTERS];
byte slot[POSTERS];          // halves that the peer has posted
byte seen[POSTERS];          // halves that this process has seen
bit armed[POSTERS];
byte armed_count[POSTERS];   // guarded by the channel's lock, hence never seen between two steps
bool queued[SLEEPERS];       // in the kernel's list for the futex

#define ALL_SEEN (seen[0] == NEWS && seen[1] == NEWS)

// Wakes one of those in the list, if there is any.
inline FutexWakeOne() {
  atomic {
    if
    :: queued[0] -> queued[0] = false
#if SLEEPERS > 1
    :: queued[1] -> queued[1] = false
#endif
    :: else
    fi
  }
}

inline RingDoorbell(c) {
#ifdef SUMMARY_BEFORE_FLAG
  summary = summary | BIT(c);
  flags[c] = 1;
#else
  flags[c] = 1;
  summary = summary | BIT(c);
#endif
  if
  :: sleepers != 0 ->
#ifndef WORD_UNCHANGED
    word++;
#endif
    FutexWakeOne()
  :: else
  fi
}

// LookAtAll: under the channel's lock, so reading the slot and noting it are one step for everybody else.
inline Look(c) { atomic { seen[c] = slot[c] } }

inline Arm(c) {
  atomic { armed_count[c]++; armed[c] = 1 };
#ifndef NO_LOOK_AFTER_ARMING
  Look(c)
#endif
}

inline Disarm(c) {
  atomic {
    armed_count[c]--;
    if
    :: armed_count[c] == 0 -> armed[c] = 0
    :: else
    fi
  }
}

inline DrainOne(c) {
  if
  :: taken & BIT(c) ->
    atomic { told = flags[c]; flags[c] = 0 };
    if
    :: told -> Look(c)
    :: else
    fi
  :: else
  fi
}

inline Drain() {
  atomic { taken = summary; summary = 0 };
  DrainOne(0);
  DrainOne(1)
}

inline FutexWait(me, expected) {
  atomic {
    if
    :: word == expected -> queued[me] = true
    :: else
    fi
  };
  !queued[me]
}

inline Sleep(me) {
#ifdef COUNTED_AFTER_CHECK
  if
  :: summary == 0 -> sleepers++; FutexWait(me, prepared); sleepers--
  :: else
  fi
#else
  sleepers++;
#ifdef NO_CHECK_BEFORE_SLEEP
  FutexWait(me, prepared);
#else
  if
  :: summary == 0 -> FutexWait(me, prepared)
  :: else
  fi;
#endif
  sleepers--
#endif
}

active [POSTERS] proctype Poster() {
  byte channel = _pid;
  byte n = 0;
  do
  :: n < NEWS ->
    slot[channel]++;
    if
    :: armed[channel] -> RingDoorbell(channel)
    :: else
    fi;
    n++
  :: else -> break
  od
}

active [SLEEPERS] proctype Sleeper() {
  byte me = _pid - POSTERS;
  byte prepared;
  byte taken;
  bit told;
  do
  :: Arm(0);
     Arm(1);
     Drain();
     // Prepare, then every other reason not to sleep, then Sleep.
#ifdef PREPARED_AFTER_REASON
     if
     :: !ALL_SEEN -> prepared = word; Sleep(me)
     :: else
     fi;
#else
     prepared = word;
     if
     :: !ALL_SEEN -> Sleep(me)
     :: else
     fi;
#endif
     Drain();
     Disarm(0);
     Disarm(1);
     if
     :: ALL_SEEN -> break
     :: else
     fi
  od;
  // Kick: the reason (all is seen) is visible; another sleeper of this process must end too.
  word++;
  if
  :: sleepers != 0 -> FutexWakeOne()
  :: else
  fi;
  assert(ALL_SEEN)
}
