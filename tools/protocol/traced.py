"""Commands that are killed behind their durable steps, and the traces that they leave; for tools/prove protocol."""
import collections, os, re, shutil, signal, subprocess, time

import measuring
from smallfleets import TO
from proving import Failure, bytes_of, call, children_of

KILLS = 3
# What the models have once for any number of times, or not at all.
UNTRACED = {"commit-synced", "copied", "tidied", "subfolder-made", "copy-synced", "external", "route-begun", "leg"}
# What is in a trace besides steps.
SAID = ["KILLED", "WORKER-KILLED", "TAKEN", "EMPTIED", "CLEARED", "MIGRATE", "ROLLBACK"]
# A migration that keeps nothing before its end, and one with checkpoints.
ROWS = collections.defaultdict(lambda: 20, long=26_000)

# The steps that a verifier looks for: the runs of each process, and the transactions that are left.
Behaviour = collections.namedtuple("Behaviour", "verifier steps runs transactions", defaults=(0,))


def kills_of(steps):
    return sum(step.endswith("KILLED") for step in steps)


def transactions_of(attempt):
    """The steps of an attempt, those of each transaction as a group with its number."""
    groups, group = [], []
    for place, (name, number) in enumerate(attempt):
        if name == "segments-saved" and group:
            groups.append((None, group))
            group = []
        group.append(name)
        if name == "committed":
            groups.append((next(number for what, number in reversed(attempt[:place]) if what == "commit"), group))
            group = []
    # A transaction that a kill interrupted has no number.
    if group:
        groups.append((None, group))
    return groups


def model_trace(attempts, ends):
    """The trace for the model: its steps, and the number of transactions that are left."""
    grouped = [transactions_of(attempt) for attempt in attempts]
    kept = set()
    for groups in grouped:
        numbers = [number for number, _ in groups if number is not None]
        kept |= set(numbers[:1] + numbers[-1:])
        # The one in which the attempt was killed comes next.
        if numbers and groups[-1][0] is None and "segments-saved" in groups[-1][1]:
            kept.add(numbers[-1] + 1)
        elif groups and groups[-1][0] is None and groups[-1][1][0] == "segments-saved":
            kept.add(1)
    trace = []
    for groups, status in zip(grouped, ends):
        for number, names in groups:
            if number is None or number in kept:
                trace += names
        if status < 0:
            trace.append("KILLED")
    return trace, len(kept)


class TracedScene:
    """A folder with a store, in which the program is run."""

    def __init__(self, folder, name, options):
        self.folder, self.tool = folder, options.program
        self.trace = self.path("trace")
        os.mkdir(folder)
        self.call("fixture", "-q", "--model", measuring.notes(), "--rows", f"Note={ROWS[name]},Folder=2,Tag=2", "--output", "s.sqlite")
        self.prepare()
        self.clear()

    def path(self, name):
        return os.path.join(self.folder, name)

    def environment(self, **more):
        return {**os.environ, "BULKMIGRATE_BATCH_ROWS": "30000", "BULKMIGRATE_TRACE": self.trace,
                "BULKMIGRATE_LOCK_WAIT": "0s", **more}

    def call(self, *words, at="none"):
        """Runs the program, and waits for its workers too; `at` is where it is killed."""
        return call([self.tool, *words], cwd=self.folder, env=self.environment(BULKMIGRATE_FAILPOINT=at))

    def counted(self, *words):
        """The number of places of a command where it can be killed."""
        return int(re.search(r"steps: (\d+)", self.call(*words, at="count").errors)[1])

    def steps(self):
        """The steps since the last call: of each its process, name and number."""
        if not os.path.exists(self.trace):
            return []
        with open(self.trace) as file:
            found = [(process, name, int(number)) for process, name, number in map(str.split, file)]
        # Processes may have it open.
        os.truncate(self.trace, 0)
        return [step for step in found if step[1] not in UNTRACED]

    def bytes(self, name):
        return bytes_of(self.path(name))

    def remove(self, *names):
        for name in names:
            path = self.path(name)
            shutil.rmtree(path) if os.path.isdir(path) else os.path.lexists(path) and os.remove(path)


