"""Notes of which one in a hundred breaks a rule of the destination, for tools/prove kills."""
import hashlib, itertools, json, os, shutil, sqlite3, subprocess, time
from collections import Counter

from measuring import ROOT, attribute, mapping, to_many, to_one
from proving import Scene, change

STARS = 'optional="YES" defaultValueString="0" usesScalarValueType="YES"'
FOLDER = [attribute("name", "String"), to_many("notes", "Note", "folder")]
TO_FOLDER = to_one("folder", "Folder", "notes")
SOURCE = [attribute("code", "String"), attribute("stars", "Integer 64", STARS),
          *(attribute(name, "String") for name in ("tags", "text", "title")), TO_FOLDER]
DESTINATION = [attribute("area", "String"), attribute("code", "String"),
               attribute("stars", "Integer 64", STARS + ' maxValueString="5"'), attribute("tag", "String"),
               attribute("text", "String", 'optional="YES" maxValueString="200"'), attribute("title", "String", ""), TO_FOLDER,
               '<uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>'
               "</uniquenessConstraints>"]
CALL = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"%s\", $source.%s)"
MAPPINGS = [
    {"source": "Folder", "destination": "Folder", "attributes": {"name": "$source.name"},
     "relationships": {"notes": CALL % ("NoteToNote", "notes")}},
    {"source": "Note", "destination": "Note",
     "attributes": {"title": "$source.title", "text": "$source.text", "stars": "$source.stars", "code": "$source.code",
                    "area": "FUNCTION($source.code, \"substringToIndex:\", 3)",
                    "tag": "FUNCTION(FUNCTION($source.tags, \"componentsSeparatedByString:\", \",\"), \"objectAtIndex:\", 1)"},
     "relationships": {"folder": CALL % ("FolderToFolder", "folder")}}]
# What is bad in every hundredth note, in turn, as an assignment of SQL.
BAD = ["ZTITLE = NULL", "ZTEXT = printf('%.*c', 201, 'x')", "ZSTARS = 6", "ZCODE = 'x' || (Z_PK % 10)", "ZTAGS = 'one'"]


class RejectsScene(Scene):
    """A migration that leaves out notes that break a rule, and is known by the reject files too."""

    ends_with = 3

    def make_example(self, _, rows):
        self.rows = rows
        self.write_models(A={"Note": SOURCE, "Folder": FOLDER}, B={"Note": DESTINATION, "Folder": FOLDER})
        mapping(self.sources, "all", source={"model": "A.xcdatamodel"}, destination={"model": "B.xcdatamodel"}, infer="none",
                entityMappings=MAPPINGS)
        self.make_source(f"Note={rows},Folder=100")
        corrected = os.path.join(self.sources, "corrected.sqlite")
        change(self.source, "UPDATE ZNOTE SET ZTITLE = 'note ' || Z_PK, ZTEXT = 'text', ZSTARS = Z_PK % 6, "
               "ZCODE = printf('c%08d', Z_PK), ZTAGS = 'a,b' || (Z_PK % 7), ZFOLDER = 1 + Z_PK % 100")
        shutil.copy(self.source, corrected)
        # The last one: a note and the next one with the same code.
        change(self.source, *(f"UPDATE ZNOTE SET {assignment} WHERE Z_PK % 100 = 50 AND (Z_PK / 100) % {len(BAD)} = {number}"
                              for number, assignment in enumerate(BAD)),
               "UPDATE ZNOTE SET ZCODE = printf('c%08d', Z_PK - 1) WHERE Z_PK % 2000 = 11")
        self.clean = os.path.join(self.folder, "clean.sqlite")
        self.tool_run("plan", "-q", "--mapping", "in/all.json", "--source", corrected, "--destination", self.clean,
                      "--output", "clean.json")
        start = time.monotonic()
        self.tool_run("run", "-q", "--plan", "clean.json", "--on-error", "quarantine", "--max-memory", self.memory)
        self.clean_seconds = time.monotonic() - start
        self.plan_migration("--mapping", "in/all.json")

    def run_undisturbed(self):
        self.must("run")
        self.reference, self.stays = self.digest(), self.leftovers()

    def command(self, *words):
        return super().command(*words, *(["--on-error", "quarantine"] if words[0] == "run" else []))

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
    for first, second in itertools.zip_longest(rows(one), rows(other)):
        if first != second:
            return f"{first} is {second}"
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
