/* migrate, rollback, and in place: the store at one name is exchanged for the new one and back.

   Process 0 is on the machine that has the disk, process 1 may be on another, whose lock is not seen. Each
   makes RUNS commands. When all have ended, a migration and a rollback are made without faults. A name in
   "Type.function" is the Swift function that a part stands for.

   Not here: how the new store is made (attempt.pml). Migration.run is one step, after which the new store is
   whole and on the disk, under its name in <store>.bulkmigrate/new. A rename from one folder to another may
   come back from a power cut by halves: both names, or none of them; one within a folder is whole or not done. */

#ifndef RUNS
#define RUNS 2
#endif
#ifndef LOCALS
#define LOCALS 1
#endif
#ifndef REMOTES
#define REMOTES 0
#endif
#ifndef LOCKSEEN
#define LOCKSEEN 0      /* 1: the system's lock is seen on the other machine */
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef CUTS
#define CUTS 1
#endif
#ifndef FULLS
#define FULLS 0
#endif
#ifndef FOREIGNS
#define FOREIGNS 0
#endif
#ifndef EXT
#define EXT 1           /* the store has a folder of external values */
#endif
#ifndef HARDLINKS
#define HARDLINKS 1
#endif

/* files */
#define NONE 0
#define OLD 1           /* the store before */
#define NEW 2           /* the migrated store, complete */
#define FOREIGN 3
#define DRAFT 4         /* a copy of the old store that is not complete */
#define COPY 5          /* a copy of the old store, complete, where there are no hard links */
#define NEW2 6          /* the store of another migration, for there may be one after a rollback */
#define NEW3 7
#define isNew(x) ((x) == NEW || (x) == NEW2 || (x) == NEW3)

/* commands */
#define MIGRATE 0
#define ROLLBACK 1

/* names: as seen (v), and as after a power cut at worst (d) */
byte Sv = OLD, Sd = OLD;     /* Notes.sqlite */
byte Kv, Kd;                 /* Notes~.sqlite */
byte Uv, Ud;                 /* Notes~undone.sqlite */
byte Wv, Wd;                 /* Notes~.sqlite.bulkmigrate, a draft where there are no hard links */
bit  KEv, KEd;               /* the copy of the external values beside the kept store */
bit  UEv, UEd;               /* the same beside the undone one */
byte Nv, Nd;                 /* the new store */
bit  NEv, NEd;               /* its copy of the external values */
bit  moving;                  /* a rename within the folder that is not synced */
bit  Mv, Md;                 /* kept-external-<identity> */
bit  Pv, Pd;                 /* plan.json in the folder, and with it the folder */
bit  Fv;                     /* the folder */
byte holder[2];              /* who has the lock of the folder, by machine */
byte gen;                    /* which folder of this name it is */

/* in place: the file, its journal */
byte pages = OLD;            /* the pages of the file: OLD, NEW, or DRAFT while some are written */
bit  journal, journalsynced, pagessynced = 1;

byte boot = 1, kills = KILLS, cuts = CUTS, fulls = FULLS, foreigns = FOREIGNS;
byte running = LOCALS + REMOTES;
bit  last_turn, ended0, foreignW, foreignK, foreignU;

#define where(h) (LOCKSEEN -> 0 : (h))
#define isGone (!Fv || myF != gen)
#define isOvertaken isGone

#ifndef TRACE
#define said(name) printf("%d  ", _pid); printf(#name); printf("\n")
#define also(name) said(name)
#define isBare 1
#else
#include "trace.pml"
#define also(name) step(name)
bit marked;                  /* the folder has its mark */
bit made;                    /* it has the folder of the new store */
byte state;                  /* its state directory: NONE, WHOLE, EMPTIED */
#define WHOLE 1
#define EMPTIED 2
#define isBare (!made && state == NONE)
#endif
#define step(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: boot == b -> said(name) \
  fi
