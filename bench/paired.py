"""The cases whose commands are timed in turn: for a number of rows, the lines of a table."""
import json, os, subprocess, sys

import scripts
from measuring import (MODELS, ROOT, Job, Line, Store, attribute, check, count, mapping, median, migrate, model, notes, opened,
                       script, to_many, to_one, use_memory, write)

UNCLOUDNOTES = os.path.join(ROOT, "Plans", "uncloudnotes")
ADDRESSES = os.path.join(ROOT, "Plans", "examples", "e4-addresses")
SPLIT = ["--mapping", os.path.join(MODELS, "split.json")]
ADDED = ["--destination-model", notes("with attribute")]


def tagged(rows, *words):
    """A store of notes in folders, with tags."""
    return Store(notes(), f"Note={rows},Folder={max(rows // 40, 1)},Tag={max(rows // 20, 1)}",
                 ("--links", "Note.tags=1.5", "--bytes", "Note.image=150-250", *words))


def split(rows):
    """The store of notes that are split; seven in ten have no image."""
    return tagged(rows, "--nil", "Note.image=70%")


def uncloudnotes(rows, version=2, size="100-400", without="70%"):
    return Store(os.path.join(UNCLOUDNOTES, f"UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel v{version}.xcdatamodel"),
                 f"Note={rows}", ("--bytes", f"Note.image={size}", "--nil", f"Note.image={without},Note.dateCreated=0"))


def copies(rows, bench):
    def python(parts):
        text = scripts.PYTHON.format(**dict(zip(("statements", "note", "columns"), parts)))
        return Job(lambda _, __, source, path, ___: ([sys.executable, write(path + ".py", text), source, path], path))
    cp = Job(lambda _, __, source, path, ___: (["cp", source, path], path), "")
    for name, version, parts, is_rebuilt in [
        ("add an attribute", "with attribute", scripts.copied(pinned=True), False),
        ("add an optional attribute", "with optional attribute", scripts.copied(origin=True), False),
        ("add an optional attribute, rebuilt", "with optional attribute", scripts.copied(origin=True), True),
        ("rename an entity", "renamed", scripts.copied("ZPAGE"), False),
        ("rename an entity, rebuilt", "renamed", scripts.copied("ZPAGE"), True),
    ]:
        planning = ["--destination-model", notes(version), *["--strategy", "rebuild"] * is_rebuilt]
        yield Line(name, tagged(rows), migrate(*planning), {
            "best": script(scripts.copy(*parts, best=True)), "default": script(scripts.copy(*parts, best=False)),
            "python": python(parts), "cp": cp})


def images(rows, bench):
    """A value above 1 MiB is passed on in pieces, for which its table is written by SQL as a whole."""
    for name, change in [("of 64 KiB", ""), ("and one of 2 MiB", "UPDATE ZNOTE SET ZIMAGE = randomblob(2 << 20) WHERE Z_PK = 500")]:
        store = Store(notes(), f"Note={rows},Folder={max(rows // 40, 1)},Tag={max(rows // 20, 1)}",
                      ("--links", "Note.tags=1.5", "--bytes", "Note.image=64K-64K", "--nil", "Note.image=0"), change)
        yield Line(name, store, migrate("--destination-model", notes("with optional attribute"), "--strategy", "rebuild"),
                   {"best": script(scripts.copy(*scripts.copied(origin=True), best=True))})


def splits(rows, bench):
    yield Line("notes with tags", split(rows), migrate(*SPLIT), {"best script": script(scripts.NOTES)})
    yield Line("UnCloudNotes v2 to v3", uncloudnotes(rows), migrate("--mapping", os.path.join(UNCLOUDNOTES, "v2-to-v3.json")),
               {"best script": script(scripts.UNCLOUDNOTES)})


# Texts that upper() and uppercase: treat alike, and numbers that arithmetic does not leave.
ALIKE = "UPDATE ZNOTE SET ZTITLE = 'Letter ' || Z_PK || ' along the river', ZDISPLAYINDEX = Z_PK * 7919 % 100; VACUUM;"


