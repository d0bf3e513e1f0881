/* Run and resume: attempts at one destination, in one state directory.

   Two processes (0 and 1) are on the machine that has the disk; a third (2) is on another. Each makes
   RUNS attempts, one after another. When all have ended, a last attempt is made without faults. README.md
   tells what the parts are; steps.txt has the names in step(). A name in "Type.function" below is the
   Swift function that a part stands for.

   Not here: pages and rows. A transaction is one step, for SQLite and CommitJournal make it so (swap.pml has
   a journal), and the digest of every page stands for "level", the number of transactions in a file. */

#ifndef RUNS
#define RUNS 1          /* attempts of each process */
#endif
#ifndef LOCALS
#define LOCALS 2        /* processes on the machine that has the disk */
#endif
#ifndef REMOTES
#define REMOTES 1       /* processes on the other machine */
#endif
#ifndef REMOTE_RUNS
#define REMOTE_RUNS RUNS
#endif
#ifndef KILLS
#define KILLS 1         /* processes that are killed, at any step */
#endif
#ifndef CUTS
#define CUTS 0          /* power cuts, at any step */
#endif
#ifndef FULLS
#define FULLS 0         /* calls that find the disk full */
#endif
#ifndef FOREIGNS
#define FOREIGNS 0      /* files of others that appear */
#endif
#ifndef FAULTY
#define FAULTY 0        /* attempts that end with an error that leaves no state (a row that breaks a rule) */
#endif
#ifndef LOCKSEEN
#define LOCKSEEN 0      /* 1: the system's lock is seen on the other machine */
#endif
#ifndef HARDLINKS
#define HARDLINKS 1     /* 0: a file system without them */
#endif
#ifndef T
#define T 1             /* transactions; 0: a small migration, which writes no checkpoint before its end */
#endif
#ifndef EXT
#define EXT 0           /* 1: the store has external values */
#endif

#ifndef NC
#define NC 12           /* numbers of checkpoints */
#endif
#define NS 5            /* names of attempts; free ones are given again */
#define WHOLE (T + 1)   /* level of a store with all rows */
#define FINAL (T + 2)   /* level of a store whose header is set: the bytes to publish */

#define NONE 0
/* a name in a folder: what has it */
#define OURS 1
#define WHOLLY 2        /* ours, with all its bytes */
#define FOREIGN 3
#define CLAIM 4         /* an empty file of ours under the destination's name */

/* commands */
#define RUN 0           /* run --resume-if-started */
#define RESUME 1
#define RESTART 2
/* gates: --max-loss, --on-error and --max-rejects go the same way (RunLimits), so one stands for all */
#define UNSAID 0
#define STRICT 1        /* refuses the store, which lacks something */
#define LOOSE 2         /* allows it; also what is usual */

/* owners in the lock (StateOwner) */
#define NOBODY 0
#define UNKNOWN 1
#define RELEASED 2
#define OWNED 3

/* what an attempt does with what it finds */
#define BEGIN 0
#define PUBLISHED 1
#define KEPT 2

#define CK(n)  (1 << (n))
#define SCR(s) (1 << (NC + (s)))            /* destination-<attempt>.sqlite */
#define DRF(s) (1 << (NC + NS + (s)))       /* draft-<attempt>, and all that is the attempt's alone */
#define CKS    ((1 << NC) - 1)
#define ALLSCR (((1 << NS) - 1) << NC)
#define ALLDRF (((1 << NS) - 1) << (NC + NS))

/* ---- the disk: each name as it is seen (v) and as it would be after a power cut at worst (d) ---- */
byte Dv, Dd;            /* the destination's name */
bit  Dsynced;           /* its bytes are on the disk */
byte Dc;                /* its content: 1 or 2, by the policy for rejects */
byte Ev, Ed;            /* the folder of external values beside it */
bit  Fv, Fd;            /* the state directory */
bit  Fown;              /* it is ours to make; 0 while it is somebody else's */
byte Fgen;              /* which of the folders of this name it is */
byte mv, md;            /* .bulkmigrate: NONE, WHOLLY */
bit  mb;                /* its bytes are on the disk, or no power cut comes */
byte rv, rd;            /* finished: NONE, OURS (cut off), WHOLLY */
byte pv, pd;            /* plan.json: NONE, OURS, FOREIGN */
bit  lv, ld;            /* lock */
byte lgen;              /* which of the files of this name it is */
byte ow, owslot, owboot;/* its contents */
bit  owhost;
byte rn;                /* the checkpoint that was renamed to "finished", its number + 1, until that is synced */
bit  xv;                /* a foreign file in the folder; it is on the disk at once */
int  nv, nd;            /* all other names in the folder */

byte tv[NS], td[NS];    /* level of the store of an attempt, as seen and on the disk */
byte tc[NS];            /* its content */
byte cl[NC], cs[NC], cg[NC], cc[NC]; /* checkpoints: level, attempt, gate, content */

byte fl[2];             /* who has the system's lock on the lock file, as each machine sees it: slot + 1 */

/* ---- budgets and witnesses ---- */
byte boot = 1;          /* starts of the machines */
byte kills = KILLS, cuts = CUTS, fulls = FULLS, foreigns = FOREIGNS, faulty = FAULTY;
byte running = LOCALS + REMOTES;
bit  live[NS];          /* a process makes the attempt */
byte users[NS];         /* processes that may write to the store of an attempt */
bit  strict;            /* the last attempt that has begun was asked to refuse */
byte newest = 255;      /* the last attempt that has begun */
byte content;           /* the first content that was published */
bit  foreignD, foreignE, foreignP; /* foreign files that exist */
bit  last_turn, ended0;

#define where(h) (LOCKSEEN -> 0 : (h))
#define isGone   (!Fv || myF != Fgen)

/* Whether an attempt that begins decides what is asked from now on. One that begins a small migration does so with its
   only checkpoint: until then nothing of it is kept, and the next one starts over. */
#define says ((flag != UNSAID || cmd == RESTART) && (T > 0 || cmd == RESTART || level > 0))

/* StateFolder.isOvertaken, CheckpointFiles.isOvertaken */
#define isOvertaken (isGone || (lv && lgen != mylock) || (!lv && rv == WHOLLY) || (nv & CKS) >> (last + 1))

/* StateDirectory.hasPublished */
#define same(s) ((nv & SCR(s)) && tv[s] == FINAL && Dv == OURS && Dc == tc[s])
#define hasPublished (same(0) || same(1) || same(2) || same(3) || same(4))

