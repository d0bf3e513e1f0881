"""What the benchmarks share: timing of whole processes in turn, and a table of the ratios."""
import datetime, hashlib, json, os, platform, sqlite3, statistics, subprocess, sys, time

# What is measured here says nothing about the runs of a user.
os.environ.setdefault("BULKMIGRATE_NO_HISTORY", "1")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, ".build", "release", "bulkmigrate")
MODELS = os.path.join(ROOT, "bench", "models", "Notes.xcdatamodeld")


def build():
    """Builds the tool that is measured."""
    subprocess.run(["swift", "build", "-c", "release", "--product", "bulkmigrate"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


def use_memory():
    """Writes to nine tenths of the free memory once, in a process of its own.

    A virtual machine gets its memory from the host when it is first used, which costs processor time: what only a
    large store needs would be charged to it."""
    with open("/proc/meminfo") as file:
        free = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    script = f"memory = bytearray({free * 1024 * 9 // 10})\nfor page in range(0, len(memory), 4096): memory[page] = 1"
    subprocess.run([sys.executable, "-c", script], check=True)


def timed(command, output):
    """Wall and CPU seconds and peak memory in MiB of a command whose result must be on the disk."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(output + suffix):
            os.remove(output + suffix)
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)[:200]} ended with {status}: {errors.decode()[:400]}")
    file = os.open(output, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
    return {"wall": time.monotonic() - start, "cpu": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss / 1024}


def paired(name, ours, other, folder, runs):
    """Runs two commands in turn; the first run of each is not counted."""
    ours_path, other_path = os.path.join(folder, "ours.sqlite"), os.path.join(folder, "other.sqlite")
    first, second = [], []
    for number in range(runs + 1):
        a, b = timed(ours(ours_path), ours_path), timed(other(other_path), other_path)
        if number:
            first.append(a)
            second.append(b)
        print(f"  {name} {number}/{runs}: {a['wall']:.2f} s against {b['wall']:.2f} s", file=sys.stderr)
    return first, second


def content(path, tables):
    """A digest of every row of some tables, whatever the order of their columns."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    digest = hashlib.sha256()
    for name in sorted(tables):
        order = "rowid" if not name.startswith("Z_") else "1, 2"
        columns = ", ".join(sorted(column[1] for column in database.execute(f"PRAGMA table_info({name})")))
        for row in database.execute(f"SELECT {columns} FROM {name} ORDER BY {order}"):
            digest.update(repr(row).encode())
    database.close()
    return digest.hexdigest()


def row(migration, name, first, second):
    """A line of the table of results."""
    median = lambda runs, key: statistics.median(run[key] for run in runs)
    ratio = statistics.median(a["wall"] / b["wall"] for a, b in zip(first, second))
    cpu = statistics.median(a["cpu"] / b["cpu"] for a, b in zip(first, second))
    return (f"| {migration} | {name} | {median(first, 'wall'):.2f} | {median(second, 'wall'):.2f} | "
            f"**{ratio:.2f}** | {cpu:.2f} | {max(run['memory'] for run in first):.0f} | "
            f"{max(run['memory'] for run in second):.0f} |")


def report(name, title, runs, lines, raw):
    """Prints the table, and writes it and the single runs under bench/results."""
    head = [f"# {title}, {datetime.date.today()}", "",
            f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, SQLite {sqlite3.sqlite_version}, "
            f"{runs}, --max-memory 64M, load average {os.getloadavg()[0]:.1f} at the end.",
            "Wall seconds are medians; ratios are medians of the ratios of neighbouring runs, below 1 is faster; "
            "memory is the peak in MiB.", "",
            "| migration | against | bulkmigrate s | other s | wall ratio | CPU ratio | memory | other's |",
            "|---|---|---|---|---|---|---|---|"]
    text = "\n".join(head + lines) + "\n"
    path = os.path.join(ROOT, "bench", "results", f"{datetime.date.today()}-{name}")
    with open(path + ".md", "w") as file:
        file.write(text)
    with open(path + ".json", "w") as file:
        json.dump(raw, file, indent=1)
    print(text)