#define call(name) \
  if \
  :: boot != b -> goto cut \
  :: boot == b && kills > 0 && !last_turn -> kills--; said(KILLED); goto dead \
  :: boot == b && fulls > 0 && !last_turn -> fulls--; said(FULL); goto failed \
  :: boot == b -> said(name) \
  fi

#define syncStores moving = 0; Sd = Sv; Kd = Kv; Ud = Uv; Wd = Wv; KEd = KEv; UEd = UEv
#define syncFolder Md = Mv; Pd = Pv

/* At every instant the old or the new store, complete, has the name; and the old one has a name. */
#define inPlaceIsWhole (Sv == OLD || Sv == COPY || isNew(Sv))
#define oldIsThere (Sv == OLD || Kv == OLD || Kv == COPY || Sv == COPY || Uv == OLD || Uv == COPY)
inline check() { assert(inPlaceIsWhole); assert(oldIsThere) }

#define used(x) (Sv == x || Sd == x || Kv == x || Kd == x || Uv == x || Ud == x || Nv == x || Nd == x)
/* DurableFiles.isSameFile: two names of one file. A store is one file here; a copy is another. */
#define isOld(x) ((x) == OLD || (x) == COPY)
#ifndef KEPT_COPY_UNKNOWN
/* The repaired: a copy with the bytes of the store in place is as good as a second name. */
#define sameKept (Kv != NONE && (Kv == Sv || (isOld(Kv) && isOld(Sv))))
#else
#define sameKept (Kv != NONE && Kv == Sv)
#endif
#define sameUndone (Uv != NONE && Uv == Sv)

/* StoreSwap.hasMovedExternalData */
#ifdef VALUES_DISCARDED
#define hasMoved (Mv && Nv != NONE && !NEv && KEv)
#else
/* The repaired: it is the swap's own only until the stores are exchanged. */
#define hasMoved (Mv && KEv && (Kv == NONE || sameKept))
#endif

/* StateFolder.enter, whose steps attempt.pml has. */
inline enter() {
#ifndef TRACE
  call(folder-made)
#else
  if
  :: !Fv -> call(folder-made); Fv = 1; gen = gen % 7 + 1
  :: Fv
  fi;
  if
  :: marked -> call(data-synced); call(folder-synced)
  :: !marked -> call(path-synced); call(data-synced); call(unmarked); marked = 1; call(folder-synced)
  fi
#endif
}

/* StateFolder.remove, of a folder with nothing in it. */
inline remove() {
  Fv = 0;
#ifdef TRACE
  marked = 0
#endif
}

