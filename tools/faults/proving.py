"""What the proofs share: a migration in a folder of its own that can be run, spoiled, resumed and compared."""
import contextlib, hashlib, os, re, shutil, sqlite3, subprocess, uuid
from collections import Counter

import measuring
from measuring import ROOT, attribute

HANG = 124
# What the state directory of a finished store keeps.
KEPT = {".bulkmigrate", "finished", "plan.json"}
EXTERNAL = 'optional="YES" allowsExternalBinaryDataStorage="YES"'


class Failure(Exception):
    """A run that is not disturbed fails, so nothing can be proved."""


class Result:
    """How a command ended: its exit code, negative for a signal, and what it said."""

    def __init__(self, words, status, output="", errors=""):
        self.words, self.status, self.output, self.errors = words, status, output, errors

    def __str__(self):
        return f"{' '.join(self.words)} ended with {self.status}: {self.output[-400:]}{self.errors.strip()[-9000:]}"

    @property
    def broke(self):
        return self.status < 0 or self.status == HANG

    @property
    def advice(self):
        """The words of the command that the errors name as the next one; None where there is none."""
        found = re.search(r"bulkmigrate (run --restart|run|resume|migrate)", self.errors)
        return found and found[1].split()


def call(words, shown=(), timeout=300, ends=None, **options):
    """Runs a command; one that does not end has the exit code HANG. It must end with one of `ends`, if they are given."""
    shown = shown or words[1:]
    try:
        done = subprocess.run(words, capture_output=True, timeout=timeout, text=True, errors="replace", **options)
        result = Result(shown, done.returncode, done.stdout, done.stderr)
    except subprocess.TimeoutExpired as error:
        result = Result(shown, HANG, "", f"did not end within {timeout} s: {error.stderr}")
    if ends is not None and result.status not in ends:
        raise Failure(str(result))
    return result


