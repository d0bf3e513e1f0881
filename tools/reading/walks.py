"""Two people who have the manual and files of their own, for tools/docs:

  developer  an app's model has a new version. Its store is looked at, and a mapping begun, checked and tried; the
             migration is planned, killed with SIGKILL, resumed, verified and reported, checked for continuous
             integration, and done in place and taken back.
  operator   a folder has stores of two versions, and a file that is not a store. They are planned as a fleet, begun with
             a canary, killed with SIGKILL, and run again; what failed is corrected and retried, one store verified,
             replaced and taken back.

tools/demo --archive is the third way, from the archive."""
import glob, json, os, re, shutil, signal, subprocess, tempfile, time

from examples import BLOCK, CATALOGUE, PATH, PLANS, commands


class Stumble(Exception):
    """A step of the manual that cannot be done."""


class Walk:
    """A person with a folder, who reads commands in the manual and types them with other names."""

    def __init__(self, folder, names):
        self.folder = os.path.realpath(folder)
        self.names = names
        self.environment = {**os.environ, "PATH": PATH, "HOME": self.folder,
                            "TERM": "dumb", "COLUMNS": "110"}

    def read(self, page, words, without=None):
        """The first command of a page that has these words, and not another, as it is typed with the person's names."""
        with open(os.path.join(CATALOGUE, page + ".md"), encoding="utf-8") as file:
            text = file.read()
        shown = [command for block in BLOCK.findall(text) for command, _ in commands(block)]
        shown += [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]
        shown += re.findall(r"(?<!`)`(bulkmigrate [^`\n]+)`(?!`)", text)
        for command in shown:
            command = command.replace("\\\n", " ").split("; echo ")[0]
            found = command.split()
            if words.split()[0] in found[:2] and set(words.split()) <= set(found) and without not in found:
                for pattern, name in self.names:
                    command = re.sub(pattern, name, command)
                return command
        raise Stumble(f"{page}.md no longer has a command with: {words}")

    def start(self, command):
        return subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def look(self, command):
        """What a command says that may fail, without a word about it."""
        return self.start(command).communicate(timeout=300)[0]

    def type(self, command, expected="", code=0):
        """Runs a command, which ends with a code and says something; returns what it says."""
        print(f"  $ {' '.join(command.split())}")
        process = self.start(command)
        output = process.communicate(timeout=300)[0].replace(self.folder + "/", "")
        if process.returncode != code:
            raise Stumble(f"{command}\nended with {process.returncode} in place of {code}:\n{output}")
        if not re.search(expected, output, re.M):
            raise Stumble(f"{command}\ndoes not say {expected}:\n{output}")
        return output

    def step(self, page, words, expected="", code=0, without=None):
        return self.type(self.read(page, words, without), expected, code)

    def kill(self, command, is_time):
        """Starts a command, and kills it with all that it has started once it is time."""
        print(f"  $ {' '.join(command.split())}    # kill -9")
        process, end = self.start(command), time.monotonic() + 120
        while process.poll() is None and not is_time() and time.monotonic() < end:
            time.sleep(0.01)
        if process.poll() is not None:
            raise Stumble(f"{command}\nwas done before it could be killed:\n{process.stdout.read()}")
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def path(self, name):
        return os.path.join(self.folder, name)

    def needs(self, *names):
        for name in names:
            if not os.path.exists(self.path(name)) or not os.path.getsize(self.path(name)):
                raise Stumble(f"{name} is not there, or empty")

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def check(self, condition, what):
        if not condition:
            raise Stumble(what)


