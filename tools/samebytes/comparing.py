"""Carries a case out with two programs and compares what comes of it."""
import difflib, hashlib, json, os, re, shutil, subprocess

# What of a record differs from run to run; what a plan tells of the time, of the memory that the planner itself held, and of
# sums that may be rounded either way; and what follows from these.
UNSTEADY = {"began", "bytesRead", "bytesWritten", "ended", "estimatedBytes", "fingerprint", "memoryBytes", "now", "peakMemory",
            "peakMemoryBytes", "plan", "processorSeconds", "seconds", "smallestLimitBytes", "wallSeconds"}


class Case:
    """A migration: how to make its files, and the options of `plan`."""

    def __init__(self, name, options, *, store=None, prepare=None):
        """The store is that of `--source`, an existing path or arguments of `fixture`; `prepare` writes further
        files into a folder that it is given, and the folder is the working directory of all commands."""
        self.name, self.options, self.store, self.prepare = name, options, store, prepare


class Comparison:
    """Two programs and a folder to work in."""

    def __init__(self, programs, folder, with_plans):
        self.programs, self.folder, self.with_plans, self.number = programs, folder, with_plans, 0

    def verdict(self, case):
        """A word, and the lines that say what differs."""
        self.number += 1
        place = os.path.join(self.folder, str(self.number))
        os.makedirs(place)
        verdict, remarks = self.compared(case, place)
        if verdict != "differs":
            shutil.rmtree(place)
        return verdict, remarks

    def compared(self, case, place):
        if case.prepare:
            case.prepare(place, self.programs[0])
        store = case.store
        if isinstance(store, list):
            made = command([self.programs[0], "fixture", "-q", *store, "--output", "source.sqlite"], place)
            if made.code:
                return "no store", made.errors.splitlines()[:1]
            store = "source.sqlite"
        source = ["--source", store] if store else []
        # A plan may hold the second in which it was made: both have to be of the same one.
        for _ in range(5):
            old, new = (Outcome(program, [*source, *case.options], os.path.join(place, side), place)
                        for program, side in zip(self.programs, ("old", "new")))
            if old.now == new.now:
                break
        remarks = old.differences(new, self.with_plans)
        if remarks:
            return "differs", remarks
        return ("refused" if old.is_refused else "same"), []


class Outcome:
    """What a program made of a case, which is moved to a folder afterwards."""

    def __init__(self, program, options, kept, place):
        made = os.path.join(place, "made")
        shutil.rmtree(kept, ignore_errors=True)
        os.makedirs(made)
        self.planned = command([program, "plan", "--json", *options, "--destination", "made/made.sqlite",
                                "--output", "plan.json"], place)
        self.run = None
        plan = os.path.join(place, "plan.json")
        self.plan = None
        if os.path.exists(plan):
            self.run = command([program, "run", "--json", "-q", "--max-loss", "all", "--plan", "plan.json"], place)
            with open(plan) as file:
                self.plan = json.load(file)
            shutil.move(plan, os.path.join(made, "plan.json"))
        self.now = [value for name, value in members(self.plan) if name == "now"]
        self.files = digests(made)
        os.rename(made, kept)

    @property
    def is_refused(self):
        return self.planned.code != 0 or self.run is None or self.run.code != 0

    def differences(self, other, with_plans):
        """What differs, a line for each."""
        found = []
        if with_plans:
            for name, mine, its in (("plan file", self.plan, other.plan),
                                    ("plan --json", self.planned.report, other.planned.report)):
                found += changed_lines(name, text(mine, UNSTEADY), text(its, UNSTEADY))
        for name, mine, its in (("plan", self.planned, other.planned), ("run", self.run, other.run)):
            if (mine is None) != (its is None):
                found.append(f"{name}: only one program got so far")
            elif mine is not None:
                if mine.code != its.code:
                    found.append(f"{name}: exit code {mine.code}, then {its.code}")
                found += changed_lines(f"{name}, errors", mine.errors, its.errors)
        if self.run and other.run:
            found += changed_lines("run --json", text(self.run.report, UNSTEADY),
                                   text(other.run.report, UNSTEADY))
        for path in sorted(self.files.keys() | other.files.keys()):
            mine, its = self.files.get(path), other.files.get(path)
            if mine != its:
                found.append(f"{path}: {mine and mine[:16]}, then {its and its[:16]}")
        return found


class command:
    """A command that has ended: its code, its errors as text and its output."""

    def __init__(self, arguments, place, environment=None):
        # Both programs go by one name, which their messages and commands show.
        done = subprocess.run(["bulkmigrate", *arguments[1:]], executable=arguments[0], cwd=place, env=environment,
                              capture_output=True, text=True, errors="replace", timeout=600, stdin=subprocess.DEVNULL)
        self.code, self.errors, self.output = done.returncode, nameless(done.stderr), done.stdout
        output = nameless(done.stdout)
        try:
            self.report = json.loads(output)
        except json.JSONDecodeError:
            self.report = output


def nameless(text):
    """A text without the names of attempts, which are drawn."""
    return re.sub(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "ATTEMPT", text)


def digests(folder):
    """The sha256 of every file by its path; of the state of a migration only what a reader looks at."""
    found = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(directory, name), folder)
            if path == "plan.json" or ".bulkmigrate/" in path and name != "violations.jsonl":
                continue
            with open(os.path.join(directory, name), "rb") as file:
                found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def members(value):
    """Every name and value within JSON."""
    if isinstance(value, dict):
        yield from value.items()
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from members(child)


def text(value, without):
    """JSON line by line, without members of some names."""
    def reduced(value):
        if isinstance(value, dict):
            return {name: reduced(child) for name, child in value.items() if name not in without}
        return [reduced(child) for child in value] if isinstance(value, list) else value
    return json.dumps(reduced(value), indent=1, sort_keys=True, ensure_ascii=False)


def changed_lines(name, mine, its):
    """The first lines that differ."""
    if mine == its:
        return []
    lines = [line for line in difflib.unified_diff(mine.splitlines(), its.splitlines(), lineterm="", n=0)
             if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    more = [f"{name}: and {len(lines) - 6} lines more"] if len(lines) > 6 else []
    return [f"{name}: {line}" for line in lines[:6]] + more
