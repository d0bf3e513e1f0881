"""Cuts the power at every moment of a migration, as far as bytes on a disk can show it. One migration is
logged, every write with its bytes and every sync (tools/faults/faults.c). From the log states are made
that a power cut may leave: it is cut off anywhere; what was not synced is there in part, each sector by
itself; names that were not synced with their folder are there or not (tools/faults/crashes.py). Each of
the N states (10,000) is laid out in a folder, the program resumes there, or does what its errors advise,
and the destination must have the bytes of an undisturbed run, with nothing left beside it. The example "short" is a store
of a fleet: its receipt and its plan stay; "single" is one by itself, and "quarantined" one that leaves reject files.

It uses a debug build, in which BULKMIGRATE_BATCH_ROWS gives small stores several batches. The same seed
gives the same states. Used by tools/prove power."""
import concurrent.futures, json, os, random, tempfile
from collections import Counter

from crashes import Disk, lay_out, read_log
from proving import EXAMPLES, Failure, ROOT, Scene, build_shim, change, notes

BATCH = {"BULKMIGRATE_BATCH_ROWS": "100"}


def short(scene, rows):
    """A store of a fleet with so few rows that nothing is kept before its end; its receipt and its plan stay."""
    models = os.path.join(ROOT, "bench", "models", "Notes.xcdatamodeld")
    scene.environment.pop("BULKMIGRATE_BATCH_ROWS", None)
    source, manifest = os.path.join(scene.sources, "source.sqlite"), os.path.join(scene.folder, "stores.jsonl")
    scene.tool_run("fixture", "-q", "--model", os.path.join(models, "Notes.xcdatamodel"), "--rows", "Note=60",
                   "--output", source)
    with open(manifest, "w") as file:
        file.write(json.dumps({"id": "short", "source": source, "destination": scene.destination}) + "\n")
    scene.tool_run("fleet", "plan", "-q", "--manifest", manifest, "--models", models, "--to", "Notes with attribute")
    scene.stays = [f"made.sqlite.bulkmigrate{name}" for name in ("", "/.bulkmigrate", "/finished", "/plan.json")]
    scene.command = lambda *words: [scene.tool, "fleet", "run", "-q", "--results", os.path.join(scene.folder, "results")]


def single(scene, rows):
    """Sixty notes by themselves: nothing is kept before the end, and nothing stays."""
    scene.environment.pop("BULKMIGRATE_BATCH_ROWS", None)
    notes(scene, 60)


def quarantined(scene, rows):
    """Sixty notes, some of them without the title that they need: these stay in reject files, and the mark with them."""
    scene.environment.pop("BULKMIGRATE_BATCH_ROWS", None)
    scene.write_models(A=TITLE_MODEL % "", B=TITLE_MODEL % '<attribute name="stars" optional="YES" attributeType="Integer 16"/>')
    change(scene.make_source("Note=60"), "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK % 3 = 0")
    with open(os.path.join(scene.sources, "mapping.json"), "w") as file:
        json.dump({"bulkmigrate": "mapping/1", "source": {"model": "A.xcdatamodel"}, "infer": "none",
                   "destination": {"model": "B.xcdatamodel"}, "entityMappings": [
                       {"source": "Note", "destination": "Note", "attributes": {"title": "$source.title"}}]}, file)
    scene.plan_migration("--mapping", "in/mapping.json")
    usual = scene.command
    scene.command = lambda *words: [*usual(*words), "--on-error", "quarantine"]
    scene.stays, scene.ends_with = None, 3


TITLE_MODEL = '<entity name="Note"><attribute name="title" attributeType="String"/>%s</entity>'
ALL = {**EXAMPLES, "short": short, "single": single, "quarantined": quarantined}


def logged(library, scene, *words):
    """The calls of a run."""
    path = os.path.join(scene.folder, "log")
    result = scene.run(*words, environment={"LD_PRELOAD": library, "FAULTS_UNDER": scene.out,
                                            "FAULTS_LOG": path})
    if result.status != scene.ends_with or scene.digest() != scene.reference:
        raise Failure(f"the run that is logged failed: {result}")
    calls = read_log(path)
    if scene.stays is None:
        scene.stays = scene.leftovers()
    scene.clear()
    return calls


def states(calls, root, count, seed):
    """States as (place of the cut, number at that place, what is left), in the order of the calls, about
    `count` of them; where everything is synced there is but one at a place."""
    places = range(len(calls) + 1)
    per_place = -(-count // len(places))
    chosen = set(random.Random(seed).sample(places, min(count, len(places))))
    disk, seen = Disk(root), set()
    for place in places:
        for number in range(per_place) if place in chosen else ():
            state = disk.left(random.Random(f"{seed} {place} {number}"))
            key = hash(tuple(sorted((path, content) for path, content in state.items()
                                    if content is not None)))
            if key not in seen:
                seen.add(key)
                yield place, number, state
        if place < len(calls):
            disk.do(calls[place])


class Outcome:
    """What came of some states."""

    def __init__(self):
        self.kinds, self.ways, self.faults, self.tried = Counter(), Counter(), [], 0

    def add(self, other):
        self.kinds = other.kinds
        self.ways += other.ways
        self.faults += other.faults
        self.tried += other.tried


def share(tool, example, count, options, library, folder, job):
    """Tries every so-manieth state on a scene of its own; a plan belongs to its folder."""
    scene = Scene(os.path.join(folder, example, str(job)), ALL[example], options.rows or 600, tool, BATCH)
    calls = logged(library, scene, "run")
    scene.environment.update(LD_PRELOAD=library, FAULTS_UNDER=scene.out, FAULTS_HURRY="1")
    outcome = Outcome()
    outcome.kinds = Counter(call.kind for call in calls)
    for index, (place, number, content) in enumerate(states(calls, scene.out, count, options.seed)):
        if index % options.jobs != job:
            continue
        scene.clear()
        lay_out(content, scene.out)
        taken, fault = scene.go_on()
        outcome.tried += 1
        outcome.ways[" → ".join(taken)] += 1
        if fault:
            names = [path + ("/" if data is None else "") for path, data in sorted(content.items())]
            outcome.faults.append(f"before call {place + 1} ({calls[place].kind if place < len(calls) else 'end'}), "
                                  f"state {number}: {fault.replace(scene.folder, 'DIR')}; there were {names}")
    return outcome


def prove_example(tool, example, count, options, library, folder):
    """Prints what came of one example; returns the states and the faults."""
    outcome = Outcome()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for part in [pool.submit(share, tool, example, count, options, library, folder, job) for job in range(options.jobs)]:
            outcome.add(part.result())
    rows = "60 rows" if example in ("short", "single", "quarantined") else f"{options.rows or 600} rows in batches of 100"
    print(f"{example}, {rows}: {sum(outcome.kinds.values())} calls: "
          + ", ".join(f"{number} {kind}" for kind, number in sorted(outcome.kinds.items()))
          + f"; {outcome.tried:,} different states, {len(outcome.faults)} with a wrong outcome", flush=True)
    for way, number in sorted(outcome.ways.items()):
        print(f"  {number:6}  {way}")
    for fault in outcome.faults[:40]:
        print(f"  {fault}")
    return outcome.tried, len(outcome.faults)


def prove(tool, count, options):
    """Tries about so many states of all examples; returns the states and the faults."""
    names = options.of or list(ALL)
    tried, faults = 0, 0
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-power-") as folder:
        library = build_shim(folder)
        for name in names:
            states, found = prove_example(tool, name, -(-count // len(names)), options, library, folder)
            tried, faults = tried + states, faults + found
    return tried, faults