proctype User(byte id; bit h; byte count) {
  byte runs = count, b, cmd, myF;
  bit isLeft, current, moved, begun, isEmpty;
again:
  atomic {
    b = 0; cmd = 0; myF = 0; isLeft = 0; current = 0; moved = 0; begun = 0; isEmpty = 0;
    if
    :: runs == 0 -> running--; goto over
    :: runs > 0 -> runs--
    fi;
    b = boot;
    if
    :: last_turn -> cmd = MIGRATE; said(MIGRATE-LAST)
    :: !last_turn -> cmd = MIGRATE; said(MIGRATE)
    :: !last_turn -> cmd = ROLLBACK; said(ROLLBACK)
    fi
  };
  if
  :: cmd == ROLLBACK -> goto rollback
  :: cmd == MIGRATE
  fi;

  /* InPlaceMigration.run, isCurrent */
  atomic {
    step(-); current = isNew(Sv);
    if
    :: current && !Fv -> goto ended
    :: else
    fi
  };
  /* InPlaceFolder.init */
  atomic {
    enter();
    if
    :: Fv && holder[where(h)] -> goto stopped
    :: Fv && !holder[where(h)] -> holder[where(h)] = 1; myF = gen
    :: !Fv -> Fv = 1; gen = gen % 7 + 1; holder[0] = 0; holder[1] = 0; holder[where(h)] = 1; myF = gen
    fi
  };
#ifdef TRACE
  if :: !made -> call(folder-made); made = 1 :: made fi;
#endif
#ifndef CURRENT_UNLOCKED
  /* The repaired: another process may have rolled the store back since; it is looked at again under the lock. */
  atomic { step(-); current = isNew(Sv) };
#endif
  if
  :: current ->
#ifndef ABANDON_UNSYNCED
     /* The repaired: the name that an interrupted swap gave is on the disk before what it was made of goes. */
     atomic { call(path-synced); syncStores };
#endif
     /* StoreSwap.abandon, discard */
     atomic {
       step(-);
       if
       :: hasMoved ->
          /* The values of a kept store that is not the one in place are not removed. */
          assert(Kv == NONE || sameKept);
          KEv = 0
       :: else
       fi
     };
     atomic { step(-); if :: !isGone -> Nv = NONE; NEv = 0 :: else fi };
     atomic { step(-); if :: sameKept -> Kv = NONE :: else fi; check(); assert(isNew(Sv)) };
     goto tidy
  :: !current
  fi;
  /* StoreSwap.refuseExisting, KeptStore.refuseInUse */
  atomic {
    step(-);
    if
    :: Kv != NONE && !sameKept -> goto failed
    :: KEv && !hasMoved -> goto failed
    :: else
    fi
  };
  if
  :: !Pv ->
     /* InPlaceFolder.begin */
     atomic { step(-); if :: hasMoved -> KEv = 0 :: else fi; if :: !isGone -> Nv = NONE; NEv = 0 :: else goto failed fi };
     atomic { also(data-synced); call(name-given); if :: isGone -> goto failed :: else -> Pv = 1 fi }
  :: Pv
  fi;
  /* Migration.run: attempt.pml; the legs of a route are attempts of their own. */
  atomic { call(plan-kept); also(route-begun); also(leg) };
  atomic {
    step(new-store);
    if
    :: isGone -> goto failed
    :: !isGone && Nv != NONE
    :: !isGone && Nv == NONE ->
       if
       :: !used(NEW) -> Nv = NEW
       :: used(NEW) && !used(NEW2) -> Nv = NEW2
       :: used(NEW) && used(NEW2) -> assert(!used(NEW3)); Nv = NEW3
       fi;
       NEv = EXT; Nd = Nv; NEd = NEv; syncFolder
    fi;
#ifdef TRACE
    state = WHOLE
#endif
  };
  /* StoreSwap.run */
  atomic {
    step(-);
    if :: isOvertaken -> goto failed :: else fi;
    if
    :: Kv != NONE && !sameKept -> goto failed
    :: KEv && !hasMoved -> goto failed
    :: else
    fi
  };
  if
  :: NEv ->
     atomic { call(-); if :: isGone -> goto failed :: else -> Mv = 1 fi };
     atomic { call(folder-synced); syncFolder };
     atomic {
       call(moved);
       if
       :: isGone || !NEv -> goto failed
#ifndef VALUES_DISCARDED
       :: !isGone && NEv -> KEv = 1; NEv = 0     /* what an interrupted swap moved there goes first */
#else
       :: !isGone && NEv && KEv -> goto failed
       :: !isGone && NEv && !KEv -> KEv = 1; NEv = 0
#endif
       fi
     };
     atomic { call(path-synced); syncStores };
     atomic { step(kept-external) }
  :: !NEv
  fi;
#ifdef RENAMED_FIRST
  goto exchange;
keep:
#endif
  /* DurableFiles.publish(copying:as:) */
  if
#ifdef KEPT_BY_NAME
  :: Kv == NONE ->
#else
  /* The repaired: a file of others that has come to have the name since is not taken for the kept store. */
  :: !sameKept ->
#endif
#if HARDLINKS
     atomic { call(second-name); if :: Kv == NONE -> Kv = Sv :: else -> goto failed fi; check() };
#else
#ifdef DRAFT_UNLINKED
     atomic { step(-); assert(Wv != FOREIGN); Wv = NONE };
     atomic { call(-); if :: Wv == NONE -> Wv = DRAFT :: else -> goto failed fi };
     atomic { call(copy-synced); Wv = COPY };
     atomic { call(name-given); if :: Kv == NONE -> Kv = COPY; Wv = NONE :: else -> goto failed fi; check() };
#else
     /* The repaired: the draft is in the folder that is ours, and goes with it. */
     atomic { call(copy-synced) };
     atomic { call(name-given); if :: isGone -> goto failed :: !isGone && Kv == NONE -> Kv = COPY :: !isGone && Kv != NONE -> goto failed fi; check() };
#endif
#endif
#ifdef SYNC_SKIPPED
     atomic { call(path-synced); syncStores }
#endif
#ifdef KEPT_BY_NAME
  :: Kv != NONE
#else
  :: sameKept
#endif
  fi;
#if !defined(SYNC_SKIPPED) && !defined(KEPT_UNSYNCED)
  /* The repaired: also where an interrupted attempt has given the name, which may not be on the disk. */
  atomic { call(path-synced); syncStores };
#endif
  atomic { call(kept) };
#ifdef RENAMED_FIRST
  goto exchanged;
exchange:
#endif
  /* StoreSwap.confirm, confirmHold */
  atomic {
    step(-);
    if
    :: isOvertaken || !isOld(Sv) -> goto failed
    :: else
    fi
  };
  /* DurableFiles.move */
  atomic {
    call(moved);
    if
    :: Nv == NONE -> goto failed
    :: Nv != NONE -> Sv = Nv; Nv = NONE
    fi;
#ifndef RENAMED_FIRST
    check()
#else
    assert(inPlaceIsWhole); assert(oldIsThere)
#endif
  };
#ifdef RENAMED_FIRST
  goto keep;
exchanged:
#endif
  atomic { step(swapped) };
  atomic { call(path-synced); syncStores };
tidy:
#ifdef TRACE
  /* StateDirectory.clear; a mark without anything else is synced first. */
  if
  :: state == NONE
  :: state != NONE ->
     if :: state == EMPTIED -> step(data-synced); step(folder-synced) :: state == WHOLE fi;
     step(folder-synced); state = EMPTIED;
     step(-); state = NONE
  fi;
  made = 0;
#endif
  /* InPlaceFolder.remove */
  atomic { step(tidied); if :: isOvertaken -> goto failed :: else -> Nv = NONE; NEv = 0 fi };
  atomic { step(-); if :: !isGone -> Mv = 0 :: else fi };
  atomic { step(-); if :: !isGone -> Pv = 0 :: else fi };
  atomic { step(folder-synced); if :: !isGone -> syncFolder; Nd = Nv; NEd = NEv :: else fi };
  atomic { step(-); if :: !isGone && !Pv && !Mv && Nv == NONE && !NEv -> remove(); holder[where(h)] = 0; myF = 0 :: else fi };
  goto ended;

rollback:
  /* StoreRollback.run */
  atomic { step(-); isLeft = Fv };
  atomic {
    enter();
    if
    :: Fv && holder[where(h)] -> goto stopped
    :: Fv && !holder[where(h)] -> holder[where(h)] = 1; myF = gen
    :: !Fv -> Fv = 1; gen = gen % 7 + 1; holder[0] = 0; holder[1] = 0; holder[where(h)] = 1; myF = gen
    fi;
    isEmpty = !Pv
  };
  atomic {
    step(-);
    if
    :: isLeft && isEmpty && Kv == NONE && Uv != NONE -> goto leave
    :: else
    fi;
    if
    :: Kv == NONE -> goto failed
    :: Kv != NONE
    fi;
    begun = sameUndone;
    if
    :: !begun && Uv != NONE -> goto failed
    :: else
    fi;
#ifndef KEPT_UNREAD
    /* The repaired: what has the kept store's name is opened; a file of others is not a store. */
    if :: Kv == FOREIGN -> goto failed :: else fi;
#endif
#ifndef ROLLBACK_OF_NOTHING
    /* The repaired: the stores are not exchanged yet, so there is nothing to put back. */
    if :: sameKept -> goto failed :: else fi
#endif
  };
  /* restoreExternalData */
  if
  :: KEv ->
     atomic { call(folder-made); also(subfolder-made); also(copy-synced); also(folder-synced) };
     atomic { call(moved); UEv = 1 };
     atomic { also(copy-synced); call(folder-synced) };
     atomic { step(-); KEv = 0 };
  :: !KEv
  fi;
  atomic { step(restored-external) };
  if
  :: !begun -> atomic { call(second-name); if :: Uv == NONE -> Uv = Sv :: else -> goto failed fi; check() }
  :: begun
  fi;
#ifndef UNDONE_UNSYNCED
  atomic { call(path-synced); syncStores };
#endif
  atomic { step(undone) };
  atomic {
    call(moved);
    if
    :: Kv == NONE -> goto failed
    :: Kv != NONE && sameKept            /* rename of two names of one file does nothing */
    :: Kv != NONE && !sameKept -> Sv = Kv; Kv = NONE; moving = 1
    fi;
    check();
    /* A store that was put back was kept, and the other one has a name. */
    assert(Kv == NONE); assert(isNew(Uv))
  };
  atomic { step(rolled-back) };
  atomic { call(path-synced); syncStores };
leave:
  /* StateFolder.remove */
  isEmpty = !Pv && !Mv && Nv == NONE && !NEv && isBare;
  if
  :: isEmpty -> atomic { step(folder-synced) }
  :: !isEmpty
  fi;
  atomic { step(-); if :: !isGone && isEmpty -> remove() :: else fi; if :: myF == gen -> holder[where(h)] = 0 :: else fi; myF = 0 };
  goto ended;

failed:
  if
  :: boot == b && cmd == ROLLBACK && myF -> goto leave
  :: else
  fi;
dead:
stopped:
  atomic {
    if
    :: boot == b && myF && myF == gen -> holder[where(h)] = 0
    :: else
    fi
  };
  goto again;
cut:
  goto again;
ended:
  atomic {
    if
    :: boot == b && last_turn -> ended0 = 1; runs = 0
    :: else
    fi;
    if
    :: boot == b && myF && myF == gen -> holder[where(h)] = 0
    :: else
    fi
  };
  goto again;
over:
  skip
}

