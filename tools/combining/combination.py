"""Migrates stores in which several things come together. Each case draws three features of the store: derived attributes,
an R-tree, history, CloudKit's tables, composite attributes, values in external files of which some may be missing, ordered
relationships, unmanaged tables, triggers of the application, texts in UTF-16; and two of the run: quarantine, a policy in
Python, SIGKILL at random moments, --max-duration 1ms again and again, replay of corrected objects, a staged fleet, migrate
in place with rollback, a route over a version between. The way is inferred, by copying, or by a mapping model that may
divide, merge and split off objects.

`fixture` makes the store, and SQLite changes it. The script computes the objects, values, links, orders and files of the
destination from those of the source, reads both stores itself, and shares no code with the program. It also compares the
names of tables, columns, indexes and triggers with those of a new store of the last version, what is kept of the
application's tables, of history and of mirroring, counted losses, reject files, and the source's bytes. What an application
does to each table has to be prepared by SQLite afterwards, and verify has to agree.

Prints a line for each difference, and how often each feature was drawn. It fails if a case differs, or if more than one in
twenty is refused."""
import collections, json, os, re, shutil, signal, sqlite3, subprocess, sys, time

import trial
from account import Campaign
from contents import Contents, Expected
from chance import write_model
from drawing import MARK
from journal import RUN, STORE, Journal, PLACES, items
from making import StoreMaker
from measuring import opened
from proving import digest_of
from reading import Store

POLICY = f'''import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {{"id": request["id"]}}
    if request["hook"] == "start":
        answer |= {{"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["%(old)s", "%(title)s"]}}
    else:
        answer["objects"] = [
            {{"reject": "no title"}} if title is None and %(strict)s else
            dict({{"set": {{"%(new)s": stars + 100}}}} if stars %% 2 else {{}}, to={{"%(where)s": {{
                "entity": "%(place)s", "find": {{"%(spot)s": f"spot {{stars %% 3}}", "{MARK}": {PLACES} + stars %% 3}}}}}})
            for key, stars, title in request["rows"]]
    print(json.dumps(answer), flush=True)
'''
FETCH = '[ -e "$FROM" ] || exit 66; cp "$FROM" "$TO"'
PUT = 'mkdir -p "$(dirname "$TO")"; ln -T "$FROM" "$TO" 2>/dev/null || { [ -e "$TO" ] && exit 73; exit 74; }'
POLICY_OPTION = ["--policy", "Journal.Photos=python3 policy.py"]
FRESH = "fresh.sqlite"


