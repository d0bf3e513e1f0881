"""The cases that are not timed in turn: memory under limits, bytes read from the disk, copies of a store in use."""
import contextlib, json, os, resource, shutil, sqlite3, subprocess, sys, time

from measuring import (SIZES, Line, Store, attribute, clear, digest, mapping, median, migrate, model, notes, number, timed,
                       to_many, to_one)
from paired import ADDED, ADDRESSES, SPLIT, split

GROUP = "/sys/fs/cgroup/memory/bulkmigrate-reads"


def workloads(rows, bench):
    """The migrations of the case memory, of which those with notes depend on the rows."""
    options, folder = bench.options, bench.folder

    def evaluated(name, entity, **attributes):
        return ["--mapping", mapping(folder, name, infer="unmentioned", entityMappings=[
            {"source": entity, "destination": entity, "attributes": attributes}])]
    renamed = ["--destination-model", notes("renamed")]
    upper = [*ADDED, *evaluated("upper", "Note", title="uppercase($source.title)")]
    for name, planning in [("copy", ADDED), ("renamed", renamed), ("split", SPLIT), ("evaluated", upper)]:
        yield Line(f"{name} {rows:,}", split(rows), migrate(*planning))
    if rows != options.rows[-1]:
        return
    texts = Store(notes(), f"Note={min(options.rows) // 2},Folder=10", change="UPDATE ZNOTE SET ZBODY = "
                  "substr(hex(zeroblob(1000)), 1, 1990) || Z_PK")
    yield Line("long texts", texts, migrate(*ADDED, *evaluated("long", "Note", body="uppercase($source.body)")))
    sample = [attribute("a", "Integer 32"), attribute("b", "Double")]
    yield Line("narrow", Store(model(folder, "Narrow", {"Sample": sample}), f"Sample={options.narrow}"), migrate(
        "--destination-model", model(folder, "Narrow2", {"Sample": sample + [attribute("c", "Integer 16")]})))
    blob = Store(notes(), "Note=30000,Folder=10", change=f"UPDATE ZNOTE SET ZIMAGE = randomblob({number(options.blob, SIZES)}) "
                 "WHERE Z_PK = 500")
    for name, planning in [("carried", ADDED), ("whole", renamed), ("mapped", SPLIT), ("evaluated", upper)]:
        yield Line(f"blob {name}", blob, migrate(*planning))
    course = [attribute("name", "String"), to_many("students", "Student", "course")]
    student = [attribute("age", "Integer 32"), attribute("mark", "Double"), to_one("course", "Course", "students")]
    school = Store(model(folder, "School", {"Course": course, "Student": student}), f"Course=1,Student={options.members}")
    more = ["--destination-model", model(folder, "School2", {
        "Course": course + [attribute("total", "Double"), attribute("any", "Boolean"), attribute("grown", "Integer 32")],
        "Student": student + [attribute("extra", "Integer 16")]})]
    yield Line("skew carried", school, migrate(*more))
    for name, attributes in {
        "sum": {"total": "$source.students.@sum.mark"},
        "any": {"any": "TERNARY(ANY $source.students.mark > 1e30, TRUE, FALSE)"},
        "subquery": {"grown": "SUBQUERY($source.students, $s, $s.age >= 18).@count"},
    }.items():
        yield Line(f"skew {name}", school, migrate(*more, *evaluated(name, "Course", **attributes)))
    plain = {f"Entity{place:05}": [attribute("name", "String"), attribute("number", "Integer 32")]
             for place in range(options.entities)}
    yield Line("entities", Store(model(folder, "Many", plain), ",".join(f"{entity}=20" for entity in plain)), migrate(
        "--destination-model", model(folder, "Many2", {entity: both + [attribute("extra", "Double")]
                                                       for entity, both in plain.items()})))
    if options.policies:
        yield Line("policy", Store(os.path.join(ADDRESSES, "Source.xcdatamodel"), f"Person={max(options.rows)}"),
                   migrate("--mapping", os.path.join(ADDRESSES, "policy.json")))


def mapped(program):
    """The least address space in which a program does something small: what it and its libraries map."""
    low, high = 16 << 20, 4 << 30
    while low < high:
        middle = (low + high) // 2
        bounded = timed([program, "inspect", "--help"], fails=True,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (middle, middle)))
        low, high = (low, middle) if bounded["error"] is None else (middle + (1 << 20), high)
    return low


def memory(bench):
    """The most memory that a process held, as it and the system say, against the limit; bytes are the same under all limits."""
    options, path = bench.options, os.path.join(bench.folder, "made.sqlite")
    for line in bench.lines(workloads):
        for by, program in bench.programs.items():
            program = options.policies if line.name == "policy" else program
            clear(path)
            words, _ = line.job.command(bench, program, bench.store(line.store), path, path)
            least = json.loads(bench.planned)["memory"]["smallestLimitBytes"] >> 20
            row, found = {"migration": line.name, **bench.by(by), "states": f"{least}M"}, set()
            space = mapped(program) if options.address_space == "yes" else 0
            for limit in options.limits.split(","):
                bound = number(f"{least}M" if limit == "least" else limit, SIZES)
                run = timed([*words[:words.index("--max-memory")], "--json", "--max-memory", str(bound)], path, fails=True,
                            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (bound + space,) * 2)) if space else None)
                if run["error"]:
                    row[limit], bench.failed = f"**{' '.join(run['error'].split())[:160]}**", True
                    continue
                held = max(json.loads(run["printed"])["peakMemoryBytes"] / 2**20, run["memory"])
                star = "**" * (held * 2**20 > bound)
                row[limit] = f"{star}{held:.1f}{star} ({run['wall']:.1f} s)"
                bench.failed |= bool(star)
                found.add(digest(path))
            bench.failed |= len(found) != 1
            print(f"  {row}", file=sys.stderr)
            yield {**row, "bytes": "same" if len(found) == 1 else "**differ**"}


