"""What an executor does, with Python's standard library alone: runs a bin and yields what became of its stores."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time

# The columns of the results, by members of a record, Plans/schemas/record.schema.json; losses, verification and error are
# texts of JSON.
COLUMNS = ["fleet", "id", "attempt", "outcome", "exitCode", "failure", "class", "store", "destination", "version",
           "destinationVersion", "rows", "rowsOfAttempt", "resumedAtRow", "losses", "missingFiles", "rejected",
           "verification", "sourceBytes", "bytes", "wallSeconds", "processorSeconds", "peakMemoryBytes", "plan", "tool",
           "host", "time", "error"]
# Exit codes of `fleet run` that are told by the results: done, stopped above a limit, failures, verification, work left.
TOLD = {0, 1, 3, 4, 6}
# Codes of a store that another attempt has: it is locked, or this attempt was overtaken.
BUSY = {8, 9}
# How long to wait before busy stores are tried again, after each has waited for `BULKMIGRATE_LOCK_WAIT`.
PAUSE = 1


def program(settings):
    """The path of the program: one that is shipped with the job, or one that every executor has."""
    if not settings["shipped"]:
        return settings["program"]
    shipped = found(settings["program"], True)
    os.chmod(shipped, 0o755)
    return shipped


def found(path, is_shipped):
    """The path of a file: its own, unless it is shipped or missing, or that of what `addFile` or --files has shipped."""
    if not is_shipped and os.path.exists(path):
        return path
    from pyspark import SparkFiles
    name = os.path.basename(path)
    return next((place for place in (SparkFiles.get(name), name) if os.path.exists(place)), path)


def unpacked(folder, name):
    """The path of a shipped archive's content; Notes.xcdatamodeld.zip becomes Notes.xcdatamodeld."""
    target = os.path.join(folder, os.path.basename(name).removesuffix(".zip"))
    shutil.unpack_archive(found(name, True), target, "zip")
    return target


def options(settings, folder):
    words = ["--max-memory", settings["max_memory"]]
    for name in ("models", "mappings"):
        for place in settings[name]:
            words += [f"--{name}", unpacked(folder, place) if settings["shipped"] else place]
    return words + scratch(settings["options"]) + settings["options"]


def scratch(words):
    """A place for staged stores where none is given: attempts on one machine share it, and Spark removes it at the end."""
    is_staged = any(word.startswith("--stage-in") for word in words)
    is_given = any(word.startswith("--scratch") for word in words)
    return ["--scratch", os.path.join(local_folder(), "bulkmigrate-scratch")] if is_staged and not is_given else []


def local_folder():
    """A folder of Spark's own on this machine."""
    return os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")[0]


@contextlib.contextmanager
def guarded_folder():
    """A folder that is removed at the end, also if Spark kills this process: a shell waits for whoever holds a pipe.

    Yields the folder, and the end of the pipe for the processes that work in it.
    """
    folder = tempfile.mkdtemp(prefix="bulkmigrate-", dir=local_folder())
    reading, writing = os.pipe()
    # In a session of its own, because the signals that end an executor's Python go to its group.
    guard = subprocess.Popen(["/bin/sh", "-c", 'cat; rm -rf -- "$1"', "sh", folder], stdin=reading,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    os.close(reading)
    try:
        yield folder, writing
    finally:
        os.close(writing)
        # Whoever still holds the pipe, as a command of --stage-in that goes on in the background, keeps no task waiting.
        with contextlib.suppress(subprocess.TimeoutExpired):
            guard.wait(60)


def run_bin(number, settings):
    """Runs the stores of a bin; yields a row for each attempt.

    A store that another attempt works on is waited for: were this task to end with it, Spark would kill the attempt that
    works. A task that waits too long for any of them fails, and Spark tries it again.
    """
    with guarded_folder() as (folder, guard):
        words = [*command(number, settings, folder), *options(settings, folder)]
        end, busy, told = time.monotonic() + settings["busy_wait"], None, {}
        while busy is None or busy:
            last = {}
            for result in attempt(words, folder, guard):
                store, outcome = result["id"], result["outcome"]
                last[store] = result["exitCode"]
                # The stores that were not busy are found again as they were.
                known = "done" if outcome == "already" else outcome
                if result["exitCode"] not in BUSY and told.get(store) != known:
                    told[store] = known
                    yield row(result)
            found = {store for store, code in last.items() if code in BUSY}
            if busy is None or len(found) < len(busy):
                end = time.monotonic() + settings["busy_wait"]
            elif time.monotonic() > end:
                raise RuntimeError(f"other attempts still work on {len(found)} stores, as on {min(found)}")
            busy = found
            time.sleep(PAUSE if busy else 0)


def command(number, settings, folder):
    # A task that Spark gives up leaves no process behind that goes on with its stores.
    return [program(settings), "fleet", "run", "--quiet", "--fleet", found(settings["fleet"], settings["shipped"]),
            "--bin", f"{number}/{settings['bins']}", "--results", os.path.join(folder, "results.jsonl"), "--die-with-parent"]


def attempt(words, folder, guard):
    """Runs the bin once; returns the results."""
    results = os.path.join(folder, "results.jsonl")
    with contextlib.suppress(FileNotFoundError):
        os.remove(results)
    ended = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[guard])
    if ended.returncode not in TOLD:
        # Spark tries the task again; stores that are done are found done.
        raise RuntimeError(f"bulkmigrate ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-2000:]}")
    with open(results, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def row(result):
    """A result in the order of the columns."""
    for name in ("losses", "verification", "error"):
        if name in result:
            result[name] = json.dumps(result[name], ensure_ascii=False, sort_keys=True)
    return tuple(result.get(name) for name in COLUMNS)
