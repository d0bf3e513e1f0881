"""Reads the objects of a store by the rules of its format, and computes those of a migrated one from those of its source.
Both are kept as {role of the entity: {mark: {role of the property: value, or marks of members}}}."""
import os, re

import chance
from chance import lineage, named
from drawing import MARK
from journal import PLACES, inverse_of
from measuring import opened


def upper(name):
    """The name of an attribute in its column: only letters of ASCII become capitals."""
    return "".join(each.upper() if each.isascii() else each for each in name)


def leaves(entity, entities):
    """The stored attributes of an entity: role, column, and the attribute itself. Of several composite attributes with
    equal elements the later ones, by name, have numbers in their columns."""
    composites = sorted(each["name"] for each in lineage(entity, entities)[-1]["attributes"] if "elements" in each)
    for attribute in chance.properties(entity, entities, "attributes"):
        number = composites.index(attribute["name"]) if "elements" in attribute else 0
        for part in attribute.get("elements", ()):
            yield f"{attribute['role']}.{part['role']}", "Z" + upper(part["name"]) + (str(number) if number else ""), part
        if "elements" not in attribute:
            yield attribute["role"], "Z" + upper(attribute["name"]), attribute


class Contents:
    """The objects of a store, `found`, and what is wrong with its rows, `faults`."""

    def __init__(self, path, entities):
        self.path, self.entities, self.faults = path, entities, []
        self.connection = opened(path)
        self.numbers = dict(self.connection.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        self.rows, self.marks, self.found = {}, {}, {}
        for entity in entities:
            table = self.table(entity)
            cursor = self.connection.execute(f'SELECT * FROM "{table}" WHERE Z_ENT = ? ORDER BY Z_PK',
                                             (self.numbers[entity["name"]],))
            columns = [each[0] for each in cursor.description]
            self.rows[entity["name"]] = rows = [dict(zip(columns, row)) for row in cursor]
            objects = self.found[entity["role"]] = {}
            for row in rows:
                mark = row["Z" + MARK.upper()]
                self.marks[table, row["Z_PK"]] = mark, row["Z_ENT"]
                if mark is None or mark in objects:
                    self.faults.append(f"{entity['role']}: {'no mark' if mark is None else 'twice'}: {row['Z_PK']}, {mark}")
                objects[mark] = {role: self.value(row[column], attribute)
                                 for role, column, attribute in leaves(entity, entities) if not role.startswith(MARK)}
        for entity in entities:
            for link in entity["relationships"]:
                self.add_members(entity, link)

    def table(self, entity):
        return "Z" + lineage(entity, self.entities)[-1]["name"].upper()

    def heirs(self, entity):
        return [entity] + [each for each in self.entities if each["parent"] == entity["name"]]

    def value(self, value, attribute):
        """The value of a cell; a value outside of the store is the bytes of its file, or the reference to it."""
        if not attribute.get("external") or value is None:
            return value
        if value[:1] == b"\1":
            return value[1:]
        folder, name = os.path.split(self.path)
        path = os.path.join(folder, f".{name.rpartition('.')[0]}_SUPPORT", "_EXTERNAL_DATA", value[1:-1].decode())
        if not os.path.exists(path):
            return "missing", value
        with open(path, "rb") as file:
            return file.read()

    def add_members(self, entity, link):
        target, inverse = named(self.entities, link["target"]), inverse_of(link, self.entities)
        members = {}
        if not link["many"]:
            self.keys(entity, link, target, lambda own, other: members.setdefault(own, []).append((0, other)))
        elif not inverse["many"]:
            order = f"Z_FOK_{inverse['name'].upper()}" if link["ordered"] else None
            self.keys(target, inverse, entity, lambda own, other, row: members.setdefault(other, []).append(
                (row[order] if order else 0, own)), rows=True)
        else:
            near, far = (f"Z_{self.numbers[one['name']]}{two['name'].upper()}" for one, two in ((entity, inverse), (target, link)))
            for name, columns in self.join_tables():
                own = [each for each in columns if re.fullmatch(rf"{near}\d*", each)]
                other = [each for each in columns if re.fullmatch(rf"{far}\d*", each)]
                if len(columns) > 1 and own and other:
                    order = f"Z_FOK_{other[0][2:]}" if link["ordered"] else "0"
                    for one, two, position in self.connection.execute(f'SELECT "{own[0]}", "{other[0]}", {order} FROM "{name}"'):
                        one, two = (self.marks.get((self.table(end), key), (f"no object {key}", 0))[0]
                                    for end, key in ((entity, one), (target, two)))
                        members.setdefault(one, []).append((position, two))
        for heir in self.heirs(entity):
            for mark, values in self.found[heir["role"]].items():
                several = sorted(members.get(mark, ()), key=lambda each: (each[0] or 0) if link["ordered"] else str(each[1]))
                values[link["role"]] = [member for _, member in several]

    def join_tables(self):
        for name, in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"):
            yield name, [row[1] for row in self.connection.execute(f'PRAGMA table_info("{name}")')]

    def keys(self, holder, link, target, add, rows=False):
        """Calls a function for each key of a relationship to one; keys to objects of other entities are faults."""
        number = f"Z{self.numbers[target['name']]}_{link['name'].upper()}"
        kinds = {self.numbers[each["name"]] for each in self.heirs(target)}
        for heir in self.heirs(holder):
            for row in self.rows[heir["name"]]:
                key = row["Z" + link["name"].upper()]
                if key is None:
                    continue
                other, entity = self.marks.get((self.table(target), key), (f"no object {key}", None))
                if entity not in kinds or row.get(number, entity) != entity:
                    self.faults.append(f"{link['role']} of {row['Z_PK']} leads to {key} of entity {entity}")
                add(row["Z" + MARK.upper()], other, *([row] if rows else []))


class Expected:
    """What a migrated store has, `found`, which objects were left out, `rejected`, and how many objects and values are lost,
    `losses`: at least so many, and at most."""

    def __init__(self, journal, source, is_corrected=False):
        """`source` are the objects of the source; what would be left out may have been corrected."""
        self.journal, self.source, self.found = journal, source, {}
        self.entities = journal.versions[-1]
        self.rejected, self.alias = set(), {}
        self.is_corrected = is_corrected
        # Of several equal titles the first one counts.
        self.first = min(source["photo"])
        self.rejects = {None: (), "policy": ("photo",)}.get(journal.rule, ("photo", "memo"))
        if "merge" in journal.forms:
            firsts = {}
            for mark, values in source["tag"].items():
                self.alias[mark] = firsts.setdefault(values["word"], mark)
        for entity in self.entities:
            self.found[entity["role"]] = dict(self.made(entity))
        self.add_extra()
        for entity in self.entities:
            self.add_links(entity)
        for entity in self.entities:
            self.derive(entity)
        self.add_losses()

    def made(self, entity):
        role = entity["role"]
        for mark, old in self.source.get(role, {}).items():
            if self.alias.get(mark, mark) != mark:
                continue
            if role in self.rejects and (old["title"] == "Title 1" and mark != self.first if self.journal.rule == "unique"
                                         else old["title"] is None):
                if not self.is_corrected:
                    self.rejected.add(mark)
                    continue
                old = dict(old, title=f"corrected {mark}")
            values = {leaf: old.get(leaf, int(each["default"]) if each["default"] else None)
                      for leaf, _, each in leaves(entity, self.entities) if "formula" not in each and not leaf.startswith(MARK)}
            if "external policy" in self.journal.run and role == "photo" and values["stars"] % 2:
                values["stars"] += 100
            yield mark, values

    def add_extra(self):
        """What a policy makes and what is split off."""
        photos = self.source["photo"]
        if "split off" in self.journal.forms:
            role = "image" if "external" in self.journal.store else "score"
            self.found["picture"] = {mark: {**self.defaults("picture"), role: old[role]}
                                     for mark, old in photos.items() if old[role] is not None}
        if "external policy" in self.journal.run:
            self.found["place"] = {PLACES + old["stars"] % 3: {**self.defaults("place"), "spot": f"spot {old['stars'] % 3}"}
                                   for mark, old in photos.items() if mark in self.found["photo"]}

    def defaults(self, role):
        """What a later step adds to the objects of an entity that an earlier one makes."""
        entity = next(each for each in self.entities if each["role"] == role)
        return {each["role"]: int(each["default"]) for each in entity["attributes"] if each["default"]}

    def add_links(self, entity):
        before = {each["role"]: each for old in self.journal.versions[0] for each in old["relationships"]}
        for link in chance.properties(entity, self.entities, "relationships"):
            role, target = link["role"], named(self.entities, link["target"])
            alive = {mark for each in self.entities if target in (each, named(self.entities, each["parent"] or each["name"]))
                     for mark in self.found[each["role"]]}
            for mark, values in self.found[entity["role"]].items():
                old = self.source.get(entity["role"], {}).get(mark, {}).get(role, [])
                if role in ("shot", "shotOf"):
                    other = self.found["picture" if role == "shot" else "photo"]
                    old = [mark] if mark in other else []
                elif role == "where" and entity["role"] == "photo":
                    old = [PLACES + self.source["photo"][mark]["stars"] % 3]
                elif role == "placed":
                    old = [each for each in self.found["photo"] if PLACES + self.source["photo"][each]["stars"] % 3 == mark]
                merged = [mark] if role != "tagged" else [each for each in self.alias if self.alias[each] == mark] or [mark]
                if len(merged) > 1:
                    old = [each for one in merged for each in self.source["tag"][one]["tagged"]]
                members = list(dict.fromkeys(self.alias.get(each, each) for each in old if self.alias.get(each, each) in alive))
                if not (link["ordered"] and before.get(role, link)["ordered"]):
                    # Members that had no order are ordered by their keys.
                    members.sort(key=str if not link["ordered"] else None)
                values[role] = members

    def derive(self, entity):
        for attribute in chance.properties(entity, self.entities, "attributes"):
            for mark, values in self.found[entity["role"]].items() if "formula" in attribute else ():
                role = attribute["role"]
                if role in ("photoCount", "uses"):
                    values[role] = len(values["photos" if role == "photoCount" else "tagged"])
                elif role == "starSum":
                    values[role] = sum({**self.found["photo"], **self.found["memo"]}[each]["stars"] for each in values["photos"])
                elif role == "albumLabel":
                    values[role] = self.found["album"][values["album"][0]]["label"] if values["album"] else None
                elif role == "capitals":
                    values[role] = values["title"] and values["title"].upper()

    def add_losses(self):
        """Objects and values without an heir, and values whose files are missing. Objects that were left out are no losses;
        what only they held may be counted, and so may derived values and what merged objects held."""
        made = {}
        for objects in self.found.values():
            for mark, values in objects.items():
                made.setdefault(mark, set()).update(values)
        formulas = {each["role"] for entity in self.journal.before for each in entity["attributes"] if "formula" in each}
        links = {each["role"] for entity in self.journal.before for each in entity["relationships"]}
        counts = {kind: [0, 0] for kind in ("objects", "values")}
        for objects in self.source.values():
            for mark, old in objects.items():
                is_merged = self.alias.get(mark, mark) != mark
                is_gone = mark not in made and mark not in self.rejected
                values = {name for name, value in old.items() if value is not None} - links
                vague = values if mark not in made or is_merged or mark in self.rejected else values & formulas
                lost = {name for name in values - vague if name not in made[mark] or isinstance(old[name], tuple)}
                for kind, least, more in (("objects", is_gone and not is_merged, is_gone and is_merged),
                                          ("values", len(lost), len(vague))):
                    counts[kind][0] += least
                    counts[kind][1] += least + more
        self.losses = {kind: tuple(each) for kind, each in counts.items()}
