// SPDX-License-Identifier: Apache-2.0
// One slot of src/transport/shm/slots.h, used by one transfer after the other as with kSlots == 1 (so that reuse comes
// at once). Both sides move pieces; a second thread of each side moves pieces too and may be late; either side may
// withdraw a transfer that is not matched. Each statement is one atomic access of the code.
//
// Checked: every piece of a transfer is moved exactly once, and only while both halves are open; a half is read only as
// its own transfer's; both sides agree whether the transfer took place; nobody waits for ever.

#ifndef TRANSFERS
#define TRANSFERS 2
#endif
#ifndef PIECES
#define PIECES 2
#endif
#ifndef HELPS
#define HELPS 0         // tries of a second thread of the receiver
#endif
#define WITHDRAWN 7     // kClaimWithdrawn in the lower half of claim
#define FRONT(x) ((x) & 7)  // pieces claimed by the sender, from the first on
#define BACK(x) ((x) >> 3)  // and by the receiver, from the last on
#define TAKEN_BACK 16   // kWithdrawn in a half's tag
#define TAG(n) ((n) + 1)

byte tag[2];             // HalfLine::tag of the sender and of the receiver
byte shape[2];           // the other fields of the half
byte claim_tag;          // claim and done are words of two halves, always read and changed as one
byte claim_number;
byte done_tag;
byte done_number;
byte consumed[2];
bit lock[2];             // each process's channel lock
byte open[2];            // TAG of the half that is posted and matched and not finished, or 0; guarded by lock
byte moved[TRANSFERS * PIECES];
byte finished[TRANSFERS];  // sides that are through with it
byte taken_place[TRANSFERS];  // sides for which it took place

inline Lock(s) { atomic { lock[s] == 0 -> lock[s] = 1 } }
inline Unlock(s) { lock[s] = 0 }

// One load of claim, then a compare-exchange that fails when the word has changed. outcome: piece, PIECES when none is
// left, or WITHDRAWN.
inline ClaimPiece(n) {
  atomic { old_tag = claim_tag; old_number = claim_number };
  do
  :: claimed = (old_tag == TAG(n) -> old_number : 0);
     if
     :: claimed == WITHDRAWN -> outcome = WITHDRAWN; break
     :: claimed != WITHDRAWN && FRONT(claimed) + BACK(claimed) >= PIECES -> outcome = PIECES; break
     :: else -> outcome = (me == 0 -> FRONT(claimed) : PIECES - 1 - BACK(claimed))
     fi;
     atomic {
       if
#ifdef CLAIM_WITHOUT_COMPARE
       :: true ->
#else
       :: claim_tag == old_tag && claim_number == old_number ->
#endif
         claim_tag = TAG(n);
         claim_number = claimed + (me == 0 -> 1 : 8);
         swapped = 1
       :: else -> old_tag = claim_tag; old_number = claim_number; swapped = 0
       fi
     };
     if
     :: swapped -> break
     :: else
     fi
  od
}

// Copies the claimed piece and counts it.
inline MovePiece(n) {
  assert(tag[0] == TAG(n) && tag[1] == TAG(n) && finished[n] == 0);
  moved[(n) * PIECES + outcome]++;
  assert(moved[(n) * PIECES + outcome] == 1);
  atomic { old_tag = done_tag; old_number = done_number };
  do
  :: atomic {
       if
#ifdef COUNT_WITHOUT_COMPARE
       :: true ->
#else
       :: done_tag == old_tag && done_number == old_number ->
#endif
         done_number = (old_tag == TAG(n) -> old_number : 0) + 1;
         done_tag = TAG(n);
         assert(done_number <= PIECES);
         swapped = 1
       :: else -> old_tag = done_tag; old_number = done_number; swapped = 0
       fi
     };
     if
     :: swapped -> break
     :: else
     fi
  od
}

#define ALL_MOVED(n) (done_tag == TAG(n) && done_number == PIECES)
#define CLAIM_WITHDRAWN(n) (claim_tag == TAG(n) && claim_number == WITHDRAWN)

