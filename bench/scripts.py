"""The scripts that a specialist would write by hand, with which migrations are compared.

The best ones have the settings that measured best: no journal, small caches, tables moved whole with their indexes in place,
other indexes made after the rows."""

ATTACH = "ATTACH 'SOURCE' AS s;\n"
FILE = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2;\n"
BEST = FILE + """PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096;
PRAGMA temp_store = FILE; PRAGMA threads = 2;
""" + ATTACH


def create(table, columns):
    return f"CREATE TABLE {table} ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, {columns} );\n"


def index(table, column):
    return f"CREATE INDEX {table}_{column}_INDEX ON {table} ({column});\n"


NOTE = "ZDISPLAYINDEX INTEGER{}, ZFOLDER INTEGER, ZDATECREATED TIMESTAMP, ZBODY VARCHAR{}, ZTITLE VARCHAR, ZIMAGE BLOB"
COLUMNS = ["Z_PK", "Z_ENT", "Z_OPT", "ZDISPLAYINDEX", "ZFOLDER", "ZDATECREATED", "ZBODY", "ZTITLE", "ZIMAGE"]
FOLDER_AND_TAG = create("ZFOLDER", "ZNAME VARCHAR") + create("ZTAG", "ZNAME VARCHAR")


def copied(note="ZNOTE", pinned=False, origin=False):
    """What copies notes with folders and tags: statements that make tables, the table of notes, and what to select for it."""
    statements = (FOLDER_AND_TAG + create(note, NOTE.format(", ZISPINNED INTEGER" * pinned, ", ZORIGIN VARCHAR" * origin))
                  + "CREATE TABLE Z_2TAGS ( Z_2NOTES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2NOTES, Z_3TAGS) );\n"
                  + "CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2NOTES);\n")
    values = ["0" if name == "pinned" else "NULL" if name == "origin" else name
              for name in [*COLUMNS[:4], *["pinned"] * pinned, *COLUMNS[4:7], *["origin"] * origin, *COLUMNS[7:]]]
    return statements, note, ", ".join(values) if pinned or origin else "*"


def copy(statements, note, columns, best):
    """A script that copies; a table that is moved whole has its index in place."""
    early = not best or columns == "*"
    rows = "".join(f"INSERT INTO {new} SELECT {values} FROM s.{old};\n" for new, values, old in [
        ("ZFOLDER", "*", "ZFOLDER"), (note, columns, "ZNOTE"), ("ZTAG", "*", "ZTAG"), ("Z_2TAGS", "*", "Z_2TAGS")])
    return ((BEST if best else FILE + ATTACH) + statements + index(note, "ZFOLDER") * early
            + (f"BEGIN;\n{rows}COMMIT;\n" if best else rows) + index(note, "ZFOLDER") * (not early))


PYTHON = """
import sqlite3, sys
source, destination = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
destination.execute("PRAGMA page_size = 4096"); destination.execute("PRAGMA auto_vacuum = 2")
destination.executescript({statements!r})
destination.execute("CREATE INDEX {note}_ZFOLDER_INDEX ON {note} (ZFOLDER)")
for old, new, columns in [("ZFOLDER", "ZFOLDER", "*"), ("ZNOTE", {note!r}, {columns!r}), ("ZTAG", "ZTAG", "*"), ("Z_2TAGS", "Z_2TAGS", "*")]:
    rows = source.execute(f"SELECT {{columns}} FROM {{old}}")
    marks = ", ".join("?" * len(rows.description))
    destination.executemany(f"INSERT INTO {{new}} VALUES ({{marks}})", rows)
destination.commit()
"""

NOTES = BEST + create("ZATTACHMENT", "ZNOTE INTEGER, ZIMAGE BLOB") + FOLDER_AND_TAG + create(
    "ZNOTE", "ZFOLDER INTEGER, ZDATECREATED TIMESTAMP, ZDISPLAYINDEX FLOAT, ZBODY VARCHAR, ZTITLE VARCHAR") + """
CREATE TABLE Z_3TAGS ( Z_3NOTES INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_3NOTES, Z_4TAGS) );
CREATE INDEX Z_3TAGS_Z_4TAGS_INDEX ON Z_3TAGS (Z_4TAGS, Z_3NOTES);
BEGIN;
INSERT INTO ZATTACHMENT SELECT Z_PK, 1, 1, Z_PK, ZIMAGE FROM s.ZNOTE WHERE ZIMAGE IS NOT NULL;
INSERT INTO ZFOLDER SELECT Z_PK, 2, 1, ZNAME FROM s.ZFOLDER;
INSERT INTO ZNOTE SELECT Z_PK, 3, 1, ZFOLDER, ZDATECREATED, ZDISPLAYINDEX * 9.0 / 5.0 + 32.0, ZBODY, ZTITLE FROM s.ZNOTE;
INSERT INTO ZTAG SELECT Z_PK, 4, 1, ZNAME FROM s.ZTAG;
INSERT INTO Z_3TAGS SELECT * FROM s.Z_2TAGS;
COMMIT;
""" + index("ZATTACHMENT", "ZNOTE") + index("ZNOTE", "ZFOLDER")

