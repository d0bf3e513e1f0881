"""What the cases of bench/run share: stores, plans, times of processes in turn, contents, tables and the page of results."""
import dataclasses, datetime, hashlib, json, os, platform, shutil, sqlite3, statistics, subprocess, sys, time, typing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(ROOT, "bench", "models")
PACKAGE = os.path.join(MODELS, "Notes.xcdatamodeld")
PAGE = os.path.join(ROOT, "bench", "results", "README.md")
PROOFS = os.path.join(ROOT, "bench", "results", "proofs.txt")
UNITS = {"": 1, "K": 10**3, "M": 10**6}
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def number(text, units=UNITS):
    """A number like 500, 100K or 2M; with SIZES, a number of bytes."""
    if text[-1:].isalpha():
        return int(float(text[:-1]) * units[text[-1]])
    return int(text)


def notes(version=""):
    """A version of the model of notes, folders and tags."""
    return os.path.join(PACKAGE, f"Notes{version and ' '}{version}.xcdatamodel")


def attribute(name, kind, more='optional="YES"'):
    return f'<attribute name="{name}" attributeType="{kind}" {more}/>'


def to_one(name, entity, inverse, count='maxCount="1"'):
    return (f'<relationship name="{name}" optional="YES" {count} deletionRule="Nullify" '
            f'destinationEntity="{entity}" inverseName="{inverse}" inverseEntity="{entity}"/>')


def to_many(name, entity, inverse):
    return to_one(name, entity, inverse, 'toMany="YES"')


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


def model(folder, name, entities, parents={}):
    """Writes a model; `entities` are lists of properties by name. Returns its path."""
    above = {child: f' parentEntity="{parent}"' for child, parent in parents.items()}
    body = "".join(f'<entity name="{entity}"{above.get(entity, "")}>{"".join(properties)}</entity>'
                   for entity, properties in entities.items())
    path = os.path.join(folder, name + ".xcdatamodel")
    write(os.path.join(path, "contents"), '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<model '
          f'type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">{body}</model>\n')
    return path


def mapping(folder, name, **content):
    """Writes a mapping file. Returns its path."""
    return write(os.path.join(folder, name + ".json"), json.dumps({"bulkmigrate": "mapping/1", **content}))


def use_memory():
    """Writes to nine tenths of the free memory once, in a process of its own.

    A virtual machine gets its memory from the host when it is first used, which costs processor time: what only a
    large store needs would be charged to it."""
    with open("/proc/meminfo") as file:
        free = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    script = f"memory = bytearray({free * 1024 * 9 // 10})\nfor page in range(0, len(memory), 4096): memory[page] = 1"
    subprocess.run([sys.executable, "-c", script], check=True)