#ifndef TRACE
#define said(name) printf("%d  ", _pid); printf(#name); printf("\n")
#define happens(name) said(name)
#else
#include "trace.pml"
#endif
/* The process goes on, or was killed, or the power was cut. */
#define step(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: boot == b -> said(name) \
  fi
/* A call that may find the disk full. */
#define call(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: boot == b && fulls > 0 && !last_turn -> fulls--; said(FULL); goto failed \
  :: boot == b -> said(name) \
  fi
/* A step that makes something durable that is not represented here. */
#ifndef TRACE
#define also(name) said(name)
#else
#define also(name) \
  if \
  :: kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: said(name) \
  fi
#endif

/* FolderIdentity.shown: a folder beside its destination is known without its mark, by a checkpoint or the receipt, and
   by the names in it as long as all are ours. Others have a mark that is synced. */
#if T == 0
#define isKnown ((nv & CKS) || rv == WHOLLY || (!xv && pv != FOREIGN && (nv != 0 || pv == OURS)))
#else
#define isKnown false
#endif

/* Whether a fleet asks again, which leaves out the sync of the receipt; without power cuts that makes no difference. */
#if CUTS > 0 || defined(TRACE)
#define ASKED 1
#else
#define ASKED 0
#endif

#define syncFolder  rn = 0; md = mv; rd = rv; pd = pv; ld = lv; nd = nv; forget()
#define syncParent  Dd = Dv; Ed = Ev; Fd = Fv

/* Names that neither a process sees nor a cut brings back have no contents. */
inline forget() {
  i = 0;
  do
  :: i < NC && !((nv | nd) & CK(i)) -> cl[i] = 0; cs[i] = 0; cg[i] = 0; cc[i] = 0; i++
  :: i < NC && ((nv | nd) & CK(i)) -> i++
  :: i >= NC && i < NC + NS && !((nv | nd) & (1 << i)) && !users[i - NC] ->
     tv[i - NC] = 0; td[i - NC] = 0; tc[i - NC] = 0; i++
  :: i >= NC && i < NC + NS && (((nv | nd) & (1 << i)) || users[i - NC]) -> i++
  :: i >= NC + NS -> break
  od;
  i = 0
}

inline highest(n) {
  n = NC;
  do
  :: n > 0 && !(nv & CK(n - 1)) -> n--
  :: n == 0 || (nv & CK(n - 1)) -> break
  od
}

/* Lets go of the system's lock. */
inline unlock() {
  if
  :: mylock == lgen && fl[where(h)] == slot + 1 -> fl[where(h)] = 0
  :: else
  fi
}

/* Takes the store of an attempt as one's own. */
inline use(s) { users[work]--; work = s; users[work]++ }

/* The repaired CheckpointFiles.publish: an attempt whose lock was not seen may have removed the mark. */
inline remark() {
#ifndef MARK_REMOVED
  if
  :: !isGone && mv != WHOLLY -> mv = WHOLLY; mb = 1
  :: else
  fi
#else
  skip
#endif
}

/* StateLock.record: it writes to the file that it holds open, whatever has the lock's name by now. */
inline record() {
  if
  :: lgen == mylock -> ow = OWNED; owhost = h; owslot = slot; owboot = b
  :: else
  fi;
  recorded = 1
}

/* The repaired StateLock.renew: one that takes over what may still be in use gives the lock's name to a file of its
   own, so that the one that is overtaken writes to a file that no longer matters. */
inline renew() {
  if
  :: !isGone -> lv = 1; lgen = (lgen + 1) % 8; mylock = lgen; fl[0] = 0; fl[1] = 0; fl[where(h)] = slot + 1
  :: else
  fi;
  record()
}

