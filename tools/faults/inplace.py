"""A store that is migrated in its place and taken back, and two attempts at one migration at once. Used by
tools/prove faults."""
import os, shutil, subprocess
from proving import EXAMPLES, Failure, HANG, Result, Scene, digest_of

# What a state directory keeps of a migration that is done.
RECEIPT = {".bulkmigrate", "finished", "plan.json"}


class InPlaceScene(Scene):
    """A store in the folder `out`, with its values; `name` is migrate or rollback."""

    def __init__(self, folder, example, rows, tool, environment=None, memory="64M", name="migrate"):
        self.name = name
        self.prepare(folder, tool, environment, memory)
        EXAMPLES[example](self, rows)
        self.source_digest = self.digest_of_sources()
        self.lay_old()
        self.old = self.digest()
        self.done("migrate")
        self.new = self.digest()
        self.migrated = os.path.join(folder, "migrated")
        shutil.copytree(self.out, self.migrated)
        if name == "rollback":
            self.done("rollback")
        self.reference = self.tree()
        self.clear()

    def plan_migration(self, *words):
        """Takes the words by which `migrate` finds what a plan would be made with."""
        place = words.index("--mapping" if "--mapping" in words else "--destination-model")
        self.words = words[place:place + 2]

    def command(self, *words):
        more = ["--max-memory", self.memory, "--max-loss", "all", *self.words] if words[0] == "migrate" else []
        return [self.tool, words[0], self.destination, *more, *words[1:]]

    def done(self, *words):
        run = self.run(*words)
        if run.status != 0:
            raise Failure(f"the undisturbed run failed: {run}")

    def lay_old(self):
        """Lays the store into an empty folder as it was before any migration."""
        super().clear()
        shutil.copy(os.path.join(self.sources, "source.sqlite"), self.destination)
        values = os.path.join(self.sources, ".source_SUPPORT")
        if os.path.isdir(values):
            shutil.copytree(values, os.path.join(self.out, ".made_SUPPORT"))

    def clear(self):
        if self.name == "migrate":
            return self.lay_old()
        shutil.rmtree(self.out)
        shutil.copytree(self.migrated, self.out)

    def tree(self):
        """The digest of every file in `out`, by its path."""
        found = {}
        for folder, _, names in os.walk(self.out):
            for name in names:
                # SQLite removes its log itself, says nothing where it cannot, and takes an empty one for none.
                if name.endswith("-wal") and os.path.getsize(os.path.join(folder, name)) == 0:
                    continue
                found[os.path.relpath(os.path.join(folder, name), self.out)] = digest_of(os.path.join(folder, name))
        return found

    def go_on(self):
        """Does the same again. Gives the commands that it took and what is wrong with the outcome."""
        result = self.run(self.name)
        # What was taken back to its end cannot be taken back once more.
        if result.status != 0 and not (self.name == "rollback" and result.status == 66):
            return [self.name], f"no way on: {result}"
        return [self.name], self.fault([self.name])

    def fault(self, taken):
        tree = self.tree()
        if tree != self.reference:
            names = sorted(set(tree.items()) ^ set(self.reference.items()))
            return f"after {taken} there is something else: {sorted({name for name, _ in names})}"
        return None

    def is_whole(self):
        """Whether the old or the new store is in its place, with its values."""
        return self.digest() in (self.old, self.new)


class PairScene(Scene):
    """A migration that two processes attempt at once."""

    name = "run"
    words = ["--resume-if-started"]

    def run_beside(self, environment):
        """Runs it twice at once, once in an environment that spoils it. Gives both results."""
        command = self.command("run", "-q", *self.words)
        started = [subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                    env={**self.environment, **more}) for more in (environment, {})]
        results = []
        for process in started:
            try:
                _, errors = process.communicate(timeout=300)
            except subprocess.TimeoutExpired:
                process.kill()
                results.append(Result(["run"], HANG, "", "did not end"))
                continue
            results.append(Result(["run"], process.returncode, "", errors.decode(errors="replace")))
        return results

    def go_on(self):
        """Does the same again, as a scheduler would."""
        result = self.run("run", *self.words)
        if result.status != 0:
            return ["run"], f"no way on: {result}"
        return ["run"], self.fault(["run"])

    def leftovers(self):
        """What is in `out` beside the destination and its receipt."""
        state = os.path.basename(self.state)
        kept = {state} | {os.path.join(state, name) for name in RECEIPT}
        return [name for name in super().leftovers() if name not in kept]