def reads(bench):
    """What migrations read from the disk where little memory caches what they read: the system counts it for the process.

    Each command runs in a control group whose processes and page cache have --limit MiB together, after the files were dropped
    from the cache; so caches and read-ahead are part of it."""
    os.makedirs(GROUP, exist_ok=True)
    with open(os.path.join(GROUP, "memory.limit_in_bytes"), "w") as file:
        file.write(str(bench.options.limit << 20))
    path, limit = os.path.join(bench.folder, "made.sqlite"), ["--max-memory", bench.options.memory]
    for rows in bench.options.rows:
        source = bench.store(Store(notes(), f"Note={rows},Folder={rows // 40},Tag={rows // 20}", (
            "--links", "Note.tags=1.5", "--bytes", "Note.image=1500-2500")))
        for name, planning in [("add an optional attribute", ["--destination-model", notes("with optional attribute")]),
                               ("add a required attribute", ADDED), ("notes and attachments with tags", SPLIT)]:
            for by, program in bench.programs.items():
                clear(path)
                for words in (["plan", "--source", source, "--destination", path, *planning, "--output", path + ".plan"],
                              ["run", "--max-loss", "all", "--plan", path + ".plan", *limit],
                              ["verify", "--plan", path + ".plan", *limit]):
                    for file in filter(os.path.exists, (source, path)):
                        with open(file) as opened:
                            os.fsync(opened.fileno())
                            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                    run = timed(["sh", "-c", f'echo $$ > {GROUP}/cgroup.procs; exec "$0" "$@"', program, words[0], "-q",
                                 *words[1:]])
                    read, written = (f"{run[key] / 1e9:.2f} GB" for key in ("read", "written"))
                    yield {"migration": name, **bench.by(by), "command": words[0], "read from the disk": read,
                           "by the source": f"{run['read'] / os.path.getsize(source):.2f}", "written": written,
                           "wall": f"{run['wall']:.1f} s", "memory": f"{run['memory']:.0f} MiB"}
    os.rmdir(GROUP)


WRITER = """
import itertools, sqlite3, sys, time
store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
store.execute("PRAGMA journal_mode = " + sys.argv[2]).fetchall()
store.execute("PRAGMA synchronous = NORMAL")
for number in itertools.count(1):
    start = time.monotonic()
    store.execute("UPDATE ZNOTE SET ZTITLE = ? WHERE Z_PK = ?", (str(number), number * 7919 % int(sys.argv[3]) + 1))
    print(time.monotonic() - start, flush=True)
"""


def backup(source, target):
    """SQLite's backup interface in one step, as Plans/fleet/staging/snapshot uses it."""
    with contextlib.closing(sqlite3.connect(source, timeout=600)) as store, contextlib.closing(sqlite3.connect(target)) as copy:
        store.backup(copy, pages=-1)


def transaction(source, target):
    """A read transaction that is held while the file and then its log are copied; in WAL mode only."""
    with contextlib.closing(sqlite3.connect(source, timeout=600, isolation_level=None)) as store:
        store.execute("BEGIN")
        store.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        # The log keeps what the transaction sees, and checkpoints write nothing newer into the file.
        for suffix in ("", "-wal"):
            shutil.copyfile(source + suffix, target + suffix)
        store.execute("COMMIT")


def snapshot(bench):
    """The seconds of a copy, and the longest wait of an application that changes one note in each transaction."""
    target = os.path.join(bench.folder, "copy.sqlite")

    def copied(way, mode, rows):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, source, mode, str(rows)], stdout=subprocess.PIPE, text=True)
        for _ in range(20):
            writer.stdout.readline()
        start = time.monotonic()
        way(source, target)
        seconds = time.monotonic() - start
        time.sleep(0.3)
        writer.kill()
        waits = [float(line) for line in writer.communicate()[0].split("\n")[:-1]]
        with contextlib.closing(sqlite3.connect(target)) as store:
            found = store.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok" or store.execute("SELECT count(*) FROM ZNOTE").fetchone()[0] != rows:
                sys.exit(f"a copy by {way.__name__} is broken: {found}")
        clear(target)
        return {"copy": seconds, "wait": max(waits)}
    for rows in bench.options.rows:
        source = shutil.copyfile(bench.store(Store(notes(), f"Note={rows}")), os.path.join(bench.folder, "used.sqlite"))
        for mode, way in (("WAL", backup), ("WAL", transaction), ("DELETE", backup)):
            runs = [copied(way, mode, rows) for _ in range(bench.options.runs)]
            yield {"notes": f"{rows:,}", "mode": mode, "way": way.__name__, "copy s": f"{median(runs, 'copy'):.2f}",
                   "longest wait of the application, s": f"{median(runs, 'wait'):.2f}"}