proctype Attempt(byte id; bit h; byte count) {
  byte runs = count;
  byte b, slot, work, cmd, flag, g, pol, level, number, n, i;
  byte myF, mylock, seen;
  short last, lastFound;
  bit mustCopy, tidying, isNew, hasState, isFinished, recorded, refused, made, marked, fresh, left0, kept, isSmall, resumed;
  byte tries, from;
  int signs, mask;

again:
  atomic {
    /* All locals are as new, for fewer states. */
    b = 0; slot = 0; work = 0; cmd = 0; flag = 0; g = 0; pol = 0; level = 0; number = 0; seen = 0; n = 0; i = 0; myF = 0;
    mylock = 0; last = -2; mustCopy = 0; tidying = 0; isNew = 0; hasState = 0; isFinished = 0; recorded = 0;
    refused = 0; made = 0; fresh = 0; left0 = 0; kept = 0; isSmall = 0; resumed = 0; lastFound = -1; signs = 0; mask = 0; tries = 0; from = 0;
    if
    :: runs == 0 -> running--; goto over
    :: runs > 0 -> runs--
    fi;
    b = boot;
    /* SystemHost.identifier: a name that no file, no owner and no process has. */
    do
    :: live[slot] || users[slot] || ((nv | nd) & (SCR(slot) | DRF(slot))) || (ow == OWNED && owslot == slot)
       -> slot++
    :: else -> break
    od;
    assert(slot < NS);
    live[slot] = 1; work = slot; users[work] = 1; tv[slot] = 0; td[slot] = 0; tc[slot] = 0;
    if
    :: last_turn -> cmd = RUN; flag = LOOSE; said(RUN-LOOSE-LAST)
    :: !last_turn -> cmd = RUN; said(RUN)
    :: !last_turn -> cmd = RESUME; said(RESUME)
    :: !last_turn -> cmd = RESTART; said(RESTART)
    fi;
    if
    :: last_turn
    :: !last_turn -> flag = UNSAID
#ifndef UNGATED         /* nobody asks for a gate */
    :: !last_turn -> flag = STRICT; said(STRICT)
#endif
    :: !last_turn && cmd == RESTART -> flag = LOOSE
    fi;
    /* --restart gives up what was asked of the run before. */
    if
    :: cmd == RESTART && flag != STRICT -> strict = 0
    :: else
    fi;
    pol = 1;
    if
    :: cmd == RESTART -> pol = 2   /* --restart with another --on-error: the store is another one */
    :: true
    fi
  };

enter:
  /* StateFolder.enter, make */
  atomic {
    step(-); made = 0; marked = 0; fresh = 0;
    if
    :: Fv -> goto opened
    :: else
    fi
  };
  atomic {
    call(folder-made);
    if
    :: Fv
    :: !Fv ->
       Fv = 1; Fgen = (Fgen + 1) % 4; made = 1;
       /* What a cut might bring back was in the former folder. */
       if :: !Fd -> nd = 0; md = 0; rd = 0; pd = 0; ld = 0 :: else fi
    fi
  };
#ifdef MAKER_SYNCS
  if
  :: made -> atomic { call(path-synced); syncParent }
  :: else
  fi;
#endif
opened:
  /* DurableDirectory.init, StateFolder.mark */
  atomic {
    step(-);
    if
    :: !Fv -> goto enter
    :: Fv -> myF = Fgen
    fi;
    highest(seen);
    if
    :: mv == WHOLLY -> goto entered
    :: mv != WHOLLY && isKnown -> goto lost
    :: mv != WHOLLY && !isKnown && (nv != 0 || xv || rv != NONE || pv != NONE) -> goto stopped /* foreignFolder */
    :: mv != WHOLLY && !(nv != 0 || xv || rv != NONE || pv != NONE)
    fi
  };
#ifndef MAKER_SYNCS
  /* Whoever marks the folder syncs its name: the one that made it may have been killed before. */
  atomic { call(path-synced); if :: isGone -> goto enter :: else -> syncParent; marked = 1; fresh = ASKED fi };
#endif
  /* StateMarker.write: a draft is whole and on the disk before it gets the name, unless something has that. That of a
     small migration is not synced by itself. */
#if T == 0
  if
  :: atomic { step(unmarked); if :: isGone -> goto enter :: else -> mv = WHOLLY; mb = !CUTS; goto entered fi }
#ifdef TRACE
  :: true
#endif
  fi;
#endif
lost:
  atomic { if :: isGone -> goto enter :: else fi; call(data-synced) };
  atomic { step(unmarked); if :: isGone -> goto enter :: else -> mv = WHOLLY; mb = 1 fi };
  atomic { call(folder-synced); syncFolder };
entered:
  /* StateLock.init. The calls open and flock are one step: if the file loses its name between them, the loop
     there begins again. */
  atomic {
    step(-);
    if
    :: isGone -> goto enter
    :: !isGone && lv && fl[where(h)] != 0 -> goto stopped   /* locked; another attempt waits as long as it likes */
    :: !isGone && !(lv && fl[where(h)] != 0)
    fi;
    hasState = (seen != 0);
    isNew = !lv;
    if
    :: isNew -> lv = 1; lgen = (lgen + 1) % 8; ow = NOBODY; owslot = 0; owboot = 0; owhost = 0; fl[0] = 0; fl[1] = 0
    :: else
    fi;
    mylock = lgen; fl[where(h)] = slot + 1;
    if
    :: !hasState -> mustCopy = 0
    :: hasState && (isNew || ow == NOBODY || ow == UNKNOWN) -> ow = UNKNOWN; mustCopy = 1
    :: hasState && !isNew && ow == RELEASED -> mustCopy = 0
    :: hasState && !isNew && ow == OWNED && owhost == h ->
       /* StateOwner.isProvablyGone */
       mustCopy = !(owboot == boot && !live[owslot])
    :: hasState && !isNew && ow == OWNED && owhost != h -> mustCopy = 1;
       /* LockWait.waited: without a sign of life during the wait its files are copied. */
       if
       :: tries && signs == (nv & CKS)
       :: else ->
          unlock(); mylock = 0;
          if
          :: tries < 2 -> tries++; signs = (nv & CKS)
          :: tries >= 1 -> goto stopped
          fi;
          goto enter
       fi
    fi;
    signs = 0; tries = 0; hasState = 0; made = !isNew; isNew = 0
  };
  /* StateFolder.init: the mark is read again under the lock; the former owner may have removed it. */
  atomic {
    step(-);
    if
    :: isGone || mv != WHOLLY -> unlock(); goto enter
#ifndef MARK_TRUSTED
    :: !isGone && mv == WHOLLY ->
       /* The one that marked it may have been killed before it synced the name. */
       if :: marked || (nv & CKS) || rv == WHOLLY -> marked = 0; goto locked :: else -> goto named fi
#else
    :: !isGone && mv == WHOLLY -> marked = 0; goto locked
#endif
    fi
  };
named:
  atomic { call(data-synced); if :: isGone || mv != WHOLLY -> unlock(); goto enter :: else -> mb = 1 fi };
  atomic { call(folder-synced); syncFolder };
locked:
  /* Migration.found, decision: what is kept is read once. */
  atomic {
    step(-); highest(number); last = number - 1; lastFound = last;
    if
    :: rv == WHOLLY && Dv != NONE -> left0 = 1; goto tidy
    /* A command that is refused takes away what nothing can be resumed from, and nothing else. */
    :: !(rv == WHOLLY && Dv != NONE) && last < 0 && (cmd == RESUME || Dv != NONE || (EXT && Ev != NONE)) -> tidying = 1; goto tidy
    :: !(rv == WHOLLY && Dv != NONE) && last >= 0 && cmd == RESTART && Dv != NONE && !hasPublished -> goto stopped
    :: else
    fi;
#ifndef LOCK_BEFORE_NUMBERS
    /* What the lock says of its former owner is of the numbers that were seen before. */
    if :: number != seen -> mustCopy = 1 :: else fi;
#endif
#ifndef WRITER_IGNORED
    /* StateDirectory.mustCopy(_:): a checkpoint names the process that wrote it. Another number, or the same one again,
       may have been taken since the lock was looked at, and one that takes over takes a number before it renews it. */
    if :: number > 0 && live[cs[number - 1]] -> mustCopy = 1 :: else fi;
#endif
    seen = 0;
    /* Migration.resuming: what was asked of an interrupted run holds, unless it is asked again. */
    if
    :: flag != UNSAID -> g = flag
#ifndef GATE_IN_LOCK
    :: flag == UNSAID && cmd != RESTART && number > 0 -> g = cg[number - 1]
    :: flag == UNSAID && !(cmd != RESTART && number > 0) -> g = LOOSE
#else
    :: flag == UNSAID -> g = LOOSE
#endif
    fi;
#ifndef RESTART_PUBLISHED
    /* The repaired decision: what is published already is finished, for it cannot be rebuilt. */
    if :: cmd == RESTART && hasPublished -> cmd = RUN :: else fi;
#endif
    if
    :: cmd == RESTART || number == 0 -> tries = BEGIN
    :: else ->
       n = number - 1; resumed = 1;
       /* A policy that differs is refused by Checkpoint.refuse; it goes on with that of the state. */
       pol = cc[n]; level = cl[n]; from = cs[n];
       if
       :: level == FINAL && Dv != NONE && (!(nv & SCR(from)) || (Dv == OURS && Dc == tc[from])) -> tries = PUBLISHED
       :: else -> tries = KEPT
       fi
    fi;
    number = 0
  };
  /* StateDirectory.hold */
  if
  :: !mustCopy ->
#if !defined(LOCK_KEPT) && !defined(RELEASE_IN_PLACE)
     /* The repaired: also without a checkpoint, one that is not seen may be at work. */
     if
     :: made -> atomic { call(data-synced) }; atomic { call(file-replaced); renew(); made = 0 }
     :: !made -> atomic { call(data-synced); record() }
     /* That of a small migration is not synced. */
     :: !made && T == 0 -> atomic { step(-); record() }
     fi
#else
     atomic { call(data-synced); record(); made = 0 }
#endif
  :: mustCopy
  fi;
  /* Migration.leave: what is refused before the work has begun leaves what is kept, and takes away the rest. */
  if
  :: faulty > 0 && !last_turn -> atomic {
       step(-); faulty--;
       if
       :: last < 0 && !isOvertaken -> tidying = 1; goto tidy
       :: !(last < 0 && !isOvertaken) && recorded && !isOvertaken -> goto release
       :: else -> goto stopped
       fi
     }
  :: true
  fi;
  /* Resumption.begin */
  atomic {
    step(-);
    if
    :: tries == BEGIN -> tries = 0; goto begin
    :: tries == PUBLISHED -> tries = 0; use(from); from = 0; isFinished = 1; goto noted
    :: tries == KEPT -> tries = 0
    fi;
    if
    :: !(nv & SCR(from)) -> from = 0; goto begin
    :: nv & SCR(from)
    fi;
    if
    :: !mustCopy ->
       /* inPlace */
       use(from); from = 0;
#ifndef UNCLAIMED
       goto claim
#else
       goto examined
#endif
    :: mustCopy
    fi
  };
  /* copied */
#ifdef SHARED_FINISHED
  atomic {
    step(-);
    if
    :: cl[n] == FINAL && (nv & SCR(cs[n])) -> use(cs[n]); level = FINAL; goto fence
    :: else
    fi
  };
#endif
  atomic {
    call(path-synced);
#ifdef TRACE
    /* The store, its pages and its journal are files of their own. */
    do :: also(path-synced) :: break od;
#endif
    if
    :: !(nv & SCR(from)) -> goto begin
    :: else -> nv = nv | SCR(slot); tv[slot] = tv[from]; td[slot] = tv[from]; tc[slot] = tc[from]; from = 0
    fi
  };
examined:
  /* Resumption.checkpoint: the one that belongs to the last transaction of the store */
  atomic {
    step(-);
    if
    :: !(nv & SCR(work)) -> goto begin
    :: else
    fi;
    if
    :: cl[n] >= WHOLE -> level = cl[n];
       /* isSound: all pages as recorded; the header may be set already. */
       if :: tv[work] < (T > 0 -> T : WHOLE) -> goto begin :: else fi
    :: cl[n] < WHOLE ->
       if
       :: tv[work] == 0 -> goto begin
       :: tv[work] > 0 -> level = tv[work];
          do
          :: n > 0 && !((nv & CK(n)) && cl[n] == level) -> n--
          :: n == 0 || ((nv & CK(n)) && cl[n] == level) -> break
          od;
          if :: !((nv & CK(n)) && cl[n] == level) -> goto begin :: else fi
       fi
    fi;
    /* The store is opened to be written: SQLite rolls a transaction back that was not committed. */
    assert(users[work] == 1 || mustCopy);
    if
    :: mustCopy
    :: !mustCopy -> isFinished = (level == FINAL);
#ifndef UNCLAIMED
       goto swept
#else
       goto noted
#endif
    fi
  };
fence:
  /* The next number of a process that may still be running is taken. */
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    call(number-taken);
    number = last + 1; assert(number < NC);
    if
    :: isGone || !(nv & DRF(slot)) || (nv & CK(number)) -> goto fenced
    :: else -> nv = (nv | CK(number)) & ~DRF(slot); cl[number] = level; cs[number] = work; cg[number] = g; cc[number] = pol
    fi
  };
  atomic { call(folder-synced); syncFolder };
  atomic {
    step(-);
    last = number; number = 0;
    if
    :: isOvertaken -> if :: !isGone -> nv = nv & ~CK(last) :: else fi; goto fenced
    :: else
    fi;
    remark();
    if :: level == FINAL -> nv = nv & ~(CKS & ~CK(last)) :: else fi;
    isFinished = (level == FINAL); forget()
  };
  atomic { call(data-synced) };
