"""Runs, fleets and runs that leave objects out are killed at random moments and resumed, by tools/prove kills.

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
import hashlib, json, os, random, re, shutil, signal, sqlite3, subprocess, tempfile, time
from collections import Counter
from proving import Failure, ROOT, Scene, change, digest_of

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
            status, errors = self.stopped(words)
            if status == self.scene.ends_with:
                self.too_late += 1
                return self.check(self.scene.fault(words))
            words = self.advice(words, errors, status)
            if words is None:
                return
        self.check(self.scene.go_on()[1])

    def check(self, fault):
        if fault:
            self.faults.append(fault)

    def advice(self, words, errors, status):
        """The command that comes next; None after a fault."""
        if status < 0 or status in STOP_CODES.values():
            return ["resume"]
        found = re.search(r"bulkmigrate (run --restart|run|resume)", errors)
        if found and found.group(1).split() != words:
            self.restarts += 1
            return found.group(1).split()
        if self.scene.digest() == self.scene.reference:
            # Killed between the last step and its own end.
            self.scene.clear()
            return ["run"]
        self.faults.append(f"{' '.join(words)} ended with {status}: {errors[-600:]}")
        return None

    def stopped(self, words):
        """Runs a command and stops it at a random moment; returns its exit code and errors."""
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
            return process.returncode, errors.read()

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


def kill_runs(folder, tool, count, options, drawn, *example):
    """Kills runs of two examples, or of one; returns a text, the stops and the faults."""
    names = example or ("notes", "students")
    texts, stops, faults = [], 0, []
    for name in names:
        scene = Scene(os.path.join(folder, name), name, options.rows or (60_000 if count >= 100 else 30_000), tool,
                      memory=options.max_memory)
        interrupted = Interrupted(scene, drawn)
        texts.append(f"{name}: {interrupted.stop(-(-count // len(names)))}")
        stops, faults = stops + interrupted.stops, faults + interrupted.faults
    return "\n".join(texts), stops, faults


class Fleet:
    MODELS = os.path.join(ROOT, "bench", "models", "Notes.xcdatamodeld")
    # What a finished store keeps.
    KEPT = {".bulkmigrate", "finished", "plan.json"}

    def __init__(self, tool, folder, count, broken):
        self.tool, self.folder, self.count, self.broken = tool, folder, count, broken
        self.faults = []
        os.makedirs(folder)
        self.run("fixture", "-q", "--model", os.path.join(self.MODELS, "Notes.xcdatamodel"), "--rows", "Note=40", "-o", "one.sqlite")
        with open(os.path.join(folder, "stores.jsonl"), "w") as file:
            for number in range(count):
                name = f"s{number}.sqlite"
                if number < count - broken:
                    shutil.copy(os.path.join(folder, "one.sqlite"), os.path.join(folder, name))
                else:
                    with open(os.path.join(folder, name), "wb") as store:
                        store.write(b"no store")
                file.write(json.dumps({"id": f"s{number}", "source": name, "destination": f"new/{name}"}) + "\n")
        self.clear()
        self.run("fleet", "plan", "-q", "--manifest", "stores.jsonl", "--models", self.MODELS, "--to", "Notes with attribute")
        self.run("fleet", "run", "-q", ends=(3 if broken else 0,))
        self.reference = self.digest("s0")

    def run(self, *words, ends=(0,)):
        done = subprocess.run([self.tool, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in ends:
            raise Failure(f"{' '.join(words)[:200]} ended with {done.returncode}: {done.stdout[-300:]}{done.stderr[-1000:]}")

    def result_files(self):
        return [os.path.join(self.folder, name) for name in os.listdir(self.folder)
                if name.endswith(".jsonl") and name.startswith(("results", "bulkmigrate.results"))]

    def clear(self):
        shutil.rmtree(os.path.join(self.folder, "new"), ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "new"))
        for path in self.result_files():
            os.remove(path)

    def digest(self, store):
        path = os.path.join(self.folder, "new", f"{store}.sqlite")
        return digest_of(path) if os.path.exists(path) else None

    def start(self, *words):
        return subprocess.Popen([self.tool, "fleet", "run", "-q", *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def check(self, what):
        good = [f"s{number}" for number in range(self.count - self.broken)]
        for store in good:
            state = os.path.join(self.folder, "new", f"{store}.sqlite.bulkmigrate")
            left = set(os.listdir(state)) if os.path.isdir(state) else set()
            if self.digest(store) != self.reference:
                self.faults.append(f"{what}: {store} differs")
            if left != self.KEPT:
                self.faults.append(f"{what}: {store} left {left ^ self.KEPT}")
        names = set(os.listdir(os.path.join(self.folder, "new")))
        expected = {f"{store}.sqlite" for store in good} | {f"{store}.sqlite.bulkmigrate" for store in good}
        if names != expected:
            self.faults.append(f"{what}: left {names ^ expected}")
        results = []
        for path in self.result_files():
            with open(path) as file:
                results += [json.loads(line) for line in file]
        done = Counter(result["id"] for result in results if result["outcome"] == "done")
        if any(count > 1 for count in done.values()):
            self.faults.append(f"{what}: done twice: {sorted(store for store in done if done[store] > 1)}")
        wrong = [result for result in results if result["exitCode"] not in (0, 6, 8, 65)]
        if wrong:
            self.faults.append(f"{what}: {wrong[0]}")


def workers(number):
    """The workers of a coordinator."""
    try:
        with open(f"/proc/{number}/task/{number}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def kill_one_fleet(fleet, drawn, limit):
    """One fleet, killed a few times and run again; returns the kills of workers and of coordinators."""
    fleet.clear()
    left, killed = drawn.randint(1, 12), Counter()
    while left and killed.total() < limit:
        process = fleet.start("--workers", "2")
        while left and killed.total() < limit and process.poll() is None:
            time.sleep(drawn.uniform(0.01, 0.25))
            found = workers(process.pid)
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


def kill_fleets(folder, tool, count, options, drawn):
    """Kills fleets; returns a text, the kills and the faults."""
    many, killed, fleets = Fleet(tool, os.path.join(folder, "many"), 60, 3), Counter(), 0
    while killed.total() < count and not many.faults:
        killed += kill_one_fleet(many, drawn, count - killed.total())
        fleets += 1
        many.check(f"fleet {fleets}")
    few, rounds = Fleet(tool, os.path.join(folder, "few"), 3, 0), max(2, count // 4)
    for number in range(rounds):
        few.clear()
        together = [few.start("--results", f"results-{each}.jsonl", "--workers", "2") for each in range(3)]
        codes = [process.wait() for process in together]
        if codes != [0, 0, 0]:
            few.faults.append(f"round {number}: {codes}")
        few.check(f"round {number}")
    text = (f"fleet: {killed['workers']} kills of workers and {killed['coordinators']} of coordinators over {fleets} fleets of 60 "
            f"stores; {rounds} rounds of three coordinators at once")
    return text, killed.total(), many.faults + few.faults


MODEL = """
  <entity name="Note" representedClassName="Note" syncable="YES">
    %s
    <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder"
      inverseName="notes" inverseEntity="Folder"/>
    %s
  </entity>
  <entity name="Folder" representedClassName="Folder" syncable="YES">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note"
      inverseName="folder" inverseEntity="Note"/>
  </entity>
