"""Spark under a fleet, whose processes are killed and stopped; for tools/fleet/test."""
import contextlib, glob, json, os, random, re, shutil, signal, subprocess, tempfile, threading, time

from smallfleets import Fleet
from measuring import PACKAGE, ROOT
from proving import call
from standalone import HOSTS, Standalone, family, signal_all, spark_home

FLEET = os.path.join(ROOT, "Plans", "fleet")
LOCAL = "local-cluster[2,1,1024]"
faults = []


def command(folder, *words, environment=None, ends=(0,)):
    return call(list(words), ends=ends, timeout=None, cwd=folder, env={**os.environ, **(environment or {})})


def stores(tool, folder, count, broken=0, others={}):
    """Stores of some sizes, and a plan with small bins."""
    return Fleet(tool, folder, count, "--bins", "24", broken=broken, sizes=(40, 40, 40, 400, 4000), others=others)


def check(condition, text):
    if not condition:
        faults.append(text)


class Killer(threading.Thread):
    """Kills processes of the job, from `with` until its end: workers, and now and then an executor. With `freezes` it stops
    an executor and all that it has started now and then, for some seconds."""

    def __init__(self, fleet, count, freezes=False):
        super().__init__(daemon=True)
        self.fleet, self.count, self.freezes = fleet, count, freezes
        self.killed, self.executors, self.frozen, self.is_over = 0, 0, 0, False
        self.drawn = random.Random(1)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.join()

    def run(self):
        while not self.is_over and self.killed < self.count:
            time.sleep(self.drawn.uniform(0.05, 0.3))
            # An executor without a worker has nothing to lose.
            if not self.processes(False):
                continue
            if self.freezes and self.drawn.random() < 1 / 5:
                self.frozen += freeze(self.processes(True), self.drawn.uniform(1, 4))
                continue
            executor = self.killed % 5 == 4
            found = self.processes(executor)
            if not found:
                continue
            try:
                os.kill(self.drawn.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            self.killed += 1
            self.executors += executor

    def processes(self, executors):
        """The workers of this job, or the executors of this Spark."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            number = int(path.split("/")[2])
            text, words = words_of(number), words_of(number).split(b"\0")
            is_worker = words[0] == os.path.realpath(self.fleet.tool).encode() and b"work" in words[:3]
            is_executor = b"CoarseGrainedExecutorBackend" in text
            if (is_executor if executors else is_worker) and self.fleet.folder.encode() in text:
                found.append(number)
        return found


def freeze(executors, seconds):
    """Stops one of the executors that works, with all that it has started, for some time; returns how many were."""
    for executor in executors:
        members = family(executor)
        if any(b"fleet\0work" in words_of(member) for member in members):
            signal_all(members, signal.SIGSTOP)
            time.sleep(seconds)
            signal_all(members, signal.SIGCONT)
            return 1
    return 0


def words_of(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
        return file.read()
    return b""


class Spark:
    """A PySpark, and how jobs are given to it."""

    # Second copies of tasks that take a little longer than others.
    SPECULATION = {"spark.speculation": "true", "spark.speculation.interval": "100ms", "spark.speculation.quantile": "0.1",
                   "spark.speculation.multiplier": "1.1", "spark.speculation.minTaskRuntime": "50ms"}

    @staticmethod
    def waiting(time):
        """The settings by which a task waits so long for the lock of a store."""
        return {"spark.executorEnv.BULKMIGRATE_LOCK_WAIT": time}

    def __init__(self, tool, folder, python):
        self.tool, self.folder, self.python, self.home = tool, folder, python, spark_home(python)
        self.package = shutil.make_archive(os.path.join(folder, "bulkmigrate_fleet"), "zip", os.path.join(FLEET, "spark"),
                                           "bulkmigrate_fleet")
        self.temporary = os.path.join(folder, "tmp")
        os.makedirs(self.temporary)

    def environment(self, master, folder, settings):
        """The variables by which `spark-submit` gets a master and settings without options of its own."""
        path = tempfile.mkdtemp(dir=self.folder)
        common = {"spark.master": master, "spark.ui.enabled": "false", "spark.task.maxFailures": "40",
                  "spark.executor.extraJavaOptions": f"-Dfleet={folder}", "spark.deploy.maxExecutorRetries": "-1",
                  "spark.python.worker.reuse": "true"}
        with open(os.path.join(path, "spark-defaults.conf"), "w") as file:
            file.writelines(f"{name} {value}\n" for name, value in {**common, **settings}.items())
        return {"SPARK_CONF_DIR": path, "SPARK_HOME": self.home, "PYSPARK_PYTHON": self.python, "TMPDIR": self.temporary,
                "SPARK_LOCAL_IP": HOSTS[0], "PATH": f"{self.home}/bin:{os.path.dirname(self.tool)}:{os.environ['PATH']}"}

    def words(self, *options):
        return [os.path.join(self.home, "bin", "spark-submit"), "--py-files", self.package,
                os.path.join(FLEET, "spark", "bulkmigrate_fleet", "main.py"), "--fleet", "bulkmigrate.fleet.json",
                "--results", "results.parquet", "--program", self.tool, "--max-memory", "128M", *options]

    def submit(self, master, folder, *options, **settings):
        """Runs the fleet; returns how many stores have which outcome."""
        done = command(folder, *self.words(*options), ends=(0, 3), environment=self.environment(master, folder, settings))
        return json.loads(done.output.strip().split("\n")[-1])

    def rows(self, folder):
        """The ids and outcomes of all rows of results."""
        path = os.path.join(folder, "results.parquet")
        text = "import sys; from pyspark.sql import SparkSession as S; r = S.builder.getOrCreate().read.parquet(sys.argv[1]); " \
               "print(*(f'{x.id} {x.outcome}' for x in r.select('id', 'outcome').collect()), sep='\\n')"
        done = command(self.folder, self.python, "-c", text, path, environment=self.environment("local[1]", path, {}))
        return [tuple(line.split()) for line in done.output.split("\n") if line]

    def check_once(self, fleet):
        """Every store is made once at most, and nothing is left beside it."""
        faults.extend(fleet.check_once(store for store, outcome in self.rows(fleet.folder) if outcome == "done"))

    def left_behind(self, *folders):
        """What tasks have left in temporary folders, once they had some time."""
        end = time.monotonic() + 10
        while True:
            found = [path for folder in (self.temporary, *folders)
                     for path in glob.glob(os.path.join(folder, "**", "bulkmigrate-*"), recursive=True)]
            if not found or time.monotonic() > end:
                return found
            time.sleep(0.5)


def local_cluster(spark, folder, count, kills):
    """Workers and executors are killed; then program and models are shipped for a second run."""
    broken = count // 20
    fleet = stores(spark.tool, folder, count, broken)
    reference = fleet.undisturbed()
    local = {"spark.local.dir": os.path.join(folder, "spark")}
    start = time.monotonic()
    with Killer(fleet, kills) as killer:
        found = spark.submit(LOCAL, folder, **local)
    first = time.monotonic() - start
    check(fleet.digests() == reference, "stores differ from those of an undisturbed run")
    check(found.get("quarantined", 0) == broken and sum(found.values()) == count, f"outcomes are {found}")
    archive = shutil.make_archive(os.path.join(folder, os.path.basename(PACKAGE)), "zip", PACKAGE)
    again = spark.submit(LOCAL, folder, "--ship", "--models", archive, **local)
    check({**again, "quarantined": broken} == {"already": count - broken, "quarantined": broken},
          f"the second run gave {again}")
    check(not spark.left_behind(folder), f"tasks left {spark.left_behind(folder)}")
    return (f"Spark: {count} stores in {first:.0f} s with {killer.killed} kills, of which {killer.executors} of executors: "
            f"{found}; again: {again}")


def check_done(spark, cluster, fleet, found):
    """Every store is done, by this run or an earlier one, once, and tasks have left nothing."""
    check(found.keys() <= {"done", "already"} and sum(found.values()) == len(fleet.good), f"outcomes are {found}")
    spark.check_once(fleet)
    left = spark.left_behind(cluster.folder)
    check(not left, f"tasks left {left}")


def two_hosts(spark, cluster, folder, count, kills):
    """Second copies of tasks while workers and executors are killed or stopped: every store is done once."""
    fleet = stores(spark.tool, folder, count)
    reference = fleet.undisturbed()
    start = time.monotonic()
    with Killer(fleet, kills, freezes=True) as killer:
        found, runs = {}, 0
        while killer.killed < kills or not runs:
            fleet.clear()
            found = spark.submit(cluster.address, folder, **Spark.SPECULATION, **Spark.waiting("500ms"))
            runs += 1
            check(fleet.digests() == reference, "stores differ from those of an undisturbed run")
            check_done(spark, cluster, fleet, found)
    return (f"two hosts with speculation: {count} stores, {runs} times, in {time.monotonic() - start:.0f} s, with "
            f"{killer.killed} kills, of which {killer.executors} of executors, and {killer.frozen} executors stopped for "
            f"seconds; the last time: {found}")


def doubles(spark, cluster, folder):
    """The executor that works on the largest store is stopped until a second attempt has waited in vain for its lock, which
    it tries three times for a second."""
    fleet = stores(spark.tool, folder, 6, others={"big": 400_000})
    lock = os.path.join(fleet.new, "big.sqlite.bulkmigrate", "lock")
    frozen = []

    def stop():
        while not os.path.exists(lock) and not frozen:
            time.sleep(0.01)
        frozen.append(freeze(Killer(fleet, 0).processes(True), 20))

    stopping = threading.Thread(target=stop, daemon=True)
    stopping.start()
    found = spark.submit(cluster.address, folder, **Spark.SPECULATION, **Spark.waiting("1s"))
    frozen.append(0)
    stopping.join()
    check(frozen[0] == 1, "no executor was stopped")
    check("big" in fleet.digests(), "the store of the executor that was stopped is missing")
    check_done(spark, cluster, fleet, found)
    return f"a double waits for its owner, which is stopped for 20 s: {found}"


def lost_driver(spark, cluster, folder):
    """The driver is killed; results of tasks that had ended are there, and a second run goes on."""
    fleet = stores(spark.tool, folder, 60)
    driver = subprocess.Popen(spark.words(), cwd=folder, env={**os.environ, **spark.environment(cluster.address, folder, {})},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while len(glob.glob(os.path.join(folder, "results.parquet", "part-*"))) < 3 and driver.poll() is None:
        time.sleep(0.05)
    signal_all(family(driver.pid), signal.SIGKILL)
    driver.wait()
    kept = len(spark.rows(folder))
    check(0 < kept < 60, f"{kept} results were there when the driver was killed")
    found = spark.submit(cluster.address, folder)
    check_done(spark, cluster, fleet, found)
    return f"a driver that is killed: {kept} of 60 results are kept; the second run: {found}"


def as_written(spark, folder, masters):
    """The commands of the README of the package, in a folder that has what they name."""
    os.makedirs(os.path.join(folder, "stores"))
    os.makedirs(os.path.join(folder, "home"))
    os.symlink(ROOT, os.path.join(folder, "home", "bulkmigrate"))
    shutil.copytree(os.path.join(ROOT, "Plans", "demo", "Notes.xcdatamodeld"), os.path.join(folder, "Notes.xcdatamodeld"))
    shutil.copy(os.path.join(ROOT, "Plans", "demo", "notes.json"), folder)
    for name in ("anna", "ben"):
        command(folder, spark.tool, "fixture", "-q", "--model", "Notes.xcdatamodeld/Notes.xcdatamodel", "--rows", "Note=40,Folder=2,Tag=3",
            "-o", f"stores/{name}.sqlite")
    with open(os.path.join(FLEET, "spark", "README.md")) as file:
        commands = re.findall(r"```sh\n(.*?)```", file.read(), re.S)[0]
    told = []
    for master in masters:
        for name in ("migrated", "results.parquet"):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        done = command(folder, "bash", "-ec", commands, environment={**spark.environment(master, folder, {}),
                                                                     "HOME": os.path.join(folder, "home")})
        told.append(done.output.strip().split("\n")[-1])
        check(told[-1] == '{"done": 2}', f"the README's commands gave {told[-1]} on {master}")
    return f"the README's commands on a local cluster and a standalone one: {' and '.join(told)}"


def engines(tool, folder, python, count, kills):
    """All that is tried with Spark, a text for each."""
    os.makedirs(folder)
    spark = Spark(tool, folder, python)
    yield local_cluster(spark, os.path.join(folder, "local"), count, kills)
    with Standalone(os.path.join(folder, "cluster"), spark.home, spark.temporary) as cluster:
        yield as_written(spark, os.path.join(folder, "written"), [LOCAL, cluster.address])
        yield doubles(spark, cluster, os.path.join(folder, "doubles"))
        yield lost_driver(spark, cluster, os.path.join(folder, "driver"))
        yield two_hosts(spark, cluster, os.path.join(folder, "hosts"), count, kills)
