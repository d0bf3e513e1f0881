"""What the proofs share: a migration in a folder of its own that can be run, spoiled, resumed and compared. Used by the
modules of tools/prove beside this one, and by tools/simulate."""
import hashlib, os, re, shutil, sqlite3, subprocess, sys, uuid

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLANS = os.path.join(ROOT, "Plans")
# A program that is there already takes the place of the one that would be built.
GIVEN_TOOL = os.environ.get("BULKMIGRATE_PROVED")
DEBUG_TOOL = GIVEN_TOOL or os.path.join(ROOT, ".build", "debug", "bulkmigrate")
HANG = 124

FILES_MODEL = ('<entity name="Note"><attribute name="image" optional="YES" attributeType="Binary" '
               'allowsExternalBinaryDataStorage="YES"/><attribute name="title" optional="YES" '
               'attributeType="String"/><attribute name="x" optional="YES" attributeType="Double"/>'
               '<attribute name="y" optional="YES" attributeType="Double"/>%s<fetchIndex name="byPlace">'
               '<fetchIndexElement property="x" type="RTree"/><fetchIndexElement property="y" type="RTree"/>'
               '</fetchIndex></entity>')


# Those of tools/test, so that nothing is built twice.
FLAGS = ["-debug-info-format", "none", "-Xswiftc", "-warnings-as-errors"]


class Failure(Exception):
    """A run that is not disturbed fails, so nothing can be proved."""


class Result:
    """How a command ended: its exit code, negative for a signal, and what it said."""

    def __init__(self, words, status, output, errors):
        self.words, self.status, self.output, self.errors = words, status, output, errors

    def __str__(self):
        return f"{' '.join(self.words)} ended with {self.status}: {self.errors.strip()[-9000:]}"


class Scene:
    """A source, a plan, and the folder `out`, which holds nothing but what the program puts there; `example` is a name or
    a function that makes them."""

    def __init__(self, folder, example, rows, tool, environment=None, memory="64M"):
        self.prepare(folder, tool, environment, memory)
        EXAMPLES.get(example, example)(self, rows)
        self.source_digest = self.digest_of_sources()
        run = self.run("run")
        if run.status != self.ends_with:
            raise Failure(f"the undisturbed run failed: {run}")
        self.reference = self.digest()
        self.clear()

    def prepare(self, folder, tool, environment, memory):
        """Makes the folders."""
        self.folder, self.tool, self.memory = folder, tool, memory
        self.environment = {**os.environ, "TERM": "dumb", **(environment or {})}
        self.out = os.path.join(folder, "out")
        self.destination = os.path.join(self.out, "made.sqlite")
        self.state = self.destination + ".bulkmigrate"
        self.plan = os.path.join(folder, "plan.json")
        self.sources = os.path.join(folder, "in")
        # What is beside the destination when all is done.
        self.stays = []
        # How a migration ends that is done.
        self.ends_with = 0
        os.makedirs(self.sources)
        os.makedirs(self.out)

    def tool_run(self, *words):
        subprocess.run([self.tool, *words], check=True, cwd=self.folder, stdout=subprocess.DEVNULL,
                       env=self.environment)

    def write_models(self, **entities):
        """Writes models into `in`, by their names."""
        for name, text in entities.items():
            os.makedirs(os.path.join(self.sources, f"{name}.xcdatamodel"))
            with open(os.path.join(self.sources, f"{name}.xcdatamodel", "contents"), "w") as file:
                file.write(f'<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel">{text}</model>')

    def make_source(self, rows, *options, model="A.xcdatamodel"):
        """Makes the source of a model that lies in `in`; returns its path."""
        source = os.path.join(self.sources, "source.sqlite")
        self.tool_run("fixture", "-q", "--model", os.path.join("in", model), "--rows", rows, *options, "--output", source)
        return source

    def make(self, model, rows, mapping, *options):
        """Makes the source and plans its migration, by the files that lie in `in`."""
        self.make_source(rows, *options, model=model)
        self.plan_migration("--mapping", os.path.join("in", mapping))

    def plan_migration(self, *words):
        self.tool_run("plan", "-q", "--source", os.path.join(self.sources, "source.sqlite"), "--destination",
                      self.destination, *words, "--output", self.plan)

    def command(self, *words):
        more = ["--max-loss", "all"] if words[0] == "run" and "--max-loss" not in words else []
        return [self.tool, words[0], "--plan", self.plan, "--max-memory", self.memory, *more, *words[1:]]

    def run(self, *words, environment=None, timeout=300):
        """Runs a command of the migration; one that does not end has the exit code HANG."""
        command = self.command(words[0], "-q", *words[1:])
        try:
            done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**self.environment, **(environment or {})}, timeout=timeout)
        except subprocess.TimeoutExpired as error:
            return Result(words, HANG, "", f"did not end within {timeout} s: {error.stderr}")
        return Result(words, done.returncode, done.stdout.decode(errors="replace"),
                      done.stderr.decode(errors="replace"))

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
            if result.status < 0 or result.status == HANG:
                return taken, f"crash or hang: {result}"
            if self.digest() == self.reference and re.search("already exists|migration is done", result.errors):
                return taken, self.fault(taken)
            # Where no checkpoint is left that keeps the limit, it is named again.
            limit = re.search(r"(?:pass|with) --max-loss (\d+)", result.errors)
            if limit and "--max-loss" not in words:
                words = [*words, "--max-loss", limit.group(1)]
                continue
            advice = re.search(r"bulkmigrate (run --restart|run|resume)", result.errors)
            if not advice or advice.group(1) == " ".join(words):
                return taken, f"no way on: {result}"
            words = advice.group(1).split()
        return taken, f"led in a circle by {taken}: {result}"

    def fault(self, taken):
        """What is wrong after a migration that is said to be done; None if nothing is."""
        if self.digest() != self.reference:
            return f"after {taken} the destination has other bytes"
        if self.leftovers() != self.stays:
            return f"after {taken} there is left {self.leftovers()}"
        if self.digest_of_sources() != self.source_digest:
            return f"after {taken} the source has other bytes"
        return None


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