// Tries to take the half back before it is matched; outcome 1 when that worked.
inline WithdrawClaim(n) {
  atomic { old_tag = claim_tag; old_number = claim_number };
  do
  :: old_tag == TAG(n) -> outcome = (old_number == WITHDRAWN -> 1 : 0); break
  :: else ->
     atomic {
       if
#ifdef WITHDRAW_WITHOUT_COMPARE
       :: true ->
#else
       :: claim_tag == old_tag && claim_number == old_number ->
#endif
         claim_tag = TAG(n);
         claim_number = WITHDRAWN;
         swapped = 1
       :: else -> old_tag = claim_tag; old_number = claim_number; swapped = 0
       fi
     };
     if
     :: swapped -> outcome = 1; break
     :: else
     fi
  od
}

// The thread that owns the operations of one side, one after the other.
proctype Side(byte me) {
  byte n = 0;
  byte theirs;
  byte old_tag;
  byte old_number;
  byte claimed;
  byte outcome;
  bit swapped;
  bit gave_up;
  do
  :: n < TRANSFERS ->
    // MayUseSlot
#ifndef POST_WITHOUT_CONSUMED
    n < consumed[1 - me] + 1;
#endif
    shape[me] = TAG(n);
    tag[me] = TAG(n);
    gave_up = 0;
    // LookAt, until matched or withdrawn by either side.
    do
    :: theirs = tag[1 - me];
       if
       :: theirs == TAG(n) -> assert(shape[1 - me] == TAG(n)); break
       :: theirs == TAG(n) + TAKEN_BACK -> gave_up = 1; break
       :: else ->
          if
          :: tag[1 - me] != theirs    // wait for news
          :: WithdrawClaim(n);
             if
             :: outcome -> tag[me] = TAG(n) + TAKEN_BACK; gave_up = 1; break
             :: else ->  // too late: the other side has matched it
                (tag[1 - me] != theirs)
             fi
          fi
       fi
    od;
    if
    :: !gave_up ->
       Lock(me); open[me] = TAG(n); Unlock(me);
       do
       :: ClaimPiece(n);
          if
          :: outcome == WITHDRAWN -> gave_up = 1; break
          :: outcome != WITHDRAWN && outcome >= PIECES -> break
          :: else -> MovePiece(n)
          fi
       od;
       if
       :: !gave_up -> ALL_MOVED(n)
       :: else
       fi
    :: else
    fi;
    // Finish
    Lock(me);
    open[me] = 0;
    atomic {
      finished[n]++;
      taken_place[n] = taken_place[n] + (1 - gave_up);
      assert(gave_up || moved[n * PIECES] == 1);
      assert(gave_up || moved[n * PIECES + PIECES - 1] == 1);
      assert(finished[n] < 2 || taken_place[n] != 1)
    };
    consumed[me] = n + 1;
    Unlock(me);
    n++
  :: else -> break
  od
}

// Another thread of the same side, which helps with whatever is open, and may be delayed anywhere.
proctype Helper(byte me) {
  byte n;
  byte tries = 0;
  byte old_tag;
  byte old_number;
  byte claimed;
  byte outcome;
  bit swapped;
  do
  :: tries < HELPS ->
     tries++;
     Lock(me);
     if
     :: open[me] == 0 -> Unlock(me)
     :: else ->
        n = open[me] - 1;
        // The claim is made under the lock that Finish needs. Otherwise the transfer may be over and its slot used by
        // the next before the claim, which would then read the next one's word as "not yet claimed".
#ifdef CLAIM_AFTER_UNLOCK
        Unlock(me);
        ClaimPiece(n);
#else
        ClaimPiece(n);
        Unlock(me);
#endif
        if
        :: outcome < PIECES -> MovePiece(n)
        :: else
        fi
     fi
  :: else -> break
  od
}

init {
  atomic {
    run Side(0);
    run Side(1);
#if HELPS > 0
    run Helper(1)
#endif
  }
}
