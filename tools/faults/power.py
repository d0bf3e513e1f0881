"""Cuts the power at every moment of a migration, as far as bytes on a disk can show it. One migration is
logged, every write with its bytes and every sync (tools/faults/faults.c). From the log states are made
that a power cut may leave: it is cut off anywhere; what was not synced is there in part, each sector by
itself; names that were not synced with their folder are there or not (tools/faults/crashes.py). Each of
the N states (10,000) is laid out in a folder, the program resumes there, or does what its errors advise,
and the destination must have the bytes of an undisturbed run, with nothing left beside it. The example "short" is a store
of a fleet: its receipt and its plan stay; "single" is one by itself, and "quarantined" one that leaves reject files.

It uses a debug build, in which BULKMIGRATE_BATCH_ROWS gives small stores several batches. The same seed
gives the same states."""
import concurrent.futures, json, os, random, tempfile
from collections import Counter

import measuring
from crashes import Disk, lay_out, read_log
from smallfleets import TO
from measuring import attribute
from proving import EXAMPLES, Failure, Findings, KEPT, Scene, build_shim, change, notes, parts

BATCH = {"BULKMIGRATE_BATCH_ROWS": "100"}


def short(scene, rows):
    """A store of a fleet with so few rows that nothing is kept before its end; its receipt and its plan stay."""
    scene.make_source("Note=60", model=measuring.notes())
    manifest = measuring.write(os.path.join(scene.folder, "stores.jsonl"), json.dumps(
        {"id": "short", "source": scene.source, "destination": scene.destination}) + "\n")
    scene.tool_run("fleet", "plan", "-q", "--manifest", manifest, *TO)
    scene.stays = sorted(["made.sqlite.bulkmigrate", *(f"made.sqlite.bulkmigrate/{name}" for name in KEPT)])
    scene.command = lambda *words: [scene.tool, "fleet", "run", "-q", "--results", os.path.join(scene.folder, "results")]


def quarantined(scene, rows):
    """Sixty notes, some of them without the title that they need: these stay in reject files, and the mark with them."""
    title = attribute("title", "String", "")
    scene.write_models(A={"Note": [title]}, B={"Note": [title, attribute("stars", "Integer 16")]})
    scene.make_source("Note=60")
    change(scene.source, "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK % 3 = 0")
    measuring.mapping(scene.sources, "mapping", source={"model": "A.xcdatamodel"}, infer="none",
                      destination={"model": "B.xcdatamodel"}, entityMappings=[
                          {"source": "Note", "destination": "Note", "attributes": {"title": "$source.title"}}])
    scene.plan_migration("--mapping", "in/mapping.json")
    usual = scene.command
    scene.command = lambda *words: [*usual(*words), "--on-error", "quarantine"]
    scene.stays, scene.ends_with = None, 3


# These have a batch for all rows. Of sixty notes by themselves nothing is kept before the end, and nothing stays.
SMALL = {"short": short, "single": lambda scene, _: notes(scene, 60), "quarantined": quarantined}


def logged(library, scene):
    """The calls of a run."""
    path = os.path.join(scene.folder, "log")
    result = scene.must("run", environment={"LD_PRELOAD": library, "FAULTS_UNDER": scene.out, "FAULTS_LOG": path})
    if scene.digest() != scene.reference:
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


def share(example, count, options, library, folder, job):
    """Tries every so-manieth state on a scene of its own; a plan belongs to its folder. Gives the calls of each kind too."""
    scene = Scene(os.path.join(folder, example, str(job)), SMALL.get(example, example), options.rows or 600, options,
                  {} if example in SMALL else BATCH)
    calls = logged(library, scene)
    scene.environment.update(LD_PRELOAD=library, FAULTS_UNDER=scene.out, FAULTS_HURRY="1")
    findings = Findings()
    for index, (place, number, content) in enumerate(states(calls, scene.out, count, options.seed)):
        if index % options.jobs != job:
            continue
        scene.clear()
        lay_out(content, scene.out)
        taken, fault = scene.go_on()
        names = [path + ("/" if data is None else "") for path, data in sorted(content.items())]
        findings.add([f"before call {place + 1} ({calls[place].kind if place < len(calls) else 'end'}), state {number}: "
                      f"{fault.replace(scene.folder, 'DIR')}; there were {names}"] if fault else [], " → ".join(taken))
    return Counter(call.kind for call in calls), findings


def prove(found, count, options):
    """Tries about so many states of all examples."""
    examples = [name for name, _ in parts(options, *EXAMPLES, *SMALL)]
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-power-") as folder:
        library = build_shim(folder)
        for name in examples:
            findings = Findings()
            with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
                for part in [pool.submit(share, name, -(-count // len(examples)), options, library, folder, job)
                             for job in range(options.jobs)]:
                    kinds, more = part.result()
                    findings.join(more)
            rows = "60 rows" if name in SMALL else f"{options.rows or 600} rows in batches of 100"
            findings.report(f"{name}, {rows}: {sum(kinds.values())} calls: "
                            + ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
                            + f"; {findings.tried:,} different states, {len(findings.faults)} with a wrong outcome")
            found.add(findings.tried, len(findings.faults))
