"""Runs, fleets and runs that leave objects out are killed at random moments and resumed.

run      UnCloudNotes from version 2 to 3, and students with their courses. An undisturbed run is measured. Then `run` is killed
         (SIGKILL) after a part of that time that is drawn at random, `resume` likewise, several times in a row now and then,
         and at last `resume` may end. One stop in eight is a SIGTERM or a SIGINT: the program must then end within ten seconds
         with 143 or 130. After each round the destination must have the bytes of the undisturbed run, the source its own, and
         nothing else may be left.
fleet    60 stores, three of them broken, are migrated by two workers, of which one, or the coordinator, is killed again and
         again; whoever dies, the fleet is run again. Then three coordinators at once run one fleet of three stores, each with
         results of its own. Every store has the bytes of an undisturbed run, the broken ones are quarantined, one attempt
         alone says `done` unless an answer was lost with its coordinator, and nothing is left in the state directories but
         marker, plan and receipt.
rejects  Of notes one in a hundred cannot become an object: values that break three rules of the destination's model, two
         expressions that fail, and duplicates against a new constraint. Preflight counts what the run leaves out; each bad
         row is in the reject files once, also after kills; `rejects replay`, after the values in these files were
         corrected, makes the store that a migration of a corrected source makes, row by row, and by store-diff where ../shared
         has it; `verify --level full` finds nothing before the replay and after it."""
import json, os, random, signal, subprocess, tempfile, time
from collections import Counter

from smallfleets import Fleet
from proving import Failure, Result, Scene, children_of, parts
from rejects import RejectsScene, counted, difference

STOP_LIMIT = 10.0
STOP_CODES = {signal.SIGTERM: 143, signal.SIGINT: 130}
# How often in a row one migration is stopped at most before it may end.
ROW_LIMIT = 6
# The exit code of `resume` where there is nothing to resume.
NOTHING_TO_RESUME = 66


