"""The cases with fleets: what a small store takes, a skewed fleet that is killed, and what Spark adds."""
import json, os, random, re, shutil, signal, statistics, subprocess, sys, tempfile, time

from measuring import PACKAGE, ROOT, digest, notes, timed

WIRE = os.path.join(ROOT, "..", "shared", "data", "wire")
TO = "Notes with attribute"
CALLS = {"looks at paths": "stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,readlinkat",
         "openings": "open,openat", "syncs": "fsync,fdatasync"}


class Fleet:
    """A folder with a manifest, in which a program is run."""

    def __init__(self, bench, program, folder, sources):
        self.bench, self.program, self.folder = bench, program, folder
        with open(os.path.join(folder, "stores.jsonl"), "w") as file:
            file.writelines(json.dumps({"id": f"s{place}", "source": source, "destination": f"new/s{place}.sqlite"}) + "\n"
                            for place, source in enumerate(sources))
        self.clear()

    def clear(self):
        """Removes what runs have made."""
        for name in ("new", "results.parquet"):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        os.mkdir(os.path.join(self.folder, "new"))
        for name in os.listdir(self.folder):
            if name == "bulkmigrate.results.jsonl" or name.startswith("r-"):
                os.remove(os.path.join(self.folder, name))

    def __call__(self, *words):
        return self.bench.tool("fleet", *words, program=self.program, folder=self.folder)

    def plan(self, *words, models=PACKAGE, to=TO):
        self("plan", "-q", "--manifest", "stores.jsonl", "--models", models, "--to", to, *words)


def copies(bench, folder, source, count, start="n"):
    """Copies of a store by the names that a manifest gives them."""
    names = [f"{start}{place}.sqlite" for place in range(count)]
    for name in names:
        shutil.copy(source, os.path.join(folder, name))
    return names


def fixture(bench, folder, name, rows):
    bench.tool("fixture", "-q", "--model", notes(), "--rows", rows, "-o", name, folder=folder)
    return os.path.join(folder, name)


