"""The models of the protocol, which Spin checks; for tools/prove protocol."""
import concurrent.futures, os, re, shutil, subprocess, tempfile, time

from measuring import ROOT
from proving import Failure

MODELS = os.path.join(ROOT, "Plans/models")
MEMORY = 9000

# Name, model, definitions.
SMALL = [
    ("two-attempts", "attempt", "LOCALS=2 REMOTES=0 KILLS=1"),
    ("two-hosts", "attempt", "LOCALS=1 REMOTES=1 KILLS=0 T=0"),
    ("two-hosts-seen", "attempt", "LOCALS=1 REMOTES=1 KILLS=1 T=0 LOCKSEEN=1"),
    ("full", "attempt", "LOCALS=1 REMOTES=0 RUNS=3 KILLS=1 FULLS=1 FAULTY=1 NC=18"),
    ("full-power", "attempt", "LOCALS=1 REMOTES=0 RUNS=3 KILLS=1 CUTS=1 FULLS=1 T=0 NC=16"),
    ("power", "attempt", "LOCALS=1 REMOTES=0 RUNS=2 KILLS=1 CUTS=1"),
    ("values", "attempt", "LOCALS=1 REMOTES=0 RUNS=2 KILLS=0 CUTS=1 EXT=1"),
    ("foreign", "attempt", "LOCALS=1 REMOTES=0 RUNS=2 KILLS=1 FOREIGNS=1 EXT=1"),
    ("no-links", "attempt", "LOCALS=1 REMOTES=0 RUNS=2 KILLS=1 FULLS=1 FOREIGNS=1 HARDLINKS=0"),
    ("faulty", "attempt", "LOCALS=1 REMOTES=0 RUNS=3 KILLS=1 FAULTY=1 NC=18"),
    ("swap", "swap", "RUNS=3 KILLS=2 CUTS=1"),
    ("swap-foreign", "swap", "RUNS=2 KILLS=1 CUTS=0 FULLS=1 FOREIGNS=1"),
    ("swap-no-links", "swap", "RUNS=2 KILLS=1 CUTS=1 HARDLINKS=0 FOREIGNS=1"),
    ("in-place", "swap", "INPLACE_ONLY RUNS=3 KILLS=2 CUTS=2 FULLS=1"),
    ("fleet", "fleet", ""),
    ("fleet-apart", "fleet", "SHARED=0 RUNS=1 KILLS=2 FULLS=0"),
]
# The last word is the number of bits of the table for hash compaction by bits (-w), where all states would not fit.
LARGE = [
    ("two-hosts-full", "attempt", "LOCALS=1 REMOTES=1 KILLS=0 FULLS=1", None),
    ("two-hosts", "attempt", "LOCALS=1 REMOTES=1 KILLS=1 CUTS=0", 33),
    ("three-attempts", "attempt", "LOCALS=2 REMOTES=1 KILLS=0 NC=14", 33),
    ("power-two", "attempt", "LOCALS=2 REMOTES=0 KILLS=1 CUTS=1 NC=14", 33),
    ("two-swaps", "swap", "LOCALS=1 REMOTES=1 LOCKSEEN=1 RUNS=2 KILLS=2 CUTS=1 FULLS=1", 32),
    ("fleet", "fleet", "KILLS=2 CUTS=2 FULLS=2", 32),
]
# Name, what is wrong, model, definitions of a configuration that is enough, the property that it breaks.
MUTATIONS = [
    ("NAME_REPLACED", "the destination's name is given by rename", "attempt", "LOCALS=1 REMOTES=0 FOREIGNS=1", "foreign file"),
    ("PLAN_REPLACED", "plan.json is replaced without being looked at (present)", "attempt",
     "LOCALS=1 REMOTES=0 KILLS=0 FOREIGNS=1", "foreign file"),
    ("SCRATCH_UNSYNCED", "the store is not synced before it is published", "attempt", "LOCALS=1 REMOTES=0 KILLS=0 CUTS=1", "incomplete"),
    ("VALUES_LAST", "the store gets its name before its values", "attempt", "LOCALS=1 REMOTES=0 KILLS=0 CUTS=1 EXT=1", "incomplete"),
    ("NAME_CLAIMED", "without hard links the name is claimed by an empty file (present)", "attempt",
     "LOCALS=1 REMOTES=0 HARDLINKS=0", "incomplete"),
    ("GATE_IN_LOCK", "a gate is kept in the lock alone", "attempt", "LOCALS=1 REMOTES=0 RUNS=2", "gates"),
    ("SHARED_FINISHED", "a finished store that is taken over keeps its name (present)", "attempt", "LOCALS=1 REMOTES=1 KILLS=0", "gates"),
    ("RESTART_UNSYNCED", "checkpoints that --restart gives up are removed without a sync (present)", "attempt",
     "LOCALS=1 REMOTES=0 RUNS=3 KILLS=1 CUTS=1 T=0", "gates"),
    ("NUMBER_OVERWRITTEN", "a checkpoint replaces one of the same number", "attempt", "LOCALS=1 REMOTES=1 KILLS=0", "overtaken"),
    ("UNCLAIMED", "a resumed attempt takes no number before it writes (present)", "attempt", "LOCALS=1 REMOTES=1 KILLS=0 FULLS=1 RUNS=2", "overtaken"),
    ("LOCK_BEFORE_NUMBERS", "the lock is read before the numbers (present)", "attempt",
     "LOCALS=1 REMOTES=1 KILLS=0 WRITER_IGNORED", "overtaken"),
    ("WRITER_IGNORED", "the process that wrote a checkpoint is not looked for (present)", "attempt",
     "LOCALS=1 REMOTES=1 RUNS=2 REMOTE_RUNS=1 KILLS=1 T=0 NC=14 UNGATED", "overtaken"),
    ("RELEASE_IN_PLACE", "the lock's file stays the same when it is taken over (present)", "attempt",
     "LOCALS=1 REMOTES=1 RUNS=2 REMOTE_RUNS=1 KILLS=0 FULLS=1 NC=14", "overtaken"),
    ("LOCK_KEPT", "without a checkpoint the lock's file stays the same (present)", "attempt", "LOCALS=1 REMOTES=1 KILLS=0 T=0", "gates"),
    ("TIDY_BY_IDENTITY", "an attempt that fails removes the files of all (present)", "attempt", "LOCALS=1 REMOTES=1 KILLS=0 FAULTY=1", "overtaken"),
    ("RECEIPT_UNSYNCED", "checkpoints are removed before the receipt's name is on the disk (present)", "attempt",
     "LOCALS=1 REMOTES=0 KILLS=0 CUTS=1", "liveness"),
    ("RECEIPT_LAST", "the receipt is written after the checkpoints are removed", "attempt", "LOCALS=1 REMOTES=0", "liveness"),
    ("MAKER_SYNCS", "the name of the folder is synced by the one that makes it alone", "attempt",
     "LOCALS=1 REMOTES=0 RUNS=3 KILLS=1 CUTS=1 FULLS=1 T=0 NC=16", "liveness"),
    ("MARK_TRUSTED", "a mark that was found is not synced", "attempt", "LOCALS=1 REMOTES=0 RUNS=2 KILLS=1 CUTS=1 FOREIGNS=1", "liveness"),
    ("RECEIPT_COPIED", "a small migration gives up its checkpoint before its receipt is on the disk", "attempt",
     "LOCALS=1 REMOTES=0 RUNS=2 KILLS=0 CUTS=1 T=0 RECEIPT_UNSYNCED", "liveness"),
    ("DESTINATION_UNSYNCED", "the destination's name is not synced", "attempt", "LOCALS=1 REMOTES=0 KILLS=0 CUTS=1", "liveness"),
    ("RESTART_PUBLISHED", "--restart discards a state whose store is published (present)", "attempt",
     "LOCALS=1 REMOTES=0 RUNS=2 KILLS=1 CUTS=1 T=0", "liveness"),
    ("PLAN_LOST", "a resumed attempt does not look whether the plan is there (present)", "attempt",
     "LOCALS=1 REMOTES=0 KILLS=0 CUTS=1 T=0", "liveness"),
    ("SYNC_SKIPPED", "a name that an interrupted swap gave is not synced again (present)", "swap", "RUNS=2 KILLS=1 CUTS=1", "old or new"),
    ("KEPT_UNSYNCED", "the old store's second name is not synced", "swap", "RUNS=2 KILLS=0 CUTS=1", "old or new"),
    ("RENAMED_FIRST", "the new store takes its place before the old one has a second name", "swap", "RUNS=1 KILLS=0 CUTS=0", "old or new"),
    ("VALUES_DISCARDED", "the values of a kept store count as those of the swap (present)", "swap", "RUNS=2 KILLS=0 CUTS=1", "old or new"),
    ("ABANDON_UNSYNCED", "a swap that is found done is tidied without a sync (present)", "swap", "RUNS=2 KILLS=1 CUTS=1", "liveness"),
    ("CURRENT_UNLOCKED", "whether the store is current is looked at without the lock (present)", "swap",
     "LOCALS=2 RUNS=2 KILLS=1 CUTS=0", "old or new"),
    ("KEPT_BY_NAME", "any file with the kept store's name is taken for it (present)", "swap", "RUNS=1 KILLS=0 CUTS=0 FOREIGNS=1", "old or new"),
    ("KEPT_UNREAD", "what is put back is not opened (present)", "swap", "RUNS=1 KILLS=0 CUTS=0 FOREIGNS=1", "foreign file"),
    ("ROLLBACK_OF_NOTHING", "a swap that is only begun is rolled back (present)", "swap", "RUNS=2 KILLS=1 CUTS=0", "old or new"),
    ("DRAFT_UNLINKED", "a draft beside the store is removed unseen (present)", "swap", "HARDLINKS=0 KILLS=0 CUTS=0 FOREIGNS=1", "foreign file"),
    ("KEPT_COPY_UNKNOWN", "a copy that an interrupted swap kept is taken for another (present)", "swap",
     "HARDLINKS=0 RUNS=2 KILLS=1 CUTS=0", "liveness"),
    ("LOCK_UNSEEN", "the lock of a swap is not seen on the other machine (present)", "swap",
     "LOCALS=1 REMOTES=1 LOCKSEEN=0 RUNS=2 KILLS=1 CUTS=0 FULLS=1", "old or new"),
    ("JOURNAL_UNSYNCED", "pages change before the journal is on the disk", "swap", "INPLACE_ONLY RUNS=1 KILLS=0 CUTS=1", "old or new"),
    ("PAGES_UNSYNCED", "the journal is cleared before the pages are on the disk", "swap", "INPLACE_ONLY RUNS=1 KILLS=0 CUTS=1", "old or new"),
    ("TORN_KEPT", "a line that a kill cut off stays", "fleet", "", "results"),
    ("LOG_UNLOCKED", "two coordinators append to one log", "fleet", "", "results"),
    ("RESULT_FIRST", "a result is written before the store is there", "fleet", "", "results"),
]


