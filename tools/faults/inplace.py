"""A store that is migrated in its place and taken back, and two attempts at one migration at once. Used by
tools/prove faults."""
import os, shutil, subprocess

from proving import HANG, KEPT, Result, Scene, digest_of


class InPlaceScene(Scene):
    """A store in the folder `out`, with its values, that is migrated."""

    name, words = "migrate", ("migrate",)

    def run_undisturbed(self):
        self.lay_source()
        self.old = self.digest()
        self.must("migrate")
        self.new = self.digest()
        self.migrated = os.path.join(self.folder, "migrated")
        shutil.copytree(self.out, self.migrated)
        if self.name == "rollback":
            self.must("rollback")
        self.reference = self.tree()
        self.clear()

    def plan_migration(self, *words):
        """Takes the words by which `migrate` finds what a plan would be made with."""
        place = words.index("--mapping" if "--mapping" in words else "--destination-model")
        self.finding = words[place:place + 2]

    def command(self, *words):
        more = ["--max-memory", self.memory, "--max-loss", "all", *self.finding] if words[0] == "migrate" else []
        return [self.tool, words[0], self.destination, *more, *words[1:]]

    clear = Scene.lay_source

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
        names = {name for name, _ in self.tree().items() ^ self.reference.items()}
        return f"after {taken} there is something else: {sorted(names)}" if names else None

    def unsound(self, result):
        """Whether the old or the new store is in its place, with its values."""
        return [] if self.digest() in (self.old, self.new) else [f"{result} – and neither store is in its place"]


class RollbackScene(InPlaceScene):
    """The same, which is taken back."""

    name, words = "rollback", ("rollback",)

    def clear(self):
        shutil.rmtree(self.out)
        shutil.copytree(self.migrated, self.out)


class PairScene(Scene):
    """A migration that two processes attempt at once."""

    words = ("run", "--resume-if-started")

    def run_beside(self, environment):
        """Runs it twice at once, once in an environment that spoils it. Gives both results."""
        command = self.command("run", "-q", *self.words[1:])
        started = [subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                    errors="replace", env={**self.environment, **more}) for more in (environment, {})]
        results = []
        for process in started:
            try:
                _, errors = process.communicate(timeout=300)
                results.append(Result(["run"], process.returncode, "", errors))
            except subprocess.TimeoutExpired:
                process.kill()
                results.append(Result(["run"], HANG, "", "did not end"))
        return results

    def go_on(self):
        """Does the same again, as a scheduler would."""
        result = self.run(*self.words)
        return ["run"], f"no way on: {result}" if result.status != 0 else self.fault(["run"])

    def leftovers(self):
        """What is in `out` beside the destination and its receipt."""
        state = os.path.basename(self.state)
        kept = {state} | {os.path.join(state, name) for name in KEPT}
        return [name for name in super().leftovers() if name not in kept]