def calls(bench, program, folder, sources):
    """The calls of the system that a store takes, from fleets of 10 and 30 of them."""
    sizes, counts = (min(30, len(sources)) // 3, min(30, len(sources))), []
    for stores in sizes:
        fleet = Fleet(bench, program, folder, sources[:stores])
        fleet.plan()
        log = os.path.join(folder, "calls")
        timed(["strace", "-f", "-qq", "-e", "trace=" + ",".join(CALLS.values()), "-o", log, program, "fleet", "run", "-q"],
              cwd=folder)
        with open(log) as file:
            names = [match[1] for match in re.finditer(r"^\d+ +(\w+)\(", file.read(), re.MULTILINE)]
        counts.append([sum(names.count(name) for name in of.split(",")) for of in CALLS.values()])
    return ", ".join(f"{(many - few) / (sizes[1] - sizes[0]):.0f} {name}" for few, many, name in zip(*counts, CALLS))


def fleet(bench):
    """Small stores alone, after a large one within 64 MiB, and real ones of 46 entities where ../shared is there."""
    options = bench.options
    with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
        small = copies(bench, folder, fixture(bench, folder, "small.sqlite", "Note=60"), options.stores)
        cases = [("notes, 60 rows", small, PACKAGE, TO, "64M"),
                 (f"after one of {options.large:,} rows", [fixture(bench, folder, "large.sqlite", f"Note={options.large}")] + small,
                  PACKAGE, TO, "64M")]
        if os.path.isdir(WIRE):
            wire = copies(bench, folder, os.path.join(WIRE, "stores", "store2-21-1.sqlite"), options.stores, "w")
            cases.append(("wire, 46 entities, one step", wire, os.path.join(WIRE, "models", "zmessaging.xcdatamodeld"),
                          "zmessaging2.21.2", "128M"))
        for name, sources, models, to, limit in cases:
            for by, program in bench.programs.items():
                stores = Fleet(bench, program, folder, sources)
                stores.plan("--max-loss", "all", models=models, to=to)
                first = timed([program, "fleet", "run", "-q", "--max-memory", limit], cwd=folder)["wall"]
                report = json.loads(stores("report", "--json"))
                outcomes = {group["name"]: group["stores"] for group in report["outcomes"]}
                if outcomes != {"done": len(sources)}:
                    sys.exit(f"{name}: {outcomes}, {report['failures']}")
                again = timed([program, "fleet", "run", "-q"], cwd=folder)["wall"]
                yield {"fleet": name, **bench.by(by), "stores": f"{len(sources):,}", "limit": limit,
                       "processor ms, median": f"{1000 * report['processorSeconds']['p50']:.1f}",
                       "99 %": f"{1000 * report['processorSeconds']['p99']:.1f}",
                       "peak MiB of the worker": f"{report['peakMemoryBytes']['most'] / 2**20:.1f}", "seconds": f"{first:.1f}",
                       "again": f"{again:.1f}"}
        with open(os.path.join(folder, "many.jsonl"), "w") as file:
            file.writelines(f'{{"id":"user-{place:08}","source":"stores/{place % 1000:03}/user-{place:08}.sqlite",'
                            f'"destination":"new/{place % 1000:03}/user-{place:08}.sqlite","bytes":{place * 7919 % 1048576},'
                            f'"version":"Notes"}}\n' for place in range(options.lines))
        for by, program in bench.programs.items():
            start = f"{by}: " * bool(bench.against)
            if shutil.which("strace"):
                yield f"{start}A store of 60 notes takes {calls(bench, program, folder, small)}."
            run = timed([program, "fleet", "plan", "-q", "--manifest", "many.jsonl", "--models", PACKAGE, "-o", "many.json"],
                        cwd=folder)
            yield f"{start}A manifest of {options.lines:,} lines is planned in {run['wall']:.0f} s and {run['memory']:.0f} MiB."


LEAST, CLASSES = 100, 17


def skewed(bench):
    """Stores of which each tenfold size is a tenth as frequent; all processes of the run are killed every so many seconds.

    Every store has the bytes of an undisturbed migration, each is done once at most, and a last run finds all of them done."""
    options, most = bench.options, bench.options.largest
    drawn = random.Random(options.seed)
    sizes = [round(LEAST * (most / LEAST) ** (step / (CLASSES - 1))) for step in range(CLASSES)]
    # The inverse of a distribution that falls as the square of the size; the largest size is there at least once.
    rows = [min(LEAST / max(drawn.random(), LEAST / most), most) for _ in range(options.stores - 1)] + [most]
    rows = [min(sizes, key=lambda size: abs(size - wanted)) for wanted in rows]
    for by, program in bench.programs.items():
        with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
            for size in set(rows):
                fixture(bench, folder, f"of{size}.sqlite", f"Note={size},Folder={size // 40},Tag={size // 20}")
            os.mkdir(os.path.join(folder, "old"))
            for place, size in enumerate(rows):
                os.link(os.path.join(folder, f"of{size}.sqlite"), os.path.join(folder, "old", f"s{place}.sqlite"))
            stores = Fleet(bench, program, folder, [f"old/s{place}.sqlite" for place in range(len(rows))])
            start = time.monotonic()
            stores.plan()
            planned, expected = time.monotonic() - start, {}
            for size in set(rows):
                path = os.path.join(folder, "one.sqlite")
                plan = bench.plan(program, os.path.join(folder, f"of{size}.sqlite"), path, "--models", PACKAGE, "--to", TO)
                bench.tool("run", "-q", "--plan", plan, program=program)
                expected[size] = digest(path)
                os.remove(path)
            words = [program, "fleet", "run", "-q", "--workers", str(options.workers), "--max-memory", "64M"]
            kills, code, start = 0, None, time.monotonic()
            while code is None:
                process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True)
                try:
                    # A run begins with the stores that are done, so it needs time of its own to get further.
                    code = process.wait(timeout=options.kill_every if kills < options.kills else None)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    kills += 1
            seconds = time.monotonic() - start
            faults = [f"the last run ended with {code}"] * (code != 0)
            for place, size in enumerate(rows):
                path = os.path.join(folder, "new", f"s{place}.sqlite")
                if not os.path.exists(path) or digest(path) != expected[size]:
                    faults.append(f"s{place} of {size} rows is not as an undisturbed migration makes it")
            with open(os.path.join(folder, "bulkmigrate.results.jsonl")) as file:
                done = [result["id"] for result in map(json.loads, file) if result["outcome"] == "done"]
            faults += [f"{name} was done {done.count(name)} times" for name in set(done) if done.count(name) > 1]
            again = timed(words, cwd=folder)
            for fault in faults[:50]:
                print(fault, file=sys.stderr)
            bench.failed |= bool(faults)
            yield (f"{f'{by}: ' * bool(bench.against)}{len(rows):,} stores of {LEAST} to {most:,} notes, {sum(rows):,} in total, "
                   f"median {sorted(rows)[len(rows) // 2]}; planned in {planned:.0f} s, migrated by {options.workers} workers in "
                   f"{seconds:.0f} s with {kills} kills of all processes; again in {again['wall']:.0f} s: "
                   f"{again['printed'].strip()}; {len(faults)} faults")