"""
ATTRIBUTE = '<attribute name="%s" optional="%s" attributeType="%s"%s/>'
STARS = ' defaultValueString="0" usesScalarValueType="YES"'
SOURCE = [("code", "YES", "String", ""), ("stars", "YES", "Integer 64", STARS), ("tags", "YES", "String", ""),
          ("text", "YES", "String", ""), ("title", "YES", "String", "")]
DESTINATION = [("area", "YES", "String", ""), ("code", "YES", "String", ""),
               ("stars", "YES", "Integer 64", STARS + ' maxValueString="5"'), ("tag", "YES", "String", ""),
               ("text", "YES", "String", ' maxValueString="200"'), ("title", "NO", "String", "")]
CONSTRAINT = ('<uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>'
              "</uniquenessConstraints>")
CALL = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"%s\", $source.%s)"
MAPPING = {
    "bulkmigrate": "mapping/1", "source": {"model": "A.xcdatamodel"}, "destination": {"model": "B.xcdatamodel"}, "infer": "none",
    "entityMappings": [
        {"source": "Folder", "destination": "Folder", "attributes": {"name": "$source.name"},
         "relationships": {"notes": CALL % ("NoteToNote", "notes")}},
        {"source": "Note", "destination": "Note",
         "attributes": {"title": "$source.title", "text": "$source.text", "stars": "$source.stars", "code": "$source.code",
                        "area": "FUNCTION($source.code, \"substringToIndex:\", 3)",
                        "tag": "FUNCTION(FUNCTION($source.tags, \"componentsSeparatedByString:\", \",\"), "
                               "\"objectAtIndex:\", 1)"},
         "relationships": {"folder": CALL % ("FolderToFolder", "folder")}},
    ],
}
# What is bad in every hundredth note, in turn, as an assignment of SQL.
BAD = ["ZTITLE = NULL", "ZTEXT = printf('%.*c', 201, 'x')", "ZSTARS = 6", "ZCODE = 'x' || (Z_PK % 10)", "ZTAGS = 'one'"]


class RejectsScene(Scene):
    """A migration that leaves out notes that break a rule, and is known by the reject files too."""

    def __init__(self, folder, rows, tool, memory):
        self.prepare(folder, tool, None, memory)
        self.rows, self.ends_with = rows, 3
        self.write_models(**{name: MODEL % ("\n    ".join(ATTRIBUTE % each for each in attributes), more)
                             for name, attributes, more in [("A", SOURCE, ""), ("B", DESTINATION, CONSTRAINT)]})
        with open(os.path.join(self.sources, "all.json"), "w") as file:
            json.dump(MAPPING, file, indent=1)
        source, corrected = self.make_source(f"Note={rows},Folder=100"), os.path.join(self.sources, "corrected.sqlite")
        change(source, "UPDATE ZNOTE SET ZTITLE = 'note ' || Z_PK, ZTEXT = 'text', ZSTARS = Z_PK % 6, "
               "ZCODE = printf('c%08d', Z_PK), ZTAGS = 'a,b' || (Z_PK % 7), ZFOLDER = 1 + Z_PK % 100")
        shutil.copy(source, corrected)
        # The last one: a note and the next one with the same code.
        change(source, *(f"UPDATE ZNOTE SET {assignment} WHERE Z_PK % 100 = 50 AND (Z_PK / 100) % {len(BAD)} = {number}"
                         for number, assignment in enumerate(BAD)),
               "UPDATE ZNOTE SET ZCODE = printf('c%08d', Z_PK - 1) WHERE Z_PK % 2000 = 11")
        self.clean = os.path.join(folder, "clean.sqlite")
        self.tool_run("plan", "-q", "--mapping", "in/all.json", "--source", corrected, "--destination", self.clean,
                      "--output", "clean.json")
        start = time.monotonic()
        self.tool_run("run", "-q", "--plan", "clean.json", "--on-error", "quarantine", "--max-memory", memory)
        self.clean_seconds = time.monotonic() - start
        self.plan_migration("--mapping", "in/all.json")
        self.source_digest = self.digest_of_sources()
        self.must("run")
        self.reference, self.stays = self.digest(), self.leftovers()

    def command(self, *words):
        return super().command(*words, *(["--on-error", "quarantine"] if words[0] == "run" else []))

    def must(self, *words, status=None):
        result = self.run(*words)
        if result.status != (self.ends_with if status is None else status):
            raise Failure(str(result))
        return result

    def digest(self):
        """The digest of the destination and of what was left out, in whichever order."""
        found = super().digest()
        return found and f"{found} {hashlib.sha256(''.join(sorted(self.rejected())).encode()).hexdigest()}"

    def rejected(self):
        """The lines of the reject files."""
        folder, lines = os.path.join(self.state, "rejects"), []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.endswith(".jsonl"):
                with open(os.path.join(folder, name)) as file:
                    lines += file
        return lines

    def expected(self):
        """The keys of the bad notes."""
        return set(range(50, self.rows + 1, 100)) | set(range(11, self.rows + 1, 2000))

    def correct(self):
        """Corrects the values in the reject file as they are in the corrected source."""
        path = os.path.join(self.state, "rejects", "Note.jsonl")
        objects = [json.loads(line) for line in self.rejected()]
        for each in objects:
            key = each["key"]
            each["values"].update({"title": f"note {key}", "text": "text", "stars": key % 6, "code": f"c{key:08d}",
                                   "tags": f"a,b{key % 7}"})
        with open(path, "w") as file:
            file.writelines(json.dumps(each) + "\n" for each in objects)


def rows(path):
    """All rows of all tables of a store, with their keys, but its metadata."""
    connection = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    tables = [row[0] for row in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
        "AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE') ORDER BY name")]
    for table in tables:
        columns = sorted(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
        order = "rowid" if table != "Z_PRIMARYKEY" else "Z_ENT"
        for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):
            yield table, row
    connection.close()


def difference(one, other):
    left, right = rows(one), rows(other)
    for first, second in zip(left, right):
        if first != second:
            return f"{first} is {second}"
    if next(left, None) or next(right, None):
        return "one store has more rows"
    diff = os.path.join(ROOT, "../shared/tools/store-diff")
    if os.path.exists(diff):
        done = subprocess.run([diff, one, other], capture_output=True, text=True)
        return f"store-diff: {done.stdout[-2000:]}" if done.returncode else None
    return None


def counted(items, noun):
    counts = Counter()
    for item, count in items:
        counts[f"{item['property']}: {item[noun]}"] += count
    return counts


def kill_rejects(folder, tool, count, options, drawn):
    """Kills runs that leave objects out, and replays them; returns a text, the stops and the faults."""
    count = max(2, count // 8)
    scene = RejectsScene(os.path.join(folder, "rejects"), options.rows or (1_000_000 if count >= 40 else 30_000), tool,
                         options.max_memory)
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


def prove(tool, count, options):
    """Kills each subject so often; returns the kills and the faults."""
    kills, faults = 0, []
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-kills-") as folder:
        for part in options.of or SUBJECTS:
            name, *example = part.split(":")
            drawn = random.Random(f"{options.seed} {part}")
            text, stops, found = SUBJECTS[name](folder, tool, count, options, drawn, *example)
            print(text, flush=True)
            kills, faults = kills + stops, faults + found
    return kills, faults