class Combination(trial.Trial):
    """A case: its journal, the source, and the commands that migrate it."""

    def carry_out(self):
        self.journal = journal = Journal(self.seed)
        self.policy = POLICY_OPTION if "external policy" in journal.run else []
        self.models = [f"{number}.xcdatamodel" for number in range(1, len(journal.versions) + 1)]
        for name, version in zip(self.models, journal.versions):
            write_model(self.path("models"), name, version)
        self.write_files()
        self.make("source.sqlite", f"models/{self.models[0]}", self.sizes())
        self.make(FRESH, f"models/{self.models[-1]}", f"{journal.versions[-1][0]['name']}=0")
        StoreMaker(self.path("source.sqlite"), journal)
        self.source = Contents(self.path("source.sqlite"), journal.versions[0])
        self.digest = self.digest_of("source.sqlite", ".source_SUPPORT")
        self.expected = Expected(journal, self.source.found)
        self.code = 3 if self.expected.rejected else 0
        self.destination = "made.sqlite"
        way = "fleet" if "staged fleet" in journal.run else "in_place" if "in place" in journal.run else "single"
        if getattr(self, "migrate_" + way)() and os.path.exists(self.path(self.destination)):
            self.compare()
            getattr(self, "finish_" + way)()

    def sizes(self):
        count = self.journal.random.choice([150, 150, 2500]) if "kill" in self.journal.run else 120
        counts = {"photo": count, "memo": 20, "album": 8, "tag": 12, "setting": 5}
        return ",".join(f"{each['name']}={counts[each['role']]}" for each in self.journal.versions[0])

    def write_files(self):
        """The mapping file, and the program of a policy."""
        journal, steps = self.journal, [f"models/{each}" for each in self.models]
        before, after = journal.versions[journal.strict - 1:journal.strict + 1]
        if journal.mapping:
            os.makedirs(self.path("mappings"))
            self.write("mappings/step.json", dict(journal.mapping, **{
                end: {"model": f"../{steps[journal.strict - 1 + number]}"} for number, end in enumerate(("source", "destination"))}))
            steps.insert(journal.strict, "mappings/step.json")
        self.write("chain.json", {"bulkmigrate": "mapping/1", "chain": steps})
        if self.policy:
            old, new = ({each["role"]: each["name"] for each in items(version)} for version in (before, after))
            with open(self.path("policy.py"), "w") as file:
                file.write(POLICY % {"old": old["stars"], "title": old["title"], "strict": bool(journal.rule), "new": new["stars"],
                                     "where": new["where"], "spot": new["spot"], "place": new["place"]})

    # The ways of a migration; each tells whether there is a destination to look at.

    def options(self):
        options = ["--allow", "mirrored-renames"] if "CloudKit" in self.journal.store else []
        if "route" in self.journal.run:
            return [*options, "--mapping", "chain.json"]
        return [*options, "--destination-model", f"models/{self.models[-1]}",
                *(["--mapping", "mappings/step.json"] if self.journal.mapping else [])]

    def migrate_single(self):
        is_route = "route" in self.journal.run
        strategy = ["--strategy", "copy"] if self.journal.way == "copy" and not is_route else []
        words = ["plan", "--json", "--source", "source.sqlite", "--destination", "made.sqlite", "--output", "plan.json",
                 *self.policy, *self.options(), *(["--no-fuse"] if is_route and self.seed % 2 else [])]
        planned = self.command(*words, *strategy)
        if planned.returncode == 65 and strategy and "copy" in planned.stderr:
            planned = self.command(*words)
        self.must("plan", planned)
        self.plan = json.loads(planned.stdout)
        run = ["run", "--json", "-q", "--plan", "plan.json", "--resume-if-started", *self.policy,
               *(["--on-error", "quarantine"] if self.journal.rule else [])]
        if any(least for least, _ in self.expected.losses.values()):
            refused = self.command(*run)
            if refused.returncode != 65 or os.path.exists(self.path("made.sqlite")):
                return self.differs("loss", f"of {self.expected.losses} is allowed, {refused.returncode}")
        return self.ends_well(self.attempt([*run, "--max-loss", "all"])) and self.replay()

    def migrate_in_place(self):
        self.plan = None
        self.lay(".", "made")
        return self.ends_well(self.attempt(["migrate", "-q", "--json", "made.sqlite", "--max-loss", "all", *self.policy,
                                            *self.options()]))

    def migrate_fleet(self):
        self.plan, self.destination = None, "place/new/made.sqlite"
        self.lay("place", "source")
        with open(self.path("stores.jsonl"), "w") as file:
            file.write(json.dumps({"id": "one", "source": self.path("place/source.sqlite"),
                                   "destination": self.path(self.destination)}) + "\n")
        planned = self.command("fleet", "plan", "-q", "--staged", "--manifest", "stores.jsonl", "--models", "models", "--to",
                               str(len(self.models)), *(["--mappings", "mappings"] if self.journal.mapping else []),
                               "--max-loss", "all", *self.options()[:2 * ("CloudKit" in self.journal.store)], *self.policy)
        if planned.returncode:
            return self.differs("fleet plan", f"ends with {planned.returncode}: {planned.stderr.strip()[-300:]}")
        self.fleet = ["fleet", "run", "-q", "--stage-in", FETCH, "--stage-out", PUT, "--scratch", "scratch", *self.policy,
                      *(["--verify", "full"] if self.seed % 2 else []),
                      *(["--on-error", "quarantine"] if self.journal.rule else [])]
        return self.ends_well(self.attempt(self.fleet))

    def attempt(self, words):
        """Runs a command, which may be killed or stopped and run again; gives the last outcome."""
        random = self.journal.random
        for _ in range(random.randint(1, 4) if "kill" in self.journal.run else 0):
            process = subprocess.Popen([self.program, *words], cwd=self.place, stdin=subprocess.DEVNULL, env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                process.wait(random.uniform(0.005, 0.12))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                self.occurs("killed", 1)
        for _ in range(60 if "time limit" in self.journal.run else 0):
            done = self.command(*words, "--max-duration", "1ms")
            if done.returncode != 6:
                break
            self.occurs("stopped", 1)
        return self.command(*words)

    def ends_well(self, done):
        self.report = done.stdout
        if done.returncode != self.code:
            self.differs(done.arguments[0], f"ends with {done.returncode}, not {self.code}: {done.stderr.strip()[-400:]}")
        return done.returncode == self.code

    def compare_rejects(self, folder):
        """Every object that is left out is kept under its entity; of what a later step or a policy leaves out less is known."""
        lines = [line for _, line in self.lines_of_rejects(folder)]
        entities = {mark: each["name"] for each in self.journal.before for mark in self.source.found[each["role"]]}
        odd = [line["key"] for line in lines if "leg" not in line and "policy" != self.journal.rule and (
            line.get("values", {}).get(MARK) not in self.expected.rejected or entities[line["values"][MARK]] != line["entity"])]
        if len(lines) != len(self.expected.rejected) or odd:
            self.differs("rejects", f"{len(lines)} objects are kept, {len(self.expected.rejected)} were left out" + f", odd {odd[:5]}" * bool(odd))

    def replay(self):
        """Corrects titles of what was left out, first of every other object only, which changes nothing, where a run may
        leave objects out."""
        if self.journal.rule:
            self.compare_rejects("made.sqlite.bulkmigrate")
        if "replay" not in self.journal.run:
            return True
        digest = self.digest_of("made.sqlite")
        for divisor in (2, 1) if "quarantine" in self.journal.run else (1,):
            self.correct(divisor)
            done = self.command("rejects", "replay", "--json", "-q", "--plan", "plan.json", *self.policy)
            code = 0 if divisor == 1 else 65
            if done.returncode != code or code and self.digest_of("made.sqlite") != digest:
                return self.differs("replay", f"ends with {done.returncode}, not {code}, or has changed the store: "
                                    f"{done.stderr.strip()[-400:]}")
        self.expected = Expected(self.journal, self.source.found, is_corrected=True)
        return True

    def correct(self, divisor):
        files = collections.defaultdict(list)
        titles = {each["name"] for version in self.journal.versions for each in items(version) if each["role"] == "title"}
        for path, line in self.lines_of_rejects("made.sqlite.bulkmigrate"):
            values = line.setdefault("values", {})
            values.update({name: f"corrected {values[MARK]}" for name in titles & set(values) if values[MARK] % divisor == 0})
            files[path].append(json.dumps(line) + "\n")
        for path, lines in files.items():
            with open(path, "w") as file:
                file.write("".join(lines))

    def finish_single(self):
        if self.digest_of("source.sqlite", ".source_SUPPORT") != self.digest:
            self.differs("source", "has other bytes")
        for level in ("quick", "full"):
            self.verify(level)

    def finish_in_place(self):
        done = self.command("rollback", "-q", "made.sqlite")
        # A folder of values has the name of the store again.
        if done.returncode or self.digest_of("made.sqlite", ".made_SUPPORT") != self.digest:
            self.differs("rollback", f"ends with {done.returncode}, or other bytes: {done.stderr.strip()[-300:]}")

    def finish_fleet(self):
        if self.journal.rule:
            self.compare_rejects("place/new")
            again = self.command(*self.fleet)
            if again.returncode != self.code:
                self.differs("fleet again", f"ends with {again.returncode}, not {self.code}")
        if self.digest_of("place/source.sqlite", "place/.source_SUPPORT") != self.digest:
            self.differs("source", "has other bytes")

    def digest_of(self, *names):
        return digest_of(*map(self.path, names))

    def lay(self, folder, name):
        """Lays the source with its values into a folder, under a name."""
        os.makedirs(self.path(folder), exist_ok=True)
        shutil.copy(self.path("source.sqlite"), self.path(f"{folder}/{name}.sqlite"))
        if os.path.isdir(self.path(".source_SUPPORT")):
            shutil.copytree(self.path(".source_SUPPORT"), self.path(f"{folder}/.{name}_SUPPORT"))

    # Comparison

    def differs(self, kind, text):
        text = text.replace(self.place + "/", "")
        super().differs(kind, f"{' + '.join(sorted(self.journal.features))}, {self.journal.way}: {text}")

    def compare(self):
        made = Contents(self.path(self.destination), self.journal.versions[-1])
        for fault in made.faults[:3]:
            self.differs("reference", fault)
        for role, objects in self.expected.found.items():
            found = made.found[role]
            if set(found) != set(objects):
                self.differs("objects", f"{role}: {len(found)}, not {len(objects)}; {sorted(set(found) ^ set(objects))[:5]}")
            odd = collections.defaultdict(list)
            for mark in found.keys() & objects.keys():
                for name in objects[mark].keys() | found[mark].keys():
                    if objects[mark].get(name) != found[mark].get(name):
                        odd[name].append(mark)
            for name, marks in odd.items():
                mark = min(marks)
                self.differs("contents", f"{role}.{name} of {len(marks)} objects, as {mark}: {str(found[mark].get(name))[:80]}, "
                             f"not {str(objects[mark].get(name))[:80]}")
        self.compare_names()
        self.compare_foreign()
        self.compare_losses()
        self.use()

    def compare_names(self):
        """Tables, columns, indexes and triggers are those of a new store of the model."""
        fresh, made = (schema(self.path(name)) for name in (FRESH, self.destination))
        for table, columns in fresh["table"].items():
            if made["table"].get(table) != columns and not re.search("_(node|rowid|parent)$", table):
                own = made["table"].get(table)
                self.differs("names", f"{table}: {sorted(set(own) ^ set(columns)) if own else 'missing'}")
        for kind in ("index", "trigger"):
            missing = set(fresh[kind].values()) - set(made[kind].values())
            if missing:
                self.differs("names", f"{kind}: {len(missing)} missing, as {min(missing)[:200]}")
        extra = [table for table in made["table"] if re.match("Z_?[A-Z0-9]", table) and table not in fresh["table"]]
        if extra:
            self.differs("names", f"tables that no new store has: {extra}")

    def compare_foreign(self):
        """What no model explains is as it was, or is told as left behind."""
        old, new = opened(self.path("source.sqlite")), opened(self.path(self.destination))
        told = json.dumps(self.plan) + self.report
        kept = {name for name, in new.execute("SELECT name FROM sqlite_master")}
        for kind, name in old.execute("SELECT type, name FROM sqlite_master WHERE name GLOB 'APP*' OR name GLOB 'app*'"):
            if name not in kept:
                if not re.search(rf"\b{name}\b", told) and self.plan:
                    self.differs("foreign", f"{kind} {name} is gone without a word")
            elif kind == "table":
                before, after = (each.execute(f'SELECT * FROM "{name}"').fetchall() for each in (old, new))
                if before != after:
                    self.differs("foreign", f"{name}: {after[:3]}, not {before[:3]}")
        is_inferred = self.journal.way != "mapping"
        if "CloudKit" in self.journal.store and is_inferred:
            before, after = (self.records(*each) for each in ((old, 0), (new, -1)))
            gone = {role for role, *_ in before} - {each["role"] for each in self.journal.versions[-1]}
            before = sorted(each for each in before if each[0] not in gone and self.is_there(*each))
            if before != sorted(after):
                self.differs("CloudKit", f"{sorted(set(before) ^ set(after))[:4]}")
        if "history" in self.journal.store and is_inferred:
            versions = self.journal.versions
            self.compare_history(Store(self.path("source.sqlite"), versions[0]), Store(self.path(self.destination), versions[-1]),
                                 versions, False)

    def records(self, connection, version):
        roles = {each["name"]: each["role"] for each in self.journal.versions[version]}
        names = dict(connection.execute("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY"))
        return [(roles.get(names.get(number)), key, name) for number, key, name in connection.execute(
            "SELECT ZENTITYID, ZENTITYPK, ZCKRECORDNAME FROM ANSCKRECORDMETADATA")]

    def is_there(self, role, key, _):
        numbers = {each["role"]: number for number, each in enumerate(
            (each for each in self.journal.versions[0] if not each["parent"]), 1)}
        return numbers.get(role, numbers["photo"]) * 100_000 + key in self.expected.found.get(role, ())

    def compare_losses(self):
        if not self.plan or "external policy" in self.journal.run:
            return
        for which, losses in [("plan", self.plan.get("losses", []))] + [
                ("run", json.loads(self.report).get("losses", []))] * ("losses" in self.report):
            for kind, (least, most) in Expected(self.journal, self.source.found).losses.items():
                exact, bound = trial.counted(each for each in losses if each["kind"] == kind)
                # A plan has the losses of the first leg only.
                least = 0 if which == "plan" and len(self.plan["legs"]) > 1 else least
                if exact > most and not (which == "plan" and self.journal.rule) or exact + bound < least:
                    self.differs(f"losses of {which}", f"{kind}: {exact} and at most {bound} more are counted, {least} to {most} "
                                 "are lost")

    def use(self):
        """An application inserts, changes and deletes rows of every table: all triggers and views are prepared."""
        path = self.path("used.sqlite")
        shutil.copy(self.path(self.destination), path)
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = OFF")
        triggers = schema(path)["trigger"]
        for kind, name in connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                                             "name NOT GLOB '*_node' AND name NOT GLOB '*_parent' AND name NOT GLOB '*_rowid' "
                                             "AND name NOT GLOB 'sqlite_*'").fetchall():
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')]
            statements = [f'SELECT * FROM "{name}"'] if kind == "view" else [
                f'INSERT INTO "{name}" SELECT * FROM "{name}"', f'DELETE FROM "{name}"',
                f'UPDATE "{name}" SET ' + ", ".join(f'"{each}" = "{each}"' for each in columns)]
            for statement in statements:
                while True:
                    try:
                        connection.execute("EXPLAIN " + statement)
                    except sqlite3.Error as error:
                        unknown = re.match(r"no such function: (\w+)", str(error))
                        if unknown:
                            connection.create_function(unknown[1], -1, lambda *values: values[0] if values else None)
                            continue
                        self.differs("unusable", f"{statement.split()[0]} {name}: {error}; triggers {sorted(triggers)[:5]}")
                    break
        connection.close()


def schema(path):
    """Tables with the set of their columns, and indexes and triggers by what they are, whatever their name."""
    connection, found = opened(path), {"table": {}, "index": {}, "trigger": {}, "view": {}}
    for kind, name, table, text in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall():
        if kind == "table":
            found[kind][name] = {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')}
        elif kind == "index" and text:
            columns = re.sub(r'^.*? ON \S+ |"', "", text)
            # A join table may keep the order of its columns, and its index has the other order.
            found[kind][name] = table + (str(sorted(re.findall(r"\w+", columns))) if re.match(r"Z_\d", table) else columns)
        elif kind == "trigger":
            found[kind][name] = re.sub(r'["\s]+', " ", text).strip()
    return found


def prove(found, count, options):
    campaign = Campaign(count, options, Combination)
    drawn = collections.Counter(feature for case in campaign.cases for feature in Journal(case).features)
    campaign.report(found, *(", ".join(f"{each} {drawn[each]}" for each in features) for features in (STORE, RUN)),
                    "interrupted cases: " + ", ".join(f"{campaign.occurred[how]} {how}" for how in ("killed", "stopped")))