proctype Power() {
  byte i;
  do
  :: atomic {
       cuts > 0 && running > 0 && !last_turn -> cuts--; boot++; said(CUT);
       if
       :: moving -> if :: Sv = Sd; Kv = Kd :: true fi    /* a rename in one folder is whole */
       :: !moving -> if :: Sv = Sd :: true fi; if :: Kv = Kd :: true fi
       fi;
       if :: Uv = Ud :: true fi;
       if :: Wv = Wd :: true fi;
       if :: KEv = KEd :: true fi;
       if :: UEv = UEd :: true fi;
       if :: Nv = Nd :: true fi;
       if :: NEv = NEd :: true fi;
       if :: Mv = Md :: true fi;
       if :: Pv = Pd :: true fi;
       check();
       syncStores; Nd = Nv; NEd = NEv; syncFolder; holder[0] = 0; holder[1] = 0;
       if :: Pv || Mv || Nv != NONE || NEv -> Fv = 1 :: else fi
     }
  :: running == 0 || cuts == 0 -> break
  od
}

/* Files of others. They are synced, and what was done in the folder before with them. */
proctype Others() {
  do
  :: atomic { foreigns > 0 && running > 0 && Wv == NONE -> foreigns--; Wv = FOREIGN; Wd = FOREIGN; foreignW = 1 }
  :: atomic { foreigns > 0 && running > 0 && Kv == NONE -> foreigns--; said(FOREIGN-KEPT); syncStores; Kv = FOREIGN; Kd = FOREIGN; foreignK = 1 }
  :: atomic { foreigns > 0 && running > 0 && Uv == NONE -> foreigns--; said(FOREIGN-UNDONE); syncStores; Uv = FOREIGN; Ud = FOREIGN; foreignU = 1 }
  :: running == 0 || foreigns == 0 -> break
  od
}