#ifndef RELEASE_IN_PLACE
  atomic { call(file-replaced); renew() };
#else
  atomic { step(-); record() };
#endif
  goto swept;
#ifndef UNCLAIMED
claim:
  /* The next number is taken before the files are touched, so that only one attempt does. */
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    call(number-taken);
    number = last + 1; assert(number < NC);
    if
    :: isGone || !(nv & DRF(slot)) || (nv & CK(number)) -> goto fenced
    :: else -> nv = (nv | CK(number)) & ~DRF(slot); cl[number] = level; cs[number] = work; cg[number] = g; cc[number] = pol
    fi
  };
  atomic { call(folder-synced); syncFolder };
  atomic {
    step(-);
    last = number; n = number; number = 0;
    if
    :: isOvertaken -> if :: !isGone -> nv = nv & ~CK(last) :: else fi; goto fenced
    :: else
    fi;
    remark();
    if :: level == FINAL -> nv = nv & ~(CKS & ~CK(last)) :: else fi;
    forget(); goto examined
  };
#endif
noted:
  /* A limit that was set now holds for the next attempt, too. */
  if
  :: cg[n] == g -> goto swept
  :: cg[n] != g
  fi;
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    call(number-taken);
    number = last + 1; assert(number < NC);
    if
    :: isGone || !(nv & DRF(slot)) || (nv & CK(number)) -> goto fenced
    :: else -> nv = (nv | CK(number)) & ~DRF(slot); cl[number] = level; cs[number] = work; cg[number] = g; cc[number] = pol
    fi
  };
  atomic { call(folder-synced); syncFolder };
  atomic {
    step(-);
    last = number; number = 0;
    if
    :: isOvertaken -> if :: !isGone -> nv = nv & ~CK(last) :: else fi; goto fenced
    :: else
    fi;
    remark();
    if :: level == FINAL -> nv = nv & ~(CKS & ~CK(last)) :: else fi;
    forget()
  };
swept:
  /* Resumption.begin: removeLeftovers */
  atomic { step(tidied); if :: !isGone -> nv = nv & ~((ALLSCR | ALLDRF) & ~SCR(work)); forget() :: else fi };