class Interrupted:
    """One migration that is stopped and resumed."""

    def __init__(self, scene, drawn):
        self.scene, self.drawn = scene, drawn
        self.stages, self.faults = Counter(), []
        self.kills = self.signals = self.too_late = self.rounds = self.restarts = 0
        self.slowest_stop = 0.0
        start = time.monotonic()
        result = scene.run("run")
        self.duration = time.monotonic() - start
        if result.status != scene.ends_with or scene.fault(["run"]):
            raise Failure(f"the run that is measured failed: {result}, {scene.fault(['run'])}")

    @property
    def stops(self):
        return self.kills + self.signals

    def stop(self, count):
        """Stops migrations so often, or until a fault."""
        while self.stops < count and not self.faults:
            self.round(count - self.stops)
        lines = [f"{self.kills} SIGKILL, {self.signals} SIGTERM or SIGINT in {self.rounds} migrations; {self.too_late} ended before "
                 f"their next stop, {self.restarts} were stopped before their first checkpoint; undisturbed {self.duration:.2f} s, "
                 f"slowest end after a signal {self.slowest_stop:.2f} s"]
        return "\n".join(lines + [f"  {count:5}  {stage}" for stage, count in sorted(self.stages.items())])

    def round(self, limit):
        """One migration: stopped some times, at most `limit`, then resumed to its end."""
        self.scene.clear()
        self.rounds += 1
        words, stops = ["run"], self.drawn.randint(1, ROW_LIMIT)
        for _ in range(min(stops, limit)):
            result = self.stopped(words)
            if result.status == self.scene.ends_with:
                self.too_late += 1
                return self.check(self.scene.fault(words))
            words = self.next_words(result)
            if words is None:
                return
        self.check(self.scene.go_on()[1])

    def check(self, fault):
        if fault:
            self.faults.append(fault)

    def next_words(self, result):
        """The command that comes next; None after a fault."""
        if result.status < 0 or result.status in STOP_CODES.values():
            return ["resume"]
        if result.advice not in (None, result.words):
            self.restarts += 1
            return result.advice
        if self.scene.digest() == self.scene.reference:
            # Killed between the last step and its own end.
            self.scene.clear()
            return ["run"]
        self.faults.append(str(result))
        return None

    def stopped(self, words):
        """Runs a command and stops it at a random moment."""
        how = signal.SIGKILL if self.drawn.random() < 7 / 8 else self.drawn.choice(list(STOP_CODES))
        scene = self.scene
        # Progress goes to a file, so that a killed process leaves it behind.
        with open(os.path.join(scene.folder, "errors"), "w+") as errors:
            process = subprocess.Popen(scene.command(*words), cwd=scene.folder, stdout=subprocess.DEVNULL,
                                       stderr=errors, env=scene.environment)
            start = time.monotonic()
            try:
                process.wait(self.moment(words))
                if words == ["run"]:
                    # The machine has more time than when the run was measured.
                    self.duration = time.monotonic() - start
            except subprocess.TimeoutExpired:
                stage = self.stage()
                process.send_signal(how)
                self.ended(process, how, stage, words)
            errors.seek(0)
            return Result(words, process.returncode, errors=errors.read())

    def moment(self, words):
        """When to stop, in seconds: anywhere, but in one of four times towards the end, where much happens
        quickly. A resumed run has less to do."""
        if self.drawn.random() < 1 / 4:
            return self.duration * self.drawn.uniform(0.8, 1.02)
        return self.duration * self.drawn.uniform(0, 1 if words[0] == "run" else 0.7)

    def ended(self, process, how, stage, words):
        """Waits for the end of a process that was sent a signal, and counts it."""
        start = time.monotonic()
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.faults.append(f"{how.name} at {stage}: it did not end within {STOP_LIMIT:.0f} s")
        if process.returncode == self.scene.ends_with:
            return
        self.stages[stage] += 1
        if how == signal.SIGKILL:
            self.kills += 1
            return
        self.signals += 1
        self.slowest_stop = max(self.slowest_stop, time.monotonic() - start)
        # Before it listens for signals a process just ends. Where there is nothing to resume it may have
        # ended by itself when the signal came.
        if process.returncode not in (STOP_CODES[how], -how, NOTHING_TO_RESUME if words == ["resume"] else -how):
            self.faults.append(f"{how.name} at {stage} of {' '.join(words)}: exit code {process.returncode}")

    def stage(self):
        """How far the migration is, by the files in its folder."""
        if os.path.lexists(self.scene.destination):
            return "published, tidying up"
        try:
            names = os.listdir(self.scene.state)
        except FileNotFoundError:
            return "before the state directory"
        numbers = [int(name.rpartition("-")[2]) for name in names if name.startswith("checkpoint-")]
        if any(name.startswith("draft-") for name in names):
            return "writing a checkpoint"
        if any(name.startswith("external-") for name in names):
            return "copying files of values"
        return f"transaction {max(numbers, default=0) + 1:3}"


def kill_runs(folder, count, options, drawn, example):
    """Kills runs of two examples, or of one; returns a text, the stops and the faults."""
    names = [example] if example else ["notes", "students"]
    texts, stops, faults = [], 0, []
    for name in names:
        scene = Scene(os.path.join(folder, name), name, options.rows or (60_000 if count >= 100 else 30_000), options)
        interrupted = Interrupted(scene, drawn)
        texts.append(f"{name}: {interrupted.stop(-(-count // len(names)))}")
        stops, faults = stops + interrupted.stops, faults + interrupted.faults
    return "\n".join(texts), stops, faults


