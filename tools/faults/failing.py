"""Makes every call fail by which a migration changes files, one in each run, and checks what the program
makes of it. Between the program and the C library stands tools/faults/faults.c, which counts the calls:
writes, syncs, files and folders that are made, renamed, linked, removed or cut. Then the migration runs
once for each call and each of these actions:

  ENOSPC  the call fails with “no space left”, once        EIO    it fails with an input/output error, once
  full    no call finds space any more from there on       short  a write writes half, and says so
  torn    a write writes half, then no space is left        kill   the process is killed before the call

After each run: the exit code is a documented one, the error names a file and says what to do, the source
has its bytes, nothing is under the destination's name unless it is whole. Then the fault is gone, the
program is told to resume, or what else its errors advise, and the destination must have the bytes of an
undisturbed run with nothing left beside it.

The same is done to `migrate` and `rollback`: the old or the new store, whole and with its values, is in its
place at every end, and the same command goes on. And to one of two processes that begin one migration at
once: the other ends with 0, 8 or 9, and the same command, once more, finds all done.

`gates` kills a run that leaves objects out (also with values in files, and with a receipt), one that is refused for
what it would lose, and migrations in place, and then loses, cuts or changes each file of its state directory: what was
asked of it holds for `resume`, which is told nothing, for the same command, and for one that asks something else.

`--of` names some of run, migrate, rollback, pair and gates, with an example or a gate after a colon for that alone, as
gates:values. It uses a debug build, in which BULKMIGRATE_BATCH_ROWS gives small stores several batches. Everything takes some
minutes; `--cases 60` tries 60 calls with each action. Used by tools/prove faults."""
import concurrent.futures, errno, os, random, re, tempfile, threading
from collections import Counter

from gates import GATES, GatedMigrateScene, GatedScene, trials
from inplace import InPlaceScene, PairScene
from proving import EXAMPLES, Failure, HANG, Scene, build_shim

ACTIONS = {"ENOSPC": str(errno.ENOSPC), "EIO": str(errno.EIO), "full": "full", "short": "short",
           "torn": "torn", "kill": "kill"}
# Those of README.md that a failing disk may lead to.
EXPECTED_CODES = {7, 73, 74, 75}
WHAT = ["run", "migrate", "rollback", "pair", "gates"]


def environment(library, scene, **more):
    return {"LD_PRELOAD": library, "FAULTS_UNDER": scene.out, **more}


def call_count(library, scene, what):
    """The number of calls of an undisturbed run."""
    path = os.path.join(scene.folder, "count")
    words = [scene.name, *scene.words] if what == "pair" else ["run" if what == "run" else what]
    result = scene.run(*words, environment=environment(library, scene, FAULTS_COUNT=path))
    if result.status != 0 or scene.fault(words):
        raise Failure(f"the run that is counted failed: {result}")
    scene.clear()
    with open(path) as file:
        return int(file.read())


def trial(library, scene, what, action, number):
    """Lets one call fail. Gives what happened in a word and what is wrong with it, None if nothing is."""
    scene.clear()
    spoiled = environment(library, scene, FAULTS_AT=str(number), FAULTS_ACTION=ACTIONS[action])
    if what == "pair":
        return (f"{action} beside another", *judged_pair(scene, action, scene.run_beside(spoiled)))
    result = scene.run(what, environment=spoiled)
    judge = judged if what == "run" else judged_in_place
    return (f"{action} exit {result.status}", *judge(scene, action, result))


def judged_in_place(scene, action, result):
    found = [] if scene.is_whole() else [f"{result} – and neither store is in its place"]
    if result.status == 0 and not scene.fault([scene.name]):
        return "done", found
    if result.status == 0 or result.status < 0 and action == "kill":
        pass
    elif result.status < 0 or result.status == HANG:
        found.append(f"crash or hang: {result}")
    else:
        found += wording(scene, action, result)
    taken, fault = scene.go_on()
    if fault:
        found.append(f"{result} – then {fault}")
    return " → ".join([scene.name] + taken), found


def judged_pair(scene, action, results):
    spoiled, other = results
    found = [f"crash or hang: {result}" for result in results
             if result.status == HANG or (result.status < 0 and not (result is spoiled and action == "kill"))]
    if other.status not in (0, 8, 9):
        found.append(f"the other: {other}, beside {spoiled}")
    if spoiled.status > 0 and spoiled.status not in EXPECTED_CODES | {8, 9}:
        found.append(f"exit code: {spoiled}")
    if scene.digest() not in (None, scene.reference):
        found.append(f"{spoiled} – and the destination is there with other bytes")
    taken, fault = scene.go_on()
    if fault:
        found.append(f"{spoiled} beside {other} – then {fault}")
    return " → ".join(["two runs"] + taken), found


def judged(scene, action, result):
    found = []
    whole = scene.digest() == scene.reference
    if result.status == 0:
        if not whole:
            return "done", ["exit 0, but the destination has other bytes"]
        if not scene.leftovers():
            return "done", [scene.fault(["run"])] if scene.fault(["run"]) else []
    elif result.status == -9 and action == "kill":
        pass
    elif result.status < 0 or result.status == HANG:
        found.append(f"crash or hang: {result}")
    else:
        found += wording(scene, action, result)
    if result.status != 0 and scene.digest() is not None and not whole:
        found.append(f"{result} – and the destination is there with other bytes")
    if result.status != 0 and action != "kill" and whole and "is made, but" not in result.errors:
        found.append(f"{result} – although the destination is there and whole")
    taken, fault = scene.go_on()
    if fault:
        found.append(f"{result} – then {fault}")
    return " → ".join(["run"] + taken), found


