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

It uses a debug build, in which BULKMIGRATE_BATCH_ROWS gives small stores several batches. Everything takes some
minutes; `--cases 60` tries 60 calls with each action."""
import concurrent.futures, errno, os, queue, random, re, tempfile

from gates import GATES, GatedMigrateScene, GatedScene, trials
from inplace import InPlaceScene, PairScene, RollbackScene
from proving import EXAMPLES, Failure, Findings, Scene, build_shim, parts

ACTIONS = {"ENOSPC": str(errno.ENOSPC), "EIO": str(errno.EIO), "full": "full", "short": "short",
           "torn": "torn", "kill": "kill"}
# Those of README.md that a failing disk may lead to.
EXPECTED_CODES = {7, 73, 74, 75}
SCENES = {"run": Scene, "migrate": InPlaceScene, "rollback": RollbackScene, "pair": PairScene}
BATCH = {"BULKMIGRATE_BATCH_ROWS": "100"}


def environment(library, scene, **more):
    return {"LD_PRELOAD": library, "FAULTS_UNDER": scene.out, **more}


def calls_of(library, scene, *words, **more):
    """The number of calls of a run that nothing disturbs."""
    path = os.path.join(scene.folder, "count")
    scene.must(*words, environment=environment(library, scene, FAULTS_COUNT=path), **more)
    with open(path) as file:
        return int(file.read())


def trial(library, scene, action, number):
    """Lets one call fail. Gives what is wrong, what happened in a word, and how it went on."""
    scene.clear()
    spoiled = environment(library, scene, FAULTS_AT=str(number), FAULTS_ACTION=ACTIONS[action])
    if isinstance(scene, PairScene):
        found, told = judged_pair(scene, action, scene.run_beside(spoiled)), "two runs"
        outcome = f"{action} beside another"
    else:
        result, told = scene.run(scene.name, environment=spoiled), scene.name
        found, outcome = scene.unsound(result), f"{action} exit {result.status}"
        if result.status == 0 and (found or not scene.fault([scene.name])):
            return found, outcome, "done"
        if result.broke and not (action == "kill" and result.status == -9):
            found.append(f"crash or hang: {result}")
        elif result.status > 0:
            found += wording(scene, action, result)
    taken, fault = scene.go_on()
    if fault:
        found.append(f"{told}, {outcome} – then {fault}")
    return found, outcome, " → ".join([told] + taken)


def judged_pair(scene, action, results):
    spoiled, other = results
    found = [f"crash or hang: {result}" for result in results
             if result.broke and not (result is spoiled and action == "kill" and result.status < 0)]
    if other.status not in (0, 8, 9):
        found.append(f"the other: {other}, beside {spoiled}")
    if spoiled.status > 0 and spoiled.status not in EXPECTED_CODES | {8, 9}:
        found.append(f"exit code: {spoiled}")
    if scene.digest() not in (None, scene.reference):
        found.append(f"{spoiled} – and the destination is there with other bytes")
    return found


def wording(scene, action, result):
    """What is wrong with the exit code and the text of an error."""
    found = []
    if result.status not in EXPECTED_CODES:
        found.append(f"exit code: {result}")
    # Warnings may come before. Files below the working directory have relative names.
    if not re.search("^bulkmigrate: ", result.errors, re.MULTILINE) or not re.search(rf"\bout[/:]|{scene.folder}", result.errors):
        found.append(f"names no file: {result}")
    is_full = action in ("ENOSPC", "full", "torn")
    if result.status == 74 and is_full and not re.search("the disk is full|No space left", result.errors):
        found.append(f"says not that the disk is full: {result}")
    if not re.search(r"bulkmigrate (run|resume)|the same command|try again", result.errors):
        found.append(f"says not what to do: {result}")
    return found


def sampled(calls, count, options, drawn):
    """As many of the calls as are tried."""
    if options.call:
        return [options.call]
    return sorted(drawn.sample(calls, count)) if count and count < len(calls) else calls


def fail_calls(what, example, count, options):
    """Tries one example on several scenes at once."""
    findings, scenes = Findings(), queue.SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-faults-") as folder:
        library, drawn, trials = build_shim(folder), random.Random(options.seed), []
        for job in range(options.jobs):
            scenes.put(SCENES[what](os.path.join(folder, str(job)), example, options.rows or 600, options, BATCH))
        scene = scenes.get()
        calls = calls_of(library, scene, *scene.words)
        if fault := scene.fault(scene.words):
            raise Failure(f"the run that is counted failed: {fault}")
        scenes.put(scene)
        for action in options.actions.split(","):
            trials += [(action, number) for number in sampled(range(1, calls + 1), count, options, drawn)]

        def one(action, number):
            scene = scenes.get()
            faults, *ways = trial(library, scene, action, number)
            scenes.put(scene)
            return [f"call {number}, {action}: {fault.replace(scene.folder, 'DIR')}" for fault in faults], *ways

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for faults, *ways in pool.map(lambda pair: one(*pair), trials):
                findings.add(faults, *ways)
    findings.report(f"{what}, {example}: {calls} calls, {len(trials)} runs, {len(findings.faults)} faults")
    return findings


def damage_states(_, gate, sample, options):
    """Tries one gate."""
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-faults-") as folder:
        library, drawn = build_shim(folder), random.Random(options.seed)
        kind = GatedMigrateScene if gate in ("migrate", "in-place") else GatedScene
        scene = kind(os.path.join(folder, "scene"), gate, (options.rows or 600) // 2, options, BATCH)
        count = calls_of(library, scene, scene.name, status=scene.status)
        calls = [*sampled(range(1, count + 1), sample, options, drawn)]
        # Behind the last one it is done.
        calls += [] if options.call else [count + 1]
        for number, damage, way, fault in trials(scene, calls, drawn, lambda number: environment(
                library, scene, FAULTS_AT=str(number), FAULTS_ACTION="kill")):
            findings.add([f"call {number}, {damage}: {fault.replace(scene.folder, 'DIR')}"] if fault else [], f"{damage}: {way}")
    findings.report(f"gates, {gate}: {count} calls, {findings.tried} runs, {len(findings.faults)} faults")
    return findings


def prove(found, count, options):
    """Tries everything, or that many calls with each action."""
    for what, name in parts(options, *SCENES, "gates"):
        for each in [name] if name else GATES if what == "gates" else EXAMPLES:
            findings = (damage_states if what == "gates" else fail_calls)(what, each, count, options)
            found.add(findings.tried, len(findings.faults))
