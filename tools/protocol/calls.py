"""What strace sees of a migration, held to the names of its durable steps; for tools/prove protocol.

Behind each step stands the call that its name claims, only what is synced gets a name, and no name stays unsynced."""
import os, re, shutil, subprocess, tempfile

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


def prove(found, count, options, _):
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