def wording(scene, action, result):
    """What is wrong with the exit code and the text of an error."""
    found = []
    if result.status not in EXPECTED_CODES:
        found.append(f"exit code: {result}")
    # Warnings may come before.
    if not re.search("^bulkmigrate: ", result.errors, re.MULTILINE) or scene.folder not in result.errors:
        found.append(f"names no file: {result}")
    is_full = action in ("ENOSPC", "full", "torn")
    if result.status == 74 and is_full and not re.search("the disk is full|No space left", result.errors):
        found.append(f"says not that the disk is full: {result}")
    if not re.search(r"bulkmigrate (run|resume)|the same command|try again", result.errors):
        found.append(f"says not what to do: {result}")
    return found


class Campaign:
    """Runs trials on several scenes at once, and collects what is found."""

    def __init__(self, library, what, scenes):
        self.what = what
        self.library, self.free, self.lock = library, list(scenes), threading.Lock()
        self.outcomes, self.ways, self.faults = Counter(), Counter(), []

    def run(self, trials):
        with concurrent.futures.ThreadPoolExecutor(len(self.free)) as pool:
            list(pool.map(lambda pair: self.one(*pair), trials))

    def one(self, action, number):
        with self.lock:
            scene = self.free.pop()
        outcome, way, faults = trial(self.library, scene, self.what, action, number)
        with self.lock:
            self.free.append(scene)
            self.outcomes[outcome] += 1
            self.ways[way] += 1
            for fault in faults:
                self.faults.append(f"call {number}, {action}: {fault.replace(scene.folder, 'DIR')}")

    def report(self, title):
        """Prints what happened how often, and of faults that differ only in names and numbers one."""
        print(title)
        for table in (self.outcomes, self.ways):
            for name, number in sorted(table.items()):
                print(f"  {number:6}  {name}")
        kinds = {}
        for fault in self.faults:
            kind = re.sub(r"[0-9A-F]{8}-[-0-9A-F]*|[0-9]+", "#", fault.split(": ", 1)[1])
            kinds.setdefault(kind, []).append(fault)
        for examples in sorted(kinds.values(), key=len):
            print(f"  {len(examples):6}  such as {examples[0]}")


def sampled(calls, count, drawn):
    """As many of the calls as are tried."""
    return sorted(drawn.sample(calls, count)) if count and count < len(calls) else calls


def campaign(tool, what, example, count, options):
    """Tries one example; returns the trials and the faults."""
    batches, rows = {"BULKMIGRATE_BATCH_ROWS": "100"}, options.rows or 600
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-faults-") as folder:
        library = build_shim(folder)
        places = [os.path.join(folder, str(job)) for job in range(options.jobs)]
        if what in ("migrate", "rollback"):
            scenes = [InPlaceScene(place, example, rows, tool, batches, name=what) for place in places]
        else:
            kind = PairScene if what == "pair" else Scene
            scenes = [kind(place, example, rows, tool, batches) for place in places]
        calls = call_count(library, scenes[0], what)
        drawn = random.Random(options.seed)
        trials = []
        for action in options.actions.split(","):
            numbers = [options.call] if options.call else sampled(range(1, calls + 1), count, drawn)
            trials += [(action, number) for number in numbers]
        campaign = Campaign(library, what, scenes)
        campaign.run(trials)
    campaign.report(f"{what}, {example}: {calls} calls, {len(trials)} runs, {len(campaign.faults)} faults")
    return len(trials), len(campaign.faults)


def gated(tool, gate, sample, options):
    """Tries one gate; returns the trials and the faults."""
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-faults-") as folder:
        library = build_shim(folder)
        kind = GatedMigrateScene if gate in ("migrate", "in-place") else GatedScene
        scene = kind(os.path.join(folder, "scene"), gate, (options.rows or 600) // 2, tool,
                     {"BULKMIGRATE_BATCH_ROWS": "100"})
        path = os.path.join(folder, "count")
        scene.run(scene.first, environment=environment(library, scene, FAULTS_COUNT=path))
        with open(path) as file:
            count = int(file.read())
        drawn = random.Random(options.seed)
        calls = [options.call] if options.call else sampled(range(1, count + 1), sample, drawn)
        # Behind the last one it is done.
        calls = [*calls] if options.call else [*calls, count + 1]
        ways, faults, tried = Counter(), {}, 0
        for number, kind, name, way, fault in trials(scene, calls, drawn, lambda number: environment(
                library, scene, FAULTS_AT=str(number), FAULTS_ACTION="kill")):
            tried += 1
            ways[f"{kind} {name if kind != 'none' else ''}: {way}"] += 1
            if fault:
                faults.setdefault((kind, name), []).append(f"call {number}: {fault.replace(scene.folder, 'DIR')}")
    print(f"gates, {gate}: {count} calls, {tried} runs, {sum(map(len, faults.values()))} faults")
    for way, number in sorted(ways.items()):
        print(f"  {number:6}  {way}")
    for (kind, name), examples in sorted(faults.items()):
        print(f"  {len(examples):6}  {kind} {name}, such as {examples[0]}")
    return tried, sum(map(len, faults.values()))


def prove(tool, count, options):
    """Tries everything, or that many calls with each action; returns the trials and the faults."""
    tried, faults = 0, 0
    for part in options.of or WHAT:
        what, _, name = part.partition(":")
        for each in [name] if name else GATES if what == "gates" else EXAMPLES:
            trials, found = gated(tool, each, count, options) if what == "gates" else campaign(tool, what, each, count, options)
            tried, faults = tried + trials, faults + found
    return tried, faults