class RunScene(TracedScene):
    """A store that run migrates."""

    words = ("run", "-q", "--resume-if-started")

    def prepare(self):
        self.call("plan", "-q", "--source", "s.sqlite", "--destination", "o.sqlite", *TO)
        self.count = self.counted(*self.words)
        self.made = self.bytes("o.sqlite")

    def clear(self):
        self.remove("o.sqlite", "o.sqlite.bulkmigrate", "trace")

    def traced(self, drawn):
        """Attempts of which all but the last are killed, as behaviours."""
        ends, attempts = [], []
        for at in [f"step:{drawn.randint(1, self.count)}" for _ in range(drawn.randint(0, KILLS))] + ["none"]:
            ends.append(self.call(*self.words, at=at).status)
            attempts.append([step[1:] for step in self.steps()])
            if ends[-1] >= 0:
                break
        if ends[-1] != 0 or self.bytes("o.sqlite") != self.made:
            raise Failure(f"after {ends} the destination is not that of an undisturbed run")
        self.clear()
        trace, transactions = model_trace(attempts, ends)
        return [Behaviour("run", trace, (len(ends), 0), transactions)]


class SwapScene(TracedScene):
    """A store that is migrated in its place, and rolled back."""

    WORDS = {"MIGRATE": ("migrate", "-q", "a.sqlite", *TO), "ROLLBACK": ("rollback", "-q", "a.sqlite")}
    # Nothing to roll back; a store that was undone is there already.
    CODES = {0, 66, 73}

    def prepare(self):
        self.clear()
        self.count = {word: self.counted(*self.WORDS[word]) for word in self.WORDS}
        self.stores = {self.bytes("s.sqlite"), self.bytes("a~undone.sqlite")}

    def clear(self):
        self.remove("a.sqlite", "a~.sqlite", "a~undone.sqlite", "a.sqlite.bulkmigrate", "trace")
        shutil.copy(self.path("s.sqlite"), self.path("a.sqlite"))

    def traced(self, drawn):
        """Commands of which all but the last are killed, if they come so far, as behaviours."""
        outer, maker = [], NewStore()
        kills = drawn.randint(0, KILLS)
        for left in range(kills, -1, -1):
            word = drawn.choice(["MIGRATE", "MIGRATE", "ROLLBACK"])
            at = f"step:{drawn.randint(1, self.count[word])}" if left else "none"
            done = self.call(*self.WORDS[word], at=at)
            names = [step[1] for step in self.steps()]
            is_killed = done.status < 0
            if not is_killed and done.status not in self.CODES or self.bytes("a.sqlite") not in self.stores:
                raise Failure(f"{word} ended with {done.status}: {done.errors}")
            outer += [word] + maker.taken_from(word, names, is_killed) + ["KILLED"] * is_killed
        self.clear()
        behaviours = [Behaviour("swap", outer, (kills + 1, 0))]
        return behaviours + [Behaviour("run", maker.steps, (maker.runs, 0))] * (maker.runs > 0)


class NewStore:
    """The steps by which migrate makes the new store, and what becomes of their state directory."""

    def __init__(self):
        # How often the folder must be synced until the state directory is gone.
        self.steps, self.runs, self.left = [], 0, 0

    def taken_from(self, word, names, is_killed):
        """Takes the steps of a command; returns those that are left."""
        if word == "ROLLBACK":
            return names
        if "plan-kept" in names:
            first = names.index("plan-kept") + 1
            last = names.index("new-store") if "new-store" in names else len(names)
            self.steps += names[first:last] + ["KILLED"] * (is_killed and last == len(names))
            self.runs, self.left = self.runs + 1, 1
            names, swap = names[:first] + names[last:], names[last:]
            if "moved" in swap:
                self.steps.append("TAKEN")
            is_tidying = "swapped" in swap
        else:
            is_tidying = "path-synced" in names
        if self.left and is_tidying:
            tidied = names[::-1].index("path-synced")
            self.tidy(names[len(names) - tidied:].count("folder-synced"))
        return names

    def tidy(self, syncs):
        if syncs > self.left:
            self.left = 0
            self.steps.append("CLEARED")
        elif syncs == 1 and self.left == 1:
            # The next one finds a mark alone, and syncs that first.
            self.left = 2
            self.steps.append("EMPTIED")


