"""A run that leaves objects out, or that is refused for what it would lose, is killed; then a file of what it left is
lost, cut or changed by a bit. Used by tools/prove faults."""
import hashlib, os, re, shutil, sqlite3

from measuring import attribute, mapping, to_many, to_one
from proving import EXTERNAL, Scene, bytes_of, digest_of, nameless

IMAGE = attribute("image", "Binary", EXTERNAL)
FIND = 'FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "NoteToNote", $source.note)'
LOOSE, TIGHT = ["--on-error", "quarantine", "--max-loss", "all"], ["--on-error", "quarantine", "--max-loss", "none"]
# What is asked of the run, how it ends undisturbed, and what else is asked of the one after it.
GATES = {"rejects": (LOOSE, 3, ["--on-error", "stop"]), "refused": (TIGHT, 65, ["--max-loss", "all"]),
         "legs": (LOOSE, 3, ["--on-error", "stop"]), "values": (LOOSE, 3, ["--max-loss", "none"]), "receipts": (LOOSE, 3, ["--max-loss", "none"]),
         "migrate": (["--max-loss", "all"], 0, ["--max-loss", "none"]),
         "in-place": (["--no-copy", "--max-loss", "all"], 0, ["--no-copy", "--max-loss", "none"])}
DAMAGES = ["none", "lost", "cut", "flip"]


def model(*more, title=""):
    """Notes and the links to them."""
    return {"Note": [attribute("title", "String", title), to_many("links", "Link", "note"), *more],
            "Link": [attribute("target", "String"), to_one("note", "Note", "links")]}