def developer(folder):
    """Notes of an app lose their images to a new entity, in the third version of its model."""
    model = "App/UnCloudNotesDataModel.xcdatamodeld"
    old, new = f"{model}/UnCloudNotesDataModel v2.xcdatamodel", f"{model}/UnCloudNotesDataModel v3.xcdatamodel"
    walk = Walk(folder, [(r'"Notes\.xcdatamodeld/Notes v2\.xcdatamodel"', f'"{new}"'),
                         (r"Notes\.xcdatamodeld/Notes\.xcdatamodel\b", f'"{old}"'), (r"Notes\.xcdatamodeld", model),
                         (r"notes\.json", "images.json"), (r"\b(Notes|old)\.sqlite", "Diary.sqlite"),
                         (r"Notes-v2\.sqlite", "Diary-3.sqlite"), (r"--rows \S+", "--rows Note=120000"), (r"--links \S+", ""),
                         (r'--to "[^"]*"', '--to "UnCloudNotesDataModel v3"')])
    shutil.copytree(os.path.join(PLANS, "uncloudnotes/UnCloudNotesDataModel.xcdatamodeld"), walk.path(model))
    walk.step("GettingStarted", "fixture", r"120,000 objects")
    walk.step("GettingStarted", "inspect", r"^  UnCloudNotesDataModel v2$")
    output = walk.step("GettingStarted", "plan --destination-model", r"values of Note\.image")
    # Losing the pictures is not meant, and run refuses it.
    walk.check("type: bulkmigrate run --max-loss" in output, "plan does not say how to allow the losses")
    walk.step("Errors", "run", r"more is lost than --max-loss none allows", 65)
    walk.step("GettingStarted", "mapping init", r"Attachment may be split off Note")
    walk.needs("begun.json", "begun.proposed.json")
    with open(walk.path("begun.proposed.json")) as file:
        mapping = json.load(file)
    mapping["source"]["store"], mapping["destination"]["store"] = "Diary.sqlite", "Diary-3.sqlite"
    for text in ("$source.dateCreated", "TERNARY($source.dateCreated == nil, CAST(0, \"NSDate\"), $source.dateCreated)"):
        next(entity for entity in mapping["entityMappings"]
             if entity["name"] == "NoteToAttachment")["attributes"]["dateCreated"] = text
        with open(walk.path("images.json"), "w") as file:
            json.dump(mapping, file, indent=2)
        # Attachments have a date, and not all notes have one.
        is_right = "TERNARY" in text
        walk.step("GettingStarted", "mapping check", r"nothing found" if is_right else r"attribute dateCreated: it is required, but may get nil")
        walk.step("GettingStarted", "mapping try", r"image .* bytes")
        walk.step("GettingStarted", "plan --mapping", r"nothing of the source is lost")
        walk.step("ContinuousIntegration", "preflight --strict", r"nothing found" if is_right else
                  r"Attachment\.dateCreated +required", 0 if is_right else 65)
    walk.step("GettingStarted", "report", r"report written to bulkmigrate\.report\.html")
    run = walk.read("GettingStarted", "run --max-memory")
    status = walk.read("Interruptions", "status")

    # Rows are kept as soon as there is a checkpoint.
    walk.kill(run, lambda: glob.glob(walk.path("Diary-3.sqlite.bulkmigrate/checkpoint-*")))
    walk.check(not os.path.exists(walk.path("Diary-3.sqlite")), "a run that was killed leaves a destination")
    output = walk.type(status, r"^state +interrupted$")
    walk.check(re.search(r"^next +bulkmigrate resume", output, re.M), "status does not say what comes next")
    walk.step("Interruptions", "resume --report", r"^Diary-3\.sqlite: 155,\d+ rows")
    walk.needs("report.html")
    resumed = walk.bytes_of("Diary-3.sqlite")
    walk.step("GettingStarted", "verify --level full", r"nothing differs")
    # The same undisturbed, as a scheduler does it.
    os.rename(walk.path("Diary-3.sqlite"), walk.path("Resumed.sqlite"))
    walk.step("Interruptions", "run --resume-if-started", r'"rows')
    walk.check(walk.bytes_of("Diary-3.sqlite") == resumed, "the resumed run made other bytes")
    walk.step("ContinuousIntegration", "check", r"1 store: 1 opened, 0 not")
    before = walk.bytes_of("Diary.sqlite")
    walk.type(walk.read("VersionsAndRoutes", "migrate") + " --mapping images.json", r"the old store is kept as Diary~\.sqlite")
    walk.step("VersionsAndRoutes", "rollback", r"is restored; the migrated store is ")
    walk.check(walk.bytes_of("Diary.sqlite") == before, "a store that was taken back has other bytes")


