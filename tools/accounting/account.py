"""Shows that the account of a migration balances: whatever a store has is in the destination, or `losses` counts it.

A case is a random model, a random change of it and, for most, a random mapping model with filters that SQL knows and
filters that have to be evaluated, several mappings of one entity, constants, merged objects and a policy that makes
objects of several entities; one of another entity than a relationship's is refused. `fixture` makes the
store, and the script changes it with SQLite: nil, keys that lead nowhere, external values with and without their files,
tables and columns of an application, history, CloudKit's tables, R-trees, and rows of no entity; a page that cannot be
read is left out by `salvage` first; values that break a rule of the destination are quarantined.
Every object has a mark that all mappings copy. By these marks the script compares source and destination itself, with
SQLite and the rules of the format, and shares no code with the program:

  object            no object of the destination has its mark
  column            the object was kept, the cell is not NULL, and no cell is made of it; the same of each
                    composite element and each derived value; or the file with the value is missing
  link, pair        no relationship that continues the source's joins what became of its ends, and the row with the
                    key was kept; or one end of a pair was
  unmanaged row     rows of tables that no model explains; the same of history, CloudKit and R-trees
  history           rows that are gone; where all steps are inferred, each row with its mask and tombstones is as Core
                    Data's rules make it
  quarantine        objects in the reject files
  damage            rows of the page that cannot be read, as `salvage` counts them
  stray row         rows with a Z_ENT that no entity of their table has

What goes with a lost object, keys that lead nowhere and values that give way to those of an object that agrees may be
counted, but need not be. Each line of `losses` of `run --json` has to be right, or no less than right where it says "at
most", and so does each of `plan --json`, unless objects were left out. `verify --level quick` has to find nothing, and
`--level full` in every tenth case; --max-loss has to allow what is counted, and nothing less.

`--of faults` sees that deliberate faults in the program are found instead: each is built in a copy of the tree, which takes
some minutes, and tried with 300 cases; `--of faults:3` tries one of them.

Prints a line for each difference, and a table: in how many cases each kind was lost. It fails if a case differs, or if of 200
cases or more fewer than one in twenty have a kind, or more are refused. 2,000 cases take some ten minutes with a release build."""
import collections, concurrent.futures, functools, os, shutil, tempfile, types

import deliberate, trial
from proving import parts

KINDS = ["column", "link", "pair", "unmanaged row", "composite element", "derived value", "history", "quarantine",
         "damage", "stray row", "missing file"]
# The cases of a seed are numbered from here times the seed.
STRIDE = 1_000_000


def tried(make, options, folder, case):
    done = make(case, options.program, folder).run()
    if not (options.keep and (done.differences or done.refusal)):
        shutil.rmtree(done.place)
    return types.SimpleNamespace(**{name: getattr(done, name) for name in ("seed", "differences", "occurred", "loose", "refusal")})


class Campaign:
    """The cases of a seed, or one of them: in how many there is what, and which differ or are refused."""

    def __init__(self, count, options, make):
        """Tries so many cases; `make` makes one."""
        self.cases = [options.only] if options.only else [options.seed * STRIDE + number for number in range(count)]
        self.occurred, self.loose = collections.Counter(), collections.Counter()
        self.differing, self.refused = collections.defaultdict(set), collections.defaultdict(list)
        # In memory, unless the environment names a place: nothing cuts the power here.
        memory = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="bulkmigrate-cases-", dir=memory) as temporary:
            folder = os.path.realpath(options.keep or temporary)
            os.makedirs(folder, exist_ok=True)
            with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
                for case in pool.map(functools.partial(tried, make, options, folder), self.cases, chunksize=2):
                    self.add(case)

    def add(self, case):
        self.occurred.update(case.occurred.keys())
        self.loose.update(case.loose.keys())
        if case.refusal:
            self.refused[case.refusal].append(case.seed)
        for kind, text in case.differences:
            self.differing[kind].add(case.seed)
            print(f"case {case.seed}: {kind}: {text}", flush=True)

    def report(self, found, *lines, faults=()):
        """Prints what came of the cases."""
        count, refused = len(self.cases), sum(map(len, self.refused.values()))
        differ = len(set().union(*self.differing.values()))
        print(f"{count} cases, {differ} differ, {refused} refused", *lines, sep="\n  ")
        for kind, cases in sorted(self.differing.items()):
            print(f"  differs, {len(cases)} cases: {kind}, as case {min(cases)}")
        for what, number in sorted(self.loose.items()):
            print(f"  at most more than there is, {number} cases: {what}")
        for text, cases in sorted(self.refused.items(), key=lambda item: -len(item[1]))[:9]:
            print(f"  refused, {len(cases)} cases: {text[:200]}, as case {cases[0]}")
        found.add(count, differ)
        # A few cases may be refused more often.
        found.add(0, [*faults, *["too many cases are refused"] * (count >= 200 and refused * 20 > count)])


def prove(found, count, options):
    for part, number in parts(options, "cases", "faults") if options.of else [("cases", "")]:
        if part == "faults":
            deliberate.prove(found, int(number or 0), options.cases or 300)
            continue
        campaign = Campaign(count, options, trial.Trial)
        occurred, count = campaign.occurred, len(campaign.cases)
        # A few cases may lack a kind.
        rare = [kind for kind in KINDS if count >= 200 and occurred[kind] * 20 < count]
        campaign.report(found, *(f"{kind:20} {occurred[kind]:6}" for kind in KINDS + sorted(set(occurred) - set(KINDS))),
                        faults=[f"too few cases of {', '.join(rare)}"] if rare else ())