def verifier(folder, model, words, *options):
    """Makes the verifier of a model for some definitions, in a folder that has the model."""
    made = subprocess.run(["spin", "-a", *("-D" + word for word in words.split()), model + ".pml"], cwd=folder, capture_output=True,
                          text=True)
    if made.returncode != 0 or "Error" in made.stdout:
        raise Failure(f"spin refuses {model} {words}:\n{made.stdout}{made.stderr}")
    subprocess.run(["gcc", "-w", "-DSAFETY", "-DVECTORSZ=2048", *options, "-o", "pan", "pan.c"], cwd=folder, check=True)


class Check:
    """One run of a verifier: its states, its errors and the lines that it has not reached."""

    def __init__(self, name, model, words, bits=None, limit=None):
        """`bits` are those of a table for hash compaction; the run ends after `limit` seconds."""
        self.name, self.model = name, model
        way = ["-DBITSTATE"] if bits else ["-DCOLLAPSE", f"-DMEMLIM={MEMORY}"]
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(MODELS, model + ".pml"), folder)
            verifier(folder, model, words, "-O2", *way)
            start = time.monotonic()
            command = [*(["timeout", "-s", "INT", str(limit)] if limit else []), "./pan", "-m1000000",
                       *([f"-w{bits}", "-k3"] if bits else [])]
            output = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
        found = re.search(r"depth reached (\d+), errors: (\d+)", output)
        if not found:
            raise Failure(f"the verifier of {name} failed:\n{output[-2000:]}")
        self.states, self.errors = int(float(re.search(r"([\d.e+]+) states, stored", output)[1])), int(found[2])
        memory = re.search(r"([\d.]+)\s+total actual memory usage", output)
        fault = re.search(r"pan:1: (.*) \(at depth", output)
        self.line = (f"{name:<16} {model:<8} {self.states:>12,} {int(found[1]):>7,} {time.monotonic() - start:>7.1f} s "
                     f"{float(memory[1]) if memory else 0:>7,.0f} MB {self.errors:>3} {fault[1] if fault else ''}")
        self.is_cut_off = "Search not completed" in output and not self.errors
        self.unreached = {(int(number), text) for number, text in re.findall(r"^\t\S+:(\d+), state \d+, (\".*\")$", output, re.M)}