UNCLOUDNOTES = BEST + create("ZATTACHMENT", "ZNOTE INTEGER, ZDATECREATED TIMESTAMP, ZIMAGE BLOB") + create(
    "ZNOTE", "ZDISPLAYINDEX INTEGER, ZDATECREATED TIMESTAMP, ZBODY VARCHAR, ZTITLE VARCHAR") + """BEGIN;
INSERT INTO ZATTACHMENT SELECT Z_PK, 1, 1, Z_PK, ZDATECREATED, ZIMAGE FROM s.ZNOTE WHERE ZIMAGE IS NOT NULL;
INSERT INTO ZNOTE SELECT Z_PK, 2, 1, ZDISPLAYINDEX, ZDATECREATED, ZBODY, ZTITLE FROM s.ZNOTE;
COMMIT;
""" + index("ZATTACHMENT", "ZNOTE")


def evaluated(changed, where=""):
    """Notes with other values of some columns, and a part of them."""
    values = ", ".join({"Z_OPT": "1", **changed}.get(name, f"n.{name}") for name in COLUMNS)
    return (BEST + FOLDER_AND_TAG + create("ZNOTE", NOTE.format("", "")) + f"""BEGIN;
INSERT INTO ZFOLDER SELECT Z_PK, Z_ENT, 1, ZNAME FROM s.ZFOLDER;
INSERT INTO ZNOTE ({', '.join(COLUMNS)}) SELECT {values} FROM s.ZNOTE AS n{where};
INSERT INTO ZTAG SELECT Z_PK, Z_ENT, 1, ZNAME FROM s.ZTAG;
COMMIT;
""" + index("ZNOTE", "ZFOLDER"))


def cached(items):
    """A cache of the table in which a script looks up keys.

    It holds 500,000 items whole, within the memory that the tool gets; beyond that a small one measured best."""
    return f"PRAGMA s.cache_size = -{48 << 10 if items <= 500_000 else 4 << 10};\n"


def links(items):
    """Items in one table, the sold ones behind the others, and the next of each."""
    rows = "".join(f"""INSERT INTO ZTHING SELECT i.Z_PK{more}, 1, 1, i.ZAMOUNT{one}, n.Z_PK + iif(n.ZISSOLD, {items}, 0), i.ZTITLE
  FROM s.ZITEM AS i LEFT JOIN s.ZITEM AS n ON n.Z_PK = i.ZNEXT WHERE {negated} i.ZISSOLD;
""" for more, one, negated in [("", "", "NOT"), (f" + {items}", " + 1", "")])
    return (BEST + cached(items) + create("ZTHING", "ZAMOUNT INTEGER, ZNEXT INTEGER, ZTITLE VARCHAR")
            + f"BEGIN;\n{rows}COMMIT;\n" + index("ZTHING", "ZNEXT"))


def evaluated_links(items):
    """Items in two tables by a filter, linked to those of the other one, with the middle of three numbers."""
    made = "".join(create(table, "ZNEXT INTEGER, ZMIDDLE FLOAT, ZTITLE VARCHAR") for table in ("ZITEM", "ZSUB"))
    rows = "".join(f"""INSERT INTO {table} SELECT i.Z_PK, {entity}, 1, CASE WHEN n.ZAMOUNT % 3 {other} 1 THEN n.Z_PK END,
  CASE WHEN n.ZAMOUNT IS NULL THEN (i.ZAMOUNT + 1) / 2.0 ELSE
    i.ZAMOUNT + 1 + n.ZAMOUNT - min(i.ZAMOUNT, 1, n.ZAMOUNT) - max(i.ZAMOUNT, 1, n.ZAMOUNT) END, i.ZTITLE
  FROM s.ZITEM AS i LEFT JOIN s.ZITEM AS n ON n.Z_PK = i.ZNEXT WHERE i.ZAMOUNT % 3 {own} 1;
""" for table, entity, own, other in [("ZITEM", 1, "<>", "="), ("ZSUB", 2, "=", "<>")])
    return BEST + cached(items) + made + f"BEGIN;\n{rows}COMMIT;\n" + index("ZITEM", "ZNEXT") + index("ZSUB", "ZNEXT")