/* AlteringMigration: one transaction of SQLite in the store itself, with SQLite's rollback journal. */
#define asOpened (journal -> OLD : pages)

proctype Alter() {
  byte runs = RUNS, b;
again:
  atomic {
    if
    :: runs == 0 || last_turn -> running--; goto over
    :: else -> runs--
    fi;
    b = boot;
    /* A journal that is there is rolled back when the store is opened. */
    if :: journal -> pages = OLD; journal = 0; journalsynced = 0 :: else fi;
    if :: pages == NEW -> running--; goto over :: else fi
  };
  atomic { call(read) };
  atomic { call(-); journal = 1 };
#ifndef JOURNAL_UNSYNCED
  atomic { call(-); journalsynced = 1 };
#endif
  atomic { call(-); pages = DRAFT; pagessynced = 0; assert(asOpened != DRAFT) };
  atomic { call(altered); pages = NEW };
#ifndef PAGES_UNSYNCED
  atomic { call(-); pagessynced = 1 };
#endif
  atomic { call(alteration-committed); journal = 0; journalsynced = 0; assert(pages == NEW) };
  goto again;
failed:
  skip;
dead:
cut:
  goto again;
over:
  skip
}

proctype PowerInPlace() {
  byte i;
  do
  :: atomic {
       cuts > 0 && running > 0 -> cuts--; boot++; said(CUT);
       /* CommitJournal.write: the journal is on the disk before a page is changed. */
       if :: journal && !journalsynced -> journal = 0 :: true fi;
       if :: pages == NEW && !pagessynced -> pages = DRAFT :: true fi;
       assert(asOpened != DRAFT);
       journalsynced = journal; pagessynced = (pages != DRAFT)
     }
  :: running == 0 || cuts == 0 -> break
  od
}

