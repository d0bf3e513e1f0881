"""A fleet of small stores, which proofs disturb."""
import collections, glob, json, os, random, shutil

from measuring import PACKAGE, notes
from proving import KEPT, call, digest_of

TO = ["--models", PACKAGE, "--to", "Notes with attribute"]


class Fleet:
    """Stores in a folder, and a plan that migrates them into its folder `new`."""

    def __init__(self, tool, folder, count, *words, broken=0, sizes=(40,), others={}):
        """`count` stores with so many rows in turn, the last ones of them broken, and others with the rows that are given by
        their names. `words` are further ones for the plan."""
        self.tool, self.folder, self.broken = tool, folder, broken
        self.new = os.path.join(folder, "new")
        self.good = [f"s{number}" for number in range(count - broken)] + list(others)
        self.clear()
        for name, rows in {**{f"of{rows}": rows for rows in sizes}, **others}.items():
            self.run("fixture", "-q", "--model", notes(), "--rows", f"Note={rows}", "-o", f"{name}.sqlite")
        with open(self.path("stores.jsonl"), "w") as file:
            for number in range(count):
                if number < count - broken:
                    shutil.copy(self.path(f"of{sizes[number % len(sizes)]}.sqlite"), self.path(f"s{number}.sqlite"))
                else:
                    with open(self.path(f"s{number}.sqlite"), "wb") as store:
                        store.write(random.Random(number).randbytes(5000))
            for name in [*(f"s{number}" for number in range(count)), *others]:
                file.write(json.dumps({"id": name, "source": f"{name}.sqlite", "destination": f"new/{name}.sqlite"}) + "\n")
        self.run("fleet", "plan", "-q", "--manifest", "stores.jsonl", *TO, *words)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, ends=(0,), **options):
        """Runs the program, which ends with one of some codes."""
        return call([self.tool, *words], ends=ends, cwd=self.folder, **options)

    def undisturbed(self):
        """Migrates all stores without a disturbance and removes them; returns their digests."""
        self.run("fleet", "run", "-q", "--workers", "2", ends=[3 if self.broken else 0])
        found = self.digests()
        self.clear()
        return found

    def result_files(self):
        return glob.glob(self.path("results*.jsonl")) + glob.glob(self.path("bulkmigrate.results*.jsonl"))

    def clear(self):
        """Removes what runs have made."""
        for name in ("new", "results.parquet"):
            shutil.rmtree(self.path(name), ignore_errors=True)
        os.makedirs(self.new)
        for path in self.result_files():
            os.remove(path)

    def digests(self):
        """Of each store that is there."""
        return {os.path.basename(path).removesuffix(".sqlite"): digest_of(path) for path in glob.glob(os.path.join(self.new, "*.sqlite"))}

    def check_once(self, done):
        """What is wrong where stores were made twice, or where something is left beside them; `done` has the id of a store for
        each attempt that says so."""
        faults = [f"done twice: {store}" for store, count in collections.Counter(done).items() if count > 1]
        states = {path: set(os.listdir(path)) for path in glob.glob(os.path.join(self.new, "*.bulkmigrate"))}
        return faults + [f"{path} has {names}" for path, names in states.items() if names != KEPT]
