"""The protocol by which attempts at one migration meet; Plans/models/README.md explains it. The parts of this proof:

  models     the small configurations of all models, checked with Spin: every order of the steps of several processes, with
             kills, power cuts, full disks and files of others at every step; two minutes on two cores
  mutations  the models are changed one by one, each by one fault, and each is found
  large      the large configurations; a quarter of an hour on one core. They are left out where fewer cases than usual are tried
  traces     traces of the program are behaviours of the models; one for each hundred cases
  calls      what strace sees of a migration stands in the order that the names of its durable steps claim: behind each the call of
             its name; only what is synced gets a name, and no name stays unsynced
  schedules  schedules of attempts, each of which is a case

Behind a colon the names of configurations and mutations begin, as in models:swap or mutations:LOCK, or it is the kind of
traces (run, swap, fleet) or of schedules (run, gates, swap).

{parts}"""
import os, re, shutil, subprocess, tempfile

import models, schedules, traces
from proving import parts
from traced import SwapScene

CALLS = "fsync,fdatasync,rename,renameat,renameat2,link,linkat,mkdir,mkdirat,write,pwrite64"


class CallOrder:
    """What strace saw of a migration, held to the names of its steps."""

    # The calls that a step comes directly after.
    BEFORE = {"folder-made": "mkdir", "path-synced": "fsync", "data-synced": "fsync", "folder-synced": "fsync",
              "header-written": "pwrite64", "name-given": "link", "second-name": "link", "number-taken": "link",
              "file-replaced": "rename", "moved": "rename"}

    def __init__(self, trace):
        self.trace, self.last = trace, None
        # Files whose bytes are not synced, and folders with names that are not.
        self.files, self.folders = set(), set()
        self.calls, self.steps, self.faults = 0, 0, []

    def take(self, line):
        found = re.match(r"\d+ +(\w+)\((.*)\) += \d", line)
        if not found:
            return
        call, words = re.sub("at2?$", "", found[1]), found[2]
        opened = re.match(r"\d+<([^>]*)>", words)
        names = [os.path.join(folder, name)
                 for folder, name in re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"', words)]
        if opened and opened[1] == self.trace:
            return self.step(re.search(r'"\d+ ([a-z-]+)', words)[1])
        self.calls += 1
        self.last = call
        if "write" in call and opened[1].startswith("/"):
            self.files.add(opened[1])
        elif "sync" in call:
            self.files.discard(opened[1])
            self.folders.discard(opened[1])
        elif call in ("link", "rename"):
            if names[0] in self.files:
                self.faults.append(f"{names[0]} gets the name {names[1]} and is not synced")
            self.folders.add(os.path.dirname(names[1]))

    def step(self, name):
        self.steps += 1
        if self.last != self.BEFORE.get(name, self.last):
            self.faults.append(f"{name} comes after {self.last}")
        if name == "kept" and self.folders & {os.path.dirname(self.trace)}:
            self.faults.append("the old store counts as kept and its second name is not synced")

    def end(self):
        self.faults += [f"names in {path} are not synced" for path in self.folders if os.path.isdir(path)]


def prove_calls(found, count, options, _):
    """Migrates one store under strace."""
    if not shutil.which("strace"):
        return found.skip("there is no strace")
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-traces-") as folder:
        scene, log = SwapScene(os.path.join(folder, "swap"), "swap", options), os.path.join(folder, "strace")
        order = CallOrder(scene.trace)
        subprocess.run(["strace", "-f", "-y", "-z", "-e", f"trace={CALLS}", "-o", log, scene.tool, *scene.WORDS["MIGRATE"]],
                       cwd=scene.folder, check=True, capture_output=True, env=scene.environment(BULKMIGRATE_THREADS="1"))
        with open(log) as file:
            for line in file:
                order.take(line)
        order.end()
    print(f"{order.steps} steps in the order of {order.calls} calls, {len(order.faults)} faults", flush=True)
    found.add(1, order.faults + ["no step was seen"] * (order.steps == 0))


PARTS = {"models": models.prove_models, "mutations": models.prove_mutations, "large": models.prove_large,
         "traces": traces.prove, "calls": prove_calls, "schedules": schedules.prove}
__doc__ = __doc__.format(parts="\n\n".join(module.__doc__ for module in (traces, schedules)))


def prove(found, count, options):
    for part, name in parts(options, *PARTS):
        if part in ("models", "mutations", "large", "traces") and not shutil.which("spin"):
            found.skip(f"{part}: there is no spin (apt-get install spin gcc)")
        elif options.of or part != "large" or count >= 3_000:
            PARTS[part](found, count, options, name)