class KilledFleet(Fleet):
    """A fleet, and what is found to be wrong with it."""

    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        self.reference, self.faults = self.undisturbed(), []

    def start(self, *words):
        return subprocess.Popen([self.tool, "fleet", "run", "-q", "--workers", "2", *words], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def check(self, what):
        digests, results = self.digests(), []
        faults = [f"{store} differs" for store in self.good if digests.get(store) != self.reference[store]]
        names = set(os.listdir(self.new)) ^ {store + end for store in self.good for end in (".sqlite", ".sqlite.bulkmigrate")}
        faults += [f"left {names}"] if names else []
        for path in self.result_files():
            with open(path) as file:
                results += map(json.loads, file)
        faults += self.check_once(result["id"] for result in results if result["outcome"] == "done")
        faults += [str(result) for result in results if result["exitCode"] not in (0, 6, 8, 65)][:1]
        self.faults += [f"{what}: {fault}" for fault in faults]


def kill_one_fleet(fleet, drawn, limit):
    """One fleet, killed a few times and run again; returns the kills of workers and of coordinators."""
    fleet.clear()
    left, killed = drawn.randint(1, 12), Counter()
    while left and killed.total() < limit:
        process = fleet.start()
        while left and killed.total() < limit and process.poll() is None:
            time.sleep(drawn.uniform(0.01, 0.25))
            found = children_of(process.pid)
            takes_all = drawn.random() < 1 / 4
            if process.poll() is not None or not (takes_all or found):
                continue
            try:
                os.kill(process.pid if takes_all else drawn.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            left -= 1
            killed["coordinators" if takes_all else "workers"] += 1
            if takes_all:
                break
        process.wait()
        if process.returncode >= 0:
            break
    fleet.run("fleet", "run", "-q", "--workers", "2", ends=(3,))
    return killed


def kill_fleets(folder, count, options, drawn, _):
    """Kills fleets; returns a text, the kills and the faults."""
    many, killed, fleets = KilledFleet(options.program, os.path.join(folder, "many"), 60, broken=3), Counter(), 0
    while killed.total() < count and not many.faults:
        killed += kill_one_fleet(many, drawn, count - killed.total())
        fleets += 1
        many.check(f"fleet {fleets}")
    few, rounds = KilledFleet(options.program, os.path.join(folder, "few"), 3), max(2, count // 4)
    for number in range(rounds):
        few.clear()
        together = [few.start("--results", f"results-{each}.jsonl") for each in range(3)]
        codes = [process.wait() for process in together]
        if codes != [0, 0, 0]:
            few.faults.append(f"round {number}: {codes}")
        few.check(f"round {number}")
    text = (f"fleet: {killed['workers']} kills of workers and {killed['coordinators']} of coordinators over {fleets} fleets of 60 "
            f"stores; {rounds} rounds of three coordinators at once")
    return text, killed.total(), many.faults + few.faults


def kill_rejects(folder, count, options, drawn, _):
    """Kills runs that leave objects out, and replays them; returns a text, the stops and the faults."""
    count = max(2, count // 8)
    scene = RejectsScene(os.path.join(folder, "rejects"), None, options.rows or (1_000_000 if count >= 40 else 30_000),
                         options)
    found = [json.loads(line) for line in scene.rejected()]
    bad = scene.expected()
    faults = []
    if sorted(each["key"] for each in found) != sorted(bad) or {each["entity"] for each in found} != {"Note"}:
        faults.append(f"rejects: {len({each['key'] for each in found} ^ bad)} keys differ from those that are bad, or come twice")
    scene.must("verify", "--level", "full", status=0)
    # Preflight would find the destination too.
    scene.clear()
    preflight = json.loads(scene.must("preflight", "--json", status=0).output)
    foreseen = counted(((each, each["count"]) for each in preflight["findings"]), "rule")
    seen = counted(((reason, 1) for each in found for reason in each["reasons"]), "rule")
    if foreseen != seen:
        faults.append(f"rejects: preflight says {dict(foreseen)}, the run {dict(seen)}")
    interrupted = Interrupted(scene, drawn)
    told = interrupted.stop(count)
    faults += interrupted.faults
    if not faults:
        scene.correct()
        scene.must("rejects", "replay", status=0)
        if differs := difference(scene.destination, scene.clean):
            faults.append(f"rejects: the replayed store differs from the clean one: {differs}")
        scene.must("verify", "--level", "full", status=0)
    text = (f"rejects: {scene.rows:,} notes, {len(bad):,} bad: {', '.join(f'{number:,} {rule}' for rule, number in sorted(seen.items()))}; "
            f"with them {interrupted.duration / scene.clean_seconds:.2f} of the time without; {told}")
    return text, interrupted.stops, faults


SUBJECTS = {"run": kill_runs, "fleet": kill_fleets, "rejects": kill_rejects}


def prove(found, count, options):
    """Kills each subject so often."""
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-kills-") as folder:
        for name, example in parts(options, *SUBJECTS):
            drawn = random.Random(f"{options.seed} {name}" + (f":{example}" if example else ""))
            text, stops, faults = SUBJECTS[name](folder, count, options, drawn, example)
            print(text, flush=True)
            found.add(stops, faults)
