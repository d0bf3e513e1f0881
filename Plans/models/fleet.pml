/* A store of a fleet under two workers, and the log of results.

   A coordinator (FleetRun) gives the store to a worker of its own; a second coordinator, on another machine or
   for another list, gives the same store to its worker at the same time. Each has a log of results with one
   owner (ResultLog). A worker goes through the contract of a single store, which attempt.pml proves: one of them
   has the lock, and what is done is found done by the receipt. Coordinators and workers are killed at any step,
   the power is cut, the disk is full.

   Both coordinators may be told to use one log (SHARED 1): the second is refused. */

#ifndef KILLS
#define KILLS 1
#endif
#ifndef CUTS
#define CUTS 1
#endif
#ifndef FULLS
#define FULLS 1
#endif
#ifndef RUNS
#define RUNS 2          /* how often each coordinator is started */
#endif
#ifndef OTHER_RUNS
#define OTHER_RUNS RUNS /* the same of the second one */
#endif
#ifndef RETRIES
#define RETRIES 1       /* --retries */
#endif
#ifndef STARTS
#define STARTS 2        /* FleetRun.maxStarts, which is greater */
#endif
#ifndef SHARED
#define SHARED 1        /* 1: both coordinators name one log */
#endif
#ifndef LINES
#define LINES 40
#endif

#define NOTHING 0
#define BEGUN 1         /* a line of RESULTS.starts: the attempt is begun */
#define ENDED 2         /* a line of RESULTS.starts: it has ended */
#define RESULT 3        /* a line of RESULTS: migrated or already */
#define LEFT 4          /* a line of RESULTS: the worker ended without an answer, or the disk was full */
#define TORN 5          /* a line that a kill cut off */
#define MIXED 6         /* a line after one that was cut off: neither can be read */

/* the store: its destination and its receipt, as seen and on the disk */
bit  Dv, Dd, Rv, Rd;
byte stores;                    /* how often a destination was published */
bit  storelock;                 /* the lock of the state directory */

/* the log, one for each coordinator or one for both; lines as seen, and how many are on the disk */
byte line[2 * LINES];
byte used[2], synced[2];
byte owner[2];                  /* who has the system's lock on the log */
byte unanswered[2];             /* attempts whose end is unknown, in sequence */

byte boot = 1, kills = KILLS, cuts = CUTS, fulls = FULLS, running = 2;
bit  last_turn, ended0, quarantined;

#ifndef TRACE
#define said(name) printf("%d  ", _pid); printf(#name); printf("\n")
#else
#include "trace.pml"
#endif
#define step(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: boot == b -> said(name) \
  fi
inline unlock() { if :: mine -> storelock = 0; mine = 0 :: else fi }
/* A step of the worker; one that is killed leaves its state to the next. */
#define works(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(WORKER-KILLED); unlock(); goto answer \
  :: boot == b -> said(name) \
  fi
#ifndef TRACE
#define also(name) said(name)
#else
#define also(name) works(name)
#endif
#define log(me) (SHARED -> 0 : (me))
#define at(l, n) line[(l) * LINES + (n)]

/* FileWriting.write to a file that is opened to append; a kill may cut a line off. */
inline append(what) {
  assert(used[l] < LINES);
  if
  :: used[l] > 0 && at(l, used[l] - 1) == TORN -> at(l, used[l] - 1) = MIXED
  :: else -> at(l, used[l]) = what; used[l]++
  fi;
  /* One process at a time appends to a log, and its lines can be read. */
  assert(at(l, used[l] - 1) == what);
  assert(owner[l] == me + 1)
}
#define appended(name, what) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); append(what); at(l, used[l] - 1) = TORN; goto dead \
  :: boot == b && fulls > 0 && !last_turn -> fulls--; said(FULL); append(what); at(l, used[l] - 1) = TORN; goto dead \
  :: boot == b -> said(name); append(what) \
  fi

/* FleetRun.take */
#define mayTry (answered -> tried < RETRIES : unanswered[l] < STARTS)