init {
  byte k;
#ifdef TRACE
  c_code { begin_trace(); };
#endif
#ifdef INPLACE_ONLY
  atomic { running = 1; run Alter(); run PowerInPlace() };
  running == 0 && _nr_pr == 1;
#else
  atomic {
    if
    :: EXT -> skip
    :: else
    fi;
    do
    :: k < LOCALS -> run User(k, 0, RUNS); k++
    :: k >= LOCALS && k < LOCALS + REMOTES -> run User(k, 1, RUNS); k++
    :: k >= LOCALS + REMOTES -> break
    od;
    if :: CUTS > 0 -> run Power() :: else fi;
    if :: FOREIGNS > 0 -> run Others() :: else fi
  };
#ifdef TRACE
  running == 0 && _nr_pr == 1 && c_expr { has_ended () };
  assert(false);
#endif
  /* Liveness: undisturbed, a migration ends with 0, with the new store in place and nothing left over. Before, the
     user moves away what their errors name: foreign files, and a store that an earlier migration kept. */
  atomic {
    running == 0 && _nr_pr == 1 ->
    last_turn = 1;
    assert(!foreignW || Wv == FOREIGN); assert(!foreignK || Kv == FOREIGN); assert(!foreignU || Uv == FOREIGN);
    if :: Wv == FOREIGN || Wv == DRAFT || Wv == COPY -> Wv = NONE :: else fi;
    if :: Kv == FOREIGN -> Kv = NONE :: else fi;
    running = 1; k = 0;
    run User(0, 0, 2)
  };
  running == 0 && _nr_pr == 1;
#if REMOTES == 0 || LOCKSEEN
  assert(ended0);
  assert(isNew(Sv) && oldIsThere);
  assert(!Fv && !Pv && !Mv && Nv == NONE && !NEv)
#else
  /* Where the lock is not seen, a migration may have to be told to go on by hand (findings.md, 13). */
  assert(inPlaceIsWhole && oldIsThere)
#endif
#endif
}