def in_order(checks, jobs):
    """The checks, of which some are made at the same time."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(Check, *words) for words in checks]:
            yield future.result()


def check(found, configurations, jobs, limit=None):
    """Checks configurations, each of which is printed as it ends."""
    print(f"{'configuration':<16} {'model':<8} {'states':>12} {'depth':>7} {'time':>9} {'memory':>10} {'errors':>3}", flush=True)
    if not configurations:
        raise Failure("no configuration has such a name")
    checks = []
    for each in in_order([(name, model, words, *(bits or [None]), limit) for name, model, words, *bits in configurations], jobs):
        checks.append(each)
        print(each.line, flush=True)
    errors = sum(each.errors for each in checks)
    print(f"{sum(each.states for each in checks):,} states of {len(checks)} configurations, of which "
          f"{sum(each.is_cut_off for each in checks)} were ended by the time limit, {errors} errors")
    found.add(len(checks), errors)
    return checks


def prove_models(found, count, options, name):
    """The small configurations of all models, and the lines of a model that none of them reaches."""
    checks = check(found, [row for row in SMALL if row[0].startswith(name)], min(2, options.jobs))
    for model in sorted({each.model for each in checks}):
        of_model = [each.unreached for each in checks if each.model == model]
        for number, text in sorted(set.intersection(*of_model)):
            print(f"not reached: {model}.pml:{number} {text}")


def prove_large(found, count, options, name):
    check(found, [row for row in LARGE if row[0].startswith(name)], 1, 170)


def prove_mutations(found, count, options, name):
    """Every mutation must be found; the error ends the search."""
    mutations = [row for row in MUTATIONS if row[0].startswith(name)]
    checks = in_order([(mutation, model, f"{words} {mutation}", None, 60) for mutation, _, model, words, _ in mutations],
                      min(2, options.jobs))
    missed = 0
    for (mutation, what, _, _, breaks), each in zip(mutations, checks):
        missed += not each.errors
        print(f"{'found' if each.errors else 'NOT FOUND':<10} {mutation:<22} {breaks:<13} {each.states:>11,} states  {what}", flush=True)
    print(f"{len(mutations) - missed} of {len(mutations)} mutations found")
    found.add(len(mutations), missed)