class GatedScene(Scene):
    """A migration that leaves notes without a title out, and with them the links to them."""

    # What may be in the destination's place all the time.
    old = ""

    def make_example(self, gate, rows):
        self.gates, self.status, self.others = GATES[gate]
        image = [IMAGE] * (gate == "values")
        # With a receipt a run that is done is known by it.
        self.words = ["--resume-if-started"] if gate == "receipts" else []
        models = {"A": model(*image, title='optional="YES"'), "B": model(*image)} | ({"C": model(IMAGE)} if gate == "legs" else {})
        self.write_models(**models)
        ends = {end: {"model": f"{name}.xcdatamodel"} for end, name in (("source", "A"), ("destination", "B"))}
        mapping(self.sources, "all", infer="none", **(ends if gate == "legs" else {}), entityMappings=[
            {"source": "Note", "destination": "Note",
             "attributes": {name: f"$source.{name}" for name in ["title"] + ["image"] * len(image)}},
            {"source": "Link", "destination": "Link", "attributes": {"target": "$source.target"}, "relationships": {"note": FIND}}])
        self.make_source(f"Note={rows},Link={rows}", "--nil", "Note.title=3%" + (",Note.image=0" if image else ""))
        if image:
            self.lay_values()
        if gate == "legs":
            self.plan_migration(*(word for name in models for word in ["--models", f"in/{name}.xcdatamodel"]),
                                "--mappings", "in", "--to", "C", "--no-fuse")
        else:
            self.plan_migration("--source-model", "in/A.xcdatamodel", "--destination-model", "in/B.xcdatamodel",
                                "--mapping", "in/all.json")

    def run_undisturbed(self):
        self.must(self.name, status=self.status)
        self.reference = self.outcome()
        if self.reference is None:
            self.run("run", "--restart", *LOOSE)
            self.loose = self.outcome()
        self.clear()

    def command(self, *words):
        # What is resumed is told nothing.
        more = self.words + self.gates if words[0] == "run" and "--max-loss" not in words else []
        return super().command(*words, *[word for word in more if word not in words])

    def ways(self):
        """The commands that are tried after the damage, by the name of the way."""
        return {"resume": ["resume"], "same": ["run", "--resume-if-started"], "other": ["resume", *self.others]}

    def outcome(self):
        """The bytes of the destination, of its values and of what was left out; None without a destination."""
        if not os.path.lexists(self.destination):
            return None
        rejects = [os.path.join(self.state, "rejects", name) for name in ("Note.jsonl", "summary.json")]
        missing = [os.path.basename(path) for path in rejects if not os.path.exists(path)]
        return digest_of(self.destination, os.path.join(self.out, ".made_SUPPORT"), *rejects) + f" without {missing}" * bool(missing)

    def files(self):
        """What an interrupted run left, by its path below `out`."""
        found = [os.path.join(place, name) for place, _, names in os.walk(self.out) for name in names]
        names = sorted(os.path.relpath(path, self.out) for path in found if not self.is_result(path))
        # What was left out is the user's own, too, when nothing is left of that from which it is made.
        is_done = not any("violations-" in name or "destination-" in name for name in names)
        return [name for name in names if not (is_done and "/rejects/" in name)]

    def is_result(self, path):
        """Whether a file is the user's own, which nobody reads again."""
        return path == self.destination or ".made_SUPPORT" in path

    def keep(self, place):
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.out, place, symlinks=True)
        # A store and its unpublished name are one file, which a copy must be again.
        self.linked = [name for name in self.files() if os.path.exists(self.destination)
                       and os.path.samefile(os.path.join(self.out, name), self.destination)]

    def lay(self, place):
        shutil.rmtree(self.out)
        shutil.copytree(place, self.out, symlinks=True)
        for name in self.linked:
            path = os.path.join(self.out, name)
            os.remove(path)
            os.link(self.destination, path)

    def damage(self, name, kind, drawn):
        path = os.path.join(self.out, name)
        if kind == "lost":
            return os.remove(path)
        content = bytearray(bytes_of(path))
        if kind == "cut":
            del content[len(content) // 2:]
        elif content:
            content[drawn.randrange(len(content))] ^= 1 << drawn.randrange(8)
        with open(path, "wb") as file:
            file.write(content)

    def judged(self, way):
        """Goes on, and follows what is advised. Gives the way in words, and what is wrong; None if nothing is."""
        taken, words = [], self.ways()[way]
        # Another limit that allows more publishes what is undisturbed with it.
        loose = way == "other" and self.reference is None
        status, reference = (3, self.loose) if loose else (self.status, self.reference)
        for _ in range(4):
            result = self.run(*words)
            taken.append(f"{' '.join(words)} {result.status}")
            outcome = self.outcome()
            if result.broke:
                return taken, f"crash or hang: {result}"
            if result.status == 4:
                return taken, f"called a fault of the program: {result}"
            if result.status in (0, 3) and (result.status, outcome) not in [(status, reference), (0, self.old)]:
                return taken, f"another outcome than undisturbed: {result}"
            if reference is None and outcome is not None:
                return taken, f"published all the same: {result}"
            if result.status == status and outcome == reference:
                return taken, None
            if self.digest_of_sources() != self.source_digest:
                return taken, f"the source has other bytes: {result}"
            if result.status == 66 and outcome == self.reference or re.search(
                    "move it away|and is not overwritten", result.errors):
                # The store is there, or the folder is not known as ours any more: it is for the user to say.
                return taken, None
            if way == "other" and re.search("--max-loss|--on-error|no destination was made", result.errors):
                # A limit is tightened, and holds.
                return taken, None
            removed = re.search(r"after (\S+) was removed", result.errors)
            if removed:
                shutil.rmtree(os.path.join(self.folder, removed.group(1)))
                continue
            if result.advice in (None, words):
                return taken, f"no way on: {result}"
            words = result.advice
        return taken, f"led in a circle by {taken}: {result}"


class GatedMigrateScene(GatedScene):
    """A store that loses an attribute and is migrated in its place."""

    name = "migrate"

    def make_example(self, gate, rows):
        self.gates, self.status, self.others = GATES[gate]
        self.write_models(A=model(IMAGE, title='optional="YES"'), B=model(title='optional="YES"'))
        self.make_source(f"Note={rows},Link={rows}", "--nil", "Note.image=3%", "--bytes", "Note.image=20-40")
        self.clear()
        self.old = self.outcome()

    clear = Scene.lay_source

    def command(self, *words):
        more = words[1:] if words[1:] and words[-1] in ("none", "all") else [*self.gates, *words[1:]]
        return [self.tool, "migrate", self.destination, "--max-memory", self.memory, "--destination-model",
                os.path.join(self.sources, "B.xcdatamodel"), *more]

    def ways(self):
        return {"resume": ["migrate"], "other": ["migrate", *self.others]}

    def outcome(self):
        """The rows of the store: a file that was changed has other pages than one that was not disturbed."""
        return rows_of(self.destination)

    def is_result(self, path):
        # With --no-copy there is no state but the log of SQLite, which is a part of the store.
        return super().is_result(path) or os.path.basename(path) in ("made~.sqlite", "made.sqlite-wal")


def rows_of(path):
    """A digest of the schema and all rows of a store."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        digest = hashlib.sha256()
        for table, sql in database.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall():
            digest.update(f"{table} {sql}\n".encode())
            if sql and sql.startswith("CREATE TABLE") and table != "Z_METADATA":
                for row in database.execute(f"SELECT * FROM {table} ORDER BY 1"):
                    digest.update(repr(row).encode())
        return digest.hexdigest()
    except sqlite3.DatabaseError as error:
        return f"unreadable: {error}"
    finally:
        database.close()


def trials(scene, calls, drawn, environment):
    """Kills the run before each call, damages each file in each way. Gives the damage, the way in words and what is wrong."""
    place = os.path.join(scene.folder, "kept")
    for number in calls:
        scene.clear()
        killed = scene.run(scene.name, environment=environment(number))
        # What a run leaves that is done is a state like any other.
        if killed.status != -9 and number != calls[-1]:
            continue
        scene.keep(place)
        names = scene.files()
        for kind in DAMAGES:
            for name in names if kind != "none" else [None]:
                for way in scene.ways():
                    scene.lay(place)
                    if name:
                        scene.damage(name, kind, drawn)
                    taken, fault = scene.judged(way)
                    yield number, f"{kind} {nameless(os.path.basename(name or ''))}", " → ".join(taken), fault