def operator(folder):
    """Stores of two versions of a model, the second of which needs a mapping to the third."""
    model = "LearnCoreData.xcdatamodeld"
    walk = Walk(folder, [(r"Notes\.xcdatamodeld", model), (r"--max-loss 2\b", "--max-loss 40"), (r"\bstores\b", "school"),
                         (r"\banna\b", "class-1"), (r"\bemil\b", "class-2"),
                         (r"\bfrida\b", "lost")])
    shutil.copytree(os.path.join(PLANS, "students", model), walk.path(model))
    shutil.copy(os.path.join(PLANS, "students/v2-to-v3.json"), walk.folder)
    os.mkdir(walk.path("school"))
    os.mkdir(walk.path("migrated"))
    for version, rows in (("LearnCoreData", "StudentEntity=4000,ClassEntity=40,CourseEntity=20"),
                          ("LearnCoreData 2", "Student=4000,Clazz=40,Course=20")):
        walk.type(f'bulkmigrate fixture -q --model "{model}/{version}.xcdatamodel" --rows {rows} --output one.sqlite')
        for number in range(1, 11):
            shutil.copy(walk.path("one.sqlite"), walk.path(f"school/class-{2 * number - (version == 'LearnCoreData')}.sqlite"))
        os.remove(walk.path("one.sqlite"))
    with open(walk.path("school/lost.sqlite"), "w") as file:
        file.write("no store")
    sources = {name: walk.bytes_of(f"school/{name}") for name in os.listdir(walk.path("school"))}

    def outcomes():
        output = walk.look(walk.read("Fleets", "fleet status"))
        return {name.strip(): int(count) for name, count in re.findall(r"^([a-z ]+?) +(\d+)$", output, re.M)}

    output = walk.step("Fleets", "fleet plan --folder", r"1 that cannot be migrated")
    walk.check(len(re.findall(r"^LearnCoreData.* 10 .*→", output, re.M)) == 2,
               f"two versions do not have a route each:\n{output}")
    canary = walk.read("Fleets", "fleet run --canary")
    walk.kill(canary, lambda: outcomes().get("done", 0) >= 4)
    found = outcomes()
    walk.check(0 < found.get("not begun", 0) < 18 and found["done"] >= 4, f"after a kill the fleet has {found}")
    walk.step("Fleets", "fleet run --workers", r"21 stores: .*\b1 quarantined", 3, without="--canary")
    walk.step("Fleets", "fleet status", r"^not begun +0$")
    walk.step("Fleets", "fleet report", r"1 store failed with 65 .*lost\.sqlite")
    walk.step("Fleets", "fleet report --page")
    walk.needs("fleet.html")
    walk.step("Fleets", "cp stores/emil.sqlite")
    walk.step("Fleets", "fleet retry", r"1 of 21 stores")
    walk.step("Fleets", "fleet plan --manifest", r"0 that cannot be migrated")
    walk.step("Fleets", "fleet run --fleet", r"1 store: 1 done")
    walk.step("Fleets", "fleet run --workers", r"21 stores: 21 already", without="--canary")
    walk.step("Fleets", "verify --level full", r"nothing differs")
    walk.check(walk.bytes_of("migrated/class-2.sqlite") == walk.bytes_of("migrated/lost.sqlite"),
               "two stores with the same source differ")
    for name, text in sources.items():
        walk.check(name == "lost.sqlite" or walk.bytes_of(f"school/{name}") == text, f"school/{name} has changed")
    walk.step("Fleets", "migrate", r"the old store is kept as school/class-1~\.sqlite")
    walk.step("Fleets", "rollback", r"is restored; the migrated store is ")
    walk.check(walk.bytes_of("school/class-1.sqlite") == sources["class-1.sqlite"],
               "a store that was taken back has other bytes")


def check():
    """Walks both ways; returns the faults."""
    faults = []
    for walk in (developer, operator):
        print(f"{walk.__name__}: {walk.__doc__}")
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"walk-{walk.__name__}-") as folder:
            try:
                walk(folder)
                print(f"{walk.__name__}: arrived after {time.monotonic() - start:.1f} s")
            except Stumble as stumble:
                faults.append(f"{walk.__name__}: {stumble}")
    return faults