#ifndef PLAN_LOST
  /* The repaired: after a power cut the checkpoint's name may be there without the plan's. */
  if
  :: pv == NONE -> atomic { also(data-synced); call(name-given); if :: !isGone && pv == NONE -> pv = OURS :: else fi }
  :: else
  fi;
#endif
  goto begun;

begin:
  /* StateDirectory.begin */
  atomic {
    step(-);
    /* What was found may be no longer there, since another attempt has gone on with it. */
    if :: isOvertaken -> goto fenced :: else fi;
    use(slot); level = 0; isFinished = 0; n = 0;
#ifdef RECEIPT_REMOVED_FIRST
    if :: !isGone -> rv = NONE :: else fi
#endif
  };
  if
  :: T == 0 && !resumed ->
     atomic { step(-); if :: !isGone -> nv = nv & ~CKS; forget() :: else fi };
#ifndef RESTART_UNSYNCED
     if :: last >= 0 -> atomic { call(folder-synced); syncFolder } :: else fi;
#endif
     goto emptied
  :: T > 0 || resumed       /* Resumption.begin keeps the plan, however small the migration is */
  fi;
keepPlan:
  /* StateFolder.keep */
  atomic {
    step(-);
    if
    :: !isGone && pv == FOREIGN -> refused = 1; goto failed
    :: else
    fi
  };
  if :: isSmall && pv == NONE -> goto keepBoth :: else fi;
keepAlone:
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    if
    :: pv == NONE -> call(name-given)
    :: pv != NONE -> call(file-replaced)
    fi;
    if
    :: isGone || !(nv & DRF(slot)) -> goto fenced
    :: !isGone && (nv & DRF(slot)) -> nv = nv & ~DRF(slot);
#ifndef PLAN_REPLACED
       /* Where nothing has the name, it is given by link; where ours has it, ours is replaced. */
       if :: pv == FOREIGN -> refused = 1; goto failed :: else fi;
#endif
       assert(pv != FOREIGN);
       pv = OURS
    fi
  };
  goto announce;
keepBoth:
  /* One file holds the plan and the only checkpoint of a small migration. */
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    if
    :: isGone || !(nv & DRF(slot)) -> goto fenced
    :: !isGone && (nv & DRF(slot)) && pv != NONE -> goto keepAlone
    :: !isGone && (nv & DRF(slot)) && pv == NONE -> call(name-given); pv = OURS
    fi
  };
#if HARDLINKS
  goto numbered;
#endif
announce:
  /* CheckpointFiles.publish */
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
numbered:
  atomic {
    call(number-taken);
    number = last + 1; assert(number < NC);
    if
    :: isGone || !(nv & DRF(slot)) -> goto fenced
#ifndef NUMBER_OVERWRITTEN
    :: !isGone && (nv & DRF(slot)) && (nv & CK(number)) -> nv = nv & ~DRF(slot); goto fenced
    :: !isGone && (nv & DRF(slot)) && !(nv & CK(number)) ->
#else
    :: !isGone && (nv & DRF(slot)) ->
#endif
       nv = (nv | CK(number)) & ~DRF(slot); cl[number] = level; cs[number] = work; cg[number] = g; cc[number] = pol
    fi
  };
#ifndef CHECKPOINT_UNSYNCED
  atomic {
    if
    :: boot == b && fulls > 0 && !last_turn -> fulls--; said(FULL); if :: !isGone -> nv = nv & ~CK(number) :: else fi; goto failed
    :: else
    fi;
    step(folder-synced); syncFolder
  };
#endif
  atomic {
    step(-);
#ifndef NUMBER_UNCHECKED
    last = number; number = 0;
    if
    :: isOvertaken -> if :: !isGone -> nv = nv & ~CK(last) :: else fi; goto fenced
    :: else
    fi;
    remark();
#else
    last = number; number = 0;
#endif
#ifndef RECEIPT_REMOVED_FIRST
    /* The repaired StateDirectory.begin: once the number is taken, the receipt of an earlier run is given up. */
    if
    :: (level == 0 || isSmall) && !isGone && rv == WHOLLY && Dv != NONE ->
       /* Another attempt has finished since the receipt was looked for. */
       nv = nv & ~CK(last); goto fenced
    :: (level == 0 || isSmall) && !isGone && !(rv == WHOLLY && Dv != NONE) -> rv = NONE
    :: else
    fi;
#endif
    /* removeOlder */
    if
    :: level == FINAL || level == 0 -> nv = nv & ~(CKS & (CK(last) - 1))
    :: else -> n = 0;
       do
       :: n < last && (nv & CK(n)) && cl[n] + 1 < (level > T -> T : level) -> nv = nv & ~CK(n); n++
       :: n < last && !((nv & CK(n)) && cl[n] + 1 < (level > T -> T : level)) -> n++
       :: n >= last -> break
       od; n = 0
    fi;
    forget();
    if
    :: level == FINAL -> isFinished = 1; if :: T == 0 -> strict = (g == STRICT) :: else fi; goto gates
    :: level == WHOLE -> goto finish
    :: level > 0 && level < WHOLE -> goto commit
    :: level == 0
    fi
  };
emptied:
  /* removeLeftovers */
  atomic { step(tidied); if :: !isGone -> nv = nv & ~(ALLSCR | ALLDRF); forget() :: else fi };
  if
  :: recorded
  :: !recorded ->
     atomic { call(data-synced) };
#ifndef RELEASE_IN_PLACE
     atomic { call(file-replaced); renew() }
#else
     atomic { step(-); record() }
#endif
  fi;
begun:
  atomic {
    step(begun);
    /* An attempt that is overtaken already asks nothing more: its gate is not in the newest checkpoint. */
    if
    :: isOvertaken
    :: !isOvertaken && says -> newest = slot; strict = (g == STRICT)
    :: !isOvertaken && !says -> newest = slot;
       /* A small run keeps nothing before its end; what counts is requested again. */
       if :: T == 0 && level == 0 -> strict = (g == STRICT); goto asked :: else fi;
       /* What was asked of an attempt that had begun holds for all after it. */
       assert(!strict || g == STRICT)
    fi;
asked:
    skip
  };
  if
  :: isFinished -> goto gates
  :: !isFinished && level >= WHOLE -> goto finish
  :: else
  fi;
  /* StoreCopy.make: makes the scratch store */
  atomic {
    call(copied);
    if
    :: isGone -> goto fenced
    :: !isGone && (nv & SCR(work))
    :: !isGone && !(nv & SCR(work)) && level > 0 -> goto fenced /* PageWriter.refuseMoved */
    :: !isGone && !(nv & SCR(work)) && level == 0 -> nv = nv | SCR(work); tv[work] = 0; td[work] = 0; tc[work] = pol
    fi
  };