class Scene:
    """A source, a plan, and the folder `out`, which holds nothing but what the program puts there."""

    # The command, how it ends if it is done, and what is beside the destination then.
    name, words, ends_with, stays = "run", ("run",), 0, ()

    def __init__(self, folder, example, rows, options, environment=None):
        """`example` is a name or a function that makes source and plan; `options` have the program and its memory."""
        self.folder, self.tool, self.memory = folder, options.program, options.max_memory
        self.environment = {**os.environ, "TERM": "dumb", **(environment or {})}
        self.out = os.path.join(folder, "out")
        self.destination = os.path.join(self.out, "made.sqlite")
        self.state = self.destination + ".bulkmigrate"
        self.plan = os.path.join(folder, "plan.json")
        self.sources = os.path.join(folder, "in")
        self.source = os.path.join(self.sources, "source.sqlite")
        os.makedirs(self.sources)
        os.makedirs(self.out)
        self.make_example(example, rows)
        self.source_digest = self.digest_of_sources()
        self.run_undisturbed()

    def make_example(self, example, rows):
        """Makes the source and what its migration needs."""
        EXAMPLES.get(example, example)(self, rows)

    def run_undisturbed(self):
        """Takes what a run makes that nothing disturbs for the reference."""
        self.must("run")
        self.reference = self.digest()
        self.clear()

    def tool_run(self, *words):
        return call([self.tool, *words], ends=[0], cwd=self.folder, env=self.environment)

    def write_models(self, **entities):
        """Writes models into `in`: their entities by their names."""
        for name, model in entities.items():
            measuring.model(self.sources, name, model)

    def make_source(self, rows, *options, model="in/A.xcdatamodel"):
        """Makes the source of a model."""
        self.tool_run("fixture", "-q", "--model", model, "--rows", rows, *options, "--output", self.source)

    def plan_migration(self, *words):
        self.tool_run("plan", "-q", "--source", self.source, "--destination", self.destination, *words, "--output", self.plan)

    def command(self, *words):
        more = ["--max-loss", "all"] if words[0] == "run" and "--max-loss" not in words else []
        return [self.tool, words[0], "--plan", self.plan, "--max-memory", self.memory, *more, *words[1:]]

    def run(self, *words, environment=None):
        """Runs a command of the migration."""
        return call(self.command(words[0], "-q", *words[1:]), words, cwd=self.folder,
                    env={**self.environment, **(environment or {})})

    def must(self, *words, status=None, **more):
        """Runs a command that must end as one that is done."""
        result = self.run(*words, **more)
        if result.status != (self.ends_with if status is None else status):
            raise Failure(str(result))
        return result

    def lay_values(self):
        """Puts the pictures of four notes into files beside the source."""
        values = os.path.join(self.sources, ".source_SUPPORT", "_EXTERNAL_DATA")
        os.makedirs(values)
        rows = []
        for key in range(1, 5):
            name = str(uuid.uuid5(uuid.NAMESPACE_OID, str(key))).upper()
            with open(os.path.join(values, name), "wb") as file:
                file.write(bytes([key]) * (3000 * key))
            # A byte 2, the name and a NUL stand for a value in a file (formats/store.md 11.11).
            rows.append(f"UPDATE ZNOTE SET ZIMAGE = x'02{name.encode().hex()}00' WHERE Z_PK = {key}")
        change(self.source, *rows)

    def lay_source(self):
        """Lays the source with its values into an empty folder, as the store that is migrated in its place."""
        Scene.clear(self)
        shutil.copy(self.source, self.destination)
        values = os.path.join(self.sources, ".source_SUPPORT")
        if os.path.isdir(values):
            shutil.copytree(values, os.path.join(self.out, ".made_SUPPORT"))

    def digest(self):
        """The digest of everything that the destination is made of; None where it has no file."""
        if not os.path.lexists(self.destination):
            return None
        return digest_of(self.destination, os.path.join(self.out, ".made_SUPPORT"))

    def digest_of_sources(self):
        return digest_of(self.sources)

    def leftovers(self):
        """What is in `out` beside the destination."""
        found = []
        for folder, folders, names in os.walk(self.out):
            found += [os.path.relpath(os.path.join(folder, name), self.out) for name in folders + names]
        return sorted(name for name in found if name != "made.sqlite"
                      and not name.startswith(".made_SUPPORT"))

    def clear(self):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)

    def go_on(self):
        """Resumes, and does what the program advises where that is refused, as a user would.

        Gives the commands that it took and what is wrong with the outcome, None if nothing is."""
        taken, words = [], ["resume"]
        for _ in range(4):
            result = self.run(*words)
            taken.append(" ".join(words))
            if result.status == self.ends_with:
                return taken, self.fault(taken)
            if result.broke:
                return taken, f"crash or hang: {result}"
            if self.digest() == self.reference and re.search("already exists|migration is done", result.errors):
                return taken, self.fault(taken)
            # Where no checkpoint is left that keeps the limit, it is named again.
            limit = re.search(r"(?:pass|with) --max-loss (\d+)", result.errors)
            if limit and "--max-loss" not in words:
                words = [*words, "--max-loss", limit.group(1)]
                continue
            if result.advice in (None, words):
                return taken, f"no way on: {result}"
            words = result.advice
        return taken, f"led in a circle by {taken}: {result}"

    def unsound(self, result):
        """What is wrong with the destination behind a run, whether it is done or not."""
        digest = self.digest()
        if digest not in (None, self.reference):
            return [f"{result} – and the destination is there with other bytes"]
        if digest and result.status > 0 and "is made, but" not in result.errors:
            return [f"{result} – although the destination is there and whole"]
        return [] if digest or result.status else [f"{result} – and there is no destination"]

    def fault(self, taken):
        """What is wrong after a migration that is said to be done; None if nothing is."""
        if self.digest() != self.reference:
            return f"after {taken} the destination has other bytes"
        if self.leftovers() != list(self.stays):
            return f"after {taken} there is left {self.leftovers()}"
        if self.digest_of_sources() != self.source_digest:
            return f"after {taken} the source has other bytes"
        return None


class Findings:
    """What was tried: how often each way was taken, and what is wrong."""

    def __init__(self):
        self.tried, self.ways, self.faults = 0, Counter(), []

    def add(self, faults, *ways):
        self.tried += 1
        self.ways.update(enumerate(ways))
        self.faults += faults

    def join(self, other):
        self.tried += other.tried
        self.ways += other.ways
        self.faults += other.faults

    def report(self, title):
        """Prints what happened how often, and of faults that differ only in names and numbers one."""
        print(title, flush=True)
        for (_, way), number in sorted(self.ways.items()):
            print(f"  {number:6}  {way}")
        kinds = {}
        for fault in self.faults:
            kinds.setdefault(nameless(fault.split(": ", 1)[1]), []).append(fault)
        for examples in sorted(kinds.values(), key=len):
            print(f"  {len(examples):6}  such as {examples[0]}")