def notes(scene, rows):
    """UnCloudNotes from version 2 to 3: pictures of notes become objects of their own."""
    folder = os.path.join(PLANS, "uncloudnotes")
    shutil.copytree(os.path.join(folder, "UnCloudNotesDataModel.xcdatamodeld"),
                    os.path.join(scene.sources, "UnCloudNotesDataModel.xcdatamodeld"))
    shutil.copy(os.path.join(folder, "v2-to-v3.json"), scene.sources)
    scene.make("UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel v2.xcdatamodel", f"Note={rows}",
               "v2-to-v3.json", "--nil", "Note.image=70%,Note.dateCreated=0", "--bytes", "Note.image=100-400")


def students(scene, rows):
    """Students and courses, many to many, without their classes."""
    folder = os.path.join(PLANS, "students")
    shutil.copytree(os.path.join(folder, "LearnCoreData.xcdatamodeld"),
                    os.path.join(scene.sources, "LearnCoreData.xcdatamodeld"))
    shutil.copy(os.path.join(folder, "v2-to-v3.json"), scene.sources)
    scene.make("LearnCoreData.xcdatamodeld/LearnCoreData 2.xcdatamodel",
               f"Student={rows},Course={max(5, rows // 100)},Clazz={max(5, rows // 50)}", "v2-to-v3.json",
               "--links", "Student.courses=3")


def files(scene, rows):
    """Notes whose pictures lie in files beside the store, with an R-tree, and an attribute more."""
    scene.write_models(A=FILES_MODEL % "", B=FILES_MODEL % '<attribute name="stars" attributeType="Integer 16" '
                                                            'defaultValueString="3"/>')
    lay_values(scene, scene.make_source(f"Note={rows}", "--nil", "Note.image=0", "--bytes", "Note.image=20-40"))
    scene.plan_migration("--source-model", "in/A.xcdatamodel", "--destination-model", "in/B.xcdatamodel")


def lay_values(scene, source):
    """Puts the pictures of four notes into files beside the store."""
    values = os.path.join(scene.sources, ".source_SUPPORT", "_EXTERNAL_DATA")
    os.makedirs(values)
    rows = []
    for key in range(1, 5):
        name = str(uuid.uuid5(uuid.NAMESPACE_OID, str(key))).upper()
        with open(os.path.join(values, name), "wb") as file:
            file.write(bytes([key]) * (3000 * key))
        # A byte 2, the name and a NUL stand for a value in a file (formats/store.md 11.11).
        rows.append(f"UPDATE ZNOTE SET ZIMAGE = x'02{name.encode().hex()}00' WHERE Z_PK = {key}")
    change(source, *rows)


def change(store, *statements):
    """Changes a store by statements of SQL."""
    connection = sqlite3.connect(store)
    for text in ("PRAGMA synchronous = OFF", *statements):
        connection.execute(text)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


EXAMPLES = {"notes": notes, "students": students, "files": files}


def build(tool):
    """Builds the tool, unless it was given."""
    if GIVEN_TOOL:
        return
    subprocess.run(["swift", "build", "--product", "bulkmigrate", *FLAGS], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


def build_shim(folder):
    """Builds what stands between the program and the C library."""
    library = os.path.join(folder, "faults.so")
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise Failure("neither cc nor clang is there to build tools/faults/faults.c")
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
                    os.path.join(ROOT, "tools", "faults", "faults.c"), "-ldl", "-lpthread"], check=True)
    return library
