"""Reads a Core Data store by the rules of its format: which rows are which objects, which cells hold which attribute,
and which objects relationships connect. It knows the model and SQLite, and nothing of the program that is tried."""
import collections, re

from chance import lineage, named
from drawing import MARK
from measuring import opened

HISTORY = ("ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING")
# What belongs to every store.
OWN = {"Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", *HISTORY}


class Store:
    """The contents of a store, which are held in memory: stores are small here."""

    def __init__(self, path, entities):
        self.entities = entities
        self.connection = opened(path)
        self.connection.text_factory = bytes
        self.tables = {name.decode(): text.decode() for name, text in self.connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table'") if text}
        self.numbers = {number: name.decode() for number, name in self.connection.execute(
            "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")}
        self.rows = {}
        # Objects by table and key, and by mark; rows of no entity of their table are none, and only counted.
        self.objects, self.marked, self.strays = {}, {}, {}
        for table in {self.table(entity) for entity in entities}:
            names = self.columns(table)
            self.rows[table] = [dict(zip(names, row)) for row in self.connection.execute(f'SELECT * FROM "{table}"')]
            known = {each["name"] for each in entities if self.table(each) == table}
            strays = [row for row in self.rows[table] if self.numbers.get(row["Z_ENT"]) not in known]
            self.strays[table] = len(strays)
            self.rows[table] = [row for row in self.rows[table] if row not in strays]
            for row in self.rows[table]:
                found = Object(self.numbers.get(row["Z_ENT"]), table, row)
                self.objects[table, row["Z_PK"]] = found
                self.marked.setdefault(found.mark, []).append(found)

    # Entities

    def table(self, entity):
        return "Z" + lineage(entity, self.entities)[-1]["name"].upper()

    def hierarchy(self, name):
        """The names of an entity and of all below it."""
        return [each["name"] for each in self.entities if any(above["name"] == name for above in lineage(each, self.entities))]

    # Columns

    def columns(self, table):
        return [row[1].decode() for row in self.connection.execute(f'PRAGMA table_info("{table}")')]

    def explained(self, table):
        """The columns of a table that attributes, links and the store itself need; elements are not among them."""
        found = {"Z_PK", "Z_ENT", "Z_OPT"}
        for entity in self.entities:
            if self.table(entity) == table:
                found |= {"Z" + each["name"].upper() for each in entity["attributes"] + entity["relationships"]}
            for link in entity["relationships"]:
                upper = link["name"].upper()
                if self.table(named(self.entities, link["target"])) == table or self.table(entity) == table:
                    found |= {name for name in self.columns(table)
                              if re.fullmatch(rf"Z_FOK_\d*{upper}|Z\d+_?{upper}", name)}
        return found

    def cells(self, entity, attribute):
        """The columns of an attribute: one, or one for each element of a composite, by the element's name."""
        table = self.table(entity)
        if "elements" not in attribute:
            return {attribute["name"]: "Z" + attribute["name"].upper()}
        # What nothing else explains and ends with the name of an element holds it.
        rest = [name for name in self.columns(table) if name not in self.explained(table)]
        found = {}
        for element in attribute["elements"]:
            columns = [name for name in rest if re.search(rf"[Z_]{element['name'].upper()}$", name)]
            if len(columns) != 1:
                raise LookupError(f"{table} has {len(columns)} columns for element {element['name']}: {rest}")
            found[element["name"]] = columns[0]
        return found

    # Relationships

    def relationship(self, name):
        """A relationship and the entity that has it; its name is unique in the model."""
        for entity in self.entities:
            for link in entity["relationships"]:
                if link["name"] == name:
                    return entity, link
        return None

    def links(self, name):
        """The links of a relationship: pairs of objects, one None where a key leads nowhere, and how often who
        holds the keys: near, far, or a pair of its own."""
        entity, link = self.relationship(name)
        target = named(self.entities, link["target"])
        found = {}
        inverse = self.relationship(link["inverse"])[1] if link["inverse"] else None
        if link["many"] and inverse and inverse["many"]:
            return self.pairs(entity, target, link, inverse)
        if not link["many"]:
            self.keys(entity, "Z" + name.upper(), target, found, "near")
        elif not inverse:
            for column in self.columns(self.table(target)):
                if re.fullmatch(rf"Z\d+{name.upper()}", column):
                    self.keys(target, column, entity, found, "far")
        if inverse and not inverse["many"]:
            self.keys(target, "Z" + inverse["name"].upper(), entity, found, "far")
        return found

    def keys(self, holder, column, other, found, side):
        """Adds the links of a column that holds keys."""
        holders, table = set(self.hierarchy(holder["name"])), self.table(other)
        for row in self.rows[self.table(holder)]:
            own = self.objects[self.table(holder), row["Z_PK"]]
            if row.get(column) is None or side == "near" and own.entity not in holders:
                continue
            end = self.objects.get((table, row[column]))
            link = (own, end) if side == "near" else (end, own)
            found.setdefault(link, collections.Counter())[side] += 1

    def pairs(self, entity, target, link, inverse):
        found = {}
        upper, other = link["name"].upper(), inverse["name"].upper()
        for table in self.tables:
            if not re.fullmatch(rf"Z_\d+({upper}|{other})", table):
                continue
            names = self.columns(table)
            far = next(each for each in names if re.fullmatch(rf"Z_\d+{upper}", each))
            near = next(each for each in names if re.fullmatch(rf"Z_\d+{other}|REFLEXIVE", each) and each != far)
            for one, two in self.connection.execute(f'SELECT "{near}", "{far}" FROM "{table}"'):
                ends = self.objects.get((self.table(entity), one)), self.objects.get((self.table(target), two))
                found.setdefault(ends, collections.Counter())["pair"] += 1
        return found

    # What no model explains

    def managed_tables(self):
        found = set(self.rows)
        for entity in self.entities:
            for link in entity["relationships"]:
                found |= {table for table in self.tables if re.fullmatch(rf"Z_\d+{link['name'].upper()}", table)}
        return found

    def other_tables(self):
        """The tables that neither the model nor Core Data needs; those behind an R-tree are not told apart."""
        return {table: text for table, text in self.tables.items()
                if table not in self.managed_tables() | OWN and not table.startswith("sqlite_")
                and not re.search(r"_(node|rowid|parent)$", table)}

    def count(self, table):
        return self.connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]

    def other_columns(self, table):
        elements = set()
        for entity in self.entities:
            if self.table(entity) == table:
                for attribute in entity["attributes"]:
                    if "elements" in attribute:
                        elements |= set(self.cells(entity, attribute).values())
        return [name for name in self.columns(table) if name not in self.explained(table) | elements]


class Object:
    """A row of an entity's table."""

    def __init__(self, entity, table, row):
        self.entity, self.table, self.row = entity, table, row
        self.mark = row.get("Z" + MARK.upper())
