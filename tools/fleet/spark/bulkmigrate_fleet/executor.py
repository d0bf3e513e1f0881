"""What an executor does, with Python's standard library alone: runs a bin and yields what became of its stores."""
import json
import os
import shutil
import subprocess
import tempfile

# The columns of the results, in the order of the schema; those of Plans/schemas/fleet-results.schema.json, with the losses and
# the error as texts of JSON.
COLUMNS = ["fleet", "wave", "id", "attempt", "outcome", "code", "failure", "class", "source", "destination", "version",
           "destinationVersion", "rows", "rowsOfAttempt", "resumedAtRow", "losses", "missingFiles", "rejected", "verified",
           "sourceBytes", "bytes", "wallSeconds", "processorSeconds", "peakMemoryBytes", "leastMemoryBytes", "plan", "tool", "host", "time",
           "error"]
# Exit codes of `fleet run` that are told by the results: done, stopped above a limit, failures, verification, work left.
TOLD = {0, 1, 3, 4, 6}


def program(settings):
    """The path of the program: one that is shipped with the job, or one that every executor has."""
    path = settings["program"]
    if not settings["shipped"]:
        return path
    shipped = found(path)
    os.chmod(shipped, 0o755)
    return shipped


def found(name):
    """The path of a file that `addFile` or --files has shipped."""
    from pyspark import SparkFiles
    path = SparkFiles.get(os.path.basename(name))
    return path if os.path.exists(path) else os.path.basename(name)


def unpacked(folder, name):
    """The path of a shipped archive's content; Notes.xcdatamodeld.zip becomes Notes.xcdatamodeld."""
    target = os.path.join(folder, os.path.basename(name).removesuffix(".zip"))
    shutil.unpack_archive(found(name), target, "zip")
    return target


def options(settings, folder):
    words = ["--max-memory", settings["max_memory"]]
    for name in ("models", "mappings"):
        for place in settings[name]:
            words += [f"--{name}", unpacked(folder, place) if settings["shipped"] else place]
    return words + settings["options"]


def run_bin(lines, settings):
    """Runs the stores of a bin, which are lines of the fleet's list; yields a row for each."""
    lines = list(lines)
    if not lines:
        return
    folder = tempfile.mkdtemp(prefix="bulkmigrate-")
    try:
        bin_file, results = os.path.join(folder, "bin.jsonl"), os.path.join(folder, "results.jsonl")
        with open(bin_file, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        fleet = found(settings["fleet"]) if settings["shipped"] else settings["fleet"]
        # A task that Spark gives up leaves no process behind that goes on with its stores.
        words = [program(settings), "fleet", "run", "--quiet", "--fleet", fleet, "--bin-file", bin_file, "--results",
                 results, "--die-with-parent"]
        ended = subprocess.run(words + options(settings, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if ended.returncode not in TOLD:
            # Spark tries the task again; stores that are done are found done.
            raise RuntimeError(f"bulkmigrate ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-2000:]}")
        yield from rows(results)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def rows(path):
    """The rows of a file of results."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            result = json.loads(line)
            for name in ("losses", "error"):
                if name in result:
                    result[name] = json.dumps(result[name], ensure_ascii=False, sort_keys=True)
            yield tuple(result.get(name) for name in COLUMNS)