def evaluated(rows, bench):
    store = Store(notes(), f"Note={rows},Folder={max(rows // 40, 1)},Tag=100",
                  ("--links", "Note.tags=0", "--bytes", "Note.image=150-250", "--nil", "Note.image=0"), ALIKE)
    for name, sql in {
        "uppercase": scripts.evaluated({"ZTITLE": "upper(n.ZTITLE)"}),
        "three": scripts.evaluated({"ZDISPLAYINDEX": "n.ZDISPLAYINDEX * 3 + 7",
                                    "ZBODY": "(SELECT f.ZNAME FROM s.ZFOLDER AS f WHERE f.Z_PK = n.ZFOLDER)",
                                    "ZTITLE": "CASE WHEN n.ZDISPLAYINDEX > 50 THEN 'high' ELSE n.ZTITLE END"}),
        "filter": scripts.evaluated({}, " WHERE n.ZDISPLAYINDEX % 2 = 1"),
    }.items():
        yield Line(name, store, migrate("--mapping", os.path.join(MODELS, f"{name}.json")), {"best script": script(sql)})


def links(rows, bench):
    store = Store(os.path.join(MODELS, "Items.xcdatamodeld", "Items.xcdatamodel"), f"Item={rows}")
    for name, sql in [("links", scripts.links), ("evaluated-links", scripts.evaluated_links)]:
        # Filters that are evaluated are measured with the smallest store.
        if name == "links" or rows == bench.options.rows[0]:
            yield Line(f"{name.replace('-', ' ')} of {rows:,} items", store,
                       migrate("--mapping", os.path.join(MODELS, f"{name}.json")), {"best script": script(sql(rows))})