proctype Coordinator(byte me; byte count) {
  byte runs = count, b, l, n, tried;
  bit mine, isDone, holds, answered;
again:
  atomic {
    l = log(me); n = 0; tried = 0; mine = 0; isDone = 0; holds = 0; answered = 0;
    if
    :: runs == 0 -> running--; goto over
    :: runs > 0 -> runs--
    fi;
    b = boot
  };
  /* ResultLog.init */
  atomic {
    step(-);
#ifndef LOG_UNLOCKED
    if
    :: owner[l] != 0 -> goto again     /* locked */
    :: owner[l] == 0 -> owner[l] = me + 1; holds = 1
    fi
#else
    owner[l] = me + 1; holds = 1
#endif
  };
#ifndef TORN_KEPT
  /* ResultLog.cutTornLine */
  atomic { step(-); if :: used[l] > 0 && at(l, used[l] - 1) == TORN -> used[l]--; at(l, used[l]) = NOTHING; if :: synced[l] > used[l] -> synced[l] = used[l] :: else fi :: else fi };
#endif
  /* ResultLog.attempts; what has a result is given out again, and found done */
  atomic {
    step(fleet);
    n = 0; unanswered[l] = 0;
    do
    :: n < used[l] && at(l, n) == BEGUN -> unanswered[l]++; n++
    :: n < used[l] && at(l, n) == ENDED -> unanswered[l] = 0; n++
    :: n < used[l] && at(l, n) != BEGUN && at(l, n) != ENDED -> n++
    :: n >= used[l] -> break
    od;
    n = 0
  };
give:
  /* FleetRun.give: the start is written before the worker gets the job */
  atomic { appended(job-noted, BEGUN); unanswered[l]++ };
#ifdef RESULT_FIRST
  atomic { appended(-, RESULT); n = 1; assert(Dv) };
#endif
  /* StoreWorker.run, StoreAttempt.run: the worker, whose lock is that of the state directory */
  atomic {
    step(-);
    if
    :: Rv -> goto made                              /* the receipt is looked for without the lock */
    :: !Rv && storelock -> answered = 1; goto answer   /* exit code 8: transient */
    :: !Rv && !storelock -> storelock = 1; mine = 1
    fi
  };
  /* The attempt: published, unless it is, then the receipt. */
  if
  :: Dv
  :: !Dv ->
     atomic { works(-); stores++; Dv = 1; Dd = 1; assert(stores <= 1 + CUTS); also(published) }
  fi;
  atomic {
    if
    :: boot == b && fulls > 0 && !last_turn -> fulls--; said(WORKER-FULL); unlock(); answered = 1; goto answer
    :: true
    fi;
    works(-); Rv = 1; Rd = 1; also(receipt)
  };
made:
  atomic { works(-); unlock(); isDone = 1 };
answer:
  /* FleetRun.take */
  if
  :: isDone && !n -> atomic { appended(result-noted, RESULT);
       /* A result is written only of a store that is there with its receipt. */
       assert(Dd && Rd) }
  :: isDone && n
  :: !isDone -> atomic { appended(result-noted, LEFT) }
  fi;
  /* A worker that ended without an answer has no line "ended". */
  if
  :: isDone || answered -> atomic { appended(end-noted, ENDED); unanswered[l] = 0 }
  :: else
  fi;
  if
  :: isDone -> goto finished
  :: !isDone && mayTry -> tried++; answered = 0; goto give
  :: !isDone && !mayTry
  fi;
finished:
  /* ResultLog.synchronize */
  atomic {
    step(-);
    synced[l] = used[l];
    if :: last_turn && isDone -> ended0 = 1; runs = 0 :: else fi
  };
  goto dead;
cut:
  goto again;
dead:
  /* The system releases the lock with the process; its worker ends with it or by itself. */
  atomic { if :: boot == b && holds && owner[l] == me + 1 -> owner[l] = 0 :: else fi; if :: boot == b && mine -> storelock = 0 :: else fi };
  goto again;
over:
  skip
}

/* Lines that were not synced may be there in part: the log ends anywhere after what is synced. */
proctype Power() {
  byte l, i;
  do
  :: atomic {
       cuts > 0 && running > 0 && !last_turn -> cuts--; boot++; said(CUT);
       if :: Dv = Dd :: true fi; if :: Rv = Rd :: true fi; Dd = Dv; Rd = Rv;
       storelock = 0; l = 0;
       do
       :: l < 2 -> owner[l] = 0;
          do
          :: used[l] > synced[l] -> used[l]--; at(l, used[l]) = NOTHING
          :: used[l] > synced[l] -> at(l, used[l] - 1) = TORN; break
          :: break
          od;
          synced[l] = used[l]; l++
       :: l >= 2 -> break
       od;
       l = 0
     }
  :: running == 0 || cuts == 0 -> break
  od
}

init {
#ifdef TRACE
  c_code { begin_trace(); };
#endif
  atomic { run Coordinator(0, RUNS); run Coordinator(1, OTHER_RUNS); if :: CUTS > 0 -> run Power() :: else fi };
#ifdef TRACE
  running == 0 && _nr_pr == 1 && c_expr { has_ended () };
  assert(false);
#endif
  /* Liveness: undisturbed, a fleet that is run again ends with a line for the store, which is there once. */
  atomic { running == 0 && _nr_pr == 1 -> last_turn = 1; running = 1; run Coordinator(0, 2) };
  running == 0 && _nr_pr == 1;
  assert(ended0); assert(Dv && Rv && !storelock);
  assert(owner[0] == 0)
}