class FleetScene(TracedScene):
    """A store that fleets migrate."""

    WORDS = ("fleet", "run", "-q", "--retries", "1")
    COORDINATED = ["fleet", "job-noted", "result-noted", "end-noted"]

    def prepare(self):
        measuring.write(self.path("stores.jsonl"), '{"id":"s","source":"s.sqlite","destination":"o.sqlite"}\n')
        self.call("fleet", "plan", "-q", "--manifest", "stores.jsonl", *TO)
        self.steps()
        self.call(*self.WORDS)
        self.count = len([step for step in self.steps() if step[1] not in self.COORDINATED])
        self.made = self.bytes("o.sqlite")

    def clear(self):
        logs = [name + more for name in ("bulkmigrate.results.jsonl", "other.jsonl") for more in ("", ".starts")]
        self.remove("o.sqlite", "o.sqlite.bulkmigrate", "trace", *logs)

    def traced(self, drawn):
        """Fleets of which all but the last are disturbed, as behaviours."""
        fleet, attempts, runs, starts = [], [], [0, 0], [0, 0]
        for left in range(drawn.randint(0, KILLS), -1, -1):
            way = drawn.choice(["worker", "coordinator", "pair"]) if left else None
            at = f"step:{drawn.randint(1, self.count)}"
            if way == "pair":
                parts = self.beside(at)
            else:
                at = {"worker": at, "coordinator": drawn.choice(self.COORDINATED) + ":0", None: "none"}[way]
                done = self.call(*self.WORDS, at=at)
                parts = [(0, self.steps())]
            for who, steps in parts:
                names = [name for _, name, _ in steps]
                runs[who] += "fleet" in names
                starts[who] += names.count("job-noted")
                for place, name in enumerate(names):
                    # A worker that was killed has not answered.
                    if way == "worker" and name == "result-noted" and "end-noted" not in names[place + 1:place + 2]:
                        fleet.append("WORKER-KILLED")
                        attempts.append("KILLED")
                    if name in self.COORDINATED or name in ("published", "receipt"):
                        fleet.append(name)
                    if name not in self.COORDINATED:
                        attempts.append(name)
            if way == "coordinator":
                fleet += ["KILLED"] * (done.status < 0)
        if done.status != 0 or self.bytes("o.sqlite") != self.made:
            raise Failure(f"the fleet ended with {done.status}: {done.errors}")
        self.clear()
        return [Behaviour("fleet", fleet, runs), Behaviour("pair" if runs[1] else "run", attempts, starts)]

    def beside(self, at):
        """Runs a fleet, and a second one while the worker of the first stands still. Gives the steps of each in turn."""
        first = subprocess.Popen([self.tool, *self.WORDS], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env=self.environment(BULKMIGRATE_FAILPOINT="none", BULKMIGRATE_STANDSTILL=at))
        worker = None
        while first.poll() is None and not worker:
            time.sleep(0.01)
            worker = next((child for child in children_of(first.pid) if is_standing(child)), None)
        parts = [(0, self.steps())]
        if worker:
            self.call(*self.WORDS, "--results", "other.jsonl")
            parts.append((1, self.steps()))
            os.kill(worker, signal.SIGCONT)
            first.wait()
            parts.append((0, self.steps()))
        return parts


def is_standing(process):
    """Whether a process is stopped; one that has just ended is not."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "T"
    except (FileNotFoundError, ProcessLookupError):
        return False


KINDS = {"run": [(RunScene, "small"), (RunScene, "long")], "swap": [(SwapScene, "swap")], "fleet": [(FleetScene, "fleet")]}