rows:
  /* Run.record, TransactionLog.commit */
  if
  :: level < T -> level++; also(segments-saved); also(violations-saved); also(checkpoint); goto announce
  :: else -> goto complete
  fi;
commit:
  atomic { call(commit); also(commit-synced) };
  atomic {
    call(committed);
    if
    :: isGone || !(nv & SCR(work)) -> goto fenced     /* refuseMoved */
    :: else
    fi;
    /* No two processes write to one store. */
    assert(users[work] == 1);
    tv[work] = level; td[work] = level
  };
  if
  :: faulty > 0 && !last_turn -> faulty--; goto broken
  :: true -> goto rows
  fi;
complete:
  /* MigrationAttempt.whole */
  atomic {
    step(-); level = WHOLE;
    if
    :: T == 0 && !isGone && (nv & SCR(work)) -> tv[work] = WHOLE; goto finish
    :: T == 0 && (isGone || !(nv & SCR(work))) -> goto fenced
    :: T > 0
    fi
  };
  if
  :: T == 0 && faulty > 0 && !last_turn -> faulty--; goto broken
  :: true
  fi;
  atomic {
    call(path-synced);
    /* The number of the last transaction is all that the store tells. */
    if :: isGone || !(nv & SCR(work)) -> goto fenced :: else -> td[work] = tv[work] fi
  };
  goto announce;
finish:
  /* Publication.finish */
  atomic {
    call(header-written); also(subfolder-made); also(copy-synced);
    if
    :: isGone || !(nv & SCR(work)) -> goto fenced
    :: else -> assert(users[work] == 1); tv[work] = FINAL; td[work] = (T > 0 -> td[work] : 0)
    fi
  };
#ifndef SCRATCH_UNSYNCED
  atomic {
    call(counted); also(path-synced);
    if :: isGone || !(nv & SCR(work)) -> goto fenced :: else -> td[work] = FINAL fi
  };
  atomic { step(synchronized) };
#endif
  level = FINAL;
  if
  :: T == 0 -> isSmall = 1; goto keepPlan
  :: T > 0 -> goto announce
  fi;
gates:
  /* MigrationAttempt.refuse, Publication.isDone */
  atomic {
    step(-);
    if
    :: Dv != NONE && (!(nv & SCR(work)) || (Dv == OURS && Dc == pol)) -> goto finishNames
    :: !(Dv != NONE && (!(nv & SCR(work)) || (Dv == OURS && Dc == pol))) && g == STRICT -> refused = 1; kept = 1; goto failed
    :: else
    fi
  };
  /* Publication.giveNames: refuseExisting, isOvertaken */
  atomic {
    step(-);
    if
    :: Dv != NONE && (!(nv & SCR(work)) || (Dv == OURS && Dc == pol)) -> goto finishNames
    :: Dv != NONE && !(!(nv & SCR(work)) || (Dv == OURS && Dc == pol)) -> kept = 1; goto failed
    :: else
    fi;
    if
    :: EXT && Ev == FOREIGN -> kept = 1; goto failed
    :: else
    fi;
#ifndef PUBLISH_UNCHECKED
    if :: isOvertaken -> goto fenced :: else fi
#endif
  };
#if EXT
#ifdef VALUES_LAST
  goto linked;
values:
#endif
  /* NamePublisher.publishFolder: a copy beside the name, then rename, and a sync of the folder of both */
  atomic {
    call(moved);
    if
    :: Ev == NONE -> Ev = OURS
    :: Ev == OURS
    :: Ev == FOREIGN -> kept = 1; goto failed
    fi
  };
  atomic { call(external); syncParent };
#ifdef VALUES_LAST
  goto names;
#endif
linked:
#endif
  /* DurableFiles.publish */
#if HARDLINKS || !defined(NAME_CLAIMED)
  atomic {
    call(name-given);
    if
    :: !(nv & SCR(work)) -> goto fenced
#ifndef NAME_REPLACED
    :: (nv & SCR(work)) && Dv != NONE -> kept = 1;
       if :: Dv == OURS && Dc == pol -> goto names :: else -> goto failed fi
    :: (nv & SCR(work)) && Dv == NONE ->
#else
    :: (nv & SCR(work)) ->
#endif
       /* Never an incomplete one; never against the gate of the attempt that counts; one content. */
       assert(tv[work] == FINAL);
       assert(!strict);
       assert(!foreignD);
       assert(content == 0 || content == tc[work]);
       content = tc[work]; Dv = OURS; Dc = tc[work]; Dsynced = (td[work] == FINAL)
#if !HARDLINKS
       ; nv = nv & ~SCR(work)      /* rename, if nothing has the name (RENAME_NOREPLACE) */
#endif
    fi
  };
#else
  atomic {
    call(name-claimed);
    if
    :: Dv != NONE -> kept = 1; goto failed
    :: Dv == NONE -> Dv = CLAIM
    fi
  };
  atomic {
    call(name-given);
    if
    :: !(nv & SCR(work)) -> goto fenced
    :: nv & SCR(work) ->
       assert(!strict); content = tc[work]; Dv = OURS; Dc = tc[work]; Dsynced = (td[work] == FINAL); nv = nv & ~SCR(work)
    fi
  };
#endif
#if EXT && defined(VALUES_LAST)
  goto values;
#endif
names:
  atomic { call(published) };
#ifndef DESTINATION_UNSYNCED
  atomic { call(path-synced); syncParent };
#endif
  atomic { step(durable) };
  goto given;
finishNames:
  /* Publication.finishNames, where an interrupted attempt has given the name */
#ifndef DESTINATION_UNSYNCED
  atomic { call(path-synced); syncParent };
#endif
given:
  /* StateDirectory.remove(keeping:) */
  atomic { step(-); if :: isOvertaken -> goto fenced :: else fi; left0 = 1 };
#ifndef PLAN_LOST
  if
  :: pv == NONE -> atomic { also(data-synced); call(name-given); if :: !isGone && pv == NONE -> pv = OURS :: else fi }
  :: else
  fi;
#endif
  /* CheckpointFiles.becomesReceipt: the last checkpoint of a small migration gets the name of the receipt, in one step. */
  if
  :: T == 0 ->
     atomic {
       if
       :: last <= lastFound || isGone || !(nv & CK(last)) -> goto written
       :: else
       fi;
       step(file-replaced); nv = nv & ~CK(last); rv = WHOLLY;
#ifndef RECEIPT_COPIED
       rn = last + 1;
#endif
       also(receipt);
       /* A fleet asks again whether the store is made. */
       if
       :: fresh -> goto renamed
#ifdef TRACE
       :: true -> goto tidy
#else
       :: !fresh -> goto tidy         /* one that is synced leaves less to a power cut */
#endif
       fi
     }
  :: true
  fi;
