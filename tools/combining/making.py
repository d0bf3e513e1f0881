"""Makes the store of a journal: with the program's fixtures, and then with SQLite what fixtures do not have."""
import os, sqlite3

import spoiling
from contents import leaves
from drawing import MARK
from journal import of_role
from measuring import opened

UNMANAGED = ["CREATE TABLE APPDATA (id INTEGER PRIMARY KEY, text TEXT, more BLOB)",
             "CREATE TABLE APPWORDS (word TEXT PRIMARY KEY, uses) WITHOUT ROWID", "CREATE INDEX APPTEXTS ON APPDATA (text)",
             "CREATE VIEW APPVIEW AS SELECT id, text FROM APPDATA",
             "INSERT INTO APPDATA VALUES (1, 'one', x'01'), (2, 'two', NULL), (5, 'fünf', zeroblob(300))",
             "INSERT INTO APPWORDS VALUES ('b', 1), ('a', 2.5)"]


class StoreMaker:
    """A store that is changed as its features say."""

    def __init__(self, path, journal):
        self.path, self.journal, self.random = path, journal, journal.random
        self.entities = journal.versions[0]
        spoiler = spoiling.Spoiler(path, journal)
        self.connection = spoiler.connection
        triggers = self.connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        self.connection.execute("BEGIN")
        for name, _ in triggers:
            self.connection.execute(f'DROP TRIGGER "{name}"')
        self.set_values(spoiler)
        for _, text in triggers:
            self.connection.execute(text)
        for feature, action in (("history", spoiler.add_history), ("CloudKit", spoiler.add_cloud),
                                ("unmanaged tables", self.add_tables), ("own triggers", self.add_triggers)):
            if feature in journal.store:
                action()
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()
        if "UTF-16" in journal.store:
            self.encode(self.random.choice(["UTF-16le", "UTF-16be"]))

    def column(self, role):
        return next(column for entity in self.entities for each, column, _ in leaves(entity, self.entities) if each == role)

    def set_values(self, spoiler):
        for number, entity in enumerate(spoiler.roots(), 1):
            self.connection.execute(f"UPDATE {spoiler.table(entity)} SET Z{MARK.upper()} = {number * 100_000} + Z_PK")
        photos, tags = (spoiler.table(of_role(self.entities, role)) for role in ("photo", "tag"))
        broken = "'Title 1'" if self.journal.rule == "unique" else "NULL"
        sets = [("title", f"CASE WHEN Z_PK % 17 = 5 THEN {broken} ELSE 'Title ' || Z_PK END"), ("stars", "Z_PK % 6"),
                ("note", "CASE WHEN Z_PK % 4 THEN 'note ' || Z_PK END")]
        for role, value in sets:
            self.connection.execute(f"UPDATE {photos} SET {self.column(role)} = {value}")
        self.connection.execute(f"UPDATE {tags} SET {self.column('word')} = 'word ' || (Z_PK % 7)")
        if "external" in self.journal.store:
            spoiler.lay_values(photos, self.column("image"), self.random.random() < 0.3)

    def add_tables(self):
        for statement in UNMANAGED:
            self.connection.execute(statement)

    def add_triggers(self):
        """Triggers of the application, which do harm if they are fired; some name columns that may be renamed."""
        photo, tag = of_role(self.entities, "photo"), of_role(self.entities, "tag")
        photos, tags, albums, album = ("Z" + each["name"].upper() for each in (
            photo, tag, of_role(self.entities, "album"), of_role(photo["relationships"], "album")))
        title, note, word, label = map(self.column, ("title", "note", "word", "label"))
        self.connection.execute("CREATE TABLE APPLOG (text)")
        self.connection.execute("INSERT INTO APPLOG VALUES ('as it was')")
        for name, event, body in (
            ("appUpdate", f"UPDATE ON {photos}", f"UPDATE {tags} SET {word} = 'fired'; DELETE FROM APPLOG"),
            ("appInsert", f"INSERT ON {photos}", f"INSERT INTO APPLOG SELECT {title} FROM {photos} WHERE Z_PK = new.Z_PK"),
            ("appAlbum", f"INSERT ON {photos}", f"UPDATE {albums} SET {label} = 'fired' WHERE Z_PK = new.{album}"),
            ("appNote", f"UPDATE OF {album} ON {photos}", f"INSERT INTO APPLOG VALUES (new.{note})"),
            ("appDelete", f"DELETE ON {tags}", "DELETE FROM APPLOG"),
        ):
            if self.random.random() < 0.7:
                self.connection.execute(f"CREATE TRIGGER {name} AFTER {event} BEGIN {body}; END")

    def encode(self, encoding):
        """Writes the store again in another encoding of texts."""
        old, path = opened(self.path), self.path + ".encoded"
        new = sqlite3.connect(path, isolation_level=None)
        new.execute(f"PRAGMA encoding = '{encoding}'")
        new.execute("PRAGMA auto_vacuum = 2")
        new.execute("PRAGMA journal_mode = WAL")
        new.execute("BEGIN")
        texts = old.execute("SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY "
                            "type = 'trigger', type = 'view', type = 'index', rowid").fetchall()
        behind = {name + tail for _, name, text in texts if "VIRTUAL" in text for tail in ("_node", "_rowid", "_parent")}
        for kind, name, text in texts:
            if name in behind or name.startswith("sqlite_"):
                continue
            new.execute(text)
            rows = old.execute(f'SELECT * FROM "{name}"').fetchall() if kind == "table" else ()
            if rows:
                new.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
        new.execute("COMMIT")
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        new.close()
        old.close()
        os.replace(path, self.path)
