"""Schedules of attempts, played with the program; for tools/prove protocol.

Attempts at one migration meet in every way that random numbers think of. A seed is a schedule: two attempts at a
time on one machine or two, each thread of which stands still at every call that changes, opens or looks at a file, until
it has its turn; kills, torn and short writes, input and output errors, full disks, jumps of the clock, long standstills,
files of others, and power cuts after which what was not synced is there in part. The program is a debug build with
batches of single rows; clock, random numbers and the order of threads come from tools/faults/schedule.h, power cuts from
tools/faults/crashes.py. The same seed gives the same schedule; equal sums over schedules show it.

  run      run, resume, run --restart: an attempt after the other, up to six
  gates    the same, with a limit of losses that no attempt may exceed
  swap     migrate and rollback of a store in its place

What holds at every call: what gets the destination's name has the bytes of an undisturbed run; the old or the new store
has the store's name; files of others stay as they are. And at the end: a command that is not disturbed ends with 0,
the bytes are those of an undisturbed run, nothing is left over, and the source is as it was."""
import concurrent.futures, ctypes, functools, mmap, operator, os, random, shutil, signal, struct, tempfile
from collections import Counter

from crashes import Disk, lay_out, read_log, read_tree
from meetings import RunScene, SwapScene, losses
from proving import HANG, Result, build_shim

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_FUTEX, FUTEX_WAKE, NO_RANDOM_ADDRESSES = {"x86_64": 202, "aarch64": 98}[os.uname().machine], 1, 0x0040000
DRIVER, ACTORS = -1, 64
# As in schedule.h.
FAULTS = ["kill", "cut", "no-space", "no-space-once", "input-output", "half", "torn", "jump", "stand", "foreign"]
NUMBERS = struct.Struct("=8i2Qq2Q")
ACTOR = struct.Struct("=2iQ")
LIMIT = 60


class Hang(Exception):
    pass


class Host:
    """The memory that tools/faults/schedule.h shares with this program."""

    NAMES = ["turn", "actors", "switches", "faults", "rate", "kinds", "is_cut", "foreigners", "random", "clock", "offset",
             "points", "trail"]

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as file:
            file.write(bytes(NUMBERS.size + ACTORS * ACTOR.size))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def __getitem__(self, name):
        return NUMBERS.unpack_from(self.memory)[self.NAMES.index(name)]

    def set(self, **values):
        numbers = dict(zip(self.NAMES, NUMBERS.unpack_from(self.memory)))
        numbers.update(values)
        NUMBERS.pack_into(self.memory, 0, *numbers.values())

    def actors(self):
        return [ACTOR.unpack_from(self.memory, NUMBERS.size + index * ACTOR.size) for index in range(self["actors"])]

    def set_actor(self, index, *values):
        ACTOR.pack_into(self.memory, NUMBERS.size + index * ACTOR.size, *values)

    def living(self):
        return [index for index, (lives, _, _) in enumerate(self.actors()) if lives]

    def wake(self, actor):
        self.set(turn=actor)
        place = ctypes.c_char.from_buffer(self.memory)
        LIBC.syscall(SYS_FUTEX, ctypes.byref(place), FUTEX_WAKE, 1 << 30, None, None, 0)


class Attempt:
    def __init__(self, words, remote, process, output):
        self.words, self.remote, self.process, self.output, self.status = words, remote, process, output, None

    @property
    def told(self):
        with open(self.output, errors="replace") as file:
            text = " ".join(file.read().split())
        place = " (remote)" if self.remote else ""
        return f"{' '.join(self.words)}{place}: {self.status} {text[-300:]}"