def unique(rows, bench):
    with open(os.path.join(ADDRESSES, "all.json")) as file:
        content = json.load(file)
    for part in ("source", "destination"):
        content[part] = {"model": os.path.join(ADDRESSES, content[part]["model"])}
    planning = ["--mapping", mapping(bench.folder, "unique", **content)]
    del content["entityMappings"][0]["unique"]
    plain = migrate("--mapping", mapping(bench.folder, "plain", **content), same="")
    for addresses in (100, rows * 9 // 10):
        # 7919 has no common factor with the numbers of addresses, so that all of them occur.
        store = Store(os.path.join(ADDRESSES, "Source.xcdatamodel"), f"Person={rows}", change="UPDATE ZPERSON SET ZSTREET = "
                      f"(Z_PK * 7919 % {addresses}) || ' High Street', ZCITY = 'Town', ZZIP = '12345'; VACUUM;")
        yield Line(f"{rows:,} persons, {addresses:,} addresses", store, migrate(*planning), {"plain split": plain},
                   rows=rows + addresses)


def preflight(rows, bench):
    for name, words in [("whole", []), ("sample", ["--sample", "1%"])]:
        yield Line(name, split(rows), check("preflight", *words, planning=SPLIT), {"plain run": migrate(*SPLIT, same="")})


def verify(rows, bench):
    def reading(source, made):
        """The script that makes the store once more, and the largest value of every column of both stores."""
        sql = scripts.NOTES
        for store in (source, made):
            database = opened(store)
            sql += f"ATTACH '{store}' AS r;\n"
            for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
                columns = [f'max("{column[1]}")' for column in database.execute(f'PRAGMA table_info("{table}")')]
                sql += f'SELECT {", ".join(columns)} FROM r."{table}" NOT INDEXED;\n'
            database.close()
            sql += "DETACH r;\n"
        return sql
    plain, sql = migrate(*SPLIT, same=""), script(reading)
    sql.same = ""
    yield Line("quick", split(rows), check("verify", planning=SPLIT, runs=True), {"plain run": plain})
    yield Line("full", split(rows), check("verify", "--level", "full", planning=SPLIT, runs=True),
               {"plain run": plain, "script and reading": sql})
    yield Line("quarantine", split(rows), migrate(*SPLIT, run=("--on-error", "quarantine")), {"plain run": migrate(*SPLIT)})


def durability(rows, bench):
    for name, store, planning in [
        ("add an attribute", tagged(rows), ADDED),
        ("UnCloudNotes v2 to v3", uncloudnotes(rows, size="150-250", without="90%"),
         ["--mapping", os.path.join(UNCLOUDNOTES, "v2-to-v3.json")])]:
        yield Line(name, store, migrate(*planning), {
            f"batches of {batch:,}": migrate(*planning, same="bytes", batch=batch) for batch in [2000, 20000, 200000]})



TYPES = {"n": "Integer 64", "t": "String", "d": "Date", "b": "Boolean"}
# By the number of the step: which notes are taken, and what is computed.
MAPPED = {5: ('headline != nil', {"text": 'TERNARY($source.body == nil, "nothing", $source.body)'}),
          10: (None, {"edited": "$source.created"})}
SINGLE = {1: ('title != nil', {"body": 'TERNARY($source.body == nil, "nothing", $source.body)'})}


def versions(folder):
    """Thirteen versions of a model: an attribute is added, renamed, removed, or gets a default value. Returns their paths."""
    def added(*new):
        return lambda former: former + [new]

    def renamed(old, new):
        return lambda former: [(new, kind, old, value) if name == old else (name, kind, earlier, value)
                               for name, kind, earlier, value in former]

    def removed(old):
        return lambda former: [each for each in former if each[0] != old]
    # Name, type, earlier name, default value of a required one.
    attributes = [("title", "t", None, None), ("body", "t", None, None), ("rank", "n", None, None), ("created", "d", None, None)]
    paths = []
    for change in [
        lambda former: former, added("stars", "n", None, "3"), renamed("title", "headline"), added("pinned", "b", None, "NO"),
        removed("rank"), renamed("body", "text"), added("rank", "n", None, "7"), added("author", "t", None, None),
        renamed("headline", "name"), removed("pinned"), added("edited", "d", None, None), renamed("stars", "rating"),
        added("pinned", "b", None, "YES"),
    ]:
        attributes = change([(name, kind, None, value) for name, kind, _, value in attributes])
        paths.append(model(os.path.join(folder, "App.xcdatamodeld"), f"v{len(paths) + 1:02}", {"Note": [
            attribute(name, TYPES[kind], (f'elementID="{earlier}" ' if earlier else "")
                      + (f'defaultValueString="{value}"' if value else 'optional="YES"'))
            for name, kind, earlier, value in attributes]}))
    return paths


def chain(folder, name, models, mappings):
    """A file with the chain of some models, and mappings between them by the number of the step. Returns its path."""
    parts = models[:1]
    for step, path in enumerate(models[1:], 1):
        if step in mappings:
            condition, attributes = mappings[step]
            parts.append(mapping(folder, f"{name}-{step}", entityMappings=[{
                "source": "Note", "destination": "Note", "attributes": attributes, **({"filter": condition} if condition else {})}]))
        parts.append(path)
    return mapping(folder, name, chain=parts)


def chains(rows, bench):
    paths = versions(bench.folder)
    for name, title, mapped, single in [("twelve", "twelve steps as one", {}, {}),
                                        ("mapped", "twelve steps as one, two by mappings", MAPPED, SINGLE)]:
        fused = ["--mapping", chain(bench.folder, name, paths, mapped)]
        yield Line(title, Store(paths[0], f"Note={rows}"), migrate(*fused), {
            "single step": migrate("--mapping", chain(bench.folder, f"{name}-one", paths[:2], single), same=""),
            "step by step": migrate(*fused, "--no-fuse")})


def growth(rows, bench):
    def columns(bench, runs, made):
        found = count(made)
        wall, cpu = (median(runs[0], key) / found * 1e6 for key in ("wall", "cpu"))
        base = bench.kept.setdefault("growth", (wall, cpu))
        return {"rows": f"{found:,}", "MiB": f"{os.path.getsize(made) / 2**20:.0f}", "µs a row": f"{wall:.3f}",
                "growth": f"{wall / base[0] - 1:+.0%}", "CPU µs a row": f"{cpu:.3f}", "CPU growth": f"{cpu / base[1] - 1:+.0%}"}
    if rows >= 10_000_000:
        use_memory()
    cp = Job(lambda _, __, ___, path, made: (["cp", made, path], path), "")
    yield Line(f"{rows:,} notes", split(rows), migrate(*SPLIT), {"cp": cp}, columns=columns)


def entities(rows, bench):
    """Processor time against the line above of the same kind, and the bar for it."""
    def columns(kind, number):
        def grown(bench, runs, _):
            cpu = median(runs[0], "cpu")
            above, bench.kept[kind] = bench.kept.get(kind), (number, cpu)
            bench.failed |= cpu > bench.options.bar
            return {"CPU ratio to above": f"{cpu / above[1]:.1f}", "of the entities": f"{number / above[0]:.0f}"} if above else {}
        return grown

    def rings(number, added):
        return {f"E{place:04}": [attribute("name", "String"), attribute("n", "Integer 64"), *added,
                                 to_one("next", f"E{(place + 1) % number:04}", "prev"),
                                 to_many("prev", f"E{(place - 1) % number:04}", "next")] for place in range(number)}

    def levels(number, added):
        return {f"D{place:03}": [attribute(f"a{place}", "String"), *([attribute(f"b{place}", "String")] if added else [])]
                for place in range(number)}
    for kind, number, objects in [("entities", 20, rows), ("entities", 200, rows), ("entities", 2_000, rows),
                                  ("levels", 20, rows // 6), ("levels", 200, rows // 6)]:
        make = rings if kind == "entities" else levels
        parents = {} if kind == "entities" else {f"D{place:03}": f"D{place - 1:03}" for place in range(1, number)}
        models = [model(bench.folder, f"{kind}{number}{end}", make(number, added), parents)
                  for end, added in (("", []), ("b", [attribute("added", "String")]))]
        each = max(objects // number, 1)
        store = Store(models[0], ",".join(f"{entity}={each}" for entity in make(number, [])))
        planning = ["--source-model", models[0], "--destination-model", models[1], "--strategy", bench.options.strategy,
                    "--max-loss", "all"]

        def plan(_, program, source, path, __, planning=planning):
            words = ["plan", "-q", "--source", source, "--destination", path, *planning, "--output", path + ".plan"]
            return [program, *words], path + ".plan"
        yield Line(f"{number:,} {kind}, plan", store, Job(plan, ""), columns=columns(f"{kind} plan", number))
        yield Line(f"{number:,} {kind}, run", store, migrate(*planning, memory="256M"), rows=each * number,
                   columns=columns(kind, number))


def policies(rows, bench):
    """Policies against a mapping alone, which copies."""
    def more(bench, runs, _):
        copied = runs[len(runs) // 2:]
        found = [(median(run, "wall") - median(base, "wall")) / rows * 1e6 for run, base in zip(runs, copied)]
        return {"rows/s": f"{rows / median(runs[0], 'wall'):,.0f}", "µs a row more": f"{found[0]:.1f}", **({
            "other's more": f"{found[1]:.1f}", "its ratio": f"{found[0] / found[1]:.2f}"} if bench.against else {})}

    def planning(models, name, copied, policy=None, words=()):
        file = mapping(bench.folder, f"policies-{name}".replace(" ", "-"), infer="none", entityMappings=[{
            "source": "Person", "destination": "Person", **({"policy": policy} if policy else {}),
            "attributes": {key: "$source." + key for key in copied}}])
        return migrate("--mapping", file, "--destination-model", models[1], *words, run=words, same="")
    compiled = os.path.join(bench.folder, "split_name")
    subprocess.run(["cc", "-O2", "-o", compiled, os.path.join(MODELS, "split_name.c")], check=True)
    programs = {"Swift": [], "compiled": ["--policy", "SplitName=" + compiled],
                "Python": ["--policy", "SplitName=python3 " + os.path.join(MODELS, "split_name.py")]}
    for kind, before, added in [("names", ["name"], ["first", "last"]), ("three", ["name", "street", "city"], ["address"])]:
        models = [model(bench.folder, f"{kind}{version}", {"Person": [attribute(name, "String") for name in names]})
                  for version, names in enumerate((before, before + added))]
        store, copied = Store(models[0], f"Person={rows}"), planning(models, f"{kind} copied", before)
        for name, policy, words in ([(name, "SplitName", words) for name, words in programs.items()] if kind == "names" else
                                    [("three", "Address", [])]):
            job = planning(models, name, ["name"] if kind == "names" else [], policy, words)
            job.same = "content"
            yield Line(name, store, job, {"copied": copied}, alike=kind, columns=more, subtracts=True)
