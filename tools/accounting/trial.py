"""Carries a case out and compares what the program counts with what is lost."""
import collections, json, os, re, shutil, sqlite3, subprocess, traceback

import history, spoiling
from chance import identity, lineage, named, write_model
from drawing import Draft, MARK
from reading import Store
from truth import Truth, canonical

# Seconds after which a command counts as hanging.
PATIENCE = 120
# What a limit of losses counts.
LIMITED = {"objects", "values", "links", "positions", "unmanaged"}
# A policy that makes objects of several entities, each with the mark of their source object.
POLICY = """import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["hook"] == "start":
        answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["%(mark)s"]}
    else:
        answer["objects"] = []
        for key, mark in request["rows"]:
            made = [{"entity": name, "set": {"%(mark)s": mark}} for name in %(made)r]
            answer["objects"].append(made[:%(place)d] + [{}] + made[%(place)d:])
    print(json.dumps(answer), flush=True)
"""


class Refusal(Exception):
    """The program does not make this migration."""


class Ended(Exception):
    """What differs ends the case."""


class Trial:
    """A case: its folder, what was found to differ, and what occurred."""

    def __init__(self, seed, program, folder, environment=()):
        self.seed, self.program = seed, program
        self.environment = {**os.environ, **dict(environment)}
        self.place = os.path.join(folder, f"case-{seed}")
        self.differences, self.occurred, self.refusal = [], {}, None
        self.loose = collections.Counter()
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)

    def run(self):
        try:
            self.carry_out()
        except Refusal as refusal:
            self.refusal = str(refusal).replace(self.place + "/", "")
        except Ended:
            pass
        except subprocess.TimeoutExpired as late:
            self.differs("hang", f"{late.cmd[1]} does not end within {PATIENCE} s")
        except (LookupError, sqlite3.Error) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.differs("script", f"{type(error).__name__} at {place.name} {place.lineno}: {error}")
        return self

    def differs(self, kind, text):
        self.differences.append((kind, text))

    def occurs(self, form, count):
        if count > 0:
            self.occurred[form] = self.occurred.get(form, 0) + count

    def path(self, name):
        return os.path.join(self.place, name)

    def command(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.place, capture_output=True, text=True,
                              errors="replace", timeout=PATIENCE, stdin=subprocess.DEVNULL,
                              env=self.environment)
        done.arguments = arguments
        return done

    def must(self, what, done, *codes):
        """Ends the case where a command is refused, or ends in another way than it should."""
        if done.returncode == 65:
            raise Refusal(f"{what}: {done.stderr.strip().splitlines()[0]}")
        if done.returncode not in (codes or (0,)):
            self.differs(what, f"ends with {done.returncode}: {done.stderr.strip()[-400:]}")
            raise Ended

    def make(self, name, model, rows):
        """Makes a store of a model."""
        self.must("fixture", self.command("fixture", "-q", "--model", model, "--seed", str(self.seed), "--rows", rows, "--output", name))

    def write(self, name, document):
        with open(self.path(name), "w") as file:
            json.dump(document, file, indent=1)

    def lines_of_rejects(self, folder):
        """The lines of all reject files below a folder, each with its file."""
        for place, _, names in os.walk(self.path(folder)):
            for name in names if "place/" in folder or place.endswith("rejects") else ():
                if name.endswith(".jsonl"):
                    with open(os.path.join(place, name)) as file:
                        for line in file:
                            yield os.path.join(place, name), json.loads(line)

    # The case

    def carry_out(self):
        self.draft = draft = Draft(self.seed)
        self.policy = []
        if draft.policy:
            with open(self.path("several.py"), "w") as file:
                file.write(POLICY % dict(draft.policy, mark=MARK))
            self.policy = ["--policy", "Several=python3 several.py"]
        write_model(self.place, "1.xcdatamodel", draft.before)
        self.make_source()
        original = Store(self.path("before.sqlite"), draft.before)
        write_model(self.place, "2.xcdatamodel", draft.last, self.limits(original))
        options = ["--source-model", "1.xcdatamodel", "--destination-model", "2.xcdatamodel"]
        if draft.between:
            write_model(self.place, "1b.xcdatamodel", draft.between)
            draft.mapping_file = {"bulkmigrate": "mapping/1",
                                  "chain": ["1.xcdatamodel", "1b.xcdatamodel", "2.xcdatamodel"]}
            options = ["--no-fuse"] if self.seed % 2 else []
        if draft.mapping_file:
            self.write("mapping.json", draft.mapping_file)
            options += ["--mapping", "mapping.json"]
            # Several objects of a to-one relationship are refused, or break a rule; a quarter of the cases shows it.
            if self.seed % 4:
                options += ["--allow", "first-of-several"]
        self.is_partial = self.seed % 3 == 0
        if self.is_partial:
            options += ["--allow", "partial-history"]
        if draft.strategy:
            options += ["--strategy", draft.strategy]
        self.plan_options = ["plan", "--json", "--source", "source.sqlite", "--destination", "made.sqlite",
                             "--output", "plan.json", *options, *self.policy]
        planned = self.planned()
        self.must("plan", planned)
        self.plan = json.loads(planned.stdout)
        if self.plan["isUpToDate"]:
            raise Refusal("no change was drawn")
        self.migrate(original)

    def planned(self):
        """The outcome of `plan`; relationships that the program refuses, for they never find an object, are left
        to inference, and renames of what is mirrored are allowed in three of four cases."""
        for _ in range(9):
            done = self.command(*self.plan_options)
            if self.draft.strategy and "cannot" in done.stderr and "copy" in done.stderr:
                self.plan_options = self.plan_options[:-2]
                self.draft.strategy = None
                continue
            if "mirrored with CloudKit" in done.stderr and self.seed % 4 and "--allow" not in self.plan_options:
                self.plan_options[1:1] = ["--allow", "mirrored-renames"]
                continue
            refused = re.search(r"entity mapping (\w+), relationship (\w+): it never finds", done.stderr)
            if not refused:
                return done
            for mapping in self.draft.mapping_file["entityMappings"]:
                if mapping["name"] == refused[1]:
                    mapping["relationships"].pop(refused[2], None)
            self.write("mapping.json", self.draft.mapping_file)
        return done

    def make_source(self):
        entities = [each for each in self.draft.before if not each["abstract"]]
        sizes = ",".join(f"{each['name']}={self.draft.random.randint(10, 40)}" for each in entities)
        self.make("source.sqlite", "1.xcdatamodel", sizes)
        spoiler = spoiling.Spoiler(self.path("source.sqlite"), self.draft)
        spoiler.spoil()
        self.draft.missing = spoiler.missing
        if spoiler.is_damaged:
            self.salvage(spoiler)
        shutil.copyfile(self.path("source.sqlite"), self.path("before.sqlite"))

    def salvage(self, spoiler):
        """Damages a page, and goes on with a copy without its rows, which are counted."""
        before = self.objects_by_table()
        if not spoiler.damage():
            return
        words = ["salvage", "source.sqlite", "-o", "readable.sqlite", "--json", "--max-loss"]
        if self.command(*words, "none").returncode != 65:
            self.differs("salvage", "rows are lost without leave")
        done = self.command(*words, "all")
        self.must("salvage", done)
        os.replace(self.path("readable.sqlite"), self.path("source.sqlite"))
        shutil.rmtree(self.path(".readable_SUPPORT"), ignore_errors=True)
        told, pages = collections.Counter(), json.loads(done.stdout)["lost"]
        for page in pages:
            told[page["table"]] += page["rows"]
        lost = collections.Counter(before) - collections.Counter(self.objects_by_table())
        self.occurs("damage", sum(lost.values()))
        is_most = any(page.get("isUpperBound") for page in pages)
        if told != lost and not (is_most and told >= lost):
            self.differs("salvage", f"{dict(told)} counted, {dict(lost)} lost")

    def objects_by_table(self):
        return {table: len(rows) for table, rows in Store(self.path("source.sqlite"), self.draft.before).rows.items()}

    def limits(self, store):
        """A greatest value of an attribute that every other object breaks, in some cases."""
        self.has_limit = self.draft.random.random() < 0.2
        if not self.has_limit:
            return []
        found = []
        for entity in self.draft.after:
            for attribute in entity["attributes"]:
                name, is_number = identity(attribute), attribute["type"] in ("Integer 16", "Integer 32", "Integer 64", "Double")
                column = "Z" + name.upper()
                values = sorted(row[column] for rows in store.rows.values() for row in rows
                                if is_number and row.get(column) is not None)
                if values and "derived" not in attribute and name != MARK:
                    found.append((attribute["name"], str(values[len(values) // 2])))
        return self.draft.random.sample(found, min(len(found), 1))

    def migrate(self, original):
        run = ["run", "--json", "-q", "--plan", "plan.json", *self.policy]
        if self.has_limit or self.draft.mapping_file:
            run += ["--on-error", "quarantine"]
            if self.draft.random.random() < 0.3:
                run += ["--dependants", "reject"]
        done = self.command(*run, "--max-loss", "all")
        if done.returncode == 65 and self.is_unacceptable(done.stderr):
            return self.occurs("object of another entity", 1)
        self.must("run", done, 0, 3)
        self.report = json.loads(done.stdout)
        destination = Store(self.path("made.sqlite"), self.draft.after)
        self.read_rejects()
        self.truth = Truth(self.draft, original, destination, self.rejected)
        way = ("by a route" if self.draft.between else "by mapping" if self.draft.mapping_file
               else "by copying" if self.draft.strategy else "inferred")
        self.compare(f"run {way}", self.report.get("losses", []))
        if not self.is_rejecting:
            # A plan has the losses of the first leg only.
            self.compare(f"plan {way}", self.plan.get("losses", []), is_whole=len(self.plan["legs"]) == 1)
        self.tally()
        # What inferred steps make of the history is known row by row.
        if "entityMappings" not in (self.draft.mapping_file or {}):
            versions = [each for each in (self.draft.before, self.draft.between, self.draft.last) if each]
            self.compare_history(original, destination, versions, self.is_partial)
        self.verify("quick")
        if self.seed % 10 == 0:
            self.verify("full")
        if self.seed % 4 == 0:
            self.try_limits(run)

    def is_unacceptable(self, text):
        """Whether a run is refused because a relationship is given an object of another entity, which the policy made."""
        found = re.search(r"(\w+) \d+, which (\w+) made of (\w+) \d+, is not an object of (\w+)", text)
        if not found or not self.draft.policy:
            return False
        entity, name, source, target = found.groups()
        mapping = self.draft.policy["mapping"]
        return (entity in self.draft.policy["made"] and (name, source) == (mapping["name"], mapping["source"])
                and named(self.draft.after, target) not in lineage(named(self.draft.after, entity), self.draft.after))

    def read_rejects(self):
        """The objects that were left out, by entity."""
        self.rejected = {}
        for _, line in self.lines_of_rejects("made.sqlite.bulkmigrate"):
            entity = self.first_names[line["entity"]] if "leg" in line else line["entity"]
            self.rejected.setdefault(entity, set()).add(line["key"])
        self.is_rejecting = bool(self.rejected)

    # Comparison

    @property
    def first_names(self):
        """The names of the first version, by those of the one after it."""
        found = {}
        for entity in self.draft.between:
            if not entity["parent"]:
                found["Z" + entity["name"].upper()] = "Z" + identity(entity).upper()
            for item in [entity, *entity["attributes"], *entity["relationships"]]:
                found[item["name"]] = identity(item)
        return found

    def compare(self, which, losses, is_whole=True):
        reported = {}
        for loss in losses:
            reported.setdefault(self.group(loss), []).append(loss)
        whole = set(reported) | {self.reduced(key) for key in self.truth.groups}
        for key in sorted(whole, key=str):
            self.compare_group(which, key, reported.get(key, []), is_whole)

    def reduced(self, key):
        """The group to which a report's lines belong: elements of a composite attribute are not told apart."""
        return key[:3] if key[0] == "values" else key

    def group(self, loss):
        place = loss["owner"].split(" ")[-1]
        parts = place.split(".")
        if loss["step"] > 1 and self.draft.between:
            parts = [self.first_names.get(part, part) for part in parts]
            place = ".".join(parts)
        if parts[0] in self.truth.source.tables:
            return ("schema" if loss["kind"] == "schema" else "rows", place)
        if len(parts) == 1:
            known = any(each["name"] == place for each in self.draft.before)
            return self.reduced(("objects", place)) if known else (loss["kind"], place)
        if loss["kind"] == "links" and not self.truth.source.relationship(parts[1]):
            # Of several relationships on the way to the objects of a new one.
            return ("new links", place)
        if self.truth.source.relationship(parts[1]):
            return (("places", parts[1]) if loss["kind"] == "positions" else
                    ("links", canonical(self.truth.source, parts[1])))
        return ("values", parts[0], parts[1])

    def compare_group(self, which, key, losses, is_whole):
        groups = [lost for found, lost in self.truth.groups.items() if self.reduced(found) == key]
        must, most = sum(each.must for each in groups), sum(each.most for each in groups)
        exact, bound = counted(losses)
        form = groups[0].form if groups else key[0]
        if key[0] in ("schema", "new links") or key[0] in ("links", "places") and (
                canonical(self.truth.source, key[1]) in self.truth.contested):
            return
        if key[0] == "objects":
            exact += sum(self.truth.rejected_wholly(each["name"]) for each in self.draft.before
                         if self.reduced(("objects", each["name"])) == key)
            form = "object"
        if bound and exact + bound > most and which.startswith("run"):
            self.loose[f"{which}: {form}"] += 1
        told = f"{exact}" + (f" and at most {bound} more" if bound else "")
        if exact > most:
            self.differs(f"{which}: {form} counted too often",
                         f"{' '.join(map(str, key))}: {told} counted, {span(must, most)} lost")
        elif is_whole and exact + bound < must:
            self.differs(f"{which}: {form} not counted",
                         f"{' '.join(map(str, key))}: {told} counted, {span(must, most)} lost")

    def compare_history(self, source, destination, versions, is_partial):
        if "ACHANGE" not in source.tables:
            return
        lines, width = history.expected(source, versions, is_partial)
        found, columns = history.changes(destination)
        if [each.line for each in found] != lines or columns != width:
            odd = {each.line for each in found} ^ set(lines)
            self.differs("history", f"{width} columns, {columns} found; {sorted(odd, key=str)[:4]}")

    def tally(self):
        for key, lost in self.truth.groups.items():
            self.occurs(lost.form, lost.must)
        self.occurs("policy", int(bool(self.policy)))
        self.occurs("missing file", self.truth.missing)
        self.occurs("quarantine", sum(map(len, self.rejected.values())))

    # Verification and limits

    def verify(self, level):
        done = self.command("verify", "--json", "-q", "--plan", "plan.json", "--level", level, *self.policy)
        if done.returncode or json.loads(done.stdout).get("counts"):
            self.differs(f"verify {level}", f"ends with {done.returncode}: {' '.join(done.stdout.split())[:300]} "
                         f"{done.stderr.strip()[-300:]}")

    def try_limits(self, run):
        """One less than what is counted is refused, and what is counted is allowed."""
        limited = [each for each in self.plan.get("losses", []) if each["kind"] in LIMITED]
        certain, _ = counted(limited)
        for limit, code in ((certain - 1, 65), (sum(counted(limited)), 0)):
            if limit >= 0:
                done = self.command(*self.plan_options, "--max-loss", str(limit))
                if done.returncode != code:
                    self.differs("plan --max-loss", f"of {certain} certain losses ends with {done.returncode} at {limit}")
        most = sum(counted(each for each in self.report.get("losses", []) if each["kind"] in LIMITED))
        for limit, codes in ((most - 1, (65,)), (most, (0, 3))):
            if limit < 0:
                continue
            for name in ("made.sqlite", "made.sqlite.bulkmigrate", ".made_SUPPORT"):
                path = self.path(name)
                shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
            done = self.command(*run, "--max-loss", str(limit))
            there = os.path.exists(self.path("made.sqlite"))
            if done.returncode not in codes or there != (0 in codes):
                self.differs("run --max-loss", f"of {most} losses ends with {done.returncode} at {limit}, and "
                             f"there is {'a' if there else 'no'} store: {done.stderr.strip()[-200:]}")


def counted(losses):
    """How many are certain, and how many more at most."""
    found = [0, 0]
    for loss in losses:
        found[bool(loss.get("isUpperBound"))] += loss["count"]
    return tuple(found)


def span(must, most):
    return str(must) if must == most else f"{must} to {most}"