def nameless(text):
    """A text without what is drawn or counted."""
    return re.sub(r"[0-9A-F]{8}-[-0-9A-F]*|[0-9]+", "#", text)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def digest_of(*paths):
    """The digest of the bytes of files, and of everything in folders with its name; what is missing is left out."""
    digest = hashlib.sha256()

    def add_file(path):
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)

    for root in paths:
        if os.path.isfile(root):
            add_file(root)
        for place, folders, names in os.walk(root):
            folders.sort()
            digest.update(f"folder {os.path.relpath(place, root)}\n".encode())
            for name in sorted(names):
                path = os.path.join(place, name)
                digest.update(f"file {os.path.relpath(path, root)} {os.path.getsize(path)}\n".encode())
                add_file(path)
    return digest.hexdigest()


def example(scene, folder, package, model, rows, *options):
    """An example of Plans from version 2 to 3."""
    folder = os.path.join(ROOT, "Plans", folder)
    shutil.copytree(os.path.join(folder, package), os.path.join(scene.sources, package))
    shutil.copy(os.path.join(folder, "v2-to-v3.json"), scene.sources)
    scene.make_source(rows, *options, model=f"in/{package}/{model}.xcdatamodel")
    scene.plan_migration("--mapping", "in/v2-to-v3.json")


def notes(scene, rows):
    """UnCloudNotes: pictures of notes become objects of their own."""
    example(scene, "uncloudnotes", "UnCloudNotesDataModel.xcdatamodeld", "UnCloudNotesDataModel v2", f"Note={rows}",
            "--nil", "Note.image=70%,Note.dateCreated=0", "--bytes", "Note.image=100-400")


def students(scene, rows):
    """Students and courses, many to many, without their classes."""
    example(scene, "students", "LearnCoreData.xcdatamodeld", "LearnCoreData 2",
            f"Student={rows},Course={max(5, rows // 100)},Clazz={max(5, rows // 50)}", "--links", "Student.courses=3")


def files(scene, rows):
    """Notes whose pictures lie in files beside the store, with an R-tree, and an attribute more."""
    places = "".join(f'<fetchIndexElement property="{name}" type="RTree"/>' for name in ("x", "y"))
    before = [attribute("image", "Binary", EXTERNAL), attribute("title", "String"), attribute("x", "Double"),
              attribute("y", "Double"), f'<fetchIndex name="byPlace">{places}</fetchIndex>']
    scene.write_models(A={"Note": before},
                       B={"Note": [*before, attribute("stars", "Integer 16", 'optional="YES" defaultValueString="3"')]})
    scene.make_source(f"Note={rows}", "--nil", "Note.image=0", "--bytes", "Note.image=20-40")
    scene.lay_values()
    scene.plan_migration("--source-model", "in/A.xcdatamodel", "--destination-model", "in/B.xcdatamodel")


def children_of(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/task/{process}/children") as file:
        return [int(word) for word in file.read().split()]
    return []


def change(store, *statements):
    """Changes a store by statements of SQL."""
    connection = sqlite3.connect(store)
    for text in ("PRAGMA synchronous = OFF", *statements):
        connection.execute(text)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


EXAMPLES = {"notes": notes, "students": students, "files": files}


def build_shim(folder, *definitions):
    """Builds what stands between the program and the C library."""
    library = os.path.join(folder, "faults.so")
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise Failure("neither cc nor clang is there to build tools/faults/faults.c")
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", *definitions, "-shared", "-fPIC", "-o", library,
                    os.path.join(ROOT, "tools", "faults", "faults.c"), "-ldl", "-lpthread"], check=True)
    return library


def parts(options, *names):
    """What --of names, or else all of these: each with what comes after its colon, if anything does."""
    for part in options.of or names:
        name, _, more = part.partition(":")
        if name not in names:
            raise Failure(f"there is no part '{name}' but {', '.join(names)}")
        yield name, more