class Schedule:
    """One seed: attempts at what a scene has to do."""

    def __init__(self, scene, library, seed, kind):
        self.scene, self.library, self.seed, self.kind = scene, library, seed, kind
        self.drawn = random.Random(f"{seed} {kind}")
        self.log = os.path.join(scene.folder, "log")
        self.host = Host(os.path.join(scene.folder, "host"))
        self.attempts, self.running, self.foreign = [], {}, {}
        self.cuts, self.calls, self.met, self.ends = 0, 0, Counter(), False
        allowed = [name for name in FAULTS if self.drawn.random() < 0.6]
        if kind == "swap" and "foreign" in allowed:
            allowed.remove("foreign")
        self.host.set(turn=DRIVER, switches=self.drawn.choice([0, 5, 30, 100, 300, 700]),
                      faults=self.drawn.choice([0, 1, 2, 3, 5, 8]), rate=self.drawn.choice([300, 1000, 3000, 30_000]),
                      kinds=sum(1 << FAULTS.index(name) for name in allowed), random=self.drawn.getrandbits(63) | 1)
        self.left_attempts = self.drawn.randint(1, 6)
        # Whether an attempt waits for the lock of another machine.
        self.waits = False
        self.at_once = self.drawn.choice([1, 2, 2, 2, 3])
        self.has_remote = kind != "swap" and self.drawn.random() < 0.3

    def spawn(self):
        """Starts the next attempt."""
        self.left_attempts -= 1
        words = self.scene.next_words(self.kind, self.drawn)
        self.start(words, self.has_remote and self.drawn.random() < 0.5)

    def start(self, words, remote):
        actor, process = self.host["actors"], len(self.attempts)
        self.host.set(actors=actor + 1)
        self.host.set_actor(actor, 1, process, 0)
        output = os.path.join(self.scene.folder, f"output-{process}")
        environment = {**self.scene.environment, "LD_PRELOAD": self.library, "FAULTS_UNDER": self.scene.out,
                       "FAULTS_LOG": self.log, "FAULTS_HURRY": "1", "FAULTS_HOST": self.host.path,
                       "FAULTS_ACTOR": str(actor), "SWIFT_DETERMINISTIC_HASHING": "1"}
        if remote:
            environment["FAULTS_REMOTE"] = "1"
        if self.waits:
            environment["BULKMIGRATE_LOCK_WAIT"] = "1m"
        actions = [(os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
                   (os.POSIX_SPAWN_DUP2, 1, 2)]
        pid = os.posix_spawn(self.scene.tool, [self.scene.tool, *words], environment, file_actions=actions)
        attempt = Attempt(words[:1] + [word for word in words[1:] if word not in self.scene.untold], remote, process, output)
        self.attempts.append(attempt)
        self.running[pid] = attempt

    def ended(self, pid, status):
        attempt = self.running.pop(pid)
        attempt.status = os.waitstatus_to_exitcode(status)
        for index, (lives, process, _) in enumerate(self.host.actors()):
            if process == attempt.process:
                self.host.set_actor(index, 0, process, 0)
        return attempt

    def undisturbed(self, words):
        """Does a command of the scene that nothing disturbs."""
        self.ends = True
        self.host.set(faults=0)
        self.start(words, False)
        fault = self.go_on()
        if fault:
            return Result(words[:1], HANG, "", fault)
        with open(self.attempts[-1].output, errors="replace") as file:
            return Result(words[:1], self.attempts[-1].status, "", file.read())

    def go_on(self):
        """Gives the turn to an actor, and waits until a process has ended; gives what is wrong."""
        self.host.wake(self.drawn.choice(self.host.living()))
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        try:
            attempt = self.ended(*os.waitpid(-1, 0))
        except Hang:
            self.kill_all()
            return f"hangs after {self.host['points']} calls"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.met[attempt.status] += 1
        if attempt.status < 0 and attempt.status != -signal.SIGKILL:
            return f"crash: {attempt.told}"
        return self.follow()

    def kill_all(self):
        for pid in self.running:
            os.kill(pid, signal.SIGKILL)
        while self.running:
            self.ended(*os.waitpid(-1, 0))

    def play(self):
        """Gives what is wrong, None if nothing is."""
        self.scene.clear()
        self.disk = Disk(self.scene.out)
        self.disk.put(read_tree(self.scene.out))
        if os.path.exists(self.log):
            os.remove(self.log)
        while self.left_attempts or self.running:
            while self.left_attempts and len(self.running) < self.at_once:
                self.spawn()
            if not self.running:
                break
            fault = self.go_on()
            if not fault and self.host["is_cut"]:
                self.kill_all()
                fault = self.follow()
                self.cut()
            if fault:
                self.kill_all()
                return fault
        return self.follow() or self.foreigners() or self.scene.end(self)

    def follow(self):
        """Does to the disk what the log has, and looks at each call."""
        if not os.path.exists(self.log):
            return None
        calls = read_log(self.log)
        os.truncate(self.log, 0)
        self.calls += len(calls)
        for call in calls:
            if call.kind == "foreign":
                self.foreign[call.path] = self.disk.names[call.path], call.data
                continue
            self.disk.do(call)
            fault = self.scene.look(self, call)
            if fault:
                return f"after {call.kind} {os.path.basename(call.path)} {os.path.basename(call.other)}: {fault}"
        return None

    def cut(self):
        """The power goes; what is left is laid out."""
        self.cuts += 1
        # What others had there is moved away with it.
        names = {os.path.relpath(path, self.scene.out) for path in self.foreign}
        state = {path: data for path, data in self.disk.left(self.drawn).items() if path not in names}
        shutil.rmtree(self.scene.out)
        os.makedirs(self.scene.out)
        lay_out(state, self.scene.out)
        self.disk = Disk(self.scene.out)
        self.disk.put(state)
        self.foreign = {}
        self.host.set(is_cut=0)

    def foreigners(self):
        """Whether files of others are as they were; they are moved away then, as a user would."""
        for path, (file, data) in self.foreign.items():
            if self.disk.names.get(path) is not file or file.content() != data:
                return f"the file of others {os.path.basename(path)} has changed or is gone"
            os.remove(path)
        return None


KINDS = {"run": 5, "gates": 2, "swap": 3}
ENVIRONMENT = {"BULKMIGRATE_BATCH_ROWS": "1", "BULKMIGRATE_THREADS": "2"}


def hang(*_):
    raise Hang


def play(seeds, library, kind, options):
    """Plays seeds; gives the faults, how often attempts ended with which code, and sums over the schedules."""
    signal.signal(signal.SIGALRM, hang)
    LIBC.personality(NO_RANDOM_ADDRESSES)
    scenes, faults, ends, sums, trail = {}, [], Counter(), Counter(), 0
    with tempfile.TemporaryDirectory(prefix="simulate-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for seed in seeds:
            drawn = random.Random(seed)
            chosen = kind or drawn.choices(list(KINDS), KINDS.values())[0]
            example = drawn.choice(["notes", "files", "students"]) if chosen == "run" else losses
            rows = drawn.choice([5, 7] if chosen == "gates" else [2, 7])
            name = "swap" if chosen == "swap" else example if chosen == "run" else "losses"
            path = os.path.join(folder, f"{name}-{rows}")
            if path not in scenes:
                scenes[path] = (SwapScene if chosen == "swap" else RunScene)(path, example, rows, options, ENVIRONMENT)
            schedule = Schedule(scenes[path], library, seed, chosen)
            os.chdir(path)
            fault = schedule.play()
            ends += schedule.met
            sums += Counter(cuts=schedule.cuts, calls=schedule.calls, points=schedule.host["points"])
            trail ^= schedule.host["trail"]
            if fault:
                told = "\n    ".join([fault, *(attempt.told for attempt in schedule.attempts)])
                faults.append(f"schedule {seed} ({name} {rows}, {chosen}): {told.replace(folder, 'DIR')}")
                if options.keep:
                    shutil.copytree(path, os.path.join(options.keep, f"schedule-{seed}"), dirs_exist_ok=True)
        os.chdir("/")
    return faults, ends, sums, trail


def prove(found, count, options, kind):
    first = options.only or 1 + (options.seed - 1) * 1_000_000
    seeds = range(first, first + (1 if options.only else count))
    step = max(1, min(50, -(-len(seeds) // options.jobs)))
    parts, ends, sums, trails = [seeds[place:place + step] for place in range(0, len(seeds), step)], Counter(), Counter(), []
    with tempfile.TemporaryDirectory(prefix="simulate-") as folder, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        library = build_shim(folder, "-DSCHEDULED")
        playing = [pool.submit(play, part, library, kind, options) for part in parts]
        for part, future in zip(parts, playing):
            faults, more_ends, more_sums, trail = future.result()
            found.add(len(part), faults)
            ends, sums = ends + more_ends, sums + more_sums
            trails.append(trail)
    codes = ", ".join(f"{code}: {number:,}" for code, number in sorted(ends.items()))
    print(f"{len(seeds):,} schedules from seed {first}; {ends.total():,} attempts ({codes}), {sums['cuts']:,} power cuts, "
          f"{sums['points']:,} places where the turn may pass, {sums['calls']:,} changes, sum "
          f"{functools.reduce(operator.xor, trails):016x}", flush=True)
