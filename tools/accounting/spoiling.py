"""Makes a store of a draft with the program's fixtures, and then gives it what fixtures do not have."""
import contextlib, os, random, sqlite3, uuid

import history
from chance import lineage
from drawing import MARK
from measuring import opened

HISTORY = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB{} )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
    "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
    "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), "
    "(16003, 'TRANSACTIONSTRING', 0, 0)",
]
CLOUD = [
    "CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, "
    "ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR )",
    "CREATE TABLE ANSCKHISTORYANALYZERSTATE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
    "ZENTITYID INTEGER, ZENTITYPK INTEGER )",
]


class Spoiler:
    """Changes a store; what was done is kept in `done`."""

    def __init__(self, path, draft):
        self.path, self.draft = path, draft
        self.random = random.Random(draft.seed * 7919 + 1)
        self.done = set()
        # What stands in the cells of values whose files are not there.
        self.missing = set()
        self.connection = sqlite3.connect(path, isolation_level=None)
        # Triggers of derived attributes call what only Core Data has.
        for name in ("NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"):
            self.connection.create_function(name, -1, lambda *_: None)
        for name, function in (("ToUpper", str.upper), ("ToLower", str.lower), ("Canonical", str.casefold)):
            self.connection.create_function("NSCoreData" + name, 1,
                                            lambda text, function=function: text if text is None else function(text))

    def spoil(self):
        self.connection.execute("BEGIN")
        self.mark()
        self.take_values()
        is_forgetful = self.random.random() < 0.5
        for entity in self.draft.before:
            for attribute in entity["attributes"]:
                if attribute.get("external"):
                    self.lay_values(self.table(entity), "Z" + attribute["name"].upper(), is_forgetful)
        for chance_, action in ((0.2, self.dangle), (0.3, self.add_tables), (0.2, self.add_columns),
                                (0.3, self.add_history), (0.15, self.add_cloud), (0.12, self.add_rtree)):
            if self.random.random() < chance_:
                self.done.add(action.__name__)
                action()
        self.is_damaged = self.random.random() < 0.14
        if self.is_damaged:
            self.fatten()
        elif self.random.random() < 0.12:
            self.add_strays()
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()

    def roots(self):
        return [each for each in self.draft.before if each["parent"] is None]

    def table(self, entity):
        return "Z" + lineage(entity, self.draft.before)[-1]["name"].upper()

    def columns(self, table):
        return [row[1] for row in self.connection.execute(f'PRAGMA table_info("{table}")')]

    def mark(self):
        for number, root in enumerate(self.roots(), 1):
            self.connection.execute(f"UPDATE {self.table(root)} SET Z{MARK.upper()} = {number * 1000} + Z_PK")

    def take_values(self):
        """Sets cells of some columns to NULL, those of links too."""
        for root in self.roots():
            table = self.table(root)
            for column in self.columns(table):
                if column[:2] == "Z_" or column == "Z" + MARK.upper() or self.random.random() < 0.6:
                    continue
                if any(f"Z{each['name'].upper()}" == column and "derived" in each
                       for entity in self.draft.before for each in entity["attributes"]):
                    continue
                # The key of a link, the number of its entity and its place go together: keys are left alone here.
                if any(column.endswith(each["name"].upper()) for entity in self.draft.before
                       for each in entity["relationships"]):
                    continue
                self.connection.execute(f'UPDATE "{table}" SET "{column}" = NULL WHERE Z_PK % 5 = ?',
                                        (self.random.randrange(5),))

    def lay_values(self, table, column, is_forgetful):
        """Puts some values into files beside the store, and forgets some of the files."""
        folder = os.path.join(os.path.dirname(self.path), ".source_SUPPORT", "_EXTERNAL_DATA")
        os.makedirs(folder, exist_ok=True)
        rows = self.connection.execute(f"SELECT Z_PK FROM {table} WHERE {column} IS NOT NULL AND Z_PK % 5 = 1").fetchall()
        for key, in rows:
            name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{table} {column} {key}")).upper()
            value = b"\2" + name.encode() + b"\0"
            self.connection.execute(f"UPDATE {table} SET {column} = ? WHERE Z_PK = ?", (value, key))
            if is_forgetful and key % 4 == 0:
                self.missing.add(value)
                continue
            with open(os.path.join(folder, name), "wb") as file:
                file.write(bytes([key % 256]) * (key * 40 % 9000))

    def dangle(self):
        """Keys of a relationship to one that lead nowhere."""
        links = [(entity, link) for entity in self.draft.before for link in entity["relationships"] if not link["many"]]
        if links:
            entity, link = self.random.choice(links)
            self.connection.execute(f"UPDATE {self.table(entity)} SET Z{link['name'].upper()} = 900 + Z_PK "
                                    f"WHERE Z{link['name'].upper()} IS NOT NULL AND Z_PK % 7 = 3")

    def add_strays(self):
        """Rows with a Z_ENT that no entity of their table has: a number of no entity, or none."""
        table = self.table(self.random.choice(self.roots()))
        self.connection.execute(f"UPDATE {table} SET Z_ENT = ? WHERE Z_PK % 9 = ?",
                                (self.random.choice([0, 900, None]), self.random.randrange(9)))

    def add_tables(self):
        """Tables of the application: one that nothing hinders, and one whose name the destination may need."""
        names = ["APPDATA"]
        known = {each["name"] for each in self.draft.before}
        new = [each for each in self.draft.last if each["name"] not in known and each["parent"] is None]
        if new and self.random.random() < 0.8:
            names.append("Z" + self.random.choice(new)["name"].upper())
        for name in names:
            self.connection.execute(f'CREATE TABLE "{name}" (id INTEGER PRIMARY KEY, text TEXT, more BLOB)')
            for number in range(self.random.randint(1, 9)):
                self.connection.execute(f'INSERT INTO "{name}" VALUES (?, ?, ?)',
                                        (number + 1, f"row {number}", None if number % 2 else b"x"))

    def add_columns(self):
        root = self.random.choice(self.roots())
        self.connection.execute(f"ALTER TABLE {self.table(root)} ADD COLUMN XAPP VARCHAR")
        self.connection.execute(f"UPDATE {self.table(root)} SET XAPP = 'kept ' || Z_PK WHERE Z_PK % 3 != 0")

    def add_history(self):
        columns = [f"ZTOMBSTONE{number}" for number in range(self.random.randrange(4))]
        for statement in HISTORY:
            self.connection.execute(statement.format("".join(f", {name} BLOB" for name in columns)))
        self.connection.execute("INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'app'), (2, 16003, 1, 'view')")
        change = 0
        for transaction in range(1, self.random.randint(2, 5)):
            self.connection.execute(
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZCONTEXTNAMETS, ZTIMESTAMP) "
                "VALUES (?, 16002, 1, 1, 2, ?)", (transaction, 600000000 + transaction))
            for _ in range(self.random.randint(1, 4)):
                entity = self.random.choice(self.draft.before)
                number = self.connection.execute("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?",
                                                 (entity["name"],)).fetchone()[0]
                change += 1
                kind = self.random.randrange(3)
                length = (len(history.bits(entity, self.draft.before)) + 7) // 8
                mask = self.random.randbytes(max(length - (self.random.random() < 0.1), 0))
                values = [f"{change} {name}" if kind == 2 else None for name in columns]
                self.connection.execute(
                    f"INSERT INTO ACHANGE VALUES (?, 16001, 1, ?, ?, ?, ?, ?{', ?' * len(columns)})",
                    (change, kind, number, self.random.randint(1, 9), transaction, mask if kind == 1 else None,
                     *values))
        for number, count in ((16001, change), (16002, transaction), (16003, 2)):
            self.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", (count, number))

    def add_cloud(self):
        for statement in CLOUD:
            self.connection.execute(statement)
        count = 0
        for entity in self.draft.before:
            keys = self.connection.execute(
                f"SELECT Z_ENT, Z_PK FROM {self.table(entity)} WHERE Z_ENT = "
                "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?) LIMIT 6", (entity["name"],)).fetchall()
            for number, key in keys:
                count += 1
                self.connection.execute("INSERT INTO ANSCKRECORDMETADATA VALUES (?, 1, 1, ?, ?, ?)",
                                        (count, number, key, f"record {count}"))

    def add_rtree(self):
        """An index of places, as Photos has them."""
        root = self.random.choice(self.roots())
        name = f"Z_RT_{root['name']}_byPlace"
        self.connection.execute(f"CREATE VIRTUAL TABLE {name} USING RTREE "
                                "(Z_PK INTEGER PRIMARY KEY, ZX_MIN FLOAT, ZX_MAX FLOAT)")
        self.connection.execute(f"INSERT INTO {name} SELECT Z_PK, Z_PK, Z_PK FROM {self.table(root)} LIMIT 9")

    def fatten(self):
        """Makes rows long, so that tables have several pages."""
        for root in self.roots():
            for entity in self.draft.before:
                for attribute in entity["attributes"]:
                    if attribute["type"] in ("String", "Binary") and not {"derived", "external"} & {
                            key for key, value in attribute.items() if value}:
                        self.connection.execute(
                            f"UPDATE {self.table(entity)} SET Z{attribute['name'].upper()} = CASE "
                            f"typeof(Z{attribute['name'].upper()}) WHEN 'text' THEN printf('%.600c', 'x') "
                            f"WHEN 'blob' THEN zeroblob(600) END")

    # Pages

    def damage(self):
        """Overwrites a leaf of an entity's table; whether there was one below the root."""
        with contextlib.closing(opened(self.path)) as connection:
            leaves = [page for root in self.roots() for page, in connection.execute(
                "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' AND path != '/' ORDER BY path", (self.table(root),))]
        if leaves:
            with open(self.path, "r+b") as file:
                file.seek((self.random.choice(leaves) - 1) * 4096)
                file.write(b"\xee" * 4096)
        return bool(leaves)