def clear(path):
    """Removes a store, what SQLite and bulkmigrate keep beside it, and its plan."""
    shutil.rmtree(path + ".bulkmigrate", ignore_errors=True)
    for suffix in ("", "-wal", "-shm", "-journal", ".plan"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def timed(words, output=None, fails=False, **options):
    """Runs a command: wall and CPU seconds, peak memory in MiB, bytes read and written, what it printed.

    The file `output`, which it makes, is removed before, and on the disk at the end."""
    for suffix in ("", "-wal", "-shm", "-journal") if output else ():
        if os.path.exists(output + suffix):
            os.remove(output + suffix)
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    printed, errors = (stream.read().decode(errors="replace") for stream in (process.stdout, process.stderr))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and not fails:
        sys.exit(f"{' '.join(words)[:200]} ended with {process.returncode}: {printed[-400:]}{errors[-1500:]}")
    if output and not process.returncode:
        file = os.open(output, os.O_RDONLY)
        os.fsync(file)
        os.close(file)
    return {"wall": time.monotonic() - start, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024,
            "read": 512 * usage.ru_inblock, "written": 512 * usage.ru_oublock, "printed": printed,
            "error": errors if process.returncode else None}


def opened(path):
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def tables(path):
    """The tables of a store that have rows of objects or pairs."""
    database = opened(path)
    found = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'")]
    database.close()
    return sorted(set(found) - {"Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"})


def count(path):
    """The rows of all tables of objects and pairs."""
    database = opened(path)
    found = sum(database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables(path))
    database.close()
    return found


def content(path, names=None):
    """A digest of every row of some tables, whatever the order of their columns."""
    database, digest = opened(path), hashlib.sha256()
    for name in names or tables(path):
        order = "rowid" if not name.startswith("Z_") else "1, 2"
        columns = ", ".join(sorted(column[1] for column in database.execute(f"PRAGMA table_info({name})")))
        for row in database.execute(f"SELECT {columns} FROM {name} ORDER BY {order}"):
            digest.update(repr(row).encode())
    database.close()
    return digest.hexdigest()


def digest(path):
    """The digest of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclasses.dataclass(frozen=True)
class Store:
    """A store that `fixture` makes, and SQL that changes it afterwards."""
    model: str
    rows: str
    words: tuple = ()
    change: str = ""


@dataclasses.dataclass
class Job:
    """A command that is timed.

    `command` gives its words and the file that it makes, if any, from the bench, the program, the source, the path for what it
    makes, and that of the first command of its turn. `same` says what must be equal in both files: content, bytes or nothing;
    `planning` are the words for the plan of a migration."""
    command: typing.Callable
    same: str = "content"
    planning: tuple = ()


@dataclasses.dataclass
class Line:
    """A line of a table: what is timed, and by name what it is compared with.

    `rows` are those of all tables of the destination; lines with the same word in `alike` have the same content; `columns`
    gives further columns from the bench, the runs of each command and the path of the first. Where it `subtracts`, these need
    the runs of the other job by another program as well."""
    name: str
    store: Store
    job: Job
    others: dict = dataclasses.field(default_factory=dict)
    rows: int = None
    alike: str = ""
    columns: typing.Callable = None
    subtracts: bool = False


def migrate(*planning, run=(), memory="64M", same="content", batch=None):
    """A run of a plan, which is made before."""
    def command(bench, program, source, path, _):
        plan = bench.plan(program, source, path, *planning)
        rows = ["env", f"BULKMIGRATE_BATCH_ROWS={batch}"] if batch else []
        return [*rows, program, "run", "-q", "--max-loss", "all", "--plan", plan, "--max-memory", memory, *run], path
    return Job(command, same, planning)


def check(*words, planning, runs=False):
    """A command about a plan, which has been run if the command needs its destination."""
    def command(bench, program, source, path, _):
        plan = bench.plan(program, source, path, *planning)
        if runs:
            bench.tool("run", "-q", "--max-loss", "all", "--plan", plan, program=program)
        return [program, words[0], "-q", "--plan", plan, "--max-memory", "64M", *words[1:]], None
    return Job(command, "")


def script(sql):
    """A script of SQLite's shell; a function gives its text from the paths of the source and of the first store."""
    def command(bench, _, source, path, first):
        text = (sql(source, first) if callable(sql) else sql).replace("SOURCE", source)
        return ["sh", "-c", 'exec sqlite3 "$1" < "$2"', "sh", path, write(path + ".sql", text)], path
    return Job(command)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def ratio(first, second, key="wall"):
    """The median of the ratios of neighboring runs."""
    return statistics.median(a[key] / b[key] for a, b in zip(first, second))


class Bench:
    """The programs, the folder and the options of a case."""

    def __init__(self, program, against, folder, options):
        self.program, self.against, self.folder, self.options = program, against, folder, options
        self.programs = {"ours": program, **({"other": against} if against else {})}
        # What earlier lines found, what the last `plan` printed, and whether a bar was missed.
        self.kept, self.planned, self.failed = {}, "", False

    def by(self, name):
        """The column that names a program where there are two."""
        return {"program": name} if self.against else {}

    def tool(self, *words, program=None, folder=None, ends=(0,)):
        """Runs the program; returns what it prints."""
        done = subprocess.run([program or self.program, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode not in ends:
            sys.exit(f"{' '.join(words)[:200]} ended with {done.returncode}: {done.stdout[-400:]}{done.stderr[-1500:]}")
        return done.stdout

    def store(self, store):
        """Makes a store, once in a folder."""
        name = hashlib.sha256(repr(dataclasses.astuple(store)).replace(self.folder, "").encode()).hexdigest()[:12]
        path = os.path.join(self.folder, f"source-{name}.sqlite")
        if not os.path.exists(path):
            clear(path + ".new")
            self.tool("fixture", "-q", "--model", store.model, "--rows", store.rows, *store.words, "--output", path + ".new")
            if store.change:
                subprocess.run(["sqlite3", path + ".new", store.change], check=True)
            os.rename(path + ".new", path)
        return path

    def plan(self, program, source, path, *words):
        """Plans a migration to a path; returns the plan."""
        self.planned = self.tool("plan", "--json", "--source", source, "--destination", path, *words, "--output", path + ".plan",
                                 program=program)
        return path + ".plan"

    def lines(self, make):
        """The lines of a case that are wanted, for each number of rows."""
        for rows in self.options.rows:
            for line in make(rows, self):
                if not self.options.only or line.name.startswith(self.options.only):
                    yield line

    def table(self, make):
        """The rows of a table of lines, each timed against its others."""
        for line in self.lines(make):
            yield from self.in_turn(line)

    def in_turn(self, line):
        """Times a line against each of its others: the rows of a table."""
        others = {name: other for name, other in line.others.items() if not self.options.among or name in self.options.among}
        if not line.others or self.against and not line.subtracts:
            others = {"": None}
        for name, other in others.items():
            jobs = [(program, job) for job in (line.job, other) if job for program in self.programs.values()]
            yield self.row(line, "other program" if self.against else name, jobs)

    def row(self, line, against, jobs):
        """Runs commands in turn, and compares what the first two make; the first run of each does not count."""
        source = self.store(line.store)
        paths = [os.path.join(self.folder, f"made-{place}.sqlite") for place in range(len(jobs))]
        for path in paths:
            clear(path)
        commands = [job.command(self, program, source, path, paths[0]) for (program, job), path in zip(jobs, paths)]
        rounds = []
        for turn in range(self.options.runs + 1):
            rounds.append([timed(*command) for command in commands])
            print(f"  {line.name}, {against} {turn}/{self.options.runs}: "
                  + ", ".join(f"{run['wall']:.2f} s" for run in rounds[-1]), file=sys.stderr)
        runs = list(zip(*rounds[1:]))
        self.compare(line, against, jobs[1][1].same if len(jobs) > 1 else "", paths)
        first, result = runs[0], {"migration": line.name}
        if len(runs) > 1:
            second = runs[1]
            result |= {"against": against, "s": f"{median(first, 'wall'):.2f}", "other s": f"{median(second, 'wall'):.2f}",
                       "wall ratio": f"**{ratio(first, second):.2f}**", "CPU ratio": f"{ratio(first, second, 'cpu'):.2f}",
                       "memory": f"{max(run['memory'] for run in first):.0f}",
                       "other's": f"{max(run['memory'] for run in second):.0f}"}
        else:
            result |= {"s": f"{median(first, 'wall'):.2f}", "CPU s": f"{median(first, 'cpu'):.2f}",
                       "memory": f"{max(run['memory'] for run in first):.0f}"}
        return {**result, **(line.columns(self, runs, paths[0]) if line.columns else {})}

    def compare(self, line, against, same, paths):
        """Ends with an error where stores differ that must not."""
        if same == "content" and content(paths[0], tables(paths[1])) != content(paths[1]):
            sys.exit(f"{line.name}: the content differs from that of {against}")
        if same == "bytes" and digest(paths[0]) != digest(paths[1]):
            sys.exit(f"{line.name}: the file differs from that of {against}")
        if line.rows is not None and count(paths[0]) != line.rows:
            sys.exit(f"{line.name}: {count(paths[0]):,} rows in place of {line.rows:,}")
        if line.alike and self.kept.setdefault(line.alike, found := content(paths[0])) != found:
            sys.exit(f"{line.name}: the content differs from that of the lines above")


def table(rows):
    """A table of Markdown of rows with any columns; rows that are texts follow it."""
    cells = [row for row in rows if not isinstance(row, str)]
    names = list(dict.fromkeys(name for row in cells for name in row))
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"] if cells else []
    lines += [f"| {' | '.join(str(row.get(name, '')) for name in names)} |" for row in cells]
    texts = [row for row in rows if isinstance(row, str)]
    return "\n".join(lines + ([""] if cells and texts else []) + texts) + "\n"


def machine():
    return (f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, SQLite {sqlite3.sqlite_version}, load average "
            f"{os.getloadavg()[0]:.1f} at the end")


def record(name, text):
    """Replaces the section of a case on the page of results."""
    with open(PAGE) as file:
        head, *sections = file.read().rstrip("\n").split("\n\n## ")
    found = {section.split("\n")[0]: section for section in sections}
    found[name] = f"{name}\n\n{text.rstrip()}"
    with open(PAGE, "w") as file:
        file.write("\n\n## ".join([head, *(found[key] for key in sorted(found))]) + "\n")


def record_proof(name, text, command):
    """Replaces the line of a proof, with the date and the command of its last result."""
    with open(PROOFS) as file:
        lines = {line.split(":")[0]: line for line in file}
    lines[name] = f"{name}: {datetime.date.today()}, `{command}`: {' '.join(text.split())}\n"
    with open(PROOFS, "w") as file:
        file.writelines(lines[key] for key in sorted(lines))
