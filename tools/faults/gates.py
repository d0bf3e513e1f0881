"""A run that leaves objects out, or that is refused for what it would lose, is killed; then a file of what it left is
lost, cut or changed by a bit. Used by tools/faults/run."""
import hashlib, os, random, re, shutil, sys
from proving import HANG, Scene, add_file

MODEL = ('<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel">'
         '<entity name="Note"><attribute name="title" optional="%s" attributeType="String"/>'
         '<relationship name="links" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Link" '
         'inverseName="note" inverseEntity="Link"/></entity>'
         '<entity name="Link"><attribute name="target" optional="YES" attributeType="String"/>'
         '<relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note" '
         'inverseName="links" inverseEntity="Note"/></entity></model>')
MAPPING = '''{ "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
  { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } },
  { "source": "Link", "destination": "Link", "attributes": { "target": "$source.target" }, "relationships": {
    "note": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToNote\\", $source.note)"
  } } ] }'''
# What is asked of the run, and how it ends undisturbed.
GATES = {"rejects": (["--on-error", "quarantine", "--max-loss", "all"], 3),
         "refused": (["--on-error", "quarantine", "--max-loss", "none"], 65)}
DAMAGES = ["none", "lost", "cut", "flip"]


class GatedScene(Scene):
    """A migration that leaves notes without a title out, and with them the links to them."""

    def __init__(self, folder, gate, rows, tool, environment=None, memory="64M"):
        self.gates, self.status = GATES[gate]
        self.prepare(folder, tool, environment, memory)
        for name, optional in [("A", "YES"), ("B", "NO")]:
            model = os.path.join(self.sources, name + ".xcdatamodel")
            os.makedirs(model)
            with open(os.path.join(model, "contents"), "w") as file:
                file.write(MODEL % optional)
        with open(os.path.join(self.sources, "all.json"), "w") as file:
            file.write(MAPPING)
        source = os.path.join(self.sources, "source.sqlite")
        self.tool_run("fixture", "-q", "--model", "in/A.xcdatamodel", "--rows", f"Note={rows},Link={rows}", "--nil",
                      "Note.title=3%", "--output", source)
        self.plan_migration("--source-model", "in/A.xcdatamodel", "--destination-model", "in/B.xcdatamodel",
                            "--mapping", "in/all.json")
        self.source_digest = self.digest_of_sources()
        result = self.run("run")
        if result.status != self.status:
            sys.exit(f"the undisturbed run failed: {result}")
        self.reference = self.outcome()
        self.clear()

    def command(self, *words):
        # What is resumed is told nothing.
        return super().command(*words, *(self.gates if words[0] == "run" else []))

    def outcome(self):
        """The bytes of the destination and of what was left out; None without a destination."""
        if not os.path.lexists(self.destination):
            return None
        digest = hashlib.sha256()
        add_file(digest, self.destination)
        for name in ["Note.jsonl", "summary.json"]:
            path = os.path.join(self.state, "rejects", name)
            if not os.path.exists(path):
                return digest.hexdigest() + " without " + name
            add_file(digest, path)
        return digest.hexdigest()

    def files(self):
        """What an interrupted run left, by its path below `out`."""
        found = [os.path.join(place, name) for place, _, names in os.walk(self.out) for name in names]
        return sorted(os.path.relpath(path, self.out) for path in found if path != self.destination)

    def keep(self, place):
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.out, place, symlinks=True)

    def lay(self, place):
        shutil.rmtree(self.out)
        shutil.copytree(place, self.out, symlinks=True)
        # A store and its unpublished name are one file, which a copy must be again.
        for name in self.files():
            path = os.path.join(self.out, name)
            if os.path.exists(self.destination) and re.search(r"destination-[^/]*\.sqlite$", name):
                os.remove(path)
                os.link(self.destination, path)

    def damage(self, name, kind, drawn):
        path = os.path.join(self.out, name)
        if kind == "lost":
            return os.remove(path)
        with open(path, "rb") as file:
            content = bytearray(file.read())
        if kind == "cut":
            del content[len(content) // 2:]
        elif content:
            content[drawn.randrange(len(content))] ^= 1 << drawn.randrange(8)
        with open(path, "wb") as file:
            file.write(content)

    def judged(self):
        """Resumes, and follows what is advised. Gives the way in words, and what is wrong; None if nothing is."""
        taken, words = [], ["resume"]
        for _ in range(4):
            result = self.run(*words)
            taken.append(f"{' '.join(words)} {result.status}")
            outcome = self.outcome()
            if result.status < 0 or result.status == HANG:
                return taken, f"crash or hang: {result}"
            if result.status in (0, 3) and (result.status, outcome) != (self.status, self.reference):
                return taken, f"another outcome than undisturbed: {result}"
            if self.reference is None and outcome is not None:
                return taken, f"published all the same: {result}"
            if result.status == self.status and outcome == self.reference:
                return taken, None
            if self.digest_of_sources() != self.source_digest:
                return taken, f"the source has other bytes: {result}"
            if re.search("move it away|and is not overwritten", result.errors):
                # The store is there, or the folder is not known as ours any more: it is for the user to say.
                return taken, None
            advice = re.search(r"bulkmigrate (run --restart|run|resume)", result.errors)
            if not advice or advice.group(1) == " ".join(words):
                return taken, f"no way on: {result}"
            words = advice.group(1).split()
        return taken, f"led in a circle by {taken}: {result}"


def trials(scene, calls, drawn, environment):
    """Kills the run before each call, damages each file in each way. Gives the way in words and what is wrong."""
    place = os.path.join(scene.folder, "kept")
    for number in calls:
        scene.clear()
        killed = scene.run("run", environment=environment(number))
        if killed.status != -9:
            continue
        scene.keep(place)
        names = scene.files()
        for kind in DAMAGES:
            for name in names if kind != "none" else [None]:
                scene.lay(place)
                if name:
                    scene.damage(name, kind, drawn)
                taken, fault = scene.judged()
                shown = re.sub(r"[0-9A-F]{8}-[-0-9A-F]*|[0-9]+", "#", os.path.basename(name or "nothing"))
                yield number, kind, shown, " → ".join(taken), fault