def engines(bench):
    """A fleet of small stores in bins of fifty, by two processes of `xargs -P 2` and by a local cluster of two executors in turn.

    What Spark takes to begin and to end is measured with a fleet of two stores and left out."""
    sys.path += [os.path.join(ROOT, "tools", name) for name in ("fleet", "faults")]
    from engines import LOCAL, Spark
    python = os.path.join(bench.options.venv, "bin", "python") if bench.options.venv else sys.executable
    count = bench.options.stores

    def made(program, folder, stores):
        os.mkdir(folder)
        found = Fleet(bench, program, folder, copies(bench, folder, fixture(bench, folder, "one.sqlite", "Note=60"), stores))
        found.plan("--bins", str(-(-stores // 50) if stores > 2 else 2))
        return found

    def by_xargs(fleet, bins):
        fleet.clear()
        start = time.monotonic()
        subprocess.run(["xargs", "-P", "2", "-I", "{}", fleet.program, "fleet", "run", "-q", "--bin", f"{{}}/{bins}", "--results",
                        "r-{}.jsonl", "--max-memory", "128M"], cwd=fleet.folder, check=True, text=True, stdout=subprocess.DEVNULL,
                       input="\n".join(map(str, range(1, bins + 1))))
        return time.monotonic() - start

    def by_spark(fleet, stores):
        fleet.clear()
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as place:
            found = Spark(fleet.program, place, python).submit(LOCAL, fleet.folder)
        if found != {"done": stores}:
            sys.exit(f"Spark: {found}")
        return time.monotonic() - start
    for by, program in bench.programs.items():
        with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
            many, few, bins = made(program, f"{folder}/many", count), made(program, f"{folder}/few", 2), -(-count // 50)
            runs = [(by_spark(few, 2), by_xargs(many, bins), by_spark(many, count)) for _ in range(bench.options.runs)]
        added = [1000 * (whole - bare - plain) / count for bare, plain, whole in runs]
        bare, plain, whole = (statistics.median(of) for of in zip(*runs))
        yield (f"{f'{by}: ' * bool(bench.against)}{count:,} stores of 60 rows in {bins} bins, two processes, medians of {len(runs)}: "
               f"xargs {plain:.1f} s, Spark {whole:.1f} s, of which {bare:.1f} s to begin and end; Spark adds "
               f"{statistics.median(added):.1f} ms a store (of {', '.join(f'{value:.1f}' for value in added)})")
