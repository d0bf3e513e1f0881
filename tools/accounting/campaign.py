"""Random cases that are tried one beside the other, and what came of them; for tools/prove account and combinations."""
import collections, concurrent.futures, functools, os, shutil, tempfile

# The cases of a seed are numbered from here times the seed.
STRIDE = 1_000_000


def tried(make, options, folder, case):
    done = make(case, options.program, folder).run()
    if not (options.keep and done.differences):
        shutil.rmtree(done.place)
    return done.summary()


class Campaign:
    """The cases of a seed, or one of them: in how many there is what, and which differ or are refused."""

    def __init__(self, count, options, make):
        """Tries so many cases; `make` makes one."""
        self.cases = [options.only] if options.only else [options.seed * STRIDE + number for number in range(count)]
        self.occurred, self.loose, self.refused = collections.Counter(), collections.Counter(), collections.Counter()
        self.differing = collections.defaultdict(set)
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
        self.refused.update([case.refusal] if case.refusal else [])
        for kind, text in case.differences:
            self.differing[kind].add(case.seed)
            print(f"case {case.seed}: {kind}: {text}", flush=True)

    def report(self, found, *lines, faults=()):
        """Prints what came of the cases."""
        count, refused, differ = len(self.cases), self.refused.total(), len(set().union(*self.differing.values()))
        print(f"{count} cases, {differ} differ, {refused} refused", *lines, sep="\n  ")
        for kind, cases in sorted(self.differing.items()):
            print(f"  differs, {len(cases)} cases: {kind}, as case {min(cases)}")
        for what, number in sorted(self.loose.items()):
            print(f"  known, {number} cases: {what}")
        for text, number in self.refused.most_common(9):
            print(f"  refused, {number} cases: {text[:200]}")
        found.add(count, differ)
        # A few cases may be refused more often.
        found.add(0, [*faults, *["too many cases are refused"] * (count >= 200 and refused * 20 > count)])