written:
#ifndef RECEIPT_LAST
#ifdef RECEIPT_REWRITTEN
  atomic { step(-); if :: !isGone -> rv = OURS :: else fi };
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> rv = WHOLLY fi };
#else
  /* The repaired CheckpointFiles.writeReceipt: a draft takes the place of the receipt that another attempt may
     have written already. */
  atomic { call(data-synced); if :: isGone -> goto fenced :: else -> nv = nv | DRF(slot) fi };
  atomic {
    call(file-replaced);
    if :: isGone || !(nv & DRF(slot)) -> goto fenced :: else -> nv = nv & ~DRF(slot); rv = WHOLLY fi;
    also(receipt)
  };
#endif
#endif
tidy:
  /* StateDirectory.tidy */
#ifndef RECEIPT_UNSYNCED
  /* The receipt's name is on the disk before the names go that would make it again. */
  if
  :: rv == WHOLLY -> atomic { step(folder-synced); if :: !isGone -> syncFolder :: else fi }
  :: else
  fi;
#endif
renamed:
  atomic {
    step(tidied);
    if
    :: !isGone ->
       /* What an attempt that was overtaken removes is not the work of the newest one, unless that is done. */
       assert(tidying || content != 0 || newest == 255 || newest == slot || !live[newest] || !(nv & SCR(newest)) || newest == work);
       nv = nv & ~(ALLSCR | ALLDRF)
    :: else
    fi;
    forget()
  };
untidied:
  atomic { step(-); if :: !isGone -> nv = nv & ~(CKS & (CK(last + 1) - 1)) :: else fi; forget() };
#ifdef RECEIPT_LAST
  if
  :: left0 && rv != WHOLLY -> atomic { call(data-synced); if :: isGone -> goto fenced :: else -> rv = WHOLLY fi };
  :: else
  fi;
#endif
  atomic { step(-); if :: !isGone && rv == NONE && pv == OURS -> pv = NONE :: else fi };
  /* StateFolder.remove */
  atomic {
    step(-);
    if
    :: !isGone && nv == 0 && !xv && rv == NONE && pv == NONE
    :: else -> goto unlocked
    fi
  };
  atomic { step(folder-synced); syncFolder };
  /* StateMarker.remove */
  atomic {
    step(-);
    if
    :: !isGone -> mv = NONE; isNew = 1
    :: else
    fi
  };
#ifndef MARK_REMOVED
  /* The repaired: what another attempt has made since the folder was read keeps its mark. */
  atomic {
    step(-);
    if
    :: !isGone && !(nv == 0 && !xv && rv == NONE && pv == NONE) -> mv = WHOLLY; mb = !CUTS; isNew = 0
    :: else
    fi
  };
#endif
unlocked:
  atomic { step(-); if :: !isGone && lv && lgen == mylock -> lv = 0; ow = NOBODY; owslot = 0; owboot = 0; owhost = 0 :: else fi;
    unlock() };
  atomic {
    step(-);
    if
    :: isNew && Fv && Fown && nv == 0 && !xv && rv == NONE && pv == NONE && mv == NONE && !lv -> Fv = 0
    :: else
    fi;
    isNew = 0;
    if
    :: left0 -> goto ended
    :: else -> goto stopped
    fi
  };

broken:
  /* An error that leaves no state: the store is not what the model wants. */
  refused = 1;
failed:
  /* Migration.leave */
  if
  :: mylock == 0 || last == -2 || tidying -> goto stopped
  :: else
  fi;
  atomic {
    step(-);
    if
    :: isOvertaken -> goto fenced
    :: !isOvertaken && last >= 0 && (isFinished || !refused || kept) -> goto release
    :: else
    fi;
    left0 = 0;
    /* The run has ended and says so; what was asked ends with it. */
    strict = 0
  };
#ifndef TIDY_BY_IDENTITY
  /* Only what is known to be of this attempt or before: the rest may be that of one that has just taken over. */
  atomic { step(tidied); if :: !isGone -> nv = nv & ~(SCR(slot) | DRF(slot) | SCR(work)) :: else fi; forget() };
  goto untidied;
#else
  goto tidy;
#endif
release:
  /* StateLock.release */
  atomic {
    step(data-synced);
    if :: lgen == mylock -> ow = RELEASED; owslot = 0; owboot = 0; owhost = 0 :: else fi;
    users[work]--; last = -3        /* it writes to nothing any more */
  };
  goto stopped;
fenced:
  /* A small migration that is overtaken has said so, with 9; what was asked of it was written nowhere. */
  atomic { said(FENCED); if :: boot == b && T == 0 && newest == slot -> strict = 0 :: else fi };
dead:
stopped:
  atomic {
    if
    :: boot == b -> unlock(); if :: last != -3 -> users[work]-- :: else fi; live[slot] = 0; if :: newest == slot -> newest = 255 :: else fi; forget()
    :: else
    fi
  };
  goto again;
cut:
  goto again;
ended:
  atomic {
    step(-); said(ENDS-0);
    unlock(); users[work]--; live[slot] = 0; if :: newest == slot -> newest = 255 :: else fi; forget();
    if :: last_turn -> ended0 = 1; runs = 0 :: else fi;
    /* 0 is said only where the store is. */
    assert(Dv != NONE && Dd != NONE)
  };
  goto again;
over:
  skip
}

/* What was not synced is there or not, each name by itself. */
inline cutName(bits) {
  if
  :: (nv & (bits)) != (nd & (bits)) -> nv = nv ^ (bits)
  :: true
  fi
}

