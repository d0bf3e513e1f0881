"""Random cases that are tried one beside the other, and what came of them; for tools/account and tools/combinations."""
import argparse, collections, concurrent.futures, os, shutil, sys, tempfile

# The cases of a seed are numbered from here times the seed.
STRIDE = 1_000_000


def parser_of(text):
    """The options of both."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("program", nargs="?")
    return parser


class Campaign:
    """The cases of some seeds, or one of them: in how many there is what, and which differ or are refused."""

    def __init__(self, options, count, make):
        """Tries cases, `count` of each seed unless the options say how many; `make` makes one."""
        if not options.program or not os.access(options.program, os.X_OK):
            sys.exit(f"{options.program} is not a program")
        self.program, self.make, self.keeps = os.path.realpath(options.program), make, bool(options.keep)
        self.cases = [options.only] if options.only else [
            int(seed) * STRIDE + number for seed in options.seeds.split(",") for number in range(options.cases or count)]
        self.occurred, self.loose, self.refused = collections.Counter(), collections.Counter(), collections.Counter()
        self.differing = collections.defaultdict(set)
        # In memory, unless the environment names a place: nothing cuts the power here.
        memory = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK) else None
        self.folder = os.path.realpath(options.keep or tempfile.mkdtemp(prefix="bulkmigrate-cases-", dir=memory))
        os.makedirs(self.folder, exist_ok=True)
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for case in pool.map(self.tried, self.cases, chunksize=2):
                self.occurred.update(case.occurred.keys())
                self.loose.update(case.loose.keys())
                self.refused.update([case.refusal] if case.refusal else [])
                for kind, text in case.differences:
                    self.differing[kind].add(case.seed)
                    print(f"case {case.seed}: {kind}: {text}", flush=True)
        if not options.keep:
            shutil.rmtree(self.folder)

    def __getstate__(self):
        """What a process needs that tries a case."""
        return {name: self.__dict__[name] for name in ("program", "make", "keeps", "folder")}

    def tried(self, case):
        done = self.make(case, self.program, self.folder).run()
        if not (self.keeps and done.differences):
            shutil.rmtree(done.place)
        return done.summary()

    def report(self, *lines, faults=()):
        """Prints what came of the cases, and ends with 0 if all is as it should be."""
        count, refused, differ = len(self.cases), self.refused.total(), len(set().union(*self.differing.values()))
        print(f"{count} cases, {differ} differ, {refused} refused", *lines, sep="\n  ")
        for kind, found in sorted(self.differing.items()):
            print(f"  differs, {len(found)} cases: {kind}, as case {min(found)}")
        for what, number in sorted(self.loose.items()):
            print(f"  known, {number} cases: {what}")
        for text, number in self.refused.most_common(9):
            print(f"  refused, {number} cases: {text[:200]}")
        # A few cases may be refused more often.
        faults = [*faults, *["too many cases are refused"] * (count >= 200 and refused * 20 > count)]
        print(*(f"  {fault}\n" for fault in faults), sep="", end="")
        sys.exit(1 if differ or faults else 0)
