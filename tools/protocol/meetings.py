"""What schedules are played over, and what holds of it at every call and at the end; for tools/prove protocol."""
import os, re

import measuring
from smallfleets import TO
from proving import KEPT, Failure, Scene, bytes_of


def losses(scene, rows):
    """Notes, half of which a filter leaves out; how many is known in the end."""
    scene.make_source(f"Note={rows},Folder=2,Tag=2", model=measuring.notes())
    scene.plan_migration("--mapping", os.path.join(measuring.MODELS, "filter.json"))


class RunScene(Scene):
    """A migration to a new file."""

    def run_undisturbed(self):
        self.must("run")
        self.reference = self.digest()
        self.bytes = bytes_of(self.destination)
        self.untold = ["--plan", "-q", "--max-memory", self.memory, self.plan]
        self.clear()

    def next_words(self, kind, drawn):
        command = drawn.choice([["run", "--resume-if-started"], ["run", "--resume-if-started"], ["run"], ["resume"],
                                ["run", "--restart"]])
        if kind == "gates" and command[0] == "run":
            command = command + ["--max-loss", drawn.choice(["none", "1"])]
        return self.command(command[0], "-q", *command[1:])[1:]

    def look(self, schedule, call):
        if self.destination not in (call.path, call.other):
            return None
        file = schedule.disk.names.get(self.destination)
        if file is None or schedule.foreign.get(self.destination, (None,))[0] is file:
            return None
        if call.kind == "create":
            # That of others is noted by the next line of the log.
            return None
        if call.kind == "write" and bytes(call.data).startswith(b"foreign "):
            return None
        if schedule.kind == "gates" and not schedule.ends:
            return "what no limit allows is published"
        return None if file.content() == self.bytes else "what has the destination's name is not the whole store"

    def end(self, schedule):
        """Goes on undisturbed, as a user or a scheduler would."""
        words, taken = ["run", "--resume-if-started"], []
        for _ in range(5):
            result = schedule.undisturbed(self.command(words[0], "-q", *words[1:])[1:])
            taken.append(" ".join(words))
            if result.status == 0 or (result.status == 73 and "already exists" in result.errors and self.digest() == self.reference):
                fault = self.fault(taken)
                return None if fault and schedule.has_remote and "there is left" in fault else fault
            # Two that do not see each other's locks may take each other's mark away, or leave values that the other one
            # finds in its way (Plans/models/findings.md, the end).
            if schedule.has_remote and re.search("is not a state directory|SUPPORT already exists", result.errors):
                return None
            if "BULKMIGRATE_LOCK_WAIT=1m watches" in result.errors and not schedule.waits:
                schedule.waits = True
                continue
            if result.status < 0 or result.advice in (None, words):
                return f"no way on: {result}"
            words = result.advice
        return f"a circle: {taken}"

    def leftovers(self):
        """What is left but the receipt of --resume-if-started."""
        state = os.path.basename(self.state)
        return [name for name in super().leftovers() if name != state and name.removeprefix(state + "/") not in KEPT]


class SwapScene(Scene):
    """A store that is migrated in its place."""

    name = "migrate"

    def make_example(self, _, rows):
        self.make_source(f"Note={rows},Folder=2,Tag=2", model=measuring.notes())
        self.old = bytes_of(self.source)
        self.migrate = ["migrate", self.destination, *TO, "-q", "--max-memory", self.memory]
        self.untold = ["-q", "--max-memory", self.memory, self.destination, measuring.PACKAGE]
        self.clear()

    def run_undisturbed(self):
        self.tool_run(*self.migrate)
        self.new = bytes_of(self.destination)
        if self.new == self.old:
            raise Failure("the store is not migrated")
        self.clear()

    clear = Scene.lay_source

    def next_words(self, kind, drawn):
        return drawn.choice([self.migrate, self.migrate, self.migrate, ["rollback", self.destination, "-q"]])

    def look(self, schedule, call):
        file = schedule.disk.names.get(self.destination)
        if file is None:
            return "the store's name is gone"
        if self.destination not in (call.path, call.other):
            return None
        return None if file.content() in (self.old, self.new) else "what has the store's name is neither the old nor the new store"

    def end(self, schedule):
        for _ in range(3):
            result = schedule.undisturbed(self.migrate)
            if result.status == 0:
                break
        else:
            return f"no way on: {result}"
        if bytes_of(self.destination) != self.new:
            return "the store has other bytes than after an undisturbed migration"
        found = [name for name in super().leftovers() if not re.fullmatch(r"made~(undone)?[^/]*\.sqlite", name)]
        return f"there is left {found}" if found else None