/* A power cut. The disk's machine takes the folder from the other one too, so it ends all attempts. */
proctype Power() {
  byte i, k;
  int now;
  do
  :: atomic {
       cuts > 0 && running > 0 && !last_turn -> cuts--; boot++; happens(CUT);
       if :: Dv = Dd :: true fi;
       if :: Ev = Ed :: true fi;
       /* A store never exists without its values, and never incomplete. */
       assert(Dv != OURS || Dsynced);
       assert(!EXT || Dv != OURS || Ev == OURS);
       if :: Fv = Fd :: true fi;
       /* A renamed file has either name. */
       if
       :: rn -> nd = nd & ~CK(rn - 1); nv = nv & ~CK(rn - 1); rd = rv
       :: rn -> nd = nd | CK(rn - 1); nv = nv | CK(rn - 1); rv = rd
       :: !rn
       fi;
       /* The bytes of a lock need not be on the disk, even if its name is. */
       if :: T == 0 -> ow = NOBODY; owslot = 0; owboot = 0; owhost = 0 :: true fi;
       if :: mv = md :: true fi;
       if :: mv == WHOLLY && !mb -> mv = NONE :: true fi;
       mb = (mv == WHOLLY);
       if :: rv = rd :: true fi;
       if :: pv = pd :: true fi;
       if :: lv = ld :: true fi;
       k = 0;
       do
       :: k < NC + 2 * NS -> cutName(1 << k); k++
       :: k >= NC + 2 * NS -> break
       od;
       k = 0;
       do
       :: k < NS -> if :: tv[k] != td[k] -> tv[k] = td[k] :: true fi; td[k] = tv[k]; users[k] = 0; live[k] = 0; k++
       :: k >= NS -> break
       od;
       if
       :: !Fv -> nv = 0; mv = NONE; rv = NONE; pv = NONE; lv = 0
       :: Fv
       fi;
       if :: !lv -> ow = NOBODY; owslot = 0; owboot = 0; owhost = 0 :: else fi;
       fl[0] = 0; fl[1] = 0; newest = 255; lgen = 0; Fgen = 0;
       Dd = Dv; Ed = Ev; Fd = Fv; syncFolder;
       if :: Dv == NONE -> content = 0; Dc = 0; Dsynced = 0 :: else fi;
       k = 0
     }
  :: running == 0 || cuts == 0 -> break
  od
}

/* Files of others, under any name. */
proctype Others() {
  do
  :: atomic { foreigns > 0 && running > 0 && Dv == NONE -> foreigns--; happens(FOREIGN-DESTINATION); Dv = FOREIGN; Dd = FOREIGN; foreignD = 1 }
  :: atomic { foreigns > 0 && running > 0 && EXT && Ev == NONE -> foreigns--; Ev = FOREIGN; Ed = FOREIGN; foreignE = 1 }
  :: atomic { foreigns > 0 && running > 0 && Fv && pv == NONE -> foreigns--; happens(FOREIGN-PLAN); pv = FOREIGN; pd = FOREIGN; foreignP = 1 }
  :: atomic { foreigns > 0 && running > 0 && Fv -> foreigns--; happens(FOREIGN-IN-FOLDER); xv = 1 }
  :: atomic { foreigns > 0 && running > 0 && !Fv -> foreigns--; happens(FOREIGN-FOLDER); Fv = 1; Fd = 1; Fown = 0; xv = 1; Fgen = (Fgen + 1) % 4;
       nd = 0; md = 0; rd = 0; pd = 0; ld = 0 }
  :: running == 0 || foreigns == 0 -> break
  od;
  do
  :: atomic { true ->
       assert(!foreignD || Dv == FOREIGN); assert(!foreignE || Ev == FOREIGN); assert(!foreignP || pv == FOREIGN || last_turn);
       break }
  od
}

#ifdef TRACE
#define isIdle (running > 0 && !live[0] && !live[1] && !live[2] && !live[3] && !live[4])
/* StoreSwap gives the store another name, and InPlaceFolder.remove removes the folder, which it may leave emptied. */
proctype Swap() {
  do
  :: atomic { isIdle && isNext(TAKEN) -> said(TAKEN); Dv = NONE; Dd = NONE; content = 0 }
  :: atomic { isIdle && isNext(EMPTIED) -> said(EMPTIED); rv = NONE; pv = NONE; nv = 0; nd = 0; lv = 1; ow = NOBODY }
  :: atomic { isIdle && isNext(CLEARED) -> said(CLEARED); Fv = 0; mv = NONE; rv = NONE; pv = NONE; nv = 0; nd = 0; lv = 0; ow = NOBODY }
  :: running == 0 -> break
  od
}
#endif

init {
  byte k;
#ifdef TRACE
  c_code { begin_trace(); };
#endif
  atomic {
    Fown = 1;
    do
    :: k < LOCALS -> run Attempt(k, 0, RUNS); k++
    :: k >= LOCALS && k < LOCALS + REMOTES -> run Attempt(k, 1, REMOTE_RUNS); k++
    :: k >= LOCALS + REMOTES -> break
    od;
    if :: CUTS > 0 -> run Power() :: else fi;
    if :: FOREIGNS > 0 -> run Others() :: else fi;
#ifdef TRACE
    run Swap()
#endif
  };
#ifdef TRACE
  running == 0 && _nr_pr == 1 && c_expr { has_ended () };
  /* A path to here is a behaviour of the model with this trace. */
  assert(false);
#endif
  /* Liveness: wherever attempts ended, however they did, some that go on undisturbed end with 0 and leave
     nothing over. Before, the user moves away what is in their way, as their errors advise. */
  atomic {
    running == 0 && _nr_pr == 1 ->
    last_turn = 1; strict = 0;
    assert(!foreignD || Dv == FOREIGN); assert(!foreignE || Ev == FOREIGN); assert(!foreignP || pv == FOREIGN);
    if
    :: Dv == FOREIGN -> Dv = NONE; Dd = NONE; foreignD = 0
    :: Dv == OURS && rv != WHOLLY && (nv & CKS) ->
       /* A store with another policy was asked for, and the first has its name. */
       k = NC; do :: k > 0 && !(nv & CK(k - 1)) -> k-- :: else -> break od;
       if :: cc[k - 1] != Dc -> Dv = NONE; Dd = NONE; content = 0 :: else fi
    :: else
    fi;
    if :: Ev == FOREIGN || (Dv == NONE && Ev == OURS && !(nv & CKS)) -> Ev = NONE; Ed = NONE; foreignE = 0 :: else fi;
    if :: pv == FOREIGN -> pv = NONE; pd = NONE; foreignP = 0 :: else fi;
    if :: xv && !Fown -> Fv = 0; Fd = 0; Fown = 1; xv = 0 :: xv && Fown -> xv = 0 :: else fi;
    running = 1; k = 0;
    run Attempt(0, 0, 3)
  };
  running == 0 && _nr_pr == 1;
#if REMOTES == 0 || LOCKSEEN
  assert(ended0);
  assert(Dv == OURS && (!EXT || Ev == OURS));
  /* The mark, the receipt and the plan stay. */
  assert(nv == 0); assert(!lv); assert(rv == WHOLLY); assert(mv == WHOLLY); assert(pv == OURS)
#else
  /* Where a lock is not seen, two that work at the same time may take each other's receipt, mark or lock away
     (findings.md, 13): then the next one says that the destination exists. It is never missing and refused. */
  assert(ended0 || Dv == OURS || mv != WHOLLY)
#endif
}
